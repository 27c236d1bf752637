#!/usr/bin/env python3
"""Reads the indexes of a storyboard's folder with readers of their own and holds them against storyboard.json.

usage: storyboard_indexes.py FOLDER

Reads storyboard.vtt, and storyboard.bif, images.m3u8 and storyboard.mpd as far as they are there. webvtt-py, m3u8,
mpegdash and xmlschema are used if they are installed (Debian: python3-webvtt, python3-m3u8, python3-mpegdash,
python3-xmlschema); small readers in this file are used always. Prints one line for each reader: what it found. Ends
with 1 if something is wrong.
"""

from __future__ import annotations

import json
import re
import struct
import sys
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

NAMESPACE = "{urn:mpeg:dash:schema:mpd:2011}"
NANOSECOND = Fraction(1, 1_000_000_000)
problems: list[str] = []


def check(holds: bool, text: str) -> None:
    if not holds:
        problems.append(text)


def module(name: str):
    try:
        return __import__(name)
    except ImportError:
        print(f"{name}: not installed, not used")
        return None


class Board:
    """What storyboard.json says, of which the indexes must say the same."""

    def __init__(self, folder: Path):
        document = json.loads((folder / "storyboard.json").read_text(encoding="utf-8"))
        self.folder = folder
        self.duration = Fraction(document["duration"]["value"], document["duration"]["timescale"])
        self.interval = Fraction(document["interval"]["value"], document["interval"]["timescale"])
        self.tile = document["tile"]["width"], document["tile"]["height"]
        self.grid = document["grid"]["columns"], document["grid"]["rows"]
        self.format = document["format"]
        self.sheets = [sheet["file"] for sheet in document["sheets"]]
        self.sizes = [sheet["size"] for sheet in document["sheets"]]
        self.count = len(document["tiles"])
        per_sheet = self.grid[0] * self.grid[1]
        self.sheet_duration = per_sheet * self.interval
        self.cues = []
        for cue in document["cues"]:
            number, position = divmod(cue["tile"], per_sheet)
            row, column = divmod(position, self.grid[0])
            place = column * self.tile[0], row * self.tile[1], *self.tile
            self.cues.append((cue["start"], cue["end"], self.sheets[number], place))


# --- WebVTT -----------------------------------------------------------------------------


def milliseconds(text: str) -> int:
    match = re.fullmatch(r"(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})", text)
    if match is None:
        return -1
    hours, minutes, seconds, rest = (int(part) for part in match.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest


def target(text: str) -> tuple:
    match = re.fullmatch(r"([^#\s]+)#xywh=(\d+),(\d+),(\d+),(\d+)", text.strip())
    return (unquote(match[1]), tuple(int(part) for part in match.groups()[1:])) if match else ("", ())


def check_webvtt(board: Board) -> None:
    path = board.folder / "storyboard.vtt"
    blocks = path.read_bytes().decode("utf-8").rstrip("\n").split("\n\n")
    check(blocks[0] == "WEBVTT", "WebVTT: does not begin with WEBVTT")
    cues = []
    for block in blocks[1:]:
        if block.startswith("NOTE"):
            continue
        identifier, times, text = block.split("\n")
        start, end = times.split(" --> ")
        check(identifier == str(len(cues) + 1), f"WebVTT: cue {len(cues) + 1} is called {identifier}")
        cues.append((milliseconds(start), milliseconds(end), *target(text)))
    check(cues == board.cues, f"WebVTT: {len(cues)} cues are not the {len(board.cues)} of storyboard.json")
    print(f"WebVTT: {len(cues)} cues")
    if webvtt := module("webvtt"):
        theirs = [(milliseconds(c.start), milliseconds(c.end), *target(c.text)) for c in webvtt.read(str(path))]
        check(theirs == board.cues, f"webvtt-py: reads other cues: {theirs[:3]}")
        print(f"webvtt-py: {len(theirs)} cues")


# --- BIF --------------------------------------------------------------------------------


def check_bif(board: Board) -> None:
    path = board.folder / "storyboard.bif"
    if not path.exists():
        return
    data = path.read_bytes()
    magic, version, count, multiplier = struct.unpack_from("<8sIII", data)
    check(magic == b"\x89BIF\r\n\x1a\n" and version == 0 and not any(data[20:64]), "BIF: has another header")
    check(count == board.count, f"BIF: {count} pictures, {board.count} tiles")
    index = [struct.unpack_from("<II", data, 64 + 8 * i) for i in range(count + 1)]
    check(index[-1] == (0xFFFFFFFF, len(data)), f"BIF: ends with {index[-1]}, the file at {len(data)}")
    check(index[0][1] == 64 + 8 * (count + 1), "BIF: the first picture does not follow the index")
    for number, ((stamp, start), (_, end)) in enumerate(zip(index, index[1:])):
        time = Fraction(stamp * (multiplier or 1000), 1000)
        check(abs(time - number * board.interval) <= Fraction(1, 2000), f"BIF: picture {number} is for {float(time)} s")
        picture = data[start:end]
        check(picture[:3] == b"\xff\xd8\xff" and picture[-2:] == b"\xff\xd9", f"BIF: picture {number} is no JPEG file")
    print(f"BIF: {count} pictures, {multiplier} ms apart")


# --- HLS --------------------------------------------------------------------------------


def check_hls(board: Board) -> None:
    path = board.folder / "images.m3u8"
    if not path.exists():
        return
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    check(lines[0] == "#EXTM3U" and lines[-1] == "#EXT-X-ENDLIST", "HLS: is not whole")
    check(lines.count("#EXT-X-IMAGES-ONLY") == 1, "HLS: is not of images")
    segments, pending = [], {}
    for line in lines:
        name, _, value = line.partition(":")
        if name == "#EXTINF":
            pending["duration"] = Fraction(value.rstrip(","))
        elif name == "#EXT-X-TILES":
            pending |= dict(part.split("=", 1) for part in value.split(","))
        elif not line.startswith("#"):
            segments.append((unquote(line), pending))
            pending = {}
    check([name for name, _ in segments] == board.sheets, "HLS: names other sheets")
    size, layout = (f"{a}x{b}" for a, b in (board.tile, board.grid))
    start = Fraction(0)
    for number, (name, values) in enumerate(segments):
        said = values.get("RESOLUTION"), values.get("LAYOUT")
        check(said == (size, layout), f"HLS: {name} is of {said}")
        step = Fraction(values.get("DURATION", 0))
        check(abs(step - board.interval) <= NANOSECOND, f"HLS: a tile of {name} lasts {step} s")
        check(abs(start - number * board.sheet_duration) <= NANOSECOND * 2, f"HLS: {name} begins at {float(start)} s")
        start += values["duration"]
    check(abs(start - board.duration) <= NANOSECOND * 2, f"HLS: lasts {float(start)} s")
    goal = re.search(r"^#EXT-X-TARGETDURATION:(\d+)$", text, re.MULTILINE)
    longest = max(values["duration"] for _, values in segments)
    check(goal is not None and int(goal[1]) - 1 < longest <= int(goal[1]), "HLS: has another target duration")
    print(f"HLS: {len(segments)} sheets")
    if m3u8 := module("m3u8"):
        playlist = m3u8.loads(text)
        theirs = [(unquote(s.uri), s.duration) for s in playlist.segments]
        check(theirs == [(name, float(values["duration"])) for name, values in segments], "m3u8: reads other segments")
        check(playlist.is_endlist and playlist.playlist_type == "vod", "m3u8: reads no whole playlist")
        tiles = playlist.data.get("tiles")  # old versions know none
        if tiles is not None:
            said = [(one["resolution"], one["layout"], Fraction(str(one["duration"]))) for one in tiles]
            wanted = [(size, layout, Fraction(values["DURATION"])) for _, values in segments]
            check(playlist.is_images_only and said == wanted, f"m3u8: reads tiles {said[:2]}")
        print(f"m3u8: {len(theirs)} segments")


# --- DASH -------------------------------------------------------------------------------


def seconds(text: str) -> Fraction:
    match = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?", text)
    if match is None:
        return Fraction(-1)
    return sum((Fraction(part or 0) * unit for part, unit in zip(match.groups(), (3600, 60, 1))), Fraction(0))


def check_dash(board: Board) -> None:
    path = board.folder / "storyboard.mpd"
    if not path.exists():
        return
    root = ElementTree.parse(path).getroot()
    sets = root.findall(f"{NAMESPACE}Period/{NAMESPACE}AdaptationSet")
    check(len(sets) == 1, f"DASH: {len(sets)} sets")
    template = sets[0].find(f"{NAMESPACE}SegmentTemplate").attrib
    picture = sets[0].find(f"{NAMESPACE}Representation")
    tiles = picture.find(f"{NAMESPACE}EssentialProperty").attrib
    check(sets[0].attrib == {"contentType": "image", "mimeType": f"image/{board.format}"}, "DASH: is of other images")
    check(tiles["schemeIdUri"] == "http://dashif.org/guidelines/thumbnail_tile", "DASH: has no tiles")
    check(tiles["value"] == "x".join(map(str, board.grid)), f"DASH: tiles are {tiles['value']}")
    size = int(picture.get("width")), int(picture.get("height"))
    check(size == tuple(a * b for a, b in zip(board.tile, board.grid)), f"DASH: sheets are {size}")
    length = Fraction(int(template["duration"]), int(template["timescale"]))
    check(length == board.sheet_duration, f"DASH: a sheet lasts {length} s")
    first, media = int(template["startNumber"]), template["media"]
    count = -(-board.duration // length)
    width = re.search(r"\$Number%0(\d)d\$", media)
    digits = [f"{n:0{width[1]}}" if width else "" for n in range(first, first + count)]
    names = [unquote(media.replace(width[0] if width else "", number)) for number in digits]
    check(names == board.sheets, f"DASH: names sheets {names[:3]}")
    longest = min(board.duration, length)
    check(int(picture.get("bandwidth")) == -(-max(board.sizes) * 8 // longest), "DASH: has another bandwidth")
    whole = seconds(root.get("mediaPresentationDuration"))
    check(abs(whole - board.duration) <= NANOSECOND, f"DASH: lasts {float(whole)} s")
    print(f"DASH: {len(names)} sheets")
    if module("mpegdash"):
        from mpegdash.parser import MPEGDASHParser

        manifest = MPEGDASHParser.parse(str(path))
        theirs = manifest.periods[0].adaptation_sets[0]
        said = theirs.segment_templates[0], theirs.representations[0]
        found = said[0].media, int(said[0].duration), int(said[0].timescale), said[1].width, said[1].height
        wanted = media, int(template["duration"]), int(template["timescale"]), *size
        check(found == wanted, f"mpegdash: reads {found}")
        print("mpegdash: 1 set")
    if xmlschema := module("xmlschema"):
        schema = xmlschema.XMLSchema(str(Path(__file__).with_name("dash-thumbnails.xsd")))
        for error in schema.iter_errors(str(path)):
            check(False, f"xmlschema: {error.reason}")
        print("xmlschema: valid")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    board = Board(Path(sys.argv[1]))
    for one in (check_webvtt, check_bif, check_hls, check_dash):
        one(board)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
