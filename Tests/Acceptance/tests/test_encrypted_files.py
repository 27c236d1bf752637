"""Media files that need a key, encrypted by ffmpeg or with sample entries of FairPlay: each command calls them so."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import ffmpeg
from acceptance.tool import tool

KEY = "00112233445566778899aabbccddeeff"
COMMANDS = [
    "thumbs --count 2 -o out/{index}.png",
    "thumbs --keyframes -o out/{index}.png",
    "thumbs --scenes -o out/{index}.png",
    "sheet -o sheet.png",
    "storyboard -o board/",
    "scenes",
    "verify",
    "export --preset low -o out.mp4",
    "export --preset passthrough -o out.mov",
]


def encrypt(path: Path, *options: str) -> None:
    """Two seconds of a movie under Common Encryption."""
    encryption = ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", KEY, "-encryption_kid", KEY]
    copied = ["-map", "0:v", "-map", "0:a", "-c", "copy", "-t", "2"]
    ffmpeg("-i", fixture("movie.mp4"), *copied, *encryption, *options, path)


def protect(name: str, path: Path, types: dict[str, str]) -> None:
    """A fixture whose sample entries have other types."""
    data = fixture(name).read_bytes()
    for old, new in types.items():
        # Six reserved bytes follow the type, and the number of the data reference.
        rest = bytes((0, 0, 0, 0, 0, 0, 0, 1))
        assert old.encode() + rest in data
        data = data.replace(old.encode() + rest, new.encode() + rest, 1)
    path.write_bytes(data)


def make_encrypted(kind: str, path: Path) -> None:
    if kind == "fairplay":
        protect("movie.mp4", path, {"avc1": "drmi", "mp4a": "drms"})
    else:
        encrypt(path, *(["-movflags", "frag_keyframe+empty_moov"] if kind == "cenc-fragments" else []))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ["cenc", "cenc-fragments", "fairplay"])
def test_every_command_says_that_a_file_is_encrypted_and_not_that_it_is_damaged(
    kind: str, command: str, tmp_path: Path
) -> None:
    make_encrypted(kind, tmp_path / "locked.mp4")
    run = tool(tmp_path, *command.split(), "--json", "locked.mp4").expect(65)
    errors = [event["error"] for event in run.json if "error" in event]
    assert errors, run
    for error in errors:
        assert error["code"] == "contentIsProtected", run
        assert "encrypted" in error["message"], run


@pytest.mark.parametrize("kind", ["cenc", "cenc-fragments", "fairplay"])
def test_info_calls_an_encrypted_file_and_its_tracks_so(kind: str, tmp_path: Path) -> None:
    make_encrypted(kind, tmp_path / "locked.mp4")
    run = tool(tmp_path, "info", "locked.mp4").expect(0)
    assert len([line for line in run.lines if ", encrypted" in line]) >= 2, run
    [shown] = tool(tmp_path, "info", "--json", "locked.mp4").json
    assert shown["isEncrypted"] is True
    media = [track for track in shown["tracks"] if track["mediaType"] in ("video", "audio")]
    assert media and all(track["isEncrypted"] is True for track in media), media


@pytest.mark.parametrize("kind", ["drms", "p608", "enca"])
def test_encryption_is_known_by_the_sample_entries_of_audio_and_captions(kind: str, tmp_path: Path) -> None:
    protect("audio-only.m4a", tmp_path / "locked.m4a", {"mp4a": kind})
    [shown] = tool(tmp_path, "info", "--json", "locked.m4a").json
    assert shown["isEncrypted"] is True
    run = tool(tmp_path, "export", "--preset", "passthrough", "-o", "out.m4a", "locked.m4a").expect(65)
    assert "encrypted" in run.diagnostics, run


def test_metadata_of_an_encrypted_file_stay_readable_and_writable(tmp_path: Path) -> None:
    encrypt(tmp_path / "locked.mp4")
    tool(tmp_path, "metadata", "set", "title=Locked", "-o", "named.mp4", "locked.mp4").expect(0)
    assert tool(tmp_path, "metadata", "get", "title", "named.mp4").text == "Locked\n"
    [shown] = tool(tmp_path, "info", "--json", "named.mp4").json
    assert shown["isEncrypted"] is True
