"""The storyboards' page as its sources stand in the tree."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import tinycss2

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "Sources/MediaPreviews/Page"


def errors(nodes: list[Any]) -> list[str]:
    found = []
    for node in nodes:
        if node.type == "error":
            found.append(f"line {node.source_line}: {node.message}")
        if node.type == "qualified-rule":
            found += errors(tinycss2.parse_blocks_contents(node.content))
        elif node.type == "at-rule" and node.content is not None:
            found += errors(tinycss2.parse_rule_list(node.content))
    return found


def test_style_sheet_has_no_errors() -> None:
    sheet = (FOLDER / "page.css").read_text(encoding="utf-8")
    assert errors(tinycss2.parse_stylesheet(sheet)) == []
    assert errors(tinycss2.parse_stylesheet(sheet.replace("margin: 0", "margin 0", 1))) != []


def test_what_is_in_the_library_is_current() -> None:
    assert subprocess.run([ROOT / "tools/page", "--check"], check=False).returncode == 0
