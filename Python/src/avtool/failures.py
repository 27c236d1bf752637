"""What went wrong, by name, and whether it is of any use to try again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

Retry = Literal["never", "later", "elsewhere"]

_NEVER = frozenset({64, 65, 66, 70, 73})


@dataclass(frozen=True)
class Failure:
    """`code` is one of the names in docs/failures.md, or of those below that only this package gives.

    - `toolDied`: the command ended before its work did.
    - `notUnderstood`: it printed what is no answer.
    - `noResult`: it said nothing of a file.
    - `refused`: it did not begin, for a reason that only `message` tells.
    """

    code: str
    message: str
    retry: Retry

    @classmethod
    def of(cls, error: Mapping[str, Any]) -> Failure:
        retry = str(error.get("retry", "never"))
        known = retry if retry in ("never", "later", "elsewhere") else "never"
        return cls(str(error.get("code", "unknown")), str(error.get("message", "")), cast(Retry, known))


class AvtoolError(Exception):
    """A failure of a whole run, or of all that was asked for."""

    def __init__(self, failure: Failure, exit_code: int | None = None) -> None:
        super().__init__(failure, exit_code)
        self.failure = failure
        self.exit_code = exit_code

    @property
    def code(self) -> str:
        return self.failure.code

    @property
    def message(self) -> str:
        return self.failure.message

    @property
    def retry(self) -> Retry:
        return self.failure.retry

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def ending(status: int, words: str) -> AvtoolError:
    """Why a command ended that did not come to its end, by its exit status and what it said."""
    if status == 64:
        return AvtoolError(Failure("usage", words or "the command line is wrong", "never"), status)
    if status == 130:
        return AvtoolError(Failure("cancelled", words or "the command was interrupted", "later"), status)
    how = f"ended by signal {-status}" if status < 0 else f"exit code {status}"
    retry: Retry = "never" if status in _NEVER else "later"
    return AvtoolError(Failure("toolDied", f"{how}: {words}" if words else how, retry), status)


def refusal(status: int, words: str) -> AvtoolError:
    """Why a plan, a unit or a merge was refused, which is told to people only."""
    if status not in _NEVER:
        return ending(status, words)
    code = "usage" if status == 64 else "refused"
    return AvtoolError(Failure(code, words.removeprefix("avtool: ") or f"exit code {status}", "never"), status)
