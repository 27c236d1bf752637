"""Compares stills with pictures that ffmpeg's zscale filter makes of the same frames.

For each file, takes stills at 10, 50 and 90 % of its duration, lets ffmpeg pick the very
frames by their times and convert them with the matrix, range and chroma position that the
stream states (or the field's defaults); the SSIM of both is at least 0.98. HDR, interlaced and
RGB pictures are left out, and so are those that are turned, cropped or not of square
pixels: there the two would differ in more than colour.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from acceptance import films
from acceptance.running import AVTOOL, Json, parsed

LOWEST = 0.98
MATRICES = {"bt709": "709", "smpte170m": "170m", "bt470bg": "470bg", "bt2020nc": "2020_ncl", "smpte240m": "240m"}


def run_text(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def probe(path: Path) -> Json | None:
    entries = "stream=index,width,height,pix_fmt,color_space,color_range,color_transfer,chroma_location,field_order"
    entries += ",sample_aspect_ratio,codec_name,start_pts:stream_side_data:format=start_time"
    streams: list[Json] = parsed(
        ["ffprobe", "-v", "quiet", "-select_streams", "v:0", "-show_entries", entries, "-of", "json", str(path)]
    ).get("streams", [])
    return next(iter(streams), None)


def reason_to_leave_out(stream: Json, info: Json) -> str | None:
    if stream.get("color_transfer") in ("smpte2084", "arib-std-b67"):
        return "HDR"
    if not re.match("(yuv|nv)", stream.get("pix_fmt", "")) or "yuva" in stream["pix_fmt"]:
        return "not YCbCr"
    if stream.get("field_order", "progressive") not in ("progressive", "unknown"):
        return "interlaced"
    if stream["width"] < 16 or stream["height"] < 16:
        return "too small for SSIM"
    track = next((t for t in info.get("tracks", []) if t["mediaType"] == "video"), None)
    size = {"width": stream["width"], "height": stream["height"]}
    if not track or track["displaySize"] != size or stream.get("side_data_list"):
        return "turned, cropped or not of square pixels"
    return None


def reference_filter(stream: Json) -> str:
    matrix = MATRICES.get(stream.get("color_space", ""), "170m" if stream["height"] < 720 else "709")
    is_full = stream["pix_fmt"].startswith("yuvj") or stream.get("color_range") == "pc"
    location = stream.get("chroma_location", "left")
    location = location if location not in ("unspecified", "unknown") else "center" if is_full else "left"
    return (
        f"zscale=matrixin={matrix}:rangein={'full' if is_full else 'limited'}:chromalin={location}"
        ":matrix=gbr:range=full:filter=bicubic,format=gbrp"
    )


def ssim(path: Path, time: str, stream: Json, folder: Path) -> float | None:
    still = folder / "still.png"
    made = run_text(AVTOOL, "thumbs", "--at", time, "--json", "--force", "-o", str(still), str(path))
    try:
        line = json.loads(made.stdout)
        numbers = still_numbers(path, line)
    except (ValueError, KeyError):
        return None
    best = None
    for number in numbers:
        graph = f"[0:v:0]select=eq(n\\,{number}),{reference_filter(stream)}[a];[1:v]format=gbrp[b];[a][b]ssim"
        command = ["-v", "info", "-i", str(path), "-i", str(still), "-filter_complex", graph, "-f", "null", "-"]
        found = re.findall(r"All:([0-9.]+)", run_text("ffmpeg", *command).stderr)
        best = max(best or 0, float(found[-1])) if found else best
    return best


def still_numbers(path: Path, line: Json) -> set[int]:
    """The frame's places in ffmpeg's output: by its distance from the first one, and from zero."""
    result = run_text(
        "ffmpeg",
        "-v",
        "error",
        "-i",
        str(path),
        "-map",
        "0:v:0",
        "-fps_mode",
        "passthrough",
        "-copyts",
        "-vf",
        "scale=16:16",
        "-f",
        "framecrc",
        "-",
    )
    rows = [row.split(",") for row in result.stdout.splitlines() if row and not row.startswith("#")]
    base = re.search(r"#tb 0: (\d+)/(\d+)", result.stdout)
    if not rows or not base:
        return set()
    tick = int(base[1]) / int(base[2])
    numbers = set()
    for start in (int(rows[0][2]), 0):
        distances = [abs((int(row[2]) - start) * tick - line["actual"]["seconds"]) for row in rows]
        nearest = min(range(len(rows)), key=distances.__getitem__)
        if distances[nearest] < 0.002:
            numbers.add(nearest)
    return numbers


@pytest.mark.parametrize(
    "file",
    [
        *films.fixtures(quick="movie.mp4 bt709-tagged.mp4 bt601-tagged.mp4 full-range.mp4 10bit.mp4 vp9.webm"),
        *films.corpus(),
    ],
)
def test_colours(file: Path, tmp_path: Path) -> None:
    stream = probe(file)
    if stream is None:
        pytest.skip("no pictures")
    described = parsed([AVTOOL, "info", "--json", file])
    if reason := reason_to_leave_out(stream, described) if described else "not opened":
        pytest.skip(reason)
    values = {time: ssim(file, time, stream, tmp_path) for time in ("10%", "50%", "90%")}
    if all(value is None for value in values.values()):
        pytest.skip("ffmpeg finds none of the frames")
    assert not {time: value for time, value in values.items() if value is not None and value < LOWEST}
