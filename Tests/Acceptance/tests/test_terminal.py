"""What is seen on a terminal: progress, which goes again, failures, and no files."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.held import held_film
from acceptance.processes import ignores
from acceptance.running import AVTOOL
from acceptance.terminal import ERASE, run_on_terminal
from acceptance.tool import LIMIT, copy_fixture, eventually, names

# Work that takes a second or so.
WORK = ["thumbs", "--every", "1/5s", "--size", "16x0", "-o", "{name}-{index}.png"]
WIDE_NAME = "映画と長い名前のファイル、とても長い.mp4"


@pytest.mark.parametrize("columns", [80, 30, 12])
def test_progress_stays_within_a_row_and_goes(tmp_path: Path, columns: int) -> None:
    """Progress stayed on the row in which the shell's prompt then stood."""
    copy_fixture("long-gop.mp4", tmp_path / WIDE_NAME)
    run = run_on_terminal(tmp_path, *WORK, WIDE_NAME, columns=columns)
    assert run.code == 0
    assert "%" in run.text
    assert run.screen == []
    rows = [row.replace(ERASE, "") for row in run.rows]
    # Characters of East Asia take two columns.
    widths = {row: len(row) + sum(0x3000 <= ord(character) < 0xA000 for character in row) for row in rows}
    assert {row: width for row, width in widths.items() if width >= columns} == {}


def test_progress_says_which_of_several_files_it_is(tmp_path: Path) -> None:
    for name in ("a.mp4", "b.mp4"):
        copy_fixture("long-gop.mp4", tmp_path / name)
    run = run_on_terminal(tmp_path, *WORK, "a.mp4", "b.mp4")
    assert "[1/2] a.mp4 " in run.text and "[2/2] b.mp4 " in run.text
    assert run.screen == []


@pytest.mark.parametrize("term", ["dumb", None], ids=["dumb", "no TERM"])
def test_progress_is_no_flood_where_rows_cannot_be_rewritten(tmp_path: Path, term: str | None) -> None:
    copy_fixture("long-gop.mp4", tmp_path / "a.mp4")
    begun = time.monotonic()
    run = run_on_terminal(tmp_path, *WORK, "a.mp4", term=term)
    assert run.code == 0
    assert "\x1b" not in run.text
    # One in five seconds at most, as a slow machine takes many.
    assert len(run.rows) <= 1 + (time.monotonic() - begun) / 5


def test_progress_goes_when_the_work_fails(tmp_path: Path) -> None:
    copy_fixture("damaged.mp4", tmp_path / "a.mp4")
    run = run_on_terminal(tmp_path, "storyboard", "--every", "1/25s", "--exact", "a.mp4")
    assert run.code == 65
    assert len(run.screen) == 1 and run.screen[0].startswith("avtool: a.mp4: "), run.screen


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_progress_goes_when_the_work_is_interrupted(tmp_path: Path, number: signal.Signals) -> None:
    copy_fixture("long-gop.mp4", tmp_path / "a.mp4")
    # So many tiles that a run does not end before the signal.
    words = ["storyboard", "--exact", "--every", "0.0002s", "--columns", "5", "a.mp4"]
    run = run_on_terminal(tmp_path, *words, signal_at_progress=number)
    assert run.code == 130
    assert run.screen == ["avtool: a.mp4: interrupted"]
    assert names(tmp_path) == ["a.mp4"]


def test_standard_input_that_is_a_terminal_is_refused(tmp_path: Path) -> None:
    run = run_on_terminal(tmp_path, "info", "-")
    assert run.code == 64
    assert len(run.screen) == 1 and "is standard input, which is the terminal" in run.text


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
@pytest.mark.parametrize(
    "command", ["thumbs --at 0", "sheet --count 1", "export --preset passthrough", "metadata set title=x"]
)
def test_files_are_not_written_to_a_terminal(tmp_path: Path, command: str, name: str) -> None:
    copy_fixture("movie.mp4", tmp_path / "a.mp4")
    run = run_on_terminal(tmp_path, *command.split(), "-o", name, "a.mp4", output_is_terminal=True)
    assert run.code == 64
    assert len(run.screen) == 1
    assert "is a terminal" in run.text


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_that_was_ignored_from_the_start_stays_ignored(tmp_path: Path, number: signal.Signals) -> None:
    """`nohup avtool` ended all the same when its terminal was closed."""
    copy_fixture("long-gop.mp4", tmp_path / "a.mp4")
    script = f"""trap '' {number.name[3:]}; exec "$0" "$@" > lines"""
    work = [AVTOOL, "thumbs", "--count", "60", "--size", "16x0", "a.mp4", "held.mp4"]
    with held_film(tmp_path / "held.mp4", fixture("long-gop.mp4")) as held:
        process = subprocess.Popen(["/bin/bash", "-c", script, *work], cwd=tmp_path, stdin=subprocess.DEVNULL)
        try:
            assert eventually(lambda: held.is_read and len(list(tmp_path.glob("a-*.png"))) == 60)
            assert ignores(process.pid, number)
            process.send_signal(number)
            held.let_go()
            assert process.wait(LIMIT) == 0
        finally:
            process.kill()
            process.wait()
    stills = [f"{name}-{index:02}.png" for name in ("a", "held") for index in range(1, 61)]
    assert names(tmp_path) == sorted(["a.mp4", "held.mp4", "lines", *stills])
