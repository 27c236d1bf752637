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
from acceptance.running import AVTOOL, Findings, ffmpeg, parsed, run, text


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
