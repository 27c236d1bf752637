"""What Benchmarks/check says of invented measurements, and that thresholds.json and the cases have the same names."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import thresholds

from acceptance.measure import Case, Command, Measured, Result, Tool, Usage
from acceptance.tables import table

STORED = {"a.same/x": 0.5, "a.better/x": 0.5, "a.worse/x": 0.5, "a.edge/x": 0.5, "a.unmeasured/x": 0.5, "a.gone/x": 0.5}
RATIOS = {"a.same/x": 0.52, "a.better/x": 0.4, "a.worse/x": 0.56, "a.edge/x": 0.55, "a.new/x": 0.5}
KNOWN = ["a.same/x", "a.better/x", "a.worse/x", "a.edge/x", "a.unmeasured/x", "a.new/x"]
VERDICTS = {
    "a.same/x": ("", False),
    "a.better/x": ("better", False),
    "a.worse/x": ("worse", True),
    "a.edge/x": ("", False),
    "a.unmeasured/x": ("not measured", True),
    "a.new/x": ("no threshold", True),
    "a.gone/x": ("no such case", True),
}


def nothing(_: Path) -> list[Command]:
    return []


def invented_result() -> Result:
    """Least wall times of 1 and 4 seconds, least processor times of 2 and 3."""
    rounds = {"avtool": [(1, 2), (9, 8)], "peer": [(4, 9), (5, 3)], "absent": []}
    tools = [
        Measured(Tool(name, name, nothing, name), [Usage(wall, cpu, 50) for wall, cpu in usages])
        for name, usages in rounds.items()
    ]
    return Result("a", Case("case", "work", kind="wall"), tools)


def self_test(known: Collection[str]) -> int:
    failures = []

    def expect(what: str, found: object, wanted: object) -> None:
        if found != wanted:
            failures.append(f"{what}: {found!r} instead of {wanted!r}")

    findings = thresholds.compare(RATIOS, STORED, KNOWN, KNOWN)
    expect("findings", {f.name: (f.verdict, f.is_failure) for f in findings}, VERDICTS)
    expect("names apart", {f.name for f in thresholds.names_apart(STORED, KNOWN)}, {"a.new/x", "a.gone/x"})
    quick = thresholds.compare(RATIOS, STORED, ["a.same/x"], KNOWN)
    expect("findings of one case", {f.name for f in quick}, {"a.same/x", "a.gone/x"})
    kept = {"a.same/x": 0.52, "a.better/x": 0.4, "a.worse/x": 0.56, "a.edge/x": 0.55, "a.unmeasured/x": 0.5}
    expect("an update", thresholds.updated(STORED, RATIOS, KNOWN), {**kept, "a.new/x": 0.5})
    expect("a ratio of wall times", invented_result().ratios, {"a.case/peer": 0.25})
    expect(
        "a table", table(["n", "s"], [["a", "10"], ["bc", "2"]]), "| n  |  s |\n| -- | -: |\n| a  | 10 |\n| bc |  2 |"
    )
    for finding in thresholds.names_apart(thresholds.read(), known):
        failures.append(f"thresholds.json: {finding.name}: {finding.verdict}")
    for failure in failures:
        print(f"self-test: {failure}", file=sys.stderr)
    return 1 if failures else 0
