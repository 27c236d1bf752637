#!/usr/bin/env python3
"""The command: see scripts/compare."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from shlex import quote
from typing import NoReturn

from compare import counts
from compare.corpus import corpus_jobs
from compare.counts import Counts
from compare.differences import code_text, differences
from compare.inputs import ROOT, corpus_folder, remove_images
from compare.job import Job, all_jobs
from compare.randomness import RULES, Rule
from compare.runs import Build, Outcome, Slot, remove

# Differences of a job that are printed.
SHOWN = 12


@dataclass
class Result:
    """How the two runs of a job compare."""

    job: Job
    found: list[str]
    old: Outcome
    new: Outcome
    counted: tuple[Counts, Counts] | None = None


@dataclass
class Row:
    """The sums of a command."""

    jobs: int = 0
    differing: int = 0
    processor: list[float] = field(default_factory=lambda: [0.0, 0.0])
    counted: list[Counts] = field(default_factory=lambda: [Counts(), Counts()])
    is_counted: bool = False


class Comparison:
    """Two builds, and what their runs of jobs have shown so far."""

    def __init__(self, old: Path, new: Path, work: Path, kept: Path, is_counting: bool) -> None:
        self.builds = Build(old, work / "old"), Build(new, work / "new")
        self.work, self.kept = work, kept
        self.is_counting = is_counting and counts.is_possible()
        self.used: set[Rule] = set()
        self.lock = threading.Lock()
        self.finished = 0
        self.is_ended = False

    def run(self, jobs: list[Job], workers: int, report: Callable[[Result, int], None]) -> list[Result]:
        """Compares all jobs, in as many threads as there are slots."""
        slots: SimpleQueue[Slot] = SimpleQueue()
        all_slots = [Slot(self.work / f"slot-{number}", number) for number in range(workers)]
        for slot in all_slots:
            slots.put(slot)

        def one(job: Job) -> Result:
            slot = slots.get()
            try:
                result = self.compare(job, slot)
            finally:
                slots.put(slot)
            with self.lock:
                self.finished += 1
                report(result, self.finished)
            return result

        with ThreadPoolExecutor(workers) as pool:
            try:
                return list(pool.map(one, jobs))
            except BaseException:
                # No job begins any more, and those that run end now.
                self.is_ended = True
                pool.shutdown(wait=False, cancel_futures=True)
                for slot in all_slots:
                    slot.end()
                raise

    def compare(self, job: Job, slot: Slot) -> Result:
        old, new = (self.run_once(job, slot, build, name) for build, name in zip(self.builds, ("old", "new")))
        used: set[Rule] = set()
        result = Result(job, differences(old, new, job.command, used), old, new)
        with self.lock:
            self.used |= used
        if result.found:
            self.keep(result, slot)
        if job.is_counted and self.is_counting:
            result.counted = self.count(job, slot, self.builds[0]), self.count(job, slot, self.builds[1])
        # Outputs of thousands of runs are not kept in memory.
        for outcome in (old, new):
            outcome.output = outcome.errors = b""
        return result

    def run_once(self, job: Job, slot: Slot, build: Build, kept: str) -> Outcome:
        outcome = slot.run(job, build, kept)
        if self.is_ended:
            raise CancelledError
        return outcome

    def count(self, job: Job, slot: Slot, build: Build) -> Counts:
        log = slot.folder / "calls"
        slot.run(job, build, "counted", counts.tracer(log))
        return counts.read(log, slot.run_folder / "work", [name for _, name in job.inputs])

    def keep(self, result: Result, slot: Slot) -> None:
        """Copies both results to the folder of what differs."""
        with self.lock:
            number = len(list(self.kept.glob("[0-9]*"))) + 1 if self.kept.is_dir() else 1
            to = self.kept / f"{number:04}-{result.job.slug}"
            to.mkdir(parents=True)
        for name, outcome in (("old", result.old), ("new", result.new)):
            shutil.copytree(outcome.folder, to / name, symlinks=True, copy_function=copy_whatever)
            (to / f"{name}.output").write_bytes(outcome.output)
            (to / f"{name}.errors").write_bytes(outcome.errors)
        (to / "differences").write_text(
            f"{result.job.line}\n\n{pasted(result.job, slot, self.builds[1])}\n\n" + "\n".join(result.found) + "\n",
            errors="backslashreplace",
        )
        result.found.append(f"run again: {pasted(result.job, slot, self.builds[1])}")
        result.found.append(f"kept in {to}")


def copy_whatever(source: str, to: str) -> str:
    """Copies a file; of a pipe, a device, and what cannot be read only its name."""
    if Path(source).is_file() and os.access(source, os.R_OK):
        return str(shutil.copy2(source, to))
    Path(to).touch()
    return to


def pasted(job: Job, slot: Slot, build: Build) -> str:
    """A line for a shell that runs a job in a folder of its own."""
    files = " ".join(quote(str(path)) for path, _ in job.inputs)
    copy = f'cp {files} "$d"/work && touch -d @1600000000 "$d"/work/* && ' if files else ""
    words = {name: value for name, value in slot.environment.items() if name not in ("PATH", "HOME", "TMPDIR", "PWD")}
    told = " ".join(f"{name}={quote(value)}" for name, value in words.items())
    path = f"PATH={quote(str(build.binary.parent))}:$PATH"
    return (
        f'd=$(mktemp -d) && mkdir "$d"/work "$d"/home "$d"/tmp && {copy}cd "$d"/work && '
        f'HOME="$d"/home TMPDIR="$d"/tmp {told} {path} bash -c {quote(job.line)}'
    )


# --- choosing


def chosen(jobs: Iterable[Job], only: list[str], match: str | None) -> list[Job]:
    """The jobs of some commands (`metadata` stands for all below it), whose line a pattern finds."""
    found = list(jobs)
    if only:
        found = [
            job for job in found if any(job.command == word or job.command.startswith(f"{word} ") for word in only)
        ]
    return [job for job in found if match is None or re.search(match, job.line)]


# --- telling


def table(results: list[Result], is_counted: bool) -> list[str]:
    """A row for each command."""
    rows: dict[str, Row] = {}
    for result in results:
        row = rows.setdefault(result.job.command, Row())
        row.jobs += 1
        row.differing += bool(result.found)
        row.processor[0] += result.old.processor
        row.processor[1] += result.new.processor
        if result.counted:
            row.is_counted = True
            row.counted = [row.counted[0] + result.counted[0], row.counted[1] + result.counted[1]]
    total = Row()
    for row in rows.values():
        total.jobs += row.jobs
        total.differing += row.differing
        total.processor = [a + b for a, b in zip(total.processor, row.processor)]
        total.counted = [a + b for a, b in zip(total.counted, row.counted)]
        total.is_counted = total.is_counted or row.is_counted
    head = ["command", "jobs", "differ", "CPU s old", "new", "ratio"]
    if is_counted:
        head += ["input opened old", "new", "files opened old", "new", "messages old", "new"]
    cells = [head]
    for name, row in [*rows.items(), ("all", total)]:
        old, new = row.processor
        line = [name, str(row.jobs), str(row.differing or "-"), f"{old:.1f}", f"{new:.1f}"]
        line.append(f"{new / old:.2f}" if old else "-")
        if is_counted:
            first, second = row.counted
            numbers = [first.inputs, second.inputs, first.files, second.files, first.messages, second.messages]
            line += [str(number) if row.is_counted else "" for number in numbers]
        cells.append(line)
    widths = [max(len(line[i]) for line in cells) for i in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))
        )
        for line in cells
    ]


def say(text: str) -> None:
    """Prints text that may hold names that are no UTF-8."""
    print(text.encode(errors="backslashreplace").decode(), flush=True)


class Report:
    """What is printed while jobs run."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.began = self.told = time.monotonic()

    def __call__(self, result: Result, finished: int) -> None:
        if result.found:
            say(f"\n{result.job.line}")
            # The last two lines tell how to run it again, and where the rest is.
            found, rest = result.found[:-2], result.found[-2:]
            more = [f"… and {len(found) - SHOWN} more differences"] if len(found) > SHOWN else []
            for line in [*found[:SHOWN], *more, *rest]:
                say(f"  {line}")
        now = time.monotonic()
        if now - self.told > (2 if sys.stderr.isatty() else 30):
            self.told = now
            print(f"{finished} of {self.total} jobs, {now - self.began:.0f} s", file=sys.stderr, flush=True)


class Parser(argparse.ArgumentParser):
    """A parser that ends with the exit code of a usage error."""

    def error(self, message: str) -> NoReturn:
        refuse(message)


def interrupt(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def main() -> int:
    signal.signal(signal.SIGTERM, interrupt)
    parser = Parser(prog="scripts/compare", add_help=False, allow_abbrev=False)
    parser.add_argument("builds", nargs="*", type=Path)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--match")
    parser.add_argument("--corpus", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--counts", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--library", action="store_true")
    parser.add_argument("--only-symbols", action="store_true")
    arguments = parser.parse_args()
    try:
        return perform(arguments)
    finally:
        remove_images()


def refuse(message: str) -> NoReturn:
    print(f"compare: {message}; see scripts/compare --help", file=sys.stderr)
    sys.exit(64)


def perform(arguments: argparse.Namespace) -> int:
    if arguments.random:
        for rule in RULES:
            say(f"{rule.commands}, in {rule.where}: {rule.reason}\n    {rule.pattern}")
        return 0
    jobs = chosen([*all_jobs(), *(corpus_jobs() if arguments.corpus else ())], arguments.only, arguments.match)
    if arguments.list:
        for job in jobs:
            say(f"{job.command}\t{job.line}")
        return 0
    if arguments.self_test:
        from compare.self_test import self_test

        return self_test(arguments.builds[0] if arguments.builds else ROOT / ".build/avtool/avtool")
    if arguments.coverage:
        from compare.coverage import coverage

        if len(arguments.builds) != 1:
            refuse("--coverage takes one build")
        return coverage(arguments.builds[0], jobs)
    if len(arguments.builds) != 2:
        refuse("two builds are needed: OLD NEW")
    old, new = (path.absolute() for path in arguments.builds)
    if arguments.library:
        from compare.library import compare_trees

        return compare_trees(old, new, arguments.keep, arguments.only_symbols)
    for path in (old, new):
        if not os.access(path, os.X_OK) or not path.is_file():
            refuse(f"{path} is no program")
    if not jobs:
        refuse("no job is chosen")
    return compare_builds(old, new, jobs, arguments)


def compare_builds(old: Path, new: Path, jobs: list[Job], arguments: argparse.Namespace) -> int:
    kept = arguments.keep or Path(tempfile.gettempdir()) / f"avtool-compare-{os.getpid()}-differing"
    if kept.exists() and any(kept.iterdir()):
        refuse(f"{kept} is not empty")
    if arguments.corpus and corpus_folder() is None:
        print("There is no corpus: AVTOOL_CORPUS names none, and ../shared/corpus is none.", file=sys.stderr)
    work = Path(tempfile.mkdtemp(prefix="avtool-compare-")).resolve()
    try:
        comparison = Comparison(old, new, work, kept, arguments.counts)
        if arguments.counts and not comparison.is_counting:
            print("There is no strace: opened files and messages are not counted.", file=sys.stderr)
        began = time.monotonic()
        results = comparison.run(jobs, max(1, arguments.jobs), Report(len(jobs)))
    finally:
        remove(work)
    say("")
    for line in table(results, comparison.is_counting):
        say(line)
    unused = [rule for rule in RULES if rule not in comparison.used]
    for rule in unused if not arguments.only and not arguments.match else []:
        say(f"no result had this that is random by nature: {rule.reason}")
    codes = sorted(Counter(result.old.code for result in results).items())
    say(f"\nexit codes of {old}: {', '.join(f'{code_text(code)} of {count} jobs' for code, count in codes)}")
    differing = sum(1 for result in results if result.found)
    say(f"{len(results)} jobs, {differing} differ, {time.monotonic() - began:.0f} s")
    return 1 if differing else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except subprocess.CalledProcessError as error:
        sys.exit(f"compare: {error}")
