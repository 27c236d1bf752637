"""Films that take a while to make: made once, with ffmpeg, and kept in the folder that AVTOOL_BENCH_DIR names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from acceptance.running import ffmpeg, say

WIDTH, HEIGHT, FRAME_RATE = 1920, 1080, 25
# No divisor or multiple of the spacing of what is asked for, so that not all of it falls on
# the same few frames of the repeated content.
CONTENT_SECONDS = 73
# A cut every three seconds or so, at uneven places, as in a film, and a keyframe at each.
# Without cuts there is a keyframe every ten seconds.
CUTS = "hflip=enable='lt(mod(t,9),4)',vflip=enable='lt(mod(t,14.6),6)',"
CUT_TIMES = sorted(i / 10 for i in range(CONTENT_SECONDS * 10) if i % 90 in (0, 40) or i % 146 in (0, 60))

ENCODERS = {
    "h264": "-c:v libx264 -preset veryfast -b:v 3M -g 250 -bf 3",
    "hevc": "-c:v libx265 -preset superfast -b:v 2M -tag:v hvc1"
    " -x265-params keyint=250:bframes=3:open-gop=1:log-level=error",
    "vp9": "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -b:v 2M -g 250",
    "av1": "-c:v libsvtav1 -preset 11 -b:v 2M -g 250",
}
CONTAINERS = {"mp4": ("h264", "hevc", "vp9", "av1"), "mkv": ("h264", "hevc", "vp9", "av1"), "ts": ("h264", "hevc")}
BYTES_PER_MINUTE = 28_000_000
KEPT_MINUTES = 180
long_films: list[Path] = []  # that this process made


def cache_folder() -> Path:
    folder = Path(os.environ.get("AVTOOL_BENCH_DIR") or Path.home() / ".cache" / "avtool-benchmarks")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def cached(name: str, make: Callable[[Path], None]) -> Path:
    """A file or a folder of the cache; `make` is asked for it once, and what it leaves unfinished is not taken."""
    path = cache_folder() / name
    if not path.exists():
        say(f"making {path}")
        partial = path.with_name(f"partial-{name}")
        make(partial)
        partial.rename(path)
    return path


def film(codec: str = "h264", container: str = "mp4", minutes: int = 20, *, cuts: bool = True) -> Path:
    """A repeated minute of busy 1080p picture, and a tone."""
    if codec not in CONTAINERS[container]:
        raise RuntimeError(f"{container} does not hold {codec} here")
    kind = codec if cuts else f"{codec}-uncut"

    def make(path: Path) -> None:
        if minutes * BYTES_PER_MINUTE > shutil.disk_usage(path.parent).free:
            raise RuntimeError(f"{path.parent} has no room for {minutes} minutes")
        tone = ["-f", "lavfi", "-i", "sine=frequency=330:sample_rate=48000", "-map", "0:v", "-map", "1:a"]
        picture = cached(f"content-{kind}.mp4", lambda content: make_content(content, codec, cuts=cuts))
        copying = ["-c:v", "copy", "-c:a", "aac", "-b:a", "96k", "-t", minutes * 60]
        ffmpeg("-stream_loop", -1, "-i", picture, *tone, *copying, path)
        if minutes > KEPT_MINUTES:
            long_films.append(cache_folder() / name)

    name = f"film-{kind}-{minutes}min.{container}"
    return cached(name, make)


def make_content(path: Path, codec: str, *, cuts: bool) -> None:
    half = f"s={WIDTH // 2}x{HEIGHT // 2}:r={FRAME_RATE}"
    zoom = f"mandelbrot={half}:end_scale=0.00003:end_pts={CONTENT_SECONDS * FRAME_RATE}:maxiter=600"
    blend = "[0]format=yuv420p[a];[1]format=yuv420p[b];[a][b]blend=all_mode=normal:all_opacity=0.7,"
    blend += f"{CUTS if cuts else ''}scale={WIDTH}:{HEIGHT}:flags=bicubic,noise=alls=8:allf=t,format=yuv420p"
    keyframes = ["-force_key_frames", ",".join(map(str, CUT_TIMES))] if cuts else []
    inputs = ["-f", "lavfi", "-i", zoom, "-f", "lavfi", "-i", f"testsrc2={half}", "-filter_complex", blend]
    ffmpeg(*inputs, *keyframes, "-t", CONTENT_SECONDS, *ENCODERS[codec].split(), path)


def remove_long_films() -> None:
    """Those that this process made: they take gigabytes."""
    while long_films:
        long_films.pop().unlink(missing_ok=True)


def make_noise(path: Path, seconds: int, size: str, coding: str, *more: object) -> None:
    """A film that is large for its length, of a test picture with noise, and a tone."""
    picture = f"testsrc2=s={size}:r={FRAME_RATE}:d={seconds},noise=alls=40:allf=t"
    inputs = ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", f"sine=d={seconds}"]
    ffmpeg(*inputs, "-c:v", "libx264", "-preset", "ultrafast", *coding.split(), "-c:a", "aac", *more, path)


def repeated(path: Path, source: Path, megabytes: int, *more: object) -> None:
    """Copies of a film, one after the other, of about so many megabytes."""
    loops = max(0, round(megabytes * 1e6 / source.stat().st_size) - 1)
    ffmpeg("-stream_loop", loops, "-i", source, "-c", "copy", *more, path)
