# SPDX-License-Identifier: Apache-2.0
"""Envelopes, by docs/spec/wire-format.md, "Envelope"."""

import base64
import io
import os
import re
import struct

from navwire import Reader, read_payload
from navwire_forms import HERE, Refused, xxh64
from navwire_writer import varint


def shipped_dictionary():
    """The dictionary with id 1, from the source that ships it."""
    path = os.path.join(HERE, "..", "..", "Sources", "NavWire", "Compression", "ShippedDictionaryBytes.swift")
    with open(path, encoding="utf-8") as file:
        text = file.read().split('"""')[1]
    return base64.b64decode(re.sub(r"[^A-Za-z0-9+/=]", "", text))


def trained_id(dictionary):
    return 1 << 34 | xxh64(dictionary) & (1 << 34) - 1


class Envelope:
    """The header of an envelope, and its payload as it is stored. `trained` are dictionaries beside the shipped one."""

    def __init__(self, data, trained=()):
        self.trained = {trained_id(dictionary): dictionary for dictionary in trained}
        if len(data) < 2 or data[:2] != b"\x9e\x4e":
            raise Refused("bad magic")
        if len(data) < 8:
            raise Refused("truncated")
        if data[2] >> 4 != 1:
            raise Refused("unsupported version")
        flags = data[2] & 15
        if flags & 8:
            raise Refused("unknown extension")
        reader = Reader.__new__(Reader)
        reader.data, reader.at, reader.end = data, 3, len(data) - 4
        self.size = reader.varint()
        self.dictionary = reader.varint() if flags & 2 else None
        self.tail = reader.varint() if flags & 4 else 0
        self.stored = data[reader.at:-4]
        self.is_compressed = bool(flags & 1)
        self.check(data, flags)

    def check(self, data, flags):
        if self.size > 1 << 20:
            raise Refused("too large")
        if not self.is_compressed and (flags or len(self.stored) != self.size):
            raise Refused("length")
        if flags & 4 and (self.tail == 0 or self.tail > len(self.stored) or self.tail > self.size):
            raise Refused("tail")
        if struct.unpack("<I", data[-4:])[0] != xxh64(data[:-4]) & 0xFFFFFFFF:
            raise Refused("bad checksum")

    def payload(self):
        if not self.is_compressed:
            return self.stored
        split = len(self.stored) - self.tail
        return decompress(self.stored[:split], self.size - self.tail, self.dictionary_bytes()) + self.stored[split:]

    def dictionary_bytes(self):
        if self.dictionary is None:
            return None
        if self.dictionary == 1:
            return shipped_dictionary()
        if self.dictionary not in self.trained:
            raise Refused("unknown dictionary %x" % self.dictionary)
        return self.trained[self.dictionary]


def known(zstandard, dictionary):
    return None if dictionary is None else zstandard.ZstdCompressionDict(dictionary)


def decompress(frame, size, dictionary):
    """Exactly `size` bytes from exactly one frame."""
    import zstandard
    if content_size(frame) not in (None, size):
        raise Refused("content size")
    try:
        zstd = zstandard.ZstdDecompressor(
            dict_data=known(zstandard, dictionary), format=zstandard.FORMAT_ZSTD1_MAGICLESS)
        # What streams gives no more than was asked for, however much the frame would become.
        if len(zstd.stream_reader(io.BytesIO(frame)).read(size + 1)) != size:
            raise Refused("length")
        whole = zstd.decompressobj()
        data = whole.decompress(frame)
        if not whole.eof or whole.unused_data:
            raise Refused("not one frame")
    except zstandard.ZstdError as error:
        raise Refused(str(error)) from error
    return data


def content_size(frame):
    """What the frame's header says, by RFC 8878, 3.1.1.1. zstd itself takes 2^64 - 1 for nothing."""
    if not frame:
        raise Refused("no frame")
    one_segment = frame[0] >> 5 & 1
    # The exponent, less ten, in the upper five bits: at most 2^27.
    if not one_segment and frame[1:2] > bytes([(27 - 10) << 3]):
        raise Refused("window")
    count = (one_segment, 2, 4, 8)[frame[0] >> 6]
    start = 2 - one_segment + (0, 1, 2, 4)[frame[0] & 3]
    if len(frame) < start + count:
        raise Refused("half a header")
    return int.from_bytes(frame[start:start + count], "little") + (256 if count == 2 else 0) if count else None


def frame_of(data, dictionary=None, level=3, checked=False):
    import zstandard
    parameters = zstandard.ZstdCompressionParameters.from_level(
        level, format=zstandard.FORMAT_ZSTD1_MAGICLESS, write_content_size=checked, write_checksum=checked, write_dict_id=0)
    zstd = zstandard.ZstdCompressor(dict_data=known(zstandard, dictionary), compression_params=parameters)
    return zstd.compress(data)


def compressed(payload, compressible, dictionary=None, level=3):
    """An envelope whose payload is compressed up to `compressible`; what is behind becomes the tail."""
    number = None if dictionary is None else 1 if dictionary == shipped_dictionary() else trained_id(dictionary)
    frame = frame_of(payload[:compressible], dictionary, level)
    return framed(len(payload), frame, number, payload[compressible:])


def framed(size, frame, dictionary=None, tail=b""):
    flags = 1 | (0 if dictionary is None else 2) | (4 if tail else 0)
    data = b"\x9e\x4e" + bytes([0x10 | flags]) + varint(size)
    if dictionary is not None:
        data += varint(dictionary)
    if tail:
        data += varint(len(tail))
    data += frame + tail
    return data + struct.pack("<I", xxh64(data) & 0xFFFFFFFF)


def payload_of(envelope, trained=()):
    return Envelope(envelope, trained).payload()


def read_envelope(envelope, trained=()):
    return read_payload(payload_of(envelope, trained))
