"""`avtool waveform` against the least and greatest samples of what ffmpeg decodes."""

from __future__ import annotations

import json
import re
import shutil
import struct
from array import array
from pathlib import Path
from xml.etree import ElementTree

import pytest

from acceptance.endings import call, interrupted, out_of_room, refused, unread
from acceptance.films import fixture
from acceptance.media import Probe
from acceptance.peaks import decoded, mixed, peaks
from acceptance.running import Json, ffmpeg, run

FILM = fixture("movie.mp4")
FIELDS = {"version", "channels", "sample_rate", "samples_per_pixel", "bits", "length", "data"}
SVG = "{http://www.w3.org/2000/svg}"


def waveform(folder: Path, *words: object) -> Json:
    shape: Json = json.loads(call(folder, "waveform", "--format", "json", *words, "-o", "-").stdout)
    assert set(shape) == FIELDS and shape["version"] == 2
    assert len(shape["data"]) == 2 * shape["length"] * shape["channels"]
    return shape


def made(path: Path, *sounds: str, seconds: float = 1) -> Path:
    """A file of sounds at 48 kHz, by ffmpeg's expressions, one for each channel."""
    ffmpeg("-f", "lavfi", "-i", f"aevalsrc='{'|'.join(sounds)}':s=48000:d={seconds}", "-c:a", "pcm_s16le", path)
    return path


def difference(one: list[int], other: list[int]) -> int:
    assert len(one) == len(other)
    return max(abs(a - b) for a, b in zip(one, other))


@pytest.mark.parametrize(
    ("name", "step"),
    [("movie.mp4", 256), ("audio-only.flac", 1000), ("audio-only.mp3", 256), ("edit-list-trim.mp4", 999)],
)
def test_peaks_of_channels(name: str, step: int, tmp_path: Path) -> None:
    samples, channels = decoded(fixture(name))
    shape = waveform(tmp_path, "--split-channels", *(["--samples", step] if step != 256 else []), fixture(name))
    assert (shape["channels"], shape["samples_per_pixel"], shape["bits"]) == (channels, step, 16)
    # Sound of floating numbers is rounded, and ffmpeg's rounding is its own.
    assert difference(shape["data"], peaks(samples, channels, step)) <= 1


def test_peaks_of_all_channels(tmp_path: Path) -> None:
    shape = waveform(tmp_path, FILM)
    assert (shape["channels"], shape["sample_rate"]) == (1, 48000)
    # Each channel is rounded before ffmpeg's are added here.
    assert difference(shape["data"], peaks(mixed(FILM), 1, 256)) <= 2


def test_eight_bits(tmp_path: Path) -> None:
    wide, narrow = (waveform(tmp_path, "--bits", bits, FILM) for bits in (16, 8))
    assert narrow["bits"] == 8 and all(-128 <= value < 128 for value in narrow["data"])
    assert difference(narrow["data"], [value // 256 for value in wide["data"]]) <= 1


@pytest.mark.parametrize("bits", [8, 16])
def test_bytes_are_those_of_the_json(bits: int, tmp_path: Path) -> None:
    """Source: audiowaveform(5), version 2."""
    words = ["waveform", "--split-channels", "--bits", bits, "-o"]
    call(tmp_path, *words, "a.dat", FILM)
    call(tmp_path, *words, "a.json", FILM)
    data, shape = (tmp_path / "a.dat").read_bytes(), json.loads((tmp_path / "a.json").read_bytes())
    head = struct.unpack_from("<iIiiIi", data)
    keys = ("sample_rate", "samples_per_pixel", "length", "channels")
    assert head == (2, int(bits == 8), *(shape[key] for key in keys))
    values = array("b" if bits == 8 else "h")
    values.frombytes(data[24:])
    assert values.tolist() == shape["data"]


@pytest.mark.parametrize(
    ("words", "length", "step"),
    [
        (["--per-second", 20], 20, 2400),
        (["--points", 100], 100, 480),
        (["--samples", 48000], 1, 48000),
        (["--samples", 32000], 2, 32000),
        (["--per-second", 20, "--from", "0.5s"], 10, 2400),
        (["--per-second", 20, "--from", "0.45s", "--to", "0.7s"], 5, 2400),
    ],
)
def test_a_click_is_where_it_is(words: list[object], length: int, step: int, tmp_path: Path) -> None:
    sound = made(tmp_path / "click.wav", "if(eq(n,30000),0.5,0)")
    start = {"0.5s": 24000, "0.45s": 21600}.get(str(words[3]) if len(words) > 2 else "", 0)
    shape = waveform(tmp_path, *words, sound)
    assert (shape["length"], shape["samples_per_pixel"]) == (length, step)
    loud = [index // 2 for index, value in enumerate(shape["data"]) if value]
    assert loud == [(30000 - start) // step]
    assert max(shape["data"]) == pytest.approx(16384, abs=1)


@pytest.mark.parametrize("points", [23000, 16384])
def test_points_fit_their_own_scale(points: int, tmp_path: Path) -> None:
    """A player goes by samples_per_pixel."""
    sound = made(tmp_path / "click.wav", "if(eq(n,47000),0.5,0)")
    shape = waveform(tmp_path, "--points", points, sound)
    loud = next(index // 2 for index, value in enumerate(shape["data"]) if value)
    assert loud == 47000 // shape["samples_per_pixel"]


def test_a_gap_is_silence(tmp_path: Path) -> None:
    """Sound that begins 0.5 s after the pictures."""
    ffmpeg(
        *["-f", "lavfi", "-i", "color=s=16x16:d=1.5", "-itsoffset", "0.5", "-f", "lavfi", "-i", "sine=d=1:r=48000"],
        *["-c:v", "mpeg4", "-c:a", "pcm_s16le", tmp_path / "late.mkv"],
    )
    shape = waveform(tmp_path, "--per-second", 10, "late.mkv")
    assert shape["length"] == 15
    assert [value != 0 for value in shape["data"]] == [False] * 10 + [True] * 20


def columns(picture: Path) -> list[int]:
    """How many pixels of each column of a PNG are drawn on."""
    stream = Probe.of(picture).kind("video")[0]
    width, height = stream["width"], stream["height"]
    alpha = run(["ffmpeg", "-v", "error", "-i", picture, "-vf", "alphaextract", "-f", "rawvideo", "-"]).stdout
    assert len(alpha) == width * height
    return [sum(value > 127 for value in alpha[x::width]) for x in range(width)]


STEPS = "(0.2+0.4*gte(t,0.5))*if(mod(n,2),1,-1)"


@pytest.mark.parametrize(
    ("words", "wanted"), [([], (40, 120)), (["--scale", "auto"], (67, 200))], ids=["plain", "auto"]
)
def test_png_is_as_high_as_the_sound(words: list[object], wanted: tuple[int, int], tmp_path: Path) -> None:
    sound = made(tmp_path / "a.wav", STEPS)
    call(tmp_path, "waveform", "--size", "300x200", *words, sound)
    found = columns(tmp_path / "a-waveform.png")
    assert len(found) == 300
    for half, height in zip((found[:149], found[151:]), wanted):
        assert all(abs(count - height) <= 2 for count in half), (height, sorted(set(half)))


def test_colours_of_a_png(tmp_path: Path) -> None:
    sound = made(tmp_path / "a.wav", "0.5*if(mod(n,2),1,-1)", "0")
    words = ["--size", "30x40", "--split-channels", "--color", "#ff0000", "--background", "#00ff00"]
    call(tmp_path, "waveform", *words, "-o", "a.png", sound)
    decode = ["ffmpeg", "-v", "error", "-i", tmp_path / "a.png", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
    data = run(decode).stdout
    colours = [data[at : at + 3].hex() for at in range(0, len(data), 3)]
    assert set(colours) >= {"ff0000", "00ff00"} and len(colours) == 1200
    # A waveform for each channel, one above the other; the second one is silent.
    drawn = [sum(colour == "ff0000" for colour in half) for half in (colours[:600], colours[600:])]
    assert 280 <= drawn[0] <= 330 and drawn[1] <= 60, drawn


@pytest.mark.parametrize("words", [[], ["--background", "white"], ["--split-channels", "--color", "black"]])
def test_svg(words: list[str], tmp_path: Path) -> None:
    sound = made(tmp_path / "a.wav", STEPS, "0.1*sin(2000*t)")
    call(tmp_path, "waveform", "--size", "300x200", *words, "-o", "a.svg", sound)
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.tag == f"{SVG}svg" and root.get("viewBox") == "0 0 300 200"
    assert (root.get("width"), root.get("height")) == ("300", "200")
    assert len(root.findall(f"{SVG}rect")) == (words == ["--background", "white"])
    paths = root.findall(f"{SVG}path")
    assert len(paths) == (2 if "--split-channels" in words else 1)
    heights = []
    for path in paths:
        assert path.get("fill") == ("#000000" if "black" in words else "#3a6ea5")
        across = [float(value) for value in re.findall(r"H([\d.]+)", path.get("d", ""))]
        up = [float(value) for value in re.findall(r"[V ]([\d.]+)", path.get("d", ""))]
        assert max(across) == 300 and 0 <= min(up) < max(up) <= 200
        heights.append(max(up) - min(up))
    # The mean of 0.6 and 0.1 at most, of 200; or 0.6 and 0.1 of 100 each.
    assert heights == pytest.approx([60, 10] if len(paths) == 2 else [65], abs=6)


def test_several_files(tmp_path: Path) -> None:
    done = call(tmp_path, "waveform", "--json", "-o", "{name}.json", FILM, fixture("audio-only.flac"))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["file"] for row in rows] == ["movie.json", "audio-only.json"]
    for row in rows:
        shape = json.loads((tmp_path / row["file"]).read_bytes())
        keys = {"points": "length", "samplesPerPoint": "samples_per_pixel", "sampleRate": "sample_rate"}
        assert all(row[mine] == shape[theirs] for mine, theirs in keys.items())


def test_a_sound_shorter_than_the_picture_is_wide(tmp_path: Path) -> None:
    call(tmp_path, "waveform", "-o", "a.png", made(tmp_path / "a.wav", "0.5", seconds=0.02))
    assert len(columns(tmp_path / "a.png")) == 1200


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("no sound\n")
    (tmp_path / "old.png").write_text("old\n")
    shutil.copy(FILM, tmp_path / "own.mp4")
    for code, said, words in (
        (66, "no such file", ["missing.mp4"]),
        (66, "is a directory", ["."]),
        (65, "not a media file", ["text.mp4"]),
        (65, "no track of sound", [fixture("vfr.mp4")]),
        (65, "no track 1 of sound", ["--track", "1", "own.mp4"]),
        (65, "beyond the end", ["--from", "99s", "own.mp4"]),
        (64, "--samples", ["--samples", "1", "own.mp4"]),
        (64, "rubbish", ["--samples", "rubbish", "own.mp4"]),
        (64, "1 or more", ["--points", "0", "own.mp4"]),
        (64, "1 or more", ["--per-second=-1", "own.mp4"]),
        (64, "24000 at most", ["--per-second", "48000", "own.mp4"]),
        (64, "Give one", ["--points", "9", "--samples", "9", "own.mp4"]),
        (64, "--bits", ["--bits", "9", "own.mp4"]),
        (64, "rubbish", ["--color", "rubbish", "own.mp4"]),
        (64, "'0'", ["--scale", "0", "own.mp4"]),
        (64, "0x0", ["--size", "0x0", "own.mp4"]),
        (73, "--force", ["-o", "old.png", "own.mp4"]),
        (73, "input", ["--force", "-o", "own.mp4", "own.mp4"]),
        (73, "none", ["-o", "none/a.png", "own.mp4"]),
        (64, "--json", ["--json", "-o", "-", "own.mp4"]),
    ):
        refused(tmp_path, code, said, "waveform", *words)
    call(tmp_path, "waveform", "--force", "-o", "old.png", "own.mp4")
    assert len(columns(tmp_path / "old.png")) == 1200


def test_a_reader_that_goes_ends_the_command(tmp_path: Path) -> None:
    unread(tmp_path, 74, "waveform", "--format", "json", "-o", "-", FILM)


@pytest.mark.root
def test_full_disk(tmp_path: Path) -> None:
    out_of_room(tmp_path, 8192, "a.json", "waveform", FILM)


def test_interrupted(tmp_path: Path) -> None:
    """In the middle of sound that does not end."""
    sound = made(tmp_path / "a.wav", "0.5").read_bytes()
    # A part that fits into a pipe.
    interrupted(tmp_path, "waveform", "-o", "a.png", "-", data=sound[:50_000])
