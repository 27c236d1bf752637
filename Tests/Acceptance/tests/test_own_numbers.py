"""Numbers of files of our own formats, changed to what nobody writes: told or used, and never a trap or without end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from acceptance.running import Json
from acceptance.tool import copy_fixture, tool

NUMBERS = ["-1", "0", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808"]
NUMBERS += ["1e308", "-1e308", "0.5", "1" + 40 * "0"]
CODES = {0, 64, 65, 66, 73, 74, 75}
NUMBER = re.compile(r"(?<![\w.\"-])-?\d+(\.\d+)?(?![\w.\"])")


def changed(text: str, pattern: re.Pattern[str] = NUMBER) -> Iterator[str]:
    """The text with one number changed, for each number and each change of it."""
    seen = set()
    for match in pattern.finditer(text):
        for number in NUMBERS:
            new = text[: match.start()] + number + text[match.end() :]
            if new not in seen:
                seen.add(new)
                yield new


def digest(texts: list[str]) -> str:
    """FNV-1a of 128 bits, as docs/plan-format.md says."""
    value = 0x6C62272E07BB014262B821756295C58D
    for byte in "".join(f"{len(text.encode())}:{text}" for text in texts).encode():
        value = (value ^ byte) * (1 << 88 | 0x13B) % (1 << 128)
    return f"{value:032x}"


def signed(text: str) -> str:
    """A plan with its digest made true, so that its numbers are looked at."""
    header, *lines = text.splitlines()
    empty = re.sub(r'"id":"[0-9a-f]*"', '"id":""', header)
    return "\n".join([empty.replace('"id":""', f'"id":"{digest([empty, *lines])}"'), *lines]) + "\n"


def check(folder: Path, texts: Iterator[str], name: str, *words: object) -> None:
    """Runs a command on each text, as a file of a name."""
    problems, count = [], 0
    for text in texts:
        count += 1
        (folder / name).write_text(text)
        run = tool(folder, *words, environment={"XDG_CONFIG_HOME": str(folder)})
        if run.code not in CODES or "internal error" in run.diagnostics:
            problems.append(f"{run.code}: {run.diagnostics[-200:]} of {text[:2000]}")
    assert count and not problems, "\n".join(problems[:5])


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return copy_fixture("movie.mp4", tmp_path / "a.mp4")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["thumbs --every 1s -o s-{index}.png", "export --preset webm-vp9 -o a.webm"])
def test_numbers_of_plans(video: Path, command: str, tmp_path: Path) -> None:
    tool(tmp_path, "plan", "-o", "p.plan", "--unit-cost", "100ms", *command.split(), video.name).expect()
    text = (tmp_path / "p.plan").read_text()
    assert signed(text) == text
    few = "\n".join(text.splitlines()[:2]) + "\n"
    rest = text[len(few) :]
    for words in (["merge", "--missing"], ["unit"]):
        check(tmp_path, (signed(new + rest) for new in changed(few)), "q.plan", *words, "q.plan", *words[1:] or ["0"])


def test_numbers_of_receipts(video: Path, tmp_path: Path) -> None:
    tool(tmp_path, "plan", "-o", "p.plan", "thumbs", "--every", "5s", "-o", "s-{index}.png", video.name).expect()
    tool(tmp_path, "unit", "p.plan", "0").expect()
    receipt = "p.plan.units/0/0.jsonl"
    check(tmp_path, changed((tmp_path / receipt).read_text().split("\n")[0] + "\n"), receipt, "merge", "p.plan")
    whole = (tmp_path / receipt).read_text()
    check(tmp_path, changed(whole), receipt, "merge", "p.plan")


@pytest.mark.slow
def test_numbers_of_chapters(video: Path, tmp_path: Path) -> None:
    shown = tool(tmp_path, "chapters", "show", "--json", video).expect().text
    document: Json = json.loads(shown)
    one = {"chapterLists": [document["chapterLists"][0] | {"chapters": document["chapterLists"][0]["chapters"][:2]}]}
    words = ["chapters", "set", "--from", "c.json", "-o", "new.mp4", "--force", video.name]
    check(tmp_path, changed(json.dumps(one)), "c.json", *words)


def test_numbers_of_metadata(video: Path, tmp_path: Path) -> None:
    shown = tool(tmp_path, "metadata", "show", "--json", video).expect().text
    document: Json = json.loads(shown)
    kept = {name: document[name] for name in document if name not in {"chapterLists"}}
    kept["commonMetadata"] = document["commonMetadata"][:1]
    words = ["metadata", "set", "--from", "m.json", "-o", "new.mp4", "--force", video.name]
    check(tmp_path, changed(json.dumps(kept)), "m.json", *words)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["low", "prores-proxy", "opus"])
def test_numbers_of_presets(video: Path, preset: str, tmp_path: Path) -> None:
    text = tool(tmp_path, "presets", "show", preset).expect().text
    check(tmp_path, changed(text), "p.json", "presets", "check", "p.json")
    words = ["export", "--preset", "p.json", "--range", "0s+0.2s", "--force", "-o", "new.mov", video.name]
    check(tmp_path, changed(text), "p.json", *words)


LISTS = {
    "list.csv": "1,2,first\n3.5,4,second\n",
    "list.llc": "{version: 1, mediaFileName: 'a.mp4', cutSegments: [{start: 1, end: 2, name: 'x'}]}\n",
    "list.tsv": "1\t2\tfirst\n",
    "list.edl": "1.0 2.0 0\n3.0 4.0 0\n",
    "cmx.edl": "TITLE: a\nFCM: NON-DROP FRAME\n001  AX  V  C  00:00:01:00 00:00:02:00 00:00:00:00 00:00:01:00\n",
    "list.txt": "FILE PROCESSING COMPLETE  250 FRAMES AT  2500\n-------------------\n25\t50\n",
    "list.cue": 'FILE "a.mp4" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:01:00\n  TRACK 02 AUDIO\n    INDEX 01 00:02:00\n',
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LISTS)
def test_numbers_of_cut_lists(video: Path, name: str, tmp_path: Path) -> None:
    number = re.compile(r"\d+(\.\d+)?")
    words = ["export", "--preset", "passthrough", "--segments", name, "--force", "-o", "new.mkv", video.name]
    check(tmp_path, changed(LISTS[name], number), name, *words)


@pytest.mark.slow
def test_numbers_of_indexes(tmp_path: Path) -> None:
    video = copy_fixture("mpeg2.ps", tmp_path / "a.mpg")
    tool(tmp_path, "index", "-o", "a-index.jsonl", video).expect()
    lines = (tmp_path / "a-index.jsonl").read_text().splitlines()
    few, rest = "\n".join(lines[:4]) + "\n", "\n".join(lines[4:]) + "\n"
    words = ["thumbs", "--at", "1s", "--index", "b-index.jsonl", "--force", "-o", "a.png", video]
    check(tmp_path, (new + rest for new in changed(few)), "b-index.jsonl", *words)


@pytest.mark.parametrize(
    "text",
    ["[thumbs]\nat = 1s\nquality = 85\n", "[export]\nsegment-length = 10s\n", "[sheet]\ncolumns = 4\nwidth = 800\n"],
)
def test_numbers_of_configurations(video: Path, text: str, tmp_path: Path) -> None:
    (tmp_path / "avtool").mkdir()
    section = text[1 : text.index("]")]
    words = {
        "thumbs": ["thumbs", "--force", "-o", "a.jpg"],
        "export": ["export", "--preset", "low", "--range", "0s+0.2s", "--force", "-o", "a.mp4"],
        "sheet": ["sheet", "--force", "-o", "a.png"],
    }[section]
    check(tmp_path, changed(text, re.compile(r"\d+")), "avtool/config", *words, video.name)
