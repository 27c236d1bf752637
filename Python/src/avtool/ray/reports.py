"""What a run on Ray begins and ends with: a cluster, and the manifest."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import ray

from avtool.ray.writing import Spool, write_json_lines, write_parquet


@dataclass(frozen=True)
class Report:
    """What a run came to."""

    files: int
    failed: int
    """Files of which something could not be made."""
    rows: int
    retries: Mapping[str, int]
    """How many files, or units of a plan, were tried again, by why: `later` or `elsewhere`."""
    manifest: Path
    parquet: Path | None
    left: tuple[int, ...] = ()
    """Units of a plan that were not done, because of which nothing was joined."""


def report_of(
    spool: Spool, manifest: Path, parquet: bool | None, retries: Mapping[str, int], left: tuple[int, ...] = ()
) -> Report:
    """Writes the manifest."""
    wants_table = importlib.util.find_spec("pyarrow") is not None if parquet is None else parquet
    table = manifest.with_suffix(".parquet") if wants_table else None
    if table is not None:
        write_parquet(spool, table)
    rows = write_json_lines(spool, manifest)
    return Report(len(spool), spool.failed, rows, dict(retries), manifest, table, left)


@contextmanager
def cluster() -> Iterator[None]:
    """The cluster that there is, or one on this machine for as long as the work takes."""
    if ray.is_initialized():
        yield
        return
    # Ray would tell its makers how it is used.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(include_dashboard=False, log_to_driver=False)
    try:
        yield
    finally:
        ray.shutdown()
