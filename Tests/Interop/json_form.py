# SPDX-License-Identifier: Apache-2.0
"""Trees as the JSON that Swift's JSONEncoder would write, and JSON as values that compare by meaning."""

import base64
import json
import re
import struct
import unicodedata
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

from item_form import is_imported, is_refused
from navwire_forms import Refused
from url_form import joined


def parse(text):
    """Numbers become exact decimals, objects dictionaries."""
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def meaning(value):
    """What compares equal exactly when two JSON values are one: true is not 1, and 1 is 1.0."""
    if isinstance(value, bool) or value is None:
        return ("word", value)
    if isinstance(value, Decimal):
        # The sign of a zero is part of it, its exponent is not.
        negative, digits, exponent = value.as_tuple()
        text = "".join(map(str, digits)).strip("0")
        zeros = len(digits) - len("".join(map(str, digits)).rstrip("0"))
        return ("number", negative, text, exponent + zeros if text else 0)
    if isinstance(value, str):
        return ("text", value)
    if isinstance(value, list):
        return ("list", [meaning(item) for item in value])
    return ("object", {key: meaning(item) for key, item in value.items()})


def finite(value):
    if value - value != 0:
        raise Refused("JSON has no form of %r" % value)
    return value


def shortest(bits, width):
    """The fewest digits that give a floating point number of that width back, of those the nearest, of two the even one."""
    if width == 8:
        return Decimal(repr(finite(struct.unpack("<d", struct.pack("<Q", bits))[0])))
    if width == 2:
        # Written as the Float of the same value.
        bits = struct.unpack("<I", struct.pack("<f", struct.unpack("<e", struct.pack("<H", bits))[0]))[0]
    value = struct.unpack("<f", struct.pack("<I", bits))[0]
    finite(value)
    exact = Decimal(value)
    for digits in range(1, 10):
        # At a power of two the nearest of so many digits may miss where the other neighbour does not.
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING):
            text = Context(digits, rounding).plus(exact)
            try:
                if struct.pack("<f", float(text)) == struct.pack("<f", value):
                    return text
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
        if value is None:
            raise Refused("JSON has no form of NaN")
        negative, digits, exponent = value
        return Decimal((int(negative), tuple(map(int, digits)), exponent))
    if kind == "uuid":
        return re.sub(r"(.{8})(.{4})(.{4})(.{4})(.{12})", r"\1-\2-\3-\4-\5", value.upper())
    if kind == "data":
        return base64.b64encode(value).decode()
    if kind == "urlbase":
        return joined(*value)
    return value


def members(value):
    """Native keys that differ in normalisation only are one: the first spelling, the last value."""
    found = {}
    for key, item in value:
        form = unicodedata.normalize("NFC", key)
        found[form] = (found[form][0] if form in found else key, item)
    return found.values()


def json_of(node, imported=False):
    """The JSON value of a tree as `read_payload` gives it."""
    kind, value = node
    if kind == "imported":
        return json_of(value, True)
    if kind in ("object", "map"):
        return {key: json_of(item, imported) for key, item in (value if imported else members(value))}
    if kind in ("array", "set", "pairs"):
        return [json_of(item, imported) for item in value]
    return scalar(kind, value)


def path_meaning(elements):
    if any(value[0] == "verbatim" and is_refused(value[1]) for _, value in elements):
        raise Refused("an item that an import refuses")
    return [(tag, ("verbatim", value[1]) if value[0] == "verbatim" else meaning(json_of(value))) for tag, value in elements]


def swiftui_meaning(text):
    """The elements of SwiftUI's form, root first, with their items parsed where they are JSON."""
    flat = json.loads(text)
    pairs = list(zip(flat[::2], flat[1::2]))
    return [(tag, meaning(parse(item)) if is_imported(item) else ("verbatim", item)) for tag, item in reversed(pairs)]
