"""Films with some of their bytes changed, and what avtool makes of them.

Run as a program it works through as many as are asked for, several commands each, and prints a
table: `python -m acceptance.mutations --files 20000 FOLDER…`, from Tests/Acceptance. Films are given
to a command many at a time; where anything is odd about that, each of them once more by itself.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from acceptance.mutation_batches import COMMANDS, Batch, Tally

# The most that is changed of films that are longer.
MAXIMUM_BYTES = 3 << 20
# No films.
OTHERS = {"", ".md", ".py", ".tsv", ".json", ".txt", ".sha256"}


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


def films_below(folders: list[Path], largest: int) -> list[Path]:
    """The films of some folders that have so many bytes at most."""
    return sorted(
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in OTHERS and path.stat().st_size <= largest
    )


def lots(films: list[Path], seeds: range, size: int) -> list[tuple[int, list[tuple[Path, int]]]]:
    """Films with their seeds, as many together as are given to one command, and a number for each lot."""
    pairs = [(films[seed % len(films)], seed) for seed in seeds]
    return [(at // size, pairs[at : at + size]) for at in range(0, len(pairs), size)]


def campaign(
    avtool: str, films: list[Path], seeds: range, size: int, jobs: int, scratch: Path, until: float
) -> tuple[dict[str, Tally], int]:
    """Runs all commands on many mutations, some lots side by side.

    What has not begun at a time is left out; how many films were worked on comes along.
    """
    tallies = {command: Tally() for command in COMMANDS}
    done = 0

    def work(lot: tuple[int, list[tuple[Path, int]]]) -> tuple[int, dict[str, Tally]]:
        number, pairs = lot
        if time.monotonic() > until:
            return 0, {}
        films = {
            f"f{seed}{original.suffix}": (original.name, mutated(original.read_bytes()[:MAXIMUM_BYTES], seed))
            for original, seed in pairs
        }
        # People read text, programs read JSON: neither lets anything of a file through.
        return len(films), Batch(avtool, films, scratch, wants_json=number % 4 != 3).run()

    with ThreadPoolExecutor(jobs) as pool:
        for count, results in pool.map(work, lots(films, seeds, size)):
            done += count
            for command, tally in results.items():
                tallies[command].add(tally)
    return tallies, done


def tell(tallies: dict[str, Tally], done: int) -> None:
    """Prints what came of the films."""
    print(f"{done} films\n")
    print("| command | cases | read | refused | crashed in a library | limits | lost | partial | MB | s |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for command, tally in tallies.items():
        print(f"| {command} | {tally.row()} |")
    for command, tally in tallies.items():
        print(f"\n{command}: {', '.join(f'{name} {count}' for name, count in tally.names.most_common())}")
    for command, tally in tallies.items():
        for line in [*tally.crashes[:50], *tally.faults[:50]]:
            print(f"{command}: {line}")


def main() -> int:
    """Works through films below some folders, and prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="where the films are")
    parser.add_argument("--files", type=int, default=200, help="how many mutated films")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--batch", type=int, default=40, help="how many films one command is given")
    parser.add_argument("--jobs", type=int, default=2, help="how many commands side by side")
    parser.add_argument("--largest", type=int, default=MAXIMUM_BYTES, help="bytes that a film may have")
    parser.add_argument("--seconds", type=float, default=86400, help="how long new films are begun with")
    options = parser.parse_args()
    films = films_below(options.folders, options.largest)
    avtool = os.environ.get("AVTOOL", "avtool")
    seeds = range(options.seed, options.seed + options.files)
    with tempfile.TemporaryDirectory() as scratch:
        tallies, done = campaign(
            avtool, films, seeds, options.batch, options.jobs, Path(scratch), time.monotonic() + options.seconds
        )
    tell(tallies, done)
    return 1 if any(tally.faults for tally in tallies.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
