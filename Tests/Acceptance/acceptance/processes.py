"""The processes of a run that goes on, as the kernel tells of them."""

from __future__ import annotations

import fcntl
import os
import sys
import termios
from contextlib import suppress
from pathlib import Path

from acceptance.tool import eventually

PROC = Path("/proc")


def threads(process: int) -> list[Path]:
    """The folders of a process's threads; none if there is no such process."""
    try:
        return list((PROC / str(process) / "task").iterdir())
    except OSError:
        return []


def children(process: int) -> list[int]:
    """The child processes of a process."""
    found: list[int] = []
    for thread in threads(process):
        with suppress(OSError):
            found += map(int, (thread / "children").read_text().split())
    return found


def reading_processes(tool: int) -> list[int]:
    """The processes that read media files for a run of avtool, once there are any.

    They are child processes of the worker; a worker that does the work itself has threads for that.
    """
    for worker in children(tool):
        if copies := children(worker):
            return copies
        if len(threads(worker)) > 1:
            return [worker]
    return []


def readers_of(pipe: int) -> list[int]:
    """Those of all runs of avtool that this process has started, as far as they have a pipe of this process open."""
    wanted = os.fstat(pipe)

    def has_it_open(process: int) -> bool:
        with suppress(OSError):
            for file in (PROC / str(process) / "fd").iterdir():
                with suppress(OSError):
                    if os.path.samestat(file.stat(), wanted):
                        return True
        return False

    return [reader for child in children(os.getpid()) for reader in reading_processes(child) if has_it_open(reader)]


def bytes_in(pipe: int) -> int:
    """How many bytes of a pipe nobody has read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def status(process: int) -> dict[str, str]:
    """The lines of a process's status by their names; empty if there is no such process."""
    try:
        lines = (PROC / str(process) / "status").read_text().splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def has_ended(process: int) -> bool:
    """Whether a process is gone, or waits only for its parent to notice its end."""
    return status(process).get("State", "Z").startswith(("Z", "X"))


def signal_until_it_ends(process: int, number: int) -> bool:
    """Sends a process a signal again and again; whether it ended."""

    def is_over() -> bool:
        with suppress(ProcessLookupError):
            os.kill(process, number)
        return has_ended(process)

    return eventually(is_over)


def ignores(process: int, number: int) -> bool:
    """Whether a process ignores a signal."""
    return bool(int(status(process).get("SigIgn", "0"), 16) >> (number - 1) & 1)


def processes_of(program: Path) -> list[int]:
    """All processes that run a program, those first whose parent runs another one."""
    found = []
    for folder in PROC.iterdir():
        with suppress(OSError):
            if folder.name.isdecimal() and (folder / "exe").readlink() == program:
                found.append(int(folder.name))
    return sorted(found, key=lambda process: int(status(process).get("PPid", "0")) in found)
