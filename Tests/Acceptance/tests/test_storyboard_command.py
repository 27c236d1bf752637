"""`avtool storyboard` on the command line: its folder and indexes, what is replaced, and how runs end."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest

from acceptance.endings import small_disk
from acceptance.films import fixture
from acceptance.running import ROOT, Json
from acceptance.tool import BROWSER_LIMIT, copy_fixture, names, picture_size, run_program, tool

MOVIE = fixture("movie.mov")
PAGE_CHECK = ROOT / "Tests/Acceptance/browser/storyboard_page.py"


def document_of(folder: Path) -> Json:
    document: Json = json.loads((folder / "storyboard.json").read_text(encoding="utf-8"))
    return document


# --- What is made -----------------------------------------------------------------------


def test_a_storyboard_is_a_folder_beside_which_is_nothing_else(tmp_path: Path) -> None:
    run = tool(tmp_path, "storyboard", "--every", "1s", MOVIE).expect()
    assert run.diagnostics == ""
    assert len(run.lines) == 1
    assert run.text.startswith("movie-storyboard: 10 tiles of 160x120, one every 1 s, on 1 sheet")
    assert names(tmp_path) == ["movie-storyboard"]
    made = tmp_path / "movie-storyboard"
    assert names(made) == ["index.html", "storyboard-001.jpg", "storyboard.json", "storyboard.vtt"]
    assert picture_size(made / "storyboard-001.jpg") == "mjpeg,1600,120"


def test_a_storyboard_has_all_indexes_that_are_asked_for_and_names_every_file(tmp_path: Path) -> None:
    grid = ["--every", "2s", "--tile", "100x0", "--columns", "3", "--rows", "2", "--format", "jpeg"]
    indexes = ["--bif", "--jellyfin", "--hls", "--dash", "--no-page"]
    run = tool(tmp_path, "storyboard", *grid, *indexes, "-o", "all", MOVIE).expect()
    # Jellyfin has to be set up for other sizes than its own, as Roku has.
    assert len(run.diagnostic_lines) == 2, run
    made = sorted(str(path.relative_to(tmp_path / "all")) for path in (tmp_path / "all").rglob("*") if path.is_file())
    assert made == document_of(tmp_path / "all")["files"]
    assert made == [
        "dash-adaptation-set.xml",
        "hls-image-stream.txt",
        "images.m3u8",
        "movie.trickplay/100 - 3x2/0.jpg",
        "storyboard-001.jpg",
        "storyboard.bif",
        "storyboard.json",
        "storyboard.mpd",
        "storyboard.vtt",
    ]


def test_a_storyboard_has_what_goes_into_manifests_and_fits_players_of_roku(tmp_path: Path) -> None:
    every = ["--every", "0.1s"]
    run = tool(tmp_path, "storyboard", *every, "--hls", "--dash", "-o", "100% of #1", MOVIE).expect()
    assert run.diagnostics == ""
    assert run.text.endswith("; for your own manifests: hls-image-stream.txt, dash-adaptation-set.xml\n")
    made = tmp_path / "100% of #1"
    # Tiles of 160x120: six by nine of them are the most on 1080 pixels.
    assert picture_size(made / "storyboard-001.jpg") == "mjpeg,960,1080"
    line = (made / "hls-image-stream.txt").read_text(encoding="utf-8")
    assert line.startswith("#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=")
    assert line.endswith('RESOLUTION=160x120,CODECS="jpeg",URI="100%25%20of%20%231/images.m3u8"\n')
    adaptation = (made / "dash-adaptation-set.xml").read_text(encoding="utf-8")
    assert adaptation.startswith("    <AdaptationSet ") and adaptation.endswith("    </AdaptationSet>\n")
    assert ' media="100%25%20of%20%231/storyboard-$Number%03d$.jpg" ' in adaptation


def test_a_storyboard_that_players_of_roku_cannot_show_is_made_with_a_warning(tmp_path: Path) -> None:
    large = tool(tmp_path, "storyboard", "--every", "0.1s", "--hls", "--columns", "10", "-o", "large", MOVIE).expect()
    assert "up to 1080 pixels a side, not from 1600x1200" in large.diagnostics
    narrow = tool(tmp_path, "storyboard", "--bif", "--tile", "160x0", "-o", "narrow", MOVIE).expect()
    assert "240 (SD) or 320 (HD) pixels wide, not 160" in narrow.diagnostics
    usual = tool(tmp_path, "storyboard", "--bif", "-o", "usual", MOVIE).expect()
    assert usual.diagnostics == ""
    assert " tiles of 320x240," in usual.text


def test_a_storyboard_for_jellyfin_is_as_its_own_settings_have_it(tmp_path: Path) -> None:
    run = tool(tmp_path, "storyboard", "--jellyfin", MOVIE).expect()
    assert run.diagnostics == ""
    assert picture_size(tmp_path / "movie-storyboard/movie.trickplay/320 - 10x10/0.jpg") == "mjpeg,3200,2400"


@pytest.mark.parametrize(
    ("format", "name", "size"),
    [
        ("jpeg", "storyboard-001.jpg", "mjpeg,320,120"),
        ("png", "storyboard-001.png", "png,320,120"),
        ("webp", "storyboard-001.webp", "webp,320,120"),
        ("avif", "storyboard-001.avif", "av1,320,120"),
    ],
)
def test_a_storyboard_can_be_of_any_image_format(tmp_path: Path, format: str, name: str, size: str) -> None:
    tool(tmp_path, "storyboard", "--every", "5s", "--format", format, MOVIE).expect()
    assert picture_size(tmp_path / "movie-storyboard" / name) == size


@pytest.mark.peer("chromium", "chromedriver")
@pytest.mark.parametrize("kind", ["page", "track"])
def test_a_storyboard_has_a_page_that_plays_the_video_and_cues_that_browsers_read(tmp_path: Path, kind: str) -> None:
    copy_fixture("movie.mp4", tmp_path / "100% video #1.mp4")
    tool(tmp_path, "storyboard", "--every", "0.25s", "--with-player", "-o", "set", "100% video #1.mp4").expect()
    words = [sys.executable, PAGE_CHECK, kind, tmp_path / "set", *(["--film", "plays"] if kind == "page" else [])]
    # The names of Chromium's sockets may have 107 bytes.
    run_program(words, tmp_path, environment={"TMPDIR": "/tmp"}, limit=BROWSER_LIMIT).expect()


def test_json_of_storyboards_says_what_was_made_and_what_was_not(tmp_path: Path) -> None:
    run = tool(tmp_path, "storyboard", "--json", "--every", "4s", MOVIE, fixture("audio-only.mp3")).expect(65)
    [made, failed] = run.json
    assert made["folder"] == "movie-storyboard"
    assert made["tileCount"] == 3
    assert made["state"] == "made"
    assert failed["source"] == str(fixture("audio-only.mp3"))
    assert "error" in failed
    assert names(tmp_path) == ["movie-storyboard"]


# --- What is replaced -------------------------------------------------------------------


def test_a_storyboard_is_not_replaced_but_brought_up_to_date_when_asked_to(tmp_path: Path) -> None:
    video = copy_fixture("movie.mov", tmp_path / "video.mov")
    made = tmp_path / "video-storyboard"

    def text(*options: str) -> str:
        return tool(tmp_path, "storyboard", *options, "video.mov").expect().text

    text()
    first = (made / "storyboard.json").read_bytes()
    second = tool(tmp_path, "storyboard", "video.mov").expect(73)
    assert len(second.diagnostic_lines) == 1
    assert text("--if-newer") == "video-storyboard: up to date\n"
    assert ": 5 tiles" in text("--if-newer", "--every", "2s")
    assert ": 20 tiles" in text("--if-newer")
    assert (made / "storyboard.json").read_bytes() == first
    # Another media file under the same name.
    video.unlink()
    copy_fixture("vfr.mp4", video)
    assert "tiles" in text("--if-newer")
    assert (made / "storyboard.json").read_bytes() != first
    # A set with a file missing is none.
    (made / "storyboard.vtt").unlink()
    assert "tiles" in text("--if-newer")
    text("--force")
    assert names(tmp_path) == ["video-storyboard", "video.mov"]


def test_storyboards_replace_nothing_but_storyboards(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for path in (site / "index.html", tmp_path / "file"):
        path.write_text("mine")
    # A folder that is there is where the storyboard is made, not what it replaces.
    tool(tmp_path, "storyboard", "--force", "-o", "site", MOVIE).expect()
    assert names(site) == ["index.html", "movie-storyboard"]
    (site / "movie-storyboard/notes.txt").write_text("mine")
    for output in ("file", "site/movie-storyboard"):
        run = tool(tmp_path, "storyboard", "--force", "-o", output, MOVIE).expect(73)
        assert len(run.diagnostic_lines) == 1
    for path in (tmp_path / "file", site / "index.html", site / "movie-storyboard/notes.txt"):
        assert path.read_text() == "mine"


def test_storyboards_of_several_media_files_are_all_tried(tmp_path: Path) -> None:
    files = [fixture("truncated-no-moov.mp4"), "missing.mp4", MOVIE, fixture("movie.mp4")]
    run = tool(tmp_path, "storyboard", *files, "-o", "sets-{name}").expect(65)
    # Two media files of one name: the second is an error, not a replacement.
    assert len(run.diagnostic_lines) == 3, run
    assert len(run.lines) == 1
    assert names(tmp_path) == ["sets-movie"]


# --- What is refused --------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        "--every 0", "--every x", "--every 1/3", "--columns 0", "--rows 1001", "--quality 101", "--format gif",
        "--tile 0x0", "--no-page --with-player", "--if-newer --force", "-o -",
    ],
)  # fmt: skip
def test_wrong_use_of_storyboard_ends_with_a_line_of_usage(tmp_path: Path, options: str) -> None:
    run = tool(tmp_path, "storyboard", *options.split(), MOVIE).expect(64)
    assert len(run.diagnostic_lines) == 1
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "options",
    [
        "--every 0.00001s",
        "--columns 1000 --rows 1000 --every 0.0005s",
        "--jellyfin --format webp",
        "--jellyfin --every 0.5s",
    ],
)
def test_a_storyboard_that_cannot_be_made_as_asked_says_why_and_leaves_nothing(tmp_path: Path, options: str) -> None:
    run = tool(tmp_path, "storyboard", *options.split(), MOVIE).expect(64)
    assert len(run.diagnostic_lines) == 1
    assert names(tmp_path) == []


def test_a_storyboard_of_a_damaged_media_file_says_where_the_damage_is_and_what_to_try(tmp_path: Path) -> None:
    strict = tool(tmp_path, "storyboard", "--exact", fixture("truncated.mp4")).expect(65)
    assert len(strict.diagnostic_lines) == 1
    assert "--allow-damaged" in strict.diagnostics
    assert names(tmp_path) == []
    lenient = tool(tmp_path, "storyboard", "--exact", "--allow-damaged", fixture("truncated.mp4")).expect()
    assert len(lenient.diagnostic_lines) == 1
    assert "damaged picture at 6 s and 7 more" in lenient.diagnostics


# --- How runs end -----------------------------------------------------------------------

# So many tiles that a run does not end before the signal.
MANY = ["storyboard", "--exact", "--every", "0.0002s", "--columns", "5", MOVIE]


def test_an_interrupted_storyboard_leaves_nothing(tmp_path: Path) -> None:
    # Files in the hidden folder that is to be the storyboard.
    run = tool(tmp_path, *MANY, signals=(signal.SIGINT, lambda: any(tmp_path.glob(".*/*")))).expect(130)
    assert "interrupted" in run.diagnostics
    assert names(tmp_path) == []


def test_a_storyboard_whose_process_is_killed_leaves_what_the_next_run_removes(tmp_path: Path) -> None:
    tool(tmp_path, *MANY, signals=(signal.SIGKILL, lambda: bool(names(tmp_path)))).expect(-signal.SIGKILL)
    assert all(name.startswith(".") for name in names(tmp_path))
    tool(tmp_path, "storyboard", MOVIE).expect()
    assert names(tmp_path) == ["movie-storyboard"]


@pytest.mark.root
def test_a_storyboard_on_a_full_disk_leaves_nothing_and_says_so(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 65536) as disk:
        options = ["--format", "png", "--tile", "320x0", "-o", "disk/set"]
        run = tool(tmp_path, "storyboard", *options, MOVIE).expect(74)
        assert names(disk) == []
    assert run.output == b""
    assert len(run.diagnostic_lines) == 1
    assert "No space left" in run.diagnostics
