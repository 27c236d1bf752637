"""What `avtool export` and `avtool join` write, print and refuse."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import ffmpeg
from acceptance.tool import copy_fixture, ffprobe, names, run_program, tool

MOVIE = fixture("movie.mov")
MOVIE_MP4 = fixture("movie.mp4")


def duration(path: Path) -> str:
    """The seconds that ffprobe finds in a file."""
    return "".join(ffprobe(path, "format=duration"))


# --- results ----------------------------------------------------------------------------


def test_export_of_a_range_gets_the_default_name_and_prints_the_range(tmp_path: Path) -> None:
    run = tool(tmp_path, "export", "--preset", "passthrough", "--range", "1s+3s", MOVIE).expect(0)
    assert run.diagnostics == ""
    size = (tmp_path / "movie-passthrough.mov").stat().st_size
    assert run.lines == [f"movie-passthrough.mov: 1 s to 4 s (3 s), {size} bytes"]
    assert names(tmp_path) == ["movie-passthrough.mov"]
    assert duration(tmp_path / "movie-passthrough.mov") == "3.000000"


@pytest.mark.parametrize(
    ("ending", "format_name"),
    [("mp4", '"mov,mp4,m4a,3gp,3g2,mj2"'), ("mkv", '"matroska,webm"'), ("ts", "mpegts")],
    ids=["mp4", "mkv", "ts"],
)
def test_export_makes_the_container_that_the_name_says(ending: str, format_name: str, tmp_path: Path) -> None:
    output = tmp_path / f"new.{ending}"
    tool(tmp_path, "export", "--preset", "passthrough", "--range", "..2s", "-o", output.name, MOVIE_MP4).expect(0)
    assert ffprobe(output, "format=format_name") == [format_name]


@pytest.mark.parametrize("preset", ["passthrough", "high"])
def test_export_joins_several_ranges(preset: str, tmp_path: Path) -> None:
    ranges = ["--range", "4s+2s", "--range", "1s..1.5s"]
    tool(tmp_path, "export", "--preset", preset, *ranges, "-o", "new.mp4", MOVIE_MP4).expect(0)
    assert duration(tmp_path / "new.mp4") == "2.500000"


def test_export_of_an_inverted_range_keeps_the_rest(tmp_path: Path) -> None:
    options = ["--preset", "passthrough", "--range", "1s..4s", "--invert"]
    tool(tmp_path, "export", *options, "-o", "rest.mp4", MOVIE_MP4).expect(0)
    assert duration(tmp_path / "rest.mp4") == "7.000000"


def test_export_takes_ranges_from_a_cut_list_and_splits_them(tmp_path: Path) -> None:
    (tmp_path / "cuts.csv").write_text("1,2.5,a\n4,,b\n")
    options = ["--preset", "passthrough", "--segments", "cuts.csv", "--split"]
    tool(tmp_path, "export", *options, "-o", "part.mp4", MOVIE_MP4).expect(0)
    assert duration(tmp_path / "part-1.mp4") == "1.500000"
    assert duration(tmp_path / "part-2.mp4") == "6.000000"


def test_export_can_write_to_standard_output(tmp_path: Path) -> None:
    run = tool(tmp_path, "export", "--preset", "passthrough", "--range", "1s+1s", "-o", "-", MOVIE).expect(0)
    (tmp_path / "out.bin").write_bytes(run.output)
    assert duration(tmp_path / "out.bin") == "1.000000"


def test_export_sets_removes_and_redacts_metadata(tmp_path: Path) -> None:
    options = ["--set", "title=New title", "--remove", "artist", "--share-safe"]
    tool(tmp_path, "export", "--preset", "passthrough", "--range", "..1s", *options, "-o", "new.mov", MOVIE).expect(0)
    words = ["ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "flat", "new.mov"]
    tags = run_program(words, tmp_path).expect(0).text
    assert "New title" in tags
    assert "Fixture Band" not in tags
    assert "location" not in tags
    assert "Fixture Works" not in tags


def test_export_gives_chapters_a_title_in_the_track_of_each_language(tmp_path: Path) -> None:
    """Chapters without a title in the language of a chapter track had a blank one there."""

    def atom(second: int, *titles: tuple[str, str]) -> str:
        displays = "".join(
            f"<ChapterDisplay><ChapterString>{text}</ChapterString><ChapterLanguage>{language}</ChapterLanguage>"
            "</ChapterDisplay>"
            for text, language in titles
        )
        return f"<ChapterAtom><ChapterTimeStart>00:00:0{second}.000</ChapterTimeStart>{displays}</ChapterAtom>"

    atoms = atom(0, ("One", "eng"), ("Eins", "ger")) + atom(1, ("Two", "eng")) + atom(2, ("Drei", "ger"))
    document = f'<?xml version="1.0"?><Chapters><EditionEntry>{atoms}</EditionEntry></Chapters>'
    (tmp_path / "chapters.xml").write_text(document)
    languages = fixture("languages.mkv")
    tool(tmp_path, "chapters", "set", "--from", "chapters.xml", "-o", "named.mkv", languages).expect(0)
    tool(tmp_path, "export", "--preset", "passthrough", "-o", "new.mp4", "named.mkv").expect(0)
    assert titles_in_track(tmp_path / "new.mp4", 0) == ["One", "Two", "Drei"]
    assert titles_in_track(tmp_path / "new.mp4", 1) == ["Eins", "Two", "Drei"]


def titles_in_track(path: Path, number: int) -> list[str]:
    """The texts of a chapter track: samples that begin with their length and may end with an atom of their encoding."""
    words = ["ffmpeg", "-v", "error", "-nostdin", "-i", path, "-map", f"0:d:{number}", "-c", "copy", "-f", "data", "-"]
    data = run_program(words, path.parent).expect(0).output
    found = "".join(chr(byte) if chr(byte).isascii() and chr(byte).isalnum() else "\n" for byte in data).split("\n")
    return [word for word in found if "A" <= word[:1] <= "Z"]


# --- what is printed --------------------------------------------------------------------


def test_export_dry_run_prints_the_plan_and_makes_nothing(tmp_path: Path) -> None:
    run = tool(tmp_path, "export", "--preset", "low", "--range", "1s+3s", "--dry-run", MOVIE).expect(0)
    assert names(tmp_path) == []
    assert run.lines[0].startswith("movie-low.mp4: mp4, encoded anew")
    assert any("track 1 video: transcode, h264" in line for line in run.lines)
    assert any("track 2 audio: transcode, aac" in line for line in run.lines)
    assert "  range 1 s to 4 s (3 s)" in run.lines


def test_export_prints_plan_progress_and_end_as_json_lines(tmp_path: Path) -> None:
    run = tool(tmp_path, "export", "--preset", "low", "--range", "1s+3s", "--json", MOVIE).expect(0)
    first, *others, last = run.json
    assert first["event"] == "plan" and first["method"] == "transcode"
    assert {event["event"] for event in others} <= {"progress"}
    assert last["event"] == "completed"
    assert last["file"] == "movie-low.mp4"
    assert last["size"] == (tmp_path / "movie-low.mp4").stat().st_size
    assert last["actualRange"]["start"]["seconds"] == 1
    assert last["actualRange"]["duration"]["seconds"] == 3
    assert last["losses"] == []


def test_export_names_what_cannot_be_kept(tmp_path: Path) -> None:
    run = tool(tmp_path, "export", "--preset", "m4a", "--json", fixture("languages.mp4")).expect(0)
    assert any(
        loss["kind"] == "track" and loss["effect"] == "lost" and loss["foreseen"] is True and "video" in loss["item"]
        for loss in run.json[-1]["losses"]
    )
    assert len([line for line in run.diagnostic_lines if " lost: " in line]) == 1


# --- what is refused --------------------------------------------------------------------

BAD_RANGES = [
    ("--range 1s..3s --range 2s..4s", 64),
    ("--range 1s..3s --range 5s..50s", 65),
    ("--invert", 64),
    ("--segments nothing.csv", 66),
    ("--segments broken.csv", 64),
    ("--range 0s..10s --invert", 64),
]


@pytest.mark.parametrize(("options", "code"), BAD_RANGES, ids=[options for options, _ in BAD_RANGES])
def test_export_of_ranges_that_make_no_sense_makes_nothing(options: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "broken.csv").write_text("1,2\n3,x\n")
    run = tool(tmp_path, "export", "--preset", "low", "-o", "new.mp4", *options.split(), MOVIE_MP4).expect(code)
    assert len(run.diagnostics.splitlines()) == 1
    assert "broken.csv" not in options or "broken.csv: line 2: " in run.diagnostics
    assert names(tmp_path) == ["broken.csv"]


MISTAKES = [
    ("--preset nosuch", 64, "nosuch"),
    ("--preset ./no.json", 66, "no such file"),
    ("--preset low --range 3s", 64, "range"),
    ("--preset low --range 11s..", 65, "10"),
    ("--preset low -o x.wav", 64, "mp4"),
    ("--preset low -o x", 64, "extension"),
    ("--preset passthrough --file-length-limit 10kB -o x.mov", 75, "bytes"),
    ("--preset passthrough -o gone/x.mov", 73, "No such file"),
    ("--preset passthrough --set nosense/key=1 -o x.mov", 64, "nosense"),
]


@pytest.mark.parametrize(("options", "code", "word"), MISTAKES, ids=[options for options, _, _ in MISTAKES])
def test_a_mistake_in_export_is_one_line_the_documented_code_and_no_file(
    options: str, code: int, word: str, tmp_path: Path
) -> None:
    run = tool(tmp_path, "export", *options.split(), MOVIE).expect(code)
    assert len(run.diagnostic_lines) == 1, run
    assert word in run.diagnostics
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("missing.mp4", 66),
        ("empty.mp4", 65),
        ("text.mp4", 65),
        ("truncated-no-moov.mp4", 65),
        ("hls-named.mp4", 65),
        ("audio-only.mp3", 65),
    ],
)
def test_export_of_a_file_without_readable_video_is_one_line_and_no_file(name: str, code: int, tmp_path: Path) -> None:
    run = tool(tmp_path, "export", "--preset", "gif", fixture(name)).expect(code)
    assert len(run.diagnostic_lines) == 1, run
    assert names(tmp_path) == []


def test_export_replaces_an_existing_file_only_with_force_and_its_source_never(tmp_path: Path) -> None:
    output = tmp_path / "new.mov"
    output.write_text("mine")
    words = ["export", "--preset", "passthrough"]
    refused = tool(tmp_path, *words, "-o", "new.mov", MOVIE).expect(73)
    assert len(refused.diagnostic_lines) == 1
    assert output.read_text() == "mine"
    tool(tmp_path, *words, "--force", "-o", "new.mov", MOVIE).expect(0)
    before = output.read_bytes()
    assert before != b"mine"
    tool(tmp_path, *words, "--force", "--range", "1s..", "-o", "./new.mov", "new.mov").expect(73)
    assert output.read_bytes() == before


def test_export_tries_all_files_although_one_is_bad(tmp_path: Path) -> None:
    (tmp_path / "bad.mp4").touch()
    words = ["export", "--preset", "passthrough", "--range", "..1s", "-o", "{name}-cut.mp4"]
    run = tool(tmp_path, *words, MOVIE_MP4, "bad.mp4", fixture("h264-444.mp4")).expect(65)
    assert len(run.diagnostic_lines) == 1, run
    assert names(tmp_path) == ["bad.mp4", "h264-444-cut.mp4", "movie-cut.mp4"]


def test_an_interrupted_export_leaves_nothing(tmp_path: Path) -> None:
    # So long that a busy machine is not done with it before the signal comes.
    ffmpeg("-stream_loop", "50", "-i", MOVIE, "-map", "0:v:0", "-c", "copy", tmp_path / "long.mov")
    made, events = tmp_path / "made", tmp_path / "events"
    made.mkdir()
    script = 'exec "$AVTOOL" export --preset webm-av1 --json ../long.mov > ../events 2> ../errors'
    has_begun = (signal.SIGTERM, lambda: events.exists() and events.stat().st_size > 0)
    run_program(["/bin/bash", "-c", script], made, signals=has_begun).expect(130)
    assert '"event":"cancelled"' in events.read_text().splitlines()[-1]
    assert names(made) == []


# --- join -------------------------------------------------------------------------------


def test_join_of_a_video_with_itself_lasts_twice_as_long(tmp_path: Path) -> None:
    tool(tmp_path, "join", "-o", "twice.mp4", MOVIE_MP4, MOVIE_MP4).expect(0)
    assert duration(tmp_path / "twice.mp4") == "20.000000"
    assert names(tmp_path) == ["twice.mp4"]


def test_join_does_not_replace_what_it_reads(tmp_path: Path) -> None:
    twice = copy_fixture("movie.mp4", tmp_path / "twice.mp4")
    before = twice.read_bytes()
    tool(tmp_path, "join", "-o", "twice.mp4", "--force", MOVIE_MP4, "twice.mp4").expect(73)
    assert names(tmp_path) == ["twice.mp4"]
    assert twice.read_bytes() == before


def test_join_of_videos_that_do_not_fit_says_why_and_which_preset_can(tmp_path: Path) -> None:
    other = fixture("long-gop.mp4")
    run = tool(tmp_path, "join", "-o", "new.mp4", MOVIE_MP4, other).expect(65)
    assert "codec configuration" in run.diagnostics and "high" in run.diagnostics
    assert names(tmp_path) == []
    tool(tmp_path, "join", "--preset", "low", "-o", "new.mp4", MOVIE_MP4, other).expect(0)
    assert names(tmp_path) == ["new.mp4"]


def test_join_with_a_missing_file_names_it(tmp_path: Path) -> None:
    run = tool(tmp_path, "join", "-o", "new.mp4", MOVIE_MP4, "nothing.mp4").expect(66)
    assert "nothing.mp4" in run.diagnostics
    assert names(tmp_path) == []
