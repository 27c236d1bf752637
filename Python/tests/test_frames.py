"""Frames as arrays, against what ffmpeg decodes and ffprobe tells."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import avtool

Film = Callable[[str], Path]
Pixels = NDArray[np.uint8]


def decoded(film: Path, width: int, height: int) -> Pixels:
    """All frames of a film as ffmpeg decodes them, with its finest conversion of colours."""
    words = ["ffmpeg", "-v", "error", "-i", str(film), "-map", "0:v:0", "-fps_mode", "passthrough"]
    words += [
        "-sws_flags",
        "accurate_rnd+full_chroma_int+full_chroma_inp+bicubic",
        "-pix_fmt",
        "rgb24",
        "-f",
        "rawvideo",
        "-",
    ]
    done = subprocess.run(words, capture_output=True, check=True)
    return np.frombuffer(done.stdout, dtype=np.uint8).reshape(-1, height, width, 3)


def frame_times(film: Path) -> list[Fraction]:
    words = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-of", "json"]
    words += ["-show_entries", "frame=best_effort_timestamp:stream=time_base"]
    found = json.loads(subprocess.run([*words, film], capture_output=True, check=True).stdout)
    tick = Fraction(found["streams"][0]["time_base"])
    return [frame["best_effort_timestamp"] * tick for frame in found["frames"]]


def good(frames: list[avtool.Frame | avtool.FrameFailure]) -> list[avtool.Frame]:
    assert all(isinstance(frame, avtool.Frame) for frame in frames), frames
    return [frame for frame in frames if isinstance(frame, avtool.Frame)]


def number(pixels: Pixels) -> int:
    """What the bars of the fixtures' pictures say: the second to fourteenth of sixteen, white for one."""
    height, width = pixels.shape[:2]
    bits = [pixels[height // 8, (2 * bar + 1) * width // 32].mean() > 128 for bar in range(2, 14)]
    return sum(int(bit) << place for place, bit in enumerate(reversed(bits)))


@pytest.mark.parametrize("name", ["movie.mp4", "vfr.mp4", "h264-open-gop.mp4"])
def test_frames_are_those_of_a_whole_decode(name: str, tool: avtool.Tool, film: Film) -> None:
    times, pictures = frame_times(film(name)), decoded(film(name), 320, 240)
    assert len(times) == len(pictures)
    wanted = [number for number in range(len(times)) if number % 7 == 0 or number > len(times) - 4]
    frames = good(avtool.frames_at(film(name), [times[number] for number in wanted], tool=tool))
    assert [frame.actual for frame in frames] == [times[number] for number in wanted]
    assert [frame.requested for frame in frames] == [times[number] for number in wanted]
    for place, (frame, own) in enumerate(zip(frames, wanted, strict=True)):
        assert (frame.index, frame.width, frame.height, frame.exact, frame.damaged) == (place, 320, 240, True, False)
        assert frame.pixels.shape == (240, 320, 3) and frame.pixels.dtype == np.uint8 and frame.pixels.flags.writeable
        assert number(frame.pixels) == number(pictures[own])
        difference = np.abs(frame.pixels.astype(int) - pictures[own])
        assert difference.mean() < 1 and np.quantile(difference, 0.99) <= 4, (own, difference.mean(), difference.max())


def test_times_between_frames(tool: avtool.Tool, film: Film) -> None:
    times = frame_times(film("vfr.mp4"))
    between = [(one + other) / 2 for one, other in zip(times, times[1:])][::9]
    frames = good(avtool.frames_at(film("vfr.mp4"), between, size=(32, 0), tool=tool))
    assert [frame.actual for frame in frames] == times[:-1][::9]


def test_order_and_kinds_of_times(tool: avtool.Tool, film: Film) -> None:
    times: list[avtool.Time] = [3, 0.12, Fraction(1001, 30000), "1/3", "#5", 0, "end", 3]
    frames = good(avtool.frames_at(film("movie.mp4"), times, size="64x0", tool=tool))
    assert [number(frame.pixels) for frame in frames] == [75, 3, 0, 83, 5, 0, 249, 75]
    assert [frame.requested for frame in frames[:4]] == [3, Fraction(3, 25), Fraction(1001, 30000), Fraction(10, 3)]
    assert frames[4].requested == Fraction(1, 5)
    assert [frame.is_sync_sample for frame in frames[:3]] == [True, False, True]
    assert {frame.pixels.shape for frame in frames} == {(48, 64, 3)}


def test_times_that_fail_are_values(tool: avtool.Tool, film: Film) -> None:
    one, bad, other, none = avtool.frames_at(film("movie.mp4"), [1, 99, 2, "#250"], size=(32, 0), tool=tool)
    assert isinstance(none, avtool.FrameFailure) and none.requested == "#250"
    assert isinstance(one, avtool.Frame) and isinstance(other, avtool.Frame) and other.actual == 2
    assert isinstance(bad, avtool.FrameFailure) and bad.index == 1 and bad.requested == 99
    assert (bad.failure.code, bad.failure.retry) == ("noImageAtTime", "never")


def test_damage(tool: avtool.Tool, film: Film) -> None:
    times = [Fraction(number, 25) for number in range(250)]
    frames = avtool.frames_at(film("damaged.mp4"), times, size=(32, 0), tool=tool)
    failures = {frame.index for frame in frames if isinstance(frame, avtool.FrameFailure)}
    assert failures and len(frames) == 250
    allowed = good(avtool.frames_at(film("damaged.mp4"), times, size=(32, 0), allow_damaged=True, tool=tool))
    assert {frame.index for frame in allowed if frame.damaged} == failures


def test_films_that_fail(tool: avtool.Tool, film: Film) -> None:
    for path, code in ((Path("nothing.mp4"), "noSuchInput"), (film("audio-only.mp3"), "noSourceTrack")):
        with pytest.raises(avtool.AvtoolError) as caught:
            avtool.frames_at(path, [0], tool=tool)
        assert (caught.value.code, caught.value.retry) == (code, "never")
    with pytest.raises(avtool.AvtoolError, match="usage"):
        avtool.frames_at(film("movie.mp4"), [-1], tool=tool)


def test_tolerance(tool: avtool.Tool, film: Film) -> None:
    (frame,) = good(avtool.frames_at(film("movie.mp4"), [3.1], tolerance=Fraction(1, 5), tool=tool))
    assert frame.actual == 3 and frame.is_sync_sample and not frame.exact


def test_more_times_than_a_command_line_holds(tool: avtool.Tool, film: Film) -> None:
    times = [Decimal(number % 250) / 25 - Decimal(number % 250 > 0).scaleb(-9) for number in range(6000)]
    assert sum(len(str(time)) + 2 for time in times) > 2**16
    numbers = [
        number(frame.pixels) for frame in good(avtool.frames_at(film("movie.mp4"), times, size="64x0", tool=tool))
    ]
    # A nanosecond before a frame's time is the frame before it.
    assert numbers == [max(0, own % 250 - 1) for own in range(6000)]


def test_odd_names(tool: avtool.Tool, odd_names: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in odd_names:
        (frame,) = good(avtool.frames_at(name, [1], size=(64, 0), tool=tool))
        assert number(frame.pixels) == 25


def test_no_times(tool: avtool.Tool) -> None:
    assert avtool.frames_at("nothing.mp4", [], tool=tool) == []


def test_leaving_early(tool: avtool.Tool, film: Film) -> None:
    frames = avtool.iterate_frames(film("movie.mp4"), [f"#{number}" for number in range(250)], tool=tool)
    first = next(frames)
    assert isinstance(first, avtool.Frame) and number(first.pixels) == 0
    frames.close()


@pytest.mark.parametrize(
    "script", ['"$real" "$@" | head -c 300000; exit 0', '"$real" "$@" | head -c 400; kill -9 $$', "kill -9 $$"]
)
def test_a_tool_that_dies(script: str, stand_in: Callable[[str], avtool.Tool], film: Film) -> None:
    with pytest.raises(avtool.AvtoolError) as caught:
        avtool.frames_at(film("movie.mp4"), [0, 1, 2], tool=stand_in(script))
    assert (caught.value.code, caught.value.retry) == ("toolDied", "later")
