"""A command that is divided into units makes and prints what it does in one run, whoever does them, in any order."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from acceptance.faults import NOBODY, contents
from acceptance.films import fixture
from acceptance.processes import has_ended, has_open
from acceptance.running import AVTOOL, Json, ffmpeg, parsed, run, text
from acceptance.tool import LIMIT, eventually

Run = subprocess.CompletedProcess[bytes]
# So little that each film is divided as far as that can be.
LEAST = ["--unit-cost", "10ms"]
# A piece that is another one may have another size.
OF_PIECES = ("invalidPiece", "resultsChanged")
STRANGE = [b"two words.mp4", b"-dash.mp4", b"--jobs", b"new\nline.mp4", b"gr\xfcn.mp4", "grün.mp4".encode(), b"a*b.mp4"]


def avtool(folder: Path, *words: object, stdin: bytes = b"", variables: Mapping[str, str] | None = None) -> Run:
    arguments = [word if isinstance(word, bytes) else str(word) for word in words]
    environment = os.environ | dict(variables or {})
    return subprocess.run(
        [AVTOOL, *arguments], cwd=folder, input=stdin, capture_output=True, timeout=300, env=environment
    )


def state(folder: Path) -> dict[str, tuple[int, int, int]]:
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        found[str(path.relative_to(folder))] = (status.st_ino, status.st_mtime_ns, status.st_size)
    return found


def lines(printed: bytes) -> list[bytes]:
    """What does not hang on how fast a machine is."""
    return [line for line in printed.splitlines() if b'"event":"progress"' not in line]


def dumped(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass
class Planned:
    """A plan in a folder."""

    folder: Path
    name: str = "plan"

    @property
    def path(self) -> Path:
        return self.folder / self.name

    @property
    def lines(self) -> list[Json]:
        return [json.loads(line) for line in self.path.read_bytes().splitlines()]

    @property
    def header(self) -> Json:
        return self.lines[0]

    @property
    def units(self) -> list[Json]:
        return self.lines[1:]

    def make(self, options: list[str], words: Sequence[object]) -> None:
        made = avtool(self.folder, "plan", *options, "-o", self.name, *words)
        assert (made.returncode, made.stdout) == (0, b""), text(made.stderr)

    def unit(self, *numbers: object, **variables: str) -> Run:
        return avtool(self.folder, "unit", self.name, *numbers, variables=variables)

    def do(self, *numbers: int) -> None:
        """All of them if none are named."""
        self.unit(*numbers or [f"0-{len(self.units) - 1}"])

    def merge(self, *options: str) -> Run:
        return avtool(self.folder, "merge", *options, self.name)

    def missing(self) -> list[int]:
        listed = self.merge("--missing")
        assert (listed.returncode, listed.stderr) == (0, b"")
        return [int(line) for line in listed.stdout.splitlines()]

    def receipt(self, number: int) -> Path:
        return self.folder / f"{self.name}.units/{number // 1000}/{number}.jsonl"

    def pieces(self, first: int = 0) -> list[Path]:
        folder = self.folder / f"{self.name}.units/{first // 1000}"
        return sorted(
            folder.glob(f"{first}-{self.header['id'][:8]}.pieces/*.avpiece"),
            key=lambda path: int(path.name.split("-")[0]),
        )

    def change_header(self, number: int, **members: object) -> None:
        """Of a unit's receipt."""
        head, *rows = self.receipt(number).read_text().splitlines()
        self.receipt(number).write_text("\n".join([dumped(json.loads(head) | members), *rows]) + "\n")


class Pair:
    """Two folders of the same films: in one a command runs once, in the other one in units."""

    def __init__(self, folder: Path) -> None:
        (self.one, self.many) = (folder / "one", folder / "many")
        for place in (self.one, self.many):
            place.mkdir()
        self.plan = Planned(self.many)

    def add(self, name: str | bytes, source: Path) -> None:
        for place in (self.one, self.many):
            target = place / os.fsdecode(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)

    def check(
        self, words: str, *films: str | bytes, options: list[str] = LEAST,
        do: Callable[[Planned], None] = Planned.do, code: int = 0, order: Callable[[list[bytes]], list[bytes]] = list,
    ) -> Planned:  # fmt: skip
        """Makes sure that units leave and print the same as one run."""
        command: list[object] = [*words.split(), "--", *films]
        for place in (self.one, self.many):
            (place / "made").mkdir(exist_ok=True)
        self.plan.make(options, command)
        do(self.plan)
        merged = self.plan.merge()
        whole = avtool(self.one, *words.split(), "--json", "--", *films)
        assert whole.returncode == code, text(whole.stderr)
        (told, expected) = (order(lines(merged.stdout)), order(lines(whole.stdout)))
        assert (merged.returncode, told) == (code, expected), text(merged.stderr)
        errors = [json.loads(line)["error"]["message"] for line in told if b'"error":' in line]
        assert all(message in text(merged.stderr) for message in errors), text(merged.stderr)
        for name in ("out", "made"):
            assert contents(self.many / name) == contents(self.one / name)
        assert self.plan.missing() == []
        return self.plan


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


@pytest.fixture(scope="session")
def long_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve seconds with sound, chapters and subtitles, a keyframe in each second and a half."""
    folder = tmp_path_factory.mktemp("units")
    (folder / "t.srt").write_text("1\n00:00:01,000 --> 00:00:05,500\nOne\n\n2\n00:00:06,000 --> 00:00:11,000\nTwo\n")
    chapters = "".join(f"[CHAPTER]\nTIMEBASE=1/1\nSTART={n * 4}\nEND={n * 4 + 4}\ntitle=C{n}\n" for n in range(3))
    (folder / "chapters").write_text(f";FFMETADATA1\ntitle=Long\n{chapters}")
    film = folder / "film.mp4"
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=12",
        "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=12",
        "-i", folder / "t.srt", "-i", folder / "chapters", "-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3",
        "-c:v", "libx264", "-preset", "veryfast", "-g", "37", "-c:a", "aac", "-c:s", "mov_text", film,
    )  # fmt: skip
    return film


@pytest.fixture(scope="session")
def plain_film(long_film: Path) -> Path:
    """The same without chapters and subtitles."""
    film = long_film.with_name("plain.mp4")
    ffmpeg("-i", long_film, "-map_chapters", "-1", "-map", "0:v", "-map", "0:a", "-c", "copy", film)
    return film


@pytest.fixture(scope="session")
def other_film(plain_film: Path) -> Path:
    """Another film that only has another title."""
    film = plain_film.with_name("other.mp4")
    ffmpeg("-i", plain_film, "-metadata", "title=Other", "-c", "copy", film)
    return film


# --- results ----------------------------------------------------------------------------


def add_all_kinds(pair: Pair) -> list[str | bytes]:
    """Films, damaged ones, and what is none, by odd names."""
    films: list[str | bytes] = []
    for name, source in [
        ("a.mp4", "movie.mp4"), ("damaged.mp4", "damaged.mp4"), ("cut.mp4", "truncated.mp4"),
        ("index.mp4", "truncated-no-moov.mp4"), ("sound.mp3", "audio-only.mp3"), ("none.mp4", "zero-frames.mp4"),
    ]:  # fmt: skip
        pair.add(name, fixture(source))
        films.append(name)
    for odd in STRANGE:
        pair.add(odd, fixture("languages.mp4"))
    for folder in (pair.one, pair.many):
        (folder / "words.mp4").write_text("no film")
        os.utime(folder / "words.mp4", ns=(1, 1))
    return [*films[:3], "nothing.mp4", *STRANGE[:4], *films[3:], "words.mp4", *STRANGE[4:]]


@pytest.mark.parametrize("per_unit", [1, 4, 100])
def test_stills_of_many_films(pair: Pair, per_unit: int) -> None:
    films = add_all_kinds(pair)
    options = ["--files-per-unit", str(per_unit)]
    plan = pair.check("thumbs --count 2 -o out/", *films, options=options, code=65)
    assert len(plan.units) == -(-len(films) // per_unit)
    # Each film is in one unit, in order.
    assert sum(len(unit["films"]) for unit in plan.units) == plan.header["films"] == len(films)
    assert [unit["firstFilm"] for unit in plan.units] == list(range(0, len(films), per_unit))
    whole = [film for unit in plan.units for film in unit["films"]]
    assert [film["name"] for film in whole if "identity" not in film] == ["nothing.mp4"]
    # What units have made is what the command itself would leave alone.
    again = avtool(pair.many, "thumbs", "--count", 2, "-o", "out/", "--resume", "--", films[0], *STRANGE)
    assert (again.returncode, again.stdout.count(b"up to date")) == (0, 2 * (1 + len(STRANGE))), text(again.stderr)


@pytest.mark.parametrize("words", ["thumbs --every 1s -o out/", "thumbs --at 0,3,6.5,end -o out/ --size 64x0"])
def test_stills_of_one_film_by_several_units(pair: Pair, words: str) -> None:
    films = add_all_kinds(pair)[:5]
    plan = pair.check(words, *films, code=65)
    assert {unit["piece"]["count"] for unit in plan.units if "piece" in unit} - {1}
    assert all(unit["cost"]["coreSeconds"] > 0 and unit["cost"]["memory"] > 0 for unit in plan.units if "piece" in unit)


@pytest.mark.parametrize(
    "words",
    ["sheet --count 4 -o out/", "scenes", "index -o out/", "verify --samples 3", "info", "metadata show",
     "export --preset m4a -o out/", "export --preset passthrough -o out/"],
)  # fmt: skip
def test_other_commands(pair: Pair, words: str) -> None:
    for name in ("a.mp4", "b.mp4", "c.mkv"):
        pair.add(name, fixture("cues.mkv" if name == "c.mkv" else "languages.mp4"))
    pair.check(words, "a.mp4", "b.mp4", "c.mkv", options=["--files-per-unit", "1"])


@pytest.mark.parametrize(
    ("film", "options"),
    [
        ("movie.mp4", ""),
        ("movie.mp4", "--bif"),
        ("movie.mp4", "--every 2s --bif --jellyfin --hls --dash --embed-sheets"),
        ("movie.mp4", "--exact --format png"),
        ("movie.mp4", "--from 2.3s --to 7s"),
        ("movie.mp4", "--columns 2 --rows 1 --quality 40"),
        ("vfr.mp4", ""),
        ("edit-list-trim.mp4", "--exact"),
        ("rotate-90.mp4", "--every 100ms --bif"),
        ("alpha-vp9.webm", "--every 100ms --format png"),
        ("h264.ts", ""),
        ("damaged.mp4", "--allow-damaged"),
    ],
)
def test_storyboards_in_pieces(pair: Pair, film: str, options: str) -> None:
    pair.add(film, fixture(film))
    plan = pair.check(f"storyboard {'' if '--every' in options else '--every 500ms'} -o out {options}", film)
    assert len(plan.units) > 1
    assert [unit["piece"]["index"] for unit in plan.units] == list(range(len(plan.units)))


@pytest.mark.parametrize(
    "words",
    [
        "webm-vp9 -o made/o.webm",
        "webm-vp9 -o made/o.mkv --range 1.5s..11.7s",
        "high -o made/o.mp4 --segment-length 2s",
        "high -o made/o.mov --segment-length 3s --range 0.7s+9s",
        "hevc-high -o made/o.mp4 --segment-length 4s",
        "webm-av1 -o made/o.mp4 --segment-length 4s",
        "medium -o made/o.mp4 --segment-length 100ms",
    ],
)
def test_exports_in_pieces(pair: Pair, long_film: Path, plain_film: Path, words: str) -> None:
    has_chapters = "vp9" not in words
    pair.add("film.mp4", long_film if has_chapters else plain_film)
    plan = pair.check(f"export --preset {words}", "film.mp4")
    assert len(plan.units) > 1
    made = parsed(
        ["ffprobe", "-v", "error", "-count_packets", "-show_streams", "-show_format", "-show_chapters", "-of", "json",
         pair.many / words.split()[2]]
    )  # fmt: skip
    of_kind = {stream["codec_type"]: stream for stream in made["streams"]}
    seconds = 10.2 if "11.7" in words else 9 if "+9s" in words else 12
    assert abs(int(of_kind["video"]["nb_read_packets"]) - seconds * 25) < 2
    assert "audio" in of_kind and abs(float(made["format"]["duration"]) - seconds) < 0.2
    assert len(made["chapters"]) == (3 if has_chapters else 0)


def test_exports_with_chapters_to_webm(pair: Pair, long_film: Path) -> None:
    """A defect of all exports to Matroska, in one run too: EditionUID and ChapterUIDs are new ones each time."""
    pair.add("film.mp4", long_film)
    pair.check("export --preset webm-vp9 -o made/o.webm", "film.mp4")


def test_subtitles_stay_beside_pieces(pair: Pair, long_film: Path) -> None:
    pair.add("film.mp4", long_film)
    pair.check("export --preset high --segment-length 3s -o made/o.mp4", "film.mp4")
    streams = parsed(["ffprobe", "-v", "error", "-show_streams", "-of", "json", pair.many / "made/o.mp4"])["streams"]
    assert {"video", "audio", "subtitle"} <= {stream["codec_type"] for stream in streams}


def test_films_in_pieces_among_others(pair: Pair, long_film: Path) -> None:
    pair.add("a.mp4", fixture("languages.mp4"))
    pair.add("film.mp4", long_film)
    pair.add("z.mp4", fixture("languages.mp4"))
    films = ["a.mp4", "nothing.mp4", "film.mp4", "z.mp4", "z.mp3"]
    pair.check("export --preset high --segment-length 4s -o out/", *films, code=66, options=["--unit-cost", "200ms"])


def test_results_of_one_name_belong_to_the_first(pair: Pair) -> None:
    for folder, source in (("a", "movie.mp4"), ("b", "languages.mp4"), ("c", "movie.mp4")):
        pair.add(f"{folder}/same.mp4", fixture(source))
    pair.add("other.mp4", fixture("languages.mp4"))
    films = ["b/same.mp4", "other.mp4", "a/same.mp4", "c/same.mp4"]
    # The films of one unit are told of together.
    options = ["--files-per-unit", "1"]
    plan = pair.check("thumbs --count 2 -o out/", *films, options=options, code=73, order=sorted)
    of_same = [unit["unit"] for unit in plan.units for film in unit["films"] if "same" in film["name"]]
    assert len(set(of_same)) == 1 and len(of_same) == 3


# --- who does units, and when -----------------------------------------------------------


def in_reverse(plan: Planned) -> None:
    for number in reversed(range(len(plan.units))):
        plan.unit(number)


def twice_at_once(plan: Planned) -> None:
    for unit in plan.units:
        words = [AVTOOL, "unit", plan.name, str(unit["unit"])]
        both = [
            subprocess.Popen(words, cwd=plan.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
        ]
        said = [child.communicate(timeout=120) for child in both]
        assert both[0].returncode == both[1].returncode and said[0] == said[1], said
        # Once it is done it is not done again, and says the same.
        later = plan.unit(unit["unit"])
        assert (later.returncode, (later.stdout, later.stderr)) == (both[0].returncode, said[0])


def killed_first(plan: Planned) -> None:
    """Each unit is killed again and again, a little later each time, until one try ends by itself."""
    for unit in plan.units:
        for seconds in (0.05 * 1.5**step for step in range(20)):
            words = [AVTOOL, "unit", plan.name, str(unit["unit"])]
            child = subprocess.Popen(words, cwd=plan.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                child.wait(seconds)
                break
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                child.wait()
        assert plan.receipt(unit["unit"]).exists()


def two_machines(plan: Planned) -> None:
    """Both do all, one from the end."""
    count = len(plan.units)
    both = [
        subprocess.Popen(
            [AVTOOL, "unit", plan.name, *map(str, numbers)], cwd=plan.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for numbers in (range(count), reversed(range(count)))
    ]  # fmt: skip
    assert all(child.wait(300) in (0, 65) for child in both)


@pytest.mark.parametrize("do", [in_reverse, twice_at_once, killed_first, two_machines])
@pytest.mark.parametrize("words", ["thumbs", "storyboard", "export"])
def test_whoever_does_units_results_are_the_same(
    pair: Pair, plain_film: Path, words: str, do: Callable[..., None]
) -> None:
    pair.add("film.mp4", plain_film)
    films = ["film.mp4"]
    code = 0
    if words == "thumbs":
        pair.add("damaged.mp4", fixture("truncated.mp4"))
        (films, code) = (["film.mp4", "damaged.mp4"], 65)
    commands = {
        "thumbs": "thumbs --every 2s -o out/", "storyboard": "storyboard --every 1s -o out",
        "export": "export --preset webm-vp9 -o made/o.webm",
    }  # fmt: skip
    plan = pair.check(commands[words], *films, do=do, code=code)
    assert len(plan.units) > 1
    leftovers = [path for path in plan.folder.rglob("*") if ".avtool" in path.name or ".tmp" in path.name]
    assert do is killed_first or not leftovers


@pytest.mark.parametrize("words", ["thumbs --every 2s -o out/", "storyboard --every 1s -o out"])
def test_what_is_done_is_not_done_again(pair: Pair, words: str) -> None:
    pair.add("film.mp4", fixture("movie.mp4"))
    plan = pair.check(words, "film.mp4")
    first, second = plan.unit("0-1"), plan.unit(0, 1)
    assert first.stdout == second.stdout != b""
    before = state(plan.folder)
    assert plan.unit(f"0-{len(plan.units) - 1}").returncode == 0
    merged, again = plan.merge(), plan.merge()
    assert (merged.stdout, merged.returncode) == (again.stdout, again.returncode)
    assert state(plan.folder) == before


def test_sigterm_leaves_no_receipt(pair: Pair, plain_film: Path) -> None:
    pair.add("film.mp4", plain_film)
    plan = pair.plan
    (pair.many / "made").mkdir()
    plan.make(LEAST, [*"export --preset webm-vp9 -o made/o.webm --".split(), "film.mp4"])
    film = (plan.folder / "film.mp4").stat()
    child = subprocess.Popen([AVTOOL, "unit", "plan", "0", "1"], cwd=plan.folder, stdout=-1, stderr=-1)
    # It has begun to read; to encode the film takes seconds of the processor.
    assert eventually(lambda: has_open(child.pid, film) or has_ended(child.pid))
    child.send_signal(signal.SIGTERM)
    said = child.communicate(timeout=LIMIT)[1]
    assert child.returncode == 130, text(said)
    assert not plan.receipt(1).exists()
    assert plan.missing()[-1] == 1
    assert not [path for path in plan.folder.rglob("*") if ".avtool" in path.name]
    pair.plan.path.unlink()
    shutil.rmtree(pair.many / "plan.units", ignore_errors=True)
    pair.check("export --preset webm-vp9 -o made/o.webm", "film.mp4")


# --- plans ------------------------------------------------------------------------------


def test_a_plan_may_come_from_standard_output(pair: Pair) -> None:
    pair.add("film.mp4", fixture("movie.mp4"))
    words = [*LEAST, "thumbs", "--every", "2s", "-o", "out/", "film.mp4"]
    piped = avtool(pair.many, "plan", *words)
    assert avtool(pair.many, "plan", "-o", "plan", *words).returncode == 0
    assert piped.stdout == pair.plan.path.read_bytes() and piped.returncode == 0
    # It is the same at any time, and an existing one is only replaced with --force.
    assert avtool(pair.many, "plan", "-o", "plan", *words).returncode == 73
    assert avtool(pair.many, "plan", "--force", "-o", "plan", *words).returncode == 0
    assert piped.stdout == pair.plan.path.read_bytes()


def test_a_plan_takes_its_films_from_a_list(pair: Pair) -> None:
    films = STRANGE + [f"film{number:03}.mp4".encode() for number in range(20)]
    for name in films:
        pair.add(name, fixture("one-frame.mp4"))
    ended = b"".join(name + b"\0" for name in films)
    words = ["thumbs", "--at", "0", "-o", "out/"]
    made = avtool(
        pair.many, "plan", "-o", "plan", "--files-per-unit", 6, *words, "-0", "--files-from", "-", stdin=ended
    )
    assert made.returncode == 0, text(made.stderr)
    pair.plan.do()
    whole = avtool(pair.one, *words, "--json", "-0", "--files-from", "-", stdin=ended)
    merged = pair.plan.merge()
    assert (merged.returncode, merged.stdout) == (whole.returncode, whole.stdout) and whole.returncode == 0
    assert contents(pair.many / "out") == contents(pair.one / "out")


def test_plans_of_shares_are_those_of_their_films(pair: Pair) -> None:
    films = [f"film{number}.mp4" for number in range(12)]
    for name in films:
        pair.add(name, fixture("one-frame.mp4"))
    seen = []
    for share in ("0/2", "1/2"):
        plan = avtool(pair.many, "plan", "--files-per-unit", 3, "info", "--shard", share, *films)
        assert plan.returncode == 0, text(plan.stderr)
        lines = [json.loads(line) for line in plan.stdout.splitlines()[1:]]
        seen += [film["name"] for line in lines for film in line["films"]]
    assert sorted(seen) == sorted(films)


def test_missing_units_are_listed_for_unit(pair: Pair) -> None:
    films = [f"film{number}.mp4" for number in range(9)]
    for name in films:
        pair.add(name, fixture("one-frame.mp4"))
    plan = pair.plan
    plan.make(["--files-per-unit", "1"], ["thumbs", "--at", "0", "-o", "out/", *films])
    assert plan.missing() == list(range(9))
    assert plan.unit("0,2-4", 8).returncode == 0
    assert plan.missing() == [1, 5, 6, 7]
    refused = plan.merge()
    assert refused.returncode == 65 and b"1,5-7" in refused.stderr, text(refused.stderr)
    told = json.loads(refused.stdout)
    assert (told["error"]["code"], told["error"]["retry"], told["plan"]) == ("unitsMissing", "never", "plan")
    assert plan.unit(*plan.missing()).returncode == 0
    assert plan.missing() == [] and plan.merge().stdout.count(b"\n") == 9
    # What is lost later is missing again.
    (pair.many / "out/film3.png" if (pair.many / "out/film3.png").exists() else pair.many / "out/film3-1.png").unlink()
    assert plan.missing() == [3] and plan.unit(3).returncode == 0
    assert plan.merge().returncode == 0


@pytest.mark.parametrize("name", ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"])
def test_auto_is_the_number_that_a_scheduler_gives(pair: Pair, name: str) -> None:
    for number in range(3):
        pair.add(f"film{number}.mp4", fixture("one-frame.mp4"))
    plan = pair.plan
    plan.make(["--files-per-unit", "1"], ["info", "film0.mp4", "film1.mp4", "film2.mp4"])
    run = plan.unit("auto", **{name: "1"})
    assert run.returncode == 0 and json.loads(run.stdout)["source"] == "film1.mp4"
    assert plan.missing() == [0, 2]
    for value in ("3", "-1", "x", ""):
        assert plan.unit("auto", **{name: value}).returncode == 64, value
    assert plan.missing() == [0, 2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("plan", "command"),
        ("plan --unit-cost 0 info a.mp4", "--unit-cost"),
        ("plan --unit-cost -5s info a.mp4", "--unit-cost"),
        ("plan --unit-cost x info a.mp4", "invalid duration"),
        ("plan --files-per-unit 0 info a.mp4", "--files-per-unit"),
        ("plan --files-per-unit 4097 info a.mp4", "--files-per-unit"),
        ("plan --files-per-unit 1 --unit-cost 1m info a.mp4", "one of"),
        ("plan nonsense a.mp4", "nonsense"),
        ("plan plan info a.mp4", "plan"),
        ("plan unit plan 0", "unit"),
        ("plan presets list", "presets"),
        ("plan info", "file"),
        ("plan info --nonsense a.mp4", "--nonsense"),
        ("plan info -", "files"),
        ("plan thumbs --at 1 --force -o out/ a.mp4", "--force"),
        ("plan thumbs --at 1 -o - a.mp4", "-o -"),
        ("plan storyboard --if-newer a.mp4", "--if-newer"),
        ("plan storyboard --piece 0/2 --pieces p a.mp4", "--piece"),
        ("plan export --preset high --dry-run a.mp4", "--dry-run"),
        ("plan metadata set title=x a.mp4", "in place"),
        ("plan thumbs --at 1 -o x.png a.mp4 b.mp4", "{name}"),
        ("unit plan", "units"),
        ("unit plan 2", "no unit 2"),
        ("unit plan 0-2", "no unit 2"),
        ("unit plan x", "x"),
        ("unit plan 1-0", "1-0"),
        ("unit plan -- -1", "-1"),
        ("unit plan 0,,1", "0,,1"),
        ("unit plan 99999999999999999999", "9999"),
        ("unit plan auto", "SLURM_ARRAY_TASK_ID"),
        ("merge", "plan"),
        ("merge plan plan", "plan"),
        ("storyboard --piece 2/2 --pieces p a.mp4", "2/2"),
        ("storyboard --piece 0/2 a.mp4", "--pieces"),
        ("storyboard --pieces p a.mp4", "--piece"),
        ("storyboard --piece 0/2 --pieces p a.mp4 b.mp4", "single"),
        ("export --preset high --piece 0/2 --pieces p -o x.mp4 a.mp4", "segments"),
        ("export --preset passthrough --piece 0/2 --pieces p -o x.mp4 a.mp4", "segments"),
        ("thumbs --at 1 --piece all/2 a.mp4", ""),
        ("thumbs --cover --piece 0/2 a.mp4", "--cover"),
        ("plan scenes --format csv -o {name}.csv a.mp4", "--format"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(pair: Pair, words: str, said: str) -> None:
    for name in ("a.mp4", "b.mp4"):
        pair.add(name, fixture("movie.mp4"))
    pair.plan.make(["--files-per-unit", "1"], ["info", "a.mp4", "b.mp4"])
    before = state(pair.many)
    found = avtool(pair.many, *words.split())
    # Whether there is anything to divide is up to the film, too.
    assert found.returncode == (65 if said == "segments" else 64) and found.stdout == b"", text(found.stderr)
    assert said in text(found.stderr) and len(text(found.stderr).splitlines()) == 1
    assert state(pair.many) == before


def test_plans_that_cannot_be_read(pair: Pair) -> None:
    (pair.many / "words").write_text("words\n")
    (pair.many / "empty").write_text("")
    (pair.many / "other").write_text('{"format":"other"}\n')
    for name, code in {"nothing": 66, ".": 66, "words": 65, "empty": 65, "other": 65}.items():
        for words in (["unit", name, "0"], ["merge", name], ["merge", "--missing", name]):
            found = avtool(pair.many, *words)
            assert found.returncode == code, (words, text(found.stderr))
            told = [] if "--missing" in words else [["error", "plan"]]
            assert [sorted(json.loads(line)) for line in found.stdout.splitlines()] == told
            assert len(text(found.stderr).splitlines()) == 1 and name in text(found.stderr)
    assert not list(pair.many.glob("*.units"))


# --- refusals ---------------------------------------------------------------------------


@pytest.fixture
def done(pair: Pair) -> Planned:
    """Nine stills of three films, by three units."""
    films = [f"film{number}.mp4" for number in range(3)]
    for name in films:
        pair.add(name, fixture("languages.mp4"))
    pair.plan.make(["--files-per-unit", "1"], ["thumbs", "--count", "3", "-o", "out/", *films])
    pair.plan.do()
    assert pair.plan.merge().returncode == 0
    return pair.plan


@pytest.fixture
def in_pieces(pair: Pair, long_film: Path) -> Planned:
    """A storyboard in pieces, that are not joined yet."""
    pair.add("film.mp4", long_film)
    pair.plan.make(LEAST, ["storyboard", "--every", "1s", "-o", "out", "film.mp4"])
    pair.plan.do()
    assert len(pair.plan.pieces()) == len(pair.plan.units) > 3
    return pair.plan


def refuses(
    plan: Planned, *said: str, code: int = 65, missing: list[int] | None = None, only_errors: bool = False
) -> None:
    """Merging says why it does not, in a line of JSON too, and writes nothing.

    What is found while a film is joined is told in lines as well.
    """
    before = state(plan.folder)
    merged = plan.merge()
    assert merged.returncode == code, (merged.returncode, text(merged.stderr))
    printed = [json.loads(line) for line in merged.stdout.splitlines()]
    if only_errors:
        wrong = [line for line in printed if "error" not in line and line.get("event") not in ("plan", "progress")]
        assert not wrong and all(line["error"]["code"] in OF_PIECES for line in printed if "error" in line)
    else:
        assert [sorted(line) for line in printed] == [["error", "plan"]]
        assert printed[0]["error"]["message"] in text(merged.stderr)
    assert len(text(merged.stderr).splitlines()) == 1
    assert all(word in text(merged.stderr) for word in said), text(merged.stderr)
    assert state(plan.folder) == before
    if missing is not None:
        assert plan.missing() == missing


def changed_lines(plan: Planned, change: Callable[[list[str]], list[str]]) -> None:
    plan.path.write_text("\n".join(change(plan.path.read_text().splitlines())) + "\n")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: [lines[0], lines[1], lines[1], *lines[2:]], "unit 0"),
        (lambda lines: [*lines, lines[-1]], "unit 2"),
        (lambda lines: [lines[0], lines[2], lines[3]], "unit 1"),
        (lambda lines: lines[:-1], "2 units"),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], "unit 1"),
        (lambda lines: [line.replace("film1", "film0") for line in lines], "changed"),
        (lambda lines: [lines[0].replace('"3"', '"2"'), *lines[1:]], "changed"),
        (lambda lines: [lines[0].replace('"out/"', '"tuo/"'), *lines[1:]], "changed"),
        (lambda lines: [*lines[:3], "words"], "line 4"),
        (lambda lines: lines[1:], "no plan"),
    ],
)
def test_plans_that_were_changed(done: Planned, change: Callable[[list[str]], list[str]], said: str) -> None:
    changed_lines(done, change)
    refuses(done, said, "plan")
    before = state(done.folder)
    found = done.unit(0)
    assert found.returncode == 65 and state(done.folder) == before
    assert done.merge("--missing").returncode == 65


def test_plans_of_another_version(done: Planned) -> None:
    version = done.header["avtool"]
    changed_lines(done, lambda lines: [lines[0].replace(f'"avtool":"{version}"', '"avtool":"9.8.7"'), *lines[1:]])
    refuses(done, "9.8.7", version)
    assert done.unit(0).returncode == 65


def test_units_that_are_missing(done: Planned) -> None:
    done.receipt(1).unlink()
    refuses(done, "unit 1 of 3", missing=[1])
    done.do(1)
    assert done.merge().returncode == 0


@pytest.mark.parametrize("size", [0, 10, 300, -20, -2])
def test_receipts_that_are_cut_short(done: Planned, size: int) -> None:
    """A negative size is of what is missing at the end."""
    merged = done.merge()
    receipt = done.receipt(1)
    receipt.write_bytes(receipt.read_bytes()[:size])
    refuses(done, "unit 1 of 3", missing=[1])
    done.do(1)
    assert done.merge().stdout == merged.stdout


def test_receipts_of_other_units(done: Planned) -> None:
    shutil.copy(done.receipt(0), done.receipt(1))
    refuses(done, "unit 1 of 3", missing=[1])
    done.change_header(0, plan="0" * 32)
    refuses(done, "0-1 of 3", missing=[0, 1])


def test_receipts_of_another_plan(done: Planned) -> None:
    other = Planned(done.folder, "other")
    other.make(
        ["--files-per-unit", "1"], ["thumbs", "--count", "3", "-o", "tuo/", "film0.mp4", "film1.mp4", "film2.mp4"]
    )
    shutil.copytree(done.folder / "plan.units", done.folder / "other.units")
    refuses(other, "0-2 of 3", missing=[0, 1, 2])


def test_units_by_another_version(done: Planned) -> None:
    done.change_header(2, avtool="9.8.7")
    refuses(done, "unit 2 of 3", "version", missing=[2])


def test_units_by_other_libraries(done: Planned) -> None:
    """Without a look at the films, a plan does not say by which: all have to be done by the same."""
    libraries = json.loads(done.receipt(2).read_text().splitlines()[0])["libraries"]
    done.change_header(2, libraries=[*libraries[:-1], "libswscale 1.2.3"])
    refuses(done, "unit 2 of 3", "libraries")


def test_units_that_made_the_same(done: Planned) -> None:
    results = json.loads(done.receipt(0).read_text().splitlines()[0])["results"]
    done.change_header(1, results=results)
    refuses(done, "units 0 and 1", results[0]["name"], code=73)


@pytest.mark.parametrize("change", ["touched", "longer", "other", "gone"])
def test_films_that_changed(done: Planned, change: str) -> None:
    film = done.folder / "film1.mp4"
    if change == "touched":
        os.utime(film)
    elif change == "longer":
        status = film.stat()
        film.write_bytes(film.read_bytes() + b"x")
        os.utime(film, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change == "other":
        shutil.copy2(fixture("movie.mp4"), film)
    else:
        film.unlink()
    refuses(done, "film1.mp4")
    done.receipt(1).unlink()
    before = state(done.folder)
    found = done.unit(1)
    assert found.returncode == 65 and b"film1.mp4" in found.stderr
    assert (line := json.loads(found.stdout))["error"]["code"] == "sourceChanged" and line["unit"] == 1
    assert state(done.folder) == before


def test_a_film_that_was_not_there_when_it_was_planned_for(pair: Pair) -> None:
    pair.plan.make(["--files-per-unit", "1"], ["info", "film.mp4"])
    pair.add("film.mp4", fixture("movie.mp4"))
    assert pair.plan.unit(0).returncode == 65 and not pair.plan.receipt(0).exists()


@pytest.mark.parametrize("change", ["gone", "truncated", "longer"])
def test_results_that_changed(done: Planned, change: str) -> None:
    result = sorted((done.folder / "out").iterdir())[4]
    if change == "gone":
        result.unlink()
    elif change == "truncated":
        os.truncate(result, 100)
    else:
        result.write_bytes(result.read_bytes() + b"x")
    refuses(done, result.name, "unit 1", missing=[1])


def test_inputs_that_changed(pair: Pair) -> None:
    pair.add("film.mp4", fixture("movie.mp4"))
    pair.add("cover.png", fixture("animated.png"))
    assert avtool(pair.many, "thumbs", "--at", 1, "-o", "cover.jpg", "film.mp4").returncode == 0
    pair.plan.make(["--files-per-unit", "1"], "metadata artwork --set cover.jpg -o out/ film.mp4".split())
    assert [film["name"] for film in pair.plan.header["inputs"]] == ["cover.jpg"]
    os.utime(pair.many / "cover.jpg", ns=(1, 1))
    found = pair.plan.unit(0)
    assert found.returncode == 65 and b"cover.jpg" in found.stderr and not (pair.many / "out").exists()


@pytest.mark.parametrize(
    "change",
    ["gone", "empty", "head", "cut", "longer", "end", "noise", "a byte in the middle", "a byte at the end", "exchanged",
     "copied", "of another film", "of other settings", "of another count"],
)  # fmt: skip
@pytest.mark.parametrize("what", ["storyboard", "export"])
def test_pieces_that_changed(pair: Pair, plain_film: Path, other_film: Path, what: str, change: str) -> None:
    pair.add("film.mp4", plain_film)
    words = {"storyboard": "storyboard --every 1s -o out", "export": "export --preset webm-vp9 -o out.webm"}[what]
    pair.plan.make(LEAST, [*words.split(), "film.mp4"])
    pair.plan.do()
    pieces = pair.plan.pieces()
    count = len(pieces)
    assert count == len(pair.plan.units) > 1
    (first, second) = (pieces[0], pieces[1])
    content = bytearray(second.read_bytes())
    is_found_late = change not in ("gone", "empty", "head", "cut", "longer", "end")
    if change == "gone":
        second.unlink()
    elif change in ("empty", "head", "cut"):
        os.truncate(second, {"empty": 0, "head": 20, "cut": len(content) * 2 // 3}[change])
    elif change == "longer":
        second.write_bytes(content + content[-100:])
    elif change == "end":
        second.write_bytes(content[:-8])
    elif change == "noise":
        second.write_bytes(os.urandom(len(content)))
    elif change == "a byte in the middle":
        content[len(content) // 2] ^= 0x40
        second.write_bytes(content)
    elif change == "a byte at the end":
        content[-60] ^= 0x40
        second.write_bytes(content)
    elif change == "exchanged":
        (moved := first.with_suffix(".x")).write_bytes(first.read_bytes())
        second.replace(first)
        moved.replace(second)
    elif change == "copied":
        shutil.copy(first, second)
    else:
        more = {"of another film": "", "of other settings": " --quality 41", "of another count": ""}[change]
        if change == "of other settings" and what == "export":
            words = words.replace("webm-vp9", "webm-vp9 --segment-length 4s")
        film = "film.mp4"
        if change == "of another film":
            film = "other.mp4"
            pair.add(film, other_film)
        number = f"1/{count + 1}" if change == "of another count" else f"1/{count}"
        made = avtool(pair.many, *f"{words}{more}".split(), "--piece", number, "--pieces", "by-hand", film)
        assert made.returncode == 0, text(made.stderr)
        shutil.copy(pair.many / f"by-hand/1-of-{number[2:]}.avpiece", second)
    refuses(pair.plan, second.name if change != "exchanged" else "avpiece", only_errors=is_found_late)
    assert not (pair.many / "out").exists() and not (pair.many / "out.webm").exists()


def test_a_bad_piece_keeps_all_films_from_being_joined(pair: Pair) -> None:
    for name in ("a.mp4", "b.mp4"):
        pair.add(name, fixture("movie.mp4"))
    pair.plan.make(LEAST, "storyboard --every 1s -o {name}-out a.mp4 b.mp4".split())
    pair.plan.do()
    first = max(unit["piece"]["firstUnit"] for unit in pair.plan.units)
    piece = pair.plan.pieces(first)[1]
    piece.write_bytes(b"x" * piece.stat().st_size)
    refuses(pair.plan, piece.name, only_errors=True)


def test_damage_that_a_unit_met_is_what_merging_tells(pair: Pair) -> None:
    """Not that its piece is not there."""
    pair.add("film.mp4", fixture("damaged.mp4"))
    pair.check("export --preset high --segment-length 2s -o made/o.mp4", "film.mp4", code=65)


@pytest.mark.parametrize("change", ["film", "command"])
def test_a_new_plan_of_the_same_name_does_not_mind_old_pieces(pair: Pair, change: str) -> None:
    pair.add("film.mp4", fixture("movie.mp4"))
    words = "storyboard --every 1s -o out".split()
    pair.plan.make(LEAST, [*words, "film.mp4"])
    pair.plan.do()
    if change == "film":
        for folder in (pair.one, pair.many):
            os.utime(folder / "film.mp4", ns=(10**18, 10**18))
        refuses(pair.plan, "film.mp4")
    pair.check("storyboard --every 1s -o out" + (" --quality 40" if change == "command" else ""), "film.mp4",
               options=[*LEAST, "--force"])  # fmt: skip


@pytest.mark.root
def test_units_go_on_where_no_attributes_are_kept(tmp_path: Path) -> None:
    """Many network file systems keep none. A receipt is lost, as after SIGKILL."""
    place = tmp_path / "ram"
    place.mkdir()
    if run(["mount", "-t", "ramfs", "ramfs", place]).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        shutil.copy2(fixture("movie.mp4"), place / "film.mp4")
        for name, words in {"stills": "thumbs --every 2s -o out/", "board": "storyboard --every 1s -o tiles"}.items():
            plan = Planned(place, name)
            plan.make(LEAST, [*words.split(), "film.mp4"])
            assert plan.unit(0).returncode == 0
            plan.receipt(0).unlink()
            again = plan.unit(0)
            # Pieces are the plan's own; a still may be anybody's.
            assert again.returncode == (73 if name == "stills" else 0), text(again.stderr)
            assert plan.receipt(0).exists() == (name != "stills")
            for path in (place / "out").glob("*"):
                path.unlink()
            plan.do()
            assert plan.merge().returncode == 0
    finally:
        run(["umount", place])


def test_a_lost_piece_is_made_again(in_pieces: Planned) -> None:
    in_pieces.pieces()[2].unlink()
    assert in_pieces.missing() == [2]
    assert in_pieces.unit(2).returncode == 0
    assert in_pieces.merge().returncode == 0 and (in_pieces.folder / "out/storyboard.vtt").exists()


def test_joining_replaces_nothing(in_pieces: Planned) -> None:
    (in_pieces.folder / "out").mkdir()
    (in_pieces.folder / "out/mine.txt").write_text("mine")
    before = state(in_pieces.folder)
    merged = in_pieces.merge()
    # An existing folder is where the storyboard goes; a name that is taken is not replaced.
    assert merged.returncode in (0, 73)
    assert (in_pieces.folder / "out/mine.txt").read_text() == "mine"
    assert merged.returncode == 0 or state(in_pieces.folder) == before


# --- pieces by hand ---------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 16])
@pytest.mark.parametrize("words", ["storyboard --every 1s -o OUT", "export --preset webm-vp9 -o OUT.webm"])
def test_pieces_without_a_plan(tmp_path: Path, plain_film: Path, words: str, count: int) -> None:
    """There may be more of them than there is to divide."""
    shutil.copy2(plain_film, tmp_path / "film.mp4")

    def command(output: str, *more: object) -> Run:
        return avtool(tmp_path, *words.replace("OUT", output).split(), "--json", *more, "film.mp4")

    whole = command("whole")
    assert whole.returncode == 0, text(whole.stderr)
    for index in range(count):
        made = command("joined", "--piece", f"{index}/{count}", "--pieces", "pieces")
        assert made.returncode == 0, text(made.stderr)
    assert not list(tmp_path.glob("joined*"))
    joined = command("joined", "--piece", f"all/{count}", "--pieces", "pieces")
    assert joined.returncode == 0, text(joined.stderr)
    assert lines(joined.stdout.replace(b"joined", b"whole")) == lines(whole.stdout)
    (one, other) = (next(tmp_path.glob("whole*")), next(tmp_path.glob("joined*")))
    assert contents(one) == contents(other)


@pytest.mark.parametrize("count", [1, 3, 20])
def test_shares_of_stills_are_all_of_them(tmp_path: Path, count: int) -> None:
    shutil.copy2(fixture("movie.mp4"), tmp_path / "film.mp4")
    whole = avtool(tmp_path, "thumbs", "--every", "1s", "-o", "out/", "--json", "film.mp4")
    lines = b""
    (tmp_path / "out").rename(tmp_path / "whole")
    for index in range(count):
        share = avtool(
            tmp_path, "thumbs", "--every", "1s", "-o", "out/", "--json", "--piece", f"{index}/{count}", "film.mp4"
        )
        assert share.returncode == 0, text(share.stderr)
        lines += share.stdout
    assert lines == whole.stdout != b""
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


# --- disks ------------------------------------------------------------------------------


def mount(folder: Path, size: int) -> None:
    folder.mkdir()
    if run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]).returncode:
        pytest.skip("file systems cannot be mounted here")


@pytest.mark.root
@pytest.mark.parametrize("where", ["results", "notes"])
@pytest.mark.parametrize("words", ["thumbs --every 1s -o out/", "storyboard --every 1s -o out/b"])
def test_full_disks_leave_no_receipt(tmp_path: Path, where: str, words: str) -> None:
    """A unit that had no room is done again where there is some."""
    shutil.copy2(fixture("movie.mp4"), tmp_path / "film.mp4")
    small = tmp_path / "small"
    plan = Planned(tmp_path)
    plan.make(LEAST, [*words.split(), "film.mp4"])
    if where == "notes":
        (tmp_path / "out").mkdir()
    mount(small, 8192)
    try:
        place = tmp_path / ("out" if where == "results" else "plan.units")
        place.symlink_to(small)
        is_joined_later = "storyboard" in words and where == "results"
        for number in range(len(plan.units)):
            found = plan.unit(number)
            codes = {0} if is_joined_later else {0, 74}
            assert found.returncode in codes, (found.returncode, text(found.stderr))
            assert plan.receipt(number).exists() == (found.returncode == 0)
        assert (plan.missing() == []) == is_joined_later
        if is_joined_later:
            assert plan.merge().returncode == 74
        # Nothing that is cut short has the name of a result.
        left = [path for path in small.rglob("*") if path.is_file()]
        assert all(path.suffix == ".jsonl" or (path.suffix == ".png" and whole_png(path)) for path in left), left
        run(["mount", "-o", "remount,size=64m", small])
        plan.do(*plan.missing())
        merged = plan.merge()
        assert merged.returncode == 0, text(merged.stderr)
        assert not [path for path in tmp_path.rglob("*") if ".avtool" in path.name]
    finally:
        run(["umount", small])


def whole_png(path: Path) -> bool:
    return path.read_bytes().endswith(b"IEND\xaeB`\x82")


@pytest.mark.root
@pytest.mark.parametrize("where", ["out", "plan.units", "plan.units/0"])
@pytest.mark.parametrize("words", ["thumbs --every 1s -o out/", "storyboard --every 1s -o out/b"])
def test_folders_that_cannot_be_written(tmp_path: Path, where: str, words: str) -> None:
    shutil.copy2(fixture("movie.mp4"), tmp_path / "film.mp4")
    plan = Planned(tmp_path)
    plan.make(LEAST, [*words.split(), "film.mp4"])
    closed = tmp_path / where
    (tmp_path / "out").mkdir()
    closed.mkdir(parents=True, exist_ok=True)
    for path in tmp_path.parents[:3]:
        path.chmod(0o755)
    for path in (tmp_path, *tmp_path.rglob("*")):
        os.chown(path, NOBODY["user"], NOBODY["group"])
    closed.chmod(0o555)
    try:
        found = subprocess.run([AVTOOL, "unit", "plan", "0"], cwd=tmp_path, capture_output=True, timeout=60, **NOBODY)
    except PermissionError:
        pytest.skip(f"nobody else may run {AVTOOL}")
    if where == "out" and "storyboard" in words:
        assert found.returncode == 0, text(found.stderr)
        found = subprocess.run([AVTOOL, "unit", "plan", f"1-{len(plan.units) - 1}"], cwd=tmp_path, **NOBODY)
        found = subprocess.run([AVTOOL, "merge", "plan"], cwd=tmp_path, capture_output=True, timeout=60, **NOBODY)
    else:
        # A folder that is closed stays so: that is settled, and may be noted where notes can be written.
        assert not plan.receipt(0).exists() or where == "out"
    assert found.returncode in (73, 74), (found.returncode, text(found.stderr))
    assert not [path for path in closed.rglob("*") if path.is_file()]
    assert not [path for path in tmp_path.rglob("*") if ".avtool" in path.name]
