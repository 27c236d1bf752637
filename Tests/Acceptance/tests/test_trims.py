"""Cuts files to random ranges with passthrough to MP4 and MOV, and checks every frame of what comes out.

What must be shown is worked out from a decode of the source from start to end by ffmpeg: the
frames on screen in the range, by a checksum of their samples (passthrough keeps them) and by
their times. Three readers must find just these in the new file: ffmpeg; PyAV, whose FFmpeg is
another version; and a reader of its own of the edit list, to the letter. The durations of the
file and of the movie header must be the range's to within a frame or a packet of sound.
"""

from __future__ import annotations

import random
import re
import zlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import pytest

from acceptance import films
from acceptance.media import (
    Export,
    Picture,
    Probe,
    export,
    packet_duration,
    pictures,
    range_of,
    seconds_text,
    shown_in,
    stream_start,
)
from acceptance.movie import read_movie
from acceptance.running import Findings

CORPUS = (
    "video-basic/bikes.mp4 video-basic/sample.mp4 long-gop/bunny_hd_5s.mp4 open-gop/video-h265.mp4 "
    "edit-list/edts.mp4 edit-list/sample_edit_list.mp4 vfr/cursed-vfr.mp4 vfr/FLIR*Thermal.mp4 "
    "timecode/max-heromode.mp4 quicktime-meta/quicktime-hvc1.mov frame-exact/movie_300.mp4 "
    "multi-track/nasa_13013.mp4 prores/apple-prores-422-hq.mov"
).split()
# What has no times of its own, is damaged on purpose, or is no film.
LEFT_OUT = re.compile(
    r"raw\.|\.avi$|\.ps$|\.mpg$|damaged|truncated|empty\.mp4|text|named|zero-frames|huge|audio-only|attached|animated"
    r"|\.asf$|\.ogv$|cut\.ts$"
)
TOLERANCE = Fraction(3, 2000)
QUICK = "movie.mov movie.mp4 vfr.mp4 h264-open-gop.mp4 edit-list-trim.mp4 fragmented.mp4 vp9.webm cues.mkv h264.ts"


@dataclass
class Source:
    file: Path
    probe: Probe
    pictures: list[Picture]
    peer: list[Picture]  # the same by PyAV
    end: Fraction  # of the pictures, on the asset's timeline
    refused: str = ""

    @property
    def times(self) -> list[Fraction]:
        return [p.time - self.probe.zero for p in self.pictures]


def checksum(frame: Any) -> int:
    value = 0
    for plane, component in zip(frame.planes, frame.format.components):
        width, stride, data = plane.width * ((component.bits + 7) // 8), plane.line_size, bytes(plane)
        for row in range(plane.height):
            value = zlib.crc32(data[row * stride : row * stride + width], value)
    return value


def peer_pictures(file: Path) -> list[Picture]:
    """A decode by PyAV; empty for what it cannot hash like ffmpeg."""
    found = []
    try:
        with av.open(str(file)) as container:
            for frame in container.decode(container.streams.video[0]):
                if len(frame.planes) < 3 or frame.pts is None:
                    return []
                found.append(Picture(frame.pts * frame.time_base, f"{checksum(frame):08x}"))
    except av.FFmpegError:
        return []
    return sorted(found, key=lambda picture: picture.time)


def load(file: Path) -> Source | None:
    probe = Probe.of(file)
    streams = probe.kind("video")
    if not streams or "start_pts" not in streams[0]:
        return None
    shown = pictures(file, turned=False)
    if not shown:
        return None
    last = shown[-1].time - probe.zero
    step = last - (shown[-2].time - probe.zero) if len(shown) > 1 else Fraction(1, 25)
    end = last + step
    if "duration_ts" in streams[0]:
        stream_end = (
            stream_start(streams[0]) + streams[0]["duration_ts"] * Fraction(streams[0]["time_base"]) - probe.zero
        )
        end = max(last + Fraction(1, 1000), min(stream_end, end))
    return Source(file, probe, shown, peer_pictures(file), end)


def random_range(source: Source, generator: random.Random) -> tuple[Fraction, Fraction]:
    """Anywhere, on frames, just beside them, of one frame, up to the end."""
    times = source.times

    def moment() -> Fraction:
        kind = generator.randrange(6)
        at = generator.choice(times)
        if kind < 2:
            scale = generator.choice((24, 25, 600, 1000, 30000, 44100, 90000))
            return Fraction(generator.randint(0, int(source.end * scale)), scale)
        return at if kind < 4 else at + generator.choice((-1, 1)) * Fraction(1, generator.choice((1000, 90000)))

    while True:
        start, end = sorted((moment(), moment()))
        kind = generator.randrange(8)
        if kind == 0:
            index = generator.randrange(len(times))
            start, end = times[index], times[index + 1] if index + 1 < len(times) else source.end
        elif kind == 1:
            end = source.end
        if (
            0 <= start < min(end, times[-1] + Fraction(1, 1000))
            and end <= source.end
            and end - start >= Fraction(1, 500)
        ):
            return start, end


@dataclass
class Result(Findings):
    worst: Fraction = Fraction(0)
    frames: int = 0


def compare(result: Result, reader: str, wanted: list[Picture], got: list[Picture]) -> None:
    mine, theirs = [p.digest for p in got], [p.digest for p in wanted]
    if mine != theirs:
        known = {d: i for i, d in enumerate(theirs)}
        for name, index in (("first", 0), ("last", -1)):
            if not mine or mine[index] != theirs[index]:
                place = known.get(mine[index], "not of the range") if mine else "missing"
                result.problems.append(f"{reader}: {name} frame {place}, of {len(theirs)}")
        result.problems.append(f"{reader}: {len(mine)} frames, {len(theirs)} wanted; or others")
        return
    late = max((a.time - b.time for a, b in zip(got, wanted)), key=abs, default=Fraction(0))
    result.worst = max([result.worst, late], key=abs)
    result.expect(abs(late) <= TOLERANCE, f"{reader}: a frame is {float(late * 1000):+.2f} ms off")


def compare_letter(result: Result, file: Path, wanted: list[Picture], length: Fraction, limit: Fraction) -> None:
    """What the edit list says, read to the letter."""
    movie = read_movie(file)
    track = next((t for t in movie.tracks if t.handler == "vide"), None)
    if track is None:
        result.problems.append("no video track in the movie box")
        return
    # What is shown for less than a millisecond may be rounded away by the movie's timescale.
    brief = Fraction(1, 1000)
    ends = [p.time for p in wanted[1:]] + [length]
    wishes = [wanted, [p for p, end in zip(wanted, ends) if end - p.time > brief]]
    shown = [track.shown, [s for s in track.shown if s[1] - s[0] > brief]]
    if not any(
        len(mine) == len(theirs) and all(abs(m[0] - t.time) <= TOLERANCE for m, t in zip(mine, theirs))
        for mine in shown
        for theirs in wishes
    ):
        late = next((m[0] - t.time for m, t in zip(shown[0], wanted) if abs(m[0] - t.time) > TOLERANCE), Fraction(0))
        result.problems.append(
            f"edit list: {len(shown[0])} frames are shown, {len(wanted)} wanted, {float(late * 1000):+.1f} ms off"
        )
    error = float((movie.duration - length) * 1000)
    result.expect(abs(movie.duration - length) <= limit, f"the movie header's duration is {error:+.1f} ms off")
    for other in movie.tracks:
        if other.handler != "vide" and other.sample_count:
            excess = float((other.end - length) * 1000)
            result.expect(other.end <= length + limit, f"the {other.handler} track's edits end {excess:+.1f} ms late")


def check(source: Source, span: tuple[Fraction, Fraction], made: Export) -> Result:
    result = Result()
    actual = range_of(made.event("completed"), "actualRange")
    wanted = shown_in(source.pictures, span[0] + source.probe.zero, span[1] + source.probe.zero)
    if actual is None:
        result.problems.append("no actual range is reported")
        return result
    # A range may begin with its first frame, which then is on screen for a bit longer.
    moved = span[0] - actual[0]
    frames = [b - a for a, b in zip(source.times, source.times[1:])]
    result.expect(0 <= moved < max(frames, default=Fraction(1)), f"starts {float(moved * 1000):.3f} ms early")
    wanted = shown_in(source.pictures, actual[0] + source.probe.zero, span[1] + source.probe.zero)
    first = shown_in(source.pictures, span[0] + source.probe.zero, span[1] + source.probe.zero)[:1]
    result.expect(
        [p.digest for p in first] == [p.digest for p in wanted[:1]], "the actual range begins with another frame"
    )
    result.frames = len(wanted)
    output = made.file
    assert output is not None
    # ffmpeg's decoders of AV1 show pictures that the edit list hides, whoever wrote it.
    if not any(s.get("codec_name") == "av1" for s in source.probe.kind("video")):
        compare(result, "ffmpeg", wanted, pictures(output, turned=False))
    if source.peer:
        zero = source.peer[0].time - source.times[0]
        peer = shown_in(source.peer, actual[0] + zero, span[1] + zero)
        compare(result, "PyAV", peer, peer_pictures(output))
    probe = Probe.of(output)
    packets = [packet_duration(s) for s in probe.kind("audio")]
    limit = max([*packets, *frames, Fraction(1, 1000)]) + TOLERANCE
    compare_letter(result, output, wanted, span[1] - actual[0], limit)
    duration = Fraction(probe.format.get("duration", 0))
    # Sound may end where it does in the source.
    error = duration - (span[1] - actual[0])
    result.expect(abs(error) <= limit, f"the duration is {float(error * 1000):+.1f} ms off")
    return result


@pytest.mark.parametrize("file", [*films.fixtures(LEFT_OUT.pattern, QUICK), *films.corpus(*CORPUS)])
def test_trims(file: Path, rounds: int, tmp_path: Path) -> None:
    """`--rounds N` cuts each file N times."""
    source, generator = load(file), random.Random(file.name)
    if source is None:
        pytest.skip("no pictures with times")
    for _ in range(rounds):
        suffix = "mp4" if file.suffix == ".webm" else generator.choice(("mp4", "mov"))
        span = random_range(source, generator)
        words = ["--preset", "passthrough", "--range", f"{seconds_text(span[0])}..{seconds_text(span[1])}"]
        made = export(file, tmp_path / f"new.{suffix}", *words, "--force")
        if made.code or made.file is None:
            assert made.code in (64, 65), f"{made.reason()}\n{made.shell()}"
            pytest.skip(made.reason())
        result = check(source, span, made)
        assert not result.problems, made.shell()
