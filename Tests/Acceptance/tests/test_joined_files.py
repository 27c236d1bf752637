"""Files that were put behind each other as they are: recordings in transport streams, links of Ogg, MP3.

Each is one film or one sound: all frames and samples, in order, on one timeline, in every command. What there has to be
is known from the pieces: frames carry their numbers, and sounds have pitches and lengths of their own.
"""

from __future__ import annotations

import array
import json
import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.media import export, pictures
from acceptance.running import run
from acceptance.tool import ffprobe, frame_number, tool

RATE = 25
X264 = "-c:v libx264 -x264-params keyint=25:min-keyint=25:scenecut=0:bframes=3"
CODECS = {
    "h264": X264,
    "hevc": "-c:v libx265 -x265-params log-level=error:keyint=25:bframes=3",
    "mpeg2": "-c:v mpeg2video -q:v 3 -g 12 -bf 2",
}


def ffmpeg(*words: object) -> None:
    run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words]).check_returncode()


def joined(output: Path, pieces: Sequence[Path]) -> Path:
    output.write_bytes(b"".join(piece.read_bytes() for piece in pieces))
    return output


def recording(output: Path, frames: range, codec: str, sound: str, *muxing: object) -> Path:
    """Some frames of the numbered film with a tone, from the beginning of a timeline of its own."""
    length = f"{len(frames) / RATE:.2f}"
    picked = f"select=between(n\\,{frames.start}\\,{frames.stop - 1}),setpts=PTS-STARTPTS"
    tone = ["-f", "lavfi", "-i", f"sine=frequency=440:sample_rate=48000:duration={length}"]
    coded = ["-map", "0:v", "-map", "1:a", "-vf", picked, *CODECS[codec].split(), "-pix_fmt", "yuv420p"]
    ffmpeg("-i", fixture("movie.mp4"), *tone, *coded, "-c:a", sound, *muxing, "-f", "mpegts", output)
    return output


MUXINGS: dict[str, list[list[object]]] = {
    "each from zero": [[], [], []],
    "far ahead and back": [[], ["-output_ts_offset", 40000], []],
    "over the end of the clock": [["-output_ts_offset", 95441], ["-output_ts_offset", 60], []],
    "packets of 192 bytes": [["-mpegts_m2ts_mode", 1]] * 3,
}


@pytest.mark.parametrize("muxing", list(MUXINGS))
@pytest.mark.parametrize(("codec", "sound"), [("h264", "aac"), ("hevc", "ac3"), ("mpeg2", "mp2")])
def test_recordings_behind_each_other_are_one_film(codec: str, sound: str, muxing: str, tmp_path: Path) -> None:
    parts = [range(0, 90), range(90, 160), range(160, 250)]
    file = joined(
        tmp_path / "film.ts",
        [
            recording(tmp_path / f"{part.start}.ts", part, codec, sound, *words)
            for part, words in zip(parts, MUXINGS[muxing])
        ],
    )
    shown = json.loads(tool(tmp_path, "info", "--json", "film.ts").expect().text)
    assert abs(shown["duration"]["value"] / shown["duration"]["timescale"] - 10) < 0.25

    # All frames in order in a new file, each but the last ones of recordings shown for its time.
    done = export(file, tmp_path / "film.mkv", "--preset", "passthrough")
    assert done.code == 0 and "recordings were joined" in done.said, done.said
    found = pictures(tmp_path / "film.mkv")
    assert [frame.number for frame in found] == [*range(250)]
    steps = [round((b.time - a.time) * RATE, 1) for a, b in zip(found, found[1:])]
    seams = [part.stop - 1 for part in parts[:-1]]
    assert all(float(step) == 1 or (number in seams and step < 3) for number, step in enumerate(steps)), steps

    # Stills of each part, by number and by time, and what `verify` says.
    for number in [0, 89, 90, 91, 130, 159, 160, 249]:
        tool(tmp_path, "thumbs", "--at", f"#{number}", "-o", "still.png", "--force", "film.ts").expect()
        assert frame_number(tmp_path / "still.png") == number
        at = found[number].time - found[0].time + Fraction(1, 100)
        zero = Fraction(shown["tracks"][0]["timeRange"]["start"]["value"], 90000)
        tool(tmp_path, "thumbs", "--at", f"{float(at + zero):.4f}s", "-o", "t.png", "--force", "film.ts").expect()
        assert frame_number(tmp_path / "t.png") == number
    tool(tmp_path, "verify", "film.ts").expect()

    # A range over a join, coded anew.
    done = export(file, tmp_path / "range.mp4", "--preset", "low", "--range", "#80..#170")
    assert done.code == 0, done.said
    assert [frame.number for frame in pictures(tmp_path / "range.mp4")] == [*range(80, 170)]


def test_packets_that_are_missing_are_no_join(tmp_path: Path) -> None:
    whole = recording(tmp_path / "whole.ts", range(0, 100), "h264", "aac")
    data = whole.read_bytes()
    (tmp_path / "film.ts").write_bytes(data[: 188 * 400] + data[188 * 407 :])
    done = tool(tmp_path, "export", "--preset", "passthrough", "-o", "film.mp4", "film.ts").expect(65)
    assert "a packet is incomplete" in done.diagnostics and not (tmp_path / "film.mp4").exists()


def test_sound_that_begins_late_and_sound_that_never_does(tmp_path: Path) -> None:
    tone = ["-itsoffset", 9, "-f", "lavfi", "-i", "sine=duration=1"]
    coded = ["-map", "0:v", "-map", "1:a", *X264.split(), "-c:a", "mp2"]
    ffmpeg("-i", fixture("movie.mp4"), *tone, *coded, tmp_path / "late.ts")
    shown = json.loads(tool(tmp_path, "info", "--json", "late.ts").expect().text)
    assert [track["sampleRate"] for track in shown["tracks"] if track["mediaType"] == "audio"] == [44100]
    # The same without a packet of it, whose stream the tables still name.
    data = (tmp_path / "late.ts").read_bytes()
    packets = [data[at : at + 188] for at in range(0, len(data), 188)]
    (tmp_path / "never.ts").write_bytes(b"".join(one for one in packets if one[1] & 0x1F != 1 or one[2] != 1))
    for preset in ["passthrough", "low"]:
        done = tool(tmp_path, "export", "--preset", preset, "-o", f"{preset}.mp4", "never.ts").expect()
        assert "nothing of it was found" in done.diagnostics
        assert len(pictures(tmp_path / f"{preset}.mp4")) == 250
        assert ffprobe(tmp_path / f"{preset}.mp4", "stream=codec_type") == ["video"]


# --- sound ------------------------------------------------------------------------------

TONES = [(440, 60000), (880, 62400), (660, 57600)]  # pitch, samples at 48 kHz


def tone(output: Path, pitch: int, samples: int, *coding: object) -> Path:
    ffmpeg(
        "-f",
        "lavfi",
        "-i",
        f"sine=frequency={pitch}:sample_rate=48000",
        "-af",
        f"atrim=end_sample={samples}",
        *coding,
        output,
    )
    return output


def samples_of(file: Path) -> array.array[int]:
    words = ["-f", "s16le", "-ac", 1, "-ar", 48000, "-"]
    return array.array("h", run(["ffmpeg", "-v", "error", "-i", file, *words]).stdout)


def pitch(samples: Sequence[int]) -> float:
    crossings = sum(1 for a, b in zip(samples, samples[1:]) if a < 0 <= b)
    return crossings * 48000 / len(samples)


@pytest.mark.parametrize("codec", ["libopus", "libvorbis", "flac"])
def test_links_of_a_chain_are_one_sound(codec: str, tmp_path: Path) -> None:
    pieces = [tone(tmp_path / f"{hertz}.ogg", hertz, count, "-c:a", codec) for hertz, count in TONES]
    joined(tmp_path / "chain.ogg", pieces)
    total = sum(count for _, count in TONES)
    shown = json.loads(tool(tmp_path, "info", "--json", "chain.ogg").expect().text)
    assert math.isclose(shown["duration"]["value"] / shown["duration"]["timescale"], total / 48000, abs_tol=1e-4)
    tool(tmp_path, "export", "--preset", "wav", "-o", "all.wav", "chain.ogg").expect()
    found = samples_of(tmp_path / "all.wav")
    assert len(found) == total
    begin = 0
    for hertz, count in TONES:
        assert abs(pitch(found[begin + 2400 : begin + count - 2400]) - hertz) < 12
        begin += count
    # Ranges that lie in one link and in two, and a file of another kind.
    for start, end in [(62_000, 80_000), (100_000, 130_000), (130_000, 160_000)]:
        words = ["--range", f"{start}/48000s..{end}/48000s"]
        tool(tmp_path, "export", "--preset", "wav", *words, "--force", "-o", "range.wav", "chain.ogg").expect()
        piece = samples_of(tmp_path / "range.wav")
        assert len(piece) == end - start
        difference = sum(abs(a - b) for a, b in zip(piece, found[start:end])) / len(piece)
        assert difference < 200, (start, end, difference)
    tool(tmp_path, "export", "--preset", "opus", "-o", "all.opus", "chain.ogg").expect()
    assert len(samples_of(tmp_path / "all.opus")) == total


def test_vorbis_that_goes_on_with_other_settings_is_not_copied(tmp_path: Path) -> None:
    one = tone(tmp_path / "one.ogg", 440, 48000, "-c:a", "libvorbis")
    same = tone(tmp_path / "same.ogg", 880, 48000, "-c:a", "libvorbis")
    other = tone(tmp_path / "other.ogg", 880, 48000, "-c:a", "libvorbis", "-ac", 2, "-q:a", 8)
    joined(tmp_path / "chain.ogg", [one, same])
    done = tool(tmp_path, "export", "--preset", "passthrough", "-o", "copy.ogg", "chain.ogg").expect()
    assert "where links meet" in done.diagnostics
    copied = samples_of(tmp_path / "copy.ogg")
    assert abs(len(copied) - 96000) < 2048
    assert abs(pitch(copied[4800:43200]) - 440) < 12 and abs(pitch(copied[52800:91200]) - 880) < 12
    joined(tmp_path / "chain.ogg", [one, other])
    done = tool(tmp_path, "export", "--preset", "passthrough", "-o", "other-copy.ogg", "chain.ogg")
    assert done.code != 0 and "goes on with other settings" in done.diagnostics
    assert not (tmp_path / "other-copy.ogg").exists()


@pytest.mark.parametrize("tag", ["none", "id3v1", "cover"])
def test_mp3_behind_mp3_is_one_sound(tag: str, tmp_path: Path) -> None:
    frames = []
    for name, hertz in [("a", 440), ("b", 880), ("c", 660)]:
        words: list[object] = ["-c:a", "libmp3lame", "-metadata", f"title={name}"]
        if tag == "id3v1":
            words += ["-write_id3v1", 1]
        file = tone(tmp_path / f"{name}.mp3", hertz, 96000, *words)
        if tag == "cover":
            # A tag of many packets' length.
            ffmpeg("-f", "lavfi", "-i", "testsrc2=size=640x480", "-frames:v", 1, tmp_path / "cover.png")
            cover = ["-i", tmp_path / "cover.png", "-map", 0, "-map", 1, "-c", "copy", "-disposition:v", "attached_pic"]
            ffmpeg("-i", file, *cover, tmp_path / f"{name}-cover.mp3")
            file = (tmp_path / f"{name}-cover.mp3").replace(file)
        frames.append(len(ffprobe(file, "packet=pts", "-select_streams", "a")))
    joined(tmp_path / "all.mp3", [tmp_path / f"{name}.mp3" for name in "abc"])
    tool(tmp_path, "export", "--preset", "wav", "-o", "all.wav", "all.mp3").expect()
    found = samples_of(tmp_path / "all.wav")
    # The encoder's delay is known of the first only; players hear that of the others.
    assert 0 <= sum(frames) * 1152 - len(found) <= 1152 * 2
    tool(tmp_path, "export", "--preset", "passthrough", "-o", "copy.mp3", "all.mp3").expect()
    assert len(ffprobe(tmp_path / "copy.mp3", "packet=pts", "-select_streams", "a")) == sum(frames)
    assert abs(pitch(found[4800:91200]) - 440) < 12
    assert abs(pitch(found[-88000:-9600]) - 660) < 12
