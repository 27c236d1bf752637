"""Small files that claim large pictures: what docs/limits.md says of memory holds, in each process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from acceptance.pixel_bombs import OF_ANY_SIZE, PIXEL_BOMBS
from acceptance.running import AVTOOL, ROOT

CODES = {0, 1, 65, 75}

COMMANDS: dict[str, list[str]] = {
    "info": ["info"],
    "thumbs": ["thumbs", "--at", "0", "--force", "-o", "still.png"],
    "thumbs small": ["thumbs", "--at", "0", "--size", "320x0", "--force", "-o", "still.jpg"],
    "sheet": ["sheet", "--count", "2", "--force", "-o", "sheet.png"],
    "export low": ["export", "--preset", "low", "--force", "-o", "low.mp4"],
    "verify": ["verify", "--samples", "1"],
}


def measured(folder: Path, *words: str) -> tuple[int, float]:
    """Runs avtool: its exit code, and the MB of its largest process."""
    run = [sys.executable, "-m", "acceptance.measured", str(folder / "said"), "timeout", "200"]
    command = ["env", "-C", str(folder), AVTOOL, *words]
    done = subprocess.run([*run, *command], cwd=ROOT / "Tests/Acceptance", check=True, capture_output=True)
    code, _, megabytes = json.loads(done.stdout)
    return int(code), float(megabytes)


def allowed(name: str) -> list[str]:
    """The option for a decoder that is off by default."""
    return ["--allow-format", "jpeg2000"] if name == "jpeg2000.mov" else []


@pytest.mark.slow
@pytest.mark.parametrize("name", PIXEL_BOMBS)
def test_the_largest_pictures_take_what_is_documented(name: str, tmp_path: Path) -> None:
    PIXEL_BOMBS[name](tmp_path / name, 15360, 8640)
    problems = []
    for label, words in COMMANDS.items():
        code, megabytes = measured(tmp_path, *words, *allowed(name), name)
        print(name, label, code, round(megabytes))
        if code not in CODES or megabytes > 2048:
            said = (tmp_path / "said").read_text(errors="replace").splitlines()[-1:]
            problems.append(f"{label}: exit code {code}, {megabytes:.0f} MB: {said}")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("name", OF_ANY_SIZE)
def test_larger_pictures_take_nothing(name: str, tmp_path: Path) -> None:
    # More than the default of 15360 times 8640, and not more than FFmpeg's own limit.
    PIXEL_BOMBS[name](tmp_path / name, 14000, 14000)
    for label, words in COMMANDS.items():
        code, megabytes = measured(tmp_path, *words, *allowed(name), name)
        print(name, label, code, round(megabytes))
        # Where the container says something else, only the picture itself tells, as damage if it is one of several.
        assert code in {65, 75} or (label == "info" and code == 0), label
        assert megabytes <= 150, label
