"""One command over any number of files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from avtool.child import Child
from avtool.failures import AvtoolError, Failure, ending
from avtool.names import Name, Origins, name_bytes
from avtool.rows import Row, Summary
from avtool.tool import Tool


def parsed(line: bytes) -> Mapping[str, Any]:
    """The object of a line."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise AvtoolError(Failure("notUnderstood", f"no JSON object: {line[:200]!r}", "later"))
    return found


class Lines(Iterator[Row]):
    """Rows of a running command, as they come. Leaving the `with` block, or `close`, ends it."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._is_over = False
        self._is_cancelled = False

    @property
    def pid(self) -> int:
        return self._child.pid

    def _row(self, data: Mapping[str, Any]) -> Row | None:
        """The row that a line is; nothing for a line of another kind."""
        raise NotImplementedError

    def _check(self, status: int) -> None:
        """Raises where the command did not come to its end."""
        raise NotImplementedError

    def __next__(self) -> Row:
        if self._is_over:
            raise StopIteration
        try:
            # A line without its end is what a command that died left.
            while (line := self._child.output.readline()).endswith(b"\n"):
                if (row := self._row(parsed(line))) is not None:
                    return row
        except BaseException:
            self.close()
            raise
        self._end()
        raise StopIteration

    def _end(self) -> None:
        self._is_over = True
        status = self._child.finish()
        if self._is_cancelled:
            raise AvtoolError(Failure("cancelled", "the run was cancelled", "later"), status)
        self._check(status)

    def cancel(self) -> None:
        """Ends the command from another thread; whoever iterates gets `AvtoolError` with `cancelled`."""
        self._is_cancelled = True
        self._child.cancel()

    def close(self) -> None:
        """Ends the command, and waits for its end."""
        if not self._is_over:
            self._is_over = True
            self._child.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # One whose making failed has nothing to end.
        if hasattr(self, "_is_over"):
            self.close()


class Run(Lines):
    """Rows as they come, in the order of the files.

    A file that fails is a row with `failure`. A run that fails, because the command line is wrong or the command died,
    raises `AvtoolError` after the rows that came before. Rows that nobody takes make the command wait, so memory stays
    small. Leaving the `with` block, or `close`, ends the command.
    """

    def __init__(
        self, tool: Tool, command: Sequence[str], options: Sequence[str | bytes], names: Iterable[bytes]
    ) -> None:
        self._origins = Origins()
        words = [tool.executable, *command, "--json", "--summary", *options, "--files-from", "-", "-0"]
        super().__init__(Child(words, self._origins.watch(names)))
        self.summary: Summary | None = None

    def _row(self, data: Mapping[str, Any]) -> Row | None:
        if data.get("event") == "summary":
            self.summary = Summary.of(data)
            return None
        source = data.get("source")
        return Row(data, None if source is None else self._origins.name(str(source)))

    def _check(self, status: int) -> None:
        if self.summary is None or status < 0:
            raise ending(status, self._child.words)


def run(command: str | Sequence[str], files: Iterable[Name], *options: str | bytes, tool: Tool | None = None) -> Run:
    """Runs a command, such as `thumbs` or `metadata show`, over files, whatever their names are and how many.

    Options are those of the command line. `--json`, `--summary` and the list of files are given already.
    """
    words = command.split() if isinstance(command, str) else list(command)
    return Run(tool or Tool(), words, options, map(name_bytes, files))
