#!/usr/bin/env python3
"""The table of what is random by nature in results, and its masking. All else has to be equal byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Rule:
    """Bytes of results that differ between runs of one build."""

    pattern: str
    replacement: str
    where: str  # output, errors, or a pattern of file names; several with | between them
    commands: str  # those it applies to, with | between them; * for all
    reason: str


TIME = r'\{"seconds":[-0-9.e]+,"timescale":\d+,"value":-?\d+\}'
RULES = [
    Rule(
        r'\{"elapsed":[0-9.e-]+,"event":"progress","fraction":[0-9.e-]+(,"remaining":[0-9.e-]+)?,"size":\d+,'
        rf'"source":"(?:[^"\\]|\\.)*"(,"speed":[0-9.e-]+)?,"time":{TIME}\}}\n',
        "",
        "output|*.jsonl",
        "*",
        "progress of an export comes by the clock: how often, and how far it got; the form of each line is checked",
    ),
    Rule(
        r'("event":"summary".*"seconds":)[0-9.e-]+',
        r"\1N",
        "output",
        "*",
        "how long a run took",
    ),
    Rule(
        r"(avtool: \d+ files? in )[0-9.]+ s",
        r"\1N s",
        "errors",
        "*",
        "how long a run took, with --verbose",
    ),
    Rule(
        r'("format":"avtool-unit".*"seconds":)[0-9.e-]+',
        r"\1N",
        "work/*.units/*.jsonl",
        "unit|merge",
        "how long a unit took, in its receipt",
    ),
    Rule(
        r"decoding entered \d+ times; pictures decoded \d+, headers only \d+, passed over \d+",
        "decoding entered N times; pictures decoded N, headers only N, passed over N",
        "errors",
        "thumbs",
        "threads share the stills among them by the clock, and a thread that has the next GOP reads on",
    ),
    Rule(
        r"damaged at [0-9.]+ s: the picture is damaged: the decoder (concealed|found) errors in it \([^)]*\)",
        "damaged at N s: the picture is damaged",
        "output|errors",
        "frames|export",
        "a defect: a decoder with several threads reports damage of a frame while it gives one of those before it",
    ),
    Rule(
        r'("damagedFrames":)\d+|\d+( damaged frames were passed over)',
        r"\1N\2",
        "output|errors",
        "scenes",
        "a defect: the same; of the frames before the damaged ones, more or fewer are passed over",
    ),
    Rule(
        r"(decoded with errors: )\d+",
        r"\1N",
        "output|errors",
        "export",
        "a defect: the same; one frame or several are called damaged",
    ),
]


def mask(data: bytes, source: str, command: str, rules: Iterable[Rule] = RULES) -> tuple[bytes, list[Rule]]:
    """The bytes with all that is random replaced, and the rules that found something."""
    used = []
    for rule in rules:
        if rule.commands != "*" and command not in rule.commands.split("|"):
            continue
        if not any(fnmatchcase(source, pattern) for pattern in rule.where.split("|")):
            continue
        data, count = re.subn(rule.pattern.encode(), rule.replacement.encode(), data)
        if count:
            used.append(rule)
    return data, used
