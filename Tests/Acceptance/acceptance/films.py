"""The files that tests run on: the project's fixtures, and the corpus of files of other people."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from acceptance.running import ROOT

FIXTURES = ROOT / "Fixtures"
IGNORED = {".md", ".tsv", ".json", ".txt", ".py", ".sh", ".m3u8", ".csv", ""}
Parameter = Any  # of pytest, which names no public type of it
# What `--film` names: these are gone through instead of fixtures and corpus.
CHOSEN: list[Path] = []


def fixture(name: str) -> Path:
    return FIXTURES / name


def files_in(folder: Path) -> list[Path]:
    """The media files in a folder, at any depth."""
    return sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix not in IGNORED)


def corpus_folder() -> Path | None:
    """AVTOOL_CORPUS, or shared/corpus beside the folder of the repository or above it."""
    named = os.environ.get("AVTOOL_CORPUS")
    places = [Path(named)] if named else [parent / "shared/corpus" for parent in ROOT.parents]
    return next((place for place in places if place.is_dir()), None)


def corpus(*patterns: str) -> list[Parameter]:
    """Files of the corpus that fit one of some patterns, as parameters; all if there is none.

    None where scripts/acceptance says that the run leaves them out: to collect tens of thousands takes long.
    """
    if CHOSEN or os.environ.get("ACCEPTANCE_CORPUS") == "no":
        return []
    folder = corpus_folder()
    if folder is None:
        skip = pytest.mark.skip(reason="no corpus: AVTOOL_CORPUS names no folder, and ../shared/corpus is none")
        return [pytest.param(Path(), id="corpus", marks=[pytest.mark.corpus, skip])]
    found = [file for pattern in patterns for file in sorted(folder.glob(pattern))] if patterns else files_in(folder)
    return [pytest.param(file, id=str(file.relative_to(folder)), marks=pytest.mark.corpus) for file in found]


def fixtures(left_out: str = "$^", quick: str = "") -> list[Parameter]:
    """All fixtures but those whose name a pattern finds, as parameters.

    `quick` names those that each run goes through; without it, all are.
    """
    if CHOSEN:
        return [pytest.param(file, id=file.name) for file in CHOSEN]
    files = [f for f in files_in(FIXTURES) if f.parent == FIXTURES and not re.search(left_out, f.name)]
    return [
        pytest.param(f, id=f.name, marks=pytest.mark.slow if quick and f.name not in quick.split() else ())
        for f in files
    ]


def named(*names: str) -> list[Parameter]:
    """Fixtures by their names, as parameters."""
    if CHOSEN:
        return fixtures()
    return [pytest.param(fixture(name), id=name) for name in names]
