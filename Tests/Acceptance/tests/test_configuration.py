"""Options that are always wanted, from the configuration file; and how much is printed besides results."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.tool import ToolRun, copy_fixture, names, picture_size, tool


@pytest.fixture(autouse=True)
def movie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A video, and no configuration but the test's own."""
    monkeypatch.delenv("AVTOOL_CONFIG", raising=False)
    return copy_fixture("movie.mp4", tmp_path / "movie.mp4")


def configured(folder: Path, config: str, *words: str) -> ToolRun:
    (folder / "config").write_text(config)
    return tool(folder, *words, environment={"AVTOOL_CONFIG": "config"})


# --- the configuration file -------------------------------------------------------------


def test_configured_options_hold_where_the_command_line_says_nothing_else(tmp_path: Path) -> None:
    config = "# mine\n[all]\nsandbox = auto\n\n[thumbs]\nformat = jpeg\n--size = 64x0\n; done\n"
    run = configured(tmp_path, config, "thumbs", "--at", "1", "movie.mp4")
    assert run.text.endswith("movie-1.jpg\n"), run
    assert picture_size(tmp_path / "movie-1.jpg") == "mjpeg,64,48"
    words = ["-q", "thumbs", "--at", "1", "--format=png", "--size", "32x0", "movie.mp4"]
    configured(tmp_path, config, *words).expect(0)
    assert picture_size(tmp_path / "movie-1.png") == "png,32,24"
    words = ["thumbs", "--no-config", "--at", "2", "-o", "plain.png", "movie.mp4"]
    configured(tmp_path, config, *words).expect(0)
    assert picture_size(tmp_path / "plain.png") == "png,320,240"
    configured(tmp_path, config, "plan", "-o", "p", "thumbs", "--at", "1", "movie.mp4").expect(0)
    assert '"--size=64x0"' in (tmp_path / "p").read_text()


@pytest.mark.parametrize("command", ["metadata show movie.mp4", "metadata movie.mp4"])
def test_configured_options_are_those_of_the_command_that_is_meant(command: str, tmp_path: Path) -> None:
    yes, no = ("[metadata show]\nidentifiers = yes\n", "[metadata show]\nidentifiers = no\n")
    words = command.split()
    assert "itsk/%A9nam" in configured(tmp_path, yes, *words).expect(0).text
    assert "itsk/%A9nam" not in configured(tmp_path, no, *words).expect(0).text
    assert "itsk/" not in configured(tmp_path, yes, "--no-config", *words).expect(0).text


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("x = 1", "config:1: options come after"),
        ("[thumbz]", "config:1: there is no command 'thumbz'"),
        ("[thumbs", "config:1: a section"),
        ("[thumbs]\nsize", "config:2: an option is written"),
        ("[all]\nsize = 1x1", "config:2: [all] takes"),
        ("[thumbs]\nevry = 2s", "do you mean --every?"),
        ("[thumbs]\nevery = 2s", "(options of config count too)"),
    ],
)
def test_configured_options_that_make_no_sense_are_one_line_and_no_file(config: str, said: str, tmp_path: Path) -> None:
    run = configured(tmp_path, config, "thumbs", "--at", "1", "movie.mp4").expect(64)
    assert len(run.diagnostic_lines) == 1, run
    assert said in run.diagnostics, run
    assert names(tmp_path) == ["config", "movie.mp4"]


def test_configured_options_come_from_the_folder_of_the_user_where_there_need_be_none(tmp_path: Path) -> None:
    folder = tmp_path / "c/avtool"
    folder.mkdir(parents=True)
    home = {"XDG_CONFIG_HOME": str(tmp_path / "c")}
    title = ["metadata", "get", "title", "movie.mp4"]
    assert tool(tmp_path, *title, environment=home).text == "Counting bars\n"
    (folder / "config").write_text("[metadata]\n")
    assert tool(tmp_path, *title, environment=home).text == "Counting bars\n"
    (folder / "config").write_text("[thumbs]\nsize = 16x0\n")
    tool(tmp_path, "thumbs", "--at", "0", "movie.mp4", environment=home)
    assert picture_size(tmp_path / "movie-1.png") == "png,16,12"
    # An empty name is no file, and one that is not there is a mistake.
    tool(tmp_path, "thumbs", "--at", "0", "-o", "big.png", "movie.mp4", environment={**home, "AVTOOL_CONFIG": ""})
    assert picture_size(tmp_path / "big.png") == "png,320,240"
    in_a_file = {"XDG_CONFIG_HOME": str(tmp_path / "movie.mp4")}
    assert tool(tmp_path, *title, environment=in_a_file).text == "Counting bars\n"
    tool(tmp_path, "--version", environment={**home, "AVTOOL_CONFIG": "none"}).expect(64)


# --- quiet and verbose ------------------------------------------------------------------


def test_an_export_warns_of_what_is_lost(tmp_path: Path) -> None:
    run = tool(tmp_path, "export", "--preset", "hls", "-o", "a", "movie.mp4")
    assert "lost: chapters" in run.diagnostics, run


@pytest.mark.parametrize("words", ["-q export --preset hls -o b", "export --quiet --preset hls -o c"])
def test_a_quiet_run_prints_its_results_and_no_warnings(words: str, tmp_path: Path) -> None:
    run = tool(tmp_path, *words.split(), "movie.mp4").expect(0)
    assert run.diagnostics == "" and run.text != "", run


def test_a_quiet_run_prints_failures(tmp_path: Path) -> None:
    assert tool(tmp_path, "info", "-q", "none.mp4").diagnostics == "avtool: none.mp4: no such file\n"


def test_a_verbose_run_says_how_the_work_is_done(tmp_path: Path) -> None:
    run = tool(tmp_path, "-v", "thumbs", "--at", "0", "movie.mp4")
    assert "libavcodec " in run.diagnostics and "isolation: " in run.diagnostics, run
    assert run.diagnostic_lines[-1].startswith("avtool: 1 file in "), run
