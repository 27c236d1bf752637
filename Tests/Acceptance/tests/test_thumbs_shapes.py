"""Sizes, crops, fits and backgrounds of stills, embedded images, and the track that is chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from acceptance.films import fixture
from acceptance.running import ffmpeg
from acceptance.tool import names, picture_size, tool

MOVIE = fixture("movie.mov")


# --- Sizes ------------------------------------------------------------------------------


def test_several_sizes_give_a_file_each_with_its_size_in_the_name_and_in_json(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--at", "0,1", "--size", "160x0", "--size", "0x60", "--json", MOVIE).expect()
    files = ["movie-1-160x120.png", "movie-1-80x60.png", "movie-2-160x120.png", "movie-2-80x60.png"]
    assert names(tmp_path) == files
    assert [still["file"] for still in run.json] == files
    assert [still["width"] for still in run.json] == [160, 80, 160, 80]
    assert [still["index"] for still in run.json] == [1, 1, 2, 2]
    sizes = ["png,160,120", "png,80,60", "png,160,120", "png,80,60"]
    assert [picture_size(tmp_path / name) for name in files] == sizes


def test_sizes_that_come_out_alike_are_written_once(tmp_path: Path) -> None:
    tool(tmp_path, "thumbs", "--at", "0", "--size", "500x0", "--size", "800x0", MOVIE).expect()
    assert names(tmp_path) == ["movie-1-320x240.png"]


def test_names_of_stills_take_the_size_in_parts(tmp_path: Path) -> None:
    sizes = ["--size", "32x0", "--size", "64x0"]
    tool(tmp_path, "thumbs", "--at", "0", *sizes, "-o", "{width}_{name}_{height}.{ext}", MOVIE).expect()
    assert names(tmp_path) == ["32_movie_24.png", "64_movie_48.png"]


# --- Crops, fits and backgrounds --------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--at 0 --size 10x10 --size 20x20 -o x.png", "several sizes need {size}"),
        ("--at 0 --fit pad", "--fit pad needs --size"),
        ("--at 0 --fit cover --size 100x0", "--fit cover needs --size"),
        ("--at 0 --crop 10x10", "--crop"),
        ("--at 0 --crop 0x10+0+0", "--crop"),
        ("--at 0 --crop 10x10+-1+0", "--crop"),
        ("--at 0 --crop 10+10x1+1", "--crop"),
        ("--at 0 --background blue-ish", "--background"),
        ("--at 0 --track 0", "--track"),
        ("--cover --at 0", "Give one of"),
        ("--cover --crop auto", "--crop auto"),
        ("--at 0 --hdr --background white", "--hdr"),
    ],
)
def test_shapes_of_stills_that_make_no_sense_are_refused(tmp_path: Path, options: str, words: str) -> None:
    run = tool(tmp_path, "thumbs", *options.split(), MOVIE).expect(64)
    assert words in run.diagnostics, run
    assert names(tmp_path) == []


def test_a_crop_and_a_fit_are_told_in_json(tmp_path: Path) -> None:
    crop, fit = ["--crop", "200x100+11+7"], ["--fit", "pad", "--size", "100x100", "--background", "#f00"]
    [still] = tool(tmp_path, "thumbs", "--at", "0", *crop, *fit, "--json", MOVIE).expect().json
    assert still["crop"] == {"x": 11, "y": 7, "width": 200, "height": 100}
    assert (still["width"], still["height"]) == (100, 100)
    with Image.open(tmp_path / "movie-1.png") as image:
        assert image.size == (100, 100)
        assert image.convert("RGB").getpixel((0, 0)) == (255, 0, 0)
    outside = tool(tmp_path, "thumbs", "--at", "0", "--crop", "200x100+200+0", "--force", MOVIE).expect(65)
    assert "320x240" in outside.diagnostics


def test_black_bars_are_left_out_of_all_stills_alike(tmp_path: Path) -> None:
    ffmpeg("-i", MOVIE, "-t", "3", "-vf", "pad=320:300:0:30", "-crf", "10", tmp_path / "barred.mp4")
    stills = tool(tmp_path, "thumbs", "--count", "3", "--crop", "auto", "--json", "barred.mp4").expect().json
    assert [still["crop"] for still in stills] == [{"x": 0, "y": 30, "width": 320, "height": 240}] * 3


@pytest.mark.parametrize(
    ("format", "background"),
    [("jpeg", None), ("jpeg", "#0000ff"), ("png", None), ("png", "#0000ff"), ("webp", "#0000ff")],
)
def test_transparent_parts_of_a_frame_show_the_background_where_they_cannot_stay_transparent(
    tmp_path: Path, format: str, background: str | None
) -> None:
    name = f"a.{format}"
    options = ["--at", "0", "--format", format, "--quality", "100", "-o", name]
    options += ["--background", background] if background else []
    tool(tmp_path, "thumbs", *options, fixture("alpha-png.mov")).expect()
    with Image.open(tmp_path / name) as image:
        # Transparent at the left, at half of the height.
        red, green, blue, alpha = image.convert("RGBA").crop((1, 60, 2, 61)).tobytes()
    if format == "png" and background is None:
        assert alpha == 0
    else:
        wanted = 0, 0, 255 if background else 0, 255
        assert all(abs(one - other) <= 6 for one, other in zip((red, green, blue, alpha), wanted)), (red, green, blue)


# --- Tracks -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["attached-picture.mp3", "attached-picture.m4a"])
def test_the_cover_of_a_file_without_video_is_a_still(tmp_path: Path, name: str) -> None:
    options = ["--cover", "--size", "16x16", "--fit", "cover", "--json"]
    [still] = tool(tmp_path, "thumbs", *options, fixture(name)).expect().json
    assert still["file"] == "attached-picture-cover.png"
    assert picture_size(tmp_path / "attached-picture-cover.png") == "png,16,16"


def test_a_file_without_a_cover_is_refused(tmp_path: Path) -> None:
    run = tool(tmp_path, "thumbs", "--cover", MOVIE).expect(65)
    assert "no embedded picture" in run.diagnostics


@pytest.mark.parametrize("command", ["thumbs --at 0", "sheet", "storyboard", "verify"])
def test_a_track_that_is_no_video_is_refused_with_the_numbers_that_there_are(tmp_path: Path, command: str) -> None:
    run = tool(tmp_path, *command.split(), "--track", "7", MOVIE).expect(65)
    assert "track 7 is no video track; the only one is track 1" in run.diagnostics, run


@pytest.mark.parametrize("coded", ["libx264 -g 5", "mpeg2video -q:v 3", "libx265 -x265-params log-level=none"])
def test_frames_have_the_aspect_ratio_that_the_stream_tells_of_them(coded: str, tmp_path: Path) -> None:
    """A broadcast goes from 4:3 to 16:9 in frames of the same size."""
    source = tmp_path / "switch.ts"
    with source.open("wb") as whole:
        for number, ratio in enumerate(("16/15", "64/45")):
            part = tmp_path / f"{number}.ts"
            bright = f"color=gray:s=720x576:r=25:d=2,setsar={ratio}"
            ffmpeg("-f", "lavfi", "-i", bright, "-c:v", *coded.split(), "-output_ts_offset", 2 * number, part)
            whole.write(part.read_bytes())
    tool(tmp_path, "thumbs", "--at", "1,3", "-o", "{index}.png", source).expect()
    assert [picture_size(tmp_path / f"{number}.png") for number in (1, 2)] == ["png,768,576", "png,1024,576"]
    tool(tmp_path, "export", "--preset", "high", "-o", "made.mp4", source).expect()
    tool(tmp_path, "thumbs", "--at", "1,3", "-o", "made-{index}.png", "made.mp4").expect()
    for number, has_bars in ((1, False), (2, True)):
        picture = Image.open(tmp_path / f"made-{number}.png").convert("L")
        assert picture.size == (768, 576)
        rows = [picture.crop((384, row, 385, row + 1)).tobytes()[0] for row in (20, 288)]
        assert rows == pytest.approx([0 if has_bars else 128, 128], abs=4)
