"""A table of what came of each test, a row as it ends, so that a run of hours can be taken up again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HEAD = ("test", "outcome", "seconds", "facts", "reason")


class Report:
    """Appends a row for each test to a file, and leaves out the tests that have one there."""

    def __init__(self, path: Path, is_writer: bool) -> None:
        self.path, self.is_writer = path, is_writer
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.done = {line.split("\t")[0] for line in lines[1:]}
        if is_writer and not lines:
            self.append(*HEAD)

    def append(self, *cells: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            print(*(re.sub(r"\s+", " ", cell) for cell in cells), sep="\t", file=file)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        left_out = [item for item in items if item.nodeid in self.done]
        items[:] = [item for item in items if item.nodeid not in self.done]
        config.hook.pytest_deselected(items=left_out)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # A test that is skipped, or whose fixtures fail, ends with its setup.
        if not self.is_writer or (report.when != "call" and report.passed):
            return
        outcome = str(report.outcome)
        if hasattr(report, "wasxfail"):
            outcome = "xpassed" if report.passed else "xfailed"
        facts = "; ".join(f"{name}={value}" for name, value in report.user_properties)
        self.append(report.nodeid, outcome, f"{report.duration:.2f}", facts, reason_of(report))


def reason_of(report: pytest.TestReport) -> str:
    if hasattr(report, "wasxfail"):
        return str(report.wasxfail)
    if report.passed:
        return ""
    if isinstance(report.longrepr, tuple):  # of what is skipped: file, line, reason
        return report.longrepr[2]
    crash = getattr(report.longrepr, "reprcrash", None)
    return crash.message if crash else report.longreprtext
