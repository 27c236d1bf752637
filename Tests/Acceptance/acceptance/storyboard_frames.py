"""Finds out of which frame each tile of a storyboard is, and whether it is the right one."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

import numpy

from acceptance.storyboard_reference import Pixels, Reference, number_in
from acceptance.storyboard_sets import Board, Cue

NEIGHBOURS = 12
# Frames that differ by less (mean square of differences) cannot be told apart in a tile.
ALIKE = 0.6


@dataclass
class Verdict:
    problems: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)  # exact frames where a sync sample would have done
    notes: Counter[str] = field(default_factory=Counter)
    tiles: Counter[str] = field(default_factory=Counter)  # right, alike, WRONG, faulty
    sync: int = 0
    worst: float = math.inf  # PSNR of the worst tile against its frame

    def wrong(self, message: str) -> None:
        self.problems.append(message)
        self.tiles["WRONG"] += 1


def psnr(error: float) -> float:
    return 10 * math.log10(255 * 255 / error) if error > 0 else math.inf


def normal(picture: Pixels) -> Pixels:
    """Luma without brightness and contrast, for pictures that were mapped to other tones."""
    luma = picture.astype(numpy.float32) @ numpy.array([0.299, 0.587, 0.114], dtype=numpy.float32)
    normalised: Pixels = (luma - luma.mean()) / max(float(luma.std()), 4.0) * 50
    return normalised


@dataclass
class Match:
    """How a tile compares with the frame that it should show and with those around it."""

    error: float  # mean square of the differences to its frame
    rank: int  # of its frame among those that differ from it; 1 is the best
    best: int  # the frame that is most like the tile
    is_wrong: bool
    is_certain: bool  # every frame that can be told from its own is clearly less like the tile


def match(tile: Pixels, reference: Reference, target: int) -> Match:
    """A frame is the better one if the tile lies on its side: if the step from the tile's own frame
    to that one brings the picture nearer by more than half of what the two frames differ."""
    prepared = normal if reference.is_hdr else lambda picture: picture.astype(numpy.float32)
    own, mine = prepared(reference.pictures[target]), prepared(tile)
    error = float(numpy.square(mine - own).mean())
    best, best_error, rank, certain, wrong = target, error, 1, True, False
    for index in range(max(0, target - NEIGHBOURS), min(len(reference.times), target + NEIGHBOURS + 1)):
        if index == target:
            continue
        other = prepared(reference.pictures[index])
        step = float(numpy.square(other - own).mean())
        if step < ALIKE:
            continue
        distance = float(numpy.square(mine - other).mean())
        side = (error - distance) / step
        rank += distance < error
        certain = certain and side < -0.5
        wrong = wrong or side > 0.5
        if distance < best_error:
            best, best_error = index, distance
    return Match(error, rank, best, wrong, certain)


def oriented_number(picture: Pixels) -> int | None:
    """The number in a fixture's picture, which may be shown turned or mirrored."""
    for turned in (picture, picture.transpose(1, 0, 2)):
        for variant in (turned, turned[::-1], turned[:, ::-1], turned[::-1, ::-1]):
            if (number := number_in(variant)) is not None:
                return number
    return None


def milliseconds(time: Fraction) -> str:
    return f"{float(time * 1000):.3f} ms"


def check_frames(board: Board, reference: Reference, *, exact: bool) -> Verdict:
    verdict = Verdict()
    for index, tile in enumerate(board.tiles):
        picture, title = board.picture(index), f"tile {index + 1}"
        if tile.is_faulty:
            verdict.tiles["faulty"] += 1
            continue
        if picture is None or tile.actual is None or tile.requested is None:
            verdict.wrong(f"{title} has no picture or no time")
            continue
        target = reference.index_of(tile.actual, tile.tick)
        if target is None:
            verdict.wrong(f"{title}: no frame is of {milliseconds(tile.actual)}")
            continue
        if reference.times[target] != tile.actual:
            verdict.notes["times rounded to the track's timescale"] += 1
        check_choice(verdict, board, reference, index, target, exact)
        check_picture(verdict, reference, picture, target, title)
    for number, cue in enumerate(board.cues):
        check_cue(verdict, board, reference, number, cue)
    check_size(verdict, board, reference)
    return verdict


def check_picture(verdict: Verdict, reference: Reference, picture: Pixels, target: int, title: str) -> None:
    number = oriented_number(picture) if reference.numbers else None
    wanted = reference.numbers[target] if reference.numbers else None
    time = milliseconds(reference.times[target])
    if number is not None and wanted is not None:
        if number != wanted:
            return verdict.wrong(f"{title} shows number {number}, the frame of {time} is number {wanted}")
        verdict.tiles["right"] += 1
        return None
    found = match(picture, reference, target)
    verdict.worst = min(verdict.worst, psnr(found.error))
    if found.is_wrong:
        return verdict.wrong(
            f"{title} is not the frame of {time} ({psnr(found.error):.1f} dB, rank {found.rank}); "
            f"more like that of {milliseconds(reference.times[found.best])}, {found.best - target:+} frames"
        )
    # Tiles of a few pixels run into each other's colours.
    if not reference.is_hdr and psnr(found.error) < 16 and min(picture.shape[:2]) >= 16:
        return verdict.wrong(f"{title} is unlike the frame of {time}: {psnr(found.error):.1f} dB")
    verdict.tiles["right" if found.is_certain else "alike"] += 1
    return None


def check_choice(verdict: Verdict, board: Board, reference: Reference, index: int, target: int, exact: bool) -> None:
    """A sync sample within half an interval of the tile's time, or the very frame shown then."""
    tile, time = board.tiles[index], reference.times[target]
    assert tile.requested is not None
    shown = reference.index_at(tile.requested)
    title = f"tile {index + 1} for {milliseconds(tile.requested)}"
    if exact or target == shown:
        if target != shown:
            verdict.problems.append(
                f"{title} is of {milliseconds(time)}, {milliseconds(reference.times[shown])} is shown then"
            )
        if not exact and target == shown and time not in reference.keys:
            near = [key for key in reference.keys if abs(key - tile.requested) < board.interval / 2]
            if near:
                # No wrong picture, at worst a slow one: it may lie on the way to the next.
                verdict.notes["exact frames although a key packet lies near"] += 1
                if reference.is_indexed:
                    verdict.slow.append(f"{title} is exact, a sync sample lies at {milliseconds(near[0])}")
        return
    verdict.sync += 1
    if abs(time - tile.requested) > board.interval / 2 and index != 0:
        verdict.problems.append(f"{title} is of {milliseconds(time)}, more than half an interval away")
    elif time not in reference.keys:
        if reference.is_indexed:
            verdict.problems.append(f"{title} is of {milliseconds(time)}, neither exact nor a sync sample")
        else:
            verdict.notes["sync samples that ffprobe does not list"] += 1
    if not tile.is_sync:
        verdict.problems.append(f"{title} is not exact and not called a sync sample")
    if tile.is_exact:
        verdict.problems.append(f"{title} is called exact, and {milliseconds(reference.times[shown])} is shown then")


def check_cue(verdict: Verdict, board: Board, reference: Reference, number: int, cue: Cue) -> None:
    """The frame on screen when a cue starts is the one that the cue shows."""
    index = board.tile_of(cue)
    if index is None or index >= len(board.tiles) or board.tiles[index].is_faulty:
        return
    tile = board.tiles[index]
    target = reference.index_of(tile.actual, tile.tick) if tile.actual is not None else None
    shown = reference.index_at(Fraction(cue.start, 1000) - board.zero)
    if target is None or tile.actual is None or shown == target:
        return
    brief = reference.times[min(target + 1, len(reference.times) - 1)] - reference.times[target]
    if number == 0:
        verdict.notes["the first cue shows a later frame"] += 1
    elif shown > target and brief < Fraction(1, 1000):
        verdict.notes["frames shown for less than a millisecond"] += 1
    else:
        verdict.wrong(
            f"cue {number + 1} starts at {cue.start} ms, when {milliseconds(reference.times[shown])} is shown, "
            f"and shows {milliseconds(tile.actual)}"
        )


def check_size(verdict: Verdict, board: Board, reference: Reference) -> None:
    """Tiles have the film's aspect and are not larger than it; the film is as long as others say."""
    width, height = board.size
    if reference.display:
        wide, high = reference.display
        scale = min(Fraction(width) / wide, Fraction(height) / high)
        # Each side may be rounded.
        if abs(wide * scale - width) > 1.01 or abs(high * scale - height) > 1.01:
            verdict.problems.append(f"tiles are {width}x{height}, the film {float(wide):.1f}x{float(high):.1f}")
        if width > max(math.ceil(wide), 1) or height > max(math.ceil(high), 1):
            verdict.notes["tiles larger than the film in square pixels"] += 1
    if not reference.durations:
        return
    off = {name: board.duration - value for name, value in reference.durations.items()}
    near = min(off, key=lambda name: abs(off[name]))
    first = next(iter(off))
    if abs(off[near]) > Fraction(1, 1000):
        said = ", ".join(f"{float(value):.3f} by {name}" for name, value in reference.durations.items())
        verdict.problems.append(f"lasts {float(board.duration):.4f} s; {said}")
    elif abs(off[first]) > Fraction(1, 1000):
        verdict.notes[f"the duration is that of {near}"] += 1
