#!/usr/bin/env python3
"""What differs between two runs of a job, said so that one sees where to look."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compare.containers import part_of
from compare.randomness import Rule, mask
from compare.runs import LATE, Entry, Outcome

# Lines of a unified diff that are shown.
SHOWN = 24
WIDTH = 300


def differences(old: Outcome, new: Outcome, command: str, used: set[Rule]) -> list[str]:
    """What differs; `used` takes the rules of what is random that were needed."""
    found = []
    if old.code != new.code or LATE in (old.code, new.code):
        found.append(f"exit code: {code_text(old.code)} → {code_text(new.code)}")
    for name, first, second in (("output", old.output, new.output), ("errors", old.errors, new.errors)):
        found += content_differences(f"standard {name}", name, first, second, command, used)
    found += tree_differences(old, new, command, used)
    return found


def code_text(code: int) -> str:
    return "none, the limit of time was reached" if code == LATE else str(code)


def tree_differences(old: Outcome, new: Outcome, command: str, used: set[Rule]) -> Iterator[str]:
    first, second = old.tree(), new.tree()
    for name in sorted(first.keys() | second.keys()):
        if name not in second:
            yield f"{name}: is missing ({first[name].kind})"
        elif name not in first:
            yield f"{name}: is there only now ({second[name].kind})"
        else:
            yield from entry_differences(name, first[name], second[name])
            if first[name].kind == second[name].kind == "file":
                yield from file_differences(name, old.folder / name, new.folder / name, command, used)


def entry_differences(name: str, old: Entry, new: Entry) -> Iterator[str]:
    if old.kind != new.kind:
        yield f"{name}: {old.kind} → {new.kind}"
    elif old.link != new.link:
        yield f"{name}: leads to {old.link} → {new.link}"
    if old.mode != new.mode:
        yield f"{name}: mode {old.mode:04o} → {new.mode:04o}"
    if old.is_older != new.is_older:
        kept = ["kept" if entry.is_older else "new" for entry in (old, new)]
        yield f"{name}: its modification time is {kept[0]} → {kept[1]}"
    if old.attributes != new.attributes:
        yield f"{name}: extended attributes {list(old.attributes)} → {list(new.attributes)}"


def file_differences(name: str, old: Path, new: Path, command: str, used: set[Rule]) -> Iterator[str]:
    for path in (old, new):
        if not path.stat().st_mode & 0o400:
            path.chmod(0o600)
    if old.stat().st_size == new.stat().st_size and old.read_bytes() == new.read_bytes():
        return
    yield from content_differences(name, name, old.read_bytes(), new.read_bytes(), command, used)


def content_differences(name: str, source: str, old: bytes, new: bytes, command: str, used: set[Rule]) -> Iterator[str]:
    """How two contents differ, what is random left out."""
    if old == new:
        return
    old, rules = mask(old, source, command)
    new, others = mask(new, source, command)
    used.update(rules, others)
    if old == new:
        return
    documents = (json_documents(old), json_documents(new))
    if documents[0] is not None and documents[1] is not None and documents[0] != documents[1]:
        yield f"{name}: {json_difference(documents[0], documents[1])}"
    elif is_text(old) and is_text(new):
        lines = list(difflib.unified_diff(text_lines(old), text_lines(new), "old", "new", lineterm="", n=1))
        rest = [f"… {len(lines) - SHOWN} lines more"] if len(lines) > SHOWN else []
        yield "\n".join([f"{name}:", *(f"    {line[:WIDTH]}" for line in [*lines[:SHOWN], *rest])])
    else:
        yield f"{name}: {byte_difference(old, new)}"


def is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def text_lines(data: bytes) -> list[str]:
    """Lines; what differs in their ends only is made visible."""
    return [line.replace("\r", "\\r") for line in data.decode().split("\n")]


def json_documents(data: bytes) -> list[Any] | None:
    """The values of JSON Lines, or the one of a document; none if this is neither."""
    if not data.lstrip().startswith((b"{", b"[")):
        return None
    try:
        return [json.loads(data)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in data.splitlines() if line.strip()]
    except ValueError:
        return None


def json_difference(old: list[Any], new: list[Any]) -> str:
    """The first path at which documents differ."""
    if len(old) == len(new) == 1:
        return path_difference(old[0], new[0], "")
    for index, (first, second) in enumerate(zip(old, new), 1):
        if first != second:
            return f"line {index}: {path_difference(first, second, '')}"
    return f"{len(old)} lines → {len(new)} lines"


def path_difference(old: Any, new: Any, path: str) -> str:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            inner = f"{path}.{key}".lstrip(".")
            if key not in new:
                names = ", ".join(key for key in new if key not in old)
                return f"the key {inner} is missing" + (f"; new is {names}" if names else "")
            if key not in old:
                return f"the key {inner} is new"
            if old[key] != new[key]:
                return path_difference(old[key], new[key], inner)
    if isinstance(old, list) and isinstance(new, list):
        for index, (first, second) in enumerate(zip(old, new)):
            if first != second:
                return path_difference(first, second, f"{path}[{index}]")
        return f"{path or 'the list'} has {len(old)} → {len(new)} elements"
    return f"{path or 'the value'}: {json.dumps(old)[:WIDTH]} → {json.dumps(new)[:WIDTH]}"


def byte_difference(old: bytes, new: bytes) -> str:
    """The first byte that differs and what part of the file it lies in."""
    size = min(len(old), len(new))
    offset = next((i for i in range(0, size, 4096) if old[i : i + 4096] != new[i : i + 4096]), size)
    offset = next((i for i in range(offset, min(offset + 4096, size)) if old[i] != new[i]), size)
    part = part_of(old, offset) or part_of(new, offset)
    sizes = f"{len(old)} bytes" if len(old) == len(new) else f"{len(old)} → {len(new)} bytes"
    said = f"differs from byte {offset} on" + (f", in {part}" if part else "")
    return f"{said}: {old[offset : offset + 8].hex(' ')} → {new[offset : offset + 8].hex(' ')} ({sizes})"
