# SPDX-License-Identifier: Apache-2.0
"""Trees as the JSON that Swift's JSONEncoder would write, and JSON as values that compare by meaning."""

import base64
import json
import re
import struct
from decimal import Context, Decimal
from urllib.parse import urljoin

EXACT = Context(prec=400)


def parse(text):
    """Numbers become exact decimals, objects dictionaries."""
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def meaning(value):
    """What compares equal exactly when two JSON values are one: true is not 1, and 1 is 1.0."""
    if isinstance(value, bool) or value is None:
        return ("word", value)
    if isinstance(value, Decimal):
        # The sign of a zero is part of it, its exponent is not.
        return ("number", value.is_signed(), EXACT.normalize(value.copy_abs()) if value else Decimal(0))
    if isinstance(value, str):
        return ("text", value)
    if isinstance(value, list):
        return ("list", [meaning(item) for item in value])
    return ("object", {key: meaning(item) for key, item in value.items()})


def shortest(bits, width):
    """The fewest digits that give a floating point number of that width back."""
    if width == 8:
        return Decimal(repr(struct.unpack("<d", struct.pack("<Q", bits))[0]))
    if width == 2:
        # Written as the Float of the same value.
        bits = struct.unpack("<I", struct.pack("<f", struct.unpack("<e", struct.pack("<H", bits))[0]))[0]
    value = struct.unpack("<f", struct.pack("<I", bits))[0]
    for digits in range(1, 10):
        text = "%.*e" % (digits - 1, value)
        try:
            if struct.pack("<f", float(text)) == struct.pack("<f", value):
                return Decimal(text)
        except OverflowError:
            continue  # Rounded up beyond the greatest float.
    raise ValueError("no number: %r" % value)


def scalar(kind, value):
    if kind in ("nil", "nested"):
        return None
    if kind == "int":
        return Decimal(value)
    if kind in ("half", "float", "double", "date"):
        return shortest(value, {"half": 2, "float": 4}.get(kind, 8))
    if kind == "decimal":
        negative, digits, exponent = value
        return Decimal((int(negative), tuple(map(int, digits)), exponent))
    if kind == "uuid":
        return re.sub(r"(.{8})(.{4})(.{4})(.{4})(.{12})", r"\1-\2-\3-\4-\5", value.upper())
    if kind == "data":
        return base64.b64encode(value).decode()
    if kind == "urlbase":
        return urljoin(value[1], value[0])
    return value


def json_of(node):
    """The JSON value of a tree as `read_payload` gives it."""
    kind, value = node
    if kind == "imported":
        return json_of(value)
    if kind in ("object", "map"):
        return {key: json_of(item) for key, item in value}
    if kind in ("array", "set", "pairs"):
        return [json_of(item) for item in value]
    return scalar(kind, value)


def path_meaning(elements):
    return [(tag, meaning(json_of(value))) for tag, value in elements]


def swiftui_meaning(text):
    """The elements of SwiftUI's form, root first, with their items parsed."""
    flat = json.loads(text)
    pairs = list(zip(flat[::2], flat[1::2]))
    return [(tag, meaning(parse(item))) for tag, item in reversed(pairs)]
