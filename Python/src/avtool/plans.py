"""Plans: the work of a command, divided into units that any machine can do (docs/plan-format.md)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from avtool.child import Child
from avtool.failures import AvtoolError, Failure, refusal
from avtool.names import Name, name_bytes, planned_bytes
from avtool.tool import Tool


@dataclass(frozen=True)
class Film:
    """A film as it was when the plan was made."""

    name: bytes
    identity: str | None
    """Nothing where it could not be read then."""
    byte_count: int | None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Film:
        return cls(planned_bytes(str(data["name"])), data.get("identity"), data.get("byteCount"))


@dataclass(frozen=True)
class Piece:
    """One of several shares of the work on a film."""

    index: int
    count: int
    first_unit: int


@dataclass(frozen=True)
class Cost:
    """What a unit is held to cost, within a factor of about two."""

    core_seconds: float
    memory: int
    """Bytes of the largest process."""


@dataclass(frozen=True)
class Unit:
    number: int
    films: tuple[Film, ...]
    piece: Piece | None
    results: tuple[str, ...]
    """What results may be called, with `*` for what depends on the film."""
    cost: Cost | None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Unit:
        piece, cost = data.get("piece"), data.get("cost")
        return cls(
            int(data["unit"]),
            tuple(map(Film.of, data["films"])),
            piece and Piece(int(piece["index"]), int(piece["count"]), int(piece["firstUnit"])),
            tuple(data["results"]),
            cost and Cost(float(cost["coreSeconds"]), int(cost["memory"])),
        )


@dataclass(frozen=True)
class Receipt:
    """What a unit has made."""

    exit_code: int
    seconds: float
    """By the clock."""
    rows: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Plan:
    """A plan as its file has it. Receipts are read anew each time."""

    path: Path
    folder: Path
    """From where names count."""
    id: str
    command: tuple[str, ...]
    """Without films."""
    units: tuple[Unit, ...]

    @classmethod
    def read(cls, path: str | os.PathLike[str], folder: str | os.PathLike[str] = ".") -> Plan:
        """A plan that was made before; `folder` is where its relative names count from."""
        place = Path(path).absolute()
        try:
            with place.open("rb") as lines:
                header = json.loads(next(lines))
                units = tuple(Unit.of(json.loads(line)) for line in lines)
            found = cls(place, Path(folder).absolute(), str(header["id"]), tuple(header["command"]), units)
            is_whole = header["format"] == "avtool-plan" and header["version"] == 1 and header["units"] == len(units)
        except OSError as error:
            raise AvtoolError(Failure("noSuchInput", f"{place}: {error.strerror}", "never"), 66) from error
        except (ValueError, KeyError, TypeError, StopIteration) as error:
            raise AvtoolError(Failure("invalidPlan", f"{place}: it is no plan", "never"), 65) from error
        if not is_whole:
            raise AvtoolError(Failure("invalidPlan", f"{place}: it is no whole plan of version 1", "never"), 65)
        return found

    def receipt(self, number: int) -> Receipt | None:
        """What a unit has noted; nothing if it is not done. Whether the results are still there, `missing` looks at."""
        try:
            lines = Path(f"{self.path}.units/{number // 1000}/{number}.jsonl").read_bytes().splitlines()
            head, *rows = map(json.loads, lines)
            is_ours = head["plan"] == self.id and head["unit"] == number and head["rows"] == len(rows)
            return Receipt(int(head["exitCode"]), float(head["seconds"]), tuple(rows)) if is_ours else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def is_joined(self, unit: Unit) -> bool:
        """Whether what the unit makes is a piece, which `merge` joins with others."""
        return unit.piece is not None and self.command[0] != "thumbs"

    def missing(self, *, tool: Tool | None = None) -> list[int]:
        """The numbers of units that are to be done."""
        said = _said([(tool or Tool()).executable, "merge", "--missing", str(self.path)], folder=self.folder)
        return [int(line) for line in said.splitlines()]


def plan(
    command: str | Sequence[str | bytes],
    *,
    path: str | os.PathLike[str],
    files: Iterable[Name] | None = None,
    unit_cost: str | None = None,
    files_per_unit: int | None = None,
    force: bool = False,
    tool: Tool | None = None,
) -> Plan:
    """Divides the work of a command, and writes the plan to `path`.

    - `command`: with its options, and with its films unless `files` gives them; relative names count from here.
    - `files`: any iterable of names, each of which counts once.
    - `unit_cost`: how much processor time a unit is to take, `"5m"`.
    - `files_per_unit`: that many films for each unit instead; none is looked at.
    - `force`: replaces a plan that is there.
    """
    words: list[str | bytes] = list(command.split() if isinstance(command, str) else command)
    options = ["-o", str(Path(path).absolute())] + ["--force"] * force
    options += ["--unit-cost", unit_cost] if unit_cost is not None else []
    options += ["--files-per-unit", str(files_per_unit)] if files_per_unit is not None else []
    names = None if files is None else dict.fromkeys(map(name_bytes, files))
    if names is not None:
        words[1:1] = ["--files-from", "-", "-0"]
    folder = Path.cwd()
    _said([(tool or Tool()).executable, "plan", *options, *words], names, folder)
    return Plan.read(path, folder)


def _said(words: Sequence[str | bytes], names: Iterable[bytes] | None = None, folder: Path | None = None) -> bytes:
    """What a command printed that has no rows."""
    child = Child(words, names, None if folder is None else str(folder))
    try:
        said = child.output.read()
    except BaseException:
        child.close()
        raise
    if status := child.finish():
        raise refusal(status, child.words)
    return said
