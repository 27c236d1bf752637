"""Which tasks run when, and what becomes of their answers."""

from __future__ import annotations

import heapq
import itertools
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import ray
import ray.exceptions

from avtool.failures import Failure, Retry
from avtool.ray.manifest import ManifestRow, lost_row
from avtool.ray.plan import Batch, Input, halves
from avtool.ray.work import Job, make, probe, retry_of
from avtool.ray.writing import Spool

# How long a lack of answers is waited for before what is due is looked at again.
TICK = 0.5
_LONGEST_BACKOFF = 60.0


@dataclass(frozen=True)
class Patience:
    """How often a file is tried, and how long is waited before the second time; twice as long before each other."""

    attempts: int
    backoff: float
    lost_workers: int
    """How often Ray itself does a task again whose worker was lost."""

    def delay(self, attempt: int) -> float:
        return min(self.backoff * 2.0 ** (attempt - 1), _LONGEST_BACKOFF)


class Driver:
    def __init__(self, job: Job, patience: Patience, spool: Spool) -> None:
        self._job, self._patience, self._spool = job, patience, spool
        self._task = ray.remote(make)
        self._waiting: list[tuple[float, int, Batch]] = []
        self._order = itertools.count()
        self._running: dict[Any, Batch] = {}
        self.retries: Counter[str] = Counter()

    def run(self, batches: Iterable[Batch]) -> None:
        # The package or the tool may be missing there; every task would fail, again and again.
        ray.get(ray.remote(probe).remote(self._job.executable))
        fresh = iter(batches)
        is_dry = False
        try:
            while True:
                is_dry = self._submit(fresh) or is_dry
                if is_dry and not self._running and not self._waiting:
                    return
                self._collect()
        finally:
            for reference in self._running:
                ray.cancel(reference)

    def _submit(self, fresh: Iterator[Batch]) -> bool:
        """Hands out what is due, then what is new. Whether there is nothing new any more."""
        while len(self._running) < places(self._job.jobs):
            if self._waiting and self._waiting[0][0] <= time.monotonic():
                batch = heapq.heappop(self._waiting)[2]
            elif (new := next(fresh, None)) is not None:
                batch = new
            else:
                return True
            self._start(batch)
        return False

    def _start(self, batch: Batch) -> None:
        wanted: dict[str, Any] = {"num_cpus": self._job.jobs, "max_retries": self._patience.lost_workers}
        if batch.memory is not None:
            wanted["memory"] = batch.memory
        self._running[self._task.options(**wanted).remote(self._job, batch)] = batch

    def _collect(self) -> None:
        if not self._running:
            time.sleep(min(TICK, max(0.0, self._waiting[0][0] - time.monotonic())))
            return
        done, _ = ray.wait(list(self._running), num_returns=1, timeout=TICK)
        for reference in done:
            batch = self._running.pop(reference)
            try:
                rows: dict[int, list[ManifestRow]] = ray.get(reference)
            except ray.exceptions.RayError as error:
                self._lose(batch, error)
            else:
                self._settle(batch, rows)

    def _settle(self, batch: Batch, rows: dict[int, list[ManifestRow]]) -> None:
        again: dict[Retry, list[Input]] = {"later": [], "elsewhere": []}
        memory = more_memory(batch.memory)
        for item in batch.inputs:
            hope = retry_of(rows[item.number])
            is_tried_again = hope == "later" or (hope == "elsewhere" and memory is not None)
            if hope is not None and is_tried_again and batch.attempt < self._patience.attempts:
                again[hope].append(item)
            else:
                self._spool.add(item.number, rows[item.number])
        self._repeat(batch, again["later"], batch.memory, "later")
        self._repeat(batch, again["elsewhere"], memory, "elsewhere")

    def _lose(self, batch: Batch, error: Exception) -> None:
        """The task was lost again and again: halves of its batch, so that one file does not take the others along."""
        is_memory = isinstance(error, ray.exceptions.OutOfMemoryError)
        retry: Retry = "elsewhere" if is_memory else "later"
        memory = more_memory(batch.memory) if is_memory else batch.memory
        if batch.attempt < self._patience.attempts:
            for half in halves(batch.inputs):
                self._repeat(batch, half, memory or batch.memory, retry)
            return
        failure = Failure("taskLost", f"{type(error).__name__}: {str(error).strip().splitlines()[-1][:500]}", retry)
        for item in batch.inputs:
            self._spool.add(item.number, [lost_row(item, batch.attempt, failure)])

    def _repeat(self, batch: Batch, inputs: Sequence[Input], memory: int | None, why: Retry) -> None:
        if inputs:
            self.retries[why] += len(inputs)
            due = time.monotonic() + self._patience.delay(batch.attempt)
            heapq.heappush(self._waiting, (due, next(self._order), Batch(tuple(inputs), batch.attempt + 1, memory)))


def places(cpus: int) -> int:
    """How many tasks of so many CPUs are handed out at a time.

    Twice what can run, so that no worker waits for the driver; more would only hold memory.
    """
    return max(2, 2 * int(ray.cluster_resources().get("CPU", 1)) // cpus)


def more_memory(memory: int | None) -> int | None:
    """Twice as much, or what the largest machine has; nothing where there is no more."""
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    largest = max((int(node.get("memory", 0)) for node in nodes), default=0)
    if memory is None:
        # By itself the tool lets a file take its part of the machine, of which each task here has one.
        shares = [int(node.get("memory", 0) / max(1, node.get("CPU", 1))) for node in nodes]
        memory = min(shares, default=0)
    more = min(2 * memory, largest)
    return more if more > memory else None
