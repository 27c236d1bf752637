"""Checks that exports name all that they lose, by what other tools read of source and output.

Every file goes by passthrough into every container, and through ten presets, with
`--audit full`. Of each export that succeeds there are counted
  planned   losses that the plan named,
  audited   losses that only the audit of the finished file found: causes to mend,
  silent    differences between what ffprobe, mediainfo, mkvmerge and exiftool read of the
            source and of the output that no loss, plan or warning explains.
"""

from __future__ import annotations

import re
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import pytest

from acceptance import films
from acceptance.export_facts import SPELLINGS
from acceptance.running import AVTOOL, Json, json_lines, output, parsed, run, text

CONTAINERS = ("mp4", "mov", "mkv", "webm", "ts", "avi", "m4a", "mka")
PRESETS = ("low", "high", "hevc-1920x1080", "prores-422", "webm-vp9", "webm-av1", "m4a", "mp3", "opus", "gif")
PURPOSES = ("forced", "hearing_impaired", "visual_impaired", "comment", "original", "dub", "lyrics", "karaoke")
TECHNICAL = re.compile(
    r"(?i)^(encoder|major_brand|minor_version|compatible_brands|creation_time|handler_name|vendor_id|duration.*|bps.*"
    r"|number_of_.*|_statistics.*|language|timecode|alpha_mode|rotate|title|variant_bitrate|datasize|videosize"
    r"|audiosize|.*codecid|.*datarate|stereo_mode|service_.*|reel_name|wm.*|isvbr|track_name|id3v2_priv.*)$"
)


def probe(file: Path) -> Json:
    shown = ("-show_streams", "-show_format", "-show_chapters")
    return parsed(["ffprobe", "-v", "quiet", "-of", "json", *shown, f"file:{file}"])


def kinds(facts: Json, kind: str) -> list[Json]:
    return [
        s
        for s in facts.get("streams", [])
        if s.get("codec_type") == kind and not s.get("disposition", {}).get("attached_pic")
    ]


def side_data(stream: Json) -> dict[str, Json]:
    return {d.get("side_data_type", ""): d for d in stream.get("side_data_list", [])}


def language_of(stream: Json) -> str:
    return str(stream.get("tags", {}).get("language", "und"))


def turn(stream: Json) -> int:
    angle = float(side_data(stream).get("Display Matrix", {}).get("rotation", 0))
    return round(angle) % 360 if abs(angle) <= 360 else 0  # of a matrix of zeros ffprobe says a number all the same


def texts_of(facts: Json) -> set[str]:
    found = {v for _, v in tags_of(facts)}
    return found | {v for c in facts.get("chapters", []) for v in c.get("tags", {}).values()}


def tags_of(facts: Json) -> list[tuple[str, str]]:
    # Of a cover, ffprobe shows its kind and its description as tags.
    streams = [s for s in facts.get("streams", []) if not s.get("disposition", {}).get("attached_pic")]
    places = [facts.get("format", {}), *streams]
    return [(k, v.strip()) for p in places for k, v in p.get("tags", {}).items()]


def moment(text: str) -> datetime | None:
    """When a date with a time and a zone is."""
    try:
        found = datetime.fromisoformat(re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", text.strip().replace("Z", "+00:00")))
    except ValueError:
        return None
    return found if found.tzinfo else None


class Comparison:
    """What two files differ in, each difference with the words that would explain it."""

    def __init__(self, source: Path, made: Path, plan: Json, encodes: bool) -> None:
        self.old, self.new = probe(source), probe(made)
        self.whole_text = output(["exiftool", "-a", "-u", "-s3", "-m", made]) + output(["mediainfo", "-f", made])
        if made.suffix in (".mkv", ".mka", ".webm"):  # ffprobe shows one value of a name
            self.whole_text += output(["mkvextract", made, "tags", "-"])
        self.plan, self.encodes, self.output = plan, encodes, made
        # ffprobe does not read how a photograph is turned.
        self.says_in_exif = source.suffix.lower() in (".jpg", ".jpeg")
        self.found: list[tuple[str, str]] = []
        self.streams()
        self.chapters()
        self.tags()

    def tell(self, trait: str, what: str) -> None:
        self.found.append((trait, what))

    def streams(self) -> None:
        for kind in ("video", "audio", "subtitle", "data", "attachment"):
            old, new = kinds(self.old, kind), kinds(self.new, kind)
            if kind == "data" and len(self.new.get("chapters", [])) >= len(self.old.get("chapters", [])) > 0:
                old = []  # chapters come and go as tracks
            if kind == "data":
                old = [s for s in old if s.get("codec_tag_string") != "tmcd"]
            if kind == "subtitle":
                old = [s for s in old if not self.is_chapter_track(s)]
            if len(old) > len(new):
                self.tell("track", f"{len(old)} {kind} streams, now {len(new)}")
            elif kind in ("video", "audio", "subtitle"):
                for before, after in zip(old, new):
                    self.stream(kind, before, after)

    def is_chapter_track(self, stream: Json) -> bool:
        return bool(self.old.get("chapters")) and stream.get("codec_tag_string") == "text"

    def stream(self, kind: str, old: Json, new: Json) -> None:
        language, now = (SPELLINGS.get(tag, tag) for tag in (language_of(old), language_of(new)))
        if language not in ("und", "", now):
            self.tell("language", f"{kind} {language}")
        for purpose in PURPOSES:
            if old["disposition"].get(purpose) and not new["disposition"].get(purpose):
                self.tell("dispositions", f"{kind} {purpose}")
        name = old.get("tags", {}).get("title", "")
        if name and name not in texts_of(self.new) and name not in self.whole_text:
            self.tell("name", f"{kind} {name!r}")
        if kind == "video":
            self.video(old, new)
        elif kind == "audio" and not self.encodes:
            for trait, field in (("channels", "channels"), ("sampleRate", "sample_rate")):
                if old.get(field) != new.get(field):
                    self.tell(trait, f"{field} {old.get(field)}, now {new.get(field)}")

    def video(self, old: Json, new: Json) -> None:
        before, after = side_data(old), side_data(new)
        if not self.encodes:
            if turn(old) != turn(new) and not self.says_in_exif:
                self.tell("orientation", f"turned {turn(old)}, now {turn(new)}")
            ratio, now = old.get("sample_aspect_ratio", "1:1"), new.get("sample_aspect_ratio", "1:1")
            if ratio not in (now, "0:1", self.cropped_ratio()) and not (ratio == "1:1" and now == "0:1"):
                self.tell("pixelAspectRatio", f"{ratio}, now {now}")
            for field in ("color_primaries", "color_transfer", "color_space", "color_range"):
                if field == "color_range" and old.get(field) == "tv" and field not in new:
                    continue  # what goes without saying
                if old.get(field, "unknown") not in ("unknown", new.get(field)):
                    self.tell("color", f"{field} {old[field]}, now {new.get(field)}")
        orders = ("tt", "bb", "tb", "bt")
        if old.get("field_order") in orders and new.get("field_order") not in orders:
            self.tell("fieldOrder", f"{old['field_order']}, now {new.get('field_order')}")
        if old.get("closed_captions") and not new.get("closed_captions"):
            self.tell("captions", "closed captions")
        has_alpha = new.get("tags", {}).get("alpha_mode") == "1" or re.match(
            "yuva|bgra|rgba|argb|gbrap|ya", new.get("pix_fmt", "")
        )
        if old.get("tags", {}).get("alpha_mode") == "1" and not has_alpha:
            self.tell("alpha", "alpha of VP8 or VP9")
        hdr = {"Mastering display metadata", "Content light level metadata"}
        if hdr & set(before) and not hdr & set(after):
            self.tell("highDynamicRange", "light levels")
        for name, trait in (
            ("DOVI configuration record", "dolbyVision"),
            ("Spherical Mapping", "projection"), ("Stereo 3D", "projection")
        ):  # fmt: skip
            if name in before and name not in after:
                self.tell(trait, name)

    def cropped_ratio(self) -> str:
        """The pixel aspect ratio of cropped pictures in Matroska, whose cropping ffprobe 5.1 leaves aside."""
        if self.output.suffix != ".mkv":
            return ""
        pattern = r"\+ (Pixel width|Pixel height|Pixel crop \w+|Display width|Display height): (\d+)"
        said = dict(re.findall(pattern, output(["mkvinfo", self.output])))
        facts = {name: int(value) for name, value in said.items()}
        if not {"Pixel width", "Pixel height", "Display width", "Display height"} <= set(facts):
            return ""
        width, height = (
            facts[f"Pixel {side}"] - sum(facts.get(f"Pixel crop {edge}", 0) for edge in edges)
            for side, edges in (("width", ("left", "right")), ("height", ("top", "bottom")))
        )
        ratio = Fraction(facts["Display width"], facts["Display height"]) / Fraction(width, height)
        return f"{ratio.numerator}:{ratio.denominator}"

    def chapters(self) -> None:
        now = {c.get("tags", {}).get("title", "") for c in self.new.get("chapters", [])}
        for chapter in self.old.get("chapters", []):
            title = chapter.get("tags", {}).get("title", "")
            if title and title not in now:
                self.tell("chapters", f"chapter {title!r}")
        if len(self.old.get("chapters", [])) > len(self.new.get("chapters", [])):
            self.tell("chapters", f"{len(self.old['chapters'])}, now {len(self.new.get('chapters', []))}")

    def tags(self) -> None:
        said = texts_of(self.new)
        # Of RIFF files, ffprobe shows the program that wrote the file as a tag like any other.
        is_riff = self.old.get("format", {}).get("format_name") in ("avi", "wav")
        for key, value in tags_of(self.old):
            if is_riff and key == "software":
                continue
            if TECHNICAL.match(key) or not value or value in said or value in self.whole_text:
                continue
            if any(part.lstrip("0") in said for part in value.split("/")) and re.fullmatch(r"[0-9/]+", value):
                continue  # number and total stand apart, or without zeros in front
            if any(value in other or (len(other) > 3 and other in value) for other in said):
                continue
            if any(same_place(value, other) for other in said):
                continue
            if all(part in self.whole_text for part in re.split("[;/]", value)):
                continue  # several values of a name
            if moment(value) and any(moment(value) == moment(other) for other in said):
                continue  # in another time zone
            self.tell("metadata", f"{key}={value[:40]!r}")


def place(text: str) -> list[float]:
    """Latitude and longitude of ISO 6709; ffprobe and others print the same numbers with more or less digits."""
    match = re.match(r"([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)", text)
    return [float(number) for number in match.groups()] if match else []


def same_place(text: str, other: str) -> bool:
    here, there = place(text), place(other)
    return bool(here) and bool(there) and all(abs(a - b) < 1e-4 for a, b in zip(here, there))


def explained(trait: str, what: str, events: Json) -> bool:
    """Whether a loss, the plan's words or a warning tell of a difference."""
    losses, plan = events["completed"]["losses"], events["plan"]
    words = " ".join(d for t in plan["tracks"] for d in t["details"]).lower()
    said = " ".join(events["completed"]["warnings"]).lower()
    planned = {
        "orientation": "turned", "pixelAspectRatio": "made smaller", "fieldOrder": "deinterlaced",
        "color": "hdr mapped",
        "highDynamicRange": "hdr mapped", "dolbyVision": "hdr mapped", "alpha": "transparency",
    }  # fmt: skip
    if trait in planned and planned[trait] in words:
        return True
    if trait == "metadata":
        key = what.split("=")[0].lower()
        return any(key in loss["item"].lower() or loss["kind"] == "metadata" for loss in losses)
    if trait == "chapters":
        return any(loss["kind"] == "chapters" for loss in losses)
    if trait == "track":
        return any(loss["kind"] in ("track", "attachment", "chapters") for loss in losses)
    return any(loss.get("trait") == trait or loss["kind"] == "track" for loss in losses) or trait.lower() in said


def jobs() -> list[tuple[str, str]]:
    shown = json_lines(run([AVTOOL, "presets", "list", "--json"]).stdout)
    names = {preset["name"]: preset["fileTypes"][0] for preset in shown}
    return [("passthrough", name) for name in CONTAINERS] + [(name, names[name]) for name in PRESETS if name in names]


def check(source: Path, preset: str, extension: str, folder: Path) -> list[str]:
    output = folder / f"out.{extension}"
    output.unlink(missing_ok=True)
    command: list[object] = [AVTOOL, "export", "--json", "--audit", "full", "--preset", preset, "-o", output, source]
    result = run(command, 600)
    what, said = f"{preset} {extension}", text(result.stderr)
    events = {event["event"]: event for event in json_lines(result.stdout)}
    if result.returncode not in (0, 64, 65, 66, 73, 75):
        return [f"{what}: exit code {result.returncode}: {said[-200:]}"]
    if "completed" not in events:
        return [f"{what}: {said[-200:]}"] if "finished file" in said else []
    audited = [loss for loss in events["completed"]["losses"] if not loss["foreseen"]]
    encodes = any(track["treatment"] == "transcode" for track in events["plan"]["tracks"])
    found = Comparison(source, output, events["plan"], encodes).found
    silent = [f"{what}: silent: {trait}: {name}" for trait, name in found if not explained(trait, name, events)]
    return [f"{what}: audited: {loss['item']}: {loss['reason']}" for loss in audited] + silent


QUICK = "cues.mkv h264.ts alpha-vp9.webm"


@pytest.mark.peer("exiftool", "mediainfo", "mkvextract")
@pytest.mark.parametrize("file", [*films.fixtures(quick=QUICK), *films.corpus()])
def test_losses(file: Path, tmp_path: Path) -> None:
    if file.stat().st_size > 8 << 20:
        pytest.skip("larger than 8 MB")
    passthrough = [job for job in jobs() if job[0] == "passthrough"]
    problems = [problem for job in passthrough for problem in check(file, *job, tmp_path)]
    assert not problems


@pytest.mark.slow
@pytest.mark.peer("exiftool", "mediainfo", "mkvextract")
@pytest.mark.parametrize("file", [*films.fixtures(), *films.corpus()])
def test_losses_of_presets(file: Path, tmp_path: Path) -> None:
    if file.stat().st_size > 8 << 20:
        pytest.skip("larger than 8 MB")
    encoding = [job for job in jobs() if job[0] != "passthrough"]
    problems = [problem for job in encoding for problem in check(file, *job, tmp_path)]
    assert not problems
