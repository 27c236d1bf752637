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


@pytest.mark.parametrize("film", corpus("reports/vorbis_endtrim1200.ogg"))
def test_an_end_before_the_last_packet_makes_nothing_long(film: Path, tmp_path: Path) -> None:
    for into in ["mka", "ogg", "mp4"]:
        tool(tmp_path, "export", "--preset", "passthrough", "-o", f"copy.{into}", film).expect()
        assert 2.9 < float(ffprobe(tmp_path / f"copy.{into}", "format=duration")[0]) < 3.02
