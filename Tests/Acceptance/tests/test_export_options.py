"""Options of `avtool export` that change what a preset says: codings, tracks, streams, effects."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import ffmpeg, run, text
from acceptance.tool import ffprobe, names, tool

MOVIE = fixture("movie.mp4")

# --- changes of a preset ----------------------------------------------------------------

IMPOSSIBLE = [
    ("--preset passthrough --quality 20", "--quality: the preset passthrough encodes no pictures"),
    ("--preset high --quality 52", "--quality: must be from 0 to 51"),
    ("--preset high --quality 20 --bitrate 1M", "Give one of --quality and --bitrate"),
    ("--preset high --bitrate 1k", "--bitrate: must be from 10000 to 1000000000"),
    ("--preset high --bitrate x", "The value 'x' is invalid"),
    ("--preset prores-422 --bitrate 1M", "--bitrate: the encoder has no bit rate to choose"),
    ("--preset high --fps 0", "--fps: must be from 1 to 1000"),
    ("--preset high --size 1x1", "--size: must be from 2 to 16384"),
    ("--preset high --size 100", "The value '100' is invalid"),
    ("--preset high --rotate 45", "--rotate: must be one of 0, 90, 180, 270"),
    ("--preset high --crop 10x10", "The value '10x10' is invalid"),
    ("--preset m4a --crop 10x10+0+0", "--crop: the preset m4a encodes no pictures"),
    ("--preset flac --audio-bitrate 64k", "--audio-bitrate: flac has no bit rate that could be chosen"),
    ("--preset opus --audio-bitrate 2M", "audio.bitRates: "),
    ("--preset high --tracks a", "The value 'a' is invalid"),
    ("--preset hls -o x.m3u8", "the preset hls makes a folder"),
]


@pytest.mark.parametrize(("options", "said"), IMPOSSIBLE, ids=[options for options, _ in IMPOSSIBLE])
def test_an_impossible_change_of_a_preset_is_one_line_and_no_file(options: str, said: str, tmp_path: Path) -> None:
    run = tool(tmp_path, "export", *options.split(), MOVIE).expect(64)
    assert len(run.diagnostic_lines) == 1 and said in run.diagnostics, run
    assert names(tmp_path) == []


def test_export_options_take_the_place_of_what_the_preset_says(tmp_path: Path) -> None:
    video = ["--size", "160x160", "--fps", "12.5", "--bitrate", "200k"]
    options = [*video, "--audio-bitrate", "64k", "--range", "..4s"]
    tool(tmp_path, "export", "--preset", "high", *options, "-o", "new.mp4", MOVIE).expect(0)
    new = tmp_path / "new.mp4"
    assert ffprobe(new, "stream=width,height,avg_frame_rate", "-select_streams", "v") == ["160,120,25/2"]
    rates = [float(rate) for rate in ffprobe(new, "stream=bit_rate")]
    assert abs(rates[0] / 200_000 - 1) < 0.25 and abs(rates[1] / 64_000 - 1) < 0.1, rates


@pytest.mark.parametrize(("options", "count"), [("--no-audio", 2), ("--no-subtitles", 4), ("--tracks 1,3", 2)])
def test_tracks_that_an_option_leaves_out_are_no_loss(options: str, count: int, tmp_path: Path) -> None:
    words = ["export", "--preset", "passthrough", *options.split(), "-o", "new.mp4"]
    run = tool(tmp_path, *words, fixture("languages.mp4")).expect(0)
    assert run.diagnostics == ""
    assert len(ffprobe(tmp_path / "new.mp4", "stream=index")) == count


def test_export_of_a_track_that_is_not_there_is_refused(tmp_path: Path) -> None:
    words = ["export", "--preset", "passthrough", "--tracks", "9", "-o", "x.mp4"]
    run = tool(tmp_path, *words, fixture("languages.mp4")).expect(65)
    assert "there is no track 9" in run.diagnostics, run


def test_a_stream_of_segments_is_a_folder_that_force_replaces(tmp_path: Path) -> None:
    for force in [], ["--force"]:
        run = tool(tmp_path, "export", "--preset", "hls", "--no-audio", "--range", "..1s", *force, MOVIE).expect(0)
        assert run.lines[0].startswith("movie-hls: 0 s to 1 s"), run
        assert names(tmp_path) == ["movie-hls"]
    again = tool(tmp_path, "export", "--preset", "hls", MOVIE).expect(73)
    assert "--force replaces it" in again.diagnostics, again
    tool(tmp_path, "export", "--preset", "hls", "--dry-run", "-o", "other", MOVIE).expect(0)
    assert names(tmp_path) == ["movie-hls"]


# --- effects ----------------------------------------------------------------------------


def loudness(path: Path) -> float:
    """The integrated loudness in LUFS that ffmpeg's filter finds."""
    said = text(run(["ffmpeg", "-hide_banner", "-nostdin", "-i", path, "-af", "ebur128", "-f", "null", "-"]).stderr)
    return float([line for line in said.splitlines() if "I: " in line][-1].split("I: ")[1].split()[0])


def test_export_applies_volume_fades_and_an_overlay(tmp_path: Path) -> None:
    ffmpeg("-f", "lavfi", "-i", "color=c=red:s=8x8", "-frames:v", "1", tmp_path / "logo.png")
    audio = ["--volume", "-16LUFS", "--fade-in", "1s", "--fade-out", "500ms"]
    overlay = ["--overlay", tmp_path / "logo.png", "--overlay-at", "-1,0", "--overlay-width", "25%"]
    words = ["export", "--preset", "high", *audio, *overlay, "--overlay-opacity", "0.5"]
    tool(tmp_path, *words, "-o", "one.mp4", MOVIE).expect(0)
    assert abs(loudness(tmp_path / "one.mp4") + 16) < 0.8


def test_join_normalizes_the_volume_of_several_videos(tmp_path: Path) -> None:
    tool(tmp_path, "join", "--preset", "high", "--volume", "normalize", "-o", "two.mp4", MOVIE, MOVIE).expect(0)
    assert abs(loudness(tmp_path / "two.mp4") + 23) < 0.5


@pytest.mark.parametrize(("factor", "duration"), [("2", "5.000000"), ("0.5", "20.000000"), ("25/24", "9.600000")])
def test_export_at_another_speed_keeps_the_number_of_frames(factor: str, duration: str, tmp_path: Path) -> None:
    tool(tmp_path, "export", "--preset", "high", "--speed", factor, "-o", "new.mp4", MOVIE).expect(0)
    shown = ffprobe(tmp_path / "new.mp4", "stream=nb_frames,duration", "-select_streams", "v:0")
    assert shown == [f"{duration},250"]


BAD_EFFECTS = [
    ("--preset passthrough --fade-in 1s", 65),
    ("--preset high --fade-in 11s", 65),
    ("--preset high --volume loud", 64),
    ("--preset high --speed 0", 64),
    ("--preset high --overlay missing.png", 66),
    ("--preset high --overlay-at top", 64),
    ("--preset gif --fade-out 1s", 65),
]


@pytest.mark.parametrize(("options", "code"), BAD_EFFECTS, ids=[options for options, _ in BAD_EFFECTS])
def test_an_impossible_effect_is_one_line_the_documented_code_and_no_file(
    options: str, code: int, tmp_path: Path
) -> None:
    ending = "gif" if "gif" in options else "mp4"
    run = tool(tmp_path, "export", *options.split(), "-o", f"new.{ending}", MOVIE).expect(code)
    assert len(run.diagnostic_lines) == 1, run
    assert names(tmp_path) == []
