"""A plan on a Ray cluster, with a manifest of what became of each film."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import ray
import ray.exceptions

from avtool.failures import AvtoolError, Failure
from avtool.names import shown
from avtool.plans import Plan, Unit
from avtool.ray.driver import TICK, Patience, places
from avtool.ray.plan import Input
from avtool.ray.reports import Report, cluster, report_of
from avtool.ray.unit_driver import UnitDriver
from avtool.ray.unit_work import Said, describe, failed
from avtool.ray.writing import Sayings, Spool
from avtool.rows import Row
from avtool.tool import Tool
from avtool.units import Attempt, merge

# So many films are described by one task.
_SOME = 64


def run_plan(
    plan: Plan,
    *,
    manifest: str | os.PathLike[str],
    output_folder: str | os.PathLike[str] | None = None,
    parquet: bool | None = None,
    cpus: int | None = None,
    attempts: int = 4,
    backoff: float = 2.0,
    lost_workers: int = 3,
    tool: Tool | None = None,
) -> Report:
    """Does the units of a plan that are not done, a task each, joins them, and writes the manifest.

    The cluster is the one that `ray.init` was called for, or else this machine. The plan, films, results and the tool
    have to have the same names on all of its machines.

    - `manifest`, `parquet`, `lost_workers`: as `run` takes them, with a row or more for each film of the plan.
    - `output_folder`: where the manifest names files from; if not given, where the plan's names count from.
    - `cpus`: how many cores a unit uses; if not given, what the plan's command has as `--jobs`, or else all that the
      smallest machine has. A unit of fewer seconds of work than that asks Ray for fewer.
    - `attempts`, `backoff`: how often a unit is tried whose failure may pass, and the seconds before the second time.

    Where units are left that cannot be done, nothing is joined; the manifest says of which films that is. A plan that
    does not hold any more, because a film changed after its unit was done, raises `AvtoolError`.
    """
    target, there = Path(manifest).absolute(), tool or Tool()
    folder = Path(plan.folder if output_folder is None else output_folder).absolute()
    target.parent.mkdir(parents=True, exist_ok=True)
    inputs = planned_inputs(plan)
    patience = Patience(attempts, backoff, lost_workers)
    with Spool(target.parent) as spool, Sayings(target.parent) as sayings, cluster():
        driver = UnitDriver(plan, there.executable, cpus or _jobs(plan), patience)
        left = _do(plan, driver, patience, inputs, sayings, there)
        _describe(_said(plan, inputs, sayings, driver), os.fsencode(plan.folder), str(folder), spool)
        if len(spool) != len(inputs):
            raise AssertionError(f"{len(inputs)} films, {len(spool)} of them in the manifest")
        return report_of(spool, target, parquet, driver.retries, tuple(sorted(left)))


def planned_inputs(plan: Plan) -> dict[bytes, Input]:
    """The films of a plan, each name once."""
    here = os.fsencode(plan.folder)
    names = dict.fromkeys(film.name for unit in plan.units for film in unit.films)
    alike: dict[str, bytes] = {}
    for name in names:
        if (other := alike.setdefault(shown(name), name)) != name:
            raise ValueError(f"{other!r} and {name!r} are shown alike; give them plans of their own")
    return {
        name: Input(number, name, os.path.join(here, name))  # noqa: PTH118
        for number, name in enumerate(names)
    }


def _jobs(plan: Plan) -> int | None:
    """How many films a unit does at a time, where the plan's command says it."""
    for word, value in zip(plan.command, (*plan.command[1:], "")):
        text = value if word == "--jobs" else word.removeprefix("--jobs=") if word.startswith("--jobs=") else ""
        if text.isdecimal():
            return int(text)
    return None


def _do(
    plan: Plan, driver: UnitDriver, patience: Patience, inputs: Mapping[bytes, Input], sayings: Sayings, tool: Tool
) -> Mapping[int, Attempt]:
    """Does all units and joins them, as far as that can be done, and keeps what is told of films."""
    for attempt in itertools.count(1):
        left = driver.run(plan.missing(tool=tool))
        sayings.clear()
        try:
            for row in _left_rows(plan, left) if left else merge(plan, tool=tool):
                if row.is_result:
                    sayings.add(_input(row, inputs).number, row.data)
            return left
        except AvtoolError as error:
            # A result may have gone, which is made again then.
            is_hopeless = error.retry == "never" and not plan.missing(tool=tool)
            if is_hopeless or attempt >= patience.attempts:
                raise
            time.sleep(patience.delay(attempt))
    raise AssertionError


def _input(row: Row, inputs: Mapping[bytes, Input]) -> Input:
    if row.input is None:
        raise AvtoolError(Failure("notUnderstood", f"{row.source} is no film of the plan", "never"))
    return inputs[row.input]


def _left_rows(plan: Plan, left: Mapping[int, Attempt]) -> Iterator[Row]:
    """What can be told of films where units are left."""
    joined: dict[bytes, Failure] = {}
    waits = Failure("unitsMissing", f"its units are joined when all are done; {len(left)} are left", "later")
    for unit in plan.units:
        attempt = left.get(unit.number)
        if plan.is_joined(unit):
            name = unit.films[0].name
            if attempt is not None and attempt.failure is not None:
                joined[name] = attempt.failure
            else:
                joined.setdefault(name, waits)
        elif attempt is not None:
            yield from _attempt_rows(unit, attempt)
        elif (receipt := plan.receipt(unit.number)) is not None:
            names = {shown(film.name): film.name for film in unit.films}
            yield from (Row(data, names.get(str(data.get("source")))) for data in receipt.rows)
    for name, failure in joined.items():
        yield failed(name, failure)


def _attempt_rows(unit: Unit, attempt: Attempt) -> Iterator[Row]:
    """What a unit that is not done told of its films, as far as that is all of it."""
    assert attempt.failure is not None
    last = attempt.rows[-1].input if attempt.is_death and attempt.rows else None
    for name in dict.fromkeys(film.name for film in unit.films):
        rows = [row for row in attempt.rows if row.input == name]
        if rows and name != last:
            yield from rows
        else:
            yield failed(name, attempt.failure)


def _said(plan: Plan, inputs: Mapping[bytes, Input], sayings: Sayings, driver: UnitDriver) -> Iterator[Said]:
    attempts: dict[bytes, int] = {}
    for unit in plan.units:
        for film in unit.films:
            attempts[film.name] = max(attempts.get(film.name, 1), driver.attempts[unit.number])
    for name, item in inputs.items():
        yield Said(item, attempts[name], sayings.of(item.number))


def _describe(said: Iterator[Said], folder: bytes, output_folder: str, spool: Spool) -> None:
    """Has all films described, some at a time, by whatever machines are there."""
    task, running = ray.remote(describe), dict[Any, list[Said]]()
    is_dry = False
    while running or not is_dry:
        while not is_dry and len(running) < places(1):
            some = list(itertools.islice(said, _SOME))
            is_dry = not some
            if some:
                running[task.remote(some, folder, output_folder)] = some
        done, _ = ray.wait(list(running), num_returns=1, timeout=TICK) if running else ([], [])
        for reference in done:
            some = running.pop(reference)
            try:
                found = ray.get(reference)
            except ray.exceptions.RayError:
                found = describe(some, folder, output_folder)
            for number, rows in found:
                spool.add(number, rows)
