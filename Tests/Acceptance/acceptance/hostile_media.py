"""Files that ask for more work or memory than they are worth: a few bytes that claim much, or much of nothing.

All are made of a small film of FFmpeg's or by hand. Those of terabytes are holes.

    python3 -m acceptance.hostile_media NAME FILE
"""

from __future__ import annotations

import os
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

from acceptance.running import ROOT, run

MILLION = 1_000_000
MOST = 0xFFFFFFFF
GB = 1 << 30
TB = 1 << 40

Make = Callable[[Path], None]


def box(kind: bytes, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return struct.pack(">I", len(content) + 8) + kind + content


def boxes(data: bytes) -> list[tuple[bytes, bytes]]:
    """The boxes of some bytes: their types and contents."""
    found, at = [], 0
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        found.append((kind, data[at + 8 : at + size]))
        at += size
    return found


def joined(found: list[tuple[bytes, bytes]]) -> bytes:
    return b"".join(box(kind, content) for kind, content in found)


def movie() -> list[tuple[bytes, bytes]]:
    """The boxes of a small movie; `mdat` before `moov`."""
    return boxes((ROOT / "Fixtures/one-frame.mp4").read_bytes())


def parts() -> tuple[bytes, bytes]:
    """The small movie up to its movie box, and that."""
    found = movie()
    return joined(found[:-1]), joined(found[-1:])


def edited(path: tuple[bytes, ...], change: Callable[[bytes], bytes]) -> bytes:
    """The small movie with the content of the boxes at a path changed, which must lie after the media data."""

    def within(data: bytes, rest: tuple[bytes, ...]) -> bytes:
        if not rest:
            return change(data)
        found = boxes(data)
        return joined([(kind, within(c, rest[1:]) if kind == rest[0] else c) for kind, c in found])

    return within(joined(movie()), path)


STBL = (b"moov", b"trak", b"mdia", b"minf", b"stbl")


def written(data: bytes) -> Make:
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


def with_hole(head: bytes, size: int, tail: bytes = b"") -> Make:
    """A file with a hole between two parts."""

    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.write(head)
            file.truncate(size - len(tail))
            file.seek(0, os.SEEK_END)
            file.write(tail)

    return make


def nested(kind: bytes, depth: int, inner: bytes = b"") -> bytes:
    """A box in a box in a box."""
    total = len(inner) + 8 * depth
    heads = b"".join(struct.pack(">I", total - 8 * level) + kind for level in range(depth))
    return heads + inner


def ffmpeg(name: str, *options: str) -> Callable[[Path], bytes]:
    def make(path: Path) -> bytes:
        target = path.with_name(f"source-{name}")
        sources = {
            "picture": ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=0.2"],
            "sound": ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=0.2"],
        }
        words = [word for option in options for word in sources.get(option, [option])]
        run(["ffmpeg", "-v", "error", "-y", *words, "-bitexact", target])
        data = target.read_bytes()
        target.unlink()
        return data

    return make


# --- Boxes -------------------------------------------------------------------


def empty_boxes_before(path: Path) -> None:
    media, movie_box = parts()
    path.write_bytes(media + box(b"free") * MILLION + movie_box)


def empty_boxes_in(*at: bytes) -> Make:
    return written(edited(at, lambda content: content + box(b"free") * MILLION))


def movie_box_of_4_gb(path: Path) -> None:
    media, movie_box = parts()
    with_hole(media + struct.pack(">I4sQ", 1, b"moov", 4 * GB) + movie_box[8:], 5 * GB)(path)


def media_of_8_tb(path: Path) -> None:
    """Terabytes of media data that are a hole, between some that are not and the movie box."""
    media, movie_box = parts()
    hole = struct.pack(">I4sQ", 1, b"mdat", 8 * TB)
    with_hole(media + hole, len(media) + 8 * TB + len(movie_box), movie_box)(path)


def table(kind: bytes, content: bytes) -> bytes:
    """The small movie with another table in each track."""

    def change(data: bytes) -> bytes:
        return joined([*[(k, c) for k, c in boxes(data) if k != kind], (kind, content)])

    return edited(STBL, change)


def claimed(kind: bytes, *numbers: int) -> Make:
    """A table that claims four billion rows, and has one."""
    return written(table(kind, struct.pack(f">{len(numbers)}I", *numbers)))


def samples_of_a_byte(path: Path) -> None:
    """Four billion samples of one byte in one chunk, which takes no rows to say."""

    def change(data: bytes) -> bytes:
        kept = [(k, c) for k, c in boxes(data) if k in (b"stsd", b"stco")]
        return joined(
            [*kept, (b"stts", struct.pack(">IIII", 0, 1, MOST, 1)), (b"stsz", struct.pack(">III", 0, 1, MOST)),
             (b"stsc", struct.pack(">IIIII", 0, 1, 1, MOST, 1))]
        )  # fmt: skip

    with_hole(edited(STBL, change), 5 * GB)(path)


def samples_without_bytes(count: int) -> Make:
    """Samples of a byte in one chunk, of which the file has none."""

    def change(data: bytes) -> bytes:
        kept = [(k, c) for k, c in boxes(data) if k in (b"stsd", b"stco")]
        counted = {b"stts": (0, 1, count, 1), b"stsz": (0, 1, count), b"stsc": (0, 1, 1, count, 1)}
        return joined([*kept, *((k, struct.pack(f">{len(n)}I", *n)) for k, n in counted.items())])

    return written(edited(STBL, change))


def edit_list(path: Path) -> None:
    def change(data: bytes) -> bytes:
        kept = [(k, c) for k, c in boxes(data) if k != b"edts"]
        return joined([*kept, (b"edts", box(b"elst", struct.pack(">IIIiI", 0, MOST, 1000, 0, 1 << 16)))])

    path.write_bytes(edited((b"moov", b"trak"), change))


def fragment_run(count: int, rows: int) -> Make:
    """Fragments with a `trun` that claims samples without a field of their own, so that they take no bytes."""

    def make(path: Path) -> None:
        options = ["picture", "-c:v", "libx264", "-movflags", "+frag_keyframe+empty_moov"]
        found = boxes(ffmpeg("fragments.mp4", *options)(path))
        run_box = box(b"trun", struct.pack(">II", 0, count), bytes(rows))
        head = box(b"tfhd", struct.pack(">IIII", 0x020018, 1, 512, 1))
        fragment = box(b"mfhd", bytes(8)), box(b"traf", head, box(b"tfdt", bytes(8)), run_box)
        kept = [(k, c) for k, c in found if k in (b"ftyp", b"moov")]
        path.write_bytes(joined(kept) + box(b"moof", *fragment) + box(b"mdat", bytes(16)))

    return make


def compressed_movie(claim: int) -> Make:
    """A movie box of zlib's making, which grows to many times its size."""

    def make(path: Path) -> None:
        media, movie_box = parts()
        bomb = zlib.compress(box(b"moov", movie_box[8:] + box(b"free", bytes(200 << 20))), 9)
        content = box(b"cmov", box(b"dcom", b"zlib"), box(b"cmvd", struct.pack(">I", claim), bomb))
        path.write_bytes(media + box(b"moov", content))

    return make


# --- Others ------------------------------------------------------------------


def element(identifier: bytes, content: bytes) -> bytes:
    return identifier + (1 << 56 | len(content)).to_bytes(8, "big") + content


def segment(path: Path) -> tuple[bytes, bytes]:
    """A small film's Matroska: what is before the segment, and its content."""
    data = ffmpeg("film.mkv", "picture", "-c:v", "mpeg4")(path)
    at = data.index(b"\x18\x53\x80\x67")
    return data[:at], data[at + 12 :]


def void_elements(at_front: bool) -> Make:
    def make(path: Path) -> None:
        head, content = segment(path)
        voids = b"\xec\x80" * (3 * MILLION)
        path.write_bytes(head + element(b"\x18\x53\x80\x67", voids + content if at_front else content + voids))

    return make


def void_in_tags(path: Path) -> None:
    head, content = segment(path)
    tags = element(b"\x12\x54\xc3\x67", b"\xec\x80" * (3 * MILLION))
    path.write_bytes(head + element(b"\x18\x53\x80\x67", content + tags))


def nested_elements(identifier: bytes, outer: tuple[bytes, ...], depth: int = 50_000) -> Make:
    """Elements in elements, each with a size of eight bytes."""

    def make(path: Path) -> None:
        head, content = segment(path)
        one = len(identifier) + 8
        inner = b"".join(
            identifier + (0x0100_0000_0000_0000 | (one * (depth - level - 1))).to_bytes(8, "big")
            for level in range(depth)
        )
        for name in reversed(outer):
            inner = element(name, inner)
        path.write_bytes(head + element(b"\x18\x53\x80\x67", content + inner))

    return make


def mp3(path: Path) -> bytes:
    return ffmpeg("sound.mp3", "sound", "-c:a", "libmp3lame", "-id3v2_version", "0")(path)


def syncsafe(number: int) -> bytes:
    return bytes(number >> shift & 127 for shift in (21, 14, 7, 0))


def id3_padding(path: Path) -> None:
    size = (1 << 28) - 1
    title = b"TIT2" + syncsafe(2) + b"\0\0\3x"
    with_hole(b"ID3\4\0\0" + syncsafe(size) + title, size + 10 + len(data := mp3(path)), data)(path)


def id3_frames(path: Path) -> None:
    frames = b"TIT2\0\0\0\1\0\0\3" * MILLION
    path.write_bytes(b"ID3\4\0\0" + syncsafe(len(frames)) + frames + mp3(path))


def ogg_pages(streams: bool) -> Make:
    """A million pages with a byte each, of one stream or of as many."""

    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.write(ffmpeg("sound.opus", "sound", "-c:a", "libopus")(path))
            for number in range(MILLION):
                serial = number if streams else 1
                file.write(struct.pack("<4sBBqIIIBBB", b"OggS", 0, 2 if streams else 0, 0, serial, number, 0, 1, 1, 0))

    return make


def chunks(form: bytes, order: str) -> Make:
    def make(path: Path) -> None:
        name = "sound.wav" if form == b"RIFF" else "sound.aiff"
        data = ffmpeg(name, "sound")(path)
        body = data[8:] + b"\0" * (len(data) % 2) + (b"junk" + struct.pack(order + "I", 0)) * MILLION
        path.write_bytes(form + struct.pack(order + "I", len(body)) + body)

    return make


def flac_blocks(kind: int, count: int, content: bytes = b"") -> Make:
    def make(path: Path) -> None:
        data = ffmpeg("sound.flac", "sound")(path)
        at, last = 4, 0
        while not last:
            last, size = data[at] & 128, int.from_bytes(data[at + 1 : at + 4], "big")
            if last:
                head = bytes([data[at] & 127]) + data[at + 1 : at + 4 + size]
                end = at + 4 + size
                break
            at += 4 + size
        block = bytes([kind]) + len(content).to_bytes(3, "big") + content
        final = bytes([kind | 128]) + block[1:]
        path.write_bytes(data[:at] + head + block * (count - 1) + final + data[end:])

    return make


def hole_after(name: str, *options: str) -> Make:
    """A small file, and terabytes of nothing after it."""
    return lambda path: with_hole(ffmpeg(name, *options)(path), 8 * TB)(path)


HOSTILE: dict[str, Make] = {
    "boxes-before.mp4": empty_boxes_before,
    "boxes-in-movie.mp4": empty_boxes_in(b"moov"),
    "boxes-in-track.mp4": empty_boxes_in(b"moov", b"trak"),
    "boxes-in-table.mp4": empty_boxes_in(*STBL),
    "movie-box-claimed.mp4": written(box(b"ftyp", b"isom\0\0\2\0") + struct.pack(">I4s", MOST, b"moov") + bytes(1000)),
    "movie-box-hole.mp4": movie_box_of_4_gb,
    "nested.mp4": written(box(b"ftyp", b"isom\0\0\2\0") + nested(b"moov", 10_000)),
    "nested-tracks.mp4": written(edited((b"moov",), lambda content: content + nested(b"trak", 10_000))),
    "nested-user-data.mp4": written(edited((b"moov",), lambda content: content + nested(b"udta", 10_000))),
    "nested-meta.mp4": written(edited((b"moov",), lambda content: content + nested(b"meta", 10_000))),
    "hole.mp4": media_of_8_tb,
    "stts.mp4": claimed(b"stts", 0, MOST, 1, 512),
    "stts-samples.mp4": claimed(b"stts", 0, 1, MOST, 512),
    "stsz.mp4": claimed(b"stsz", 0, 0, MOST, 100),
    "stsz-constant.mp4": claimed(b"stsz", 0, 1, MOST),
    "stsc.mp4": claimed(b"stsc", 0, MOST, 1, MOST, 1),
    "stco.mp4": claimed(b"stco", 0, MOST, 48),
    "ctts.mp4": claimed(b"ctts", 0, MOST, MOST, 0),
    "stss.mp4": claimed(b"stss", 0, MOST, 1),
    "elst.mp4": edit_list,
    "samples-of-a-byte.mp4": samples_of_a_byte,
    "samples-40-million.mp4": samples_without_bytes(40 * MILLION),
    "trun.mp4": fragment_run(MOST, 0),
    "trun-million.mp4": fragment_run(MILLION, 0),
    "trun-40-million.mp4": fragment_run(40 * MILLION, 0),
    "cmov.mov": compressed_movie(200 << 20),
    "cmov-claimed.mov": compressed_movie(MOST),
    "void-front.mkv": void_elements(True),
    "void-end.mkv": void_elements(False),
    "void-tags.mkv": void_in_tags,
    "nested-tags.mkv": nested_elements(b"\x67\xc8", (b"\x12\x54\xc3\x67", b"\x73\x73")),
    "nested-chapters.mkv": nested_elements(b"\xb6", (b"\x10\x43\xa7\x70", b"\x45\xb9")),
    "hole.mkv": hole_after("film.mkv", "picture", "-c:v", "mpeg4"),
    "id3-padding.mp3": id3_padding,
    "id3-frames.mp3": id3_frames,
    "hole.mp3": hole_after("sound.mp3", "sound", "-c:a", "libmp3lame"),
    "pages.opus": ogg_pages(False),
    "streams.opus": ogg_pages(True),
    "hole.ogg": hole_after("sound.ogg", "sound", "-c:a", "libvorbis"),
    "chunks.wav": chunks(b"RIFF", "<"),
    "chunks.aiff": chunks(b"FORM", ">"),
    "hole.wav": hole_after("sound.wav", "sound"),
    "hole.avi": hole_after("film.avi", "picture", "-c:v", "mpeg4"),
    "blocks.flac": flac_blocks(1, 100_000),
    "pictures.flac": flac_blocks(6, 100_000, bytes(32)),
    "hole.flac": hole_after("sound.flac", "sound"),
    "hole.ts": hole_after("film.ts", "picture", "-c:v", "mpeg2video"),
    "zeros": with_hole(b"", 8 * TB),
}

if __name__ == "__main__":
    HOSTILE[sys.argv[1]](Path(sys.argv[2]))
