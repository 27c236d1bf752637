"""What check-metadata-writing runs and compares: tools, packets, what a change must keep."""

from __future__ import annotations

import json
import random
import re
import subprocess
import zlib
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path


@dataclass
class Report:
    failures: list[str] = field(default_factory=list)
    counts: Counter = field(default_factory=Counter)

    def check(self, kind: str, file: Path, good: bool, detail: str = "") -> bool:
        self.counts[kind, good] += 1
        if not good:
            self.failures.append(f"{kind}: {file}: {detail}")
            print(f"  FAILED {kind}: {file}: {detail[:700]}", flush=True)
        return good

    def print_counts(self) -> None:
        print(f"\n{'check':42}{'passed':>8}{'failed':>8}{'skipped':>9}")
        for kind in dict.fromkeys(kind for kind, _ in self.counts):
            passed, failed, skipped = (self.counts[kind, key] for key in (True, False, None))
            print(f"{kind:42}{passed:8}{failed:8}{skipped:9}")

    def skip(self, kind: str) -> None:
        self.counts[kind, None] += 1


# --- running ----------------------------------------------------------------------------


def run(command: list, timeout: int = 300) -> subprocess.CompletedProcess:
    words = [str(word) for word in command]
    try:
        return subprocess.run(words, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, b"", b"took too long")


def text(data: bytes) -> str:
    return data.decode(errors="replace").strip()


def parsed(command: list) -> dict:
    try:
        value = json.loads(run(command).stdout)
    except ValueError:
        return {}
    return value[0] if isinstance(value, list) else value


@dataclass
class Tool:
    path: str

    def show(self, file: Path) -> dict:
        return parsed([self.path, "metadata", "show", "--json", file])

    def __call__(self, *words: object) -> tuple[int, str]:
        result = run([self.path, *words])
        return result.returncode, text(result.stderr) or text(result.stdout)


def comparable(shown: dict) -> dict:
    """What must come back; numbers of tracks that hold chapters may differ."""
    kept = {key: shown.get(key) for key in ("metadata", "tracks", "chapterLists", "mediaItem")}

    # Times count as fractions: 44/44100 is 440/441000.
    def time_of(node: dict) -> object:
        return str(Fraction(node["value"], node["timescale"])) if node.keys() >= {"value", "timescale"} else node

    kept = json.loads(json.dumps(kept), object_hook=time_of)
    for chapters in kept["chapterLists"] or []:
        chapters.pop("trackID", None)
    # Boxes of one key space may go before those of another; within one, the order counts.
    kept["metadata"] = sorted(kept["metadata"] or [], key=lambda item: item["identifier"].partition("/")[0])
    kept["tracks"] = [track for track in kept["tracks"] or [] if track["metadata"]]
    return kept


def differences(old: object, new: object, path: str = "") -> list[str]:
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


def complaints(file: Path) -> Counter:
    result = run(["ffmpeg", "-v", "error", "-i", f"file:{file}", "-map", "0:v?", "-map", "0:a?", "-f", "null", "-"])
    return Counter(
        re.sub(r"0x[0-9a-f]+|\d+", "#", line)
        for line in text(result.stderr).splitlines()
        if "Last message repeated" not in line
    )


@dataclass
class State:
    """What a change must keep."""

    packets: str
    complaints: Counter

    @staticmethod
    def of(file: Path) -> State:
        return State(packets(file), complaints(file))

    def check(self, report: Report, kind: str, file: Path, original: Path) -> None:
        now = State.of(file)
        same = now.packets == self.packets
        report.check(f"{kind}: same packets", original, same, f"{self.packets} → {now.packets}")
        new = now.complaints - self.complaints
        report.check(f"{kind}: no new complaints", original, not new, f"{list(new)[:3]}")
        others = [p.name for p in file.parent.iterdir() if p != file]
        report.check(f"{kind}: no other files", original, not others, f"{others}")


def values_in(value: object) -> list[str]:
    """All texts and numbers in a JSON value."""
    if isinstance(value, dict):
        return [v for one in value.values() for v in values_in(one)]
    if isinstance(value, (list, tuple)):
        return [v for one in value for v in values_in(one)] + ["/".join(map(str, value))]
    return [str(value)]


def picture(size: int) -> bytes:
    """A PNG of about `size` bytes: noise does not compress."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    side = max(1, int((size / 3) ** 0.5))
    rows = b"".join(b"\0" + random.randbytes(3 * side) for _ in range(side))
    head = side.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


def files_of(paths: list[Path]) -> list[Path]:
    """The files themselves, and those in folders, at any depth."""
    ignored = {".md", ".tsv", ".json", ".txt", ".py", ".sh", ".m3u8", ""}
    found = []
    for path in paths:
        found += (
            sorted(f for f in path.rglob("*") if f.is_file() and f.suffix not in ignored) if path.is_dir() else [path]
        )
    return found
