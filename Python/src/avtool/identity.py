"""Which file it is: its size, and a fingerprint that reads a megabyte at most (docs/index-format.md)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from avtool.names import Name, name_bytes

_WHOLE, _EDGE, _BLOCK, _BLOCKS = 1_048_576, 262_144, 32_768, 16


@dataclass(frozen=True)
class Identity:
    byte_count: int
    fingerprint: str


def identity(file: Name) -> Identity:
    """As `avtool index` states it. A byte that was changed in the middle of a long film may go unnoticed."""
    with Path(_text(file)).open("rb") as stream:
        size = stream.seek(0, 2)
        digest = hashlib.sha256(b"%d\n" % size)
        for start, length in _stretches(size):
            stream.seek(start)
            digest.update(stream.read(length))
    return Identity(size, digest.hexdigest())


def _stretches(size: int) -> list[tuple[int, int]]:
    if size <= _WHOLE:
        return [(0, size)]
    blocks = [(_EDGE + block * (size - 2 * _EDGE) // _BLOCKS, _BLOCK) for block in range(_BLOCKS)]
    return [(0, _EDGE), *blocks, (size - _EDGE, _EDGE)]


def sha256(file: Name) -> str:
    """Of all bytes of a file."""
    with Path(_text(file)).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _text(file: Name) -> str:
    return name_bytes(file).decode("utf-8", "surrogateescape")
