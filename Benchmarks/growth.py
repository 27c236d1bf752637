"""How the time for stills grows: with their number, and with the film's length.

`--write` puts the tables and a plot into docs/performance. Films take about 26 MB a minute; those longer than three
hours that a run made are deleted again.
"""

from __future__ import annotations

from collections.abc import Sequence

from growth_plot import Panel, Point, plot
from stills import PYAV_ONCE, Stills

from acceptance.made_films import HEIGHT, WIDTH
from acceptance.measure import Result, machine
from acceptance.running import ROOT
from acceptance.tables import table

RESULTS = ROOT / "docs" / "performance"


class Count(Stills):
    """More and more stills from one film."""

    unit = "stills"

    @property
    def x(self) -> int:
        return self.count


class Length(Stills):
    """As many stills from longer and longer films."""

    unit = "minutes"

    @property
    def x(self) -> int:
        return self.minutes


CASES = (
    *(
        Count(f"count-{count}", f"stills: {count}", peers=("pyav",), count=count, is_watched=count < PYAV_ONCE)
        for count in (1, 10, 100, 1000)
    ),
    *(
        Length(f"minutes-{minutes}", f"minutes: {minutes}", peers=("pyav",), minutes=minutes, is_watched=minutes < 180)
        for minutes in (1, 10, 60, 180, 600)
    ),
)


def grown(results: Sequence[Result], kind: type[Count] | type[Length]) -> tuple[list[Point], str]:
    """The points of a panel, and the table of it."""
    points, rows = [], []
    names = {"avtool": "avtool", "pyav": "PyAV"}
    for result in results:
        if not isinstance(result.case, kind):
            continue
        walls = {names[measured.tool.name]: measured.median("wall") for measured in result.tools}
        points.append(Point(result.case.x, walls))
        row = [f"{result.case.x}", f"{walls['avtool']:.3f} s", f"{walls['avtool'] / result.case.count * 1000:.1f} ms"]
        for peer in result.tools[1:]:
            once = " (one round)" if len(peer.rounds) < len(result.own.rounds) else ""
            row += [f"{walls['PyAV']:.3f} s{once}", f"{walls['avtool'] / walls['PyAV']:.2f} ×"]
        rows.append([*row, *(f"{measured.memory:.0f} MB" for measured in result.tools)])
    compared = ["PyAV", "avtool takes"] if "PyAV" in points[0].seconds else []
    head = [kind.unit, "avtool", "avtool, each still", *compared]
    return points, table([*head, *(f"peak memory, {name}" for name in points[0].seconds)], rows, texts=())


def write(results: Sequence[Result], command: str) -> None:
    """The page and the plot in docs/performance."""
    first = results[0]
    counts, count_table = grown(results, Count)
    lengths, length_table = grown(results, Length)
    peer = " and a PyAV loop (`thread_type` AUTO)" if "PyAV" in counts[0].seconds else ""
    case = next(result.case for result in results if isinstance(result.case, Count))
    page = f"""\
# How the time for stills grows

Wall time of `avtool thumbs`{peer} for exact {case.size} JPEG stills from {WIDTH}x{HEIGHT} H.264 in MP4: median of \
{len(first.own.rounds)} interleaved rounds, files in the page cache, and the highest peak memory of the rounds; on \
{machine()["processor"]}, {machine()["cores"]} cores; made by `{command}`.

![Wall time over the number of stills and over the film's length](stills-growth.svg)

## With the number of stills

From a film of {case.minutes} minutes:

{count_table}

## With the length of the film

{lengths_stills(results)} stills from each film:

{length_table}
"""
    drawing = plot(
        "Wall time for exact stills, logarithmic axes",
        Panel(f"A film of {case.minutes} minutes", "stills", counts),
        Panel(f"{lengths_stills(results)} stills", "minutes of film", lengths),
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "stills-growth.md").write_text(page, encoding="utf-8")
    (RESULTS / "stills-growth.svg").write_text(drawing, encoding="utf-8")


def lengths_stills(results: Sequence[Result]) -> int:
    return next(result.case.count for result in results if isinstance(result.case, Length))
