"""Compares avtool's scenes with those of PySceneDetect, which `scripts/acceptance --with-scenedetect` installs.

A cut agrees if the other has one within one frame. Each one that does not is in a list here, with what is to be seen
there. Then films are joined from pieces of single shots, so that it is known where all cuts are. `-s` shows how long
both take, in turns: the best time of each.

On the command line: what `scenes` prints in each format, and what `thumbs` and `sheet` make of scenes.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from acceptance import films
from acceptance.films import fixture
from acceptance.measure import timed
from acceptance.running import AVTOOL, ffmpeg, text
from acceptance.tool import ffprobe, names, ticks, tool

METHODS = ("adaptive", "content")


@dataclass
class Found:
    cuts: list[int] = field(default_factory=list)  # numbers of first frames, from 0
    fades: list[int] = field(default_factory=list)
    seconds: float = float("inf")
    processor: float = float("inf")  # seconds of all cores together


def measured(command: list[str], found: Found) -> tuple[int, str, str]:
    """The exit code, and what the command said on standard output and standard error."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        code, usage = timed(command, output, errors)
        found.seconds, found.processor = min(found.seconds, usage.wall), min(found.processor, usage.cpu)
        output.seek(0)
        errors.seek(0)
        return code, text(output.read()), text(errors.read())


def by_avtool(film: Path, method: str, found: Found) -> None:
    _, said, errors = measured([AVTOOL, "scenes", "--json", "--method", method, str(film)], found)
    lines = said.splitlines()
    answer = json.loads(lines[0]) if lines else {}
    if "scenes" not in answer:
        raise RuntimeError(f"avtool: {errors or 'no answer'}")
    found.cuts = [s["firstFrame"] for s in answer["scenes"] if s["opening"] == "cut"]
    found.fades = [s["firstFrame"] for s in answer["scenes"] if s["opening"] == "fade"]


def by_scenedetect(film: Path, method: str, found: Found) -> None:
    with tempfile.TemporaryDirectory(prefix="check-scenes-") as folder:
        command = [sys.executable, "-m", "scenedetect", "-q", "-i", str(film), "-o", folder, f"detect-{method}"]
        code, _, errors = measured([*command, "list-scenes", "-q", "-s", "-f", "scenes.csv"], found)
        table = Path(folder) / "scenes.csv"
        if code != 0 or not table.exists():
            raise RuntimeError(f"scenedetect: {(errors.splitlines() or ['no answer'])[-1]}")
        with table.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
    found.cuts = [int(row["Start Frame"]) - 1 for row in rows][1:]


def without_partner(cuts: list[int], others: list[int]) -> set[int]:
    """Those that have no partner of their own among others, within one frame."""
    left, lonely = sorted(others), set()
    for cut in sorted(cuts):
        partner = next((other for other in left if abs(other - cut) <= 1), None)
        if partner is None:
            lonely.add(cut)
        else:
            left.remove(partner)
    return lonely


# By film and method: the frames of cuts that only PySceneDetect finds, and of those that only avtool does.
KNOWN: dict[tuple[str, str], tuple[set[int], set[int]]] = {
    # 76: a true cut in a fast move; 242: a shot of 8 frames at the end, shorter than the least length.
    ("bikes.mp4", "adaptive"): ({76, 242}, set()),
    ("bikes.mp4", "content"): ({242}, set()),
    # 672: a shot of 14 frames, shorter than the least length; 224: a title appears on black;
    # 280, 522, 771, 1133: the middles of fades through black, for which PySceneDetect does not look.
    ("sintel_trailer-720p.mp4", "adaptive"): ({672}, {224, 280, 522, 771, 1133}),
    # 516: the last codes of a fade to black, of which 522 is the middle; 1013: a title that goes dark;
    # 222: the middle of the black before the title.
    ("sintel_trailer-720p.mp4", "content"): ({516, 672, 1013}, {222, 280, 522, 1133}),
}


@pytest.mark.slow
@pytest.mark.peer("scenedetect")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("film", [*films.named("movie.mov", "long-gop.mp4"), *films.corpus("video-basic/*")])
def test_scenes(film: Path, method: str, rounds: int, record_property: Callable[[str, object], None]) -> None:
    """All cuts agree but those that are known not to."""
    ours, theirs = Found(), Found()
    for _ in range(rounds):
        by_scenedetect(film, method, theirs)
        by_avtool(film, method, ours)
    record_property("seconds", f"{ours.seconds:.2f} of {theirs.seconds:.2f}")
    record_property("processor", f"{ours.processor:.2f} of {theirs.processor:.2f}")
    # What both find counts as agreement, whatever avtool calls it.
    found = ours.cuts + ours.fades
    print(f"{film.name} {method}: {found}, theirs {theirs.cuts}; {ours.seconds:.2f} s, theirs {theirs.seconds:.2f} s,"
          f" processor {ours.processor:.2f} s, theirs {theirs.processor:.2f} s")  # fmt: skip
    differences = without_partner(theirs.cuts, found), without_partner(found, theirs.cuts)
    assert differences == KNOWN.get((film.name, method), (set(), set()))


# Pieces of single shots of the corpus: the film, and the first and the last second.
SHOTS = (
    ("video-basic/bikes.mp4", 1.4, 2.8), ("video-basic/sintel_trailer-720p.mp4", 14.0, 15.4),
    ("video-basic/bikes.mp4", 5.7, 7.3), ("video-basic/sintel_trailer-720p.mp4", 17.8, 19.2),
    ("video-basic/bikes.mp4", 7.6, 9.4), ("video-basic/sintel_trailer-720p.mp4", 24.0, 25.6),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("method", METHODS)
def test_joins(method: str, tmp_path: Path) -> None:
    """Where pieces of single shots of two films are joined in turns, there are cuts, and nowhere else."""
    corpus = films.corpus_folder()
    if corpus is None:
        pytest.skip("no corpus")
    joins, pictures, piece = [], b"", tmp_path / "piece.yuv"
    for name, start, end in SHOTS:
        picture = ["-vf", "fps=25,scale=640:360", "-frames:v", round((end - start) * 25)]
        ffmpeg("-ss", start, "-i", corpus / name, *picture, "-pix_fmt", "yuv420p", "-f", "rawvideo", piece)
        pictures += piece.read_bytes()
        joins.append(len(pictures) // (640 * 360 * 3 // 2))
    piece.write_bytes(pictures)
    film, found = tmp_path / "joined.mp4", Found()
    ffmpeg("-f", "rawvideo", "-s", "640x360", "-r", 25, "-i", piece, "-c:v", "libx264", "-crf", "20", film)
    by_avtool(film, method, found)
    assert (found.cuts, found.fades) == (joins[:-1], [])


# --- Scenes on the command line ---------------------------------------------------------


def make_shots(path: Path) -> Path:
    """Makes a video of shots that are joined at frames 50 and 90, of 150 frames at 25 a second."""
    graph = (
        "[0]trim=end_frame=50,setsar=1[a];[1]trim=end_frame=40,setsar=1[b];[2]trim=end_frame=60,setsar=1[c];"
        "[a][b][c]concat=n=3,format=yuv420p[v]"
    )
    sources = ("testsrc2=s=160x120:r=25", "color=c=orange:s=160x120:r=25", "smptebars=s=160x120:r=25")
    inputs = [word for source in sources for word in ("-f", "lavfi", "-i", source)]
    ffmpeg(*inputs, "-filter_complex", graph, "-map", "[v]", "-c:v", "libx264", "-preset", "ultrafast", path)
    return path


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    return make_shots(tmp_path / "shots.mp4")


def test_scenes_in_words_have_a_number_start_end_duration_and_first_frame(tmp_path: Path, shots: Path) -> None:
    run = tool(tmp_path, "scenes", shots.name).expect()
    assert run.diagnostics == ""
    assert [line.split() for line in run.lines] == [
        ["scene", "start", "end", "duration", "frame"],
        ["1", "0", "2", "2", "0"],
        ["2", "2", "3.6", "1.6", "50"],
        ["3", "3.6", "6", "2.4", "90"],
    ]


def test_scenes_as_csv_have_a_line_for_each_of_all_files_and_one_with_names(tmp_path: Path, shots: Path) -> None:
    make_shots(tmp_path / 'b, "2".mp4')
    run = tool(tmp_path, "scenes", "--method", "content", "--format", "csv", shots.name, 'b, "2".mp4').expect()
    lines = run.text.split("\r\n")
    assert len(lines) == 8
    assert lines[0] == "source,scene,start,end,duration,first_frame,last_frame,opening,score"
    assert lines[2].startswith("shots.mp4,2,2,3.6,1.6,50,89,cut,")
    assert lines[6].startswith('"b, ""2"".mp4",3,3.6,6,2.4,90,149,cut,')


def test_scenes_as_json_are_one_object_for_each_video(tmp_path: Path, shots: Path) -> None:
    [found] = tool(tmp_path, "scenes", "--json", "--min-length", "500ms", shots.name).expect().json
    assert found["frames"] == 150
    assert found["damagedFrames"] == 0
    assert found["method"] == "adaptive"
    assert found["threshold"] == 3
    assert [scene["firstFrame"] for scene in found["scenes"]] == [0, 50, 90]
    assert [scene["opening"] for scene in found["scenes"]] == ["start", "cut", "cut"]
    # 3.6 s in the track's 12800 ticks.
    assert ticks(found["scenes"][2]["start"]) == (46080, 12800)


def test_scenes_as_an_edit_decision_list_count_in_frames(tmp_path: Path, shots: Path) -> None:
    run = tool(tmp_path, "scenes", "--format", "edl", shots.name).expect()
    assert run.text == (
        "TITLE: shots.mp4\n"
        "FCM: NON-DROP FRAME\n"
        "\n"
        "001  AX       V     C        00:00:00:00 00:00:02:00 00:00:00:00 00:00:02:00\n"
        "* FROM CLIP NAME: shots.mp4\n"
        "002  AX       V     C        00:00:02:00 00:00:03:15 00:00:02:00 00:00:03:15\n"
        "* FROM CLIP NAME: shots.mp4\n"
        "003  AX       V     C        00:00:03:15 00:00:06:00 00:00:03:15 00:00:06:00\n"
        "* FROM CLIP NAME: shots.mp4\n"
    )


def test_timecode_of_scenes_at_2997_leaves_out_the_first_two_numbers_of_a_minute(tmp_path: Path) -> None:
    # Frame 1799 is 00:00:59;29, frame 1800 is 00:01:00;02 (SMPTE ST 12-1).
    graph = "[0]trim=end_frame=1800,setsar=1[a];[1]trim=end_frame=60,setsar=1[b];[a][b]concat=n=2[v]"
    sources = ("color=c=orange:s=64x64:r=30000/1001", "smptebars=s=64x64:r=30000/1001")
    inputs = [word for source in sources for word in ("-f", "lavfi", "-i", source)]
    encode = ["-map", "[v]", "-c:v", "libx264", "-preset", "ultrafast"]
    ffmpeg(*inputs, "-filter_complex", graph, *encode, tmp_path / "ntsc.mov")
    run = tool(tmp_path, "scenes", "--format", "edl", "ntsc.mov").expect()
    assert "FCM: DROP FRAME" in run.lines
    assert "002  AX       V     C        00:01:00;02 00:01:02;02 00:01:00;02 00:01:02;02" in run.lines


def test_scenes_as_chapters_can_be_set(tmp_path: Path, shots: Path) -> None:
    run = tool(tmp_path, "scenes", "--format", "chapters", "-o", "shots.ffmetadata", shots.name).expect()
    assert run.lines == ["shots.ffmetadata: 3 scenes"]
    tool(tmp_path, "chapters", "set", "--from", "shots.ffmetadata", shots.name).expect()
    tool(tmp_path, "chapters", "show", "--json", shots.name).expect()
    chapters = [line.split(",") for line in ffprobe(shots, "chapter=start_time:chapter_tags=title", "-show_chapters")]
    assert [(float(start), title) for start, title in chapters] == [
        (0, "Scene 1"),
        (2, "Scene 2"),
        (3.6, "Scene 3"),
    ]


def test_thumbs_of_scenes_show_the_frame_in_the_middle_of_each(tmp_path: Path, shots: Path) -> None:
    run = tool(tmp_path, "thumbs", "--scenes", "--size", "64x0", "--json", shots.name).expect()
    actual = [ticks(still["actual"]) for still in run.json]
    # Tenths of a second.
    assert [value * 10 // timescale for value, timescale in actual] == [10, 28, 48]
    assert names(tmp_path) == ["shots-1.png", "shots-2.png", "shots-3.png", "shots.mp4"]


def test_a_sheet_of_scenes_has_a_tile_for_each(tmp_path: Path, shots: Path) -> None:
    [sheet] = tool(tmp_path, "sheet", "--scenes", "--json", shots.name).expect().json
    assert len(sheet["tiles"]) == 3


@pytest.mark.parametrize(
    "line",
    [
        "thumbs --scenes --count 3 shots.mp4",
        "thumbs --scene-method content --at 0 shots.mp4",
        "scenes --threshold 0 shots.mp4",
        "scenes --min-length x shots.mp4",
        "scenes --json --format csv shots.mp4",
        "scenes --format edl shots.mp4 shots.mp4",
        "scenes --force shots.mp4",
        "scenes --method threshold shots.mp4",
        "scenes -o a.txt shots.mp4 shots.mp4",
    ],
)
def test_wrong_use_of_scenes_is_refused(tmp_path: Path, line: str) -> None:
    run = tool(tmp_path, *line.split()).expect(64)
    assert run.output == b""


def test_scenes_of_a_file_that_has_none_fail_with_a_code_and_other_files_go_on(tmp_path: Path, shots: Path) -> None:
    run = tool(tmp_path, "scenes", "--json", fixture("audio-only.m4a"), shots.name, "none.mp4").expect(65)
    [audio, video, missing] = run.json
    assert isinstance(audio["error"]["code"], str)
    assert video["frames"] == 150
    assert "error" in missing


def test_a_list_of_scenes_replaces_files_only_with_force_and_never_the_video(tmp_path: Path, shots: Path) -> None:
    (tmp_path / "list.csv").touch()
    before = shots.read_bytes()
    tool(tmp_path, "scenes", "--format", "csv", "-o", "list.csv", shots.name).expect(73)
    tool(tmp_path, "scenes", "--format", "csv", "--force", "-o", "list.csv", shots.name).expect()
    assert (tmp_path / "list.csv").stat().st_size > 100
    tool(tmp_path, "scenes", "--force", "-o", shots.name, shots.name).expect(73)
    assert shots.read_bytes() == before
