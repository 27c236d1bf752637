"""Tagging and reading tags: avtool against the tools that people use.

Sets a title in a copy of a large MP4 file, with and without free space, and reads the tags of many small files.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from acceptance.made_films import cached, make_noise, repeated
from acceptance.measure import Case, Command, Tool
from acceptance.running import AVTOOL, ROOT, ffmpeg, make

PYTHON = ROOT / ".build/acceptance/venv/bin/python"
TITLE = "A title"


def make_film(path: Path, megabytes: int) -> None:
    """With the movie header in front."""
    minute = cached("noise-60s.mp4", lambda raw: make_noise(raw, 60, "1280x720", "-b:v 6M"))
    repeated(path, minute, megabytes, "-movflags", "+faststart")


def make_padded(path: Path, film: Path) -> None:
    """AtomicParsley leaves 2 KB of free space, as other taggers do."""
    shutil.copyfile(film, path)
    make("AtomicParsley", path, "--title", "Before", "--overWrite")


def make_songs(folder: Path, count: int) -> None:
    folder.mkdir(exist_ok=True)
    tags = ["title=A song", "artist=Somebody", "album=Songs", "track=3/12", "genre=Rock", "date=2004"]
    for index in range(count):
        suffix = (".mp3", ".m4a", ".flac", ".ogg")[index % 4]
        song, first = folder / f"{index:04}{suffix}", folder / f"{index % 4:04}{suffix}"
        if index < 4:
            ffmpeg("-f", "lavfi", "-i", "sine=d=3", *(word for tag in tags for word in ("-metadata", tag)), song)
        else:
            shutil.copyfile(first, song)


@dataclass(frozen=True)
class Title(Case):
    """Each round on a fresh copy."""

    megabytes: int = 450
    is_padded: bool = False

    def film(self) -> Path:
        plain = cached(f"tagged-{self.megabytes}MB.mp4", partial(make_film, megabytes=self.megabytes))
        padded = partial(make_padded, film=plain)
        return cached(f"padded-{self.megabytes}MB.mp4", padded) if self.is_padded else plain

    def prepare(self, folder: Path) -> None:
        shutil.copyfile(self.film(), folder / "film.mp4")

    def tools(self) -> list[Tool]:
        def copying(folder: Path) -> list[Command]:
            words = ["-map", 0, "-c", "copy", "-metadata", f"title={TITLE}", folder / "new.mp4"]
            return [["ffmpeg", "-v", "error", "-nostdin", "-i", folder / "film.mp4", *words]]

        def setting(folder: Path) -> list[Command]:
            return [[AVTOOL, "metadata", "set", f"title={TITLE}", folder / "film.mp4"]]

        def parsley(folder: Path) -> list[Command]:
            return [["AtomicParsley", folder / "film.mp4", "--title", TITLE, "--overWrite"]]

        # With free space AtomicParsley takes a few milliseconds, which vary by more than what would be noticed.
        return [
            Tool("avtool", "avtool metadata set", setting, AVTOOL, "film.mp4"),
            Tool("ffmpeg", "ffmpeg -c copy -metadata", copying, "ffmpeg", "new.mp4"),
            Tool(
                *("AtomicParsley", "AtomicParsley --overWrite", parsley, "AtomicParsley", "film.mp4"),
                is_watched=not self.is_padded,
            ),
        ]


@dataclass(frozen=True)
class Tags(Case):
    files: int = 1000

    def film(self) -> Path:
        return cached(f"songs-{self.files}", partial(make_songs, count=self.files))

    def tools(self) -> list[Tool]:
        def songs() -> list[Path]:
            return sorted(self.film().iterdir())

        def showing(_: Path) -> list[Command]:
            return [[AVTOOL, "metadata", "show", "--json", *songs()]]

        def mutagen(_: Path) -> list[Command]:
            return [[PYTHON, Path(__file__).with_name("mutagen_tags.py"), *songs()]]

        return [
            Tool("avtool", "avtool metadata show", showing, AVTOOL, count=0),
            Tool("mutagen", "mutagen", mutagen, PYTHON, count=0),
        ]


CASES = (
    Title("padded", "a title in 450 MB with free space", rounds=9, is_padded=True),
    Title("plain", "the same without free space", rounds=9),
    Tags("tags", "tags of 1000 small files", rounds=9),
)
