#!/usr/bin/env python3
"""Rules for the comments of public symbols, over a module's symbol graph.

  - every public symbol has a documentation comment;
  - one that throws says what, under `- Throws:`;
  - a number that measures or counts something has its unit: `byteCount` is in bytes, `speed` in
    seconds for each second. A parameter of a property's name and type has that property's;
  - what may be `nil` says when, there or in the comment of a type around;
  - a moment or a range of time has its timeline, there or in the comment of a type around. Lengths
    of time need none, nor does the arithmetic of CMTime.

scripts/documentation applies them; run alone, this tries them on invented symbols.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]

# What a type has without saying it.
EVERYWHERE = re.compile(
    r"\.(==\(_:_:\)|hash\(into:\)|init\(from:\)|encode\(to:\)|Iterator(\.next\(\))?|makeAsyncIterator\(\))$"
)

# Words of names that measure or count, the types of what they measure, and words for units.
QUANTITY = {
    *("count", "counts", "number", "index", "width", "height", "side", "size", "sizes", "length", "dimension"),
    *("rate", "rates", "speed", "volume", "scale", "timescale", "multiplier", "duration", "interval", "seconds"),
    *("elapsed", "remaining", "fraction", "progress", "angle", "rotation", "quality", "luminance", "score"),
    *("threshold", "margin", "gap", "columns", "rows", "channels", "frames", "passes", "limit", "offset", "bpm"),
}
NUMBER = re.compile(r"(U?Int(8|16|32|64)?|Double|Float|CGFloat|CGSize|TimeInterval|CMTimeScale|CMTimeValue)")
UNIT = re.compile(
    r"\b((nano|micro|milli)?seconds?|pixels?|rows?|columns?|tiles?|sheets?|bytes?|bits?|hertz|ticks?|frames?|pictures?"
    r"|samples?|stills?|requests?|channels?|spaces|characters?|degrees?|radians?|components?|codes?|beats|times"
    r"|from \d+ to \d+|how (many|often)|counted from|scale|1 (is|for))\b|cd/m²|\bof 255\b",
    re.IGNORECASE,
)
# Words of names for when something is, types of what they name, and words for timelines.
MOMENT = {"time", "times", "start", "end", "range", "part", "origin"}
LENGTH = {"offset", "tolerance", "duration"}
INSTANT = re.compile(r"(CMTime|CMTimeRange)")
TIMELINE = re.compile(r"\b(timelines?|(media|track) time|presentation times?|container's (time|zero))\b", re.IGNORECASE)
# Arithmetic, which has no timeline.
ARITHMETIC = re.compile(r"CM|kCM|NS")


def documentation(symbol: Json) -> str:
    return "\n".join(line["text"] for line in symbol.get("docComment", {"lines": []})["lines"])


def place(symbol: Json) -> str:
    location = symbol.get("location", {})
    path = location.get("uri", "").rpartition("/")[2]
    return f"{path}:{location.get('position', {}).get('line', 0) + 1}"


def name_of(symbol: Json) -> str:
    return ".".join(symbol["pathComponents"])


def declaration(fragments: Iterable[Json]) -> str:
    return "".join(fragment["spelling"] for fragment in fragments)


def throws(symbol: Json) -> bool:
    """Whether it throws by itself, which closures among its parameters do not tell."""
    text = declaration(symbol.get("declarationFragments", []))
    while (shorter := re.sub(r"\([^()]*\)", "", text)) != text:
        text = shorter
    return re.search(r"\bthrows\b", text) is not None


def words(name: str) -> set[str]:
    """The words of a name: `byteCount` has `byte` and `count`."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name.split("(")[0])}


def type_of(text: str) -> str:
    """The type that a declaration ends with: that of an element, of what is loaded, of an optional's value."""
    text = re.sub(r"AVAsyncProperty<\w+, (.*)>", r"\1", text)
    match = re.search(r":\s*([^:>]*?)\s*(?:\{.*|=.*)?$", text)
    return match[1].strip("[]? ") if match else ""


def is_optional(symbol: Json) -> bool:
    """Whether a property or a result may be `nil`."""
    text = declaration(symbol["declarationFragments"])
    if symbol["kind"]["identifier"].endswith(("property", ".var")):
        return re.search(r"\?>?\s*(\{.*|=.*)?$", text) is not None
    returned = declaration(symbol.get("functionSignature", {}).get("returns", []))
    return returned.endswith("?") or "init?(" in text


def values(symbol: Json) -> list[tuple[str, str]]:
    """What a symbol hands out and takes, as names and types: a property's own, those of a function's parameters."""
    name = symbol["pathComponents"][-1]
    if symbol["kind"]["identifier"].endswith(("property", ".var")):
        return [(name, type_of(declaration(symbol["declarationFragments"])))]
    signature = symbol.get("functionSignature")
    if not signature:
        return []
    taken = [
        (parameter.get("internalName", parameter["name"]), type_of(declaration(parameter["declarationFragments"])))
        for parameter in signature.get("parameters", [])
    ]
    returned = declaration(signature.get("returns", [])).strip("[]? ")
    return taken if name.startswith("init") else [(name, returned), *taken]


def wanting(name: str, kind: str, comment: str, around: str) -> str | None:
    """What a comment does not say of a value."""
    if NUMBER.fullmatch(kind) and words(name) & QUANTITY and not UNIT.search(comment):
        return "in which unit it is"
    is_moment = INSTANT.fullmatch(kind) and words(name) & MOMENT and not words(name) & LENGTH
    if is_moment and not TIMELINE.search(f"{comment}\n{around}"):
        return "on which timeline it is"
    return None


def enclosing(precise: str, parents: dict[str, str]) -> list[str]:
    """The types that a symbol stands in, from within."""
    outer = parents.get(precise)
    return [outer, *enclosing(outer, parents)] if outer else []


def flaws(symbols: Iterable[Json], relationships: Iterable[Json]) -> list[str]:
    """What the comments of these symbols lack, but for symbols that the compiler adds."""
    written = {s["identifier"]["precise"]: s for s in symbols if "location" in s}
    parents = {r["source"]: r["target"] for r in relationships if r["kind"] == "memberOf"}
    described = {
        (parents.get(precise), *value): documentation(symbol)
        for precise, symbol in written.items()
        if "functionSignature" not in symbol
        for value in values(symbol)
    }
    wrong = []
    for precise, symbol in written.items():
        name, comment = name_of(symbol), documentation(symbol)
        around = "\n".join(documentation(written[type_]) for type_ in enclosing(precise, parents) if type_ in written)
        if not comment.strip():
            wrong.append(f"{name} has no documentation comment ({place(symbol)})")
            continue
        if throws(symbol) and "- Throws:" not in comment and not EVERYWHERE.search(name):
            wrong.append(f"{name} throws, and its comment has no `- Throws:` ({place(symbol)})")
        if ARITHMETIC.match(name):
            continue
        is_known = EVERYWHERE.search(name) or name.endswith(".errorDescription")
        if is_optional(symbol) and not is_known and not re.search(r"\bnil\b", f"{comment}\n{around}"):
            wrong.append(f"{name}: the comment does not say when it is nil ({place(symbol)})")
        for value in values(symbol):
            said = f"{comment}\n{described.get((parents.get(precise), *value), '')}"
            if lack := wanting(*value, said, around):
                wrong.append(f"{name}: the comment does not say of {value[0].split('(')[0]} {lack} ({place(symbol)})")
    return wrong


# --- the self-test ----------------------------------------------------------------------


def invented(path: str, code: str, comment: str, signature: Json | None = None, kind: str = "swift.property") -> Json:
    """A symbol as a graph has it."""
    symbol = {
        "kind": {"identifier": kind},
        "identifier": {"precise": path},
        "pathComponents": path.split("."),
        "declarationFragments": [{"kind": "text", "spelling": code}],
        "docComment": {"lines": [{"text": line} for line in comment.splitlines()]},
        "location": {"uri": "file:///Sources/Invented.swift", "position": {"line": 6, "character": 0}},
    }
    return symbol | ({"functionSignature": signature} if signature else {})


def method(path: str, comment: str, taken: dict[str, str], returned: str = "()", effects: str = "") -> Json:
    """A function, or an initialiser by its name."""
    parts = [{"name": n, "declarationFragments": [{"spelling": f"{n}: {kind}"}]} for n, kind in taken.items()]
    text = ", ".join(f"{name}: {kind}" for name, kind in taken.items())
    signature = {"parameters": parts, "returns": [{"spelling": returned}]}
    return invented(path, f"func f({text}) {effects} -> {returned}", comment, signature, "swift.method")


def member(path: str) -> Json:
    return {"kind": "memberOf", "source": path, "target": path.rpartition(".")[0]}


TYPE = invented("Film", "struct Film", "A film.", kind="swift.struct")
TIMED = invented("Film", "struct Film", "A film; times are on the asset's timeline.", kind="swift.struct")
NESTED = invented("Film.Scene", "struct Scene", "A part.", kind="swift.struct")

GOOD = [
    [invented("Film.name", "var name: String { get }", "What it is called.")],
    [invented("Film.byteCount", "var byteCount: Int64? { get }", "Its size in bytes, `nil` if unknown.")],
    [invented("Film.columns", "let columns: Int", "Stills in a row.")],
    [invented("Film.duration", "var duration: CMTime { get }", "How long it lasts.")],
    [invented("Film.timeTolerance", "var timeTolerance: CMTime", "How far off it may be.")],
    [invented("Film.start", "var start: CMTime", "Where it begins on the asset's timeline.")],
    [TIMED, invented("Film.start", "var start: CMTime", "Where it begins.")],
    [invented("Film.name", "var name: String? { get set }", "What it is called; `nil` for nothing.")],
    [invented("Film.errorDescription", "var errorDescription: String? { get }", "What went wrong.")],
    [TIMED, NESTED, invented("Film.Scene.start", "var start: CMTime", "Where it begins.")],
    [invented("Film.encounter", "let encounter: Int", "Which one of them.")],
    [method("Film.f(x:)", "Does it.\n\n- Throws: An error.", {"x": "String"}, effects="throws")],
    [method("Film.f(_:)", "Calls back.", {"body": "() throws -> Void"})],
    [method("Film.encode(to:)", "Writes it.", {"to": "any Encoder"}, effects="throws")],
    [
        invented("Film.width", "let width: Int", "Pixels in each row."),
        method("Film.init(width:)", "Makes one.", {"width": "Int"}, "Film"),
    ],
    [invented("CMTimeRange.start", "var start: CMTime", "The first moment.")],
    [{**invented("Film.byteCount", "let byteCount: Int", ""), "location": None}],
]

BAD = [
    ("no comment", [invented("Film.name", "let name: String", " ")], "no documentation comment"),
    ("no errors", [method("Film.f(x:)", "Does it.", {"x": "String"}, effects="async throws")], "no `- Throws:`"),
    ("no nil", [invented("Film.name", "var name: String? { get set }", "Its name.")], "when it is nil"),
    ("no nil when loaded", [invented("P.n", "static var n: AVAsyncProperty<Root, String?> { get }", "A.")], "is nil"),
    ("a result that may be nil", [method("Film.f(x:)", "Finds it.", {"x": "String"}, "String?")], "when it is nil"),
    ("no bytes", [invented("Film.byteCount", "let byteCount: Int64", "How big it is.")], "of byteCount in which unit"),
    ("sizes of a list", [invented("Film.sizes", "let sizes: [Int]", "How wide it is.")], "of sizes in which unit"),
    ("a rate", [invented("Film.dataRate", "var dataRate: Float { get set }", "How much.")], "dataRate in which unit"),
    (
        "a value that is loaded",
        [invented("P.dataRate", "static var dataRate: AVAsyncProperty<Root, Float> { get }", "How much.")],
        "of dataRate in which unit",
    ),
    ("no timeline", [TYPE, invented("Film.start", "var start: CMTime", "Where it begins.")], "start on which timeline"),
    ("a range's timeline", [invented("Film.timeRange", "let timeRange: CMTimeRange", "When.")], "on which timeline"),
    ("a parameter", [method("Film.init(angle:)", "Turns it.", {"angle": "Double"}, "Film")], "of angle in which unit"),
    (
        "a parameter that is no property's",
        [
            invented("Film.width", "let width: Int", "Pixels in each row."),
            method("Sheet.init(width:)", "Makes one.", {"width": "Int"}, "Sheet"),
        ],
        "of width in which unit",
    ),
    ("a result", [method("Film.speed(of:)", "How fast.", {"of": "String"}, "Double")], "of speed in which unit"),
]


def self_test() -> int:
    """Tries the rules on symbols that are in order and on symbols that are not."""
    wrong, tried = [], 0

    def found(symbols: list[Json]) -> list[str]:
        with_place = [{k: v for k, v in symbol.items() if v is not None} for symbol in symbols]
        return flaws(with_place, [member(symbol["identifier"]["precise"]) for symbol in symbols])

    for symbols in GOOD:
        tried += 1
        if said := found(symbols):
            wrong.append(f"{name_of(symbols[-1])} is in order, and was found wanting: {said}")
    for what, symbols, message in BAD:
        tried += 1
        said = found(symbols)
        if len(said) != 1 or message not in said[0] or "Invented.swift:7" not in said[0]:
            wrong.append(f"{what}: expected one flaw with '{message}', found {said}")
    for line in wrong:
        print(f"self-test failed: {line}", file=sys.stderr)
    print(f"symbol_comments: self-test: {tried - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(self_test())
