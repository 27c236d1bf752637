#!/usr/bin/env python3
"""Shows that differences are found: builds that differ from a real one in one deliberate change each."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote
from types import SimpleNamespace

from compare.__main__ import Comparison, Result, say
from compare.containers import part_of
from compare.differences import byte_difference, json_difference
from compare.inputs import FIXTURES, png
from compare.job import Job, jobs_of
from compare.library import Json, symbol_lines
from compare.randomness import mask
from compare.runs import remove

# A job of each kind of result.
JOBS = {
    "info": "avtool info --json movie.mp4",
    "thumbs": "avtool thumbs --at 1,2 --size 64x0 --json movie.mp4",
    "errors": "avtool info missing.mp4",
    "export": "avtool export --preset passthrough --range 1s+1s --json -o out.mp4 movie.mp4",
    "metadata set": "avtool metadata set title=New movie.mp4",
    "storyboard": "avtool storyboard --every 5s --tile 32x0 movie.mp4",
}


@dataclass(frozen=True)
class Change:
    """One deliberate change: a script in place of the build, and what has to be said of it."""

    name: str
    script: str
    commands: set[str]  # those whose jobs differ
    said: tuple[str, ...]  # what one of the differences has to contain


def after(commands: str) -> str:
    """A script that runs the real build, and then others."""
    return '#!/bin/bash\n{real} "$@"; code=${PIPESTATUS[0]}\n' + commands + "\nexit $code\n"


CHANGES = [
    Change(
        "one JSON key", after("").replace('"$@"', "\"$@\" | sed 's/\"isSyncSample\"/\"isSyncsample\"/'"),
        {"thumbs"}, ("standard output: line 1: the key isSyncSample is missing; new is isSyncsample",),
    ),
    Change(
        "one JSON value", after("").replace('"$@"', "\"$@\" | sed 's/\"codec\":\"aac\"/\"codec\":\"aax\"/'"),
        {"info", "export"}, ('tracks[1].codec: "aac" → "aax"',),
    ),
    Change(
        "one byte of one PNG",
        after("[ ! -f movie-2.png ] || printf x | dd of=movie-2.png bs=1 seek=400 conv=notrunc status=none"),
        {"thumbs"}, ("work/movie-2.png: differs from byte 400 on, in the PNG chunk IDAT",),
    ),
    Change(
        "one byte of one MP4",
        after("[ ! -f out.mp4 ] || printf x | dd of=out.mp4 bs=1 seek=60 conv=notrunc status=none"),
        {"export"}, ("work/out.mp4: differs from byte 60 on, in the box moov/mvhd",),
    ),
    Change(
        "one message", after("").replace('"$@"', '"$@" 2> >(sed "s/no such file/no file/" >&2)'),
        {"errors"}, ("standard errors:", "no file"),
    ),
    Change(
        "one exit code", after("[ $code != 66 ] || code=65"), {"errors"}, ("exit code: 66 → 65",),
    ),
    Change(
        "a file that is missing", after("rm -f movie-storyboard/storyboard.vtt"),
        {"storyboard"}, ("movie-storyboard/storyboard.vtt: is missing",),
    ),
    Change(
        "a file that is left", after('case $1 in metadata) : >"$TMPDIR"/left;; esac'),
        {"metadata set"}, ("tmp/left: is there only now (file)",),
    ),
    Change(
        "a mode", after("case $1 in metadata) chmod 600 movie.mp4;; esac"),
        {"metadata set"}, ("work/movie.mp4: mode 0644 → 0600",),
    ),
]  # fmt: skip


def self_test(binary: Path) -> int:
    if not binary.is_file():
        print(f"compare: there is no {binary}: scripts/build makes it", file=sys.stderr)
        return 64
    wrong = [*wrong_parts()]
    jobs = [job for command, line in JOBS.items() for job in jobs_of(f"[{command}]\n{line}")]
    wrong += tried("itself", binary, binary, jobs, lambda results: [r.job.line for r in results if r.found])
    for change in CHANGES:
        folder = Path(tempfile.mkdtemp(prefix="avtool-compare-changed-"))
        changed = folder / "avtool"
        changed.write_text(change.script.replace("{real}", quote(str(binary.resolve()))))
        changed.chmod(0o755)
        wrong += tried(change.name, binary, changed, jobs, partial(missed, change))
        remove(folder)
    for line in wrong:
        say(line)
    if not wrong:
        say(f"{len(CHANGES)} changes were found, and nothing else")
    return 1 if wrong else 0


def tried(name: str, old: Path, new: Path, jobs: list[Job], judge: Callable[[list[Result]], list[str]]) -> list[str]:
    """What is wrong with a comparison of two builds."""
    work = Path(tempfile.mkdtemp(prefix="avtool-compare-")).resolve()
    try:
        comparison = Comparison(old, new, work, work / "kept", False)
        found = judge(comparison.run(jobs, 2, lambda result, finished: None))
    finally:
        remove(work)
    return [f"{name}: {line}" for line in found]


def missed(change: Change, results: list[Result]) -> list[str]:
    """What was not found of a change, and what was found beyond it."""
    differing = {result.job.command for result in results if result.found}
    said = "\n".join(line for result in results for line in result.found)
    wrong = [f"not found in {command}" for command in sorted(change.commands - differing)]
    wrong += [f"found in {command}, too" for command in sorted(differing - change.commands)]
    return wrong + [f"not said: {words!r}, but:\n{said}" for words in change.said if words not in said]


def lines_of(symbol: Json, names: frozenset[str] | set[str] = frozenset({"AVAsset"})) -> list[str]:
    """How the comparison of libraries says a symbol."""
    graph = SimpleNamespace(symbols={"x": symbol}, extensions=[])
    return symbol_lines(graph, set(names), lambda symbol: ".".join(symbol["pathComponents"]))


def wrong_parts() -> list[str]:
    """What is wrong with the parts that need no build."""
    image = png(3, 2, lambda x, y: (x, y, 0, 255), False)
    movie = (FIXTURES / "movie.mp4").read_bytes()
    matroska = (FIXTURES / "cues.mkv").read_bytes()
    progress = (
        b'{"elapsed":0.16,"event":"progress","fraction":0.07,"size":0,"source":"a\\"b.mp4",'
        b'"time":{"seconds":0.768,"timescale":48000,"value":36864}}\n{"event":"completed"}\n'
    )
    symbol: Json = {
        "pathComponents": ["AVAsset", "duration"],
        "kind": {"identifier": "swift.property"},
        "identifier": {"precise": "s:10MediaAsset7AVAssetC8duration"},
        "declarationFragments": [{"spelling": "var duration: CMTime { get }"}],
    }
    moved = symbol | {"identifier": {"precise": "s:11MediaEngine7AVAssetC8duration"}}
    deprecated = symbol | {"availability": [{"isUnconditionallyDeprecated": True, "domain": "*"}]}
    optional = symbol | {"declarationFragments": [{"spelling": "var duration: CMTime? { get }"}]}
    checks = {
        "a byte of IHDR": "IHDR" in part_of(image, 20),
        "a byte of the signature": "signature" in part_of(image, 2),
        "a byte of a sample table": "moov/trak/mdia/minf/stbl/" in part_of(movie, movie.index(b"stsz") + 6),
        "a byte of metadata": "moov/udta/meta/ilst" in part_of(movie, movie.index(b"\xa9nam") + 20),
        "a byte of a cluster": "Segment/" in part_of(matroska, len(matroska) // 2),
        "a longer file": "byte 3 on" in byte_difference(b"abc", b"abcd"),
        "the first path": json_difference([{"a": [1, {"b": 2}]}], [{"a": [1, {"b": 3}]}]).startswith("a[1].b: 2 → 3"),
        "a symbol of another module": lines_of(symbol) == lines_of(moved),
        "another type": lines_of(symbol) != lines_of(optional),
        "another availability": lines_of(symbol) != lines_of(deprecated),
        "another umbrella": lines_of(symbol) != lines_of(symbol, set()),
        "progress": mask(progress, "output", "export")[0] == b'{"event":"completed"}\n',
        "a new key in progress": mask(progress.replace(b'"size"', b'"s"'), "output", "export")[1] == [],
    }
    return [f"{name} is not told" for name, is_right in checks.items() if not is_right]
