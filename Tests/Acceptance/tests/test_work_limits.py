"""Limits on the processes that read media files: memory, time without progress, sizes of results."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.processes import bytes_in, readers_of, reading_processes
from acceptance.running import AVTOOL, ROOT, ffmpeg
from acceptance.taken_over import STALL_TIME, TakenOver
from acceptance.tool import copy_fixture, eventually, names, shell, tool

# --- Memory -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large_video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A video whose frames take 100 MB each."""
    folder = tmp_path_factory.mktemp("large")
    source = ["-f", "lavfi", "-i", "color=black:size=8192x8192:rate=1:duration=1"]
    ffmpeg(*source, "-c:v", "libx264", "-preset", "ultrafast", "-threads", 1, folder / "one.mp4")
    ffmpeg("-stream_loop", 1, "-i", folder / "one.mp4", "-c", "copy", folder / "large.mp4")
    return folder / "large.mp4"


@pytest.mark.parametrize(
    ("command", "mebibytes"),
    [
        ("thumbs --at 0 -o OUT/{name}.png", 160),
        ("sheet --count 2 -o OUT/", 160),
        ("export --preset low -o OUT/", 256),
        ("storyboard --every 1s -o OUT/", 160),
    ],
    ids=["thumbs", "sheet", "export", "storyboard"],
)
def test_a_file_that_takes_too_much_memory_ends_alone(
    tmp_path: Path, large_video: Path, command: str, mebibytes: int
) -> None:
    """A video that takes all memory there was met the system's killer, or had the killer take other processes."""
    (tmp_path / "OUT").mkdir()
    (tmp_path / "large.mp4").symlink_to(large_video)
    copy_fixture("one-frame.mp4", tmp_path / "small.mp4")
    limit = ["--limit", f"memory={mebibytes}MiB"]
    run = tool(tmp_path, *command.split(), "--json", *limit, "large.mp4", "small.mp4")
    assert len(run.diagnostic_lines) == 1, run
    assert run.diagnostics.startswith("avtool: large.mp4: "), run
    failed = [event["error"]["code"] for event in run.json if "error" in event]
    # FFmpeg's decoder of H.264 keeps some allocations that fail to itself, and has no frame then.
    if failed == ["decodeFailed"]:
        run.expect(65)
    else:
        assert failed == ["outOfMemory"], run.expect(75)
        assert run.expect(75).diagnostic_lines[-1].endswith("; --limit memory=BYTES raises it"), run
    made = names(tmp_path / "OUT")
    assert len(made) == 1 and made[0].startswith("small"), made


def test_a_file_that_takes_much_memory_passes_where_the_limit_is_raised(tmp_path: Path, large_video: Path) -> None:
    tool(tmp_path, "thumbs", "--at", "0", "--size", "32x0", "--limit", "memory=4GiB", large_video).expect()


@pytest.mark.parametrize(("files", "part"), [(1, 4), (4, 8)], ids=["one file", "several files"])
def test_memory_is_limited_to_a_share_of_the_machine_by_default(tmp_path: Path, files: int, part: int) -> None:
    """Three quarters of the memory, shared by the processes that read side by side."""
    videos = [copy_fixture("long-gop.mp4", tmp_path / f"film{number}.mp4").name for number in range(files)]
    found: list[list[int]] = []
    # A process is there a moment before its limits are, and gone when its files are done.
    while not found:
        process = subprocess.Popen(
            [AVTOOL, "verify", "--samples", "1000000", *videos],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

        def has_limits(process: subprocess.Popen[bytes] = process) -> bool:
            for reader in reading_processes(process.pid)[:1]:
                with suppress(OSError):
                    text = Path(f"/proc/{reader}/limits").read_text()
                    if line := re.search(r"^Max data size +(\d+) +(\d+)", text, re.MULTILINE):
                        found.append([int(limit) for limit in line.groups()])
            return bool(found) or process.poll() is not None

        assert eventually(has_limits)
        process.kill()
        process.wait()
    memory = re.search(r"MemTotal: +(\d+) kB", Path("/proc/meminfo").read_text())
    assert memory
    [(soft, hard)] = found
    assert soft == hard, "it can be raised again"
    assert 0 < soft <= (int(memory[1]) << 10) // part * 3 + 4096


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ("memory=1MiB", "memory can be from 128MiB to"),
        ("memory=x", "number of bytes"),
        ("memory", "value is missing"),
        ("stall-time=0", "stall-time can be from 100ms to 86400s"),
        ("stall-time=x", "duration"),
    ],
    ids=lambda value: value if "=" in value or value == "memory" else "",
)
def test_a_limit_that_makes_no_sense_is_refused_as_usage(tmp_path: Path, limit: str, reason: str) -> None:
    run = tool(tmp_path, "info", "--limit", limit, fixture("movie.mp4")).expect(64)
    assert len(run.diagnostic_lines) == 1, run
    assert reason in run.diagnostics, run


def test_the_document_states_the_limits_on_memory_and_stalls() -> None:
    text = (ROOT / "docs/limits.md").read_text(encoding="utf-8")
    assert "| `memory` | three quarters of what there is | 128 MiB to 1 PiB |" in text
    assert "| `stall-time` | 10 min | 100 ms to 24 h |" in text


# --- Time -------------------------------------------------------------------------------


def test_a_file_whose_reader_hangs_ends_alone(tmp_path: Path) -> None:
    """A process that hangs in a library cannot end itself: here it is stopped."""
    copy_fixture("one-frame.mp4", tmp_path / "small.mp4")
    os.mkfifo(tmp_path / "pipe")
    # Opened for both, so that neither side waits for the other.
    pipe = os.open(tmp_path / "pipe", os.O_RDWR)
    os.write(pipe, fixture("movie.mp4").read_bytes()[:1000])
    with ThreadPoolExecutor() as pool:
        limit = f"stall-time={STALL_TIME}"
        end = pool.submit(tool, tmp_path, "info", "--json", "--limit", limit, "pipe", "small.mp4")
        # A process that has not begun to read is not held to be stuck over the file, which is tried again.
        assert eventually(lambda: bytes_in(pipe) == 0)
        os.kill(readers_of(pipe)[0], signal.SIGSTOP)
        run = end.result().expect(75)
    os.close(pipe)
    stall = "nothing came of the file for too long; --limit stall-time=TIME raises it"
    assert run.diagnostic_lines == [f"avtool: pipe: {stall}"], run
    stuck, small = run.json
    assert stuck["error"]["code"] == "deadlineReached"
    assert small["source"] == "small.mp4" and "error" not in small


# Seconds, more than STALL_TIME.
SLOW = 7


@pytest.mark.parametrize("command", ["info --precise", "export --preset passthrough -o out.mp4", "thumbs --at 1"])
def test_a_slow_pipe_is_no_stall(tmp_path: Path, command: str) -> None:
    file = fixture("movie.mp4")
    script = f"""
        (head -c 3000 '{file}'; sleep {SLOW}; tail -c +3001 '{file}') |
            "$AVTOOL" {command} --limit stall-time={STALL_TIME} -
    """
    shell(tmp_path, script).expect()


def test_a_slow_reader_of_the_result_is_no_stall(tmp_path: Path) -> None:
    # More than fits into a pipe.
    script = f"""
        "$AVTOOL" export --preset passthrough --limit stall-time={STALL_TIME} -o - '{fixture("movie.mp4")}' |
            (sleep {SLOW}; cat > out.mp4)
        exit "${{PIPESTATUS[0]}}"
    """
    shell(tmp_path, script).expect()


# --- A worker that misbehaves -----------------------------------------------------------


def test_a_heartbeat_without_progress_does_not_hide_a_stall(tmp_path: Path) -> None:
    """A timer that tells of work goes on when the work hangs."""
    run = TakenOver(tmp_path, files=2).run("film0.mp4", "film1.mp4", "boast=x", stall_time=STALL_TIME)
    assert run.diagnostic_lines == ["film0.mp4: stuck", "film1.mp4: read"], run


def test_slow_work_that_makes_progress_is_no_stall(tmp_path: Path) -> None:
    # Fifths of a second.
    run = TakenOver(tmp_path).run("film0.mp4", f"move={SLOW * 5}", stall_time=STALL_TIME).expect()
    assert run.diagnostic_lines == ["move: moved", "film0.mp4: read"], run


@pytest.mark.parametrize(
    ("limits", "outcome"),
    [(["--limit", "output-size=1MiB", "--limit", "pipe-size=1MiB"], "File too large"), ([], "done")],
    ids=["limited", "not limited"],
)
def test_a_limit_bounds_the_files_that_a_worker_has_open(tmp_path: Path, limits: list[str], outcome: str) -> None:
    """Nobody looks at each write of a worker to a file that is open already."""
    taken = TakenOver(tmp_path)
    command = ["thumbs", "--at", "0", "-o", "{name}.mp4-{index}.png", *limits]
    run = taken.run("film0.mp4", "grow=film0.mp4-1.png", doing=command)
    assert run.diagnostic_lines == [f"grow: {outcome}", "film0.mp4: read"], run
    taken.expect_untouched()


def test_want_of_memory_is_told_from_a_crash(tmp_path: Path) -> None:
    """Swift, C++ and GLib end the process where memory is not to be had: that is no crash of a decoder."""
    run = TakenOver(tmp_path, files=2).run("film0.mp4", "film1.mp4", "allocate=200000000")
    assert run.diagnostic_lines == ["film0.mp4: outOfMemory", "film1.mp4: read"], run
