"""What the tool prints of files: one object for each result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from avtool.failures import Failure
from avtool.times import request, seconds


@dataclass(frozen=True)
class Row:
    """One line of JSON; `data` is all that it holds, the properties what most commands have."""

    data: Mapping[str, Any]
    input: bytes | None
    """The name as it was given; nothing where two names of the list are shown alike."""

    @property
    def source(self) -> str | None:
        r"""The name as it is shown: bytes that are not UTF-8 as `\xE9`."""
        found = self.data.get("source")
        return None if found is None else str(found)

    @property
    def failure(self) -> Failure | None:
        error = self.data.get("error")
        return Failure.of(error) if isinstance(error, Mapping) else None

    @property
    def index(self) -> int | None:
        """Which of the stills it is, from 1."""
        found = self.data.get("index")
        return None if found is None else int(found)

    @property
    def requested(self) -> Fraction | str | None:
        """Seconds, or text where it is the number of a frame that is not there."""
        return request(self.data.get("requested"))

    @property
    def actual(self) -> Fraction | None:
        return seconds(self.data.get("actual"))

    @property
    def files(self) -> list[str]:
        """The files or the folder that were made, as names are shown."""
        for key in ("file", "folder"):
            if (name := self.data.get(key)) is not None:
                return [str(name)]
        return [str(file) for file in self.data.get("files") or []]

    @property
    def is_result(self) -> bool:
        """Whether it tells of a result or a failure, and not of what is planned or how far it got."""
        return self.data.get("event") not in ("plan", "progress")

    @property
    def is_up_to_date(self) -> bool:
        """Whether an earlier run made it, and it was left alone (`--resume`)."""
        return bool(self.data.get("upToDate"))


@dataclass(frozen=True)
class Summary:
    """What became of all files of a run."""

    files: int
    done: int
    failed: int
    kept: int
    left: int
    exit_code: int
    retry: Mapping[str, int]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Summary:
        def count(key: str) -> int:
            return int(data.get(key, 0))

        return cls(
            files=count("files"),
            done=count("done"),
            failed=count("failed"),
            kept=count("kept"),
            left=count("left"),
            exit_code=count("exitCode"),
            retry={str(key): int(value) for key, value in dict(data.get("retry", {})).items()},
        )
