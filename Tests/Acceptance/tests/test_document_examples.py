"""Examples in documents: blocks marked as `console`, with commands behind a dollar, and what they print."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from acceptance.films import FIXTURES
from acceptance.running import ROOT
from acceptance.tool import shell


@dataclass(frozen=True)
class Example:
    document: str
    number: int
    lines: list[str]

    def __str__(self) -> str:
        return f"{self.document}, block {self.number}"

    @property
    def commands(self) -> list[str]:
        return [line[2:] for line in self.lines if line.startswith("$ ")]


def examples_in(document: str) -> list[Example]:
    blocks = (ROOT / document).read_text(encoding="utf-8").split("```console\n")[1:]
    lines = [[line for line in block.split("\n```")[0].split("\n") if line] for block in blocks]
    return [Example(document, number, found) for number, found in enumerate(lines, 1)]


EXAMPLES = {document: examples_in(document) for document in ("README.md", "docs/command-line.md")}


def test_documents_have_examples() -> None:
    assert len(EXAMPLES["README.md"]) >= 7
    assert sum(map(len, EXAMPLES.values())) > 9


def without_sizes(line: str) -> str:
    """A line without sizes that differ: of files by the encoder's version, of sheets by the machine's fonts."""
    return re.sub(r"\d+x\d+, (\d+ still)", r"\1", re.sub(r"[\d.]+ (bytes|kB|MB)", r"N \1", line))


@pytest.mark.parametrize("example", [example for found in EXAMPLES.values() for example in found], ids=str)
def test_an_example_in_a_document_prints_what_the_document_says(tmp_path: Path, example: Example) -> None:
    (tmp_path / "Fixtures").symlink_to(FIXTURES)
    steps = [f"printf '%s\\n' {shlex.quote('$ ' + command)}\n{command}\n" for command in example.commands]
    run = shell(tmp_path, 'exec 2>&1\nPATH=$(dirname "$AVTOOL"):$PATH\nexport AVTOOL_CONFIG=\n' + "".join(steps))
    printed = [without_sizes(line) for line in run.lines]
    for line in example.lines:
        if line == "…":
            # The document leaves out the rest of what a command prints.
            while printed and not printed[0].startswith("$ "):
                del printed[0]
        else:
            assert printed[:1] == [without_sizes(line)], run
            del printed[0]
    assert printed == [], run
