"""How runs of avtool end that are refused, interrupted, or out of readers or room, and what they leave."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from acceptance.faults import contents
from acceptance.running import AVTOOL, run, text


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


def interrupted(folder: Path, *words: object, seconds: float = 1) -> None:
    """A run that is interrupted in the middle ends soon, says so, and leaves the folder as it was."""
    before = contents(folder)
    command = [AVTOOL, *map(str, words)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe)
    time.sleep(seconds)
    assert process.poll() is None, "it ended before it could be interrupted"
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    # Standard input stays open: the end of it would end the run, too.
    code = process.wait(timeout=30)
    took = time.monotonic() - sent
    _, said = process.communicate()
    assert code == 130 and b"interrupted" in said, (code, text(said))
    assert took < 10 and contents(folder) == before, took


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
