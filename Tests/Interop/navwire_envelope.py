# SPDX-License-Identifier: Apache-2.0
"""Envelopes, by docs/spec/wire-format.md, "Envelope"."""

import base64
import os
import re
import struct

from navwire import Reader, read_payload
from navwire_forms import HERE, Refused, xxh64


def shipped_dictionary():
    """The dictionary with id 1, from the source that ships it."""
    path = os.path.join(HERE, "..", "..", "Sources", "NavWire", "Compression", "ShippedDictionaryBytes.swift")
    text = open(path, encoding="utf-8").read().split('"""')[1]
    return base64.b64decode(re.sub(r"[^A-Za-z0-9+/=]", "", text))


def payload_of(envelope):
    if len(envelope) < 2 or envelope[:2] != b"\x9e\x4e":
        raise Refused("bad magic")
    if len(envelope) < 8:
        raise Refused("truncated")
    if envelope[2] >> 4 != 1:
        raise Refused("unsupported version")
    flags = envelope[2] & 15
    if flags & 8:
        raise Refused("unknown extension")
    reader = Reader.__new__(Reader)
    reader.data, reader.at, reader.end = envelope, 3, len(envelope) - 4
    size = reader.varint()
    dictionary = reader.varint() if flags & 2 else None
    tail = reader.varint() if flags & 4 else 0
    stored = envelope[reader.at:-4]
    if size > 1 << 20:
        raise Refused("too large")
    if flags & 1 == 0 and (flags or len(stored) != size):
        raise Refused("length")
    if flags & 4 and (tail == 0 or tail > len(stored) or tail > size):
        raise Refused("tail")
    if struct.unpack("<I", envelope[-4:])[0] != xxh64(envelope[:-4]) & 0xFFFFFFFF:
        raise Refused("bad checksum")
    if flags & 1 == 0:
        return stored
    return decompress(stored[:len(stored) - tail], size - tail, dictionary) + stored[len(stored) - tail:]


def decompress(frame, size, dictionary):
    import zstandard
    known = None
    if dictionary is not None:
        if dictionary != 1:
            raise Refused("unknown dictionary")
        known = zstandard.ZstdCompressionDict(shipped_dictionary())
    try:
        reader = zstandard.ZstdDecompressor(dict_data=known, format=zstandard.FORMAT_ZSTD1_MAGICLESS)
        data = reader.stream_reader(frame).read(size + 1)
    except zstandard.ZstdError as error:
        raise Refused(str(error)) from error
    if len(data) != size:
        raise Refused("length")
    return data


def read_envelope(envelope):
    return read_payload(payload_of(envelope))
