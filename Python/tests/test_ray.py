"""Runs on Ray, disturbed in every way, against plain runs of the tool."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import avtool

ray = pytest.importorskip("ray", reason="Ray is not installed: scripts/python --with-ray")
pytestmark = pytest.mark.ray

import avtool.ray  # noqa: E402

OPTIONS = ["--count", "6", "--size", "160x0"]
KINDS = [
    "movie.mp4",
    "vfr.mp4",
    "vp9.webm",
    "h264.ts",
    "damaged.mp4",
    "audio-only.mp3",
    "truncated-no-moov.mp4",
    "mpeg2.ps",
]

Told = dict[str, Any]


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    for is_last in (False, False, True):
        try:
            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
            break
        except Exception:
            # Ray gives itself half a minute, which a busy machine may not be able to keep.
            ray.shutdown()
            if is_last:
                raise
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory, film: Callable[[str], Path]) -> list[bytes]:
    """Sixty files, good, damaged, missing and oddly named."""
    folder = os.fsencode(tmp_path_factory.mktemp("films"))
    found = []
    for number in range(58):
        kind = KINDS[number % len(KINDS)]
        odd = (b"", b"\xff", b"new\nline ", "é".encode(), b"-")[number % 5]
        found.append(folder + b"/" + odd + f"{number}-{kind}".encode())
        shutil.copy(os.fsencode(film(kind)), found[-1])
    return [*found, folder + b"/nothing.mp4", folder]


def rows_of(path: Path) -> list[Told]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def bytes_in(folder: Path) -> dict[bytes, str]:
    here = os.fsencode(folder)
    return {
        name: hashlib.sha256(Path(os.fsdecode(here + b"/" + name)).read_bytes()).hexdigest()
        for name in os.listdir(here)  # noqa: PTH208
    }


def fraction(time: Told | None) -> str | None:
    return None if time is None else str(Fraction(time["value"], time["timescale"]))


@pytest.fixture(scope="module")
def plain(films: list[bytes], tool: avtool.Tool, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Told]]:
    """What single runs make of each file, and what they say of it."""
    folder = tmp_path_factory.mktemp("plain")
    rows = []
    for name in films:
        words: list[str | bytes] = [tool.executable, "thumbs", "--json", *OPTIONS, "-o", f"{folder}/", name]
        for line in subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL).stdout.splitlines():
            said = json.loads(line)
            error = said.get("error") or {}
            file = said.get("file", "").removeprefix(f"{folder}/") or None
            row = {"index": said.get("index"), "file": file, "code": error.get("code"), "retry": error.get("retry")}
            row |= {"requested": fraction(said.get("requested")), "actual": fraction(said.get("actual"))}
            rows.append({"source": said["source"], **row, "exact": said.get("exact"), "message": error.get("message")})
    return folder, rows


def check(folder: Path, manifest: Path, plain: tuple[Path, list[Told]]) -> None:
    """The same files, byte for byte, and the same rows, each once."""
    found, wanted = bytes_in(folder), bytes_in(plain[0])
    assert found == wanted
    rows = rows_of(manifest)
    assert [{key: row[key] for key in told} for row, told in zip(rows, plain[1])] == plain[1]
    assert len(rows) == len(plain[1])
    assert sorted(row["sha256"] for row in rows if row["file"]) == sorted(wanted.values())


def test_a_run_and_the_same_again(
    films: list[bytes], plain: tuple[Path, list[Told]], tool: avtool.Tool, tmp_path: Path
) -> None:
    folder, manifest = tmp_path / "out", tmp_path / "manifests/m.jsonl"
    report = avtool.ray.run("thumbs", films, folder, OPTIONS, manifest=manifest, batch_files=8, tool=tool)
    check(folder, manifest, plain)
    first = rows_of(manifest)
    failed = {row["source"] for row in plain[1] if row["code"]}
    assert (report.files, report.failed, report.rows) == (60, len(failed), len(first))
    assert report.retries == {} and {row["attempts"] for row in first} == {1}
    assert {row["source"]: row["byteCount"] for row in first}[first[0]["source"]] == Path(
        os.fsdecode(films[0])
    ).stat().st_size
    times = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    avtool.ray.run("thumbs", films, folder, OPTIONS, manifest=manifest, parquet=True, batch_files=13, tool=tool)
    assert rows_of(manifest) == first and {path: path.stat().st_mtime_ns for path in folder.iterdir()} == times
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(manifest.with_suffix(".parquet")).to_pylist() == first


def test_whatever_dies(
    films: list[bytes],
    plain: tuple[Path, list[Told]],
    tool: avtool.Tool,
    killing: Callable[..., Any],
    tmp_path: Path,
) -> None:
    folder, manifest = tmp_path / "out", tmp_path / "m.jsonl"
    # The tool has the folder among its words; its reader of films has not.
    with killing(b"thumbs\0", os.fsencode(folder) + b"/\0", tools=8, workers=4) as deaths:
        report = avtool.ray.run(
            "thumbs",
            films,
            folder,
            OPTIONS,
            manifest=manifest,
            batch_files=4,
            attempts=30,
            backoff=0.1,
            lost_workers=1,
            tool=tool,
        )
    assert deaths.killed.count("tool") >= 3 and deaths.killed.count("worker") >= 2, deaths.killed
    assert report.retries["later"] > 0
    check(folder, manifest, plain)


def test_a_driver_that_dies(
    films: list[bytes], plain: tuple[Path, list[Told]], tool: avtool.Tool, tmp_path: Path
) -> None:
    folder, manifest, names = tmp_path / "out", tmp_path / "m.jsonl", tmp_path / "names"
    names.write_bytes(b"\0".join(films))
    program = """if True:
        import sys, ray, avtool.ray
        address, tool, names, folder, manifest, *options = sys.argv[1:]
        ray.init(address=address, log_to_driver=False)
        films = open(names, "rb").read().split(b"\\0")
        tool = avtool.Tool(tool)
        avtool.ray.run("thumbs", films, folder, options, manifest=manifest, batch_files=4, tool=tool)"""
    words = [ray.get_runtime_context().gcs_address, tool.executable, names, folder, manifest, *OPTIONS]
    driver = subprocess.Popen([sys.executable, "-c", program, *map(str, words)], stderr=subprocess.DEVNULL)
    while driver.poll() is None and len(list(folder.glob("*.png"))) < 20:
        time.sleep(0.05)
    driver.kill()
    assert driver.wait() == -signal.SIGKILL and not manifest.exists()
    avtool.ray.run("thumbs", films, folder, OPTIONS, manifest=manifest, tool=tool)
    check(folder, manifest, plain)


def test_a_task_that_is_always_lost(
    film: Callable[[str], Path], stand_in: Callable[[str], avtool.Tool], tmp_path: Path
) -> None:
    # It ends the worker of Ray that started it, whenever it is to work on this film.
    films = [film("movie.mp4"), film("one-frame.mp4"), film("vfr.mp4")]
    deadly = stand_in(
        'list=$(tr "\\0" "\\n"); [[ $list != *one-frame* ]] || kill -9 $PPID; tr "\\n" "\\0" <<<"$list" | "$real" "$@"'
    )
    report = avtool.ray.run(
        "thumbs",
        films,
        tmp_path / "out",
        OPTIONS,
        manifest=tmp_path / "m.jsonl",
        attempts=3,
        backoff=0.1,
        lost_workers=0,
        tool=deadly,
    )
    rows = rows_of(tmp_path / "m.jsonl")
    assert [(row["source"], row["code"], row["retry"], row["attempts"]) for row in rows if row["code"]] == [
        (str(films[1]), "taskLost", "later", 3)
    ]
    assert report.failed == 1 and len(rows) == 13


def test_elsewhere_is_where_there_is_more_memory(
    film: Callable[[str], Path], stand_in: Callable[[str], avtool.Tool], tmp_path: Path
) -> None:
    short = stand_in(
        """if [[ $* == *memory=400000000* ]]; then exec "$real" "$@"; fi
        while IFS= read -rd '' name; do
            echo '{"error":{"code":"outOfMemory","message":"memory ran out","retry":"elsewhere"},"source":"'"$name"'"}'
        done
        echo '{"event":"summary"}'; exit 75"""
    )
    report = avtool.ray.run(
        "thumbs", [film("movie.mp4")], tmp_path / "out", OPTIONS,
        manifest=tmp_path / "m.jsonl", memory=200_000_000, backoff=0.1, tool=short,
    )  # fmt: skip
    rows = rows_of(tmp_path / "m.jsonl")
    assert report.retries == {"elsewhere": 1} and len(rows) == 6
    assert {(row["code"], row["attempts"]) for row in rows} == {(None, 2)}


def test_mistakes_are_told_at_once(film: Callable[[str], Path], tool: avtool.Tool, tmp_path: Path) -> None:
    before = time.monotonic()
    with pytest.raises(avtool.AvtoolError, match="usage"):
        avtool.ray.run(
            "thumbs", [film("movie.mp4")], tmp_path / "out", ["--at", "x"], manifest=tmp_path / "m", tool=tool
        )
    with pytest.raises(ValueError, match="folders"):
        avtool.ray.run("thumbs", [], tmp_path / "out", OPTIONS, manifest=tmp_path / "m", pattern="a/b", tool=tool)
    assert time.monotonic() - before < 60 and list(tmp_path.iterdir()) == []


def test_a_tool_that_is_missing_there(tool: avtool.Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Here it is there, as far as anybody has looked.
    monkeypatch.setattr("avtool.ray._check", lambda _: None)
    gone = tmp_path / "avtool"
    gone.symlink_to(tool.executable)
    there = avtool.Tool(gone)
    gone.unlink()
    with pytest.raises(avtool.ToolNotFound):
        avtool.ray.run("thumbs", ["a"], tmp_path / "out", OPTIONS, manifest=tmp_path / "m.jsonl", tool=there)
    assert not (tmp_path / "m.jsonl").exists()


def test_other_commands(film: Callable[[str], Path], tool: avtool.Tool, tmp_path: Path) -> None:
    films = [film("movie.mp4"), film("vfr.mp4"), film("truncated-no-moov.mp4")]
    for _ in range(2):
        avtool.ray.run("index", films, tmp_path / "out", manifest=tmp_path / "m.jsonl", tool=tool)
        rows = rows_of(tmp_path / "m.jsonl")
        assert [row["file"] for row in rows] == ["movie-index.jsonl", "vfr-index.jsonl", None]
        assert [row["code"] for row in rows] == [None, None, "fileFailedToParse"]


def test_no_files(tool: avtool.Tool, tmp_path: Path) -> None:
    report = avtool.ray.run("thumbs", [], tmp_path / "out", OPTIONS, manifest=tmp_path / "m.jsonl", tool=tool)
    assert (report.files, report.rows) == (0, 0) and rows_of(tmp_path / "m.jsonl") == []
