"""Exports: avtool against the ffmpeg command and HandBrakeCLI with the same settings.

Transcodes with presets of avtool, and with commands of the others that ask their encoders for the same, which is taken
from the preset's document: quality, speed, profile, keyframes, size, bit rate of sound. Then trims a large MP4 file
with the coded samples kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path

from acceptance import made_films
from acceptance.made_films import FRAME_RATE, HEIGHT, WIDTH, cached, repeated
from acceptance.measure import Case, Command, Measured, Tool
from acceptance.running import AVTOOL, Json, ffmpeg, parsed, run, text

FFMPEG = ("ffmpeg", "-v", "error", "-nostdin", "-y")
HANDBRAKE_ENCODERS = {"libx264": "x264", "libx265": "x265"}
MEMORY_GOAL = 1.2
# What may differ from ffmpeg's result before it is not the same work.
SIZE_DIFFERENCE, SSIM_DIFFERENCE = 0.02, 0.001


@dataclass(frozen=True)
class Settings:
    """What a preset's document makes of the film."""

    encoder: str
    quality: float
    speed: str
    profile: str | None
    keyint: int
    width: int
    height: int
    pixels: str
    audio: int

    @staticmethod
    def of(document: Json) -> Settings:
        video, audio = document["video"], document["audio"]
        control = video["rateControl"]
        if control["mode"] != "constantQuality" or audio["encoder"] != "aac" or "parameters" in video:
            raise RuntimeError(f"{document['name']}: only presets of constant quality with AAC are measured")
        if unknown := set(video.get("options", {})) - {"preset", "profile"}:
            raise RuntimeError(f"{document['name']}: the option {unknown} is not passed on to the others")
        box = video.get("maximumSize", {"width": WIDTH, "height": HEIGHT})
        scale = min(1, box["width"] / WIDTH, box["height"] / HEIGHT)
        return Settings(
            encoder=video["encoder"],
            quality=control["quality"],
            speed=video["options"]["preset"],
            profile=video["options"].get("profile"),
            keyint=round(video["keyframeSeconds"] * FRAME_RATE),
            width=2 * round(WIDTH * scale / 2),
            height=2 * round(HEIGHT * scale / 2),
            pixels=video["pixelFormats"][0],
            audio=audio["bitRates"]["1"],
        )

    def ffmpeg(self, film: Path, output: Path) -> Command:
        scale = [] if self.width == WIDTH else ["-vf", f"scale={self.width}:{self.height}:flags=bicubic"]
        profile = ["-profile:v", self.profile] if self.profile else []
        coding = ["-c:v", self.encoder, "-crf", f"{self.quality:g}", "-preset", self.speed, "-pix_fmt", self.pixels]
        hevc = ["-tag:v", "hvc1", "-x265-params", "log-level=error"] if self.encoder == "libx265" else []
        sound = ["-c:a", "aac", "-b:a", self.audio, "-movflags", "+faststart"]
        return [*FFMPEG, "-i", film, *scale, *coding, *profile, "-g", self.keyint, *hevc, *sound, output]

    def handbrake(self, film: Path, output: Path) -> Command:
        encoder = ["-e", HANDBRAKE_ENCODERS[self.encoder], "--encoder-preset", self.speed, "-q", f"{self.quality:g}"]
        profile = ["--encoder-profile", self.profile] if self.profile else []
        picture = ["-x", f"keyint={self.keyint}", "--vfr", "-w", self.width, "-l", self.height, "--crop-mode", "none"]
        picture += ["--non-anamorphic", "--no-comb-detect", "--no-decomb", "--no-deinterlace"]
        sound = ["-a", 1, "-E", "av_aac", "-B", self.audio // 1000]
        return ["HandBrakeCLI", "-i", film, "-o", output, "-f", "av_mp4", "-O", *encoder, *profile, *picture, *sound]


def cut(path: Path, seconds: int) -> None:
    ffmpeg("-i", made_films.film(minutes=1), "-t", seconds, "-c", "copy", path)


@dataclass(frozen=True)
class Transcode(Case):
    preset: str = "high"
    seconds: int = 10
    peers: Sequence[str] = ("ffmpeg", "HandBrakeCLI")

    def film(self) -> Path:
        return cached(f"export-{self.seconds}s.mp4", partial(cut, seconds=self.seconds))

    @cached_property
    def settings(self) -> Settings:
        return Settings.of(parsed([AVTOOL, "presets", "show", self.preset, "--json"]))

    def tools(self) -> list[Tool]:
        def own(folder: Path) -> list[Command]:
            return [[AVTOOL, "export", "--preset", self.preset, "-o", folder / "out.mp4", self.film()]]

        def by_ffmpeg(folder: Path) -> list[Command]:
            return [self.settings.ffmpeg(self.film(), folder / "out.mp4")]

        def by_handbrake(folder: Path) -> list[Command]:
            return [self.settings.handbrake(self.film(), folder / "out.mp4")]

        def peer(name: str, label: str, commands: Callable[[Path], list[Command]], goal: float) -> Tool:
            return Tool(name, label, commands, name, count=1, goal=goal, memory_goal=MEMORY_GOAL)

        tools = [
            Tool("avtool", f"avtool export --preset {self.preset}", own, AVTOOL, count=1),
            peer("ffmpeg", "ffmpeg, same settings", by_ffmpeg, 0.95),
            peer("HandBrakeCLI", "HandBrakeCLI, matching settings", by_handbrake, 0.90),
        ]
        return [tool for tool in tools if tool.name in ("avtool", *self.peers)]

    def quality(self, folder: Path) -> float:
        """SSIM of all frames against the film, made as small as the output."""
        size = f"{self.settings.width}:{self.settings.height}"
        graph = f"[1:v]scale={size}:flags=bicubic,setpts=PTS-STARTPTS,settb=AVTB[a];"
        graph += "[0:v]setpts=PTS-STARTPTS,settb=AVTB[b];[b][a]ssim"
        inputs = ["-i", folder / "out.mp4", "-i", self.film()]
        result = run(["ffmpeg", "-hide_banner", "-nostdin", *inputs, "-lavfi", graph, "-an", "-f", "null", "-"], 1800)
        found = re.findall(r"SSIM .*All:([\d.]+)", text(result.stderr))
        if not found:
            raise RuntimeError(f"no SSIM of {self.name}: {text(result.stderr)[-500:]}")
        return float(found[-1])

    def remark(self, own: Measured, other: Measured) -> str:
        ssim = "" if other.quality is None else f"SSIM {other.quality:.4f}"
        if other is own or own.quality is None or other.quality is None:
            return ssim
        larger, better = own.made / other.made - 1, own.quality - other.quality
        is_same = abs(larger) <= SIZE_DIFFERENCE and abs(better) <= SSIM_DIFFERENCE
        mark = "" if is_same or other.tool.name != "ffmpeg" else " **differs**"
        return f"{ssim}; avtool's size {larger:+.1%}, SSIM {better:+.4f}{mark}"


@dataclass(frozen=True)
class Trim(Case):
    """All but the first minute and the last half minute, coded samples kept."""

    megabytes: int = 450

    def film(self) -> Path:
        return cached(f"export-{self.megabytes}MB.mp4", self.make)

    def make(self, path: Path) -> None:
        repeated(path, made_films.film(minutes=1), self.megabytes)

    @cached_property
    def ends(self) -> tuple[str, str]:
        shown = parsed(["ffprobe", "-v", "error", "-of", "json", "-show_format", self.film()])
        return "61.56", f"{float(Fraction(shown['format']['duration']) - Fraction('30.2')):.2f}"

    def avtool(self, folder: Path) -> list[Command]:
        start, end = self.ends
        words = ["--preset", "passthrough", "--range", f"{start}s..{end}s", "-o", folder / "out.mp4"]
        return [[AVTOOL, "export", *words, self.film()]]

    def ffmpeg(self, folder: Path, more: Command = ()) -> list[Command]:
        start, end = self.ends
        return [[*FFMPEG, "-ss", start, "-to", end, "-i", self.film(), "-c", "copy", *more, folder / "out.mp4"]]

    def tools(self) -> list[Tool]:
        fast_start = partial(self.ffmpeg, more=("-movflags", "+faststart"))
        copying = "ffmpeg -c copy"
        return [
            Tool("avtool", "avtool export --preset passthrough", self.avtool, AVTOOL, count=1),
            Tool("ffmpeg", copying, self.ffmpeg, "ffmpeg", count=1, goal=1, memory_goal=MEMORY_GOAL),
            Tool("ffmpeg-synced", f"{copying}, and sync", self.ffmpeg, "ffmpeg", count=1, is_synced=True),
            Tool("ffmpeg-faststart", f"{copying} -movflags +faststart", fast_start, "ffmpeg", count=1),
        ]


CASES = (
    Transcode("low", "20 s of 1080p to 480x270", preset="low", seconds=20, rounds=3),
    Transcode("high", "10 s of 1080p to H.264", kind="wall", preset="high", rounds=3),
    Transcode("hevc", "4 s of 1080p to HEVC", preset="hevc-1920x1080", seconds=4, rounds=3),
    Trim("trim", "most of 450 MB, samples kept"),
)
