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
