"""What tasks do with the units of a plan, and with what they have made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from avtool.failures import Failure
from avtool.names import shown
from avtool.plans import Plan, Unit
from avtool.ray.manifest import ManifestRow, entry_of, results_of
from avtool.ray.plan import Input
from avtool.rows import Row
from avtool.tool import Tool
from avtool.units import Attempt, attempt


@dataclass(frozen=True)
class Said:
    """All that is told of an input."""

    input: Input
    attempt: int
    rows: Sequence[Mapping[str, Any]]


def lost(failure: Failure) -> Attempt:
    """Of a unit whose task was lost with all that it knew."""
    return Attempt((), None, failure, True)


def do(executable: str, plan: Plan, unit: Unit) -> Attempt:
    """Does a unit. `plan` has none, so that tasks are small."""
    try:
        found = attempt(plan, unit, Tool(executable))
    except OSError as error:
        # Of the machine; what a film fails with, the tool says.
        return lost(Failure("taskLost", f"{type(error).__name__}: {error}", "later"))
    # What a unit that is done has printed, its receipt has too.
    return found if found.failure is not None else Attempt((), found.exit_code, None)


def describe(some: Iterable[Said], folder: bytes, output_folder: str) -> list[tuple[int, list[ManifestRow]]]:
    """Rows of the manifest, with digests of what was made.

    `folder` is where names count from, `output_folder` where the manifest names files from.
    """
    return [(said.input.number, _rows(said, shown(folder), output_folder)) for said in some]


def _rows(said: Said, folder: str, output_folder: str) -> list[ManifestRow]:
    entry = entry_of(said.input, said.attempt)
    if not said.rows:
        failure = Failure("noResult", "the command said nothing of it", "never")
        return results_of(entry, [failed(said.input.path, failure)], output_folder)
    rows = (Row(_absolute(data, folder), said.input.path) for data in said.rows)
    return results_of(entry, rows, output_folder)


def _absolute(data: Mapping[str, Any], folder: str) -> Mapping[str, Any]:
    found = dict(data)
    for key in ("file", "folder"):
        if key in data:
            found[key] = _beneath(folder, str(data[key]))
    if "files" in data:
        found["files"] = [_beneath(folder, str(name)) for name in data["files"] or []]
    return found


def _beneath(folder: str, name: str) -> str:
    return name if name.startswith("/") else f"{folder.rstrip('/')}/{name}"


def failed(name: bytes, failure: Failure) -> Row:
    error = {"code": failure.code, "message": failure.message, "retry": failure.retry}
    return Row({"source": shown(name), "error": error}, name)
