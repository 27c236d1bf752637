"""Which units run when and where, and which are done again."""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import ray
import ray.exceptions

from avtool.failures import Failure, Retry
from avtool.plans import Plan, Unit
from avtool.ray.driver import TICK, Patience, more_memory, places
from avtool.ray.unit_work import do, lost
from avtool.ray.work import probe
from avtool.units import Attempt

# How often it is looked at whether machines are gone.
_LOOK = 5.0


@dataclass(frozen=True)
class Wish:
    """A unit that is to be done, and what it asks Ray for."""

    unit: Unit
    cpus: int
    memory: int | None
    attempt: int = 1


class UnitDriver:
    def __init__(self, plan: Plan, executable: str, cpus: int | None, patience: Patience) -> None:
        self._units, self._plan = plan.units, replace(plan, units=())
        self._executable, self._cpus, self._patience = executable, cpus, patience
        self._task = ray.remote(do)
        self._waiting: list[tuple[float, int, Wish]] = []
        self._order = itertools.count()
        self._running: dict[Any, Wish] = {}
        self._left: dict[int, Attempt] = {}
        self._next_look = 0.0
        self.attempts: Counter[int] = Counter()
        self.retries: Counter[str] = Counter()

    def run(self, numbers: Iterable[int]) -> dict[int, Attempt]:
        """Does units. Those that are not done, with what they failed with the last time."""
        # The package or the tool may be missing there; every task would fail, again and again.
        ray.get(ray.remote(probe).remote(self._executable))
        fresh = iter(numbers)
        self._left = {}
        try:
            while self._submit(fresh) or self._running or self._waiting:
                self._collect()
                self._look()
        finally:
            for reference in self._running:
                ray.cancel(reference)
            self._running, self._waiting = {}, []
        return self._left

    def _submit(self, fresh: Iterator[int]) -> bool:
        """Hands out what is due, then what is new. Whether there may be more that is new."""
        while len(self._running) < places(1):
            if self._waiting and self._waiting[0][0] <= time.monotonic():
                self._start(heapq.heappop(self._waiting)[2])
            elif (number := next(fresh, None)) is not None:
                self._start(wish_of(self._units[number], self._cpus or smallest_cpus()))
            else:
                return False
        return True

    def _start(self, wish: Wish) -> None:
        wish = fitting(wish)
        wanted: dict[str, Any] = {"num_cpus": wish.cpus, "max_retries": self._patience.lost_workers}
        if wish.memory is not None:
            wanted["memory"] = wish.memory
        reference = self._task.options(**wanted).remote(self._executable, self._plan, wish.unit)
        self._running[reference] = wish
        self.attempts[wish.unit.number] = wish.attempt

    def _collect(self) -> None:
        if not self._running:
            if self._waiting:
                time.sleep(min(TICK, max(0.0, self._waiting[0][0] - time.monotonic())))
            return
        done, _ = ray.wait(list(self._running), num_returns=1, timeout=TICK)
        for reference in done:
            wish = self._running.pop(reference)
            try:
                found: Attempt = ray.get(reference)
            except ray.exceptions.RayError as error:
                retry: Retry = "elsewhere" if isinstance(error, ray.exceptions.OutOfMemoryError) else "later"
                message = f"{type(error).__name__}: {str(error).strip().splitlines()[-1][:500]}"
                found = lost(Failure("taskLost", message, retry))
            if found.failure is not None:
                self._settle(wish, found, found.failure.retry)

    def _settle(self, wish: Wish, found: Attempt, retry: Retry) -> None:
        memory = more_memory(wish.memory) if retry == "elsewhere" else wish.memory
        is_hopeless = retry == "never" or (retry == "elsewhere" and memory is None)
        if is_hopeless or wish.attempt >= self._patience.attempts:
            self._left[wish.unit.number] = found
            return
        self.retries[retry] += 1
        due = time.monotonic() + self._patience.delay(wish.attempt)
        again = replace(wish, memory=memory, attempt=wish.attempt + 1)
        heapq.heappush(self._waiting, (due, next(self._order), again))

    def _look(self) -> None:
        """Asks anew for what waits for more than the machines have that are left."""
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + _LOOK
        for reference, wish in list(self._running.items()):
            if fitting(wish) != wish:
                del self._running[reference]
                ray.cancel(reference)
                self._start(wish)


def wish_of(unit: Unit, cpus: int) -> Wish:
    """What a unit of that cost asks for: a core for each second of work at most, and memory for what runs on each."""
    if unit.cost is None:
        return Wish(unit, cpus, None)
    cores = min(cpus, max(1, math.ceil(unit.cost.core_seconds)))
    return Wish(unit, cores, unit.cost.memory * cores)


def smallest_cpus() -> int:
    """The cores of the smallest machine that has any."""
    return max(1, int(min((cpus for cpus, _ in _machines()), default=1)))


def fitting(wish: Wish) -> Wish:
    """The same, with no more than one of the machines that are there has; Ray would wait for a larger one."""
    machines = _machines()
    if not machines:
        return wish
    cpus = max(1, min(wish.cpus, int(max(cpus for cpus, _ in machines))))
    # Of those that have the cores, the one with the most memory.
    most = int(max((memory for there, memory in machines if there >= cpus), default=0))
    return replace(wish, cpus=cpus, memory=wish.memory and min(wish.memory, most))


def _machines() -> list[tuple[float, float]]:
    """Cores and memory of each machine."""
    found = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    return [(node["CPU"], node.get("memory", 0)) for node in found if node.get("CPU", 0) >= 1]
