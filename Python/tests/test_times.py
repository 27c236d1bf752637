from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from avtool.times import Time, request, seconds, time_text


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (5, "5s"),
        (Fraction(1001, 30000), "1001/30000s"),
        (Fraction(6, 2), "3s"),
        (Decimal("1.50"), "1.50s"),
        (Decimal("1E-7"), "0.0000001s"),
        (0.1, "0.1s"),
        (1e-9, "0.000000001s"),
        (-0.0, "0s"),
        ("1/3", "1/3"),
        ("01:00:10;02", "01:00:10;02"),
    ],
)
def test_texts(time: Time, text: str) -> None:
    assert time_text(time) == text


@pytest.mark.parametrize("time", [float("nan"), float("inf"), Decimal("NaN"), "", " ", "1,2", "1\0"])
def test_no_times(time: Time) -> None:
    with pytest.raises(ValueError, match="not"):
        time_text(time)


def test_no_numbers() -> None:
    with pytest.raises(TypeError):
        time_text(True)


def test_seconds_of_json() -> None:
    assert seconds({"value": 42496, "timescale": 12800, "seconds": 3.3200000000000003}) == Fraction(332, 100)
    assert seconds(None) is None
    assert seconds({"seconds": "+Infinity"}) is None
    assert request("#12") == "#12"
