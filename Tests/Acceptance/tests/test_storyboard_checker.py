"""Checks the checker of storyboards: sets of synthetic pictures, whole and broken on purpose.

Each fault is what a generator could do wrong. The whole set must pass, every broken one must not,
and for the reason that the fault names.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import numpy
import pytest
from PIL import Image

from acceptance.running import Json
from acceptance.storyboard_frames import check_frames
from acceptance.storyboard_reference import Reference
from acceptance.storyboard_sets import Board, check_set

WIDTH, HEIGHT = 96, 54
COLUMNS, ROWS = 4, 3
INTERVAL = Fraction(1)


def film() -> Reference:
    """Twenty-two seconds of 23.976 frames per second: a slow pan over noise, with a cut each four seconds."""
    generator = numpy.random.default_rng(7)
    count, pictures = round(22 * 24 / 1.001), []
    background = numpy.empty(0)
    for index in range(count):
        if index % 97 == 0:
            coarse = generator.integers(20, 235, (12, 60, 3)).astype(numpy.uint8)
            background = numpy.asarray(Image.fromarray(coarse).resize((400, HEIGHT), Image.Resampling.BICUBIC))
        left = index % 97 * 2
        pictures.append(background[:, left : left + WIDTH])
    times = [Fraction(index * 1001, 24000) for index in range(count)]
    end = count * Fraction(1001, 24000)
    return Reference(
        times, numpy.stack(pictures), times[::97], {"the film": end}, (Fraction(WIDTH * 4), Fraction(HEIGHT * 4))
    )


@dataclass
class Made:
    """A set, before it is written."""

    reference: Reference
    exact: bool
    duration: Fraction
    frames: list[int]  # what the tiles are said to be
    pictures: list[int]  # what they are
    cues: list[list[int]] = field(default_factory=list)  # start, end, tile

    @staticmethod
    def of(reference: Reference, exact: bool) -> Made:
        duration = reference.durations["the film"]
        frames = []
        for index in range(math.ceil(duration / INTERVAL)):
            time = index * INTERVAL
            near = [k for k in reference.keys if abs(k - time) < INTERVAL / 2] if not exact else []
            chosen = min(near, key=lambda k: abs(k - time), default=time)
            frames.append(reference.index_at(chosen))
        made = Made(reference, exact, duration, frames, list(frames))
        starts = [math.ceil(reference.times[f] * 1000) for f in frames]
        ends = [*starts[1:], math.ceil(duration * 1000)]
        made.cues = [[start, end, tile] for tile, (start, end) in enumerate(zip(starts, ends))]
        return made

    def sheets(self, columns: int, rows: int) -> list[Image.Image]:
        found = []
        for first in range(0, len(self.pictures), columns * rows):
            sheet = Image.new("RGB", (columns * WIDTH, rows * HEIGHT))
            for position, frame in enumerate(self.pictures[first : first + columns * rows]):
                place = position % columns * WIDTH, position // columns * HEIGHT
                sheet.paste(Image.fromarray(self.reference.pictures[frame]), place)
            found.append(sheet)
        return found


def clock(milliseconds: int) -> str:
    seconds, part = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{part:03}"


def time_json(time: Fraction) -> Json:
    return {"value": time.numerator, "timescale": time.denominator, "seconds": float(time)}


def write(made: Made, folder: Path) -> None:
    names = []
    for number, picture in enumerate(made.sheets(COLUMNS, ROWS), 1):
        names.append(f"storyboard-{number:03}.png")
        picture.save(folder / names[-1])
    lines = ["WEBVTT", ""]
    for start, end, tile in made.cues:
        position = tile % (COLUMNS * ROWS)
        place = f"{position % COLUMNS * WIDTH},{position // COLUMNS * HEIGHT},{WIDTH},{HEIGHT}"
        sheet = names[tile // (COLUMNS * ROWS)]
        lines += [f"{clock(start)} --> {clock(end)}", f"{sheet}#xywh={place}", ""]
    (folder / "storyboard.vtt").write_text("\n".join(lines))
    write_hls(made, folder, names)
    write_dash(made, folder)
    write_bif(made, folder)
    tiles = folder / "film.trickplay" / f"{WIDTH} - 5x5"
    tiles.mkdir(parents=True)
    for number, picture in enumerate(made.sheets(5, 5)):
        picture.save(tiles / f"{number}.jpg", quality=95)
    write_json(made, folder, names)


def write_json(made: Made, folder: Path, names: list[str]) -> None:
    keys, full, tiles = set(made.reference.keys), COLUMNS * ROWS, []
    for index, frame in enumerate(made.frames):
        time, position = made.reference.times[frame], index % full
        tiles.append(
            {
                "index": index,
                "sheet": index // full,
                "x": position % COLUMNS * WIDTH,
                "y": position // COLUMNS * HEIGHT,
                "requested": time_json(index * INTERVAL),
                "actual": time_json(time),
                "isSyncSample": time in keys,
                "exact": made.reference.index_at(index * INTERVAL) == frame,
            }
        )
    sheets = [
        {
            "file": name,
            "size": (folder / name).stat().st_size,
            "width": COLUMNS * WIDTH,
            "height": ROWS * HEIGHT,
            "tiles": min(full, len(tiles) - number * full),
        }
        for number, name in enumerate(names)
    ]
    document = {
        "version": 2,
        "source": {"name": "film.mp4", "size": 1, "modified": "2024-05-06T07:08:09.000000000Z"},
        "duration": time_json(made.duration),
        "origin": time_json(Fraction(0)),
        "times": "asset",
        "part": {"start": time_json(Fraction(0)), "end": time_json(made.duration)},
        "interval": time_json(INTERVAL),
        "tile": {"width": WIDTH, "height": HEIGHT},
        "grid": {"columns": COLUMNS, "rows": ROWS},
        "format": "png",
        "settings": {
            "interval": time_json(INTERVAL),
            "maximumTileWidth": WIDTH,
            "maximumTileHeight": 0,
            "columns": COLUMNS,
            "rows": ROWS,
            "maximumSheetSide": 0,
            "format": "png",
            "quality": 80,
            "exact": made.exact,
            "allowsDamagedPictures": False,
            "extras": ["bif", "dash", "hls", "jellyfin"],
        },
        "sheets": sheets,
        "tiles": tiles,
        "cues": [{"start": start, "end": end, "tile": tile} for start, end, tile in made.cues],
        "files": sorted([str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()] + ["storyboard.json"]),
    }
    (folder / "storyboard.json").write_text(json.dumps(document))


def write_hls(made: Made, folder: Path, names: list[str]) -> None:
    step = COLUMNS * ROWS * INTERVAL
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", f"#EXT-X-TARGETDURATION:{math.ceil(step)}", "#EXT-X-PLAYLIST-TYPE:VOD"]
    lines.append("#EXT-X-IMAGES-ONLY")
    for number, name in enumerate(names):
        length = min(made.duration, step * (number + 1)) - step * number
        tag = f"#EXT-X-TILES:RESOLUTION={WIDTH}x{HEIGHT},LAYOUT={COLUMNS}x{ROWS},DURATION={float(INTERVAL)}"
        lines += [f"#EXTINF:{float(length):.3f},", tag, name]
    (folder / "images.m3u8").write_text("\n".join([*lines, "#EXT-X-ENDLIST", ""]))


def write_dash(made: Made, folder: Path) -> None:
    (folder / "storyboard.mpd").write_text(
        '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
        f'mediaPresentationDuration="PT{float(made.duration):.3f}S"><Period><AdaptationSet contentType="image">'
        f'<SegmentTemplate media="storyboard-$Number%03d$.png" timescale="1000" startNumber="1" '
        f'duration="{int(COLUMNS * ROWS * INTERVAL * 1000)}"/>'
        f'<Representation id="1" width="{COLUMNS * WIDTH}" height="{ROWS * HEIGHT}" bandwidth="1">'
        f'<EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="{COLUMNS}x{ROWS}"/>'
        "</Representation></AdaptationSet></Period></MPD>"
    )


def write_bif(made: Made, folder: Path) -> None:
    pictures = []
    for frame in made.pictures:
        data = BytesIO()
        Image.fromarray(made.reference.pictures[frame]).save(data, "JPEG", quality=95)
        pictures.append(data.getvalue())
    at, index = 64 + 8 * (len(pictures) + 1), b""
    for number, content in enumerate(pictures):
        index += struct.pack("<II", number, at)
        at += len(content)
    head = struct.pack("<8sIII", b"\x89BIF\r\n\x1a\n", 0, len(pictures), int(INTERVAL * 1000)) + bytes(44)
    (folder / "storyboard.bif").write_bytes(head + index + struct.pack("<II", 0xFFFFFFFF, at) + b"".join(pictures))


# --- faults -----------------------------------------------------------------------------


@dataclass
class Fault:
    name: str
    reason: str  # part of the problem that must be found
    before: Callable[[Made], object] = lambda made: None
    after: Callable[[Path], object] = lambda folder: None


def edited(name: str, old: str, new: str, count: int = 1) -> Callable[[Path], object]:
    def edit(folder: Path) -> None:
        text = (folder / name).read_text()
        changed = re.sub(old, new, text, count=count)
        assert changed != text, f"{name} has no {old}"
        (folder / name).write_text(changed)

    return edit


def truncated_times(made: Made) -> None:
    """Borders in whole seconds, as some plug-ins write them."""
    for cue in made.cues:
        cue[0], cue[1] = cue[0] // 1000 * 1000, cue[1] // 1000 * 1000


def shifted(made: Made) -> None:
    """All pictures one frame late, with times that say otherwise."""
    made.pictures = [min(frame + 1, len(made.reference.times) - 1) for frame in made.pictures]


def rounded_down(made: Made) -> None:
    for number, cue in enumerate(made.cues):
        floor = math.floor(made.reference.times[made.frames[cue[2]]] * 1000)
        cue[0] = floor
        if number:
            made.cues[number - 1][1] = floor


def without_end(made: Made) -> None:
    """The last part is missing: a tenth, as after a guessed count of frames."""
    keep = len(made.frames) - 3
    made.frames, made.pictures, made.cues = made.frames[:keep], made.pictures[:keep], made.cues[:keep]


def early(made: Made) -> None:
    made.pictures[6] -= 2


def swapped(made: Made) -> None:
    made.pictures[3], made.pictures[9] = made.pictures[9], made.pictures[3]


def never_sync(made: Made) -> None:
    other = Made.of(made.reference, True)
    made.frames, made.pictures, made.cues = other.frames, other.pictures, other.cues


def not_exact(made: Made) -> None:
    """A frame beside the right one, honestly named."""
    made.frames[2] -= 3
    made.pictures[2] -= 3
    made.cues[2][0] = made.cues[1][1] = math.ceil(made.reference.times[made.frames[2]] * 1000)


def second_sheet(folder: Path) -> None:
    """Coordinates that go on counting on the second sheet."""

    def moved(match: re.Match[str]) -> str:
        return f"storyboard-002.png#xywh={match[1]},{int(match[2]) + ROWS * HEIGHT},"

    path = folder / "storyboard.vtt"
    path.write_text(re.sub(r"storyboard-002\.png#xywh=(\d+),(\d+),", moved, path.read_text()))


def bad_bif(folder: Path) -> None:
    made = Made.of(film(), False)
    made.pictures.reverse()
    write_bif(made, folder)


def bad_jellyfin(folder: Path) -> None:
    path = folder / f"film.trickplay/{WIDTH} - 5x5/0.jpg"
    Image.open(path).rotate(180).save(path)


def cut_sheet(folder: Path) -> None:
    path = folder / "storyboard-002.png"
    path.write_bytes(path.read_bytes()[:2000])


FAULTS = [
    Fault("two tiles changed places", "is not the frame|is unlike", before=swapped),
    Fault("all pictures one frame late", "is not the frame", before=shifted),
    Fault("one picture two frames early", "is not the frame", before=early),
    Fault("times cut to seconds", "its frame is of|when .* is shown", before=truncated_times),
    Fault("times rounded down", "its frame is of", before=rounded_down),
    Fault("the last part is missing", "tiles, 22 wanted|22 wanted|the last cue ends", before=without_end),
    Fault("the last cue is short", "the last cue ends", before=lambda m: m.cues[-1].__setitem__(1, m.cues[-1][0] + 5)),
    Fault("a shorter film is claimed", "lasts", before=lambda m: setattr(m, "duration", m.duration - Fraction(3, 100))),
    Fault("a gap between cues", "gap of", before=lambda m: m.cues[7].__setitem__(1, m.cues[7][1] - 1)),
    Fault("cues overlap", "overlap of", before=lambda m: m.cues[7].__setitem__(1, m.cues[7][1] + 1)),
    Fault("the first cue starts late", "the first cue starts", before=lambda m: m.cues[0].__setitem__(0, 1)),
    Fault("a tile without a cue", "has no cue", before=lambda m: m.cues.pop(5)),
    Fault("neither exact nor sync", "is of", before=not_exact),
    Fault("sync samples passed over", "is exact, a sync sample lies", before=never_sync),
    Fault("coordinates run on over sheets", "lies outside|shows no tile", after=second_sheet),
    Fault("a cue off the grid", "shows no tile", after=edited("storyboard.vtt", r"xywh=96,", "xywh=95,")),
    Fault("no header in the VTT", "WEBVTT", after=edited("storyboard.vtt", "WEBVTT", "VTT")),
    Fault("commas in times", "no cue of a sprite", after=edited("storyboard.vtt", r"(\d)\.(\d{3})", r"\1,\2")),
    Fault("a sheet is missing", "is not there|cannot be decoded", after=lambda f: (f / "storyboard-002.png").unlink()),
    Fault("a sheet is cut short", "cannot be decoded", after=cut_sheet),
    Fault("a file too many", "is not named", after=lambda f: (f / ".left-over").write_text("x")),
    Fault("an empty folder is left", "empty folder", after=lambda f: (f / "temporary").mkdir()),
    Fault("BIF in another order", "BIF: picture 1 is not", after=bad_bif),
    Fault("HLS names another grid", "HLS: says", after=edited("images.m3u8", "LAYOUT=4x3", "LAYOUT=3x4")),
    Fault("HLS ends early", "HLS: no whole", after=edited("images.m3u8", "#EXT-X-ENDLIST\n", "")),
    Fault("HLS lasts too long", "HLS: a sheet lasts", after=edited("images.m3u8", "EXTINF:9[.0-9]*", "EXTINF:11.5")),
    Fault("DASH names another grid", "DASH: 1 sets", after=edited("storyboard.mpd", 'value="4x3"', 'value="4x4"')),
    Fault("DASH counts from zero", "DASH: sheet 1", after=edited("storyboard.mpd", 'Number="1"', 'Number="0"')),
    Fault("DASH lasts otherwise", "DASH: lasts", after=edited("storyboard.mpd", r"PT\d+", "PT20")),
    Fault("Jellyfin's tiles are mixed up", "Jellyfin: tile", after=bad_jellyfin),
    Fault("JSON has other cues", "JSON: other cues", after=edited("storyboard.json", r'"tile": 4}', '"tile": 5}')),
    Fault("JSON has another place", "JSON: tile 3", after=edited("storyboard.json", r'"x": 192', '"x": 96')),
    Fault("JSON names a file too many", "not there", after=edited("storyboard.json", "(film.trick)", r'a.jpg", "\1')),
    Fault(
        "JSON names another time",
        "no frame is of|its frame",
        after=edited("storyboard.json", r'("actual": ."value": [1-9]\d*)', r"\g<1>1"),
    ),
]


def problems_of(made: Made, after: Callable[[Path], object], folder: Path) -> list[str]:
    write(made, folder)
    after(folder)
    try:
        board = Board.read(folder)
    except (OSError, ValueError, KeyError) as error:
        return [f"cannot be read: {error}"]
    verdict = check_frames(board, made.reference, exact=made.exact)
    return verdict.problems + verdict.slow + check_set(board)


@pytest.mark.parametrize("exact", [False, True], ids=["", "exact"])
def test_whole(exact: bool, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    assert not problems_of(Made.of(film(), exact), lambda folder: None, folder)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault(fault: Fault, tmp_path: Path) -> None:
    folder, made = tmp_path / "set", Made.of(film(), False)
    folder.mkdir()
    fault.before(made)
    problems = problems_of(made, fault.after, folder)
    assert any(re.search(fault.reason, problem) for problem in problems), problems
