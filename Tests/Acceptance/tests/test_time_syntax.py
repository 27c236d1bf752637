"""How times are written on the command line, and which frame each names.

Videos with a rate that no decimal number hits are made by ffmpeg; ffprobe says how many frames they have.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import Json, ffmpeg
from acceptance.tool import ffprobe, names, ticks, tool

MOVIE = fixture("movie.mov")


def fraction(time: Json) -> Fraction:
    return Fraction(*ticks(time))


def make_video(path: Path, *options: str, rate: str = "240") -> None:
    ffmpeg("-f", "lavfi", "-i", f"testsrc=size=64x48:rate={rate}", "-c:v", "mpeg4", *options, path)


def test_a_fraction_of_the_duration_is_not_rounded_to_the_next_frame(tmp_path: Path) -> None:
    """2/3 of 1 s was rounded up to the track's ticks of 1/25 s, and gave frame 17, which begins at 0.68 s."""
    stills = tool(tmp_path, "thumbs", "--at", "2/3,1/3", "--size", "32x0", "--json", fixture("mjpeg.avi")).expect().json
    [info] = tool(tmp_path, "info", "--json", fixture("mjpeg.avi")).expect().json
    duration = fraction(info["duration"])
    assert len(stills) == 2
    for still, part in zip(stills, (Fraction(1, 3), Fraction(2, 3))):
        assert fraction(still["requested"]) == part * duration
        # Frames are a tick apart.
        assert ticks(still["actual"]) == (int(part * duration * 25), 25)


# Videos whose frames begin at odd times, and the options of ffmpeg that make them.
ODD_VIDEOS = {
    "ntsc.mp4": "-r 30000/1001 -t 1",
    "cinema.mkv": "-r 24000/1001 -t 1",
    "twelve.avi": "-r 12 -t 2",
    "slow.mov": "-r 1/3 -t 30",
    "fast.mp4": "-r 240000/1001 -t 0.2 -c:v mjpeg -video_track_timescale 240000",
    "tens.ts": "-r 60000/1001 -t 0.5 -c:v mpeg2video",
    "variable.mp4": "-t 2 -vf fps=30,select='not(mod(n,7))+not(mod(n,11))' -fps_mode vfr",
}


@pytest.mark.parametrize("name", ODD_VIDEOS)
def test_the_time_that_is_printed_for_a_frame_names_that_frame(tmp_path: Path, name: str) -> None:
    """The printed 0.083333 of a frame at 1/12 s gave the frame before; seconds of JSON had "too many digits"."""
    make_video(tmp_path / name, "-bf", "0", *ODD_VIDEOS[name].split())
    count = len(ffprobe(tmp_path / name, "packet=pts", "-select_streams", "v:0"))
    assert count > 5
    every_frame = ",".join(f"#{number}" for number in range(count))
    more = ["--size", "16x0", "--force", "-o", "x_{index}_{actual}.png", name]
    frames = tool(tmp_path, "thumbs", "--json", "--at", every_frame, *more).expect().json
    assert len(frames) == count
    in_names = [Path(frame["file"]).stem.split("_")[-1] for frame in frames]
    in_words = [line.split()[2] for line in tool(tmp_path, "thumbs", "--at", every_frame, *more).expect().lines]
    assert in_words == in_names
    seconds = [frame["actual"]["seconds"] for frame in frames]
    for texts in (in_names, [repr(value) for value in seconds], [f"{value:.17g}" for value in seconds]):
        again = tool(tmp_path, "thumbs", "--json", "--at", ",".join(texts), *more).expect().json
        assert [ticks(frame["actual"]) for frame in again] == [ticks(frame["actual"]) for frame in frames]
        assert [frame["index"] for frame in again] == [frame["index"] for frame in frames]


def test_a_time_that_is_not_in_the_video_fails_alone(tmp_path: Path) -> None:
    """One `#N` or `end-20s` out of range made the whole list fail."""
    times = "1, #99999,end-20s,2s,01:00:00:00,1000"
    run = tool(tmp_path, "thumbs", "--at", times, "--size", "32x0", MOVIE).expect(65)
    assert run.lines == ["1 → 1  movie-1.png", "2 → 2  movie-4.png"]
    assert len(run.diagnostic_lines) == 4
    for words in ("250 frames", "lies before the start", "is not in the film", "beyond the end"):
        assert words in run.diagnostics
    assert names(tmp_path) == ["movie-1.png", "movie-4.png"]


def test_json_names_the_times_that_are_not_in_the_video_as_they_were_written(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--json", "--at", "#99999, 2s,end-20s ", "--size", "32x0", MOVIE).expect(65)
    [frame, before, made] = run.json
    assert [frame["index"], before["index"], made["index"]] == [1, 3, 2]
    assert [frame["requested"], before["requested"]] == ["#99999", "end-20s"]
    assert not isinstance(made["requested"], str)
    assert [frame["error"]["code"], before["error"]["code"]] == ["noImageAtTime", "invalidTime"]
    assert "error" not in made
    assert made["file"] == "movie-2.png"


@pytest.mark.parametrize("options", ["--at -1s", "--at=-1s", "--at 1,-1s", "--every -1s", "--every=-1s"])
def test_a_negative_time_is_refused_as_that(tmp_path: Path, options: str) -> None:
    run = tool(tmp_path, "thumbs", *options.split(), MOVIE).expect(64)
    assert len(run.diagnostic_lines) == 1
    assert "must not be negative" in run.diagnostics


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (".5", "0.5 → 0.48"),
        ("1e0", "1 → 1"),
        ("0h0m2s", "2 → 2"),
        ("0m1.5s", "1.5 → 1.48"),
        ("00:00:04:07", "4.28 → 4.28"),
        ("25%", "2.5 → 2.48"),
    ],
)
def test_every_form_of_a_time_has_its_frame(tmp_path: Path, text: str, times: str) -> None:
    run = tool(tmp_path, "thumbs", "--at", text, "--size", "32x0", MOVIE).expect()
    assert run.lines == [f"{times}  movie-1.png"]


def test_even_stills_are_spread_over_the_time_that_has_frames(tmp_path: Path) -> None:
    """The audio goes on for two seconds, the video ends after one: half of the stills were the last frame."""
    ffmpeg(
        *["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=1", "-f", "lavfi", "-i", "sine=duration=2"],
        *["-c:v", "mpeg4", tmp_path / "long-audio.mp4"],
    )
    run = tool(tmp_path, "thumbs", "--count", "4", "--size", "32x0", "--json", "long-audio.mp4").expect()
    # Frames 3, 9, 15 and 21 are shown at 0.125, 0.375, 0.625 and 0.875 s.
    assert [int(fraction(still["actual"]) * 25) for still in run.json] == [3, 9, 15, 21]
    quarter = tool(tmp_path, "thumbs", "--at", "1/4", "--size", "32x0", "--force", "long-audio.mp4").expect()
    assert quarter.lines[0].startswith("0.5")


def test_timecodes_are_those_of_the_timecode_track(tmp_path: Path) -> None:
    make_video(tmp_path / "drop.mov", "-t", "4", "-timecode", "01:00:58;00", rate="30000/1001")
    assert "timecode 01:00:58;00" in tool(tmp_path, "info", "drop.mov").expect().lines[1]
    [info] = tool(tmp_path, "info", "--json", "drop.mov").expect().json
    assert info["timecode"] == "01:00:58;00"
    times = "01:00:58;00,01:00:59;29,01:01:00;02,01:01:00;00,01:00:59:00"
    run = tool(tmp_path, "thumbs", "--json", "--size", "32x0", "--at", times, "drop.mov").expect(65)
    # Frames 0, 59 and 60: 01:01:00;00 and ;01 are left out.
    shown = [fraction(still["actual"]) for still in run.json if "actual" in still]
    assert [int(time * 30000 / 1001) for time in shown] == [0, 59, 60]
    assert "is a number that drop frame leaves out" in run.diagnostics
    assert "write ; before the frames" in run.diagnostics


def test_ranges_of_an_export_are_exact(tmp_path: Path) -> None:
    """Fractions were rounded to the track's ticks here as well."""
    options = ["--preset", "passthrough", "--range", "1/3..2/3", "--json", "--dry-run", "-o", "x.mov"]
    requested = tool(tmp_path, "export", *options, MOVIE).expect().json[0]["requestedRange"]
    assert fraction(requested["start"]) == Fraction(10, 3)
    assert fraction(requested["duration"]) == Fraction(10, 3)


def test_a_negative_range_of_an_export_is_refused_as_that(tmp_path: Path) -> None:
    run = tool(tmp_path, "export", "--preset", "passthrough", "--range", "-1s..2s", MOVIE).expect(64)
    assert "must not be negative" in run.diagnostics
