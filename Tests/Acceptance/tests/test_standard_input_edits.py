"""Standard input of commands that change files or read metadata: read as the file is, and never changed in place.

`-` was a file that is not there for all commands that change files, and for `metadata get`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from acceptance.tool import copy_fixture, names, shell, tool

EDITS = [
    "metadata set title=New",
    "metadata remove --all",
    "metadata remove --share-safe",
    "metadata artwork --remove",
    "chapters remove",
    "chapters set --from chapters.txt",
]
FILES = ["movie.mp4", "audio.flac", "audio.mp3"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of `FILES` and a list of chapters."""
    copy_fixture("movie.mp4", tmp_path / "movie.mp4")
    copy_fixture("audio-only.flac", tmp_path / "audio.flac")
    copy_fixture("attached-picture.mp3", tmp_path / "audio.mp3")
    (tmp_path / "chapters.txt").write_text("CHAPTER01=00:00:00.000\nCHAPTER01NAME=One\n")
    return tmp_path


def inputs(command: str, file: str) -> list[str]:
    """Scripts that give a file to a command as a pipe and as standard input itself."""
    return [f'cat {file} | "$AVTOOL" {command} -', f'"$AVTOOL" {command} - < {file}']


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_standard_input_makes_the_copy_that_the_file_makes(edit: str, file: str, folder: Path) -> None:
    shell(folder, f'"$AVTOOL" {edit} -o expected {file}').expect(0)
    expected = (folder / "expected").read_bytes()
    for script in inputs(f"{edit} -o copy", file):
        shell(folder, script).expect(0)
        assert (folder / "copy").read_bytes() == expected, script
        (folder / "copy").unlink()
    for script in inputs(f"{edit} -o -", file):
        assert shell(folder, script).expect(0).output == expected, script
    shell(folder, f'"$AVTOOL" {edit} -o other <(cat {file})').expect(0)
    assert (folder / "other").read_bytes() == expected


@pytest.mark.parametrize("name", ["-", "/dev/stdin", "<(cat movie.mp4)"])
@pytest.mark.parametrize("edit", EDITS)
def test_standard_input_is_not_changed_in_place(edit: str, name: str, folder: Path) -> None:
    before = (folder / "movie.mp4").read_bytes()
    for options in ("", "--dry-run", "--json"):
        run = shell(folder, f'"$AVTOOL" {edit} {options} {name} < movie.mp4').expect(64)
        assert len(run.diagnostic_lines) == 1 and run.output == b"", run
        assert "in place; -o" in run.diagnostics, run
    assert (folder / "movie.mp4").read_bytes() == before


READERS = [
    "metadata get title",
    "metadata show",
    "metadata show --json",
    "metadata show --private",
    "metadata artwork",
    "chapters show",
    "chapters show --json",
]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("command", READERS)
def test_metadata_of_standard_input_are_read_as_those_of_the_file(command: str, file: str, folder: Path) -> None:
    expected = tool(folder, *command.split(), file)
    for script in inputs(command, file):
        run = shell(folder, script).expect(expected.code)
        text = re.sub(r"^-(?=\n|:)", file, run.text, flags=re.MULTILINE)
        assert text.replace('"source":"-"', f'"source":"{file}"') == expected.text, script


@pytest.mark.parametrize(
    "command",
    [
        "metadata set --from - -o x -",
        "metadata set title=x -o x - -",
        "chapters set --from - -o x /dev/stdin",
        "metadata remove --all - -",
        "metadata show - /dev/fd/0",
    ],
)
def test_standard_input_that_is_given_twice_is_refused(command: str, folder: Path) -> None:
    run = shell(folder, f'cat movie.mp4 | "$AVTOOL" {command}').expect(64)
    assert len(run.diagnostic_lines) == 1, run


@pytest.mark.parametrize(
    "command",
    ["metadata get title", "metadata show", "metadata set title=x -o x", "chapters show", "info", "thumbs --at 0"],
)
def test_standard_input_that_is_closed_empty_or_no_file_is_one_line(command: str, folder: Path) -> None:
    closed = shell(folder, f'"$AVTOOL" {command} - <&-').expect(64)
    assert "closed" in closed.diagnostics, closed
    (folder / "empty").touch()
    for script in [f'true | "$AVTOOL" {command} -', f'"$AVTOOL" {command} - < empty']:
        run = shell(folder, script).expect(65)
        assert len(run.diagnostic_lines) == 1, run
    none = shell(folder, f'"$AVTOOL" {command} - < /dev/null')
    assert none.code in (65, 66) and len(none.diagnostic_lines) == 1, none
    assert "x" not in names(folder)


def test_standard_input_is_another_thing_than_a_file_of_that_name(folder: Path) -> None:
    copy_fixture("movie.mp4", folder / "-")
    shell(folder, '"$AVTOOL" metadata set title=Dash ./- < audio.flac').expect(0)
    assert tool(folder, "metadata", "get", "title", "./-").expect(0).lines[-1] == "Dash"
