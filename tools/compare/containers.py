#!/usr/bin/env python3
"""Which part of a file a byte lies in: chunks of PNG and RIFF, boxes of ISO base media, elements of Matroska."""

from __future__ import annotations

import struct
from collections.abc import Iterator

# Boxes that hold boxes, with the bytes before the first of these.
PARENTS = {
    b"moov": 0, b"trak": 0, b"mdia": 0, b"minf": 0, b"stbl": 0, b"edts": 0, b"udta": 0, b"dinf": 0, b"moof": 0,
    b"traf": 0, b"mvex": 0, b"ilst": 0, b"meta": 4, b"stsd": 8, b"iprp": 0, b"ipco": 0, b"tref": 0, b"gmhd": 0,
}  # fmt: skip
ELEMENTS = {
    0x1A45DFA3: "EBML", 0x18538067: "Segment", 0x114D9B74: "SeekHead", 0x1549A966: "Info", 0x1654AE6B: "Tracks",
    0xAE: "TrackEntry", 0x1F43B675: "Cluster", 0xA3: "SimpleBlock", 0xA0: "BlockGroup", 0x1C53BB6B: "Cues",
    0x1254C367: "Tags", 0x7373: "Tag", 0x67C8: "SimpleTag", 0x1043A770: "Chapters", 0x1941A469: "Attachments",
    0xEC: "Void", 0xBF: "CRC-32", 0x73A4: "SegmentUUID", 0x73C5: "TrackUID", 0x4461: "DateUTC", 0x4D80: "MuxingApp",
    0x5741: "WritingApp",
}  # fmt: skip
MASTERS = {"Segment", "SeekHead", "Info", "Tracks", "TrackEntry", "Cluster", "BlockGroup", "Tags", "Tag", "Chapters"}


def part_of(data: bytes, offset: int) -> str:
    """The part that a byte lies in; empty where the kind of file is not known."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return png_chunk(data, offset)
    if data.startswith(b"RIFF"):
        return riff_chunk(data, offset)
    if data.startswith(b"\x1a\x45\xdf\xa3"):
        return element(data, offset)
    if data[4:8] in (b"ftyp", b"moov", b"wide", b"mdat", b"free", b"styp"):
        return box(data, offset, 0, len(data))
    return ""


def png_chunk(data: bytes, offset: int) -> str:
    at, number = 8, 0
    while at + 12 <= len(data):
        size = struct.unpack(">I", data[at : at + 4])[0] + 12
        number += 1
        if at <= offset < at + size:
            return f"the PNG chunk {data[at + 4 : at + 8].decode('latin-1')} (number {number}, at byte {at})"
        at += size
    return "the PNG signature" if offset < 8 else ""


def riff_chunk(data: bytes, offset: int) -> str:
    at = 12
    while at + 8 <= len(data):
        size = struct.unpack("<I", data[at + 4 : at + 8])[0] + 8
        if at <= offset < at + size:
            return f"the RIFF chunk {data[at : at + 4].decode('latin-1')} (at byte {at})"
        at += size + size % 2
    return "the RIFF header"


def boxes(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, int, int]]:
    """Kind, start, start of the content, and end of boxes."""
    at = start
    while at + 8 <= end:
        size, head = struct.unpack(">I", data[at : at + 4])[0], 8
        if size == 1 and at + 16 <= end:
            size, head = struct.unpack(">Q", data[at + 8 : at + 16])[0], 16
        size = end - at if size == 0 else size
        if size < head or at + size > end:
            return
        yield data[at + 4 : at + 8], at, at + head, at + size
        at += size


def box(data: bytes, offset: int, start: int, end: int) -> str:
    for kind, at, content, after in boxes(data, start, end):
        if not at <= offset < after:
            continue
        name = kind.decode("latin-1")
        skipped = PARENTS.get(kind)
        if kind == b"meta" and data[content + 4 : content + 8] == b"hdlr":
            skipped = 0
        inner = box(data, offset, content + skipped, after) if skipped is not None else ""
        if inner:
            return f"the box {name}/{inner.removeprefix('the box ')}"
        return f"the box {name} (at byte {at}, {offset - at} bytes in)"
    return ""


def number(data: bytes, at: int, is_identifier: bool) -> tuple[int, int]:
    """A variable-length number of EBML, and its length; 0 where there is none."""
    first = data[at] if at < len(data) else 0
    length = 9 - first.bit_length()
    if not 1 <= length <= 8 or at + length > len(data):
        return 0, 0
    value = int.from_bytes(data[at : at + length], "big")
    return (value if is_identifier else value & ((1 << (7 * length)) - 1)), length


def element(data: bytes, offset: int, start: int = 0, end: int | None = None, path: str = "") -> str:
    end = len(data) if end is None else end
    at = start
    while at < end:
        kind, head = number(data, at, True)
        size, more = number(data, at + head, False)
        if not head or not more:
            return ""
        content = at + head + more
        after = end if size == (1 << (7 * more)) - 1 else min(end, content + size)
        if at <= offset < after:
            name = ELEMENTS.get(kind, f"{kind:X}")
            inner = element(data, offset, content, after, f"{path}{name}/") if name in MASTERS else ""
            return inner or f"the element {path}{name} (at byte {at}, {offset - at} bytes in)"
        at = after
    return ""
