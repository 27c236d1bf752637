"""Runs of the tool over lists of files."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import avtool

Film = Callable[[str], Path]


def test_rows_are_those_of_single_runs(tool: avtool.Tool, film: Film, tmp_path: Path) -> None:
    files = [film(name) for name in ("movie.mp4", "vfr.mp4", "audio-only.mp3", "truncated-no-moov.mp4", "vp9.webm")]
    together = list(avtool.run("thumbs", files, "--at", "0,1/3", "-o", f"{tmp_path}/a/", tool=tool))
    alone = [
        row
        for file in files
        for row in avtool.run("thumbs", [file], "--at", "0,1/3", "-o", f"{tmp_path}/b/", tool=tool)
    ]
    assert [(row.source, row.index, row.requested, row.actual, row.failure) for row in together] == [
        (row.source, row.index, row.requested, row.actual, row.failure) for row in alone
    ]
    assert [row.failure and row.failure.code for row in together if row.failure] == [
        "noSourceTrack",
        "fileFailedToParse",
    ]
    for one, other in zip(together, alone, strict=True):
        assert [Path(file).read_bytes() for file in one.files] == [Path(file).read_bytes() for file in other.files]


def test_failures_are_values(tool: avtool.Tool, film: Film, tmp_path: Path) -> None:
    with avtool.run(
        "thumbs", ["nothing.mp4", film("movie.mp4")], "--at", "1,99", "-o", f"{tmp_path}/", tool=tool
    ) as rows:
        missing, good, beyond = list(rows)
    assert missing.failure == avtool.Failure("noSuchInput", "no such file", "never")
    assert good.failure is None and good.actual == 1 and good.index == 1
    assert beyond.failure is not None and beyond.failure.code == "noImageAtTime" and beyond.requested == Fraction(99)
    assert rows.summary is not None
    assert (rows.summary.files, rows.summary.done, rows.summary.failed, rows.summary.exit_code) == (2, 0, 2, 66)
    assert rows.summary.retry == {"never": 2, "later": 0, "elsewhere": 0}


def test_what_was_there_is_told(tool: avtool.Tool, film: Film, tmp_path: Path) -> None:
    def made() -> list[avtool.Row]:
        return list(avtool.run("thumbs", [film("movie.mp4")], "--at", "1", "--resume", "-o", f"{tmp_path}/", tool=tool))

    assert [row.is_up_to_date for row in made() + made()] == [False, True]
    assert made()[0].files == [f"{tmp_path}/movie-1.png"]


def test_commands_of_two_words(tool: avtool.Tool, film: Film) -> None:
    for command in ("metadata show", ["metadata", "show"]):
        (row,) = avtool.run(command, [film("movie.mp4")], tool=tool)
        assert row.source == str(film("movie.mp4"))


def test_odd_names(tool: avtool.Tool, odd_names: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = list(avtool.run("thumbs", odd_names, "--at", "0", "--size", "32x0", "-o", "out/", tool=tool))
    assert [row.failure for row in rows] == [None] * len(odd_names)
    assert [row.input for row in rows] == odd_names
    assert {name.rsplit(b"-", 1)[0] + b".mp4" for name in os.listdir(b"out")} == set(odd_names)  # noqa: PTH208


def test_no_files(tool: avtool.Tool) -> None:
    with avtool.run("info", [], tool=tool) as rows:
        assert list(rows) == []
    assert rows.summary is not None and rows.summary.files == 0


def test_many_names_fill_no_pipe(tool: avtool.Tool) -> None:
    # A line on standard error for each, and one on standard output: many times what a pipe holds.
    names = (f"nothing/{number:0100}" for number in range(5000))
    count = 0
    with avtool.run("info", names, tool=tool) as rows:
        for count, row in enumerate(rows, 1):  # noqa: B007
            assert row.failure is not None
    assert count == 5000 and rows.summary is not None and rows.summary.failed == 5000


def test_wrong_command_lines(tool: avtool.Tool, film: Film) -> None:
    with pytest.raises(avtool.AvtoolError, match="Give one of") as caught:
        list(avtool.run("thumbs", [film("movie.mp4")], tool=tool))
    assert (caught.value.code, caught.value.retry, caught.value.exit_code) == ("usage", "never", 64)


def test_names_that_end_in_an_error(tool: avtool.Tool, film: Film, tmp_path: Path) -> None:
    def names() -> Iterator[Path]:
        yield film("movie.mp4")
        raise RuntimeError("the list broke")

    with pytest.raises(RuntimeError, match="the list broke"):
        list(avtool.run("thumbs", names(), "--at", "0", "-o", f"{tmp_path}/out/", tool=tool))
    assert not (tmp_path / "out").exists(), "a list that broke was taken for a whole one"


def is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_leaving_ends_the_command(stand_in: Callable[[str], avtool.Tool]) -> None:
    rows = avtool.run("info", ["x"], tool=stand_in("while echo '{}'; do :; done"))
    with rows:
        next(rows)
        assert is_there(rows.pid)
    assert not is_there(rows.pid)
    assert list(rows) == []


def test_leaving_ends_a_command_that_does_not_listen(
    stand_in: Callable[[str], avtool.Tool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("avtool.child._GRACE", 0.3)
    with avtool.run("info", ["x"], tool=stand_in("trap '' TERM PIPE; echo '{}'; while :; do sleep 0.1; done")) as rows:
        next(rows)
    assert not is_there(rows.pid)


def test_cancelling_from_another_thread(tool: avtool.Tool, long_film: Path) -> None:
    rows = avtool.run("verify", [long_film] * 1000, "--samples", "500", "--jobs", "1", tool=tool)
    threading.Timer(1, rows.cancel).start()
    with pytest.raises(avtool.AvtoolError, match="cancelled") as caught:
        list(rows)
    assert caught.value.retry == "later" and not is_there(rows.pid)


def test_a_tool_that_dies(stand_in: Callable[[str], avtool.Tool]) -> None:
    rows = avtool.run(
        "info", ["x"], tool=stand_in("""echo '{"source":"x"}'; printf '{"sour'; echo oh >&2; kill -9 $$""")
    )
    assert next(rows).source == "x"
    with pytest.raises(avtool.AvtoolError, match="signal 9: oh") as caught:
        next(rows)
    assert (caught.value.code, caught.value.retry, caught.value.exit_code) == ("toolDied", "later", -9)


def test_what_is_no_answer(stand_in: Callable[[str], avtool.Tool]) -> None:
    with pytest.raises(avtool.AvtoolError, match="no JSON object"):
        list(avtool.run("info", ["x"], tool=stand_in("echo hello")))


def test_floods_of_words(stand_in: Callable[[str], avtool.Tool]) -> None:
    rows = avtool.run("info", ["x"], tool=stand_in("yes oh | head -c 5000000 >&2; echo end >&2; exit 70"))
    with pytest.raises(avtool.AvtoolError, match=r"end$") as caught:
        list(rows)
    assert len(caught.value.message) < 100_000 and caught.value.retry == "never"


def test_errors_can_be_sent() -> None:
    error = avtool.AvtoolError(avtool.Failure("a", "b", "later"), 74)
    copy = pickle.loads(pickle.dumps(error))
    assert copy.failure == error.failure and copy.exit_code == 74
