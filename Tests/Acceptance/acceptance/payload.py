"""A worker that a file has taken over: what it can do in each command, by shim/payload.c."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from acceptance.running import AVTOOL, ROOT, make

SOURCE = ROOT / "Tests/Acceptance/shim/payload.c"
TABLE = ROOT / "docs/isolation.md"
# What the kernel can be made to lack, by the calls that fail then, and the column of the table.
LAYERS = {"all": None, "Landlock": "landlock_create_ruleset"}
# Somebody else's files.
NAMES = ("secret", "renamed", "removed")
# What the worker's own filters come to: its first act, and what a copy adds.
FILTERS = 2


@functools.cache
def library() -> Path:
    built = Path(tempfile.mkdtemp(prefix="avtool-payload-")) / "payload.so"
    make("cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", built, SOURCE)
    return built


def expected(column: int) -> dict[str, str]:
    """What docs/isolation.md says: the words of a column, by the names in the first one."""
    row = r"^\| `([a-z-]+)` \| (done|refused) \| (done|refused) \|"
    return {name: cells[column] for name, *cells in re.findall(row, TABLE.read_text(encoding="utf-8"), re.MULTILINE)}


def victim(folder: Path) -> Path:
    """A folder of somebody else's files."""
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_text(name)
    return folder


def taken_over(folder: Path, film: Path, words: Sequence[object], lacking: str | None = None) -> dict[str, str]:
    """Runs a command whose worker is taken over as soon as it has its input; gives what it could do."""
    folder = folder / "run"
    folder.mkdir()
    before = victim(folder / "victim")
    with subprocess.Popen(["sleep", "600"]) as other:
        trace: list[object] = ["strace", "-f", "-qq", "-s", "16384", "-e", "trace=write", "-o", folder / "trace"]
        if lacking:
            trace += ["-e", f"trace=write,{lacking}", "-e", f"inject={lacking}:error=ENOSYS"]
        settings = {
            "AVTOOL_PAYLOAD_INPUT": film,
            "AVTOOL_PAYLOAD_FOLDER": before,
            "AVTOOL_PAYLOAD_OTHER": other.pid,
            "AVTOOL_PAYLOAD_FILTERS": FILTERS,
            "LD_PRELOAD": library(),
        }
        for name, value in settings.items():
            trace += ["-E", f"{name}={value}"]
        subprocess.run(
            [str(word) for word in [*trace, AVTOOL, *words]], cwd=folder, env=dict(os.environ), capture_output=True,
            timeout=300, check=False,
        )  # fmt: skip
        other.kill()
    found = re.search(r'write\(2, " ([^"]*)', (folder / "trace").read_text(errors="replace"))
    assert {path.name: path.read_text() for path in before.iterdir()} == {name: name for name in NAMES}
    assert found, f"the worker was not taken over: {words}"
    return dict(pair.split("=") for pair in found[1].replace("\\n", "").split())
