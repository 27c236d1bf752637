"""Checks `avtool storyboard`: that each tile is the very frame that its cue's time names.

For each film the command runs as usual and with --exact, with all other indexes. Then the set is
read as players would: tiles are cut out of the sheets where the WebVTT's cues say. All frames of the
film are decoded from start to end by ffmpeg, turned upright and scaled to the tile's size; the tile
must be the frame on screen when its cue starts, not one of the twelve before or after it (those
that look the same cannot be told apart, and are counted as `alike`). On the fixtures the frame's
number is read from its bar code instead, and its time is the sidecar's.

Also: cues from zero to the film's end without gap or overlap, borders at the frames' times
rounded up to the millisecond; a tile for each interval; a sync sample within half an interval or else
the exact frame (which may be taken where it lies on the way: noted, wrong with --picky); the film's
duration as ffprobe or mediainfo have it; the same grid, times and pictures in JSON, HLS, DASH, BIF and
Jellyfin's tiles; no file too many or too few.

test_storyboard_checker checks the checker.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from acceptance import films
from acceptance.running import AVTOOL, json_lines, run, text
from acceptance.storyboard_frames import check_frames
from acceptance.storyboard_reference import Reference, SkipError
from acceptance.storyboard_sets import Board, check_set

LEFT_OUT = re.compile(
    r"\.(jpe?g|png|heic|avif|webp|mp3|m4a|flac|wav|aiff|opus|ogg|m4b|pdf)$|empty\.mp4|text\.mp4|-named\.mp4|zero-frames"
    r"|audio-only|attached|truncated-no-moov"
)
EXTRAS = ("--bif", "--hls", "--dash")
CORPUS = (
    "frame-exact/movie_300.mp4 frame-exact/frames.webm frame-exact/green-at-15.mp4 open-gop/video-h265.mp4 "
    "open-gop/hevc.ts edit-list/edts.mp4 edit-list/sample_edit_list.mp4 vfr/cursed-vfr.mp4 vfr/FLIR*Thermal.mp4 "
    "start-time/edit_list_positive_shift.mp4 start-time/bbb*.mp4 aspect/sar_2x1.mp4 aspect/hdv-720p60.mov "
    "rotation/video_90.mov rotation/sample_rotate_and_reflect.mp4 hdr/hlg10-color-test.mp4 interlaced/xdcam*.mov "
    "video-basic/sintel_trailer-720p.mp4 video-basic/bikes.mp4 long-gop/bunny_hd_5s.mp4 mkv/sample_with_chapters.mkv "
    "multi-track/nasa_13013.mp4 webm/no_duration.webm webm/av1_video.mkv ts-ps/sd-hls0000000000.ts avi/sample.avi "
    "quicktime-meta/quicktime-hvc1.mov timecode/max-heromode.mp4 flv/sample.flv other-containers/sample.3gp"
).split()


def interval_for(file: Path, format: str) -> str:
    """For a few dozen tiles, and no multiple of usual frame durations; Jellyfin takes JPEG, a second apart or more."""
    shown = run(["ffprobe", "-v", "quiet", "-of", "csv=p=0", "-show_entries", "format=duration", f"file:{file}"])
    try:
        seconds = float(text(shown.stdout))
    except ValueError:
        seconds = 4.0
    milliseconds = max(1001 if format == "jpeg" and seconds > 3 else 7, round(min(seconds, 3600) * 1000 / 37))
    return f"{milliseconds}ms"


def refused(code: int, said: str, folder: Path) -> list[str]:
    """What is wrong with a refusal."""
    lines = said.splitlines()
    problems = [] if code in (65, 75) else [f"refused, exit code {code}: {said[:200]}"]
    problems += [] if len(lines) == 1 else [f"{len(lines)} lines on standard error: {said[:200]}"]
    left = [p.name for p in folder.iterdir()]
    return problems + ([f"left {left}"] if left else [])


def check_output(file: Path, output: Path, exact: bool, picky: bool) -> list[str]:
    board = Board.read(output)
    try:
        reference = Reference.of(file, board.size)
    except SkipError as reason:
        assert not check_set(board)
        pytest.skip(f"made, but not compared: {reason}")
    verdict = check_frames(board, reference, exact=exact)
    return verdict.problems + (verdict.slow if picky else []) + check_set(board)


# Fixtures of every container and codec that tests go through each time.
QUICK = "movie.mov movie.mp4 vp9.webm h264.ts clean-aperture.mov rotate-90.mp4 vfr.mp4 edit-list-trim.mp4"
# Where ffmpeg's linear decode, which is compared with, has other times than the bar codes (Fixtures/README.md).
UNTIMED = ["h264.avi", "mpeg4-b.avi", "packed-b.avi", "raw.m2v"]
LATE = pytest.mark.xfail(reason="ffmpeg's times of these pictures are late by the decoder's delay", strict=True)
FILMS = [
    *films.fixtures(f"{LEFT_OUT.pattern}|^({'|'.join(map(re.escape, UNTIMED))})$", QUICK),
    *(
        pytest.param(films.fixture(name), id=name, marks=[pytest.mark.slow, LATE])
        for name in UNTIMED
        if not films.CHOSEN
    ),
    *films.corpus(*CORPUS),
]
FORMATS = ["png", *(pytest.param(name, marks=pytest.mark.slow) for name in ("jpeg", "webp", "avif"))]


@pytest.mark.peer("mediainfo")
@pytest.mark.parametrize("exact", [False, True], ids=["", "exact"])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("file", FILMS)
def test_storyboards(file: Path, format: str, exact: bool, is_picky: bool, tmp_path: Path) -> None:
    folder = tmp_path / "sets"
    folder.mkdir()
    output, size = folder / "set", "2000x0" if file.parent == films.FIXTURES else "160x0"
    command: list[object] = [AVTOOL, "storyboard", "--json", "--every", interval_for(file, format), "--tile", size]
    command += ["--columns", "5", "--rows", "4", "--format", format, *EXTRAS, *(["--exact"] if exact else [])]
    command += ["-o", output, file]
    result = run([*command, "--jellyfin"], 1800)
    if result.returncode == 64 and "Jellyfin" in text(result.stderr):
        result = run(command, 1800)
    if result.returncode:
        problems = refused(result.returncode, text(result.stderr), folder)
        assert not problems
        pytest.skip(text(result.stderr))
    problems = check_output(file, output, exact, is_picky)
    assert not problems, shlex.join(map(str, command))
    assert json_lines(result.stdout), "--json printed nothing"
