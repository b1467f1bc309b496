"""Which small bugs there may be, and a draw among them: even over the folders, so that thick ones weigh no more than
thin ones. A script and its modules are one."""

import random
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from typing import Final

from tests.mutants import markup, python
from tests.mutants.change import Change
from tests.mutants.mutant import TREE, Mutant, placed

ROOTS: Final = ("snug", "app", "static", "templates")
_CHANGES: Final = {".py": python.changes, ".html": markup.in_template, ".js": markup.in_script}
_LEFT_OUT: Final = (
    "static/vendor/",  # what others wrote
    "snug/testing/",  # tests with it, and is not tested
    "app/testing.py",
    "static/verify_deal.py",  # is compared with its copy in docs/, byte by byte
)


def files(tree: Path = TREE) -> list[str]:
    """Every file that may get a bug."""
    found = [path for root in ROOTS for path in (tree / root).rglob("*") if path.suffix in _CHANGES]
    paths = sorted(path.relative_to(tree).as_posix() for path in found)
    return [path for path in paths if not path.startswith(_LEFT_OUT)]


def folder_of(path: str) -> str:
    """Where a file lies; scripts lie with the modules that they are made of."""
    is_script = path.endswith(".js") and Path(path).parent.name == "static"
    return path.removesuffix(".js") if is_script else str(Path(path).parent)


def changes(path: str, source: str) -> list[Change]:
    """Every small bug of a file."""
    return list(_CHANGES[Path(path).suffix](source))


def mutant_of(path: str, source: str, change: Change) -> Mutant:
    """The change as it is kept."""
    lines = source.split("\n")
    line = lines[change.line]
    bug = line[: change.start] + change.text + line[change.end :]
    return placed(change.kind, path, lines, change.line, bug)


def draw(number: int, seed: int, without: Collection[Mutant] = ()) -> list[Mutant]:
    """So many mutants, none of them twice: the folders in turn, in each a file, a kind of bug, a place by chance."""
    chance = random.Random(seed)
    folders = defaultdict[str, list[str]](list)
    for path in files():
        folders[folder_of(path)].append(path)
    drawn = list[Mutant]()
    while len(drawn) < number:
        for folder in chance.sample(sorted(folders), len(folders)):
            path = chance.choice(folders[folder])
            source = (TREE / path).read_text()
            kinds = defaultdict[str, list[Change]](list)
            for change in changes(path, source):
                kinds[change.kind].append(change)
            if not kinds:
                continue
            mutant = mutant_of(path, source, chance.choice(kinds[chance.choice(sorted(kinds))]))
            if mutant not in drawn and mutant not in without:
                drawn.append(mutant)
            if len(drawn) == number:
                break
    return drawn
