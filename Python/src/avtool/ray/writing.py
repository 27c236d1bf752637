"""The manifest as files: aside while the work goes on, and there at once, in the order of the inputs, at the end."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from avtool.ray.manifest import COLUMNS, ManifestRow

# So many rows are in memory for Parquet.
_GROUP = 16_384


class Spool:
    """Rows of inputs in the order in which they were done, of each input once."""

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 it lives as long as the spool
        self._places: dict[int, int] = {}
        self.failed = 0
        """Inputs with a failure among their rows."""

    def add(self, number: int, rows: Sequence[ManifestRow]) -> None:
        if number in self._places or not rows:
            raise AssertionError(f"input {number} has {len(rows)} rows, and had {number in self._places} before")
        self._places[number] = self._file.seek(0, os.SEEK_END)
        self.failed += any(row["code"] is not None for row in rows)
        self._file.write(json.dumps(rows).encode() + b"\n")

    def __len__(self) -> int:
        return len(self._places)

    def rows(self) -> Iterator[ManifestRow]:
        for number in sorted(self._places):
            self._file.seek(self._places[number])
            yield from json.loads(self._file.readline())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Sayings:
    """Lines that are told of inputs, in whatever order."""

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 it lives as long as the sayings
        self._places: dict[int, list[int]] = {}

    def add(self, number: int, data: Mapping[str, Any]) -> None:
        self._places.setdefault(number, []).append(self._file.seek(0, os.SEEK_END))
        self._file.write(json.dumps(data).encode() + b"\n")

    def of(self, number: int) -> list[Mapping[str, Any]]:
        found = []
        for place in self._places.get(number, []):
            self._file.seek(place)
            found.append(json.loads(self._file.readline()))
        return found

    def clear(self) -> None:
        self._places.clear()
        self._file.truncate(0)

    def __enter__(self) -> Sayings:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


@contextlib.contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A temporary name, whose file takes the place of `path` when it is complete and on the disk."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        # As other programs make files; mkstemp lets nobody else read it.
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(handle, 0o666 & ~mask)
        yield temporary
        os.fsync(handle)
        temporary.replace(path)
        _sync_folder(path.parent)
    finally:
        os.close(handle)
        temporary.unlink(missing_ok=True)


def write_json_lines(spool: Spool, path: Path) -> int:
    """How many rows it wrote."""
    count = 0
    with appearing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for row in spool.rows():
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def write_parquet(spool: Spool, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"string": pa.string(), "int64": pa.int64(), "bool": pa.bool_()}
    schema = pa.schema([pa.field(name, kinds[kind]) for name, kind in COLUMNS.items()])
    rows = spool.rows()
    with appearing(path) as temporary, pq.ParquetWriter(temporary, schema) as writer:
        while group := list(itertools.islice(rows, _GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
