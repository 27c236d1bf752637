"""Runs of the built command in a folder of a test's own, and what they leave there."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from acceptance.films import fixture
from acceptance.media import THUMB, number_in
from acceptance.running import AVTOOL, Json, parsed

# How many seconds a run may take on a busy machine; the limits of tests are those of an idle one.
LIMIT = 120
# The same for what has a browser show many things, which takes half a minute on an idle machine.
BROWSER_LIMIT = 500


@dataclass(frozen=True)
class ToolRun:
    """One finished run of a program."""

    words: tuple[str, ...]
    # The exit code, or the number of the signal that ended the process, negative.
    code: int
    output: bytes
    diagnostics: str

    @property
    def text(self) -> str:
        return self.output.decode(errors="replace")

    @property
    def lines(self) -> list[str]:
        return [line for line in self.text.split("\n") if line]

    @property
    def diagnostic_lines(self) -> list[str]:
        """The lines of standard error, without the one at the end that counts files."""
        lines = [line for line in self.diagnostics.split("\n") if line]
        return lines[:-1] if lines and re.match(r"avtool: \d+ files?: \d+ done", lines[-1]) else lines

    @property
    def json(self) -> list[Json]:
        """The objects of JSON Lines; any other line is an error."""
        objects = [json.loads(line) for line in self.lines]
        assert all(isinstance(value, dict) for value in objects), self
        return objects

    def expect(self, code: int = 0) -> ToolRun:
        """Fails unless the run ended with an exit code."""
        assert self.code == code, f"exit code {self.code}, not {code}: {self}"
        return self

    def __str__(self) -> str:
        return f"{' '.join(self.words)}\nexit code {self.code}\n{self.text[:2000]}\n{self.diagnostics[:4000]}"


def run_program(
    words: Sequence[object],
    folder: Path,
    *,
    environment: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    limit: float = LIMIT,
    signals: tuple[signal.Signals, Callable[[], bool]] | None = None,
) -> ToolRun:
    """Runs a program in a folder and waits for its end.

    `environment` is added to the test's own. `signals` is a signal that is sent once, as soon as its condition holds.
    """
    command = [str(word) for word in words]
    variables = os.environ | {"AVTOOL": AVTOOL, "COLUMNS": "80"} | dict(environment or {})
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    ended = threading.Event()
    sender = threading.Thread(target=_send, args=(process, signals, ended)) if signals else None
    if sender:
        sender.start()
    try:
        output, diagnostics = process.communicate(stdin, timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        output, diagnostics = process.communicate()
        raise AssertionError(f"took more than {limit} s: {command}\n{diagnostics.decode(errors='replace')}") from None
    finally:
        ended.set()
        if sender:
            sender.join()
    return ToolRun(tuple(command), process.returncode, output, diagnostics.decode(errors="replace"))


def _send(
    process: subprocess.Popen[bytes], signals: tuple[signal.Signals, Callable[[], bool]], ended: threading.Event
) -> None:
    number, condition = signals
    while not ended.wait(0.002):
        if condition():
            process.send_signal(number)
            return


def tool(
    folder: Path,
    *words: object,
    environment: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    limit: float = LIMIT,
    signals: tuple[signal.Signals, Callable[[], bool]] | None = None,
) -> ToolRun:
    """Runs avtool in a folder."""
    return run_program([AVTOOL, *words], folder, environment=environment, stdin=stdin, limit=limit, signals=signals)


def shell(folder: Path, script: str, limit: float = LIMIT) -> ToolRun:
    """Runs a script of bash, which finds the command as `$AVTOOL`."""
    return run_program(["/bin/bash", "-c", script], folder, limit=limit)


def names(folder: Path) -> list[str]:
    """The sorted names of everything in a folder, hidden files too, without the test's folder for temporary files."""
    return sorted(entry.name for entry in folder.iterdir() if entry.name != "tmp")


def copy_fixture(name: str, to: Path) -> Path:
    """Copies a fixture; the copy can be written to."""
    shutil.copyfile(fixture(name), to)
    return to


def sidecar(name: str) -> Json:
    """What ffprobe says of a fixture."""
    document: Json = json.loads(fixture(f"expected/{name}.json").read_text(encoding="utf-8"))
    return document


def picture_size(path: Path) -> str:
    """The codec and the size that ffprobe finds in a picture file, as in `png,320,240`."""
    words = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", path]
    return run_program(words, path.parent).text.strip()


def ffprobe(path: Path, entries: str, *options: str) -> list[str]:
    """What ffprobe shows of some entries of a file, a line of comma-separated values for each section."""
    return run_program(
        ["ffprobe", "-v", "error", *options, "-show_entries", entries, "-of", "csv=p=0", path], path.parent
    ).lines


def tags(path: Path) -> dict[str, str]:
    """The tags that ffprobe finds in the file and its streams, keys in lower case; those of the file count first."""
    words = ["ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "json", path]
    shown = parsed(words)
    found: dict[str, str] = {}
    for part in [*shown.get("streams", []), shown.get("format", {})]:
        found |= {key.lower(): value for key, value in part.get("tags", {}).items()}
    return found


def media_hash(path: Path) -> str:
    """Hashes of the packets of each video and audio track, in file order; covers are left out."""
    tracks = ["-map", "0:V?", "-map", "0:a?", "-c", "copy", "-f", "streamhash", "-hash", "md5"]
    hashes = run_program(["ffmpeg", "-v", "error", "-nostdin", "-i", path, *tracks, "-"], path.parent).expect(0).text
    assert hashes, f"no media in {path}"
    return hashes


def frame_number(path: Path) -> int | None:
    """The frame number that a still shows in its bars, as fixtures have them; `None` if there is none."""
    with Image.open(path) as image:
        return number_in(image.convert("L").resize((THUMB, THUMB), Image.Resampling.BOX).tobytes())


def ticks(value: Json) -> tuple[int, int]:
    """Value and timescale of a time in JSON."""
    return value["value"], value["timescale"]


def eventually(condition: Callable[[], bool], within: float = LIMIT) -> bool:
    """Waits for a condition, which is looked at every few milliseconds."""
    end = time.monotonic() + within
    while not condition():
        if time.monotonic() >= end:
            return False
        time.sleep(0.002)
    return True


def program_copy(program: Path | str, to: Path) -> Path:
    """A program under another name: a link where the file system allows one, since programs are large."""
    source = Path(program).resolve()
    try:
        to.hardlink_to(source)
    except OSError:
        shutil.copy(source, to)
    return to


_MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:])
_, status, used = os.wait4(process.pid, 0)
open(sys.argv[1], "w").write(str(used.ru_maxrss // 1024))
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
"""


def measured(
    words: Sequence[object], folder: Path, *, environment: Mapping[str, str] | None = None
) -> tuple[ToolRun, int]:
    """Runs a program, and finds the MiB of memory that the largest of its processes took.

    Another process starts it: a child's peak memory counts from what its parent holds.
    """
    peak = folder / "peak"
    run = run_program([sys.executable, "-I", "-c", _MEASURE, peak, *words], folder, environment=environment)
    mebibytes = int(peak.read_text())
    peak.unlink()
    return run, mebibytes


def run_with_open_input(words: Sequence[object], folder: Path, data: bytes) -> ToolRun:
    """Runs a program whose standard input is a pipe that has some bytes, and then neither more nor an end."""
    command = [str(word) for word in words]
    reader, writer = os.pipe()
    pipe = subprocess.PIPE
    variables = os.environ | {"AVTOOL": AVTOOL, "COLUMNS": "80"}
    process = subprocess.Popen(command, cwd=folder, env=variables, stdin=reader, stdout=pipe, stderr=pipe)
    os.close(reader)

    def write() -> None:
        rest = memoryview(data)
        with suppress(BrokenPipeError):
            while rest:
                rest = rest[os.write(writer, rest) :]

    thread = threading.Thread(target=write)
    thread.start()
    try:
        output, diagnostics = process.communicate(timeout=LIMIT)
    finally:
        process.kill()
        thread.join()
        os.close(writer)
    return ToolRun(tuple(command), process.returncode, output, diagnostics.decode(errors="replace"))
