#!/usr/bin/env python3
"""The second half: two trees of the library, by their public symbols and by what a client program makes with each."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from compare.differences import differences
from compare.inputs import FIXTURES
from compare.randomness import Rule
from compare.runs import Outcome, code_of, remove, wait

Json = dict[str, Any]
CLIENT = Path(__file__).resolve().parent / "Client"
# Relations that a client can see, by the names of the symbols.
RELATIONS = {
    "conformsTo",
    "inheritsFrom",
    "overrides",
    "requirementOf",
    "optionalRequirementOf",
    "defaultImplementationOf",
}


class Tree:
    """A tree of the package, and the build of the client with it."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "Package.swift").is_file():
            raise SystemExit(f"compare: {folder} is no tree of the package")
        self.folder = folder.resolve()
        self.scratch = self.folder / ".build" / "compare"

    def build(self) -> None:
        """Builds the client and with it the library, unless that is done; says what the compiler says."""
        package = self.scratch / "Client"
        shutil.copytree(CLIENT, package, dirs_exist_ok=True, copy_function=copy_changed)
        if (self.folder / "Package.resolved").is_file():
            shutil.copyfile(self.folder / "Package.resolved", package / "Package.resolved")
        words = ["swift", "build", "--package-path", str(package), "--scratch-path", str(self.scratch / "build")]
        environment = os.environ | {"AVTOOL_TREE": str(self.folder)}
        print(f"Building the client with {self.folder}…", file=sys.stderr, flush=True)
        done = subprocess.run(words, env=environment, stdout=sys.stderr)
        if done.returncode:
            raise SystemExit(f"compare: the client cannot be built with {self.folder}")

    @property
    def products(self) -> Path:
        return self.scratch / "build" / "debug"

    def symbols(self) -> Counter[str]:
        """A line for each public symbol of each umbrella, as a client sees it."""
        tool = documentation(self.folder)
        tool.__dict__["DEBUG"] = self.products
        names, modules = tool.exports()
        with tempfile.TemporaryDirectory() as folder:
            to = Path(folder) / "extracted"
            tool.extract(modules, self.products / "Modules", self.scratch / "module-cache", to)
            graph = tool.load(to)
        return Counter([*symbol_lines(graph, names, tool.names_of), *relation_lines(graph, names)])

    def run_client(self, folder: Path) -> Outcome:
        """What the client makes; `folder` is of the same name for both trees, and moved away after."""
        remove(folder)
        folder.mkdir(parents=True)
        process = subprocess.Popen(
            [self.products / "client", FIXTURES, folder / "work"],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "TZ": "America/St_Johns"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        output, errors, status, processor = wait(process, 1800)
        return Outcome(code_of(status), output, errors, folder, processor, 0)


def copy_changed(source: str, to: str) -> str:
    """Copies a file unless the same is there, so that nothing is built anew for its time."""
    if not Path(to).is_file() or Path(source).read_bytes() != Path(to).read_bytes():
        shutil.copyfile(source, to)
    return to


def documentation(tree: Path) -> ModuleType:
    """The tree's own scripts/documentation, which knows what its umbrellas export."""
    loader = importlib.machinery.SourceFileLoader(f"documentation_of_{tree.name}", str(tree / "scripts/documentation"))
    specification = importlib.util.spec_from_loader(loader.name, loader)
    assert specification
    module = importlib.util.module_from_spec(specification)
    # Its classes ask for their module.
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


def umbrella(path: list[str], names: set[str]) -> str:
    return "OpenAVFoundation" if path[0].split("(")[0] in names else "OpenAVFoundationExtras"


def symbol_lines(graph: Any, names: set[str], name_of: Callable[[Json], str]) -> list[str]:
    """Name, kind, declaration, availability and constraints of symbols; not the module that declares them."""
    symbols = [*graph.symbols.values(), *(s for extension in graph.extensions for s in extension["symbols"])]
    lines = []
    for symbol in symbols:
        declaration = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
        parts = [
            umbrella(symbol["pathComponents"], names),
            f"{name_of(symbol)}: {symbol['kind']['identifier'].removeprefix('swift.')}",
            " ".join(declaration.split()),
            *sorted(constraint(c) for c in symbol.get("swiftExtension", {}).get("constraints", [])),
            *sorted(constraint(c) for c in symbol.get("swiftGenerics", {}).get("constraints", [])),
            *sorted(availability(item) for item in symbol.get("availability", [])),
        ]
        lines.append("  ".join(parts))
    return lines


def constraint(item: Json) -> str:
    return f"where {item['lhs']} {item['kind']} {item['rhs']}"


def availability(item: Json) -> str:
    kind = "unavailable" if item.get("isUnconditionallyUnavailable") else "available"
    kind = "deprecated" if item.get("isUnconditionallyDeprecated") else kind
    rest = [
        f"{key} {item[key]}"
        for key in ("domain", "introduced", "deprecated", "obsoleted", "renamed", "message")
        if key in item
    ]
    return f"{kind} {', '.join(rest)}"


def relation_lines(graph: Any, names: set[str]) -> list[str]:
    """What symbols conform to, inherit from, override."""
    lines = []
    for relation in graph.relationships:
        source = graph.symbols.get(relation["source"])
        if relation["kind"] not in RELATIONS or not source:
            continue
        target = graph.symbols.get(relation["target"])
        # A type of another module has the name of that module before its own.
        told = ".".join(target["pathComponents"]) if target else relation.get("targetFallback", relation["target"])
        conditions = sorted(constraint(c) for c in relation.get("swiftConstraints", []))
        path = source["pathComponents"]
        lines.append("  ".join([umbrella(path, names), f"{'.'.join(path)}: {relation['kind']} {told}", *conditions]))
    return lines


def compare_trees(old: Path, new: Path, keep: Path | None, only_symbols: bool) -> int:
    trees = Tree(old), Tree(new)
    for tree in trees:
        tree.build()
    first, second = (tree.symbols() for tree in trees)
    changed = [
        *(f"- {line}" for line in (first - second).elements()),
        *(f"+ {line}" for line in (second - first).elements()),
    ]
    for line in sorted(changed, key=lambda line: (line[2:], line[0])):
        print(line)
    print(f"{first.total()} and {second.total()} public symbols and relations, {len(changed)} lines differ", flush=True)
    if only_symbols:
        return 1 if changed else 0
    found, processor = compare_clients(trees, keep)
    for line in found:
        print(line.encode(errors="backslashreplace").decode())
    print(f"the client: {len(found)} differences, CPU {processor[0]:.1f} s and {processor[1]:.1f} s")
    return 1 if changed or found else 0


def compare_clients(trees: tuple[Tree, Tree], keep: Path | None) -> tuple[list[str], tuple[float, float]]:
    """What differs between the results of the client, and its processor seconds."""
    work = Path(tempfile.mkdtemp(prefix="avtool-compare-")).resolve()
    used: set[Rule] = set()
    outcomes = []
    try:
        for name, tree in zip(("old", "new"), trees):
            outcome = tree.run_client(work / "run")
            outcome.folder = (work / "run").rename(work / name)
            outcomes.append(outcome)
        found = differences(outcomes[0], outcomes[1], "client", used)
        if found and keep:
            for name in ("old", "new"):
                shutil.copytree(work / name, keep / name)
    finally:
        remove(work)
    if outcomes[0].code:
        found.append(f"the client ended with {outcomes[0].code}: {outcomes[0].errors.decode(errors='replace')[-500:]}")
    return found, (outcomes[0].processor, outcomes[1].processor)
