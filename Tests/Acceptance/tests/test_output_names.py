"""Names of results: the formats that they stand for, names that are given twice, and names of folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.tool import copy_fixture, names, picture_size, tool

STILLS = [["thumbs", "--at", "0"], ["sheet", "--count", "1"]]
for_stills = pytest.mark.parametrize("command", STILLS, ids=["thumbs", "sheet"])
with_and_without_force = pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "--force"])


@for_stills
@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("x.png", "png"), ("x.jpg", "mjpeg"), ("x.jpeg", "mjpeg"), ("x.JPG", "mjpeg"), ("x.webp", "webp"),
        ("x.avif", "av1"),
    ],
)  # fmt: skip
def test_the_ending_of_a_name_decides_the_image_format(
    tmp_path: Path, name: str, codec: str, command: list[str]
) -> None:
    """`thumbs -o x.jpg` wrote PNG."""
    tool(tmp_path, *command, "-o", name, fixture("movie.mp4")).expect()
    assert picture_size(tmp_path / name).startswith(f"{codec},")


@for_stills
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("-o x.gif", [".gif", ".png", ".jpg", ".webp", ".avif"]),
        ("-o x.png --format jpg", [".png", "jpeg"]),
        ("-o x --format tiff", ["tiff"]),
    ],
    ids=["no image", "another format", "unknown format"],
)
def test_a_name_that_ends_in_no_image_format_is_refused(
    tmp_path: Path, options: str, words: list[str], command: list[str]
) -> None:
    run = tool(tmp_path, *command, *options.split(), fixture("movie.mp4")).expect(64)
    assert len(run.diagnostic_lines) == 1
    assert [word for word in words if word not in run.diagnostics] == [], run
    assert names(tmp_path) == []


@for_stills
def test_the_format_jpg_is_jpeg_and_its_names_end_in_jpg(tmp_path: Path, command: list[str]) -> None:
    tool(tmp_path, *command, "--format", "jpg", "-o", "{name}.{ext}", fixture("movie.mp4")).expect()
    assert picture_size(tmp_path / "movie.jpg").startswith("mjpeg,")


def test_a_storyboard_takes_the_format_jpg(tmp_path: Path) -> None:
    tool(tmp_path, "storyboard", "--format", "jpg", "--no-page", fixture("movie.mp4")).expect()


@with_and_without_force
@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("thumbs --at 0,0.001 -o {actual}.png movie.mp4", "0.png"),
        ("thumbs --at 0 -o {name}.png movie.mp4 b/movie.mp4", "movie.png"),
        ("sheet --count 1 -o {name}-s.png movie.mp4 b/movie.mp4", "movie-s.png"),
        ("storyboard --every 5s -o {name}-b movie.mp4 ./b/movie.mp4", "movie-b"),
        ("export --preset passthrough -o {name}-e.mp4 movie.mp4 b/movie.mp4", "movie-e.mp4"),
    ],
    ids=["thumbs of one frame", "thumbs", "sheet", "storyboard", "export"],
)
def test_a_name_is_given_to_one_result_of_a_run(tmp_path: Path, command: str, made: str, force: list[str]) -> None:
    """The second of two stills of one frame was told that its file "exists already".

    With --force it replaced the first.
    """
    (tmp_path / "b").mkdir()
    copy_fixture("movie.mp4", tmp_path / "movie.mp4")
    copy_fixture("vfr.mp4", tmp_path / "b/movie.mp4")
    run = tool(tmp_path, *command.split(), *force).expect(73)
    assert len(run.lines) == 1, run
    assert len(run.diagnostic_lines) == 1, run
    assert f"{made}: another result of this run has that name" in run.diagnostics, run


@with_and_without_force
def test_a_name_is_given_to_one_extracted_image_of_a_run(tmp_path: Path, force: list[str]) -> None:
    copy_fixture("attached-picture.m4a", tmp_path / "a.m4a")
    copy_fixture("attached-picture.mp3", tmp_path / "b.mp3")
    run = tool(tmp_path, "metadata", "artwork", "--extract", "x", *force, "a.m4a", "b.mp3").expect(73)
    assert "x: another result of this run has that name" in run.diagnostics


@pytest.mark.parametrize(
    ("command", "name", "code"),
    [
        ("thumbs --at 0", "{name}.png", 73),
        ("sheet --count 1", "{name}.png", 73),
        # A folder that is named takes the result.
        ("export --preset passthrough", "x.mp4/../x.mp4/.", 0),
        ("metadata set title=x", "x.mp4/../x.mp4/.", 0),
    ],
)
def test_a_folder_is_not_taken_for_a_file_to_replace(tmp_path: Path, command: str, name: str, code: int) -> None:
    for folder in ("x.mp4", "movie.png"):
        (tmp_path / folder).mkdir()
    tool(tmp_path, *command.split(), "--force", "-o", name, fixture("movie.mp4")).expect(code)
    assert names(tmp_path) == ["movie.png", "x.mp4"]
    assert all((tmp_path / folder).is_dir() for folder in ("x.mp4", "movie.png"))
