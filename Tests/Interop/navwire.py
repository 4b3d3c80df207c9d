# SPDX-License-Identifier: Apache-2.0
"""A second reader of the wire format, written from docs/spec/wire-format.md alone.

`read_envelope` gives the form and a tree; it raises Refused for whatever the specification does not allow. Trees are
tuples: ("int", 7), ("str", "a"), ("array", [...]), ("object", [(key, value)]) and so on.
"""

import base64
import os
import re
import struct

MASK = (1 << 64) - 1
HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = os.path.join(HERE, "..", "..", "docs", "spec", "wire-format.md")
INTEGERS = {0xE3: (64, 1), 0xE4: (320, 2), 0xE5: (65856, 3), 0xE6: (16843072, 4), 0xE7: (4311810368, 6)}
LEAST_8 = 281479288521024
RANKS = ["nil", "nested", "bool", "int", "half", "float", "double", "decimal", "str", "uuid", "date", "data", "url",
         "urlbase", "array", "object", "map", "pairs", "set"]


class Refused(Exception):
    pass


def symbols():
    text = open(SPEC, encoding="utf-8").read().split("## Static symbols")[1]
    found = re.findall(r"^(\d+) (.+)$", text, re.MULTILINE)
    if [int(number) for number, _ in found] != list(range(len(found))) or not found:
        raise SystemExit("the table of static symbols in the specification is not whole")
    return [symbol.encode() for _, symbol in found]


STATIC = symbols()
STATIC_NUMBERS = {symbol: number for number, symbol in enumerate(STATIC)}


def xxh64(data):
    p1, p2, p3, p4, p5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
                          0x27D4EB2F165667C5)

    def rotate(value, count):
        return (value << count | value >> (64 - count)) & MASK

    def step(lane, value):
        return rotate((lane + value * p2) & MASK, 31) * p1 & MASK

    at = 0
    if len(data) >= 32:
        lanes = [(p1 + p2) & MASK, p2, 0, -p1 & MASK]
        while len(data) - at >= 32:
            lanes = [step(lane, value) for lane, value in zip(lanes, struct.unpack_from("<4Q", data, at))]
            at += 32
        value = sum(rotate(lane, count) for lane, count in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            value = ((value ^ step(0, lane)) * p1 + p4) & MASK
    else:
        value = p5
    value = (value + len(data)) & MASK
    while len(data) - at >= 8:
        value = (rotate(value ^ step(0, struct.unpack_from("<Q", data, at)[0]), 27) * p1 + p4) & MASK
        at += 8
    if len(data) - at >= 4:
        value = (rotate(value ^ struct.unpack_from("<I", data, at)[0] * p1 & MASK, 23) * p2 + p3) & MASK
        at += 4
    for byte in data[at:]:
        value = rotate(value ^ byte * p5 & MASK, 11) * p1 & MASK
    value = (value ^ value >> 33) * p2 & MASK
    value = (value ^ value >> 29) * p3 & MASK
    return value ^ value >> 32


def short_double(value):
    """The head and the number of a double's short form."""
    if value != value or abs(value) > 1 << 40:
        return None
    for head, scale in ((0xEE, 1), (0xEF, 10), (0xF0, 100)):
        number = int(value) if scale == 1 else int(round_half_away(value * scale))
        if number / scale == value:
            if scale == 1 and number == 0 and struct.pack("<d", value)[7] & 0x80:
                return None
            return (head, number) if abs(number) <= 1 << 40 else None
    return None


def round_half_away(value):
    floor = int(abs(value))
    rounded = floor + (1 if abs(value) - floor >= 0.5 else 0)
    return rounded if value >= 0 else -rounded


def milliseconds(value):
    if not (0 <= value < (1 << 40) / 1000) or struct.pack("<d", value)[7] & 0x80:
        return None
    number = int(round_half_away(value * 1000))
    return number if number < 1 << 40 and number / 1000 == value else None


def split_name(text):
    dot = text.rfind(b".")
    if not re.fullmatch(rb"[A-Z][A-Za-z0-9_.]*", text) or dot < 2 or len(text) - dot - 1 < 2:
        return None
    return dot if 65 <= text[dot + 1] <= 90 else None


def key_of(node):
    """What sets and dictionaries in pairs are ordered by."""
    kind, value = node
    rank = RANKS.index(kind)
    if kind in ("array", "pairs", "set"):
        return (rank, [key_of(item) for item in value])
    if kind in ("object", "map"):
        return (rank, [(key.encode(), key_of(item)) for key, item in value])
    if kind == "str":
        return (rank, value.encode())
    if kind == "url":
        return (rank, value.encode())
    if kind == "urlbase":
        return (rank, value[0].encode(), value[1].encode())
    if kind == "decimal":
        if value is None:
            return (rank, 0)
        negative, digits, exponent = value
        return (rank, 1, 0 if negative else 1, exponent, len(digits), digits.encode())
    return (rank, value)


class Reader:
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

    def elements(self):
        count = self.varint()
        if count > self.limits["elements"]:
            raise Refused("too large")
        self.count_values(2 * count)
        elements = []
        for _ in range(count):
            tag = self.string(self.byte())
            if tag is None or len(tag) > self.limits["tag"]:
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
            return ("verbatim", self.text(self.varint()).decode())
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
        keys = [key_of(item) for item in items[::step]]
        if any(a > b for a, b in zip(keys, keys[1:])):
            raise Refused("out of order")
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
            return ("int", -1 - self.at_least(self.little(8), 256 + (1 << 32)))
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

    # Strings

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


def read_payload(payload, limits=None):
    return Reader(payload, limits).read()


def shipped_dictionary():
    """The dictionary with id 1, from the source that ships it."""
    path = os.path.join(HERE, "..", "..", "Sources", "NavWire", "Compression", "ShippedDictionaryBytes.swift")
    text = open(path, encoding="utf-8").read().split('"""')[1]
    return base64.b64decode(re.sub(r"[^A-Za-z0-9+/=]", "", text))


def payload_of(envelope):
    if len(envelope) < 2 or envelope[:2] != b"\x9e\x4e":
        raise Refused("bad magic")
    if len(envelope) < 8:
        raise Refused("truncated")
    if envelope[2] >> 4 != 1:
        raise Refused("unsupported version")
    flags = envelope[2] & 15
    if flags & 8:
        raise Refused("unknown extension")
    reader = Reader.__new__(Reader)
    reader.data, reader.at, reader.end = envelope, 3, len(envelope) - 4
    size = reader.varint()
    dictionary = reader.varint() if flags & 2 else None
    tail = reader.varint() if flags & 4 else 0
    stored = envelope[reader.at:-4]
    if size > 1 << 20:
        raise Refused("too large")
    if flags & 1 == 0 and (flags or len(stored) != size):
        raise Refused("length")
    if flags & 4 and (tail == 0 or tail > len(stored) or tail > size):
        raise Refused("tail")
    if struct.unpack("<I", envelope[-4:])[0] != xxh64(envelope[:-4]) & 0xFFFFFFFF:
        raise Refused("bad checksum")
    if flags & 1 == 0:
        return stored
    return decompress(stored[:len(stored) - tail], size - tail, dictionary) + stored[len(stored) - tail:]


def decompress(frame, size, dictionary):
    import zstandard
    known = None
    if dictionary is not None:
        if dictionary != 1:
            raise Refused("unknown dictionary")
        known = zstandard.ZstdCompressionDict(shipped_dictionary())
    try:
        reader = zstandard.ZstdDecompressor(dict_data=known, format=zstandard.FORMAT_ZSTD1_MAGICLESS)
        data = reader.stream_reader(frame).read(size + 1)
    except zstandard.ZstdError as error:
        raise Refused(str(error)) from error
    if len(data) != size:
        raise Refused("length")
    return data


def read_envelope(envelope):
    return read_payload(payload_of(envelope))
