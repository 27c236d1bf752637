"""Compares `avtool info --json` with `ffprobe -show_format -show_streams`.

Duration (within 1 ms), number and types of the tracks, codecs, sizes, the display
matrix with its rotation, and the average frame rate. Attached pictures and attachments
are not tracks. Headers may lie about the duration: it is right, too, if it is where the last packet that ffprobe
lists ends. What ffprobe passes over (the clean aperture, how a photograph is turned) is asked of exiftool.

Fixtures have to agree with their sidecars to the letter, in more facts. What is said of chapters, edit lists and
apertures is known from how the fixtures are made.
"""

from __future__ import annotations

import json
import math
import subprocess
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import pytest

from acceptance import films
from acceptance.films import fixture
from acceptance.media import Probe, is_cover, keeps_zero, stream_start
from acceptance.running import AVTOOL, Json, parsed
from acceptance.tool import sidecar, tool

# ffprobe's codec type -> what avtool may call such a track.
MEDIA_TYPES = {
    "video": {"video", "auxiliaryPicture"},
    "audio": {"audio"},
    "subtitle": {"subtitle", "text", "closedCaption"},
    "data": {"text", "metadata", "timecode", "data", "haptic", "unknown"},
}


def run(command: list[str]) -> tuple[Json | None, str]:
    """The command's first JSON value, or why there is none."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, "took more than 300 s"
    try:
        value = json.loads(result.stdout) if result.stdout.strip() else {}
    except json.JSONDecodeError:
        return None, f"not JSON: {result.stdout[:80]!r}"
    if value.get("error"):
        return None, str(value["error"].get("message", value["error"]))
    if not value:
        return None, (result.stderr.strip().splitlines() or [f"exit code {result.returncode}"])[-1]
    return value, ""


# --- reading what either says -----------------------------------------------------------


def seconds(time: object) -> Fraction | None:
    if isinstance(time, dict) and time.get("timescale"):
        return Fraction(int(time["value"]), int(time["timescale"]))
    if isinstance(time, (int, float)):
        return Fraction(time)
    return None


def size(value: object) -> tuple[float, float] | None:
    if isinstance(value, dict) and "width" in value:
        return value["width"], value["height"]
    if isinstance(value, list) and len(value) == 2:
        return value[0], value[1]
    return None


def matrix(value: object) -> tuple[float, float, float, float] | None:
    """The linear part of an affine transform: a, b, c, d."""
    if isinstance(value, dict) and "a" in value:
        a, b, c, d = (float(value[k]) for k in "abcd")
        return a, b, c, d
    if isinstance(value, list) and len(value) >= 4:
        a, b, c, d = (float(v) for v in value[:4])
        return a, b, c, d
    return None


def rotation(m: tuple[float, float, float, float]) -> str:
    """Clockwise degrees, and whether the picture is mirrored."""
    a, b, c, d = m
    degrees = round(math.degrees(math.atan2(b, a))) % 360
    return f"{degrees}°" + (" mirrored" if a * d - b * c < 0 else "")


def ffprobe_matrix(stream: Json) -> tuple[float, float, float, float]:
    for data in stream.get("side_data_list", []):
        if "displaymatrix" in data:
            rows = [line.split(":")[1].split() for line in data["displaymatrix"].strip().splitlines()]
            a, b, c, d = (int(rows[y][x]) / 65536 for y in (0, 1) for x in (0, 1))
            return a, b, c, d
    return 1.0, 0.0, 0.0, 1.0


def ratio(text: str | None) -> Fraction | None:
    try:
        value = Fraction((text or "").replace(":", "/"))
    except (ValueError, ZeroDivisionError):
        return None
    return value if value > 0 else None


def number(value: object) -> float | None:
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str) and (found := ratio(value)):
        return float(found)
    return float(s) if (s := seconds(value)) is not None else None


# --- comparing --------------------------------------------------------------------------


@dataclass
class Comparison:
    """The names of what differs, with both values."""

    rows: dict[str, str] = field(default_factory=dict)

    def add(self, what: str, theirs: object, ours: object, equal: bool) -> None:
        if not equal:
            self.rows[what] = f"ffprobe: {theirs}, avtool: {ours}"


def near(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= tolerance


# EXIF's eight orientations as the linear parts of matrices.
ORIENTATIONS = {
    2: (-1, 0, 0, 1), 3: (-1, 0, 0, -1), 4: (1, 0, 0, -1),
    5: (0, 1, 1, 0), 6: (0, 1, -1, 0), 7: (0, -1, -1, 0), 8: (0, -1, 1, 0),
}  # fmt: skip


@dataclass
class Unseen:
    """What ffprobe passes over, of the first picture."""

    clean_size: tuple[float, float] | None = None  # in square pixels
    matrix: tuple[float, float, float, float] | None = None

    @staticmethod
    def of(file: Path, aspect: Fraction) -> Unseen:
        if file.suffix.lower() not in (".mov", ".mp4", ".jpg", ".jpeg"):
            return Unseen()
        tags = ["-CleanApertureDimensions", "-CleanApertureWidth", "-CleanApertureHeight", "-IFD0:Orientation"]
        shown = parsed(["exiftool", "-n", "-j", *tags, file])
        found = Unseen(matrix=ORIENTATIONS.get(shown.get("Orientation", 1)))
        if "CleanApertureDimensions" in shown:  # of the track: in square pixels
            width, height = map(float, shown["CleanApertureDimensions"].split())
            found.clean_size = width, height
        elif "CleanApertureWidth" in shown:
            found.clean_size = float(shown["CleanApertureWidth"] * aspect), float(shown["CleanApertureHeight"])
        return found


def measured_duration(file: Path) -> Fraction | None:
    """From the asset's zero to where the last packet of pictures or sound ends.

    Where packets have no times, as in bare streams, each picture lasts as long as the rate says.
    """
    probe = Probe.of(file)
    listed = parsed(["ffprobe", "-v", "quiet", "-of", "json", "-show_packets", f"file:{file}"], 900).get("packets", [])
    ends = []
    for stream in probe.kind("video") + probe.kind("audio"):
        base = Fraction(stream["time_base"])
        packets = [packet for packet in listed if packet["stream_index"] == stream["index"]]
        ends += [(packet["pts"] + packet.get("duration", 0)) * base for packet in packets if "pts" in packet]
        if stream["codec_type"] == "video" and not all("pts" in packet for packet in packets):
            ends.append((stream_start(stream) or 0) + len(packets) / Fraction(stream["r_frame_rate"]))
    zero = 0 if keeps_zero(file, probe.format.get("format_name", "")) else probe.zero
    return max(ends) - zero if ends else None


def counted_rate(file: Path, stream: Json) -> Fraction | None:
    """Pictures for each second from the first to the last one's time; `None` where they have no times."""
    entries = ["-select_streams", str(stream["index"]), "-show_entries", "packet=pts"]
    listed = parsed(["ffprobe", "-v", "quiet", "-of", "json", *entries, f"file:{file}"], 900).get("packets", [])
    times = sorted({packet["pts"] for packet in listed if "pts" in packet})
    return (len(times) - 1) / ((times[-1] - times[0]) * Fraction(stream["time_base"])) if len(times) > 1 else None


def compare_duration(comparison: Comparison, file: Path, said: str | None, ours: Fraction | None) -> None:
    def fits(other: Fraction | None) -> bool:
        # ffprobe prints whole microseconds.
        return other is not None and ours is not None and abs(other - ours) <= Fraction("0.0010005")

    if fits(Fraction(said) if said else None) or (not float(said or 0) and not ours):
        return
    measured = measured_duration(file)
    theirs = f"{said} in the header, {float(measured) if measured is not None else None} by packets"
    comparison.add("duration", theirs, float(ours) if ours is not None else None, fits(measured))


def compare_video(comparison: Comparison, what: str, stream: Json, track: Json, file: Path) -> None:
    width, height = stream.get("width", 0), stream.get("height", 0)
    aspect = ratio(stream.get("sample_aspect_ratio")) or Fraction(1)
    unseen = Unseen.of(file, aspect)
    theirs = unseen.matrix or ffprobe_matrix(stream)
    ours = matrix(track.get("preferredTransform"))

    natural = size(track.get("naturalSize"))
    candidates = [(width, height), (width * float(aspect), height), (width, height / float(aspect))]
    # A track header may say any of them, with or without what is cropped.
    sizes = [*candidates, unseen.clean_size] if unseen.clean_size else candidates
    fits = natural is not None and any(near(natural[0], w, 1) and near(natural[1], h, 1) for w, h in sizes)
    comparison.add(f"{what} natural size", f"{width}x{height} (sample aspect {aspect})", natural, fits)

    coded = size(track.get("codedSize"))
    if coded is not None:
        coded_theirs = (stream.get("coded_width", 0), stream.get("coded_height", 0))
        comparison.add(f"{what} coded size", coded_theirs, coded, tuple(coded) in (coded_theirs, (width, height)))

    displayed = size(track.get("displaySize"))
    squares = [(w, h) for w, h in (candidates if aspect != 1 else candidates[:1])]
    if aspect != 1:
        squares = squares[1:]
    if unseen.clean_size:
        squares = [unseen.clean_size]
    if abs(theirs[1]) > abs(theirs[0]):
        squares = [(h, w) for w, h in squares]
    fits = displayed is not None and any(near(displayed[0], w, 1) and near(displayed[1], h, 1) for w, h in squares)
    comparison.add(f"{what} display size", "x".join(f"{v:g}" for v in squares[0]), displayed, fits)

    comparison.add(
        f"{what} rotation",
        rotation(theirs),
        rotation(ours) if ours else None,
        # Identity may go unsaid. A display matrix may also scale; only its direction counts here.
        rotation(ours or (1, 0, 0, 1)) == rotation(theirs),
    )

    average = ratio(stream.get("avg_frame_rate"))
    rate = average or counted_rate(file, stream)
    our_rate = number(track.get("nominalFrameRate"))
    if not rate:
        equal = not our_rate
    else:
        # Where ffprobe knows no average, ours is of the film's first pictures.
        tolerance = 0.001 if average else 0.01
        equal = our_rate is not None and near(our_rate, float(rate), max(0.005, tolerance * float(rate)))
    comparison.add(f"{what} frame rate", f"{float(rate):.4f}" if rate else None, our_rate, equal)


def compare(file: Path) -> Comparison:
    comparison = Comparison()
    theirs, reason = run(["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", f"file:{file}"])
    ours, our_reason = run([AVTOOL, "info", "--json", str(file)])
    if theirs is None or not theirs.get("streams") or ours is None:
        opened = theirs is not None and bool(theirs.get("streams"))
        comparison.add("opens", opened or reason, ours is not None or our_reason, opened == (ours is not None))
        return comparison

    compare_duration(comparison, file, theirs.get("format", {}).get("duration"), seconds(ours.get("duration")))

    streams = [s for s in theirs["streams"] if not is_cover(s) and s.get("codec_type") in MEDIA_TYPES]
    tracks = ours.get("tracks", [])
    types = [s["codec_type"] for s in streams]
    our_types = [t.get("mediaType") for t in tracks]
    same = len(types) == len(our_types) and all(o in MEDIA_TYPES[t] for t, o in zip(types, our_types))
    comparison.add("tracks", ", ".join(types), ", ".join(map(str, our_types)), same)
    if len(streams) != len(tracks):
        return comparison

    for index, (stream, track) in enumerate(zip(streams, tracks), start=1):
        what = f"track {index}"
        names = {stream.get("codec_name"), stream.get("codec_tag_string", "").strip()} - {None, "[0][0][0][0]"}
        # ffprobe has no name for what it has no decoder for; avtool says "none", as FFmpeg does inside.
        equal = track.get("codec") in names or (names <= {"unknown", ""} and track.get("codec") in (None, "none"))
        comparison.add(f"{what} codec", " or ".join(sorted(names)), track.get("codec"), equal)
        if stream["codec_type"] == "video":
            compare_video(comparison, what, stream, track, file)
        if stream["codec_type"] == "audio" and track.get("sampleRate") is not None:
            audio = (int(stream.get("sample_rate", 0)), stream.get("channels"))
            ours_audio = (int(track["sampleRate"]), track.get("channels"))
            comparison.add(f"{what} sample rate, channels", audio, ours_audio, audio == ours_audio)
    return comparison


# Differences whose reason is known.
KNOWN = {
    "concat-named.mp4": {"opens"},  # what makes a reader open other files is refused
    "hls-named.mp4": {"opens"},
    "huge-header.mkv": {"opens"},  # more pixels than are allowed
    # ffprobe goes by the name: of the bytes alone (ffprobe - <ExifTool.jpg) it says "Invalid data", as avtool does.
    "ExifTool.jpg": {"opens"},
}


@pytest.mark.peer("exiftool")
@pytest.mark.parametrize("file", [*films.fixtures(), *films.corpus()])
def test_info(file: Path) -> None:
    found = compare(file).rows
    assert found.keys() == KNOWN.get(file.name, set()), found


# --- Fixtures and their sidecars --------------------------------------------------------

# Where ffprobe's duration is not that of the asset's timeline, and why.
DURATIONS = {
    # ffprobe has none. 8 frames at 25 a second; the end of the last packet; 50 frames at 25 a second.
    "animated.png": 0.32, "no-cues.mkv": 4.021, "raw.m2v": 2,
    # The header counts from zero, the asset from its first sample to the end of its last packet: 7.021 - 3.021,
    # 4.090 - 0.059 and (48600 + 100 * 3600 - 47698)/90000.
    "nonzero-start.mkv": 4, "h264.flv": 4.031, "mpeg2.ps": 4.010022,
    # FFmpeg leaves out the last frame, whose time it does not know: 100 frames at 25 a second; 100 packets without any
    # time.
    "mpeg2-ps-sparse-pts.mpg": 4, "raw.h264": 4,
    # FFmpeg leaves out the audio after the last time in the stream; the ends of the last packets of audio are
    # (494160 - 131280)/90000, and (494160 - 163920)/90000.
    "h264.ts": 4.032, "damaged.ts": 4.032, "h264-cut.ts": 3.669333,
    # No samples: nothing to measure.
    "zero-frames.mp4": None,
}  # fmt: skip


def with_sidecar() -> list[str]:
    """The fixtures that ffprobe and avtool both open."""
    found = sorted(path.stem for path in (films.FIXTURES / "expected").glob("*.json"))
    return [name for name in found if "opens" not in KNOWN.get(name, set()) and "error" not in sidecar(name)]


def facts_of_stream(stream: Json, frames: int) -> Json:
    """What info has to say of a track; `frames` is how many ffprobe counted, for streams without an average rate."""
    language = stream.get("tags", {}).get("language")
    facts = {
        "codec": stream.get("codec_name"),
        "width": stream.get("width"),
        "height": stream.get("height"),
        "sampleRate": stream.get("sample_rate"),
        "channels": stream.get("channels"),
        "pixelFormat": stream.get("pix_fmt"),
        "language": None if language == "und" else language,
    }
    if stream["codec_type"] == "video":
        count, seconds = map(float, stream.get("avg_frame_rate", "0/0").split("/"))
        if not seconds:
            count, seconds = (frames, float(stream["duration"])) if frames and "duration" in stream else (0, 1)
        turns = [data["rotation"] for data in stream.get("side_data_list", []) if "rotation" in data]
        facts |= {"nominalFrameRate": count / seconds, "rotation": (360 - turns[0]) % 360 if turns else 0}
    return facts


def facts_of_track(track: Json, kind: str) -> Json:
    """What info says of the same."""
    rate, size = track.get("sampleRate"), track.get("codedSize", {})
    facts = {name: track.get(name) for name in ("codec", "channels", "pixelFormat", "language")}
    facts |= {name: size.get(name) for name in ("width", "height")}
    facts["sampleRate"] = None if rate is None else str(rate)
    if kind == "video":
        facts |= {"nominalFrameRate": track.get("nominalFrameRate", 0), "rotation": track["rotation"]}
    return facts


def test_fixtures_with_sidecars_exist() -> None:
    assert len(with_sidecar()) > 60


@pytest.mark.parametrize("name", with_sidecar())
def test_info_agrees_to_the_letter_with_the_sidecar_of_a_fixture(tmp_path: Path, name: str) -> None:
    [found] = tool(tmp_path, "info", "--json", fixture(name)).expect().json
    expected = sidecar(name)
    # Cover art is a stream to FFmpeg; whether it is a track is a matter of taste.
    tracks = [track for track in found["tracks"] if not track.get("attachedPicture")]
    streams = [stream for stream in expected["streams"] if not stream["disposition"].get("attached_pic")]
    kinds = [stream["codec_type"] for stream in streams]
    frames = len(expected.get("frames", []))
    assert len(tracks) == len(streams)
    assert [facts_of_track(track, kind) for track, kind in zip(tracks, kinds)] == [
        facts_of_stream(stream, frames) for stream in streams
    ]
    assert len(found["chapters"]) == len(expected["chapters"])
    assert found["container"] == expected["format"]["format_name"]
    assert str(found["size"]) == expected["format"]["size"]
    duration = DURATIONS.get(name, expected["format"].get("duration"))
    if duration is None:
        assert "duration" not in found or "seconds" not in (found["duration"] or {})
    else:
        assert abs(found["duration"]["seconds"] - float(duration)) < 0.001


# --- Chapters, edit lists and apertures -------------------------------------------------


def test_info_tells_chapters_with_their_titles(tmp_path: Path) -> None:
    [found] = tool(tmp_path, "info", "--json", fixture("movie.mov")).expect().json
    chapters = [(each["title"], each["start"]["seconds"], each["duration"]["seconds"]) for each in found["chapters"]]
    assert chapters == [("Opening", 0, 3), ("Middle", 3, 4), ("Ending", 7, 3)]
    run = tool(tmp_path, "info", fixture("movie.mov")).expect()
    assert len([line for line in run.lines if line.startswith("  chapter ")]) == 3
    assert "Opening" in run.text


def test_info_tells_edit_lists(tmp_path: Path) -> None:
    [found] = tool(tmp_path, "info", "--json", fixture("edit-list-empty.mp4")).expect().json
    [empty, media] = found["tracks"][0]["editList"]
    assert empty.get("mediaTime") is None
    assert empty["duration"]["value"] == 1000
    assert media["mediaTime"]["value"] == 1024
    assert media["start"]["seconds"] == 1


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        (
            "clean-aperture.mov",
            {
                "cleanAperture": {"x": 12, "y": 4, "width": 304, "height": 228},
                "displaySize": {"width": 304, "height": 228},
            },
        ),
        (
            "anamorphic.mp4",
            {
                "sampleAspectRatio": {"horizontal": 16, "vertical": 11},
                "displaySize": {"width": 524, "height": 288},
            },
        ),
        ("rotate-90.mp4", {"displaySize": {"width": 120, "height": 160}}),
    ],
)
def test_info_tells_the_clean_aperture_and_the_size_as_shown(tmp_path: Path, name: str, facts: Json) -> None:
    [found] = tool(tmp_path, "info", "--json", fixture(name)).expect().json
    assert {fact: found["tracks"][0].get(fact) for fact in facts} == facts


def test_info_names_tracks_and_languages_in_a_line_each(tmp_path: Path) -> None:
    run = tool(tmp_path, "info", fixture("languages.mp4")).expect()
    assert len(run.lines) == 2 + 5
    for words in ("eng", "deu", "fra", "320x240", "25 fps", "48000 Hz"):
        assert words in run.text


def test_a_missing_file_does_not_hide_the_others_from_info(tmp_path: Path) -> None:
    run = tool(tmp_path, "info", "--json", "missing.mp4", fixture("one-frame.mp4")).expect(66)
    assert ["error" in found for found in run.json] == [True, False]
    assert len(run.diagnostic_lines) == 1
