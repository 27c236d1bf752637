"""What `verify`, `thumbs`, `sheet` and `scenes` say of files whose end is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import ffmpeg
from acceptance.tool import names, sidecar, tool

# The first 142 frames of the 250 of movie.mp4, which has one second to a GOP.
TRUNCATED = fixture("truncated.mp4")


def cut(name: str, percent: int, folder: Path) -> Path:
    """The first part of a fixture, in a file of the same name."""
    whole = fixture(name).read_bytes()
    path = folder / name
    path.write_bytes(whole[: len(whole) * percent // 100])
    return path


# --- verify -----------------------------------------------------------------------------


def test_verify_says_how_much_of_a_movie_is_there(tmp_path: Path) -> None:
    """It called a movie exact of which little more than half was there."""
    [found] = tool(tmp_path, "verify", "--samples", "5", "--json", TRUNCATED).expect(65).json
    assert found["passed"] is False
    assert found["frames"] == len(sidecar("truncated.mp4")["frames"])
    assert found["listedFrames"] == len(sidecar("movie.mp4")["frames"])
    assert found["readEnd"]["seconds"] == 5.68
    assert found["statedDuration"]["seconds"] == 10
    assert "cut short" in found["readFailure"]


def test_verify_says_in_words_how_much_of_a_movie_is_there(tmp_path: Path) -> None:
    run = tool(tmp_path, "verify", "--samples", "5", TRUNCATED).expect(65)
    assert len(run.lines) == 4 and run.lines[1].endswith("cut short"), run
    assert "142 of the 250 frames" in run.text and "5.68 s of the 10 s" in run.text


def test_verify_of_a_range_before_the_cut_passes(tmp_path: Path) -> None:
    tool(tmp_path, "verify", "--samples", "5", "--to", "3s", TRUNCATED).expect(0)
    across = tool(tmp_path, "verify", "--samples", "5", "--from", "5s", "--to", "7s", TRUNCATED).expect(65)
    assert "cut short" in across.text


CONTAINERS = (
    "cues.mkv no-cues.mkv vp9.webm h264.flv fragmented.mp4 fragmented-sidx.mp4 h264.ts h264.avi theora.ogv wmv2.asf"
)


@pytest.mark.parametrize("name", CONTAINERS.split())
def test_verify_sees_a_cut_in_any_container(name: str, tmp_path: Path) -> None:
    """Each was called exact: what ends inside a packet looked like the end of the file."""
    [found] = tool(tmp_path, "verify", "--samples", "5", "--json", cut(name, 60, tmp_path)).expect(65).json
    assert "cut short" in found["readFailure"]
    tool(tmp_path, "verify", "--samples", "5", fixture(name)).expect(0)


@pytest.mark.parametrize(
    "command", ["verify --samples 5", "scenes", "thumbs --keyframes -o key-{index}.png", "thumbs --at end"]
)
def test_a_video_that_ends_with_a_keyframe_is_whole(command: str, tmp_path: Path) -> None:
    """The last keyframe in Matroska has a later presentation time than decode time: the file was called cut short."""
    coding = ["-c:v", "libx264", "-g", "10", "-bf", "3", "-sc_threshold", "0"]
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "51", *coding, tmp_path / "video.mkv")
    tool(tmp_path, *command.split(), "video.mkv").expect(0)


# --- stills -----------------------------------------------------------------------------


def test_thumbs_name_each_sync_sample_that_is_missing(tmp_path: Path) -> None:
    """Six stills of ten came out without a word about the others."""
    run = tool(tmp_path, "thumbs", "--keyframes", TRUNCATED).expect(65)
    assert len(run.lines) == 6, run
    assert len(run.diagnostic_lines) == 4, run
    for line, second in zip(run.diagnostic_lines, range(6, 10)):
        assert f"the picture at {second} s cannot be had: the file is cut short" in line
    assert names(tmp_path) == [f"truncated-0{number}.png" for number in range(1, 7)]


def test_thumbs_have_an_error_in_json_for_each_sync_sample_that_is_missing(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--keyframes", "--json", TRUNCATED)
    assert [event.get("error") is not None for event in run.json] == [False] * 6 + [True] * 4


def test_thumbs_of_the_sync_samples_before_the_cut_are_all_there(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--keyframes", "--to", "3s", TRUNCATED).expect(0)
    assert len(run.lines) == 3 and run.diagnostics == "", run


@pytest.mark.parametrize("name", ["cues.mkv", "no-cues.mkv", "h264.flv", "h264.ts", "fragmented.mp4"])
def test_thumbs_say_that_a_file_is_cut_where_nothing_lists_its_sync_samples(name: str, tmp_path: Path) -> None:
    path = cut(name, 60, tmp_path)
    run = tool(tmp_path, "thumbs", "--keyframes", "--json", path).expect(65)
    assert len(run.lines) == 4, run
    assert run.json[-1]["error"]["code"] == "truncated"
    assert len(run.diagnostic_lines) == 1 and "cut short" in run.diagnostics, run
    lax = tool(tmp_path, "thumbs", "--keyframes", "--force", "--allow-damaged", path).expect(0)
    assert len(lax.diagnostic_lines) == 1 and "cut short" in lax.diagnostics, lax
    before = tool(tmp_path, "thumbs", "--keyframes", "--force", "--to", "1.5s", path).expect(0)
    assert before.diagnostics == "", before


@pytest.mark.parametrize("command", ["thumbs", "sheet"])
def test_missing_scenes_are_no_success(command: str, tmp_path: Path) -> None:
    """Stills of the scenes that are there came out with a warning and success."""
    run = tool(tmp_path, command, "--scenes", TRUNCATED).expect(65)
    assert len(run.lines) == 1, run
    assert len(run.diagnostic_lines) == 1 and "cut short" in run.diagnostics, run
    lax = tool(tmp_path, command, "--scenes", "--allow-damaged", "--force", TRUNCATED).expect(0)
    assert len(lax.diagnostic_lines) == 1, lax


def test_each_still_behind_the_cut_is_refused(tmp_path: Path) -> None:
    """The second of two stills behind the end of a Matroska file was the last frame that is there."""
    run = tool(tmp_path, "thumbs", "--at", "1,3,3.5,4", cut("cues.mkv", 60, tmp_path)).expect(65)
    assert len(run.lines) == 1, run
    assert len(run.diagnostic_lines) == 3, run
