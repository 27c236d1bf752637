"""What the boxes of an MP4 or QuickTime file say is shown, read to the letter: an edit list reader of its own."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

PARENTS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts"}


@dataclass
class MovieTrackTimes:
    """When the samples of a track are shown, on the movie's timeline, in the order of time."""

    handler: str
    shown: list[tuple[Fraction, Fraction, int]] = field(default_factory=list)  # start, end, number of the sample
    sample_count: int = 0
    end: Fraction = Fraction(0)  # of the last edit


@dataclass
class MovieTimes:
    duration: Fraction  # as the movie header has it
    tracks: list[MovieTrackTimes]


def boxes(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        body = start + 8
        if size == 1:
            size, body = struct.unpack_from(">Q", data, body)[0], start + 16
        stop = end if size == 0 else min(end, start + size)
        if stop < body:
            return
        yield kind, body, stop
        start = stop


def movie_box(path: Path) -> bytes:
    """The movie box's content, found without reading the media data."""
    with path.open("rb") as file:
        size, at = path.stat().st_size, 0
        while at + 8 <= size:
            file.seek(at)
            head = file.read(16)
            length, kind = struct.unpack_from(">I4s", head)
            body = 8
            if length == 1:
                length, body = struct.unpack_from(">Q", head, 8)[0], 16
            length = length or size - at
            if kind == b"moov":
                file.seek(at + body)
                return file.read(length - body)
            at += max(length, 8)
    return b""


def tree(data: bytes, start: int, end: int) -> list[tuple[bytes, int, int]]:
    found = []
    for kind, body, stop in boxes(data, start, end):
        found.append((kind, body, stop))
        if kind in PARENTS and kind != b"trak":
            found += tree(data, body, stop)
    return found


def header(data: bytes, at: int) -> tuple[int, int]:
    """Timescale and duration of a movie or media header."""
    return struct.unpack_from(">IQ", data, at + 20) if data[at] else struct.unpack_from(">II", data, at + 12)


def read_movie(path: Path) -> MovieTimes:
    data = movie_box(path)
    scale, duration, tracks = 1, 0, []
    for kind, body, _ in tree(data, 0, len(data)):
        if kind == b"mvhd":
            scale, duration = header(data, body)
    for kind, body, stop in tree(data, 0, len(data)):
        if kind == b"trak":
            tracks.append(read_track(data, body, stop, scale))
    return MovieTimes(Fraction(duration, scale), tracks)


def read_track(data: bytes, start: int, end: int, movie_scale: int) -> MovieTrackTimes:
    found: dict[bytes, int] = {}
    for kind, body, _ in tree(data, start, end):
        found.setdefault(kind, body)
    track = MovieTrackTimes(data[found[b"hdlr"] + 8 : found[b"hdlr"] + 12].decode("latin-1"))
    scale, duration = header(data, found[b"mdhd"])
    times = sample_times(data, found)
    track.sample_count = len(times)
    edits = read_edits(data, found.get(b"elst"), movie_scale) or [(Fraction(duration, scale), 0)]
    at, order = Fraction(0), sorted(times)
    for length, media_time in edits:
        if media_time >= 0 and order:
            first, last = Fraction(media_time, scale), Fraction(media_time, scale) + length
            for index, (time, stop, number) in enumerate(order):
                begin = Fraction(time, scale)
                finish = Fraction(order[index + 1][0] if index + 1 < len(order) else stop, scale)
                if begin < last and finish > first:
                    track.shown.append((at + max(begin - first, Fraction(0)), at + min(finish, last) - first, number))
        at += length
    track.end = at
    return track


def sample_times(data: bytes, found: dict[bytes, int]) -> list[tuple[int, int, int]]:
    """Presentation time, its end by the sample's duration, and number of each sample, in ticks."""
    times, at = [], 0
    stts = found.get(b"stts", 0)
    for index in range(struct.unpack_from(">I", data, stts + 4)[0] if stts else 0):
        count, delta = struct.unpack_from(">II", data, stts + 8 + 8 * index)
        for _ in range(count):
            times.append((at, delta))
            at += delta
    offsets = [0] * len(times)
    if ctts := found.get(b"ctts"):
        offsets = []
        for index in range(struct.unpack_from(">I", data, ctts + 4)[0]):
            count, offset = struct.unpack_from(">Ii", data, ctts + 8 + 8 * index)
            offsets += [offset] * count
    return [(at + o, at + o + delta, n) for n, ((at, delta), o) in enumerate(zip(times, offsets))]


def read_edits(data: bytes, elst: int | None, movie_scale: int) -> list[tuple[Fraction, int]]:
    if elst is None:
        return []
    form, step = (">Qq", 20) if data[elst] else (">Ii", 12)
    edits = []
    for index in range(struct.unpack_from(">I", data, elst + 4)[0]):
        length, media_time = struct.unpack_from(form, data, elst + 8 + step * index)
        edits.append((Fraction(length, movie_scale), media_time))
    return edits
