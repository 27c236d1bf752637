"""Films with some of their bytes changed, and what avtool makes of them.

Run as a program it works through as many as are asked for, several commands each, and prints a
table: `python -m acceptance.mutations --files 20000 FOLDER…`, from Tests/Acceptance.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

# What a run may end with: docs/failures.md and the help of avtool.
EXIT_CODES = {0, 1, 64, 65, 66, 70, 73, 74, 75}
# Seconds that the slowest of these commands may take for a film of a few seconds.
DEADLINE = 60.0
# The most that is changed of films that are longer.
MAXIMUM_BYTES = 3 << 20

# Each command, with FILM for the film and OUT for a folder that is there for results.
COMMANDS: dict[str, list[str]] = {
    "info": ["info", "--json", "FILM"],
    "thumbs": ["thumbs", "--at", "0,1/2,end", "--size", "160x0", "-o", "OUT/", "FILM"],
    "sheet": ["sheet", "--count", "4", "--width", "320", "-o", "OUT/", "FILM"],
    "storyboard": ["storyboard", "--every", "1s", "--tile", "64x0", "-o", "OUT/", "FILM"],
    "metadata show": ["metadata", "show", "FILM"],
    "metadata set": ["metadata", "set", "title=x", "-o", "OUT/", "FILM"],
    "chapters show": ["chapters", "show", "FILM"],
    "export passthrough": ["export", "--preset", "passthrough", "-o", "OUT/", "FILM"],
    "export low": ["export", "--preset", "low", "--range", "0..1s", "-o", "OUT/", "FILM"],
    "verify": ["verify", "--samples", "3", "FILM"],
}


def mutated(original: bytes, seed: int) -> bytes:
    """The bytes with some changed, moved, left out, doubled or cut off, as the seed says."""
    chance = random.Random(seed)
    data = bytearray(original)
    if not data:
        return bytes(data)
    for _ in range(chance.choice([1, 2, 4, 16, 64])):
        # Headers lie at both ends, and decide more than what is between them.
        span = chance.choice([min(len(data), 512), min(len(data), 4096), len(data)])
        at = chance.randrange(span) if chance.random() < 0.7 else len(data) - 1 - chance.randrange(span)
        kind = chance.randrange(7)
        if kind <= 1:
            data[at] = chance.randrange(256)
        elif kind == 2:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 3:
            data[at : at + 4] = chance.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\1"])
        elif kind == 4:
            length = chance.randrange(1, 64)
            data[at : at + length] = data[at : at + length] * 2
        elif kind == 5:
            del data[at : at + chance.randrange(1, 64)]
        else:
            other = chance.randrange(len(data))
            data[at : at + 16] = data[other : other + 16]
        if not data:
            break
    if chance.random() < 0.15:
        del data[chance.randrange(len(data) + 1) :]
    return bytes(data)


@dataclass
class Tally:
    """What came of one command over many films."""

    codes: Counter[int] = field(default_factory=Counter)
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)


def run_one(avtool: str, command: str, film: Path, out: Path) -> tuple[int, float, list[str]]:
    """Runs a command on a film: its exit code, the seconds it took, and what is wrong with how it went."""
    arguments = [str(film) if a == "FILM" else a.replace("OUT", str(out)) for a in COMMANDS[command]]
    before = film.read_bytes()
    outside = sorted(path.name for path in film.parent.iterdir())
    start = time.monotonic()
    try:
        done = subprocess.run([avtool, *arguments], cwd=film.parent, capture_output=True, timeout=DEADLINE, check=False)
    except subprocess.TimeoutExpired:
        return 0, DEADLINE, ["takes longer than its deadline"]
    seconds = time.monotonic() - start
    faults = []
    if done.returncode not in EXIT_CODES:
        faults.append(f"ends with {done.returncode}")
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    # Of each still that is asked for there may be one line, and one of the film.
    if len(lines) > 3 + (3 if command == "thumbs" else 0):
        faults.append(f"says {len(lines)} lines")
    if b"\x1b" in done.stdout + done.stderr:
        faults.append("lets an escape through")
    if done.returncode == 70:
        faults.append(f"ends with 70: {lines[0] if lines else ''}")
    if film.read_bytes() != before:
        faults.append("changes its source")
    if sorted(path.name for path in film.parent.iterdir()) != outside:
        faults.append("leaves files beside its source")
    left = [path.name for path in out.iterdir() if path.name.startswith(".avtool-")]
    if left:
        faults.append(f"leaves {left[0]}")
    return done.returncode, seconds, faults


def work_on(avtool: str, original: Path, seed: int, scratch: Path) -> list[tuple[str, int, float, list[str]]]:
    """Runs all commands on one mutation of a film."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    try:
        film = folder / "in" / f"film{original.suffix}"
        film.parent.mkdir()
        film.write_bytes(mutated(original.read_bytes()[:MAXIMUM_BYTES], seed))
        results = []
        for command in COMMANDS:
            out = folder / command.replace(" ", "-")
            out.mkdir()
            code, seconds, faults = run_one(avtool, command, film, out)
            results.append((command, code, seconds, [f"{original.name} seed {seed}: {fault}" for fault in faults]))
        return results
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def campaign(avtool: str, films: list[Path], count: int, first_seed: int, jobs: int, scratch: Path) -> dict[str, Tally]:
    """Runs all commands on many mutations, some side by side."""
    tallies = {command: Tally() for command in COMMANDS}
    with ThreadPoolExecutor(jobs) as pool:
        for results in pool.map(
            lambda seed: work_on(avtool, films[seed % len(films)], seed, scratch),
            range(first_seed, first_seed + count),
        ):
            for command, code, seconds, faults in results:
                tally = tallies[command]
                tally.codes[code] += 1
                tally.slowest = max(tally.slowest, seconds)
                tally.faults += faults
    return tallies


def main() -> int:
    """Works through films below some folders, and prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="where the films are")
    parser.add_argument("--files", type=int, default=200, help="how many mutated films")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2, help="how many films side by side")
    options = parser.parse_args()
    films = sorted(
        path
        for folder in options.folders
        for path in folder.rglob("*")
        if path.is_file()
        and path.suffix
        not in {
            "",
            ".md",
            ".py",
            ".tsv",
            ".json",
            ".txt",
            ".sha256",
        }
    )
    avtool = os.environ.get("AVTOOL", "avtool")
    with tempfile.TemporaryDirectory() as scratch:
        tallies = campaign(avtool, films, options.files, options.seed, options.jobs, Path(scratch))
    print("| command | cases | exit codes | longest | faults |\n|---|---|---|---|---|")
    for command, tally in tallies.items():
        codes = ", ".join(f"{code}: {count}" for code, count in sorted(tally.codes.items()))
        print(f"| {command} | {tally.codes.total()} | {codes} | {tally.slowest:.1f} s | {len(tally.faults)} |")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"\nThe largest process that was waited for: {peak} MB.")
    for tally in tallies.values():
        for fault in tally.faults[:20]:
            print(fault)
    return 1 if any(tally.faults for tally in tallies.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
