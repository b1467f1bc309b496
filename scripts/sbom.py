"""What Snug is made of, as a CycloneDX 1.6 bill of materials in JSON: the pinned requirements of a release with their
hashes, and the files in static/vendor that browsers get.

python scripts/sbom.py > sbom.json
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parent.parent
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)(?: *; *([^\\]+?))? *\\?$")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_SHA256 = re.compile(r"^sha256: ([0-9a-f]{64})$", re.MULTILINE)


def from_requirements(text: str) -> Iterator[dict[str, Any]]:
    """A component for each pinned package: any of its files has one of the hashes."""
    for block in re.split(r"\n(?=\S)", text):
        first, *_ = block.partition("\n")
        if pinned := _PINNED.match(first):
            name, version, where = pinned.groups()
            part = _component(name, version, "pypi")
            part["properties"] = [{"name": "snug:sha256", "value": each} for each in _HASH.findall(block)]
            if where:
                part["properties"].append({"name": "snug:marker", "value": where})
            yield part


def from_vendor(folder: Path) -> Iterator[dict[str, Any]]:
    """A component for each thing in static/vendor."""
    for note in sorted(folder.glob("*/VERSION")):
        said = dict(re.findall(r"^(\w+): ([^ \n]+)", note.read_text(), re.MULTILINE))
        part = _component(said["package"], said["version"], "npm", said["licence"].rstrip(","))
        part["properties"] = [{"name": "snug:sha256", "value": each} for each in _SHA256.findall(note.read_text())]
        yield part


def bill() -> dict[str, Any]:
    """The whole bill, the same for the same sources."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    parts = [*from_requirements((ROOT / "requirements.txt").read_text()), *from_vendor(ROOT / "static/vendor")]
    whole = _component(project["name"], project["version"], "pypi", project["license"]) | {"type": "application"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": whole},
        "components": parts,
        "dependencies": [{"ref": whole["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def _component(name: str, version: str, kind: str, licence: str = "") -> dict[str, Any]:
    purl = f"pkg:{kind}/{quote(name, safe='/')}@{version}"
    part: dict[str, Any] = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if licence:
        part["licenses"] = [{"license": {"id": licence}}]
    return part


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1)
    print()
