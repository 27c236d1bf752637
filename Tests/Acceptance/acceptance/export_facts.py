"""What is measured of one new file against its source: pictures, sound, tracks, and what other tools say of it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from acceptance.media import (
    SOUND_ONLY,
    Export,
    Media,
    Picture,
    Probe,
    complaints_of,
    lag,
    range_of,
    shown_in,
    unlikeness,
)
from acceptance.running import Findings, Json, parsed

MILLISECOND = Fraction(1, 1000)


@dataclass
class Facts(Findings):
    """Measurements of one new file, and what is wrong with it."""

    columns: dict[str, str] = field(default_factory=dict)
    highest_rate: Fraction = Fraction(30)  # at which no preset leaves frames out


def milliseconds(value: Fraction | None) -> str:
    return "-" if value is None else f"{float(value * 1000):+.3f}".replace("+0.000", "0").replace("-0.000", "0")


# --- pictures ---------------------------------------------------------------------------


def best_match(thumb: bytes, candidates: list[Picture], expected: int) -> int:
    """Which picture a small one is most like; the expected one if that is as good."""
    values = [unlikeness(thumb, c.thumb) if c.thumb else 2 for c in candidates]
    best = min(range(len(values)), key=values.__getitem__)
    return expected if values[expected] <= values[best] * 1.1 + 0.002 else best


def name_of(picture: Picture, index: int) -> str:
    return f"#{index}" if picture.number is None else str(picture.number)


def check_pictures(facts: Facts, source: Media, output: Media, start: Fraction, end: Fraction, is_exact: bool) -> None:
    """First, last and all other pictures, and their times. `is_exact`: the samples must be the very same."""
    begin, finish = start + source.zero, end + source.zero
    wanted = shown_in(source.pictures, begin, finish)
    got = [Picture(p.time - output.zero, p.digest, p.thumb) for p in output.pictures]
    facts.columns["frames"] = f"{len(got)}/{len(wanted)}"
    if not facts.expect(bool(got) or not wanted, "no pictures") or not wanted or not got:
        return
    if is_exact and any(s.get("codec_name") == "av1" for s in output.probe.kind("video")):
        facts.notes.append("ffmpeg shows hidden pictures of AV1, so they cannot be compared")
        return
    if is_exact:
        check_same_pictures(facts, wanted, got)
    for name, mine, theirs in (("first", got[0], wanted[0]), ("last", got[-1], wanted[-1])):
        # Pictures before and after the range are candidates, too.
        index = source_index(source.pictures, theirs, begin, name == "first")
        low = max(0, index - 12)
        candidates = source.pictures[low : index + 13]
        expected = mine.digest == theirs.digest or (
            mine.number is not None and theirs.number is not None and mine.number == theirs.number
        )
        if not expected and (mine.number is None or theirs.number is None):
            found = low + best_match(mine.thumb, candidates, index - low)
            expected = found == index
            facts.columns[name] = f"#{found}" + ("" if expected else f" for #{index}")
        else:
            wanted_name = name_of(theirs, index)
            facts.columns[name] = wanted_name if expected else f"{name_of(mine, -1)} for {wanted_name}"
        capped = len(got) < len(wanted) * 0.95 and name == "last"
        facts.expect(expected or capped or is_exact, f"{name} frame {facts.columns[name]}")
    check_times(facts, source, got, wanted, start, is_exact)


def end_without_edit_list(
    facts: Facts, source: Media, output: Media, kept: tuple[Fraction, Fraction], asked_end: Fraction
) -> Fraction:
    """Where copied pictures end in a container that cannot hide any, and where such a file's zero is.

    Pictures from beyond the end that others are predicted from are shown, and those before them; a packet of sound
    that begins before the first picture stays whole, and is what players count from.
    """
    start, end = kept
    wanted = shown_in(source.pictures, start + source.zero, asked_end + source.zero)
    if output.sound and output.pictures and wanted:
        early = output.pictures[0].time - wanted[0].time - output.zero
        if facts.expect(
            early <= output.sound.packet + 2 * MILLISECOND, f"sound begins {milliseconds(early)} ms before the pictures"
        ):
            output.zero += max(early, Fraction(0))
    return end if len(output.pictures) > len(wanted) else asked_end


def source_index(pictures: list[Picture], wanted: Picture, begin: Fraction, is_first: bool) -> int:
    """Where a wanted picture is among the source's."""
    if is_first:
        return max((i for i, p in enumerate(pictures) if p.time <= begin), default=0)
    return next(i for i, p in enumerate(pictures) if p.time == wanted.time + begin or p.time - begin >= wanted.time)


def check_same_pictures(facts: Facts, wanted: list[Picture], got: list[Picture]) -> None:
    theirs, mine = [p.digest for p in wanted], [p.digest for p in got]
    if theirs == mine:
        return
    if not facts.expect(mine[0] == theirs[0], "the first frame has not the very samples of the source's"):
        facts.notes.append(f"first frame is expected number {theirs.index(mine[0])}" if mine[0] in theirs else "alien")
    facts.expect(mine[-1] == theirs[-1], "the last frame has not the very samples of the source's")
    different = sum(a != b for a, b in zip(mine, theirs)) + abs(len(mine) - len(theirs))
    facts.expect(False, f"{different} of {len(theirs)} frames differ, {len(mine)} are there")


def check_times(
    facts: Facts, source: Media, got: list[Picture], wanted: list[Picture], start: Fraction, is_exact: bool
) -> None:
    """When each picture is shown, by its number, or by its place if none is left out."""
    times = {p.number: p.time for p in wanted if p.number is not None}
    if len(times) == len({p.time for p in wanted}) and all(p.number is not None for p in got):
        errors = [p.time - times[p.number] for p in got if p.number in times]
        strangers = [p.number for p in got if p.number not in times]
        facts.expect(not strangers, f"frames from outside the range: {strangers[:5]}")
    elif len(got) == len(wanted):
        errors = [a.time - b.time for a, b in zip(got, wanted)]
    else:
        errors = [got[0].time - wanted[0].time]
    worst = max(errors, key=abs, default=Fraction(0))
    facts.columns["first late"] = milliseconds(errors[0] if errors else None)
    facts.columns["times off"] = milliseconds(worst)
    limit = 2 * MILLISECOND
    name = output_name(facts)
    if name == ".gif":
        limit = 11 * MILLISECOND
    if len(got) < len(wanted):  # frames on a lower rate may come later than the picture itself, by one frame
        limit += Fraction(1, 10)
    elif len(got) > len(wanted) and not is_exact:
        facts.notes.append(f"{len(got)} frames from {len(wanted)}")
        limit += Fraction(1)
    facts.expect(abs(worst) <= limit, f"a frame is {milliseconds(worst)} ms off")
    gaps = [b.time - a.time for a, b in zip(wanted, wanted[1:])]
    missing = len(wanted) - len(got)
    if missing > 0:
        is_slow = min(gaps, default=Fraction(1)) > 1 / (facts.highest_rate + 1) and name != ".gif"
        facts.expect(not is_slow, f"{missing} frames of {len(wanted)} are missing")
        facts.notes.append(f"{missing} frames fewer")


def output_name(facts: Facts) -> str:
    return facts.columns.get("suffix", "")


# --- sound ------------------------------------------------------------------------------


def check_sound(facts: Facts, source: Media, output: Media, start: Fraction, end: Fraction, copies: bool) -> None:
    """How late sound comes at both ends, against the source's; and where it ends."""
    if source.sound is None or output.sound is None:
        return
    theirs, mine = source.sound, output.sound
    first = max(start, theirs.start - source.zero)
    last = min(end, theirs.end - source.zero)
    if last <= first:
        return
    limit = mine.packet + 2 * MILLISECOND if copies else Fraction(3, 2) * MILLISECOND
    window = min(Fraction(3, 2), last - first)
    for name, at in (("sound first", first), ("sound last", last - window)):
        wanted = theirs.piece(at + source.zero, at + source.zero + window)
        got = mine.piece(at - start + output.zero, at - start + output.zero + window)
        late = lag(got, wanted, Fraction(1, 4))
        facts.columns[name] = milliseconds(late)
        facts.expect(late is None or abs(late) <= limit, f"{name}: {milliseconds(late)} ms late")
    error = (mine.end - output.zero) - (last - start)
    facts.columns["sound end"] = milliseconds(error)
    limit = max(mine.packet, theirs.packet) + 2 * MILLISECOND
    facts.expect(abs(error) <= limit, f"sound ends {milliseconds(error)} ms late")


# --- durations, tracks ------------------------------------------------------------------


def check_duration(facts: Facts, source: Media, output: Media, start: Fraction, end: Fraction) -> None:
    """The whole file's duration against the range that it shows, within a frame or a packet."""
    if "duration" not in output.probe.format:
        facts.notes.append("no duration")
        return
    ends = []
    for media_kind in ("video", "audio"):
        if not output.probe.kind(media_kind):
            continue
        for stream in source.probe.kind(media_kind)[:1]:
            if "start_pts" in stream and "duration_ts" in stream:
                base = Fraction(stream["time_base"])
                ends.append((stream["start_pts"] + stream["duration_ts"]) * base - source.zero)
    known = source.probe.duration
    wanted = min(end, max(ends, default=known if known is not None else end)) - start
    duration = Fraction(output.probe.format["duration"])
    error = duration - wanted
    packets = [output.sound.packet] if output.sound else []
    times = [p.time for p in output.pictures[-2:]]
    frame = [times[1] - times[0]] if len(times) == 2 else []
    shown = shown_in(source.pictures, start + source.zero, end + source.zero)
    gaps = sorted(b.time - a.time for a, b in zip(shown, shown[1:]))
    limit = max(packets + frame + gaps[len(gaps) // 2 :][:1], default=Fraction(1, 10)) + 2 * MILLISECOND
    if output_name(facts) == ".mp3":  # ffprobe counts the encoder's delay and padding; where sound ends is measured
        limit *= 3
    facts.columns["duration off"] = milliseconds(error)
    unit = next(iter(frame or packets), None)
    if unit:
        facts.columns["in frames"] = f"{float(error / unit):+.2f}"
    facts.expect(abs(error) <= limit, f"the duration is {milliseconds(error)} ms off")


def inventory(probe: Probe) -> dict[str, int]:
    counts = {kind: len(probe.kind(kind)) for kind in ("video", "audio", "subtitle")}
    chapters = 1 if probe.chapters else 0
    data = [s for s in probe.kind("data") if s.get("codec_tag_string") != "text" or not chapters]
    attachments = [
        s for s in probe.kind("attachment") if not str(s.get("tags", {}).get("mimetype")).startswith("image")
    ]
    return counts | {"data": len(data), "attachment": len(attachments), "cover": len(probe.covers)}


def check_tracks(facts: Facts, source: Probe, output: Probe, export: Export, preset: str) -> None:
    """No track may be missing that the losses do not name."""
    before, after = inventory(source), inventory(output)
    missing = {kind: before[kind] - after[kind] for kind in before if before[kind] > after[kind]}
    said = [f"{loss['kind']} {loss['item']} {loss['reason']}" for loss in export.losses]
    tracks = [s for s in said if re.match("track|media|metadata", s)]
    facts.columns["losses"] = str(len(export.losses))
    count = sum(missing.values())
    if count:
        facts.notes.append("fewer: " + ", ".join(f"{n} {kind}" for kind, n in missing.items()))
        facts.expect(count <= len(tracks), f"lost in silence: {missing}, {len(tracks)} losses are reported")
    if preset in SOUND_ONLY or preset == "gif":
        return
    for kind in ("video", "audio", "subtitle"):
        for number, (old, new) in enumerate(zip(source.kind(kind), output.kind(kind))):
            if before[kind] == after[kind]:
                check_properties(facts, old, new, f"{kind} {number}", preset, " ".join(said))


# Languages that ISO 639-2 has two codes for: Matroska and QuickTime write the older one.
SPELLINGS = dict(
    pair.split("=")
    for pair in "alb=sqi arm=hye baq=eus bur=mya chi=zho cze=ces dut=nld fre=fra geo=kat ger=deu gre=ell ice=isl "
    "mac=mkd mao=mri may=msa per=fas rum=ron slo=slk tib=bod wel=cym".split()
)


def check_properties(facts: Facts, old: Json, new: Json, what: str, preset: str, said: str) -> None:
    """Language, dispositions, rotation, pixel shape and colours."""

    def properties(stream: Json) -> Json:
        tags = {key.lower(): value for key, value in stream.get("tags", {}).items()}
        language = tags.get("language", "und")
        disposition = stream.get("disposition", {})
        language = SPELLINGS.get(language, language)
        found = {"language": language, "forced": disposition.get("forced"), "default": disposition.get("default")}
        rotation = [d.get("rotation") for d in stream.get("side_data_list", []) if "rotation" in d]
        found["rotation"] = rotation[0] % 360 if rotation else 0
        sar = stream.get("sample_aspect_ratio", "1:1")
        found["pixels"] = "1:1" if sar in ("0:1", "N/A") else sar
        for key in ("color_space", "color_transfer", "color_primaries", "color_range"):
            found[key] = stream.get(key, "unknown")
        return found

    before, after = properties(old), properties(new)
    for key in before:
        if before[key] == after[key] or key in said:
            continue
        change = f"{what}: {key} {before[key]} is now {after[key]}"
        is_picture = key in ("rotation", "pixels") or key.startswith("color")
        # Dispositions of a file that has none, and colours that are now told, are no harm.
        is_harmless = before[key] in ("unknown", 0, None) or (key == "language" and before[key] == "und")
        (facts.notes if is_harmless or (is_picture and preset != "passthrough") else facts.problems).append(change)


# --- other tools ------------------------------------------------------------------------


def exiftool_says(file: Path) -> list[str]:
    if not shutil.which("exiftool"):
        return []
    shown = parsed(["exiftool", "-j", "-a", "-G4", "-Warning", "-Error", "-api", "LargeFileSupport=1", file])
    said = [str(value) for name, value in shown.items() if re.search("Warning|Error", name)]
    return [re.sub(r"\d+", "#", line) for line in said if not line.startswith("[minor]")]


def mediainfo_says(file: Path) -> tuple[list[str], list[Json]]:
    if not shutil.which("mediainfo"):
        return [], []
    tracks = (parsed(["mediainfo", "--Output=JSON", file]).get("media") or {}).get("track", [])

    bad = re.compile("Truncated|Conformance|^Errors?$|^Warnings?$")

    def complaints(value: object, path: str) -> list[str]:
        if not isinstance(value, dict):
            return []
        own = [f"{path}{key}: {json.dumps(inner)[:120]}" for key, inner in value.items() if bad.search(key)]
        return own + [c for key, inner in value.items() if not bad.search(key) for c in complaints(inner, path + key)]

    return [c for track in tracks for c in complaints(track, track.get("@type", "") + " ")], tracks


def check_tools(facts: Facts, source: Path, output: Path, probe: Probe, is_whole: bool) -> None:
    """ffmpeg plays it; exiftool and MediaInfo have nothing against it that they had not against the source."""
    said = complaints_of(output)
    facts.columns["plays"] = "yes" if not said else "NO"
    if said:
        old = complaints_of(source)
        if old:
            facts.columns["plays"] = "as source"
            facts.notes.append(f"ffmpeg of the source: {old[0]}; of the output: {said[0]}")
        else:
            facts.expect(False, f"ffmpeg: {said[0]} ({len(said)} lines)")
    said, old = exiftool_says(output), exiftool_says(source)
    facts.columns["exiftool"] = "ok" if not said else "as source" if set(said) <= set(old) else "WARNS"
    facts.expect(set(said) <= set(old), f"exiftool: {[s for s in said if s not in old]}")
    said, tracks = mediainfo_says(output)
    old = mediainfo_says(source)[0] if said else []
    facts.columns["mediainfo"] = "ok" if not said else "as source" if set(said) <= set(old) else "WARNS"
    facts.expect(set(said) <= set(old), f"mediainfo: {[s for s in said if s not in old][:3]}")
    if tracks:
        kinds = {"Video": len(probe.kind("video")), "Audio": len(probe.kind("audio"))}
        counted = {kind: sum(t["@type"] == kind for t in tracks) for kind in kinds}
        if output.suffix != ".gif":
            facts.expect(counted == kinds, f"mediainfo counts {counted}, ffprobe {kinds}")


def check_range(facts: Facts, export: Export, asked: tuple[Fraction, Fraction] | None) -> tuple[Fraction, Fraction]:
    """The range that was kept, and that it is the one that was asked for or says how it is not.

    A packet of sound may last beyond the end: pictures must not.
    """
    done = export.event("completed")
    requested, actual = range_of(done, "requestedRange"), range_of(done, "actualRange")
    facts.expect(requested is not None and actual is not None, "no ranges are reported")
    if requested is None or actual is None:
        return asked or (Fraction(0), Fraction(10**9))
    if asked:
        facts.expect(
            all(abs(a - b) <= MILLISECOND for a, b in zip(requested, asked)),
            f"asked for {show(asked)}, understood {show(requested)}",
        )
    facts.columns["asked"], facts.columns["kept"] = show(requested), show(actual)
    facts.expect(actual[0] <= requested[0] + MILLISECOND, f"starts late: {show(actual)} for {show(requested)}")
    return actual


def show(span: tuple[Fraction, Fraction]) -> str:
    return f"{float(span[0]):.3f}..{float(span[1]):.3f}"
