"""Tracks whose container tells little of them, or what does not fit: every command shows the same frames.

Frames carry their numbers, so that what has to be there is known from how a file was made.
"""

from __future__ import annotations

import json
import re
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


def without_times(data: bytes, every: int) -> bytes:
    """Begins each so many pictures of a transport stream in the unit of the one before, as some recorders do."""
    packets = [bytearray(data[at : at + 188]) for at in range(0, len(data), 188)]
    count = 0
    for packet in packets:
        if packet[1] & 0x40 == 0 or (packet[1] & 0x1F) << 8 | packet[2] != 0x100:
            continue
        count += 1
        if count % every:
            continue
        has_field = packet[3] & 0x20 != 0
        start = 4 + (1 + packet[4] if has_field else 0)
        assert packet[start : start + 3] == b"\0\0\1"
        body = start + 9 + packet[start + 8]
        field = bytes(packet[5:start]) if has_field and packet[4] > 0 else b"\0"
        field += b"\xff" * (body - 5 - len(field))
        packet[1] &= 0xBF
        packet[3] |= 0x20
        packet[4:body] = bytes([len(field)]) + field
    return b"".join(packets)


@pytest.mark.parametrize("every", [2, 3, 7, 11, 13])
@pytest.mark.parametrize(
    "coding",
    [
        X264,
        "-c:v libx264 -x264-params keyint=25:min-keyint=25:scenecut=0:bframes=0 -pix_fmt yuv420p",
        "-c:v libx264 -x264-params keyint=25:open-gop=1:scenecut=0:bframes=3:b-pyramid=normal -pix_fmt yuv420p",
        "-c:v libx264 -x264-params keyint=250:scenecut=0:b-adapt=0:bframes=3:b-pyramid=none -pix_fmt yuv420p",
        "-c:v libx265 -x265-params log-level=none:keyint=25:bframes=3 -pix_fmt yuv420p",
    ],
)
def test_pictures_without_times_stand_between_their_neighbours(coding: str, every: int, tmp_path: Path) -> None:
    ffmpeg("-i", fixture("movie.mp4"), "-map", "0:v", *coding.split(), tmp_path / "whole.ts")
    (tmp_path / "film.ts").write_bytes(without_times((tmp_path / "whole.ts").read_bytes(), every))
    untimed = [line for line in ffprobe(tmp_path / "film.ts", "packet=pts") if line.startswith("N/A")]
    assert len(untimed) > 250 // every // 2
    check_frames(tmp_path / "film.ts")
    times = [float(frame.time) for frame in pictures(tmp_path / "copy.mp4")]
    assert times == [pytest.approx(number / 25, abs=0.001) for number in range(250)]


def all_marked(data: bytes) -> bytes:
    """Has a file say that decoding can begin with any frame."""
    if data[:4] != b"RIFF":
        assert data.count(b"stss") == 1
        return data.replace(b"stss", b"free")
    marked = bytearray(data)
    for at in range(data.rindex(b"idx1") + 8, len(data) - 15, 16):
        marked[at + 4] |= 0x10
    return bytes(marked)


@pytest.mark.parametrize(
    ("name", "coding"),
    [
        ("film.3gp", "-c:v h263 -s 352x288 -g 25"),
        ("film.mov", "-c:v h263p -s 352x288 -g 25"),
        ("film.mov", "-c:v mpeg4 -g 25"),
        ("film.mov", "-c:v mpeg2video -g 25 -bf 0"),
        ("film.mp4", "-c:v libx264 -g 25 -bf 0 -sc_threshold 0"),
        ("film.avi", "-c:v msmpeg4 -g 25"),
        ("film.avi", "-c:v wmv2 -g 25"),
        ("film.avi", "-c:v mpeg4 -g 25"),
    ],
)
def test_every_sample_claimed_to_be_a_keyframe(name: str, coding: str, tmp_path: Path) -> None:
    whole = f"whole.{name[-3:]}"
    ffmpeg("-i", fixture("movie.mp4"), "-map", "0:v", *coding.split(), "-b:v", "2M", tmp_path / whole)
    (tmp_path / name).write_bytes(all_marked((tmp_path / whole).read_bytes()))
    for number in [0, 1, 37, 99, 249]:
        tool(tmp_path, "thumbs", "--at", f"#{number}", "-o", "still.png", "--force", name).expect()
        assert frame_number(tmp_path / "still.png") == number
    tool(tmp_path, "verify", name).expect()
    for output in ["range.mkv"] if "wm" in coding or "ms" in coding else ["range.mov", "range.mkv"]:
        done = export(tmp_path / name, tmp_path / output, "--preset", "passthrough", "--range", "#60..#101")
        assert done.code == 0, done.said
        assert numbers(tmp_path / output) == [*range(60 if output == "range.mov" else 50, 101)]
        # Of H.263 in Matroska ffprobe says that of every packet.
        if "h263" in coding and output == "range.mkv":
            continue
        keys = [flags.startswith("K") for flags in ffprobe(tmp_path / output, "packet=flags", "-select_streams", "v")]
        assert keys == [number % 25 == 0 for number in range(50, 101)]


def test_a_range_of_a_codec_that_is_not_looked_into_is_decoded_from_its_keyframe(tmp_path: Path) -> None:
    coding = "-vf scale=320:-2 -c:v qtrle -g 1000 -pix_fmt rgb24"
    ffmpeg("-stream_loop", 1, "-i", fixture("movie.mp4"), "-map", "0:v", *coding.split(), tmp_path / "whole.mov")
    (tmp_path / "film.mov").write_bytes(all_marked((tmp_path / "whole.mov").read_bytes()))
    for name in ["whole", "film"]:
        done = export(
            tmp_path / f"{name}.mov", tmp_path / f"{name}.mkv", "--preset", "prores-422", "--range", "16s+400ms"
        )
        assert done.code == 0, done.said
        assert numbers(tmp_path / f"{name}.mkv") == [*range(150, 160)]
    hashes = [
        ffprobe(tmp_path / f"{name}.mkv", "packet=data_hash", "-show_data_hash", "MD5") for name in ["whole", "film"]
    ]
    assert hashes[0] == hashes[1]


def test_a_range_of_a_stream_without_keyframes_has_the_frames_of_a_linear_decode(tmp_path: Path) -> None:
    coding = "-c:v libx264 -x264-params intra-refresh=1:keyint=50:bframes=0 -pix_fmt yuv420p"
    ffmpeg("-stream_loop", 2, "-i", fixture("movie.mp4"), "-map", "0:v", *coding.split(), tmp_path / "film.mkv")
    done = export(tmp_path / "film.mkv", tmp_path / "range.mp4", "--preset", "low", "--range", "21s+400ms")
    assert done.code == 0, done.said
    assert numbers(tmp_path / "range.mp4") == [*range(25, 35)]


def without_a_part_of_a_keyframe(file: Path, number: int) -> bytes:
    """Takes one packet of a transport stream out of a keyframe."""
    keys = [line for line in ffprobe(file, "packet=pos,flags", "-select_streams", "v") if "K" in line]
    data = file.read_bytes()
    at = int(next(word for word in keys[number].split(",") if word.isdigit())) + 10 * 188
    while (data[at + 1] & 0x1F) << 8 | data[at + 2] != 0x100:
        at += 188
    assert data[at + 1] & 0x40 == 0
    return data[:at] + data[at + 188 :]


def test_damage_in_a_keyframe_is_concealed_by_the_frames_before_it(tmp_path: Path) -> None:
    coding = "-c:v libx264 -x264-params keyint=25:scenecut=0:bframes=2:slices=4 -b:v 3M -pix_fmt yuv420p"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4", *coding.split(), tmp_path / "whole.ts")
    (tmp_path / "torn.ts").write_bytes(without_a_part_of_a_keyframe(tmp_path / "whole.ts", 2))
    ffmpeg(
        "-threads", 1, "-i", tmp_path / "torn.ts", "-vf", "select=eq(n\\,60)", "-frames:v", 1, tmp_path / "linear.png"
    )
    tool(tmp_path, "thumbs", "--allow-damaged", "--at", "#60", "-o", "still.png", "torn.ts").expect()
    words = ["-i", tmp_path / "still.png", "-i", tmp_path / "linear.png", "-lavfi", "psnr", "-f", "null", "-"]
    said = run(["ffmpeg", "-nostdin", *words]).stderr.decode()
    # A keyframe decoded by itself has nothing that its damage could be concealed by: 18 dB.
    assert float(re.findall(r"average:([\d.]+)", said)[0]) > 22


def without_first_times(data: bytes, count: int) -> bytes:
    """Takes the times out of the first units of a transport stream's video."""
    stripped, found = bytearray(data), 0
    for at in range(0, len(data), 188):
        if data[at + 1] & 0x40 == 0 or (data[at + 1] & 0x1F) << 8 | data[at + 2] != 0x100:
            continue
        found += 1
        if found > count:
            break
        start = at + 4 + (1 + data[at + 4] if data[at + 3] & 0x20 else 0)
        assert data[start : start + 3] == b"\0\0\1"
        stripped[start + 7] &= 0x3F
        stripped[start + 9 : start + 9 + data[start + 8]] = b"\xff" * data[start + 8]
    return bytes(stripped)


@pytest.mark.parametrize("count", [1, 3, 6])
def test_a_segment_whose_first_pictures_have_no_times(count: int, tmp_path: Path) -> None:
    # Sound tells where the segment begins.
    tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=10"]
    mapped = ["-map", "0:v", "-map", "1:a", "-c:a", "aac"]
    ffmpeg("-i", fixture("movie.mp4"), *tone, *mapped, *X264.split(), tmp_path / "whole.ts")
    (tmp_path / "film.ts").write_bytes(without_first_times((tmp_path / "whole.ts").read_bytes(), count))
    untimed = [
        line for line in ffprobe(tmp_path / "film.ts", "packet=pts", "-select_streams", "v") if line[:3] == "N/A"
    ]
    assert len(untimed) == count
    check_frames(tmp_path / "film.ts")
    for first, last in [(0, 50), (12, 99), (130, 249)]:
        done = export(
            tmp_path / "film.ts",
            tmp_path / f"part-{first}.mp4",
            "--preset",
            "passthrough",
            "--range",
            f"#{first}..#{last}",
        )
        assert done.code == 0, done.said
        assert numbers(tmp_path / f"part-{first}.mp4") == [*range(first, last)]
