"""What the checks of exports share: running the command, and what other tools decode of files.

Times are exact fractions of a second. What is expected of a new file comes from a decode of its
source from start to end by ffmpeg, never from avtool.
"""

from __future__ import annotations

import bisect
import json
import re
import tempfile
import time
from array import array
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy

from acceptance.running import AVTOOL, ROOT, Json, json_lines, parsed, run, text

# The presets, and the extensions of the files that they make first; None: the source's own, where it can be made.
PRESETS = {
    "passthrough": None,
    **dict.fromkeys(("low", "medium", "high", "640x480", "960x540", "1280x720", "1920x1080", "3840x2160"), "mp4"),
    **dict.fromkeys(("hevc-1920x1080", "hevc-3840x2160", "hevc-high"), "mp4"),
    "prores-422": "mov",
    "prores-4444": "mov",
    "m4a": "m4a",
    "mp3": "mp3",
    "opus": "opus",
    "webm-vp9": "webm",
    "webm-av1": "webm",
    "gif": "gif",
}
SOUND_ONLY = {"m4a", "mp3", "opus"}  # those that leave pictures out
PICTURES_ONLY = {"gif"}  # those that leave sound out
EXIT_CODES = {0, 64, 65, 66, 70, 73, 74, 75, 130}
RATE = 48_000  # of decoded sound
THUMB = 64  # width and height of the small grey pictures


def highest_rate(preset: str) -> Fraction:
    """The rate of pictures up to which a preset may leave none out, of 30 at most."""
    document = json.loads((ROOT / "presets" / f"{preset}.json").read_text(encoding="utf-8"))
    return min(Fraction(30), Fraction(document["video"].get("maximumFrameRate", 30)))


# --- avtool -----------------------------------------------------------------------------


@dataclass
class Export:
    """One run of `avtool export --json`."""

    command: list[str]
    code: int
    events: list[Json]
    said: str
    seconds: float

    def event(self, name: str) -> Json:
        return next((e for e in self.events if e.get("event") == name), {})

    @property
    def error(self) -> Json:
        return next((e["error"] for e in self.events if e.get("error")), {})

    @property
    def losses(self) -> list[Json]:
        losses: list[Json] = self.event("completed").get("losses", [])
        return losses

    @property
    def file(self) -> Path | None:
        return Path(self.event("completed")["file"]) if self.event("completed").get("file") else None

    def reason(self) -> str:
        message = self.error.get("message") or next(reversed(self.said.splitlines()), "")
        return f"exit code {self.code}, {self.error.get('code', 'no error event')}: {message}"

    def shell(self) -> str:
        return " ".join(word if re.fullmatch(r"[\w@%+=:,./-]+", word) else f"'{word}'" for word in self.command)


def export(source: Path, output: Path | str, *words: object, timeout: int = 1800) -> Export:
    command = [AVTOOL, "export", "--json", *map(str, words), "-o", str(output), str(source)]
    begun = time.monotonic()
    result = run(command, timeout)
    return Export(command, result.returncode, json_lines(result.stdout), text(result.stderr), time.monotonic() - begun)


def range_of(event: Json, name: str) -> tuple[Fraction, Fraction] | None:
    """Start and end of a range in an event."""
    value = event.get(name)
    if not value:
        return None
    start, duration = fraction_of(value.get("start")), fraction_of(value.get("duration"))
    return None if start is None or duration is None else (start, start + duration)


def fraction_of(time: Json | None) -> Fraction | None:
    if not time or not time.get("timescale") or time.get("value") is None:
        return None
    return Fraction(int(time["value"]), int(time["timescale"]))


def seconds_text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}s"


# --- what ffprobe says ------------------------------------------------------------------


@dataclass
class Probe:
    """Streams and format of a file as ffprobe has them."""

    path: Path
    streams: list[Json]
    format: Json
    chapters: list[Json]

    @staticmethod
    def of(path: Path) -> Probe:
        entries = ["-show_streams", "-show_format", "-show_chapters"]
        shown = parsed(["ffprobe", "-v", "quiet", "-of", "json", *entries, f"file:{path}"])
        return Probe(path, shown.get("streams", []), shown.get("format", {}), shown.get("chapters", []))

    def kind(self, name: str) -> list[Json]:
        """Streams of a type, without covers."""
        return [s for s in self.streams if s.get("codec_type") == name and not is_cover(s)]

    @property
    def covers(self) -> list[Json]:
        return [s for s in self.streams if is_cover(s)]

    @property
    def zero(self) -> Fraction:
        """Where the earliest track of pictures or sound starts."""
        starts = [stream_start(s) for s in self.kind("video") + self.kind("audio")]
        return min((s for s in starts if s is not None), default=Fraction(0))

    @property
    def duration(self) -> Fraction | None:
        """From there to the end of the longest such track."""
        ends = []
        for stream in self.kind("video") + self.kind("audio"):
            start = stream_start(stream)
            if start is not None and "duration_ts" in stream:
                ends.append(start + stream["duration_ts"] * Fraction(stream["time_base"]))
        if ends:
            return Fraction(max(ends) - self.zero)
        return Fraction(self.format["duration"]) if "duration" in self.format else None


def is_cover(stream: Json) -> bool:
    disposition = stream.get("disposition", {})
    return bool(disposition.get("attached_pic") or disposition.get("timed_thumbnails"))


def keeps_zero(file: Path, format_name: str) -> bool:
    """Whether zero is the movie's own: in all movies but fragmented ones without an edit list."""
    if not format_name.startswith("mov"):
        return False
    data = file.read_bytes()
    return b"moof" not in data or b"elst" in data


def stream_start(stream: Json) -> Fraction | None:
    """When a stream starts to be shown or heard.

    ffprobe tells when its first packet begins, of which decoders of FFmpeg's Opus leave out 312 samples; Matroska has
    times in milliseconds.
    """
    if "start_pts" not in stream:
        return None
    base = Fraction(stream["time_base"])
    left_out = 7 if stream.get("codec_name") == "opus" and base == Fraction(1, 1000) else 0
    return Fraction((stream["start_pts"] + left_out) * base)


# --- pictures ---------------------------------------------------------------------------


@dataclass
class Picture:
    """A decoded picture: when it is shown, a hash of its samples, and the picture small and grey."""

    time: Fraction
    digest: str
    thumb: bytes = b""

    @property
    def number(self) -> int | None:
        return number_in(self.thumb) if self.thumb else None


def pictures(
    file: Path, until: Fraction | None = None, *, turned: bool = True, options: tuple[str, ...] = ()
) -> list[Picture]:
    """A decode of the first video track from start to end, in the order of time; times as the file has them.

    `until` ends it early. `turned`: the small pictures are upright.
    """
    streams = [s for s in Probe.of(file).streams if s.get("codec_type") == "video" and not is_cover(s)]
    if not streams:
        return []
    limit = ["-to", f"{float(until):.6f}"] if until is not None else []
    common = ["-map", f"0:{streams[0]['index']}", *limit, "-fps_mode", "passthrough", "-enc_time_base", "-1"]
    with tempfile.TemporaryDirectory(prefix="avtool-check-") as folder:
        hashes, thumbs = Path(folder) / "hashes", Path(folder) / "thumbs"
        small = f"scale={THUMB}:{THUMB}:flags=area,format=gray"
        command: list[object] = [*"ffmpeg -v error -nostdin -y -copyts".split(), *([] if turned else ["-noautorotate"])]
        command += ["-i", f"file:{file}", *common, "-c:v", "rawvideo"]
        command += ["-f", "framehash", "-hash", "CRC32", hashes, *common, "-vf", small, "-f", "rawvideo", thumbs]
        run(command, 1800)
        data = thumbs.read_bytes() if thumbs.exists() else b""
        lines = hashes.read_text().splitlines() if hashes.exists() else []
    found: list[Picture] = []
    base = Fraction(1, 1000)
    for line in lines:
        if line.startswith("#tb 0:"):
            base = Fraction(line.split(":")[1].strip())
        elif not line.startswith("#"):
            _, _, pts, _, _, digest = (part.strip() for part in line.split(","))
            at = len(found) * THUMB * THUMB
            found.append(Picture(int(pts) * base, digest, data[at : at + THUMB * THUMB]))
    return sorted(found, key=lambda picture: picture.time)


def number_in(thumb: bytes) -> int | None:
    """The frame number in the bars at the top of a fixture's picture, `None` if there are none."""
    if len(thumb) != THUMB * THUMB:
        return None
    width, bars = THUMB // 16, []
    for bar in range(16):
        columns = range(bar * width + width // 4, (bar + 1) * width - width // 4)
        samples = [thumb[y * THUMB + x] for y in range(THUMB // 16, THUMB * 3 // 16) for x in columns]
        mean = sum(samples) / len(samples)
        if 96 < mean < 160:
            return None
        bars.append(int(mean >= 160))
    number = int("".join(map(str, bars[2:14])), 2)
    return number if bars[:2] == [1, 0] and bars[14] == bin(number).count("1") & 1 and not bars[15] else None


def unlikeness(one: bytes, other: bytes) -> float:
    """How far two small pictures differ, whatever their brightness and contrast: 0 to 2."""

    def normal(picture: bytes) -> tuple[list[float], float]:
        mean = sum(picture) / len(picture)
        centred = [value - mean for value in picture]
        return centred, sum(value * value for value in centred) ** 0.5

    (a, length), (b, other_length) = normal(one), normal(other)
    if length < 32 or other_length < 32:  # flat pictures
        return abs(sum(one) - sum(other)) / len(one) / 255
    return 1 - sum(x * y for x, y in zip(a, b)) / length / other_length


def shown_in(source: list[Picture], start: Fraction, end: Fraction) -> list[Picture]:
    """The pictures that are on screen in a range, with their times in it."""
    times = [picture.time for picture in source]
    first = max(bisect.bisect_right(times, start) - 1, 0)
    last = bisect.bisect_left(times, end)
    return [Picture(max(p.time - start, Fraction(0)), p.digest, p.thumb) for p in source[first:last]]


# --- sound ------------------------------------------------------------------------------


@dataclass
class Sound:
    """Decoded sound, one channel at 48 kHz, gaps filled with silence."""

    start: Fraction
    samples: array[int]
    packet: Fraction  # how long a packet lasts

    @property
    def end(self) -> Fraction:
        return self.start + Fraction(len(self.samples), RATE)

    def piece(self, start: Fraction, end: Fraction) -> array[int]:
        """The samples of a time, with silence where there is none."""
        first, count = round((start - self.start) * RATE), round((end - start) * RATE)
        head = array("h", bytes(2 * min(count, max(0, -first))))
        body = self.samples[max(0, first) : max(0, first + count)]
        return head + body + array("h", bytes(2 * max(0, count - len(head) - len(body))))


def sound(file: Path, until: Fraction | None = None) -> Sound | None:
    """A decode of the first track of sound from start to end; times as the file has them."""
    streams = Probe.of(file).kind("audio")
    if not streams:
        return None
    limit = ["-to", f"{float(until):.6f}"] if until is not None else []
    common = ["-map", f"0:{streams[0]['index']}", *limit, "-ac", "1", "-ar", str(RATE), "-c:a", "pcm_s16le"]
    with tempfile.TemporaryDirectory(prefix="avtool-check-") as folder:
        times, data = Path(folder) / "times", Path(folder) / "samples"
        command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-copyts", "-i", f"file:{file}"]
        run([*command, *common, "-f", "framecrc", times, *common, "-f", "s16le", data], 1800)
        samples = array("h", data.read_bytes()) if data.exists() else array("h")
        lines = times.read_text().splitlines() if times.exists() else []
    joined, begin, at = array("h"), None, 0
    for line in (line for line in lines if not line.startswith("#")):
        _, _, pts, _, size, _ = (part.strip() for part in line.split(",")[:6])
        count, place = int(size) // 2, int(pts)
        begin = place if begin is None else begin
        gap = place - begin - len(joined)
        # Times of a coarse time base are rounded; such steps are no gaps.
        if gap > RATE // 200:
            joined.extend(array("h", bytes(2 * gap)))
        joined.extend(samples[at : at + count])
        at += count
    return Sound(Fraction(begin, RATE), joined, packet_duration(streams[0])) if begin is not None else None


def packet_duration(stream: Json) -> Fraction:
    samples = {"aac": 1024, "mp3": 1152, "mp2": 1152, "opus": 960, "ac3": 1536, "eac3": 1536, "flac": 4608}
    count = samples.get(stream.get("codec_name", ""), 2048)
    if stream.get("codec_name") == "aac" and "HE" in stream.get("profile", ""):
        count *= 2
    return Fraction(count, int(stream.get("sample_rate") or RATE) or RATE)


def lag(mine: array[int], theirs: array[int], most: Fraction) -> Fraction | None:
    """How much later a sound comes in `mine` than in `theirs`, both of the same time.

    `None` if that cannot be told: silence, or nothing alike.
    """
    a, b = (numpy.asarray(part, dtype=float) for part in (mine, theirs))
    count = min(len(a), len(b))
    if count < RATE // 20:
        return None
    a, b = a[:count], b[:count]
    if min(a.std(), b.std()) < 30:
        return None
    size = 1 << (2 * count - 1).bit_length()
    together = numpy.fft.irfft(numpy.fft.rfft(a, size) * numpy.conj(numpy.fft.rfft(b, size)), size)
    reach = min(int(most * RATE), count - 1)
    values = numpy.concatenate((together[-reach:], together[: reach + 1])) / (a.std() * b.std() * count)
    best = int(values.argmax())
    # Sound that repeats is alike at many places: the nearest to none of those that are as good.
    near = numpy.flatnonzero(values >= values[best] * 0.995)
    best = int(near[numpy.abs(near - reach).argmin()])
    while 0 < best < 2 * reach and values[best + (step := 1 if values[best + 1] > values[best] else -1)] > values[best]:
        best += step
    return Fraction(best - reach, RATE) if values[best] > 0.4 else None


# --- the new file -----------------------------------------------------------------------


@dataclass
class Media:
    """All that is decoded of a file."""

    probe: Probe
    pictures: list[Picture]
    sound: Sound | None
    zero: Fraction

    @staticmethod
    def of_source(file: Path, until: Fraction | None = None) -> Media:
        probe = Probe.of(file)
        limit = until + probe.zero if until is not None else None
        return Media(probe, pictures(file, limit), sound(file, limit), probe.zero)

    @staticmethod
    def of_output(file: Path) -> Media:
        """Its zero is the movie's own, elsewhere the first picture or sample."""
        probe = Probe.of(file)
        media = Media(probe, pictures(file), sound(file), Fraction(0))
        if "mov" not in probe.format.get("format_name", ""):
            starts = [p.time for p in media.pictures[:1]] + ([media.sound.start] if media.sound else [])
            media.zero = min(starts, default=Fraction(0))
        return media


def complaints_of(file: Path) -> list[str]:
    """What ffmpeg says when it plays a file from start to end, and stops at the first error."""
    # Frames keep their own times: on a fixed rate some would fall on the same one.
    timing = ["-fps_mode", "passthrough", "-enc_time_base:v", "-1"]
    command = ["ffmpeg", "-v", "error", "-xerror", "-nostdin", "-i", f"file:{file}", *timing, "-f", "null", "-"]
    result = run(command, 1800)
    said = [re.sub(r"0x[0-9a-f]+", "", line) for line in text(result.stderr).splitlines()]
    return said or ([f"exit code {result.returncode}"] if result.returncode else [])


def default_range(duration: Fraction | None) -> tuple[Fraction, Fraction] | None:
    """Three seconds from the first on, or the middle half of what is shorter."""
    if duration is None or duration <= 0:
        return None
    if duration >= Fraction(9, 2):
        return Fraction(1), Fraction(4)
    quarter = max(Fraction(int(duration * 250), 1000), Fraction(1, 1000))
    return (quarter, 3 * quarter) if duration > Fraction(1, 10) else None
