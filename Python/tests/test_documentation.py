"""The recipes of docs/how-to/python.md and the example of README.md do what they say."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import avtool

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs/how-to/python.md", ROOT / "Python/README.md"]
BLOCKS = [
    block for page in PAGES for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
]


@pytest.mark.parametrize("block", BLOCKS)
def test_recipes(
    block: str,
    tool: avtool.Tool,
    film: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if "avtool.ray" in block and importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed: scripts/python --with-ray")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AVTOOL", tool.executable)
    shutil.copy(film("movie.mp4"), "film.mp4")
    films = ["film.mp4", "nothing.mp4", film("vfr.mp4")]
    exec(block.replace("/shared/", f"{tmp_path}/"), {"avtool": avtool, "films": films, "files": films})
    said = capfd.readouterr().out
    if "thumbs" in block:
        assert (tmp_path / "stills/film-1.png").exists()
    else:
        assert ("print" in block) == bool(said)
