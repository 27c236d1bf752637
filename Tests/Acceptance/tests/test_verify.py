"""`avtool verify`: what it counts in whole, damaged and unreadable files."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.tool import sidecar, tool


@pytest.mark.parametrize("name", ["movie.mov", "hevc-open-gop.ts", "edit-list-trim.mp4"])
def test_an_undamaged_file_passes_verify(tmp_path: Path, name: str) -> None:
    [found] = tool(tmp_path, "verify", "--json", "--samples", "40", fixture(name)).expect().json
    assert found["frames"] == len(sidecar(name)["frames"])
    assert found["wrong"] == 0
    assert found["refused"] == 0
    assert found["passed"] is True


def test_the_table_of_verify_has_a_head_and_a_row_for_each_file(tmp_path: Path) -> None:
    run = tool(tmp_path, "verify", "--samples", "5", fixture("one-frame.mp4"), fixture("vfr.mp4")).expect()
    [head, first, second] = run.lines
    assert "frames" in head and "wrong" in head
    assert first.endswith("exact")
    assert "100" in second and second.endswith("exact")


def test_verify_refuses_parts_of_a_damaged_file_and_finds_none_wrong(tmp_path: Path) -> None:
    [found] = tool(tmp_path, "verify", "--json", "--samples", "250", fixture("damaged.mp4")).expect(65).json
    assert found["wrong"] == 0
    assert found["refused"] > 0
    assert found["passed"] is False


@pytest.mark.parametrize(
    ("name", "code"), [("missing.mp4", 66), ("text.mp4", 65), ("huge-header.mkv", 75), ("audio-only.m4a", 65)]
)
def test_verify_of_what_it_cannot_read_fails_with_the_documented_code(tmp_path: Path, name: str, code: int) -> None:
    run = tool(tmp_path, "verify", fixture(name)).expect(code)
    assert len(run.diagnostic_lines) == 1
