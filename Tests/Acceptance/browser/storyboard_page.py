#!/usr/bin/env python3
"""Checks a storyboard's page, or its WebVTT file, in headless Chromium.

usage: storyboard_page.py page FOLDER [--title TEXT] [--film plays|missing] [--damaged CUE] [--gap CUE]
                               [--screenshots FOLDER]
       storyboard_page.py track FOLDER

`page` opens FOLDER/index.html as a file and from a server, and judges it by
FOLDER/storyboard.vtt. `track` lets the browser's own WebVTT parser read that
file. One line for each check; the exit code is 1 if one of them failed.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import math
import re
import sys
import urllib.parse
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

from storyboard_cues import Cue, clock, cue_at, read_cues
from webdriver import Browser, Server, signature

Box = dict[str, float]  # a rectangle in the window
failures = 0


def check(name: str, passed: bool, detail: object = "") -> bool:
    global failures
    failures += not passed
    print(f"{'ok  ' if passed else 'FAIL'} {name}" + (f": {detail}" if detail != "" and not passed else ""), flush=True)
    return passed


def equal(name: str, found: object, wanted: object) -> bool:
    return check(name, found == wanted, f"{found!r} instead of {wanted!r}")


class Markup(HTMLParser):
    """What a page is made of; complains about elements that are not closed in order."""

    EMPTY = frozenset({"meta", "img", "br", "link", "input", "hr", "source", "track"})

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        self.faults += [f"{name} is not closed" for name in self.open]

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        names = [key for key, _ in attributes]
        if len(set(names)) < len(names):
            self.faults.append(f"{name} has an attribute twice")
        self.elements.append((name, {key: value or "" for key, value in attributes}))
        if name not in self.EMPTY:
            self.open.append(name)

    def handle_endtag(self, name: str) -> None:
        if not self.open or self.open.pop() != name:
            self.faults.append(f"</{name}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


def check_markup(text: str, title: str | None) -> None:
    markup = Markup(text)
    equal("every element is closed in order", markup.faults, [])
    ids = [attributes["id"] for _, attributes in markup.elements if "id" in attributes]
    check("ids are unique", len(set(ids)) == len(ids), ids)
    check(
        "no element has a handler or a style of its own",
        not any(key.startswith("on") or key == "style" for _, attributes in markup.elements for key in attributes),
    )
    urls = [v for _, attributes in markup.elements for k, v in attributes.items() if k in ("src", "href", "poster")]
    outside = [u for u in urls if not u.startswith("data:image/") and re.match(r"[a-z][a-z0-9+.-]*:|//", u, re.I)]
    equal("no URL leads elsewhere", outside, [])
    if title is not None:
        equal("the title stands as it is", "".join(markup.texts["h1"]), title)
    policy = next(a["content"] for n, a in markup.elements if a.get("http-equiv") == "Content-Security-Policy")
    for name, parts in [("style", markup.texts["style"]), ("script", markup.texts["script"][-1:])]:
        wanted = "'sha256-" + base64.b64encode(hashlib.sha256("".join(parts).encode()).digest()).decode() + "'"
        check(f"the policy allows the page's {name} by its hash", f"{name}-src {wanted}" in policy, f"it is {wanted}")


class Page:
    """The page in a browser, and what its storyboard says that it has to show."""

    def __init__(self, browser: Browser, cues: list[Cue], shots: Path | None):
        self.browser, self.cues, self.shots = browser, cues, shots
        self.signatures: dict[int, list[float]] = {}

    def read_tiles(self, base: str) -> None:
        """What the sheets' files hold, cut out by the cues' own coordinates, without the page."""
        self.browser.open(base + "blank")
        wanted = sorted(
            set(range(0, len(self.cues), max(1, len(self.cues) // 40)))
            | {index + by for index in self.places() for by in (-1, 0, 1) if 0 <= index + by < len(self.cues)}
        )
        jobs = [{"url": self.cues[index].sheet, "box": self.cues[index].box} for index in wanted]
        found = self.browser.wait(
            """const sheets = {};
            (async () => {
              const result = [];
              for (const {url, box} of arguments[0]) {
                if (!sheets[url]) {
                  sheets[url] = new Image();
                  sheets[url].src = url;
                  await sheets[url].decode();
                }
                const canvas = document.createElement('canvas');
                [canvas.width, canvas.height] = [Math.min(128, box[2]), Math.min(128, box[3])];
                const context = canvas.getContext('2d');
                context.imageSmoothingQuality = 'high';
                context.drawImage(sheets[url], ...box, 0, 0, canvas.width, canvas.height);
                result.push(canvas.toDataURL('image/png').split(',')[1]);
              }
              return result;
            })().then(done, error => done(String(error)));""",
            jobs,
        )
        if isinstance(found, str):
            raise OSError(f"the sheets cannot be read: {found}")
        self.signatures = {index: signature(base64.b64decode(png)) for index, png in zip(wanted, found)}

    def places(self) -> list[int]:
        """The cues that are looked at: spread over the film, with its ends."""
        last = len(self.cues) - 1
        return sorted({round(last * part / 8) for part in range(9)} | {min(1, last)})

    def shoot(self, name: str) -> None:
        if self.shots:
            self.shots.mkdir(parents=True, exist_ok=True)
            (self.shots / f"{name}.png").write_bytes(self.browser.screenshot())

    def text(self, selector: str) -> str:
        return str(self.browser.run("return document.querySelector(arguments[0]).textContent", selector))

    def bar(self) -> Box:
        box: Box = self.browser.run("""document.querySelector('#bar').scrollIntoView({block: 'center'});
            return document.querySelector('#bar').getBoundingClientRect().toJSON()""")
        return box

    def exact_time(self, x: float, box: Box) -> float:
        """The time in milliseconds that a place on the bar stands for."""
        begin, end = self.cues[0].start, self.cues[-1].end
        return begin + (x - box["left"]) / box["width"] * (end - begin)

    def time(self, x: float, box: Box) -> int:
        return min(max(round(self.exact_time(x, box)), self.cues[0].start), self.cues[-1].end)

    def x(self, ms: float, box: Box) -> float:
        """The place on the bar that stands for a time."""
        begin, end = self.cues[0].start, self.cues[-1].end
        return box["left"] + (ms - begin) / (end - begin) * box["width"]

    def value(self) -> int:
        return int(self.browser.run("return document.querySelector('#bar').getAttribute('aria-valuenow')"))

    def nearest(self, selector: str) -> tuple[int, float]:
        """The cue whose tile is most like what is on screen, and how far from it that is on average."""
        self.browser.until("!document.querySelector(arguments[0]).classList.contains('loading')", selector)
        seen = signature(self.browser.picture(selector))
        scores = {
            index: sum(abs(a - b) for a, b in zip(seen, wanted)) / len(wanted)
            for index, wanted in self.signatures.items()
        }
        best = min(scores, key=lambda index: scores[index])
        return best, scores[best]

    def shows(self, name: str, cue: int, selector: str) -> None:
        best, distance = self.nearest(selector)
        # Tiles may look alike; what counts is that the one on screen looks like the one that is due.
        same = sum(abs(a - b) for a, b in zip(self.signatures[best], self.signatures[cue])) / 192 < 1.5
        check(name, same and distance < 10, f"tile {best} (off by {distance:.1f}) instead of {cue}")

    def check_pointer(self, selector: str) -> None:
        box = self.bar()
        y = box["top"] + box["height"] / 2
        for index in self.places():
            cue = self.cues[index]
            x = round(self.x((cue.start + cue.end) / 2, box))
            self.browser.point(x, y)
            ms = self.time(x, box)
            due = cue_at(self.cues, ms)
            if due not in self.signatures:
                continue
            equal(f"the pointer at pixel {x} names its time", self.text("#moment"), clock(ms))
            self.shows(f"the pointer at {clock(ms)} shows picture {due + 1}", due, selector)
            if index == round((len(self.cues) - 1) / 2):
                self.shoot("pointer")
        self.browser.point(5, 5)

    def check_dragging(self) -> None:
        box = self.bar()
        y = box["top"] + box["height"] / 2
        for kind in ("mouse", "touch", "pen"):
            to = round(box["left"] + box["width"] * {"mouse": 0.3, "touch": 0.6, "pen": 0.8}[kind])
            self.browser.drag([(round(box["left"] + box["width"] / 2), y), (to, y)], kind=kind)
            equal(f"dragging by {kind} moves the position", self.value(), self.time(to, box))
            self.browser.point(5, 5)

    def check_keys(self) -> None:
        self.browser.run("document.querySelector('#bar').focus()")
        last, at = len(self.cues) - 1, 0
        role = self.browser.run("""const bar = document.activeElement;
            return ['role', 'aria-valuemin', 'aria-valuemax'].map(name => bar.getAttribute(name))""")
        equal(
            "the bar is a slider from the film's beginning to its end",
            role,
            ["slider", str(self.cues[0].start), str(self.cues[-1].end)],
        )
        moves = [
            ("Home", -last),
            ("ArrowRight", 1),
            ("ArrowRight", 1),
            ("ArrowLeft", -1),
            ("PageUp", 10),
            ("PageUp", 10),
            ("PageDown", -10),
            ("ArrowUp", 1),
            ("ArrowDown", -1),
            ("End", last),
            ("ArrowRight", 1),
            ("ArrowLeft", -1),
        ]
        for key, step in moves:
            self.browser.press(key)
            at = min(max(at + step, 0), last)
            equal(
                f"{key} moves to cue {at + 1}",
                [self.value(), self.text("#number"), self.text("#moment")],
                [self.cues[at].start, f"{at + 1} of {last + 1}", clock(self.cues[at].start)],
            )
        spoken = self.browser.run("return document.querySelector('#bar').getAttribute('aria-valuetext')")
        check("the slider says its time", spoken.startswith(clock(self.cues[at].start)), spoken)
        outline = self.browser.run("return getComputedStyle(document.querySelector('#bar')).outlineStyle")
        equal("the focus is to be seen", outline, "solid")

    def check_table(self) -> None:
        self.browser.run("document.activeElement.blur(); document.querySelector('#table').scrollIntoView()")
        count = len(self.cues)
        equal(
            "the table says how many rows it has",
            self.browser.run("return document.querySelector('#table').getAttribute('aria-rowcount')"),
            str(count + 1),
        )
        made = self.browser.run("return document.querySelectorAll('#rows tr').length")
        check("only the rows to be seen are made", made <= min(count, 60), made)
        for index in {0, count // 2, count - 1}:
            self.browser.run(
                """const table = document.querySelector('#table');
                table.scrollTop = table.scrollHeight * arguments[0] / arguments[1]""",
                index,
                count,
            )
            there = self.browser.until("document.querySelector(`#rows tr[data-cue='${arguments[0]}']`)", index)
            if not check(f"row {index + 1} is made when it is scrolled to", there):
                continue
            cells = self.browser.run(
                """return [...document.querySelectorAll(
                `#rows tr[data-cue='${arguments[0]}'] td`)].map(cell => cell.textContent)""",
                index,
            )
            equal(
                f"row {index + 1} names its times",
                cells[1:3],
                [clock(self.cues[index].start), clock(self.cues[index].end)],
            )
            row = f"#rows tr[data-cue='{index}']"
            self.browser.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", row)
            self.shows(f"row {index + 1} shows its picture", index, row + " canvas")
            self.browser.run("document.querySelector(arguments[0]).click()", row)
            equal(f"a click on row {index + 1} moves there", self.value(), self.cues[index].start)
        self.browser.press("Home")
        self.browser.press("ArrowDown")
        self.browser.press("Enter")
        equal("Enter on a row moves there", self.value(), self.cues[min(1, count - 1)].start)
        selected = self.browser.run("""return [...document.querySelectorAll('#rows tr[aria-selected=true]')]
            .map(row => Number(row.dataset.cue))""")
        equal("the row that is shown is the selected one", selected, [min(1, count - 1)])

    def check_notes(self, kind: str, number: int) -> None:
        """A picture that is not to be trusted is marked on the bar, in the table and beside the preview."""
        cue, box = self.cues[number - 1], self.bar()
        marks = self.browser.run(
            """return [...document.querySelectorAll(`#marks .${arguments[0]}`)]
            .map(mark => [mark.getBoundingClientRect().left, mark.getBoundingClientRect().right])""",
            kind,
        )
        spans = [[self.exact_time(x, box) for x in mark] for mark in marks]
        hits = [span for span in spans if span[0] < cue.end and span[1] > cue.start]
        if not check(f"the bar marks cue {number} ({kind})", len(hits) == 1, spans):
            return
        middle = (max(hits[0][0], cue.start) + min(hits[0][1], cue.end)) / 2
        self.browser.point(self.x(middle, box), box["top"] + box["height"] / 2)
        equal(
            f"the preview says so ({kind})",
            self.browser.run("const note = document.querySelector('#note'); return [note.hidden, note.className]"),
            [False, kind],
        )
        self.shoot(kind)
        self.browser.point(5, 5)
        self.browser.run("document.querySelector('#table').scrollTop = (arguments[0] - 1) * 60", number)
        is_marked = self.browser.until(
            """[...document.querySelectorAll(`#rows tr[data-cue='${arguments[0]}'] .badge`)].some(
            badge => badge.classList.contains(arguments[1]) && badge.title)""",
            number - 1,
            kind,
        )
        check(f"the table marks cue {number} ({kind})", is_marked)

    def check_looks(self, name: str) -> None:
        def color() -> str:
            return str(self.browser.run("return getComputedStyle(document.body).backgroundColor"))

        seen = {}
        for scheme in ("light", "dark"):
            self.browser.devtools(
                "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
            )
            self.browser.run("scrollTo(0, 0)")
            seen[scheme] = sum(map(int, re.findall(r"\d+", color())[:3]))
            for width, height in ((1440, 900), (820, 1000), (320, 640)):
                self.browser.size(width, height)
                wide = self.browser.run("return document.documentElement.scrollWidth")
                check(f"nothing is cut off at {width} pixels, {scheme}", wide <= width, wide)
                cut = self.browser.run("""return [...document.querySelectorAll('td, th, dd')].filter(
                    cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)""")
                equal(f"every cell is wide enough at {width} pixels, {scheme}", cut, [])
                self.shoot(f"{name}-{scheme}-{width}")
        check("light is light and dark is dark", seen["light"] > 600 and seen["dark"] < 150, seen)
        self.browser.devtools("Emulation.setEmulatedMedia", features=[])
        self.browser.size(1280, 900)

    def check_without_script(self, url: str, name: str) -> None:
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.open(url)
        self.shoot(f"{name}-without-script")
        height = self.browser.devtools("Page.getLayoutMetrics")["cssContentSize"]["height"]
        sheets = len({cue.sheet for cue in self.cues})
        check("without script the sheets are shown", height > 80 * sheets, height)
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=False)

    def check_film(self, plays: bool) -> None:
        if not plays:
            there = self.browser.until("!document.querySelector('#trouble').hidden")
            check("a film that cannot be played is said so", there)
            check(
                "the storyboard takes its place",
                self.browser.run(
                    "return document.querySelector('#film').hidden && !document.querySelector('#picture').hidden"
                ),
            )
            return
        if not check("the film loads", self.browser.until("document.querySelector('#film').readyState >= 1")):
            return
        cue = self.cues[len(self.cues) // 2]
        box = self.bar()
        x = round(self.x((cue.start + cue.end) / 2, box))
        self.browser.point(x, box["top"] + 20, press=True)
        wanted = self.time(x, box)
        check(
            "a click on the bar seeks",
            self.browser.until(
                "Math.abs(document.querySelector('#film').currentTime * 1000 - arguments[0]) < 2", wanted
            ),
            f"{self.browser.run('return document.querySelector(`#film`).currentTime')} instead of {wanted} ms",
        )
        self.shoot("film")
        self.browser.point(5, 5)
        self.browser.run("document.querySelector('#bar').focus()")
        self.browser.press("Home")
        check(
            "a key on the bar seeks",
            self.browser.until(
                "Math.abs(document.querySelector('#film').currentTime * 1000 - arguments[0]) < 2", self.cues[0].start
            ),
        )
        self.browser.wait("document.querySelector('#film').play().then(() => done(), done)")
        moved = self.browser.until(
            "document.querySelector('#bar').getAttribute('aria-valuenow') > arguments[0] + 300", self.cues[0].start
        )
        check("the bar follows the film", moved, self.value())
        width = self.browser.run("return document.querySelector('#progress').getBoundingClientRect().width")
        check("progress is shown", width > 0, width)
        self.browser.run("document.querySelector('#film').pause()")

    def check_quiet(self, allowed: list[str], film_is_missing: bool) -> None:
        asked = [url for url in self.browser.requests() if not url.startswith("data:")]
        away = [url for url in asked if not url.startswith(tuple(allowed))]
        equal("no request leaves", away, [])
        loud = [
            entry["message"]
            for entry in self.browser.log("browser")
            if not ((film_is_missing and "ERR_FILE_NOT_FOUND" in entry["message"]) or "404" in entry["message"])
        ]
        equal("the console is silent", loud, [])


def beginning(folder: Path) -> int:
    """Where the film begins, or the part of it that the storyboard covers: in milliseconds of its cues."""
    path = folder / "storyboard.json"
    if not path.exists():
        return 0
    document = json.loads(path.read_text(encoding="utf-8"))
    times = [document["part"]["start"]] + ([document["origin"]] if document["times"] == "container" else [])
    return max(0, math.ceil(sum(Fraction(time["value"], time["timescale"]) for time in times) * 1000))


def check_page(arguments: argparse.Namespace) -> None:
    folder = arguments.folder.resolve()
    cues = read_cues(folder / "storyboard.vtt")
    check("there are cues", bool(cues))
    # A first cue covers what lies before the film's own beginning, too, which the page leaves out.
    cues[0].start = max(cues[0].start, beginning(folder))
    check_markup((folder / "index.html").read_text(encoding="utf-8"), arguments.title)
    missing = arguments.film == "missing"
    # The film lies beside the folder.
    with Browser() as browser, Server(folder.parent) as server:
        base = f"{server.url}{urllib.parse.quote(folder.name)}/"
        page = Page(browser, cues, arguments.screenshots)
        page.read_tiles(base)
        file_url = "file://" + urllib.parse.quote(str(folder / "index.html"))
        for name, url in (("file", file_url), ("server", base + "index.html")):
            print(f"-- from a {name}")
            browser.log("performance"), browser.log("browser")
            browser.open(url)
            if arguments.film:
                page.check_film(not missing)
            page.check_pointer("#thumbnail" if arguments.film == "plays" else "#picture")
            for kind, number in (("damage", arguments.damaged), ("gap", arguments.gap)):
                if number:
                    page.check_notes(kind, number)
            page.check_dragging()
            page.check_keys()
            page.check_table()
            heading = browser.run("return [document.querySelector('h1').textContent, document.title]")
            if arguments.title is not None:
                equal("the heading is the title", heading, [arguments.title, " ".join(arguments.title.split())])
            equal(
                "there is no element from elsewhere",
                browser.run("return [document.scripts.length, document.images.length]"),
                [2, len({cue.sheet for cue in cues})],
            )
            page.check_quiet(["file:///"] if name == "file" else [server.url], missing)
            if name == "file":
                page.check_looks("page")
                page.check_without_script(url, "page")


def check_track(arguments: argparse.Namespace) -> None:
    folder = arguments.folder.resolve()
    wanted = [
        [c.start, c.end, f"{c.sheet}#xywh={','.join(map(str, c.box))}"] for c in read_cues(folder / "storyboard.vtt")
    ]
    with Browser() as browser, Server(folder) as server:
        browser.open(server.url + "blank")
        found = browser.wait("""const track = document.createElement('track');
            [track.kind, track.src] = ['metadata', 'storyboard.vtt'];
            track.onload = () => done([...track.track.cues].map(
              cue => [Math.round(cue.startTime * 1000), Math.round(cue.endTime * 1000), cue.text]));
            track.onerror = () => done('the browser could not read it');
            const video = document.createElement('video');
            video.append(track);
            document.body.append(video);
            track.track.mode = 'hidden';""")
        check("there are cues", bool(wanted))
        equal("the browser's own parser reads the same cues", found, wanted)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["page", "track"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--title", help="what the page's heading has to be")
    parser.add_argument("--film", choices=["plays", "missing"], help="for a page with a player")
    parser.add_argument("--damaged", type=int, metavar="CUE", help="a cue whose picture is damaged, from 1")
    parser.add_argument("--gap", type=int, metavar="CUE", help="a cue whose picture stands in for others, from 1")
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER", help="where pictures of the page go")
    arguments = parser.parse_args()
    (check_page if arguments.mode == "page" else check_track)(arguments)
    print(f"{failures} failed" if failures else "all passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
