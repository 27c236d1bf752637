"""What became of each input, as rows of a table."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal, TypedDict

from avtool.failures import Failure, Retry
from avtool.identity import Identity, identity, sha256
from avtool.names import shown
from avtool.ray.plan import Input
from avtool.rows import Row


class ManifestRow(TypedDict):
    """One result, or one failure. Times are exact seconds, `4/25`. Files are named from the output folder."""

    source: str
    sourceBytes: str | None
    byteCount: int | None
    fingerprint: str | None
    index: int | None
    requested: str | None
    actual: str | None
    exact: bool | None
    file: str | None
    fileBytes: str | None
    sha256: str | None
    code: str | None
    message: str | None
    retry: Retry | None
    attempts: int


COLUMNS: dict[str, Literal["string", "int64", "bool"]] = {
    "source": "string",
    "sourceBytes": "string",
    "byteCount": "int64",
    "fingerprint": "string",
    "index": "int64",
    "requested": "string",
    "actual": "string",
    "exact": "bool",
    "file": "string",
    "fileBytes": "string",
    "sha256": "string",
    "code": "string",
    "message": "string",
    "retry": "string",
    "attempts": "int64",
}


@dataclass(frozen=True)
class Entry:
    input: Input
    identity: Identity | None
    attempt: int


def entry_of(item: Input, attempt: int) -> Entry:
    try:
        return Entry(item, identity(item.path), attempt)
    except OSError:
        return Entry(item, None, attempt)


def row_of(entry: Entry, row: Row, file: str | None, folder: str) -> ManifestRow:
    failure = row.failure
    path = None if file is None else _path(file, entry.input, os.fsencode(folder))
    digest = None
    if path is not None and not os.path.isdir(path):  # noqa: PTH112
        try:
            digest = sha256(path)
        except OSError as error:
            failure = Failure("resultMissing", f"{file}: {error.strerror}", "later")
    name = None if path is None else os.path.relpath(path, os.fsencode(folder))
    exact = row.data.get("exact")
    return {
        "source": shown(entry.input.name),
        "sourceBytes": _exactly(entry.input.name),
        "byteCount": None if entry.identity is None else entry.identity.byte_count,
        "fingerprint": None if entry.identity is None else entry.identity.fingerprint,
        "index": row.index,
        "requested": _text(row.requested),
        "actual": _text(row.actual),
        "exact": None if exact is None else bool(exact),
        "file": None if name is None else shown(name),
        "fileBytes": None if name is None else _exactly(name),
        "sha256": digest,
        "code": None if failure is None else failure.code,
        "message": None if failure is None else failure.message,
        "retry": None if failure is None else failure.retry,
        "attempts": entry.attempt,
    }


def results_of(entry: Entry, rows: Iterable[Row], folder: str) -> list[ManifestRow]:
    """A row for each result and each failure that is told of an input."""
    found = []
    for row in rows:
        files: Sequence[str | None] = row.files or [None]
        found += [row_of(entry, row, file, folder) for file in files]
    return found


def lost_row(item: Input, attempt: int, failure: Failure) -> ManifestRow:
    """Of an input whose task was lost with all that it knew."""
    error = {"code": failure.code, "message": failure.message, "retry": failure.retry}
    return row_of(entry_of(item, attempt), Row({"error": error}, item.path), None, "/")


def _text(time: Fraction | str | None) -> str | None:
    return None if time is None else str(time)


def _exactly(name: bytes) -> str | None:
    """The bytes of a name in Base64, where its text does not tell them."""
    return None if shown(name) == name.decode("utf-8", "surrogateescape") else base64.b64encode(name).decode()


def _path(file: str, item: Input, folder: bytes) -> bytes:
    r"""The name that is shown as this one. Whether `\xE9` is a byte or meant tell the names that it was made of."""
    stem = os.fsencode(Path(os.fsdecode(item.name)).stem)
    begin = shown(folder)
    if file.startswith(begin):
        return folder + file.removeprefix(begin).encode().replace(shown(stem).encode(), stem)
    return file.encode().replace(shown(stem).encode(), stem)
