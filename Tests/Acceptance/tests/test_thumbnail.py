"""Thumbnails as desktops have them made, and find them."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from acceptance import thumbnailer
from acceptance.films import fixture
from acceptance.running import AVTOOL, output

ODD_NAMES = [
    "plain.mp4",
    "with blanks & more.mp4",
    "üñí世界🎬.mp4",
    "100%25 #1?.mp4",
    "a;b=c~d[e]{f}|g\\h`i^j.mp4",
    "quote'\".mp4",
    "-dash.mp4",
    "new\nline.mp4",
]


def size_of(data: bytes, folder: Path) -> str:
    path = folder / "probe.png"
    path.write_bytes(data)
    return output(["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path]).strip()


@pytest.mark.peer("xvfb-run", "dbus-run-session", "gdbus")
def test_tumbler_shows_films_and_songs(tmp_path: Path) -> None:
    if not thumbnailer.TUMBLER.exists():
        pytest.skip("not installed: tumbler")
    films = []
    for name, source in (
        ("film.mp4", "rotate-90.mp4"),
        ("song ü.m4a", "attached-picture.m4a"),
        ("odd#1.mkv", "cues.mkv"),
    ):
        shutil.copy(fixture(source), tmp_path / name)
        films.append(tmp_path / name)
    (tmp_path / "bad.mp4").write_bytes(b"rubbish")
    films.append(tmp_path / "bad.mp4")
    types = ["video/mp4", "audio/mp4", "video/x-matroska", "video/mp4"]
    found = thumbnailer.by_tumbler(tmp_path, films, types, "large")
    assert set(found) == {film.as_uri() for film in films[:3]}
    width, height = map(int, size_of(found[films[0].as_uri()], tmp_path).split(","))
    # Upright: the fixture is 160x120 before it is turned.
    assert height > width


@pytest.mark.peer("bwrap")
@pytest.mark.root
@pytest.mark.parametrize("extra", [[], ["--sandbox", "require"]], ids=["auto", "require"])
def test_gnomes_sandbox(tmp_path: Path, extra: list[str]) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    made = folder / "thumbnail.png"
    made.touch()
    run = thumbnailer.in_sandbox(Path(fixture("movie.mp4")), folder, 128, extra=extra)
    assert run.returncode == 0, run.stderr
    assert size_of(made.read_bytes(), tmp_path) == "128,96"
    made.unlink()
    (tmp_path / "bad.mp4").write_bytes(b"rubbish")
    run = thumbnailer.in_sandbox(tmp_path / "bad.mp4", folder, 128, extra=extra)
    assert run.returncode == 65
    assert not made.exists()


@pytest.mark.peer("gio")
@pytest.mark.parametrize("name", ODD_NAMES)
def test_gio_finds_what_is_in_the_cache(tmp_path: Path, name: str) -> None:
    film = tmp_path / name
    shutil.copy(fixture("movie.mp4"), film)
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    run = subprocess.run(
        [AVTOOL, "thumbnail", "--desktop-cache", "--size", "large", "--", name],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
    )
    assert run.returncode == 0, run.stderr
    asked = subprocess.run(
        ["gio", "info", "-a", "thumbnail::*,standard::name", str(film)],
        env=environment,
        capture_output=True,
        check=True,
    ).stdout.decode()
    (made,) = (tmp_path / "cache/thumbnails/large").iterdir()
    assert "thumbnail::is-valid: TRUE" in asked, asked
    assert made.name in asked
    uri = thumbnailer.png_texts(made.read_bytes())["Thumb::URI"]
    assert made.stem == hashlib.md5(uri.encode()).hexdigest()


@pytest.mark.peer("gio")
def test_a_folder_fills_the_cache(tmp_path: Path) -> None:
    folder = tmp_path / "films"
    folder.mkdir()
    names = [
        "movie.mp4",
        "cues.mkv",
        "h264.avi",
        "theora.ogv",
        "rotate-90.mp4",
        "attached-picture.mp3",
        "audio-only.flac",
    ]
    for name in names:
        shutil.copy(fixture(name), folder)
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    for _ in range(2):
        run = subprocess.run(
            [
                AVTOOL,
                "thumbnail",
                "--desktop-cache",
                "-s",
                "normal",
                "-s",
                "x-large",
                *sorted(map(str, folder.iterdir())),
            ],
            env=environment,
            capture_output=True,
        )
        # The song without a cover has none, and that is known then.
        assert run.returncode == 65
    assert b"found before" in run.stderr
    counts = {path.name: len(list(path.iterdir())) for path in (tmp_path / "cache/thumbnails").iterdir()}
    assert counts == {"normal": 6, "x-large": 6, "fail": 1}
    valid = [
        name
        for name in names
        if b"is-valid: TRUE"
        in subprocess.run(
            ["gio", "info", "-a", "thumbnail::*", folder / name], env=environment, capture_output=True
        ).stdout
    ]
    assert sorted(valid) == sorted(set(names) - {"audio-only.flac"})


@pytest.mark.peer("gio")
def test_the_entry_has_the_types_of_the_fixtures() -> None:
    types = set(thumbnailer.entry()["MimeType"].split(";"))
    missing = {}
    for name in (
        "movie.mp4",
        "movie.mov",
        "cues.mkv",
        "vp9.webm",
        "h264.avi",
        "h264.ts",
        "h264.flv",
        "wmv2.asf",
        "theora.ogv",
        "audio-only.mp3",
        "audio-only.flac",
        "audio-only.m4a",
    ):
        lines = output(["gio", "info", "-a", "standard::content-type", fixture(name)]).splitlines()
        kind = next(line.partition(": ")[2] for line in lines if "content-type" in line)
        if kind not in types:
            missing[name] = kind
    assert not missing
