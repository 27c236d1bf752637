"""Stills of films whose container leads to no frame, which are entered by an index, against a decode by ffmpeg."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from acceptance.running import AVTOOL, parsed, text

WIDTH, HEIGHT, SECONDS = 160, 120, 24
H264, MPEG2 = ["-c:v", "libx264", "-preset", "veryfast"], ["-c:v", "mpeg2video", "-b:v", "600k"]
SOUND = ["-f", "lavfi", "-i", f"sine=d={SECONDS}"]


@dataclass(frozen=True)
class Film:
    name: str
    options: list[str]
    inputs: tuple[str, ...] = ()


FILMS = [
    Film("closed.h264", [*H264, "-g", "50", "-bf", "3"]),
    Film("open.h264", [*H264, "-g", "48", "-bf", "3", "-x264-params", "open-gop=1"]),
    Film("refresh.h264", [*H264, "-x264-params", "intra-refresh=1:keyint=40"]),
    Film("interlaced.h264", [*H264, "-flags", "+ilme+ildct", "-x264-params", "tff=1:keyint=30"]),
    Film("open.hevc", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=0:keyint=40:open-gop=1"]),
    Film("open.m2v", [*MPEG2, "-bf", "2", "-g", "15"]),
    Film("b.m4v", ["-c:v", "mpeg4", "-bf", "2", "-g", "24", "-b:v", "400k", "-f", "m4v"]),
    Film("open.mpg", [*MPEG2, "-bf", "2", "-g", "15", "-c:a", "mp2"], tuple(SOUND)),
    Film("disc.vob", [*MPEG2, "-bf", "2", "-g", "12", "-c:a", "ac3", "-f", "vob"], tuple(SOUND)),
    Film("h264.mpg", [*H264, "-g", "30", "-bf", "2", "-c:a", "mp2", "-f", "mpeg"], tuple(SOUND)),
    Film("sound.ogv", ["-c:v", "libtheora", "-g", "40", "-q:v", "6", "-c:a", "libvorbis"], tuple(SOUND)),
    Film("few-keys.ogv", ["-c:v", "libtheora", "-g", "250", "-q:v", "3"]),
]


def made(folder: Path, film: Film) -> Path:
    path = folder / film.name
    source = ["-f", "lavfi", "-i", f"testsrc2=s={WIDTH}x{HEIGHT}:r=25:d={SECONDS}"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, *film.inputs, *film.options, path], check=True, timeout=120)
    return path


def grey(path: Path) -> list[bytes]:
    """Some of the brightness of all pictures of a file, decoded from the first to the last."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:v", "-fps_mode", "passthrough", "-pix_fmt", "gray"]
    raw = subprocess.run([*command, "-f", "rawvideo", "-"], check=True, capture_output=True, timeout=120).stdout
    size = WIDTH * HEIGHT
    return [raw[start : start + size : 7] for start in range(0, len(raw), size)]


def nearest(picture: bytes, pictures: list[bytes]) -> int:
    return min(range(len(pictures)), key=lambda n: sum(abs(a - b) for a, b in zip(picture, pictures[n], strict=True)))


def run(folder: Path, *words: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([AVTOOL, *map(str, words)], cwd=folder, capture_output=True, timeout=300)


def stills(folder: Path, film: Path, times: list[str], *words: object) -> tuple[list[dict[str, object]], list[bytes]]:
    out = folder / "stills"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    done = run(folder, "thumbs", "--at", ",".join(times), "-o", "stills/{index}.png", *words, "--json", film)
    assert done.returncode == 0, text(done.stderr)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    rows.sort(key=lambda row: int(row["index"]))
    return rows, [(folder / str(row["file"])).read_bytes() for row in rows]


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.name)
def test_late_stills_are_the_frames_of_a_decode(film: Film, tmp_path: Path) -> None:
    path = made(tmp_path, film)
    pictures = grey(path)
    assert len(pictures) == 25 * SECONDS
    seed = random.Random(film.name)
    numbers = [seed.randrange(280, 25 * SECONDS) for _ in range(5)] + [3, 25 * SECONDS - 1]
    # Program streams begin with sound, by less than a frame before the first picture.
    # MPEG-4 without a container has its first picture a frame before zero, because B-frames follow it.
    shift = 40 if film.name == "b.m4v" else 0
    times = [f"{40 * number + 30 - shift}ms" for number in numbers]
    rows, plain = stills(tmp_path, path, times)
    for number, row in zip(numbers, rows, strict=True):
        found = grey(tmp_path / str(row["file"]))[0]
        assert nearest(found, pictures) == number, row
    index = run(tmp_path, "index", film.name, "-o", "index.jsonl")
    assert index.returncode == 0, text(index.stderr)
    for words in (["--index", "index.jsonl"], ["--cache", "cache"], ["--cache", "cache"]):
        others, bytes_ = stills(tmp_path, path, times, *words)
        assert bytes_ == plain
        assert [row["actual"] for row in others] == [row["actual"] for row in rows]
        assert [row["isSyncSample"] for row in others] == [row["isSyncSample"] for row in rows]


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.name)
def test_the_index_has_the_times_of_the_frames(film: Film, tmp_path: Path) -> None:
    """Those of streams without times are counted, as decoders do."""
    path = made(tmp_path, film)
    lines = run(tmp_path, "index", "-o", "-", path).stdout.splitlines()
    header = json.loads(lines[0])
    track = next(track for track in header["tracks"] if track["mediaType"] == "video")
    rows = [row for row in map(json.loads, lines[1:]) if row[0] == track["track"]]
    shown = sorted(row[1] for row in rows if row[7])
    seconds = [tick * track["tick"][0] / track["tick"][1] for tick in shown]
    assert len(seconds) == 25 * SECONDS
    # libavformat gives some pictures of H.264 in program streams the time of the one before.
    near = 0.05 if film.name == "h264.mpg" else 0.002
    assert all(abs(seconds[n] - seconds[0] - n / 25) < near for n in range(len(seconds)))
    words: list[object] = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_packets"]
    sizes = [int(packet["size"]) for packet in parsed([*words, "-of", "json", path])["packets"]]
    assert [row[5] for row in rows] == sizes


def cached(folder: Path) -> list[Path]:
    return sorted((folder / "cache").iterdir()) if (folder / "cache").exists() else []


def test_a_cache_is_of_one_version_of_a_film(tmp_path: Path) -> None:
    film = made(tmp_path, FILMS[0])
    early = run(tmp_path, "thumbs", "--at", "1", "--cache", "cache", "-o", "a.png", film)
    assert early.returncode == 0
    late = run(tmp_path, "thumbs", "--at", "20", "--cache", "cache", "-o", "b.png", film)
    assert late.returncode == 0 and len(cached(tmp_path)) == 1
    before = cached(tmp_path)[0].read_bytes()
    # Damage does not matter: it is made anew.
    cached(tmp_path)[0].write_bytes(before[:200])
    again = run(tmp_path, "thumbs", "--at", "20", "--cache", "cache", "-o", "c.png", film)
    assert again.returncode == 0 and (tmp_path / "b.png").read_bytes() == (tmp_path / "c.png").read_bytes()
    assert cached(tmp_path)[0].read_bytes() == before
    # Another film under the same name has another index.
    shutil.copyfile(made(tmp_path, FILMS[1]), film)
    other = run(tmp_path, "thumbs", "--at", "20", "--cache", "cache", "--force", "-o", "d.png", film)
    assert other.returncode == 0 and len(cached(tmp_path)) == 2
    # The same at the same time, and with the film twice.
    shutil.rmtree(tmp_path / "cache")
    shutil.copy2(film, tmp_path / "copy.h264")
    words = [AVTOOL, "thumbs", "--at", "20", "--cache", "cache", str(film), "copy.h264", "-o"]
    all_ = [subprocess.Popen([*words, f"{{name}}-{number}.png"], cwd=tmp_path) for number in range(3)]
    assert [process.wait() for process in all_] == [0, 0, 0]
    assert len(cached(tmp_path)) == 1


def test_a_cache_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    film = made(tmp_path, FILMS[0])
    (tmp_path / "cache").write_text("no folder")
    done = run(tmp_path, "thumbs", "--at", "20", "--cache", "cache", "-o", "a.png", film)
    assert done.returncode == 0 and (tmp_path / "cache").read_text() == "no folder"


def test_the_usual_cache(tmp_path: Path) -> None:
    film = made(tmp_path, FILMS[0])
    environment = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "xdg"))
    words = [AVTOOL, "thumbs", "--at", "20", "--cache", "auto", "-o", "a.png", str(film)]
    assert subprocess.run(words, cwd=tmp_path, env=environment).returncode == 0
    assert len(list((tmp_path / "xdg/avtool/index").iterdir())) == 1


def test_an_index_of_another_film_is_refused(tmp_path: Path) -> None:
    film = made(tmp_path, FILMS[0])
    other = made(tmp_path, FILMS[1])
    assert run(tmp_path, "index", other, "-o", "index.jsonl").returncode == 0
    for command in (["thumbs", "--at", "1"], ["sheet"], ["storyboard"], ["verify"]):
        done = run(tmp_path, *command, "--index", "index.jsonl", "--json", film)
        assert done.returncode == 65 and b"another version" in done.stderr, (command, text(done.stderr))
    assert run(tmp_path, "thumbs", "--at", "1", "--index", "none.jsonl", film).returncode == 66
    assert run(tmp_path, "thumbs", "--at", "1", "--index", "a", "--cache", "b", film).returncode == 64
    (tmp_path / "no-index.jsonl").write_text("[1]\n")
    assert run(tmp_path, "thumbs", "--at", "1", "--index", "no-index.jsonl", film).returncode == 65
    assert sorted(path.name for path in tmp_path.glob("*.png")) == []


def test_several_films_have_an_index_each(tmp_path: Path) -> None:
    films = [made(tmp_path, film) for film in FILMS[:3]]
    assert run(tmp_path, "index", "-o", "indexes/", *films).returncode == 0
    for pattern in ("indexes/", "indexes", "indexes/{name}-index.jsonl"):
        words = ["--at", "20", "--index", pattern, "--force", "-o", "{name}.png"]
        done = run(tmp_path, "thumbs", *words, *films)
        assert done.returncode == 0, text(done.stderr)


@pytest.mark.parametrize("words", [["sheet", "--count", "4"], ["storyboard", "--every", "2s", "--no-page"], ["verify"]])
def test_previews_are_the_same(words: list[str], tmp_path: Path) -> None:
    film = made(tmp_path, FILMS[7])
    made_of = []
    for name, more in (("plain", []), ("cached", ["--cache", "cache"])):
        (tmp_path / name).mkdir()
        done = run(tmp_path / name, *words, *more, film)
        assert done.returncode == 0, text(done.stderr)
        files = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file() and "cache" not in path.parts)
        made_of.append([(path.relative_to(tmp_path / name), path.read_bytes()) for path in files])
    assert made_of[0] == made_of[1]
