"""Frames of a film as arrays, by raw pictures over a pipe."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from avtool.child import Child
from avtool.failures import AvtoolError, Failure, ending
from avtool.names import Name, argument, name_bytes
from avtool.running import parsed
from avtool.times import Time, request, seconds, time_text
from avtool.tool import Tool

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Linux takes no argument of more than 128 KiB, 32 pages of 4 KiB.
_ARGUMENT_LENGTH = 50_000


@dataclass(frozen=True, eq=False)
class Frame:
    """The frame that is on screen at a time. Times are seconds, exactly."""

    index: int
    """The position of its time in those that were asked for, from 0."""
    requested: Fraction
    """The time as the tool understood it, in parts of a second of 31 bits at most."""
    actual: Fraction
    """The frame's own time."""
    is_sync_sample: bool
    exact: bool
    """Whether it is the very frame of that time; nearby ones come with `tolerance` only."""
    damaged: bool
    width: int
    height: int
    pixels: NDArray[np.uint8]
    """Height × width × 3: red, green and blue, from the top."""


@dataclass(frozen=True)
class FrameFailure:
    """A time for which there is no frame."""

    index: int
    requested: Fraction | str | None
    """Text where it is the number of a frame that is not there."""
    failure: Failure


class How(TypedDict, total=False):
    """How frames are made, and by what; `iterate_frames` tells of each."""

    size: str | tuple[int, int] | None
    tolerance: Time | None
    track: int | None
    allow_damaged: bool
    options: Sequence[str]
    tool: Tool | None


def frames_at(file: Name, times: Iterable[Time], **how: Unpack[How]) -> list[Frame | FrameFailure]:
    """The frame at each time, in the order of the times; `iterate_frames` tells of the arguments.

    All of them are in memory together: 6 MB for each of 1920x1080.
    """
    found = {frame.index: frame for frame in iterate_frames(file, times, **how)}
    return [found[index] for index in sorted(found)]


def iterate_frames(
    file: Name,
    times: Iterable[Time],
    **how: Unpack[How],
) -> Generator[Frame | FrameFailure, None, None]:
    """Frames as they are decoded, which is in the order of their times, with one in memory at a time.

    - `times`: numbers are seconds, and taken exactly: `Fraction(1001, 30000)`, `Decimal("0.1")`, `0.1` for the decimal
      number that it is written as. Text is in the tool's grammar: `"1/3"` of the film, `"#120"`, `"end-2s"`.
    - `size`: a box to fit into, `(320, 0)` or `"320x0"`; 0 leaves a side free.
    - `tolerance`: take a keyframe that lies no further from the time than this; exact without it.
    - `track`, `allow_damaged`, `options`: as `--track` and `--allow-damaged`, and others of `avtool thumbs`.

    A time that fails gives a `FrameFailure`; a film that fails raises `AvtoolError`.
    """
    if importlib.util.find_spec("numpy") is None:
        raise ImportError("frames are arrays: pip install 'avtool[numpy]'")
    path, runner, first = argument(name_bytes(file)), how.get("tool") or Tool(), 0
    for some in _parts([time_text(time) for time in times]):
        command = [runner.executable, "thumbs", "--format", "raw", "--json", "-o", "-", *_words(how)]
        yield from _frames(Child([*command, f"--at={','.join(some)}", "--", path]), first, len(some))
        first += len(some)


def _words(how: How) -> list[str]:
    words = []
    if (size := how.get("size")) is not None:
        words += ["--size", size if isinstance(size, str) else f"{size[0]}x{size[1]}"]
    if (tolerance := how.get("tolerance")) is not None:
        words += ["--tolerance", time_text(tolerance)]
    if (track := how.get("track")) is not None:
        words += ["--track", str(track)]
    if how.get("allow_damaged"):
        words += ["--allow-damaged"]
    return [*words, *how.get("options", ())]


def _parts(times: Sequence[str]) -> Iterator[list[str]]:
    """Times by the command lines that they fit on."""
    part: list[str] = []
    length = 0
    for time in times:
        if part and length + len(time.encode()) >= _ARGUMENT_LENGTH:
            yield part
            part, length = [], 0
        part.append(time)
        length += len(time.encode()) + 1
    if part:
        yield part


def _frames(child: Child, first: int, count: int) -> Iterator[Frame | FrameFailure]:
    is_over = False
    left = set(range(1, count + 1))
    try:
        # A line without its end is what a command that died left.
        while (line := child.output.readline()).endswith(b"\n"):
            row = parsed(line)
            if "index" not in row and "error" in row:
                raise AvtoolError(Failure.of(row["error"]))
            if row.get("index") not in left:
                raise AvtoolError(Failure("notUnderstood", f"unexpected: {json.dumps(row)[:200]}", "never"))
            left.remove(int(row["index"]))
            yield _frame(child, row, first + int(row["index"]) - 1)
        status, is_over = child.finish(), True
        if left:
            raise ending(status, child.words)
    finally:
        if not is_over:
            child.close()


def _frame(child: Child, row: Mapping[str, Any], index: int) -> Frame | FrameFailure:
    requested, actual = request(row.get("requested")), seconds(row.get("actual"))
    if "error" in row:
        return FrameFailure(index, requested, Failure.of(row["error"]))
    width, height = int(row["width"]), int(row["height"])
    if (
        row.get("pixelFormat") != "rgb24"
        or row.get("byteCount") != width * height * 3
        or not isinstance(requested, Fraction)
        or actual is None
    ):
        raise AvtoolError(Failure("notUnderstood", f"no raw picture: {json.dumps(row)[:200]}", "never"))
    return Frame(
        index=index,
        requested=requested,
        actual=actual,
        is_sync_sample=bool(row["isSyncSample"]),
        exact=bool(row["exact"]),
        damaged=bool(row["damaged"]),
        width=width,
        height=height,
        pixels=_pixels(child, width, height),
    )


def _pixels(child: Child, width: int, height: int) -> NDArray[np.uint8]:
    import numpy as np  # the only place that needs it

    picture = np.empty((height, width, 3), dtype=np.uint8)
    rest = picture.reshape(-1).data
    while rest:
        count = child.output.readinto(rest)  # type: ignore[attr-defined]
        if not count:
            raise AvtoolError(Failure("toolDied", f"a picture ends too early: {child.words}", "later"))
        rest = rest[count:]
    return picture
