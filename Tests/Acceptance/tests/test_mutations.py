"""Damaged films: each is read or refused, nothing is left behind, and whoever else is in the same command goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import corpus_folder
from acceptance.mutation_batches import Batch
from acceptance.mutations import films_below, lots, mutated
from acceptance.running import AVTOOL, ROOT, run

# Small ones of all kinds.
LARGEST = 60_000


def tallied(films: list[Path], seeds: range, scratch: Path, wants_json: bool) -> list[str]:
    """What is wrong with how all commands went."""
    faults: list[str] = []
    for _, pairs in lots(films, seeds, 40):
        made = {f"f{seed}{film.suffix}": (film.name, mutated(film.read_bytes(), seed)) for film, seed in pairs}
        for command, tally in Batch(AVTOOL, made, scratch, wants_json).run().items():
            faults += [f"{command}: {fault}" for fault in tally.faults]
    return faults


@pytest.mark.parametrize("wants_json", [False, True])
def test_damaged_films(wants_json: bool, tmp_path: Path) -> None:
    films = films_below([ROOT / "Fixtures"], LARGEST)
    assert len(films) > 40
    assert tallied(films, range(40), tmp_path, wants_json) == []


@pytest.mark.slow
def test_many_damaged_films(tmp_path: Path) -> None:
    assert tallied(films_below([ROOT / "Fixtures"], LARGEST), range(1000, 1400), tmp_path, True) == []


# Films and seeds that went wrong, and how.
@pytest.mark.corpus
@pytest.mark.parametrize(
    ("film", "seed", "why"),
    [
        ("other-containers/sample.3gp", 100167, "ended with 70: a muxer's -1 was taken for a fault of ours"),
        ("alpha/transparent.webm", 101180, "ended with 70: a muxer's -1 was taken for a fault of ours"),
        ("fragmented/sample_fragmented.mp4", 113704, "100 kB became 194 MB, room for the tables of 39 hours"),
    ],
)
def test_seeds_that_went_wrong(film: str, seed: int, why: str, tmp_path: Path) -> None:
    folder = corpus_folder()
    if not folder or not (folder / film).exists():
        pytest.skip(f"there is no {film}")
    original = folder / film
    damaged = tmp_path / f"damaged{original.suffix}"
    damaged.write_bytes(mutated(original.read_bytes(), seed))
    made = tmp_path / f"made{original.suffix if original.suffix != '.3gp' else '.mp4'}"
    done = run([AVTOOL, "export", "--preset", "passthrough", "-o", made, damaged])
    assert done.returncode in {0, 65}, why
    assert not made.exists() or made.stat().st_size < 4 * damaged.stat().st_size + (2 << 20), why
