"""What the tests have in common: the tool, films, and programs that stand in for the tool."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

import avtool

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"


@pytest.fixture(scope="session")
def tool() -> avtool.Tool:
    return avtool.Tool(os.environ.get("AVTOOL") or ROOT / ".build/avtool/avtool")


@pytest.fixture(scope="session")
def film() -> Callable[[str], Path]:
    """A film of the folder Fixtures."""

    def found(name: str) -> Path:
        assert (FIXTURES / name).exists()
        return FIXTURES / name

    return found


@pytest.fixture(scope="session")
def long_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of more than a megabyte, whose frames differ; packed small it would not be one."""
    path = tmp_path_factory.mktemp("films") / "long.mkv"
    source = ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=8"]
    words = ["ffmpeg", "-v", "error", "-nostdin", *source, "-c:v", "mjpeg", "-q:v", "3", str(path)]
    subprocess.run(words, check=True)
    assert path.stat().st_size > 1_048_576
    return path


@pytest.fixture
def odd_names(tmp_path: Path, film: Callable[[str], Path]) -> list[bytes]:
    """Small films in the working directory whose names have what names may have."""
    names = [
        b" a b.mp4",
        b"new\nline.mp4",
        b"-x.mp4",
        b"--at=3.mp4",
        b"\xff\xfe \xc3.mp4",
        b"lit\\xFFeral.mp4",
        b"\xed\xa0\x80.mp4",
    ]
    names += ["naïve \N{CLAPPER BOARD}.mp4".encode(), b"http:.mp4", b"title=x.mp4", b"quote'\"$(x).mp4"]
    for name in names:
        shutil.copy(os.fsencode(film("movie.mp4")), os.fsencode(tmp_path) + b"/" + name)
    return names


@pytest.fixture
def stand_in(tmp_path: Path, tool: avtool.Tool) -> Callable[[str], avtool.Tool]:
    """A program in bash in the tool's place; `$real` is the tool, `$here` a folder of its own."""

    def made(script: str) -> avtool.Tool:
        folder = tmp_path / "stand-in"
        folder.mkdir(exist_ok=True)
        path = folder / "avtool"
        path.write_text(f"#!/bin/bash\nreal='{tool.executable}' here='{folder}'\n{script}\n")
        path.chmod(0o755)
        return avtool.Tool(path)

    return made


class Killer(threading.Thread):
    """Ends processes of a run on Ray at random: the tool, and the workers of Ray that started it."""

    def __init__(self, marks: tuple[bytes, ...], tools: int, workers: int) -> None:
        super().__init__(daemon=True)
        self.marks, self.left, self.killed = marks, ["tool"] * tools + ["worker"] * workers, list[str]()
        self.chance, self.is_over = random.Random(20), threading.Event()
        self.chance.shuffle(self.left)

    def tools(self) -> list[int]:
        """Processes that have all the marks among their words."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
            except OSError:
                continue
            if all(mark in words for mark in self.marks):
                found.append(int(entry.name))
        return found

    def run(self) -> None:
        while self.left and not self.is_over.wait(self.chance.uniform(0.05, 0.4)):
            for process in self.tools()[:1]:
                kind = self.left[-1]
                try:
                    victim = process if kind == "tool" else parent(process)
                    os.kill(victim, signal.SIGKILL)
                except (OSError, StopIteration):
                    continue
                self.killed.append(self.left.pop())


def parent(process: int) -> int:
    """The worker of Ray that started a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    found = next(int(line.split()[1]) for line in lines if line.startswith("PPid:"))
    if b"ray::" not in Path(f"/proc/{found}/cmdline").read_bytes():
        raise StopIteration
    return found


@contextmanager
def killer(*marks: bytes, tools: int, workers: int) -> Iterator[Killer]:
    found = Killer(marks, tools, workers)
    found.start()
    try:
        yield found
    finally:
        found.is_over.set()
        found.join()


@pytest.fixture
def killing() -> Callable[..., AbstractContextManager[Killer]]:
    """What ends processes that have all the marks, and the workers that started them, while it lasts."""
    return killer
