"""Markers of the acceptance tests, and why a test is skipped."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from acceptance.running import AVTOOL


def pytest_configure(config: pytest.Config) -> None:
    if not config.option.collectonly and not os.access(AVTOOL, os.X_OK):
        raise pytest.UsageError(f"there is no {AVTOOL}: run scripts/build, or set AVTOOL")


def is_there(peer: str) -> bool:
    return shutil.which(peer) is not None or importlib.util.find_spec(peer) is not None


def pytest_runtest_setup(item: pytest.Item) -> None:
    wanted = [str(peer) for mark in item.iter_markers("peer") for peer in mark.args]
    wanted += ["chromium"] if item.get_closest_marker("browser") else []
    if missing := [peer for peer in wanted if not is_there(peer)]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    if item.get_closest_marker("root") and os.geteuid() != 0:
        pytest.skip("needs root: file systems are mounted, or a user changed")


@pytest.fixture(autouse=True)
def private_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test and the programs that it runs leave in the folder for temporary files is its own."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rounds", type=int, default=2, metavar="N", help="random disturbances of each kind")
    parser.addoption("--seconds", type=int, default=6, metavar="N", help="of the films that are disturbed")


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--rounds"))
