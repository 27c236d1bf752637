"""Disturbs a command and judges what it leaves: the harness that the tests of faults share.

After each disturbance there is, under the final name, nothing, or the whole new output, or what was
there before; no other file lies beside it or in the folder for temporary files; the exit code is the
right one; and a failure is said in one line.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from acceptance.running import AVTOOL, Json, json_lines, run, text

NOBODY: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []}
ENDED_BY = {signal.SIGINT: {0, 130, -2}, signal.SIGTERM: {0, 130, 143, -15}, signal.SIGKILL: {0, -9}}


def contents(path: Path) -> dict[str, str]:
    """All that lies under a name, with a hash of it."""
    if path.is_symlink():
        return {".": f"link to {path.readlink()}"}
    if path.is_file():
        return {".": hashlib.md5(path.read_bytes()).hexdigest()}
    return {
        str(inside.relative_to(path)): hashlib.md5(inside.read_bytes()).hexdigest() if inside.is_file() else "folder"
        for inside in sorted(path.rglob("*"))
    }


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@dataclass
class Command:
    """A command that reads a source and makes an output, or changes a file in place."""

    name: str
    source: Path
    words: list[object]  # before the options and the names of files
    output: str  # the name that it gets in tests
    faults: Callable[[Path], list[str]]  # what keeps an output from being the whole new one
    older: list[object] = field(default_factory=list)  # words that make another output, to be replaced
    changes_in_place: bool = False
    looks: Callable[[Path], object] = contents  # what of an output counts as "as it was before"
    seconds: float = 0  # that it takes undisturbed
    size: int = 0  # of the output


@dataclass
class Outcome:
    code: int
    events: list[Json]
    said: str
    stopped: float = 0  # seconds from a signal to the end

    def __str__(self) -> str:
        error: Json = next((e["error"] for e in self.events if e.get("error")), {})
        return f"exit code {self.code}: {self.said[-300:] or error.get('message') or 'nothing said'}"


@dataclass
class Harness:
    command: Command
    folder: Path

    def __post_init__(self) -> None:
        self.temporary, self.out = self.folder / "temporary", self.folder / "out"
        for place in (self.temporary, self.out):
            place.mkdir(exist_ok=True)
            place.chmod(0o777)
        self.output = self.out / self.command.output
        self.prepare(self.output)
        begun = time.monotonic()
        outcome = self.once(self.output)
        self.command.seconds = time.monotonic() - begun
        assert outcome.code == 0, f"undisturbed: {outcome}"
        files = [f for f in self.output.rglob("*") if f.is_file()] or [self.output]
        # Files may have second names.
        self.command.size = sum({f.stat().st_ino: f.stat().st_size for f in files}.values())

    # --- running

    def start(
        self, output: Path, *more: object, source: Path | None = None, older: bool = False, **options: Any
    ) -> subprocess.Popen[bytes]:
        command = self.command
        words = [AVTOOL, *(command.older if older else command.words), *more]
        words += [output] if command.changes_in_place else ["-o", output, source or command.source]
        return self.popen(words, **options)

    def popen(self, words: list[object], **options: Any) -> subprocess.Popen[bytes]:
        environment = os.environ | {"TMPDIR": str(self.temporary)}
        pipe = subprocess.PIPE
        command = [str(word) for word in words]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env=environment, **options)

    def finish(self, process: subprocess.Popen[bytes], signalled: float | None = None) -> Outcome:
        try:
            out, said = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Outcome(-999, [], "it did not end in 300 s")
        # What has to be set in Jellyfin is said of every set that differs from its own settings.
        lines = [line for line in text(said).splitlines() if "trickplay settings" not in line]
        events = [e for e in json_lines(out) if e.get("event") != "no JSON"]
        return Outcome(process.returncode, events, "\n".join(lines), time.monotonic() - signalled if signalled else 0)

    def once(self, output: Path, *more: object, **options: Any) -> Outcome:
        return self.finish(self.start(output, *more, **options))

    def prepare(self, output: Path, *, with_old: bool = False) -> object:
        """Puts what a run finds under the final name; what it looks like."""
        if self.command.changes_in_place:
            shutil.copy(self.command.source, output)
        elif with_old:
            assert self.once(output, older=True).code == 0
        return self.command.looks(output)

    def clear(self, folder: Path | None = None) -> None:
        for place in (folder or self.out, self.temporary):
            for path in place.iterdir() if place.is_dir() else []:
                remove(path)

    # --- judging

    def beside(self, *outputs: Path) -> list[str]:
        """What lies where nothing should."""
        folder, names = outputs[0].parent, {output.name for output in outputs}
        left = [p.name for p in folder.iterdir() if p.name not in names] if folder.is_dir() else []
        return left + [f"TMPDIR/{p.name}" for p in self.temporary.iterdir()]

    def judge(
        self,
        outcome: Outcome,
        output: Path,
        codes: set[int],
        old: object = None,
        detail: str = "",
        may_leave: bool = False,
        faults: Callable[[Path], list[str]] | None = None,
    ) -> None:
        """`codes`: the right ones; with 0 the whole output must be there, else what was there before.

        `faults`: what keeps an output from being whole, where that is not what the command has for it.
        """
        faults = faults or self.command.faults
        found = [] if outcome.code in codes else ["the exit code"]
        if outcome.code == 0:
            found += faults(output)[:3] if output.exists() else ["nothing there"]
        elif self.command.looks(output) != (old if old is not None else {}):
            # A signal may come when all is done.
            is_late = outcome.code < 0 or outcome.code == 130
            if not is_late or not output.exists() or faults(output):
                found.append(f"what was there has changed: {str(self.command.looks(output))[:300]}")
        if outcome.code > 0:
            lines = outcome.said.splitlines()
            found += [f"{len(lines)} lines said"] if len(lines) > 1 or (not lines and not outcome.events) else []
            names = [event.get("event") for event in outcome.events]
            is_told = "interrupted" in outcome.said or "cancelled" in outcome.said or "cancelled" in names
            if outcome.code == 130 and not is_told:
                found.append("not said that it was interrupted")
            if outcome.code == 130 and names and names[-1] != "cancelled":
                found.append(f"the last event is {names[-1]}")
        if (left := self.beside(output)) and not may_leave:
            found.append(f"left {left[:3]}")
        assert not found, f"{self.command.name} {detail} {outcome}; {'; '.join(found)}"

    # --- disturbing

    def disturbed_by(self, number: signal.Signals, with_old: bool) -> None:
        """One run that gets a signal at a random moment."""
        old = self.prepare(self.output, with_old=with_old)
        moment = random.uniform(0, self.command.seconds * 1.05)
        process = self.start(self.output, *(["--force"] if with_old and self.command.older else []))
        time.sleep(moment)
        sent = time.monotonic()
        process.send_signal(number)
        outcome = self.finish(process, sent)
        killed = number == signal.SIGKILL
        detail = f"after {moment:.3f} of {self.command.seconds:.3f} s"
        self.judge(outcome, self.output, ENDED_BY[number], old, detail, may_leave=killed)
        # Killed between the two calls by which a new file takes an old one's name, it leaves the new one's second name.
        for left in self.out.glob(".avtool-*.tmp") if killed and with_old else []:
            if left.is_file():
                assert not self.command.faults(left), f"{self.command.name} {detail}: half of the output is left"
                left.unlink()
        if killed and not self.command.changes_in_place and self.beside(self.output):
            self.judge(self.once(self.output, "--force"), self.output, {0}, detail="again after SIGKILL:")
        self.clear()

    @contextmanager
    def small_disk(self, size: int) -> Iterator[Path]:
        """A file system of so many bytes."""
        mount = self.folder / "small"
        mount.mkdir(exist_ok=True)
        if run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", mount]).returncode:
            pytest.skip("file systems cannot be mounted here")
        try:
            yield mount
        finally:
            run(["umount", mount])
