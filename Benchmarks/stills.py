"""Stills from a long film: `avtool thumbs` against the tools that people use."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from acceptance import made_films
from acceptance.measure import Case, Command, Tool
from acceptance.running import AVTOOL, ROOT

PYTHON = ROOT / ".build/acceptance/venv/bin/python"
# From so many stills on, PyAV runs once only: it takes minutes.
PYAV_ONCE = 1000
FFMPEG = ("ffmpeg", "-v", "error", "-nostdin")


@dataclass(frozen=True)
class Stills(Case):
    """Stills all over a film, in order, at uneven places, the same in every run."""

    peers: Sequence[str] = ("pyav",)
    codec: str = "h264"
    container: str = "mp4"
    cuts: bool = True
    minutes: int = 20
    count: int = 20
    extension: str = "jpg"
    size: str = "320x180"  # or full
    tolerance: int = 0  # seconds; 0: exact

    def film(self) -> Path:
        return made_films.film(self.codec, self.container, self.minutes, cuts=self.cuts)

    @cached_property
    def milliseconds(self) -> list[int]:
        generator, step = random.Random(20), self.minutes * 60_000 / self.count
        return [int((index + generator.uniform(0.1, 0.9)) * step) for index in range(self.count)]

    @property
    def seconds(self) -> list[str]:
        return [f"{time // 1000}.{time % 1000:03d}" for time in self.milliseconds]

    @property
    def scale(self) -> list[str]:
        return [] if self.size == "full" else ["-vf", f"scale={self.size.split('x')[0]}:-2"]

    def tools(self) -> list[Tool]:
        def one_by_one(name: str, label: str, commands: Callable[[Path], list[Command]], needs: Path | str) -> Tool:
            most = 1 if needs == PYTHON and self.count >= PYAV_ONCE else sys.maxsize
            return Tool(name, label, commands, needs, count=self.count, most_rounds=most)

        one_pass = Tool("nokey", "ffmpeg -skip_frame nokey, one pass", self.ffmpeg_keyframes, "ffmpeg")
        peers = [
            one_by_one("ffmpeg", "ffmpeg -ss, in a loop (next frame)", self.ffmpeg_loop, "ffmpeg"),
            one_by_one(
                "ffmpegthumbnailer",
                "ffmpegthumbnailer, in a loop (keyframes)",
                self.ffmpegthumbnailer,
                "ffmpegthumbnailer",
            ),
            one_by_one("pyav", "PyAV loop, with frame threads", self.pyav("AUTO"), PYTHON),
            one_by_one("pyav-slice", "PyAV loop, as it comes", self.pyav("SLICE"), PYTHON),
            one_pass,
        ]
        own = one_by_one("avtool", "avtool thumbs", self.avtool, AVTOOL)
        return [own, *(peer for peer in peers if peer.name in self.peers)]

    def avtool(self, folder: Path) -> list[Command]:
        kind = {"jpg": "jpeg"}.get(self.extension, self.extension)
        size = [] if self.size == "full" else ["--size", self.size]
        tolerance = ["--tolerance", f"{self.tolerance}s"] if self.tolerance else []
        times = ["--at", ",".join(self.seconds), "--format", kind]
        return [[AVTOOL, "thumbs", *times, *size, *tolerance, "-o", f"{folder}/{{index}}.{{ext}}", self.film()]]

    def ffmpeg_loop(self, folder: Path) -> list[Command]:
        return [
            [*FFMPEG, "-ss", time, "-i", self.film(), "-frames:v", 1, *self.scale, f"{folder}/{index}.{self.extension}"]
            for index, time in enumerate(self.seconds)
        ]

    def ffmpeg_keyframes(self, folder: Path) -> list[Command]:
        selection = ["-skip_frame", "nokey", "-i", self.film(), "-an", "-fps_mode", "vfr"]
        return [[*FFMPEG, *selection, *self.scale, f"{folder}/%d.{self.extension}"]]

    def ffmpegthumbnailer(self, folder: Path) -> list[Command]:
        # It takes whole seconds only, as hh:mm:ss.
        def clock(time: int) -> str:
            return f"{time // 3_600_000:02d}:{time // 60_000 % 60:02d}:{time // 1000 % 60:02d}"

        size = "0" if self.size == "full" else self.size.split("x")[0]
        return [
            ["ffmpegthumbnailer", "-i", self.film(), "-o", f"{folder}/{i}.{self.extension}", "-s", size, "-t", clock(t)]
            for i, t in enumerate(self.milliseconds)
        ]

    def pyav(self, threads: str) -> Callable[[Path], list[Command]]:
        worker = Path(__file__).with_name("pyav_stills.py")
        words = [PYTHON, worker, threads, self.size, self.extension]
        return lambda folder: [[*words, folder, self.film(), *self.milliseconds]]


ALL = ("ffmpeg", "ffmpegthumbnailer", "pyav", "pyav-slice")
CASES = (
    Stills("h264", "exact 320-px JPEGs, H.264 in MP4", kind="wall", peers=ALL),
    Stills("png", "full-size PNGs", peers=("ffmpeg",), extension="png", size="full"),
    Stills("near", "120 stills within ± 5 s", peers=("nokey",), count=120, tolerance=5),
    Stills("uncut", "H.264 with a keyframe each 10 s", cuts=False),
    Stills("ts", "H.264 in MPEG-TS", container="ts"),
    Stills("hevc", "HEVC in MP4", codec="hevc"),
    Stills("av1", "AV1 in Matroska", codec="av1", container="mkv"),
    Stills("vp9", "VP9 in Matroska", codec="vp9", container="mkv"),
)
