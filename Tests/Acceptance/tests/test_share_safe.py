"""Plants positions, names, addresses, serial numbers and dates in files of all kinds, and searches for them in what
'avtool export --share-safe' and 'avtool metadata remove --share-safe' make of them.

None of the planted words may be in any output, in any encoding; pictures and sound that are copied stay as they were;
exiftool finds no position.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from acceptance import private_media as media
from acceptance.films import fixture
from acceptance.running import AVTOOL, Findings, ffmpeg, parsed, run, text
from acceptance.tool import ffprobe, names, tool


def hashes(path: Path, kind: str) -> list[str]:
    """The decoded pictures, or the packets of sound, of the first track of a kind, without their times."""
    how = ["-fps_mode", "passthrough"] if kind == "v" else ["-c", "copy"]
    whole = ["-ignore_editlist", "1"] if path.suffix in (".mp4", ".mov", ".m4v", ".m4a") else []
    result = subprocess.run(
        ["ffmpeg", "-v", "quiet", "-nostdin", *whole, "-i", path, "-map", f"0:{kind}:0", *how, "-f", "framehash", "-"],
        capture_output=True,
    )
    lines = [line for line in result.stdout.decode().splitlines() if not line.startswith("#")]
    return [line.split(",")[5].strip() for line in lines if line.count(",") >= 5]


def exiftool(path: Path) -> str:
    result = subprocess.run(["exiftool", "-ee", "-a", "-u", "-G1", "-s", path], capture_output=True)
    return result.stdout.decode(errors="replace")


PRIVATE = re.compile(r"GPS|ISO6709|SerialNumber|OwnerName|AppleStoreAccount|\b2019[:-]03", re.I)


def examine(
    report: Findings,
    label: str,
    source: Path,
    made: Path,
    marks: media.Marks,
    compares_sound: bool,
    compares_pictures: bool,
) -> None:
    left = marks.found(made.read_bytes())
    if left:
        fail(report, label, "still holds:", ", ".join(sorted(set(left))))
    told = [
        line
        for line in exiftool(made).splitlines()
        if PRIVATE.search(line) and not line.startswith(("[System]", "[ExifTool]"))
    ]
    if told:
        fail(report, label, "exiftool:", told[:4])
    for kind, wanted in (("v", compares_pictures), ("a", compares_sound)):
        before, after = (hashes(source, kind), hashes(made, kind)) if wanted else ([], [])
        # Containers without edit lists begin without the packets of sound that one hides.
        hidden = 3 if kind == "a" else 0
        if source.suffix == ".mp3":
            # To ffmpeg the tags behind the sound are a part of its last packet.
            before, after = before[:-1], after[: len(before) - 1]
        if wanted and (not after or not any(before[skipped:] == after for skipped in range(hidden + 1))):
            fail(report, label, "other", {"v": "pictures", "a": "sound"}[kind], len(before), len(after))


def fail(report: Findings, *words: object) -> None:
    report.problems.append(" ".join(map(str, words)))


def avtool(*words: object) -> subprocess.CompletedProcess[bytes]:
    return run([AVTOOL, *words])


def said(result: subprocess.CompletedProcess[bytes]) -> str:
    return f"exit code {result.returncode}: {text(result.stderr)[-400:]}"


@dataclass
class Planted:
    """A file with marks, and what is made of it."""

    source: Path
    marks: media.Marks
    endings: list[str]
    presets: list[tuple[str, str]] = field(default_factory=list)
    remove: bool = True
    pictures: bool = True
    sound: bool = True


def check(planted: Planted, folder: Path) -> Findings:
    report, source, marks = Findings(), planted.source, planted.marks
    shown = parsed([AVTOOL, "metadata", "show", "--private", "--json", source])
    report.expect(shown.get("private"), "metadata show --private shows nothing")
    jobs = [("passthrough", ending) for ending in planted.endings] + planted.presets
    for preset, ending in jobs:
        made = folder / f"out-{preset}.{ending}"
        result = avtool("export", "--preset", preset, "--share-safe", "--force", "-o", made, source)
        if not report.expect(result.returncode == 0, f"{preset} to {ending}: {said(result)}"):
            continue
        copies = preset == "passthrough"
        sound = copies and planted.sound and ending != "ts" and source.suffix != ".ts"
        examine(report, f"{preset} to {ending}", source, made, marks, sound, copies and planted.pictures)
    if planted.remove:
        made = folder / f"removed-{source.name}"
        result = avtool("metadata", "remove", "--share-safe", "-o", made, source)
        if report.expect(result.returncode == 0, f"metadata remove: {said(result)}"):
            examine(report, "metadata remove", source, made, marks, planted.sound, planted.pictures)
            again = parsed([AVTOOL, "metadata", "remove", "--share-safe", "--json", "--dry-run", made])
            report.expect(again.get("removed") == [], f"a second time: {str(again)[:600]}")
    return report


def first_tracks(source: Path, name: str, *options: str) -> Path:
    """The pictures and the sound of a file, copied into another beside it."""
    made = source.with_name(name)
    ffmpeg("-i", source, "-map", "0:v:0", "-map", "0:a", "-c", "copy", *options, made)
    return made


def movies(folder: Path) -> Iterator[Planted]:
    marks = media.Marks()
    video = media.h264(folder, marks)
    plain = media.plain_movie(folder, marks, "plain-h264.mp4", video)
    yield Planted(
        media.movie(folder, marks, "h264.mp4", plain),
        marks,
        ["mp4", "mov", "mkv", "ts", "m4v"],
        [("low", "mp4"), ("high", "mov"), ("webm-vp9", "webm"), ("m4a", "m4a")],
    )
    comment = "comment=" + marks("comment of a fragmented movie")
    fragments = ("-movflags", "frag_keyframe+empty_moov", "-metadata", comment)
    yield Planted(first_tracks(folder / "h264.mp4", "fragmented.mp4", *fragments), marks, ["mp4", "mkv"])
    stream = first_tracks(folder / "h264.mp4", "h264.ts", "-metadata", "service_name=" + marks("service's name"))
    yield Planted(stream, marks, ["ts", "mp4", "mkv", "mov"], remove=False)
    quicktime = media.plain_movie(
        folder,
        marks,
        "plain-h264.mov",
        video,
        ("-timecode", "10:00:00:00", "-metadata:s:v", "reel_name=" + marks("name of a reel")),
    )
    yield Planted(
        media.movie(folder, marks, "h264.mov", quicktime, True), marks, ["mov", "mp4", "mkv"], [("low", "mov")]
    )


def codings(folder: Path) -> Iterator[Planted]:
    marks = media.Marks()
    plain = media.plain_movie(folder, marks, "plain-hevc.mp4", media.hevc(folder, marks), ("-tag:v", "hvc1"))
    yield Planted(media.movie(folder, marks, "hevc.mp4", plain), marks, ["mp4", "mov", "mkv", "ts"])
    marks = media.Marks()
    plain = media.plain_movie(folder, marks, "plain-av1.mp4", media.av1(folder, marks))
    yield Planted(media.movie(folder, marks, "av1.mp4", plain), marks, ["mp4", "mkv"])
    marks = media.Marks()
    video = media.user_data(folder, marks, "mpeg4", "m4ves", (0x20, 0xB3))
    plain = media.plain_movie(folder, marks, "plain-mpeg4.mp4", video)
    yield Planted(media.movie(folder, marks, "mpeg4.mp4", plain), marks, ["mp4", "mov", "mkv", "avi"])
    marks = media.Marks()
    video = media.user_data(folder, marks, "mpeg2video", "m2v", (0xB3, 0xB8))
    yield Planted(media.matroska(folder, marks, "mpeg2.mkv", media.timed(folder, video)), marks, ["mkv", "ts", "mov"])
    marks = media.Marks()
    video = media.mjpeg(folder, marks)
    yield Planted(video, marks, ["mov", "mkv", "avi"], sound=False)


def others(folder: Path) -> Iterator[Planted]:
    marks = media.Marks()
    yield Planted(
        media.matroska(folder, marks, "h264.mkv", media.h264(folder, marks)),
        marks,
        ["mkv", "mp4", "mov"],
        [("low", "mp4")],
    )
    marks = media.Marks()
    yield Planted(
        media.matroska(folder, marks, "vorbis.webm", media.av1(folder, marks), "libvorbis"), marks, ["webm", "mkv"]
    )
    marks = media.Marks()
    yield Planted(media.mp3(folder, marks), marks, ["mp3", "mp4", "mov", "mka"], [("m4a", "m4a")], pictures=False)
    marks = media.Marks()
    yield Planted(
        media.flac(folder, marks), marks, ["flac", "mka", "mp4"], [("opus", "opus"), ("mp3", "mp3")], pictures=False
    )
    for name, codec, endings in (
        ("tagged.ogg", "libvorbis", ["ogg", "mka"]),
        ("tagged.opus", "libopus", ["opus", "mka", "mp4"]),
    ):
        marks = media.Marks()
        yield Planted(media.tagged(folder, marks, name, codec), marks, endings, [("m4a", "m4a")], pictures=False)
    marks = media.Marks()
    yield Planted(media.wave(folder, marks), marks, ["wav", "mka"], [("m4a", "m4a")], pictures=False)


# How many files each group makes.
GROUPS: dict[Callable[[Path], Iterator[Planted]], int] = {movies: 4, codings: 5, others: 7}
QUICK = {(others, 2)}
JOBS = [
    pytest.param(group, n, id=f"{group.__name__} {n + 1}", marks=() if (group, n) in QUICK else pytest.mark.slow)
    for group, count in GROUPS.items()
    for n in range(count)
]


@pytest.mark.peer("exiftool", "mkvmerge", "mkvpropedit")
@pytest.mark.parametrize(("group", "number"), JOBS)
def test_share_safe(group: Callable[[Path], Iterator[Planted]], number: int, tmp_path: Path) -> None:
    media.SAME.clear()
    folder = tmp_path / "planted"
    folder.mkdir()
    files = group(folder)
    planted = next(itertools.islice(files, number, None))
    assert not check(planted, folder).problems, planted.source.name
    if number == GROUPS[group] - 1:
        assert next(files, None) is None, "GROUPS does not count all files"


# --- what is printed, and what is refused -----------------------------------------------

# What ffmpeg plants: in user data among the frames, the name of a track, an owner, subtitles and a location.
WORDS = ["ZqUserDataPlant", "ZqTrackPlant", "ZqOwnerPlant", "ZqTextPlant", "47.1234"]


def plant(path: Path) -> Path:
    """Makes a movie with those words in it."""
    subtitles = path.with_name("gps.srt")
    subtitles.write_text("1\n00:00:00,000 --> 00:00:01,000\nGPS (8.5678,47.1234,19) ZqTextPlant\n")
    user_data = "086f3693-b7b3-4f2c-9653-21492feee5b8+ZqUserDataPlant+47.1234+008.5678"
    streams = ["-map", "0:v:0", "-map", "1:s", "-c:v", "copy", "-c:s", "srt" if path.suffix == ".mkv" else "mov_text"]
    tags = ["owner=ZqOwnerPlant", "title=A title", "creation_time=2019-03-17T09:41:05Z", "location=+47.1234+008.5678/"]
    options = [*streams, "-bsf:v", f"h264_metadata=sei_user_data={user_data}"]
    options += [word for tag in tags for word in ("-metadata", tag)]
    options += [word for key in ("handler_name", "title") for word in ("-metadata:s:v", f"{key}=ZqTrackPlant")]
    ffmpeg("-i", fixture("h264-intra-refresh.mp4"), "-i", subtitles, *options, path)
    return path


def holds(path: Path, word: str) -> bool:
    """Whether a word is in the bytes of a file, as UTF-8 or UTF-16."""
    data = path.read_bytes()
    return word.encode() in data or word.encode("utf-16-le") in data


@pytest.mark.parametrize("job", ["mp4", "mov", "mkv", "ts", "metadata remove"])
@pytest.mark.parametrize("ending", ["mp4", "mov", "mkv"])
def test_share_safe_leaves_nothing_of_what_was_planted_and_prints_what_it_left_out(
    ending: str, job: str, tmp_path: Path
) -> None:
    source = plant(tmp_path / f"a.{ending}")
    # ffmpeg writes an owner into Matroska only.
    assert [word for word in WORDS if not holds(source, word)] == ([] if ending == "mkv" else ["ZqOwnerPlant"])
    if job == "metadata remove":
        made = tmp_path / f"removed.{ending}"
        run = tool(tmp_path, "metadata", "remove", "--share-safe", "-o", made.name, source.name).expect(0)
        assert "removed: message" in run.text, run
    else:
        made = tmp_path / f"shared.{job}"
        words = ["export", "--preset", "passthrough", "--share-safe", "-o", made.name, source.name]
        run = tool(tmp_path, *words).expect(0)
        assert "left out: message" in run.text, run
        assert "left out: track" in run.text, run
    assert [word for word in WORDS if holds(made, word)] == []
    frames = hashes(source, "v")
    assert frames and hashes(made, "v") == frames


def test_private_details_are_listed_with_their_places(tmp_path: Path) -> None:
    source = plant(tmp_path / "a.mp4")
    [shown] = tool(tmp_path, "metadata", "show", "--private", "--json", source.name).json
    details = shown["private"]
    assert {detail["kind"] for detail in details} >= {"metadata", "track", "message", "name", "date"}, details
    assert any("track 2" in detail["place"] for detail in details), details
    assert all(isinstance(detail["count"], int) for detail in details), details


# --- frames that an edit list hides -----------------------------------------------------


def discarded(path: Path) -> int:
    """The frames of the first video track that ffprobe says are decoded and not presented."""
    return len([flags for flags in ffprobe(path, "packet=flags", "-select_streams", "v:0") if "D" in flags])


@pytest.mark.parametrize("source", ["movie.mov", "long-gop.mp4", "h264-open-gop.mp4"])
@pytest.mark.parametrize("kept", ["1.5s+1s", "0.3s..2.02s", "2s.."])
def test_a_passthrough_trim_says_how_many_frames_it_hides(kept: str, source: str, tmp_path: Path) -> None:
    words = ["export", "--preset", "passthrough", "--range", kept]
    run = tool(tmp_path, *words, "--json", "-o", "cut.mp4", fixture(source)).expect(0)
    hidden = discarded(tmp_path / "cut.mp4")
    for name in ("plan", "completed"):
        event = next(event for event in run.json if event["event"] == name)
        parts = [part for part in event.get("hidden") or [] if part["mediaType"] == "video"]
        assert sum(part["start"]["frames"] + part["end"]["frames"] for part in parts) == hidden, name
    plan = tool(tmp_path, *words, "--dry-run", "-o", "other.mp4", fixture(source))
    assert ("hidden by the edit list" in plan.text) == (hidden > 0), plan


def test_share_safe_refuses_a_trim_that_would_hide_frames_and_encodes_it(tmp_path: Path) -> None:
    words = ["--range", "1.5s+1s", "--share-safe", "-o", "cut.mp4", fixture("long-gop.mp4")]
    run = tool(tmp_path, "export", "--preset", "passthrough", *words).expect(65)
    assert "high" in run.diagnostics, run
    assert names(tmp_path) == []
    tool(tmp_path, "export", "--preset", "low", *words).expect(0)
    assert discarded(tmp_path / "cut.mp4") == 0


@pytest.mark.parametrize("ending", ["mp4", "mkv", "ts"])
def test_share_safe_refuses_a_file_whose_edit_list_hides_frames(ending: str, tmp_path: Path) -> None:
    words = ["export", "--preset", "passthrough", "--share-safe", "-o", f"whole.{ending}"]
    tool(tmp_path, *words, fixture("edit-list-trim.mp4")).expect(65)
