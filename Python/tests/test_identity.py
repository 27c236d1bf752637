"""The fingerprint, against the one that the tool computes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import avtool


def stated(tool: avtool.Tool, path: Path) -> avtool.Identity:
    done = subprocess.run([tool.executable, "index", "-o", "-", path], capture_output=True, check=True)
    source = json.loads(done.stdout.split(b"\n", 1)[0])["source"]
    return avtool.Identity(source["byteCount"], source["fingerprint"])


def test_fingerprints(tool: avtool.Tool, film: Callable[[str], Path], long_film: Path) -> None:
    for path in (film("movie.mp4"), film("vp9.webm"), long_film):
        assert avtool.identity(path) == stated(tool, path)
