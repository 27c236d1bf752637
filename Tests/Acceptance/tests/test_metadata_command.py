"""What `avtool metadata` sets, gets, shows, removes and refuses, by the command line alone.

Others read what it wrote: ffprobe the tags, ffmpeg the packets, which stay as they were.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from acceptance.endings import small_disk
from acceptance.films import fixture
from acceptance.running import Json, ffmpeg, run
from acceptance.tool import copy_fixture, ffprobe, media_hash, names, shell, tags, tool

# A file of each format, and what the tool calls a title that was set by its friendly name.
FORMATS = {
    "audio-only.m4a": "itsk/%A9nam",
    "movie.mp4": "itsk/%A9nam",
    # The fixture has a title under a short key already.
    "movie.mov": "mdta/title",
    "fragmented.mp4": "itsk/%A9nam",
    "audio-only.mp3": "id3/TIT2",
    "audio-only.flac": "vorb/TITLE",
    "theora.ogv": "vorb/TITLE",
    "cues.mkv": "mkv/TITLE",
    "no-cues.mkv": "mkv/TITLE",
    "vp9.webm": "mkv/TITLE",
}


def shown(path: Path) -> Json:
    """What `metadata show --json` prints, without what depends on the file's name."""
    [document] = tool(path.parent, "metadata", "show", "--json", path.name).expect(0).json
    document.pop("source")
    return document


def identifiers(document: Json) -> list[str]:
    return [item["identifier"] for item in document.get("metadata", []) if item.get("identifier") is not None]


def still(folder: Path, name: str, *options: str) -> Path:
    """A still of a video, as an image to embed."""
    tool(folder, "thumbs", "--at", "0", *options, "-o", name, fixture("movie.mov")).expect(0)
    return folder / name


# --- setting and removing ---------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_metadata_set_writes_what_ffprobe_reads_and_leaves_the_media_alone(name: str, tmp_path: Path) -> None:
    path = copy_fixture(name, tmp_path / name)
    before = media_hash(path)
    values = ["title=Größe = 3 × 4", "artist=Somebody", "comment=Line", "track=3/12", "genre=Jazz", "year=2004"]
    tool(tmp_path, "metadata", "set", *values, name).expect(0)
    found = tags(path)
    assert "Größe = 3 × 4" in (found.get("title"), found.get("com.apple.quicktime.title"))
    assert "Somebody" in (found.get("artist"), found.get("com.apple.quicktime.artist"))
    document = shown(path)
    assert FORMATS[name].lower() in [identifier.lower() for identifier in identifiers(document)]
    item = document["mediaItem"]
    assert item["name"] == "Größe = 3 × 4"
    assert item["artist"] == "Somebody"
    assert item["comments"] == "Line"
    assert item["genre"] == "Jazz"
    assert item["year"] == 2004
    assert item["trackNumber"] == 3
    assert item["trackCount"] == 12
    assert media_hash(path) == before
    assert names(tmp_path) == [name]


@pytest.mark.parametrize("name", FORMATS)
def test_metadata_set_gives_back_what_show_printed_before_all_was_removed(name: str, tmp_path: Path) -> None:
    path = copy_fixture(name, tmp_path / name)
    before = media_hash(path)
    values = ["title=A", "artist=B", "album=C", "composer=D", "year=1999-02-03", "disc=1/2", "comment=E"]
    # A name that nothing knows is a mistake, not a new tag.
    assert tool(tmp_path, "metadata", "set", *values, "custom-name=F", name).code in (64, 65)
    tool(tmp_path, "metadata", "set", *values, name).expect(0)
    (tmp_path / "shown.json").write_bytes(tool(tmp_path, "metadata", "show", "--json", name).expect(0).output)
    shown_before = shown(path)
    tool(tmp_path, "metadata", "remove", "--all", name).expect(0)
    assert identifiers(shown(path)) == []
    back = tool(tmp_path, "metadata", "set", "--from", "shown.json", name).expect(0)
    assert back.diagnostics == ""
    shown_after = shown(path)
    for key in ("metadata", "tracks", "mediaItem", "chapterLists", "commonMetadata"):
        assert shown_before.get(key) == shown_after.get(key), key
    assert media_hash(path) == before


@pytest.mark.parametrize("title", ["\u00fc", "u\u0308"], ids=["composed", "decomposed"])
@pytest.mark.parametrize("name", ["audio-only.m4a", "audio-only.mp3", "audio-only.flac", "cues.mkv"])
def test_metadata_set_changes_a_text_that_is_only_composed_otherwise(name: str, title: str, tmp_path: Path) -> None:
    path = copy_fixture(name, tmp_path / name)
    other = "u\u0308" if title == "\u00fc" else "\u00fc"
    for text in (other, title):
        tool(tmp_path, "metadata", "set", f"title={text}", name).expect(0)
        assert tags(path)["title"] == text


@pytest.mark.parametrize(("origin", "goal"), [("movie.mp4", "mkv"), ("movie.mp4", "mp3"), ("no-cues.mkv", "mp4")])
def test_chapters_of_another_format_are_converted(origin: str, goal: str, tmp_path: Path) -> None:
    """Else they were gone, since their form is none of the file's."""
    film = tmp_path / f"film{Path(origin).suffix}"
    copy = ["-i", fixture(origin), "-map", "0:v:0", "-map", "0:a:0?", "-c", "copy"]
    ffmpeg(*copy, "-map_chapters", "-1", film)
    lines = ["CHAPTER01=00:00:00.000", "CHAPTER01NAME=One", "CHAPTER02=00:00:01.000", "CHAPTER02NAME=Two", ""]
    (tmp_path / "list.txt").write_text("\n".join(lines))
    tool(tmp_path, "chapters", "set", "--from", "list.txt", film.name).expect(0)
    shown_first = tool(tmp_path, "metadata", "show", "--json", film.name).expect(0).output
    (tmp_path / "shown.json").write_bytes(shown_first)
    other = tmp_path / f"other.{goal}"
    codecs = ["-vn", "-c:a", "libmp3lame"] if goal == "mp3" else ["-c", "copy"]
    ffmpeg("-i", film, *codecs, "-map_chapters", "-1", other)
    tool(tmp_path, "metadata", "set", "--from", "shown.json", other.name).expect(0)
    probe = [
        "ffprobe",
        "-v",
        "error",
        "-show_entries",
        "chapter=start_time:chapter_tags=title",
        "-of",
        "csv=p=0",
        other,
    ]
    assert run(probe).stdout.decode().split() == ["0.000000,One", "1.000000,Two"]


def test_metadata_set_with_dry_run_says_what_it_would_do_and_does_nothing(tmp_path: Path) -> None:
    path = copy_fixture("movie.mp4", tmp_path / "a.mp4")
    before = path.read_bytes()
    run = tool(tmp_path, "metadata", "set", "--dry-run", "--json", "title=X", "a.mp4").expect(0)
    assert run.json[0]["dryRun"] is True
    assert path.read_bytes() == before


def test_metadata_set_with_o_writes_a_copy_and_leaves_the_source_alone(tmp_path: Path) -> None:
    path, copy = copy_fixture("movie.mp4", tmp_path / "a.mp4"), tmp_path / "b.mp4"
    before = path.read_bytes()
    tool(tmp_path, "metadata", "set", "title=X", "-o", "b.mp4", "a.mp4").expect(0)
    assert path.read_bytes() == before
    assert tags(copy)["title"] == "X"
    tool(tmp_path, "metadata", "set", "title=Y", "-o", "b.mp4", "a.mp4").expect(73)
    assert tags(copy)["title"] == "X"
    tool(tmp_path, "metadata", "set", "title=Y", "-o", "b.mp4", "--force", "a.mp4").expect(0)
    assert tags(copy)["title"] == "Y"


def test_metadata_set_goes_on_with_the_other_files_after_a_bad_one(tmp_path: Path) -> None:
    copy_fixture("movie.mp4", tmp_path / "a.mp4")
    copy_fixture("audio-only.flac", tmp_path / "b.flac")
    run = tool(tmp_path, "metadata", "set", "title=X", "a.mp4", "missing.mp4", "b.flac").expect(66)
    assert len(run.lines) == 2, run
    assert tags(tmp_path / "b.flac")["title"] == "X"


def test_metadata_documents_may_come_from_a_process(tmp_path: Path) -> None:
    copy_fixture("movie.mp4", tmp_path / "a.mp4")
    (tmp_path / "good.json").write_bytes(tool(tmp_path, "metadata", "show", "--json", "a.mp4").expect(0).output)
    script = """"$AVTOOL" metadata set --from <(sed 's/Counting bars/Other/g' good.json) a.mp4"""
    shell(tmp_path, script).expect(0)
    assert tool(tmp_path, "metadata", "get", "title", "a.mp4").text == "Other\n"


def test_metadata_documents_that_are_no_json_say_where_they_are_wrong(tmp_path: Path) -> None:
    copy_fixture("movie.mp4", tmp_path / "a.mp4")
    (tmp_path / "bad.json").write_text('{"metadata": [\n  {"identifier": "x"\n   "a": 1}]}')
    run = tool(tmp_path, "metadata", "set", "--from", "bad.json", "a.mp4").expect(65)
    assert run.diagnostic_lines == ["avtool: bad.json: is not JSON: see line 3, column 4"]


MISTAKES: list[tuple[str, int, list[str]]] = [
    ("metadata set title=X missing.mp4", 66, ["no such file"]),
    ("metadata set title=X /dev/null", 66, ["/dev/null: not a readable file"]),
    ("metadata set title=X -o missing/b.mp4 a.mp4", 73, ["missing/b.mp4"]),
    ("metadata artwork --set cover.png a.webm", 65, ["COVER"]),
    ("metadata set a.mp4", 64, ["NAME=VALUE"]),
    ("metadata set title=X", 64, ["file"]),
    ("metadata set titel=X a.mp4", 64, ["titel", "title"]),
    ("metadata set track=x a.mp4", 64, ["track"]),
    ("metadata set title=X text.mp4", 65, []),
    ("metadata set title=X movie.ts", 65, ["metadata"]),
    ("metadata set --from bad.json a.mp4", 65, ["bad.json"]),
    ("metadata set --from empty.json a.mp4", 65, ["empty.json"]),
    ("metadata set --from missing.json a.mp4", 66, ["missing.json"]),
    ("metadata set id3/TIT2=X a.mp4", 64, ["id3/TIT2"]),
    ("metadata artwork --set bad.json a.mp4", 65, ["bad.json"]),
    ("metadata remove a.mp4", 64, ["--name"]),
    ("chapters set --from bad.json a.mp4", 65, ["bad.json"]),
    ("chapters show --format xml none.mp4", 65, ["no chapters"]),
    ("metadata show text.mp4", 65, []),
    ("metadata show missing.mp4", 66, ["no such file"]),
]


@pytest.mark.parametrize(("command", "code", "words"), MISTAKES, ids=[command for command, _, _ in MISTAKES])
def test_a_mistake_in_metadata_is_refused_in_one_line_and_changes_nothing(
    command: str, code: int, words: list[str], tmp_path: Path
) -> None:
    copies = {"a.mp4": "movie.mp4", "none.mp4": "one-frame.mp4", "a.webm": "vp9.webm", "cover.png": "animated.png"}
    for name, source in {**copies, "movie.ts": "h264.ts", "text.mp4": "text.mp4"}.items():
        copy_fixture(source, tmp_path / name)
    (tmp_path / "bad.json").write_text('{"metadata": [{"identifier": 5}]}')
    (tmp_path / "empty.json").write_text("{}")
    before = (tmp_path / "a.mp4").read_bytes()
    run = tool(tmp_path, *command.split()).expect(code)
    assert len(run.diagnostic_lines) == 1, run
    for word in words:
        assert word in run.diagnostics, run
    assert (tmp_path / "a.mp4").read_bytes() == before


# --- getting and showing ----------------------------------------------------------------


def test_metadata_get_prints_the_value_and_nothing_else(tmp_path: Path) -> None:
    copy_fixture("movie.mov", tmp_path / "a.mov")
    title = tool(tmp_path, "metadata", "get", "title", "a.mov").expect(0)
    assert title.text == "Counting bars\n" and title.diagnostics == "", title
    make = tool(tmp_path, "metadata", "get", "mdta/com.apple.quicktime.make", "a.mov")
    assert make.text == "Fixture Works\n", make


def test_metadata_get_says_by_its_exit_code_that_there_is_no_value(tmp_path: Path) -> None:
    copy_fixture("movie.mov", tmp_path / "a.mov")
    copy_fixture("languages.mkv", tmp_path / "a.mkv")
    none = tool(tmp_path, "metadata", "get", "album", "a.mov").expect(1)
    assert none.text == "" and none.diagnostics == "", none
    track = tool(tmp_path, "metadata", "get", "--track", "9", "language", "a.mkv").expect(65)
    assert len(track.diagnostic_lines) == 1, track
    unknown = tool(tmp_path, "metadata", "get", "titel", "a.mov").expect(64)
    assert "title" in unknown.diagnostics, unknown
    tool(tmp_path, "metadata", "get", "title", "b.mov").expect(66)


def test_metadata_show_has_names_that_people_know_and_identifiers_on_demand(tmp_path: Path) -> None:
    copy_fixture("movie.mov", tmp_path / "a.mov")
    tool(tmp_path, "metadata", "set", "lyrics=One\nTwo\n\nThree", "track=3/12", "a.mov").expect(0)
    show = tool(tmp_path, "metadata", "show", "a.mov")
    assert "\n  title           Counting bars\n" in show.text, show
    assert "\n  track           3/12\n" in show.text, show
    assert "  lyrics          One\n                  Two\n\n                  Three\n" in show.text, show
    assert "\n  header-date     2024-05-06T07:08:09Z\n" in show.text, show
    assert "mdta/" not in show.text, show
    raw = tool(tmp_path, "metadata", "show", "--identifiers", "a.mov")
    assert "\n  mdta/title  Counting bars\n" in raw.text, raw
    info = tool(tmp_path, "info", "a.mov")
    assert "\n  title           Counting bars\n" in info.text, info


@pytest.mark.parametrize("command", ["show", "set title=New"])
def test_metadata_commands_report_an_ape_tag_that_some_players_prefer(command: str, tmp_path: Path) -> None:
    # A tag as the specification of APEv2 has it: one item, no header.
    item = (3).to_bytes(4, "little") + bytes(4) + b"Title\0Old"
    numbers = b"".join(number.to_bytes(4, "little") for number in (2000, len(item) + 32, 1))
    data = fixture("audio-only.mp3").read_bytes() + item + b"APETAGEX" + numbers + bytes(12)
    (tmp_path / "a.mp3").write_bytes(data)
    run = tool(tmp_path, "metadata", *command.split(), "a.mp3").expect(0)
    assert "APE tag" in run.diagnostics, run
    assert "Title “Old”" in run.diagnostics, run


def test_metadata_names_lists_what_can_be_set_for_all_files_or_one_kind(tmp_path: Path) -> None:
    every = tool(tmp_path, "metadata", "names").expect(0)
    assert every.lines[0].startswith("title "), every
    assert any(line.startswith("language ") and "pt-BR" in line for line in every.lines)
    wav = tool(tmp_path, "metadata", "names", "--for", "wav")
    assert wav.lines and len(wav.lines) < len(every.lines) and "album-artist" not in wav.text, wav
    listed = {entry["name"] for entry in tool(tmp_path, "metadata", "names", "--json").json}
    assert listed >= {"title", "album-artist", "header-date", "language"}
    tool(tmp_path, "metadata", "names", "--for", "xyz").expect(64)


@pytest.mark.parametrize("name", ["languages.mp4", "languages.mkv"])
def test_track_numbers_are_those_of_info_in_every_metadata_command(name: str, tmp_path: Path) -> None:
    path = copy_fixture(name, tmp_path / name)
    [document] = tool(tmp_path, "info", "--json", name).json
    numbers = [track["id"] for track in document["tracks"]]
    assert numbers
    for number in numbers:
        values = ["language=cy", f"name=Track {number}"]
        tool(tmp_path, "metadata", "set", "--track", number, *values, name).expect(0)
        get = tool(tmp_path, "metadata", "get", "--track", number, "name", name)
        assert get.text == f"Track {number}\n", get
    languages = ffprobe(path, "stream_tags=language")
    assert len(languages) == len(numbers) and set(languages) <= {"cym", "wel"}, languages
    assert "“Track 1”" in tool(tmp_path, "info", name).text


@pytest.mark.parametrize("command", ["set name=X", "remove --name title"])
@pytest.mark.parametrize("name", ["languages.mp4", "languages.mkv"])
def test_metadata_of_a_track_that_is_not_there_cannot_be_changed(name: str, command: str, tmp_path: Path) -> None:
    path = copy_fixture(name, tmp_path / name)
    before = path.read_bytes()
    run = tool(tmp_path, "metadata", *command.split(), "--track", "77", name).expect(65)
    assert "there is no track 77" in run.diagnostics, run
    assert path.read_bytes() == before


# --- embedded pictures ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["audio-only.m4a", "audio-only.mp3", "audio-only.flac", "cues.mkv", "movie.mov"])
def test_artwork_comes_out_as_the_bytes_that_went_in(name: str, tmp_path: Path) -> None:
    copy_fixture(name, tmp_path / name)
    cover = still(tmp_path, "cover.png", "--size", "64x0")
    tool(tmp_path, "metadata", "artwork", "--set", "cover.png", name).expect(0)
    tool(tmp_path, "metadata", "artwork", "--extract", "out.{ext}", name).expect(0)
    assert (tmp_path / "out.png").read_bytes() == cover.read_bytes()
    tool(tmp_path, "metadata", "artwork", "--extract", "out.{ext}", name).expect(73)
    tool(tmp_path, "metadata", "artwork", "--remove", name).expect(0)
    assert "no pictures" in tool(tmp_path, "metadata", "artwork", name).text


def test_artwork_is_shown_by_its_size_in_pixels_kind_and_length(tmp_path: Path) -> None:
    path = fixture("attached-picture.mp3")
    [width_and_height] = ffprobe(path, "stream=width,height", "-select_streams", "v")
    size = width_and_height.replace(",", "x")
    run = tool(tmp_path, "metadata", "show", path)
    found = [line for line in run.lines if re.search(r"^ +artwork +\d+x\d+ JPEG \d+ (kB|bytes)$", line)]
    assert any(f" {size} " in line for line in found), run


def test_images_that_are_cut_off_or_none_are_refused_as_artwork(tmp_path: Path) -> None:
    path = copy_fixture("audio-only.mp3", tmp_path / "a.mp3")
    for ending in ("png", "jpg"):
        whole = still(tmp_path, f"whole.{ending}").read_bytes()
        (tmp_path / f"cut.{ending}").write_bytes(whole[: len(whole) * 2 // 3])
    (tmp_path / "fake.jpg").write_bytes(bytes((0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3)))
    before = path.read_bytes()
    for name in ("cut.png", "cut.jpg", "fake.jpg"):
        run = tool(tmp_path, "metadata", "artwork", "--set", name, "a.mp3").expect(65)
        assert "no whole picture" in run.diagnostics, run
        assert path.read_bytes() == before
        words = ["export", "--preset", "passthrough", "--artwork", name, "-o", "b.mp3", "a.mp3"]
        export = tool(tmp_path, *words).expect(65)
        assert "no whole picture" in export.diagnostics, export
    for name in ("whole.png", "whole.jpg"):
        tool(tmp_path, "metadata", "artwork", "--set", name, "a.mp3").expect(0)


# --- full disks -------------------------------------------------------------------------


@pytest.mark.root
def test_artwork_for_which_the_disk_has_no_room_leaves_the_old_file(tmp_path: Path) -> None:
    cover = still(tmp_path, "cover.png")
    with cover.open("ab") as file:
        file.write(bytes(2_000_000))
    with small_disk(tmp_path / "small", 700 << 10) as small:
        path = copy_fixture("movie.mp4", small / "a.mp4")
        before = path.read_bytes()
        tool(tmp_path, "metadata", "artwork", "--set", "cover.png", path).expect(74)
        assert path.read_bytes() == before
        assert names(small) == ["a.mp4"]


@pytest.mark.root
@pytest.mark.parametrize("name", ["movie.mp4", "movie.mov"])
def test_a_disk_that_is_full_at_any_moment_leaves_bytes_and_length(name: str, tmp_path: Path) -> None:
    """Longer and longer comments, until there is room for them no more."""
    pages = -(-fixture(name).stat().st_size // 4096)
    refused = 0
    for room in (0, 4, 8, 12, 16, 24, 32, 48, 64):
        with small_disk(tmp_path / f"small-{room}", (4 * pages + room) << 10) as small:
            path = small / "a"
            shutil.copyfile(fixture(name), path)
            for length in (10, 1000, 4000, 8000, 20000):
                before = path.read_bytes()
                run = tool(tmp_path, "metadata", "set", "comment=" + "x" * length, path)
                if run.code != 0:
                    run.expect(74)
                    assert path.read_bytes() == before, (room, length)
                    refused += 1
    assert refused
