"""What encoding anew does not keep is told, and what the codec can hold is kept.

Channels carry a tone each, so that it shows where each of them went.
"""

from __future__ import annotations

import struct
from fractions import Fraction
from pathlib import Path

import numpy
import pytest

from acceptance.films import fixture
from acceptance.media import Export, export
from acceptance.running import run
from acceptance.tool import ffprobe, tool

RATE = 48000
SPEAKERS = "FL FR FC LFE BL BR FLC FRC BC SL SR".split()
LAYOUTS = {
    "2.1": "FL FR LFE",
    "3.0": "FL FR FC",
    "4.0": "FL FR FC BC",
    "quad": "FL FR BL BR",
    "quad(side)": "FL FR SL SR",
    "3.1": "FL FR FC LFE",
    "5.0": "FL FR FC BL BR",
    "5.0(side)": "FL FR FC SL SR",
    "4.1": "FL FR FC LFE BC",
    "5.1": "FL FR FC LFE BL BR",
    "5.1(side)": "FL FR FC LFE SL SR",
    "6.0": "FL FR FC BC SL SR",
    "hexagonal": "FL FR FC BL BR BC",
    "6.1": "FL FR FC LFE BC SL SR",
    "6.1(back)": "FL FR FC LFE BL BR BC",
    "6.1(front)": "FL FR LFE FLC FRC SL SR",
    "7.0": "FL FR FC BL BR SL SR",
    "7.1": "FL FR FC LFE BL BR SL SR",
    "7.1(wide)": "FL FR FC LFE BL BR FLC FRC",
    "octagonal": "FL FR FC BL BR BC SL SR",
}
PRESETS = {"m4a": "m4a", "alac": "m4a", "opus": "opus", "flac": "flac", "wav": "wav", "copy-video-aac": "mp4"}


def ffmpeg(*words: object) -> None:
    run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words]).check_returncode()


def tone(speaker: str) -> int:
    return 60 if speaker == "LFE" else 300 + 170 * SPEAKERS.index(speaker)


def wave(path: Path, channels: list[str], *, mask: int | None = None) -> Path:
    """A WAV file with a tone in each channel; its header has the order of channels."""
    time = numpy.arange(RATE) / RATE
    sound = numpy.stack([numpy.sin(2 * numpy.pi * tone(name) * time) * 0.3 for name in channels], 1)
    data = (sound * 32767).astype("<i2").tobytes()
    count = len(channels)
    if mask is None:
        mask = sum(1 << SPEAKERS.index(name) for name in channels)
    form = struct.pack("<HHIIHHHHI", 0xFFFE, count, RATE, RATE * 2 * count, 2 * count, 16, 22, 16, mask)
    form += bytes.fromhex("0100000000001000800000aa00389b71")
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    return path


def heard(path: Path, speakers: list[str]) -> list[set[str]]:
    """Whose tones each channel of a file has."""
    count = int(ffprobe(path, "stream=channels")[0])
    raw = run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "f32le", "-"]).stdout
    sound = numpy.frombuffer(raw, "<f4").reshape(-1, count)[8000:40000]
    places = {name: round(tone(name) * len(sound) / RATE) for name in speakers}
    found = []
    for channel in sound.T:
        power = numpy.abs(numpy.fft.rfft(channel)) / len(sound)
        found.append({name for name, place in places.items() if power[place - 1 : place + 2].max() > 0.02})
    return found


def codecs(path: Path) -> list[str]:
    return [line.rstrip(",") for line in ffprobe(path, "stream=codec_name")]


def told(done: Export, trait: str) -> list[str]:
    return [loss["effect"] for loss in done.losses if loss.get("trait") == trait]


def unsided(names: list[str]) -> list[str]:
    """Players know one pair of surround speakers where there is one."""
    sides = {"SL": "BL", "SR": "BR"}
    return names if {"BL", "BR"} & set(names) else [sides.get(name, name) for name in names]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_channels_keep_their_places_or_are_named(layout: str, tmp_path: Path) -> None:
    channels = LAYOUTS[layout].split()
    source = wave(tmp_path / "source.wav", channels)
    for preset, kind in PRESETS.items():
        output = tmp_path / f"{preset}.{kind}"
        done = export(source, output, "--preset", preset)
        assert done.code == 0, done.said
        new = ffprobe(output, "stream=channel_layout")[0]
        places = unsided(LAYOUTS.get(new, "FC" if new == "mono" else "FL FR").split())
        sound = heard(output, channels)
        expected = [
            {old for old, place in zip(channels, unsided(channels), strict=True) if place == name} for name in places
        ]
        if told(done, "channels") == ["changed"]:
            # All are there, by other names.
            assert sound == [{name} for name in channels], preset
        elif not told(done, "channels"):
            assert sound == expected, preset
            assert sum(map(len, expected)) == len(channels)
        else:
            assert sound != expected or sum(map(len, expected)) < len(channels), preset
        if preset in ("alac", "flac", "wav"):
            assert "lost" not in told(done, "channels"), preset


@pytest.mark.parametrize(
    ("count", "preset", "kept"), [(3, "m4a", 3), (4, "opus", 4), (16, "wav", 16), (7, "wav", 7), (8, "alac", 8)]
)
def test_channels_of_unknown_meaning_are_all_kept(count: int, preset: str, kept: int, tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav", [SPEAKERS[n % 11] for n in range(count)], mask=0)
    output = tmp_path / f"new.{PRESETS[preset]}"
    done = export(source, output, "--preset", preset)
    assert done.code == 0, done.said
    assert int(ffprobe(output, "stream=channels")[0]) == kept
    assert heard(output, SPEAKERS) == [{SPEAKERS[n % 11]} for n in range(count)]
    assert not told(done, "channels")


def test_more_channels_than_a_codec_has_are_named(tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav", [SPEAKERS[n % 11] for n in range(12)], mask=0)
    for preset in ["flac", "wav"]:
        done = export(source, tmp_path / f"new.{preset}", "--preset", preset)
        assert done.code == 0, done.said
        assert told(done, "channels") == ["lost"]


def test_channels_of_unknown_meaning_join_others(tmp_path: Path) -> None:
    wave(tmp_path / "four.wav", SPEAKERS[:4], mask=0)
    wave(tmp_path / "two.wav", ["FL", "FR"])
    for first, second in [("four", "two"), ("two", "four")]:
        for kind in ["flac", "wav"]:
            words = ["--preset", kind, "-o", f"{first}-new.{kind}", f"{first}.wav", f"{second}.wav"]
            tool(tmp_path, "join", *words).expect()
            assert ffprobe(tmp_path / f"{first}-new.{kind}", "stream=duration_ts") == [str(2 * RATE)]


def test_channels_that_a_container_cannot_say_are_named(tmp_path: Path) -> None:
    source = wave(tmp_path / "source.wav", LAYOUTS["7.1"].split())
    done = export(source, tmp_path / "new.mka", "--preset", "passthrough")
    assert done.code == 0
    assert told(done, "channels") == ["lost"]
    stereo = wave(tmp_path / "stereo.wav", ["FL", "FR"])
    assert not export(stereo, tmp_path / "stereo.mka", "--preset", "passthrough").losses


@pytest.mark.parametrize(
    ("codec", "preset", "kept", "lost"),
    [
        ("pcm_f64le", "wav", "pcm_f64le", False),
        ("pcm_f32le", "wav", "pcm_f32le", False),
        ("pcm_s32le", "flac", "flac", True),
        ("pcm_f32le", "alac", "alac", True),
        ("pcm_s24le", "flac", "flac", False),
        ("pcm_f64le", "flac", "flac", True),
        ("pcm_f32le", "m4a", "aac", False),
    ],
)
def test_bits_of_samples_are_kept_or_named(codec: str, preset: str, kept: str, lost: bool, tmp_path: Path) -> None:
    ffmpeg("-f", "lavfi", "-i", "anoisesrc=d=0.5:seed=1", "-c:a", codec, tmp_path / "source.wav")
    output = tmp_path / f"new.{PRESETS[preset]}"
    done = export(tmp_path / "source.wav", output, "--preset", preset)
    assert done.code == 0, done.said
    assert ffprobe(output, "stream=codec_name") == [kept]
    assert told(done, "bitDepth") == (["lost"] if lost else [])


VIDEO = [
    ("yuv420p", "", "high", set()),
    ("yuv420p10le", "", "high", {"bitDepth"}),
    ("yuv420p10le", "", "hevc-high", set()),
    ("yuv444p", "", "high", {"chroma"}),
    ("yuv422p10le", "", "prores-422", set()),
    ("yuv422p10le", "", "dnxhr-hq", {"bitDepth"}),
    ("gbrp", "", "hevc-high", {"chroma"}),
    ("yuva420p", "", "low", {"alpha"}),
    ("yuva420p", "", "webm-vp9", set()),
    ("yuv420p", "-flags +ildct -top 1 -vf setfield=tff", "low", {"fieldOrder"}),
    ("yuv420p10le", "-color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc", "low", {"highDynamicRange"}),
    ("yuv420p10le", "-color_trc arib-std-b67 -color_primaries bt2020 -colorspace bt2020nc", "hevc-high", set()),
]


@pytest.mark.parametrize(("pixels", "words", "preset", "lost"), VIDEO)
def test_what_frames_do_not_keep_is_named(pixels: str, words: str, preset: str, lost: set[str], tmp_path: Path) -> None:
    coding = "-c:v ffv1" if not words.startswith("-flags") else "-c:v mpeg2video -b:v 4M"
    source = tmp_path / "source.mkv"
    ffmpeg(
        *"-f lavfi -i testsrc2=s=320x240:r=25:d=0.4".split(),
        *coding.split(),
        *words.split(),
        "-pix_fmt",
        pixels,
        source,
    )
    kind = {"prores-422": "mov", "dnxhr-hq": "mov", "webm-vp9": "webm"}.get(preset, "mp4")
    done = export(source, tmp_path / f"new.{kind}", "--preset", preset)
    assert done.code == 0, done.said
    assert {loss["trait"] for loss in done.losses} == lost
    changes = done.event("completed")["changes"]
    assert [change["sourceCodec"] for change in changes] == codecs(source)
    assert [change["codec"] for change in changes] == codecs(tmp_path / f"new.{kind}")


def test_text_tells_each_track_in_a_line(tmp_path: Path) -> None:
    done = tool(tmp_path, "export", "--preset", "low", "-o", "new.mp4", fixture("movie.mp4")).expect()
    lines = done.text.splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("  track 1 video: transcode, h264, ")
    assert lines[2].startswith("  track 2 audio: transcode, aac, ")
    assert not done.diagnostics
    ffmpeg(*"-f lavfi -i testsrc2=s=320x240:r=25:d=0.4 -c:v ffv1 -pix_fmt yuv444p10le".split(), tmp_path / "deep.mkv")
    lost = tool(tmp_path, "export", "--preset", "low", "-o", "deep.mp4", "deep.mkv").expect().diagnostics
    assert lost.count("\n") == 1
    assert "lost: 2 properties of track 1: bits of track 1" in lost


def test_light_that_only_the_first_picture_tells_is_kept(tmp_path: Path) -> None:
    light = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400"
    color = "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc"
    ffmpeg(
        *"-f lavfi -i testsrc2=s=320x240:r=25:d=0.4 -pix_fmt yuv420p10le -c:v libx265 -x265-params".split(),
        f"log-level=none:{color}:{light}",
        tmp_path / "film.mp4",
    )
    assert "HDR10" in tool(tmp_path, "info", "film.mp4").expect().text
    for preset, kind in [("prores-422", "mov"), ("prores-422", "mkv"), ("passthrough", "mkv")]:
        output = tmp_path / f"{preset}.{kind}"
        assert not export(tmp_path / "film.mp4", output, "--preset", preset).losses
        found = run(["ffprobe", "-v", "error", "-show_streams", output]).stdout.decode()
        assert "max_content=1000" in found and "max_average=400" in found
        peak = next(line for line in found.splitlines() if line.startswith("max_luminance="))
        assert Fraction(peak.removeprefix("max_luminance=")) == 1000


def test_programs_of_a_broadcast_are_named(tmp_path: Path) -> None:
    words = "-f lavfi -i testsrc2=s=160x120:r=25:d=1 -f lavfi -i sine=d=1 -f lavfi -i testsrc=s=160x120:r=25:d=1"
    coding = "-map 0 -map 1 -map 2 -c:v mpeg2video -c:a mp2 -program title=A:st=0:st=1 -program title=B:st=2"
    ffmpeg(*words.split(), *coding.split(), tmp_path / "two.ts")
    done = export(tmp_path / "two.ts", tmp_path / "new.mkv", "--preset", "passthrough")
    assert [loss["item"] for loss in done.losses] == ["the division into 2 programs"]
    one = export(tmp_path / "two.ts", tmp_path / "one.mkv", "--preset", "passthrough", "--tracks", "256,257")
    assert one.code == 0 and not one.losses


@pytest.mark.parametrize(
    ("words", "kind", "into"),
    [
        ("-f lavfi -i sine=d=1 -ac 6 -c:a libopus -mapping_family 1", "opus", "caf"),
        ("-f lavfi -i sine=d=1 -ac 6 -c:a aac", "m4a", "wav"),
    ],
)
def test_what_a_container_cannot_hold_is_not_called_damaged(words: str, kind: str, into: str, tmp_path: Path) -> None:
    source = tmp_path / f"source.{kind}"
    ffmpeg(*words.split(), source)
    done = export(source, tmp_path / f"new.{into}", "--preset", "passthrough")
    assert done.code == 65
    assert f"{into} files cannot hold" in done.said
    assert "damaged" not in done.said


def test_fields_of_chroma_are_turned(tmp_path: Path) -> None:
    """What 4:2:2 becomes when it is turned is what the encoder takes."""
    ffmpeg("-i", fixture("rotate-90.mp4"), "-t", "0.2", "-c", "copy", tmp_path / "turned.mp4")
    done = export(tmp_path / "turned.mp4", tmp_path / "new.mkv", "--preset", "prores-422")
    assert done.code == 0, done.said
    assert ffprobe(tmp_path / "new.mkv", "stream=pix_fmt", "-select_streams", "v") == ["yuv422p10le"]


@pytest.mark.parametrize("preset", ["low", "hevc-high", "webm-vp9", "prores-422"])
@pytest.mark.parametrize("full", [True, False])
def test_full_range_that_becomes_video_range_is_told(full: bool, preset: str, tmp_path: Path) -> None:
    source = tmp_path / "source.mp4"
    chain = f"testsrc=d=0.4:s=64x48,scale=out_range={'full' if full else 'limited'},format=yuv420p"
    ffmpeg("-f", "lavfi", "-i", chain, "-c:v", "libx264", "-color_range", "pc" if full else "tv", source)
    suffix = {"webm-vp9": "webm", "prores-422": "mov"}.get(preset, "mp4")
    done = export(source, tmp_path / f"made.{suffix}", "--preset", preset)
    assert done.code == 0, done.said
    told = [loss for loss in done.losses if loss.get("trait") == "color"]
    assert [loss["effect"] for loss in told] == (["changed"] if full else [])
    assert ffprobe(tmp_path / f"made.{suffix}", "stream=color_range") in (["tv"], ["unknown"])


def test_a_track_whose_decoder_is_off_is_left_out_with_that_reason(tmp_path: Path) -> None:
    source = tmp_path / "source.ts"
    words = ["-f", "lavfi", "-i", "testsrc=d=1:s=64x48", "-f", "lavfi", "-i", "sine=d=1:r=48000", "-ac", "2"]
    ffmpeg(*words, "-c:v", "libx264", "-c:a", "s302m", "-strict", "-2", source)
    done = export(source, tmp_path / "made.mp4", "--preset", "passthrough")
    assert done.code == 0, done.said
    assert any("s302m is off by default" in loss["reason"] for loss in done.losses), done.losses
