"""What `avtool chapters` sets, shows, removes and refuses, as ffprobe reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.media import Probe
from acceptance.running import Json, parsed
from acceptance.tool import copy_fixture, ffprobe, media_hash, tool

FORMATS = (
    "audio-only.m4a movie.mp4 movie.mov fragmented.mp4 audio-only.mp3 audio-only.flac theora.ogv cues.mkv no-cues.mkv "
    "vp9.webm"
)
# Where the tool counts from the container's zero as ffprobe does; elsewhere from where the first track starts.
COUNTED_FROM_ZERO = {"audio-only.mp3", "audio-only.flac", "theora.ogv"}


def probed(path: Path) -> Json:
    return parsed(["ffprobe", "-v", "error", "-show_chapters", "-show_format", "-of", "json", path])


@pytest.mark.parametrize("name", FORMATS.split())
def test_chapters_that_are_set_are_read_by_ffprobe_and_can_be_removed(name: str, tmp_path: Path) -> None:
    path = copy_fixture(name, tmp_path / name)
    before = media_hash(path)
    (tmp_path / "chapters.txt").write_text("00:00:00.000 Eins\n00:00:00.520 Zwei & <drei>\n")
    tool(tmp_path, "chapters", "set", "--from", "chapters.txt", "--language", "de", name).expect(0)
    found = probed(path)
    assert [chapter["tags"]["title"] for chapter in found["chapters"]] == ["Eins", "Zwei & <drei>"]
    zero = 0 if name in COUNTED_FROM_ZERO else float(Probe.of(path).zero)
    assert abs(float(found["chapters"][-1]["start_time"]) - zero - 0.52) < 0.000_001
    assert media_hash(path) == before
    shown = tool(tmp_path, "chapters", "show", "--format", "text", name)
    assert "00:00:00.520 Zwei & <drei>" in shown.text, shown
    tool(tmp_path, "chapters", "remove", name).expect(0)
    assert "no chapters" in tool(tmp_path, "chapters", "show", name).text
    assert media_hash(path) == before


@pytest.mark.parametrize("name", ["mjpeg.avi", "h264.ts"])
def test_chapters_that_a_container_cannot_have_are_an_error(name: str, tmp_path: Path) -> None:
    path = copy_fixture(name, tmp_path / name)
    (tmp_path / "chapters.txt").write_text("00:00:00.000 A\n")
    before = path.read_bytes()
    run = tool(tmp_path, "chapters", "set", "--from", "chapters.txt", name).expect(65)
    assert len(run.diagnostic_lines) == 1, run
    assert path.read_bytes() == before


def test_chapters_beyond_the_end_are_refused_or_left_out_on_demand(tmp_path: Path) -> None:
    path = copy_fixture("movie.mp4", tmp_path / "a.mp4")
    (tmp_path / "c.txt").write_text("00:00:04.000 Four\n00:00:01.000 One\n01:00:00.000 Late\n")
    before = path.read_bytes()
    refused = tool(tmp_path, "chapters", "set", "--from", "c.txt", "a.mp4").expect(65)
    assert "outside of the film" in refused.diagnostics, refused
    assert path.read_bytes() == before
    lax = tool(tmp_path, "chapters", "set", "--leave-out-others", "--from", "c.txt", "a.mp4").expect(0)
    assert "3600 s" in lax.diagnostics, lax
    assert ffprobe(path, "chapter_tags=title") == ["One", "Four"]
    (tmp_path / "late.txt").write_text("01:00:00.000 Late\n")
    tool(tmp_path, "chapters", "set", "--leave-out-others", "--from", "late.txt", "a.mp4").expect(65)
    shown = tool(tmp_path, "chapters", "show", "--format", "text", "a.mp4")
    assert len(shown.lines) == 2, shown


def test_chapters_of_mp3_say_where_they_end(tmp_path: Path) -> None:
    path = copy_fixture("audio-only.mp3", tmp_path / "a.mp3")
    (tmp_path / "c.txt").write_text("00:00:00.000 One\n00:00:01.000 Two\n")
    tool(tmp_path, "chapters", "set", "--from", "c.txt", "a.mp3").expect(0)
    first, last, whole = (float(line.split(",")[0]) for line in ffprobe(path, "chapter=end_time:format=duration"))
    assert first == 1
    # The last chapter ends with the audio, to the millisecond.
    assert abs(last - whole) < 0.06, (last, whole)
