"""One command over many files on a Ray cluster, with a manifest of what became of each.

```python
import avtool.ray

report = avtool.ray.run("thumbs", films, "/shared/stills", ["--at", "1/10"], manifest="stills.jsonl")

plan = avtool.plan("thumbs --every 10s --jobs 1 -o /shared/stills/", path="/shared/stills.plan", files=films)
report = avtool.ray.run_plan(plan, manifest="stills.jsonl")
```
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

try:
    import ray as _  # noqa: F401
except ImportError as missing:
    raise ImportError("avtool.ray needs Ray: pip install 'avtool[ray]'") from missing

from avtool.names import Name
from avtool.ray.driver import Driver, Patience
from avtool.ray.manifest import ManifestRow
from avtool.ray.plan import batches, inputs_of
from avtool.ray.planned import run_plan
from avtool.ray.reports import Report, cluster, report_of
from avtool.ray.work import Job
from avtool.ray.writing import Spool
from avtool.running import run as run_here
from avtool.tool import Tool

__all__ = ["ManifestRow", "Report", "run", "run_plan"]


def run(
    command: str | Sequence[str],
    files: Iterable[Name],
    output_folder: str | os.PathLike[str],
    options: Sequence[str] = (),
    *,
    manifest: str | os.PathLike[str],
    parquet: bool | None = None,
    pattern: str = "",
    batch_files: int = 64,
    batch_bytes: int = 4 << 30,
    jobs: int = 1,
    memory: int | None = None,
    attempts: int = 4,
    backoff: float = 2.0,
    lost_workers: int = 3,
    tool: Tool | None = None,
) -> Report:
    """Runs a command that writes files, such as `thumbs`, with `--resume` over all files, each name once.

    The cluster is the one that `ray.init` was called for, or else this machine. Folders, files and the tool have to
    have the same names on all of its machines.

    - `manifest`: JSON Lines, a row for each still or other result, at least one for each file, in the order of the
      files; Parquet beside it where there is pyarrow, or as `parquet` says. Both take their places whole, at the end.
    - `pattern`: names of results in the folder, as `-o` takes them; without folders of their own.
    - `batch_files`, `batch_bytes`: what one task does at most.
    - `jobs`: how many files a task does at a time, and how many CPUs it asks Ray for.
    - `memory`: bytes that a task asks Ray for and that a film may take (`--limit memory`).
    - `attempts`, `backoff`: how often a file is tried whose failure may pass, and the seconds before the second time.
    - `lost_workers`: how often Ray does a task again whose worker died.

    A command line that is wrong raises `AvtoolError` before anything is done; a file that fails is a row.
    """
    words = tuple(command.split() if isinstance(command, str) else command)
    folder, target = Path(output_folder).absolute(), Path(manifest).absolute()
    job = Job((tool or Tool()).executable, words, tuple(options), str(folder), pattern, jobs)
    _check(job)
    for needed in (folder, target.parent):
        needed.mkdir(parents=True, exist_ok=True)
    inputs = inputs_of(files)
    with Spool(target.parent) as spool, cluster():
        driver = Driver(job, Patience(attempts, backoff, lost_workers), spool)
        driver.run(batches(inputs, batch_files, batch_bytes, memory))
        if len(spool) != len(inputs):
            raise AssertionError(f"{len(inputs)} inputs, {len(spool)} of them in the manifest")
        return report_of(spool, target, parquet, driver.retries)


def _check(job: Job) -> None:
    """Has the tool read the command line, without any file."""
    if "/" in job.pattern:
        raise ValueError(f"names of results have no folders: {job.pattern}")
    with run_here(job.command, [], *job.options, "--resume", "-o", job.output(), tool=Tool(job.executable)) as rows:
        for _ in rows:
            pass
