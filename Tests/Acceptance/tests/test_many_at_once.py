"""Many runs of the command at the same time: each makes the right picture, whatever the others do."""

from __future__ import annotations

import pytest

from acceptance.films import fixture
from acceptance.many_at_once import many_at_once


def test_some_at_once() -> None:
    found = many_at_once(16, 4000, fixture("movie.mp4"))
    assert (found["right"], found["codes"], found["left"]) == (16, {"0": 16}, []), found


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_five_hundred_at_once() -> None:
    found = many_at_once(500, 8000, fixture("movie.mp4"))
    print(found)
    assert (found["right"], found["codes"], found["left"]) == (500, {"0": 500}, []), found


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_five_hundred_at_once_in_little_memory() -> None:
    """Where there is too little memory for all of them, some are ended by the system; none of them lies."""
    found = many_at_once(500, 2000, fixture("movie.mp4"))
    print(found)
    codes = found["codes"]
    assert isinstance(codes, dict)
    # 75 says that memory was short; -9 is the system's doing, of which nobody can say anything.
    assert set(codes) <= {"0", "75", "-9"}, found
    assert (found["wrong"], found["left"]) == (0, []), found
    # Some are ended after their picture was made.
    assert found["right"] >= codes["0"] > 0, found
