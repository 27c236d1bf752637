"""Runs avtool with one of its system calls failing: the Python side of shim/fault_shim.c."""

from __future__ import annotations

import errno
import functools
import os
import resource
import signal
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from acceptance.running import ROOT, make, text

SOURCE = ROOT / "Tests/Acceptance/shim/fault_shim.c"
# As in the C source, and in its order.
FAMILIES = (
    "read write copy sync link rename unlink mkdir open truncate reserve status list map allocate large thread "
    "send receive process"
).split()
# The tool's processes, each of which counts its calls: avtool, avtool-worker as it was started, and its copies, or what
# it becomes when it does the work itself.
PROCESSES = ("front", "worker", "copy")
HALF = "half"
# What file systems lack: FAT, NFS, and those of a program in user space at their poorest.
FAT = "unnamed links exchange copies reservations"
NFS = "unnamed exchange noreplace copies reservations"
FUSE = "unnamed links exchange noreplace copies reservations"
# What ends at all ends within a second or two on an idle machine; this only finds what hangs, on a busy one too.
DEADLINE = 60.0
# Smaller mappings do not count; allocations of as many bytes are "large".
LARGE = 1 << 16


@dataclass(frozen=True)
class Fault:
    """What fails: the calls of a family from one on, or one of them alone."""

    family: str
    error: str  # a name of errno's, or HALF: half of what was asked for is done
    lasts: bool = False
    without: str = ""  # what the file system cannot do at all

    def __str__(self) -> str:
        words = [self.family, self.error, *(["on and on"] if self.lasts else [])]
        return " ".join([*words, *([f"without {self.without}"] if self.without else [])])

    @property
    def code(self) -> int:
        return -1 if self.error == HALF else int(getattr(errno, self.error))

    @property
    def is_harmless(self) -> bool:
        """Whether nothing failed at all: whoever asked has to ask for the rest."""
        return self.error in (HALF, "EINTR")


@dataclass
class Disturbed:
    """What became of a run."""

    code: int  # negative: the number of the signal that ended it
    out: str
    said: str
    seconds: float
    calls: dict[str, dict[str, int]]  # by process and family
    failed: int  # calls that were made to fail
    function: str  # the first of them
    processes: dict[str, int]  # how many of each there were
    memory: int = 0  # bytes, of the largest process
    is_late: bool = False  # whether it had to be ended

    @property
    def how(self) -> str:
        if self.is_late:
            return f"did not end in {DEADLINE:.0f} s"
        end = f"exit code {self.code}" if self.code >= 0 else signal.Signals(-self.code).name
        return (
            f"{end} after {self.failed} failures of {self.function or 'nothing'}: {self.said[-300:] or 'nothing said'}"
        )


@functools.cache
def library() -> Path:
    """The compiled shim, made once for each process of tests."""
    folder = Path(tempfile.mkdtemp(prefix="avtool-shim-"))
    built = folder / "fault_shim.so"
    make("cc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", built, SOURCE, "-ldl")
    return built


def run_with(
    fault: Fault | None,
    number: int,
    words: Sequence[object],
    folder: Path,
    environment: Mapping[str, str] = {},
    process: str = "front",
) -> Disturbed:
    """Runs a command in one of whose processes the n-th call of a family fails; with number 0, none does.

    Of calls that have a file, those count that have one below `folder`.
    """
    layout = f"<{len(PROCESSES) * len(FAMILIES)}Q{len(PROCESSES)}QQ32s"
    with tempfile.NamedTemporaryFile(prefix="avtool-counts-") as counts:
        counts.write(bytes(struct.calcsize(layout)))
        counts.flush()
        faults = {"COUNTS": counts.name, "FOLDER": folder, "LENGTH": LARGE, "NUMBER": number, "PROCESS": process}
        if fault:
            faults |= {"FAMILY": fault.family, "ERROR": fault.code, "WITHOUT": fault.without}
            faults |= {"LASTS": 1} if fault.lasts else {}
        variables = os.environ | dict(environment) | {"LD_PRELOAD": str(library())}
        variables |= {f"AVTOOL_FAULT_{name}": str(value) for name, value in faults.items()}
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
            begun = time.monotonic()
            child = subprocess.Popen(
                [str(word) for word in words],
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=said,
                preexec_fn=leave_no_core,
            )
            is_late, memory = wait(child)
            seconds = time.monotonic() - begun
            printed, complaints = read_from_start(out), read_from_start(said)
        values = struct.unpack(layout, Path(counts.name).read_bytes())
    calls = {
        name: dict(zip(FAMILIES, values[index * len(FAMILIES) :])) for index, name in enumerate(PROCESSES)
    }  # fmt: skip
    *processes, failed, function = values[len(PROCESSES) * len(FAMILIES) :]
    return Disturbed(
        child.returncode, printed, complaints, seconds, calls, failed, text(function.rstrip(b"\0")),
        dict(zip(PROCESSES, processes)), memory, is_late,
    )  # fmt: skip


def wait(child: subprocess.Popen[bytes]) -> tuple[bool, int]:
    """Whether it had to be ended, and the memory of the largest of its processes."""
    is_late = threading.Event()

    def end() -> None:
        is_late.set()
        os.kill(child.pid, signal.SIGKILL)

    # Twice: a machine that stood still meanwhile says nothing of the child.
    watch = threading.Timer(DEADLINE, lambda: second.start())
    second = threading.Timer(DEADLINE / 4, end)
    watch.start()
    _, status, usage = os.wait4(child.pid, 0)
    for timer in (watch, second):
        timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return is_late.is_set(), usage.ru_maxrss * 1024


def read_from_start(file: IO[bytes]) -> str:
    file.seek(0)
    return text(file.read())


def leave_no_core() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def sample(count: int, most: int) -> list[int]:
    """Up to so many of the numbers from 1 to `count`, always the same: the first, the last, and some between."""
    if count <= most:
        return list(range(1, count + 1))
    ends = most // 3
    between = most - 2 * ends
    step = (count - 2 * ends) / (between + 1)
    chosen = {*range(1, ends + 1), *range(count - ends + 1, count + 1)}
    return sorted(chosen | {ends + round(step * index) for index in range(1, between + 1)})
