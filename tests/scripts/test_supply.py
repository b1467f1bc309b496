"""Where Snug's parts come from: the bill of materials, advisories, images by digest, containers that may do little."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def script(name: str) -> Any:
    """A module of scripts/."""
    spec = spec_from_file_location(name, ROOT / f"scripts/{name}.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bill_names_everything_that_is_pinned_or_sent_to_browsers() -> None:
    words = [sys.executable, str(ROOT / "scripts/sbom.py")]
    printed = subprocess.run(words, capture_output=True, check=True, cwd="/").stdout
    bill = json.loads(printed)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    parts = {part["purl"]: part for part in bill["components"]}
    pinned = re.findall(r"^([\w.-]+)==([^ ;\\]+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert len(pinned) > 30
    assert {f"pkg:pypi/{name}@{version}" for name, version in pinned} == {p for p in parts if p.startswith("pkg:pypi")}
    vendored = {part["name"] for purl, part in parts.items() if purl.startswith("pkg:npm")}
    assert vendored == {"@fontsource/fraunces", "htmx.org", "lucide-static"}
    assert len(vendored) == len([each for each in (ROOT / "static/vendor").iterdir() if each.is_dir()])
    for part in parts.values():
        named = part["name"] == "lucide-static"  # drawn anew: no file of theirs is here
        assert named or part["properties"], part["name"]
    assert bill["dependencies"][0]["dependsOn"] == [*parts]


def test_what_browsers_get_is_what_is_written_down() -> None:
    for note in (ROOT / "static/vendor").glob("*/VERSION"):
        files = re.findall(r"^file: (\S+).*\nsha256: (\w+)$", note.read_text(), re.MULTILINE)
        for name, digest in files:
            assert hashlib.sha256((note.parent / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize(
    ("answers", "status", "said"),
    [
        ("sys.exit(0)", 0, "No advisory is known"),
        ("print('x 1.0 PYSEC-1'); sys.exit('Found 1 known vulnerability in 1 package')", 1, "PYSEC-1"),
        ("sys.exit('ConnectionError: the network is unreachable')", 0, "NOT CHECKED"),
    ],
)
def test_advisories_are_asked_for_and_where_nobody_answers_that_is_said(answers: str, status: int, said: str) -> None:
    found = script("audit").audit((sys.executable, "-c", f"import sys; {answers}"))
    assert found[0] == status
    assert said in found[1]


def test_images_are_pinned_by_the_digests_of_their_tags(tmp_path: Path) -> None:
    for name in ("Makefile", "Dockerfile", "docker-compose.yml"):
        shutil.copy(ROOT / name, tmp_path)
    docker = tmp_path / "bin/docker"
    docker.parent.mkdir()
    docker.write_text("#!/bin/sh\nfor last; do :; done\necho sha256:$(echo $last$ROUND | sha256sum | cut -c1-64)\n")
    docker.chmod(0o755)
    pins = []
    for number in ("1", "2"):
        environment = {**os.environ, "PATH": f"{docker.parent}:{os.environ['PATH']}", "ROUND": number}
        subprocess.run(["make", "-s", "digests"], cwd=tmp_path, env=environment, check=True)
        written = "".join((tmp_path / name).read_text() for name in ("Dockerfile", "docker-compose.yml"))
        pins.append(re.findall(r"(?:FROM|image:) ([a-z]+:\S+)", written))
    for image in (*pins[0], *pins[1]):
        assert re.fullmatch(r"[a-z]+:[a-z0-9.-]+@sha256:[0-9a-f]{64}", image), image
    assert len(pins[0]) == len(pins[1]) == 3
    assert not {*pins[0]} & {*pins[1]}


# Compose


def services() -> dict[str, dict[str, Any]]:
    """What docker-compose.yml says, as YAML reads it."""
    yaml = pytest.importorskip("yaml")
    loaded: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return loaded


def test_every_container_may_do_little() -> None:
    for name, service in services()["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["pids_limit"] <= 400, name
        assert service["tmpfs"], name
        assert service["logging"]["options"]["max-size"], name
        assert "privileged" not in service, name
        assert not any("docker.sock" in str(volume) for volume in service.get("volumes", ())), name
        secret = [key for key in service.get("environment", ()) if re.search("PASSWORD|SECRET|KEY|TOKEN", key)]
        assert not secret, name


def test_every_container_is_asked_whether_it_is_well() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    for name, service in services()["services"].items():
        assert "healthcheck" in service or ("build" in service and "\nHEALTHCHECK " in dockerfile), name


def test_nobody_is_root_but_a_proxy_that_may_only_listen() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    for name, service in services()["services"].items():
        is_ours = "build" in service and "\nUSER snug\n" in dockerfile
        is_user = is_ours or service.get("user") not in (None, "root", "0")
        assert is_user or service["cap_add"] == ["NET_BIND_SERVICE"], name
        assert not is_user or "cap_add" not in service, name


def test_the_database_is_reached_by_the_room_alone() -> None:
    told = services()
    assert told["networks"]["inside"]["internal"] is True
    beside = {name for name, service in told["services"].items() if "inside" in service["networks"]}
    assert beside == {"db", "room"}
    assert told["services"]["db"]["networks"] == ["inside"]
    assert [name for name, service in told["services"].items() if "ports" in service] == ["proxy"]
