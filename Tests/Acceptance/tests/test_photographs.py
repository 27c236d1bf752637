"""Stills of photographs: files of one frame, which is shown for as long as the file is nominally."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.running import ffmpeg
from acceptance.tool import tool

# Endings of names, and how ffmpeg makes such a photograph.
KINDS = {
    "png": "-c:v png",
    "jpg": "-c:v mjpeg -pix_fmt yuvj420p",
    "webp": "-c:v libwebp",
    "tiff": "-c:v tiff",
    "bmp": "-c:v bmp",
    "gif": "-c:v gif",
    "avif": "-c:v libaom-av1 -still-picture 1",
}
of_every_kind = pytest.mark.parametrize("kind", KINDS)


def make_photograph(folder: Path, kind: str) -> Path:
    path = folder / f"photo.{kind}"
    ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", *KINDS[kind].split(), path)
    return path


@of_every_kind
def test_any_time_of_a_photograph_names_its_one_frame(tmp_path: Path, kind: str) -> None:
    """The end of a photograph was beyond a cut that there is not."""
    times = ["end", "100%", "1/1", "50%", "1/3", "#0", "#-1", "0", "start", "end-1ms"]
    photograph = make_photograph(tmp_path, kind)
    run = tool(tmp_path, "thumbs", "--at", ",".join(times), "--json", photograph).expect()
    assert run.diagnostics == ""
    assert [still["actual"]["value"] for still in run.json] == [0] * len(times)


@of_every_kind
@pytest.mark.parametrize(
    ("options", "count"),
    [
        ("--count 3", 3),
        ("--every 1s", 1),
        ("--keyframes", 1),
        ("--scenes", 1),
        ("--at end --tolerance 1s", 1),
        ("--at end --representative", 1),
        ("--count 2 --from 25% --to 75%", 2),
        ("--keyframes --to end", 1),
    ],
)
def test_every_way_to_choose_stills_gives_the_frame_of_a_photograph(
    tmp_path: Path, kind: str, options: str, count: int
) -> None:
    run = tool(tmp_path, "thumbs", *options.split(), make_photograph(tmp_path, kind)).expect()
    assert run.diagnostics == ""
    assert len(run.lines) == count
    assert all(" → 0  " in line for line in run.lines), run


@of_every_kind
@pytest.mark.parametrize("command", ["verify", "scenes", "sheet --at end", "sheet --scenes", "sheet"])
def test_a_photograph_is_whole_to_every_command(tmp_path: Path, kind: str, command: str) -> None:
    run = tool(tmp_path, *command.split(), make_photograph(tmp_path, kind)).expect()
    assert "cut short" not in run.diagnostics
