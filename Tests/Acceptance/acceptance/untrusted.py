"""Texts that do harm where they are shown as they are, and files that hold them wherever they can."""

from __future__ import annotations

import functools
import json
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import mutagen.id3

from acceptance.running import metadata
from acceptance.tool import copy_fixture, tool

# The bytes of each text in a file.
SIZE = 96

TEXTS = {
    # Of a terminal, of C1, and ends of lines.
    "controls": "a\x1b[31mb\x1b]0;x\x07c\x1b[2Jd\x9b31me\x85f\x90g\x9c\x7fh\r\ni\rj\nk\x0bl\x0cm",
    # Overrides, isolates, marks, separators, and what is not seen.
    "directions": "a\u202ab\u202bc\u202cd\u202de\u202ef\u2066g\u2067h\u2068i\u2069j\u200ek\u200fl\u061cm\ufeffn\u2060o"
    "\U000e0001p\u2028q\u2029r",
    "markup and shells": "</script><img onerror=x>--><b>&amp;\"'$(touch owned)`touch owned`;touch owned ../../x",
}


@dataclass(frozen=True)
class HostileText:
    """A text that somebody put into a file to do harm."""

    name: str
    # Of some size, in UTF-8 where it can be.
    data: bytes
    # `None` where the bytes are not UTF-8.
    text: str | None

    def __str__(self) -> str:
        return self.name


def padded(name: str, data: bytes, *, is_utf_8: bool = True) -> HostileText:
    data = data.ljust(SIZE, b".")
    return HostileText(name, data, data.decode() if is_utf_8 else None)


HOSTILE_TEXTS = [
    *(padded(name, text.encode()) for name, text in TEXTS.items()),
    padded("no UTF-8", b"\xed\xa0\x80\xff\xc3\x28\x1b\x5b\x9b\x6d", is_utf_8=False),
]

# Texts as names of files, without the slash, which no name has.
HOSTILE_NAMES = {name: text.replace("/", "_") + ".mp4" for name, text in TEXTS.items()}
HOSTILE_NAMES["placeholders"] = "{ext}{index}{name}.mp4"


def harm(text: str) -> list[str]:
    """What would steer a terminal, break its lines or turn the direction of its writing.

    Those are the general categories Cc, Cf, Zl, Zp and Cs of Unicode, without the ends of lines and tabs, which are
    avtool's own.
    """
    categories = {"Cc", "Cf", "Zl", "Zp", "Cs"}
    return [f"U+{ord(c):X}" for c in text if c not in "\n\t" and unicodedata.category(c) in categories]


# A harmless text of that size that occurs nowhere else. It is the name of a language as well.
STAND_IN = ("de-x" + "-zqzqzqz" * SIZE)[: SIZE - 1] + "q"
# Files that have a text in fewer places are not what they are meant to be.
LEAST_PLACES = {".mp4": 14, ".mov": 14, ".mkv": 20, ".mp3": 7}


def write_hostile(hostile: HostileText, source: str, to: Path) -> None:
    """Copies a fixture, and puts a text wherever it can be.

    Those are items, names of items, chapters and their language, and of tracks the names, handlers and languages. A
    harmless text of the same size is written and then replaced in the bytes: nothing has a chance to escape it.
    """
    to.write_bytes(with_stand_in(source).replace(STAND_IN.encode(), hostile.data))


@functools.cache
def with_stand_in(source: str) -> bytes:
    """A fixture that has the harmless text wherever it can be."""
    with tempfile.TemporaryDirectory(prefix="avtool-untrusted-") as folder:
        copy = copy_fixture(source, Path(folder) / source)
        (write_id3 if copy.suffix == ".mp3" else write_tags)(STAND_IN, copy)
        data = copy.read_bytes()
    assert data.count(STAND_IN.encode()) >= LEAST_PLACES[copy.suffix]
    return data


def write_tags(text: str, to: Path) -> None:
    """Writes a text to an MP4, MOV or MKV file."""
    is_matroska = to.suffix == ".mkv"
    names = [f"mkv/{text}", "mkv/ENCODER"] if is_matroska else [f"mdta/com.example.{text}"]
    titles = [{"text": text, "language": text} if is_matroska else {"text": text}]
    chapters = [{"start": {"value": time, "timescale": 1}, "titles": titles} for time in (0, 1)]
    form = "matroska" if is_matroska else "quickTimeTrack"
    document = {
        "metadata": metadata(to)["metadata"] + [{"identifier": name, "value": text} for name in names],
        "chapterLists": [{"form": form, "language": text, "chapters": chapters}],
    }
    tool(to.parent, "metadata", "set", "--from", "-", to, stdin=json.dumps(document).encode()).expect()
    tool(to.parent, "metadata", "set", *(f"{name}={text}" for name in ("title", "artist", "comment")), to).expect()
    shown = metadata(to)
    of_chapters = {chapter_list.get("trackID") for chapter_list in shown["chapterLists"]}
    labels = ["name", "language", *([] if is_matroska else ["handler"])]
    for track in (track["id"] for track in shown["tracks"] if track["id"] not in of_chapters):
        tool(to.parent, "metadata", "set", "--track", track, *(f"{name}={text}" for name in labels), to).expect()


def write_id3(text: str, to: Path) -> None:
    """Writes a text to an MP3 file, said to be UTF-8."""
    tag = mutagen.id3.ID3()
    for name in ("TIT2", "TPE1"):
        tag.add(getattr(mutagen.id3, name)(encoding=3, text=[text]))
    tag.add(mutagen.id3.COMM(encoding=3, lang="eng", desc="", text=[text]))
    tag.add(mutagen.id3.TXXX(encoding=3, desc=text, text=[text]))
    chapters = ["one", "two"]
    tag.add(mutagen.id3.CTOC(element_id="toc", flags=3, child_element_ids=chapters, sub_frames=[]))
    for index, chapter in enumerate(chapters):
        title = mutagen.id3.TIT2(encoding=3, text=[text])
        times = {"start_time": 1000 * index, "end_time": 1000 * index + 1000}
        tag.add(mutagen.id3.CHAP(element_id=chapter, **times, sub_frames=[title]))
    tag.save(to, v2_version=4)
