# SPDX-License-Identifier: Apache-2.0
"""Strings, keys and shapes, by docs/spec/wire-format.md."""

from navwire_forms import STATIC, STATIC_NUMBERS, Refused, split_name


class Strings:
    def string(self, head):
        if 0x40 <= head < 0x60:
            return self.literal(head - 0x40)
        if 0xA0 <= head < 0xD0:
            return self.hot_string(head - 0xA0)
        if head == 0xF8:
            return self.literal(self.varint() + 32)
        if head == 0xF9:
            return self.hot_string(self.varint() + 48)
        if head == 0xFA:
            number = self.varint()
            if number >= len(self.seen) or self.seen[number] in self.hot:
                raise Refused("no such string seen")
            self.hot.append(self.seen[number])
            return self.use(self.seen[number])
        if head == 0xFB:
            number = self.varint()
            if number >= len(STATIC) or not 2 <= len(STATIC[number]) <= 64:
                raise Refused("no such static symbol")
            return self.first(STATIC[number])
        if head == 0xFC:
            return self.dotted()
        return None

    def use(self, text):
        self.expanded += len(text)
        return text

    def hot_string(self, number):
        if number >= len(self.hot):
            raise Refused("no such hot string")
        return self.use(self.hot[number])

    def first(self, text):
        if text in self.seen:
            raise Refused("a string is written out again")
        self.seen.append(text)
        return self.use(text)

    def literal(self, count):
        text = self.text(count)
        if not 2 <= count <= 64:
            return self.use(text)
        if text in STATIC_NUMBERS or split_name(text) is not None:
            raise Refused("a string that has another form")
        return self.first(text)

    def dotted(self):
        reference = self.varint()
        if reference > len(self.prefixes):
            raise Refused("no such start of a name")
        if reference:
            prefix = self.prefixes[reference - 1]
        else:
            count = self.varint()
            if not 2 <= count <= 64:
                raise Refused("the start of a name")
            prefix = self.text(count)
            if prefix in self.prefixes:
                raise Refused("the start of a name is written out again")
            self.prefixes.append(prefix)
        reference = self.varint()
        if reference & 1 == 0:
            if reference >> 1 >= len(STATIC):
                raise Refused("no such static symbol")
            rest = STATIC[reference >> 1]
        else:
            rest = self.text(reference >> 1)
            if rest in STATIC_NUMBERS:
                raise Refused("a static symbol is written out")
        name = prefix + b"." + rest
        if len(name) > 64 or split_name(name) != len(prefix) or name in STATIC_NUMBERS:
            raise Refused("a dotted name in another form")
        return self.first(name)

    def read_shapes(self):
        self.shapes, keys = [], []
        count = self.varint()
        if count > self.end - self.at:
            raise Refused("truncated")
        for _ in range(count):
            size = self.varint()
            if size > self.end - self.at:
                raise Refused("truncated")
            shape = tuple(self.key(keys) for _ in range(size))
            if len(set(shape)) != len(shape) or shape in self.shapes:
                raise Refused("a shape or key twice")
            self.shapes.append(shape)

    def key(self, keys):
        reference = self.varint()
        number = reference >> 1
        if reference & 1 == 0:
            if number >= len(STATIC):
                raise Refused("no such static symbol")
            return STATIC[number]
        if number < len(keys):
            return keys[number]
        if number != len(keys):
            raise Refused("keys out of order")
        key = self.utf8(self.take(self.varint()))
        if key in STATIC_NUMBERS or key in keys:
            raise Refused("a key is written out again")
        keys.append(key)
        return key
