# SPDX-License-Identifier: Apache-2.0
"""The second reader over every golden vector, and over random documents both ways, compared as JSON."""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "scripts", "dictionary")]
from documents import check_documents  # noqa: E402
from navwire import Refused, read_payload  # noqa: E402
from navwire_envelope import Envelope  # noqa: E402
from navwire_writer import Writer  # noqa: E402

VECTORS = os.path.join(HERE, "..", "Vectors", "wire")


def vectors():
    for name in sorted(os.listdir(VECTORS)):
        if name.endswith(".txt"):
            with open(os.path.join(VECTORS, name), "rb") as file:
                head, data = file.read().split(b"\n\n", 1)
            yield name, dict(line.split(": ", 1) for line in head.decode().splitlines()), data


def rewrite(payload):
    form, content = read_payload(payload)
    return Writer().path_payload(content) if form == "path" else Writer().value_payload(content)


def check_vectors():
    """How many vectors there are, how many of them were read through zstd and through the dictionary, and failures."""
    counts = {"all": 0, "zstd": 0, "dictionary": 0, "refused": 0}
    failures = 0
    for name, header, data in vectors():
        counts["all"] += 1
        try:
            envelope = Envelope(data)
            payload = envelope.payload()
            read_payload(payload)
            found = "accepted"
            counts["zstd"] += envelope.is_compressed
            counts["dictionary"] += envelope.dictionary == 1
            if rewrite(payload) != payload:
                print("%s: is written back as other bytes" % name, file=sys.stderr)
                failures += 1
        except Refused:
            found = "refused"
            counts["refused"] += 1
        if found != header["expect"]:
            print("%s: %s, expected %s" % (name, found, header["expect"]), file=sys.stderr)
            failures += 1
    return counts, failures


def main():
    counts, failures = check_vectors()
    for what, least in (("all", 150), ("zstd", 5), ("dictionary", 2), ("refused", 50)):
        if counts[what] < least:
            sys.exit("interop: error: only %d vectors (%s), at least %d are expected" % (counts[what], what, least))
    if len(sys.argv) < 2:
        sys.exit("interop: error: no build directory, and without one no document can be compared\n"
                 "interop: hint: swift build, then Tests/Interop/run .build/debug")
    read, more = check_documents(sys.argv[1])
    print("%d vectors (%d compressed), %s, %d disagreements" % (
        counts["all"], counts["zstd"], ", ".join("%d %s" % (count, what) for what, count in read.items()), failures + more))
    sys.exit(1 if failures + more else 0)


if __name__ == "__main__":
    main()
