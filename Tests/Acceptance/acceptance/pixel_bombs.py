"""Small films and pictures whose headers claim pictures of gigabytes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from acceptance.hostile_media import ffmpeg

# Makes a file that claims pictures of so many columns and rows.
Make = Callable[[Path, int, int], None]

ONE = ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=1:duration=2"]


def made(name: str, *options: str) -> Callable[[Path], bytes]:
    return ffmpeg(name, *ONE, *options)


def replaced(data: bytes, old: bytes, new: bytes) -> bytes:
    """The bytes with all of a kind changed; there has to be one."""
    if old not in data:
        raise ValueError(f"no {old!r} in {len(data)} bytes")
    return data.replace(old, new)


def png(path: Path, width: int, height: int) -> None:
    head = struct.pack(">4sIIBBBBB", b"IHDR", width, height, 8, 2, 0, 0, 0)
    data = made("one.png", "-frames:v", "1")(path)
    path.write_bytes(data[:12] + head + struct.pack(">I", zlib.crc32(head)) + data[33:])


def black_png(path: Path, width: int, height: int) -> None:
    """A picture that is whole: a row of zeros is a byte of DEFLATE's."""
    packer = zlib.compressobj(9)
    rows = [packer.compress(bytes(1 + 3 * width)) for _ in range(height)]
    content = b"".join(rows) + packer.flush()

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", content) + chunk(b"IEND", b""))


def jpeg(path: Path, width: int, height: int) -> None:
    data = made("one.jpg", "-frames:v", "1", "-pix_fmt", "yuvj420p")(path)
    at = data.index(b"\xff\xc0")
    path.write_bytes(data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :])


def jpeg_2000(path: Path, width: int, height: int) -> None:
    """In a movie, whose own header says something else."""
    data = made("film.mov", "-c:v", "jpeg2000", "-pix_fmt", "rgb24")(path)
    sizes = struct.pack(">IIIIII", 64, 64, 0, 0, 256, 256)
    path.write_bytes(replaced(data, sizes, struct.pack(">IIIIII", width, height, 0, 0, width, height)))


def vp8(path: Path, width: int, height: int) -> None:
    data = made("film.webm", "-c:v", "libvpx", "-g", "1")(path)
    path.write_bytes(replaced(data, b"\x9d\x01\x2a\x40\0\x40\0", b"\x9d\x01\x2a" + struct.pack("<HH", width, height)))


def vp9(path: Path, width: int, height: int) -> None:
    """The sizes follow 4 bits after the three bytes that each sync sample has."""
    data = made("film.webm", "-c:v", "libvpx-vp9", "-g", "1")(path)

    def sized(columns: int, rows: int) -> int:
        return (columns - 1) << 20 | (rows - 1) << 4

    at, found = 0, bytearray(data)
    while (at := data.find(b"\x49\x83\x42", at) + 3) > 2:
        bits = int.from_bytes(data[at : at + 5], "big")
        if bits >> 4 & 0xFFFFFFFF == (63 << 16 | 63):
            bits = bits & ~(0xFFFFFFFF << 4) | sized(width, height)
            found[at : at + 5] = bits.to_bytes(5, "big")
    if bytes(found) == data:
        raise ValueError("no sync sample of VP9")
    path.write_bytes(found)


def encoded(name: str, *options: str) -> Make:
    """A film that is whole: one colour takes next to nothing."""

    def make(path: Path, width: int, height: int) -> None:
        source = ["-f", "lavfi", "-i", f"color=gray:size={width}x{height}:rate=1:duration=2"]
        path.write_bytes(ffmpeg(name, *source, "-threads", "1", *options)(path))

    return make


PIXEL_BOMBS: dict[str, Make] = {
    "header.png": png,
    "black.png": black_png,
    "header.jpg": jpeg,
    "jpeg2000.mov": jpeg_2000,
    "vp8.webm": vp8,
    "vp9.webm": vp9,
    "h264.mp4": encoded("film.mp4", "-c:v", "libx264", "-preset", "ultrafast"),
    "mjpeg.avi": encoded("film.avi", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p"),
}
# Those that can be made of any size, by changing a header.
OF_ANY_SIZE = ["header.png", "black.png", "header.jpg", "jpeg2000.mov", "vp8.webm", "vp9.webm"]
