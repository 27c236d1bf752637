"""`avtool film` against the pictures and the sound of which its films are made."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import numpy
import pytest

from acceptance.chromium import Browser
from acceptance.endings import call, interrupted, out_of_room, refused, unread
from acceptance.films import fixture
from acceptance.media import Probe
from acceptance.picture_streams import pixels, psnr, times
from acceptance.running import AVTOOL, ffmpeg, make, run, text


def drawn(folder: Path, count: int = 5, size: str = "64x48", extension: str = "png") -> list[Path]:
    """Pictures that differ in colour, each with a white square elsewhere."""
    found = [folder / f"{index}.{extension}" for index in range(count)]
    for index, path in enumerate(found):
        square = f"drawbox=x={8 * index}:y={8 * index}:w=12:h=12:c=white:t=fill"
        gradient = f"gradients=s={size}:c0=red:c1=blue:x0=0:y0=0:x1={size.split('x')[0]}:y1=8:d=0.04"
        ffmpeg(
            "-f",
            "lavfi",
            "-i",
            f"{gradient},hue=h={70 * index},{square}",
            "-frames:v",
            1,
            "-q:v",
            2,
            "-update",
            1,
            path,
        )
    return found


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ([], Fraction(1, 25)),
        (["--rate", "30"], Fraction(1, 30)),
        (["--rate", "29.97"], Fraction(1001, 30000)),
        (["--rate", "24000/1001"], Fraction(1001, 24000)),
        (["--rate", "12.5"], Fraction(2, 25)),
        (["--rate", "1000"], Fraction(1, 1000)),
        (["--each", "3s"], Fraction(3)),
        (["--each", "1/3s"], Fraction(1, 3)),
        (["--each", "0.7s"], Fraction(7, 10)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_times_are_exact(words: list[str], step: Fraction, tmp_path: Path) -> None:
    done = call(tmp_path, "film", "--json", *words, "-o", "a.mov", *drawn(tmp_path, 3))
    assert times(tmp_path / "a.mov") == ([0, step, 2 * step], 3 * step)
    row = json.loads(done.stdout)
    assert (row["pictures"], row["width"], row["height"]) == (3, 64, 48)
    assert Fraction(row["duration"]["value"], row["duration"]["timescale"]) == 3 * step


@pytest.mark.parametrize(
    ("codec", "extension", "name", "tag"),
    [
        ("h264", "mp4", "h264", "avc1"),
        ("h264", "mkv", "h264", None),
        ("hevc", "mp4", "hevc", "hvc1"),
        ("prores", "mov", "prores", "apch"),
    ],
)
def test_each_picture_is_seen_in_its_place(
    codec: str, extension: str, name: str, tag: str | None, tmp_path: Path
) -> None:
    pictures = drawn(tmp_path)
    order = [pictures[index] for index in (3, 0, 4, 1, 1, 2)]
    call(tmp_path, "film", "--codec", codec, "-o", f"a.{extension}", *order)
    stream = Probe.of(tmp_path / f"a.{extension}").kind("video")[0]
    assert stream["codec_name"] == name and (tag is None or stream["codec_tag_string"] == tag)
    found = pixels(tmp_path / f"a.{extension}")
    wanted = [pixels(picture)[0] for picture in pictures]
    assert len(found) == len(order)
    for place, (picture, own) in enumerate(zip(found, order)):
        likeness = [psnr(picture, other) for other in wanted]
        index = pictures.index(own)
        # Chroma of a quarter of the samples softens the square's edges; other pictures are unlike by far.
        assert likeness[index] > 28, (place, likeness)
        others = [value for other, value in enumerate(likeness) if other != index]
        assert likeness[index] > max(others) + 8, (place, likeness)


@pytest.mark.peer("exiftool")
@pytest.mark.parametrize("orientation", range(1, 9))
def test_pictures_of_cameras_are_upright(orientation: int, tmp_path: Path) -> None:
    """Source: Exif 2.3, 4.6.4, Orientation; what brings each upright."""
    turns = {
        1: [], 2: ["hflip"], 3: ["hflip", "vflip"], 4: ["vflip"], 5: ["transpose=0"], 6: ["transpose=1"],
        7: ["transpose=3"], 8: ["transpose=2"],
    }  # fmt: skip
    [picture] = drawn(tmp_path, 1, extension="jpg")
    make("exiftool", "-q", "-n", f"-Orientation={orientation}", "-overwrite_original", picture)
    call(tmp_path, "film", "-o", "a.mp4", picture)
    [found], [wanted] = pixels(tmp_path / "a.mp4"), pixels(picture, *turns[orientation])
    assert psnr(found, wanted) > 28


def test_what_is_seen_through_is_black(tmp_path: Path) -> None:
    clear = "nullsrc=s=64x48:d=0.04,format=rgba,geq=r=200:g=100:b=240:a=X*4"
    ffmpeg("-f", "lavfi", "-i", clear, "-frames:v", 1, tmp_path / "a.png")
    call(tmp_path, "film", "-o", "a.mp4", "a.png")
    [found] = pixels(tmp_path / "a.mp4")
    wanted = numpy.zeros((48, 64, 3)) + (numpy.arange(64) * 4 / 255)[None, :, None] * numpy.array([200, 100, 240])
    assert psnr(found, wanted) > 34


@pytest.mark.parametrize("samples", ["gray", "gray16le"])
def test_greys_of_tiff_pictures(samples: str, tmp_path: Path) -> None:
    ramp = "nullsrc=s=64x48:d=0.04,format=gray,geq=lum=X*4"
    ffmpeg("-f", "lavfi", "-i", ramp, "-frames:v", 1, "-pix_fmt", samples, tmp_path / "a.tiff")
    call(tmp_path, "film", "-o", "a.mp4", "a.tiff")
    assert psnr(pixels(tmp_path / "a.mp4")[0], numpy.zeros((48, 64, 3)) + (numpy.arange(64) * 4)[None, :, None]) > 34


def test_limits_are_those_of_the_pictures(tmp_path: Path) -> None:
    drawn(tmp_path, 1)
    refused(tmp_path, 75, "limit of 100 pixels", "film", "--limit", "pixels=100", "-o", "a.mp4", "0.png")


@pytest.mark.parametrize(
    ("first", "words", "size"),
    [("33x17", [], (32, 16)), ("1x1", [], (2, 2)), ("64x48", ["--size", "100x50"], (100, 50)), ("65x48", [], (64, 48))],
)
def test_sizes(first: str, words: list[str], size: tuple[int, int], tmp_path: Path) -> None:
    colour = f"color=0x3366cc:s=100x100:d=0.04,format=rgb24,crop={first.replace('x', ':')}:exact=1"
    ffmpeg("-f", "lavfi", "-i", colour, "-frames:v", 1, tmp_path / "a.png")
    call(tmp_path, "film", *words, "-o", "a.mp4", "a.png", "a.png")
    stream = Probe.of(tmp_path / "a.mp4").kind("video")[0]
    assert (stream["width"], stream["height"]) == size
    middle = pixels(tmp_path / "a.mp4")[1][size[1] // 2, size[0] // 2]
    assert abs(middle - numpy.array([0x33, 0x66, 0xCC])).max() <= 6, middle


@pytest.mark.parametrize(
    ("second", "inner"), [("24x48", (20, 44, 0, 48)), ("128x32", (0, 64, 16, 32)), ("320x240", (0, 64, 0, 48))]
)
def test_others_are_fitted_into_the_first(second: str, inner: tuple[int, int, int, int], tmp_path: Path) -> None:
    for name, size in (("a", "64x48"), ("b", second)):
        ffmpeg("-f", "lavfi", "-i", f"color=white:s={size}:d=0.04", "-frames:v", 1, tmp_path / f"{name}.png")
    call(tmp_path, "film", "-o", "a.mp4", "a.png", "b.png")
    left, right, top, bottom = inner
    wanted = numpy.zeros((48, 64, 3))
    wanted[top:bottom, left:right] = 255
    assert psnr(pixels(tmp_path / "a.mp4")[1], wanted) > 26


@pytest.mark.parametrize(("codec", "extension"), [("h264", "mp4"), ("prores", "mov")])
@pytest.mark.parametrize(("seconds", "length"), [(9, 2.0), (1.5, 1.5)], ids=["longer", "shorter"])
def test_sound_begins_with_the_first_picture(
    codec: str, extension: str, seconds: float, length: float, tmp_path: Path
) -> None:
    click = f"aevalsrc='if(eq(n,36000),0.9,0.01*sin(n/10))':s=48000:d={seconds}"
    ffmpeg("-f", "lavfi", "-i", click, "-c:a", "flac", tmp_path / "a.flac")
    film = tmp_path / f"a.{extension}"
    call(tmp_path, "film", "--codec", codec, "--each", "0.5s", "--sound", "a.flac", "-o", film, *drawn(tmp_path, 4))
    assert times(film)[0] == [Fraction(index, 2) for index in range(4)]
    decode = ["ffmpeg", "-v", "error", "-i", film, "-map", "0:a:0", "-ac", 1, "-ar", 48000, "-f", "f32le", "-"]
    samples = numpy.frombuffer(run(decode).stdout, numpy.float32)
    # A packet of AAC has 1024 samples.
    assert abs(len(samples) / 48000 - length) <= (0 if codec == "prores" else 1024 / 48000)
    assert abs(int(numpy.abs(samples).argmax()) - 36000) <= 48


def test_refusals(tmp_path: Path) -> None:
    drawn(tmp_path, 2)
    (tmp_path / "text.png").write_text("no picture\n")
    (tmp_path / "old.mp4").write_text("old\n")
    (tmp_path / "folder").mkdir()
    shutil.copy(tmp_path / "0.png", tmp_path / "own.mp4")
    shutil.copy(fixture("movie.mp4"), tmp_path / "sound.mp4")
    cases: list[tuple[int, str, list[object]]] = [
        (66, "missing.png: no such file", ["-o", "a.mp4", "0.png", "missing.png"]),
        (65, "text.png: no picture", ["-o", "a.mp4", "0.png", "text.png"]),
        (65, "text.png: no picture", ["-o", "a.mp4", "text.png"]),
        (65, "sound.mp4: no picture", ["-o", "a.mp4", "sound.mp4"]),
        (64, "images", ["-o", "a.mp4"]),
        (64, "needs a name", ["0.png"]),
        (64, "above zero", ["--each", "0", "-o", "a.mp4", "0.png"]),
        (64, "negative", ["--each=-1s", "-o", "a.mp4", "0.png"]),
        (64, "Give one", ["--each", "1s", "--rate", "25", "-o", "a.mp4", "0.png"]),
        (64, "even", ["--size", "63x48", "-o", "a.mp4", "0.png"]),
        (64, "'txt'", ["-o", "a.txt", "0.png"]),
        (65, "prores", ["--codec", "prores", "-o", "a.mp4", "0.png"]),
        (65, "no track of sound", ["--sound", fixture("vfr.mp4"), "-o", "a.mp4", "0.png"]),
        (66, "no such file", ["--sound", "missing.m4a", "-o", "a.mp4", "0.png"]),
        (73, "--force", ["-o", "old.mp4", "0.png"]),
        (73, "input", ["--force", "-o", "own.mp4", "own.mp4"]),
        (73, "input", ["--force", "-o", "own.mp4", "0.png", "own.mp4"]),
        (73, "input", ["--force", "--sound", "sound.mp4", "-o", "sound.mp4", "0.png"]),
        (73, "none", ["-o", "none/a.mp4", "0.png"]),
    ]
    for rate in ("0", "-1", "x", "1/0", "nan", "1001"):
        cases.append((64, f"'{rate}'", [f"--rate={rate}", "-o", "a.mp4", "0.png"]))
    for code, said, words in cases:
        refused(tmp_path, code, said, "film", *words)
    call(tmp_path, "film", "--force", "-o", "old.mp4", "0.png", "1.png")
    assert len(pixels(tmp_path / "old.mp4")) == 2


@pytest.mark.parametrize("sound", ["missing.m4a", "text.m4a", "folder"])
def test_failures_name_the_sound(sound: str, tmp_path: Path) -> None:
    drawn(tmp_path, 1)
    (tmp_path / "text.m4a").write_text("no sound\n")
    (tmp_path / "folder").mkdir()
    done = run([AVTOOL, "film", "--sound", tmp_path / sound, "-o", tmp_path / "a.mp4", tmp_path / "0.png"])
    assert done.returncode in (65, 66) and sound in text(done.stderr) and "0.png" not in text(done.stderr)


def test_standard_output(tmp_path: Path) -> None:
    """A film that a pipe takes, with the pictures that one in a file has."""
    pictures = drawn(tmp_path, 3)
    (tmp_path / "piped.mp4").write_bytes(call(tmp_path, "film", "-o", "-", *pictures).stdout)
    call(tmp_path, "film", "-o", "a.mp4", *pictures)
    one, other = pixels(tmp_path / "piped.mp4"), pixels(tmp_path / "a.mp4")
    assert len(one) == 3 and all(psnr(*pair) > 90 for pair in zip(one, other))
    assert times(tmp_path / "piped.mp4")[0] == times(tmp_path / "a.mp4")[0]
    unread(tmp_path, 74, "film", "-o", "-", *pictures)


@pytest.mark.root
def test_full_disk(tmp_path: Path) -> None:
    noise = "nullsrc=s=256x256:d=0.04,geq=random(1)*255:128:128"
    ffmpeg("-f", "lavfi", "-i", noise, "-frames:v", 1, tmp_path / "a.png")
    out_of_room(tmp_path, 65536, "a.mov", "film", "--codec", "prores", "a.png", "a.png", "a.png")


@pytest.mark.parametrize("old", [False, True], ids=["nothing there", "over an old one"])
def test_interrupted(old: bool, tmp_path: Path) -> None:
    drawn(tmp_path, 1)
    if old:
        (tmp_path / "a.mp4").write_text("old\n")
    interrupted(tmp_path, "film", "--force", "--size", "1920x1080", "-o", "a.mp4", *["0.png"] * 400)


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("sound", [[], ["--sound", fixture("movie.mp4")]], ids=["silent", "with sound"])
def test_chromium_plays(sound: list[object], tmp_path: Path, browser: Browser) -> None:
    call(tmp_path, "film", "--each", "1s", *sound, "-o", "a.mp4", *drawn(tmp_path, 3, "160x120"))
    shown = browser.open(tmp_path / "a.mp4")
    assert "error" not in shown, shown
    assert (shown["width"], shown["height"]) == (160, 120), shown
    assert abs(shown["duration"] - 3) < 0.05, shown
