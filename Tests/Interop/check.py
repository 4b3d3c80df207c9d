# SPDX-License-Identifier: Apache-2.0
"""The second reader over every golden vector, and over random documents both ways."""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "scripts", "dictionary")]
from corpus import Corpus  # noqa: E402
from navwire import Refused, read_payload  # noqa: E402
from navwire_envelope import payload_of, read_envelope  # noqa: E402
from navwire_writer import Writer, envelope  # noqa: E402

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
    failures = count = 0
    for name, header, data in vectors():
        count += 1
        try:
            payload = payload_of(data)
            read_payload(payload)
            found = "accepted"
            if rewrite(payload) != payload:
                print("%s: is written back as other bytes" % name, file=sys.stderr)
                failures += 1
        except Refused:
            found = "refused"
        if found != header["expect"]:
            print("%s: %s, expected %s" % (name, found, header["expect"]), file=sys.stderr)
            failures += 1
    return count, failures


def check_random(navsyncctl, count):
    """What this reader writes the library reads, and what the library writes from that this reader reads."""
    corpus, failures = Corpus(int.from_bytes(os.urandom(4), "little")), 0
    for _ in range(count):
        elements = [(tag, value) for tag, value in corpus.path()]
        written = envelope(Writer().path_payload(elements))
        run = subprocess.run([navsyncctl, "decode", "-"], input=written, capture_output=True, check=False)
        if run.returncode != 0:
            print("refused: %s %s" % (written.hex(), run.stderr.decode()), file=sys.stderr)
            failures += 1
            continue
        again = subprocess.run([navsyncctl, "encode", "-"], input=run.stdout, capture_output=True, check=False)
        back = read_envelope(again.stdout) if again.returncode == 0 else ("none", [])
        if [tag for tag, _ in back[1]] != [tag for tag, _ in elements]:
            print("other elements: %s" % written.hex(), file=sys.stderr)
            failures += 1
    return failures


def main():
    count, failures = check_vectors()
    if count < 150:
        sys.exit("only %d vectors" % count)
    documents = 0
    navsyncctl = os.path.join(sys.argv[1], "navsyncctl") if len(sys.argv) > 1 else ""
    if os.path.exists(navsyncctl):
        documents = 50
        failures += check_random(navsyncctl, documents)
    print("%d vectors, %d random documents, %d disagreements" % (count, documents, failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
