"""The plot of how the time for stills grows: two panels with logarithmic axes, as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Point:
    """One place on the horizontal axis, and the seconds of every tool there."""

    x: int
    seconds: dict[str, float]


@dataclass(frozen=True)
class Panel:
    """Points from left to right, all with the same tools."""

    heading: str
    unit: str
    points: Sequence[Point]


PLOT_WIDTH, PLOT_HEIGHT = 900, 400
PANEL_WIDTH, PANEL_HEIGHT = 300, 250
PANEL_TOP = 82
PANEL_LEFTS = (78, 512)
LABEL_GAP = 16  # between the labels of two lines

# A background of its own, since a page's colours need not be those the reader's system asks for.
STYLE = """\
    text { font-family: system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; font-size: 12px; }
    .ground { fill: #ffffff; }
    .ink { fill: #1f2328; }
    .faint { fill: #59636e; }
    .title { font-size: 15px; font-weight: 600; }
    .panel { font-size: 13px; font-weight: 600; }
    .label { font-weight: 600; }
    .grid { stroke: #e2e6ea; }
    .axis { stroke: #8c959f; }
    .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
    .avtool-line { stroke: #0b62c4; }
    .avtool-fill { fill: #0b62c4; }
    .pyav-line { stroke: #b35900; stroke-dasharray: 7 5; }
    .pyav-fill { fill: #b35900; }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #0d1117; }
      .ink { fill: #e6edf3; }
      .faint { fill: #9aa4af; }
      .grid { stroke: #262c35; }
      .axis { stroke: #6e7681; }
      .avtool-line { stroke: #6cb0ff; }
      .avtool-fill { fill: #6cb0ff; }
      .pyav-line { stroke: #f0a04b; }
      .pyav-fill { fill: #f0a04b; }
    }"""


class LogScale:
    """From numbers to places on a line, by their logarithms."""

    def __init__(self, low: float, high: float, start: float, end: float):
        self.low, self.high = math.log10(low), math.log10(high)
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)


def text(x: float, y: float, content: str, classes: str, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} class="{escape(classes)}">{escape(content)}</text>'


def time_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 of every decade, from the one below `low` to the one above `high`; fewer if they are many."""
    steps = [float(f"{m}e{e}") for e in range(-6, 7) for m in (1, 2, 5)]
    first = max(i for i, step in enumerate(steps) if step <= low)
    last = max(min(i for i, step in enumerate(steps) if step >= high), first + 1)
    ticks = steps[first : last + 1]
    if len(ticks) <= 10:
        return ticks
    return [t for i, t in enumerate(ticks) if i in (0, len(ticks) - 1) or math.log10(t).is_integer()]


def seconds(value: float) -> str:
    return f"{value:g} s" if value >= 1 else f"{value * 1000:g} ms"


def marker(name: str, x: float, y: float, hint: str) -> str:
    title = f"<title>{escape(hint)}</title>"
    if name == "avtool":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="avtool-fill">{title}</circle>'
    return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" class="pyav-fill">{title}</rect>'


def drawn(panel: Panel, left: float, ticks: list[float]) -> list[str]:
    points, unit = panel.points, panel.unit
    bottom, right = PANEL_TOP + PANEL_HEIGHT, left + PANEL_WIDTH
    low, high = float(points[0].x), float(points[-1].x)
    if low == high:  # a single point stands in the middle
        low, high = low / 2, high * 2
    across = LogScale(low, high, left + 14, right - 14)
    up = LogScale(ticks[0], ticks[-1], bottom, PANEL_TOP)
    parts = [text(left, PANEL_TOP - 16, panel.heading, "ink panel")]
    for tick in ticks:
        y = up(tick)
        parts.append(f'<line x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        parts.append(text(left - 8, y + 4, seconds(tick), "faint", "end"))
    parts.append(f'<line x1="{left}" x2="{right}" y1="{bottom}" y2="{bottom}" class="axis"/>')
    for point in points:
        x = across(point.x)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 5}" class="axis"/>')
        parts.append(text(x, bottom + 20, str(point.x), "faint", "middle"))
    parts.append(text((left + right) / 2, bottom + 42, unit, "ink", "middle"))

    ends = {name: up(points[-1].seconds[name]) for name in points[0].seconds}
    for name in reversed(ends):  # avtool on top
        kind = name.lower()
        places = [(across(p.x), up(p.seconds[name]), p) for p in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
        parts.append(f'<polyline points="{path}" class="line {kind}-line"/>')
        parts += [marker(name, x, y, f"{name}, {unit}: {p.x}, {p.seconds[name]:.3f} s") for x, y, p in places]
    # From the top down, each label no closer to the one above than they can be read.
    previous = -math.inf
    for name, y in sorted(ends.items(), key=lambda item: item[1]):
        previous = max(y, previous + LABEL_GAP)
        parts.append(text(right + 2, previous + 4, name, f"label {name.lower()}-fill"))
    return parts


def plot(title: str, *panels: Panel) -> str:
    """The same vertical axis for both panels, so that they compare."""
    walls = [wall for panel in panels for point in panel.points for wall in point.seconds.values()]
    ticks = time_ticks(min(walls), max(walls))
    names = " and ".join(panels[0].points[0].seconds)
    parts = [
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(f'Two panels with lines for {names}; the tables beside the plot have the numbers.')}</desc>",
        f"<style>\n{STYLE}\n  </style>",
        f'<rect width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}" rx="8" class="ground"/>',
        text(PANEL_LEFTS[0], 32, title, "ink title"),
        *(part for panel, left in zip(panels, PANEL_LEFTS) for part in drawn(panel, left, ticks)),
    ]
    box = f'width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}" viewBox="0 0 {PLOT_WIDTH} {PLOT_HEIGHT}"'
    inside = "\n  ".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img">\n  {inside}\n</svg>\n'
