"""Recordings and downloads stop anywhere: what is whole is kept, what is torn off is left out and named."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from acceptance.films import corpus, fixture
from acceptance.media import export
from acceptance.running import run
from acceptance.tool import ffprobe, names, tool

SOUND = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=10"]
FILM = ["-i", fixture("movie.mp4"), *SOUND, "-map", "0:v", "-map", "1:a", "-map_chapters", "-1"]
KINDS: dict[str, list[object]] = {
    "mp3": [*SOUND, "-c:a", "libmp3lame"],
    "aac": [*SOUND, "-c:a", "aac"],
    "ac3": [*SOUND, "-c:a", "ac3"],
    "flac": [*SOUND, "-c:a", "flac"],
    "ogg": [*SOUND, "-c:a", "libvorbis"],
    "opus": [*SOUND, "-c:a", "libopus"],
    "wav": [*SOUND],
    "ts": [*FILM, "-c:v", "libx264", "-c:a", "aac"],
    "mkv": [*FILM, "-c:v", "libx264", "-c:a", "aac"],
    "webm": [*FILM, "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"],
    "flv": [*FILM, "-c:v", "libx264", "-c:a", "aac"],
    "mpg": [*FILM, "-c:v", "mpeg2video", "-c:a", "mp2"],
    "avi": [*FILM, "-c:v", "mpeg4", "-c:a", "libmp3lame"],
    "mp4": [*FILM, "-c:v", "libx264", "-c:a", "aac", "-g", 10, "-movflags", "frag_keyframe+empty_moov"],
}


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A film or a song in each kind of file."""
    folder = tmp_path_factory.mktemp("whole")
    for kind, words in KINDS.items():
        run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words, folder / f"film.{kind}"]).check_returncode()
    return {kind: (folder / f"film.{kind}").read_bytes() for kind in KINDS}


def complaints(file: Path) -> bytes:
    return run(["ffmpeg", "-v", "error", "-nostdin", "-i", file, "-map", "0", "-f", "null", "-"]).stderr


def packets(file: Path, kind: str) -> int:
    return len([line for line in ffprobe(file, "packet=size", "-select_streams", kind) if line])


@pytest.mark.parametrize("share", [0.37, 0.61, 0.811])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_whole_is_kept(kind: str, share: float, whole: dict[str, bytes], tmp_path: Path) -> None:
    source = tmp_path / f"torn.{kind}"
    source.write_bytes(whole[kind][: int(len(whole[kind]) * share)])
    done = export(source, tmp_path / "kept.mkv", "--preset", "passthrough", "--audit", "none")
    assert done.code == 0, done.said
    told = [loss for loss in done.losses if loss["item"] == "the end of the source"]
    assert len(told) == 1, done.said
    assert "cut off" in told[0]["reason"] or "ends at" in told[0]["reason"]
    assert not complaints(tmp_path / "kept.mkv")
    for stream in ["v", "a"]:
        there, kept = packets(source, stream), packets(tmp_path / "kept.mkv", stream)
        assert there - 2 <= kept <= there, (stream, there, kept)


@pytest.mark.parametrize("kind", ["mp3", "aac", "flac", "ts", "mkv", "mpg", "wav"])
def test_strict_refuses_what_is_torn(kind: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / f"torn.{kind}").write_bytes(whole[kind][: int(len(whole[kind]) * 0.6)])
    for preset, output in [("passthrough", "kept.mkv"), ("m4a", "kept.m4a")]:
        words = ["--preset", preset, "-o", output, f"torn.{kind}"]
        refused = tool(tmp_path, "export", "--strict", *words).expect(65)
        assert "cut off" in refused.diagnostics or "ends at" in refused.diagnostics
        assert names(tmp_path) == [f"torn.{kind}"]


@pytest.mark.parametrize("kind", ["mp3", "aac", "flac", "ts", "mkv", "mpg"])
def test_whole_files_lose_nothing(kind: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / f"film.{kind}").write_bytes(whole[kind])
    done = export(tmp_path / f"film.{kind}", tmp_path / "copy.mkv", "--preset", "passthrough", "--strict")
    assert done.code == 0, done.said
    assert not [loss for loss in done.losses if loss["item"] == "the end of the source"]


def sound(kind: str, folder: Path) -> Path:
    """Three seconds of sound, whole."""
    format_words = {"rf64": ["-rf64", "always", "-f", "wav"], "w64": ["-f", "w64"]}.get(kind, [])
    tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=3"]
    run(["ffmpeg", "-v", "error", "-nostdin", "-y", *tone, *format_words, folder / f"tone.{kind}"]).check_returncode()
    return folder / f"tone.{kind}"


@pytest.mark.parametrize("kind", ["aiff", "w64", "caf", "au", "rf64"])
def test_missing_samples_are_told(kind: str, tmp_path: Path) -> None:
    data = sound(kind, tmp_path).read_bytes()
    (tmp_path / f"torn.{kind}").write_bytes(data[:-10_001])
    done = export(tmp_path / f"torn.{kind}", tmp_path / "kept.mkv", "--preset", "passthrough")
    assert [loss["item"] for loss in done.losses if loss["item"] == "the end of the source"], done.said
    tool(tmp_path, "export", "--strict", "--preset", "passthrough", "-o", "no.mkv", f"torn.{kind}").expect(65)
    tool(tmp_path, "export", "--strict", "--preset", "passthrough", "-o", "whole.mkv", f"tone.{kind}").expect()


@pytest.mark.parametrize("oddity", ["tag", "size", "pad", "zeros"])
def test_what_looks_torn_and_is_whole(oddity: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    if oddity == "tag":
        data, kind = sound("flac", tmp_path).read_bytes() + b"TAG" + bytes(125), "flac"
    elif oddity == "zeros":
        data, kind = whole["mpg"] + bytes(2), "mpg"
    else:
        data, kind = sound("wav", tmp_path).read_bytes(), "wav"
        length = len(data) if oddity == "size" else len(data) - 7
        data = data[:4] + struct.pack("<I", length) + data[8:]
    (tmp_path / f"film.{kind}").write_bytes(data)
    done = export(tmp_path / f"film.{kind}", tmp_path / "copy.mkv", "--preset", "passthrough", "--strict")
    assert done.code == 0, done.said
    assert not [loss for loss in done.losses if loss["item"] == "the end of the source"]


def test_each_torn_piece_of_a_join_is_named(whole: dict[str, bytes], tmp_path: Path) -> None:
    for kind in ["ts", "mkv"]:
        (tmp_path / f"torn.{kind}").write_bytes(whole[kind][: int(len(whole[kind]) * 0.61)])
    done = tool(tmp_path, "join", "--preset", "low", "-o", "both.mp4", "torn.ts", "torn.mkv").expect()
    assert "cut off" in done.diagnostics and "ended prematurely" in done.diagnostics
    # A movie lists what it has, and that is not there.
    tool(tmp_path, "join", "--preset", "low", "-o", "no.mp4", "torn.ts", fixture("truncated.mp4")).expect(65)
    assert "no.mp4" not in names(tmp_path)


def test_a_torn_end_is_told_of_what_is_made_in_pieces(whole: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "torn.ts").write_bytes(whole["ts"][: int(len(whole["ts"]) * 0.61)])
    words = ["export", "--preset", "low", "--segment-length", "2s", "--pieces", "pieces", "-o", "new.mp4", "torn.ts"]
    (tmp_path / "pieces").mkdir()
    for piece in ["0/2", "1/2"]:
        tool(tmp_path, *words, "--piece", piece).expect()
    done = tool(tmp_path, *words, "--piece", "all/2").expect()
    assert "the end of the source" in done.diagnostics


def test_an_avi_without_an_index_lasts_as_long_as_it_says(whole: dict[str, bytes], tmp_path: Path) -> None:
    data = whole["avi"][: whole["avi"].rindex(b"idx1")]
    (tmp_path / "film.avi").write_bytes(data[:4] + struct.pack("<I", len(data) - 8) + data[8:])
    [told] = tool(tmp_path, "info", "--json", "film.avi").expect().json
    assert 9.9 < told["duration"]["seconds"] < 10.2
    done = export(tmp_path / "film.avi", tmp_path / "part.mkv", "--preset", "passthrough", "--range", "4s..6s")
    assert done.code == 0, done.said


@pytest.mark.parametrize("kind", ["ts", "mkv", "flv", "mpg", "mp3", "flac"])
def test_what_is_torn_is_encoded_as_far_as_it_goes(kind: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    source = tmp_path / f"torn.{kind}"
    source.write_bytes(whole[kind][: int(len(whole[kind]) * 0.6)])
    done = export(source, tmp_path / "low.mp4", "--preset", "low")
    assert done.code == 0, done.said
    assert [loss for loss in done.losses if loss["item"] == "the end of the source"]
    assert not complaints(tmp_path / "low.mp4")


def test_damage_in_the_middle_is_refused(whole: dict[str, bytes], tmp_path: Path) -> None:
    data = bytearray(whole["mkv"])
    middle = len(data) // 2
    data[middle : middle + 4000] = bytes(4000)
    (tmp_path / "film.mkv").write_bytes(data)
    refused = tool(tmp_path, "export", "--preset", "low", "-o", "low.mp4", "film.mkv").expect(65)
    assert "damaged" in refused.diagnostics
    assert names(tmp_path) == ["film.mkv"]


@pytest.mark.parametrize("count", [3, 9, 13, 14, 17])
def test_a_program_stream_torn_within_the_header_of_a_pack(count: int, tmp_path: Path) -> None:
    """Stuffing bytes that a header counts may lie beyond the end."""
    words = ["-i", fixture("movie.mp4"), "-map", "0:v", "-c:v", "mpeg2video", "-f", "vob"]
    run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words, tmp_path / "whole.vob"]).check_returncode()
    data = (tmp_path / "whole.vob").read_bytes()
    place = data.rindex(b"\0\0\1\xba", 0, len(data) * 2 // 3)
    torn = bytearray(data[: place + count])
    if count > 13:
        torn[place + 13] |= 7
    (tmp_path / "torn.vob").write_bytes(torn)
    done = export(tmp_path / "torn.vob", tmp_path / "kept.mkv", "--preset", "passthrough")
    assert done.code == 0, done.said
    assert packets(tmp_path / "kept.mkv", "v") > 100


@pytest.mark.parametrize("share", [0.4, 0.7, 0.98, 1])
def test_an_animation_that_is_torn_is_told(share: float, tmp_path: Path) -> None:
    whole = tmp_path / "whole.gif"
    source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=3"]
    run(["ffmpeg", "-v", "error", "-nostdin", "-y", *source, whole]).check_returncode()
    data = whole.read_bytes()
    (tmp_path / "torn.gif").write_bytes(data[: int(len(data) * share)])
    # One that lacks its trailer alone has all its pictures.
    (tmp_path / "untrailed.gif").write_bytes(data[:-1])
    done = export(tmp_path / "torn.gif", tmp_path / "kept.mp4", "--preset", "low")
    assert done.code == 0, done.said
    told = [loss for loss in done.losses if loss["item"] == "the end of the source"]
    assert len(told) == (share < 1), done.said
    there = len(ffprobe(tmp_path / "torn.gif", "packet=size"))
    assert len(ffprobe(tmp_path / "kept.mp4", "packet=size")) == there
    strict = tool(tmp_path, "export", "--strict", "--preset", "low", "-o", "strict.mp4", "torn.gif")
    strict.expect(0 if share == 1 else 65)
    untrailed = export(tmp_path / "untrailed.gif", tmp_path / "all.mp4", "--preset", "low")
    assert not [loss for loss in untrailed.losses if loss["item"] == "the end of the source"]


@pytest.mark.parametrize("film", corpus("reports/cut_any.ts"))
def test_a_recording_cut_anywhere(film: Path, tmp_path: Path) -> None:
    done = export(film, tmp_path / "kept.mp4", "--preset", "passthrough")
    assert done.code == 0, done.said
    assert not complaints(tmp_path / "kept.mp4")
    assert packets(film, "v") - packets(tmp_path / "kept.mp4", "v") == 1


@pytest.mark.parametrize("film", corpus("reports/pipe2.wav", "reports/wav_zero.wav"))
def test_sound_from_a_pipe_is_all_there(film: Path, tmp_path: Path) -> None:
    """The size in its header was written before it was known."""
    done = export(film, tmp_path / "copy.wav", "--preset", "passthrough", "--strict")
    assert done.code == 0, done.said
    assert not done.losses
    hashes = [
        run(["ffmpeg", "-v", "error", "-i", file, "-f", "md5", "-"]).stdout for file in [film, tmp_path / "copy.wav"]
    ]
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("film", corpus("reports/avi_length.avi"))
def test_an_index_is_believed_rather_than_a_length_of_days(film: Path, tmp_path: Path) -> None:
    [told] = tool(tmp_path, "info", "--json", film).expect().json
    assert 6 <= told["duration"]["seconds"] <= 6.1
    done = export(film, tmp_path / "copy.mkv", "--preset", "passthrough", "--strict")
    assert done.code == 0, done.said
    assert packets(tmp_path / "copy.mkv", "v") == packets(film, "v")


@pytest.mark.parametrize("film", corpus("reports/apac.mov"))
@pytest.mark.parametrize(("preset", "output"), [("passthrough", "new.mkv"), ("low", "new.mp4"), ("high", "new.mp4")])
def test_a_track_that_nobody_decodes_is_left_out(film: Path, preset: str, output: str, tmp_path: Path) -> None:
    done = export(film, tmp_path / output, "--preset", preset)
    assert done.code == 0, done.said
    assert [loss["track"] for loss in done.losses if loss["kind"] == "track"] == [3]
    assert ffprobe(tmp_path / output, "stream=codec_type") == ["video", "audio"]
