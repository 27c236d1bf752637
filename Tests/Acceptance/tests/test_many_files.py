"""One command on many files: each is done once, in order, whoever is done first and wherever the names come from."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import AVTOOL, ROOT, parsed, text

FILMS = ["movie.mp4", "movie.mov", "cues.mkv", "audio-only.mp3"]


def avtool(folder: Path, *words: object, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [AVTOOL, *map(str, words)], cwd=folder, input=stdin, capture_output=True, timeout=300,
        env=os.environ | variables,
    )  # fmt: skip


def summary(run: subprocess.CompletedProcess[bytes]) -> dict[str, object]:
    last = json.loads(run.stdout.splitlines()[-1])
    assert last.pop("event") == "summary" and last.pop("seconds") >= 0
    return dict(last)


def made(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.md5(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Films, two of them of one name, and what is none."""
    for number in range(24):
        name = FILMS[number % len(FILMS)]
        shutil.copy2(fixture(name), tmp_path / f"film{number:02}{Path(name).suffix}")
    for folder in ("a", "b", "c"):
        (tmp_path / folder).mkdir()
        shutil.copy2(fixture("movie.mp4" if folder == "b" else "cues.mkv"), tmp_path / folder / "same.mp4")
    (tmp_path / "broken.mp4").write_bytes(b"no film")
    return tmp_path


def names(folder: Path) -> list[str]:
    films = sorted(path.name for path in folder.glob("film*"))
    return [*films[:5], "broken.mp4", "c/same.mp4", *films[5:9], "a/same.mp4", "nothing.mp4", *films[9:], "b/same.mp4"]


@pytest.mark.parametrize("words", ["thumbs --count 2 --json -o OUT/{name}-{index}.png", "info --json", "metadata show"])
def test_results_are_the_same_however_many_are_done_at_a_time(many: Path, words: str) -> None:
    seen = []
    for jobs in ["1", "2", "7", "", "", ""]:
        (many / "out").mkdir(exist_ok=True)
        more = ["--jobs", jobs] if jobs else []
        run = avtool(many, *words.replace("OUT", "out").split(), *more, *names(many))
        seen.append((run.returncode, run.stdout, run.stderr, made(many / "out")))
        shutil.rmtree(many / "out")
    assert seen[0][0] == 65
    assert [index for index, other in enumerate(seen) if other != seen[0]] == []
    # Of one name, the first has it.
    if "thumbs" in words:
        assert b"c/same.mp4: " not in seen[0][2]
        assert seen[0][2].count(b"same-1.png") == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_exports_are_the_same_in_any_company(tmp_path: Path, jobs: int) -> None:
    """What other films left in memory does not show: libx264 codes by bytes that it has not written."""
    films = ["movie.mp4", "rotate-90.mp4", "bt601-tagged.mp4"]
    alone = {}
    for film in films:
        assert avtool(tmp_path, "export", "--preset", "low", "-o", f"alone-{film}", fixture(film)).returncode == 0
        alone[film] = (tmp_path / f"alone-{film}").read_bytes()
    names = [f"{number}-{film}" for film in films for number in range(8)]
    for name in names:
        shutil.copy2(fixture(name.split("-", 1)[1]), tmp_path / name)
    run = avtool(tmp_path, "export", "--preset", "low", "--jobs", jobs, "-o", "out/", *names)
    assert run.returncode == 0, text(run.stderr)
    different = [
        name for name in names
        if (tmp_path / "out" / f"{name[:-4]}-low.mp4").read_bytes() != alone[name.split("-", 1)[1]]
    ]  # fmt: skip
    assert not different


def test_names_of_which_one_is_the_beginning_of_another(tmp_path: Path) -> None:
    """film and film1 give the eleventh and the first still one name: the first film's stills are made."""
    films = ["film1.mkv", "film.mp4"]
    shutil.copy2(fixture("cues.mkv"), tmp_path / films[0])
    shutil.copy2(fixture("movie.mp4"), tmp_path / films[1])
    seen = []
    for jobs in "1", "2", "2", "2":
        out = tmp_path / "out"
        run = avtool(tmp_path, "thumbs", "--count", 12, "--jobs", jobs, "-o", "out/{name}{index}.png", *films)
        seen.append((run.returncode, run.stdout, run.stderr, made(out) if out.is_dir() else None))
        shutil.rmtree(out, ignore_errors=True)
    assert all(other == seen[0] for other in seen)


def test_a_file_that_is_named_twice_is_changed_twice(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    shutil.copy2(fixture("movie.mp4"), film)
    os.link(film, tmp_path / "other.mp4")
    shutil.copy2(fixture("movie.mp4"), tmp_path / "third.mp4")
    run = avtool(tmp_path, "metadata", "set", "title=New", "film.mp4", "third.mp4", "film.mp4", "--jobs", 3)
    assert run.returncode == 0, text(run.stderr)
    for name in ("film.mp4", "third.mp4"):
        tags = parsed(["ffprobe", "-v", "error", "-show_format", "-of", "json", tmp_path / name])["format"]["tags"]
        assert tags["title"] == "New"
    assert not [path for path in tmp_path.rglob("*") if ".avtool" in path.name]


STRANGE = ["-dash.mp4", "title=film.mp4", "two words.mp4", "new\nline.mp4", "--jobs", "grün.mp4", "-"]


def test_lists_hold_any_name(tmp_path: Path) -> None:
    for name in STRANGE:
        shutil.copy2(fixture("movie.mp4"), tmp_path / name)
    ended = b"".join(os.fsencode(name) + b"\0" for name in STRANGE)
    for words in ["info --json", "metadata set comment=x --json", "thumbs --at 0 --json"]:
        run = avtool(tmp_path, *words.split(), "-0", "--files-from", "-", "--summary", stdin=ended)
        assert run.returncode == 0, text(run.stderr)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        assert [line["source"].removeprefix("./") for line in lines[:-1]] == STRANGE
        assert summary(run)["done"] == len(STRANGE)
    (tmp_path / "list").write_text("two words.mp4\n\ngrün.mp4")
    run = avtool(tmp_path, "info", "--json", "--files-from", "list")
    assert [json.loads(line)["source"] for line in run.stdout.splitlines()] == ["two words.mp4", "grün.mp4"]
    assert text(run.stderr) == "avtool: 2 files: 2 done"


def test_a_list_may_be_longer_than_a_command_line(tmp_path: Path) -> None:
    """What is there is done, in order; what is not is told of; the first and last lie in other batches."""
    wanted = [f"{'x' * 200}{number:05}.mp4" for number in range(9_000)]
    there = {0, 4_095, 4_096, 8_999}
    for number in there:
        shutil.copy2(fixture("movie.mp4"), tmp_path / wanted[number])
    run = avtool(
        tmp_path, "verify", "--json", "--samples", 1, "--files-from", "-", "--summary", stdin="\n".join(wanted).encode()
    )
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert [line["source"] for line in lines[:-1]] == wanted
    assert {index for index, line in enumerate(lines[:-1]) if "error" not in line} == there
    retry = {"never": 8_996, "later": 0, "elsewhere": 0}
    assert summary(run) == {
        "files": 9_000, "done": 4, "kept": 0, "failed": 8_996, "left": 0, "retry": retry, "exitCode": 66
    }  # fmt: skip
    assert run.returncode == 66


def test_several_batches_are_one_run(tmp_path: Path) -> None:
    """No result of a later batch replaces one of an earlier, nor a file that is still to be read."""
    wanted = [f"nothing{number}.mp4" for number in range(5_000)]
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy2(fixture("movie.mp4"), tmp_path / folder / "film.mp4")
    (wanted[0], wanted[4_998], wanted[4_999]) = ("a/film.mp4", "b/film.mp4", "film-1.png")
    shutil.copy2(tmp_path / "a/film.mp4", tmp_path / "film-1.png")
    run = avtool(tmp_path, "thumbs", "--at", 1, "--force", "--files-from", "-", stdin="\n".join(wanted).encode())
    assert (tmp_path / "film-1.png").read_bytes() == (tmp_path / "a/film.mp4").read_bytes()
    assert b"film-1-1.png" in run.stdout
    # With one name for all there is nothing to begin with.
    run = avtool(tmp_path, "thumbs", "--at", 1, "-o", "x.png", "--files-from", "-", stdin="\n".join(wanted).encode())
    assert (run.returncode, run.stdout) == (64, b"") and b"{name}" in run.stderr and not (tmp_path / "x.png").exists()


def documented() -> Callable[[bytes, int], int]:
    """The function in docs/scale.md."""
    code = re.search(r"```python\n(def share.*?)```", (ROOT / "docs/scale.md").read_text(), re.DOTALL)
    assert code
    names: dict[str, Callable[[bytes, int], int]] = {}
    exec(code[1], names)
    return names["share"]


share = documented()


def test_shares_of_like_names_are_of_like_sizes() -> None:
    sizes = Counter(share(f"films/film{number:06}.mp4".encode(), 100) for number in range(100_000))
    assert len(sizes) == 100 and min(sizes.values()) > 850 and max(sizes.values()) < 1150


@pytest.mark.parametrize("count", [1, 2, 5])
def test_each_file_is_in_one_share(many: Path, count: int) -> None:
    wanted = [name for name in names(many) if "/" not in name and (many / name).exists()]
    for index in range(count):
        mine = [name for name in wanted if share(name.encode(), count) == index]
        for run in (
            avtool(many, "metadata", "show", "--json", "--shard", f"{index}/{count}", *wanted),
            avtool(
                many, "metadata", "show", "--json", f"--shard=auto/{count}", "--files-from", "-",
                stdin="\n".join(wanted).encode(), SLURM_ARRAY_TASK_ID=str(index),
            ),
        ):  # fmt: skip
            lines = [json.loads(line) for line in run.stdout.splitlines()]
            assert [line["source"] for line in lines] == mine
            assert f"{len(mine)} file" in text(run.stderr).splitlines()[-1]


def test_a_share_names_its_results_as_the_whole_would(many: Path) -> None:
    """One name for the results of several files is refused in a share with one of them, too."""
    films = [path.name for path in sorted(many.glob("film*.mp4"))][:2]
    count = next(n for n in range(2, 50) if share(films[0].encode(), n) != share(films[1].encode(), n))
    for film in films:
        part = f"{share(film.encode(), count)}/{count}"
        run = avtool(many, "thumbs", "--at", 1, "-o", "x.png", "--shard", part, *films)
        assert run.returncode == 64 and b"{name}" in run.stderr, text(run.stderr)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("info --shard 3/3 film00.mp4", "3/3"),
        ("info --shard 0/0 film00.mp4", "0/0"),
        ("info --shard auto/3 film00.mp4", "SLURM_ARRAY_TASK_ID"),
        ("info --shard auto film00.mp4", "auto"),
        ("info --jobs 0 film00.mp4", "--jobs takes"),
        ("info --jobs 1000000 film00.mp4", "--jobs takes"),
        ("info -0 film00.mp4", "--files-from"),
        ("info --files-from list film00.mp4", "not both"),
        ("info", "No file"),
        ("thumbs --at 0 -o - --files-from list", "-o -"),
        ("metadata set title=x -o out.mp4 --files-from list", "-o goes with one file"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(many: Path, words: str, said: str) -> None:
    (many / "list").write_text("film00.mp4\nfilm01.mov\n")
    run = avtool(many, *words.split())
    assert run.returncode == 64 and run.stdout == b"", text(run.stderr)
    assert said in text(run.stderr) and len(text(run.stderr).splitlines()) == 1


def test_a_list_is_an_input(tmp_path: Path) -> None:
    shutil.copy2(fixture("movie.mp4"), tmp_path / "m.mp4")
    for name, words in [("one", ["-o", "one"]), ("m-index.jsonl", [])]:
        (tmp_path / name).write_text("m.mp4\n")
        run = avtool(tmp_path, "index", "--files-from", name, "--force", *words)
        assert run.returncode == 73 and (tmp_path / name).read_text() == "m.mp4\n"


def test_lists_that_cannot_be_read(tmp_path: Path) -> None:
    run = avtool(tmp_path, "info", "--files-from", "nothing")
    assert (run.returncode, text(run.stderr)) == (66, "avtool: nothing: no such file")
    run = avtool(tmp_path, "info", "--files-from", ".")
    assert run.returncode == 66 and len(text(run.stderr).splitlines()) == 1
    run = avtool(tmp_path, "info", "--files-from", "-", "--summary")
    assert run.returncode == 0 and summary(run)["files"] == 0


def test_interrupted_it_tells_what_was_done(many: Path) -> None:
    """SIGTERM leaves what is finished finished, and counts the rest."""
    films = [f"film{number:04}.mp4" for number in range(4_200)]
    for film in films:
        os.link(many / "film00.mp4", many / film) if not (many / film).exists() else None
    (many / "list").write_text("\n".join(films))
    words = [AVTOOL, "thumbs", "--at", "1", "--json", "--summary", "--files-from", "list", "-o", "out/"]
    child = subprocess.Popen(words, cwd=many, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not (many / "out").is_dir() or len(list((many / "out").iterdir())) < 20:
        time.sleep(0.01)
    child.send_signal(signal.SIGTERM)
    out, said = child.communicate(timeout=60)
    assert child.returncode == 130, text(said)
    lines = [json.loads(line) for line in out.splitlines()]
    found = lines[-1]
    made = [line["file"] for line in lines[:-1] if "error" not in line]
    failed = {line["source"] for line in lines[:-1] if "error" in line}
    assert found["event"] == "summary" and found["exitCode"] == 130
    assert found["failed"] == found["retry"]["later"] == len(failed)
    assert found["done"] == len({line["source"] for line in lines[:-1]} - failed) > 0 and found["left"] > 0
    assert found["done"] + found["failed"] + found["left"] == found["files"] == len(films)
    assert {path.name for path in (many / "out").iterdir()} == {Path(file).name for file in made}
