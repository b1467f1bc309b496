"""Templates of games call what there is, also where no page came by: no name that is unknown, no macro called otherwise
than it is written."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import jinja2
import pytest
from jinja2 import nodes

from app.web import drawing
from app.web.pages.render import environment
from snug.engine.game import Game
from snug.games import package_of

_ELSEWHERE: Final = {
    "page",
    "game_page",
    "game",
    "fields",
    "frame",
    "lesson",
    "caller",
    "kwargs",
    "loop",
    "self",
    "super",
    "varargs",
}


def faults_in(folder: Path, prefix: str) -> Iterator[str]:
    """What is wrong with the templates of a folder, which are imported by this prefix: names that there are not, and
    macros called otherwise than they are written."""
    trees = {path.name: environment.parse(path.read_text("utf-8")) for path in sorted(folder.glob("*.html"))}
    macros = {file: _macros(tree) for file, tree in trees.items()}
    known = {*environment.globals, *drawing._NOBODY, *_ELSEWHERE}
    for file, tree in trees.items():
        known.update(macros[file], (name.name for name in tree.find_all(nodes.Name) if name.ctx != "load"))
        known.update(line.target for line in tree.find_all(nodes.Import))
    for file, tree in trees.items():
        for name in tree.find_all(nodes.Name):
            if name.name not in known and not name.name.startswith("_"):
                yield f"{prefix}/{file}:{name.lineno}: nothing is called {name.name}"
        for fault in _false_calls(tree, macros[file]):
            yield f"{prefix}/{file}:{fault}"


def _macros(tree: nodes.Template) -> dict[str, nodes.Macro | None]:
    """The macros that a template can call, those that it imports among them; None for one that is not there."""
    found: dict[str, nodes.Macro | None] = {macro.name: macro for macro in tree.find_all(nodes.Macro)}
    for line in tree.find_all(nodes.FromImport):
        if not isinstance(line.template, nodes.Const):
            continue
        there = _macros_in(line.template.value)
        for one in line.names:
            theirs, mine = (one, one) if isinstance(one, str) else one
            found[mine] = there.get(theirs)
    return found


def _macros_in(name: str) -> dict[str, nodes.Macro]:
    assert environment.loader
    try:
        source, _, _ = environment.loader.get_source(environment, name)
    except jinja2.TemplateNotFound:
        return {}
    return {macro.name: macro for macro in environment.parse(source).find_all(nodes.Macro)}


def _false_calls(tree: nodes.Template, macros: dict[str, nodes.Macro | None]) -> Iterator[str]:
    for call in tree.find_all(nodes.Call):
        name = call.node.name if isinstance(call.node, nodes.Name) else ""
        if name not in macros or call.dyn_args or call.dyn_kwargs:
            continue
        macro = macros[name]
        if macro is None:
            yield f"{call.lineno}: there is no macro {name} to import"
            continue
        names = [argument.name for argument in macro.args]
        if any(inner.name in ("kwargs", "varargs") for inner in macro.find_all(nodes.Name)):
            continue
        given = [*names[: len(call.args)], *(pair.key for pair in call.kwargs)]
        needed = names[: len(names) - len(macro.defaults)]
        written = f"{name}({', '.join(names)})"
        if len(call.args) > len(names) or set(given) - set(names) or len(set(given)) < len(given):
            yield f"{call.lineno}: {written} is called with {', '.join(given)}"
        elif missing := [one for one in needed if one not in given]:
            yield f"{call.lineno}: {written} is called without {', '.join(missing)}"


def test_templates_call_what_there_is(game: Game[Any]) -> None:
    folder = Path(str(files(package_of(game.key)) / "templates"))
    assert not list(faults_in(folder, f"games/{game.key}"))


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ('{% from "games/_cards.html" import chip %}{{ chip(page, 1) }}', "1: chip(card) is called with card"),
        ('{% from "games/_hand.html" import fan %}{{ fan(page, cards=()) }}', "1: fan("),
        ('{% from "games/_hand.html" import fan %}\n{{ fan(page, (), {}, wide=true) }}', "2: fan("),
        ('{% from "games/_hand.html" import no_fan %}{{ no_fan(page) }}', "1: there is no macro no_fan to import"),
        ('{% from "games/_no_hand.html" import fan %}{{ fan(page) }}', "1: there is no macro fan to import"),
        ("{% macro one(card) %}{{ card }}{% endmacro %}{{ one() }}", "1: one(card) is called without card"),
        ("{{ game_pag.hint }}", "1: nothing is called game_pag"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, written: str, fault: str) -> None:
    (tmp_path / "table.html").write_text(written)
    (found,) = faults_in(tmp_path, "games/mine")
    assert found.startswith(f"games/mine/table.html:{fault}")


def test_what_is_right_is_not(tmp_path: Path) -> None:
    (tmp_path / "_part.html").write_text("{% macro all() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ own }}")
    (tmp_path / "table.html").write_text(
        '{% extends "games/_table.html" %}{% from "games/_hand.html" import fan, opponents as others %}'
        '{% from "games/mine/_part.html" import all %}{% set own = {} %}'
        "{% block mine %}{{ fan(page, page.board.view.hand, own, now=()) }}{{ all(1, more=2) }}{% endblock %}"
        "{% block others %}{% call(seat) others(page, (1, 2)) %}{{ seat }}{{ loop }}{% endcall %}{% endblock %}"
    )
    assert list(faults_in(tmp_path, "games/no_such")) == ["games/no_such/table.html:1: there is no macro all to import"]
