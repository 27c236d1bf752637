"""What the checks of previews compare with: all frames of a film, decoded from start to end by ffmpeg.

Times are exact fractions of a second on the asset's timeline, which is zero where the earliest
track of pictures or sound starts. Nothing here comes from avtool.
"""

from __future__ import annotations

import bisect
import json
import math
import tempfile
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from acceptance.media import Probe
from acceptance.movie import movie_box
from acceptance.running import ROOT, Json, parsed, run, text

Pixels = NDArray[Any]  # rows × columns × RGB

HDR = {"smpte2084", "arib-std-b67"}
FIXTURE_SIDECARS = ROOT / "Fixtures/expected"


class SkipError(Exception):
    """Why a film cannot be checked."""


@dataclass
class Reference:
    """The frames of a film as they are shown, scaled to a tile's size."""

    times: list[Fraction]  # ascending
    pictures: Pixels  # frames × rows × columns × RGB; None where only times are needed
    keys: list[Fraction]  # of the packets that are marked as keyframes and shown
    durations: dict[str, Fraction]  # how long the film lasts, by who says so
    display: tuple[Fraction, Fraction] | None = None  # upright, in square pixels
    is_hdr: bool = False
    is_indexed: bool = True  # the container says which samples are sync samples
    numbers: list[int | None] = field(default_factory=list)  # of a fixture's frames
    notes: list[str] = field(default_factory=list)
    folder: tempfile.TemporaryDirectory[str] | None = None  # of the decoded pictures, which are mapped into memory

    def index_at(self, time: Fraction) -> int:
        """The frame shown at a time; before the first frame that one."""
        return max(bisect.bisect_right(self.times, time) - 1, 0)

    def index_of(self, time: Fraction, tick: Fraction) -> int | None:
        """The frame of this time, which may be rounded to the track's timescale."""
        after = bisect.bisect_left(self.times, time)
        near = min((i for i in (after - 1, after) if 0 <= i < len(self.times)), key=lambda i: abs(self.times[i] - time))
        return near if abs(self.times[near] - time) < tick else None

    @staticmethod
    def of(file: Path, size: tuple[int, int]) -> Reference:
        probe = Probe.of(file)
        stream = next(iter(probe.kind("video")), None)
        if stream is None:
            raise SkipError("no video" if probe.streams else "ffprobe cannot open it")
        folder = tempfile.TemporaryDirectory(prefix="avtool-frames-")
        times, pictures = decode(file, stream, size, Path(folder.name))
        if not times:
            raise SkipError("ffmpeg decodes no frame")
        times = [time - probe.zero for time in times]
        order = sorted(range(len(times)), key=times.__getitem__)
        notes = []
        if order != list(range(len(times))):
            notes.append("ffmpeg's times go backwards")
            times, pictures = [times[i] for i in order], pictures[order]
        reference = Reference(times, pictures, [], {}, folder=folder, notes=notes)
        reference.keys = key_times(file, stream, probe.zero, set(times))
        reference.durations = durations(file, probe, reference)
        reference.display = display_size(stream, clean_aperture(file) if is_movie(probe) else None)
        reference.is_hdr = stream.get("color_transfer") in HDR
        reference.is_indexed = is_movie(probe) or "matroska" in probe.format.get("format_name", "")
        reference.numbers = fixture_numbers(file, len(times))
        return reference


def is_movie(probe: Probe) -> bool:
    return "mov" in probe.format.get("format_name", "")


# --- decoding ---------------------------------------------------------------------------


def picture_filter(file: Path, stream: Json, size: tuple[int, int]) -> str:
    """Upright (ffmpeg turns first), the clean aperture only, in the colours that the stream says or is taken for."""
    steps = []
    aperture = clean_aperture(file) if file.suffix.lower() in (".mov", ".mp4", ".m4v") else None
    if aperture and not rotation(stream):
        width, height, x, y = aperture
        if width < stream["width"] or height < stream["height"]:
            steps.append(f"crop={round(width)}:{round(height)}:{round(x)}:{round(y)}:exact=1")
    untagged = stream.get("color_space", "unknown") in ("unknown", "reserved")
    matrix = ":in_color_matrix=bt709" if untagged and stream.get("height", 0) >= 720 else ""
    steps.append(f"scale={size[0]}:{size[1]}:flags=area+accurate_rnd+full_chroma_int{matrix}")
    return ",".join(steps)


def decode(file: Path, stream: Json, size: tuple[int, int], folder: Path) -> tuple[list[Fraction], Pixels]:
    raw, hashes = folder / "frames", folder / "times"
    has_alpha = "a" in stream.get("pix_fmt", "").replace("gray", "").replace("pal", "a")
    decoder = []
    if stream.get("tags", {}).get("alpha_mode") == "1":
        has_alpha, decoder = True, ["-c:v", {"vp8": "libvpx"}.get(stream.get("codec_name", ""), "libvpx-vp9")]
    channels = 4 if has_alpha else 3
    common = ["-map", f"0:{stream['index']}", "-fps_mode", "passthrough", "-enc_time_base", "-1", "-c:v", "rawvideo"]
    command: list[object] = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-copyts", *decoder, "-i", f"file:{file}"]
    command += [*common, "-vf", picture_filter(file, stream, size), "-pix_fmt", "rgba" if has_alpha else "rgb24"]
    command += ["-f", "rawvideo", raw, *common, "-vf", "scale=16:16", "-f", "framehash", "-hash", "CRC32", hashes]
    result = run(command, 3600)
    times, base = [], Fraction(1, 1000)
    for line in hashes.read_text().splitlines() if hashes.exists() else []:
        if line.startswith("#tb 0:"):
            base = Fraction(line.split(":")[1].strip())
        elif not line.startswith("#"):
            times.append(int(line.split(",")[2]) * base)
    length = size[0] * size[1] * channels
    count = raw.stat().st_size // length if raw.exists() else 0
    if not times or not count:
        return [], numpy.empty(0)
    if count != len(times):
        raise SkipError(f"ffmpeg gives {count} pictures with {len(times)} times: {text(result.stderr)[-200:]}")
    shape = (count, size[1], size[0], channels)
    pictures = numpy.memmap(raw, dtype=numpy.uint8, mode="r", shape=shape)
    return times, over_black(pictures) if has_alpha else pictures


def over_black(pictures: Pixels) -> Pixels:
    """Pictures with alpha as they look before black."""
    if pictures.shape[-1] == 3:
        return pictures
    return (pictures[..., :3].astype(numpy.uint16) * pictures[..., 3:] // 255).astype(numpy.uint8)


def rotation(stream: Json) -> int:
    for data in stream.get("side_data_list", []):
        if "rotation" in data:
            return round(float(data["rotation"])) % 360
    return 0


def display_size(stream: Json, aperture: tuple[Fraction, ...] | None) -> tuple[Fraction, Fraction] | None:
    width, height = (Fraction(stream.get(side, 0)) for side in ("width", "height"))
    if aperture:
        width, height = min(width, aperture[0]), min(height, aperture[1])
    top, _, bottom = stream.get("sample_aspect_ratio", "1:1").partition(":")
    if int(top) > 0 and int(bottom or 0) > 0:
        width *= Fraction(int(top), int(bottom))
    if not width or not height:
        return None
    return (height, width) if rotation(stream) in (90, 270) else (width, height)


def clean_aperture(file: Path) -> tuple[Fraction, Fraction, Fraction, Fraction] | None:
    """Width, height and place of the first `clap` box of a movie: ffmpeg's reader passes over it."""
    if file.suffix.lower() not in (".mov", ".mp4", ".m4v"):
        return None
    movie = movie_box(file)
    at = movie.find(b"clap")
    entry = movie.rfind(b"stsd", 0, at)
    if at < 4 or entry < 0 or int.from_bytes(movie[at - 4 : at], "big") != 40:
        return None
    values = [int.from_bytes(movie[at + 4 + 4 * i : at + 8 + 4 * i], "big", signed=True) for i in range(8)]
    if any(values[i] <= 0 for i in (1, 3, 5, 7)):
        return None
    width, height, right, down = (Fraction(values[2 * i], values[2 * i + 1]) for i in range(4))
    # The sample entry begins 12 bytes after the box's name and holds the size 32 bytes from there on.
    size = [int.from_bytes(movie[entry + 12 + at : entry + 14 + at], "big") for at in (32, 34)]
    x, y = (Fraction(size[0]) - width) / 2 + right, (Fraction(size[1]) - height) / 2 + down
    return (width, height, x, y) if width > 0 and height > 0 and x >= 0 and y >= 0 else None


# --- facts ------------------------------------------------------------------------------


def key_times(file: Path, stream: Json, zero: Fraction, shown: set[Fraction]) -> list[Fraction]:
    command = ["ffprobe", "-v", "quiet", "-of", "json", "-select_streams", stream["index"], "-show_packets"]
    packets = parsed([*command, "-show_entries", "packet=pts,flags", f"file:{file}"]).get("packets", [])
    base = Fraction(stream["time_base"])
    times = [p["pts"] * base - zero for p in packets if "K" in p["flags"] and "D" not in p["flags"] and "pts" in p]
    return sorted(time for time in times if time in shown)


def durations(file: Path, probe: Probe, reference: Reference) -> dict[str, Fraction]:
    found = {}
    if probe.duration:
        found["ffprobe's streams"] = probe.duration
    if "duration" in probe.format:
        found["ffprobe's header"] = Fraction(probe.format["duration"])
        found["ffprobe's header less the start"] = Fraction(probe.format["duration"]) - probe.zero
    else:
        found["the last packet's end"] = packets_end(file, probe) - probe.zero
    step = reference.times[-1] - reference.times[-2] if len(reference.times) > 1 else Fraction(1, 25)
    found["last frame's end"] = reference.times[-1] + step
    shown = run(["mediainfo", "--Output=JSON", file])
    try:
        tracks = json.loads(shown.stdout)["media"]["track"]
        said = {t["@type"]: Fraction(t["Duration"]) for t in reversed(tracks) if t.get("Duration")}
        found |= {f"mediainfo's {kind}": value for kind, value in said.items()}
        found |= {f"mediainfo's {kind} less the start": value - probe.zero for kind, value in said.items()}
    except (ValueError, KeyError, TypeError):
        pass
    return found


def packets_end(file: Path, probe: Probe) -> Fraction:
    """Where the last packet of pictures or sound ends, for files whose header has no duration."""
    entries = ["-show_packets", "-show_entries", "packet=stream_index,pts,duration"]
    packets = parsed(["ffprobe", "-v", "quiet", "-of", "json", *entries, f"file:{file}"]).get("packets", [])
    bases = {s["index"]: Fraction(s["time_base"]) for s in probe.kind("video") + probe.kind("audio")}
    ends = [
        (p["pts"] + p.get("duration", 0)) * bases[p["stream_index"]]
        for p in packets
        if p["stream_index"] in bases and "pts" in p
    ]
    return max(ends, default=probe.zero)


def fixture_numbers(file: Path, count: int) -> list[int | None]:
    """The numbers of a fixture's frames as its sidecar lists them."""
    sidecar = FIXTURE_SIDECARS / f"{file.name}.json"
    if file.resolve().parent != FIXTURE_SIDECARS.parent or not sidecar.exists():
        return []
    frames = json.loads(sidecar.read_text()).get("frames", [])
    return [frame.get("number") for frame in frames] if len(frames) == count else []


def number_in(picture: Pixels) -> int | None:
    """The frame number in the bars at the top of a fixture's picture, `None` if there is none to be read."""
    height, width = picture.shape[:2]
    if width < 64 or height < 48:  # bars of two pixels run into each other
        return None
    top, bars = height // 4, []
    for bar in range(16):
        left, right = bar * width / 16, (bar + 1) * width / 16
        margin = (right - left) / 4
        columns = slice(math.ceil(left + margin), max(math.floor(right - margin), math.ceil(left + margin) + 1))
        mean = float(picture[top // 4 : max(top // 4 + 1, top - top // 4), columns, 1].mean())
        if 96 < mean < 160:
            return None
        bars.append(int(mean >= 160))
    number = int("".join(map(str, bars[2:14])), 2)
    return number if bars[:2] == [1, 0] and bars[14] == bin(number).count("1") & 1 and not bars[15] else None
