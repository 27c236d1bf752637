"""Compares avtool's scenes with those of PySceneDetect (pip install scenedetect opencv-python-headless).

A cut agrees if the other has one within one frame. `-s` shows how long both take, in turns: the best time of each.
"""

from __future__ import annotations

import csv
import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from acceptance import films
from acceptance.measure import timed
from acceptance.running import AVTOOL, text

METHODS = ("adaptive", "content")


@dataclass
class Found:
    cuts: list[int] = field(default_factory=list)  # numbers of first frames, from 0
    fades: list[int] = field(default_factory=list)
    seconds: float = float("inf")
    processor: float = float("inf")  # seconds of all cores together


def measured(command: list[str], found: Found) -> tuple[int, str, str]:
    """The exit code, and what the command said on standard output and standard error."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        code, usage = timed(command, output, errors)
        found.seconds, found.processor = min(found.seconds, usage.wall), min(found.processor, usage.cpu)
        output.seek(0)
        errors.seek(0)
        return code, text(output.read()), text(errors.read())


def by_avtool(film: Path, method: str, found: Found) -> None:
    _, said, errors = measured([AVTOOL, "scenes", "--json", "--method", method, str(film)], found)
    lines = said.splitlines()
    answer = json.loads(lines[0]) if lines else {}
    if "scenes" not in answer:
        raise RuntimeError(f"avtool: {errors or 'no answer'}")
    found.cuts = [s["firstFrame"] for s in answer["scenes"] if s["opening"] == "cut"]
    found.fades = [s["firstFrame"] for s in answer["scenes"] if s["opening"] == "fade"]


def by_scenedetect(film: Path, method: str, found: Found) -> None:
    with tempfile.TemporaryDirectory(prefix="check-scenes-") as folder:
        command = ["scenedetect", "-q", "-i", str(film), "-o", folder, f"detect-{method}"]
        code, _, errors = measured([*command, "list-scenes", "-q", "-s", "-f", "scenes.csv"], found)
        table = Path(folder) / "scenes.csv"
        if code != 0 or not table.exists():
            raise RuntimeError(f"scenedetect: {(errors.splitlines() or ['no answer'])[-1]}")
        with table.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
    found.cuts = [int(row["Start Frame"]) - 1 for row in rows][1:]


def agreeing(ours: list[int], theirs: list[int]) -> int:
    """How many of ours have a partner of their own among theirs, within one frame."""
    left = sorted(theirs)
    count = 0
    for cut in sorted(ours):
        partner = next((other for other in left if abs(other - cut) <= 1), None)
        if partner is not None:
            left.remove(partner)
            count += 1
    return count


@pytest.mark.slow
@pytest.mark.peer("scenedetect")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("film", [*films.named("movie.mov", "long-gop.mp4"), *films.corpus("video-basic/*")])
def test_scenes(film: Path, method: str, rounds: int) -> None:
    """Nine of ten cuts agree; where joins of shots are known, avtool finds as many of them."""
    ours, theirs = Found(), Found()
    for _ in range(rounds):
        by_scenedetect(film, method, theirs)
        by_avtool(film, method, ours)
    # What both find counts as agreement, whatever avtool calls it.
    both = agreeing(ours.cuts, theirs.cuts) + agreeing(ours.fades, theirs.cuts)
    print(f"{film.name} {method}: {both} of {len(theirs.cuts)}; {ours.seconds:.2f} s, theirs {theirs.seconds:.2f} s,"
          f" processor {ours.processor:.2f} s, theirs {theirs.processor:.2f} s")  # fmt: skip
    assert both >= 0.9 * max(len(theirs.cuts), len(ours.cuts))
    known_file = film.with_name(film.name + ".cuts")
    known = [int(line) for line in known_file.read_text().split()] if known_file.exists() else []
    assert agreeing(known, ours.cuts + ours.fades) >= agreeing(known, theirs.cuts)
