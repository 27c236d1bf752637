"""Compares what `avtool metadata show --json` reads with what other tools read.

By key and exact value: mutagen (MP4, ID3 in MP3, WAV and AIFF, FLAC, Ogg), mkvextract and
mkvmerge (tags, chapters, attachments, names). By value, since names differ: exiftool in both
directions, ffprobe (tags and chapters) and MediaInfo (what they show must be ours, too).
Peers that are not installed are skipped, and named.
"""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import mutagen
import mutagen.aiff
import mutagen.flac
import mutagen.id3
import mutagen.mp4
import mutagen.wave
import pytest
from mutagen.id3._frames import ID3SaveConfig

from acceptance import films
from acceptance.metadata_facts import (
    Fact,
    Result,
    View,
    bytes_of,
    compare_keyed,
    compare_values,
    digest,
    plain,
    value_of,
)
from acceptance.running import Json, metadata, output, parsed

# What exiftool calls metadata, by the group of its family 1; technical values there by name.
EXIFTOOL_GROUPS = re.compile(r"^(Microsoft|ItemList|UserData|Keys|iTunes|ID3v.*|Vorbis|Theora|RIFF|AIFF|Matroska)$")
EXIFTOOL_TECHNICAL = re.compile(
    r"^(Picture(MIMEType|Type|Description|Format|Width|Height|BitsPerPixel|IndexedColors|Length)|Encoding|NumChannels"
    r"|.*SampleRate|AvgBytesPerSec|BitsPerSample|StreamType|Quality|SampleSize|FrameRate|MaxDataRate|FrameCount"
    r"|StreamCount|Video.*|Audio(Codec|SampleCount|Channels)|Image(Width|Height)|NumSampleFrames|EBML.*|DocType.*"
    r"|TimecodeScale|MuxingApp|WritingApp|SegmentFileName|Tag\w*UID|Vendor|VorbisVersion|NominalBitrate|BWFVersion"
    r"|Duration|WebP_Flags|BackgroundColor|Animation.*|Theora.*|PixelAspectRatio|[XY]Offset|ColorSpace"
    r"|Nominal.*|PixelFormat|StreamSampleCount)$"
)
MEDIAINFO_FIELDS = re.compile(
    r"^(Title|Album|Track|Performer|Composer|Genre|Comment|Copyright|Description|Lyrics|Director|Publisher|Grouping"
    r"|Album_Performer|Recorded_Date|BPM|ISRC|Lyricist|Subtitle|Encoded_By|Track_Position|Part_Position)$"
)
LANGUAGES = {"en": "eng", "de": "deu", "fr": "fra", "it": "ita", "es": "spa", "ja": "jpn", "sv": "swe", "ru": "rus"}


# --- mutagen ----------------------------------------------------------------------------


def mp4_value(key: str, value: object) -> str:
    if isinstance(value, tuple):
        return f"{value[0]}/{value[1]}" if value[1] else str(value[0])
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, mutagen.mp4.MP4FreeForm) and value.dataformat in (21, 22):
        return str(int.from_bytes(value, "big", signed=value.dataformat == 21))
    if isinstance(value, mutagen.mp4.MP4FreeForm) and value.dataformat in (1, 2):
        return bytes(value).decode("utf-8" if value.dataformat == 1 else "utf-16-be", "replace")
    return digest(bytes(value)) if isinstance(value, bytes) else str(value)


def mp4_facts(view: View) -> tuple[list[Fact], list[Fact]]:
    ours = []
    for item in view.items:
        space, _, key = item["identifier"].partition("/")
        if space == "itsk":
            key = unquote_to_bytes(key).decode("latin-1")
            value = value_of(item)
            if key == "gnre":
                number = int.from_bytes(bytes_of(item)[-2:], "big")
                key, value = "©gen", mutagen.mp4.GENRES[number - 1] if 0 < number <= len(mutagen.mp4.GENRES) else value
            ours.append(Fact(key, value))
        elif space == "itlk":
            extra = item["extra"]
            ours.append(Fact(f"----:{extra['mean']}:{extra['name']}", value_of(item)))
    theirs = []
    for key, values in (mutagen.mp4.MP4(view.path).tags or {}).items():
        for value in values if isinstance(values, list) else [values]:
            theirs.append(Fact(key, mp4_value(key, value)))
    return ours, theirs


def id3_key(name: str, description: str | None, language: str | None) -> str:
    return ":".join([name] + [part for part in (description, language) if part is not None])


def id3_our_facts(view: View) -> list[Fact]:
    ours = []
    for item in view.items:
        space, _, _key = item["identifier"].partition("/")
        if space != "id3":
            continue
        extra, name = item.get("extra") or {}, item["key"]
        if name in mutagen.id3.Frames_2_2:
            name = mutagen.id3.Frames_2_2[name].__bases__[0].__name__
        language = None
        if name in ("COMM", "USLT", "USER"):
            language = extra.get("languageCode") or LANGUAGES.get(item.get("locale") or "", item.get("locale") or "XXX")
        value = re.sub(r"^(\d{4}-[\d-]+)T", r"\1 ", value_of(item)) if name.startswith("TD") else value_of(item)
        ours.append(Fact(id3_key(name, extra.get("info"), language), value))
    for chapter in view.chapters("id3"):
        ours += chapter_facts(chapter)
    return ours


def chapter_facts(chapter: Json) -> list[Fact]:
    start, end = (round(chapter[name]["seconds"] * 1000) if chapter.get(name) else None for name in ("start", "end"))
    facts = [Fact(f"chapter {chapter.get('identifier')}", f"{start} {end}")]
    facts += [Fact(f"chapter {chapter.get('identifier')} title", t["text"]) for t in chapter.get("titles") or []]
    if chapter.get("artwork"):
        data = base64.b64decode(chapter["artwork"]["base64"])
        facts.append(Fact(f"chapter {chapter.get('identifier')} picture", digest(data)))
    return facts


def id3_frame_facts(frame: Any) -> list[Fact]:
    name, config = frame.FrameID, ID3SaveConfig()
    description, language = getattr(frame, "desc", None), getattr(frame, "lang", None)
    if name == "CTOC":
        return []
    if name == "CHAP":
        key = f"chapter {frame.element_id}"
        titles = [Fact(f"{key} title", text) for f in frame.sub_frames.getall("TIT2") for text in f.text]
        pictures = [Fact(f"{key} picture", digest(f.data)) for f in frame.sub_frames.getall("APIC")]
        return [Fact(key, f"{frame.start_time} {frame.end_time}"), *titles, *pictures]
    if name in ("APIC", "PIC"):
        return [Fact(id3_key(name, description, None), digest(frame.data))]
    if hasattr(frame, "people"):
        return [Fact(name, part) for pair in frame.people for part in pair]
    if hasattr(frame, "text"):
        texts = frame.text if isinstance(frame.text, list) else [frame.text]
        return [Fact(id3_key(name, description, language), str(text)) for text in texts]
    if hasattr(frame, "url"):
        return [Fact(id3_key(name, description, None), frame.url)]
    return [Fact(name, digest(frame._writeData(config)))]


def id3_facts(view: View) -> tuple[list[Fact], list[Fact]]:
    if view.shown["container"] == "id3":
        is_old = any((item.get("extra") or {}).get("tag") == "ID3v1" for item in view.items)
        tag = mutagen.id3.ID3(view.path, translate=False, load_v1=is_old, v2_version=3)
    else:
        module = mutagen.wave._WaveID3 if view.shown["container"] == "riff" else mutagen.aiff._IFFID3
        tag = module(view.path, translate=False)
    theirs = [fact for frame in tag.values() for fact in id3_frame_facts(frame)]
    theirs += [Fact(raw[:4].decode("latin-1"), digest(raw[10:])) for raw in tag.unknown_frames]
    return id3_our_facts(view), theirs


def vorbis_facts(view: View) -> tuple[list[Fact], list[Fact]]:
    ours = [Fact(i["key"], value_of(i)) for i in view.all_items if i["identifier"].startswith("vorb/")]
    file = mutagen.File(view.path)
    theirs, pictures = [], [(p.data, p.type) for p in getattr(file, "pictures", [])]
    for key, value in file.tags or []:
        if key.upper() == "METADATA_BLOCK_PICTURE":
            pictures.append((mutagen.flac.Picture(base64.b64decode(value)).data, 0))
        elif re.match(r"^CHAPTER\d+(NAME|URL)?$", key, re.I):
            continue
        else:
            theirs.append(Fact(key, value))
    return ours, theirs + [Fact("METADATA_BLOCK_PICTURE", digest(data)) for data, _ in pictures]


def check_mutagen(view: View) -> Result | None:
    readers = {
        "isoBaseMedia": mp4_facts,
        "quickTime": mp4_facts,
        "id3": id3_facts,
        "riff": id3_facts,
        "aiff": id3_facts,
        "flac": vorbis_facts,
        "ogg": vorbis_facts,
    }
    reader = readers.get(view.shown["container"])
    if reader is None or view.path.suffix.lower() == ".avi":
        return None
    try:
        ours, theirs = reader(view)
    except (mutagen.MutagenError, AttributeError, TypeError) as error:
        pytest.skip(f"mutagen cannot read it: {type(error).__name__} {error}")
    return compare_keyed(Result("mutagen", view.path), ours, theirs)


# --- Matroska ---------------------------------------------------------------------------


def xml(text: str) -> ElementTree.Element | None:
    text = text.lstrip("\ufeff").strip()
    return ElementTree.fromstring(text) if text else None


def mkv_tags(root: ElementTree.Element | None) -> list[Fact]:
    facts = []

    def simple(node: ElementTree.Element, target: str, depth: int) -> None:
        binary = node.findtext("Binary")
        value = digest(base64.b64decode(binary)) if binary else node.findtext("String") or ""
        facts.append(Fact(f"{target} {'>' * depth}{node.findtext('Name')}", value))
        for child in node.findall("Simple"):
            simple(child, target, depth + 1)

    for tag in root.findall("Tag") if root is not None else []:
        level = tag.findtext("Targets/TargetTypeValue") or "50"
        target = "track" if tag.find("Targets/TrackUID") is not None else "file"
        for node in tag.findall("Simple"):
            simple(node, f"{target} {level}", 0)
    return facts


def mkv_our_tags(view: View) -> list[Fact]:
    facts = []
    groups = [("file", view.items)] + [("track", track["metadata"]) for track in view.shown["tracks"]]
    for target, items in groups:
        for item in items:
            extra = item.get("extra") or {}
            if extra.get("element") in ("Info/Title", "TrackEntry/Name"):
                facts.append(Fact(extra["element"], value_of(item)))
            elif extra.get("element") == "AttachedFile":
                facts.append(Fact(f"picture {extra.get('info')}", value_of(item).split(":")[1]))
            else:
                depth = ">" * int(extra.get("nestingDepth", 0))
                facts.append(Fact(f"{target} {extra.get('targetTypeValue', 50)} {depth}{item['key']}", value_of(item)))
    facts += [Fact(f"attachment {a['name']}", f"{a['mimeType']} {a['byteCount']}") for a in view.shown["attachments"]]
    for chapter in view.chapters("matroska"):
        nanoseconds = [
            round(chapter[n]["value"] * 10**9 / chapter[n]["timescale"]) if chapter.get(n) else None
            for n in ("start", "end")
        ]
        facts.append(Fact(f"chapter {chapter.get('identifier')}", str(nanoseconds)))
        facts += [Fact(f"chapter {chapter.get('identifier')} title", t["text"]) for t in chapter.get("titles") or []]
    return facts


def mkv_time(text: str | None) -> int | None:
    if text is None:
        return None
    hours, minutes, rest = text.split(":")
    seconds, _, fraction = rest.partition(".")
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 10**9 + int(fraction.ljust(9, "0"))


def check_matroska(view: View) -> Result | None:
    if view.shown["container"] != "matroska":
        return None
    theirs = mkv_tags(xml(output(["mkvextract", str(view.path), "tags", "-"])))
    root = xml(output(["mkvextract", str(view.path), "chapters", "-"]))
    for atom in root.iter("ChapterAtom") if root is not None else []:
        key = f"chapter {atom.findtext('ChapterUID')}"
        times = [mkv_time(atom.findtext("ChapterTimeStart")), mkv_time(atom.findtext("ChapterTimeEnd"))]
        theirs.append(Fact(key, str(times)))
        theirs += [Fact(f"{key} title", d.findtext("ChapterString") or "") for d in atom.findall("ChapterDisplay")]
    about = parsed(["mkvmerge", "-J", str(view.path)]) or {}
    if title := about.get("container", {}).get("properties", {}).get("title"):
        theirs.append(Fact("Info/Title", title))
    for track in about.get("tracks", []):
        if name := track.get("properties", {}).get("track_name"):
            theirs.append(Fact("TrackEntry/Name", name))
    for file in about.get("attachments", []):
        theirs.append(Fact(f"attachment {file['file_name']}", f"{file['content_type']} {file['size']}"))
        if re.match(r"^(small_)?cover(_land)?\.(png|jpe?g)$", file["file_name"]):
            theirs.append(Fact(f"picture {file['file_name']}", str(file["size"])))
    return compare_keyed(Result("mkvtoolnix", view.path), mkv_our_tags(view), theirs)


# --- by value ---------------------------------------------------------------------------


def our_values(view: View) -> list[Fact]:
    facts = [Fact(item["identifier"], value_of(item)) for item in view.all_items]
    facts.append(Fact("creationDate", view.shown.get("creationDate") or ""))
    facts += [Fact("mediaItem", part) for value in view.shown["mediaItem"].values() for part in str(value).split("; ")]
    for item in view.all_items:
        if info := (item.get("extra") or {}).get("info"):
            facts.append(Fact("described " + item["identifier"], f"({info}) {value_of(item)}"))
    for item in view.all_items:
        if isinstance(item.get("value"), dict) and not value_of(item).startswith("data:"):
            continue
        data = bytes_of(item)
        # Data may hold text or one number, and what a tool shows of them is that.
        if isinstance(item.get("value"), dict) and len(data) <= 4096:
            for part in data.split(b"\0"):
                facts.append(Fact("part of " + item["identifier"], part.decode("utf-8", "replace")))
            if len(data) <= 4:
                facts.append(Fact("number of " + item["identifier"], str(int.from_bytes(data, "big"))))
    return facts


def check_exiftool(view: View) -> Result | None:
    shown = parsed(
        ["exiftool", "-n", "-G1:4", "-a", "-struct", "-j", "-b", "-api", "LargeFileSupport=1", str(view.path)]
    )
    theirs, everything = [], []
    for name, value in shown.items():
        group, _, tag = name.rpartition(":")
        base = group.split(":")[0]
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and one.startswith("base64:"):
                one = digest(base64.b64decode(one[7:]))
            elif tag.startswith(("Picture", "CoverArt")) and isinstance(one, str) and len(one) > 64:
                one = digest(one.encode())
            fact = Fact(f"{base}:{tag}", str(one))
            everything.append(fact)
            if (base == "FLAC" and tag == "Picture") or (
                EXIFTOOL_GROUPS.match(base) and not EXIFTOOL_TECHNICAL.match(tag)
            ):
                theirs.append(fact)
    result = compare_values(Result("exiftool", view.path), our_values(view), theirs, False)
    mine = [Fact(item["identifier"], value_of(item)) for item in view.all_items]
    # exiftool puts a description before the text.
    everything += [Fact(f.key, f.value.partition(") ")[2]) for f in everything if f.value.startswith("(")]
    result.ours = compare_values(Result("exiftool", view.path), mine, everything, True).ours
    result.is_blind = view.shown["container"] == "id3" and not any(f.key.startswith("ID3v2") for f in everything)
    return result


def check_ffprobe(view: View) -> Result | None:
    shown = (
        parsed(
            [
                "ffprobe",
                "-v",
                "error",
                "-of",
                "json",
                "-show_chapters",
                "-show_entries",
                "format_tags:stream_tags:stream_disposition=attached_pic:chapter",
                f"file:{view.path}",
            ]
        )
        or {}
    )
    theirs = [
        Fact(k, v)
        for owner in [shown.get("format", {}), *shown.get("streams", [])]
        if not owner.get("disposition", {}).get("attached_pic")
        for k, v in owner.get("tags", {}).items()
        if k not in ("language", "timecode")
    ]
    ours = our_values(view)
    result = compare_values(Result("ffprobe", view.path), ours, theirs, False)
    starts = {(round(c["start"]["seconds"], 2), plain(c.get("title") or "")) for c in view.chapters()}
    kind = "cue sheet " if view.shown["container"] == "flac" and not starts else ""
    for number, chapter in enumerate(shown.get("chapters", []), 1):
        their = (round(float(chapter["start_time"]), 2), plain(chapter.get("tags", {}).get("title", "")))
        near = any(abs(start - their[0]) < 0.02 and title == their[1] for start, title in starts)
        (result.equal if near else result.theirs).append(
            (f"{kind}chapter {number}", "" if not near else str(their), str(their))
        )
    if view.chapters() and not shown.get("chapters"):
        result.ours.append(("chapters", str(len(view.chapters())), ""))
    return result


def check_mediainfo(view: View) -> Result | None:
    shown = parsed(["mediainfo", "--Output=JSON", str(view.path)]) or {}
    tracks = (shown.get("media") or {}).get("track", [])
    kind = "stream: " if view.shown["container"] == "other" else ""
    theirs = [
        Fact(f"{kind}{t['@type']}.{k}", v)
        for t in tracks
        for k, v in t.items()
        if isinstance(v, str)
        and MEDIAINFO_FIELDS.match(k)
        and (t["@type"] == "General" or view.shown["container"] == "matroska")
    ]
    return compare_values(Result("mediainfo", view.path), our_values(view), theirs, False)


CHECKS = [
    pytest.param(check_mutagen, id="mutagen"),
    pytest.param(check_matroska, id="mkvtoolnix", marks=pytest.mark.peer("mkvextract")),
    pytest.param(check_exiftool, id="exiftool", marks=pytest.mark.peer("exiftool")),
    pytest.param(check_ffprobe, id="ffprobe"),
    pytest.param(check_mediainfo, id="mediainfo", marks=pytest.mark.peer("mediainfo")),
]


QUICK = (
    "movie.mp4 movie.mov audio-only.mp3 audio-only.flac audio-only.m4a attached-picture.m4a attached-picture.mp3"
    " cues.mkv languages.mkv languages.mp4 vp9.webm theora.ogv h264.avi fragmented.mp4 text.mp4 wmv2.asf"
)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("file", [*films.fixtures(quick=QUICK), *films.corpus()])
def test_metadata(file: Path, check: Callable[[View], Result | None]) -> None:
    shown = metadata(file)
    if not shown or "error" in shown:
        pytest.skip(f"not shown: {shown.get('error', {}).get('message', 'no JSON')}")
    result = check(View(file, shown))
    if result is None:
        pytest.skip("it does not read such files")
    rows = [row for row in result.rows(False) if not row[5]]
    assert not rows, "\n".join(
        f"{mark} {key}: avtool {ours!r}, {result.peer} {theirs!r}" for _, mark, key, ours, theirs, _ in rows
    )
