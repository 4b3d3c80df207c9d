# SPDX-License-Identifier: Apache-2.0
"""Random native trees of every kind that JSON has a form of."""

import random
import struct

from navwire_forms import key_of

TEXTS = ["", "a", "id", "name", "Swift.Int", "Shop.Product", "naïve café", "日本 🎉", "quote \" slash \\ line \n", "\u0000\u2028", "x" * 31,
         "y" * 32, "z" * 64, "w" * 65, "1", "null"]
SCALARS = ["nil", "nested", "bool", "int", "half", "float", "double", "decimal", "str", "uuid", "date", "data", "url", "urlbase"]


class Trees:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def path(self):
        r, count = self.random, self.random.choice([0, 1, 1, 2, 3, 8, 40])
        tags = ["Swift.Int", "Swift.String", "Shop.Product", "Shop.Route", "odd tag", "Shop.Box<Swift.Int>"]
        return [(r.choice(tags), self.element()) for _ in range(count)]

    def element(self):
        """Native, imported, or an item that is no JSON."""
        kind = self.random.randrange(6)
        if kind == 0:
            return ("verbatim", self.random.choice(["", "{", "7 7", "[1,]", "\u65e5", "01", "1e1000001"]))
        return ("imported", self.imported(4)) if kind < 3 else self.tree(4)

    def imported(self, depth):
        r = self.random
        kind = r.randrange(8 if depth else 5)
        if kind == 0:
            return r.choice([("nil", None), ("bool", True), ("bool", False)])
        if kind == 1:
            return ("int", r.choice([-1, 1]) * r.getrandbits(r.choice([3, 6, 8, 16, 24, 33, 48, 64])))
        if kind < 4:
            return self.number()
        if kind == 4:
            return ("str", r.choice(TEXTS))
        if kind == 5:
            return ("object", sorted([(key, self.imported(depth - 1)) for key in self.keys()], key=lambda m: m[0].encode()))
        if kind == 6:
            return ("array", [self.imported(depth - 1) for _ in range(r.choice([0, 1, 3, 11, 12, 13]))])
        return ("array", [("int", r.randrange(64, 320)) for _ in range(r.choice([3, 4, 9]))])

    def number(self):
        """A decimal that is not an integer below 2^64."""
        r = self.random
        digits = str(r.getrandbits(r.choice([4, 10, 40, 41, 64, 128, 200]))).rstrip("0")
        if not digits:
            return ("decimal", (True, "0", 0))
        return ("decimal", (r.random() < 0.5, digits, r.choice([-1, -2, -3, 20, 400, -400, 1000000, -1000000])))

    def tree(self, depth):
        r = self.random
        if depth == 0 or r.random() < 0.4:
            return self.scalar(r.choice(SCALARS))
        return getattr(self, r.choice(["object", "object", "map", "array", "alike", "pairs", "set"]))(depth - 1)

    def keys(self):
        r = self.random
        return r.sample(["id", "name", "x", "title", "zz", "longer key of many bytes", "é", ""], r.randrange(5))

    def object(self, depth):
        return ("object", [(key, self.tree(depth)) for key in self.keys()])

    def map(self, depth):
        return ("map", sorted([(key, self.tree(depth)) for key in self.keys()], key=lambda m: m[0].encode()))

    def array(self, depth):
        return ("array", [self.tree(depth) for _ in range(self.random.choice([0, 1, 3, 11, 12, 13]))])

    def alike(self, _):
        kind = self.random.choice(SCALARS)
        return ("array", [self.scalar(kind) for _ in range(self.random.choice([4, 7, 8, 9, 30]))])

    def pairs(self, depth):
        pairs = sorted([(self.tree(depth), self.tree(depth)) for _ in range(self.random.randrange(4))], key=lambda p: list(map(key_of, p)))
        return ("pairs", [node for pair in pairs for node in pair])

    def set(self, depth):
        return ("set", sorted([self.tree(depth) for _ in range(self.random.randrange(5))], key=key_of))

    def scalar(self, kind):
        r = self.random
        if kind == "nil":
            return (kind, None)
        if kind == "nested":
            return (kind, r.choice([1, 2, 255]))
        if kind == "bool":
            return (kind, r.random() < 0.5)
        if kind == "int":
            return (kind, r.choice([-1, 1]) * r.getrandbits(r.choice([3, 6, 8, 16, 24, 33, 48, 63, 64, 100, 127])))
        if kind == "half":
            return (kind, r.choice([0, 0x8000, 1, 0x3C00, 0x7BFF, r.randrange(0x7C00)]))
        if kind == "float":
            return (kind, r.choice([0, 1, 0x80000000, 0x7F7FFFFF, r.randrange(0x7F800000)]))
        if kind in ("double", "date"):
            value = r.choice([0.0, -0.0, 1.5, 0.1, 3.14, 5e-324, 1e300, -1e22, r.uniform(-1e9, 1e9), r.randrange(1 << 41) / 1000])
            return (kind, struct.unpack("<Q", struct.pack("<d", value))[0])
        if kind == "decimal":
            return (kind, self.decimal())
        return (kind, self.text_of(kind))

    def decimal(self):
        r = self.random
        digits = str(r.getrandbits(r.choice([4, 10, 64, 120]))).rstrip("0")
        if not digits:
            return (False, "0", 0)
        return (r.random() < 0.5, digits, r.choice([0, -1, -2, 3, -100, 90]))

    def text_of(self, kind):
        r = self.random
        if kind == "str":
            return r.choice(TEXTS)
        if kind == "uuid":
            return "%032x" % r.getrandbits(128)
        if kind == "data":
            return bytes(r.getrandbits(8) for _ in range(r.choice([0, 1, 5, 40])))
        if kind == "url":
            return r.choice(["https://example.com/a?b=c", "https://example.com", "mailto:a@example.com", "relative/path"])
        relative = r.choice(["a/b", "../up/./x", "?q=1", "#f", "", "//h/../x", "/a/..", "x:y/../z", "@a:b", "..", "%2e%2e/\u00fc ["])
        return (relative, r.choice(["https://example.com/dir/page?q#f", "https://example.com", "mailto:a@b.c", "a/b", "", ":x/y",
                                    "file:///a/b/", "//h:1/a/b", "x://\u00fc/y z"]))
