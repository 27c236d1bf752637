"""What a QuickTime movie says of itself, in the MP4 file that it becomes: where players of MP4 look for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutagen.mp4 import MP4

from acceptance.films import fixture
from acceptance.running import AVTOOL, ffmpeg, output, run

SAID = {
    "title": "A film",
    "artist": "Somebody",
    "album": "Several",
    "comment": "Words",
    "date": "2004",
    "genre": "Drama",
}
ITEMS = {
    "title": "\xa9nam",
    "artist": "\xa9ART",
    "album": "\xa9alb",
    "comment": "\xa9cmt",
    "date": "\xa9day",
    "genre": "\xa9gen",
}

KEYS = {"date": "com.apple.quicktime.year"}


@pytest.mark.parametrize(
    ("preset", "suffix"),
    [("passthrough", "mp4"), ("passthrough", "m4v"), ("passthrough", "m4a"), ("low", "mp4"), ("m4a", "m4a")],
)
@pytest.mark.parametrize("flags", ["", "use_metadata_tags"], ids=["user-data", "keys"])
def test_players_find_what_a_movie_says(flags: str, suffix: str, preset: str, tmp_path: Path) -> None:
    movie = tmp_path / "movie.mov"
    names = {name: KEYS.get(name, f"com.apple.quicktime.{name}") if flags else name for name in SAID}
    words = [word for name, value in SAID.items() for word in ("-metadata", f"{names[name]}={value}")]
    own = ["-metadata", "com.example.own=kept"] if flags else []
    options = ["-movflags", flags] if flags else []
    maps = ["-map", "0:a"] if suffix == "m4a" else ["-map", "0:v", "-map", "0:a"]
    source = ["-i", fixture("movie.mp4"), *maps, "-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1"]
    ffmpeg(*source, *words, *own, *options, movie)
    made = tmp_path / f"made.{suffix}"
    done = run([AVTOOL, "export", movie, "-o", made, "--preset", preset])
    assert done.returncode == 0, done.stderr
    tags = MP4(made).tags
    assert tags is not None
    known = {name: tags[item][0] for name, item in ITEMS.items() if item in tags}
    # FFmpeg writes a genre into user data under a name that is none of QuickTime's.
    assert {**known, "genre": "Drama"} == SAID
    shown = output([AVTOOL, "metadata", "show", made])
    # FFmpeg writes a comment as a description too.
    assert all(shown.count(value) == 1 for value in SAID.values() if value != "Words"), shown
    if flags:
        assert "kept" in shown


@pytest.mark.parametrize("flags", ["", "use_metadata_tags"], ids=["user-data", "keys"])
def test_players_find_what_is_copied_from_a_movie(flags: str, tmp_path: Path) -> None:
    movie, film = tmp_path / "movie.mov", tmp_path / "film.mp4"
    names = {name: KEYS.get(name, f"com.apple.quicktime.{name}") if flags else name for name in SAID}
    words = [word for name, value in SAID.items() for word in ("-metadata", f"{names[name]}={value}")]
    options = ["-movflags", flags] if flags else []
    source = ["-i", fixture("movie.mp4"), "-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1"]
    ffmpeg(*source, *words, *options, movie)
    ffmpeg(*source, film)
    output([AVTOOL, "metadata", "copy", movie, film])
    tags = MP4(film).tags
    assert tags is not None
    known = {name: tags[item][0] for name, item in ITEMS.items() if item in tags}
    assert {**known, "genre": "Drama"} == SAID


@pytest.mark.parametrize("command", ["artwork", "copy", "export"])
def test_webp_covers_become_pictures_that_movies_hold(command: str, tmp_path: Path) -> None:
    cover, film, new = tmp_path / "cover.webp", tmp_path / "film.m4a", tmp_path / "new.m4a"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", cover)
    ffmpeg("-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac", film)
    match command:
        case "artwork":
            done = run([AVTOOL, "metadata", "artwork", "--set", cover, film, "-o", new])
        case "copy":
            song = tmp_path / "song.flac"
            ffmpeg("-f", "lavfi", "-i", "sine=d=1", song)
            output([AVTOOL, "metadata", "artwork", "--set", cover, song])
            done = run([AVTOOL, "metadata", "copy", song, film, "-o", new])
        case _:
            done = run([AVTOOL, "export", film, "--preset", "passthrough", "--artwork", cover, "-o", new])
    assert done.returncode == 0, done.stderr
    assert "JPEG" in str(done.stderr)
    tags = MP4(new).tags
    assert tags is not None
    (picture,) = tags["covr"]
    assert picture.imageformat == picture.FORMAT_JPEG
    assert bytes(picture).startswith(b"\xff\xd8")


def test_fractions_are_rounded_where_a_format_has_whole_numbers(tmp_path: Path) -> None:
    film = tmp_path / "film.m4a"
    ffmpeg("-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac", film)
    done = run([AVTOOL, "metadata", "set", film, "tempo=120.5"])
    assert done.returncode == 0, done.stderr
    assert "120.5 is rounded to 121" in str(done.stderr)
    assert MP4(film)["tmpo"] == [121]


def test_a_value_that_is_left_out_is_refused(tmp_path: Path) -> None:
    film = tmp_path / "film.m4a"
    ffmpeg("-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac", film)
    before = film.read_bytes()
    done = run([AVTOOL, "metadata", "set", film, "tempo=100", "tempo=120"])
    assert done.returncode == 65, done.stderr
    assert film.read_bytes() == before


def test_kept_items_stay_where_they_are(tmp_path: Path) -> None:
    source, target = tmp_path / "source.mov", tmp_path / "target.mp4"
    made = ["-i", fixture("movie.mp4"), "-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1"]
    ffmpeg(*made, "-metadata", "comment=From the movie", source)
    ffmpeg(*made, "-movflags", "use_metadata_tags", "-metadata", "com.apple.quicktime.title=Own", target)
    output([AVTOOL, "metadata", "copy", "--keep", source, target])
    shown = output([AVTOOL, "metadata", "show", "--json", target])
    assert "mdta/com.apple.quicktime.title" in shown
    tags = MP4(target).tags
    assert tags is not None
    assert tags["\xa9cmt"] == ["From the movie"]


@pytest.mark.parametrize("suffix", ["m4a", "mov", "mka", "flac", "mp3"])
def test_copies_make_one_list_of_chapters(suffix: str, tmp_path: Path) -> None:
    """A movie's list of Nero's form says what its track of chapters says, and is none of its own."""
    listed = tmp_path / "chapters.txt"
    listed.write_text("00:00:00.000 One\n00:00:02.000 Two\n00:00:04.000 Three\n")
    source, target = tmp_path / "source.m4a", tmp_path / f"target.{suffix}"
    sound = ["-f", "lavfi", "-i", "sine=d=6"]
    ffmpeg(*sound, "-c:a", "aac", source)
    coding = {"mka": ["-c:a", "libvorbis"]}.get(suffix, [])
    ffmpeg(*sound, *coding, target)
    output([AVTOOL, "chapters", "set", "--from", listed, source])
    for _ in range(2):
        done = run([AVTOOL, "metadata", "copy", source, target])
        assert done.returncode == 0, done.stderr
        assert "lost" not in str(done.stderr)
        shown = output(["ffprobe", "-v", "error", "-show_entries", "chapter_tags=title", "-of", "csv=p=0", target])
        assert shown.split() == ["One", "Two", "Three"]
        streams = output(["ffprobe", "-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", target])
        # Movies have a track and a list of Nero's form.
        is_movie = suffix in ("m4a", "mov")
        assert streams.split().count("data") == is_movie
        lists = output([AVTOOL, "chapters", "show", target])
        assert lists.count("One") == 1 + is_movie, lists
