# SPDX-License-Identifier: Apache-2.0
"""Fresh random documents: what this reader writes the library must read, and the other way round.

Values are compared as JSON. `SEED=n` repeats a run.
"""

import os
import subprocess
import sys
import tempfile

from corpus import Corpus
from json_form import json_of, meaning, parse, path_meaning, swiftui_meaning
from navwire import Refused, read_payload
from navwire_envelope import Envelope, compressed, shipped_dictionary
from navwire_writer import Writer, envelope
from random_trees import Trees


class Disagreement(Exception):
    pass


def tool(build, name):
    path = os.path.join(build, name)
    if not os.access(path, os.X_OK):
        sys.exit("interop: error: %s does not exist\ninterop: hint: swift build --product %s" % (path, name))
    return path


def run(*words, data=b""):
    done = subprocess.run(words, input=data, capture_output=True, check=False, timeout=60)
    if done.returncode != 0:
        raise Disagreement("%s: %s" % (" ".join(words[1:]), done.stderr.decode(errors="replace").strip()))
    return done.stdout


def forms(elements, own):
    """One path in every kind of envelope."""
    writer = Writer()
    payload = writer.path_payload(elements)
    yield envelope(payload)
    for dictionary in (None, shipped_dictionary(), own):
        yield compressed(payload, writer.compressible, dictionary)
        yield compressed(payload, len(payload), dictionary, 1)


def check_path(navsyncctl, elements, own, own_file, index):
    """A path of this writer is read by the library, and what the library makes of its JSON by this reader."""
    expected = path_meaning(elements)
    envelopes = list(forms(elements, own))
    written = envelopes[index % len(envelopes)]
    json = run(navsyncctl, "decode", "--dictionary", own_file, "-", data=written)
    if swiftui_meaning(json) != expected:
        raise Disagreement("the library reads another path from %s" % written.hex())
    words = ["--dictionary", own_file] if index % 2 else []
    back = Envelope(run(navsyncctl, "encode", *words, "-", data=json), [own])
    form, content = read_payload(back.payload())
    if form != "path" or path_meaning(content) != expected:
        raise Disagreement("the library writes another path for %s" % json.decode())
    return back


def check_swift(line, own):
    """A document of Swift values: an envelope in hexadecimal digits, a tab, the JSON of JSONEncoder."""
    text, json = line.split(b"\t", 1)
    document = Envelope(bytes.fromhex(text.decode()), [own])
    form, content = read_payload(document.payload())
    if form != "value":
        raise Disagreement("not a value: %s" % text.decode())
    if meaning(json_of(content)) != meaning(parse(json)):
        raise Disagreement("another value than %s in %s" % (json.decode(), text.decode()))
    if Writer().value_payload(content) != document.payload():
        raise Disagreement("is written back as other bytes: %s" % text.decode())
    return document


def train(navsyncctl, folder, corpus):
    """A dictionary that the command line trains, on what it decodes itself."""
    lines = b"".join(run(navsyncctl, "decode", "-", data=envelope(Writer().path_payload(corpus.path()))) for _ in range(60))
    file = os.path.join(folder, "own.dict")
    run(navsyncctl, "dict", "train", "--size", "2048", "-o", file, data=lines)
    if not os.path.exists(file):
        raise Disagreement("'dict train' wrote no dictionary")
    with open(file, "rb") as stream:
        return file, stream.read()


def check_documents(build, count=120):
    """How many documents of each sort were compared, and how many disagreed."""
    navsyncctl, wiredocuments = tool(build, "navsyncctl"), tool(build, "wiredocuments")
    seed = int(os.environ.get("SEED") or int.from_bytes(os.urandom(4), "little"))
    read = {"paths": 0, "Swift documents": 0, "through zstd": 0, "through the shipped dictionary": 0, "through a trained one": 0}
    failures = []

    def note(what, check):
        try:
            document = check()
        except (Disagreement, Refused) as error:
            failures.append(str(error))
            return
        read[what] += 1
        read["through zstd"] += document.is_compressed
        read["through the shipped dictionary"] += document.dictionary == 1
        read["through a trained one"] += (document.dictionary or 0) >> 34

    with tempfile.TemporaryDirectory() as folder:
        corpus, trees = Corpus(seed), Trees(seed)
        try:
            own_file, own = train(navsyncctl, folder, corpus)
        except Disagreement as error:
            print("seed %d: %s" % (seed, error), file=sys.stderr)
            return read, 1
        for index in range(count):
            elements = corpus.path() if index % 3 == 0 else trees.path()
            note("paths", lambda: check_path(navsyncctl, elements, own, own_file, index))  # noqa: B023
        for line in run(wiredocuments, str(seed), str(3 * count), own_file).splitlines():
            note("Swift documents", lambda: check_swift(line, own))  # noqa: B023
    failures += ["no document: %s" % what for what, number in read.items() if number == 0]
    for failure in failures:
        print("seed %d: %s" % (seed, failure[:2000]), file=sys.stderr)
    return read, len(failures)
