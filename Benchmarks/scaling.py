"""How avtool's time grows with what a file lists: tags, chapters, edits, subtitles, and files of one run.

Each case does the same work on a file with sixteen times as much as another one, and on one with four times as much.
Work that grows as its input takes four times as long; the goal is at most 1.3 times that.
"""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from acceptance.made_films import cached
from acceptance.measure import Case, Command, Tool
from acceptance.private_media import box, boxes
from acceptance.running import AVTOOL, ffmpeg, make

# How many of a thing the smallest file has.
LEAST = 2500
GOAL = 4 * 1.3


def song(path: Path, coding: str) -> None:
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=2", "-c:a", coding, path)


def texts(path: Path, count: int) -> None:
    """ID3 frames of text with a description."""
    from mutagen.id3 import ID3, TXXX

    song(path, "libmp3lame")
    tags = ID3()
    for number in range(count):
        tags.add(TXXX(encoding=0, desc=f"KEY{number:05}", text=[f"value {number}"]))
    tags.save(path)


def comments(path: Path, count: int) -> None:
    """Vorbis comments of a FLAC file."""
    from mutagen.flac import FLAC

    song(path, "flac")
    tags = FLAC(path)
    for number in range(count):
        tags[f"KEY{number:05}"] = f"value {number}"
    tags.save()


def items(path: Path, count: int) -> None:
    """Items of iTunes with names of their own."""
    from mutagen.mp4 import MP4

    song(path, "aac")
    tags = MP4(path)
    for number in range(count):
        tags[f"----:com.apple.iTunes:KEY{number:05}"] = f"value {number}".encode()
    tags.save()


def simple_tags(path: Path, count: int) -> None:
    """Matroska's tags, which mkvmerge writes."""
    plain, listed = path.with_suffix(".plain.mka"), path.with_suffix(".xml")
    song(plain, "libvorbis")
    rows = (f"<Simple><Name>KEY{n:05}</Name><String>value {n}</String></Simple>" for n in range(count))
    listed.write_text(f'<?xml version="1.0"?><Tags><Tag>{"".join(rows)}</Tag></Tags>')
    make("mkvmerge", "-q", "-o", path, "--global-tags", listed, plain)
    plain.unlink()
    listed.unlink()


def chapters(path: Path, count: int) -> None:
    """Chapters of a millisecond each."""
    plain, listed = path.with_suffix(".plain.mka"), path.with_suffix(".txt")
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=60", "-c:a", "libvorbis", plain)

    def clock(number: int) -> str:
        return f"00:{number // 60_000:02}:{number // 1000 % 60:02}.{number % 1000:03}"

    rows = (f"CHAPTER{n:05}={clock(n)}\nCHAPTER{n:05}NAME=Chapter {n}\n" for n in range(count))
    listed.write_text("".join(rows))
    make("mkvmerge", "-q", "-o", path, "--chapters", listed, plain)
    plain.unlink()
    listed.unlink()


def edits(path: Path, count: int) -> None:
    """An edit list that shows each frame of a video of 20 s by a row of its own, over and over."""
    plain = path.with_suffix(".plain.mp4")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=20", "-c:v", "mpeg4", "-g", "1", plain)
    parts = boxes(plain.read_bytes())
    plain.unlink()
    rows = b"".join(struct.pack(">IiI", 40, 512 * (number % 500), 1 << 16) for number in range(count))
    table = box("edts", box("elst", struct.pack(">II", 0, count) + rows))

    def with_edits(content: bytes) -> bytes:
        inner = b""
        for kind, part in boxes(content):
            if kind == b"trak":
                kept = [box(name, held) for name, held in boxes(part) if name != b"edts"]
                part = kept[0] + table + b"".join(kept[1:])
            inner += box(kind, part)
        return inner

    # The movie lies behind its media, which stay where they are.
    path.write_bytes(b"".join(box(kind, with_edits(part) if kind == b"moov" else part) for kind, part in parts))


def cues(path: Path, count: int) -> None:
    """Subtitles, one each 20 ms."""
    listed = path.with_suffix(".srt")

    def clock(time: int) -> str:
        return f"{time // 3_600_000:02}:{time // 60_000 % 60:02}:{time // 1000 % 60:02},{time % 1000:03}"

    rows = (f"{n + 1}\n{clock(20 * n)} --> {clock(20 * n + 20)}\ntext {n}\n\n" for n in range(count))
    listed.write_text("".join(rows))
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=2", "-i", listed, "-c:a", "libvorbis", "-c:s", "srt", path)
    listed.unlink()


def files(folder: Path, count: int) -> None:
    """As many songs as one run is given, of 10 ms each."""
    folder.mkdir(exist_ok=True)
    first = folder / "00000.wav"
    ffmpeg("-f", "lavfi", "-i", "sine=440:d=0.01", first)
    for number in range(1, count):
        shutil.copyfile(first, folder / f"{number:05}.wav")


@dataclass(frozen=True)
class Growth(Case):
    """The same work on more and more."""

    maker: Callable[[Path, int], None] = texts
    suffix: str = "mp3"
    command: str = "info"
    count: int = LEAST
    is_watched: bool = False

    def input(self, times: int) -> Path:
        count = self.count * times
        name = f"scaling-{self.maker.__name__}-{count}"
        return cached(f"{name}.{self.suffix}" if self.suffix else name, lambda path: self.maker(path, count))

    def film(self) -> Path:
        return self.input(16)

    def tools(self) -> list[Tool]:
        def working(folder: Path, times: int) -> list[Command]:
            source = self.input(times)
            match self.command:
                case "export":
                    # What edits say is written by movies alone.
                    target = folder / ("new.mp4" if self.maker is edits else "new.mkv")
                    return [[AVTOOL, "export", "-q", "--preset", "passthrough", "-o", target, source]]
                case "files":
                    return [[AVTOOL, "info", "--json", *sorted(source.iterdir())]]
                case _:
                    return [[AVTOOL, "info", "--json", source]]

        makes = None if self.command == "export" else 0
        return [
            Tool("avtool", "16 times as much", partial(working, times=16), AVTOOL, count=makes),
            Tool("quarter", "4 times as much", partial(working, times=4), AVTOOL, count=makes, goal=GOAL),
            Tool("least", "as much", partial(working, times=1), AVTOOL, count=makes, goal=GOAL * 4 * 1.3),
        ]


MAKERS: tuple[tuple[Callable[[Path, int], None], str], ...] = (
    (texts, "mp3"),
    (comments, "flac"),
    (items, "m4a"),
    (simple_tags, "mka"),
    (chapters, "mka"),
    (edits, "mp4"),
    (cues, "mkv"),
)

CASES = (
    *(
        Growth(
            f"{maker.__name__}-{command}",
            f"{command}: {maker.__name__}",
            rounds=3,
            maker=maker,
            suffix=suffix,
            command=command,
        )
        for maker, suffix in MAKERS
        for command in ("info", "export")
    ),
    Growth("files-info", "info: files", rounds=3, maker=files, suffix="", command="files", count=50),
)
