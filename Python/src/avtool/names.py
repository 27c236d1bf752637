"""Names of files, which are bytes, and how the tool shows them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

Name = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def name_bytes(name: Name) -> bytes:
    """The bytes of a name; text that came from the system by surrogates gives the bytes it came from."""
    found = os.fsencode(name)
    if not found or b"\0" in found:
        raise ValueError(f"no file has the name {found!r}")
    return found


def argument(name: bytes) -> bytes:
    """A name as it stands on a command line, where it is no option, no address and not standard input."""
    return name if name.startswith(b"/") else b"./" + name


def shown(name: bytes) -> str:
    r"""A name as JSON has it: bytes that are not UTF-8 as `\xE9`."""
    text = name.decode("utf-8", "surrogateescape")
    return "".join(f"\\x{ord(sign) - 0xDC00:02X}" if "\udc80" <= sign <= "\udcff" else sign for sign in text)


# In a plan, bytes that are part of no UTF-8 are characters of a private area, counted from this one.
_ESCAPES = 0x10FE00


def planned_bytes(text: str) -> bytes:
    """The bytes of a name as a plan has it."""
    return b"".join(
        bytes([ord(sign) - _ESCAPES]) if 0x80 <= ord(sign) - _ESCAPES <= 0xFF else sign.encode() for sign in text
    )


def shown_source(name: bytes) -> str:
    """A name from a list, as `source` has it."""
    return shown(b"./" + name if _is_mistakable(name) else name)


def _is_mistakable(name: bytes) -> bool:
    """Whether a name would be taken for an option or a value, which the tool then prevents."""
    return name.startswith(b"-") or (b"=" in name and not name.startswith((b"/", b".")))


class Origins:
    """Which name of a list a `source` is of.

    Most are told from the text alone; only the others are kept, so that a list may be of any length.
    """

    def __init__(self) -> None:
        self._odd: dict[str, bytes | None] = {}

    def watch(self, names: Iterable[bytes]) -> Iterator[bytes]:
        """The same names, remembered where that is needed."""
        for name in names:
            source = shown_source(name)
            if "\\x" in source or _is_mistakable(name.removeprefix(b"./")):
                known = self._odd.get(source, name)
                # Two names that are shown alike cannot be told apart.
                self._odd[source] = name if known == name else None
            yield name

    def name(self, source: str) -> bytes | None:
        return self._odd[source] if source in self._odd else source.encode()
