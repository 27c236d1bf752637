"""Too few threads, processes or too little memory: said at once, as what it is."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from acceptance.films import fixture
from acceptance.running import AVTOOL

# How long a command may take before it is held to hang; where there is enough they take some tenths of a second on an
# idle machine.
LIMIT = 60
NOBODY = 65534
COMMANDS = {
    "info": ["info"],
    "thumbs": ["thumbs", "--at", "1s", "--force", "-o", "still.png"],
    "waveform": ["waveform", "--force", "-o", "waveform.png"],
    "export": ["export", "--preset", "low", "--range", "0s+0.5s", "--force", "-o", "out.mp4"],
}


def outcome(folder: Path, words: list[str], film: Path, limits: Callable[[], None]) -> tuple[int, str]:
    begun = time.monotonic()
    try:
        process = subprocess.run(
            [AVTOOL, *words, film], cwd=folder, preexec_fn=limits, capture_output=True, text=True, timeout=LIMIT,
            check=False, env=os.environ | {"HOME": str(folder)},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return -1, f"took more than {time.monotonic() - begun:.0f} s"
    return process.returncode, process.stderr


def check(code: int, said: str, value: int) -> bool:
    """Fails unless it worked or what was too little was told; returns whether it worked."""
    assert code in (0, 75), (value, code, said)
    if code:
        assert said.strip() and "damaged" not in said, (value, said)
    return code == 0


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ["RLIMIT_DATA", "RLIMIT_AS"])
def test_too_little_memory_is_told_at_once(command: str, kind: str, tmp_path: Path) -> None:
    number = getattr(resource, kind)
    # From what no process can begin with to what is enough; below, the loader of programs says so itself.
    first, last, step = (40_000, 400_000, 24_000) if kind == "RLIMIT_DATA" else (200_000, 2_000_000, 120_000)
    worked = []
    for kilobytes in range(first, last, step):

        def limits(size: int = kilobytes << 10) -> None:
            resource.setrlimit(number, (size, size))

        worked.append(check(*outcome(tmp_path, COMMANDS[command], fixture("movie.mp4"), limits), kilobytes))
    assert False in worked and worked[-1], worked


@pytest.mark.root
@pytest.mark.parametrize("command", COMMANDS)
def test_too_few_threads_are_told_at_once(command: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    for folder in tmp_path.parents:
        if folder.stat().st_uid == os.getuid() and len(folder.parts) > 2:
            folder.chmod(folder.stat().st_mode | 0o055)
    worked = []
    for count in [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 60, 200]:

        def limits(count: int = count) -> None:
            resource.setrlimit(resource.RLIMIT_NPROC, (count, count))
            os.setgroups([])
            # Another user for each test, as all processes of a user count.
            user = NOBODY - 1000 - os.getpid() % 30000
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)

        worked.append(check(*outcome(tmp_path, COMMANDS[command], fixture("movie.mp4"), limits), count))
    assert not worked[0] and worked[-1], worked
