# SPDX-License-Identifier: Apache-2.0
"""Damaged payloads: both readers must take or refuse each alike, write it back alike and export it alike.

By hand: Tests/Interop/mutants.py BUILD_DIRECTORY COUNT, and `SEED=n` to repeat a run.
"""

import os
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "scripts", "dictionary")]
from corpus import Corpus  # noqa: E402
from json_form import json_of, meaning, parse, path_meaning, swiftui_meaning  # noqa: E402
from navwire import Refused, read_payload  # noqa: E402
from navwire_envelope import Envelope  # noqa: E402
from navwire_writer import Writer, envelope  # noqa: E402
from random_trees import Trees  # noqa: E402

# Heads, and what begins or ends a form.
NOTABLE = bytes([0, 1, 2, 7, 0x3F, 0x40, 0x41, 0x60, 0x61, 0x7F, 0x80, 0x81, 0xA0, *range(0xD0, 0x100), 0x0A])


class Mutants:
    def __init__(self, seed, vectors):
        self.random = random.Random(seed)
        corpus, trees = Corpus(seed), Trees(seed)
        self.payloads = [payload for payload in vectors if len(payload) < 5000]
        self.payloads += [Writer().path_payload(corpus.path()) for _ in range(40)]
        self.payloads += [Writer().path_payload(trees.path()) for _ in range(80)]
        self.payloads += [Writer().value_payload(trees.tree(3)) for _ in range(200)]

    def mutant(self):
        r = self.random
        data = bytearray(r.choice(self.payloads))
        for _ in range(r.choice([1, 1, 1, 1, 2, 3])):
            place = r.randrange(len(data)) if data else 0
            self.damage(data, place)
        return bytes(data)

    def damage(self, data, place):
        r = self.random
        kind = r.randrange(9)
        if kind == 0:
            data[place:place + 1] = bytes([r.choice(NOTABLE)])
        elif kind == 1 and data:
            data[place:place + 1] = bytes([(data[place] + r.choice([-1, 1])) % 256])
        elif kind == 2 and data:
            data[place] ^= 1 << r.randrange(8)
        elif kind == 3:
            del data[place:place + r.choice([1, 1, 2, 8, 16])]
        elif kind == 4:
            data[place:place] = bytes([r.choice(NOTABLE)])
        elif kind == 5:
            # Two neighbours change places.
            data[place:place + 2] = data[place:place + 2][::-1]
        elif kind == 6:
            data[place:place] = data[place:place + r.randrange(1, 9)]
        elif kind == 7:
            other = r.choice(self.payloads)
            start = r.randrange(len(other) + 1)
            data[place:place + r.randrange(4)] = other[start:start + r.randrange(1, 12)]
        else:
            data[place:place + 1] = bytes([r.randrange(256)])


def taken(payload):
    """As `wiredocuments read` has it: the payload that is written again, and the meaning of its JSON."""
    form, content = read_payload(payload)
    again = Writer().path_payload(content) if form == "path" else Writer().value_payload(content)
    try:
        return again, path_meaning(content) if form == "path" else meaning(json_of(content))
    except Refused:
        return again, None


def is_left_out(payload):
    """Whether all tags of a path may look mangled to the library, which need not export it then."""
    form, content = read_payload(payload)
    return form == "path" and len(content) > 0 and all(re.match(r"[0-9]|[A-Za-z0-9_]+$", tag) for tag, _ in content)


def compare(payload, answer):
    """What the two readers do not agree about; None when they do."""
    word, _, rest = answer.partition(b" ")
    try:
        again, content = taken(payload)
    except Refused as reason:
        return None if word == b"refused" else "the library takes what this reader refuses (%s)" % reason
    if word == b"refused":
        return "this reader takes what the library refuses (%s)" % rest.decode()
    digits, json = rest.split(b"\t", 1)
    if again != payload or bytes.fromhex(digits.decode()) != payload:
        return "is written back as other bytes"
    if json == b"-":
        return None if content is None or is_left_out(payload) else "only this reader has JSON for it"
    theirs = swiftui_meaning(json) if payload[0] == 1 else meaning(parse(json))
    return None if content == theirs else "is exported as something else: %s" % json.decode()


def check_mutants(build, vectors, count):
    """How many mutants there were, how many of them were taken, and how many disagreements."""
    seed = int(os.environ.get("SEED") or int.from_bytes(os.urandom(4), "little"))
    mutants = Mutants(seed, vectors)
    payloads = [mutants.mutant() for _ in range(count)]
    lines = "".join(envelope(payload).hex() + "\n" for payload in payloads)
    done = subprocess.run([os.path.join(build, "wiredocuments"), "read"], input=lines.encode(), capture_output=True,
                          check=False, timeout=600)
    answers = done.stdout.split(b"\n")[:-1]
    failures = []
    if done.returncode != 0 or len(answers) != count:
        failures.append("'wiredocuments read' ended with status %d after %d of %d" % (done.returncode, len(answers), count))
    for payload, answer in zip(payloads, answers):
        failure = compare(payload, answer)
        if failure:
            failures.append("%s: %s" % (payload.hex(), failure))
    for failure in failures[:20]:
        print("mutants, seed %d: %s" % (seed, failure[:2000]), file=sys.stderr)
    return sum(answer.startswith(b"accepted") for answer in answers), len(failures)


def payloads_of(folder):
    """The payloads of all vectors that have one."""
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read().split(b"\n\n", 1)[1]
        try:
            yield Envelope(data).payload()
        except Refused:
            continue


if __name__ == "__main__":
    total = accepted = disagreements = 0
    while total < int(sys.argv[2]):
        more, failed = check_mutants(sys.argv[1], list(payloads_of(os.path.join(HERE, "..", "Vectors", "wire"))), 5000)
        total, accepted, disagreements = total + 5000, accepted + more, disagreements + failed
    print("%d mutants, %d taken, %d disagreements" % (total, accepted, disagreements))
    sys.exit(1 if disagreements else 0)
