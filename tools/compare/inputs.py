#!/usr/bin/env python3
"""The files that jobs find in their folders: fixtures, the documents beside this module, and generated images."""

from __future__ import annotations

import os
import struct
import tempfile
import zlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
DOCUMENTS = Path(__file__).resolve().parent / "documents"
# Not media: how fixtures are made and described.
IGNORED = {"README.md", "bombs.py", "generate"}


def fixtures() -> list[str]:
    """The names of all fixtures."""
    return sorted(path.name for path in FIXTURES.iterdir() if path.is_file() and path.name not in IGNORED)


def corpus_folder() -> Path | None:
    """AVTOOL_CORPUS, or shared/corpus beside the repository or above it."""
    named = os.environ.get("AVTOOL_CORPUS")
    places = [Path(named)] if named else [parent / "shared/corpus" for parent in ROOT.parents]
    return next((place for place in places if place.is_dir()), None)


@cache
def all_inputs() -> dict[str, Path]:
    """The paths of all inputs that tables may name, by name."""
    documents = {path.name: path for path in DOCUMENTS.iterdir()}
    generated = {path.name: path for path in images().iterdir()}
    return {name: FIXTURES / name for name in fixtures()} | documents | generated


@cache
def images() -> Path:
    """A folder with a cover, an image with transparency, and a JPEG: removed by `remove_images`."""
    folder = Path(tempfile.mkdtemp(prefix="avtool-compare-images-"))
    (folder / "cover.png").write_bytes(png(48, 48, lambda x, y: (5 * x, 5 * y, 128, 255), False))
    (folder / "other.png").write_bytes(png(64, 32, lambda x, y: (255 - 3 * x, 7 * y, 3 * x, 255), False))
    (folder / "overlay.png").write_bytes(png(40, 24, lambda x, y: (255, 6 * x, 0, 255 if y < 12 else 10 * y), True))
    song = (FIXTURES / "attached-picture.m4a").read_bytes()
    start = song.index(b"\xff\xd8\xff")
    (folder / "cover.jpg").write_bytes(song[start : song.index(b"\xff\xd9", start) + 2])
    return folder


def remove_images() -> None:
    if images.cache_info().currsize:
        for path in images().iterdir():
            path.unlink()
        images().rmdir()
    images.cache_clear()
    all_inputs.cache_clear()


def png(width: int, height: int, color: object, has_alpha: bool) -> bytes:
    """A PNG whose pixels a function of x and y gives."""
    assert callable(color)
    channels = 4 if has_alpha else 3
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            rows += bytes(min(255, max(0, value)) for value in color(x, y)[:channels])

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 6 if has_alpha else 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b"")
    )
