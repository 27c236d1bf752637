"""Inputs: standard input and pipes, odd names, addresses, and files that are no media files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from acceptance.films import corpus, fixture
from acceptance.running import AVTOOL, Json, ffmpeg
from acceptance.tool import copy_fixture, names, run_with_open_input, shell, tool

# --- Standard input and pipes -----------------------------------------------------------


def info(folder: Path, file: object, *options: str, stdin: Path | None = None) -> Json:
    """What `info` says of a file, or of one that comes through a pipe; without the name, in which they differ."""
    data = stdin.read_bytes() if stdin else None
    found = tool(folder, "info", "--json", *options, file, stdin=data).expect().json[0]
    return {key: value for key, value in found.items() if key != "source"}


@pytest.mark.parametrize(
    "name",
    [
        "movie.mp4", "vp9.webm", "movie.mov", "fragmented.mp4", "h264.avi", "cues.mkv", "no-cues.mkv", "h264.ts",
        "mpeg2.ps", "audio-only.mp3", "attached-picture.mp3", "audio-only.flac", "theora.ogv", "h264.flv", "wmv2.asf",
    ],
)  # fmt: skip
def test_precise_info_of_a_pipe_is_that_of_the_file(tmp_path: Path, name: str) -> None:
    """ "-: no such file" was said of standard input."""
    file = fixture(name)
    assert info(tmp_path, "-", "--precise", stdin=file) == info(tmp_path, file, "--precise")


@pytest.mark.parametrize(
    "file",
    [
        *(pytest.param(fixture(name), id=name) for name in ("fragmented.mp4", "fragmented-sidx.mp4")),
        *corpus(
            "fragmented/bbb5s_aac_sidx.mp4",
            "fragmented/sample_fragmented.mp4",
            "fragmented/sample_fragmented_seekable_multiple_sidx.mp4",
        ),
    ],
)
def test_info_of_a_fragmented_movie_in_a_pipe_is_that_of_the_file(tmp_path: Path, file: Path) -> None:
    """39 hours were said of a fragmented movie of a second: what its header says of times is not to be believed."""
    assert info(tmp_path, "-", stdin=file) == info(tmp_path, file)


@pytest.mark.parametrize(
    "name",
    [
        "movie.mp4", "movie.mov", "vp9.webm", "cues.mkv", "no-cues.mkv", "h264.ts", "mpeg2.ps", "h264.avi",
        "audio-only.flac", "audio-only.mp3", "theora.ogv", "wmv2.asf", "animated.gif",
    ],
)  # fmt: skip
def test_info_of_a_pipe_is_not_wrong_about_what_it_has_not_read(tmp_path: Path, name: str) -> None:
    """What the rest would tell is left out or marked as an estimate, and all else is the same."""
    piped, whole = info(tmp_path, "-", stdin=fixture(name)), info(tmp_path, fixture(name))
    assert "size" not in piped and "bitRate" not in piped
    if (piped.get("duration") or {}).get("seconds") is None:
        assert piped["durationIsEstimate"] is True
    else:
        assert piped["duration"]["seconds"] == whole["duration"]["seconds"] or piped["durationIsEstimate"] is True
    assert len(piped["tracks"]) == len(whole["tracks"])
    facts = "id mediaType codec codecTag width height language sampleRate channels".split()
    # Tracks of chapters are known as such only where their samples can be read.
    for mine, theirs in zip(piped["tracks"], whole["tracks"]):
        if theirs["mediaType"] in ("video", "audio"):
            assert {fact: mine.get(fact) for fact in facts} == {fact: theirs.get(fact) for fact in facts}


@pytest.mark.parametrize("times", ["0,0.5,1.7", "1/3,end,25%", "end"])
@pytest.mark.parametrize("name", ["movie.mp4", "vp9.webm", "h264.ts", "no-cues.mkv", "mpeg2.ps", "h264.flv"])
def test_stills_of_a_pipe_are_those_of_the_file(tmp_path: Path, name: str, times: str) -> None:
    tool(tmp_path, "thumbs", "--at", times, "-", stdin=fixture(name).read_bytes()).expect()
    tool(tmp_path, "thumbs", "--at", times, "-o", "file-{index}.png", fixture(name)).expect()
    numbers = range(1, len(times.split(",")) + 1)
    assert names(tmp_path) == sorted(f"{source}-{number}.png" for source in ("stdin", "file") for number in numbers)
    for number in numbers:
        with Image.open(tmp_path / f"stdin-{number}.png") as mine, Image.open(tmp_path / f"file-{number}.png") as other:
            assert (mine.mode, mine.size, mine.tobytes()) == (other.mode, other.size, other.tobytes())


def test_a_movie_with_its_index_at_the_end_is_read_from_a_pipe(tmp_path: Path) -> None:
    """It could not be read."""
    ffmpeg("-i", fixture("movie.mp4"), "-map", "0:v", "-c", "copy", tmp_path / "last.mp4")
    data = (tmp_path / "last.mp4").read_bytes()
    assert 0 < data.index(b"mdat") < data.index(b"moov")
    assert "stdin-1.png" in tool(tmp_path, "thumbs", "--at", "1", "-", stdin=data).expect().text
    assert "0:00:10.000" in tool(tmp_path, "info", "-", stdin=data).expect().text


def test_info_does_not_wait_for_the_end_of_a_pipe(tmp_path: Path) -> None:
    run = run_with_open_input([AVTOOL, "info", "-"], tmp_path, fixture("movie.mp4").read_bytes()).expect()
    assert "0:00:10.000" in run.text


def test_a_file_that_is_redirected_is_read_as_a_file(tmp_path: Path) -> None:
    found = shell(tmp_path, f"\"$AVTOOL\" info --json - < '{fixture('movie.mp4')}'").expect().json[0]
    assert found["size"] == fixture("movie.mp4").stat().st_size
    assert found["source"] == "-"


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("sheet --columns 2 --rows 2", "stdin-sheet.png"),
        ("storyboard --every 2s", "stdin-storyboard"),
        ("export --preset passthrough", "stdin-passthrough."),
        ("verify --samples 5", None),
        ("metadata show", None),
    ],
)
def test_a_command_takes_standard_input_and_names_results_after_it(
    tmp_path: Path, command: str, made: str | None
) -> None:
    tool(tmp_path, *command.split(), "-", stdin=fixture("movie.mp4").read_bytes()).expect()
    found = names(tmp_path)
    assert len(found) == 1 and found[0].startswith(made) if made else found == []


@pytest.mark.parametrize("command", ["chapters show", "thumbs --at 1/2"])
def test_a_command_takes_a_pipe_by_the_name_that_a_shell_gives_it(tmp_path: Path, command: str) -> None:
    shell(tmp_path, f"\"$AVTOOL\" {command} <(cat '{fixture('movie.mp4')}')").expect()


def test_standard_input_is_given_once(tmp_path: Path) -> None:
    assert len(tool(tmp_path, "info", "-", "/dev/stdin").expect(64).diagnostic_lines) == 1


def test_empty_standard_input_is_reported_in_one_line(tmp_path: Path) -> None:
    assert len(tool(tmp_path, "info", "-", stdin=b"").expect(65).diagnostic_lines) == 1


def test_temporary_copies_of_a_pipe_are_removed(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    data = fixture("movie.mp4").read_bytes()
    words = ["verify", "--samples", "1", "-"]
    tool(tmp_path, *words, stdin=data, environment={"TMPDIR": "scratch"}).expect()
    assert names(tmp_path / "scratch") == []
    assert "none" in tool(tmp_path, *words, stdin=data, environment={"TMPDIR": "none"}).expect(74).diagnostics


# --- Names ------------------------------------------------------------------------------


@pytest.fixture
def latin_name(tmp_path: Path) -> str:
    """The name, without its ending, of a movie whose name is not UTF-8."""
    name = os.fsdecode(b"caf\xe9")
    copy_fixture("movie.mp4", tmp_path / f"{name}.mp4")
    return name


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("info", None),
        ("thumbs --at 0", "{}-1.png"),
        ("sheet --columns 2 --rows 2", "{}-sheet.png"),
        ("storyboard --every 5s", "{}-storyboard/storyboard.vtt"),
        ("chapters remove", None),
        ("verify --samples 3", None),
    ],
)
def test_a_name_that_is_not_utf_8_works(tmp_path: Path, latin_name: str, command: str, made: str | None) -> None:
    """Bytes that are not UTF-8 were replaced, and the file was not found."""
    tool(tmp_path, *command.split(), f"{latin_name}.mp4").expect()
    assert made is None or (tmp_path / made.format(latin_name)).is_file()


def test_a_name_that_is_not_utf_8_is_shown_with_escapes(tmp_path: Path, latin_name: str) -> None:
    assert r"caf\xE9.mp4" in tool(tmp_path, "info", f"{latin_name}.mp4").expect().lines
    assert tool(tmp_path, "info", "--json", f"{latin_name}.mp4").expect().json[0]["source"] == r"caf\xE9.mp4"


def test_a_name_that_is_not_utf_8_works_for_results(tmp_path: Path, latin_name: str) -> None:
    words = ["--preset", "passthrough", "-o", f"{latin_name}.mov", f"{latin_name}.mp4"]
    tool(tmp_path, "export", *words).expect()
    assert (tmp_path / f"{latin_name}.mov").is_file()
    tool(tmp_path, "storyboard", "--every", "5s", f"{latin_name}.mp4").expect()
    tool(tmp_path, "storyboard", "--force", "--every", "2s", f"{latin_name}.mp4").expect()


def test_a_link_to_a_name_that_is_not_utf_8_stays_a_link(tmp_path: Path, latin_name: str) -> None:
    (tmp_path / "link.mp4").symlink_to(f"{latin_name}.mp4")
    tool(tmp_path, "metadata", "set", "name=New", "link.mp4").expect()
    assert (tmp_path / "link.mp4").is_symlink()
    assert "New" in tool(tmp_path, "metadata", "show", f"{latin_name}.mp4").expect().text


@pytest.mark.parametrize("name", ["-h.mp4", "-film.mp4", "--version.mp4", "-o.mp4", "-film"])
def test_a_name_like_an_option_is_answered_with_how_to_write_it(tmp_path: Path, name: str) -> None:
    """Help was printed, with exit code 0, for "-h.mp4"."""
    copy_fixture("one-frame.mp4", tmp_path / name)
    run = tool(tmp_path, "info", name).expect(64)
    assert len(run.diagnostic_lines) == 1
    assert f"./{name}" in run.diagnostics and "--" in run.diagnostics
    tool(tmp_path, "info", "--", name).expect()
    tool(tmp_path, "info", "-h").expect()


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/x.mp4", "https://127.0.0.1:9/x.mp4", "rtsp://127.0.0.1:9/x"])
def test_an_address_is_answered_with_the_option_that_allows_it(tmp_path: Path, address: str) -> None:
    """ "no such file" was all that was said of an address."""
    run = tool(tmp_path, "info", address).expect(66)
    assert "--allow-network" in run.diagnostics and len(run.diagnostic_lines) == 1
    allowed = tool(tmp_path, "info", "--allow-network", address)
    assert allowed.code in (65, 66) and "--allow-network" not in allowed.diagnostics, allowed


# --- Files that cannot be read ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("%PDF-1.4 and so on", "PDF"),
        ("<!DOCTYPE html><html></html>", "web page"),
        ("<svg/>", "SVG"),
        ("plain text", "known format"),
    ],
    ids=["PDF", "HTML", "SVG", "text"],
)
def test_a_file_that_is_no_media_file_is_reported_as_what_it_is(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "film.mp4").write_text(text)
    run = tool(tmp_path, "info", "film.mp4").expect(65)
    assert word in run.diagnostics, run


UNREADABLE = {"animation/webp-animated.webp": "animated WebP", "odd/short-cenc.mp4": "encrypted"}


@pytest.mark.parametrize("file", corpus(*UNREADABLE))
def test_a_media_file_that_cannot_be_read_is_reported_with_the_reason(tmp_path: Path, file: Path) -> None:
    run = tool(tmp_path, "thumbs", "--at", "0", file).expect(65)
    assert UNREADABLE[f"{file.parent.name}/{file.name}"] in run.diagnostics, run
