"""Help texts, help topics, the version, and what wrong command lines are answered with.

The help texts are compared with the files in `snapshots`; `AVTOOL_RECORD_SNAPSHOTS=1 scripts/acceptance -k test_help`
records them anew.
"""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path

import pytest

from acceptance.running import AVTOOL, ROOT
from acceptance.tool import ToolRun, run_program, tool

SNAPSHOTS = ROOT / "Tests/Acceptance/snapshots"

COMMANDS = [
    "", "info", "thumbs", "scenes", "sheet", "storyboard", "export", "join", "verify", "index", "plan", "frames",
    "waveform", "film", "unit", "merge", "metadata", "metadata show", "metadata get", "metadata names", "metadata set",
    "metadata remove", "metadata artwork", "metadata copy", "thumbnail", "diff", "chapters", "chapters show",
    "chapters set", "chapters remove", "presets", "presets list", "presets show", "presets check",
]  # fmt: skip

every_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command or "avtool")


@functools.cache
def help_of(command: str) -> ToolRun:
    return tool(SNAPSHOTS, *command.split(), "--help").expect()


def examples(lines: list[str]) -> list[str]:
    """The lines after the heading of the examples."""
    start = next(at for at, line in enumerate(lines) if line.startswith("Example"))
    return lines[start + 1 :]


@every_command
def test_help_is_as_recorded(command: str) -> None:
    run = help_of(command)
    name = "-".join(["avtool", *command.split()]) + ".txt"
    if os.environ.get("AVTOOL_RECORD_SNAPSHOTS") == "1":
        (SNAPSHOTS / name).write_bytes(run.output)
    assert run.diagnostics == ""
    recorded = (SNAPSHOTS / name).read_text(encoding="utf-8")
    assert run.text == recorded, f"AVTOOL_RECORD_SNAPSHOTS=1 scripts/acceptance -k test_help writes {name} anew"


def test_each_snapshot_belongs_to_a_command() -> None:
    names = {"-".join(["avtool", *command.split()]) + ".txt" for command in COMMANDS}
    assert {path.name for path in SNAPSHOTS.iterdir()} == names


@every_command
def test_help_fits_80_columns(command: str) -> None:
    """Terminals of 80 columns broke the lines of usage and examples anywhere."""
    assert [line for line in help_of(command).lines if len(line) > 80] == []


@every_command
def test_help_has_an_example_that_begins_with_the_command(command: str) -> None:
    words = " ".join(["avtool", *command.split()])
    first = examples(help_of(command).lines)[0]
    assert first == f"  {words}" or first.startswith(f"  {words} ")


@every_command
def test_examples_in_help_are_accepted_by_the_command_line(tmp_path: Path, command: str) -> None:
    """Examples outlive the options that they name."""
    lines = examples(help_of(command).lines)
    environment = {"PATH": f"{Path(AVTOOL).parent}:/usr/bin:/bin", "HOME": str(tmp_path), "AVTOOL_CONFIG": ""}
    for example in lines:
        if not example.startswith("  avtool"):
            break
        made = run_program(["/bin/sh", "-c", example], tmp_path, environment=environment)
        assert made.code != 64, made


@every_command
def test_options_for_unusual_files_come_last_in_help(command: str) -> None:
    """Options that few need stood before --at and --preset."""
    options = [line.split()[0] for line in help_of(command).lines if line.startswith("  -")]
    if "--allow-format" in options:
        last = ["--allow-format", "--allow-network", "--precise", "--limit", "--version", "-h,"]
        assert options[-6:] == last


@pytest.mark.parametrize("topic", ["times", "ranges", "names", "limits", "environment", "exit-codes"])
def test_a_help_topic_ends_with_an_example_that_is_accepted(tmp_path: Path, topic: str) -> None:
    run = tool(tmp_path, "help", topic).expect()
    assert run.diagnostics == ""
    assert [line for line in run.lines if len(line) > 80] == []
    assert run.lines[-1].startswith("  avtool ")
    words = [word.replace("'", "") for word in run.lines[-1].split()[1:]]
    # All is in order but the file, which is not there.
    tool(tmp_path, *words).expect(66)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["thmbs", "a.mp4"], "there is no command 'thmbs': do you mean thumbs?"),
        (["metadata", "shwo", "a.mp4"], "there is no command 'shwo': do you mean show?"),
        (["presets", "lst"], "there is no command 'lst': do you mean list?"),
        (["thumbs", "--evry", "2s", "a.mp4"], "there is no option --evry of this command: do you mean --every?"),
        (["export", "--prest=high", "a.mp4"], "there is no option --prest of this command: do you mean --preset?"),
        (["help", "tims"], "there is no help on 'tims': do you mean times?"),
        (["film.mp4"], "there is no command 'film.mp4'"),
        (["plan", "-o", "a.plan", "thumbs", "--evry", "2", "a.mp4"], "there is no option --evry of this command"),
        (
            ["plan", "-o", "a.plan", "--unit-cost", "1m", "--files-per-unit", "3", "thumbs", "--at", "0", "a.mp4"],
            "Give one of --unit-cost and --files-per-unit",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_is_told_what_may_have_been_meant(tmp_path: Path, words: list[str], message: str) -> None:
    """Misspelt names were reported as missing arguments, or not at all."""
    run = tool(tmp_path, *words).expect(64)
    assert run.text == ""
    assert len(run.diagnostic_lines) == 1
    assert run.diagnostics.startswith(f"avtool: {message}"), run


def test_the_version_is_three_numbers(tmp_path: Path) -> None:
    run = tool(tmp_path, "--version").expect()
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", run.text)
