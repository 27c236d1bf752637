"""Units of a plan: doing one, and joining what all have made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from avtool.child import Child
from avtool.failures import AvtoolError, Failure, Retry, ending, refusal
from avtool.names import shown
from avtool.plans import Plan, Unit
from avtool.rows import Row
from avtool.running import Lines
from avtool.tool import Tool

_ORDER: tuple[Retry, ...] = ("later", "elsewhere")


class _Lines(Lines):
    """What `avtool unit` or `avtool merge` prints."""

    def __init__(self, plan: Plan, tool: Tool | None, names: Mapping[str, bytes], *words: str) -> None:
        super().__init__(Child([(tool or Tool()).executable, *words], folder=str(plan.folder)))
        self._names = names
        self.status: int | None = None
        self.last: Row | None = None
        self.reason: Failure | None = None
        """Why nothing was done, in the tool's own words."""

    @property
    def words(self) -> str:
        return self._child.words

    def _row(self, data: Mapping[str, Any]) -> Row | None:
        error = data.get("error")
        if isinstance(error, Mapping) and "plan" in data:
            self.reason = Failure.of(error)
            return None
        self.last = Row(data, self._names.get(str(data.get("source"))))
        return self.last

    def _check(self, status: int) -> None:
        self.status = status


@dataclass(frozen=True)
class Attempt:
    """What came of doing a unit once."""

    rows: tuple[Row, ...]
    exit_code: int | None
    failure: Failure | None
    """Why it is not done; what its films fail with for good is no reason."""
    is_death: bool = False
    """Whether what was said last may not be all."""


def attempt(plan: Plan, unit: Unit, tool: Tool | None = None) -> Attempt:
    """Does a unit, if it is not done. `plan` may have been left without its units."""
    rows: list[Row] = []
    with _Lines(plan, tool, _names((unit,)), "unit", str(plan.path), str(unit.number)) as lines:
        try:
            for row in lines:
                rows.append(row)
        except AvtoolError as death:
            return Attempt(tuple(rows), death.exit_code, death.failure, True)
    status = lines.status or 0
    if status == 0 or _is_done(plan, unit.number, status, len(rows)):
        return Attempt(tuple(rows), status, None)
    failures = [row.failure for row in rows if row.failure is not None]
    hopes = [failure for retry in _ORDER for failure in failures if failure.retry == retry]
    if hopes:
        return Attempt(tuple(rows), status, hopes[0])
    if lines.reason is not None:
        return Attempt(tuple(rows), status, lines.reason)
    why = ending(status, lines.words) if rows else refusal(status, lines.words)
    return Attempt(tuple(rows), status, why.failure, True)


def unit(plan: Plan, number: int, *, tool: Tool | None = None) -> list[Row]:
    """Does a unit, if it is not done, and gives its rows.

    A film that fails for good is a row. `AvtoolError` says that the unit is not done, and by its `retry`, what to do.
    """
    found = attempt(plan, plan.units[number], tool)
    if found.failure is not None:
        raise AvtoolError(found.failure, found.exit_code)
    return list(found.rows)


class Merge(_Lines):
    """Rows of all units as they come, in the order of the units."""

    def __init__(self, plan: Plan, tool: Tool | None = None) -> None:
        super().__init__(plan, tool, _names(plan.units), "merge", str(plan.path))
        self._last_film = shown(plan.units[-1].films[-1].name)

    def _check(self, status: int) -> None:
        if self.reason is not None:
            raise AvtoolError(self.reason, status)
        # Its exit code is that of the first film that failed, or else says why it was stopped.
        is_whole = self.last is not None and self.last.source == self._last_film
        if status != 0 and not (is_whole and status > 0 and status != 130):
            raise refusal(status, self.words)


def merge(plan: Plan, *, tool: Tool | None = None) -> Merge:
    """Joins what the units have made, and gives their rows.

    A film that failed is a row. A plan with units that are missing, or with films or results that changed, raises
    `AvtoolError`.
    """
    return Merge(plan, tool)


def _names(units: tuple[Unit, ...]) -> dict[str, bytes]:
    """Names by how they are shown; not those that are shown like another."""
    names: dict[str, bytes] = {}
    odd: set[str] = set()
    for film in (film for unit in units for film in unit.films):
        text = shown(film.name)
        if names.setdefault(text, film.name) != film.name:
            odd.add(text)
    return {text: name for text, name in names.items() if text not in odd}


def _is_done(plan: Plan, number: int, status: int, count: int) -> bool:
    receipt = plan.receipt(number)
    return receipt is not None and receipt.exit_code == status and len(receipt.rows) == count
