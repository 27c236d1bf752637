"""Plans on a cluster of two machines, disturbed in every way, against one run of the tool on one machine."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import avtool

ray = pytest.importorskip("ray", reason="Ray is not installed: scripts/python --with-ray")
pytestmark = [pytest.mark.ray, pytest.mark.long, pytest.mark.timeout(900)]

from ray.cluster_utils import Cluster  # noqa: E402

import avtool.ray  # noqa: E402

COUNT = 200
OPTIONS = ["--count", "3", "--size", "160x0", "--jobs", "1"]
SAME = ["source", "index", "requested", "actual", "exact", "file", "sha256", "code", "message", "retry"]

Film = Callable[[str], Path]
Told = dict[str, Any]


class Machines:
    """A head and another machine, each with its own processes of Ray and workers."""

    def __init__(self) -> None:
        self._cluster = Cluster(initialize_head=True, connect=False, head_node_args=self._size(2))
        self._others = [self._cluster.add_node(**self._size(2))]
        ray.init(address=self._cluster.address, log_to_driver=False)
        self._cluster.wait_for_nodes()
        self.address: str = self._cluster.address

    @staticmethod
    def _size(cpus: int) -> dict[str, Any]:
        return {"num_cpus": cpus, "memory": 2 << 30, "object_store_memory": 100 << 20, "include_dashboard": False}

    def take_one_away(self) -> None:
        self._cluster.remove_node(self._others.pop(), allow_graceful=False)

    def make_two(self) -> None:
        while not self._others:
            self._others.append(self._cluster.add_node(**self._size(2)))
        self._cluster.wait_for_nodes()

    def end(self) -> None:
        ray.shutdown()
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.shutdown()
    found = Machines()
    yield found
    found.end()


@pytest.fixture(autouse=True)
def two_machines(machines: Machines) -> None:
    machines.make_two()


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory, film: Film) -> list[Path]:
    """Films of all kinds, whole and damaged, of the fixtures and the corpus, and two that are not there."""
    folder = tmp_path_factory.mktemp("films")
    named = os.environ.get("AVTOOL_CORPUS")
    parents = Path(__file__).resolve().parents
    corpus = [Path(named)] if named else [parent / "shared/corpus" for parent in parents]
    fixtures = sorted(path for path in film("movie.mp4").parent.iterdir() if path.is_file())
    real = sorted(path for place in corpus if place.is_dir() for path in place.glob("*/*") if path.is_file())
    found = []
    for number, path in zip(range(COUNT - 2), itertools.chain(real, itertools.cycle(fixtures))):
        found.append(folder / f"{number:03}-{path.name}")
        shutil.copy(path, found[-1])
    return [*found, folder / "nothing.mp4", folder / "nothing-more.mp4"]


def rows_of(path: Path) -> list[Told]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def bytes_in(folder: Path) -> dict[str, str]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


@pytest.fixture(scope="module")
def plain(films: list[Path], tool: avtool.Tool, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Told]]:
    """What one run on one machine makes, and says."""
    folder = tmp_path_factory.mktemp("plain")
    found = []
    for row in avtool.run("thumbs", films, *OPTIONS, "-o", f"{folder}/", tool=tool):
        file = row.files[0] if row.files else None
        failure = row.failure
        found.append(
            {
                "source": row.source,
                "index": row.index,
                "requested": None if row.requested is None else str(row.requested),
                "actual": None if row.actual is None else str(row.actual),
                "exact": row.data.get("exact"),
                "file": file and file.removeprefix(f"{folder}/"),
                "sha256": file and hashlib.sha256(Path(file).read_bytes()).hexdigest(),
                "code": failure and failure.code,
                "message": failure and failure.message,
                "retry": failure and failure.retry,
            }
        )
    return folder, found


def key(row: Told) -> tuple[str, int]:
    return row["source"], row["index"] or 0


def check(folder: Path, manifest: Path, plain: tuple[Path, list[Told]], films: list[Path]) -> None:
    """The same files, byte for byte; the same rows, each once; a row for every film."""
    assert bytes_in(folder) == bytes_in(plain[0])
    rows = rows_of(manifest)
    assert {row["source"] for row in rows} == set(map(str, films))
    assert len({key(row) for row in rows}) == len(rows)
    told = sorted(({name: row[name] for name in SAME} for row in rows), key=key)
    assert told == sorted(plain[1], key=key)
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(manifest.with_suffix(".parquet")).to_pylist() == rows


def planned(films: list[Path], folder: Path, tool: avtool.Tool, unit_cost: str = "0.5s") -> avtool.Plan:
    command = ["thumbs", *OPTIONS, "-o", f"{folder}/"]
    return avtool.plan(command, path=f"{folder}.plan", files=films, unit_cost=unit_cost, tool=tool)


def test_whatever_goes(
    machines: Machines,
    films: list[Path],
    plain: tuple[Path, list[Told]],
    tool: avtool.Tool,
    stand_in: Callable[[str], avtool.Tool],
    killing: Callable[..., Any],
    tmp_path: Path,
) -> None:
    """Workers and tools are killed, a disk is full once, a machine goes away."""
    folder, manifest = tmp_path / "out", tmp_path / "m.jsonl"
    plan = planned(films, folder, tool)
    full_once = stand_in(
        '[[ $1 != unit || $3 != 5 ]] || ! mkdir "$here/once" 2>/dev/null || exit 74; exec "$real" "$@"'
    )
    gone = threading.Event()

    def take_away() -> None:
        while sum(1 for _ in Path(f"{plan.path}.units").rglob("*.jsonl")) < len(plan.units) // 4:
            time.sleep(0.1)
        machines.take_one_away()
        gone.set()

    threading.Thread(target=take_away, daemon=True).start()
    with killing(b"\0unit\0", os.fsencode(plan.path), tools=8, workers=6) as deaths:
        report = avtool.ray.run_plan(
            plan, manifest=manifest, output_folder=folder, attempts=30, backoff=0.2, lost_workers=1, tool=full_once
        )
    print(f"{len(plan.units)} units, {len(films)} films, {report}, killed: {deaths.killed}")
    assert deaths.killed.count("tool") >= 3 and deaths.killed.count("worker") >= 2, deaths.killed
    assert gone.is_set() and (tmp_path / "stand-in/once").exists()
    assert (report.files, report.left) == (COUNT, ()) and report.retries["later"] > 0
    check(folder, manifest, plain, films)


def test_a_disk_that_is_full(
    films: list[Path], plain: tuple[Path, list[Told]], tool: avtool.Tool, tmp_path: Path
) -> None:
    folder, manifest = tmp_path / "out", tmp_path / "m.jsonl"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    try:
        plan = planned(films, folder, tool)
        larger = ["mount", "-o", "remount,size=200m", str(folder)]
        timer = threading.Timer(8, lambda: subprocess.run(larger, check=True))
        timer.start()
        report = avtool.ray.run_plan(plan, manifest=manifest, output_folder=folder, attempts=30, backoff=1, tool=tool)
        print(report)
        assert report.retries["later"] > 0
        check(folder, manifest, plain, films)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_twice_at_once(
    machines: Machines, films: list[Path], plain: tuple[Path, list[Told]], tool: avtool.Tool, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    plan = planned(films, folder, tool)
    program = """if True:
        import sys, ray, avtool.ray
        address, tool, plan, folder, manifest = sys.argv[1:]
        ray.init(address=address, log_to_driver=False)
        plan, tool = avtool.Plan.read(plan), avtool.Tool(tool)
        avtool.ray.run_plan(plan, manifest=manifest, output_folder=folder, tool=tool)"""
    words = [machines.address, tool.executable, plan.path, folder]
    runs = [
        subprocess.Popen([sys.executable, "-c", program, *map(str, words), str(tmp_path / f"{number}.jsonl")])
        for number in range(2)
    ]
    assert [run.wait() for run in runs] == [0, 0]
    for number in range(2):
        check(folder, tmp_path / f"{number}.jsonl", plain, films)


def test_pieces_are_joined(tool: avtool.Tool, long_film: Path, tmp_path: Path) -> None:
    def command(folder: str) -> list[str]:
        return ["storyboard", "--every", "0.1s", "-o", f"{tmp_path}/{folder}/"]

    plan = avtool.plan(command("out"), path=tmp_path / "p", files=[long_film], unit_cost="0.2s", tool=tool)
    assert len(plan.units) > 1
    avtool.ray.run_plan(plan, manifest=tmp_path / "m.jsonl", output_folder=tmp_path / "out", tool=tool)
    list(avtool.run(command("plain")[0], [long_film], *command("plain")[1:], tool=tool))
    assert bytes_in(tmp_path / "out") == bytes_in(tmp_path / "plain")
    (row,) = rows_of(tmp_path / "m.jsonl")
    assert (row["file"], row["sha256"], row["code"]) == ("long-storyboard", None, None)


def test_units_that_are_left(
    tool: avtool.Tool, long_film: Path, film: Film, stand_in: Callable[[str], avtool.Tool], tmp_path: Path
) -> None:
    """What cannot be done is told of its films; what can be is done, and nothing is joined."""
    names = [film("movie.mp4"), long_film, film("truncated-no-moov.mp4")]
    command = ["storyboard", "--every", "0.1s", "-o", f"{tmp_path}/out/"]
    plan = avtool.plan(command, path=tmp_path / "p", files=names, unit_cost="0.2s", tool=tool)
    last = plan.units[-1]
    assert last.piece is None and plan.is_joined(plan.units[1])
    full = stand_in(f'[[ $1 != unit || $3 != {last.number} ]] || exit 74; exec "$real" "$@"')
    report = avtool.ray.run_plan(
        plan, manifest=tmp_path / "m.jsonl", output_folder=tmp_path / "out", attempts=3, backoff=0.1, tool=full
    )
    assert report.left == (last.number,) and report.retries == {"later": 2}
    rows = {Path(row["source"]).name: (row["code"], row["retry"], row["attempts"]) for row in rows_of(report.manifest)}
    left = ("toolDied", "later", 3)
    assert rows == {names[0].name: rows[names[0].name], long_film.name: ("unitsMissing", "later", 1)} | {
        Path(os.fsdecode(there.name)).name: left for there in last.films
    }
    again = avtool.ray.run_plan(plan, manifest=tmp_path / "m.jsonl", output_folder=tmp_path / "out", tool=tool)
    assert again.left == () and [row["code"] for row in rows_of(again.manifest)].count(None) == 2


def test_elsewhere_is_where_there_is_more_memory(
    tool: avtool.Tool, film: Film, stand_in: Callable[[str], avtool.Tool], tmp_path: Path
) -> None:
    """The first time it says that memory ran out; Ray then gives it more."""
    plan = planned([film("movie.mp4")], tmp_path / "out", tool)
    error = '{"error":{"code":"outOfMemory","message":"memory ran out","retry":"elsewhere"},"source":"x"}'
    short = stand_in(f"""[[ $1 != unit ]] || ! mkdir "$here/once" 2>/dev/null || {{ echo '{error}'; exit 75; }}
        exec "$real" "$@\"""")
    report = avtool.ray.run_plan(plan, manifest=tmp_path / "m.jsonl", backoff=0.1, tool=short)
    assert report.retries == {"elsewhere": 1} and report.failed == 0
    assert [(row["code"], row["attempts"]) for row in rows_of(report.manifest)] == [(None, 2)] * 3
