"""Which tests are near a file: those of the same place and name, those that import it, those that speak of it."""

import ast
import re
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from tests.mutants.draw import ROOTS
from tests.mutants.mutant import TREE

_GENERAL: Final = "tests/web/pages/test_markup.py"
_APPROVED: Final = "tests/web/test_approved_pages.py"
_OF_GAMES: Final = "tests/web/test_approved_events.py"
_COMMANDS: Final = "tests/cli/test_parser.py"
_READ: Final = ("app/web/", "app/services/queries/")  # who makes pages
_SHOWN: Final = ("snug/games/", "templates/games/", "templates/tables/")  # what tables say
_PURE: Final = ("snug/bots/", "snug/engine/", "snug/games/", "snug/tournament/")  # whose tests take no time
_MOST: Final = 14  # files in the first step
_QUICK: Final = "not browser and not firefox and not webkit and not postgres and not proxy and not slow"
_SLOW: Final = "slow and not browser and not firefox and not webkit and not postgres"
_ALL: Final = ""
_REST: Final = "not browser and not firefox and not webkit and (postgres or slow)"


class Step(NamedTuple):
    """One run of tests."""

    program: str
    arguments: tuple[str, ...]


def near(path: str) -> list[Step]:
    """What is to see a bug in this file: what is cheap and likely to tell comes first."""
    if path.endswith(".js"):
        own = _scripts_of(path)
        return [Step("node", own)] if own else _in_browsers(path)
    slow = _pytest(_mirrored(path), _REST) if path.endswith(".py") else []
    told = _pytest(_approved(path), _ALL) if path.startswith(_READ) or not path.endswith(".py") else []
    said = _pytest([_OF_GAMES, *_of_game(path)], _ALL) if path.startswith(_SHOWN) else []
    rest = [test for test in _beside(path) if test not in _tests_of(path)]
    return [*_pytest(_tests_of(path), _QUICK), *_pytest(rest, _QUICK), *slow, *said, *told]


def _scripts_of(path: str) -> tuple[str, ...]:
    """The tests of a script: of its own name, of the script that it is a module of, and what runs it."""
    script = path.removeprefix("static/").partition("/")[0].removesuffix(".js")
    named = [f"{Path(path).stem}.test.js", f"{script}.test.js"]
    tests = sorted(test.name for test in (TREE / "tests/js").glob("*.test.js"))
    run = [test for test in tests if f'"{script}.js"' in _text(f"tests/js/{test}")]
    return tuple(test for test in dict.fromkeys([*named, *run]) if test in tests)


def wide(path: str) -> list[Step]:
    """What else may see it, by folders; and browsers."""
    if path.endswith(".js"):
        pages = [name for name in _tests() if name.startswith("tests/web/") and Path(path).name in _text(name)]
        return [*_pytest(pages, _QUICK), *_in_browsers(path)]
    left_out = [f"--ignore={test}" for test in _tests_of(path)]
    browsers = [] if path.endswith(".py") else _in_browsers(path)
    folders = _folders(path)
    return [*_pytest([*folders, *left_out], _QUICK), *_pytest(folders, _SLOW), *browsers]


def _pytest(arguments: list[str], marks: str) -> list[Step]:
    return [Step("pytest", ("-m", marks, *arguments))] if arguments else []


def _tests_of(path: str) -> list[str]:
    return (_near_module if path.endswith(".py") else _near_template)(path)[:_MOST]


def _near_module(path: str) -> list[str]:
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    importers = _importers()
    direct = importers[name]
    through = {test for module in direct if not module.startswith("tests.") for test in _mirrored(_path_of(module))}
    called = _called(Path(path).parent.name if path.endswith("__init__.py") else Path(path).stem)
    tests = [_path_of(module) for module in direct if module.startswith("tests.")]
    place = Path("tests", *Path(path).parts[1:-1])
    while not any(Path(test).parent == place for test in _tests()):
        place = place.parent
    folder = place.as_posix()
    ranked = [
        _mirrored(path),
        sorted(test for test in tests if test.startswith(folder)),
        sorted(called),
        [_COMMANDS] if path.startswith("app/cli/") else [],
        sorted(through),
        sorted(tests),
        sorted(test for test in _tests() if Path(test).parent.as_posix() == folder and not _mirrored(path)),
    ]
    return [test for test in dict.fromkeys(test for rank in ranked for test in rank) if test in _tests()]


def _beside(path: str) -> list[str]:
    """All tests of the same room, or game, where they are quick."""
    if not path.startswith(_PURE) or not path.endswith(".py"):
        return []
    room, *parts = Path(path).parts[1:-1]
    if room == "games" and parts:
        return [test for test in _tests() if test.startswith((f"tests/games/{parts[0]}/", "tests/bots/"))]
    return [test for test in _tests() if test.startswith(f"tests/{room}/")]


def _near_template(path: str) -> list[str]:
    parts = Path(path).parts
    if parts[-2:-1] == ("templates",) and len(parts) > 2:  # those of a game
        key, pages = parts[-3], [test for test in _tests() if test.startswith("tests/web/")]
        named = [test for test in pages if f'"{key}"' in _text(test)]
        whole = [test for test in pages if "every_game" in _text(test)]
        return list(dict.fromkeys([_GENERAL, *(test for test in named if test in whole), *whole, *named]))
    own = _called(Path(path).stem.strip("_"))
    room = _called(parts[-2]) if len(parts) > 2 else set[str]()
    speaks = {test for test in _tests() if Path(path).name in _text(test) or f"/{parts[-2]}" in _text(test)}
    ranked = [{_GENERAL}, own & room, own, room, speaks]
    in_process = [sorted(test for test in rank if test.startswith("tests/web/")) for rank in ranked]
    return list(dict.fromkeys(test for rank in in_process for test in rank))


def _approved(path: str) -> list[str]:
    """What pages of this game say, or all."""
    return [_APPROVED, *_of_game(path)]


def _of_game(path: str) -> list[str]:
    parts = Path(path).parts
    return ["-k", parts[2]] if parts[:2] == ("snug", "games") and len(parts) > 3 else []


def _folders(path: str) -> list[str]:
    room, *folders = Path(path).parts[1:-1] or ("web",)
    if room == "games" and folders:
        return [f"tests/games/{folders[0]}", "tests/games", "tests/web"]
    if path.endswith(".html") or room == "web":
        return ["tests/web"]
    own = f"tests/{room}"
    return [own, "tests/web"] if (TREE / own).is_dir() else ["tests/web", *_top()]


def _top() -> list[str]:
    return sorted(path.relative_to(TREE).as_posix() for path in (TREE / "tests").glob("test_*.py"))


def _in_browsers(path: str) -> list[Step]:
    words = {_plain(part) for part in (*Path(path).parts[1:-1], Path(path).stem) if part != "templates"}
    browsers = [test for test in _tests() if test.startswith("tests/browser/")]
    named = [test for test in browsers if words & _words_of(test)]
    speaks = [test for test in browsers if Path(path).name in _text(test)]
    return _pytest(list(dict.fromkeys([*named, *speaks]))[:8], "browser")


def _mirrored(path: str) -> list[str]:
    """The tests in the same place under tests/: of the file's name, in a folder of that name."""
    place = Path("tests", *Path(path).parts[1:-1])
    if path.endswith("__init__.py"):
        return [
            test for test in _tests() if Path(test).parent == place or test == f"{place.parent}/test_{place.name}.py"
        ]
    stem = Path(path).stem
    return [
        test
        for test in _tests()
        if test in (f"{place}/test_{stem}.py", f"{place.parent}/test_{place.name}.py")
        or test.startswith((f"{place}/test_{stem}_", f"{place}/{stem}/"))
    ]


def _called(stem: str) -> set[str]:
    """The tests in whose names all words of this one are."""
    words = {_plain(word) for word in stem.split("_") if word}
    tests = (test for test in _tests() if not test.startswith("tests/browser/"))
    return {test for test in tests if words and words <= _words_of(test)}


@lru_cache
def _words_of(test: str) -> set[str]:
    return {_plain(word) for word in re.split(r"[_/]", test.removesuffix(".py").removeprefix("tests/"))}


def _plain(word: str) -> str:
    return word.removesuffix("s")


@lru_cache
def _tests() -> tuple[str, ...]:
    return tuple(sorted(path.relative_to(TREE).as_posix() for path in (TREE / "tests").rglob("test_*.py")))


@lru_cache
def _text(path: str) -> str:
    return (TREE / path).read_text()


def _path_of(module: str) -> str:
    path = module.replace(".", "/")
    return f"{path}/__init__.py" if (TREE / path / "__init__.py").exists() else f"{path}.py"


@lru_cache
def _importers() -> dict[str, set[str]]:
    """The modules that import a module, or something from it."""
    found = defaultdict[str, set[str]](set)
    for root in {*ROOTS, "tests"}:
        for path in (TREE / root).rglob("*.py"):
            own = path.relative_to(TREE).as_posix().removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Import):
                    for name in node.names:
                        found[name.name].add(own)
                elif isinstance(node, ast.ImportFrom) and node.module:
                    found[node.module].add(own)
                    for name in node.names:
                        found[f"{node.module}.{name.name}"].add(own)
    return found
