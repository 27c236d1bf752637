#!/usr/bin/env python3
"""Writes one of the files that are small and ask for much, which the tests of the limits read.

They are not kept as fixtures: scanners of archives take them for what they are.

usage: Fixtures/bombs.py NAME FILE
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

GIB = 1 << 30


def box(name: bytes, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return struct.pack(">I", 8 + len(content)) + name + content


def full(name: bytes, flags: int, *parts: bytes) -> bytes:
    return box(name, struct.pack(">I", flags), *parts)


IDENTITY = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
FTYP = box(b"ftyp", b"isom", bytes(4), b"isom")
MDAT = box(b"mdat", bytes(64))


def numbers(*values: int) -> bytes:
    return struct.pack(f">{len(values)}I", *values)


def movie(samples: int, *, edits: bytes = b"", chunks: int = 1, more: bytes = b"") -> bytes:
    """A movie box with one track of pictures that are all alike."""
    header = full(
        b"mvhd", 0, numbers(0, 0, 1000, 10000), struct.pack(">IH10x", 0x10000, 0x100), IDENTITY, bytes(24), numbers(2)
    )
    track = full(b"tkhd", 3, numbers(0, 0, 1, 0, 10000), bytes(16), IDENTITY, numbers(320 << 16, 240 << 16))
    media = full(b"mdhd", 0, numbers(0, 0, 1000, 10000), struct.pack(">HH", 0x55C4, 0))
    handler = full(b"hdlr", 0, bytes(4), b"vide", bytes(12), b"x\0")
    entry = box(
        b"mp4v",
        bytes(6),
        struct.pack(">H", 1),
        bytes(16),
        struct.pack(">HH", 320, 240),
        numbers(0x480000, 0x480000, 0),
        struct.pack(">H", 1),
        bytes(32),
        struct.pack(">Hh", 24, -1),
    )
    table = box(
        b"stbl",
        full(b"stsd", 0, numbers(1), entry),
        full(b"stts", 0, numbers(1, samples, 1) if samples else numbers(0)),
        full(b"stsc", 0, numbers(1, 1, samples, 1) if samples else numbers(0)),
        full(b"stsz", 0, numbers(1 if samples else 0, samples)),
        full(b"stco", 0, numbers(chunks), numbers(40) * chunks),
    )
    data = box(b"dinf", full(b"dref", 0, numbers(1), full(b"url ", 1)))
    inner = box(b"mdia", media, handler, box(b"minf", full(b"vmhd", 1, bytes(8)), data, table))
    return box(b"moov", header, box(b"trak", track, edits, inner), more)


def packed_movie(content: bytes, size: int | None = None) -> bytes:
    packed = zlib.compress(content, 9)
    size = len(content) if size is None else size
    return MDAT + box(b"moov", box(b"cmov", box(b"dcom", b"zlib"), box(b"cmvd", numbers(size), packed)))


def fragment(samples: int) -> bytes:
    head = full(b"mfhd", 0, numbers(1))
    track = full(b"tfhd", 0x20000, numbers(1)), full(b"tfdt", 0, numbers(0)), full(b"trun", 1, numbers(samples, 100))
    return box(b"moof", head, box(b"traf", *track))


def fragmented(samples: int) -> bytes:
    more = box(b"mvex", full(b"trex", 0, numbers(1, 1, 1, 1, 0)))
    return FTYP + movie(0, chunks=0, more=more) + fragment(samples) + MDAT


def edited(samples: int, edits: int) -> bytes:
    rows = struct.pack(">IIHH", samples, 0, 1, 0) * edits
    return FTYP + MDAT + movie(samples, edits=box(b"edts", full(b"elst", 0, numbers(edits), rows)))


def synchsafe(number: int) -> bytes:
    return bytes(number >> shift & 127 for shift in (21, 14, 7, 0))


def tagged(size: int, count: int, media: bytes = b"\xff\xfb\x90\x64" + bytes(413)) -> bytes:
    """An MP3 file with pictures of zeros, packed, in its tag."""
    picture = b"\0image/png\0\x03\0\x89PNG\r\n\x1a\n"
    packed = zlib.compress(picture + bytes(size - len(picture)), 9)
    frame = b"APIC" + synchsafe(len(packed) + 4) + b"\0\x09" + synchsafe(size) + packed
    return b"ID3\4\0\0" + synchsafe(len(frame) * count) + frame * count + media * 40


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(*more: bytes, width: int = 4, height: int = 4) -> bytes:
    is_large = width > 4
    depth, kind = (1, 0) if is_large else (8, 2)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    row = b"\0" + (bytes(width // 8) if is_large else b"\x80" * 3 * width)
    data = zlib.compress(row * height, 9)
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(more) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def ebml(identifier: int, content: bytes) -> bytes:
    name = identifier.to_bytes((identifier.bit_length() + 7) // 8, "big")
    return name + struct.pack(">Q", 1 << 56 | len(content)) + content


def number(identifier: int, value: int) -> bytes:
    return ebml(identifier, value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big"))


def packed_track(size: int) -> bytes:
    """A Matroska file of one picture, packed by zlib, that is as many zeros."""
    head = ebml(
        0x1A45DFA3,
        number(0x4286, 1)
        + number(0x42F7, 1)
        + number(0x42F2, 4)
        + number(0x42F3, 8)
        + ebml(0x4282, b"matroska")
        + number(0x4287, 4)
        + number(0x4285, 2),
    )
    coding = ebml(
        0x6D80,
        ebml(0x6240, number(0x5031, 0) + number(0x5032, 1) + number(0x5033, 0) + ebml(0x5034, number(0x4254, 0))),
    )
    video = ebml(0xE0, number(0xB0, 320) + number(0xBA, 240))
    track = ebml(0xAE, number(0xD7, 1) + number(0x73C5, 1) + number(0x83, 1) + ebml(0x86, b"V_MJPEG") + video + coding)
    packed = zlib.compress(bytes(size), 9)
    cluster = ebml(0x1F43B675, number(0xE7, 0) + ebml(0xA3, b"\x81\0\0\x80" + packed))
    info = ebml(0x1549A966, number(0x2AD7B1, 1000000) + ebml(0x4D80, b"x") + ebml(0x5741, b"x"))
    return head + ebml(0x18538067, info + ebml(0x1654AE6B, track) + cluster)


FILES: dict[str, Callable[[], bytes]] = {
    "index": lambda: FTYP + MDAT + movie(80_000_000),
    "edits": lambda: edited(10_000, 5000),
    "fragment": lambda: fragmented(60_000_000),
    "packed-movie": lambda: packed_movie(bytes(GIB)),
    "packed-index": lambda: packed_movie(movie(80_000_000)),
    "small-packed-movie": lambda: packed_movie(movie(100)),
    "packed-tag": lambda: tagged(200 << 20, 8),
    "tagged-index": lambda: b"ID3\4\0\0" + synchsafe(20) + bytes(20) + FTYP + MDAT + movie(80_000_000),
    "small-packed-tag": lambda: tagged(20_000, 1),
    "packed-text": lambda: png(chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"a" * GIB, 9))),
    "packed-profile": lambda: png(chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(GIB), 9))),
    "picture": lambda: png(width=16000, height=16000),
    "packed-track": lambda: packed_track(GIB),
}


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1] not in FILES:
        print(f"usage: bombs.py {'|'.join(FILES)} FILE", file=sys.stderr)
        return 64
    Path(sys.argv[2]).write_bytes(FILES[sys.argv[1]]())
    return 0


if __name__ == "__main__":
    sys.exit(main())
