"""Metadata for and from others: `metadata show` in forms that other programs read, `metadata copy`, and `diff`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import Json, ffmpeg, parsed
from acceptance.tool import ToolRun, copy_fixture, ffprobe, media_hash, run_program, sidecar, tool

TITLE = 'A = B; #1 \\ "x" <&>'

# --- forms of other programs ------------------------------------------------------------


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    """A movie with values that each form has to write in its own way."""
    path = copy_fixture("movie.mp4", tmp_path / "movie.mp4")
    values = [f"title={TITLE}", "artist=Äé, 世", "album-artist=Band", "track=3/12", "date=2008", "genre=Jazz"]
    others = ["keywords=a", "location=+48.8577-002.2950/", "comment=two\nlines"]
    tool(tmp_path, "metadata", "set", *values, *others, path.name).expect(0)
    return path


def show(form: str, *files: Path) -> ToolRun:
    return tool(files[0].parent, "metadata", "show", "--format", form, *(file.name for file in files))


def test_metadata_as_csv_has_one_heading_and_a_row_for_each_value(tagged: Path, tmp_path: Path) -> None:
    languages = copy_fixture("languages.mp4", tmp_path / "languages.mp4")
    rows = list(csv.DictReader(io.StringIO(show("csv", tagged, languages).text, newline="")))

    def value(file: str, name: str, track: str = "") -> str | None:
        wanted = (file, name, track)
        return next((row["value"] for row in rows if (row["source"], row["name"], row["track"]) == wanted), None)

    assert value("movie.mp4", "title") == TITLE
    assert value("movie.mp4", "comment") == "two\nlines"
    assert value("movie.mp4", "track") == "3/12"
    assert value("languages.mp4", "language", "3") == "de"
    assert not any(row["source"] == "source" for row in rows)


def test_metadata_as_ffmetadata_is_taken_by_ffmpeg_with_the_chapters(tagged: Path, tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_bytes(show("ffmetadata", tagged).output)
    taken = ["-map", "0:v", "-map", "0:a", "-c", "copy", "-map_metadata", "1", "-map_chapters", "1"]
    ffmpeg("-i", fixture("languages.mp4"), "-i", tmp_path / "all.txt", *taken, tmp_path / "made.mp4")
    words = ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_chapters", tmp_path / "made.mp4"]
    found = parsed(words)
    tags = found["format"]["tags"]
    assert tags["title"] == TITLE
    assert tags["artist"] == "Äé, 世"
    assert tags["album_artist"] == "Band"
    assert tags["track"] == "3/12"
    assert tags["comment"] == "two\nlines"

    def titles(chapters: list[Json]) -> list[str]:
        return [chapter["tags"]["title"] for chapter in chapters]

    assert titles(found["chapters"]) == titles(sidecar("movie.mp4")["chapters"])


@pytest.mark.peer("exiftool")
def test_metadata_as_xmp_is_read_by_exiftool_and_says_what_it_leaves_out(tagged: Path, tmp_path: Path) -> None:
    run = show("xmp", tagged)
    (tmp_path / "movie.xmp").write_bytes(run.output)
    assert "album-artist" in run.diagnostics
    assert "the number of tracks" in run.diagnostics
    tags = parsed(["exiftool", "-json", "-n", tmp_path / "movie.xmp"])
    assert tags["Title"] == TITLE
    assert tags["Artist"] == "Äé, 世"
    assert tags["TrackNumber"] == 3
    assert tags["ReleaseDate"] in (2008, "2008")
    assert tags["Subject"] == "a"
    assert abs(tags["GPSLatitude"] - 48.8577) < 0.00001
    assert abs(tags["GPSLongitude"] + 2.2950) < 0.00001
    assert tags["LogComment"] == "two\nlines"


@pytest.mark.peer("exiftool")
def test_metadata_for_exiftool_can_be_written_by_it(tagged: Path, tmp_path: Path) -> None:
    copy_fixture("audio-only.m4a", tmp_path / "new.m4a")
    (tmp_path / "all.json").write_text(show("exiftool", tagged).text.replace("movie.mp4", "new.m4a"))
    run_program(["exiftool", "-q", "-overwrite_original", "-json=all.json", "new.m4a"], tmp_path)
    tags = parsed(["exiftool", "-json", "-n", tmp_path / "new.m4a"])
    assert tags["Title"] == TITLE
    assert tags["AlbumArtist"] == "Band"
    assert tags["TrackNumber"] in ("3 of 12", "3 12")
    assert tags["Genre"] == "Jazz"


@pytest.mark.parametrize(
    "options",
    ["--format xmp a b", "--format csv --json a", "--private --format csv a", "--format xmp --identifiers a"],
)
def test_a_form_of_metadata_that_makes_no_sense_is_refused(options: str, tmp_path: Path) -> None:
    run = tool(tmp_path, "metadata", "show", *options.split()).expect(64)
    assert len(run.diagnostic_lines) == 1, run


# --- copies -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["audio-only.m4a", "audio-only.mp3", "audio-only.flac", "theora.ogv", "cues.mkv", "vp9.webm", "movie.mov"]
)
def test_metadata_copy_gives_metadata_to_files_of_every_format(name: str, tmp_path: Path) -> None:
    path = copy_fixture(name, tmp_path / name)
    copy_fixture("movie.mp4", tmp_path / "from.mp4")
    tool(tmp_path, "metadata", "set", "title=New", "artist=Somebody", "track=3/12", "from.mp4").expect(0)
    tool(tmp_path, "metadata", "set", "title=Old", "composer=Nobody", name).expect(0)
    tool(tmp_path, "metadata", "copy", "--no-chapters", "from.mp4", name)
    assert ffprobe(path, "format_tags=title:stream_tags=title")[0] == "New"
    [diff] = tool(tmp_path, "diff", "--metadata", "--json", "from.mp4", name).json
    differing = {difference["name"] for difference in diff["differences"]}
    assert not differing & {"title", "artist", "track", "composer"}, differing


def test_metadata_copy_leaves_the_source_the_media_and_what_is_to_be_kept(tmp_path: Path) -> None:
    source = copy_fixture("attached-picture.m4a", tmp_path / "from.m4a")
    target = copy_fixture("movie.mp4", tmp_path / "to.mp4")
    tool(tmp_path, "metadata", "set", "title=New", "from.m4a").expect(0)
    tool(tmp_path, "metadata", "set", "composer=Somebody", "to.mp4").expect(0)
    for name in ("plain.mp4", "kept.mp4"):
        (tmp_path / name).write_bytes(target.read_bytes())
    before = source.read_bytes()
    tool(tmp_path, "metadata", "copy", "from.m4a", "plain.mp4").expect(0)
    tool(tmp_path, "metadata", "copy", "--keep", "--no-artwork", "from.m4a", "kept.mp4").expect(0)
    assert source.read_bytes() == before

    def get(value: str, name: str) -> ToolRun:
        return tool(tmp_path, "metadata", "get", value, name)

    assert get("title", "plain.mp4").text == "New\n"
    get("composer", "plain.mp4").expect(1)
    get("artwork", "plain.mp4").expect(0)
    assert get("title", "kept.mp4").text == "New\n"
    assert get("composer", "kept.mp4").text == "Somebody\n"
    get("artwork", "kept.mp4").expect(1)
    assert media_hash(tmp_path / "plain.mp4") == media_hash(target)


def test_metadata_copy_carries_chapters_but_for_those_beyond_the_end(tmp_path: Path) -> None:
    copy_fixture("movie.mp4", tmp_path / "from.mp4")
    short = copy_fixture("one-frame.mp4", tmp_path / "short.mp4")
    (tmp_path / "c.txt").write_text("00:00:00 First\n00:00:05 Second\n")
    tool(tmp_path, "chapters", "set", "--from", "c.txt", "from.mp4").expect(0)
    run = tool(tmp_path, "metadata", "copy", "from.mp4", "short.mp4")
    assert len(ffprobe(short, "chapter=id")) == 1
    assert "outside of the film" in run.diagnostics, run


@pytest.mark.parametrize("files", ["", "a.mp4", "none.mp4 movie.mp4", "movie.mp4 none.mp4"])
def test_metadata_copy_is_refused_where_there_is_nothing_to_copy(files: str, tmp_path: Path) -> None:
    path = copy_fixture("movie.mp4", tmp_path / "movie.mp4")
    before = path.read_bytes()
    run = tool(tmp_path, "metadata", "copy", *files.split())
    assert run.code in (64, 66), run
    assert len(run.diagnostic_lines) == 1, run
    assert path.read_bytes() == before


# --- differences ------------------------------------------------------------------------


def test_diff_of_copies_is_empty_and_of_other_metadata_names_the_value(tmp_path: Path) -> None:
    for name in ("a.mp4", "b.mp4"):
        copy_fixture("movie.mp4", tmp_path / name)
    assert tool(tmp_path, "diff", "a.mp4", "b.mp4").expect(0).lines == []
    tool(tmp_path, "metadata", "set", "title=Other", "b.mp4").expect(0)
    run = tool(tmp_path, "diff", "a.mp4", "b.mp4").expect(1)
    assert run.lines == ["metadata", "- title  Counting bars", "+ title  Other"]
    assert tool(tmp_path, "diff", "--tracks", "a.mp4", "b.mp4").expect(0).lines == []


def test_diff_is_told_by_area(tmp_path: Path) -> None:
    path = copy_fixture("movie.mp4", tmp_path / "a.mp4")
    without = ["-map", "0:v", "-vf", "scale=160:120", "-map_metadata", "-1", "-map_chapters", "-1"]
    ffmpeg("-i", path, *without, tmp_path / "c.mp4")
    run = tool(tmp_path, "diff", "--tracks", "--chapters", "--json", "a.mp4", "c.mp4").expect(1)
    diff = json.loads(run.lines[0])
    assert diff["same"] is False
    found = diff["differences"]
    width = next(d for d in found if d["name"] in ("track 1 displaySize width", "track 1 width"))
    assert width["first"] == ["320"]
    assert width["second"] == ["160"]
    assert any(d["area"] == "chapters" and d.get("second") is None for d in found)
    assert any(d["name"].startswith("track 2") and d.get("second") is None for d in found)
    assert not any(d["area"] == "metadata" for d in found)


def test_diff_says_which_file_cannot_be_read(tmp_path: Path) -> None:
    copy_fixture("movie.mp4", tmp_path / "a.mp4")
    run = tool(tmp_path, "diff", "a.mp4", "none.mp4").expect(66)
    assert run.diagnostics == "avtool: a.mp4: none.mp4: no such file\n"
