"""`avtool sheet`: contact sheets, their layout in JSON, and when they are made again."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.held import held_film
from acceptance.picture_streams import pixels
from acceptance.tool import copy_fixture, names, picture_size, tool

MOVIE = fixture("movie.mov")
IMAGE_FORMATS = [("jpg", "mjpeg"), ("webp", "webp"), ("avif", "av1"), ("png", "png")]


def make_older(path: Path, seconds: float) -> None:
    """Says that a file was last changed some time ago."""
    date = time.time() - seconds
    os.utime(path, (date, date))


# --- The image --------------------------------------------------------------------------


def test_the_sheet_of_a_video_is_one_image_in_the_working_folder(tmp_path: Path) -> None:
    run = tool(tmp_path, "sheet", MOVIE).expect()
    assert run.diagnostics == ""
    assert names(tmp_path) == ["movie-sheet.png"]
    [codec, width, height] = picture_size(tmp_path / "movie-sheet.png").split(",")
    assert codec == "png"
    assert run.lines == [f"movie-sheet.png: {width}x{height}, 16 stills"]


@pytest.mark.parametrize(("ending", "codec"), IMAGE_FORMATS)
def test_the_ending_of_a_pattern_decides_the_format_of_sheets(tmp_path: Path, ending: str, codec: str) -> None:
    tool(tmp_path, "sheet", "--count", "2", "--tile", "64x0", "-o", f"{{name}}.{ending}", MOVIE).expect()
    assert names(tmp_path) == [f"movie.{ending}"]
    assert picture_size(tmp_path / f"movie.{ending}").startswith(codec)


def test_standard_output_takes_one_sheet(tmp_path: Path) -> None:
    run = tool(tmp_path, "sheet", "--count", "1", "--format", "jpeg", "-o", "-", MOVIE).expect()
    assert run.output.startswith(b"\xff\xd8\xff")
    assert names(tmp_path) == []


def test_json_of_a_sheet_tells_where_each_still_lies_and_what_it_shows(tmp_path: Path) -> None:
    options = ["--columns", "2", "--at", "1,1/3,end", "--tile", "160x120"]
    [sheet] = tool(tmp_path, "sheet", "--json", *options, MOVIE).expect().json
    fields = "source file state width height omitted missingCharacters origin times tiles"
    assert sheet.keys() == set(fields.split())
    assert sheet["state"] == "made"
    assert sheet["file"] == "movie-sheet.png"
    assert picture_size(tmp_path / "movie-sheet.png") == f"png,{sheet['width']},{sheet['height']}"
    [first, second, third] = sheet["tiles"]
    assert [tile["label"] for tile in sheet["tiles"]] == ["0:00:01.000", "0:00:03.320", "0:00:09.960"]
    assert [tile["index"] for tile in sheet["tiles"]] == [1, 2, 3]
    assert {(tile["width"], tile["height"]) for tile in sheet["tiles"]} == {(160, 120)}
    assert first["y"] == second["y"]
    assert first["x"] == third["x"]
    assert first.keys() == set("index requested actual exact label damaged x y width height".split())
    assert second["actual"]["value"] == 42496  # frame 83 in 1/12800 s


def test_a_sheet_that_is_too_large_for_its_format_is_refused(tmp_path: Path) -> None:
    run = tool(tmp_path, "sheet", "--columns", "1", "--rows", "200", "-o", "x.webp", fixture("long-gop.mp4"))
    assert "webp has no more than 16383" in run.expect(75).diagnostics


def test_a_sheet_of_a_damaged_video_is_refused_unless_damage_is_allowed_and_names_it_then(tmp_path: Path) -> None:
    tool(tmp_path, "sheet", fixture("damaged.mp4")).expect(65)
    assert names(tmp_path) == []
    lax = tool(tmp_path, "sheet", "--allow-damaged", "--json", fixture("damaged.mp4")).expect()
    assert "is damaged: " in lax.diagnostics
    assert any(tile["damaged"] for tile in lax.json[0]["tiles"])


def test_characters_that_no_font_has_are_told_of_a_sheet(tmp_path: Path) -> None:
    copy_fixture("vfr.mp4", tmp_path / "a\U0010fffd.mp4")
    run = tool(tmp_path, "sheet", "--count", "1", "a\U0010fffd.mp4").expect()
    assert len(run.diagnostic_lines) == 1
    assert "no installed font has 1 of the text's characters" in run.diagnostics


def test_a_machine_without_fonts_makes_sheets(tmp_path: Path) -> None:
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(f'<?xml version="1.0"?><fontconfig><dir>{tmp_path / "none"}</dir></fontconfig>')
    run = tool(tmp_path, "sheet", "--count", "4", MOVIE, environment={"FONTCONFIG_FILE": str(fonts)}).expect()
    assert "no installed font has " in run.diagnostics
    assert names(tmp_path) == ["fonts.conf", "movie-sheet.png"]


@pytest.mark.parametrize(("ending", "codec"), IMAGE_FORMATS)
def test_a_sheet_is_an_image_that_other_programs_read(tmp_path: Path, ending: str, codec: str) -> None:
    """What tells how a sheet was made is in the file: it must not be in the way of the image."""
    options = ["--count", "2", "--tile", "160x0", "--labels", "none", "--no-header", "-o", f"sheet.{ending}"]
    [sheet] = tool(tmp_path, "sheet", "--json", *options, fixture("movie.mp4")).expect().json
    assert picture_size(tmp_path / f"sheet.{ending}").startswith(codec)
    [image] = pixels(tmp_path / f"sheet.{ending}")
    assert image.shape == (sheet["height"], sheet["width"], 3)
    x, y = sheet["tiles"][0]["x"], sheet["tiles"][0]["y"]
    # The first two bars of the frame's number: white, then black, ten pixels each.
    assert image[y + 15, x + 5, 1] > 190
    assert image[y + 15, x + 15, 1] < 60


# --- Several files, and names that are taken --------------------------------------------


def test_bad_files_among_good_ones_stop_no_sheet(tmp_path: Path) -> None:
    files = [fixture("audio-only.m4a"), fixture("text.mp4"), "missing.mp4", MOVIE]
    run = tool(tmp_path, "sheet", "--count", "1", "--json", *files).expect(65)
    assert len(run.diagnostic_lines) == 3
    assert names(tmp_path) == ["movie-sheet.png"]
    assert ["error" in sheet for sheet in run.json] == [True, True, True, False]


def test_an_existing_file_is_refused_before_a_sheet_decodes_anything(tmp_path: Path) -> None:
    (tmp_path / "movie-sheet.png").write_text("mine")
    # The frames of this file cannot be decoded, which would be the error otherwise.
    copy_fixture("damaged.mp4", tmp_path / "movie.mp4")
    run = tool(tmp_path, "sheet", "movie.mp4").expect(73)
    assert "exists already; --force replaces it" in run.diagnostics
    assert (tmp_path / "movie-sheet.png").read_text() == "mine"
    tool(tmp_path, "sheet", "--force", "--count", "1", MOVIE).expect()
    assert (tmp_path / "movie-sheet.png").stat().st_size > 1000


def test_a_sheet_does_not_replace_the_media_file_of_which_it_is_made(tmp_path: Path) -> None:
    copy_fixture("alpha-png.mov", tmp_path / "video.png")
    run = tool(tmp_path, "sheet", "--force", "-o", "{name}.png", "video.png").expect(73)
    assert "is an input of this run" in run.diagnostics
    assert (tmp_path / "video.png").read_bytes() == fixture("alpha-png.mov").read_bytes()


def test_media_files_of_one_name_do_not_share_a_sheet(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    copy_fixture("movie.mp4", tmp_path / "b/movie.mp4")
    run = tool(tmp_path, "sheet", "--count", "1", MOVIE, "b/movie.mp4").expect(73)
    assert "another result of this run has that name" in run.diagnostics
    assert len(run.lines) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_an_interrupted_run_leaves_nothing_of_the_sheet_that_it_is_at(tmp_path: Path, number: signal.Signals) -> None:
    # The first video has one frame, and a sheet soon; the second does not end.
    with held_film(tmp_path / "held.mp4", fixture("long-gop.mp4")) as held:

        def is_at_the_second() -> bool:
            return held.is_read and (tmp_path / "one-frame-sheet.png").exists()

        files = [fixture("one-frame.mp4"), "held.mp4"]
        tool(tmp_path, "sheet", "--count", "300", *files, signals=(number, is_at_the_second)).expect(130)
    assert names(tmp_path) == ["held.mp4", "one-frame-sheet.png"]


@pytest.mark.parametrize(
    "options",
    [
        "--columns 0", "--rows 1001", "--count 0", "--count 2 --rows 2", "--at 0 --chapters", "--at x", "--window 1s",
        "--representative --window 0", "--width 10", "--width 500 --tile 80x0", "--tile 3x3", "--margin 5000",
        "--background red", "--labels above", "--labels on --no-labels", "--format gif", "--quality 0", "-o x.gif",
        "-o x.png --format jpeg", "-o - --json", "-o - --if-newer", "--force --if-newer", "-o x.png other.mp4",
        "-o - other.mp4",
    ],
)  # fmt: skip
def test_wrong_use_of_sheet_is_told_apart_from_bad_files(tmp_path: Path, options: str) -> None:
    run = tool(tmp_path, "sheet", *options.split(), MOVIE).expect(64)
    assert run.output == b""
    assert len(run.diagnostic_lines) == 1
    assert names(tmp_path) == []


# --- Sheets that tell how they were made ------------------------------------------------


def made(folder: Path, options: str) -> list[str]:
    """For each sheet whether `--if-newer` made or kept it."""
    run = tool(folder, "sheet", "--if-newer", *options.split()).expect()
    return ["kept" if line.endswith("up to date") else "made" for line in run.lines]


def test_sheets_that_are_up_to_date_are_kept_and_others_made_again(tmp_path: Path) -> None:
    for name, source in (("a.mp4", "movie.mp4"), ("b.mp4", "vfr.mp4")):
        copy_fixture(source, tmp_path / name)
        make_older(tmp_path / name, 100_000)
    assert made(tmp_path, "--count 1 a.mp4 b.mp4") == ["made", "made"]
    assert made(tmp_path, "--count 1 a.mp4 b.mp4") == ["kept", "kept"]
    make_older(tmp_path / "b-sheet.png", 200_000)
    assert made(tmp_path, "--count 1 a.mp4 b.mp4") == ["kept", "made"]
    [sheet] = tool(tmp_path, "sheet", "--if-newer", "--count", "1", "--json", "a.mp4").expect().json
    assert sheet["upToDate"] is True
    assert sheet["state"] == "upToDate"


@pytest.mark.parametrize("ending", ["png", "jpg", "webp", "avif"])
def test_sheets_are_made_again_with_other_options(tmp_path: Path, ending: str) -> None:
    """--if-newer compared the files' times alone: after a change of options the old sheets stayed."""
    copy_fixture("movie.mp4", tmp_path / "video.mp4")
    make_older(tmp_path / "video.mp4", 100_000)
    name, usual = f"sheet.{ending}", "--count 2 --tile 64x0"

    def one(options: str) -> str:
        [state] = made(tmp_path, f"-o {name} {options} video.mp4")
        return state

    assert one(usual) == "made"
    whole = (tmp_path / name).read_bytes()
    assert one(usual) == "kept"
    assert (tmp_path / name).read_bytes() == whole
    for change in (
        "--count 3 --tile 64x0",
        "--count 2 --tile 80x0",
        f"{usual} --labels on",
        f"{usual} --times container",
        f"{usual} --from 1s",
        f"{usual} --background white",
        "--at 1,2 --tile 64x0",
        f"{usual} --quality 50",
    ):
        assert [one(change), one(change)] == ["made", "kept"], change
    assert len(picture_size(tmp_path / name).split(",")) == 3


def test_sheets_are_made_again_if_the_media_file_changed(tmp_path: Path) -> None:
    video = copy_fixture("movie.mp4", tmp_path / "video.mp4")
    make_older(video, 100_000)
    assert made(tmp_path, "--count 1 -o sheet.png video.mp4") == ["made"]
    # Another file of the same date, then the same file with another date, older than the sheet.
    video.unlink()
    copy_fixture("vfr.mp4", video)
    make_older(video, 100_000)
    assert made(tmp_path, "--count 1 -o sheet.png video.mp4") == ["made"]
    make_older(video, 50_000)
    assert made(tmp_path, "--count 1 -o sheet.png video.mp4") == ["made"]
    assert made(tmp_path, "--count 1 -o sheet.png video.mp4") == ["kept"]


def test_sheets_never_replace_an_image_that_is_no_sheet(tmp_path: Path) -> None:
    """An image of that name that somebody else had made was replaced as soon as the media file was newer."""
    copy_fixture("movie.mp4", tmp_path / "video.mp4")
    make_older(tmp_path / "video.mp4", 100_000)
    (tmp_path / "video-sheet.png").write_text("mine")
    make_older(tmp_path / "video-sheet.png", 200_000)
    run = tool(tmp_path, "sheet", "--if-newer", "video.mp4").expect(73)
    assert "is no sheet made by avtool" in run.diagnostics
    assert (tmp_path / "video-sheet.png").read_text() == "mine"
