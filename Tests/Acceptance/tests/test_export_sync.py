"""Measures what exports do to the sync of pictures and sound, on clips with a flash and a click in each second.

Makes the clips with ffmpeg (25 and 29.97 frames a second, variable rate, with and without
B-frames, sound of 44.1 and 48 kHz, an edit list that begins inside a GOP, late sound, MKV,
MPEG-TS, PCM), exports them whole and trimmed with every preset, decodes clips and new files with
ffmpeg, and finds every flash (the first bright picture) and every click (where it matches the
sweep that was put there). The first and the last that a new file has are compared with those of
the source.

Transcodes may add one millisecond; passthrough may move sound by one of its packets.
"""

from __future__ import annotations

import math
import wave
from array import array
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from acceptance.media import PICTURES_ONLY, PRESETS, RATE, SOUND_ONLY, Export, Media, export, range_of
from acceptance.running import ffmpeg

SECONDS = 12
RANGES = ("all", "2s+5s", "2.513s..7.777s")
SWEEP_SECONDS = 0.01


def sweep(rate: int) -> list[float]:
    """A click that sound codecs keep and that is alike to itself in one place only: 400 to 6000 Hz in 10 ms."""
    count = round(SWEEP_SECONDS * rate)
    samples = []
    for index in range(count):
        at = index / rate
        phase = 2 * math.pi * (400 * at + (6000 - 400) * at * at / 2 / SWEEP_SECONDS)
        samples.append(math.sin(phase) * math.sin(math.pi * index / count) ** 2)
    return samples


TEMPLATE = sweep(RATE)


# --- the clips --------------------------------------------------------------------------


def make_sound(path: Path, rate: int, period: Fraction) -> None:
    samples, click = array("h", bytes(2 * SECONDS * rate)), sweep(rate)
    for number in range(1, math.ceil(SECONDS / period)):
        first = round(number * period * rate)
        for index, value in enumerate(click[: len(samples) - first]):
            samples[first + index] = round(20_000 * value)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())


def make_clip(path: Path, rate: str, bframes: int, hertz: int, sound: list[str], every: int, select: str = "") -> None:
    """`every`: frames from one flash to the next; `select`: which frames stay."""
    wav = path.with_suffix(".wav")
    make_sound(wav, hertz, every / Fraction(rate))
    # Bright for a tenth of a second, over grey that moves.
    bright = f"lt(mod(N,{every}),{max(2, every // 10)})*gte(N,{every})"
    picture = f"color=black:s=160x120:r={rate}:d={SECONDS},geq=lum='if({bright},235,16+mod(X+4*N,60))':cb=128:cr=128"
    if select:
        picture += f",select='{select}'"
    coding = ["-c:v", "libx264", "-preset", "fast", "-crf", "18", "-g", "50", "-bf", bframes, "-pix_fmt", "yuv420p"]
    timing = ["-fps_mode", "passthrough", "-video_track_timescale", "90000" if select else "30000"]
    timing += ["-enc_time_base:v", "1/90000"] if select else []
    ffmpeg("-f", "lavfi", "-i", picture, "-i", wav, *coding, *timing, *sound, path)
    wav.unlink()


def make_clips(folder: Path) -> list[Path]:
    aac = ["-c:a", "aac", "-b:a", "128k"]
    make_clip(folder / "25fps-b3-48k.mp4", "25", 3, 48_000, aac, 25)
    make_clip(folder / "29.97fps-b0-44k.mp4", "30000/1001", 0, 44_100, aac, 30)
    # 50 pictures a second of which two in five or so are left out, none of those that begin a flash.
    keep = "not(mod(n,50))+not(mod(n,3))+not(mod(n,7))+lt(mod(n,37),9)"
    make_clip(folder / "vfr-b2-44k.mp4", "50", 2, 44_100, aac, 50, keep)
    make_clip(folder / "25fps-pcm.mov", "25", 2, 48_000, ["-c:a", "pcm_s16le"], 25)
    made = folder / "25fps-b3-48k.mp4"
    ffmpeg("-ss", "1.28", "-i", made, "-c", "copy", folder / "edit-list.mp4")
    late = ["-itsoffset", "0.37", "-i", made, "-map", "0:v", "-map", "1:a", "-c", "copy"]
    ffmpeg("-i", made, *late, folder / "late-sound.mov")
    ffmpeg("-i", made, "-c", "copy", folder / "matroska.mkv")
    ffmpeg("-i", made, "-c", "copy", folder / "transport.ts")
    ffmpeg("-i", folder / "29.97fps-b0-44k.mp4", "-c:v", "copy", "-c:a", "libopus", folder / "opus.mkv")
    return sorted(folder.iterdir())


# --- flashes and clicks -----------------------------------------------------------------


def flashes(media: Media) -> list[Fraction]:
    bright = [sum(p.thumb) > 128 * len(p.thumb) for p in media.pictures]
    pairs = zip(media.pictures[1:], bright, bright[1:])
    return [picture.time - media.zero for picture, before, now in pairs if now and not before]


def clicks(media: Media) -> list[Fraction]:
    """Where the sweep begins, to a sample."""
    if media.sound is None:
        return []
    samples, found = media.sound.samples, []
    reach = len(TEMPLATE)
    # A click is the loudest in a second; quiet ones are cut off at an end, or are none.
    top = max(map(abs, samples), default=0)
    at = 0
    while at < len(samples):
        if abs(samples[at]) < top / 3:
            at += 1
            continue
        low, high = max(0, at - reach), min(len(samples) - reach, at + reach)
        best, place = 0.0, None
        for start in range(low, high):
            value = sum(a * b for a, b in zip(samples[start : start + reach], TEMPLATE))
            if value > best:
                best, place = value, start
        if place is not None and best > 0.3 * top * sum(v * v for v in TEMPLATE):
            found.append(media.sound.start + Fraction(place, RATE) - media.zero)
        at += RATE // 2
    return found


@dataclass
class Measured:
    media: Media
    flashes: list[Fraction]
    clicks: list[Fraction]

    @staticmethod
    def of_source(file: Path) -> Measured:
        media = Media.of_source(file)
        return Measured(media, flashes(media), clicks(media))

    @staticmethod
    def of_output(file: Path) -> Measured:
        media = Media.of_output(file)
        return Measured(media, flashes(media), clicks(media))


def errors(mine: list[Fraction], theirs: list[Fraction], start: Fraction) -> list[tuple[int, Fraction]]:
    """For each that a new file has: which one of the source it is, and how late it comes."""
    found = []
    for time in mine:
        number = min(range(len(theirs)), key=lambda i: abs(theirs[i] - start - time))
        found.append((number, time - (theirs[number] - start)))
    return found


def compare(source: Measured, output: Measured, made: Export, preset: str, suffix: str) -> list[str]:
    span = range_of(made.event("completed"), "actualRange")
    assert span is not None
    start, end = span
    limit = Fraction(1, 1000) + Fraction(2, RATE)
    tracks = {t["mediaType"]: t["treatment"] for t in made.event("plan")["tracks"]}
    sound_limit = limit
    if tracks.get("audio") == "passthrough" and output.media.sound:
        sound_limit += output.media.sound.packet
    picture_limit = limit
    if tracks.get("video") == "passthrough" and suffix not in (".mp4", ".mov"):
        # A packet of sound that begins before the first picture is where such a file's zero is.
        picture_limit = sound_limit
    if suffix == ".gif":
        picture_limit = Fraction(1, 100)  # what its times are counted in
    shown = errors(output.flashes, source.flashes, start)
    heard = errors(output.clicks, source.clicks, start)
    problems = []
    inside = [t for t in source.flashes if start + Fraction(1, 5) < t < end - Fraction(1, 5)]
    if preset not in SOUND_ONLY and len(shown) < len(inside):
        problems.append(f"{len(shown)} flashes for {len(inside)}")
    inside = [t for t in source.clicks if start + Fraction(1, 5) < t < end - Fraction(1, 5)]
    if preset not in PICTURES_ONLY and len(heard) < len(inside):
        problems.append(f"{len(heard)} clicks for {len(inside)}")
    frames = [p.time for p in output.media.pictures]
    if 1 < len(frames) < 0.9 * sum(start <= p.time - source.media.zero < end for p in source.media.pictures):
        # A lower rate shows a picture with the next of its own frames.
        picture_limit += max(b - a for a, b in zip(frames, frames[1:]))
    for name, found, most in (("flash", shown, picture_limit), ("click", heard, sound_limit)):
        for place, index in (("first", 0), ("last", -1)):
            late = found[index][1] if found else None
            if late is not None and abs(late) > most:
                problems.append(f"the {place} {name} is {float(late * 1000):+.3f} ms late")
    pairs = dict(shown)
    added = [late - pairs[n] for n, late in heard if n in pairs] if source_is_paired(source) else []
    worst = max(added, key=abs, default=None)
    if worst is not None and abs(worst) > max(sound_limit, picture_limit):
        problems.append(f"sound moved by {float(worst * 1000):+.3f} ms against pictures")
    return problems


def source_is_paired(source: Measured) -> bool:
    return len(source.flashes) == len(source.clicks)


CLIPS = """
    25fps-b3-48k.mp4 29.97fps-b0-44k.mp4 vfr-b2-44k.mp4 25fps-pcm.mov edit-list.mp4 late-sound.mov matroska.mkv
    transport.ts opus.mkv
""".split()


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clips")
    make_clips(folder)
    return folder


@pytest.fixture(scope="module")
def sources() -> dict[Path, Measured]:
    return {}


JOBS = [pytest.param(clip, preset, id=f"{clip} {preset}") for clip in CLIPS for preset in PRESETS]


@pytest.mark.slow
@pytest.mark.xdist_group("sync")
@pytest.mark.parametrize("span", RANGES)
@pytest.mark.parametrize(("clip", "preset"), JOBS)
def test_sync(clips: Path, sources: dict[Path, Measured], clip: str, preset: str, span: str, tmp_path: Path) -> None:
    file = clips / clip
    if file not in sources:
        sources[file] = Measured.of_source(file)
    made = export(file, tmp_path / "{name}.{ext}", "--preset", preset, *([] if span == "all" else ["--range", span]))
    if made.code or made.file is None:
        assert made.code in (64, 65), f"{made.reason()}\n{made.shell()}"
        pytest.skip(made.reason())
    problems = compare(sources[file], Measured.of_output(made.file), made, preset, made.file.suffix)
    assert not problems, made.shell()
