"""Subtitles of text that become those of another container: when each is shown, and what they lose."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from acceptance.running import AVTOOL, ffmpeg, json_lines, output, run

Cue = tuple[int, int, str]
"""From and to in milliseconds, and the text."""


def clock(milliseconds: int) -> str:
    (rest, part) = divmod(milliseconds, 1000)
    return f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02},{part:03}"


def film(folder: Path, cues: list[Cue], coding: str = "srt") -> Path:
    text = "".join(f"{n}\n{clock(a)} --> {clock(b)}\n{words}\n\n" for n, (a, b, words) in enumerate(cues, 1))
    (folder / "cues.srt").write_text(text)
    pictures = ["-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=12", "-c:v", "libx264", "-g", "25"]
    ffmpeg(*pictures[:4], "-i", folder / "cues.srt", *pictures[4:], "-c:s", coding, folder / "film.mkv")
    return folder / "film.mkv"


def shown(file: Path) -> list[Cue]:
    text = output(["ffmpeg", "-v", "error", "-i", file, "-map", "0:s", "-f", "srt", "-"])
    stamp = r"(\d+):(\d+):(\d+),(\d+)"
    found = re.findall(rf"{stamp} --> {stamp}\n(.*?)\n\n", text.replace("\r", "") + "\n\n", re.DOTALL)

    def time(parts: tuple[str, ...]) -> int:
        (hours, minutes, seconds, rest) = map(int, parts)
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest

    return [(time(row[:4]), time(row[4:8]), row[8].strip()) for row in found]


def one_at_a_time(cues: list[Cue], start: int = 0, end: int = 1 << 40) -> list[Cue]:
    """What is shown when, the texts of each moment in the order in which they begin."""
    bounds = sorted({time for cue in cues for time in cue[:2]} | {start, end})
    made = []
    for first, last in zip(bounds, bounds[1:], strict=False):
        texts = [words for begin, over, words in cues if begin <= first and over >= last]
        if texts and first >= start and last <= end:
            made.append((first - start, last - start, "\n".join(texts)))
    return made


def export(source: Path, name: str, *options: object) -> Path:
    made = source.parent / name
    run([AVTOOL, "export", "--preset", "passthrough", *options, "-o", made, source]).check_returncode()
    return made


def some_cues(seed: int) -> list[Cue]:
    some = random.Random(seed)
    starts = sorted(some.sample(range(0, 9000, 40), 12))
    return [(start, start + 40 * some.randint(1, 60), f"text {number}") for number, start in enumerate(starts)]


@pytest.mark.parametrize("suffix", ["mp4", "mov"])
def test_cues_that_overlap_are_shown_together(suffix: str, tmp_path: Path) -> None:
    cues = [(1000, 2500, "first"), (2000, 3000, "second"), (3000, 3500, "next"), (3500, 4000, "last")]
    made = export(film(tmp_path, cues), f"made.{suffix}")
    assert shown(made) == [
        (1000, 2000, "first"), (2000, 2500, "first\nsecond"), (2500, 3000, "second"), (3000, 3500, "next"),
        (3500, 4000, "last"),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_cues_have_their_times_in_movies_and_in_ranges(seed: int, tmp_path: Path) -> None:
    cues = some_cues(seed)
    source = film(tmp_path, cues)
    assert shown(export(source, "made.mp4")) == one_at_a_time(cues)
    made = export(source, "part.mp4", "--range", "2s..7s")
    assert shown(made) == one_at_a_time(cues, 2000, 7000)
    encoded = source.parent / "low.mp4"
    run([AVTOOL, "export", "--preset", "low", "-o", encoded, source]).check_returncode()
    assert shown(encoded) == one_at_a_time(cues)
    # Where cues may overlap they stay as they are.
    assert shown(export(source, "copy.mkv")) == cues


def test_cues_with_long_pauses_and_no_order_keep_their_times(tmp_path: Path) -> None:
    """A first text after hours, one of hours, and one between them that is told late."""
    (hour, minute) = (3_600_000, 60_000)
    cues = [
        (7 * hour, 7 * hour + 1000, "late"), (7 * hour + minute, 12 * hour, "long"),
        (8 * hour, 8 * hour + minute, "within"), (20 * hour, 20 * hour + 1000, "last"),
    ]  # fmt: skip
    made = export(film(tmp_path, cues), "made.mp4")
    parts = shown(made)
    # A text of hours is written in several samples.
    for text in ("late", "long", "within", "last"):
        (starts, ends) = zip(*[part[:2] for part in parts if text in part[2].split("\n")], strict=True)
        assert (min(starts), max(ends)) == next(cue[:2] for cue in cues if cue[2] == text)
    both = [part[:2] for part in parts if part[2] == "long\nwithin"]
    assert both == [(8 * hour, 8 * hour + minute)]


def test_many_cues_at_a_time_are_bounded(tmp_path: Path) -> None:
    cues = [(1000 + 10 * number, 9000, f"text {number}") for number in range(400)]
    source = film(tmp_path, cues)
    made = run([AVTOOL, "export", "--preset", "passthrough", "--json", "-o", tmp_path / "made.mp4", source])
    assert "overlaps" in next(
        loss["item"] for loss in json_lines(made.stdout)[-1]["losses"] if loss["trait"] == "styling"
    )
    assert max(len(part[2].split("\n")) for part in shown(tmp_path / "made.mp4")) == 16


@pytest.mark.parametrize(
    ("text", "coding", "suffix", "lost"),
    [
        ("{\\an8}above", "srt", "mp4", "positions"), ('<font color="#ff0000">red</font>', "srt", "mov", "colors"),
        ("<i>plain</i> and <b>bold</b>", "srt", "mp4", None), ("plain", "ass", "mp4", "styles"),
        ("{\\an8}above", "srt", "mkv", None),
    ],
)  # fmt: skip
def test_what_subtitles_lose_beside_their_words_is_told(
    text: str, coding: str, suffix: str, lost: str | None, tmp_path: Path
) -> None:
    source = film(tmp_path, [(1000, 2000, text)], coding)
    made = run([AVTOOL, "export", "--preset", "passthrough", "--json", "-o", tmp_path / f"made.{suffix}", source])
    assert made.returncode == 0
    losses = [loss for loss in json_lines(made.stdout)[-1]["losses"] if loss.get("trait") == "styling"]
    assert [lost in loss["item"] for loss in losses if lost] == ([True] if lost else [])
    assert bool(losses) == bool(lost)


@pytest.mark.parametrize(
    ("preset", "suffix"),
    [*(("passthrough", suffix) for suffix in ["mp4", "mov", "m4v", "mkv"]), ("low", "mp4"), ("low", "mov")],
)
@pytest.mark.parametrize("disposition", ["0", "default", "forced", "default+forced"])
def test_subtitles_are_offered_as_their_source_says(disposition: str, preset: str, suffix: str, tmp_path: Path) -> None:
    source = film(tmp_path, [(500, 1500, "words")])
    marked = tmp_path / "marked.mkv"
    words = ["-map", "0", "-c", "copy", "-default_mode", "passthrough", "-disposition:s:0", disposition]
    run(["ffmpeg", "-v", "error", "-y", "-i", source, *words, marked]).check_returncode()

    def said(file: Path) -> list[str]:
        words = ["ffprobe", "-v", "error", "-select_streams", "s:0", "-of", "csv=p=0"]
        return output([*words, "-show_entries", "stream_disposition=default,forced", file]).split()

    before = said(marked)
    assert before == [f"{int('default' in disposition)},{int('forced' in disposition)}"]
    made = export(marked, f"made.{suffix}", "--preset", preset)
    default, forced = said(made)[0].split(",")
    assert default == before[0][0]
    if suffix == "mkv":
        assert forced == before[0][2]
    else:
        # FFmpeg tells no roles of movies; they say it by a kind and by QuickTime's characteristic.
        assert (b"forced" in made.read_bytes()) == ("forced" in disposition)
