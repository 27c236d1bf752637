"""Stills that cannot be had, and command lines of `avtool thumbs` that make no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.endings import small_disk
from acceptance.films import fixture
from acceptance.running import AVTOOL
from acceptance.tool import copy_fixture, names, run_program, tool

MOVIE = fixture("movie.mov")


@pytest.mark.parametrize(
    ("name", "at", "code", "words"),
    [
        ("missing.mp4", "0", 66, ["no such file"]),
        ("expected", "0", 66, ["directory"]),
        ("empty.mp4", "0", 65, ["empty"]),
        ("text.mp4", "0", 65, ["not a media file"]),
        ("truncated-no-moov.mp4", "0", 65, ["moov"]),
        ("huge-header.mkv", "0", 75, ["100000x100000"]),
        ("audio-only.m4a", "0", 65, ["no video track"]),
        ("audio-only.mp3", "0", 65, ["no video track"]),
        ("attached-picture.m4a", "0", 65, ["no video track"]),
        ("attached-picture.mp3", "0", 65, ["no video track"]),
        ("zero-frames.mp4", "0", 65, []),
        ("movie.mov", "11", 65, ["11", "10"]),
        ("movie.mov", "#250", 65, ["250 frames"]),
        ("vfr.mp4", "1000s", 65, ["beyond the end"]),
        ("hls-named.mp4", "0", 65, ["not allowed"]),
        ("concat-named.mp4", "0", 65, ["not allowed"]),
    ],
)
def test_a_still_that_fails_is_one_line_with_the_documented_exit_code_and_no_file(
    tmp_path: Path, name: str, at: str, code: int, words: list[str]
) -> None:
    run = tool(tmp_path, "thumbs", "--at", at, fixture(name)).expect(code)
    assert run.output == b""
    assert len(run.diagnostic_lines) == 1
    assert run.diagnostics.startswith(f"avtool: {fixture(name)}: ")
    assert [word for word in words if word not in run.diagnostics] == [], run
    assert names(tmp_path) == []


@pytest.mark.peer("strace")
@pytest.mark.parametrize(("name", "other"), [("hls-named.mp4", "h264.ts"), ("concat-named.mp4", "movie.mp4")])
def test_a_playlist_that_is_called_a_video_never_opens_another_file(tmp_path: Path, name: str, other: str) -> None:
    for fixture_name in (name, other):
        copy_fixture(fixture_name, tmp_path / fixture_name)
    watched = ["strace", "-f", "-e", "trace=open,openat,openat2,stat,newfstatat", "-o", "trace"]
    run_program([*watched, AVTOOL, "thumbs", "--at", "0", name], tmp_path).expect(65)
    trace = (tmp_path / "trace").read_text(errors="replace")
    assert name in trace
    assert other not in trace


def test_thumbs_of_a_truncated_file_are_what_it_has_and_the_rest_is_refused(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--at", "end,0,2", fixture("truncated.mp4")).expect(65)
    assert run.lines == ["0 → 0  truncated-2.png", "2 → 2  truncated-3.png"]
    assert len(run.diagnostic_lines) == 1
    assert names(tmp_path) == ["truncated-2.png", "truncated-3.png"]


def test_a_damaged_frame_is_refused_unless_it_is_asked_for(tmp_path: Path) -> None:
    # Frame 140 lies among the broken ones; 0 does not.
    options = ["thumbs", "--at", "0,#140", fixture("damaged.mp4")]
    tool(tmp_path, *options).expect(65)
    assert names(tmp_path) == ["damaged-1.png"]
    lax = tool(tmp_path, *options, "--allow-damaged", "--json", "--force").expect()
    assert [still["damaged"] for still in lax.json] == [False, True]


@pytest.mark.parametrize(
    ("times", "part"),
    [
        ("0,1:99", "99"), ("0,abc", "abc"), ("1,,2", "empty"), ("-1", "-1"), ("1/0", "zero"), ("101%", "101"),
        ("#x", "x"), ("1w", "w"), ("", "empty"), ("0,\x1b[31m", "\\u{1b}"),
    ],
    ids=lambda value: value.replace("\x1b", "ESC") or "nothing",
)  # fmt: skip
def test_a_malformed_list_of_times_is_a_usage_error_that_names_the_part(tmp_path: Path, times: str, part: str) -> None:
    option = [f"--at={times}"] if times else ["--at", ""]
    run = tool(tmp_path, "thumbs", *option, MOVIE).expect(64)
    assert run.output == b""
    assert part in run.diagnostics
    assert "\x1b" not in run.diagnostics
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "line",
    [
        "thumbs x.mov",
        "thumbs --at 0",
        "thumbs --at 0 --count 1 x.mov",
        "thumbs --count 0 x.mov",
        "thumbs --at 0 --window 1s x.mov",
        "thumbs --at 0 --representative --tolerance 1s x.mov",
        "thumbs --at 0 --representative --window 0 x.mov",
        "thumbs --at 0 --hdr --format webp x.mov",
        "thumbs --every 0 x.mov",
        "thumbs --at 0 --size 0x0 x",
        "thumbs --at 0 --quality 101 x",
        "thumbs --at 0 --format bmp x",
        "info",
        "verify --samples 0 x",
        "nonsense",
    ],
)
def test_wrong_use_of_thumbs_is_told_apart_from_bad_files(tmp_path: Path, line: str) -> None:
    run = tool(tmp_path, *line.split()).expect(64)
    assert run.output == b""
    assert run.diagnostics != ""


@pytest.mark.parametrize("pattern", ["nowhere/still.png", "file/{name}.png", "/proc/{name}.png"])
def test_a_folder_that_takes_no_files_is_a_failure_of_the_output(tmp_path: Path, pattern: str) -> None:
    (tmp_path / "file").write_text("x")
    run = tool(tmp_path, "thumbs", "--at", "0", "-o", pattern, MOVIE).expect(73)
    assert run.output == b""
    assert len(run.diagnostic_lines) == 1
    assert names(tmp_path) == ["file"]


@pytest.mark.root
def test_a_full_disk_leaves_no_part_of_a_still(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 8192) as disk:
        run = tool(tmp_path, "thumbs", "--at", "0", "-o", "disk/", MOVIE).expect(74)
        assert len(run.diagnostic_lines) == 1
        assert names(disk) == []
