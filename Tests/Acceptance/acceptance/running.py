"""Running avtool and other programs, and what they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
AVTOOL = str(Path(os.environ.get("AVTOOL") or ROOT / ".build/avtool/avtool").absolute())

Json = dict[str, Any]


@dataclass
class Findings:
    """What is wrong with a file, and what is worth a note."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def expect(self, good: object, message: str) -> bool:
        if not good:
            self.problems.append(message[:1500])
        return bool(good)

    def check(self, kind: str, file: Path, good: object, detail: object = "") -> bool:
        return self.expect(good, f"{kind}: {file.name}: {detail}")

    def skip(self, reason: str) -> None:
        self.notes.append(f"skipped: {reason}")


def say(message: str) -> None:
    """What goes on, on standard error."""
    print(message, file=sys.stderr, flush=True)


def run(command: Sequence[object], timeout: float = 300) -> subprocess.CompletedProcess[bytes]:
    words = [str(word) for word in command]
    try:
        return subprocess.run(words, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, b"", b"took too long")


def text(data: bytes) -> str:
    return data.decode(errors="replace").strip()


def output(command: Sequence[object]) -> str:
    return run(command).stdout.decode(errors="replace")


def parsed(command: Sequence[object], timeout: float = 300) -> Json:
    """The JSON object that a command prints, the first of a list; empty if there is none."""
    try:
        value = json.loads(run(command, timeout).stdout, strict=False)
    except ValueError:
        return {}
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, dict) else {}


def json_lines(data: bytes) -> list[Json]:
    events: list[Json] = []
    for line in data.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            event = {"event": "no JSON", "line": line.decode(errors="replace")}
        events.append(event if isinstance(event, dict) else {"event": "no object"})
    return events


def make(*words: object) -> None:
    """Runs a command that makes a file for a test; it has to succeed."""
    result = run(words, 1800)
    if result.returncode:
        raise RuntimeError(f"{words[0]}: exit code {result.returncode}: {text(result.stderr)[-2000:]}")


def ffmpeg(*words: object) -> None:
    make("ffmpeg", "-v", "error", "-nostdin", "-y", *words)


def avtool(*words: object) -> tuple[int, str]:
    """The exit code, and what is said on standard error, or else on standard output."""
    result = run([AVTOOL, *words])
    return result.returncode, text(result.stderr) or text(result.stdout)


def metadata(file: Path) -> Json:
    return parsed([AVTOOL, "metadata", "show", "--json", file])
