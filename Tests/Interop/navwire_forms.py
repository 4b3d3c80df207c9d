# SPDX-License-Identifier: Apache-2.0
"""What the forms of values are: docs/spec/wire-format.md."""

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
