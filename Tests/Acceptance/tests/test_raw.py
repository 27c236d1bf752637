"""Stills as pixels for programs, against the PNGs of the same times as ffmpeg decodes them."""

from __future__ import annotations

import json
import signal
import subprocess
import zlib
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import AVTOOL, text
from acceptance.tool import LIMIT

NAMES = ["movie.mp4", "rotate-90.mp4", "anamorphic.mp4", "odd-33x17.mp4", "10bit.mp4", "vp9.webm", "alpha-vp9.webm"]


def run(folder: Path, *words: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([AVTOOL, "thumbs", *map(str, words)], cwd=folder, capture_output=True, timeout=120)


def streamed(output: bytes) -> list[tuple[dict[str, object], bytes]]:
    """The lines and the pixels that follow each."""
    found = []
    while output:
        line, output = output.split(b"\n", 1)
        row = json.loads(line)
        count = int(row.get("byteCount", 0))
        assert len(output) >= count
        found.append((row, output[:count]))
        output = output[count:]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_pixels_are_those_of_the_pngs(name: str, tmp_path: Path) -> None:
    film, times = fixture(name), "1/3,0,end"
    background = ["--background", "#000000"] if "alpha" in name else []
    pngs = run(tmp_path, "--at", times, "--json", *background, "-o", "{index}.png", film)
    assert pngs.returncode == 0, text(pngs.stderr)
    raw = run(tmp_path, "--at", times, "--json", "--format", "raw", "-o", "-", film)
    assert raw.returncode == 0, text(raw.stderr)
    found = streamed(raw.stdout)
    wanted = {row["index"]: row for row in map(json.loads, pngs.stdout.splitlines())}
    assert sorted(int(str(row["index"])) for row, _ in found) == [1, 2, 3]
    # In the order of their times, as other results come.
    assert [row["index"] for row, _ in found] == list(wanted)
    for row, pixels in found:
        png = wanted[row["index"]]
        command = ["ffmpeg", "-v", "error", "-i", png["file"], "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout == pixels
        assert len(pixels) == int(str(row["width"])) * int(str(row["height"])) * 3
        assert row["pixelFormat"] == "rgb24" and "file" not in row
        for key in ("requested", "actual", "duration", "exact", "damaged", "isSyncSample", "width", "height"):
            assert row.get(key) == png.get(key), key
    bare = run(tmp_path, "--at", times, "--format", "raw", "-o", "-", film)
    assert bare.stdout == b"".join(pixels for _, pixels in found)


def test_failures_stand_between_pictures(tmp_path: Path) -> None:
    done = run(
        tmp_path, "--at", "1,99,2", "--format", "raw", "--json", "--size", "32x0", "-o", "-", fixture("movie.mp4")
    )
    assert done.returncode == 65
    rows = streamed(done.stdout)
    assert {row["index"]: "error" in row for row, _ in rows} == {1: False, 2: True, 3: False}
    assert all(bool(pixels) != ("error" in row) for row, pixels in rows)


def test_several_sizes_and_many_pictures(tmp_path: Path) -> None:
    words = ["--every", "0.04s", "--size", "64x0", "--size", "32x0", "--format", "raw", "--json", "-o", "-"]
    done = run(tmp_path, *words, fixture("movie.mp4"))
    rows = [row for row, _ in streamed(done.stdout)]
    assert done.returncode == 0 and len(rows) == 500
    assert {int(str(row["width"])) for row in rows} == {64, 32}


def test_mistakes(tmp_path: Path) -> None:
    film = fixture("movie.mp4")
    for words in (
        ["--at", "1", "--format", "raw"],
        ["--at", "1", "--format", "raw", "-o", "x.rgb"],
        ["--at", "1", "--format", "raw", "-o", "-", film],
        ["--at", "1", "--format", "raw", "--hdr", "-o", "-"],
        ["--cover", "--format", "raw", "-o", "-"],
    ):
        done = run(tmp_path, *words, film)
        assert done.returncode == 64 and not done.stdout, words
    assert list(tmp_path.glob("*.rgb")) == list(tmp_path.glob("*.png")) == []


def test_a_reader_that_goes_ends_the_command(tmp_path: Path) -> None:
    words = ["--every", "0.04s", "--format", "raw", "-o", "-", str(fixture("movie.mp4"))]
    process = subprocess.Popen([AVTOOL, "thumbs", *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    process.stdout.read(1000)
    process.stdout.close()
    assert process.wait(LIMIT) == -signal.SIGPIPE


def test_the_compressor_begins_with_bytes_of_its_own(tmp_path: Path) -> None:
    """What ISA-L makes of a picture hangs on its state's address, unless its first flush has eight bytes.

    Seldom enough for no test to see it, and often enough for runs to differ.
    """
    run(tmp_path, "--at", "0", "-o", "a.png", fixture("movie.mp4"))
    data = (tmp_path / "a.png").read_bytes()
    (chunks, place) = ([], 8)
    while place < len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        if data[place + 4 : place + 8] == b"IDAT":
            chunks.append(data[place + 8 : place + 8 + length])
        place += length + 12
    assert len(zlib.decompressobj().decompress(chunks[0])) == 16
    assert len(zlib.decompress(b"".join(chunks))) == 240 * (1 + 320 * 3)
