"""Runs of avtool on a terminal of their own, and what is seen there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from dataclasses import dataclass
from pathlib import Path

from acceptance.running import AVTOOL
from acceptance.tool import LIMIT

ERASE = "\x1b[K"


@dataclass(frozen=True)
class TerminalRun:
    """What a run on a terminal left there."""

    # All that the terminal got.
    text: str
    code: int

    @property
    def rows(self) -> list[str]:
        """What the terminal got between two returns to the beginning of a row."""
        return [row for row in re.split(r"[\r\n]+", self.text) if row]

    @property
    def screen(self) -> list[str]:
        """What is left to be seen in the end, row by row."""
        rows = [re.split(re.escape(ERASE), row)[-1] for row in self.text.replace("\r", "").split("\n")]
        return [row for row in rows if row]

    @property
    def without_progress(self) -> str:
        """All that the terminal got, without rows that were erased and with the command's own line ends."""
        # The terminal makes CR LF of LF, after a CR of the text's own as well.
        return self.text.replace("\r" + ERASE, "").replace("\r\r\n", "\n").replace("\r\n", "\n")


def run_on_terminal(
    folder: Path,
    *words: object,
    columns: int = 80,
    term: str | None = "xterm",
    output_is_terminal: bool = False,
    signal_at_progress: signal.Signals | None = None,
) -> TerminalRun:
    """Runs avtool with a terminal as its standard input and standard error.

    Standard output is dropped unless it is the terminal too. A signal is sent when the first percentage is shown.
    """
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("TERM", "COLUMNS")}
    process = subprocess.Popen(
        [AVTOOL, *map(str, words)],
        cwd=folder,
        stdin=terminal,
        stdout=terminal if output_is_terminal else subprocess.DEVNULL,
        stderr=terminal,
        env=environment | ({"TERM": term} if term else {}),
        start_new_session=True,
    )
    os.close(terminal)
    got, end = b"", time.monotonic() + LIMIT
    try:
        while part := _read(master, end):
            got += part
            if signal_at_progress and b"%" in got:
                process.send_signal(signal_at_progress)
                signal_at_progress = None
        code = process.wait(timeout=max(0, end - time.monotonic()))
    finally:
        process.kill()
        process.wait()
        os.close(master)
    return TerminalRun(got.decode(errors="replace"), code)


def _read(master: int, end: float) -> bytes:
    """The next bytes that a terminal gets; none when nobody writes to it any more."""
    if not select.select([master], [], [], max(0, end - time.monotonic()))[0]:
        raise AssertionError("the command on a terminal did not end in time")
    try:
        return os.read(master, 1 << 16)
    except OSError:
        return b""
