"""The ratios that thresholds.json holds, and what measurements say of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from acceptance.tables import table

FILE = Path(__file__).with_name("thresholds.json")
ABOUT = (
    "What part of a peer's time avtool takes, by benchmark, case and peer: the least of some rounds in turns, of "
    "processor time, or of wall time where a case says so. Benchmarks/check --update measures them, on a quiet machine."
)
LIMIT = 1.1
Verdict = Literal["", "better", "worse", "not measured", "no threshold", "no such case"]


@dataclass(frozen=True)
class Finding:
    """One ratio beside its threshold."""

    name: str
    threshold: float | None
    ratio: float | None

    @property
    def verdict(self) -> Verdict:
        if self.threshold is None:
            return "no threshold"
        if self.ratio is None:
            return "not measured"
        if self.ratio > self.threshold * LIMIT:
            return "worse"
        return "better" if self.ratio * LIMIT < self.threshold else ""

    @property
    def is_failure(self) -> bool:
        return self.verdict not in ("", "better")

    @property
    def cells(self) -> list[str]:
        numbers = ["" if value is None else f"{value:.3f}" for value in (self.threshold, self.ratio)]
        change = f"{self.ratio / self.threshold - 1:+.0%}" if self.ratio and self.threshold else ""
        return [self.name, *numbers, change, self.verdict]


class Gone(Finding):
    """A threshold whose case there is no more."""

    @property
    def verdict(self) -> Verdict:
        return "no such case"


def compare(
    ratios: Mapping[str, float], thresholds: Mapping[str, float], wanted: Iterable[str], known: Collection[str]
) -> list[Finding]:
    """Findings for the ratios that were to be measured, and for thresholds that none of all cases has."""
    found = [Finding(name, thresholds.get(name), ratios.get(name)) for name in wanted]
    return found + [Gone(name, thresholds[name], None) for name in thresholds if name not in known]


def names_apart(thresholds: Mapping[str, float], known: Collection[str]) -> list[Finding]:
    """Findings that need no measurement: cases without a threshold, and thresholds without a case."""
    return [finding for finding in compare(thresholds, thresholds, known, known) if finding.is_failure]


def findings_table(findings: Iterable[Finding]) -> str:
    rows = [finding.cells for finding in findings]
    return table(["ratio", "threshold", "now", "change", "finding"], rows)


def read() -> dict[str, float]:
    return {str(name): float(ratio) for name, ratio in json.loads(FILE.read_text(encoding="utf-8"))["ratios"].items()}


def updated(thresholds: Mapping[str, float], ratios: Mapping[str, float], known: Collection[str]) -> dict[str, float]:
    """What was measured instead of what was there; what was not measured stays, unless its case is gone."""
    merged = {**thresholds, **ratios}
    return {name: round(merged[name], 4) for name in known if name in merged}


def document(ratios: Mapping[str, float], measured: Mapping[str, object]) -> str:
    return json.dumps({"about": ABOUT, "measured": measured, "ratios": ratios}, indent=2, ensure_ascii=False) + "\n"
