"""Measuring programs side by side: in turns, by wall time, processor time and peak memory of all their processes.

A benchmark is a list of cases; a case is work that avtool, the first of its tools, and its peers do. Nothing large may
be imported here, or read at once: a child's peak memory counts from what its parent holds.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

from acceptance.made_films import cache_folder
from acceptance.running import output, say, text
from acceptance.tables import duration, size, table

Command = Sequence[object]
# Of films: what tools read of larger ones gets into the page cache by a round that does not count.
LARGE = 2_000_000_000
Kind = Literal["wall", "cpu"]


@dataclass(frozen=True)
class Usage:
    """What a command took."""

    wall: float  # seconds
    cpu: float  # seconds of user and system, of the process and of those that it waited for
    memory: float  # MB, of the largest process


def timed(command: Command, out: IO[bytes], errors: IO[bytes]) -> tuple[int, Usage]:
    """Runs a command; its exit code, and what it took."""
    start = time.perf_counter()
    process = subprocess.Popen([str(w) for w in command], stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, Usage(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


# --- what is measured -------------------------------------------------------------------


@dataclass(frozen=True)
class Tool:
    """A program, and how it does the work of a case."""

    name: str  # in the names of ratios
    label: str  # in tables
    commands: Callable[[Path], Sequence[Command]]  # one after the other; what they make goes into an empty folder
    needs: Path | str  # the program that has to be there
    makes: str = "*"  # a pattern of the files that it makes
    count: int | None = None  # how many there must be; None: at least one
    is_watched: bool = True  # its ratio has a threshold
    is_synced: bool = False  # the time until what it made is on the disk counts
    most_rounds: int = sys.maxsize
    goal: float = float("inf")  # for the part of its wall time that avtool takes
    memory_goal: float = float("inf")

    @property
    def is_there(self) -> bool:
        return shutil.which(str(self.needs)) is not None


@dataclass(frozen=True)
class Case:
    """Work that several tools do. Benchmarks derive theirs, with the numbers that make up the work as fields."""

    name: str
    work: str  # in tables
    kind: Kind = "cpu"  # of which the ratio is watched: wall time where the use of all cores is the claim
    rounds: int = 5
    is_watched: bool = True  # its ratios have thresholds; those of a case that takes minutes have none

    def film(self) -> Path:
        """What the tools read; made if it is not there."""
        raise NotImplementedError

    def tools(self) -> list[Tool]:
        """avtool first. Asks for no film before a command is wanted."""
        raise NotImplementedError

    def prepare(self, folder: Path) -> None:
        """Puts what the tools change into the folder, before time counts."""

    def quality(self, folder: Path) -> float | None:
        """How good what was made is, where that may differ."""
        return None

    def remark(self, own: Measured, other: Measured) -> str:
        """What the table says of the result of a tool beside avtool's."""
        return ""


@dataclass
class Measured:
    """The rounds of a tool."""

    tool: Tool
    rounds: list[Usage] = field(default_factory=list)
    made: int = 0  # bytes
    quality: float | None = None

    def least(self, kind: Kind) -> float:
        return min(self.times(kind))

    def median(self, kind: Kind) -> float:
        return statistics.median(self.times(kind))

    def times(self, kind: Kind) -> list[float]:
        return [usage.wall if kind == "wall" else usage.cpu for usage in self.rounds]

    @property
    def memory(self) -> float:
        return max(usage.memory for usage in self.rounds)


@dataclass
class Result:
    """All rounds of all tools of a case."""

    benchmark: str
    case: Case
    tools: list[Measured]

    @property
    def own(self) -> Measured:
        return self.tools[0]

    @property
    def ratios(self) -> dict[str, float]:
        """avtool's time divided by each peer's, by name. The least of the rounds: what disturbs only adds."""
        kind, own, *peers = self.case.kind, *self.tools
        return {
            ratio_name(self.benchmark, self.case, peer.tool): own.least(kind) / peer.least(kind)
            for peer in peers
            if peer.rounds
        }


def ratio_name(benchmark: str, case: Case, peer: Tool) -> str:
    return f"{benchmark}.{case.name}/{peer.name}"


def machine() -> dict[str, object]:
    """What kind of machine this is, as far as ratios depend on it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    version = output(["ffmpeg", "-version"]).split()
    return {"cores": os.cpu_count(), "processor": model, "FFmpeg": version[2] if len(version) > 2 else ""}


# --- rounds -----------------------------------------------------------------------------


def prepared(benchmark: str, cases: Sequence[Case]) -> list[Result]:
    """Cases without rounds yet, with their films made, and with the tools that are there."""
    results = []
    for case in cases:
        if not case.tools()[0].is_there:
            raise RuntimeError(f"there is no {case.tools()[0].needs}")
        missing = [tool.label for tool in case.tools() if not tool.is_there]
        if missing:
            say(f"{benchmark}.{case.name}: left out, since not installed: {', '.join(missing)}")
        results.append(Result(benchmark, case, [Measured(tool) for tool in case.tools() if tool.is_there]))
        if case.film().stat().st_size > LARGE:
            for tool in results[-1].tools:
                run_round(case, tool.tool)
    return results


def measure(results: Sequence[Result], rounds_of: Callable[[Case], int]) -> None:
    """Rounds of all cases in turns, so that what disturbs for a while meets one round of a case and not all."""
    for number in range(max((rounds_of(result.case) for result in results), default=0)):
        for result in results:
            if number < rounds_of(result.case):
                measure_round(result, number, is_last=number == rounds_of(result.case) - 1)


def measure_round(result: Result, number: int, *, is_last: bool) -> None:
    case, tools = result.case, result.tools
    read_through(case.film())
    turn = number % len(tools)
    for measured in tools[turn:] + tools[:turn]:
        tool = measured.tool
        if len(measured.rounds) < tool.most_rounds:
            needs_quality = measured.quality is None and (is_last or number == tool.most_rounds - 1)
            usage, measured.made, quality = run_round(case, tool, needs_quality=needs_quality)
            measured.rounds.append(usage)
            measured.quality = quality if needs_quality else measured.quality
            what = f"{result.benchmark}.{case.name}, round {number + 1}: {tool.label}"
            say(f"{what}: {usage.wall:.2f} s, processor {usage.cpu:.2f} s, {usage.memory:.0f} MB")


def run_round(case: Case, tool: Tool, *, needs_quality: bool = False) -> tuple[Usage, int, float | None]:
    """What a round took, the size of what it made, and how good that is."""
    with tempfile.TemporaryDirectory(prefix="round-", dir=cache_folder()) as name:
        folder = Path(name)
        case.prepare(folder)
        os.sync()
        usage, files = run_once(tool, folder)
        made = sum(file.stat().st_size for file in files)
        return usage, made, case.quality(folder) if needs_quality else None


def run_once(tool: Tool, folder: Path) -> tuple[Usage, list[Path]]:
    """One round of a tool, and the files that it made; it has to succeed."""
    usages = []
    with tempfile.TemporaryFile() as log:
        for command in tool.commands(folder):
            code, usage = timed(command, log, log)
            usages.append(usage)
            if code:
                log.seek(0)
                said = text(log.read())[-2000:]
                raise RuntimeError(f"exit code {code} from {' '.join(map(str, command))}\n{said}")
    files = [file for file in folder.glob(tool.makes) if file.is_file() and file.stat().st_size]
    if not files if tool.count is None else len(files) != tool.count:
        raise RuntimeError(f"{tool.label} made {len(files)} files {tool.makes}")
    start = time.perf_counter()
    for file in files if tool.is_synced else []:
        with file.open("rb") as made:
            os.fdatasync(made.fileno())
    wall = sum(usage.wall for usage in usages) + (time.perf_counter() - start if tool.is_synced else 0)
    return Usage(wall, sum(usage.cpu for usage in usages), max(usage.memory for usage in usages)), files


def read_through(source: Path) -> None:
    """Puts what the tools read into the page cache, for all alike, unless it might not fit as a whole."""
    for file in sorted(source.iterdir()) if source.is_dir() else [source]:
        with file.open("rb") as data:
            while file.stat().st_size <= LARGE and data.read(1 << 20):
                pass


# --- tables -----------------------------------------------------------------------------

HEAD = ("work", "tool", "wall time", "least", "CPU time", "peak memory", "makes")
SHARES = ("avtool takes", "of CPU time", "of memory", "remarks")


def tables(results: Sequence[Result]) -> str:
    """Medians of times, the highest memory, and what part of each of its peers' avtool takes."""
    rows = []
    for result in results:
        for number, measured in enumerate(result.tools):
            if measured.rounds:
                shares = shares_of(result, measured)
                rows.append(["" if number else result.case.work, *cells_of(measured), *shares])
    return table([*HEAD, *SHARES], rows, texts=(0, 1, -1))


def cells_of(measured: Measured) -> list[str]:
    times = [measured.median("wall"), measured.least("wall"), measured.median("cpu")]
    made = size(measured.made) if measured.made else ""
    return [measured.tool.label, *map(duration, times), f"{measured.memory:.0f} MB", made]


def shares_of(result: Result, peer: Measured) -> list[str]:
    own, tool = result.own, peer.tool
    remark = result.case.remark(own, peer)
    if peer is own:
        return ["", "", "", remark]
    wall, cpu = own.median("wall") / peer.median("wall"), own.median("cpu") / peer.median("cpu")
    memory = own.memory / peer.memory
    return [against(wall, tool.goal), f"{cpu:.3f}", against(memory, tool.memory_goal), remark]


def against(ratio: float, goal: float) -> str:
    """A ratio, and whether it is as low as it should be."""
    if goal == float("inf"):
        return f"{ratio:.3f}"
    return f"{ratio:.3f} (≤ {goal:g})" + ("" if ratio <= goal + 0.0005 else " **missed**")
