"""Tables in Markdown, with columns that line up in a terminal too."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]], texts: Sequence[int] = (0,)) -> str:
    """The columns `texts` (-1: the last) are text; the others are numbers, which end at the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    are_text = [column in texts or column - len(head) in texts for column in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = zip(row, widths, are_text, strict=True)
        return f"| {' | '.join(cell.ljust(width) if left else cell.rjust(width) for cell, width, left in cells)} |"

    rule = ["-" * width if left else "-" * (width - 1) + ":" for width, left in zip(widths, are_text)]
    return "\n".join([line(head), f"| {' | '.join(rule)} |", *map(line, rows)])


def duration(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.2f} s"


def size(byte_count: float) -> str:
    return f"{byte_count / 1e6:.2f} MB" if byte_count >= 1e6 else f"{byte_count / 1e3:.0f} kB"
