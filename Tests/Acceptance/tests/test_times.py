"""Checks avtool's times against an independent list of the frames, made by ffprobe.

For each file: ffprobe decodes the video from start to end and lists the presentation
time of every frame. The list is moved to the asset's timeline, which is zero where the
earliest audio or video track starts. Then avtool is asked for stills at random times,
at exact frame boundaries and just before them, in one run, and the actual time of each
must be the greatest presentation time not after the request (before the first frame:
the first frame). All arithmetic is on exact fractions.
"""

from __future__ import annotations

import bisect
import json
import random
import subprocess
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from acceptance import films
from acceptance.media import keeps_zero, seconds_text, stream_start
from acceptance.running import AVTOOL, Json
from acceptance.storyboard_sets import time_of

TIMESCALES = (24, 25, 600, 1000, 30000, 44100, 48000, 90000, 1_000_000)


class SkipError(Exception):
    """Why a file cannot be checked."""


def ffprobe(file: Path, *arguments: str) -> Json:
    command = ["ffprobe", "-v", "quiet", "-of", "json", *arguments, f"file:{file}"]
    try:
        result = subprocess.run(command, capture_output=True, timeout=900)
        found: Json = json.loads(result.stdout or b"{}")
        return found
    except subprocess.TimeoutExpired:
        raise SkipError("ffprobe took too long") from None
    except json.JSONDecodeError:
        raise SkipError("ffprobe's answer is not JSON") from None


@dataclass
class Reference:
    times: list[Fraction]  # of the frames, on the asset's timeline, ascending
    duration: Fraction  # up to which to ask
    tick: Fraction  # of the track's timescale
    inferred: int  # frames that have no time of their own


def reference(file: Path) -> Reference:
    probe = ffprobe(file, "-show_streams", "-show_format")
    streams = [s for s in probe.get("streams", []) if not s.get("disposition", {}).get("attached_pic")]
    tracks = [s for s in streams if s.get("codec_type") in ("audio", "video")]
    video = next((s for s in tracks if s["codec_type"] == "video"), None)
    if not streams:
        raise SkipError("ffprobe cannot open it")
    if video is None:
        raise SkipError("no video")

    entries = "frame=pts,best_effort_timestamp,pkt_duration"
    frames = ffprobe(file, "-select_streams", str(video["index"]), "-show_frames", "-show_entries", entries)
    time_base = Fraction(video["time_base"])
    ticks: dict[int, int] = {}
    following = None  # the time of a frame without one of its own: where the one before it ends
    inferred = 0
    for frame in frames.get("frames", []):
        time = frame.get("best_effort_timestamp", frame.get("pts"))
        duration = frame.get("pkt_duration", 0)
        if time is None and following is not None and duration:
            time = following
            inferred += 1
        if time is not None:
            ticks[time] = duration
            following = time + duration
    if not ticks:
        raise SkipError("ffprobe gives no frame with a time")

    if probe["format"]["format_name"] == "avi" and video.get("has_b_frames"):
        # AVI tells when pictures are decoded, and ffprobe's times are late by the decoder's delay: the pictures take
        # the packets' times in the order in which they are shown.
        packets = ffprobe(file, "-select_streams", str(video["index"]), "-show_packets")["packets"]
        decoded = sorted(packet["dts"] for packet in packets)
        ticks = dict.fromkeys(decoded[: len(frames["frames"])], 1)
        inferred = 0
    starts = [start for start in map(stream_start, tracks) if start is not None]
    zero = (
        Fraction(0) if keeps_zero(file, probe["format"]["format_name"]) else min(starts, default=min(ticks) * time_base)
    )
    times = [t * time_base - zero for t in sorted(ticks)]
    last = max(ticks)
    ends = [times[-1] + ticks[last] * time_base]
    for track in tracks:
        start = stream_start(track)
        if start is not None and "duration_ts" in track:
            ends.append(start - zero + track["duration_ts"] * Fraction(track["time_base"]))
    return Reference(times, max(ends), time_base, inferred)


def requests(name: str, reference: Reference, count: int) -> list[Fraction]:
    """Two thirds anywhere; the rest at the times of frames and just before them."""
    generator = random.Random(name)
    chosen: list[Fraction] = []
    while len(chosen) < count:
        kind = generator.randrange(6)
        if kind < 4:
            scale = generator.choice(TIMESCALES)
            time = Fraction(generator.randint(0, int(reference.duration * scale)), scale)
        else:
            time = generator.choice(reference.times)
            if kind == 5:
                time -= Fraction(1, generator.choice((1000, 90000, 1_000_000)))
        # CMTime's timescale has 31 bits.
        if time.denominator >= 2**31 or not 0 <= time <= reference.duration:
            time = Fraction(int(reference.duration * 1000 * generator.random()), 1000)
        chosen.append(time)
    return chosen


def fractions(file: Path, limit: int) -> tuple[Fraction, list[Fraction]]:
    """The duration that avtool tells, and all parts of 1 with denominators up to a limit, ascending."""
    run = subprocess.run([AVTOOL, "info", "--json", str(file)], capture_output=True, text=True, timeout=600)
    try:
        duration = json.loads(run.stdout)["duration"]
    except (json.JSONDecodeError, KeyError):
        raise SkipError("avtool tells no duration") from None
    parts = {Fraction(k, n) for n in range(1, limit + 1) for k in range(n + 1)}
    return time_of(duration), sorted(parts)


def shown_at(time: Fraction, reference: Reference) -> Fraction:
    return reference.times[max(bisect.bisect_right(reference.times, time) - 1, 0)]


def stills(file: Path, times: list[str], limit: int) -> dict[int, Json]:
    """avtool's answers by index, from 1."""
    with tempfile.TemporaryDirectory(prefix="check-times-") as folder:
        command = [AVTOOL, "thumbs", "--json", "--at", ",".join(times), "--format", "jpeg"]
        command += ["--size", "64x0", "-o", f"{folder}/{{index}}.{{ext}}", str(file)]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            raise SkipError(f"avtool took more than {limit} s") from None
    answers = {}
    for line in run.stdout.splitlines():
        try:
            answer = json.loads(line)
        except json.JSONDecodeError:
            raise SkipError(f"avtool printed what is not JSON: {line[:80]}") from None
        if "index" in answer:
            answers[answer["index"]] = answer
        elif "error" in answer:
            raise SkipError(f"avtool refuses the file: {answer['error'].get('message')}")
    if not answers:
        message = run.stderr.strip().splitlines()[-1:] or ["no message"]
        raise SkipError(f"avtool gave nothing, exit code {run.returncode}: {message[0]}")
    return answers


def compare(
    file: Path, expected: Reference, asked: list[Fraction], texts: list[str], *, ends: bool = False, picky: bool = False
) -> list[str]:
    """What differs; stills that are refused count only with `picky`."""
    answers, problems = stills(file, texts, 600), []
    for index, time in enumerate(asked, start=1):
        answer = answers.get(index)
        if answer is None:
            problems.append(f"at {seconds_text(time)} no answer")
        elif answer.get("error"):
            problems += [f"at {seconds_text(time)} refused: {answer['error'].get('message')}"] if picky else []
        elif time_of(answer["requested"]) != time:
            problems.append(f"asked {seconds_text(time)}, understood {seconds_text(time_of(answer['requested']))}")
        else:
            wanted, actual = shown_at(time, expected), time_of(answer["actual"])
            if ends and time == asked[-1]:
                wanted = expected.times[-1]  # the very end is the last frame, whatever headers say
            tick = min(Fraction(1, int(answer["actual"]["timescale"])), expected.tick)
            # Zero of the timeline may be another track's, and no multiple of this one's timescale.
            is_rounded = abs(actual - wanted) < tick and shown_at(actual + tick / 2, expected) == wanted
            if actual != wanted and not is_rounded:
                problems.append(f"at {seconds_text(time)} expected {seconds_text(wanted)}, got {float(actual):.6f}")
    return problems


# ffprobe itself times some files of other people wrongly: AVI with pictures out of order, MPEG-PS.
QUICK = "movie.mov movie.mp4 vfr.mp4 h264-open-gop.ts edit-list-trim.mp4 nonzero-start.mkv mpeg4-b.avi vp9.webm"
FILMS = [*films.fixtures(quick=QUICK), *films.corpus()]


def expected_of(file: Path) -> Reference:
    try:
        return reference(file)
    except SkipError as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("file", FILMS)
def test_times(file: Path, is_picky: bool) -> None:
    """At random times, at the times of frames and just before them; with `--picky` none may be refused."""
    expected = expected_of(file)
    asked = requests(file.name, expected, 200)
    try:
        problems = compare(file, expected, asked, [seconds_text(time) for time in asked], picky=is_picky)
    except SkipError as reason:
        (pytest.fail if is_picky else pytest.skip)(f"refused: {reason}")
    assert not problems


@pytest.mark.slow
@pytest.mark.parametrize("file", FILMS)
def test_fractions(file: Path, is_picky: bool) -> None:
    """All k/n of the duration that avtool tells, for n up to 30."""
    expected = expected_of(file)
    try:
        duration, parts = fractions(file, 30)
        texts = [f"{part.numerator}/{part.denominator}" for part in parts]
        problems = compare(file, expected, [part * duration for part in parts], texts, ends=True, picky=is_picky)
    except SkipError as reason:
        (pytest.fail if is_picky else pytest.skip)(f"refused: {reason}")
    assert not problems
