"""What a change of metadata must keep, and what must come back."""

from __future__ import annotations

import json
import random
import re
import zlib
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from acceptance.running import Findings, Json, parsed, run, text


def comparable(shown: Json) -> Json:
    """What must come back; numbers of tracks that hold chapters may differ."""
    kept = {key: shown.get(key) for key in ("metadata", "tracks", "chapterLists", "mediaItem")}

    # Times count as fractions: 44/44100 is 440/441000.
    def time_of(node: Json) -> object:
        return str(Fraction(node["value"], node["timescale"])) if node.keys() >= {"value", "timescale"} else node

    kept = json.loads(json.dumps(kept), object_hook=time_of)
    for chapters in kept["chapterLists"] or []:
        chapters.pop("trackID", None)
    # Boxes of one key space may go before those of another; within one, the order counts.
    kept["metadata"] = sorted(kept["metadata"] or [], key=lambda item: item["identifier"].partition("/")[0])
    kept["tracks"] = [track for track in kept["tracks"] or [] if track["metadata"]]
    return dict(kept)


def differences(old: Any, new: Any, path: str = "") -> list[str]:
    if type(old) is not type(new):
        return [f"{path}: {str(old)[:120]} → {str(new)[:120]}"]
    if isinstance(old, dict):
        return [
            d
            for key in sorted(old.keys() | new.keys())
            for d in differences(old.get(key), new.get(key), f"{path}.{key}")
        ]
    if isinstance(old, list):
        found = [f"{path}: {len(old)} → {len(new)} entries"] if len(old) != len(new) else []
        return found + [d for i, (a, b) in enumerate(zip(old, new)) for d in differences(a, b, f"{path}[{i}]")]
    return [] if old == new else [f"{path}: {str(old)[:120]} → {str(new)[:120]}"]


def packets(file: Path, format: str = "framemd5") -> str:
    """All packets of the media with their times, without pictures of covers and chapters."""
    streams = parsed(["ffprobe", "-v", "error", "-of", "json", "-show_streams", f"file:{file}"]).get("streams", [])
    maps = []
    for stream in streams:
        disposition = stream.get("disposition", {})
        if stream.get("codec_type") not in ("video", "audio", "subtitle"):
            continue
        if not disposition.get("attached_pic") and not disposition.get("timed_thumbnails"):
            maps += ["-map", f"0:{stream['index']}"]
    if not maps:
        return "no streams"
    result = run(["ffmpeg", "-v", "error", "-copyts", "-i", f"file:{file}", *maps, "-c", "copy", "-f", format, "-"])
    # What follows the hash is side data, such as metadata of Ogg files.
    lines = [
        re.sub(r", S=.*", "", line)
        for line in text(result.stdout).splitlines()
        if not line.startswith(("#software", "#extradata"))
    ]
    return f"{len(lines)} lines, {zlib.crc32(chr(10).join(lines).encode()):08x}"


def complaints(file: Path) -> Counter[str]:
    # With several threads, of what is damaged they are not the same each time.
    result = run(
        [
            "ffmpeg",
            "-v",
            "error",
            "-threads",
            "1",
            "-i",
            f"file:{file}",
            "-map",
            "0:v?",
            "-map",
            "0:a?",
            "-f",
            "null",
            "-",
        ]
    )
    return Counter(
        re.sub(r"0x[0-9a-f]+|\d+", "#", line)
        for line in text(result.stderr).splitlines()
        if "Last message repeated" not in line
    )


@dataclass
class State:
    """What a change must keep."""

    packets: str
    complaints: Counter[str]

    @staticmethod
    def of(file: Path) -> State:
        return State(packets(file), complaints(file))

    def check(self, findings: Findings, kind: str, file: Path) -> None:
        now = State.of(file)
        findings.expect(now.packets == self.packets, f"{kind}: other packets: {self.packets} → {now.packets}")
        new = now.complaints - self.complaints
        findings.expect(not new, f"{kind}: ffmpeg complains: {list(new)[:3]}")
        others = [p.name for p in file.parent.iterdir() if p != file]
        findings.expect(not others, f"{kind}: other files: {others}")


def values_in(value: object) -> list[str]:
    """All texts and numbers in a JSON value."""
    if isinstance(value, dict):
        return [v for one in value.values() for v in values_in(one)]
    if isinstance(value, (list, tuple)):
        return [v for one in value for v in values_in(one)] + ["/".join(map(str, value))]
    return [str(value)]


def picture_text(data: bytes) -> str:
    """What is said of a PNG for people."""
    width, height = (int.from_bytes(data[start : start + 4], "big") for start in (16, 20))
    length = f"{len(data)} bytes" if len(data) < 1000 else f"{(len(data) + 500) // 1000} kB"
    return f"{width}x{height} PNG {length}"


def picture(size: int) -> bytes:
    """A PNG of about `size` bytes: noise does not compress."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    side = max(1, int((size / 3) ** 0.5))
    rows = b"".join(b"\0" + random.randbytes(3 * side) for _ in range(side))
    head = side.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")
