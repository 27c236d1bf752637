"""The processes of a run that goes on, as the kernel tells of them."""

from __future__ import annotations

import fcntl
import os
import re
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


def family(process: int) -> list[int]:
    """A process, its child processes, theirs, and so on."""
    return [process, *(member for child in children(process) for member in family(child))]


def descriptors(process: int) -> list[Path]:
    """The links to the files that a process has open; none if there is no such process."""
    try:
        return list((PROC / str(process) / "fd").iterdir())
    except OSError:
        return []


def has_open(process: int, file: os.stat_result) -> bool:
    """Whether a process has a file open, whatever its name is now."""
    for link in descriptors(process):
        with suppress(OSError):
            if os.path.samestat(link.stat(), file):
                return True
    return False


def is_writing_below(process: int, folder: Path) -> bool:
    """Whether a process or one of its family has a file of a folder open to write, named or not, with bytes in it."""
    for member in family(process):
        for link in descriptors(member):
            with suppress(OSError):
                said = (PROC / str(member) / "fdinfo" / link.name).read_text()
                flags = re.search(r"^flags:\s*([0-7]+)", said, re.MULTILINE)
                is_output = flags and int(flags[1], 8) & os.O_ACCMODE and link.readlink().is_relative_to(folder)
                if is_output and link.stat().st_size > 0:
                    return True
    return False


def readers_of(pipe: int) -> list[int]:
    """Those of all runs of avtool that this process has started, as far as they have a pipe of this process open."""
    wanted = os.fstat(pipe)
    readers = [reader for child in children(os.getpid()) for reader in reading_processes(child)]
    return [reader for reader in readers if has_open(reader, wanted)]


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
