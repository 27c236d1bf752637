from __future__ import annotations

import pytest

from avtool.names import Origins, argument, name_bytes, shown, shown_source


def test_shown() -> None:
    assert shown(b"a\xff\xc3") == "a\\xFF\\xC3"
    assert shown("naïve\n".encode()) == "naïve\n"
    assert shown_source(b"-x") == "./-x"


def test_argument() -> None:
    assert argument(b"-x") == b"./-x"
    assert argument(b"-") == b"./-"
    assert argument(b"http://x/y") == b"./http://x/y"
    assert argument(b"/a") == b"/a"


@pytest.mark.parametrize("name", ["", b"", "a\0b"])
def test_no_names(name: str | bytes) -> None:
    with pytest.raises(ValueError, match="no file"):
        name_bytes(name)


def test_origins() -> None:
    origins = Origins()
    names = [b"a", b"-x", b"\xff", b"\\xFE", b"a=b", b"./a", b"/a=b", b"./-y", b"b\xff", b"b\\xFF"]
    assert list(origins.watch(names)) == names
    for name in names[:8]:
        assert origins.name(shown_source(name)) == name
    assert list(origins.watch([b"./-x"])) and origins.name("./-x") is None
    # These two are shown alike.
    assert origins.name("b\\xFF") is None
