"""What a task does: one run of the tool over a batch, told as rows of the manifest."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from avtool.failures import AvtoolError, Failure, Retry
from avtool.names import shown
from avtool.ray.manifest import Entry, ManifestRow, entry_of, lost_row, results_of, row_of
from avtool.ray.plan import Batch, Input, rounds
from avtool.rows import Row
from avtool.running import run
from avtool.tool import Tool


@dataclass(frozen=True)
class Job:
    """What is to be done with every file."""

    executable: str
    command: tuple[str, ...]
    options: tuple[str, ...]
    folder: str
    pattern: str
    jobs: int

    def output(self, folder: str | None = None) -> str:
        # A folder is told from a name by the slash at its end.
        return f"{folder or self.folder}/{self.pattern}"


@dataclass
class Told:
    """What was said of files before a run came to its end, or died."""

    rows: dict[bytes, list[Row]] = field(default_factory=dict)
    last: bytes | None = None
    death: AvtoolError | None = None

    def failure(self, path: bytes) -> Failure | None:
        """Why what was said of a file is not all that there is to say of it."""
        # Files are told one after the other, so that all before the last one are complete.
        if self.death is not None and (path == self.last or path not in self.rows):
            return self.death.failure
        return None if path in self.rows else Failure("noResult", "the command said nothing of it", "never")


def probe(executable: str) -> None:
    """Raises where the package or the tool is missing."""
    Tool(executable)


def make(job: Job, batch: Batch) -> dict[int, list[ManifestRow]]:
    """Rows for each input, by its number."""
    found = {}
    for some in rounds(batch.inputs):
        try:
            found.update(_make(job, batch, some))
        except OSError as error:
            # Of the machine, such as no room for a temporary file; what a film fails with, the tool says.
            failure = Failure("taskLost", f"{type(error).__name__}: {error}", "later")
            found.update({item.number: [lost_row(item, batch.attempt, failure)] for item in some})
    return found


def _make(job: Job, batch: Batch, inputs: Sequence[Input]) -> dict[int, list[ManifestRow]]:
    # Before the run: what is described is not a file that came later.
    entries = {item.path: entry_of(item, batch.attempt) for item in inputs}
    told = _told(job, batch, entries, job.output(), "--resume")
    kept = [path for path, rows in told.rows.items() if any(row.is_up_to_date for row in rows)]
    if kept and job.command == ("thumbs",):
        _tell_anew(job, batch, kept, told)
    return {item.number: _rows(job, entries[item.path], told) for item in inputs}


def _told(job: Job, batch: Batch, paths: Iterable[bytes], output: str, *more: str) -> Told:
    told = Told()
    limit = [] if batch.memory is None else [f"--limit=memory={batch.memory}"]
    options = ["--jobs", str(job.jobs), *limit, *job.options, *more, "-o", output]
    try:
        with run(job.command, paths, *options, tool=Tool(job.executable)) as rows:
            for row in rows:
                if row.input is not None and row.is_result:
                    told.rows.setdefault(row.input, []).append(row)
                    told.last = row.input
    except AvtoolError as death:
        told.death = death
    return told


def _tell_anew(job: Job, batch: Batch, kept: Sequence[bytes], told: Told) -> None:
    """Of stills that were there already, the tool tells the names only: makes them again elsewhere, for their times."""
    with tempfile.TemporaryDirectory(prefix="avtool-") as scratch:
        again = _told(job, batch, kept, job.output(scratch))
        for path in kept:
            failure = again.failure(path)
            rows = again.rows.get(path, []) if failure is None else [_failed(path, failure)]
            told.rows[path] = [_moved(row, scratch, job.folder) for row in rows]


def _failed(path: bytes, failure: Failure) -> Row:
    error = {"code": failure.code, "message": failure.message, "retry": failure.retry}
    return Row({"source": shown(path), "error": error}, path)


def _moved(row: Row, scratch: str, folder: str) -> Row:
    if not row.files:
        return row
    file = row.files[0].removeprefix(shown(os.fsencode(scratch)))
    return Row({**row.data, "file": shown(os.fsencode(folder)) + file}, row.input)


def _rows(job: Job, entry: Entry, told: Told) -> list[ManifestRow]:
    path = entry.input.path
    if (failure := told.failure(path)) is not None:
        return [row_of(entry, _failed(path, failure), None, job.folder)]
    return results_of(entry, told.rows[path], job.folder)


def retry_of(rows: Iterable[ManifestRow]) -> Retry | None:
    """What to do about a file, by the most hopeful of its failures; nothing if it has none."""
    classes = {row["retry"] for row in rows}
    order: tuple[Retry, ...] = ("later", "elsewhere", "never")
    return next((hope for hope in order if hope in classes), None)
