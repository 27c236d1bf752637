"""A control group of one's own, which bounds and measures the memory of what runs in it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")


def parent() -> Path | None:
    """Where groups for memory can be made, and nothing else is changed; `None` if nowhere."""
    for folder in (ROOT / "memory", ROOT):
        has_memory = (folder / "memory.limit_in_bytes").exists() or (
            (folder / "cgroup.subtree_control").exists()
            and "memory" in (folder / "cgroup.subtree_control").read_text().split()
        )
        if has_memory and os.access(folder, os.W_OK):
            return folder
    return None


@dataclass
class ControlGroup:
    """A group for memory, of either version of the kernel's interface."""

    folder: Path

    def number(self, *names: str) -> int | None:
        for name in names:
            if (path := self.folder / name).exists() and (text := path.read_text().strip()).isdigit():
                return int(text)
        return None

    def limit(self, size: int) -> None:
        for name in ("memory.limit_in_bytes", "memory.max"):
            if (path := self.folder / name).exists():
                path.write_text(str(size))

    def enter(self) -> None:
        """Has this process, and what it starts, count from now on."""
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    @property
    def peak(self) -> int | None:
        """The most bytes that were in use at once, with the pages of files that nobody outside used before."""
        return self.number("memory.max_usage_in_bytes", "memory.peak")

    @property
    def killed(self) -> int:
        """How many processes were ended for want of memory."""
        for name in ("memory.oom_control", "memory.events"):
            if (path := self.folder / name).exists():
                rows = dict(line.split() for line in path.read_text().splitlines())
                if "oom_kill" in rows:
                    return int(rows["oom_kill"])
        return 0

    def end(self) -> None:
        """Ends all that is in it, and takes it away."""
        for _ in range(1200):
            for number in (self.folder / "cgroup.procs").read_text().split():
                # One that was there a moment ago may be gone.
                with suppress(ProcessLookupError):
                    os.kill(int(number), signal.SIGKILL)
            try:
                self.folder.rmdir()
                return
            except OSError:
                time.sleep(0.05)


@contextmanager
def control_group(size: int) -> Iterator[ControlGroup | None]:
    """A group of so many bytes; `None` where there can be none."""
    place = parent()
    if not place:
        yield None
        return
    folder = place / f"avtool-test-{os.getpid()}"
    folder.mkdir()
    group = ControlGroup(folder)
    try:
        group.limit(size)
        yield group
    finally:
        group.end()
