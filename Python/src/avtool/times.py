"""Times of a film, exactly: from Python's numbers to the tool's text, and back from its JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

Time = int | float | Fraction | Decimal | str


def time_text(time: Time) -> str:
    """A time in the tool's grammar, without loss. Text is taken as it is: `1/3` is of the film, `1/3s` of a second."""
    if isinstance(time, bool):
        raise TypeError("a time is a number or text")
    if isinstance(time, str):
        if not time.strip() or "," in time or "\0" in time:
            raise ValueError(f"not one time: {time!r}")
        return time
    if isinstance(time, float | Decimal):
        if not math.isfinite(time):
            raise ValueError(f"not a time: {time}")
        return _decimal_text(Decimal(repr(time)) if isinstance(time, float) else time)
    return _rational_text(Fraction(time))


def _decimal_text(number: Decimal) -> str:
    # `f` writes no exponent, which the tool's grammar does not promise; nor does that have a zero with a sign.
    return f"{number:f}s" if number else "0s"


def _rational_text(number: Fraction) -> str:
    return f"{number.numerator}s" if number.denominator == 1 else f"{number.numerator}/{number.denominator}s"


def seconds(time: object) -> Fraction | None:
    """The exact seconds of a time in JSON; nothing where it has none, or one that is infinite or unknown."""
    if not isinstance(time, Mapping) or not time.get("timescale") or "value" not in time:
        return None
    return Fraction(int(time["value"]), int(time["timescale"]))


def request(time: object) -> Fraction | str | None:
    """A time that was asked for: the number of a frame stays text."""
    return time if isinstance(time, str) else seconds(time)
