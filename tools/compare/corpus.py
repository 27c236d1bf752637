#!/usr/bin/env python3
"""Jobs on the corpus of real files, where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from compare.inputs import corpus_folder
from compare.job import Job

# Sizes up to which a job runs on a file, in bytes.
LARGE, SMALL = 40_000_000, 12_000_000
IGNORED = {".md", ".tsv", ".json", ".txt", ".csv", ""}
# Folders whose files are encoded, too: what an encoder is told of colours, fields, shapes, directions and times.
ENCODED = {"alpha", "aspect", "hdr", "interlaced", "prores", "rotation", "start-time", "vfr"}
PLAYLIST, SEGMENT = "400x300_prog_index_5s.m3u8", "400x300_seg0_5s.ts"


def corpus_jobs() -> Iterator[Job]:
    """Facts, metadata, two stills, a passthrough trim and a redacted copy of every file; an encoded range of some."""
    folder = corpus_folder()
    if folder is None:
        return
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix in IGNORED or path.stat().st_size > LARGE:
            continue
        yield from jobs_on(path)


def jobs_on(path: Path) -> Iterator[Job]:
    name = quote(path.name)
    inputs = [(path, path.name)]
    if path.name == PLAYLIST:
        inputs.append((path.with_name(SEGMENT), SEGMENT))
        yield Job("corpus", f"avtool info --json --allow-format hls {name}", tuple(inputs))
    lines = [
        f"avtool info --json --identifiers {name}",
        f"avtool metadata show --json {name}",
        f"avtool thumbs --at 1/3,end --size 320x0 --json {name}",
    ]
    if path.stat().st_size <= SMALL:
        lines += [
            f"avtool export --preset passthrough --range 0.5s+1s --json -o {quote('out' + path.suffix)} {name}",
            f"avtool metadata remove --share-safe --json -o {quote('shared' + path.suffix)} {name}",
        ]
    if path.parent.name in ENCODED:
        lines.append(f"avtool export --preset hevc-1920x1080 --range 10%+0.15s --json {name}")
    for line in lines:
        yield Job("corpus", line, tuple(inputs))
