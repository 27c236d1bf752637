"""Movies whose samples lie in another file, by a data reference: that file is never opened, and nothing is made up."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from acceptance.hostile_media import box, edited
from acceptance.tool import names, tool

REFERENCE = (b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref")
COMMANDS = {
    "thumbs": ["thumbs", "--at", "0", "-o", "still.png"],
    "sheet": ["sheet", "--count", "1", "-o", "sheet.png"],
    "frames": ["frames", "-o", "frames.y4m"],
    "export passthrough": ["export", "--preset", "passthrough", "-o", "copy.mp4"],
    "export to another kind": ["export", "--preset", "passthrough", "-o", "copy.mkv"],
    "export range": ["export", "--preset", "passthrough", "--range", "0s+0.04s", "-o", "copy.mp4"],
    "export low": ["export", "--preset", "low", "-o", "low.mp4"],
}


def movie(path: Path, reference: bytes) -> Path:
    path.write_bytes(edited(REFERENCE, lambda _: struct.pack(">II", 0, 1) + reference))
    return path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", [b"url ", b"alis"], ids=["url", "alias"])
def test_samples_elsewhere_are_refused_by_name(command: str, kind: bytes, tmp_path: Path) -> None:
    other = tmp_path / "other.mp4"
    location = f"file://{other}".encode() + b"\0" if kind == b"url " else bytes(200)
    film = movie(tmp_path / "film.mp4", box(kind, struct.pack(">I", 0) + location))
    other.write_bytes(film.read_bytes())
    run = tool(tmp_path, *COMMANDS[command], film).expect(65)
    assert "another file" in run.diagnostics, run
    assert names(tmp_path) == ["film.mp4", "other.mp4"]


def test_a_reference_without_a_name_is_to_the_file_itself(tmp_path: Path) -> None:
    """Muxers forget the flag that says so."""
    film = movie(tmp_path / "film.mp4", box(b"url ", struct.pack(">I", 0)))
    tool(tmp_path, *COMMANDS["thumbs"], film).expect()
    tool(tmp_path, *COMMANDS["export passthrough"], film).expect()


def test_metadata_of_a_movie_with_samples_elsewhere_is_read(tmp_path: Path) -> None:
    film = movie(tmp_path / "film.mp4", box(b"url ", struct.pack(">I", 0) + b"file:///other.mp4\0"))
    tool(tmp_path, "info", film).expect()
    tool(tmp_path, "metadata", "show", film).expect()
