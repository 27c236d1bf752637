"""A film that holds who reads it: runs of avtool that are in the middle of their work for as long as a test wants."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from acceptance.processes import bytes_in

# So much comes at first.
BEGINNING = 1000


@dataclass
class HeldFilm:
    """A small film in a named pipe, whose beginning comes at once, and the rest when it is let go."""

    data: bytes
    pipe: int

    @property
    def is_read(self) -> bool:
        """Whether somebody has taken what there is so far, and waits for the rest."""
        return bytes_in(self.pipe) == 0

    def let_go(self) -> None:
        """Gives the rest, and the end."""
        # No more than a pipe has room for, so that nobody needs to read.
        assert os.write(self.pipe, self.data[BEGINNING:]) == len(self.data) - BEGINNING
        self.close()

    def close(self) -> None:
        if self.pipe >= 0:
            os.close(self.pipe)
            self.pipe = -1


@contextmanager
def held_film(path: Path, source: Path) -> Iterator[HeldFilm]:
    """Puts a film into a pipe of a name."""
    os.mkfifo(path)
    # Opened for both, so that neither side waits for the other.
    film = HeldFilm(source.read_bytes(), os.open(path, os.O_RDWR))
    os.write(film.pipe, film.data[:BEGINNING])
    try:
        yield film
    finally:
        film.close()
