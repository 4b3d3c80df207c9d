# SPDX-License-Identifier: Apache-2.0
"""A second reader of the wire format, written from docs/spec/wire-format.md alone.

`read_payload`, and `navwire_envelope.read_envelope`, give the form and a tree; they raise Refused for whatever the specification does not allow. Trees are
tuples: ("int", 7), ("str", "a"), ("array", [...]), ("object", [(key, value)]) and so on.
"""

import re
import struct

from item_form import is_imported
from navwire_forms import (INTEGERS, LEAST_8, STATIC, STATIC_NUMBERS, Refused, key_of, milliseconds, short_double)
from navwire_strings import Strings


class Reader(Strings):
    def __init__(self, payload, limits=None):
        self.limits = {"payload": 1 << 20, "depth": 64, "elements": 10000, "tag": 512, "values": 1 << 18,
                       "expanded": 16 << 20, **(limits or {})}
        self.data = payload
        self.at = 0
        self.end = len(payload)
        self.seen, self.hot, self.prefixes = [], [], []
        self.next_shape = self.values = self.expanded = 0
        self.imported = False
        if len(payload) > self.limits["payload"]:
            raise Refused("too large")

    # Bytes

    def byte(self):
        if self.at >= self.end:
            raise Refused("truncated")
        self.at += 1
        return self.data[self.at - 1]

    def take(self, count):
        if count > self.end - self.at:
            raise Refused("truncated")
        self.at += count
        return self.data[self.at - count:self.at]

    def little(self, count):
        return int.from_bytes(self.take(count), "little")

    def varint(self, bits=64):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if value >> bits:
                raise Refused("a varint of too many bits")
            if byte < 0x80:
                if byte == 0 and shift:
                    raise Refused("a varint that is not minimal")
                return value
            shift += 7

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def fixed(self, count):
        if count > self.end - self.at:
            raise Refused("truncated")
        self.end -= count
        return self.data[self.end:self.end + count]

    def text(self, count):
        if count > self.text_end - self.text_at:
            raise Refused("truncated")
        self.text_at += count
        return self.utf8(self.data[self.text_at - count:self.text_at])

    @staticmethod
    def utf8(data):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused("not UTF-8") from error
        return bytes(data)

    # The payload

    def read(self):
        form = self.byte()
        if form > 1:
            raise Refused("unknown form")
        count = self.varint()
        if count > self.end - self.at:
            raise Refused("truncated")
        self.text_at, self.text_end = self.at, self.at + count
        self.at = self.text_end
        self.read_shapes()
        if form == 0:
            self.count_values(1)
            result = ("value", self.value(0))
        else:
            result = ("path", self.elements())
        if self.at != self.end:
            raise Refused("trailing bytes")
        if self.text_at != self.text_end:
            raise Refused("unused text")
        if self.next_shape != len(self.shapes):
            raise Refused("unused shapes")
        self.count_values(0)
        return result

    def count_values(self, count):
        self.values += count
        if self.values > self.limits["values"] or self.expanded > self.limits["expanded"]:
            raise Refused("too large")

    def elements(self):
        count = self.varint()
        if count > self.limits["elements"]:
            raise Refused("too large")
        self.count_values(2 * count)
        elements = []
        for _ in range(count):
            tag = self.string(self.byte())
            if tag is None or len(tag) > self.limits["tag"] or any(byte < 0x20 or byte == 0x7F for byte in tag):
                raise Refused("a tag")
            elements.append((tag.decode(), self.element_value()))
        return elements

    def element_value(self):
        if self.at >= self.end:
            raise Refused("truncated")
        if self.data[self.at] == 0xFF:
            self.at += 1
            self.imported = True
            value = self.value(0)
            self.imported = False
            return ("imported", value)
        if self.data[self.at:min(self.at + 2, self.end)] == b"\xfe\x0a":
            self.at += 2
            item = self.text(self.varint()).decode()
            if is_imported(item):
                raise Refused("an item that is JSON is kept as it was")
            return ("verbatim", item)
        return self.value(0)

    # Values

    def native(self):
        if self.imported:
            raise Refused("a native value in an imported one")

    def value(self, depth):
        head = self.byte()
        self.last_head = head
        if head < 0x40:
            return ("int", head)
        if 0x60 <= head < 0xA0:
            return self.object(head - 0x60, depth)
        if 0xD0 <= head <= 0xDB:
            return self.array(head - 0xD0, depth)
        if 0xE3 <= head <= 0xF5:
            return self.body(head)
        simple = {0xE0: ("nil", None), 0xE1: ("bool", False), 0xE2: ("bool", True)}
        if head in simple:
            return simple[head]
        if head == 0xDC:
            return self.array(self.varint() + 12, depth)
        if head == 0xDD:
            return self.run(depth)
        if head == 0xDE:
            return self.bits(depth)
        if head == 0xDF:
            return self.object(self.varint() + 64, depth)
        if head == 0xF6:
            self.native()
            return ("data", bytes(self.fixed(self.varint())))
        if head == 0xF7:
            self.native()
            return ("url", self.expand("https://" + self.text(self.varint()).decode()))
        if head == 0xFD:
            self.native()
            return self.map(depth)
        if head == 0xFE:
            return self.rare(depth)
        text = self.string(head)
        if text is None:
            raise Refused("no head")
        return ("str", text.decode())

    def expand(self, text):
        self.expanded += len(text.encode())
        return text

    def begin(self, count, depth):
        if count > self.end - self.at:
            raise Refused("truncated")
        self.count_values(count)
        if depth >= self.limits["depth"]:
            raise Refused("too deep")

    def object(self, number, depth):
        if number >= len(self.shapes):
            raise Refused("no such shape")
        shape = self.shapes[number]
        if self.imported and list(shape) != sorted(shape):
            raise Refused("an imported object out of order")
        self.expanded += sum(len(key) for key in shape)
        self.begin(len(shape), depth)
        members = [(key.decode(), self.value(depth + 1)) for key in shape]
        if number > self.next_shape:
            raise Refused("shapes out of order")
        if number == self.next_shape:
            self.next_shape += 1
        return ("object", members)

    def array(self, count, depth):
        self.begin(count, depth)
        items, heads = [], set()
        for _ in range(count):
            head = self.data[self.at] if self.at < self.end else None
            heads.add(0xE1 if head == 0xE2 else head)
            items.append(self.value(depth + 1))
        if len(heads) == 1:
            head = heads.pop()
            if (count >= 4 and 0xE3 <= head <= 0xF5) or (count >= 8 and head == 0xE1):
                raise Refused("an array that is not packed")
        return ("array", items)

    def run(self, depth):
        count = self.varint() + 4
        head = self.byte()
        if not 0xE3 <= head <= 0xF5:
            raise Refused("no head of a run")
        self.begin(count, depth)
        return ("array", [self.body(head) for _ in range(count)])

    def bits(self, depth):
        count = self.varint() + 8
        size = (count + 7) // 8
        if size > self.end - self.at:
            raise Refused("truncated")
        if depth >= self.limits["depth"]:
            raise Refused("too deep")
        self.count_values(count)
        number = self.little(size)
        if number >> count:
            raise Refused("bits behind the last")
        return ("array", [("bool", bool(number >> index & 1)) for index in range(count)])

    def map(self, depth):
        count = self.varint()
        self.begin(2 * count, depth)
        members, previous = [], None
        for _ in range(count):
            key = self.string(self.byte())
            if key is None or (previous is not None and key <= previous):
                raise Refused("keys of a map")
            previous = key
            members.append((key.decode(), self.value(depth + 1)))
        return ("map", members)

    def sorted(self, kind, count, depth, step):
        self.begin(count * step, depth)
        items = [self.value(depth + 1) for _ in range(count * step)]
        keys = [[key_of(item) for item in items[at:at + step]] for at in range(0, len(items), step)]
        if any(a > b for a, b in zip(keys, keys[1:])):
            raise Refused("out of order")
        if any(a[0] == b[0] for a, b in zip(keys, keys[64:])):
            raise Refused("too many equal")
        return (kind, items)

    # Scalars

    def body(self, head):
        if head in INTEGERS:
            first, size = INTEGERS[head]
            return ("int", first + self.little(size))
        if head == 0xE8:
            return ("int", self.at_least(self.little(8), LEAST_8))
        if head == 0xEA:
            return ("int", -1 - self.little(1))
        if head == 0xEB:
            return ("int", -1 - 256 - self.little(4))
        if head == 0xEC:
            number = self.at_least(self.little(8), 256 + (1 << 32))
            if self.imported and number + 1 == 1 << 64:
                raise Refused("a number in another form")
            return ("int", -1 - number)
        if head in (0xEF, 0xF0) and self.imported:
            number = self.zigzag()
            if number % 10 == 0 or abs(number) > 1 << 40:
                raise Refused("a number in another form")
            return ("decimal", (number < 0, str(abs(number)), -1 if head == 0xEF else -2))
        self.native()
        return self.native_body(head)

    def native_body(self, head):
        if head in (0xE9, 0xED):
            number = self.at_least(int.from_bytes(self.fixed(16), "little"), 1 << 64)
            return ("int", number if head == 0xE9 else -1 - number)
        if head in (0xEE, 0xEF, 0xF0):
            number = self.zigzag()
            if abs(number) > 1 << 40:
                raise Refused("a double out of range")
            value = number / {0xEE: 1, 0xEF: 10, 0xF0: 100}[head]
            if short_double(value) != (head, number):
                raise Refused("a double in another form")
            return ("double", struct.unpack("<Q", struct.pack("<d", value))[0])
        if head == 0xF1:
            data = self.fixed(8)
            if short_double(struct.unpack("<d", data)[0]) is not None:
                raise Refused("a double that has a shorter form")
            return ("double", int.from_bytes(data, "little"))
        if head == 0xF2:
            return ("float", int.from_bytes(self.fixed(4), "little"))
        if head == 0xF3:
            return ("uuid", bytes(self.fixed(16)).hex())
        if head == 0xF4:
            value = self.little(5) / 1000
            return ("date", struct.unpack("<Q", struct.pack("<d", value))[0])
        data = self.fixed(8)
        if milliseconds(struct.unpack("<d", data)[0]) is not None:
            raise Refused("a date that has a shorter form")
        return ("date", int.from_bytes(data, "little"))

    @staticmethod
    def at_least(number, least):
        if number < least:
            raise Refused("an integer that has a shorter form")
        return number

    def rare(self, depth):
        code = self.byte()
        if code not in (3, 4, 6):
            self.native()
        if code == 0:
            return ("half", int.from_bytes(self.fixed(2), "little"))
        if code == 1:
            text = self.text(self.varint()).decode()
            if text.startswith("https://"):
                raise Refused("a URL that has a shorter form")
            return ("url", self.expand(text))
        if code == 2:
            return ("urlbase", (self.expand(self.text(self.varint()).decode()), self.expand(self.text(self.varint()).decode())))
        if code == 3:
            return self.decimal()
        if code == 4 and self.imported:
            return self.long_decimal()
        if code == 5:
            return ("decimal", None)
        if code == 6 and self.imported:
            return ("decimal", (True, "0", 0))
        if code == 7:
            nested = self.varint() + 1
            if nested > 255:
                raise Refused("a nil too deep")
            return ("nested", nested)
        if code == 8:
            return self.sorted("pairs", self.varint(), depth, 2)
        if code == 9:
            return self.sorted("set", self.varint(), depth, 1)
        raise Refused("no head")

    def exponent(self):
        packed = self.varint()
        value = packed >> 2 ^ -(packed >> 1 & 1)
        if abs(value) > (1000000 if self.imported else 165):
            raise Refused("an exponent out of range")
        return bool(packed & 1), value

    def decimal(self):
        negative, exponent = self.exponent()
        significand = self.varint(128)
        if significand == 0:
            if self.imported or exponent or negative:
                raise Refused("a zero in another form")
        elif significand % 10 == 0:
            raise Refused("a decimal in another form")
        if self.imported:
            if exponent in (-1, -2) and significand <= 1 << 40:
                raise Refused("a number that has a shorter form")
            if 0 <= exponent < 25 and significand * 10 ** exponent < 1 << 64:
                raise Refused("a number that has a shorter form")
        return ("decimal", (negative, str(significand), exponent))

    def long_decimal(self):
        negative, exponent = self.exponent()
        digits = self.take(self.varint())
        if not re.fullmatch(rb"[1-9][0-9]*[1-9]", digits) or len(digits) < 39 or int(digits) >> 128 == 0:
            raise Refused("a number in another form")
        return ("decimal", (negative, digits.decode(), exponent))


def read_payload(payload, limits=None):
    return Reader(payload, limits).read()
