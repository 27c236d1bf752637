"""`--limit`: what one file may ask for, by each limit's name, and small files that ask for gigabytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from acceptance.bombs import BOMBS
from acceptance.films import fixture
from acceptance.running import AVTOOL
from acceptance.tool import copy_fixture, measured, names, run_program, run_with_open_input, shell, tool

# --- Each limit -------------------------------------------------------------------------


@dataclass(frozen=True)
class LimitCase:
    """A file, a limit that it is beyond, and one that it is within."""

    name: str
    low: str
    high: str
    # What makes the files in the folder, and the work on them with `$LIMIT`.
    script: str
    # Whether the rest is read, and the exit code is that of success.
    is_in_part: bool = False
    label: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.label}"


def limit_case(name: str, low: str, high: str, command: str, file: str, *, is_in_part: bool = False) -> LimitCase:
    """A case of one command on one fixture."""
    script = f"\"$AVTOOL\" {command} $LIMIT '{fixture(file)}'"
    return LimitCase(name, low, high, script, is_in_part, f"{command} {file}")


NESTED = f"""
    echo '<Chapters><EditionEntry><ChapterAtom><ChapterTimeStart>00:00:00</ChapterTimeStart>' \\
        '<ChapterDisplay><ChapterString>a</ChapterString></ChapterDisplay>' \\
        '<ChapterAtom><ChapterTimeStart>00:00:01</ChapterTimeStart>' \\
        '<ChapterDisplay><ChapterString>b</ChapterString></ChapterDisplay></ChapterAtom>' \\
        '</ChapterAtom></EditionEntry></Chapters>' > c.xml
    "$AVTOOL" chapters set --from c.xml -o nested.mkv '{fixture("cues.mkv")}' > log 2>&1
    "$AVTOOL" metadata show $LIMIT nested.mkv
"""
# Nothing comes through the pipe before the delay is over; nobody writes to the other one.
SLOW_PIPE = f"""
    mkfifo pipe never
    (read -r -t $DELAY <> never; exec cat '{fixture("movie.mp4")}') > pipe 2> /dev/null &
    "$AVTOOL" COMMAND $LIMIT - < pipe
    code=$?; kill $! 2> /dev/null; exit $code
"""
# Every command that makes files of its own.
WRITING = [
    "thumbs --at 1 -o a.png", "sheet -o a.png", "waveform -o a.png", "waveform -o a.json", "waveform -o a.svg",
    "scenes -o a.json", "index -o a.json", "frames --to 0.2 -o a.y4m", "storyboard -o a", "thumbnail -o a.png",
    "thumbs --at 1 -o -", "waveform --format json -o -",
]  # fmt: skip

LIMIT_CASES = [
    limit_case("pixels", "76799", "76800", "info", "movie.mp4"),
    limit_case("artwork-pixels", "100", "1M", "thumbs --cover -o cover.png", "attached-picture.mp3"),
    limit_case("frames", "3", "1000", "thumbs --at end", "animated.gif"),
    limit_case("frames", "3", "1000", "thumbs --at end", "animated.png"),
    limit_case("streams", "4", "5", "info", "languages.mkv"),
    limit_case("streams", "1", "256", "info", "movie.mp4"),
    limit_case("packets", "2", "8M", "thumbs --at 5", "long-gop.mp4"),
    limit_case("packets", "10", "8M", "verify", "h264.ts"),
    limit_case("index-entries", "100", "100k", "info", "movie.mp4"),
    limit_case("index-entries", "5", "100k", "info", "fragmented.mp4"),
    limit_case("metadata-size", "1KiB", "1MiB", "info", "attached-picture.mp3"),
    limit_case("metadata-size", "1KiB", "1MiB", "metadata show", "attached-picture.m4a", is_in_part=True),
    # Three chapters in two lists.
    limit_case("chapters", "5", "6", "chapters show", "movie.mp4"),
    limit_case("chapters", "5", "6", "chapters remove -o plain.mp4", "movie.mp4"),
    LimitCase("nesting", "1", "2", NESTED, is_in_part=True),
    LimitCase(
        "pipe-size", "1000", "10MB", f"cat '{fixture('movie.mp4')}' | \"$AVTOOL\" info --precise $LIMIT -"
    ),
    limit_case("output-size", "1000", "1GB", "export --preset passthrough -o out.mp4", "movie.mp4"),
    limit_case("output-size", "1000", "1GB", "metadata set title=x -o out.mp4", "movie.mp4"),
    *(limit_case("output-size", "50", "1GB", f"{command} > log", "movie.mov") for command in WRITING),
    LimitCase("open-time", "300ms", "5m", SLOW_PIPE.replace("COMMAND", "info")),
    LimitCase("time", "1s", "1m", SLOW_PIPE.replace("COMMAND", "thumbs --at 1")),
]  # fmt: skip

every_limit = pytest.mark.parametrize("case", LIMIT_CASES, ids=str)


@every_limit
def test_a_file_beyond_a_limit_ends_with_code_75_and_the_option_that_raises_it(tmp_path: Path, case: LimitCase) -> None:
    run = shell(tmp_path, f"LIMIT='--limit {case.name}={case.low}' DELAY=60\n{case.script}")
    if case.is_in_part:
        run.expect()
        assert f"(limit {case.name})" in run.diagnostics + run.text, run
    else:
        run.expect(75)
        assert len(run.diagnostic_lines) == 1, run
        assert f"--limit {case.name}=" in run.diagnostics, run
        assert run.diagnostics.endswith(" raises it\n"), run
    assert set(names(tmp_path)) <= {"pipe", "never", "c.xml", "log", "nested.mkv"}


@every_limit
def test_a_file_within_a_limit_passes(tmp_path: Path, case: LimitCase) -> None:
    # Longer than the limits of the other test.
    delay = 1.5
    run = shell(tmp_path, f"LIMIT='--limit {case.name}={case.high}' DELAY={delay}\n{case.script}").expect()
    assert "limit" not in run.diagnostics, run


def test_a_limit_that_is_reached_is_a_failure_in_json(tmp_path: Path) -> None:
    error = tool(tmp_path, "info", "--json", "--limit", "pixels=1000", fixture("movie.mp4")).json[0]["error"]
    assert error["code"] == "limitReached"
    assert "--limit pixels=N" in error["message"]


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ("pixels", "value is missing"), ("pixels=", "whole number"), ("pixels=0", "from 1 to 268435456"),
        ("pixels=-1", "from 1"), ("pixels=1e30", "whole number"), ("pixels=99999999999999999999", "whole number"),
        ("pixels=9999999999G", "whole number"), ("metadata-size=0", "from 1KiB to 256MiB"),
        ("metadata-size=1TB", "number of bytes"), ("time=0", "from 1ms to 86400s"), ("time=2d", "duration"),
        ("time=9999999h", "from 1ms"), ("nesting=65", "from 1 to 64"), ("size=5", "no limit of that name"),
        ("=5", "no limit of that name"), ("", "no limit of that name"), ("Pixels=5", "no limit of that name"),
    ],
)  # fmt: skip
def test_a_limit_that_makes_no_sense_is_refused_as_usage(tmp_path: Path, limit: str, reason: str) -> None:
    run = tool(tmp_path, "info", "--limit", limit, fixture("movie.mp4")).expect(64)
    assert reason in run.diagnostics, run


def test_a_limit_is_given_once(tmp_path: Path) -> None:
    run = tool(tmp_path, "info", "--limit", "time=5s", "--limit", "time=6s", fixture("movie.mp4")).expect(64)
    assert "twice" in run.diagnostics
    tool(tmp_path, "info", "--limit", "time=5s", "--limit", "pixels=1M", fixture("movie.mp4")).expect()


def test_a_limit_on_probing_hides_what_begins_later(tmp_path: Path) -> None:
    """Fewer streams are found, and nothing is waited for."""
    usual = tool(tmp_path, "info", "--json", fixture("h264.ts")).expect()
    limited = tool(tmp_path, "info", "--json", "--limit", "probe-size=2KiB", fixture("h264.ts"))
    assert limited.output != usual.output


def test_a_limit_on_text_cuts_lines_of_sheets_short(tmp_path: Path) -> None:
    copy_fixture("movie.mp4", tmp_path / "a-name-of-some-length.mp4")
    for name, limit in (("short", 8), ("usual", 2000), ("again", 2000)):
        options = ["--count", "2", "-o", f"{name}.png", "--limit", f"text={limit}"]
        tool(tmp_path, "sheet", *options, "a-name-of-some-length.mp4").expect()
    short, usual, again = ((tmp_path / f"{name}.png").read_bytes() for name in ("short", "usual", "again"))
    assert usual == again
    assert usual != short


def test_a_limit_on_results_holds_for_results_of_several_files(tmp_path: Path) -> None:
    """Where such results can be made."""
    options = ["--preset", "passthrough", "-o", "out.hls", "--limit", "output-size=1000"]
    run = tool(tmp_path, "export", *options, fixture("movie.mp4"))
    assert run.code in (64, 75), run
    assert names(tmp_path) == []


def test_a_limit_on_covers_leaves_the_rest_of_the_file(tmp_path: Path) -> None:
    tool(tmp_path, "info", "--limit", "artwork-pixels=1", fixture("attached-picture.m4a")).expect()


# --- Files that ask for gigabytes -------------------------------------------------------


@pytest.mark.parametrize(
    ("bomb", "file", "limit"),
    [
        ("index", "a.mp4", "index-entries"), ("edits", "a.mp4", "index-entries"),
        ("fragment", "a.mp4", "index-entries"), ("packed-movie", "a.mov", "metadata-size"),
        ("packed-index", "a.mov", "index-entries"), ("packed-tag", "a.mp3", "metadata-size"),
        ("tagged-index", "a.mp4", "index-entries"), ("picture", "a.png", "pixels"),
    ],
)  # fmt: skip
def test_a_file_that_asks_for_gigabytes_is_stopped_before_it_gets_them(
    tmp_path: Path, bomb: str, file: str, limit: str
) -> None:
    (tmp_path / file).write_bytes(BOMBS[bomb]())
    run, mebibytes = measured([AVTOOL, "info", file], tmp_path)
    run.expect(75)
    assert f"--limit {limit}=" in run.diagnostics, run
    assert mebibytes < 300


@pytest.mark.parametrize(
    ("bomb", "file", "codes"),
    [
        ("packed-text", "a.png", {0}),
        # Whether what is left can be read is not certain.
        ("packed-profile", "a.png", {0, 65, 75}),
        ("packed-track", "a.mkv", {0, 65, 75}),
    ],
)
def test_a_file_is_read_without_the_gigabytes_that_it_has_compressed(
    tmp_path: Path, bomb: str, file: str, codes: set[int]
) -> None:
    (tmp_path / file).write_bytes(BOMBS[bomb]())
    run, mebibytes = measured([AVTOOL, "thumbs", "--at", "0", "-o", "still.png", file], tmp_path)
    assert run.code in codes, run
    assert mebibytes < 400, run


@pytest.mark.parametrize(("bomb", "file"), [("small-packed-movie", "a.mov"), ("small-packed-tag", "a.mp3")])
def test_a_file_that_has_little_compressed_is_read(tmp_path: Path, bomb: str, file: str) -> None:
    (tmp_path / file).write_bytes(BOMBS[bomb]())
    tool(tmp_path, "info", file).expect()


@pytest.mark.parametrize("ends", [True, False], ids=["that ends", "that stays open"])
@pytest.mark.parametrize("bomb", ["index", "packed-movie", "packed-tag"])
def test_a_pipe_that_asks_for_gigabytes_is_stopped(tmp_path: Path, bomb: str, ends: bool) -> None:
    data = BOMBS[bomb]()
    words = ["/bin/bash", "-c", 'ulimit -v 3000000; exec "$AVTOOL" info -']
    run = run_program(words, tmp_path, stdin=data) if ends else run_with_open_input(words, tmp_path, data)
    run.expect(75)
    assert len([line for line in run.diagnostic_lines if "raises it" in line]) == 1, run
