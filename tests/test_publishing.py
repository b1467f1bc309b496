"""What whoever publishes Snug and whoever reports something comes upon."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

_ROOT = Path(__file__).parents[1]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_FORMS = sorted((_ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
_PRIVATE = re.compile(r"localhost|127\.0\.0\.1|\b10\.|192\.168\.|\.(?:local|lan|internal|example|test)\b")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_workflow_calls_targets_that_there_are() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.+)$", (_ROOT / "Makefile").read_text(), re.MULTILINE)
    jobs = read(_ROOT / ".github/workflows/ci.yml")["jobs"]
    lines = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    called = {target for line in lines for target in re.findall(r"^make ([a-z]+)", line)}
    assert called == {"install", "check", "quick", "deals"}
    told = set(re.findall(r"make ([a-z]+)", (_ROOT / "RELEASING.md").read_text()))
    assert called | told <= set(phony.split())
    assert ".ci/run" in lines
    others = [line for line in lines if not re.match(r"make [a-z]+$|\.ci/run$", line)]
    assert all(re.match(r"apt-get update|git config", line) for line in others), "a workflow does nothing by itself"
    assert (_ROOT / ".ci/run").stat().st_mode & 0o100


def test_the_versions_that_are_named_are_those_that_are_tried() -> None:
    tried = read(_ROOT / ".github/workflows/ci.yml")["jobs"]["quick"]["strategy"]["matrix"]["python"]
    named = [line.rsplit(" ", 1)[1] for line in _PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert tried == named
    assert _PROJECT["requires-python"] == f">={named[0]}"


@pytest.mark.parametrize("path", [path for path in _FORMS if path.name != "config.yml"], ids=lambda path: path.name)
def test_a_form_for_issues_has_what_it_needs(path: Path) -> None:
    form = read(path)
    assert form["name"]
    assert form["description"]
    fields = [part for part in form["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in fields} <= {"input", "textarea", "dropdown", "checkboxes"}
    assert len({part["id"] for part in fields}) == len(fields)
    assert all(part["attributes"]["label"] for part in fields)


def test_the_metadata_is_whole_and_names_no_private_host() -> None:
    assert (_ROOT / _PROJECT["readme"]).is_file()
    assert _PROJECT["keywords"]
    assert not any(line.startswith("License ::") for line in _PROJECT["classifiers"]), "the license is an expression"
    assert not any(_PRIVATE.search(url) for url in _PROJECT.get("urls", {}).values())
