"""Small files that ask for gigabytes, most of them compressed.

They are not kept as fixtures: scanners of archives take them for what they are.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

from acceptance.hostile_media import box, syncsafe

MIB = 1 << 20
GIB = 1 << 30


def packed(prefix: bytes, value: int, count: int) -> bytes:
    """A zlib stream of a prefix and some equal bytes, without the time and the memory that those take.

    After a full flush a block stands for itself, so that the block of one mebibyte can be repeated. Source: RFC 1950.
    """
    first = zlib.compressobj(9)
    begin = first.compress(prefix) + first.flush(zlib.Z_FULL_FLUSH)
    block = zlib.compressobj(9, wbits=-15)
    mebibyte = block.compress(bytes([value]) * MIB) + block.flush(zlib.Z_FULL_FLUSH)
    last = zlib.compressobj(9, wbits=-15)
    rest = last.compress(bytes([value]) * (count % MIB)) + last.flush()
    before = zlib.adler32(prefix)
    low, high, modulus = before & 0xFFFF, before >> 16, 65521
    high = (high + count * low + value * count * (count + 1) // 2) % modulus
    low = (low + count * value) % modulus
    return begin + mebibyte * (count // MIB) + rest + struct.pack(">HH", high, low)


def full(name: bytes, flags: int, *parts: bytes) -> bytes:
    return box(name, struct.pack(">I", flags), *parts)


IDENTITY = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
FTYP = box(b"ftyp", b"isom", bytes(4), b"isom")
MDAT = box(b"mdat", bytes(64))


def numbers(*values: int) -> bytes:
    return struct.pack(f">{len(values)}I", *values)


def movie(samples: int, *, edits: bytes = b"", chunks: int = 1, more: bytes = b"") -> bytes:
    """A movie box with one video track whose frames are all alike."""
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


def packed_movie(size: int, content: bytes) -> bytes:
    """A movie whose movie box is compressed, and says its size."""
    return MDAT + box(b"moov", box(b"cmov", box(b"dcom", b"zlib"), box(b"cmvd", numbers(size), content)))


def whole_packed_movie(content: bytes) -> bytes:
    return packed_movie(len(content), zlib.compress(content, 9))


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


def tagged(size: int, count: int, media: bytes = b"\xff\xfb\x90\x64" + bytes(413)) -> bytes:
    """An MP3 file with compressed images of zeros in its tag."""
    image = b"\0image/png\0\x03\0\x89PNG\r\n\x1a\n"
    content = packed(image, 0, size - len(image))
    frame = b"APIC" + syncsafe(len(content) + 4) + b"\0\x09" + syncsafe(size) + content
    return b"ID3\4\0\0" + syncsafe(len(frame) * count) + frame * count + media * 40


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
    """A Matroska file of one frame, compressed by zlib: zeros of a size."""
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
    cluster = ebml(0x1F43B675, number(0xE7, 0) + ebml(0xA3, b"\x81\0\0\x80" + packed(b"", 0, size)))
    info = ebml(0x1549A966, number(0x2AD7B1, 1000000) + ebml(0x4D80, b"x") + ebml(0x5741, b"x"))
    return head + ebml(0x18538067, info + ebml(0x1654AE6B, track) + cluster)


BOMBS: dict[str, Callable[[], bytes]] = {
    "index": lambda: FTYP + MDAT + movie(80_000_000),
    "edits": lambda: edited(10_000, 5000),
    "fragment": lambda: fragmented(60_000_000),
    "packed-movie": lambda: packed_movie(GIB, packed(b"", 0, GIB)),
    "packed-index": lambda: whole_packed_movie(movie(80_000_000)),
    "small-packed-movie": lambda: whole_packed_movie(movie(100)),
    "packed-tag": lambda: tagged(200 << 20, 8),
    "tagged-index": lambda: b"ID3\4\0\0" + syncsafe(20) + bytes(20) + FTYP + MDAT + movie(80_000_000),
    "small-packed-tag": lambda: tagged(20_000, 1),
    "packed-text": lambda: png(chunk(b"zTXt", b"Comment\0\0" + packed(b"", ord("a"), GIB))),
    "packed-profile": lambda: png(chunk(b"iCCP", b"x\0\0" + packed(b"", 0, GIB))),
    "picture": lambda: png(width=16000, height=16000),
    "packed-track": lambda: packed_track(GIB),
}
