"""The index of frames against what ffprobe says of packets, and of frames after decoding the film."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from acceptance.films import FIXTURES, corpus, fixture
from acceptance.running import AVTOOL, parsed, text

NAMES = [
    "movie.mp4", "movie.mov", "cues.mkv", "h264.ts", "vp9.webm", "edit-list-trim.mp4", "edit-list-empty.mp4",
    "fragmented.mp4", "fragmented-sidx.mp4", "h264-open-gop.mp4", "hevc-open-gop.mp4", "h264-intra-refresh.mp4",
    "interlaced-tff.mp4", "long-gop.mp4", "one-frame.mp4", "vfr.mp4", "mjpeg.avi", "animated.png", "alpha-png.mov",
]  # fmt: skip


def run(folder: Path, *words: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([AVTOOL, "index", *map(str, words)], cwd=folder, capture_output=True, timeout=300)


def films() -> list[Path]:
    found = [FIXTURES / name for name in NAMES if (FIXTURES / name).exists()]
    assert len(found) > 12
    return found


def mappings(folder: Path, film: Path) -> list[dict[str, int]] | None:
    made = run(folder, "--format", "torchcodec", "-o", "-", film)
    if made.returncode in (65, 66):
        return None
    assert made.returncode == 0, text(made.stderr)
    return list(json.loads(made.stdout)["frames"])


def decoded(film: Path, stream: int) -> list[dict[str, int]]:
    words: list[object] = ["ffprobe", "-v", "error", "-select_streams", str(stream), "-show_frames"]
    words += ["-show_entries", "frame=pts,best_effort_timestamp,duration,pkt_duration,key_frame", "-of", "json", film]
    return list(parsed(words)["frames"])


@pytest.mark.parametrize("film", films(), ids=lambda film: film.name)
def test_mappings_are_what_decoding_the_film_gives(film: Path, tmp_path: Path) -> None:
    found = mappings(tmp_path, film)
    assert found is not None
    stream = json.loads(run(tmp_path, "-o", "-", film).stdout.splitlines()[0])["tracks"]
    video = next(track for track in stream if track["mediaType"] == "video")
    wanted = decoded(film, video["stream"])
    assert [frame["pts"] for frame in found] == [frame.get("pts") for frame in wanted]
    assert [frame["key_frame"] for frame in found] == [frame["key_frame"] for frame in wanted]
    durations = [frame.get("duration", frame.get("pkt_duration")) for frame in wanted]
    differ = [i for i, frame in enumerate(found) if durations[i] and frame["duration"] != durations[i]]
    assert not differ


@pytest.mark.parametrize("film", films(), ids=lambda film: film.name)
def test_lines_are_what_the_container_holds(film: Path, tmp_path: Path) -> None:
    made = run(tmp_path, "-o", "-", film)
    assert made.returncode == 0, text(made.stderr)
    lines = [json.loads(line) for line in made.stdout.splitlines()]
    header, rows = lines[0], lines[1:]
    assert (header["format"], header["version"]) == ("avtool-index", 1)
    assert header["source"]["name"] == film.name
    assert header["source"]["fingerprint"] == fingerprint(film)
    assert header["source"]["byteCount"] == film.stat().st_size
    for track in header["tracks"]:
        mine = [row[1:] for row in rows if row[0] == track["track"]]
        assert len(mine) == track["frames"] and sum(row[6] for row in mine) == track["shown"]
        packets = parsed(
            ["ffprobe", "-v", "error", "-select_streams", str(track["stream"]), "-show_packets", "-of", "json", film]
        )["packets"]
        assert [row[4] for row in mine] == [int(packet["size"]) for packet in packets]
        stated = [(row, packet) for row, packet in zip(mine, packets, strict=True) if "pts" in packet]
        assert all(row[0] == packet["pts"] for row, packet in stated)
        assert all(row[1] == packet.get("dts") for row, packet in stated) or film.suffix in (".avi", ".ts")
        assert all(row[3] == int(packet["pos"]) for row, packet in stated if "pos" in packet)
        for row, packet in stated:
            assert "K" in packet["flags"] or row[5] is None
            if film.suffix in (".mp4", ".mov") and header["source"]["byteCount"] < 1 << 20:
                # What lies there is the sample.
                assert row[3] + row[4] <= header["source"]["byteCount"]


def fingerprint(film: Path) -> str:
    """As docs/index-format.md states it."""
    data = film.read_bytes()
    digest = hashlib.sha256(f"{len(data)}\n".encode())
    if len(data) <= 1 << 20:
        digest.update(data)
    else:
        digest.update(data[:262144])
        for index in range(16):
            start = 262144 + index * (len(data) - 524288) // 16
            digest.update(data[start : start + 32768])
        digest.update(data[-262144:])
    return digest.hexdigest()


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (1 << 20) + 1, (1 << 20) + 12345, 5_000_001])
def test_fingerprints_of_any_size(size: int, tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    shutil.copy2(fixture("movie.mp4"), film)
    with film.open("ab") as file:
        file.write(os.urandom(max(0, size - 8)) if size > film.stat().st_size else b"")
    made = run(tmp_path, "-o", "-", film)
    assert json.loads(made.stdout.splitlines()[0])["source"]["fingerprint"] == fingerprint(film)


REAL = [f"**/*.{kind}" for kind in "mp4 mov mkv webm ts m2ts avi flv mpg ogv m4v 3gp".split()]


@pytest.mark.parametrize("film", corpus(*REAL))
def test_mappings_of_real_films(film: Path, tmp_path: Path) -> None:
    found = mappings(tmp_path, film)
    if found is None:
        return
    lines = run(tmp_path, "-o", "-", film).stdout.splitlines()
    video = next(track for track in json.loads(lines[0])["tracks"] if track["mediaType"] == "video")
    wanted = decoded(film, video["stream"])
    stated = [frame.get("pts", frame.get("best_effort_timestamp")) for frame in wanted]
    assert [frame["pts"] for frame in found] == stated or KNOWN.get(film.name) == len(found) - len(stated)


# What cannot be decoded counts, because nothing is decoded: by how many frames there are more than ffprobe shows.
KNOWN = {
    "corrupted.mp4": 1,
    "sample_qt.mp4": 1,
    "sample_with_invalid_nalu.mp4": 1,
    "test_case_1351094.mp4": 12,
    "sample_vvc.mp4": 120,
    "short-cenc.mp4": 10,
    # AVI has no times of presentation: ours follow from the pictures' order, and ffprobe's are guesses.
    "sample-with-large-length.avi": 0,
}


def test_films_that_were_cut_short_are_no_success(tmp_path: Path) -> None:
    """What is there is listed, and said not to be all."""
    for words in (["-o", "x.jsonl"], ["--format", "torchcodec", "-o", "x.json"]):
        made = run(tmp_path, fixture("truncated.mp4"), *words)
        assert made.returncode == 65 and b"cut short" in made.stderr and (tmp_path / words[-1]).exists()
        again = run(tmp_path, fixture("truncated.mp4"), *words, "--resume", "--force")
        assert again.returncode == 65 and b"up to date" not in again.stdout
    header = json.loads((tmp_path / "x.jsonl").read_text().splitlines()[0])
    assert all(track["truncation"] for track in header["tracks"] if track["mediaType"] == "video")


def test_results_and_mistakes(tmp_path: Path) -> None:
    shutil.copy2(fixture("movie.mp4"), tmp_path / "movie.mp4")
    made = run(tmp_path, "movie.mp4", "--json")
    assert made.returncode == 0 and json.loads(made.stdout)["file"] == "movie-index.jsonl"
    assert run(tmp_path, "movie.mp4").returncode == 73
    assert run(tmp_path, "--tracks", 9, "movie.mp4", "-o", "x").returncode == 65
    assert run(tmp_path, "--format", "torchcodec", "--tracks", 2, "movie.mp4", "-o", "x").returncode == 65
    assert run(tmp_path, "--format", "torchcodec", "--tracks", "1,2", "movie.mp4").returncode == 64
    assert run(tmp_path, "--format", "torchcodec", fixture("audio-only.mp3")).returncode == 65
    assert not (tmp_path / "x").exists()
    with (tmp_path / "movie.mp4").open("rb") as file:
        piped = subprocess.run(
            [AVTOOL, "index", "-o", "-", "-"],
            input=file.read(),
            capture_output=True,
            cwd=tmp_path,
        )
    assert piped.returncode == 0
    direct = run(tmp_path, "-o", "-", "movie.mp4").stdout.splitlines()
    assert piped.stdout.splitlines()[1:] == direct[1:]
