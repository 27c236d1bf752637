"""Sound to the sample, whatever codec and container: as many samples as there were, the first where the first was.

The sound is noise, which is like itself at one place only. What a file has to give is what was encoded, but for what no
file can say; what a range has to give is that part of the whole.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import pytest

from acceptance.films import corpus
from acceptance.media import Export, export, range_of
from acceptance.running import run
from acceptance.tool import ffprobe, tool

COUNT = 132300


@dataclass(frozen=True)
class Coding:
    codec: str
    kind: str
    rate: int = 44100
    # How much the encoder adds at the beginning where the container has no place to say so.
    late: int = 0
    # What it adds at the end.
    longer: int = 0

    def __str__(self) -> str:
        return f"{self.codec}.{self.kind}"


CODINGS = [
    Coding("aac", "mp4"),
    Coding("aac", "mov"),
    Coding("aac", "mkv", late=1024, longer=820),
    Coding("aac", "ts", late=1024, longer=820),
    Coding("aac", "flv", late=1024, longer=820),
    Coding("libmp3lame", "mp3"),
    Coding("libmp3lame", "mp4"),
    Coding("libmp3lame", "mkv", late=1105),
    Coding("libopus", "opus", 48000),
    Coding("libopus", "webm", 48000),
    Coding("libopus", "mkv", 48000),
    Coding("libopus", "mp4", 48000),
    Coding("libvorbis", "ogg"),
    # FFmpeg's muxer does not say how much of the last packet is meant.
    Coding("libvorbis", "webm", longer=52),
    Coding("flac", "flac"),
    Coding("flac", "mkv"),
    Coding("flac", "mp4"),
    Coding("flac", "ogg"),
    Coding("alac", "m4a"),
    Coding("alac", "mkv"),
    Coding("pcm_s16le", "wav"),
    Coding("pcm_s16le", "mkv"),
    Coding("pcm_s16le", "avi"),
    Coding("ac3", "mp4", 48000, longer=1076),
    Coding("ac3", "mkv", 48000, late=256, longer=1076),
]
Samples = Any  # an array of numbers


def ffmpeg(*words: object) -> None:
    run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words]).check_returncode()


@pytest.fixture(scope="session")
def noise(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    folder = tmp_path_factory.mktemp("noise")
    found = {}
    for rate in [44100, 48000]:
        found[rate] = folder / f"{rate}.wav"
        source = f"anoisesrc=d=4:c=pink:r={rate}:seed=3:a=0.5"
        ffmpeg("-f", "lavfi", "-i", source, "-af", f"atrim=end_sample={COUNT}", "-ac", 1, found[rate])
    return found


def encoded(coding: Coding, noise: dict[int, Path], folder: Path) -> Path:
    output = folder / f"sound.{coding.kind}"
    ffmpeg("-i", noise[coding.rate], "-c:a", coding.codec, "-strict", "-2", output)
    return output


def samples(file: Path) -> Samples:
    """The samples of a WAV file."""
    done = run(["ffmpeg", "-v", "error", "-i", file, "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-"])
    return numpy.frombuffer(done.stdout, dtype=numpy.int16).astype(float)


def decoded(file: Path, *words: object) -> Samples:
    tool(file.parent, "export", "--preset", "wav", "--force", "-o", "decoded.wav", *words, file.name).expect()
    return samples(file.parent / "decoded.wav")


def place(piece: Samples, whole: Samples) -> int:
    """Where in a sound a piece of it begins."""
    size = 1 << (len(whole) + len(piece)).bit_length()
    alike = numpy.fft.irfft(numpy.fft.rfft(whole, size) * numpy.conj(numpy.fft.rfft(piece, size)), size)
    return int(numpy.argmax(alike[: len(whole)]))


@pytest.mark.parametrize("coding", CODINGS, ids=str)
def test_all_samples_are_there_and_ranges_are_parts_of_them(
    coding: Coding, noise: dict[int, Path], tmp_path: Path
) -> None:
    file = encoded(coding, noise, tmp_path)
    whole = decoded(file)
    middle = len(whole) // 2
    assert middle - place(whole[middle : middle + 20000], samples(noise[coding.rate])) == coding.late
    assert len(whole) == COUNT + coding.late + coding.longer

    chance = random.Random(str(coding))
    wrong = []
    for _ in range(5):
        start = chance.randrange(2000, 80000)
        end = start + chance.randrange(9000, 30000)
        part = decoded(file, "--range", f"{start}/{coding.rate}s..{end}/{coding.rate}s")
        found = place(part[2000:-500], whole) - 2000
        if (len(part), found) != (end - start, start):
            wrong.append(f"{start}..{end}: {len(part) - end + start:+} samples, {found - start:+} late")
    first, second = (70000, 82000), (20000, 34000)
    words = [word for a, b in [first, second] for word in ("--range", f"{a}/{coding.rate}s..{b}/{coding.rate}s")]
    joined = decoded(file, *words)
    places = (place(joined[2000:11000], whole) - 2000, place(joined[14000:25500], whole) - 2000)
    if (len(joined), *places) != (26000, first[0], second[0]):
        wrong.append(f"{words}: {len(joined)} samples of {places}")
    assert not wrong, "\n".join(wrong)


COPIES = [
    ("libopus.webm", ["mkv", "mp4", "opus"]),
    ("libopus.opus", ["webm", "mp4"]),
    ("libopus.mp4", ["mkv", "opus", "m4a"]),
    ("libmp3lame.mp3", ["mp4", "mov"]),
    ("libmp3lame.mp4", ["mp3", "mov"]),
    ("libvorbis.ogg", ["mkv", "webm"]),
    ("aac.mp4", ["mov", "m4a"]),
    ("aac.mkv", ["mp4", "mkv"]),
    ("flac.mkv", ["mp4", "ogg", "flac"]),
]


@pytest.mark.parametrize(("name", "into"), [(name, into) for name, kinds in COPIES for into in kinds])
def test_copies_have_the_same_samples(name: str, into: str, noise: dict[int, Path], tmp_path: Path) -> None:
    coding = next(one for one in CODINGS if str(one) == name)
    file = encoded(coding, noise, tmp_path)
    tool(tmp_path, "export", "--preset", "passthrough", "-o", f"copy.{into}", file.name).expect()
    source, copy = decoded(file), decoded(tmp_path / f"copy.{into}")
    assert len(copy) == len(source)
    assert place(copy[40000:60000], source) == 40000


SHIFTS = [("libmp3lame.mp3", "mka", 1105), ("libmp3lame.mp4", "mkv", 1105), ("aac.mp4", "mkv", 1024)]


@pytest.mark.parametrize(("name", "into", "shift"), SHIFTS)
def test_what_is_heard_before_the_beginning_is_told(
    name: str, into: str, shift: int, noise: dict[int, Path], tmp_path: Path
) -> None:
    """Matroska has no place for how much decoders of MP3 and AAC leave out."""
    coding = next(one for one in CODINGS if str(one) == name)
    file = encoded(coding, noise, tmp_path)
    done = export(file, tmp_path / f"copy.{into}", "--preset", "passthrough")
    told = [loss["reason"] for loss in done.losses if loss["trait"] == "times"]
    assert len(told) == 1
    assert f"{shift} more samples are heard" in told[0]
    assert place(decoded(tmp_path / f"copy.{into}")[40000:60000], decoded(file)) == 40000 - shift


@pytest.mark.parametrize(("name", "into"), [(name, into) for name, kinds in COPIES for into in kinds])
def test_where_nothing_is_shifted_nothing_is_told(name: str, into: str, noise: dict[int, Path], tmp_path: Path) -> None:
    coding = next(one for one in CODINGS if str(one) == name)
    done = export(encoded(coding, noise, tmp_path), tmp_path / f"copy.{into}", "--preset", "passthrough")
    assert not [loss for loss in done.losses if loss["trait"] == "times"]


@pytest.mark.parametrize("film", corpus("reports/vorbis_endtrim1200.ogg"))
def test_an_end_before_the_last_packet_makes_nothing_long(film: Path, tmp_path: Path) -> None:
    for into in ["mka", "ogg", "mp4"]:
        tool(tmp_path, "export", "--preset", "passthrough", "-o", f"copy.{into}", film).expect()
        assert 2.9 < float(ffprobe(tmp_path / f"copy.{into}", "format=duration")[0]) < 3.02


def actual(done: Export) -> tuple[float, float]:
    found = range_of(done.event("completed"), "actualRange")
    assert found is not None
    return float(found[0]), float(found[1])


CUT_ANYWHERE = [
    *[("pcm_s16le", kind, into) for kind, into in [("wav", "wav"), ("wav", "mkv"), ("mkv", "mkv"), ("mkv", "mov")]],
    *[("pcm_s16le", kind, into) for kind, into in [("avi", "avi"), ("mov", "mka"), ("caf", "caf"), ("w64", "mka")]],
    *[("pcm_s24be", kind, into) for kind, into in [("aiff", "aiff"), ("mov", "mkv"), ("au", "mka")]],
    *[("pcm_mulaw", kind, into) for kind, into in [("wav", "wav"), ("mkv", "mka"), ("caf", "caf")]],
    *[("flac", kind, into) for kind, into in [("flac", "flac"), ("flac", "mkv"), ("mkv", "mka"), ("ogg", "ogg")]],
]


@pytest.mark.parametrize(("codec", "kind", "into"), CUT_ANYWHERE)
def test_coded_samples_are_cut_anywhere(
    codec: str, kind: str, into: str, noise: dict[int, Path], tmp_path: Path
) -> None:
    file = encoded(Coding(codec, kind), noise, tmp_path)
    whole = samples(file)
    chance = random.Random(f"{codec} {kind} {into}")
    for _ in range(4):
        start = chance.randrange(2000, 80000)
        end = start + chance.randrange(9000, 30000)
        words = ["--preset", "passthrough", "--exact", "--force", "--range", f"{start}/44100s..{end}/44100s"]
        done = export(file, tmp_path / f"part.{into}", *words)
        assert done.code == 0, done.said
        assert not done.losses
        # Not more than what Matroska's times are rounded by.
        assert actual(done)[0] == pytest.approx(start / 44100, abs=1e-6)
        assert actual(done)[1] == pytest.approx(end / 44100, abs=1e-3)
        part = samples(tmp_path / f"part.{into}")
        assert (len(part), place(part[500:-500], whole) - 500) == (end - start, start)


@pytest.mark.parametrize(("kind", "into"), [("wav", "wav"), ("mkv", "mkv"), ("wav", "mka"), ("mov", "mkv")])
def test_joined_samples_are_cut_anywhere(kind: str, into: str, noise: dict[int, Path], tmp_path: Path) -> None:
    file = encoded(Coding("pcm_s16le", kind), noise, tmp_path)
    whole = samples(file)
    ranges = [(70001, 82002), (20003, 34004)]
    words = [word for start, end in ranges for word in ("--range", f"{start}/44100s..{end}/44100s")]
    done = export(file, tmp_path / f"joined.{into}", "--preset", "passthrough", *words)
    assert done.code == 0, done.said
    assert numpy.array_equal(
        samples(tmp_path / f"joined.{into}"), numpy.concatenate([whole[start:end] for start, end in ranges])
    )


@pytest.mark.parametrize(
    ("codec", "kind", "into"), [("libmp3lame", "mp3", "mp3"), ("alac", "m4a", "mka"), ("ac3", "mkv", "mkv")]
)
def test_the_actual_range_is_that_of_the_packets(
    codec: str, kind: str, into: str, noise: dict[int, Path], tmp_path: Path
) -> None:
    file = encoded(Coding(codec, kind, 48000), noise, tmp_path)
    whole = samples(file)
    words = ["--preset", "passthrough", "--range", "1.0s..2.2s"]
    done = export(file, tmp_path / f"part.{into}", *words)
    assert done.code == 0, done.said
    part = samples(tmp_path / f"part.{into}")
    # Decoders of MP3 leave out their own delay.
    late = 529 if codec == "libmp3lame" else 0
    start = place(part[3000:-3000], whole) - 3000 - late
    assert actual(done)[0] == pytest.approx(start / 48000, abs=0.0011)
    assert start <= 48000
    refused = export(file, tmp_path / f"part.{into}", "--exact", "--force", *words)
    assert refused.code == 65
    assert "sound" in refused.said and "whole packet" in refused.said


@pytest.mark.parametrize("kind", ["flv", "asf", "nut", "avi", "mxf"])
def test_copies_of_samples_with_coarse_times_are_whole(kind: str, noise: dict[int, Path], tmp_path: Path) -> None:
    rate = 48000 if kind == "mxf" else 44100
    words = "-f lavfi -i testsrc2=s=160x120:r=25:d=3 -c:v mpeg2video".split() if kind == "mxf" else []
    source = tmp_path / f"source.{kind}"
    ffmpeg("-i", noise[rate], *words, "-c:a", "pcm_s16le", source)
    done = export(source, tmp_path / "new.wav", "--preset", "passthrough")
    assert done.code == 0, done.said
    whole = samples(source)
    assert numpy.array_equal(samples(tmp_path / "new.wav"), whole)
    part = export(source, tmp_path / "part.wav", "--preset", "passthrough", "--range", "1s..2s")
    assert part.code == 0, part.said
    found = samples(tmp_path / "part.wav")
    assert len(found) == pytest.approx(rate, abs=rate / 1000)
    assert abs(place(found[100:-100], whole) - 100 - rate) <= rate / 1000


@pytest.mark.parametrize("file", corpus("other-containers/*.3gp"))
def test_frames_of_speech_that_share_a_sample_are_copied_one_by_one(file: Path, tmp_path: Path) -> None:
    """As phones record. Frames of AMR have one of eight sizes by their kind, and last 20 ms."""

    def sizes(of: Path) -> list[int]:
        return [int(line.split(",")[0]) for line in ffprobe(of, "packet=size", "-select_streams", "a")]

    tool(tmp_path, "export", "--preset", "passthrough", "-o", "made.3gp", file).expect()
    made = sizes(tmp_path / "made.3gp")
    assert set(made) <= {13, 14, 16, 18, 20, 21, 27, 32, 6}
    assert sum(made) == sum(sizes(file))
    (length,) = ffprobe(tmp_path / "made.3gp", "stream=duration", "-select_streams", "a")
    assert len(made) * 0.02 == pytest.approx(float(length), abs=0.001)


@pytest.mark.parametrize("suffix", ["mkv", "mp4", "mov"])
@pytest.mark.parametrize("channels", [1, 2, 6])
def test_frames_of_aac_are_taken_out_of_latm(
    channels: int, suffix: str, noise: dict[int, Path], tmp_path: Path
) -> None:
    """As broadcasts have them: other containers have AAC as it is."""
    (source, plain) = (tmp_path / "latm.ts", tmp_path / "plain.mkv")
    ffmpeg("-i", noise[48000], "-c:a", "aac", "-ac", channels, plain)
    ffmpeg("-i", plain, "-c", "copy", "-mpegts_flags", "latm", source)
    assert set(ffprobe(source, "stream=codec_name")) == {"aac_latm"}
    tool(tmp_path, "export", "--preset", "passthrough", "-o", f"made.{suffix}", source).expect()
    made = tmp_path / f"made.{suffix}"
    assert ffprobe(made, "stream=codec_name,channels") == [f"aac,{channels}"]

    def frames(of: Path) -> list[str]:
        return [line.strip(",") for line in ffprobe(of, "packet=data_hash", "-show_data_hash", "md5")]

    whole = frames(plain)
    assert frames(made) == whole
    tool(tmp_path, "export", "--preset", "passthrough", "--range", "1s..2s", "-o", f"part.{suffix}", source).expect()
    part = frames(tmp_path / f"part.{suffix}")
    first = whole.index(part[0])
    assert part == whole[first : first + len(part)]
    assert len(part) == pytest.approx(48, abs=3)
    assert first == pytest.approx(47, abs=3)
