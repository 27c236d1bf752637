"""Thumbnails on the command line, and as desktops have them made, and find them."""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from acceptance import thumbnailer
from acceptance.films import fixture
from acceptance.running import AVTOOL, Json, ffmpeg, output, parsed
from acceptance.tool import ToolRun, copy_fixture, names, picture_size, shell, sidecar, tool

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


# --- Thumbnails on the command line -----------------------------------------------------


def facts_of(path: Path) -> Json:
    """What exiftool finds in an image."""
    return parsed(["exiftool", "-j", "-n", path])


@pytest.mark.peer("exiftool")
def test_a_thumbnail_is_a_small_upright_png_file_that_says_of_what_it_was_made(tmp_path: Path) -> None:
    video = copy_fixture("rotate-90.mp4", tmp_path / "a b%ü#.mp4")
    os.utime(video, (1700000000.7, 1700000000.7))
    run = tool(tmp_path, "thumbnail", "-s", "100", "-o", "t.png", video.name).expect()
    assert run.text == "a b%ü#.mp4 → t.png\n"
    coded = next(stream for stream in sidecar("rotate-90.mp4")["streams"] if stream["codec_type"] == "video")
    width, height = coded["height"], coded["width"]
    facts = facts_of(tmp_path / "t.png")
    assert (facts["ThumbImageWidth"], facts["ThumbImageHeight"]) == (width, height)
    assert (facts["ImageWidth"], facts["ImageHeight"]) == (round(100 * width / height), 100)
    assert facts["ThumbMTime"] == 1700000000
    assert facts["ThumbURI"] == f"file://{tmp_path}/a%20b%25%C3%BC%23.mp4"
    assert facts["ThumbMimetype"] == "video/mp4"
    assert facts["ThumbSize"] == video.stat().st_size
    # The specification wants the older kind of chunk.
    assert b"tEXtThumb::URI\0" in (tmp_path / "t.png").read_bytes()


def test_a_thumbnail_shows_the_cover_or_a_frame_where_that_is_asked_for(tmp_path: Path) -> None:
    ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", 1, tmp_path / "cover.png")
    video = ["-f", "lavfi", "-i", "testsrc2=s=160x120:d=2", "-i", tmp_path / "cover.png", "-map", 0, "-map", 1]
    coding = ["-c:v:0", "libx264", "-c:v:1", "png", "-disposition:v:1", "attached_pic"]
    ffmpeg(*video, *coding, tmp_path / "video.mp4")

    def facts(name: str, *words: object) -> tuple[bool, bool]:
        [made] = tool(tmp_path, "thumbnail", "--json", "-o", name, *words).expect().json
        return "cover" in made, "actual" in made

    assert facts("cover-thumb.png", "video.mp4") == (True, False)
    assert facts("frame-thumb.png", "--frame", "video.mp4") == (False, True)
    assert facts("song-thumb.png", "--frame", fixture("attached-picture.mp3")) == (True, False)
    assert picture_size(tmp_path / "cover-thumb.png") == "png,64,64"
    assert picture_size(tmp_path / "frame-thumb.png") == "png,160,120"


def test_a_thumbnail_passes_over_what_is_black_or_damaged(tmp_path: Path) -> None:
    # Black but for three seconds near a tenth of the video; and one whose second half is not there.
    black = "drawbox=t=fill:c=black:enable='gt(abs(t-3),1.5)'"
    coding = ["-vf", black, "-c:v", "libx264", "-g", 10]
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x120:d=30:r=10", *coding, tmp_path / "black.mp4")
    [shown] = tool(tmp_path, "thumbnail", "--json", "-o", "black.png", "black.mp4").expect().json
    assert 1.5 <= shown["actual"]["seconds"] <= 4.5
    [cut] = tool(tmp_path, "thumbnail", "--json", "-o", "cut.png", fixture("truncated.mp4")).expect().json
    assert "actual" in cut


@pytest.mark.parametrize("name", ["audio-only.m4a", "truncated-no-moov.mp4", "empty.mp4"])
def test_a_thumbnail_of_what_shows_nothing_is_not_made_and_nothing_is_left(tmp_path: Path, name: str) -> None:
    run = tool(tmp_path, "thumbnail", "-o", "t.png", fixture(name)).expect(65)
    assert len(run.diagnostic_lines) == 1
    assert names(tmp_path) == []


def test_a_thumbnail_fills_an_empty_file_that_is_held_open_and_replaces_any_other(tmp_path: Path) -> None:
    copy_fixture("movie.mp4", tmp_path / "movie.mp4")
    script = """
        : >empty.png; exec 5<empty.png
        "$AVTOOL" thumbnail -o empty.png movie.mp4; echo $?
        "$AVTOOL" thumbnail --force -o empty.png movie.mp4; echo $?
        cmp - empty.png <&5; echo $?
        echo old >full.png; exec 6<full.png
        "$AVTOOL" thumbnail --force -o full.png movie.mp4; cat <&6; cmp empty.png full.png
    """
    lines = ["73", "movie.mp4 → empty.png", "0", "0", "movie.mp4 → full.png", "old"]
    assert shell(tmp_path, script).lines == lines


def test_a_thumbnail_leaves_a_file_that_was_to_be_filled_empty_where_the_disk_has_no_room(tmp_path: Path) -> None:
    copy_fixture("movie.mp4", tmp_path / "movie.mp4")
    # The limit is that of files which this shell's programs may write.
    script = ': >t.png; (ulimit -f 8; "$AVTOOL" thumbnail --force -o t.png movie.mp4); echo $?; stat -c %s t.png'
    [code, size] = shell(tmp_path, script).lines
    assert code != "0"
    assert size == "0"


@pytest.mark.parametrize(
    "line",
    [
        "-s 0 x",
        "-s 4097 x",
        "-s large -s normal x",
        "--desktop-cache -s 100 x",
        "--desktop-cache -o y x",
        "--desktop-cache -",
        "--desktop-cache --allow-network http://localhost/x",
    ],
)
def test_wrong_use_of_thumbnail_is_refused(tmp_path: Path, line: str) -> None:
    run = tool(tmp_path, "thumbnail", *line.split()).expect(64)
    assert len(run.diagnostic_lines) == 1


# --- The desktop's cache ----------------------------------------------------------------


def fill_cache(folder: Path, *words: object) -> ToolRun:
    environment = {"XDG_CACHE_HOME": str(folder / "cache")}
    return tool(folder, "thumbnail", "--desktop-cache", *words, environment=environment)


def name_in_cache(file: Path) -> str:
    """The hash of a file's address."""
    return hashlib.md5(f"file://{file}".encode()).hexdigest() + ".png"


def states(run: ToolRun) -> list[str]:
    return [str(thumbnail["state"]) for thumbnail in run.json]


def test_the_cache_has_thumbnails_of_each_size_in_its_folder_for_nobody_else_to_see(tmp_path: Path) -> None:
    name = name_in_cache(copy_fixture("movie.mp4", tmp_path / "movie.mp4"))
    made = fill_cache(tmp_path, "-s", "normal", "-s", "x-large", "-s", "128", "movie.mp4").expect()
    assert len(made.lines) == 2
    cache = tmp_path / "cache"
    modes = {str(path.relative_to(cache)): path.stat().st_mode & 0o7777 for path in (cache, *cache.rglob("*"))}
    assert modes == {
        ".": 0o700,
        "thumbnails": 0o700,
        "thumbnails/normal": 0o700,
        "thumbnails/x-large": 0o700,
        f"thumbnails/normal/{name}": 0o600,
        f"thumbnails/x-large/{name}": 0o600,
    }
    assert picture_size(cache / "thumbnails/normal" / name) == "png,128,96"
    # Never enlarged.
    assert picture_size(cache / "thumbnails/x-large" / name) == "png,320,240"


@pytest.mark.peer("exiftool")
def test_the_cache_keeps_the_thumbnail_of_a_file_until_the_file_changes(tmp_path: Path) -> None:
    video = copy_fixture("movie.mp4", tmp_path / "movie.mp4")
    fill_cache(tmp_path, "movie.mp4").expect()
    made = tmp_path / "cache/thumbnails/large" / name_in_cache(video)
    first = made.read_bytes()
    assert states(fill_cache(tmp_path, "--json", "movie.mp4")) == ["upToDate"]
    # The first of January 2001, UTC.
    os.utime(video, (978307200, 978307200))
    assert states(fill_cache(tmp_path, "--json", "./movie.mp4")) == ["made"]
    assert facts_of(made)["ThumbMTime"] == 978307200
    assert made.read_bytes() != first


def set_time(thumbnail: Path, time: str) -> None:
    """Puts another time into a thumbnail."""
    data = thumbnail.read_bytes()
    start = data.index(b"tEXtThumb::MTime") - 4
    end = start + 12 + int.from_bytes(data[start : start + 4], "big")
    body = b"tEXtThumb::MTime\0" + time.encode()
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    thumbnail.write_bytes(data[:start] + chunk + data[end:])


def test_the_cache_takes_thumbnails_of_programs_that_give_fractions_of_a_second(tmp_path: Path) -> None:
    video = copy_fixture("movie.mp4", tmp_path / "movie.mp4")
    fill_cache(tmp_path, "movie.mp4").expect()
    made = tmp_path / "cache/thumbnails/large" / name_in_cache(video)
    own = thumbnailer.png_texts(made.read_bytes())["Thumb::MTime"]
    for time, state in [(f"{own}.25", "upToDate"), (f"{own}1", "made"), ("1", "made")]:
        set_time(made, time)
        assert states(fill_cache(tmp_path, "--json", "movie.mp4")) == [state]


def test_the_cache_knows_of_what_there_can_be_no_thumbnail(tmp_path: Path) -> None:
    bad = tmp_path / "bad.mp4"
    bad.write_text("rubbish")
    assert "not a media file" in fill_cache(tmp_path, "bad.mp4").expect(65).diagnostics
    version = tool(tmp_path, "--version").expect().text.strip()
    [failed] = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert failed == tmp_path / "cache/thumbnails/fail" / f"avtool-{version}" / name_in_cache(bad)
    assert failed.stat().st_mode & 0o7777 == 0o600
    assert "as was found before" in fill_cache(tmp_path, "bad.mp4").expect(65).diagnostics
    assert "not a media file" in fill_cache(tmp_path, "--force", "bad.mp4").expect(65).diagnostics
    bad.unlink()
    copy_fixture("movie.mp4", bad)
    os.utime(bad, (1_000_000_000, 1_000_000_000))
    fill_cache(tmp_path, "bad.mp4").expect()
