"""Text from untrusted files: where it is shown, it steers no terminal and makes no lines, no markup and no commands."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree
from pathlib import Path

import pytest

from acceptance.terminal import run_on_terminal
from acceptance.tool import names, tool
from acceptance.untrusted import HOSTILE_TEXTS, TEXTS, HostileText, harm, write_hostile

every_text = pytest.mark.parametrize("hostile", HOSTILE_TEXTS, ids=str)

COMMANDS = [
    "info", "metadata show", "metadata show --identifiers", "metadata show --private", "chapters show",
    "export --preset wav --dry-run -o x.wav",
]  # fmt: skip


@pytest.mark.parametrize("source", ["movie.mp4", "movie.mov", "languages.mkv", "audio-only.mp3"])
@every_text
def test_text_of_a_file_does_no_harm_where_it_is_shown(tmp_path: Path, hostile: HostileText, source: str) -> None:
    file = tmp_path / f"film{Path(source).suffix}"
    write_hostile(hostile, source, file)
    for command in COMMANDS:
        run = tool(tmp_path, *command.split(), file.name)
        assert run.code in (0, 65), run
        assert harm(run.text) == [], run
        assert harm(run.diagnostics) == [], run
        in_json = tool(tmp_path, *command.split(), "--json", file.name)
        assert harm(in_json.text) == [], in_json
        assert b"\r" not in in_json.output
        objects = in_json.json
        if command == "metadata show":
            # What is escaped means the same.
            name = objects[0]["mediaItem"]["name"]
            assert name == hostile.text or hostile.text is None
    assert names(tmp_path) == [file.name]


@every_text
def test_text_that_is_a_result_by_itself_is_escaped_on_a_terminal(tmp_path: Path, hostile: HostileText) -> None:
    """Other programs get the text itself."""
    write_hostile(hostile, "movie.mp4", tmp_path / "film.mp4")
    formats = [f"chapters show --format {name}" for name in ("webvtt", "xml", "text", "ogm", "ffmetadata")]
    for command in ["metadata get title", *formats]:
        shown = run_on_terminal(tmp_path, *command.split(), "film.mp4", columns=120, output_is_terminal=True)
        assert harm(shown.without_progress) == [], command
        assert shown.without_progress != ""
    if hostile.text is not None:
        run = tool(tmp_path, "metadata", "get", "title", "film.mp4")
        assert run.output == hostile.data + b"\n"


@every_text
def test_text_makes_no_markup_in_webvtt(tmp_path: Path, hostile: HostileText) -> None:
    """The syntax: a header, and after each empty line a cue, the first or second line of which has its times."""
    write_hostile(hostile, "movie.mp4", tmp_path / "film.mp4")
    run = tool(tmp_path, "chapters", "show", "--format", "webvtt", "film.mp4")
    assert b"\0" not in run.output
    assert "<" not in run.text
    header, *cues = re.sub("\r\n?", "\n", run.text).split("\n\n")
    assert header == "WEBVTT"
    assert len(cues) == 2, run
    times = re.compile(r"\d\d:\d\d:\d\d\.\d\d\d --> \d\d:\d\d:\d\d\.\d\d\d")
    for cue in cues:
        lines = cue.split("\n")
        index = next(index for index, line in enumerate(lines[:2]) if times.fullmatch(line))
        assert [line for line in lines[index + 1 :] if "-->" in line] == []


@every_text
def test_text_makes_no_markup_in_xml(tmp_path: Path, hostile: HostileText) -> None:
    write_hostile(hostile, "movie.mp4", tmp_path / "film.mp4")
    run = tool(tmp_path, "chapters", "show", "--format", "xml", "film.mp4")
    titles = list(xml.etree.ElementTree.fromstring(run.output).iter("ChapterString"))
    assert len(titles) == 2
    assert [title for title in titles if len(title)] == []


@pytest.mark.parametrize("kind", ["description", "name of a setting", "name"])
def test_text_of_a_preset_does_no_harm(tmp_path: Path, kind: str) -> None:
    text = "".join(TEXTS.values())
    [preset] = json.loads(f"[{tool(tmp_path, 'presets', 'show', '--json', 'm4a').text}]")
    documents = {
        "description": preset | {"name": "mine", "description": text},
        "name of a setting": {text: 1},
        "name": {"name": text},
    }
    (tmp_path / "a.json").write_text(json.dumps(documents[kind]))
    for command in ("show", "show --json", "check", "check --json"):
        words = ["presets", *command.split(), "./a.json"]
        run = tool(tmp_path, *words)
        assert harm(run.text) == [] and harm(run.diagnostics) == [], run
        shown = run_on_terminal(tmp_path, *words, columns=120, output_is_terminal=True)
        assert harm(shown.without_progress) == [], command
