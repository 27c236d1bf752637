"""What the tests have in common: the tool, films, and programs that stand in for the tool."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
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
