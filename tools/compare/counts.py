#!/usr/bin/env python3
"""What a job costs besides time: files that are opened, and messages between processes. strace counts the calls."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

CALLS = "open,openat,openat2,creat,sendmsg,sendmmsg,sendto,write,writev"
# Folders of the system: libraries, devices, settings.
SYSTEM = ("/lib", "/usr", "/proc", "/etc", "/sys", "/dev", "/var", "/opt", "/bin")
OPENED = re.compile(rb"\b(?:open|openat|openat2|creat)(?:\(| resumed).* = \d+<([^>]*)>")
SENT = re.compile(rb"^\d+ +(?:sendmsg|sendmmsg|sendto)\(\d+<(?:socket|UNIX)")
# Bytes to another process, but none to standard output or standard error.
WRITTEN = re.compile(rb"^\d+ +writev?\((?:[3-9]|\d\d+)<(?:socket|UNIX|pipe)")


@dataclass
class Counts:
    inputs: int = 0  # times an input was opened
    files: int = 0  # times any file was opened, those of the system left out
    messages: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.inputs + other.inputs, self.files + other.files, self.messages + other.messages)


def is_possible() -> bool:
    return shutil.which("strace") is not None


def tracer(log: Path) -> tuple[str, ...]:
    """The words to put before a command. The filter keeps other calls at their speed."""
    return ("strace", "-f", "-qq", "-y", "--seccomp-bpf", "-s", "0", "-e", f"trace={CALLS}", "-o", str(log))


def read(log: Path, work: Path, inputs: list[str]) -> Counts:
    """The counts of a finished run in a folder."""
    counts = Counts()
    wanted = {str(work / name) for name in inputs}
    for line in log.read_bytes().splitlines():
        if match := OPENED.search(line):
            path = match[1].decode(errors="replace")
            if path in wanted:
                counts.inputs += 1
            if not path.startswith(SYSTEM):
                counts.files += 1
        elif SENT.match(line) or WRITTEN.match(line):
            counts.messages += 1
    return counts
