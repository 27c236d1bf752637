"""Tracks whose container tells little of them, or what does not fit: every command shows the same frames.

Frames carry their numbers, so that what has to be there is known from how a file was made.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.media import export, pictures
from acceptance.running import run
from acceptance.tool import ffprobe, frame_number, tool

X264 = "-c:v libx264 -x264-params keyint=25:min-keyint=25:scenecut=0:bframes=3 -pix_fmt yuv420p"


def ffmpeg(*words: object) -> None:
    run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words]).check_returncode()


def numbers(file: Path) -> list[int | None]:
    return [frame.number for frame in pictures(file)]


def check_frames(file: Path, count: int = 250) -> None:
    """Every command sees the frames 0 to `count` - 1, in order."""
    folder = file.parent
    for number in [0, 1, 37, 38, count // 2, count - 2, count - 1]:
        tool(folder, "thumbs", "--at", f"#{number}", "-o", "still.png", "--force", file.name).expect()
        assert frame_number(folder / "still.png") == number
    tool(folder, "verify", file.name).expect()
    tool(folder, "frames", "--format", "csv", "-o", "frames.csv", "--force", file.name)
    for name, preset in [("copy.mkv", "passthrough"), ("copy.mp4", "passthrough"), ("low.mp4", "low")]:
        done = export(file, folder / name, "--preset", preset)
        assert done.code == 0, done.said
        assert numbers(folder / name) == [*range(count)], name
    done = export(file, folder / "range.mp4", "--preset", "passthrough", "--range", "#60..#101")
    assert done.code == 0, done.said
    assert numbers(folder / "range.mp4") == [*range(60, 101)]


def open_edits(file: Path) -> None:
    """Takes the durations out of the last rows of all edit lists."""
    data = bytearray(file.read_bytes())
    at = data.find(b"elst")
    while at >= 0:
        assert data[at + 4] == 0
        (count,) = struct.unpack_from(">I", data, at + 8)
        struct.pack_into(">I", data, at + 12 + 12 * (count - 1), 0)
        at = data.find(b"elst", at + 4)
    file.write_bytes(data)


@pytest.mark.parametrize("bframes", [0, 3])
def test_edits_without_a_duration_show_the_rest(bframes: int, tmp_path: Path) -> None:
    coding = f"-c:v libx264 -x264-params keyint=25:scenecut=0:bframes={bframes} -pix_fmt yuv420p".split()
    tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=10"]
    mapped = ["-map", "0:v", "-map", "1:a"]
    ffmpeg("-i", fixture("movie.mp4"), *tone, *mapped, *coding, "-c:a", "aac", tmp_path / "film.mp4")
    open_edits(tmp_path / "film.mp4")
    check_frames(tmp_path / "film.mp4")
    assert [float(one) for one in ffprobe(tmp_path / "copy.mp4", "stream=start_time")[:2]] == [0, 0]


def test_samples_before_fragments_come_first(tmp_path: Path) -> None:
    tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=10"]
    coding = [*X264.split(), "-c:a", "aac", "-movflags", "frag_keyframe"]
    ffmpeg("-i", fixture("movie.mp4"), *tone, "-map", "0:v", "-map", "1:a", *coding, tmp_path / "film.mp4")
    shown = json.loads(tool(tmp_path, "info", "--json", "film.mp4").expect().text)
    for track in shown["tracks"]:
        start = track["timeRange"]["start"]
        assert start["value"] / start["timescale"] < 0.1
    check_frames(tmp_path / "film.mp4")


@pytest.mark.parametrize("bframes", [0, 3])
def test_frames_of_mxf_are_in_order(bframes: int, tmp_path: Path) -> None:
    coding = f"-c:v libx264 -x264-params keyint=25:scenecut=0:bframes={bframes} -pix_fmt yuv420p".split()
    ffmpeg("-i", fixture("movie.mp4"), "-map", "0:v", *coding, tmp_path / "film.mxf")
    check_frames(tmp_path / "film.mxf")


@pytest.mark.parametrize("name", ["film.mp4", "film.mkv"])
def test_a_track_of_one_picture_is_not_the_film(name: str, tmp_path: Path) -> None:
    still = ["-f", "lavfi", "-i", "color=red:size=320x240:rate=25:duration=0.04"]
    mapped = ["-map", "1:v", "-map", "0:v", "-map_chapters", "-1"]
    coding = ["-c:v:0", "mjpeg", "-c:v:1", "copy", "-disposition:v:0", "default"]
    ffmpeg("-i", fixture("movie.mp4"), *still, *mapped, *coding, tmp_path / name)
    for number in [0, 1, 124, 249]:
        tool(tmp_path, "thumbs", "--at", f"#{number}", "-o", "still.png", "--force", name).expect()
        assert frame_number(tmp_path / "still.png") == number
    done = export(tmp_path / name, tmp_path / "range.mp4", "--preset", "low", "--range", "#60..#101")
    assert done.code == 0, done.said
    done = export(tmp_path / name, tmp_path / "copy.mp4", "--preset", "passthrough", "--range", "#60..#101")
    assert done.code == 0, done.said
    # The picture lies before the range.
    if name == "film.mp4":
        assert numbers(tmp_path / "copy.mp4") == [*range(60, 101)]


def alpha_of(file: Path, frame: int, *options: object) -> bytes:
    words = [*options, "-i", file, "-vf", f"select=eq(n\\,{frame}),alphaextract,format=gray", "-frames:v", 1]
    done = run(["ffmpeg", "-v", "error", "-nostdin", *words, "-f", "framemd5", "-"])
    done.check_returncode()
    return done.stdout.splitlines()[-1].split(b",")[-1].strip()


def test_alpha_with_keyframes_of_its_own(tmp_path: Path) -> None:
    """Colors and alpha are two streams of frames in WebM; decoding starts where both have a keyframe."""
    inputs = ["-i", fixture("movie.mp4"), "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=10"]
    # The colors change all at once at every 35th frame, alpha never does.
    graph = "[0:v]format=yuv420p,negate=enable='gte(mod(n,70),35)'[c];[1:v]format=gray[a];[c][a]alphamerge"
    coding = ["-c:v", "libvpx", "-auto-alt-ref", 0, "-g", 1000, "-b:v", "500k"]
    ffmpeg(*inputs, "-filter_complex", f"{graph},format=yuva420p[o]", "-map", "[o]", *coding, tmp_path / "film.webm")
    keys = [one for one in ffprobe(tmp_path / "film.webm", "packet=flags") if "K" in one]
    assert len(keys) > 5
    for number in [0, 36, 60, 150, 249]:
        tool(tmp_path, "thumbs", "--at", f"#{number}", "-o", "still.png", "--force", "film.webm").expect()
        expected = alpha_of(tmp_path / "film.webm", number, "-c:v", "libvpx")
        assert alpha_of(tmp_path / "still.png", 0) == expected, number
    tool(tmp_path, "verify", "film.webm").expect()
    done = export(tmp_path / "film.webm", tmp_path / "range.webm", "--preset", "passthrough", "--range", "#150..#200")
    assert done.code == 0, done.said
    shown = int(ffprobe(tmp_path / "range.webm", "stream=nb_read_packets", "-count_packets")[0])
    expected = alpha_of(tmp_path / "film.webm", 199, "-c:v", "libvpx")
    assert alpha_of(tmp_path / "range.webm", shown - 1, "-c:v", "libvpx") == expected
