"""avtool without its worker, and the worker without FFmpeg's libraries.

Those take longer to load than all the rest, and are loaded when something is asked of them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import AVTOOL
from acceptance.tool import ToolRun, copy_fixture, program_copy, run_program, tool

WORKER = Path(AVTOOL).resolve().with_name("avtool-worker")

# --- No worker --------------------------------------------------------------------------


def without_worker(folder: Path, words: Sequence[object]) -> ToolRun:
    return run_program([program_copy(AVTOOL, folder / "avtool"), *words], folder)


@pytest.mark.parametrize(
    "command",
    [
        "--help", "--version", "help thumbs", "export --help", "metadata names", "metadata names --json --for flac",
    ],
)  # fmt: skip
def test_what_reads_no_file_works_without_a_worker(tmp_path: Path, command: str) -> None:
    run = without_worker(tmp_path, command.split()).expect()
    assert run.text != ""
    assert run.diagnostics == ""


@pytest.mark.parametrize(
    "command",
    [
        "film.mp4", "thumbs film.mp4", "thumbs --at 0 --count 2 film.mp4",
        "export --preset low --range 4s..1s film.mp4", "info --limit pixels film.mp4", "info",
    ],
)  # fmt: skip
def test_mistakes_are_reported_in_one_line_without_a_worker(tmp_path: Path, command: str) -> None:
    run = without_worker(tmp_path, command.split()).expect(64)
    assert run.text == ""
    assert len(run.diagnostics.splitlines()) == 1


def test_a_missing_worker_is_reported_where_a_file_is_to_be_read(tmp_path: Path) -> None:
    run = without_worker(tmp_path, ["info", fixture("movie.mp4")]).expect(70)
    assert "avtool-worker: no such file; it belongs to avtool" in run.diagnostics


# --- No libraries -----------------------------------------------------------------------


@functools.cache
def libraries_of_worker() -> frozenset[str]:
    """The names of FFmpeg's libraries that stand in the worker."""
    found = re.findall(rb"lib(?:av|sw)[a-z]+[.]so[.][0-9]+", WORKER.read_bytes())
    return frozenset(name.decode() for name in found)


def without_libraries(folder: Path, command: str) -> ToolRun:
    """Runs avtool where each of FFmpeg's libraries is an empty file, which cannot be loaded."""
    (folder / "libraries").mkdir()
    for library in libraries_of_worker():
        (folder / "libraries" / library).touch()
    for word in command.split():
        if fixture(word).is_file():
            copy_fixture(word, folder / word)
    return tool(folder, *command.split(), environment={"LD_LIBRARY_PATH": str(folder / "libraries")})


def test_no_library_of_ffmpeg_is_linked(tmp_path: Path) -> None:
    assert libraries_of_worker()
    run = run_program([WORKER], tmp_path, environment={"LD_TRACE_LOADED_OBJECTS": "1"})
    assert "libc.so" in run.text
    assert not re.search(r"lib(av|swscale|pango|cairo)", run.text)


@pytest.mark.parametrize(
    "command",
    [
        "metadata show movie.mp4 cues.mkv audio-only.flac attached-picture.mp3",
        "metadata get title movie.mp4",
        "metadata set title=New movie.mp4",
        "metadata set title=New cues.mkv",
        "metadata remove --all audio-only.flac",
        "metadata artwork movie.mp4",
        "chapters remove --dry-run movie.mp4",
    ],
)
def test_boxes_and_tags_are_read_without_libraries(tmp_path: Path, command: str) -> None:
    run = without_libraries(tmp_path, command).expect()
    assert run.diagnostics == ""
    assert run.text != ""


@pytest.mark.parametrize("command", ["info movie.mp4", "thumbs --at 0 movie.mp4", "metadata show h264.ts"])
def test_a_library_that_cannot_be_loaded_is_reported_in_one_line(tmp_path: Path, command: str) -> None:
    run = without_libraries(tmp_path, command).expect(70)
    assert len(run.diagnostic_lines) == 1
    assert "libavformat.so." in run.diagnostics, run
    assert run.text == ""
