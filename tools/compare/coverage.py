#!/usr/bin/env python3
"""What no job uses: commands, options, and values that an option names, by what a build tells of itself."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compare.job import Job

# Every command has these; jobs of `help` use them.
COMMON = {"help", "version"}


def coverage(build: Path, jobs: list[Job]) -> int:
    """Prints what is not used, and fails if there is anything."""
    done = subprocess.run([build, "--experimental-dump-help"], capture_output=True, check=True)
    text = "\n".join(job.line for job in jobs)
    unused = list(unused_of(json.loads(done.stdout)["command"], "avtool", text))
    for line in unused:
        print(line)
    if not unused:
        print(f"{len(jobs)} jobs use every command, every option, and every value that help names")
    return 1 if unused else 0


def unused_of(command: dict[str, Any], path: str, text: str) -> Iterator[str]:
    for inner in command.get("subcommands", []):
        yield from unused_of(inner, f"{path} {inner['commandName']}", text)
    if command.get("subcommands") or path == "avtool help":
        return
    # The rest of the command line, up to where the shell ends it.
    runs = re.findall(rf"\b{path}\b([^;|&\n]*)", text)
    # Plans have their command's words after their own.
    if not runs:
        yield f"{path} is never run"
        return
    for argument in command.get("arguments", []):
        names = {name["name"]: name["kind"] for name in argument.get("names", [])}
        if not names or names.keys() & COMMON:
            continue
        spellings = [f"--{name}" if kind == "long" else f"-{name}" for name, kind in names.items()]
        own = re.compile("|".join(rf"(?<!\S){re.escape(spelling)}(?![\w-])" for spelling in spellings))
        found = [run for run in runs if own.search(run)]
        if not found:
            yield f"{path} {spellings[-1]} is never used"
            continue
        for value in argument.get("allValues", []):
            taken = re.compile("|".join(rf"{re.escape(s)}[ =]{re.escape(value)}(?![\w-])" for s in spellings))
            if not any(taken.search(run) for run in found):
                yield f"{path} {spellings[-1]} {value} is never used"
