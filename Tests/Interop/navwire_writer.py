# SPDX-License-Identifier: Apache-2.0
"""Writes payloads by docs/spec/wire-format.md, from the trees that navwire.py reads. Used to make vectors, random
documents and the corpus of the shipped dictionary."""

import struct

from navwire_forms import INTEGERS, STATIC, STATIC_NUMBERS, key_of, milliseconds, short_double, split_name, xxh64


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return value << 1 if value >= 0 else -2 * value - 1


class Writer:
    def __init__(self):
        self.text, self.fixed = bytearray(), b""
        self.shapes, self.seen, self.hot, self.prefixes = [], [], [], []

    def value_payload(self, node):
        return self.finish(b"\x00", b"", self.value(node))

    def path_payload(self, elements):
        out = bytearray()
        for tag, value in elements:
            out += self.string(tag.encode())
            if value[0] == "imported":
                out += b"\xff" + self.value(value[1], imported=True)
            elif value[0] == "verbatim":
                self.text += value[1].encode()
                out += b"\xfe\x0a" + varint(len(value[1].encode()))
            else:
                out += self.value(value)
        return self.finish(b"\x01", varint(len(elements)), bytes(out))

    def finish(self, form, count, structure):
        keys, shapes = [], bytearray(varint(len(self.shapes)))
        for shape in self.shapes:
            shapes += varint(len(shape))
            for key in shape:
                if key in STATIC_NUMBERS:
                    shapes += varint(2 * STATIC_NUMBERS[key])
                elif key in keys:
                    shapes += varint(2 * keys.index(key) + 1)
                else:
                    shapes += varint(2 * len(keys) + 1) + varint(len(key)) + key
                    keys.append(key)
        head = form + varint(len(self.text)) + bytes(self.text) + bytes(shapes) + count + structure
        self.compressible = len(head)
        return head + self.fixed

    def take(self, data):
        self.fixed = data + self.fixed

    def string(self, text):
        if not 2 <= len(text) <= 64:
            return self.literal(text)
        if text in self.hot:
            number = self.hot.index(text)
            return bytes([0xA0 + number]) if number < 48 else b"\xf9" + varint(number - 48)
        if text in self.seen:
            self.hot.append(text)
            return b"\xfa" + varint(self.seen.index(text))
        self.seen.append(text)
        if text in STATIC_NUMBERS:
            return b"\xfb" + varint(STATIC_NUMBERS[text])
        dot = split_name(text)
        return self.literal(text) if dot is None else self.dotted(text[:dot], text[dot + 1:])

    def literal(self, text):
        self.text += text
        return bytes([0x40 + len(text)]) if len(text) < 32 else b"\xf8" + varint(len(text) - 32)

    def dotted(self, prefix, rest):
        if prefix in self.prefixes:
            out = b"\xfc" + varint(self.prefixes.index(prefix) + 1)
        else:
            self.prefixes.append(prefix)
            self.text += prefix
            out = b"\xfc\x00" + varint(len(prefix))
        if rest in STATIC_NUMBERS:
            return out + varint(2 * STATIC_NUMBERS[rest])
        self.text += rest
        return out + varint(2 * len(rest) + 1)

    def integer(self, value):
        if 0 <= value < 64:
            return bytes([value])
        if value >= 0:
            for head, (first, size) in INTEGERS.items():
                if value < first + (1 << 8 * size):
                    return bytes([head]) + (value - first).to_bytes(size, "little")
            if value < 1 << 64:
                return b"\xe8" + value.to_bytes(8, "little")
            self.take(value.to_bytes(16, "little"))
            return b"\xe9"
        value = -1 - value
        if value < 256:
            return bytes([0xEA, value])
        if value < 256 + (1 << 32):
            return b"\xeb" + (value - 256).to_bytes(4, "little")
        if value < 1 << 64:
            return b"\xec" + value.to_bytes(8, "little")
        self.take(value.to_bytes(16, "little"))
        return b"\xed"

    def double(self, bits):
        short = short_double(struct.unpack("<d", struct.pack("<Q", bits))[0])
        if short:
            return bytes([short[0]]) + varint(zigzag(short[1]))
        self.take(struct.pack("<Q", bits))
        return b"\xf1"

    def date(self, bits):
        whole = milliseconds(struct.unpack("<d", struct.pack("<Q", bits))[0])
        if whole is not None:
            return b"\xf4" + whole.to_bytes(5, "little")
        self.take(struct.pack("<Q", bits))
        return b"\xf5"

    def decimal(self, value, imported):
        if value is None:
            return b"\xfe\x05"
        negative, digits, exponent = value
        number = int(digits)
        if imported:
            if number == 0:
                return b"\xfe\x06" if negative else b"\x00"
            if exponent >= 0 and number * 10 ** exponent < 1 << 64:
                return self.integer((-1 if negative else 1) * number * 10 ** exponent)
            if exponent in (-1, -2) and number <= 1 << 40:
                return bytes([0xEF if exponent == -1 else 0xF0]) + varint(zigzag(-number if negative else number))
        head = varint(zigzag(exponent) << 1 | negative)
        if number >> 128:
            return b"\xfe\x04" + head + varint(len(digits)) + digits.encode()
        return b"\xfe\x03" + head + varint(number)

    def url(self, text):
        if text.startswith("https://"):
            return b"\xf7" + self.counted(text[8:])
        return b"\xfe\x01" + self.counted(text)

    def counted(self, text):
        self.text += text.encode()
        return varint(len(text.encode()))

    def value(self, node, imported=False):
        kind, value = node
        if kind == "int" and imported and not 0 <= abs(value) < 1 << 64:
            return self.decimal((value < 0, str(abs(value)).rstrip("0"), len(str(abs(value))) - len(str(abs(value)).rstrip("0"))), True)
        if kind in ("array", "object", "map", "pairs", "set"):
            return self.container(kind, value, imported)
        if kind in ("half", "float"):
            self.take(value.to_bytes(2 if kind == "half" else 4, "little"))
            return b"\xfe\x00" if kind == "half" else b"\xf2"
        if kind == "uuid":
            self.take(bytes.fromhex(value))
            return b"\xf3"
        if kind == "data":
            self.take(value)
            return b"\xf6" + varint(len(value))
        if kind == "urlbase":
            return b"\xfe\x02" + self.counted(value[0]) + self.counted(value[1])
        return {"nil": lambda: b"\xe0", "nested": lambda: b"\xfe\x07" + varint(value - 1),
                "bool": lambda: b"\xe2" if value else b"\xe1", "int": lambda: self.integer(value),
                "double": lambda: self.double(value), "date": lambda: self.date(value),
                "decimal": lambda: self.decimal(value, imported), "str": lambda: self.string(value.encode()),
                "url": lambda: self.url(value)}[kind]()

    def container(self, kind, value, imported):
        if kind == "object":
            members = sorted(value, key=lambda m: m[0].encode()) if imported else value
            body = b"".join(self.value(item, imported) for _, item in members)
            shape = tuple(key.encode() for key, _ in members)
            if shape not in self.shapes:
                self.shapes.append(shape)
            number = self.shapes.index(shape)
            return (bytes([0x60 + number]) if number < 64 else b"\xdf" + varint(number - 64)) + body
        if kind == "map":
            members = sorted(value, key=lambda m: m[0].encode())
            return b"\xfd" + varint(len(members)) + b"".join(
                self.string(key.encode()) + self.value(item) for key, item in members)
        if kind == "pairs":
            pairs = sorted(zip(value[::2], value[1::2]), key=lambda pair: list(map(key_of, pair)))
            return b"\xfe\x08" + varint(len(pairs)) + b"".join(self.value(k) + self.value(v) for k, v in pairs)
        if kind == "set":
            return b"\xfe\x09" + varint(len(value)) + b"".join(self.value(v) for v in sorted(value, key=key_of))
        return self.array([self.value(item, imported) for item in value])

    @staticmethod
    def array(items):
        count, heads = len(items), {0xE1 if item[0] == 0xE2 else item[0] for item in items}
        if len(heads) == 1:
            head = heads.pop()
            if count >= 8 and head == 0xE1:
                bits = sum((item[0] == 0xE2) << index for index, item in enumerate(items))
                return b"\xde" + varint(count - 8) + bits.to_bytes((count + 7) // 8, "little")
            if count >= 4 and 0xE3 <= head <= 0xF5:
                return b"\xdd" + varint(count - 4) + bytes([head]) + b"".join(item[1:] for item in items)
        head = bytes([0xD0 + count]) if count < 12 else b"\xdc" + varint(count - 12)
        return head + b"".join(items)


def envelope(payload, flags=0, middle=b""):
    data = b"\x9e\x4e" + bytes([0x10 | flags]) + varint(len(payload)) + middle + payload
    return data + struct.pack("<I", xxh64(data) & 0xFFFFFFFF)
