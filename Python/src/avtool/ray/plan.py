"""Which files are done together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from avtool.names import Name, name_bytes, shown


@dataclass(frozen=True)
class Input:
    number: int
    """Its place in the list, from 0."""
    name: bytes
    """As it was given."""
    path: bytes
    """The same from everywhere."""


@dataclass(frozen=True)
class Batch:
    inputs: tuple[Input, ...]
    attempt: int = 1
    memory: int | None = None
    """What a task may take, where somebody has said it."""


def inputs_of(files: Iterable[Name]) -> list[Input]:
    """Each name once, in the order of the list."""
    here = os.fsencode(Path.cwd())
    names = dict.fromkeys(map(name_bytes, files))
    # Not made normal: what a link and `..` lead to is the system's to say.
    return [Input(number, name, os.path.join(here, name)) for number, name in enumerate(names)]  # noqa: PTH118


def batches(inputs: Iterable[Input], most_files: int, most_bytes: int, memory: int | None = None) -> Iterator[Batch]:
    """Batches of so many files and bytes at most, one file at least.

    Films of one name stay together, because in one output folder their results would have one name, and which of them
    is refused then must not be chance's to say.
    """
    batch: list[Input] = []
    total = 0
    for group in _groups(inputs):
        size = sum(map(_size, group))
        if batch and (len(batch) + len(group) > most_files or total + size > most_bytes):
            yield Batch(tuple(batch), memory=memory)
            batch, total = [], 0
        batch += group
        total += size
    if batch:
        yield Batch(tuple(batch), memory=memory)


def rounds(inputs: Iterable[Input]) -> list[list[Input]]:
    """Inputs by runs of the tool, in each of which no two names are shown alike."""
    found: list[dict[str, Input]] = []
    for item in inputs:
        key = shown(item.path)
        place = next((some for some in found if key not in some), None)
        if place is None:
            place = {}
            found.append(place)
        place[key] = item
    return [list(some.values()) for some in found]


def halves(inputs: Sequence[Input]) -> list[tuple[Input, ...]]:
    middle = (len(inputs) + 1) // 2
    return [tuple(half) for half in (inputs[:middle], inputs[middle:]) if half]


def _groups(inputs: Iterable[Input]) -> list[list[Input]]:
    groups: dict[str, list[Input]] = {}
    for item in inputs:
        groups.setdefault(Path(os.fsdecode(item.name)).stem, []).append(item)
    return list(groups.values())


def _size(item: Input) -> int:
    try:
        return Path(os.fsdecode(item.path)).stat().st_size
    except OSError:
        return 0
