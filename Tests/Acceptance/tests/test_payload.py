"""What a worker can do that a file has taken over: what docs/isolation.md says, in every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.payload import LAYERS, expected, taken_over
from acceptance.tool import copy_fixture

# A job of each kind, with time enough to be taken over; exports of two passes had a wider filter once.
COMMANDS = {
    "thumbs": ["thumbs", "--every", "10ms", "-o", "{index}.png"],
    "sheet": ["sheet", "-o", "sheet.png"],
    "storyboard": ["storyboard", "--every", "100ms", "-o", "board"],
    "frames": ["frames", "-o", "frames.y4m"],
    "waveform": ["waveform", "-o", "waveform.png"],
    "scenes": ["scenes"],
    "info": ["info"],
    "verify": ["verify"],
    "metadata show": ["metadata", "show"],
    "metadata set": ["metadata", "set", "title=x"],
    "chapters show": ["chapters", "show"],
    "export passthrough": ["export", "--preset", "passthrough", "-o", "out.mp4"],
    "export low": ["export", "--preset", "low", "-o", "out.mp4"],
    "export two passes": ["export", "--preset", "low", "--multi-pass", "-o", "out.mp4"],
}


@pytest.mark.peer("strace")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_taken_over_worker_does_what_the_table_says(command: str, tmp_path: Path) -> None:
    film = copy_fixture("movie.mp4", tmp_path / "film.mp4")
    assert taken_over(tmp_path, film, [*COMMANDS[command], film]) == expected(0)


@pytest.mark.peer("strace")
@pytest.mark.parametrize("command", ["thumbs", "export two passes"])
def test_a_taken_over_worker_without_landlock_does_what_the_table_says(command: str, tmp_path: Path) -> None:
    film = copy_fixture("movie.mp4", tmp_path / "film.mp4")
    lacking = LAYERS["Landlock"]
    assert taken_over(tmp_path, film, [*COMMANDS[command], film], lacking) == expected(1)
