"""What `avtool presets` lists, shows and checks: the presets that come with it, and those of the user."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import ROOT
from acceptance.tool import ToolRun, names, tool

PRESETS = ROOT / "presets"


def presets(folder: Path, *words: object) -> ToolRun:
    """Runs the command with a folder of settings of the test's own."""
    return tool(folder, "presets", *words, environment={"XDG_CONFIG_HOME": str(folder / "config")})


def low() -> str:
    return (PRESETS / "low.json").read_text(encoding="utf-8")


def install_preset(folder: Path, name: str, description: str) -> Path:
    """Puts a preset where those of the user are."""
    path = folder / f"config/avtool/presets/{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    document = low().replace('"low"', f'"{name}"')
    path.write_text(document.replace("H.264 and stereo AAC for previews and slow networks.", description))
    return path


def test_presets_are_listed_a_line_each_with_those_of_the_user(tmp_path: Path) -> None:
    mine = install_preset(tmp_path, "mine", "Mine.")
    own_low = install_preset(tmp_path, "low", "My low.")
    run = presets(tmp_path, "list").expect(0)
    assert run.diagnostics == ""
    assert len(run.lines) == 33
    assert run.lines[0] == "passthrough      Everything as it is, in another container or trimmed. [mov mp4 m4v]"
    assert run.lines[5].startswith(f"low              My low. [mp4 mov m4v] [from {own_low}]"), run
    assert run.lines[32].startswith(f"mine             Mine. [mp4 mov m4v] [from {mine}]"), run


def test_presets_are_listed_as_json(tmp_path: Path) -> None:
    objects = presets(tmp_path, "list", "--json").json
    assert len(objects) == 32
    found = next(preset for preset in objects if preset["name"] == "hevc-1920x1080")
    assert found["avFoundation"] == "AVAssetExportPresetHEVC1920x1080"
    assert found["fileTypes"] == ["mp4", "mov", "m4v", "mkv"]
    assert found["available"] is True and found.get("reason") is None and found.get("file") is None


def test_presets_are_listed_although_one_of_the_user_is_broken(tmp_path: Path) -> None:
    mine = install_preset(tmp_path, "mine", "")
    run = presets(tmp_path, "list").expect(65)
    assert len(run.lines) == 32
    assert run.diagnostic_lines == [f"avtool: mine: {mine}: description: must have from 1 to 500 characters"]


def test_presets_are_shown_as_they_are_written(tmp_path: Path) -> None:
    document = (PRESETS / "webm-vp9.json").read_bytes()
    assert presets(tmp_path, "show", "webm-vp9", "--json").output == document
    run = presets(tmp_path, "show", "webm-vp9").expect(0)
    assert run.lines[0] == "webm-vp9"
    assert "  transparency: is kept" in run.lines
    assert "  makes: webm, mkv" in run.lines
    assert "  size: 7680x4320 at most" in presets(tmp_path, "show", "AVAssetExportPresetHEVC7680x4320").lines


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("no-such", 64, "avtool: there is no preset no-such; there are passthrough, copy-video-aac, "),
        ("./no.json", 66, "avtool: ./no.json: no such file"),
        (
            "AVAssetExportPresetMVHEVC960x960",
            64,
            "avtool: the preset AVAssetExportPresetMVHEVC960x960 is not available",
        ),
    ],
    ids=["no-such", "no.json", "MVHEVC960x960"],
)
def test_a_preset_that_is_not_there_is_an_error_of_one_line(name: str, code: int, said: str, tmp_path: Path) -> None:
    run = presets(tmp_path, "show", name).expect(code)
    assert run.output == b""
    assert len(run.diagnostic_lines) == 1 and run.diagnostics.startswith(said), run


def test_presets_are_all_checked_and_the_first_failure_counts(tmp_path: Path) -> None:
    install_preset(tmp_path, "mine", "Mine.")
    good = "config/avtool/presets/mine.json"
    (tmp_path / "bad.json").write_text(r'{"name": "x\u001b", "quality": 1}')
    (tmp_path / "worse.json").write_text("[")
    run = presets(tmp_path, "check", good, "bad.json", "no.json", "worse.json").expect(65)
    assert run.lines == [f"{good}: mine is valid"]
    assert len(run.diagnostic_lines) == 3, run
    bad, missing, worse = run.diagnostic_lines
    assert bad.startswith("avtool: bad.json: quality: there is no such key; allowed are $schema")
    assert missing == "avtool: no.json: no such file"
    assert worse.startswith("avtool: worse.json: is not JSON: ")
    presets(tmp_path, "check", "no.json").expect(66)
    presets(tmp_path, "check", good).expect(0)
    presets(tmp_path, "check").expect(64)
    objects = presets(tmp_path, "check", "--json", good, "no.json").json
    assert objects[0]["name"] == "mine" and objects[0]["available"] is True
    assert objects[1]["error"]["code"] == "noSuchInput"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"preset": "medium"',
            '"presett": "medium"',
            "video.options.presett: the encoder libx264 has no option presett",
        ),
        ('"preset": "medium"', '"preset": "mediumm"', "video.options.preset: "),
        ('"profile": "high"', '"profile": "hihg"', "video.options.profile: "),
        ('"options": {', '"parameters": {"no-such": 1}, "options": {', "video.parameters.no-such: "),
        ('"mp4", "mov"', '"webm", "mov"', "fileTypes: webm files cannot hold h264, which video.encoder makes"),
    ],
    ids=["unknown option", "unknown value", "unknown profile", "unknown parameter", "container"],
)
def test_a_preset_that_no_encoder_or_container_can_do_is_refused_and_so_are_its_exports(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    """Such documents were valid, and their exports failed."""
    assert old in low()
    (tmp_path / "mine.json").write_text(low().replace(old, new))
    run = presets(tmp_path, "check", "mine.json").expect(64)
    assert run.diagnostics.startswith(f"avtool: mine.json: {said}"), run
    ending = "webm" if "webm" in new else "mp4"
    tool(tmp_path, "export", "--preset", "./mine.json", "-o", f"x.{ending}", fixture("movie.mp4")).expect(64)
    assert names(tmp_path) == ["mine.json"]


def test_presets_that_come_with_the_tool_pass_their_own_check(tmp_path: Path) -> None:
    promised = sorted(path for path in PRESETS.glob("*.json") if path.name != "preset.schema.json")
    assert len(promised) > 30
    run = presets(tmp_path, "check", *promised).expect(0)
    assert len(run.lines) == len(promised)
