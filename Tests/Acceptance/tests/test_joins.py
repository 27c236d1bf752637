"""Joins ranges of one video by passthrough, and finds every frame of the result by its number.

What the result has to hold is worked out from a decode of the source from start to end: each piece is a run of frames
without holes, with the samples that the source's frames have, each shown one frame after the other. In a movie it is
just the range; in other files it begins no earlier than with the keyframe before its start and ends no earlier than the
range.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from mutagen.flac import FLAC

from acceptance.films import fixture
from acceptance.media import Picture, export, pictures
from acceptance.running import AVTOOL, parsed, run
from acceptance.tool import tool

RATE = 25
OPEN = "open-gop=1:keyint=25:min-keyint=25:scenecut=0:bframes=3:b-pyramid=normal"
CODECS = {
    "h264-closed": f"-c:v libx264 -x264-params {OPEN.replace('open-gop=1', 'open-gop=0')}",
    "h264-open": f"-c:v libx264 -x264-params {OPEN}:ref=4",
    "h264-open-cavlc": f"-c:v libx264 -x264-params {OPEN}:cabac=0:slices=3:weightp=2",
    "h264-open-interlaced": f"-c:v libx264 -x264-params {OPEN}:tff=1",
    "hevc": "-c:v libx265 -x265-params log-level=error:keyint=25:min-keyint=25:bframes=3:open-gop=1",
    "mpeg2": "-c:v mpeg2video -q:v 3 -g 12 -bf 2",
}
KINDS = ["mp4", "mkv", "ts"]


@dataclass
class Source:
    file: Path
    frames: list[Picture]
    keyframes: list[int]

    @staticmethod
    def make(codec: str, kind: str, folder: Path) -> Source:
        file = folder / f"{codec}.{kind.replace('fragments', 'mp4')}"
        movie = ["-movflags", "frag_keyframe+empty_moov"] if kind == "fragments" else []
        coded = ["-map", "0:v", *CODECS[codec].split(), "-pix_fmt", "yuv420p"]
        run(["ffmpeg", "-v", "error", "-y", "-i", fixture("movie.mp4"), *coded, *movie, file]).check_returncode()
        frames = pictures(file)
        assert [frame.number for frame in frames] == [*range(250)]
        words = ["-select_streams", "v:0", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0"]
        lines = run(["ffprobe", "-v", "error", *words, file]).stdout.decode().split()
        keys = [Fraction(line.split(",")[0]) for line in lines if "K" in line.split(",")[1] and kind != "avi"]
        return Source(file, frames, [round((key - frames[0].time) * RATE) for key in keys])


@pytest.fixture(scope="session")
def source_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Source]:
    return functools.cache(lambda codec, kind: Source.make(codec, kind, tmp_path_factory.mktemp("joins")))


def ranges(chance: random.Random) -> list[range]:
    """Up to four ranges in any order, none overlapping or touching another."""
    found: list[range] = []
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(0, 240)
        piece = range(start, min(250, start + chance.choice([1, 2, 7, 13, 25, 30, 60])))
        if all(piece.stop < other.start or other.stop < piece.start for other in found):
            found.append(piece)
    return found


def runs(numbers: Sequence[int | None]) -> str:
    """Numbers as runs without holes."""
    found: list[list[int | None]] = []
    for number in numbers:
        if found and found[-1][-1] is not None and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return " ".join(f"{run[0]}-{run[-1]}" for run in found)


def problem(source: Source, wanted: list[range], output: Path) -> str | None:
    """What is wrong with a file of several pieces."""
    found = pictures(output)
    numbers = [frame.number for frame in found]
    expected: list[int] = []
    for piece in wanted:
        if output.suffix == ".mp4":
            # An edit list hides the rest.
            expected += piece
            continue
        key = max(key for key in source.keyframes if key <= piece.start)
        at = len(expected)
        first = numbers[at] if at < len(numbers) else None
        if first is None or not key <= first <= piece.start:
            return f"{piece} begins with frame {first} instead of {key}: {runs(numbers)}"
        end = piece.stop
        # What cannot be hidden of frames that are needed beyond the end.
        while end < piece.stop + 4 and numbers[at + end - first : at + end - first + 1] == [end]:
            end += 1
        expected += range(first, end)
    if numbers != expected:
        return f"{runs(numbers)} instead of {runs(expected)}"
    if any(frame.digest != source.frames[frame.number or 0].digest for frame in found):
        return "other samples"
    steps = [round((b.time - a.time) * RATE, 1) for a, b in zip(found, found[1:])]
    return None if set(map(float, steps)) <= {1.0} else f"steps of {sorted(set(map(float, steps)))} frames"


def combinations() -> list[Any]:
    """Of each codec one, and of the one that is hardest to join all."""
    return [
        pytest.param(codec, kind, into, marks=() if codec == "h264-open" or kind == into == "mkv" else pytest.mark.slow)
        for codec in CODECS
        for kind in KINDS
        for into in KINDS
    ] + [pytest.param("h264-open", kind, "mp4") for kind in ["fragments", "avi", "mov"]]


@pytest.mark.parametrize(("codec", "kind", "into"), combinations())
def test_joined_ranges_have_all_frames_in_order(
    codec: str, kind: str, into: str, source_of: Callable[[str, str], Source], tmp_path: Path
) -> None:
    source = source_of(codec, kind)
    chance = random.Random(f"{codec} {kind} {into}")
    problems = []
    for number in range(3):
        wanted = ranges(chance)
        output = tmp_path / f"{number}.{into}"
        words = [f"--range={Fraction(piece.start, RATE)}s..{Fraction(piece.stop, RATE)}s" for piece in wanted]
        audit = ["--audit", "full" if number else "index"]
        done = export(source.file, output, "--preset", "passthrough", *audit, *words)
        said = problem(source, wanted, output) if done.code == 0 and "where pieces meet" not in done.said else done.said
        if said:
            problems.append(f"{' '.join(words)}: {said}")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("into", ["mp4", "mov", "mkv", "ts"])
def test_sound_that_begins_late_does_so_in_a_later_piece_too(into: str, tmp_path: Path) -> None:
    source, output = tmp_path / "late.mp4", tmp_path / f"joined.{into}"
    tone = ["-itsoffset", 1.5, "-f", "lavfi", "-i", "sine=duration=5"]
    coded = ["-map", "0:v", "-map", "1:a", *CODECS["h264-closed"].split(), "-c:a", "aac"]
    run(["ffmpeg", "-v", "error", "-t", 6, "-i", fixture("movie.mp4"), *tone, *coded, source]).check_returncode()
    words = ["--range", "3s..4s", "--range", "0s..3s", "--range", "4s..5s"]
    done = export(source, output, "--preset", "passthrough", *words)
    assert done.code == 0, done.said
    # A piece's beginning, and how late its sound is; coders take a while to become loud and silent.
    [(start, end)] = silences(output)
    assert abs(start - 1) < 0.1 and abs(end - 2.5) < 0.1, (start, end)


@pytest.mark.parametrize(("kind", "into"), [("mp4", "mkv"), ("mkv", "mkv"), ("mkv", "ts"), ("mkv", "mp4")])
def test_a_first_piece_may_have_no_sound_and_a_last_one_none_beyond_its_frames(
    kind: str, into: str, tmp_path: Path
) -> None:
    source, output = tmp_path / f"late.{kind}", tmp_path / f"joined.{into}"
    tone = ["-itsoffset", 1.5, "-f", "lavfi", "-i", "sine=duration=10"]
    coded = ["-map", "0:v", "-map", "1:a", *CODECS["h264-closed"].split(), "-c:a", "aac"]
    run(["ffmpeg", "-v", "error", "-y", "-i", fixture("movie.mp4"), *tone, *coded, source]).check_returncode()
    # The first has frames 0 to 24 and no sound; the second ends with the sound, 1.5 s after the last frame.
    done = export(source, output, "--preset", "passthrough", "--range=0s..1s", "--range=9s..", "--range=4s..5s")
    assert done.code == 0, done.said
    assert [frame.number for frame in pictures(output)] == [*range(25), *range(225, 250), *range(100, 125)]
    words = ["-show_entries", "stream=codec_type,start_time", "-of", "csv=p=0"]
    shown = run(["ffprobe", "-v", "error", *words, output]).stdout.decode().split()
    starts = {line.split(",")[0]: float(line.split(",")[1]) for line in shown}
    assert abs(starts["audio"] - starts["video"] - 1) < 0.03, starts
    # Beyond that, something is heard all the time.
    assert not [(start, end) for start, end in silences(output) if end > 1.1], silences(output)


def test_chapters_of_joined_files_have_numbers_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "movie.mkv"
    run(["ffmpeg", "-v", "error", "-i", fixture("movie.mp4"), "-map", "0:v", "-c", "copy", source]).check_returncode()
    tool(tmp_path, "join", "--preset", "passthrough", "-o", "joined.mkv", source, source).expect()

    def chapters(file: Path) -> list[tuple[int, Fraction]]:
        shown = run(["ffprobe", "-v", "error", "-show_chapters", "-of", "json", file]).stdout
        return [(one["id"], Fraction(one["start_time"])) for one in json.loads(shown)["chapters"]]

    once, joined = chapters(source), chapters(tmp_path / "joined.mkv")
    assert once and [time for _, time in joined] == [time + shift for shift in (0, 10) for _, time in once]
    assert len({number for number, _ in joined}) == len(joined)


def silences(file: Path) -> list[tuple[float, float]]:
    """Where nothing is heard for a fifth of a second, as ffmpeg decodes it."""
    heard = "aresample=async=1:first_pts=0,silencedetect=n=-50dB:d=0.2"
    said = run(["ffmpeg", "-nostdin", "-i", file, "-map", "0:a", "-af", heard, "-f", "null", "-"]).stderr.decode()
    starts, ends = (re.findall(rf"silence_{end}: ([\d.]+)", said) for end in ("start", "end"))
    return [(float(start), float(end)) for start, end in zip(starts, ends)]


def test_joined_flac_tells_its_length_and_digest(tmp_path: Path) -> None:
    data, form = b"", ["-ac", 2, "-sample_fmt", "s16"]
    for number, seconds in enumerate([3, 2]):
        noise = f"anoisesrc=d={seconds}:c=pink:r=44100:seed={number}:a=0.5"
        run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", noise, *form, tmp_path / f"{number}.flac"])
        data += run(["ffmpeg", "-v", "error", "-i", tmp_path / f"{number}.flac", "-f", "s16le", "-"]).stdout
    tool(tmp_path, "join", "-o", "joined.flac", "0.flac", "1.flac").expect()
    sound = FLAC(tmp_path / "joined.flac").info
    assert sound.total_samples == 5 * 44100 == len(data) // 4
    assert f"{sound.md5_signature:032x}" == hashlib.md5(data).hexdigest()
    words = ["--range", "1s..2.5s", "--range", "0s..0.5s"]
    tool(tmp_path, "export", "--preset", "passthrough", "-o", "ranges.flac", *words, "0.flac").expect()
    sound = FLAC(tmp_path / "ranges.flac").info
    first = run(["ffmpeg", "-v", "error", "-i", tmp_path / "0.flac", "-f", "s16le", "-"]).stdout
    pieces = first[4 * 44100 : 4 * 110250] + first[: 4 * 22050]
    assert f"{sound.md5_signature:032x}" == hashlib.md5(pieces).hexdigest()


@pytest.mark.parametrize("into", ["m4a", "mp4", "mka"])
def test_songs_with_covers_and_chapters_are_joined(into: str, tmp_path: Path) -> None:
    chapters = "".join(f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={at}000\nEND={at + 1}000\ntitle=c{at}\n" for at in range(3))
    (tmp_path / "chapters.txt").write_text(f";FFMETADATA1\ntitle=song\n{chapters}")
    cover = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=red:size=100x100:d=0.04", "-frames:v", 1]
    run([*cover, tmp_path / "cover.jpg"]).check_returncode()
    for number in [1, 2]:
        inputs = ["-f", "lavfi", "-i", f"sine={number}00:d=3", "-i", tmp_path / "cover.jpg"]
        inputs += ["-i", tmp_path / "chapters.txt", "-map", "0:a", "-map", "1:v", "-map_metadata", 2]
        coded = ["-map_chapters", 2, "-c:a", "aac", "-c:v", "copy", "-disposition:v", "attached_pic"]
        run(["ffmpeg", "-v", "error", "-y", *inputs, *coded, tmp_path / f"{number}.m4a"]).check_returncode()
    done = tool(tmp_path, "join", "-o", f"joined.{into}", "1.m4a", "2.m4a").expect()
    assert "lost" not in done.diagnostics
    probed = json.loads(
        run(
            ["ffprobe", "-v", "error", "-show_chapters", "-show_streams", "-of", "json", tmp_path / f"joined.{into}"]
        ).stdout
    )
    assert [round(float(one["start_time"])) for one in probed["chapters"]] == [0, 1, 2, 3, 4, 5]
    kinds = [one["codec_name"] for one in probed["streams"] if one["codec_type"] in ("audio", "video")]
    assert kinds == ["aac", "mjpeg"]
    assert abs(len(samples(tmp_path / f"joined.{into}")) - 6 * 44100) < 3000


def samples(file: Path) -> bytes:
    return run(["ffmpeg", "-v", "error", "-i", file, "-map", "0:a", "-f", "u8", "-"]).stdout


@pytest.mark.parametrize("order", [["hdr.mp4", "sdr.mp4"], ["sdr.mp4", "hdr.mp4"]])
def test_hdr_that_is_joined_with_sdr_is_said_to_become_that(order: list[str], tmp_path: Path) -> None:
    tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
    hdr = "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:log-level=error"
    source = ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=1"]
    coded = ["-c:v", "libx265", "-pix_fmt", "yuv420p10le", *tags, "-x265-params", hdr]
    run(["ffmpeg", "-v", "error", "-y", *source, *coded, tmp_path / "hdr.mp4"]).check_returncode()
    coded = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
    run(["ffmpeg", "-v", "error", "-y", *source, *coded, tmp_path / "sdr.mp4"]).check_returncode()
    done = tool(tmp_path, "join", "--json", "--preset", "hevc-high", "-o", "joined.mp4", *order).expect()
    assert "HDR mapped to SDR" in done.text
    shown = ["ffprobe", "-v", "error", "-show_entries", "stream=color_transfer", "-of", "csv=p=0"]
    assert b"smpte2084" not in run([*shown, tmp_path / "joined.mp4"]).stdout


@pytest.mark.parametrize("kind", ["mp4", "mkv", "ts", "fragments"])
def test_ranges_that_begin_amid_a_frame_show_the_rest_of_it(
    kind: str, source_of: Callable[[str, str], Source], tmp_path: Path
) -> None:
    wanted = [
        (Fraction("1.01"), Fraction("2.03")),
        (Fraction("3.333"), Fraction(4)),
        (Fraction("0.51"), Fraction("0.61")),
    ]
    words = [word for start, end in wanted for word in ("--range", f"{float(start)}s..{float(end)}s")]
    done = export(source_of("h264-open", kind).file, tmp_path / "joined.mp4", "--preset", "passthrough", *words)
    assert done.code == 0, done.said
    expected, zero = [], Fraction(0)
    for start, end in wanted:
        frames = range(int(start * RATE), -int(-end * RATE // 1))
        expected += [(frame, max(Fraction(frame, RATE) - start, Fraction(0)) + zero) for frame in frames]
        zero += end - start
    found = pictures(tmp_path / "joined.mp4")
    assert [frame.number for frame in found] == [number for number, _ in expected]
    assert all(abs(frame.time - time) < Fraction(1, 500) for frame, (_, time) in zip(found, expected))


def test_tracks_that_a_movie_cannot_hold_are_left_out_of_a_join(tmp_path: Path) -> None:
    (tmp_path / "font.ttf").write_bytes(bytes(100))
    (tmp_path / "words.srt").write_text("1\n00:00:03,000 --> 00:00:03,500\nlate\n")
    attached = ["-attach", tmp_path / "font.ttf", "-metadata:s:t", "mimetype=application/x-truetype-font"]
    inputs = ["-i", fixture("movie.mp4"), "-i", tmp_path / "words.srt", "-map", "0:v", "-map", "1"]
    words = ["ffmpeg", "-v", "error", *inputs, "-c:v", "copy", "-c:s", "srt", *attached, tmp_path / "film.mkv"]
    run(words).check_returncode()
    done = export(
        tmp_path / "film.mkv",
        tmp_path / "joined.mp4",
        "--preset",
        "passthrough",
        "--range",
        "#10..#30",
        "--range",
        "#50..#60",
    )
    assert done.code == 0, done.said
    assert [frame.number for frame in pictures(tmp_path / "joined.mp4")] == [*range(10, 30), *range(50, 60)]


def test_more_than_a_thousand_pieces_make_a_movie_that_is_read_as_any(tmp_path: Path) -> None:
    """As programs make that leave out silence: pieces of half a frame to a frame and a half."""
    film = tmp_path / "film.mp4"
    source = ["-f", "lavfi", "-i", "testsrc=d=40:s=64x48:r=25"]
    run(["ffmpeg", "-v", "error", *source, "-c:v", "libx264", "-g", "10", film]).check_returncode()
    count = 1200
    rows = [f"{number * 40 / count:.6f},{(number + 0.5) * 40 / count:.6f}" for number in range(count)]
    (tmp_path / "cuts.csv").write_text("start,end\n" + "\n".join(rows) + "\n")
    made = tmp_path / "joined.mp4"
    done = export(film, made, "--preset", "passthrough", "--segments", tmp_path / "cuts.csv")
    assert done.code == 0, done.said
    found = parsed([AVTOOL, "verify", "--json", made])
    assert found["passed"] is True
    probe = [
        "ffprobe",
        "-v",
        "error",
        "-count_frames",
        "-select_streams",
        "v",
        "-show_entries",
        "stream=nb_read_frames",
    ]
    assert int(run([*probe, "-of", "csv=p=0", made]).stdout.split()[0]) == found["frames"]
    track = parsed([AVTOOL, "info", "--json", made])["tracks"][0]
    assert track["nominalFrameRate"] == 25
    assert abs(track["timeRange"]["duration"]["seconds"] - 20) < 0.001
