"""Patches of known colors through every command, wherever the file says what its samples mean.

The sources are made by ffmpeg: the patches as RGB, converted by zscale. The colors stand in the stream, in the
container, or in both. Stills and exports are read by ffmpeg, which is told the matrix and the range that the result
states, and by mediainfo.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from acceptance import films
from acceptance.running import AVTOOL, parsed, run

PATCHES = [
    (200, 30, 30), (30, 200, 30), (30, 30, 200), (200, 200, 40), (40, 190, 190), (190, 40, 190), (128, 128, 128),
    (235, 150, 110),
]  # fmt: skip
(SIDE, FRAMES) = (64, 4)
SIZE = f"{SIDE * len(PATCHES)}x{SIDE * 2}"
# The difference that coding in 4:2:0 and eight bits makes amid a patch.
(NEAR, LOW) = (6, 18)

COLORS = {
    "709": ("bt709", "bt709", "bt709", "tv"), "601": ("smpte170m", "smpte170m", "smpte170m", "tv"),
    "470bg": ("bt470bg", "gamma28", "bt470bg", "tv"), "full": ("bt709", "bt709", "bt709", "pc"),
    "2020": ("bt2020", "bt2020-10", "bt2020nc", "tv"),
}  # fmt: skip
CODECS = {
    "h264": ["-c:v", "libx264", "-qp", "4", "-pix_fmt", "yuv420p"],
    "hevc": ["-c:v", "libx265", "-x265-params", "qp=4:log-level=none", "-pix_fmt", "yuv420p10le"],
    "mpeg2": ["-c:v", "mpeg2video", "-q:v", "1", "-pix_fmt", "yuv420p"],
    "prores": ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"],
    "dnxhr": ["-c:v", "dnxhd", "-profile:v", "dnxhr_hq", "-pix_fmt", "yuv422p"],
    "vp9": ["-c:v", "libvpx-vp9", "-lossless", "1", "-pix_fmt", "yuv420p"],
    "av1": ["-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "5", "-pix_fmt", "yuv420p10le"],
}
# What makes a stream say nothing of its colors.
SILENT = {
    "h264": "h264_metadata=colour_primaries=2:transfer_characteristics=2:matrix_coefficients=2",
    "hevc": "hevc_metadata=colour_primaries=2:transfer_characteristics=2:matrix_coefficients=2",
    "mpeg2": "mpeg2_metadata=colour_primaries=2:transfer_characteristics=2:matrix_coefficients=2",
    "prores": "prores_metadata=color_primaries=unknown:color_trc=unknown:colorspace=unknown",
}
# Containers for streams that say it, and for those that do not.
STREAM_ONLY = {"h264": "ts", "hevc": "ts", "mpeg2": "ts"}
PRESETS = {
    "low": "mp4", "hevc-high": "mp4", "webm-vp9": "webm", "webm-av1": "webm", "prores-422": "mov", "dnxhr-hq": "mov",
}  # fmt: skip
PASSTHROUGH = {
    "h264": "mp4 mov mkv ts", "hevc": "mp4 mov mkv ts", "mpeg2": "mp4 mov mkv ts", "prores": "mov mkv",
    "dnxhr": "mov mkv", "vp9": "mp4 mkv webm", "av1": "mp4 mkv webm",
}  # fmt: skip


@dataclass
class Case:
    codec: str
    place: str
    colors: str

    def __str__(self) -> str:
        return f"{self.codec}-{self.place}-{self.colors}"


def cases() -> Iterator[films.Parameter]:
    for codec in CODECS:
        places = ["both"]
        if codec in STREAM_ONLY:
            places.append("stream")
        if codec in SILENT:
            places += ["container-mkv"] if codec == "mpeg2" else ["container-mkv", "container-mov"]
        for place in places:
            for colors in COLORS:
                # Their headers have no place for it, or the encoder writes another range.
                if colors == "full" and codec in ("mpeg2", "prores", "dnxhr"):
                    continue
                is_quick = colors == "601" and codec not in ("vp9", "av1", "mpeg2")
                yield pytest.param(Case(codec, place, colors), marks=[] if is_quick else pytest.mark.slow)


READS_PATCHES = [
    "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", SIZE, "-r", "10", "-i", "-",
]  # fmt: skip


def raw() -> bytes:
    row = b"".join(bytes(color) * SIDE for color in PATCHES)
    return row * (SIDE * 2) * FRAMES


def make(case: Case, folder: Path) -> Path:
    (primaries, transfer, matrix, color_range) = COLORS[case.colors]
    suffix = {"container-mkv": "mkv", "container-mov": "mov", "stream": "ts"}.get(case.place, "mkv")
    if case.place == "both" and case.codec in ("prores", "dnxhr"):
        suffix = "mov"
    file = folder / f"source.{suffix}"
    tags = ["-color_primaries", primaries, "-color_trc", transfer, "-colorspace", matrix, "-color_range", color_range]
    names = {"smpte170m": "170m", "bt470bg": "470bg", "bt2020nc": "2020_ncl", "bt709": "709"}
    convert = f"format=gbrp,zscale=min=gbr:rin=pc:m={names[matrix]}:r={'limited' if color_range == 'tv' else 'full'}"
    silent = ["-bsf:v", SILENT[case.codec]] if case.place.startswith("container") else []
    # The field is named by its own options, since the filter's names of curves differ.
    command = [*READS_PATCHES, "-vf", convert, *CODECS[case.codec], *tags, *silent, str(file)]
    subprocess.run(command, input=raw(), check=True)
    return file


# The matrices' names by mediainfo and by zscale.
MATRICES = {"BT.709": "709", "BT.601": "170m", "BT.470 System B/G": "470bg", "BT.2020 non-constant": "2020_ncl"}


@dataclass
class Stated:
    """What mediainfo says of a file's colors, the container's words before the stream's."""

    primaries: str
    transfer: str
    matrix: str
    range: str


def stated(file: Path) -> Stated:
    tracks = parsed(["mediainfo", "--Output=JSON", file])["media"]["track"]
    track = next(track for track in tracks if track["@type"] == "Video")
    keys = ("colour_primaries", "transfer_characteristics", "matrix_coefficients", "colour_range")
    return Stated(*(track.get(key, "") for key in keys))


def patches(file: Path, said: Stated | None = None) -> list[tuple[int, ...]]:
    """The color amid each patch: of a still as it is, of frames as they are stated."""
    convert = "format=rgb24"
    if said is not None:
        (name, color_range) = ("full", "pc") if said.range == "Full" else ("limited", "tv")
        matrix = f"min={MATRICES[said.matrix]}:rin={name}:m=gbr:r=full"
        convert = f"setparams=range={color_range},zscale={matrix},format=gbrp,format=rgb24"
    made = run(["ffmpeg", "-v", "error", "-i", file, "-frames:v", "1", "-vf", convert, "-f", "rawvideo", "-"])
    made.check_returncode()
    width = len(made.stdout) // 3 // (SIDE * 2)
    found = []
    for number in range(len(PATCHES)):
        start = (SIDE * width + number * width // len(PATCHES) + width // len(PATCHES) // 2) * 3
        found.append(tuple(made.stdout[start : start + 3]))
    return found


def differences(found: list[tuple[int, ...]], wanted: list[tuple[int, ...]] | None = None) -> int:
    pairs = zip(found, wanted or PATCHES, strict=True)
    return max(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_color_matrix(case: Case, tmp_path: Path) -> None:
    source = make(case, tmp_path)
    wrong: dict[str, object] = {}
    still = tmp_path / "still.png"
    run([AVTOOL, "thumbs", "--at", "0.15s", "-o", still, source]).check_returncode()
    if case.colors != "2020" and (far := differences(patches(still))) > NEAR:
        wrong["thumbs"] = far
    told = stated(source)
    runs = [("passthrough", suffix) for suffix in PASSTHROUGH[case.codec].split()] + list(PRESETS.items())
    for preset, suffix in runs:
        (file, name) = (tmp_path / f"{preset}.{suffix}", f"{preset} {suffix}")
        run([AVTOOL, "export", "--preset", preset, "-o", file, source]).check_returncode()
        said = stated(file)
        if not said.matrix:
            wrong[name] = "says no matrix"
            continue
        if (far := differences(patches(file, said))) > (LOW if preset == "low" else NEAR):
            wrong[name] = (far, str(said))
        # The header of VC-3 knows two matrices.
        matrix = "BT.709" if preset == "dnxhr-hq" and "601" in told.matrix + told.primaries else told.matrix
        if (said.primaries, said.matrix) != (told.primaries, matrix):
            wrong[name] = str((said, told))
    assert not wrong, json.dumps(wrong)


@pytest.mark.parametrize("start", [0, 70])
@pytest.mark.parametrize("transfer", ["arib-std-b67", "smpte2084"])
def test_hdr_becomes_the_same_in_stills_and_exports(transfer: str, start: int, tmp_path: Path) -> None:
    """Also where the times of the source are not those of the new file."""
    (source, still) = (tmp_path / "source.mkv", tmp_path / "still.png")
    tags = f"color_primaries=bt2020:color_trc={transfer}:colorspace=bt2020nc:range=tv"
    convert = f"format=gbrp,zscale=min=gbr:rin=pc:m=2020_ncl:r=limited,format=yuv444p10le,setparams={tags}"
    offset = ["-output_ts_offset", str(start)]
    subprocess.run([*READS_PATCHES, "-vf", convert, "-c:v", "ffv1", *offset, str(source)], input=raw(), check=True)
    run([AVTOOL, "thumbs", "--at", "0.15s", "-o", still, source]).check_returncode()
    expected = patches(still)
    assert differences(expected) > 40
    for preset, suffix, most in (("high", "mp4", 4), ("low", "mp4", LOW), ("gif", "gif", 4)):
        file = tmp_path / f"{preset}.{suffix}"
        part = ["--range", "0.2s..0.4s"] if start else []
        run([AVTOOL, "export", "--preset", preset, *part, "-o", file, source]).check_returncode()
        made = patches(file, stated(file)) if suffix == "mp4" else patches(file)
        far = differences(made, expected)
        assert far <= most, (preset, made, expected)
