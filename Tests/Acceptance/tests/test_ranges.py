"""`--from` and `--to`: ranges of a video that stills, sheets, storyboards and verification keep to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import Json
from acceptance.tool import names, ticks, tool

# 250 frames, 25 a second, with a sync sample each second.
MOVIE = fixture("movie.mov")


def frame(time: Json) -> int:
    value, timescale = ticks(time)
    return value * 25 // timescale


def document_of(folder: Path) -> Json:
    document: Json = json.loads((folder / "storyboard.json").read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ("--every 1s --from 2.5s --to 5s", [62, 87, 112]),
        ("--every 1s --from end-2s", [200, 225]),
        ("--every 1s --to #50", [0, 25]),
        ("--count 2 --from 50% --to 9s", [150, 200]),
        ("--keyframes --from 2s --to 4s", [50, 75]),
        ("--keyframes --from 2.01s --to 100s", [75, 100, 125, 150, 175, 200, 225]),
    ],
)
def test_stills_of_a_range_are_of_that_range_only(tmp_path: Path, options: str, wanted: list[int]) -> None:
    run = tool(tmp_path, "thumbs", "--json", "--size", "32x0", *options.split(), MOVIE).expect()
    assert [frame(still["actual"]) for still in run.json] == wanted


def test_a_sheet_of_a_range_is_of_that_range_only(tmp_path: Path) -> None:
    part = ["--json", "--from", "2s", "--to", "6s", "--tile", "32x0"]
    [sheet] = tool(tmp_path, "sheet", "--count", "4", *part, MOVIE).expect().json
    # The middles of four seconds.
    assert [frame(tile["actual"]) for tile in sheet["tiles"]] == [62, 87, 112, 137]


def test_a_sheet_of_chapters_has_those_that_begin_in_the_range(tmp_path: Path) -> None:
    part = ["--json", "--from", "2s", "--to", "6s", "--tile", "32x0"]
    [sheet] = tool(tmp_path, "sheet", "--chapters", *part, MOVIE).expect().json
    # Chapters begin at 0, 3 and 7 s.
    assert [frame(tile["actual"]) for tile in sheet["tiles"]] == [75]


def test_the_cues_of_a_storyboard_of_a_range_cover_that_range_only(tmp_path: Path) -> None:
    part = ["--every", "1s", "--from", "2.5s", "--to", "5.2s", "-o", "set", MOVIE]
    run = tool(tmp_path, "storyboard", "--json", *part).expect()
    lines = (tmp_path / "set/storyboard.vtt").read_text(encoding="utf-8").splitlines()
    # Sync samples lie at whole seconds; that of 5 s lies within half a second of 4.5 s.
    assert [line for line in lines if "-->" in line] == [
        "00:00:02.500 --> 00:00:03.480",
        "00:00:03.480 --> 00:00:04.480",
        "00:00:04.480 --> 00:00:05.200",
    ]
    for document in (document_of(tmp_path / "set"), run.json[0]):
        assert document["part"]["start"]["seconds"] == 2.5
        assert document["part"]["end"]["seconds"] == 5.2
    again = tool(tmp_path, "storyboard", "--if-newer", *part).expect()
    assert again.text == "set: up to date\n"
    whole = tool(tmp_path, "storyboard", "--if-newer", "--every", "1s", "-o", "set", MOVIE).expect()
    assert whole.text.startswith("set: 10 tiles")


def test_a_storyboard_of_a_range_shows_no_frame_from_beyond_its_end(tmp_path: Path) -> None:
    # The sync sample of 3 s lies within half an interval of 2.8 s, but behind the range.
    part = ["--every", "1s", "--from", "0.8s", "--to", "2.9s", "-o", "set"]
    tool(tmp_path, "storyboard", *part, MOVIE).expect()
    assert [frame(tile["actual"]) for tile in document_of(tmp_path / "set")["tiles"]] == [20, 50, 70]


def test_verify_of_a_range_asks_for_the_frames_of_that_range(tmp_path: Path) -> None:
    part = ["--samples", "300", "--from", "2s", "--to", "3s"]
    [found] = tool(tmp_path, "verify", "--json", *part, MOVIE).expect().json
    assert found["frames"] == 25
    assert found["asked"] == 100  # first and last instant of each, in two orders
    assert found["wrong"] == 0


def test_verify_of_a_range_does_not_notice_damage_elsewhere(tmp_path: Path) -> None:
    tool(tmp_path, "verify", "--json", fixture("damaged.mp4")).expect(65)
    tool(tmp_path, "verify", "--json", "--to", "0.5s", fixture("damaged.mp4")).expect()


@pytest.mark.parametrize("command", ["thumbs --count 2", "sheet", "storyboard", "verify"])
@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("--from 3s --to 3s", 64),
        ("--from 5s --to 1", 64),
        ("--from x", 64),
        ("--from 75% --to #10", 64),
        ("--from 1,2", 64),
        ("--from 20s", 65),
    ],
)
def test_a_range_has_to_lie_in_the_video_and_to_begin_before_it_ends(
    tmp_path: Path, command: str, options: str, code: int
) -> None:
    run = tool(tmp_path, *command.split(), *options.split(), MOVIE).expect(code)
    assert len(run.diagnostic_lines) == 1, run
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "line",
    [
        "thumbs --at 1 --from 0",
        "sheet --at 1 --to 5s",
        "storyboard --bif --from 1s",
        "storyboard --hls --to 5s",
        "storyboard --dash --to 5s",
        "storyboard --jellyfin --to 5s",
    ],
)
def test_a_range_goes_neither_with_named_times_nor_with_what_counts_from_the_start(tmp_path: Path, line: str) -> None:
    tool(tmp_path, *line.split(), MOVIE).expect(64)
    assert names(tmp_path) == []
