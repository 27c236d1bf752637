"""What is said where less is kept from the worker than users expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import AVTOOL
from acceptance.tool import run_program, tool


def test_a_file_of_options_that_turns_the_sandbox_off_is_named(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("[all]\nsandbox = off\n")
    settings = {"AVTOOL_CONFIG": str(tmp_path / "config")}
    films = [fixture("movie.mp4"), fixture("cues.mkv")]
    run = tool(tmp_path, "info", *films, environment=settings)
    assert run.diagnostics.count("says sandbox = off") == 1, run
    assert f"{tmp_path}/config" in run.diagnostics
    for words in [["--sandbox=off"], ["--sandbox=auto"], ["--no-config"], ["-q"]]:
        assert "sandbox" not in tool(tmp_path, *words, "info", films[0], environment=settings).expect().diagnostics


@pytest.mark.peer("strace")
def test_a_system_without_landlock_is_told_once(tmp_path: Path) -> None:
    call = "landlock_create_ruleset"
    trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:error=ENOSYS"]
    films = [fixture("movie.mp4"), fixture("cues.mkv")]
    run = run_program([*trace, AVTOOL, "info", *films], tmp_path).expect()
    assert run.diagnostics.count("this system lacks landlock-files") == 1, run
    assert "lacks" not in run_program([*trace, AVTOOL, "-q", "info", films[0]], tmp_path).expect().diagnostics
