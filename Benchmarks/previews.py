"""Storyboards and contact sheets: avtool against one pass of ffmpeg, and against vcsi.

`ffmpeg -skip_frame nokey … -vf fps=1/10,scale=160:-2,tile=10x10` is the form that most guides and plug-ins give: one
pass that decodes keyframes only, and the least work that ffmpeg can be asked for. Its tiles are the keyframes that
happen to lie near, without times. Over VP9 it takes minutes: that decoder takes no notice of -skip_frame. vcsi makes
each tile by an ffmpeg of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from acceptance import made_films
from acceptance.measure import Case, Command, Tool
from acceptance.running import AVTOOL, ROOT

VCSI = ROOT / ".build/benchmarks/venv/bin/vcsi"
# Those that it looks for by default are another distribution's.
FONTS = Path("/usr/share/fonts/truetype/dejavu")
EVERY, WIDTH, HEIGHT = 10, 160, 90


def vcsi(film: Path, folder: Path, columns: int, rows: int, width: int) -> list[Command]:
    fonts = ["--metadata-font", FONTS / "DejaVuSans-Bold.ttf", "--timestamp-font", FONTS / "DejaVuSans.ttf"]
    grid = ["-g", f"{columns}x{rows}", "-w", width, "-f", "jpg"]
    return [[VCSI, *grid, *fonts, "-t", "-o", folder / "out.jpg", film]]


@dataclass(frozen=True)
class Film(Case):
    codec: str = "h264"
    container: str = "mp4"
    cuts: bool = True
    minutes: int = 20

    def film(self) -> Path:
        return made_films.film(self.codec, self.container, self.minutes, cuts=self.cuts)


@dataclass(frozen=True)
class Storyboard(Film):
    """A tile every ten seconds."""

    exact: bool = False
    peer: str = "nokey"
    goal: float = float("inf")

    @property
    def tiles(self) -> int:
        return -(-self.minutes * 60 // EVERY)

    def tools(self) -> list[Tool]:
        more = ["--exact"] if self.exact else []
        words = [AVTOOL, "storyboard", "--every", f"{EVERY}s", "--tile", f"{WIDTH}x{HEIGHT}", *more]

        def storyboard(folder: Path) -> list[Command]:
            return [[*words, "-o", folder / "out", self.film()]]

        label, sheets = " ".join(["avtool storyboard", *more]), -(-self.tiles // 100)
        own = Tool("avtool", label, storyboard, AVTOOL, "out/storyboard-*.jpg", sheets)
        if self.peer == "nokey":
            return [own, Tool("nokey", "ffmpeg -skip_frame nokey, one pass", self.one_pass, "ffmpeg", goal=self.goal)]
        return [own, Tool("vcsi", f"vcsi -g 10x{self.rows}", self.vcsi, VCSI, count=1, goal=self.goal)]

    def one_pass(self, folder: Path) -> list[Command]:
        command = ["ffmpeg", "-v", "error", "-nostdin", "-skip_frame", "nokey", "-i", self.film(), "-an", "-sn"]
        return [[*command, "-vf", f"fps=1/{EVERY},scale={WIDTH}:-2,tile=10x10", "-q:v", 4, f"{folder}/%03d.jpg"]]

    @property
    def rows(self) -> int:
        return -(-self.tiles // 10)

    def vcsi(self, folder: Path) -> list[Command]:
        # Five pixels between the tiles.
        return vcsi(self.film(), folder, 10, self.rows, 10 * WIDTH + 9 * 5)


@dataclass(frozen=True)
class Sheet(Film):
    """A sheet of 4x4 tiles, 1500 pixels wide."""

    def tools(self) -> list[Tool]:
        def sheet(folder: Path) -> list[Command]:
            words = ["--columns", 4, "--rows", 4, "--width", 1500, "-o", folder / "out.jpg"]
            return [[AVTOOL, "sheet", *words, self.film()]]

        def vcsi_sheet(folder: Path) -> list[Command]:
            return vcsi(self.film(), folder, 4, 4, 1500)

        return [
            Tool("avtool", "avtool sheet", sheet, AVTOOL, count=1),
            Tool("vcsi", "vcsi -g 4x4", vcsi_sheet, VCSI, count=1),
        ]


CASES = (
    Storyboard("h264", "H.264 in MP4", kind="wall", goal=0.2),
    Storyboard("exact", "the same, exact", exact=True),
    Storyboard("vcsi", "as many tiles", peer="vcsi", goal=0.1, rounds=2, is_watched=False),
    Sheet("sheet", "a sheet of 4x4"),
    Storyboard("uncut", "H.264 with a keyframe each 10 s", cuts=False),
    Storyboard("hevc", "HEVC in MP4", codec="hevc"),
    Storyboard("vp9", "VP9 in Matroska", codec="vp9", container="mkv", rounds=2, is_watched=False),
    Storyboard("av1", "AV1 in Matroska", codec="av1", container="mkv"),
    Storyboard("ts", "H.264 in MPEG-TS", container="ts"),
)
