"""What nothing runs rots: CI runs every target of the Makefile in some size."""

import re
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_NOWHERE = {"digests": "needs docker"}
_WITHIN = {"scripts": "check", "schemas": "check", "sizes": "check", "names": "check"}


def test_every_target_is_run_by_ci() -> None:
    makefile, script = ((_ROOT / name).read_text() for name in ("Makefile", ".ci/run"))
    phony = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    targets = {target for line in phony for target in line.split()} - set(_NOWHERE)
    lines = re.findall(r"^ *(?:step (?:make|opens)|make) ([a-z ]+)", script, re.MULTILINE)
    run = {word for words in lines for word in words.split()}
    assert {_WITHIN.get(target, target) for target in targets} <= run


def test_every_target_is_declared_and_in_the_list() -> None:
    makefile = (_ROOT / "Makefile").read_text()
    (phony,) = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    assert targets == set(phony.split())
    described = set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))
    assert targets - described == set(_WITHIN)
