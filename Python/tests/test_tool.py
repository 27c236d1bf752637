from __future__ import annotations

import os
from pathlib import Path

import pytest

import avtool


def test_where_the_tool_is(tool: avtool.Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "avtool").symlink_to(tool.executable)
    monkeypatch.delenv("AVTOOL", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert avtool.Tool().executable == str(tmp_path / "avtool")
    monkeypatch.setenv("AVTOOL", tool.executable)
    assert avtool.Tool().executable == tool.executable
    assert avtool.Tool(tmp_path / "avtool").executable == str(tmp_path / "avtool")
    assert avtool.Tool(tool.executable).version()[0].isdigit()


def test_no_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("AVTOOL", raising=False)
    for executable in (None, tmp_path, tmp_path / "nothing", os.devnull):
        with pytest.raises(avtool.ToolNotFound):
            avtool.Tool(executable)
