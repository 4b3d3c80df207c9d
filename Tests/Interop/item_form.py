# SPDX-License-Identifier: Apache-2.0
"""Which items of a path are JSON that is imported, by docs/spec/wire-format.md, "As JSON". Python's json takes more."""

import re

SPACE = re.compile(r"[ \t\r\n]*")
STRING = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}'
    r'|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4})*"')
NUMBER = re.compile(r"-?((?:0|[1-9][0-9]*)(?:\.([0-9]+))?)(?:[eE]([+-]?[0-9]+))?(?![0-9.])", re.ASCII)
WORD = re.compile(r"true|false|null")


class Items:
    """Reads one text, without recursion."""

    def __init__(self, text):
        self.text, self.at, self.values, self.open = text, 0, 0, []
        self.is_refused = False

    def take(self, pattern):
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match

    def mark(self, marks):
        self.take(SPACE)
        found = self.text[self.at:self.at + 1]
        if not found or found not in marks:
            return ""
        self.at += 1
        return found

    def number(self):
        match = self.take(NUMBER)
        if not match:
            return False
        digits = match[1].replace(".", "")
        if not digits.strip("0"):
            return True
        zeros = len(digits) - len(digits.rstrip("0"))
        power = match[3] or "0"
        if len(power.lstrip("+-0")) > 12:
            return False
        return abs(int(power) - len(match[2] or "") + zeros) <= 1_000_000

    def key(self):
        self.take(SPACE)
        return self.take(STRING) and self.mark(":")

    def value(self):
        """Whether a value ended (True), one follows (None), or neither (False)."""
        self.values += 1
        opened = self.mark("[{")
        if not opened:
            return bool(self.take(STRING) or self.take(WORD)) or self.number()
        self.open.append("]" if opened == "[" else "}")
        if self.mark(self.open[-1]):
            self.open.pop()
            # An empty container is one level deep as well.
            self.is_refused = len(self.open) >= 64
            return not self.is_refused
        if len(self.open) > 64:
            self.is_refused = True
            return False
        return None if opened == "[" or self.key() else False

    def whole(self):
        while True:
            ended = self.value()
            self.is_refused |= self.values > 1 << 18
            if ended is False or self.is_refused:
                return False
            if ended is None:
                continue
            while self.open and self.mark(self.open[-1]):
                self.open.pop()
            if not self.open:
                self.take(SPACE)
                return self.at == len(self.text)
            if not self.mark(",") or (self.open[-1] == "}" and not self.key()):
                return False


def is_imported(text):
    return Items(text).whole()


def is_refused(text):
    """Whether an import refuses the item instead of keeping it verbatim."""
    items = Items(text)
    items.whole()
    return items.is_refused
