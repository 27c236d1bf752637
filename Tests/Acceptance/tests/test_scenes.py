"""Compares avtool's scenes with those of PySceneDetect, which `scripts/acceptance --with-scenedetect` installs.

A cut agrees if the other has one within one frame. Each one that does not is in a list here, with what is to be seen
there. Then films are joined from pieces of single shots, so that it is known where all cuts are. `-s` shows how long
both take, in turns: the best time of each.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from acceptance import films
from acceptance.measure import timed
from acceptance.running import AVTOOL, ffmpeg, text

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
        command = [sys.executable, "-m", "scenedetect", "-q", "-i", str(film), "-o", folder, f"detect-{method}"]
        code, _, errors = measured([*command, "list-scenes", "-q", "-s", "-f", "scenes.csv"], found)
        table = Path(folder) / "scenes.csv"
        if code != 0 or not table.exists():
            raise RuntimeError(f"scenedetect: {(errors.splitlines() or ['no answer'])[-1]}")
        with table.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
    found.cuts = [int(row["Start Frame"]) - 1 for row in rows][1:]


def without_partner(cuts: list[int], others: list[int]) -> set[int]:
    """Those that have no partner of their own among others, within one frame."""
    left, lonely = sorted(others), set()
    for cut in sorted(cuts):
        partner = next((other for other in left if abs(other - cut) <= 1), None)
        if partner is None:
            lonely.add(cut)
        else:
            left.remove(partner)
    return lonely


# By film and method: the frames of cuts that only PySceneDetect finds, and of those that only avtool does.
KNOWN: dict[tuple[str, str], tuple[set[int], set[int]]] = {
    # 76: a true cut in a fast move; 242: a shot of 8 frames at the end, shorter than the least length.
    ("bikes.mp4", "adaptive"): ({76, 242}, set()),
    ("bikes.mp4", "content"): ({242}, set()),
    # 672: a shot of 14 frames, shorter than the least length; 224: a title appears on black;
    # 280, 522, 771, 1133: the middles of fades through black, for which PySceneDetect does not look.
    ("sintel_trailer-720p.mp4", "adaptive"): ({672}, {224, 280, 522, 771, 1133}),
    # 516: the last codes of a fade to black, of which 522 is the middle; 1013: a title that goes dark;
    # 222: the middle of the black before the title.
    ("sintel_trailer-720p.mp4", "content"): ({516, 672, 1013}, {222, 280, 522, 1133}),
}


@pytest.mark.slow
@pytest.mark.peer("scenedetect")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("film", [*films.named("movie.mov", "long-gop.mp4"), *films.corpus("video-basic/*")])
def test_scenes(film: Path, method: str, rounds: int, record_property: Callable[[str, object], None]) -> None:
    """All cuts agree but those that are known not to."""
    ours, theirs = Found(), Found()
    for _ in range(rounds):
        by_scenedetect(film, method, theirs)
        by_avtool(film, method, ours)
    record_property("seconds", f"{ours.seconds:.2f} of {theirs.seconds:.2f}")
    record_property("processor", f"{ours.processor:.2f} of {theirs.processor:.2f}")
    # What both find counts as agreement, whatever avtool calls it.
    found = ours.cuts + ours.fades
    print(f"{film.name} {method}: {found}, theirs {theirs.cuts}; {ours.seconds:.2f} s, theirs {theirs.seconds:.2f} s,"
          f" processor {ours.processor:.2f} s, theirs {theirs.processor:.2f} s")  # fmt: skip
    differences = without_partner(theirs.cuts, found), without_partner(found, theirs.cuts)
    assert differences == KNOWN.get((film.name, method), (set(), set()))


# Pieces of single shots of the corpus: the film, and the first and the last second.
SHOTS = (
    ("video-basic/bikes.mp4", 1.4, 2.8), ("video-basic/sintel_trailer-720p.mp4", 14.0, 15.4),
    ("video-basic/bikes.mp4", 5.7, 7.3), ("video-basic/sintel_trailer-720p.mp4", 17.8, 19.2),
    ("video-basic/bikes.mp4", 7.6, 9.4), ("video-basic/sintel_trailer-720p.mp4", 24.0, 25.6),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("method", METHODS)
def test_joins(method: str, tmp_path: Path) -> None:
    """Where pieces of single shots of two films are joined in turns, there are cuts, and nowhere else."""
    corpus = films.corpus_folder()
    if corpus is None:
        pytest.skip("no corpus")
    joins, pictures, piece = [], b"", tmp_path / "piece.yuv"
    for name, start, end in SHOTS:
        picture = ["-vf", "fps=25,scale=640:360", "-frames:v", round((end - start) * 25)]
        ffmpeg("-ss", start, "-i", corpus / name, *picture, "-pix_fmt", "yuv420p", "-f", "rawvideo", piece)
        pictures += piece.read_bytes()
        joins.append(len(pictures) // (640 * 360 * 3 // 2))
    piece.write_bytes(pictures)
    film, found = tmp_path / "joined.mp4", Found()
    ffmpeg("-f", "rawvideo", "-s", "640x360", "-r", 25, "-i", piece, "-c:v", "libx264", "-crf", "20", film)
    by_avtool(film, method, found)
    assert (found.cuts, found.fades) == (joins[:-1], [])
