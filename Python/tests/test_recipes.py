"""The recipes of docs/scale.md for schedulers are what those take, and those for shells do what they say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import avtool

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
UNITS = PAGE[PAGE.index("## Units of work") : PAGE.index("## What it costs")]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", UNITS, re.S)


def documents() -> list[dict[str, Any]]:
    return [json.loads(block) for block in blocks("json")]


def test_there_is_a_recipe_for_each() -> None:
    assert (len(blocks("yaml")), len(blocks("json")), len(blocks("python"))) == (1, 2, 2)
    assert len(blocks("sh")) >= 6


@pytest.mark.parametrize("block", blocks("sh"))
def test_shells_understand(block: str) -> None:
    subprocess.run(["bash", "-n"], input=block.encode(), check=True)


def test_kubernetes() -> None:
    validate = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    job = yaml.safe_load(blocks("yaml")[0])
    validate.validate(job, validate.latest_version(), strict=True)
    rules = job["spec"]["podFailurePolicy"]["rules"]
    assert check_exit_codes(rules) == {"Count": "later", "FailIndex": "never"}
    assert job["spec"]["maxFailedIndexes"] == job["spec"]["completions"]


def check_exit_codes(rules: list[dict[str, Any]]) -> dict[str, str]:
    """What each action is for, by docs/failures.md."""
    page = (ROOT / "docs/failures.md").read_text(encoding="utf-8")
    table = page[page.index("| `retry`") : page.index("75 alone")]
    classes = {row.split("`")[1]: set(map(int, re.findall(r"\b\d+\b", row))) for row in table.splitlines()[2:] if row}
    # 75 is of all three.
    never, again = classes["never"] - {75}, classes["later"] | classes["elsewhere"]
    found = {}
    for rule in rules:
        if "onExitCodes" in rule:
            values = set(rule["onExitCodes"]["values"])
            assert values in (never, again), rule
            found[rule["action"]] = "never" if values == never else "later"
    return found


def test_aws_batch() -> None:
    loaders = pytest.importorskip("botocore.loaders", reason="botocore is not installed")
    from botocore.model import ServiceModel  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from botocore.validate import ParamValidator  # type: ignore[import-not-found, import-untyped, unused-ignore]

    service = ServiceModel(loaders.Loader().load_service_model("batch", "service-2"))
    definition, job = documents()
    for name, parameters in (("RegisterJobDefinition", definition), ("SubmitJob", job)):
        report = ParamValidator().validate(parameters, service.operation_model(name).input_shape)
        assert not report.has_errors(), report.generate_report()
    assert job["jobDefinition"] == definition["jobDefinitionName"] and 2 <= job["arrayProperties"]["size"] <= 10_000


def test_aws_batch_tries_again_what_may_work() -> None:
    conditions = documents()[0]["retryStrategy"]["evaluateOnExit"]
    assert len(conditions) <= 5, "there are five at most"
    assert all(re.fullmatch(r"[0-9]*\*?", condition.get("onExitCode", "")) for condition in conditions)

    def action(code: int) -> str:
        for condition in conditions:
            pattern = condition.get("onExitCode")
            if pattern and re.fullmatch(pattern.replace("*", ".*"), str(code)):
                return str(condition["action"])
        return "RETRY"

    codes = [64, 65, 66, 70, 73, 74, 75, 130, 137, 143]
    assert [action(code) for code in codes] == ["EXIT"] * 5 + ["RETRY"] * 5


def dag_block() -> str:
    return next(block for block in blocks("python") if "airflow" in block)


def test_airflow_parses() -> None:
    compile(dag_block(), "docs/scale.md", "exec")


def test_airflow() -> None:
    pytest.importorskip("airflow.sdk", reason="apache-airflow is not installed")
    names: dict[str, Any] = {}
    exec(dag_block().removesuffix("stills()\n"), names)
    dag = names["stills"]()
    assert {name: dag.get_task(name).downstream_task_ids for name in dag.task_ids} == {
        "plan": {"unit"},
        "unit": {"merge"},
        "merge": set(),
    }


@pytest.fixture
def work(
    tool: avtool.Tool, film: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Runs a recipe of a shell in a folder with a list of films."""
    films = [film(name) for name in ("movie.mp4", "vfr.mp4", "vp9.webm", "truncated-no-moov.mp4")]
    monkeypatch.chdir(tmp_path)
    Path("list").write_text("".join(f"{film}\n" for film in films))
    Path("bin").mkdir()
    Path("bin/avtool").symlink_to(tool.executable)

    def run(recipe: str) -> None:
        program = f"PATH=$PWD/bin:$PATH\n{recipe}"
        subprocess.run(["bash", "-c", program], check=False, stdin=subprocess.DEVNULL)

    return run


def recipe_with(text: str) -> str:
    return next(block for block in blocks("sh") if text in block)


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("stills.jsonl").read_text().splitlines()]


def test_a_plan_by_hand(work: Callable[[str], None]) -> None:
    work(recipe_with("avtool plan -o"))
    assert len(rows()) == 5 and "error" in rows()[-1]


def test_gnu_parallel(work: Callable[[str], None]) -> None:
    if shutil.which("parallel") is None:
        pytest.skip("GNU parallel is not installed")
    recipe = recipe_with("avtool plan -o").splitlines()[0].replace("--unit-cost 5m", "--files-per-unit 1")
    work(f"{recipe}\n{recipe_with('units=')}\n{recipe_with('parallel --jobs 4')}")
    assert len(rows()) == 5 and len(list(Path("stills.plan.units").rglob("*.jsonl"))) == 4
    assert len(Path("log").read_text().splitlines()) == 5
