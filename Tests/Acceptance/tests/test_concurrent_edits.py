"""Changes of one file by several processes at once, and readers beside them: the old or the new, and nothing is lost.

Other tools say what became of the file: ffmpeg the media, ffprobe the tags.
"""

from __future__ import annotations

import fcntl
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.processes import has_ended, has_open
from acceptance.running import AVTOOL, ffmpeg
from acceptance.tool import LIMIT, copy_fixture, eventually, ffprobe, media_hash, names, tags, tool

# A file of each format that is changed, those of the same format laid out in more than one way.
FILES = [
    "movie.mp4", "moov-first.mp4", "audio-only.m4a", "movie.mov", "cues.mkv", "no-cues.mkv", "vp9.webm",
    "audio-only.flac", "audio-only.mp3", "theora.ogv", "sound.wav",
]  # fmt: skip


def film(name: str, folder: Path) -> Path:
    """A copy of a fixture; some are made of one."""
    made = {
        "moov-first.mp4": ["movie.mp4", "-movflags", "+faststart"],
        "sound.wav": ["audio-only.flac", "-c:a", "pcm_s16le"],
    }
    if name not in made:
        return copy_fixture(name, folder / name)
    source, *options = made[name]
    codec = [] if "-c:a" in options else ["-c", "copy"]
    ffmpeg("-i", fixture(source), *codec, *options, folder / name)
    return folder / name


def begin(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [AVTOOL, *[str(word) for word in words]], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def begin_to_wait(*words: object) -> subprocess.Popen[str]:
    """Begins a change of a locked file, the last word: it has the file open, to wait for the lock and nothing else."""
    process, file = begin(*words), Path(str(words[-1])).stat()
    assert eventually(lambda: has_open(process.pid, file) or has_ended(process.pid))
    return process


def pairs(path: Path, media: str, count: int, seed: int) -> Counter[tuple[int, int]]:
    """Has two processes change a file again and again, beginning a little apart; fails where something is lost."""
    randomness = random.Random(seed)
    codes: Counter[tuple[int, int]] = Counter()
    for turn in range(count):
        lengths = [randomness.choice([10, 3000, 6000]) for _ in range(2)]
        words = [f"artist={turn}-{'a' * lengths[0]}", f"comment={turn}-{'b' * lengths[1]}"]
        editors = [begin("metadata", "set", words[0], path)]
        time.sleep(randomness.random() * 0.012)
        editors.append(begin("metadata", "set", words[1], path))
        said = [editor.communicate()[1] for editor in editors]
        codes[(editors[0].returncode, editors[1].returncode)] += 1
        assert media_hash(path) == media, said
        found = tags(path)
        for editor, word in zip(editors, words):
            key, value = word.split("=")
            if editor.returncode == 0:
                assert found.get(key) == value, (key, said, sorted(found))
    return codes


@pytest.mark.parametrize("name", FILES)
def test_two_editors(name: str, tmp_path: Path) -> None:
    """Both changes are there, one after the other."""
    path = film(name, tmp_path)
    assert pairs(path, media_hash(path), 4, seed=45) == {(0, 0): 4}
    assert names(tmp_path) == [path.name]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_two_editors_often(name: str, tmp_path: Path) -> None:
    path = film(name, tmp_path)
    assert pairs(path, media_hash(path), 200, seed=46) == {(0, 0): 200}
    assert names(tmp_path) == [path.name]


@contextmanager
def editing(path: Path) -> Iterator[Callable[[], list[str]]]:
    """Has a file changed again and again, by values of different lengths; gives what gives the exit codes so far."""
    codes = path.with_name("codes")
    with codes.open("wb") as log:
        process = subprocess.Popen(
            [
                "bash", "-c",
                'n=0; while :; do n=$((n + 1)); "$0" metadata set "artist=$n-$(head -c $((n % 3 * 3000 + 10)) '
                '/dev/zero | tr "\\0" a)" "$1" >/dev/null; echo $?; done',
                AVTOOL, path,
            ],
            stdout=log, process_group=0,
        )  # fmt: skip
    try:
        yield lambda: codes.read_text().split()
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def exceeds(codes: Callable[[], list[str]], count: int) -> bool:
    """Waits until there are more exit codes than so many."""
    return eventually(lambda: len(codes()) > count)


def read_beside(path: Path, turns: int) -> None:
    """Reads a file while it is changed, by this tool and others: each has one version of it."""
    media = media_hash(path)
    with editing(path) as codes:
        for turn in range(turns):
            # However slow the editor is, it has got further since the last turn.
            assert exceeds(codes, turn)
            copy = path.with_name(f"copy-{turn}{path.suffix}")
            tool(path.parent, "export", "--preset", "passthrough", "-o", copy, path).expect(0)
            assert media_hash(copy) == media
            copy.unlink()
            assert media_hash(path) == media
            tool(path.parent, "metadata", "get", "artist", path).expect(0)
            tool(path.parent, "info", path).expect(0)
            assert ffprobe(path, "format=nb_streams")
        assert set(codes()) == {"0"}, codes()


@pytest.mark.parametrize("name", ["movie.mp4", "moov-first.mp4", "cues.mkv", "audio-only.flac"])
def test_readers_beside_an_editor(name: str, tmp_path: Path) -> None:
    path = film(name, tmp_path)
    tool(tmp_path, "metadata", "set", "artist=nobody", path).expect(0)
    read_beside(path, 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_readers_beside_an_editor_often(name: str, tmp_path: Path) -> None:
    path = film(name, tmp_path)
    tool(tmp_path, "metadata", "set", "artist=nobody", path).expect(0)
    read_beside(path, 50)


def test_locked_by_another_process(tmp_path: Path) -> None:
    """A change waits for ten seconds; then it says why there was none, and the file is as it was."""
    path = film("movie.mp4", tmp_path)
    before = path.read_bytes()
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        run = tool(tmp_path, "metadata", "set", "--json", "title=x", path).expect(75)
        assert path.read_bytes() == before
        [document] = run.json
        assert (document["error"]["code"], document["error"]["retry"]) == ("fileBusy", "later")
        assert "is being changed by another process" in run.diagnostics + document["error"]["message"]
        # Who only looks does not wait, nor who makes a changed copy.
        tool(tmp_path, "metadata", "set", "--dry-run", "title=x", path).expect(0)
        tool(tmp_path, "metadata", "set", "-o", "copy.mp4", "title=x", path).expect(0)
        waiting = begin_to_wait("metadata", "set", "title=y", path)
        assert waiting.poll() is None
    assert waiting.wait(LIMIT) == 0
    assert tags(path)["title"] == "y"


def test_interrupted_while_waiting(tmp_path: Path) -> None:
    path = film("movie.mp4", tmp_path)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        waiting = begin_to_wait("metadata", "set", "title=y", path)
        waiting.terminate()
        said = waiting.communicate(timeout=LIMIT)[1]
    # An end of its patience would be told as such.
    assert (waiting.returncode, said) == (130, f"avtool: {path}: interrupted\n")


def test_left_by_a_killed_process(tmp_path: Path) -> None:
    """What a killed change left beside the file goes with the next, and nobody else's does."""
    path = film("moov-first.mp4", tmp_path)
    left = [tmp_path / f".avtool-{number}-{number}.tmp" for number in range(3)]
    for name in left:
        name.write_bytes(b"left")
    young, used, old = left
    # As young as can be, however long the change takes to begin.
    for name, age in [(young, "1 hour"), (used, "2 minutes ago"), (old, "2 minutes ago")]:
        subprocess.run(["touch", "-d", age, name], check=True)
    with used.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        tool(tmp_path, "metadata", "set", f"comment={'x' * 9000}", path).expect(0)
    assert names(tmp_path) == sorted([young.name, used.name, path.name])
