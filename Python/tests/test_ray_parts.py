"""The parts of avtool.ray that need no cluster."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import avtool
from avtool.failures import Failure

pytest.importorskip("ray", reason="Ray is not installed: scripts/python --with-ray")

from avtool.plans import Cost, Plan, Unit
from avtool.ray.manifest import ManifestRow, lost_row
from avtool.ray.plan import Batch, Input, batches, halves, inputs_of, rounds
from avtool.ray.planned import planned_inputs
from avtool.ray.unit_driver import fitting, smallest_cpus, wish_of
from avtool.ray.work import Job, make, retry_of
from avtool.ray.writing import Spool, write_json_lines, write_parquet


def job(tool: avtool.Tool, folder: Path, *options: str) -> Job:
    return Job(tool.executable, ("thumbs",), options or ("--at", "0,1/2", "--size", "64x0"), str(folder), "", 1)


def bare(row: ManifestRow) -> tuple[object, ...]:
    return row["source"], row["index"], row["actual"], row["file"], row["sha256"], row["code"]


def test_inputs_are_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = inputs_of(["b", "/a", b"b", "./b"])
    here = os.fsencode(tmp_path)
    assert found == [Input(0, b"b", here + b"/b"), Input(1, b"/a", b"/a"), Input(2, b"./b", here + b"/./b")]


def test_batches(tmp_path: Path) -> None:
    for name, size in (("a", 10), ("b", 10), ("c", 100), ("d", 1)):
        (tmp_path / f"{name}.mp4").write_bytes(bytes(size))
    inputs = inputs_of([tmp_path / f"{name}.mp4" for name in "abcd"] + ["elsewhere/a.mkv"])
    numbers = [[item.number for item in batch.inputs] for batch in batches(inputs, 3, 50)]
    # What has one name stays together; what is too large is alone.
    assert numbers == [[0, 4, 1], [2], [3]]
    assert [batch.memory for batch in batches(inputs, 9, 1000, 7)] == [7]
    assert list(batches([], 3, 50)) == []


def test_halves_and_rounds() -> None:
    inputs = inputs_of([b"a\xff", "b", b"a\\xFF"])
    assert [[item.number for item in some] for some in rounds(inputs)] == [[0, 1], [2]]
    assert [len(half) for half in halves(inputs)] == [2, 1]
    assert len(halves(inputs[:1])) == 1


def test_a_batch(tool: avtool.Tool, film: Callable[[str], Path], tmp_path: Path) -> None:
    odd = tmp_path / "x"
    odd.mkdir()
    names = [os.fsencode(odd) + b"/" + name for name in (b"a\xff.mp4", b"a\\xFF.mp4")]
    for name in names:
        shutil.copy(os.fsencode(film("movie.mp4")), name)
    batch = Batch(tuple(inputs_of([film("movie.mp4"), "nothing.mp4", film("audio-only.mp3"), *names])), attempt=2)
    rows = make(job(tool, tmp_path / "out"), batch)
    assert sorted(rows) == [0, 1, 2, 3, 4]
    assert [len(rows[number]) for number in range(5)] == [2, 1, 1, 2, 2]
    assert [retry_of(rows[number]) for number in range(5)] == [None, "never", "never", None, None]
    assert {row["sourceBytes"] is None for row in rows[3]} == {False}
    assert rows[1][0]["code"] == "noSuchInput" and rows[1][0]["byteCount"] is None and rows[1][0]["attempts"] == 2
    identity = avtool.identity(film("movie.mp4"))
    assert {(row["byteCount"], row["fingerprint"]) for row in rows[0]} == {(identity.byte_count, identity.fingerprint)}
    # The same again, where all of it is there: nothing is made, and nothing told otherwise.
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    assert make(job(tool, tmp_path / "out"), batch) == rows
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == before and len(before) == 6


def test_a_batch_whose_tool_dies(
    tool: avtool.Tool, film: Callable[[str], Path], tmp_path: Path, stand_in: Callable[[str], avtool.Tool]
) -> None:
    names = ["movie.mp4", "vfr.mp4", "vp9.webm"]
    batch = Batch(tuple(inputs_of([film(name) for name in names])))
    # It ends in the middle of the second film.
    dying = stand_in('"$real" "$@" | head -n 3; kill -9 $$')
    rows = make(job(dying, tmp_path / "out"), batch)
    assert [row["code"] for row in rows[0]] == [None, None]
    assert [[(row["code"], row["retry"]) for row in rows[number]] for number in (1, 2)] == [[("toolDied", "later")]] * 2
    again = make(job(tool, tmp_path / "out"), Batch(batch.inputs[1:], attempt=2))
    alone = make(job(tool, tmp_path / "alone"), batch)
    whole = {0: rows[0], **again}
    assert [list(map(bare, whole[number])) for number in range(3)] == [
        list(map(bare, alone[number])) for number in range(3)
    ]


def test_a_tool_that_says_nothing(stand_in: Callable[[str], avtool.Tool], tmp_path: Path) -> None:
    silent = stand_in("""cat >&-; echo '{"event":"summary"}'""")
    (row,) = make(job(silent, tmp_path), Batch(tuple(inputs_of(["a.mp4"]))))[0]
    assert (row["code"], row["retry"]) == ("noResult", "never")


def test_the_manifest(tmp_path: Path) -> None:
    inputs = inputs_of(["a", b"b\xff", "c"])
    failure = Failure("taskLost", "gone", "later")
    rows = [lost_row(item, 1, failure) for item in inputs]
    with Spool(tmp_path) as spool:
        for number in (2, 0, 1):
            spool.add(number, [rows[number], replace_index(rows[number])])
        with pytest.raises(AssertionError):
            spool.add(1, rows)
        with pytest.raises(AssertionError):
            spool.add(3, [])
        assert len(spool) == 3 and spool.failed == 3
        assert write_json_lines(spool, tmp_path / "m.jsonl") == 6
        write_parquet(spool, tmp_path / "m.parquet")
    wanted = [row for one in rows for row in (one, replace_index(one))]
    lines = (tmp_path / "m.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == wanted
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(tmp_path / "m.parquet").to_pylist() == wanted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.jsonl", "m.parquet"]


def replace_index(row: ManifestRow) -> ManifestRow:
    return {**row, "index": 7}


def test_a_manifest_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text("old")
    item = replace(inputs_of(["a"])[0], number=5)
    with Spool(tmp_path) as spool:
        spool.add(5, [lost_row(item, 1, Failure("taskLost", "gone", "later"))])
        monkeypatch.setattr(json, "dumps", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            write_json_lines(spool, path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.jsonl"] and path.read_text() == "old"


def unit(seconds: float | None, memory: int = 0, *names: bytes) -> Unit:
    films = tuple(avtool.Film(name, None, None) for name in names or (b"a",))
    return Unit(0, films, None, (), None if seconds is None else Cost(seconds, memory))


def test_what_units_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    wishes = [wish_of(some, 4) for some in (unit(0.1, 70), unit(2.5, 70), unit(900, 70), unit(None))]
    assert [(wish.cpus, wish.memory) for wish in wishes] == [(1, 70), (3, 210), (4, 280), (4, None)]
    machines = [(2.0, 1000.0), (8.0, 200.0)]
    monkeypatch.setattr("avtool.ray.unit_driver._machines", lambda: machines)
    assert smallest_cpus() == 2
    assert [(fitting(wish).cpus, fitting(wish).memory) for wish in wishes] == [(1, 70), (3, 200), (4, 200), (4, None)]
    del machines[1]
    assert (fitting(wishes[2]).cpus, fitting(wishes[2]).memory) == (2, 280)


def test_inputs_of_a_plan(tmp_path: Path) -> None:
    units = (unit(1, 1, b"b", b"/a"), unit(1, 1, b"b", b"\xff"))
    plan = Plan(tmp_path / "p", tmp_path, "", ("thumbs",), units)
    here = os.fsencode(tmp_path)
    assert list(planned_inputs(plan).values()) == [
        Input(0, b"b", here + b"/b"),
        Input(1, b"/a", b"/a"),
        Input(2, b"\xff", here + b"/\xff"),
    ]
    with pytest.raises(ValueError, match="alike"):
        planned_inputs(replace(plan, units=(*units, unit(1, 1, b"\\xFF"))))
