"""Reasons that are given for damage: they are avtool's words, with those of FFmpeg in parentheses behind them.

A reason was FFmpeg's message alone: "concealing 252 DC, 252 AC, 252 MV errors in P frame", "error y=7 x=189".
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

from acceptance import films
from acceptance.running import run, text
from acceptance.tool import tool

COMMANDS = [
    "thumbs --count 8",
    "thumbs --count 8 --json",
    "thumbs --count 4 --allow-damaged --json",
    "verify --samples 20",
    "verify --samples 20 --json",
    "sheet --count 9",
    "sheet --count 9 --json --allow-damaged",
    "storyboard --every 500ms --exact",
    "storyboard --every 500ms --json",
    "export --preset low -o out.mp4",
    "export --preset low --json -o out.mp4",
    "export --preset passthrough -o out.mov",
    "scenes",
    "info",
]
# Words of FFmpeg's messages that are known from damaged files.
KNOWN_WORDS = {
    "concealing ", "error y=", "Could not find ref", "partial file", "Error splitting", "non-existing", "left block",
    "top block", "Invalid NAL", "no frame!", "prematurely",
}  # fmt: skip


@functools.cache
def messages_of_ffmpeg(file: Path) -> frozenset[str]:
    """What the ffmpeg command says of a file, without the names of its parts."""
    said = text(run(["ffmpeg", "-v", "error", "-nostdin", "-i", file, "-f", "null", "-"]).stderr)
    lines = [re.sub(r"^(\[[^\]]*\] )+", "", line).strip() for line in said.splitlines()]
    return frozenset(line for line in lines if len(line) > 6 and str(file) not in line)


def without_parentheses(line: str) -> str:
    while (start := line.rfind("(")) >= 0 and (end := line.find(")", start)) >= 0:
        line = line[:start] + line[end + 1 :]
    return line


def test_ffmpeg_has_words_for_damage() -> None:
    """Without them there would be nothing to compare with."""
    assert messages_of_ffmpeg(films.fixture("damaged.mp4"))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "file",
    [
        *films.named("damaged.mp4", "damaged.ts", "truncated.mp4", "truncated-no-moov.mp4"),
        *films.corpus("corrupt/*", "stills/pixel-motion-photo-shortened.jpg"),
    ],
)
def test_reasons_of_damage_are_our_own_with_the_words_of_ffmpeg_behind_them(
    tmp_path: Path, file: Path, command: str
) -> None:
    done = tool(tmp_path, *command.split(), file)
    assert done.code in (0, 65, 75), done
    foreign = messages_of_ffmpeg(file) | KNOWN_WORDS
    lines = done.lines + done.diagnostic_lines
    assert [line for line in lines if any(word in without_parentheses(line) for word in foreign)] == []
