"""Benchmarks/run and Benchmarks/check: which cases run, how often, and what becomes of their ratios."""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import export
import growth
import metadata
import previews
import scaling
import stills
import thresholds

from acceptance.made_films import remove_long_films
from acceptance.measure import Case, Result, machine, measure, prepared, ratio_name, tables
from acceptance.running import say

Chosen = dict[str, list[Case]]

CASES: Chosen = {
    module.__name__: list(module.CASES) for module in (stills, previews, metadata, export, growth, scaling)
}


def watched_names(chosen: Chosen) -> list[str]:
    """The names of the ratios that have to have thresholds, without measuring."""
    return [
        ratio_name(benchmark, case, peer)
        for benchmark, cases in chosen.items()
        for case in cases
        for peer in case.tools()[1:]
        if case.is_watched and peer.is_watched
    ]


def choose(names: Sequence[str]) -> Chosen:
    """The cases that names mean, such as `stills` or `stills.h264`; all without a name."""
    known = [*CASES, *(f"{benchmark}.{case.name}" for benchmark, cases in CASES.items() for case in cases)]
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"there is no {unknown[0]}; there are {', '.join(known)}")

    def is_meant(benchmark: str, case: Case) -> bool:
        return not names or benchmark in names or f"{benchmark}.{case.name}" in names

    chosen = {benchmark: [case for case in cases if is_meant(benchmark, case)] for benchmark, cases in CASES.items()}
    return {benchmark: cases for benchmark, cases in chosen.items() if cases}


def changed(chosen: Chosen, settings: Sequence[str]) -> Chosen:
    """The cases with other values of their fields; each field has to be one of some case."""
    unused = set(settings)

    def with_settings(case: Case) -> Case:
        for setting in settings:
            name, _, value = setting.partition("=")
            old = getattr(case, name, None) if name in {field.name for field in dataclasses.fields(case)} else None
            if old is not None:
                values: dict[str, Any] = {name: like(old, value), "work": f"{case.work}, {setting}"}
                case = dataclasses.replace(case, **values)
                unused.discard(setting)
        return case

    result = {benchmark: [with_settings(case) for case in cases] for benchmark, cases in chosen.items()}
    if unused:
        sys.exit(f"no case has {', '.join(sorted(unused))}")
    return result


def like(old: object, value: str) -> object:
    """A value of the kind that a field has."""
    if isinstance(old, bool):
        return value in ("yes", "true", "1")
    if isinstance(old, (int, float)):
        return type(old)(value)
    return value if isinstance(old, str) else tuple(filter(None, value.split(",")))


def rounds_of(rounds: int | None, is_quick: bool) -> Callable[[Case], int]:
    return lambda case: rounds or (max(2, case.rounds // 2) if is_quick else case.rounds)


def how_many(is_quick: bool) -> str:
    return "2 to 4" if is_quick else "3 to 9"


def measured(chosen: Chosen, rounds: Callable[[Case], int]) -> list[Result]:
    results: list[Result] = []
    try:
        for benchmark, cases in chosen.items():
            results += prepared(benchmark, cases)
            measure([result for result in results if result.benchmark == benchmark], rounds)
    finally:
        remove_long_films()
    return results


def ratios_of(results: Sequence[Result]) -> dict[str, float]:
    return {name: ratio for result in results for name, ratio in result.ratios.items()}


def write_json(path: Path | None, results: Sequence[Result], how: str) -> None:
    if path:
        path.write_text(thresholds.document(ratios_of(results), {**machine(), "rounds": how}), encoding="utf-8")


def show(results: Sequence[Result]) -> None:
    about = machine()
    kind = f"{about['processor']}, {about['cores']} cores, FFmpeg {about['FFmpeg']}"
    print(f"\nMedians of rounds in turns; {kind}; load {os.getloadavg()[0]:.1f} at the end\n\n{tables(results)}")


# --- Benchmarks/run ---------------------------------------------------------------------


def run(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="Benchmarks/run",
        description="Measures avtool and its peers in turns, and prints a table. AVTOOL names another binary.",
        epilog="example: Benchmarks/run stills.h264 --set count=100 --set peers=pyav",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(CASES)}, or a case, as stills.h264")
    parser.add_argument("--rounds", type=int, metavar="N", help="of every tool, instead of what a case has")
    parser.add_argument("--quick", action="store_true", help="about half as many rounds")
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE", help="another value for a case")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ratios into a file")
    parser.add_argument("--write", action="store_true", help="write docs/performance (growth)")
    parser.add_argument("--films", action="store_true", help="only make the films, and print where they are")
    parser.add_argument("--list", action="store_true", help="only list the cases, their fields and peers")
    arguments = parser.parse_args(words)
    if not (arguments.names or arguments.list):
        parser.error(f"which of {', '.join(CASES)}?")
    chosen = changed(choose(arguments.names), arguments.set)
    if arguments.list:
        print("\n".join(f"{b}.{case.name}: {listed(case)}" for b, cases in chosen.items() for case in cases))
        return 0
    if arguments.films:
        print("\n".join(dict.fromkeys(str(case.film()) for cases in chosen.values() for case in cases)))
        return 0
    results = measured(chosen, rounds_of(arguments.rounds, arguments.quick))
    show(results)
    write_json(arguments.json, results, str(arguments.rounds) if arguments.rounds else how_many(arguments.quick))
    if arguments.write and "growth" in chosen:
        growth.write([r for r in results if r.benchmark == "growth"], " ".join(["Benchmarks/run", *words]))
    return 0


def listed(case: Case) -> str:
    values = {field.name: getattr(case, field.name) for field in dataclasses.fields(case) if field.name != "name"}
    labels = " · ".join(tool.label for tool in case.tools())
    return f"{values.pop('work')}\n    {' '.join(f'{name}={value}' for name, value in values.items())}\n    {labels}"


# --- Benchmarks/check -------------------------------------------------------------------


def check(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="Benchmarks/check",
        description="Fails when a ratio is worse than its threshold by more than a tenth. "
        "Measure while the machine does nothing else; the films are made first, which takes a while.",
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a benchmark, or a case of one")
    parser.add_argument("--quick", action="store_true", help="about half as many rounds")
    parser.add_argument("--update", action="store_true", help="write what is measured into thresholds.json")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ratios into a file")
    parser.add_argument("--self-test", action="store_true", help="only check the comparison, and that names fit")
    arguments = parser.parse_args(words)
    if arguments.self_test:
        from self_test import self_test

        return self_test(watched_names(CASES))
    chosen = choose(arguments.only)
    chosen = {benchmark: [case for case in cases if case.is_watched] for benchmark, cases in chosen.items()}
    if not any(chosen.values()):
        parser.error("none of these cases is watched: see Benchmarks/run")
    rounds = rounds_of(None, arguments.quick)
    results = measured(chosen, rounds)
    if not arguments.update:
        measure([result for result in results if is_worse(result)], rounds)
    show(results)
    how = how_many(arguments.quick)
    write_json(arguments.json, results, how)
    ratios, known = ratios_of(results), watched_names(CASES)
    if arguments.update:
        merged = thresholds.updated(thresholds.read(), ratios, known)
        thresholds.FILE.write_text(thresholds.document(merged, {**machine(), "rounds": how}), encoding="utf-8")
    if differences := thresholds.other_machine(machine()):
        say(f"the thresholds are of another machine: {differences}")
    return told(thresholds.compare(ratios, thresholds.read(), watched_names(chosen), known))


def is_worse(result: Result) -> bool:
    """Then it is measured again: what disturbed a round need not disturb the next."""
    stored = thresholds.read()
    found = [thresholds.Finding(name, stored.get(name), ratio) for name, ratio in result.ratios.items()]
    worse = any(finding.verdict == "worse" for finding in found)
    if worse:
        say(f"{result.benchmark}.{result.case.name}: worse than its threshold, measured again")
    return worse


def told(findings: Sequence[thresholds.Finding]) -> int:
    print(f"\n{thresholds.findings_table(findings)}\n")
    failures = [finding for finding in findings if finding.is_failure]
    better = [finding.name for finding in findings if finding.verdict == "better"]
    if better:
        print(f"better by more than a tenth, so that --update can tighten them: {', '.join(better)}")
    for finding in failures:
        print(f"FAILED: {finding.name}: {finding.verdict}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit({"run": run, "check": check}[sys.argv[1]](sys.argv[2:]))
    except RuntimeError as error:
        sys.exit(f"{sys.argv[1]}: {error}")
