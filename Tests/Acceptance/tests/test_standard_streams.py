"""Standard streams, signals, and names that could break a line."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.processes import readers_of
from acceptance.tool import copy_fixture, names, shell, tool

MOVIE = fixture("movie.mov")


# --- Signals ----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_run_leaves_whole_files_only(tmp_path: Path, number: signal.Signals) -> None:
    words = ["thumbs", "--every", "1/1000s", fixture("long-gop.mp4")]
    tool(tmp_path, *words, signals=(number, lambda: len(names(tmp_path)) > 2)).expect(130)
    assert 0 < len(names(tmp_path)) < 12_000
    for name in names(tmp_path):
        assert name.startswith("long-gop-") and name.endswith(".png")
        # The chunk that ends every PNG file.
        assert (tmp_path / name).read_bytes()[-8:-4] == b"IEND"


def test_a_pipe_that_nobody_writes_to_can_be_interrupted(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    # A descriptor of the name alone: nobody writes to the pipe, nor reads from it.
    pipe = os.open(tmp_path / "pipe", os.O_PATH)
    try:
        tool(tmp_path, "info", "pipe", signals=(signal.SIGINT, lambda: bool(readers_of(pipe)))).expect(130)
    finally:
        os.close(pipe)


# --- Standard streams -------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["thumbs --at 0,1", "thumbs --at 0,1 --json", "info", "info --json", "verify --samples 1"]
)
def test_a_reader_that_has_gone_ends_the_run_by_sigpipe_without_a_word(tmp_path: Path, command: str) -> None:
    # Gone before the run begins: what is written while the reader still is there fits into the pipe.
    run = shell(tmp_path, f"exec 3> >(:); wait $!; \"$AVTOOL\" {command} '{MOVIE}' >&3; exit $?")
    # What `cat` and `seq` end with: 128 + 13.
    assert run.expect(141).diagnostics == ""


def test_a_closed_standard_output_is_a_write_error(tmp_path: Path) -> None:
    run = shell(tmp_path, f"\"$AVTOOL\" info '{MOVIE}' >&-").expect(74)
    assert len(run.diagnostic_lines) == 1


@pytest.mark.parametrize("name", ["vp9.webm", "no-cues.mkv"])
def test_the_device_of_standard_input_is_read_as_a_pipe(tmp_path: Path, name: str) -> None:
    run = shell(tmp_path, f"cat '{fixture(name)}' | \"$AVTOOL\" info /dev/stdin").expect()
    assert "320x240" in run.text


def test_no_progress_is_shown_where_there_is_no_terminal(tmp_path: Path) -> None:
    run = tool(tmp_path, "verify", "--samples", "50", MOVIE).expect()
    assert run.diagnostics == ""
    assert "\r" not in run.text and "%" not in run.text


# --- Names ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "shown"),
    [
        ("two words", "two words"),
        ("größer-映画-🎬", "größer-映画-🎬"),
        ("-dash", "./-dash"),
        ("line\nbreak", "line\\u{a}break"),
        ("{index}", "{index}"),
        ("'\"$(id)", "'\"$(id)"),
    ],
    ids=["blank", "beyond ASCII", "dash", "line break", "placeholder", "quotes"],
)
def test_an_odd_name_of_a_media_file_works_and_cannot_break_a_line(tmp_path: Path, base: str, shown: str) -> None:
    copy_fixture("one-frame.mp4", tmp_path / f"{base}.mov")
    run = tool(tmp_path, "thumbs", "--at", "0", "--", f"{base}.mov").expect()
    assert run.lines == [f"0 → 0  {shown}-1.png"]
    assert f"{base}-1.png" in names(tmp_path)


def test_control_characters_of_a_name_do_not_reach_the_terminal(tmp_path: Path) -> None:
    run = tool(tmp_path, "info", "a\x1b[31m\nb.mp4").expect(66)
    assert len(run.diagnostic_lines) == 1
    assert "\x1b" not in run.diagnostics
