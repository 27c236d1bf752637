"""Files that claim much or hold much of nothing: what avtool makes of them takes little time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from acceptance.hostile_media import HOSTILE, TB
from acceptance.running import AVTOOL, ROOT

# What commands may take: seconds of the processor, and MB of memory. A second and 150 MB are what an idle machine is
# to show; a busy one takes longer.
SECONDS = 5
MEMORY = 150
# A command that takes longer is ended, and has failed.
PATIENCE = 60

# Exit codes of failures that docs/failures.md has, and of a verification that found something.
CODES = {0, 1, 65, 66, 73, 74, 75}

COMMANDS: dict[str, list[str]] = {
    "info": ["info"],
    "metadata show": ["metadata", "show"],
    "thumbs": ["thumbs", "--at", "0"],
    "export": ["export", "--preset", "passthrough"],
    "metadata set": ["metadata", "set", "title=x"],
    "verify": ["verify"],
    "chapters show": ["chapters", "show"],
}

OUTPUTS = {"thumbs": "still.png", "export": "export.mkv", "metadata set": "changed"}

# What takes longer or more, and why.
KNOWN = {
    ("movie-box-hole.mp4", "metadata set"): "a copy of five gigabytes, holes filled",
    ("samples-of-a-byte.mp4", "metadata set"): "a copy of five gigabytes, holes filled",
    ("samples-of-a-byte.mp4", "export"): "four billion samples of a byte are four gigabytes to copy",
}

# One of each kind; the rest with `-m slow`.
FAST = {
    "boxes-in-table.mp4", "cmov.mov", "elst.mp4", "hole.avi", "hole.flac", "hole.mp4", "hole.wav", "nested.mp4",
    "samples-40-million.mp4", "stsz.mp4", "void-front.mkv",
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in FAST else pytest.mark.slow) for name in HOSTILE]
)
def test_hostile_media(name: str, tmp_path: Path) -> None:
    source = tmp_path / name
    # In a process of its own: a child's peak memory counts from what its parent holds.
    make = [sys.executable, "-m", "acceptance.hostile_media", name, str(source)]
    subprocess.run(make, cwd=ROOT / "Tests/Acceptance", check=True)
    problems: list[str] = []
    for label, words in COMMANDS.items():
        output = tmp_path / (OUTPUTS.get(label, "") + (source.suffix if label == "metadata set" else ""))
        options = ["-o", output] if label in OUTPUTS else []
        if label == "metadata set" and source.stat().st_size >= TB:
            # No disk has room for a copy; what would be done is worked out all the same.
            options = ["--dry-run"]
        if (name, label) in KNOWN:
            continue
        command = ["timeout", PATIENCE, AVTOOL, *words, *options, source]
        run = [sys.executable, "-m", "acceptance.measured", tmp_path / "said", *command]
        made = subprocess.run(
            [str(word) for word in run], cwd=ROOT / "Tests/Acceptance", check=True, capture_output=True
        )
        code, cpu, memory = json.loads(made.stdout)
        if output.is_file():
            output.unlink()
        if code not in CODES or cpu > SECONDS or memory > MEMORY:
            last = (tmp_path / "said").read_bytes().decode(errors="replace").strip().splitlines()[-1:]
            problems.append(f"{label}: exit code {code}, {cpu:.1f} s, {memory:.0f} MB: {last}")
    assert not problems, "\n".join(problems)
