#!/usr/bin/env python3
"""A job: a command line of bash, the files it finds in its folder, and the tables from which jobs are generated.

The tables are tools/compare/jobs/*.txt: a line for each job, below the name of its command as in `[metadata set]`.
In a line

  @all, @video, …        stands for each file of a set, one job for each (`sets`)
  @each(a b c)           stands for each of the words; a space after a backslash is a part of its word
  a name of a fixture, of a file in tools/compare/documents, or of a generated input
                         is copied into the job's folder before it runs
  * at the beginning     marks a job whose opened files and messages are counted
  \\ at the end           continues the line
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from compare.inputs import ROOT, all_inputs, fixtures

# Seconds after which a run is ended; a busy machine takes several times what a quiet one does.
LIMIT = 180
TABLES = Path(__file__).resolve().parent / "jobs"
NAME = re.compile(r"[\w.-]+\.\w+")


@dataclass(frozen=True)
class Job:
    """One command line, run once for each build in a new folder."""

    command: str  # as `--only` takes it: `thumbs`, `metadata set`
    line: str
    # Path of the source, and its name in the folder.
    inputs: tuple[tuple[Path, str], ...]
    is_counted: bool = False

    @property
    def slug(self) -> str:
        """The line as a part of a file name."""
        return re.sub(r"[^\w.-]+", "-", self.line.removeprefix("avtool ")).strip("-")[:60]


def all_jobs() -> list[Job]:
    """The jobs of all tables; a line that several rows give runs once."""
    found: dict[str, Job] = {}
    for path in sorted(TABLES.glob("*.txt")):
        for job in jobs_of(path.read_text(encoding="utf-8")):
            first = found.get(job.line, job)
            found[job.line] = replace(first, is_counted=first.is_counted or job.is_counted)
    return list(found.values())


def jobs_of(table: str) -> list[Job]:
    found = []
    command = ""
    for line in re.sub(r"\\\n\s*", "", table).splitlines():
        if match := re.fullmatch(r"\[(.*)\]", line):
            command = match[1]
        elif line and not line.startswith("#"):
            is_counted = line.startswith("* ")
            for expanded in expansions(line.removeprefix("* ")):
                found.append(Job(command, expanded, inputs_named(expanded), is_counted))
    return found


def expansions(line: str) -> Iterator[str]:
    """The line for each word that its first placeholder stands for, and so on for the others."""
    match = re.search(r"@(?:each\(([^)]*)\)|([a-z]+)\b)", line)
    if not match:
        yield line
        return
    words = split(match[1]) if match[1] is not None else sets()[match[2]]
    for word in words:
        yield from expansions(line[: match.start()] + word + line[match.end() :])


def split(text: str) -> list[str]:
    """The words of a text; a space after a backslash is a part of its word."""
    return [word.replace("\\ ", " ") for word in re.split(r"(?<!\\)\s+", text.strip())]


def inputs_named(line: str) -> tuple[tuple[Path, str], ...]:
    """The known files that a line names. A file that names others brings those too."""
    known = all_inputs()
    # What ends a name in a text for printf is no part of the next one.
    names = dict.fromkeys(NAME.findall(re.sub(r"\\[0n]", " ", line)))
    found = {name: known[name] for name in names if name in known}
    for name in list(found):
        for other in BROUGHT.get(name, ()):
            found[other] = known[other]
    return tuple((path, name) for name, path in found.items())


BROUGHT = {"hls-named.mp4": ("h264.ts",), "concat-named.mp4": ("movie.mp4",), "list.m3u8": ("h264.ts",)}


@cache
def sets() -> dict[str, list[str]]:
    """The sets that tables name: fixtures by kind, commands, presets."""
    files = fixtures()
    facts = {name: json.loads((ROOT / "Fixtures/expected" / f"{name}.json").read_text()) for name in files}

    def has(name: str, kind: str) -> bool:
        streams = facts[name].get("streams", [])
        return any(s.get("codec_type") == kind and not s["disposition"]["attached_pic"] for s in streams)

    video = [name for name in files if facts[name].get("frames")]
    audio = [name for name in files if has(name, "audio")]
    return {
        "all": files,
        "commands": (
            "info thumbs sheet storyboard thumbnail frames waveform export join film presets metadata chapters diff"
            " scenes index verify plan unit merge"
        ).split(),
        "video": video,
        # Whether an export meets the damage or the cut of these depends on how far threads have come.
        "intact": [name for name in video if name not in ("damaged.mp4", "truncated.mp4")],
        "audio": audio,
        "heard": [name for name in audio if name != "truncated.mp4"],
        "damaged": [name for name in files if name not in video and not has(name, "audio")],
        # Files of every container.
        "kinds": (
            "movie.mp4 movie.mov cues.mkv vp9.webm h264.ts mpeg2.ps h264.avi h264.flv theora.ogv wmv2.asf"
            " fragmented.mp4 audio-only.mp3 audio-only.flac audio-only.m4a attached-picture.m4a attached-picture.mp3"
            " animated.gif animated.png raw.h264"
        ).split(),
        # Files of which something is unusual.
        "odd": (
            "vfr.mp4 edit-list-trim.mp4 edit-list-empty.mp4 hevc-open-gop.ts h264-open-gop.mp4 rotate-90.mp4 flip-v.mp4"
            " anamorphic.mp4 clean-aperture.mov interlaced-tff.mp4 10bit.mp4 h264-444.mp4 alpha-prores.mov"
            " languages.mkv damaged.mp4 truncated.mp4 nonzero-start.mkv"
        ).split(),
        "tagged": (
            "movie.mp4 movie.mov cues.mkv vp9.webm audio-only.m4a audio-only.mp3 audio-only.flac theora.ogv"
            " attached-picture.m4a attached-picture.mp3 languages.mp4 languages.mkv h264.avi h264.flv h264.ts wmv2.asf"
            " animated.png alpha-animated.avif"
        ).split(),
        "presets": sorted(p.stem for p in (ROOT / "presets").glob("*.json") if p.stem != "preset.schema"),
    }
