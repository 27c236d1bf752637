#!/usr/bin/env python3
"""Runs of jobs: each in a new folder of always the same path, with an environment of its own.

A worker thread has a slot: a folder with `bin`, which holds links to the files of the build that runs, and `run`, which
a job finds empty but for its inputs. Both builds run a job in the same slot, one after the other, so that paths in
results are equal.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from compare.job import LIMIT, Job

# In place of the exit code of a run that was ended.
LATE = -1
# The modification time of every input, in seconds.
TIME = 1_600_000_000
# Seconds that what a job has left running may take to end.
GRACE = 3
# The port for a job that serves files, for each slot another.
FIRST_PORT = 18_431


@dataclass(frozen=True)
class Entry:
    """What lies under one name after a run."""

    kind: str  # file, folder, link, fifo, …
    mode: int
    link: str = ""
    is_older: bool = False  # whether the modification time is that of the inputs
    attributes: tuple[tuple[str, bytes], ...] = ()


@dataclass
class Outcome:
    """What came of a run; the files lie in `folder`."""

    code: int  # as shells say it, or LATE
    output: bytes
    errors: bytes
    folder: Path
    processor: float  # seconds, of all processes
    seconds: float

    def tree(self) -> dict[str, Entry]:
        """What lies in the folder, by path."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            found[str(path.relative_to(self.folder))] = entry(path)
        return found


def entry(path: Path) -> Entry:
    status = path.lstat()
    kinds = {
        stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link", stat.S_IFIFO: "fifo",
        stat.S_IFSOCK: "socket", stat.S_IFCHR: "device", stat.S_IFBLK: "device",
    }  # fmt: skip
    kind = kinds[stat.S_IFMT(status.st_mode)]
    if kind == "link":
        return Entry(kind, 0, link=str(path.readlink()))
    attributes: tuple[tuple[str, bytes], ...] = ()
    if kind == "file":
        names = sorted(os.listxattr(path))
        attributes = tuple((name, os.getxattr(path, name)) for name in names if name.startswith("user."))
    is_older = kind == "file" and int(status.st_mtime) == TIME
    return Entry(kind, stat.S_IMODE(status.st_mode), is_older=is_older, attributes=attributes)


class Build:
    """A build of avtool: a copy of its files, which a build that goes on beside the runs does not change."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self.binary = binary
        folder.mkdir(parents=True)
        self.files: list[Path] = []
        own = re.compile(rf"{re.escape(binary.name)}(-[a-z]+)*")
        beside = sorted(path for path in binary.resolve().parent.iterdir() if own.fullmatch(path.name))
        for path in dict.fromkeys([binary.resolve(), *beside]):
            if path.is_file() and os.access(path, os.X_OK):
                name = "avtool" if path == binary.resolve() else path.name
                self.files.append(folder / name)
                shutil.copy(path, folder / name)

    def install(self, folder: Path) -> None:
        """Makes the build what lies in a folder."""
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        for path in self.files:
            (folder / path.name).hardlink_to(path)


class Slot:
    """Where one worker thread runs jobs."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder = folder
        self.port = FIRST_PORT + number
        self.process: subprocess.Popen[bytes] | None = None
        self.run_folder, self.bin = folder / "run", folder / "bin"
        folder.mkdir(parents=True)

    @property
    def environment(self) -> dict[str, str]:
        run = self.run_folder
        return {
            "PATH": f"{self.bin}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(run / "home"),
            "TMPDIR": str(run / "tmp"),
            "PWD": str(run / "work"),
            # None of UTC, and with minutes: a time that is read or told in the wrong zone shows.
            "TZ": "America/St_Johns",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
            "TERM": "xterm",
            "PORT": str(self.port),
        }

    def prepare(self, job: Job) -> None:
        """Makes the folder as a job finds it."""
        remove(self.run_folder)
        for name in ("work", "home", "tmp"):
            (self.run_folder / name).mkdir(parents=True)
        for source, name in job.inputs:
            copy = self.run_folder / "work" / name
            shutil.copyfile(source, copy)
            copy.chmod(0o644)
            os.utime(copy, (TIME, TIME))

    def run(self, job: Job, build: Build, kept: str, before: tuple[str, ...] = ()) -> Outcome:
        """Runs a job, and moves what it leaves to a folder of the slot."""
        build.install(self.bin)
        self.prepare(job)
        process, began = self.start([*before, "/bin/bash", "-c", job.line])
        output, errors, status, usage = wait(process)
        self.process = None
        seconds = time.monotonic() - began
        to = self.folder / kept
        remove(to)
        self.run_folder.rename(to)
        return Outcome(code_of(status), output, errors, to, usage, seconds)

    def end(self) -> None:
        """Ends the job that runs."""
        if self.process:
            end_group(self.process.pid)

    def start(self, words: list[str]) -> tuple[subprocess.Popen[bytes], float]:
        began = time.monotonic()
        self.process = process = subprocess.Popen(
            words,
            cwd=self.run_folder / "work",
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            umask=0o022,
        )
        return process, began


def wait(process: subprocess.Popen[bytes], limit: float = LIMIT) -> tuple[bytes, bytes, int | None, float]:
    """Both outputs, the status (none after the limit), and processor seconds of a process and those it waited for."""
    is_late = threading.Event()

    def end() -> None:
        is_late.set()
        end_group(process.pid)

    timer = threading.Timer(limit, end)
    timer.start()
    streams = process.stdout, process.stderr
    read: tuple[bytearray, bytearray] = bytearray(), bytearray()
    readers = [threading.Thread(target=read_all, args=pair, daemon=True) for pair in zip(streams, read)]
    for reader in readers:
        reader.start()
    # The process stays until it is waited for, and with it the number of its group.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    for reader in readers:
        reader.join(GRACE)
    end_group(process.pid)
    for reader in readers:
        reader.join(GRACE)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    timer.cancel()
    processor = usage.ru_utime + usage.ru_stime
    return bytes(read[0]), bytes(read[1]), None if is_late.is_set() else status, processor


def code_of(status: int | None) -> int:
    """The exit code that a shell makes of a status; LATE where there is none."""
    if status is None:
        return LATE
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def read_all(stream: IO[bytes], data: bytearray) -> None:
    with stream:
        while part := stream.read(65536):
            data += part


def end_group(group: int) -> None:
    """Ends what a job has left running."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def remove(folder: Path) -> None:
    """Removes a folder and all that is in it, whatever its modes."""
    if not folder.exists():
        return
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder)
