"""Names of untrusted files: they steer no terminal, start no command, and lead to no other folder."""

from __future__ import annotations

import html.parser
import json
from pathlib import Path

import pytest

from acceptance.running import Json
from acceptance.terminal import run_on_terminal
from acceptance.tool import copy_fixture, names, tool
from acceptance.untrusted import HOSTILE_NAMES, harm

every_name = pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)

COMMANDS = [
    "thumbs --at 0,9 -o {name}-{index}.png", "sheet --count 2", "storyboard --every 5s --with-player --hls --dash",
    "export --preset m4a", "scenes -o {name}.txt", "scenes --format edl -o {name}.edl", "info",
    "verify --samples 1", "metadata artwork", "metadata set title=x -o {name}-m.mp4", "chapters show",
    # Errors of several kinds.
    "thumbs --at 99", "thumbs --at 0 -o no/{name}/x.png", "export --preset passthrough -o {name}.xyz",
    "chapters show --format webvtt --language xx", "metadata artwork --track 9", "metadata set nonsense=x",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
@every_name
def test_a_name_does_no_harm_where_it_is_shown(tmp_path: Path, name: str, command: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    copy_fixture("movie.mp4", folder / name)
    takes_force = any(word in command for word in ("-o", "sheet", "storyboard", "export"))
    for words in (["./" + name], ["--json", *(["--force"] if takes_force else []), "./" + name]):
        run = tool(folder, *command.split(), *words)
        assert harm(run.text) == [], run
        assert harm(run.diagnostics) == [], run
        if "--json" in words:
            for line in run.lines:
                assert not line.startswith('{"') or json.loads(line)
    # No shell has read the name.
    assert list(tmp_path.rglob("owned")) == []
    assert names(tmp_path) == ["folder"]


class Page(html.parser.HTMLParser):
    """The elements of a page, the names of their attributes with what they link to, and the texts by element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.attributes += [value or "" for name, value in attrs if name in ("src", "href")]
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            del self.open[len(self.open) - 1 - self.open[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


def text_of(path: Path) -> str:
    return path.read_bytes().decode()


@every_name
def test_a_name_makes_no_markup_in_a_storyboard(tmp_path: Path, name: str) -> None:
    options = ["--every", "5s", "--with-player", "--hls", "--dash"]
    for file, folder in ((name, "board"), ("plain.mp4", "plain")):
        copy_fixture("movie.mp4", tmp_path / file)
        tool(tmp_path, "storyboard", *options, "-o", folder, "./" + file).expect()
    board = tmp_path / "board"
    page, plain = Page(text_of(board / "index.html")), Page(text_of(tmp_path / "plain/index.html"))
    assert json.loads(page.texts["script"][0])
    assert page.tags == plain.tags
    suspicious = [a for a in page.attributes if a.startswith("on") or (":" in a and not a.startswith("data:"))]
    assert suspicious == []
    for element in ("title", "h1"):
        assert len(page.texts[element]) == 1 and harm(page.texts[element][0]) == [], page.texts[element]
    for part in ("index.html", "storyboard.json", "storyboard.vtt", "storyboard.mpd", "images.m3u8"):
        assert harm(text_of(board / part)) == [], part
    document: Json = json.loads(text_of(board / "storyboard.json"))
    assert document["source"]["name"] == name


@every_name
def test_a_name_does_no_harm_in_progress(tmp_path: Path, name: str) -> None:
    copy_fixture("long-gop.mp4", tmp_path / name)
    words = ["thumbs", "--every", "1/5s", "--size", "16x0", "-o", "out-{index}.png", "./" + name]
    shown = run_on_terminal(tmp_path, *words, columns=120, output_is_terminal=True).without_progress
    assert "out-" in shown
    assert harm(shown) == [], shown


@pytest.mark.parametrize(
    ("name", "pattern", "path"),
    [
        ("-rf.mp4", "{name}.png", "./-rf.png"),
        ("-.mp4", "{name}", "./-"),
        ("-.mp4", "{name}.{ext}", "./-.png"),
        ("...mp4", "out/{name}/x.png", "out/...mp4/x.png"),
        ("..mp4", "out/{name}/x.png", "out/..mp4/x.png"),
        ("...mp4", "{name}-1.png", "...mp4-1.png"),
        (".mp4", "out/{name}/x.png", "out/.mp4/x.png"),
        ("a.mp4", "{name}.png", "a.png"),
        ("$(id).mp4", "out/{name}/x.png", "out/$(id)/x.png"),
        ("{name}.mp4", "{name}.png", "{name}.png"),
    ],
)
def test_a_result_named_after_its_source_stays_in_its_folder(
    tmp_path: Path, name: str, pattern: str, path: str
) -> None:
    """`-.mp4` with `{name}` wrote to standard output, and `...mp4` into the folder above."""
    copy_fixture("movie.mp4", tmp_path / name)
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    run = tool(tmp_path, "thumbs", "--at", "0", "--format", "png", "-o", pattern, "./" + name).expect()
    assert run.lines == [f"0 → 0  {path}"]
    assert (tmp_path / path).read_bytes().startswith(b"\x89P")
    assert names(tmp_path) == sorted({name, "out" if path.startswith("out") else Path(path).name})


@pytest.mark.parametrize(
    "command", ["sheet --count 1", "storyboard --every 5s", "export --preset m4a", "thumbs --at 0"]
)
def test_a_result_that_begins_with_a_dash_is_told_as_a_path(tmp_path: Path, command: str) -> None:
    """Commands that get such a name take it for a file."""
    copy_fixture("movie.mp4", tmp_path / "-rf.mp4")
    event = tool(tmp_path, *command.split(), "--json", "--", "-rf.mp4").expect().json[0]
    told = [event[key] for key in ("file", "output", "folder") if isinstance(event.get(key), str)]
    assert len(told) == 1 and told[0].startswith("./-rf"), event
