"""Films that strangers damaged, many of them given to one command, and what has to hold of each."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# What a run may end with: docs/failures.md and the help of avtool. 70 is a fault of ours.
EXIT_CODES = {0, 1, 64, 65, 66, 73, 74, 75}
# Names of failures that lead to 70.
OUR_FAULTS = {"internalError", "unknown", "exportFailed", "encodeFailed", "encodingFailed"}
# Seconds that the slowest of these commands may take for a film of a few seconds, and for many of them.
DEADLINE, DEADLINE_OF_MANY = 60.0, 300.0
# Of each film there may be so many lines of complaint; of each still that is asked for one more.
LINES = int(os.environ.get("LINES_OF_A_FILM", "3"))
STILLS = 3

# Each command, with OUT for a folder that is there for results; the films come after it.
COMMANDS: dict[str, list[str]] = {
    "info": ["info"],
    "thumbs": ["thumbs", "--at", "0,1/2,end", "--size", "160x0", "-o", "OUT/"],
    "sheet": ["sheet", "--count", "4", "--width", "320", "-o", "OUT/"],
    "storyboard": ["storyboard", "--every", "1s", "--tile", "64x0", "-o", "OUT/"],
    "metadata show": ["metadata", "show"],
    "metadata set": ["metadata", "set", "title=x"],
    "chapters show": ["chapters", "show"],
    "export passthrough": ["export", "--preset", "passthrough", "-o", "OUT/"],
    "export low": ["export", "--preset", "low", "--range", "0..1s", "-o", "OUT/"],
    "verify": ["verify", "--samples", "3"],
}
# What changes the films themselves; they are copies then.
IN_PLACE = {"metadata set"}

# A film's name at the beginning of what is said of it.
NAME = re.compile(r"f\d+(?:\.\w+)?")
# What is said at the end of several films.
TALLY = re.compile(r"avtool: \d+ files: \d+ done.*")
# What nothing that is said may have in it, line breaks and tabs aside.
STEERING = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae\x8e\x8f]")


@dataclass
class Tally:
    """What came of one command over many films."""

    cases: int = 0
    # By the name of the failure, or "read".
    names: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    partial: int = 0
    megabytes: float = 0.0
    # Of one film, or of many on average.
    slowest: float = 0.0
    crashes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.cases += other.cases
        self.names += other.names
        self.lost += other.lost
        self.partial += other.partial
        self.megabytes = max(self.megabytes, other.megabytes)
        self.slowest = max(self.slowest, other.slowest)
        self.crashes += other.crashes
        self.faults += other.faults

    def row(self) -> str:
        """The cells of a table."""
        crashed = self.names["decoderCrashed"]
        limits = sum(self.names[name] for name in ("limitReached", "limit", "deadlineReached", "outOfMemory"))
        refused = self.cases - self.names["read"] - crashed - limits
        cells = [self.cases, self.names["read"], refused, crashed, limits, self.lost, self.partial]
        return " | ".join([*map(str, cells), f"{self.megabytes:.0f}", f"{self.slowest:.1f}"])


@dataclass
class Said:
    """How a command ended, and what it said."""

    code: int | None
    output: bytes
    errors: bytes
    seconds: float
    megabytes: float


def run(command: list[str], folder: Path, temporary: Path, deadline: float) -> Said:
    """Runs a command; without a code it took too long, and was ended with all that it started."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            env={**os.environ, "TMPDIR": str(temporary)},
        )  # fmt: skip
        status, used, wait = 0, None, 0.005
        while used is None:
            found, status, resources = os.wait4(process.pid, os.WNOHANG)
            if found:
                used = resources
            elif time.monotonic() - start > deadline:
                # Its worker and the copies of that go when it does.
                os.kill(process.pid, signal.SIGKILL)
                used = os.wait4(process.pid, 0)[2]
                status = -1
            else:
                time.sleep(wait)
                wait = min(0.05, wait * 1.5)
        process.returncode = 0
        seconds = time.monotonic() - start
        for file in (out, err):
            file.seek(0)
        code = None if status == -1 else os.waitstatus_to_exitcode(status)
        return Said(code, out.read(), err.read(), seconds, used.ru_maxrss / 1024)


class Batch:
    """Some films, and the commands that are run on all of them at once."""

    def __init__(self, avtool: str, films: dict[str, tuple[str, bytes]], scratch: Path, wants_json: bool) -> None:
        """Of each film's name: that of the film it was made of, and its bytes."""
        self.avtool, self.films, self.scratch, self.wants_json = avtool, films, scratch, wants_json

    def run(self) -> dict[str, Tally]:
        """Runs all commands."""
        tallies: dict[str, Tally] = {}
        for command in COMMANDS:
            together = self.tally(command, list(self.films), DEADLINE_OF_MANY)
            if together.faults or together.crashes:
                alone = Tally()
                for name in self.films:
                    alone.add(self.tally(command, [name], DEADLINE))
                if not alone.faults and not (together.crashes and not together.faults):
                    # It takes the others for that, but it went wrong.
                    alone.faults = [f"only together with others: {fault}" for fault in together.faults]
                together = alone
            tallies[command] = together
        return tallies

    def tally(self, command: str, names: list[str], deadline: float) -> Tally:
        """Runs a command on some films in folders of its own, and looks at all that is there afterwards."""
        folder = Path(tempfile.mkdtemp(dir=self.scratch))
        try:
            source, out, temporary = folder / "in", folder / "out", folder / "tmp"
            for path in (source, out, temporary):
                path.mkdir()
            for name in names:
                (source / name).write_bytes(self.films[name][1])
            words = [word.replace("OUT", str(out)) for word in COMMANDS[command]]
            json_option = ["--json"] if self.wants_json else []
            said = run([self.avtool, *words, *json_option, *names], source, temporary, deadline)
            return Judgement(self, command, names, said).tally(source, out, temporary)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class Judgement:
    """What is wrong with how a command went over some films."""

    def __init__(self, batch: Batch, command: str, names: list[str], said: Said) -> None:
        self.batch, self.command, self.names, self.said = batch, command, names, said
        self.result = Tally(cases=len(names), megabytes=said.megabytes, slowest=said.seconds / len(names))

    def blame(self, fault: str, name: str | None = None) -> None:
        """Notes a fault, of one film or of all."""
        names = [name] if name else self.names
        whom = ", ".join(f"{self.batch.films[n][0]} as {n}" for n in names[:1]) + (" …" if len(names) > 1 else "")
        self.result.faults.append(f"{whom}: {fault}")

    def tally(self, source: Path, out: Path, temporary: Path) -> Tally:
        """Everything that can be said of the run."""
        if self.said.code is None:
            self.blame(f"takes longer than {self.said.seconds:.0f} s")
            return self.result
        if self.said.code not in EXIT_CODES:
            last = self.said.errors.decode("utf-8", "replace").splitlines()[-1:]
            self.blame(f"ends with {self.said.code}: {last}")
        if found := STEERING.search(self.said.output + self.said.errors):
            self.blame(f"says {found[0]!r}")
        self.look_at_lines()
        failed = self.look_at_documents() if self.batch.wants_json else self.look_at_text()
        self.look_at_files(source, out, temporary, failed)
        return self.result

    def look_at_lines(self) -> None:
        """Few lines are said of each film."""
        lines: Counter[str] = Counter()
        for line in self.said.errors.decode("utf-8", "replace").splitlines():
            if named := NAME.search(line):
                lines[named[0]] += 1
            elif not TALLY.fullmatch(line):
                self.blame(f"says something of no film: {line[:200]}")
        most = LINES + (STILLS if self.command == "thumbs" else 0)
        for name, count in lines.items():
            if count > most and name in self.names:
                self.blame(f"says {count} lines", name)

    def look_at_documents(self) -> set[str]:
        """There is JSON of each film, and it says what a failure was; the films that failed."""
        failures: dict[str, str] = {}
        told: set[str] = set()
        for line in self.said.output.splitlines():
            try:
                document: Any = json.loads(line)
            except ValueError:
                self.blame(f"prints what is no JSON: {line[:100]!r}")
                continue
            name = Path(str(document.get("source", ""))).name
            told.add(name)
            if "error" in document:
                failures.setdefault(name, str(document["error"]["code"]))
        for name in self.names:
            if name not in told:
                self.result.lost += 1
                self.blame("says nothing of it", name)
            self.count(name, failures.get(name, "read"))
        return set(failures)

    def look_at_text(self) -> set[str]:
        """Of text only the films are told that something is wrong with, and crashes."""
        failed: set[str] = set()
        for line in self.said.errors.decode("utf-8", "replace").splitlines():
            if (named := NAME.search(line)) and named[0] in self.names:
                failed.add(named[0])
                if "makes a media library crash" in line:
                    self.count(named[0], "decoderCrashed")
        for name in self.names:
            self.result.names["complained of" if name in failed else "read"] += 1
        return failed

    def count(self, name: str, outcome: str) -> None:
        self.result.names[outcome] += 1
        if outcome == "decoderCrashed":
            self.result.crashes.append(f"{self.batch.films[name][0]} as {name}: a library crashed")
        elif outcome in OUR_FAULTS:
            self.blame(f"fails with {outcome}", name)

    def look_at_files(self, source: Path, out: Path, temporary: Path, failed: set[str]) -> None:
        """Films are as they were, and nothing lies about that is not whole."""
        self.look_at_sources(source, failed)
        for path in temporary.rglob("*"):
            self.blame(f"leaves {path.name} in TMPDIR")
        for path in out.rglob("*"):
            if path.name.startswith(".avtool-"):
                self.blame(f"leaves {path.name}")
            elif path.is_file() and not is_whole(path):
                self.result.partial += 1
                self.blame(f"leaves half of {path.name}")
        if self.command.startswith("export") and self.batch.wants_json:
            for name in failed & set(self.names):
                if found := list(out.glob(f"{Path(name).stem}-*")):
                    self.result.partial += 1
                    self.blame(f"fails and leaves {found[0].name}", name)

    def look_at_sources(self, source: Path, failed: set[str]) -> None:
        is_changed_in_place = self.command in IN_PLACE
        if sorted(path.name for path in source.iterdir()) != sorted(self.names):
            self.blame("leaves files beside its sources, or takes some away")
            return
        for name in self.names:
            data = (source / name).read_bytes()
            # Of text it is not known which complaints are failures.
            may_change = is_changed_in_place and (name not in failed or not self.batch.wants_json)
            if data == self.batch.films[name][1] or (may_change and data):
                continue
            self.result.lost += 1
            self.blame("changes its source", name)


def is_whole(path: Path) -> bool:
    """Whether a result has its end, as far as its kind shows that."""
    data = path.read_bytes()
    match path.suffix:
        case ".png":
            return data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB\x60\x82")
        case ".jpg":
            return data.startswith(b"\xff\xd8\xff") and data.endswith(b"\xff\xd9")
        case ".json":
            try:
                json.loads(data)
            except ValueError:
                return False
            return True
        case ".mp4" | ".mov" | ".m4a" | ".m4v":
            return b"moov" in data
        case _:
            return bool(data)
