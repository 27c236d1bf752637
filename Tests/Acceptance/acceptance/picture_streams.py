"""Pictures that come one after the other: what ffmpeg decodes of them, and what stands in them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy

from acceptance.media import Probe
from acceptance.running import Json, run, text

Pixels = Any  # an array of numpy, of rows of pixels of three samples


def decoded(file: Path, *words: object) -> list[str]:
    """The checksum of each picture as ffmpeg decodes it, without turning it."""
    options = ["-map", "0:v:0", "-fps_mode", "passthrough", *words, "-f", "framemd5", "-"]
    done = run(["ffmpeg", "-v", "error", "-noautorotate", "-i", file, *options])
    assert done.returncode == 0, text(done.stderr)
    return [line.split(",")[-1].strip() for line in text(done.stdout).splitlines() if not line.startswith("#")]


def described(output: bytes) -> list[tuple[Json, bytes]]:
    """Each line, and the bytes of the picture that follows it."""
    found = []
    while output:
        line, output = output.split(b"\n", 1)
        row = json.loads(line)
        assert len(output) >= row["byteCount"] > 0
        found.append((row, output[: row["byteCount"]]))
        output = output[row["byteCount"] :]
    return found


def luma(source: Sequence[object], stream: bytes = b"") -> bytes:
    """Three pictures as ffmpeg makes them grey."""
    command = [
        "ffmpeg",
        "-v",
        "error",
        *map(str, source),
        "-frames:v",
        "3",
        "-vf",
        "format=gray",
        "-f",
        "rawvideo",
        "-",
    ]
    return subprocess.run(command, input=stream, capture_output=True, check=True).stdout


def number_in(luma: bytes, width: int = 320, height: int = 240) -> int:
    """The number that the bars of a fixture's picture show: two to check, twelve bits, parity."""
    row = luma[height // 8 * width :][:width]
    bars = [row[(2 * bar + 1) * width // 32] > 128 for bar in range(16)]
    assert bars[:2] == [True, False] and sum(bars[2:15]) % 2 == 0 and not bars[15], "no number in the picture"
    return int("".join("01"[bit] for bit in bars[2:14]), 2)


def pixels(file: Path, *filters: str) -> list[Pixels]:
    """Each picture of a file as ffmpeg decodes it."""
    shown = ["-noautorotate", "-i", file, "-map", "0:v:0", *(["-vf", ",".join(filters)] if filters else [])]
    options = ["-fps_mode", "passthrough", "-sws_flags", "accurate_rnd+full_chroma_int", "-pix_fmt", "rgb24"]
    with_size = run(["ffmpeg", "-v", "error", *shown, *options, "-c:v", "ppm", "-f", "image2pipe", "-"])
    data, found = with_size.stdout, []
    while data:
        _, size, _, rest = data.split(b"\n", 3)
        width, height = map(int, size.split())
        samples = numpy.frombuffer(rest[: width * height * 3], numpy.uint8)
        found.append(samples.reshape(height, width, 3).astype(float))
        data = rest[width * height * 3 :]
    return found


def psnr(one: Pixels, other: Pixels) -> float:
    assert one.shape == other.shape
    return float(10 * numpy.log10(255**2 / max(float(((one - other) ** 2).mean()), 1e-6)))


def times(film: Path) -> tuple[list[Fraction], Fraction]:
    """When pictures are shown, and how long the track is."""
    stream = Probe.of(film).kind("video")[0]
    entries = ["-select_streams", "v:0", "-show_entries", "frame=pts", "-of", "default=nk=1:nw=1"]
    lines = text(run(["ffprobe", "-v", "error", *entries, film]).stdout).splitlines()
    base = Fraction(stream["time_base"])
    return [int(line) * base for line in lines if line.isdigit()], stream.get("duration_ts", 0) * base
