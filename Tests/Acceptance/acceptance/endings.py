"""How runs of avtool end that are refused, interrupted, or out of readers or room, and what they leave."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from acceptance.faults import contents
from acceptance.processes import bytes_in, is_writing_below
from acceptance.running import AVTOOL, run, text
from acceptance.tool import LIMIT, eventually


def call(folder: Path, *words: object, wanted: int = 0) -> subprocess.CompletedProcess[bytes]:
    """A run in a folder, which has to end with an exit code."""
    command = [AVTOOL, *map(str, words)]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
    assert done.returncode == wanted, f"exit code {done.returncode} for {command}: {text(done.stderr)}"
    return done


def refused(folder: Path, code: int, said: str, *words: object) -> None:
    """A run that fails with one line that holds some words, and changes nothing in the folder."""
    before = contents(folder)
    done = call(folder, *words, wanted=code)
    lines = text(done.stderr).splitlines()
    assert len(lines) == 1 and said in lines[0], (words, lines)
    assert not done.stdout and contents(folder) == before, words


def unread(folder: Path, code: int, *words: object) -> None:
    """A run whose standard output nobody reads ends with a code: 74, or that of the signal, and leaves nothing."""
    before = contents(folder)
    reader, writer = os.pipe()
    os.close(reader)
    command = [AVTOOL, *map(str, words)]
    try:
        done = subprocess.run(command, cwd=folder, stdout=writer, stderr=subprocess.PIPE, timeout=60)
    finally:
        os.close(writer)
    assert done.returncode == code, (done.returncode, text(done.stderr))
    assert len(text(done.stderr).splitlines()) <= 1 and contents(folder) == before


def interrupted(folder: Path, *words: object, data: bytes = b"") -> None:
    """A run that is interrupted in the middle ends, says so, and leaves the folder as it was.

    That is when it has taken the data from standard input, which does not end there; without any, when there is
    something of its result.
    """
    before, place = contents(folder), folder.resolve()
    command = [AVTOOL, *map(str, words)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin
    standard_input = process.stdin.fileno()

    def is_midway() -> bool:
        return bytes_in(standard_input) == 0 if data else is_writing_below(process.pid, place)

    try:
        process.stdin.write(data)
        process.stdin.flush()
        assert eventually(lambda: is_midway() or process.poll() is not None)
        assert process.poll() is None, "it ended before it could be interrupted"
        process.send_signal(signal.SIGINT)
        # Standard input stays open: the end of it would end the run, too.
        code = process.wait(LIMIT)
    finally:
        process.kill()
        _, said = process.communicate()
    assert code == 130 and b"interrupted" in said, (code, text(said))
    assert contents(folder) == before


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A file system of so many bytes."""
    folder.mkdir()
    if run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        yield folder
    finally:
        run(["umount", folder])


def out_of_room(folder: Path, size: int, name: str, *words: object) -> None:
    """A run that fills the disk of its result says so, and leaves nothing of it."""
    with small_disk(folder / "small", size) as small:
        done = call(folder, *words, "-o", small / name, wanted=74)
        assert len(text(done.stderr).splitlines()) == 1, text(done.stderr)
        assert contents(small) == {}
    assert contents(folder / "tmp") == {}
