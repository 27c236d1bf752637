"""The cues of a storyboard's WebVTT file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Cue:
    start: int
    end: int
    sheet: str
    box: tuple[int, int, int, int]


def milliseconds(text: str) -> int:
    match = re.fullmatch(r"(?:(\d+):)?(\d\d):(\d\d)\.(\d{3})", text)
    if match is None:
        raise ValueError(f"{text} is no time")
    hours, minutes, seconds, thousandths = map(int, match.groups("0"))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths


def clock(ms: int) -> str:
    return f"{ms // 3600000}:{ms // 60000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def read_cues(path: Path) -> list[Cue]:
    cues = []
    for found in re.finditer(r"^(\S+) --> (\S+).*\n(.+)#xywh=(\d+),(\d+),(\d+),(\d+)$", path.read_text(), re.M):
        start, end, sheet, *box = found.groups()
        x, y, width, height = map(int, box)
        cues.append(Cue(milliseconds(start), milliseconds(end), sheet, (x, y, width, height)))
    return cues


def cue_at(cues: list[Cue], ms: int) -> int:
    return max(index for index, cue in enumerate(cues) if index == 0 or cue.start <= ms)
