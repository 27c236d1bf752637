"""`avtool frames` against what ffmpeg decodes of the same films, and against the numbers in their pictures."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy
import pytest

from acceptance.endings import call, interrupted, out_of_room, refused, unread
from acceptance.films import fixture
from acceptance.media import Probe, fraction_of, pictures
from acceptance.picture_streams import decoded, described, luma, number_in
from acceptance.running import AVTOOL, ffmpeg, run, text

FILM = fixture("movie.mp4")
# One of each kind of samples, of pictures out of order, and of sides that chroma does not divide.
STORED = [
    "movie.mp4", "h264-open-gop.mp4", "h264-444.mp4", "10bit.mp4", "vp9.webm", "mpeg2.ps", "odd-33x17.mp4",
    "1x1.mp4", "edit-list-trim.mp4", "nonzero-start.mkv", "rotate-90.mp4", "interlaced-tff.mp4",
]  # fmt: skip
BITS = {
    "rgb24": 24, "bgr24": 24, "rgba": 32, "bgra": 32, "gray": 8, "rgb48le": 48, "gray16le": 16, "nv12": 12,
    "yuv420p": 12, "yuv422p": 16, "yuv444p": 24, "yuv420p10le": 24, "yuv422p10le": 32, "yuv444p10le": 48,
}  # fmt: skip


def numbered(folder: Path, *words: object, film: Path = FILM) -> list[tuple[int, Fraction, Fraction]]:
    """The number in each picture, the time it stands for, and its own time."""
    done = call(folder, "frames", "--json", "--format", "raw", "--pixel-format", "gray", *words, "-o", "-", film)
    found = []
    for index, (row, pixels) in enumerate(described(done.stdout)):
        time, actual = fraction_of(row["time"]), fraction_of(row["actual"])
        assert time is not None and actual is not None and row["index"] == index + 1
        found.append((number_in(pixels), time, actual))
    return found


@pytest.mark.parametrize("name", STORED)
def test_y4m_is_what_ffmpeg_decodes(name: str, tmp_path: Path) -> None:
    film = fixture(name)
    call(tmp_path, "frames", "--stored", "-o", "a.y4m", film)
    wanted, found = Probe.of(film).kind("video")[0], Probe.of(tmp_path / "a.y4m").kind("video")[0]
    for key in ("width", "height", "pix_fmt", "r_frame_rate"):
        assert found[key] == wanted[key], key
    assert decoded(tmp_path / "a.y4m") == decoded(film)


def test_y4m_tells_fields(tmp_path: Path) -> None:
    call(tmp_path, "frames", "--stored", "-o", "a.y4m", fixture("interlaced-tff.mp4"))
    assert Probe.of(tmp_path / "a.y4m").kind("video")[0]["field_order"].startswith("t")


@pytest.mark.parametrize("name", ["rotate-90.mp4", "rotate-180.mp4", "rotate-270.mp4", "flip-h.mp4", "transverse.mp4"])
def test_pictures_are_upright(name: str, tmp_path: Path) -> None:
    turned = ["ffmpeg", "-v", "error", "-i", fixture(name), "-map", "0:v:0", "-f", "rawvideo", "-"]
    found = call(tmp_path, "frames", "--format", "raw", "-o", "-", fixture(name)).stdout
    assert found and found == run(turned).stdout


@pytest.mark.parametrize("words", [[], ["--stored"], ["--pixel-format"], ["--stored", "--pixel-format"]])
@pytest.mark.parametrize("name", ["odd-33x17.mp4", "odd-161x121.webm", "1x1.mp4", "movie.mp4"])
def test_no_row_and_no_column_is_lost(name: str, words: list[str], tmp_path: Path) -> None:
    film = fixture(name)
    if "--pixel-format" in words:
        words = [*words, Probe.of(film).kind("video")[0]["pix_fmt"]]
    call(tmp_path, "frames", *words, "-o", "a.y4m", film)
    assert decoded(tmp_path / "a.y4m") == decoded(film)


@pytest.mark.parametrize("name", ["full-range.mp4", "mjpeg.avi"])
def test_stored_pictures_keep_all_their_codes_in_every_layout(name: str, tmp_path: Path) -> None:
    plain = ["ffmpeg", "-v", "error", "-i", fixture(name), "-map", "0:v:0", "-f", "rawvideo", "-"]
    for words in [[], ["--pixel-format", "yuv420p"]]:
        found = call(tmp_path, "frames", "--stored", "--format", "raw", *words, "-o", "-", fixture(name)).stdout
        assert found and found == run(plain).stdout
    shown = call(tmp_path, "frames", "--format", "raw", "-o", "-", fixture(name)).stdout
    assert len(shown) == len(found) and shown != found


@pytest.mark.parametrize(("name", "size"), [("anamorphic.mp4", (524, 288)), ("movie.mp4", (320, 240))])
def test_pixels_are_square(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    call(tmp_path, "frames", "-o", "a.y4m", fixture(name))
    found = Probe.of(tmp_path / "a.y4m").kind("video")[0]
    assert abs(found["width"] - size[0]) <= 1 and found["height"] == size[1]
    assert found["sample_aspect_ratio"] == "1:1"


@pytest.mark.peer("x264")
def test_x264_reads_it(tmp_path: Path) -> None:
    stream = call(tmp_path, "frames", "--to", "1s", "-o", "-", FILM).stdout
    command = ["x264", "--demuxer", "y4m", "--preset", "ultrafast", "--quiet", "-o", f"{tmp_path}/a.264", "-"]
    subprocess.run(command, input=stream, check=True, timeout=60)
    assert len(decoded(tmp_path / "a.264")) == 25


RANGES: list[tuple[list[str], list[int]]] = [
    ([], [*range(250)]),
    (["--from", "1s", "--to", "2s"], [*range(25, 50)]),
    (["--from", "#120", "--to", "#125"], [*range(120, 125)]),
    # Begins with what is shown there.
    (["--from", "1.01s", "--to", "1.09s"], [25, 26, 27]),
    (["--from", "end-0.1s"], [247, 248, 249]),
    (["--from", "9.96s", "--to", "99s"], [249]),
    (["--every", "1s"], [*range(0, 250, 25)]),
    (["--every", "1s", "--from", "0.5s", "--to", "3.5s"], [12, 37, 62]),
    (["--every", "20ms", "--to", "0.1s"], [0, 0, 1, 1, 2]),
    (["--every", "1/3s", "--to", "1s"], [0, 8, 16]),
    (["--every", "1h"], [0]),
]


@pytest.mark.parametrize(("words", "wanted"), RANGES, ids=[" ".join(words) for words, _ in RANGES])
def test_ranges_and_distances(words: list[str], wanted: list[int], tmp_path: Path) -> None:
    found = numbered(tmp_path, *words)
    assert [number for number, _, _ in found] == wanted
    assert [actual for _, _, actual in found] == [Fraction(number, 25) for number in wanted]
    if "--every" in words:
        step = {"1s": Fraction(1), "20ms": Fraction(1, 50), "1/3s": Fraction(1, 3), "1h": Fraction(3600)}
        start = Fraction(1, 2) if "--from" in words else Fraction(0)
        times = [start + index * step[words[1]] for index in range(len(wanted))]
        assert [time for _, time, _ in found] == times
    plain = call(tmp_path, "frames", *words, "--format", "raw", "--pixel-format", "gray", "-o", "-", FILM).stdout
    assert [number_in(plain[at : at + 76800]) for at in range(0, len(plain), 76800)] == wanted


def test_times_are_those_of_the_film(tmp_path: Path) -> None:
    """Of a film whose pictures come at no fixed rate, and which y4m gives one."""
    film = fixture("vfr.mp4")
    shown = pictures(film)
    times = [picture.time - shown[0].time for picture in shown]
    found = numbered(tmp_path, film=film)
    assert [actual for _, _, actual in found] == times
    assert [number for number, _, _ in found] == [*range(len(times))]
    done = call(tmp_path, "frames", "--pixel-format", "gray", "-o", "a.y4m", film)
    assert b"repeated or left out" in done.stderr
    probe = Probe.of(tmp_path / "a.y4m").kind("video")[0]
    step = 1 / Fraction(probe["r_frame_rate"])
    data = run(["ffmpeg", "-v", "error", "-i", tmp_path / "a.y4m", "-f", "rawvideo", "-"]).stdout
    for index in range(len(data) // 76800):
        at = index * step
        moments = [max(Fraction(0), at + off) for off in (-step, 0, step)]
        near = [max(index for index, time in enumerate(times) if time <= moment) for moment in moments]
        assert number_in(data[index * 76800 :]) in near, (index, float(at))


@pytest.mark.parametrize(
    "name",
    list(BITS),
)
def test_samples_lie_as_asked(name: str, tmp_path: Path) -> None:
    words = ["--format", "raw", "--pixel-format", name, "--to", "0.1s", "-o", "-"]
    found = call(tmp_path, "frames", *words, FILM).stdout
    assert len(found) == 3 * 320 * 240 * BITS[name] // 8
    # ffmpeg takes them for what they are called, and finds the same luma in them; grey ones are of all values.
    back = ["-f", "rawvideo", "-pixel_format", name, "-video_size", "320x240", "-i", "-"]
    mine, theirs = (
        numpy.frombuffer(data, numpy.uint8).astype(float) for data in (luma(back, found), luma(["-i", FILM]))
    )
    error = float(((mine - theirs) ** 2).mean())
    # Rounding to eight bits and back, once or twice: less than two steps.
    assert len(mine) == len(theirs) and error < 4, error


# A picture is shown until the next one, however long that takes and wherever the range begins.
@pytest.mark.parametrize("kind", ["mkv", "avi", "ts", "mov", "nut"])
def test_pictures_far_apart(kind: str, tmp_path: Path) -> None:
    film = tmp_path / f"apart.{kind}"
    kept = ["-vf", "select=lt(n\\,10)+gte(n\\,60)", "-fps_mode", "vfr", "-frames:v", 20]
    ffmpeg("-i", FILM, "-an", *kept, "-c:v", "mpeg4", "-q:v", 2, "-bf", 0, film)
    assert [number for number, _, _ in numbered(tmp_path, film=film)] == [*range(10), *range(60, 70)]
    for start, end, wanted in [(1, 1.5, [9]), (1, 2.44, [9, 60]), (2.4, 2.48, [60, 61]), (0.36, 2.4, [9])]:
        found = numbered(tmp_path, "--from", f"{start}s", "--to", f"{end}s", film=film)
        assert [number for number, _, _ in found] == wanted, (start, end)


# Where only the length of the whole is said, the longer track is no sign that the other one is cut.
@pytest.mark.parametrize(
    ("kind", "video", "sound"), [("flv", "flv", "mp3"), ("wmv", "wmv2", "wmav2"), ("mkv", "vp8", "flac")]
)
def test_tracks_of_other_lengths(kind: str, video: str, sound: str, tmp_path: Path) -> None:
    film, brief = tmp_path / f"long-sound.{kind}", tmp_path / f"long-pictures.{kind}"
    coded = ["-map", "0:v", "-map", "1:a", "-c:v", video, "-q:v", 4, "-c:a", sound, "-ar", 44100, "-ac", 2]
    tone = ["-f", "lavfi", "-i"]
    frames = ["frames", "--allow-format", "flv"]
    ffmpeg("-t", 1, "-i", FILM, *tone, "sine=d=3", *coded, film)
    ffmpeg("-t", 3, "-i", FILM, *tone, "sine=d=1", *coded, brief)
    for source in (film, brief):
        call(tmp_path, *frames, "--stored", "--force", "-o", "a.y4m", source)
        assert decoded(tmp_path / "a.y4m") == decoded(source)
        call(tmp_path, "waveform", "--force", "-o", "a.json", source)
        piped = run(["sh", "-c", f"cat {source} | {AVTOOL} {' '.join(frames)} --format raw -o - -"])
        assert piped.returncode == 0, text(piped.stderr)
        # What is cut off is still noticed, though the other track may be whole.
        cut = tmp_path / f"cut-{source.name}"
        cut.write_bytes(source.read_bytes()[: source.stat().st_size // 2])
        refused(tmp_path, 65, "", *frames, "-o", "b.y4m", cut)


# AVI stores decode times only: the frames' order is measured for all its tracks in one pass.
def test_each_track_of_decode_times_has_its_own_order(tmp_path: Path) -> None:
    video = tmp_path / "two.avi"
    later = ["-ss", 2, "-t", 1, "-i", FILM]
    options = ["-map", "0:v", "-map", "1:v", "-c:v", "libx264", "-bf:v:0", 3, "-bf:v:1", 2, "-g:v:1", 7]
    ffmpeg("-t", 1, "-i", FILM, *later, *options, video)
    for track, first in [(1, 0), (2, 50)]:
        found = numbered(tmp_path, "--track", track, film=video)
        assert [number for number, _, _ in found] == [*range(first, first + 25)]
        assert [time for _, _, time in found] == [Fraction(index, 25) for index in range(25)]


# Before fragments, a movie cannot know how long its last edit is.
def test_the_last_edit_of_fragments(tmp_path: Path) -> None:
    film = tmp_path / "fragments.mp4"
    coded = ["-c:v", "libx264", "-bf", 2, "-movflags", "+delay_moov+frag_keyframe", "-output_ts_offset", 1]
    ffmpeg("-t", 1, "-i", FILM, "-an", *coded, film)
    rows = [row for row, _ in described(call(tmp_path, "frames", "--json", "--format", "raw", "-o", "-", film).stdout)]
    assert {fraction_of(row["duration"]) for row in rows} == {Fraction(1, 25)}
    last = json.loads(call(tmp_path, "info", "--json", film).stdout)["tracks"][0]["editList"][-1]
    assert fraction_of(last["start"]) == 1 and fraction_of(last["duration"]) == 1


@pytest.mark.parametrize(("size", "wanted"), [("64x0", (64, 48)), ("0x120", (160, 120)), ("33x17", (33, 17))])
def test_sizes(size: str, wanted: tuple[int, int], tmp_path: Path) -> None:
    done = call(tmp_path, "frames", "--json", "--size", size, "--to", "0.04s", "-o", "a.y4m", FILM)
    row = json.loads(done.stdout)
    assert (row["width"], row["height"], row["frames"], row["file"]) == (*wanted, 1, "a.y4m")
    found = Probe.of(tmp_path / "a.y4m").kind("video")[0]
    assert (found["width"], found["height"]) == wanted
    raw = call(tmp_path, "frames", "--size", size, "--to", "0.04s", "--format", "raw", "-o", "-", FILM).stdout
    assert len(raw) == row["byteCount"] == sum(-(-wanted[0] // n) * -(-wanted[1] // n) * k for n, k in ((1, 1), (2, 2)))


PNGS = ["--format", "png", "--every", "2s", "--to", "5s", "-o", "-"]


def test_pngs_one_after_the_other(tmp_path: Path) -> None:
    stream = call(tmp_path, "frames", *PNGS, FILM).stdout
    grey = luma(["-f", "image2pipe", "-c:v", "png", "-i", "-"], stream)
    assert [number_in(grey[at : at + 76800]) for at in range(0, len(grey), 76800)] == [0, 50, 100]


def test_pngs_with_lines_before_them(tmp_path: Path) -> None:
    rows = described(call(tmp_path, "frames", *PNGS, "--json", FILM).stdout)
    assert all(picture.startswith(b"\x89PNG") and picture.endswith(b"IEND\xaeB`\x82") for _, picture in rows)
    assert b"".join(picture for _, picture in rows) == call(tmp_path, "frames", *PNGS, FILM).stdout


@pytest.mark.parametrize("name", ["truncated.mp4", "damaged.mp4"])
def test_what_is_damaged_comes_after_what_is_not(name: str, tmp_path: Path) -> None:
    film, words = fixture(name), ["frames", "--format", "raw", "--stored", "-o", "-"]
    found = call(tmp_path, *words, film, wanted=65).stdout
    decode = ["ffmpeg", "-v", "quiet", "-i", film, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo", "-"]
    theirs = run(decode).stdout
    assert 0 < len(found) < len(theirs) and theirs.startswith(found)
    assert call(tmp_path, *words, "--allow-damaged", film).stdout[: len(found)] == found
    refused(tmp_path, 65, name, "frames", "--stored", "-o", "a.y4m", film)


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("no film\n")
    (tmp_path / "old.y4m").write_text("old\n")
    shutil.copy(FILM, tmp_path / "own.mp4")
    for code, said, words in (
        (66, "no such file", ["missing.mp4"]),
        (66, "is a directory", ["."]),
        (65, "not a media file", ["text.mp4"]),
        (65, "no track of pictures", [fixture("audio-only.m4a")]),
        (65, "beyond the end", ["--from", "99s", "own.mp4"]),
        (65, "beyond the end", ["--from", "10s", "own.mp4"]),
        (64, "before --to", ["--from", "2s", "--to", "1s", "own.mp4"]),
        (64, "above zero", ["--every", "0", "own.mp4"]),
        (64, "negative", ["--every=-1s", "own.mp4"]),
        (64, "rubbish", ["--every", "rubbish", "own.mp4"]),
        (64, "rubbish", ["--pixel-format", "rubbish", "own.mp4"]),
        (64, "rgb24", ["--pixel-format", "rgb24", "own.mp4"]),
        (64, "0x0", ["--size", "0x0", "own.mp4"]),
        (65, "no track 9", ["--track", "9", "own.mp4"]),
        (73, "--force", ["-o", "old.y4m", "own.mp4"]),
        (73, "input", ["--force", "-o", "own.mp4", "own.mp4"]),
        (73, "none", ["-o", "none/a.y4m", "own.mp4"]),
        (64, "png", ["--format", "png", "own.mp4"]),
        (64, "--json", ["--json", "-o", "-", "own.mp4"]),
    ):
        refused(tmp_path, code, said, "frames", *words)
    call(tmp_path, "frames", "--force", "-o", "old.y4m", "own.mp4")
    assert (tmp_path / "old.y4m").read_bytes().startswith(b"YUV4MPEG2 ")


def test_a_reader_that_goes_ends_the_command(tmp_path: Path) -> None:
    unread(tmp_path, -signal.SIGPIPE, "frames", "-o", "-", FILM)


@pytest.mark.root
def test_full_disk(tmp_path: Path) -> None:
    out_of_room(tmp_path, 1 << 20, "a.y4m", "frames", FILM)


def test_interrupted(tmp_path: Path) -> None:
    interrupted(tmp_path, "frames", "--every", "1ms", "--size", "640x480", "-o", "a.y4m", FILM)
