"""Movies with edit lists made at random: which frames are shown when, by every way of reading them.

What is to be shown is worked out here from the times that ffprobe gives where it ignores edit lists. A list of several
pieces shows of each what lies in it, the rest of a frame that it begins in too; one of a single piece begins with the
first whole frame, as libavformat has it.
"""

from __future__ import annotations

import functools
import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.media import THUMB, export, number_in, pictures
from acceptance.running import run
from acceptance.tool import tool

SCALE = 12800
STEP = SCALE // 25
CODECS = {
    "closed": "-c:v libx264 -x264-params keyint=12:min-keyint=12:scenecut=0:bframes=2 -pix_fmt yuv420p",
    "open": "-c:v libx264 -x264-params keyint=12:min-keyint=12:scenecut=0:bframes=3:open-gop=1 -pix_fmt yuv420p",
    "hevc": "-c:v libx265 -x265-params log-level=error:keyint=12:min-keyint=12:bframes=3:open-gop=0 -pix_fmt yuv420p",
    "intra": "-c:v mjpeg -q:v 4 -pix_fmt yuvj420p",
    "mpeg4": "-c:v mpeg4 -q:v 4 -g 12",
    "mpeg4-b": "-c:v mpeg4 -q:v 4 -g 12 -bf 2",
    "mpeg2": "-c:v mpeg2video -q:v 3 -g 12 -bf 2 -pix_fmt yuv420p",
    "av1": "-c:v libsvtav1 -preset 12 -g 12 -crf 30 -pix_fmt yuv420p",
}
Edits = list[tuple[int, int]]


@dataclass
class Source:
    file: Path
    times: list[int]

    @staticmethod
    def make(codec: str, folder: Path) -> Source:
        file = folder / f"{codec}.mp4"
        coded = ["-map", "0:v", "-frames:v", 50, *CODECS[codec].split(), "-video_track_timescale", SCALE]
        run(["ffmpeg", "-v", "error", "-i", fixture("movie.mp4"), "-map_metadata", -1, *coded, file]).check_returncode()
        words = ["-ignore_editlist", 1, "-select_streams", "v", "-show_entries", "packet=pts", "-of", "csv=p=0"]
        lines = run(["ffprobe", "-v", "error", *words, file]).stdout.decode().split()
        return Source(file, sorted(int(line.rstrip(",")) for line in lines))

    def edited(self, edits: Edits, scale: int, output: Path) -> None:
        """The movie with another edit list; its box is the last one, so that no sample moves."""
        data = self.file.read_bytes()
        length = sum(duration for duration, _ in edits)

        def boxes(start: int, end: int) -> Iterator[tuple[bytes, bytes, int, int]]:
            while start + 8 <= end:
                size, name = struct.unpack_from(">I4s", data, start)
                yield name, data[start : start + size], start, start + size
                start += size

        def box(name: bytes, content: bytes) -> bytes:
            return struct.pack(">I4s", len(content) + 8, name) + content

        def rebuilt(start: int, end: int) -> bytes:
            result = b""
            for name, content, first, last in boxes(start, end):
                if name in (b"moov", b"trak"):
                    result += box(name, rebuilt(first + 8, last))
                elif name == b"mvhd":
                    result += content[:20] + struct.pack(">II", scale, length) + content[28:]
                elif name == b"tkhd":
                    rows = b"".join(struct.pack(">IiI", *edit, 1 << 16) for edit in edits)
                    listed = box(b"edts", box(b"elst", struct.pack(">II", 0, len(edits)) + rows))
                    result += content[:28] + struct.pack(">I", length) + content[32:] + listed
                elif name != b"edts":
                    result += content
            return result

        result = b""
        for name, content, first, last in boxes(0, len(data)):
            result += box(name, rebuilt(first + 8, last)) if name == b"moov" else content
        output.write_bytes(result)

    def shown(self, edits: Edits, scale: int) -> list[tuple[int, Fraction, int]]:
        """Frames by number, when they are shown, and by which edit; edits begin and end with ticks of the track."""
        several = sum(media >= 0 for _, media in edits) > 1 or edits[-1][1] < 0
        found: list[tuple[int, Fraction, int]] = []
        position = 0
        for row, (duration, media) in enumerate(edits):
            start = (position * SCALE * 2 + scale) // (2 * scale)
            position += duration
            end = max(start + 1, (position * SCALE * 2 + scale) // (2 * scale))
            if media < 0:
                continue
            within = [(i, t) for i, t in enumerate(self.times) if media <= t < media + end - start]
            shift = start - media
            before = [i for i, t in enumerate(self.times) if t <= media]
            if not several:
                shift = start - within[0][1]
            elif before and (not within or within[0][0] != before[-1]):
                within.insert(0, (before[-1], media))
            found += [(i, Fraction(t + shift, SCALE), row) for i, t in within]
        return found


@pytest.fixture(scope="session")
def source_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Source]:
    return functools.cache(lambda codec: Source.make(codec, tmp_path_factory.mktemp("edits")))


def edit_list(chance: random.Random, times: list[int]) -> tuple[Edits, int]:
    scale = chance.choice([1000, 600, SCALE, 90000])
    count = chance.choice([1, 2, 2, 3, 4])
    edits: Edits = []
    for _ in range(count):
        if count > 1 and chance.random() < 0.12:
            edits.append((round(Fraction(chance.choice([10, 24, 50]), 100) * scale), -1))
            continue
        media = times[chance.randrange(48)]
        # One that begins within a frame shows at least one more.
        within = chance.random() < 0.3
        media += chance.randrange(1, STEP) if within else 0
        length = chance.choice([2, 5, 12, 20, 30] if within else [1, 2, 5, 12, 20, 30])
        most = Fraction(times[-1] + STEP - media, SCALE) * scale
        edits.append((max(1, min(round(Fraction(length * STEP, SCALE) * scale), int(most))), media))
    if all(media < 0 for _, media in edits):
        edits.append((round(scale * Fraction(2, 5)), times[5]))
    return edits, scale


def numbers(file: Path, *words: str) -> list[int | None]:
    """The frames that `avtool frames` gives."""
    raw = file.with_suffix(".raw")
    words = ("--format", "raw", "--pixel-format", "gray", "--force", "-o", str(raw), *words)
    done = tool(file.parent, "frames", file, *words)
    assert done.code == 0, done.diagnostics
    form = ["-f", "rawvideo", "-pixel_format", "gray", "-video_size", "320x240", "-i", raw]
    small = ["-vf", f"scale={THUMB}:{THUMB}:flags=area", "-f", "rawvideo", "-"]
    data = run(["ffmpeg", "-v", "error", *form, *small]).stdout
    size = THUMB * THUMB
    return [number_in(data[at : at + size]) for at in range(0, len(data), size)]


def holds(found: list[int | None], wanted: list[list[int]]) -> bool:
    """Whether the frames of pieces are there one run after the other, each perhaps behind frames that it needs."""
    place = 0
    for piece in wanted:
        while found[place : place + len(piece)] != piece:
            if place >= len(found):
                return False
            place += 1
        place += len(piece)
    return True


def seconds(time: Fraction) -> str:
    return f"{time.numerator}/{time.denominator}s"


def problems(source: Source, seed: int, folder: Path) -> Iterator[str]:
    folder = folder / str(seed)
    folder.mkdir()
    chance = random.Random(seed)
    edits, scale = edit_list(chance, source.times)
    movie = folder / "movie.mp4"
    source.edited(edits, scale, movie)
    shown = source.shown(edits, scale)
    wanted = [number for number, _, _ in shown]
    name = f"seed {seed}: {edits} of {scale}"
    if (found := numbers(movie)) != wanted:
        yield f"{name}: frames {found} instead of {wanted}"
    checked = tool(folder, "verify", movie)
    if checked.code or f" {len(wanted)} " not in checked.text:
        yield f"{name}: {checked.text}"
    whole = folder / "copy.mp4"
    done = export(movie, whole, "--preset", "passthrough")
    if done.code or (found := numbers(whole)) != wanted:
        yield f"{name}: copy {done.said} {found} instead of {wanted}"
    if len(shown) < 3 or len({time for _, time, _ in shown}) < len(shown):
        return
    first, last = sorted(chance.sample(range(len(shown)), 2))
    start, end = (seconds(shown[index][1]) for index in (first, last))
    part = wanted[first:last]
    pieces = [[n for n, _, row in shown[first:last] if row == edit] for edit in range(len(edits))]
    if (found := numbers(movie, "--from", start, "--to", end)) != part:
        yield f"{name}: {start} to {end}: frames {found} instead of {part}"
    for preset, kind in [("passthrough", "mp4"), ("high", "mp4"), ("passthrough", "mkv")]:
        output = folder / f"{preset}.{kind}"
        done = export(movie, output, "--preset", preset, f"--range={start}..{end}")
        if done.code:
            yield f"{name}: {preset} {kind}: {done.said}"
            continue
        found = numbers(output)
        if found != part if kind == "mp4" else not holds(found, [piece for piece in pieces if piece]):
            yield f"{name}: {start} to {end}: {preset} {kind} {found} instead of {part}"


CHUNK = 8


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("chunk", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 50))])
def test_all_readers_show_what_an_edit_list_says(
    codec: str, chunk: int, source_of: Callable[[str], Source], tmp_path: Path
) -> None:
    source, found = source_of(codec), list[str]()
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        found += problems(source, seed, tmp_path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("kind", ["mkv", "mov", "mp4"])
def test_pieces_of_an_edit_list_keep_sound_in_step(kind: str, tmp_path: Path) -> None:
    """A joined movie, whose edit lists have several rows, is read as what it was joined of."""
    source, joined, output = tmp_path / "movie.mp4", tmp_path / "joined.mp4", tmp_path / f"output.{kind}"
    tone = ["-f", "lavfi", "-i", "sine=duration=10", "-map", "0:v", "-map", "1:a", "-c:a", "aac"]
    done = run(["ffmpeg", "-v", "error", "-i", fixture("movie.mp4"), *tone, *CODECS["hevc"].split(), source])
    done.check_returncode()
    export(source, joined, "--preset", "passthrough", "--range=#33..#80", "--range=#7..#20", "--range=#100..#130")
    pieces = [[*range(33, 80)], [*range(7, 20)], [*range(100, 130)]]
    wanted = [number for piece in pieces for number in piece]
    assert numbers(joined) == wanted
    assert numbers(joined, "--from", "#40", "--to", "#70") == wanted[40:70]
    assert tool(tmp_path, "verify", joined).code == 0
    copied = export(joined, output, "--preset", "passthrough")
    assert copied.code == 0, copied.said
    found = [picture.number for picture in pictures(output)] if kind == "mkv" else numbers(output)
    assert holds(found, pieces) if kind == "mkv" else found == wanted, found


def edited(source: Source, folder: Path, *pieces: tuple[int, int]) -> Path:
    """A movie of runs of frames; -1 for nothing."""
    movie = folder / "edited.mp4"
    edits = [(length * STEP, source.times[first] if first >= 0 else -1) for first, length in pieces]
    source.edited(edits, SCALE, movie)
    return movie


def test_rows_that_go_on_are_one_piece(source_of: Callable[[str], Source], tmp_path: Path) -> None:
    movie = edited(source_of("closed"), tmp_path, (6, 10), (16, 10))
    assert numbers(movie) == [*range(6, 26)]
    copied = export(movie, tmp_path / "copy.mkv", "--preset", "passthrough")
    assert copied.code == 0, copied.said
    assert [picture.number for picture in pictures(tmp_path / "copy.mkv")][-20:] == [*range(6, 26)]


def test_nothing_between_pieces_is_no_frame(source_of: Callable[[str], Source], tmp_path: Path) -> None:
    movie = edited(source_of("closed"), tmp_path, (0, 15), (-1, 10), (24, 10))
    assert numbers(movie) == [*range(15), *range(24, 34)]
    copied = export(movie, tmp_path / "copy.mkv", "--preset", "passthrough")
    assert copied.code == 0, copied.said
    found = pictures(tmp_path / "copy.mkv")
    assert [picture.number for picture in found] == [*range(15), *range(24, 34)]
    assert abs(found[15].time - found[14].time - Fraction(11, 25)) < Fraction(1, 500)


def test_frames_that_were_cut_out_are_not_shared(source_of: Callable[[str], Source], tmp_path: Path) -> None:
    movie = edited(source_of("closed"), tmp_path, (6, 10), (30, 5))
    done = export(movie, tmp_path / "shared.mkv", "--preset", "passthrough", "--share-safe")
    assert done.code == 65 and not (tmp_path / "shared.mkv").exists(), done.said


def test_pieces_beside_sound_that_is_encoded_are_refused(source_of: Callable[[str], Source], tmp_path: Path) -> None:
    movie = edited(source_of("closed"), tmp_path, (6, 10), (30, 5))
    done = export(movie, tmp_path / "copy.mp4", "--preset", "copy-video-aac")
    assert done.code == 65 and "edit list of track 1 shows several pieces" in done.said, done.said
    one = export(movie, tmp_path / "copy.mp4", "--preset", "copy-video-aac", "--range=0s..0.4s")
    assert one.code == 0, one.said
    assert numbers(tmp_path / "copy.mp4") == [*range(6, 16)]
