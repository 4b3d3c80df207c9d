# SPDX-License-Identifier: Apache-2.0
"""The second reader over every golden vector, and over random documents both ways, compared as JSON."""

import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "scripts", "dictionary")]
from documents import check_documents  # noqa: E402
from json_form import json_of, meaning, parse  # noqa: E402
from mutants import check_mutants, payloads_of  # noqa: E402
from navwire import Refused, read_payload  # noqa: E402
from navwire_envelope import Envelope  # noqa: E402
from navwire_forms import SPEC  # noqa: E402
from navwire_writer import Writer  # noqa: E402

MUTANTS = 2000
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
            _, content = read_payload(payload)
            found = "accepted"
            counts["zstd"] += envelope.is_compressed
            counts["dictionary"] += envelope.dictionary == 1
            if "json" in header and meaning(json_of(content)) != meaning(parse(header["json"])):
                print("%s: is exported as %s" % (name, json_of(content)), file=sys.stderr)
                failures += 1
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


def check_examples():
    """The worked examples of the specification are envelopes."""
    with open(SPEC, encoding="utf-8") as file:
        blocks = file.read().split("## Worked examples")[1].split("## Static symbols")[0].split("```")[1::2]
    for block in blocks:
        lines = re.findall(r"^((?:[0-9A-F]{2}(?: |$))+)", block, re.MULTILINE)
        payload = Envelope(bytes.fromhex("".join(lines))).payload()
        if rewrite(payload) != payload:
            raise Refused("a worked example is written back as other bytes")
    return len(blocks)


def main():
    if check_examples() < 2:
        sys.exit("interop: error: the specification has lost its worked examples")
    counts, failures = check_vectors()
    for what, least in (("all", 150), ("zstd", 5), ("dictionary", 2), ("refused", 50)):
        if counts[what] < least:
            sys.exit("interop: error: only %d vectors (%s), at least %d are expected" % (counts[what], what, least))
    if len(sys.argv) < 2:
        sys.exit("interop: error: no build directory, and without one no document can be compared\n"
                 "interop: hint: swift build, then Tests/Interop/run .build/debug")
    read, more = check_documents(sys.argv[1])
    taken, damaged = check_mutants(sys.argv[1], list(payloads_of(VECTORS)), MUTANTS)
    failures += more + damaged
    print("%d vectors (%d compressed), %s, %d mutants (%d taken), %d disagreements" % (
        counts["all"], counts["zstd"], ", ".join("%d %s" % (count, what) for what, count in read.items()), MUTANTS, taken,
        failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
