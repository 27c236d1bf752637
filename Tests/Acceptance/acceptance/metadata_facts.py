"""What comparisons of metadata are made of: values as facts, the reasons of known differences, results."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from acceptance.running import Json

# Differences whose reason is known: peer, which side has it, key, value (regular expressions), reason.
REASONS = [
    ("mutagen", "ours", "^cprt$", "^data:", "mutagen skips what it cannot read"),
    ("mutagen", "ours", "^TCON$", "^$", "mutagen has no values for an empty genre"),
    ("mutagen", "different", "^encoder$", "", "mutagen reads one stream of several"),
    ("mutagen", "theirs", "^\x00\x00\x00", "", "mutagen takes the numbers of keys (mdta) for names"),
    ("mutagen", "different", "^TCON$", r"^\(\d+\)$", "mutagen shows the genre of ID3v1 as a bare number"),
    ("exiftool", "theirs", r"^UserData:ChapterList", "", "a chapter, which avtool has in chapterLists"),
    ("exiftool", "theirs", r"^(ItemList|Keys|UserData|iTunes):.*(Genre|MediaType|Rating)", r"^\d+$", "a code"),
    ("exiftool", "theirs", r":(GPS|Location)", "", "exiftool converts places"),
    ("exiftool", "ours", r"^(udta/.A9xyz|itsk/.A9xyz|mdta/.*ISO6709|uiso/loci)", "", "exiftool converts places"),
    ("exiftool", "theirs", r"^ID3v1:", "", "ID3v1 beside an ID3v2 tag, which wins"),
    ("exiftool", "(ours|theirs)", r"^(caaf/info-|AIFF:)", r"[^\x00-\x7f]", "exiftool takes AIFF for Mac Roman"),
    ("exiftool", "ours", r"^caaf/bext-(loud|max|orig)", "", "exiftool knows no loudness of version 2, and joins dates"),
    ("exiftool", "ours", r"^caaf/bext-umid", "", "exiftool shows the first 32 bytes"),
    ("exiftool", "theirs", r"^RIFF:BWF_UMID", "", "exiftool shows the first 32 bytes"),
    ("exiftool", "ours", "", r"^data:", "exiftool shows no bytes that it does not know"),
    ("exiftool", "theirs", "^Keys:", r"^data:", "exiftool shows the bytes of a type that it does not know"),
    ("exiftool", "ours", "^mdta/", r"^\d+$", "exiftool shows the bytes of a type that it does not know"),
    ("exiftool", "theirs", "^Microsoft:", "", "in the bytes of the item Xtra"),
    ("exiftool", "theirs", "^UserData:(WindowLocation|SerialNumberHash|PlayMode)", "", "bytes that exiftool explains"),
    ("exiftool", "ours", "^mkv/", "", "exiftool reads few of Matroska's tags"),
    ("exiftool", "ours", "^lavf/", "", "FFmpeg's, not exiftool's"),
    ("exiftool", "ours", "^id3/TIPL", "", "exiftool joins people"),
    ("exiftool", "(ours|theirs)", "(^id3/TLEN|ID3.*:Length)", "", "exiftool converts milliseconds"),
    ("exiftool", "ours", "^itsk/ownr", "", "exiftool does not know it"),
    ("ffprobe", "theirs", r"^chapter", r"'chap\d+'", "ffprobe shows a chapter's identifier if it has no title"),
    ("ffprobe", "theirs", r"^cue sheet chapter", "", "ffprobe makes chapters of cue sheets"),
    ("ffprobe", "theirs", r"^episode_uid$", "", "ffprobe takes the text for a number"),
    ("ffprobe", "theirs", r"^umid$", "", "ffprobe shows the first 32 bytes"),
    ("ffprobe", "theirs", r"^location", "", "ffprobe rounds places"),
    ("ffprobe", "theirs", r"^Encoding Params$", "^vers$", "ffprobe shows data up to the first byte of zero"),
    ("ffprobe", "theirs", r"^alpha_mode$", "", "ffprobe's name of a track's element"),
    ("ffprobe", "theirs", r"^(encoder|vendor_id|handler_name|creation_time|major_brand|minor_version|compatible_brands|"
     r"reel_name|timecode|company_name|product_name|product_version|variant_bitrate)$", "", "a technical value"),
    ("mediainfo", "theirs", r"^stream: ", "", "from the media themselves"),
    ("mediainfo", "theirs", r"", "v1$|^2001$|^A Cappella$", "ID3v1 beside an ID3v2 tag, which wins"),
    ("mediainfo", "theirs", r"General.Copyright", r"â", "MediaInfo takes UTF-8 for Latin-1"),
]  # fmt: skip


# --- values -----------------------------------------------------------------------------


def digest(data: bytes) -> str:
    return f"data:{len(data)}:{hashlib.md5(data).hexdigest()[:8]}"


def plain(value: object) -> str:
    text = unicodedata.normalize("NFC", str(value)).replace("\r\n", "\n").replace("\r", "\n")
    return text.strip("\0 \n\t")


def forms(value: object) -> set[str]:
    """What a value may look like in another tool."""
    text = plain(value)
    found = {text, re.sub(r"[\s/]+", " ", text)}
    with contextlib.suppress(ValueError):
        found.add(f"{float(text):.6g}")
    if re.match(r"^\d{4}[-:/]\d\d([-:/]\d\d)?", text):
        found.add(re.sub(r"\D", "", re.sub(r"\.0+\b|[+-]\d\d:?\d\d$|\.0+Z", "", text)))
    if pair := re.match(r"^(\d+)(?:/| of | )(\d+)$", text):
        number, count = int(pair[1]), int(pair[2])
        found |= {f"{number}/{count}", str(number), str(count), pair[1], pair[2]}
    if text in ("True", "False"):
        found.add(str(int(text == "True")))
    if re.match(r"^\((\d+|RX|CR)\)", text):
        found |= set(re.findall(r"\((\w+)\)", text))
    return found


@dataclass
class Fact:
    key: str
    value: str

    def __post_init__(self) -> None:
        self.value = plain(self.value)


def value_of(item: Json) -> str:
    """An item's value as text; data as their digest, pairs of numbers as text."""
    value = item.get("value")
    if isinstance(value, dict):
        if re.match(r"^\d+(/\d+)?$", item.get("display") or ""):
            return str(item["display"])
        return digest(base64.b64decode(value["base64"]))
    return str(value)


def bytes_of(item: Json) -> bytes:
    value = item.get("value")
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else str(value).encode()


@dataclass
class View:
    """What avtool shows of a file."""

    path: Path
    shown: Json

    @property
    def items(self) -> list[Json]:
        items: list[Json] = self.shown["metadata"]
        return items

    @property
    def all_items(self) -> list[Json]:
        return self.items + [item for track in self.shown["tracks"] for item in track["metadata"]]

    def chapters(self, *forms: str) -> list[Json]:
        def flat(chapters: list[Json]) -> list[Json]:
            return [c for chapter in chapters for c in [chapter, *flat(chapter.get("children") or [])]]

        return [c for chapters in self.shown["chapterLists"] if chapters["form"] in forms or not forms
                for c in flat(chapters["chapters"])]  # fmt: skip


@dataclass
class Result:
    peer: str
    file: Path
    equal: list[tuple[str, str, str]] = field(default_factory=list)
    different: list[tuple[str, str, str]] = field(default_factory=list)
    ours: list[tuple[str, str, str]] = field(default_factory=list)
    theirs: list[tuple[str, str, str]] = field(default_factory=list)
    is_blind: bool = False

    def rows(self, with_equal: bool) -> Iterator[tuple[str, str, str, str, str, str]]:
        for kind, mark in (("equal", "="), ("different", "≠"), ("ours", "+"), ("theirs", "-")):
            if kind != "equal" or with_equal:
                for key, ours, theirs in getattr(self, kind):
                    yield kind, mark, key, ours, theirs, self.reason(kind, key, ours or theirs)

    def reason(self, kind: str, key: str, value: str) -> str:
        for peer, side, key_pattern, value_pattern, reason in REASONS:
            if (
                peer == self.peer
                and re.fullmatch(side, kind)
                and re.search(key_pattern, key)
                and re.search(value_pattern, value)
            ):
                return reason
        return f"{self.peer} reads nothing of it" if self.is_blind and kind == "ours" else ""

    @property
    def unexplained(self) -> int:
        return sum(kind != "equal" and not reason for kind, _, _, _, _, reason in self.rows(False))


def compare_keyed(result: Result, ours: list[Fact], theirs: list[Fact]) -> Result:
    """Exact values by key, in order."""
    keys = list(dict.fromkeys(f.key for f in ours + theirs))
    for key in keys:
        mine, others = ([f.value for f in facts if f.key == key] for facts in (ours, theirs))
        if mine == others or (result.peer == "mkvtoolnix" and sorted(mine) == sorted(others)):
            result.equal.append((key, " | ".join(mine), ""))
        elif mine and others:
            result.different.append((key, " | ".join(mine), " | ".join(others)))
        elif mine:
            result.ours.append((key, " | ".join(mine), ""))
        else:
            result.theirs.append((key, "", " | ".join(others)))
    return result


def compare_values(result: Result, ours: list[Fact], theirs: list[Fact], both_ways: bool) -> Result:
    """Values wherever they are; several of ours may be one joined text of theirs."""
    known: set[str] = set().union(*(forms(f.value) for f in ours)) if ours else set()
    for key in {f.key for f in ours}:
        values = [f.value for f in ours if f.key == key]
        if len(values) > 1:
            known |= {plain(joiner.join(values)) for joiner in ("; ", ";", " / ", "/", ", ", " ", "\n", "\0")}
    for fact in theirs:
        parts = [part for part in re.split(r" / |;", fact.value) if part.strip()]
        if forms(fact.value) & known or all(forms(part) & known for part in parts):
            result.equal.append((fact.key, fact.value, ""))
        else:
            result.theirs.append((fact.key, "", fact.value))
    if both_ways:
        seen: set[str] = set().union(*(forms(f.value) for f in theirs)) if theirs else set()
        for fact in ours:
            if fact.value and not forms(fact.value) & seen:
                result.ours.append((fact.key, fact.value, ""))
    return result
