"""`avtool thumbs`: stills at given times, their sizes, formats and names, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import Json
from acceptance.tool import names, picture_size, ticks, tool

# 250 frames of 320x240, 25 a second, with a sync sample each second.
MOVIE = fixture("movie.mov")


def exact(time: Json) -> tuple[int, int]:
    """Value and timescale of a time whose seconds say the same."""
    value, timescale = ticks(time)
    assert abs(time["seconds"] - value / timescale) < 1e-9
    return value, timescale


# --- Times ------------------------------------------------------------------------------


def test_thumbs_at_four_times_are_four_lines_and_four_images(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--at", "0,1/3,2/3,end", MOVIE).expect()
    assert run.diagnostics == ""
    # 25 frames a second: 3.33… falls into the frame of 3.32, 6.66… into that of 6.64; the last is frame 249.
    assert run.lines == [
        "0 → 0  movie-1.png",
        "3.333334 → 3.32  movie-2.png",
        "6.666667 → 6.64  movie-3.png",
        "10 → 9.96  movie-4.png",
    ]
    assert names(tmp_path) == ["movie-1.png", "movie-2.png", "movie-3.png", "movie-4.png"]
    assert {picture_size(tmp_path / name) for name in names(tmp_path)} == {"png,320,240"}


def test_json_of_thumbs_holds_every_field_and_exact_times(tmp_path: Path) -> None:
    # Results come in order of time.
    [second, third] = tool(tmp_path, "thumbs", "--at", "1,1/3", "--json", MOVIE).expect().json
    fields = "source index requested actual duration isSyncSample exact damaged width height file"
    assert third.keys() == set(fields.split())
    assert third["source"] == str(MOVIE)
    assert [second["index"], third["index"]] == [1, 2]
    assert third["file"] == "movie-2.png"
    assert (third["width"], third["height"]) == (320, 240)
    assert third["exact"] is True
    assert third["damaged"] is False
    assert third["isSyncSample"] is False
    assert exact(third["requested"]) == (128_000, 38400)  # 10 s / 3, exactly
    assert exact(third["actual"]) == (42496, 12800)  # frame 83
    assert exact(third["duration"]) == (512, 12800)
    assert second["isSyncSample"] is True  # frame 25 begins the second GOP
    assert exact(second["actual"]) == (12800, 12800)


def test_ten_thumbs_have_names_of_equal_length(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--count", "10", "--size", "32x0", MOVIE).expect()
    assert names(tmp_path) == [f"movie-{number:02}.png" for number in range(1, 11)]
    # Each in the middle of its tenth: 0.5 s, 1.5 s and so on; 0.5 s is shown by frame 12.
    assert run.lines[0] == "0.5 → 0.48  movie-01.png"
    assert run.lines[-1] == "9.5 → 9.48  movie-10.png"


def test_thumbs_at_an_interval_begin_at_zero_and_end_before_the_end(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--every", "2.5s", "--size", "32x0", MOVIE).expect()
    assert run.lines == [
        "0 → 0  movie-1.png",
        "2.5 → 2.48  movie-2.png",
        "5 → 5  movie-3.png",
        "7.5 → 7.48  movie-4.png",
    ]


# --- Sizes and formats ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "expected"),
    [("160x160", "png,160,120"), ("0x60", "png,80,60"), ("40x0", "png,40,30"), ("999x999", "png,320,240")],
)
def test_the_size_of_thumbs_is_a_box_that_enlarges_nothing(tmp_path: Path, size: str, expected: str) -> None:
    tool(tmp_path, "thumbs", "--at", "1", "--size", size, MOVIE).expect()
    assert picture_size(tmp_path / "movie-1.png") == expected


def test_thumbs_of_a_rotated_video_are_upright(tmp_path: Path) -> None:
    tool(tmp_path, "thumbs", "--at", "0", fixture("rotate-90.mp4")).expect()
    assert picture_size(tmp_path / "rotate-90-1.png") == "png,120,160"


def test_jpeg_thumbs_grow_with_the_quality(tmp_path: Path) -> None:
    for quality, name in [("10", "low.jpg"), ("95", "high.jpg")]:
        tool(tmp_path, "thumbs", "--at", "1", "--format", "jpeg", "--quality", quality, "-o", name, MOVIE).expect()
        assert picture_size(tmp_path / name) == "mjpeg,320,240"
    assert (tmp_path / "low.jpg").stat().st_size < (tmp_path / "high.jpg").stat().st_size // 2


def test_names_of_jpeg_thumbs_end_in_jpg(tmp_path: Path) -> None:
    tool(tmp_path, "thumbs", "--at", "1", "--format", "jpeg", MOVIE).expect()
    assert names(tmp_path) == ["movie-1.jpg"]


# --- Names ------------------------------------------------------------------------------


def test_a_pattern_names_thumbs_by_every_placeholder(tmp_path: Path) -> None:
    pattern = "{index}_{name}_{requested}_{actual}_{other}.{ext}"
    tool(tmp_path, "thumbs", "--at", "1/3", "-o", pattern, MOVIE).expect()
    assert names(tmp_path) == ["1_movie_3.333334_3.32_{other}.png"]


def test_the_name_of_a_result_may_have_a_single_character(tmp_path: Path) -> None:
    """Foundation's way to find a bare name's folder traps on names of one character."""
    tool(tmp_path, "thumbs", "--at", "0", "-o", "x", MOVIE).expect()
    tool(tmp_path, "storyboard", "-o", "y", MOVIE).expect()
    assert names(tmp_path) == ["x", "y"]
    # An export needs an extension that tells the kind of file, and says so.
    run = tool(tmp_path, "export", "--preset", "m4a", "-o", "z", MOVIE).expect(64)
    assert "z: the name needs an extension" in run.diagnostics


def test_thumbs_in_a_folder_have_their_default_names(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    run = tool(tmp_path, "thumbs", "--at", "0", "-o", "sub", MOVIE).expect()
    assert run.lines == ["0 → 0  sub/movie-1.png"]
    assert names(tmp_path / "sub") == ["movie-1.png"]


# --- Standard output --------------------------------------------------------------------


def test_a_dash_writes_the_image_itself_to_standard_output(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--at", "1", "-o", "-", MOVIE).expect()
    assert run.diagnostics == ""
    assert names(tmp_path) == []
    (tmp_path / "out.png").write_bytes(run.output)
    assert picture_size(tmp_path / "out.png") == "png,320,240"


def test_several_thumbs_do_not_fit_into_standard_output(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--at", "0,1", "-o", "-", MOVIE)
    assert run.code in (64, 73), run
    assert run.output == b""
    assert run.diagnostics != ""


def test_several_thumbs_do_not_fit_into_one_name(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--at", "0,1", "-o", "one.png", MOVIE)
    assert run.code in (64, 73), run
    assert names(tmp_path) == []


# --- Existing files ---------------------------------------------------------------------


def test_thumbs_without_force_leave_an_existing_file_alone(tmp_path: Path) -> None:
    (tmp_path / "movie-1.png").write_text("mine")
    run = tool(tmp_path, "thumbs", "--at", "0,1", MOVIE).expect(73)
    assert len(run.diagnostic_lines) == 1
    assert "movie-1.png" in run.diagnostics
    assert (tmp_path / "movie-1.png").read_text() == "mine"
    assert run.lines == ["1 → 1  movie-2.png"]


def test_thumbs_with_force_replace_a_file_and_leave_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "movie-1.png").write_text("mine")
    tool(tmp_path, "thumbs", "--at", "0", "--force", MOVIE).expect()
    assert picture_size(tmp_path / "movie-1.png") == "png,320,240"
    assert names(tmp_path) == ["movie-1.png"]


# --- Several files ----------------------------------------------------------------------


def test_bad_files_among_good_ones_stop_no_thumbs(tmp_path: Path) -> None:
    files = [MOVIE, tmp_path / "missing.mp4", fixture("text.mp4"), fixture("vfr.mp4")]
    run = tool(tmp_path, "thumbs", "--at", "0", *files).expect(66)
    assert run.lines == ["0 → 0  movie-1.png", "0 → 0  vfr-1.png"]
    assert len(run.diagnostic_lines) == 2
    assert "missing.mp4: no such file" in run.diagnostic_lines[0]
    assert names(tmp_path) == ["movie-1.png", "vfr-1.png"]


def test_json_of_thumbs_names_the_files_that_failed(tmp_path: Path) -> None:
    [missing, made] = tool(tmp_path, "thumbs", "--at", "0", "--json", "missing.mp4", MOVIE).expect(66).json
    assert missing["source"] == "missing.mp4"
    assert isinstance(missing["error"]["code"], str)
    assert "no such file" in missing["error"]["message"]
    assert made["file"] == "movie-1.png"
