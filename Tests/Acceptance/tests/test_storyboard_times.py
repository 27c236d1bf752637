"""Storyboards of media files that begin late: what a browser shows decides which times are right.

The numbers of the frames are in their pixels, and Chromium is asked for those of the video and of the tiles.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import ROOT, Json
from acceptance.tool import BROWSER_LIMIT, run_program, shell, tool

VIDEO_CHECK = ROOT / "Tests/Acceptance/browser/storyboard_film.py"
MOVIE = shlex.quote(str(fixture("movie.mp4")))
VP9 = shlex.quote(str(fixture("vp9.webm")))
FFMPEG = "ffmpeg -nostdin -v error"


@dataclass(frozen=True)
class LateVideo:
    """A media file that begins late, and the script that makes it."""

    name: str
    script: str

    def make(self, folder: Path) -> None:
        shell(folder, f"set -e; {self.script}").expect()


def fragments(maps: str, name: str) -> LateVideo:
    """The later half of a fragmented movie, behind the header of the whole, whose edit lists are taken out."""
    script = f"""
        mkdir f && cd f && {FFMPEG} -i {MOVIE} {maps} -c copy -dn -map_chapters -1 -f hls -hls_time 5 \
            -hls_playlist_type vod -hls_segment_type fmp4 -hls_segment_filename s%d.m4s x.m3u8
        LC_ALL=C sed s/edts/free/g init.mp4 | cat - s1.m4s > ../{name} && cd .. && rm -r f
    """
    return LateVideo(name, script)


LATE_WEBM = LateVideo("late.webm", f"{FFMPEG} -i {VP9} -map 0:v -c copy -output_ts_offset 4.986 late.webm")
VIDEOS = {
    "Matroska": [
        LATE_WEBM,
        LateVideo(
            "late-audio.mkv", f"{FFMPEG} -i {MOVIE} -map 0:v -map 0:a -c copy -output_ts_offset 5 late-audio.mkv"
        ),
        LateVideo(
            "late-video.mkv", f"{FFMPEG} -itsoffset 3 -i {MOVIE} -i {MOVIE} -map 0:v -map 1:a -c copy late-video.mkv"
        ),
        # Audio from 7 ms before zero on.
        LateVideo("vp9.webm", f"cp {VP9} ."),
        # Chromium lets this one stand at 0 until it is played, and still counts from the container's zero.
        LateVideo("nonzero-start.mkv", f"cp {shlex.quote(str(fixture('nonzero-start.mkv')))} ."),
    ],
    "edit lists": [
        LateVideo("empty-edit.mp4", f"{FFMPEG} -i {MOVIE} -map 0:v -c copy -output_ts_offset 3 empty-edit.mp4"),
        LateVideo(
            "empty-edit-and-audio.mp4",
            f"{FFMPEG} -itsoffset 3 -i {MOVIE} -i {MOVIE} -map 0:v -map 1:a -c copy empty-edit-and-audio.mp4",
        ),
        LateVideo("trimmed.mp4", f"cp {shlex.quote(str(fixture('edit-list-trim.mp4')))} trimmed.mp4"),
    ],
    "fragments": [
        fragments("-map 0:v", "fragments.mp4"),
        fragments("-map 0:v -map 0:a", "fragments-and-audio.mp4"),
    ],
}


def document_of(folder: Path) -> Json:
    document: Json = json.loads((folder / "storyboard.json").read_text(encoding="utf-8"))
    return document


def check_in_chromium(folder: Path, option: str, videos: Sequence[LateVideo]) -> None:
    """Compares videos with their storyboards in one browser: to start it takes longer than to look at a video."""
    pairs = [f"{video.name}=of-{Path(video.name).stem}" for video in videos]
    # The names of Chromium's sockets may have 107 bytes.
    words = [sys.executable, VIDEO_CHECK, option, folder, *pairs]
    run = run_program(words, folder, environment={"TMPDIR": "/tmp"}, limit=BROWSER_LIMIT)
    assert run.code == 0, [line for line in run.lines if not line.startswith("ok ")] or run


def make_storyboards(folder: Path, videos: Sequence[LateVideo]) -> None:
    for video in videos:
        video.make(folder)
        tool(folder, "storyboard", "--every", "1s", "--with-player", "-o", "of-{name}", video.name).expect()


@pytest.mark.peer("chromium", "chromedriver")
@pytest.mark.parametrize("videos", VIDEOS.values(), ids=VIDEOS)
def test_a_storyboard_of_a_video_that_begins_late_shows_in_chromium_what_the_video_shows(
    tmp_path: Path, videos: list[LateVideo]
) -> None:
    """A WebM whose first timestamp is 5 s was given cues from 0 on, and every preview was 5 s late in Chromium."""
    make_storyboards(tmp_path, videos)
    check_in_chromium(tmp_path, "--both", videos)


@pytest.mark.peer("chromium", "chromedriver")
def test_the_page_of_a_storyboard_of_a_container_with_an_origin_follows_players(tmp_path: Path) -> None:
    """Firefox and Safari let videos that begin late begin at zero; here the video itself is shifted instead."""
    make_storyboards(tmp_path, [LATE_WEBM])
    shift = f"{FFMPEG} -i {LATE_WEBM.name} -c copy shifted.webm && mv shifted.webm {LATE_WEBM.name}"
    shell(tmp_path, f"set -e; {shift}").expect()
    check_in_chromium(tmp_path, "--page", [LATE_WEBM])


@pytest.mark.parametrize(("times", "first"), [("container", "00:00:06.000"), ("asset", "00:00:01.000")])
def test_the_cues_of_a_storyboard_count_as_they_are_told_to_and_tell_the_origin(
    tmp_path: Path, times: str, first: str
) -> None:
    LATE_WEBM.make(tmp_path)
    options = ["--every", "1s", "--times", times, "--json", "-o", "set"]
    run = tool(tmp_path, "storyboard", *options, LATE_WEBM.name).expect()
    assert f"\n00:00:00.000 --> {first}\n" in (tmp_path / "set/storyboard.vtt").read_text(encoding="utf-8")
    for document in (document_of(tmp_path / "set"), run.json[0]):
        assert document["times"] == times
        assert document["origin"]["seconds"] == 5


def test_the_labels_of_a_sheet_count_as_they_are_told_to(tmp_path: Path) -> None:
    LATE_WEBM.make(tmp_path)
    [sheet] = tool(tmp_path, "sheet", "--json", "--at", "1", "--times", "container", LATE_WEBM.name).expect().json
    assert sheet["tiles"][0]["label"] == "0:00:06.000"
    assert sheet["tiles"][0]["actual"]["seconds"] == 1


def test_a_storyboard_of_what_browsers_cannot_open_counts_from_the_first_frame(tmp_path: Path) -> None:
    """Players of transport streams put the first frame at zero, whatever its timestamp."""
    tool(tmp_path, "storyboard", "--every", "1s", "-o", "set", fixture("h264.ts")).expect()
    document = document_of(tmp_path / "set")
    assert document["times"] == "asset"
    # Audio begins 22 ms before the first frame; the first timestamp is 1.4 s.
    assert document["cues"][1]["start"] == 1022
