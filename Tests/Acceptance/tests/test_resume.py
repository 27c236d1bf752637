"""What an earlier run has made of the same film in the same way is left alone, and nothing else is."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.held import held_film
from acceptance.processes import family, has_ended
from acceptance.running import AVTOOL, text
from acceptance.tool import eventually

WRITING = {
    "thumbs": "thumbs --count 3 -o OUT/",
    "thumbs, one name": "thumbs --at 1 --size 64x0 --size 128x0 -o OUT/{name}-{size}.jpg",
    "sheet": "sheet --count 4 -o OUT/{name}-sheet.jpg",
    "storyboard": "storyboard --every 1s -o OUT/{name}-board",
    "export": "export --preset passthrough -o OUT/{name}-new.mp4",
    "hls": "export --preset hls -o OUT/{name}-hls",
    "scenes": "scenes --format csv -o OUT/{name}.csv",
    "artwork": "metadata artwork --extract OUT/{name}-{index}",
    "tags": "metadata set title=x -o OUT/",
}


def avtool(folder: Path, line: str, *files: str) -> subprocess.CompletedProcess[bytes]:
    words = line.replace("OUT", "out").split()
    return subprocess.run([AVTOOL, *words, *files], cwd=folder, capture_output=True, timeout=120)


def state(folder: Path) -> dict[str, tuple[int, int, int]]:
    found = {}
    for path in sorted((folder / "out").rglob("*")):
        status = path.stat()
        found[str(path.relative_to(folder))] = (status.st_ino, status.st_mtime_ns, status.st_size)
    return found


@pytest.fixture
def films(tmp_path: Path) -> Path:
    if not keeps_attributes(tmp_path):
        pytest.skip("the file system keeps no extended attributes")
    (tmp_path / "out").mkdir()
    shutil.copy2(fixture("movie.mp4"), tmp_path / "a.mp4")
    shutil.copy2(fixture("languages.mp4"), tmp_path / "b.mp4")
    return tmp_path


def keeps_attributes(folder: Path) -> bool:
    try:
        os.setxattr(folder, "user.try", b"x")
    except OSError:
        return False
    return True


@pytest.mark.parametrize("name", WRITING)
def test_what_is_there_stays(films: Path, name: str) -> None:
    words = WRITING[name]
    files = ["a.mp4"] if name == "tags" else ["a.mp4", "b.mp4"]
    if name == "artwork":
        assert avtool(films, "thumbs --at 1 -o cover.png", "a.mp4").returncode == 0
        assert avtool(films, "metadata artwork --set cover.png", *files).returncode == 0
    first = avtool(films, words, *files)
    assert first.returncode == 0, text(first.stderr)
    made = state(films)
    assert made
    # As it is there already, it is refused without the option.
    assert avtool(films, words, *files).returncode == 73
    again = avtool(films, f"{words} --resume", *files)
    assert (again.returncode, text(again.stderr)) == (0, ""), again
    assert state(films) == made
    assert again.stdout.count(b": up to date\n") == len(again.stdout.splitlines()) > 0
    run = avtool(films, f"{words} --resume --summary --json", *files)
    if "--format csv" not in words:
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        assert [line["source"] for line in lines[:-1]] == files
        assert all(line["upToDate"] and (films / line["files"][0]).exists() for line in lines[:-1])
        assert (lines[-1]["done"], lines[-1]["kept"]) == (len(files), len(files))
    assert state(films) == made


@pytest.mark.parametrize("name", ["thumbs", "sheet", "storyboard", "export", "scenes"])
@pytest.mark.parametrize("change", ["source", "settings", "truncated", "replaced", "touched"])
def test_what_does_not_fit_is_neither_kept_nor_replaced(films: Path, name: str, change: str) -> None:
    """Another version of the film, other settings, a result that somebody has cut short or put in its place."""
    words = WRITING[name]
    assert avtool(films, words, "a.mp4", "b.mp4").returncode == 0
    victim = sorted((films / "out").glob("a*"))[-1]
    if change == "source":
        shutil.copy(fixture("movie.mov"), films / "a.mp4")
    elif change == "touched":
        os.utime(films / "a.mp4", ns=(1, 1))
    elif change == "settings":
        words += {
            "thumbs": " --quality 40", "sheet": " --columns 2", "storyboard": " --tile 100x0",
            "export": " --range 0+1s", "scenes": " --threshold 30",
        }[name]  # fmt: skip
    elif victim.is_dir():
        os.removexattr(victim, "user.avtool.made")
    elif change == "truncated":
        os.truncate(victim, victim.stat().st_size // 2)
    else:
        content = victim.read_bytes()
        victim.unlink()
        victim.write_bytes(content)
    before = state(films)
    run = avtool(films, f"{words} --resume", "a.mp4", "b.mp4")
    assert run.returncode == 73, text(run.stderr)
    assert state(films) == before
    assert (b": up to date" in run.stdout) == (change != "settings")
    run = avtool(films, f"{words} --resume --force", "a.mp4", "b.mp4")
    assert run.returncode == 0, text(run.stderr)
    after = state(films)
    assert after[str(victim.relative_to(films))] != before[str(victim.relative_to(films))]
    kept = [path for path in after if path.startswith("out/b")]
    assert all(after[path] == before[path] for path in kept) == (change != "settings")


def kill_when(condition: Callable[[], bool], folder: Path, words: list[str]) -> None:
    """Kills a run as soon as a condition holds, and waits until its worker has gone with it."""
    child = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert eventually(condition)
    processes = family(child.pid)
    child.kill()
    assert child.wait() == -signal.SIGKILL
    assert eventually(lambda: all(map(has_ended, processes)))


def test_after_sigkill_the_rest_is_made(films: Path) -> None:
    """Nothing that was complete is made again, and what was being made is made whole."""
    names = [f"film{number}.mp4" for number in range(12)]
    for name in names[:-1]:
        shutil.copy2(fixture("movie.mp4"), films / name)
    words = [AVTOOL, "thumbs", "--count", "40", "--resume", "-o", "out/", *names]

    def whole_ones(made: Collection[str]) -> list[str]:
        return [name for name in names if all(f"{name[:-4]}-{number:02}.png" in made for number in range(1, 41))]

    def has_come_far(target: int) -> bool:
        made = {path.name for path in (films / "out").iterdir()}
        return len(made) >= target and (target < 300 or bool(whole_ones(made)))

    # However late it is killed, it is not done: the last film does not end.
    with held_film(films / names[-1], fixture("movie.mp4")):
        for target in (30, 150, 300):
            kill_when(partial(has_come_far, target), films, words)
    (films / names[-1]).unlink()
    shutil.copy2(fixture("movie.mp4"), films / names[-1])
    before = state(films)
    whole = whole_ones([Path(path).name for path in before])
    assert whole and len(whole) < len(names)
    run = subprocess.run(words, cwd=films, capture_output=True)
    assert run.returncode == 0, text(run.stderr)
    after = state(films)
    assert len(after) == 40 * len(names)
    assert text(run.stdout).count("up to date") >= 40 * (len(whole) - 2)
    # Equal to what is made in one go.
    (films / "out").rename(films / "resumed")
    subprocess.run([word for word in words if word != "--resume"], cwd=films, check=True, stdout=subprocess.DEVNULL)
    for path in after:
        name = Path(path).name
        assert (films / "resumed" / name).read_bytes() == (films / "out" / name).read_bytes()


@pytest.mark.parametrize("name", ["thumbs", "storyboard", "export", "scenes"])
def test_two_runs_at_once_make_the_same(films: Path, name: str) -> None:
    """Neither fails because the other was faster, and nothing is left of what one of them had begun."""
    names = [f"film{number}.mp4" for number in range(6)]
    for film in names:
        shutil.copy2(fixture("movie.mp4"), films / film)
    words = [AVTOOL, *WRITING[name].replace("OUT", "out").split(), "--resume", *names]
    for _ in range(4):
        shutil.rmtree(films / "out")
        (films / "out").mkdir()
        both = [subprocess.Popen(words, cwd=films, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
        said = [child.communicate(timeout=120) for child in both]
        assert [child.returncode for child in both] == [0, 0], said
        assert not [path for path in (films / "out").iterdir() if ".avtool" in path.name or ".tmp" in path.name]
        after = state(films)
        again = subprocess.run(words, cwd=films, capture_output=True, check=True)
        assert again.stdout.count(b"up to date") == len(again.stdout.splitlines()) and state(films) == after


@pytest.mark.parametrize("name", ["storyboard", "hls"])
@pytest.mark.parametrize("change", ["gone", "short", "more"])
def test_folders_are_what_they_were(films: Path, name: str, change: str) -> None:
    words = WRITING[name]
    assert avtool(films, words, "a.mp4").returncode == 0
    folder = next(path for path in (films / "out").iterdir() if path.is_dir())
    largest = max((path for path in folder.rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
    if change == "gone":
        largest.unlink()
    elif change == "short":
        os.truncate(largest, 10)
    else:
        (folder / "mine.txt").write_text("mine")
    before = state(films)
    run = avtool(films, f"{words} --resume", "a.mp4")
    assert run.returncode == 73 and b"up to date" not in run.stdout and state(films) == before


def test_results_that_changed_names_are_none(films: Path) -> None:
    words = "thumbs --at 0,end -o OUT/"
    assert avtool(films, words, "a.mp4").returncode == 0
    one, two = films / "out/a-1.png", films / "out/a-2.png"
    one.rename(films / "out/x")
    two.rename(one)
    (films / "out/x").rename(two)
    run = avtool(films, f"{words} --resume", "a.mp4")
    assert run.returncode == 73 and b"up to date" not in run.stdout


def test_films_of_one_name_size_and_time_are_told_apart(films: Path) -> None:
    for folder, film in (("p", "movie.mp4"), ("q", "languages.mp4")):
        (films / folder).mkdir()
        shutil.copy(fixture(film), films / folder / "m.mp4")
        os.truncate(films / folder / "m.mp4", 200_000)
        os.utime(films / folder / "m.mp4", ns=(1, 1))
    assert avtool(films, "thumbs --at 0 -o OUT/", "p/m.mp4").returncode == 0
    run = avtool(films, "thumbs --at 0 -o OUT/ --resume", "q/m.mp4")
    assert run.returncode == 73 and b"up to date" not in run.stdout


def test_marks_say_nothing_of_the_film_and_are_not_copied(films: Path) -> None:
    assert avtool(films, WRITING["export"], "a.mp4").returncode == 0
    made = films / "out/a-new.mp4"
    mark = os.getxattr(made, "user.avtool.made")
    assert len(mark) < 120 and b"a" + b".mp4" not in mark and bytes(str(films), "utf8") not in mark
    assert avtool(films, "metadata set title=x", "out/a-new.mp4").returncode == 0
    assert "user.avtool.made" not in os.listxattr(made)
    assert avtool(films, "metadata set title=y -o OUT/copy.mp4", "a.mp4").returncode == 0
    first = os.getxattr(films / "out/copy.mp4", "user.avtool.made")
    assert avtool(films, "metadata set title=z -o OUT/other.mp4", "out/copy.mp4").returncode == 0
    assert os.getxattr(films / "out/other.mp4", "user.avtool.made") != first


def test_the_order_of_options_and_where_the_film_lies_do_not_count(films: Path) -> None:
    assert avtool(films, "thumbs --at 1 --quality 80 --format jpeg -o OUT/", "a.mp4").returncode == 0
    (films / "moved").mkdir()
    (films / "a.mp4").rename(films / "moved/a.mp4")
    run = avtool(
        films, "thumbs --format jpeg --jobs 2 --limit pixels=1M -o OUT/ --resume --quality 80 --at 1", "moved/a.mp4"
    )
    assert run.returncode == 0 and b"up to date" in run.stdout, run


@pytest.mark.parametrize("words", ["metadata set title=x", "scenes", "chapters remove", "metadata artwork --remove"])
def test_where_nothing_is_written_there_is_nothing_to_resume(films: Path, words: str) -> None:
    run = avtool(films, f"{words} --resume", "a.mp4")
    assert run.returncode == 64 and b"--resume goes with -o" in run.stderr
