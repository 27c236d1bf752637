"""Plans, their units, and what joins them."""

from __future__ import annotations

import os
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import avtool

Film = Callable[[str], Path]
OPTIONS = ["--count", "4", "--size", "64x0"]


@pytest.fixture
def made(tool: avtool.Tool, film: Film, tmp_path: Path) -> avtool.Plan:
    """A plan of three units: two good films, one that is damaged and one that is not there."""
    names = [film("movie.mp4"), film("vfr.mp4"), film("truncated-no-moov.mp4"), tmp_path / "nothing.mp4"]
    command = ["thumbs", *OPTIONS, "-o", f"{tmp_path}/out/"]
    return avtool.plan(command, path=tmp_path / "p.plan", files=[*names, names[0]], files_per_unit=2, tool=tool)


def test_a_plan_is_what_its_file_says(made: avtool.Plan, film: Film, tmp_path: Path) -> None:
    assert made == avtool.Plan.read(tmp_path / "p.plan")
    assert made.command == ("thumbs", *OPTIONS, "-o", f"{tmp_path}/out/", "--json", "--resume")
    assert [[Path(os.fsdecode(film.name)).name for film in unit.films] for unit in made.units] == [
        ["movie.mp4", "vfr.mp4"],
        ["truncated-no-moov.mp4", "nothing.mp4"],
    ]
    first, missing = made.units[0].films[0], made.units[1].films[1]
    assert first.byte_count == film("movie.mp4").stat().st_size and first.identity
    assert (missing.identity, missing.byte_count) == (None, None)
    assert made.units[0].cost is None and made.units[0].results[0] == f"{tmp_path}/out/movie-*"


def test_units_and_what_joins_them(made: avtool.Plan, tool: avtool.Tool, tmp_path: Path) -> None:
    assert made.missing(tool=tool) == [0, 1]
    with pytest.raises(avtool.AvtoolError, match="units 0-1 of 2 are missing") as caught:
        list(avtool.merge(made, tool=tool))
    assert (caught.value.code, caught.value.retry, caught.value.exit_code) == ("unitsMissing", "never", 65)
    rows = [row for number in (0, 1) for row in avtool.unit(made, number, tool=tool)]
    assert [row.failure and row.failure.code for row in rows] == [None] * 8 + ["fileFailedToParse", "noSuchInput"]
    assert [row.input for row in rows[-2:]] == [film.name for film in made.units[1].films]
    assert made.missing(tool=tool) == []
    with avtool.merge(made, tool=tool) as joined:
        assert list(joined) == rows
    receipt = made.receipt(0)
    assert receipt and (receipt.exit_code, len(receipt.rows)) == (0, 8) and receipt.seconds > 0
    Path(rows[2].files[0]).unlink()
    assert made.missing(tool=tool) == [0]
    assert avtool.unit(made, 0, tool=tool) == rows[:8] and Path(rows[2].files[0]).exists()


def test_names_count_from_where_the_plan_was_made(
    tool: avtool.Tool, odd_names: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = avtool.plan("thumbs --at 0 -o out/", path="p.plan", files=odd_names, files_per_unit=3, tool=tool)
    monkeypatch.chdir("/")
    for unit in plan.units:
        avtool.unit(plan, unit.number, tool=tool)
    names = [row.input for row in avtool.merge(plan, tool=tool)]
    assert {name and name.removeprefix(b"./") for name in names} == set(odd_names)
    assert len(os.listdir(tmp_path / "out")) == len(odd_names)  # noqa: PTH208


def test_costs_and_pieces(tool: avtool.Tool, tmp_path: Path) -> None:
    source = ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=40"]
    film = tmp_path / "long.mkv"
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", *source, "-c:v", "mjpeg", str(film)], check=True)
    command = f"storyboard --every 1s -o {tmp_path}/out/"
    plan = avtool.plan(command, path=tmp_path / "p", files=[film], unit_cost="0.2s", tool=tool)
    pieces = [unit.piece for unit in plan.units]
    assert len(pieces) > 1 and pieces == [avtool.Piece(index, len(pieces), 0) for index in range(len(pieces))]
    assert all(plan.is_joined(unit) and unit.cost and unit.cost.core_seconds > 0 for unit in plan.units)
    for unit in plan.units:
        avtool.unit(plan, unit.number, tool=tool)
    (row,) = avtool.merge(plan, tool=tool)
    assert row.files == [f"{tmp_path}/out/long-storyboard"] and Path(row.files[0]).is_dir()


def test_what_is_refused(made: avtool.Plan, tool: avtool.Tool, film: Film, tmp_path: Path) -> None:
    with pytest.raises(avtool.AvtoolError, match="unit") as caught:
        avtool.plan("thumbs --at nowhere x", path=tmp_path / "q", unit_cost="1m", files_per_unit=3, tool=tool)
    assert (caught.value.code, caught.value.retry, caught.value.exit_code) == ("usage", "never", 64)
    with pytest.raises(avtool.AvtoolError) as caught:
        avtool.plan(["thumbs", "--at", "0", film("movie.mp4").as_posix()], path=made.path, tool=tool)
    assert (caught.value.code, caught.value.exit_code) == ("refused", 73)
    for text, code in (("", "invalidPlan"), ("{}\n", "invalidPlan"), (made.path.read_text()[:-200], "invalidPlan")):
        (tmp_path / "broken").write_text(text)
        with pytest.raises(avtool.AvtoolError) as caught:
            avtool.Plan.read(tmp_path / "broken")
        assert caught.value.code == code
    with pytest.raises(avtool.AvtoolError, match="noSuchInput"):
        avtool.Plan.read(tmp_path / "nothing")


def test_a_film_that_changed(tool: avtool.Tool, film: Film, tmp_path: Path) -> None:
    copy = tmp_path / "a.mp4"
    copy.write_bytes(film("movie.mp4").read_bytes())
    plan = avtool.plan(f"thumbs --at 0 -o {tmp_path}/", path=tmp_path / "p", files=[copy], tool=tool)
    avtool.unit(plan, 0, tool=tool)
    copy.write_bytes(film("vfr.mp4").read_bytes())
    with pytest.raises(avtool.AvtoolError, match="changed") as caught:
        list(avtool.merge(plan, tool=tool))
    assert (caught.value.code, caught.value.retry) == ("sourceChanged", "never")


@pytest.mark.parametrize(
    ("script", "code", "retry", "exit_code"),
    [
        ("exit 74", "toolDied", "later", 74),
        ("kill -9 $$", "toolDied", "later", -9),
        ("exit 130", "cancelled", "later", 130),
        ("echo 'avtool: no' >&2; exit 65", "refused", "never", 65),
        ("""echo '{"error":{"code":"diskFull","retry":"later"}}'; exit 74""", "diskFull", "later", 74),
        ("""echo '{"error":{"code":"outOfMemory","retry":"elsewhere"}}'; exit 75""", "outOfMemory", "elsewhere", 75),
    ],
)
def test_a_unit_that_is_not_done(
    made: avtool.Plan,
    stand_in: Callable[[str], avtool.Tool],
    script: str,
    code: str,
    retry: avtool.Retry,
    exit_code: int,
) -> None:
    with pytest.raises(avtool.AvtoolError) as caught:
        avtool.unit(made, 0, tool=stand_in(script))
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.code, error.retry, error.exit_code) == (code, retry, exit_code)


def test_a_merge_that_stops(made: avtool.Plan, tool: avtool.Tool, stand_in: Callable[[str], avtool.Tool]) -> None:
    for number in (0, 1):
        avtool.unit(made, number, tool=tool)
    with pytest.raises(avtool.AvtoolError) as caught:
        list(avtool.merge(made, tool=stand_in('"$real" "$@" | head -3; exit 74')))
    assert (caught.value.code, caught.value.retry) == ("toolDied", "later")
