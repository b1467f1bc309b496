"""What a maker's tests find in templates before any page comes upon it."""

from pathlib import Path

import pytest

from app.web.drawing import faults_in


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
