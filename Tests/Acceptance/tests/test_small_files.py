"""Files of kilobytes that ask for gigabytes or minutes: 900 MB and 30 seconds of the processor are the most for any."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from acceptance.hostile_media import box, edited, joined, movie, mp3, syncsafe
from acceptance.running import AVTOOL, ROOT
from acceptance.tool import tool

MEGABYTES = 900
SECONDS = 30
# FFmpeg decodes something of each track whenever a file is opened: as many as `streams` allows take their time.
KNOWN_SECONDS = {"tracks.mp4": 120}
CODES = {0, 1, 65, 75}
COMMANDS: dict[str, list[str]] = {
    "info": ["info"],
    "thumbs": ["thumbs", "--at", "0", "--force", "-o", "still.png"],
    "sheet": ["sheet", "--force", "-o", "sheet.png"],
    "storyboard": ["storyboard", "--force", "-o", "board"],
    "frames": ["frames", "--to", "0.2s", "--force", "-o", "frames.y4m"],
    "waveform": ["waveform", "--force", "-o", "waveform.png"],
    "scenes": ["scenes"],
    "verify": ["verify", "--samples", "1"],
    "export passthrough": ["export", "--preset", "passthrough", "--force", "-o", "copy.mkv"],
    "export low": ["export", "--preset", "low", "--range", "0s+2s", "--force", "-o", "low.mp4"],
    "metadata show": ["metadata", "show"],
    "metadata set": ["metadata", "set", "title=x", "--dry-run"],
    "chapters show": ["chapters", "show"],
}


def tracks(count: int) -> bytes:
    """A movie with its first track many times over."""
    found = movie()
    [index] = [index for index, (kind, _) in enumerate(found) if kind == b"moov"]

    def multiplied(content: bytes) -> bytes:
        track = content.index(b"trak") - 4
        size = struct.unpack_from(">I", content, track)[0]
        return content[:track] + content[track : track + size] * count

    found[index] = (b"moov", multiplied(found[index][1]))
    return joined(found)


def edits(count: int) -> bytes:
    """A movie whose tracks show one moment after the other, many times."""
    rows = b"".join(struct.pack(">IiI", 1, number * 7919 % 1000, 0x10000) for number in range(count))
    content = box(b"elst", struct.pack(">II", 0, count), rows)
    return edited((b"moov", b"trak"), lambda track: box(b"edts", content) + without_edits(track))


def without_edits(track: bytes) -> bytes:
    place = track.find(b"edts") - 4
    return track if place < 0 else track[:place] + track[place + struct.unpack_from(">I", track, place)[0] :]


def comments(path: Path, count: int, unsynchronised: bool) -> bytes:
    """Music with many comments of a few bytes."""
    frames = b"".join(
        b"COMM" + (struct.pack(">I", len(text)) if unsynchronised else syncsafe(len(text))) + bytes(2) + text
        for text in (b"\0eng" + str(number).encode() + b"\0v" for number in range(count))
    )
    return b"ID3" + (b"\3\0\x80" if unsynchronised else b"\4\0\0") + syncsafe(len(frames)) + frames + mp3(path)


def gif(width: int, height: int, count: int) -> bytes:
    """Pictures of one pixel, each on a canvas of many."""
    frame = b"\x21\xf9\4\4\1\0\0\0\x2c" + struct.pack("<HHHH", 0, 0, 1, 1) + b"\0\2\2\x44\1\0"
    head = b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0" + b"\0\0\0\xff\xff\xff"
    return head + frame * count + b";"


def apng(side: int, count: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    def control(number: int, width: int, dispose: int) -> bytes:
        return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, width, 0, 0, 1, 25, dispose, 0))

    row = zlib.compressobj(9)
    picture = b"".join(row.compress(bytes(side * 3 + 1)) for _ in range(side)) + row.flush()
    parts = [
        chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)),
        chunk(b"acTL", struct.pack(">II", count, 0)),
    ]
    parts += [control(0, side, 0), chunk(b"IDAT", picture)]
    for number in range(1, 2 * count - 1, 2):
        parts += [control(number, 1, 2), chunk(b"fdAT", struct.pack(">I", number + 1) + zlib.compress(bytes(4)))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")


FILES: dict[str, Callable[[Path], bytes]] = {
    "tracks.mp4": lambda _: tracks(255),
    "edits-1000.mp4": lambda _: edits(1000),
    "edits-100000.mp4": lambda _: edits(100_000),
    "comments.mp3": lambda path: comments(path, 200_000, False),
    "comments-unsynchronised.mp3": lambda path: comments(path, 200_000, True),
    "canvas-largest.gif": lambda _: gif(4700, 4700, 200),
    "canvas.gif": lambda _: gif(11_000, 11_000, 200),
    "canvas-wide.gif": lambda _: gif(65_535, 2048, 500),
    "canvas-largest.apng": lambda _: apng(4700, 100),
    "canvas.apng": lambda _: apng(8000, 100),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_small_files_take_little(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FILES[name](tmp_path))
    problems = []
    for label, words in COMMANDS.items():
        run = [sys.executable, "-m", "acceptance.measured", str(tmp_path / "said"), "timeout", "120"]
        command = ["env", "-C", str(tmp_path), AVTOOL, *words, name]
        done = subprocess.run([*run, *command], cwd=ROOT / "Tests/Acceptance", check=True, capture_output=True)
        code, seconds, megabytes = json.loads(done.stdout)
        print(name, label, code, f"{seconds:.1f} s", round(megabytes), "MB")
        if code not in CODES or megabytes > MEGABYTES or seconds > KNOWN_SECONDS.get(name, SECONDS):
            said = (tmp_path / "said").read_text(errors="replace").splitlines()[-1:]
            problems.append(f"{label}: exit code {code}, {seconds:.1f} s, {megabytes:.0f} MB: {said}")
    assert not problems, "\n".join(problems)


def test_many_tracks_to_encode_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "tracks.mp4").write_bytes(tracks(255))
    words = ["export", "--preset", "low", "--range", "0s+1s", "-o", "low.mp4", "tracks.mp4"]
    run = tool(tmp_path, *words).expect(75)
    assert "255 tracks would be encoded side by side" in run.diagnostics, run
    assert "--limit encoding-memory=" in run.diagnostics
    (tmp_path / "three.mp4").write_bytes(tracks(3))
    tool(tmp_path, *words[:-1], "three.mp4").expect()
    (tmp_path / "low.mp4").unlink()
    tool(tmp_path, *words[:-1], "--limit", "encoding-memory=1MiB", "three.mp4").expect(75)


def test_more_edits_than_are_read_are_refused_by_name(tmp_path: Path) -> None:
    name = "edits-100000.mp4"
    (tmp_path / name).write_bytes(FILES[name](tmp_path))
    assert "edits" in tool(tmp_path, "verify", name).expect(75).diagnostics


def test_frames_of_a_tag_beyond_those_that_are_read_are_named(tmp_path: Path) -> None:
    name = "comments.mp3"
    (tmp_path / name).write_bytes(FILES[name](tmp_path))
    assert "has more than 65536 frames" in tool(tmp_path, "info", name).expect(0).diagnostics
