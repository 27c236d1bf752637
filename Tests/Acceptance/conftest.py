"""Markers and options of the acceptance tests, and why a test is skipped."""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from acceptance import films
from acceptance.chromium import Browser
from acceptance.report import Report
from acceptance.running import AVTOOL, ROOT


def pytest_configure(config: pytest.Config) -> None:
    if not config.option.collectonly and not os.access(AVTOOL, os.X_OK):
        raise pytest.UsageError(f"there is no {AVTOOL}: run scripts/build, or set AVTOOL")
    for path in config.getoption("--film"):
        if not path.exists():
            raise pytest.UsageError(f"there is no {path}")
        films.CHOSEN += films.files_in(path) if path.is_dir() else [path]
    if path := config.getoption("--report"):
        config.pluginmanager.register(Report(path, is_writer=not hasattr(config, "workerinput")))


def sample_seed(config: pytest.Config) -> str:
    """What decides which tests a sample has: an option, or the commit, so that each one tries others."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return str(config.getoption("--seed") or done.stdout.strip())


def pytest_report_header(config: pytest.Config) -> str | None:
    count = config.getoption("--sample")
    return f"a sample of {count} tests, --seed={sample_seed(config)}" if count else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps a sample of the chosen tests; the same one in each process of a run."""
    count = config.getoption("--sample")
    if not count or len(items) <= count:
        return
    kept = set(random.Random(sample_seed(config)).sample(range(len(items)), count))
    config.hook.pytest_deselected(items=[item for index, item in enumerate(items) if index not in kept])
    items[:] = [item for index, item in enumerate(items) if index in kept]


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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    def path(text: str) -> Path:
        return Path(text).absolute()

    parser.addoption("--rounds", type=int, default=2, metavar="N", help="random disturbances of each kind")
    parser.addoption("--failures", type=int, default=60, metavar="N", help="of each kind that each job meets (slow)")
    parser.addoption("--sample", type=int, default=0, metavar="N", help="only so many of the chosen tests, at random")
    parser.addoption("--seed", default="", metavar="TEXT", help="which tests a sample has; default: by the commit")
    parser.addoption("--process", default="", metavar="NAME", help="only calls of this one fail: front, worker or copy")
    parser.addoption("--seconds", type=int, default=6, metavar="N", help="of the films that are disturbed")
    parser.addoption(
        "--film",
        type=path,
        action="append",
        default=[],
        metavar="FILE|FOLDER",
        help="instead of fixtures and corpus; may be given several times",
    )
    parser.addoption("--range", metavar="RANGE", help="of exports: 1s+3s, 1s..4s or all; default: three seconds")
    parser.addoption(
        "--picky", action="store_true", help="refused stills, and exact frames where sync samples would do, are wrong"
    )
    parser.addoption(
        "--report", type=path, metavar="FILE.tsv", help="write a row for each test; go on after those there"
    )


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--rounds"))


@pytest.fixture
def is_picky(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--picky"))
