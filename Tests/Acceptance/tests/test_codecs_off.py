"""Codecs that are off by default: named with the option that turns them on, and moved to other containers."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.running import ffmpeg
from acceptance.tool import media_hash, names, picture_size, tool

# What ffmpeg can write of what docs/codecs.md lists: the file, the encoder's options, the decoder.
VIDEO = {
    "flv": ("old.flv", "-c:v flv"),
    "svq1": ("old.mov", "-c:v svq1"),
    "cinepak": ("old.mov", "-c:v cinepak"),
    "msmpeg4v2": ("old.avi", "-c:v msmpeg4v2"),
    "wmv1": ("old.wmv", "-c:v wmv1"),
    "huffyuv": ("old.avi", "-c:v huffyuv"),
    "utvideo": ("old.mkv", "-c:v utvideo"),
    "jpeg2000": ("old.mov", "-c:v jpeg2000"),
    "hap": ("old.mov", "-c:v hap"),
}
AUDIO = {
    "nellymoser": ("old.flv", "-c:a nellymoser -ar 44100 -ac 1"),
    "adpcm_ima_qt": ("old.mov", "-c:a adpcm_ima_qt"),
    "speex": ("old.ogg", "-c:a libspeex -ar 16000 -ac 1"),
}


VIDEO_COMMANDS = [
    ["thumbs", "--at", "0.5s", "-o", "a.png"],
    ["sheet", "-o", "a.png"],
    ["storyboard", "--every", "0.5s", "-o", "a"],
    ["frames", "-o", "a.y4m"],
    ["scenes"],
    ["export", "--preset", "low", "-o", "a.mp4"],
]


def made(path: Path, words: str, source: str) -> Path:
    ffmpeg("-f", "lavfi", "-i", source, "-t", "1", *words.split(), path)
    return path


@pytest.mark.parametrize("decoder", VIDEO)
def test_a_video_decoder_that_is_off_is_named_and_can_be_turned_on(decoder: str, tmp_path: Path) -> None:
    name, words = VIDEO[decoder]
    video = made(tmp_path / name, words, "testsrc=s=352x288:r=10")
    for command in VIDEO_COMMANDS:
        run = tool(tmp_path, *command, video).expect(65)
        assert f"--allow-format {decoder} " in run.diagnostics, run
    assert names(tmp_path) == [name]
    tool(tmp_path, "thumbs", "--at", "0.5s", "--allow-format", decoder, "-o", "a.png", video).expect()
    assert picture_size(tmp_path / "a.png") == "png,352,288"
    tool(tmp_path, "export", "--preset", "low", "--allow-format", decoder, "-o", "a.mp4", video).expect()
    tool(tmp_path, "info", video).expect()


@pytest.mark.parametrize("decoder", AUDIO)
def test_an_audio_decoder_that_is_off_is_named_and_can_be_turned_on(decoder: str, tmp_path: Path) -> None:
    name, words = AUDIO[decoder]
    video = made(tmp_path / name, words, "sine")
    for command in (["waveform", "-o", "a.png"], ["export", "--preset", "m4a", "-o", "a.m4a"]):
        run = tool(tmp_path, *command, video).expect(65)
        assert f"--allow-format {decoder} " in run.diagnostics, run
        tool(tmp_path, *command, "--allow-format", decoder, video).expect()


def test_a_copy_of_what_is_off_has_the_same_packets(tmp_path: Path) -> None:
    video = made(tmp_path / "old.mov", "-c:v svq1", "testsrc=s=160x120:r=10")
    tool(tmp_path, "export", "--preset", "passthrough", "-o", "new.mkv", video).expect()
    assert media_hash(tmp_path / "new.mkv") == media_hash(video)


def test_a_format_that_is_off_is_named_and_can_be_turned_on(tmp_path: Path) -> None:
    video = made(tmp_path / "old.rm", "-c:v rv20", "testsrc=s=176x144:r=10")
    run = tool(tmp_path, "info", video).expect(65)
    assert "--allow-format rm " in run.diagnostics, run
    allowed = ["--allow-format", "rm", "--allow-format", "rv20"]
    tool(tmp_path, "thumbs", "--at", "0.5s", *allowed, "-o", "a.png", video).expect()
