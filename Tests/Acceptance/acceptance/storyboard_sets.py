"""Reads a storyboard's folder as players and scripts would, and checks that its parts agree.

Nothing of avtool's own code is used: the WebVTT and the BIF are read here by their formats'
definitions, the WebVTT also by webvtt-py, playlists by m3u8, and tiles are cut out of the sheets'
pixels.
"""

from __future__ import annotations

import json
import math
import re
import struct
from dataclasses import dataclass, field
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import m3u8
import numpy
import webvtt
from PIL import Image

from acceptance.media import fraction_of
from acceptance.running import ROOT, Json, run
from acceptance.storyboard_reference import Pixels, over_black

SCHEMA = ROOT / "docs/storyboard.schema.json"
ENDINGS = {"jpeg": "jpg", "png": "png", "webp": "webp", "avif": "avif"}
CUE = re.compile(r"(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3}) --> (?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})")
TARGET = re.compile(r"([^#\s]+)#xywh=(?:pixel:)?(\d+),(\d+),(\d+),(\d+)")
# Of pictures that were encoded twice or otherwise: the most that the mean square of their differences may be.
SAME = 150.0


@dataclass
class Cue:
    start: int  # milliseconds
    end: int
    sheet: str
    place: tuple[int, int, int, int]  # x, y, width, height


@dataclass
class Tile:
    """What storyboard.json says of the picture of one interval."""

    requested: Fraction | None
    actual: Fraction | None
    tick: Fraction
    is_sync: bool
    is_exact: bool
    is_faulty: bool  # damaged, or standing in for one that cannot be had


@dataclass
class Board:
    folder: Path
    document: Json
    duration: Fraction
    interval: Fraction
    zero: Fraction  # the time of the film's zero in cues
    part: tuple[Fraction, Fraction]
    size: tuple[int, int]
    columns: int
    rows: int
    format: str
    sheets: list[str]
    tiles: list[Tile]
    cues: list[Cue]
    problems: list[str] = field(default_factory=list)
    loaded: dict[str, Pixels | None] = field(default_factory=dict)

    def sheet(self, name: str) -> Pixels | None:
        if name not in self.loaded:
            self.loaded[name] = pixels_of(self.folder / name)
        return self.loaded[name]

    def place(self, index: int) -> tuple[int, int, int]:
        """Number of the sheet, x and y of a tile."""
        position = index % (self.columns * self.rows)
        x, y = position % self.columns * self.size[0], position // self.columns * self.size[1]
        return index // (self.columns * self.rows), x, y

    def picture(self, index: int) -> Pixels | None:
        number, x, y = self.place(index)
        sheet = self.sheet(self.sheets[number]) if number < len(self.sheets) else None
        return cut(sheet, x, y, *self.size)

    def tile_of(self, cue: Cue) -> int | None:
        """The tile that a cue shows, counted from 0."""
        x, y, width, height = cue.place
        if cue.sheet not in self.sheets or (width, height) != self.size or x % width or y % height:
            return None
        column, row = x // width, y // height
        if column >= self.columns or row >= self.rows:
            return None
        return self.sheets.index(cue.sheet) * self.columns * self.rows + row * self.columns + column

    @staticmethod
    def read(folder: Path) -> Board:
        """Raises ValueError, KeyError or OSError for what cannot be read at all."""
        document = json.loads((folder / "storyboard.json").read_text(encoding="utf-8"))
        grid, sheets = document["grid"], document["sheets"]
        board = Board(
            folder=folder,
            document=document,
            duration=time_of(document["duration"]),
            interval=time_of(document["interval"]),
            zero=time_of(document["origin"]) if document["times"] == "container" else Fraction(0),
            part=(time_of(document["part"]["start"]), time_of(document["part"]["end"])),
            size=(document["tile"]["width"], document["tile"]["height"]),
            columns=grid["columns"],
            rows=grid["rows"],
            format=document["format"],
            sheets=[sheet["file"] for sheet in sheets],
            tiles=[tile_from(tile) for tile in document["tiles"]],
            cues=[],
        )
        text = (folder / "storyboard.vtt").read_bytes().decode("utf-8")
        board.cues = cues_of(text, board.problems)
        compare_webvtt(folder / "storyboard.vtt", board)
        return board


def time_of(value: Json) -> Fraction:
    time = fraction_of(value)
    if time is None:
        raise ValueError(f"{value} is no time")
    return time


def tile_from(value: Json) -> Tile:
    actual = value.get("actual")
    return Tile(
        requested=fraction_of(value.get("requested")),
        actual=fraction_of(actual),
        tick=Fraction(1, int(actual["timescale"])) if actual else Fraction(1, 1000),
        is_sync=bool(value.get("isSyncSample")),
        is_exact=bool(value.get("exact")),
        is_faulty=bool(value.get("damage") or value.get("damaged") or value.get("gap")),
    )


# --- pictures ---------------------------------------------------------------------------


def pixels_of(source: Path | bytes) -> Pixels | None:
    """An image file as rows × columns × RGB, decoded whole; `None` if that cannot be done."""
    try:
        if isinstance(source, Path) and source.suffix == ".avif":  # Pillow may not read it
            made = run(["ffmpeg", "-v", "error", "-i", f"file:{source}", "-f", "image2pipe", "-c:v", "png", "-"])
            source = made.stdout
        image = Image.open(source if isinstance(source, Path) else BytesIO(source))
        image.load()
        is_clear = "A" in image.getbands() or "transparency" in image.info
        return over_black(numpy.asarray(image.convert("RGBA" if is_clear else "RGB")))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def cut(sheet: Pixels | None, x: int, y: int, width: int, height: int) -> Pixels | None:
    if sheet is None or x < 0 or y < 0 or x + width > sheet.shape[1] or y + height > sheet.shape[0]:
        return None
    return sheet[y : y + height, x : x + width]


def difference(one: Pixels | None, other: Pixels | None) -> float:
    """The mean square of the differences; infinite for pictures that are missing or of other sizes."""
    if one is None or other is None or one.shape != other.shape:
        return math.inf
    return float(numpy.square(one.astype(numpy.float32) - other.astype(numpy.float32)).mean())


def luma(picture: Pixels | None) -> Pixels | None:
    if picture is None:
        return None
    return picture.astype(numpy.float32) @ numpy.array([0.299, 0.587, 0.114], dtype=numpy.float32)


def coarse(picture: Pixels | None) -> Pixels | None:
    """The means of 4x4 pixels, in which losses of coding hardly show."""
    if picture is None or min(picture.shape) < 16:
        return picture
    height, width = (side // 4 * 4 for side in picture.shape)
    blocks: Pixels = picture[:height, :width].reshape(height // 4, 4, width // 4, 4).mean(axis=(1, 3))
    return blocks


def is_tile(board: Board, index: int, picture: Pixels | None) -> bool:
    """Whether a picture shows what a tile does, and is not rather one of the others nearby."""
    mine, own = luma(picture), luma(board.picture(index))
    # Tiles of a few pixels run into each other's colours, and into the empty rest of a sheet.
    if min(board.size) < 16 and board.format != "png":
        return own is not None
    if not difference(mine, own) < (SAME if min(board.size) >= 16 else math.inf):
        return False
    mine, own = coarse(mine), coarse(own)
    off = difference(mine, own)
    for other in range(max(0, index - 3), min(len(board.tiles), index + 4)):
        if board.tiles[other].actual == board.tiles[index].actual:
            continue
        theirs = coarse(luma(board.picture(other)))
        distance = difference(mine, theirs)
        if off > 3 * distance + 4 and off - distance > difference(own, theirs) / 2:
            return False
    return True


# --- WebVTT -----------------------------------------------------------------------------


def cues_of(text: str, problems: list[str]) -> list[Cue]:
    """The cues of a WebVTT file; what is no cue of a sprite is a problem."""
    blocks = re.split(r"\n{2,}", text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n"))
    if not re.match(r"WEBVTT(?:[ \t].*)?(?:\n|$)", blocks[0]):
        problems.append("the VTT does not begin with WEBVTT")
    cues = []
    for block in blocks[1:]:
        lines = block.split("\n")
        if lines[0].startswith(("NOTE", "STYLE", "REGION")):
            continue
        timing = 0 if "-->" in lines[0] else 1
        times = CUE.fullmatch(lines[timing]) if timing < len(lines) else None
        target = TARGET.fullmatch(lines[timing + 1]) if len(lines) == timing + 2 else None
        if times is None or target is None:
            problems.append(f"no cue of a sprite in the VTT: {block[:120]!r}")
            continue
        parts = [int(part or 0) for part in times.groups()]
        start, end = (((h * 60 + m) * 60 + s) * 1000 + ms for h, m, s, ms in (parts[:4], parts[4:]))
        x, y, width, height = map(int, target.groups()[1:])
        cues.append(Cue(start, end, unquote(target[1]), (x, y, width, height)))
    return cues


def compare_webvtt(path: Path, board: Board) -> None:
    """A reader that others wrote must find the same cues."""
    try:
        captions = list(webvtt.read(str(path)))
    except Exception as error:  # whatever a reader may raise is a finding
        return board.problems.append(f"webvtt-py: {type(error).__name__}: {error}")

    def milliseconds(time: str) -> int:
        hours, minutes, seconds = time.split(":")
        return (int(hours) * 60 + int(minutes)) * 60_000 + round(Fraction(seconds) * 1000)

    theirs = [(milliseconds(c.start), milliseconds(c.end), c.text.strip()) for c in captions]
    mine = [(c.start, c.end, ",".join(map(str, c.place))) for c in board.cues]
    if len(theirs) != len(mine) or any(a[:2] != b[:2] or not a[2].endswith("=" + b[2]) for a, b in zip(theirs, mine)):
        board.problems.append(f"webvtt-py reads other cues: {len(theirs)}, here {len(mine)}")
    return None


# --- the set ----------------------------------------------------------------------------


def check_set(board: Board) -> list[str]:
    """What does not agree within a folder, without looking at the film."""
    problems = list(board.problems)
    own = (check_cues, check_grid, check_document, check_files)
    for check in (*own, check_hls, check_dash, check_bif, check_jellyfin):
        try:
            problems += check(board)
        except (ValueError, KeyError, IndexError, TypeError, struct.error, ElementTree.ParseError) as error:
            problems.append(f"{check.__name__[6:]}: {type(error).__name__}: {error}")
    return problems


def ceil_ms(time: Fraction) -> int:
    return max(0, math.ceil(time * 1000))


def check_cues(board: Board) -> list[str]:
    problems, cues = [], board.cues
    if not cues:
        return ["no cues"]
    if cues[0].start != (ceil_ms(board.part[0] + board.zero) if board.part[0] > 0 else 0):
        problems.append(f"the first cue starts at {cues[0].start} ms")
    for number, (one, other) in enumerate(zip(cues, cues[1:]), 1):
        if one.end != other.start:
            kind = "gap" if one.end < other.start else "overlap"
            problems.append(f"{kind} of {abs(other.start - one.end)} ms after cue {number}, at {one.end} ms")
    problems += [f"cue {n} lasts {c.end - c.start} ms" for n, c in enumerate(cues, 1) if c.end <= c.start]
    end = ceil_ms(board.part[1] + board.zero)
    # The last frame is shown for a moment even if the film is said to end before.
    if cues[-1].end != end and not (cues[-1].end == cues[-1].start + 1 > end):
        problems.append(f"the last cue ends at {cues[-1].end} ms, the film at {end} ms")
    shown = {}
    for number, cue in enumerate(cues, 1):
        index = board.tile_of(cue)
        if index is None or index >= len(board.tiles):
            problems.append(f"cue {number} shows no tile: {cue.sheet} {cue.place}")
            continue
        if cut(board.sheet(cue.sheet), *cue.place) is None:
            problems.append(f"cue {number} lies outside of {cue.sheet}: {cue.place}")
        shown[index] = cue
        actual = board.tiles[index].actual
        if actual is not None and number > 1 and cue.start != ceil_ms(actual + board.zero):
            time = float((actual + board.zero) * 1000)
            problems.append(f"cue {number} starts at {cue.start} ms, its frame is of {time:.3f} ms")
    return problems + check_sharing(board, shown)


def check_sharing(board: Board, shown: dict[int, Cue]) -> list[str]:
    """Each tile has a cue, or shows the frame of the last one that has."""
    problems, last = [], None
    for index, tile in enumerate(board.tiles):
        if index in shown:
            if last is not None and tile.actual == board.tiles[last].actual:
                problems.append(f"tiles {last + 1} and {index + 1} show one frame and have two cues")
            last = index
        elif last is None:
            problems.append(f"tile {index + 1} has no cue")
        elif tile.actual != (before := board.tiles[last].actual) and not (
            tile.actual is not None
            and before is not None
            and ceil_ms(tile.actual + board.zero) <= max(ceil_ms(before + board.zero), 0)
        ):
            problems.append(f"tile {index + 1} has no cue and shows another frame than tile {last + 1}")
    return problems


def check_grid(board: Board) -> list[str]:
    problems = []
    count = math.ceil((board.part[1] - board.part[0]) / board.interval) or 1
    if len(board.tiles) != count:
        problems.append(f"{len(board.tiles)} tiles, {count} wanted")
    for index, tile in enumerate(board.tiles):
        if tile.requested != board.part[0] + index * board.interval:
            wanted = board.part[0] + index * board.interval
            problems.append(f"tile {index + 1} is for {tile.requested}, not {wanted}")
            break
    sheets = math.ceil(len(board.tiles) / (board.columns * board.rows))
    if len(board.sheets) != sheets:
        problems.append(f"{len(board.sheets)} sheets, {sheets} wanted")
    size = board.columns * board.size[0], board.rows * board.size[1]
    for number, name in enumerate(board.sheets):
        if name != (expected := f"storyboard-{number + 1:03}.{ENDINGS[board.format]}"):
            problems.append(f"a sheet is called {name}, not {expected}")
        sheet = board.sheet(name)
        if sheet is None:
            problems.append(f"{name} cannot be decoded")
        elif (sheet.shape[1], sheet.shape[0]) != size:
            problems.append(f"{name} is {sheet.shape[1]}x{sheet.shape[0]}, not {size[0]}x{size[1]}")
    return problems


def check_document(board: Board) -> list[str]:
    """What storyboard.json repeats: places of tiles, cues, sizes of sheets."""
    document, problems = board.document, []
    for index, tile in enumerate(document["tiles"]):
        if (tile["index"], tile["sheet"], tile["x"], tile["y"]) != (index, *board.place(index)):
            problems.append(f"JSON: tile {index + 1} is elsewhere")
    mine = [(cue.start, cue.end, board.tile_of(cue)) for cue in board.cues]
    if [(cue["start"], cue["end"], cue["tile"]) for cue in document["cues"]] != mine:
        problems.append("JSON: other cues than in the VTT")
    full = board.columns * board.rows
    for number, sheet in enumerate(document["sheets"]):
        path = board.folder / sheet["file"]
        if path.is_file() and path.stat().st_size != sheet["size"]:
            problems.append(f"JSON: {sheet['file']} has {path.stat().st_size} bytes, not {sheet['size']}")
        if sheet["tiles"] != min(full, len(board.tiles) - number * full):
            problems.append(f"JSON: {sheet['file']} holds {sheet['tiles']} tiles")
        if (sheet["width"], sheet["height"]) != (board.columns * board.size[0], board.rows * board.size[1]):
            problems.append(f"JSON: {sheet['file']} is of another size")
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    errors = list(validator.iter_errors(document))
    return problems + [f"JSON schema: {error.json_path}: {error.message[:100]}" for error in errors[:3]]


def check_files(board: Board) -> list[str]:
    """All files that are named are there, and nothing else."""
    named = board.document["files"]
    problems = [f"{name} is not named" for name in [*board.sheets, "storyboard.vtt"] if name not in named]
    problems += [f"{name} is named and is not there" for name in named if not (board.folder / name).is_file()]
    for path in sorted(board.folder.rglob("*")):
        name = str(path.relative_to(board.folder))
        if path.is_dir() and not path.is_symlink():
            problems += [] if any(path.iterdir()) else [f"{name} is an empty folder"]
        elif path.is_symlink() or not path.is_file():
            problems.append(f"{name} is no file")
        elif name not in named:
            problems.append(f"{name} lies in the folder and is not named")
    return problems


# --- other indexes ----------------------------------------------------------------------


def check_hls(board: Board) -> list[str]:
    path = board.folder / "images.m3u8"
    if not path.exists():
        return []
    text, problems = path.read_text(encoding="utf-8"), []
    lines = [line for line in text.split("\n") if line]
    tags = [line for line in lines if line.startswith("#EXT-X-TILES:")]
    uris = [line for line in lines if not line.startswith("#")]
    lengths = [Fraction(line[8:].split(",")[0]) for line in lines if line.startswith("#EXTINF:")]
    if lines[0] != "#EXTM3U" or lines[-1] != "#EXT-X-ENDLIST" or "#EXT-X-IMAGES-ONLY" not in lines:
        problems.append("no whole playlist of images")
    if [unquote(uri) for uri in uris] != board.sheets:
        problems.append(f"names {uris}")
    size, layout = f"{board.size[0]}x{board.size[1]}", f"{board.columns}x{board.rows}"
    for tag in tags:
        values = dict(part.split("=", 1) for part in tag.split(":", 1)[1].split(","))
        if (values.get("RESOLUTION"), values.get("LAYOUT")) != (size, layout):
            problems.append(f"says {tag}, not {size} {layout}")
        if abs(Fraction(values["DURATION"]) - board.interval) > Fraction(1, 1000):
            problems.append(f"a tile lasts {values['DURATION']} s, not {float(board.interval)}")
    if len(tags) not in (1, len(uris)):
        problems.append(f"{len(tags)} tags of tiles for {len(uris)} sheets")
    tiles = board.columns * board.rows
    step = tiles * board.interval
    ends = [min(board.duration, step * (i + 1)) for i in range(len(uris))]
    wanted = [end - step * i for i, end in enumerate(ends)]
    full = [min(len(board.tiles) - i * tiles, tiles) for i in range(len(uris))]
    for length, want, count in zip(lengths, wanted, full):
        if min(abs(length - want), abs(length - count * board.interval)) > Fraction(1, 100):
            problems.append(f"a sheet lasts {float(length)} s, not {float(want)}")
    targets = [int(line.split(":")[1]) for line in lines if line.startswith("#EXT-X-TARGETDURATION:")]
    if len(targets) != 1 or any(round(length) > targets[0] for length in lengths):
        problems.append(f"target duration {targets} for sheets of {[float(x) for x in lengths][:2]} s")
    segments = m3u8.loads(text).segments
    if [s.uri for s in segments] != uris or [Fraction(str(s.duration)) for s in segments] != lengths:
        problems.append("the reader m3u8 finds other segments")
    return [f"HLS: {problem}" for problem in problems]


def check_dash(board: Board) -> list[str]:
    path = board.folder / "storyboard.mpd"
    if not path.exists():
        return []
    root, problems = ElementTree.parse(path).getroot(), []

    def every(name: str) -> list[ElementTree.Element]:
        return root.findall(f".//{{urn:mpeg:dash:schema:mpd:2011}}{name}")

    sets = [s for s in every("AdaptationSet") if "image" in (s.get("contentType"), s.get("mimeType", "")[:5])]
    tiles = [p for p in every("EssentialProperty") if p.get("schemeIdUri", "").endswith("/thumbnail_tile")]
    representation, template = every("Representation")[0], every("SegmentTemplate")[0]
    if len(sets) != 1 or [p.get("value") for p in tiles] != [f"{board.columns}x{board.rows}"]:
        problems.append(f"{len(sets)} sets of images, tiles {[p.get('value') for p in tiles]}")
    size = int(representation.get("width", 0)), int(representation.get("height", 0))
    if size != (board.columns * board.size[0], board.rows * board.size[1]):
        problems.append(f"says {size}")
    length = Fraction(int(template.get("duration", 0)), int(template.get("timescale", "1")))
    if abs(length - board.columns * board.rows * board.interval) > Fraction(1, 1000):
        problems.append(f"a sheet lasts {float(length)} s")
    first, media = int(template.get("startNumber", "1")), template.get("media", "")
    bandwidth = representation.get("id", "")
    for number, name in enumerate(board.sheets):

        def counted(match: re.Match[str], number: int = number) -> str:
            return f"{first + number:0{int(match[1] or 1)}}"

        made = re.sub(r"\$Number(?:%0(\d+)d)?\$", counted, media).replace("$RepresentationID$", bandwidth)
        if made != name:
            problems.append(f"sheet {number + 1} is called {made}, not {name}")
    whole = root.get("mediaPresentationDuration", "")
    match = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?", whole)
    said = sum(Fraction(part or 0) * unit for part, unit in zip(match.groups(), (3600, 60, 1))) if match else None
    if said is None or abs(said - board.duration) > Fraction(1, 1000):
        problems.append(f"lasts {whole}, not {float(board.duration)} s")
    return [f"DASH: {problem}" for problem in problems]


def check_bif(board: Board) -> list[str]:
    """Roku's format: a header of 64 bytes, an index of times and offsets, then JPEG files."""
    path = board.folder / "storyboard.bif"
    if not path.exists():
        return []
    data, problems = path.read_bytes(), []
    magic, version, count, unit = struct.unpack_from("<8sIII", data)
    if magic != b"\x89BIF\r\n\x1a\n" or version or any(data[20:64]):
        return ["BIF: no such header"]
    entries = [struct.unpack_from("<II", data, 64 + 8 * i) for i in range(count + 1)]
    if entries[-1] != (0xFFFFFFFF, len(data)) or entries[0][1] != 64 + 8 * (count + 1):
        problems.append(f"ends with {entries[-1]}, the file with {len(data)}")
    if count != len(board.tiles):
        problems.append(f"{count} pictures, {len(board.tiles)} tiles")
    unit = unit or 1000
    for index, ((time, start), (_, end)) in enumerate(zip(entries, entries[1:])):
        if index >= len(board.tiles):
            break
        if abs(Fraction(time * unit, 1000) - index * board.interval) > Fraction(unit, 1000):
            problems.append(f"picture {index + 1} is for {time * unit / 1000} s")
        if data[start : start + 2] != b"\xff\xd8" or end <= start:
            problems.append(f"picture {index + 1} is no JPEG")
            continue
        if not is_tile(board, index, pixels_of(data[start:end])):
            problems.append(f"picture {index + 1} is not tile {index + 1}")
    return [f"BIF: {problem}" for problem in problems]


def check_jellyfin(board: Board) -> list[str]:
    """Jellyfin's trickplay: `<film>.trickplay/320 - 10x10/0.jpg` and so on."""
    problems = []
    for folder in sorted(path for path in board.folder.rglob("*") if path.is_dir()):
        match = re.fullmatch(r"(\d+) - (\d+)x(\d+)", folder.name)
        if match is None:
            continue
        width, columns, rows = (int(part) for part in match.groups())
        if width != board.size[0]:
            problems.append(f"{folder.name}, tiles are {board.size[0]} wide")
        files = sorted((f for f in folder.iterdir() if f.is_file()), key=lambda f: f.stem.zfill(9))
        if [f.name for f in files] != [f"{i}.jpg" for i in range(math.ceil(len(board.tiles) / columns / rows))]:
            problems.append(f"holds {[f.name for f in files][:5]}")
            continue
        sheets = [pixels_of(file) for file in files]
        for index in range(len(board.tiles)):
            position = index % (columns * rows)
            x, y = position % columns * board.size[0], position // columns * board.size[1]
            if not is_tile(board, index, cut(sheets[index // (columns * rows)], x, y, *board.size)):
                problems.append(f"tile {index + 1} is another")
    return [f"Jellyfin: {problem}" for problem in problems[:5]]
