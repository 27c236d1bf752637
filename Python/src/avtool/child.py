"""A running command whose pipes are all served, so that neither side waits for the other."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterable, Sequence
from typing import IO

# The end of what the command says is kept for messages; all of it is read.
_KEPT_WORDS = 1 << 16
# After SIGTERM it ends within a second as a rule; a busy machine may take longer.
_GRACE = 5.0


class Child:
    def __init__(
        self, words: Sequence[str | bytes], names: Iterable[bytes] | None = None, folder: str | None = None
    ) -> None:
        source, pipe = subprocess.DEVNULL if names is None else subprocess.PIPE, subprocess.PIPE
        self._process = subprocess.Popen(list(words), stdin=source, stdout=pipe, stderr=pipe, cwd=folder)
        self._words = bytearray()
        self._failure_of_names: BaseException | None = None
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        if names is not None:
            threading.Thread(target=self._feed, args=(names,), daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def output(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def words(self) -> str:
        """What it said on standard error, or the end of that."""
        return bytes(self._words).decode(errors="replace").strip()

    def finish(self) -> int:
        """Waits for the end, after all output was read. Negative where a signal ended it."""
        status = self._process.wait()
        self._listener.join(_GRACE)
        self.output.close()
        if self._failure_of_names is not None:
            raise self._failure_of_names
        return status

    def cancel(self) -> None:
        """Asks it to end, and makes it if it does not. May be called from any thread."""
        if self._process.poll() is not None:
            return
        self._process.terminate()
        timer = threading.Timer(_GRACE, self._process.kill)
        timer.daemon = True
        timer.start()

    def close(self) -> None:
        """Ends it if it has not ended, and waits for that."""
        self._process.terminate()
        # What it still wants to write has nobody to go to.
        with contextlib.suppress(OSError):
            self.output.close()
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join(_GRACE)

    def _listen(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as pipe:
            # Of the descriptor, which gives what there is; the stream would wait for more.
            while part := os.read(pipe.fileno(), _KEPT_WORDS):
                self._words += part
                del self._words[:-_KEPT_WORDS]

    def _feed(self, names: Iterable[bytes]) -> None:
        assert self._process.stdin is not None
        try:
            for name in names:
                self._process.stdin.write(name + b"\0")
        except BrokenPipeError:
            pass
        except BaseException as failure:
            # Killed before the pipe is closed, which would make the list look whole.
            self._failure_of_names = failure
            self._process.kill()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
