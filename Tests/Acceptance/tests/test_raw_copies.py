"""Pictures that hardly a container says anything of, copied as they are: uncompressed ones, and raw H.264 and HEVC."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.endings import call, refused
from acceptance.faults import contents
from acceptance.films import fixture
from acceptance.picture_streams import decoded, times
from acceptance.running import AVTOOL, ffmpeg, run, text

LAYOUTS = [
    "yuv420p", "yuv422p", "yuv444p", "yuyv422", "uyvy422", "nv12", "rgb24", "bgr24", "bgra", "argb", "gray", "gray16be",
    "pal8", "rgb555le", "rgb48be", "yuv420p10le", "gbrp",
]  # fmt: skip


# Under a code of another container, libavformat writes what nobody can read, or reads as other pictures.
@pytest.mark.parametrize("layout", LAYOUTS)
def test_uncompressed_pictures_stay_as_they_are_or_are_refused(layout: str, tmp_path: Path) -> None:
    pattern = ["-f", "lavfi", "-i", "testsrc2=s=68x50:r=10:d=0.5", "-pix_fmt", layout, "-c:v", "rawvideo"]
    copied = set()
    for kind in ["avi", "mov", "mkv", "nut"]:
        source = tmp_path / f"source.{kind}"
        made = run(["ffmpeg", "-v", "error", *pattern, source])
        if made.returncode or made.stderr:
            continue  # ffmpeg cannot put them there either
        for target in ["mov", "avi", "mkv", "mp4"]:
            output = tmp_path / f"{layout}-{kind}.{target}"
            done = run([AVTOOL, "export", "--preset", "passthrough", "-o", output, source])
            if done.returncode:
                assert done.returncode == 65 and "cannot hold rawvideo as it is" in text(done.stderr), text(done.stderr)
                assert not output.exists()
            else:
                pixels = ["-pix_fmt", "rgb48le"]
                assert decoded(output, *pixels) == decoded(source, *pixels), output.name
                copied.add((kind, target))
        source.unlink()
    # A kind of file that could hold them holds them again.
    assert all((kind, kind) in copied for kind in {kind for kind, _ in copied} & {"avi", "mov"})


RAW = [("h264", ["libx264", "-bf", 3]), ("h264", ["libx264", "-bf", 0]), ("hevc", ["libx265", "-bf", 4])]


@pytest.mark.parametrize(("kind", "coder"), RAW)
@pytest.mark.parametrize("target", ["mp4", "mkv", "ts"])
def test_raw_pictures_get_their_times(kind: str, coder: list[object], target: str, tmp_path: Path) -> None:
    source, output = tmp_path / f"raw.{kind}", tmp_path / f"made.{target}"
    quiet = ["-x265-params", "log-level=none"] if kind == "hevc" else []
    ffmpeg("-t", 3, "-i", fixture("movie.mp4"), "-an", "-c:v", *coder, *quiet, source)
    call(tmp_path, "export", "--preset", "passthrough", "-o", output, source)
    assert decoded(output) == decoded(source) and len(decoded(source)) == 75
    shown, _ = times(output)
    steps = {round(float(later - earlier), 3) for earlier, later in zip(shown, shown[1:], strict=False)}
    assert steps == {0.04}, steps
    piped = tmp_path / f"piped.{target}"
    done = run(["sh", "-c", f"cat {source} | {AVTOOL} export --preset passthrough -o {piped} -"])
    assert done.returncode == 0, text(done.stderr)
    assert decoded(piped) == decoded(source)


def test_a_part_of_raw_pictures(tmp_path: Path) -> None:
    source, output = tmp_path / "raw.h264", tmp_path / "made.mp4"
    ffmpeg(
        "-i", fixture("movie.mp4"), "-an", "-c:v", "libx264", "-bf", 3, "-g", 25, "-x264-params", "open-gop=0", source
    )
    call(tmp_path, "export", "--preset", "passthrough", "--range", "2s..4s", "-o", output, source)
    assert decoded(output) == decoded(source)[50:100]
    before = contents(tmp_path)
    refused(tmp_path, 65, "", "export", "--preset", "passthrough", "--range", "20s..24s", "-o", "no.mp4", source)
    assert contents(tmp_path) == before
