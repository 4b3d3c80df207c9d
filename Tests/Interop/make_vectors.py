#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the golden vectors of the wire format. Files that exist are never changed: only missing ones are added.

A vector is a header of `key: value` lines, a blank line, and an envelope. `expect` is `accepted` or `refused`; refused
ones name the code of the error, and `json` is what the value of an accepted one is exported as.
"""

import math
import os
import random
import struct
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from navwire_forms import STATIC, xxh64  # noqa: E402
from navwire_envelope import compressed, frame_of, framed, shipped_dictionary  # noqa: E402
from navwire_writer import Writer, envelope, varint, zigzag  # noqa: E402

FOLDER = os.path.join(HERE, "..", "Vectors", "wire")
NAN = struct.pack("<d", math.nan)
written = 0


def put(name, comment, data, code=None, json=None):
    global written
    path = os.path.join(FOLDER, name + ".txt")
    header = "expect: %s\ncomment: %s\n" % ("refused" if code else "accepted", comment)
    if code:
        header += "error: %s\n" % code
    if json:
        header += "json: %s\n" % json
    written += 1
    if not os.path.exists(path):
        with open(path, "wb") as file:
            file.write(header.encode() + b"\n" + data)


def good(name, comment, node, json=None):
    put("good-" + name, comment, envelope(Writer().value_payload(node)), json=json)


def path(name, comment, elements):
    put("good-path-" + name, comment, envelope(Writer().path_payload(elements)))


def raw(form, text, shapes, structure, fixed=b""):
    return bytes([form]) + varint(len(text)) + text + shapes + structure + fixed


def bad(name, comment, structure, code="malformed", text=b"", shapes=b"\x00", fixed=b"", form=0):
    put("bad-" + name, comment, envelope(raw(form, text, shapes, structure, fixed)), code)


def double(value):
    return ("double", struct.unpack("<Q", struct.pack("<d", value))[0])


def date(value):
    return ("date", struct.unpack("<Q", struct.pack("<d", value))[0])


def ints(*values):
    return ("array", [("int", value) for value in values])


def strings(*values):
    return ("array", [("str", value) for value in values])


def scalars():
    for value in (0, 1, 63, 64, 319, 320, 65855, 65856, 16843071, 16843072, 4311810367, 4311810368, 281479288521023,
                  281479288521024, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**127 - 1, 2**128 - 1):
        good("integer-%d" % value, "an integer at the border of its form", ("int", value))
    for value in (-1, -256, -257, -4294967552, -4294967553, -2**63, -2**63 - 1, -2**64, -2**64 - 1, -2**127):
        good("integer-minus-%d" % -value, "a negative integer at the border of its form", ("int", value))
    for name, value in (("zero", 0.0), ("minus-zero", -0.0), ("one", 1.0), ("minus-one", -1.0), ("tenth", 0.1), ("price", 129.9),
                        ("hundredths", 99.99), ("pi", 3.141592653589793), ("infinity", float("inf")), ("huge", 1e300),
                        ("subnormal", 5e-324), ("largest-whole", float(1 << 40)), ("beyond-whole", float((1 << 40) + 1)),
                        ("thousandth", 0.001)):
        good("double-" + name, "a double, every bit of it", double(value))
    good("double-nan-payload", "the payload of a NaN is kept", ("double", 0x7FF0000000000001))
    good("half", "a half float", ("half", 0x3C01))
    good("float", "a float keeps its width", ("float", 0x4048F5C3))
    good("float-nan", "a signalling NaN", ("float", 0x7F800001))
    for name, value in (("zero", 0.0), ("milliseconds", 790018388.5), ("latest-milliseconds", 1099511627.775),
                        ("beyond-milliseconds", 1099511627.776), ("before", -978307200.0), ("odd", 0.1234567)):
        good("date-" + name, "seconds since 2001", date(value))
    for name, value in (("zero", (False, "0", 0)), ("price", (False, "1299", -1)), ("negative", (True, "1", -100)),
                        ("long", (False, "9" * 38, 0)), ("nan", None)):
        good("decimal-" + name, "an exact decimal", ("decimal", value))
    good("nil", "nil", ("nil", None))
    good("nested-nil", ".some(nil)", ("nested", 1))
    good("nested-nil-3", ".some(.some(.some(nil)))", ("nested", 3))
    good("true", "true", ("bool", True))
    good("false", "false", ("bool", False))
    good("uuid", "a UUID", ("uuid", "e621e1f8c36c495a93fc0c247a3e6e5f"))
    good("data", "data", ("data", b"\x00\xff\x10"))
    good("data-empty", "no data", ("data", b""))
    good("url-web", "a URL without its scheme", ("url", "https://example.com/a?b=c"))
    good("url-mail", "another scheme", ("url", "mailto:a@b.c"))
    good("url-relative", "a relative URL and its base", ("urlbase", ("page?x=1", "https://example.com/dir/")))


def texts():
    for count in (0, 1, 2, 31, 32, 64, 65, 200):
        good("string-%d" % count, "a string of %d bytes" % count, ("str", "x" * count))
    good("string-unicode", "any text", ("str", "日本 café 📎"))
    good("string-static", "a static symbol", ("str", "Foundation.UUID"))
    good("string-static-short", "symbols of one byte are written out", ("str", "x"))
    good("string-dotted", "a name in two parts", ("str", "ShopApp.Route"))
    good("string-dotted-own", "a name whose end is no symbol", ("str", "Shop.Extra.Odd1"))
    good("string-not-dotted", "a small letter after the dot", ("str", "Readme.text"))
    good("strings-seen", "the second use names a string seen, later ones a hot one", strings("abc", "abc", "abc", "abc"))
    good("strings-long-seen", "long strings are written out each time", strings("y" * 65, "y" * 65))
    good("strings-prefix", "names share their first part", strings("Shop.Item", "Shop.Page", "Shop.Odd", "Shop.Item"))
    good("strings-many-hot", "more hot strings than fit a head",
         strings(*["word%d" % index for index in range(60) for _ in range(3)]))


def containers():
    for count in (0, 1, 11, 12, 15, 16, 127, 128, 255, 256, 1000):
        good("array-%d" % count, "an array of %d items" % count, ints(*[index % 64 for index in range(count)]))
    good("run-integers", "four values of one head are a run", ints(100, 101, 102, 103))
    good("run-too-short", "three are none", ints(100, 101, 102))
    good("run-doubles", "prices in a run", ("array", [double(value / 100) for value in (1299, 4999, 129, 77)]))
    good("run-uuids", "UUIDs in a run", ("array", [("uuid", "%032x" % index) for index in range(5)]))
    good("run-dates", "dates in a run", ("array", [date(1e8 + index) for index in range(4)]))
    good("run-negative", "negative integers in a run", ints(-1, -2, -3, -4))
    good("mixed", "heads that differ are no run", ints(100, 101, 1000, 102))
    good("bits", "eight Booleans are bits", ("array", [("bool", index % 3 == 0) for index in range(8)]))
    good("bits-13", "thirteen", ("array", [("bool", index % 2 == 0) for index in range(13)]))
    good("bits-too-short", "seven are none", ("array", [("bool", True)] * 7))
    good("object", "an object", ("object", [("id", ("int", 1)), ("other", ("nil", None))]))
    good("object-empty", "an object without keys", ("object", []))
    good("object-empty-key", "a key without bytes", ("object", [("", ("int", 1))]))
    good("objects-alike", "one shape for two objects", ("array", [("object", [("a1", ("int", n)), ("b1", ("int", n))]) for n in range(2)]))
    good("objects-nested", "inner shapes end first", ("object", [("in", ("object", [("deep", ("int", 1))]))]))
    good("objects-65-shapes", "more shapes than fit a head", ("array", [("object", [("k%d" % n, ("int", 1))]) for n in range(70)]))
    good("map", "a dictionary", ("map", [("a", ("int", 1)), ("b", ("int", 2))]))
    good("map-empty", "an empty dictionary", ("map", []))
    good("pairs-equal-keys", "two members that have equal keys", ("pairs", [("int", 1), ("int", 5), ("int", 1), ("int", 6)]))
    good("pairs", "a dictionary with other keys", ("pairs", [("int", 1), ("str", "one"), ("int", 2), ("str", "two")]))
    good("set", "a set", ("set", [("int", 1), ("int", 2), ("str", "a")]))
    good("set-64-nan", "as many equal members as there may be", ("set", [double(math.nan)] * 64))
    good("set-64-nan-twice", "others after them", ("set", [("float", 0x7FC00000)] * 64 + [("double", 1)] + [double(math.nan)] * 64))
    good("pairs-64-nan", "as many equal keys", ("pairs", [node for index in range(64) for node in (double(math.nan), ("int", index))]))
    good("set-of-sets", "a set of sets", ("set", [("set", []), ("set", [("int", 1)])]))
    node = ("int", 1)
    for _ in range(64):
        node = ("array", [node])
    good("depth-64", "as deep as the limit", node)


def exports():
    """Values that are not written as JSON in the way that comes to mind first."""
    for name, comment, relative, base, joined in (
            ("segments", "dots in the path", "../x/./y/../z", "https://example.com/a/b/c", "https://example.com/a/x/z"),
            ("above", "more dots than there are segments", "../../../g", "https://example.com/a/b", "https://example.com/g"),
            ("empty", "an empty relative part", "", "https://example.com/a?q#f", "https://example.com/a?q"),
            ("query", "a query only", "?s=1", "https://example.com/a?q#f", "https://example.com/a?s=1"),
            ("fragment", "a fragment only", "#s", "https://example.com/a?q#f", "https://example.com/a?q#s"),
            ("no-slash", "a base that ends with its host", "g", "https://example.com", "https://example.com/g"),
            ("root", "a path from the root", "/g/..", "https://example.com/a/b", "https://example.com/"),
            ("host", "a host of its own: its path stays", "//other.org/a/../b", "https://example.com/a", "https://other.org/a/../b"),
            ("opaque", "a base without slashes", "x@y.z", "mailto:a@b.c?d", "mailto:x@y.z"),
            ("urn", "a query for a base without slashes", "?x", "urn:isbn:1", "urn:isbn:1?x"),
            ("no-scheme", "a base that is relative itself", "../g", "a/b", "/g"),
            ("nothing", "a base without anything", "a/../../b", "", "/b"),
            ("empty-scheme", "a scheme of no bytes", "g", ":/a/b", ":/a/g"),
            ("no-such-scheme", "a colon that ends no scheme", "@a:b", "https://example.com/c/d", "https://example.com/c/@a:b"),
            ("scheme", "a scheme of its own", "mailto:a/../b", "https://example.com", "mailto:/b"),
            ("user", "user, password and port", "g", "ftp://u:p@example.com:80", "ftp://u:p@example.com:80/g"),
            ("escapes", "escapes are no dots and no slashes", "%2e%2E/%2Fx", "https://example.com/a/b", "https://example.com/a/%2e%2E/%2Fx"),
            ("unicode", "texts that are no URLs stay as they are", "b\u00fccher \u65e5", "https://b\u00fccher.example/a", "https://b\u00fccher.example/b\u00fccher \u65e5")):
        good("url-base-" + name, comment, ("urlbase", (relative, base)), '"%s"' % joined)
    good("json-half", "a half float has the digits of its float", ("half", 0x2E66), "0.099975586")
    good("json-float", "a float has the fewest digits at its width", ("float", 0x3DCCCCCD), "0.1")
    good("json-float-power", "the fewest digits at a power of two are not its nearest ones", ("float", 0x6B000000), "1.5474251e26")
    good("json-minus-zero", "the sign of a zero", double(-0.0), "-0")
    good("json-date", "seconds since 2001", date(-978307200.5), "-978307200.5")
    good("json-uuid", "a UUID has capital letters", ("uuid", "e621e1f8c36c495a93fc0c247a3e6e5f"), '"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"')
    good("json-data", "data in Base64", ("data", b"\xfb\xff\x00\x01"), '"+/8AAQ=="')
    good("json-decimal", "every digit of a decimal", ("decimal", (True, "9" * 38, -165)), "-" + "9" * 38 + "e-165")
    good("json-nil", "nil inside optionals", ("array", [("nested", 2), ("nil", None)]), "[null,null]")
    good("json-pairs", "a dictionary in pairs is one array", ("pairs", [("int", 1), ("str", "a")]), '[1,"a"]')
    good("json-set", "a set is an array", ("set", [("int", 1), ("int", 2)]), "[1,2]")
    accents = [("e\u0301", ("int", 1)), ("\u00e9", ("int", 2))]
    good("json-accents", "keys that differ in normalisation are one: the first spelling, the last value", ("object", accents), '{"e\u0301":2}')


def paths():
    path("empty", "a path without elements", [])
    path("native", "elements of Swift values", [("Swift.Int", ("int", 7)), ("ShopApp.Route", ("object", [("home", ("object", []))]))])
    path("imported", "elements from JSON", [("Shop.Item", ("imported", ("object", [("b", ("int", 1)), ("a", ("nil", None))])))])
    path("verbatim", "an item that is not JSON", [("App.Gone", ("verbatim", "{\"id\":"))])
    accents = [("e\u0301", ("int", 1)), ("\u00e9", ("int", 2))]
    path("imported-accents", "keys that differ in normalisation", [("N", ("imported", ("object", accents)))])
    path("imported-least", "-2^64", [("N", ("imported", ("decimal", (True, str(1 << 64), 0))))])
    path("verbatim-deep", "JSON that is nested too deeply to be imported", [("N", ("verbatim", "[" * 65 + "]" * 65))])
    path("verbatim-exponent", "a number that is too large to be imported", [("N", ("verbatim", "1e1000001"))])
    path("verbatim-values", "a comma too many", [("N", ("verbatim", "[1,]"))])
    path("tag-odd", "tags that are no names of types", [("", ("int", 1)), ("SiSg", ("int", 2)), ("\u0080 \u202e", ("int", 3))])
    path("mixed", "all three", [("Swift.Int", ("int", 1)), ("Swift.Int", ("imported", ("int", 1))), ("X", ("verbatim", ""))])
    for name, number in (("minus-zero", (True, "0", 0)), ("tenths", (False, "1299", -1)), ("hundredths", (True, "9999", -2)),
                         ("exponent", (False, "1", 400)), ("long", (False, "123456789" * 5, -7)), ("whole", (False, "1", 2)),
                         ("thousandths", (False, "1", -3)), ("beyond-64-bits", (False, "18446744073709551616", 0))):
        path("number-" + name, "an exact number", [("N", ("imported", ("decimal", number)))])
    path("imported-run", "a run of imported numbers", [("N", ("imported", ints(500, 501, 502, 503)))])


def refused():
    bad("truncated-value", "no value", b"", "truncated")
    bad("unknown-form", "a form that does not exist", b"\x00", form=2)
    bad("trailing", "a byte too many", b"\x01\x02", "trailingBytes")
    bad("unused-text", "text that no string takes", b"\x01", text=b"abc")
    bad("unused-shape", "a shape that no object has", b"\x01", shapes=b"\x01\x00")
    bad("no-such-shape", "a shape that is not there", b"\x60")
    bad("shapes-out-of-order", "the shape that is used first must be the first", b"\xd2\x61\x60\x01", shapes=b"\x02\x01\x00\x00")
    bad("shape-twice", "two equal shapes", b"\xd2\x60\x01\x61\x01", shapes=b"\x02\x01\x00\x01\x00")
    bad("key-twice", "one key twice in a shape", b"\x60\x01\x02", shapes=b"\x01\x02\x00\x00")
    bad("key-static-written-out", "a static symbol written out", b"\x60\x01", shapes=b"\x01\x01\x01\x02id")
    bad("key-out-of-order", "a key number that is not the next", b"\x60\x01", shapes=b"\x01\x01\x03\x02zz")
    bad("key-not-utf8", "a key that is no text", b"\x60\x01", shapes=b"\x01\x01\x01\x01\xff")
    bad("key-no-symbol", "a static symbol that does not exist", b"\x60\x01", shapes=b"\x01\x01" + varint(2 * len(STATIC)))
    bad("varint-not-minimal", "80 00", b"\xd1\xf8\x80\x00")
    bad("varint-too-long", "eleven bytes", b"\xf8" + b"\x80" * 10 + b"\x01")
    bad("varint-overflow", "the tenth byte is 2", b"\xf8" + b"\xff" * 9 + b"\x02")
    for name, data in (("ff", b"\xff"), ("c0-80", b"\xc0\x80"), ("surrogate", b"\xed\xa0\x80"), ("cut", b"\xe2\x82"),
                       ("beyond", b"\xf4\x90\x80\x80"), ("alone", b"\x80")):
        bad("utf8-" + name, "text that is not UTF-8", bytes([0x40 + len(data)]), text=data)
    bad("integer-too-long", "a small integer in eight bytes", b"\xe8" + (5).to_bytes(8, "little"))
    bad("integer16-too-long", "a small integer in sixteen bytes", b"\xe9", fixed=(5).to_bytes(16, "little"))
    bad("negative-too-long", "a small negative integer in eight bytes", b"\xec" + (5).to_bytes(8, "little"))
    bad("double-long", "1.0 as eight bytes", b"\xf1", fixed=struct.pack("<d", 1.0))
    bad("double-tenths", "1.0 as ten tenths", b"\xef" + varint(zigzag(10)))
    bad("double-hundredths", "0.1 as ten hundredths", b"\xf0" + varint(zigzag(10)))
    bad("double-range", "a whole number beyond 2^40", b"\xee" + varint(zigzag((1 << 40) + 1)))
    bad("date-long", "whole milliseconds as eight bytes", b"\xf5", fixed=struct.pack("<d", 12.5))
    bad("decimal-zero", "a zero at the end", b"\xfe\x03\x00\x0a")
    bad("decimal-signed-zero", "a signed zero", b"\xfe\x03\x01\x00")
    bad("decimal-exponent", "an exponent out of range", b"\xfe\x03" + varint(zigzag(166) << 1) + b"\x01")
    bad("decimal-bits", "more than 128 bits", b"\xfe\x03\x00" + b"\xff" * 18 + b"\x04")
    bad("url-long", "https:// written out", b"\xfe\x01\x0b", text=b"https://a.b")
    bad("string-again", "a string written out twice", b"\xd2\x43\x43", text=b"abcabc")
    bad("string-static-written-out", "a static symbol written out", b"\x44", text=b"name")
    bad("string-dotted-written-out", "a dotted name in one piece", b"\x49", text=b"Shop.Item")
    bad("string-hot-unknown", "no string is hot", b"\xa0")
    bad("string-again-unknown", "no string was seen", b"\xfa\x00")
    bad("string-again-hot", "a hot string by its long number", b"\xd3\x43\xfa\x00\xfa\x00", text=b"abc")
    bad("string-static-one-byte", "a symbol of one byte as a string", b"\xfb" + varint(STATIC.index(b"x")))
    bad("string-static-unknown", "no such symbol", b"\xfb" + varint(len(STATIC)))
    bad("dotted-lower", "a name in parts that is none", b"\xfc\x00\x04\x09", text=b"shopitem")
    bad("dotted-static", "a static symbol in parts", b"\xfc\x00\x05" + varint(2 * len("Int") + 1), text=b"SwiftInt")
    bad("dotted-prefix-again", "a first part written out twice", b"\xd2\xfc\x00\x04\x07\xfc\x00\x04\x07", text=b"ShopAbcShopXyz")
    bad("dotted-rest-static", "a rest that is a symbol, written out", b"\xfc\x00\x04\x09", text=b"ShopItem")
    bad("array-not-packed", "four values of one head that are no run", b"\xd4" + b"\xe3\x01" * 4)
    bad("bits-not-packed", "eight Booleans that are no bits", b"\xd8" + b"\xe2" * 8)
    bad("bits-behind", "bits behind the last", b"\xde\x01\x00\xff")
    bad("run-no-head", "a run of strings", b"\xdd\x00\x41", text=b"abcd")
    bad("run-cut", "a run that ends early", b"\xdd\x00\xe3\x01\x02\x03", "truncated")
    bad("run-into-next", "a run whose last body ends in the next value", b"\xd2\xdd\x00\xee\x02\x04\x06\x80\x01", "truncated")
    bad("run-into-fixed", "a run whose last body ends in the fixed section", b"\xd2\xf3\xdd\x00\xee\x02\x04\x06\x80",
        "truncated", fixed=b"\x01" * 16)
    bad("text-into-next", "two texts that are text only together", b"\xd2\x41\x42", text=b"\xe2\x82\xac")
    bad("fixed-shared", "data and a UUID that share bytes", b"\xd2\xf3\xf6\x01", "truncated", fixed=b"\x01" * 16)
    bad("map-unordered", "keys out of order", b"\xfd\x02\x41\x01\x41\x02", text=b"ba")
    bad("map-key-twice", "one key twice", b"\xfd\x02\x41\x01\x41\x02", text=b"aa")
    bad("map-key-integer", "a key that is no string", b"\xfd\x01\x05\x01")
    bad("pairs-equal-keys", "values of equal keys out of order", b"\xfe\x08\x02\x01\x06\x01\x05")
    bad("pairs-unordered", "keys out of order", b"\xfe\x08\x02\x02\x00\x01\x00")
    bad("set-unordered", "members out of order", b"\xfe\x09\x02\x02\x01")
    bad("set-65-nan", "more equal members than there may be", b"\xfe\x09\x41" + b"\xf1" * 65, "tooLarge", fixed=NAN * 65)
    bad("set-65-equal", "whatever they are", b"\xfe\x09\x44\xe0\x01" + b"\x02" * 65 + b"\x03", "tooLarge")
    bad("set-65-objects", "empty objects", b"\xfe\x09\x41" + b"\x60" * 65, "tooLarge", shapes=b"\x01\x00")
    bad("pairs-65-nan", "more equal keys", b"\xfe\x08\x41" + bytes(byte for index in range(64) for byte in (0xF1, index)) + b"\xf1\xe3\x00",
        "tooLarge", fixed=NAN * 65)
    bad("nested-nil-depth", "more optionals than there may be", b"\xfe\x07" + varint(255))
    bad("rare-unknown", "a rare head that does not exist", b"\xfe\x7f")
    bad("imported-value", "an imported value outside a path", b"\xff\x01")
    bad("huge-array", "2^62 items in ten bytes", b"\xdc" + varint(1 << 62))
    bad("long-array", "more items than bytes", b"\xdc" + varint(1 << 20), "truncated")
    bad("depth-65", "deeper than the limit", b"\xd1" * 65 + b"\x01", "tooDeep")
    bad("depth-many", "a hundred thousand levels", b"\xd1" * 100_000 + b"\x01", "tooDeep")
    bad("text-too-long", "a string longer than the texts", b"\x45", "truncated", text=b"abc")
    bad("fixed-missing", "a UUID without its bytes", b"\xf3", "truncated")
    bad("imported-native", "a float in an imported value", b"\x01\x41\xff\xf2", text=b"N", fixed=bytes(4), form=1)
    bad("imported-unordered", "an imported object out of order", b"\x01\x41\xff\x60\x01\x02", text=b"N", shapes=b"\x01\x02\x02\x00", form=1)
    bad("imported-number", "129.9 in the long form", b"\x01\x41\xff\xfe\x03\x02" + varint(1299), text=b"N", form=1)
    bad("imported-2-64", "-2^64 as an integer", b"\x01\x41\xff\xec" + b"\xff" * 8, text=b"N", form=1)
    bad("imported-whole", "a hundred with an exponent", b"\x01\x41\xff\xfe\x03\x08\x01", text=b"N", form=1)
    bad("tag-integer", "a tag that is no string", b"\x01\x05\x05", form=1)
    for name, item in (("number", b"7"), ("object", b' {"a" : [1e2, "\\u00e9"]}\n'), ("word", b"null"), ("deep", b"[" * 64 + b"]" * 64)):
        bad("verbatim-" + name, "an item that is JSON, kept as it was", b"\x01\x41\xfe\x0a" + varint(len(item)), text=b"N" + item, form=1)
    for name, tag in (("nul", b"A\x00B"), ("escape", b"Shop.Product\x1b[2J"), ("first", b"\x01"), ("delete", b"Shop.\x7f")):
        bad("tag-" + name, "a control character in a tag", bytes([0x01, 0x40 + len(tag), 0x05]), "invalidTag", text=tag, form=1)
    bad("tag-control-seen", "a control character in a tag that was a string before", b"\x02\x41\x43\xfa\x00\x05", "invalidTag", text=b"NA\x1fB", form=1)
    bad("element-missing", "fewer elements than said", b"\x02\x41\x05", "truncated", text=b"N", form=1)


def envelopes():
    payload = Writer().value_payload(("int", 1))
    whole = envelope(payload)
    put("bad-envelope-magic", "another first byte", b"\x9f" + whole[1:], "badMagic")
    put("bad-envelope-json", "JSON", b"[\"Swift.Int\",\"1\"]", "badMagic")
    put("bad-envelope-cut", "the last byte is missing", whole[:-1], "truncated")
    put("bad-envelope-long", "a byte too many", whole + b"\x00", "trailingBytes")
    put("bad-envelope-sum", "a bit of the checksum", whole[:-1] + bytes([whole[-1] ^ 1]), "badChecksum")
    put("bad-envelope-bit", "a bit of the payload", whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:], "badChecksum")

    def summed(data):
        return data + struct.pack("<I", xxh64(data) & 0xFFFFFFFF)

    put("bad-envelope-version", "version 2", summed(b"\x9e\x4e\x20" + varint(len(payload)) + payload), "unsupportedVersion")
    put("bad-envelope-extension", "a feature of a later library", summed(b"\x9e\x4e\x18\x07archive" + payload), "unknownFlag")
    put("bad-envelope-dictionary", "a dictionary that nobody has", summed(b"\x9e\x4e\x13" + varint(5) + varint(77) + b"\x00" * 9), "unknownDictionary")
    put("bad-envelope-huge", "a payload of 2^40 bytes", summed(b"\x9e\x4e\x11" + varint(1 << 40) + b"\x00" * 9), "tooLarge")
    put("bad-envelope-frame", "a frame that is none", summed(b"\x9e\x4e\x11" + varint(5) + b"\xff" * 9), "malformed")
    put("bad-envelope-tail", "an empty tail", summed(b"\x9e\x4e\x15" + varint(5) + b"\x00" + b"\xff" * 9), "malformed")
    put("bad-envelope-flags", "a dictionary without compression", summed(b"\x9e\x4e\x12" + varint(len(payload)) + b"\x01" + payload), "malformed")


def sample(count, wide):
    """A path that zstd makes smaller; with `wide` values it has a fixed section."""
    elements = []
    for index in range(count):
        members = [("id", ("uuid", "%032x" % index) if wide else ("int", index)),
                   ("title", ("str", "a title as titles are, number %d" % (index % 7))), ("isRead", ("bool", index % 2 == 0))]
        elements.append(("Shop.Product", ("object", members)))
    writer = Writer()
    payload = writer.path_payload(elements)
    return payload, writer.compressible


def frames():
    shipped = shipped_dictionary()
    for name, comment, count, wide, dictionary in (
            ("path-zstd", "a frame and nothing else", 12, False, None),
            ("path-zstd-tail", "a frame, and a tail that stays as it is", 12, True, None),
            ("path-zstd-dictionary", "a frame that needs the dictionary that ships", 3, False, shipped),
            ("path-zstd-dictionary-tail", "a frame that needs the dictionary, and a tail", 3, True, shipped)):
        put("good-" + name, comment, compressed(*sample(count, wide), dictionary))
    for level in (1, 19):
        put("good-path-zstd-level-%d" % level, "another level", compressed(*sample(12, True), None, level))
    writer = Writer()
    long = writer.path_payload([("Swift.String", ("str", "three blocks of text. " * 15_000))])
    put("good-path-zstd-blocks", "a frame of several blocks", compressed(long, writer.compressible))
    damaged_frames()


def damaged_frames():
    payload, middle = sample(12, True)
    size, tail, frame = len(payload), payload[middle:], frame_of(payload[:middle])
    # The second byte of a frame is its window; without a content size it stands in every one.
    two = frame_of(payload[:99]) + frame_of(payload[99:middle])
    put("bad-zstd-two-good-frames", "two frames that give the payload together", framed(size, two, None, tail), "malformed")
    checked = frame_of(payload[:middle], checked=True)
    put("good-path-zstd-checked", "a frame with its size and a checksum", framed(size, checked, None, tail))
    put("bad-zstd-checksum", "a frame with a wrong checksum",
        framed(size, checked[:-1] + bytes([checked[-1] ^ 1]), None, tail), "malformed")
    content = payload[:middle]
    block = (len(content) << 3 | 1).to_bytes(3, "little") + content
    for name, code, number in (("good-path-zstd-content-size", None, len(content)), ("bad-zstd-content-size", "malformed", len(content) + 1),
                               ("bad-zstd-content-size-none", "malformed", (1 << 64) - 1)):
        put(name, "a content size of %d bytes" % number, framed(size, b"\xe0" + number.to_bytes(8, "little") + block, None, tail), code)
    put("bad-zstd-window", "a window of 144 MiB", framed(size, frame[:1] + b"\x89" + frame[2:], None, tail), "malformed")
    put("good-path-zstd-window", "a window of 128 MiB", framed(size, frame[:1] + b"\x88" + frame[2:], None, tail))
    for name, comment, length, data in (
            ("long", "a frame of one byte more", size - 1, frame), ("short", "a frame of one byte less", size + 1, frame),
            ("cut", "half a frame", size, frame[:len(frame) // 2]), ("none", "no frame at all", size, b""),
            ("behind", "a byte behind the frame", size, frame + b"\x00"),
            ("two-frames", "two frames in place of one", size, frame_of(payload[:99]) + frame_of(payload[99:middle])),
            ("magic", "a frame that is not magicless", size, b"\x28\xb5\x2f\xfd" + frame)):
        put("bad-zstd-" + name, comment, framed(length, data, None, tail), "malformed")
    put("bad-zstd-bomb", "a gigabyte behind a small length", framed(64, BOMB), "malformed")
    put("bad-zstd-payload", "a payload that is none, compressed", framed(64, frame_of(b"\x07" * 64)), "malformed")
    small, middle = sample(3, False)
    needy = frame_of(small, shipped_dictionary())
    put("bad-zstd-dictionary-left-out", "a frame without its dictionary", framed(len(small), needy), "malformed")
    put("bad-zstd-dictionary-later", "a dictionary of a later library", framed(len(small), needy, 2), "unknownDictionary")
    put("bad-zstd-dictionary-trained", "a dictionary that somebody trained",
        framed(len(small), needy, 1 << 34 | 0x1234567), "unknownDictionary")


# A frame header with a window of 128 KiB and no content size, then 8192 blocks of 128 KiB of one repeated byte: 1 GiB.
BOMB = b"\x00\x38" + b"\x02\x00\x10\x00" * 8191 + b"\x03\x00\x10\x00"


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for step in (scalars, texts, containers, exports, paths, refused, envelopes, frames):
        step()
    print("%d vectors" % written)


main()
