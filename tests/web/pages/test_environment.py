"""Templates that call as Python does say what Jinja's own would."""

from typing import Any

import jinja2
import pytest
from markupsafe import Markup

from app.web.pages.environment import environment_with


@jinja2.pass_context
def who(context: jinja2.runtime.Context, greeting: str) -> str:
    """A function that wants the context."""
    return f"{greeting}, {context['name']}"


def drawn(template: str, **more: Any) -> str:
    """What a template says to Ann."""
    pieces = {
        "page": template,
        "pieces": "{% set same_again = ['piece'] %}{% macro piece(one) %}[{{ one }}]{% endmacro %}",
        "guest": "{{ one|default('nobody') }}, {{ name }}{% set name = 'Ben' %}",
    }
    environment = environment_with(jinja2.DictLoader(pieces))
    environment.globals.update(who=who, joined=lambda *args, **kwargs: f"{args} {kwargs}")
    return environment.get_template("page").render(name="Ann", **more)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ who('Hello') }}", "Hello, Ann"),
        ("{% for one in [1, 2] %}{{ who('Hello') }}{{ one }} {% endfor %}", "Hello, Ann1 Hello, Ann2 "),
        ("{{ joined(1, two=2)|safe }}", "(1,) {'two': 2}"),
        ("{{ joined(class='a')|safe }}", "() {'class': 'a'}"),
        ("{{ joined(*[1], **{'two': 2})|safe }}", "(1,) {'two': 2}"),
        ("{% macro at(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ at(1) }} {{ at(1, 3) }} {{ at(b=4, a=1) }}", "12 13 14"),
        ("{% macro in() %}<b>{{ caller() }}</b>{% endmacro %}{% call in() %}{{ name }}{% endcall %}", "<b>Ann</b>"),
        ("{% block one %}{{ joined(name)|safe }}{% endblock %}", "('Ann',) {}"),
        (
            "{% from 'pieces' import piece %}{{ piece('<') }}{{ piece('<') }}{{ piece(1) }}{{ piece(1.0) }}",
            "[&lt;][&lt;][1][1.0]",
        ),
        ("{{ '<' }}{{ markup }}{{ 7 }}{{ none }}", "&lt;<i>7None"),
        ("{{ '<' ~ markup ~ 7 }}{{ ('<' ~ 7)|length }}", "&lt;<i>72"),
        ("{% for _ in [joined] %}{{ _('%(a)s', a=1)|safe }}{% endfor %}", "('%(a)s',) {'a': 1}"),
        ("{{ one is defined }}{% set one = 1 %}{{ one is defined }}{{ one }}", "FalseTrue1"),
        ("{% if not name %}{% set one = 1 %}{% endif %}{{ one is defined }}", "False"),
        ("{% include 'guest' %} {{ name }}", "nobody, Ann Ann"),
        ("{% if name %}{% set one = 1 %}{% endif %}{% include 'guest' %}", "1, Ann"),
        ("{% for one in [1, 2] %}{% include 'guest' %} {% endfor %}{{ one is defined }}", "1, Ann 2, Ann False"),
    ],
)
def test_a_call_is_what_it_is_in_jinja(template: str, said: str) -> None:
    assert drawn(template, markup=Markup("<i>")) == said


def test_a_sentence_is_its_words_and_what_stands_between_them() -> None:
    def read(sentence: str) -> str:
        return drawn("{{ _('" + sentence + "', who='<', what=markup) }}", markup=Markup("<i>"))

    assert read("%(who)s beats %(what)s") == "&lt; beats <i>"
    assert read("%(who)s or %(who)s") == "&lt; or &lt;"
    assert read("7%% of %(what)s") == "7% of <i>"
    assert read("%(what:den)s") == "<i>"


def test_what_is_not_there_is_called_by_its_name() -> None:
    with pytest.raises(jinja2.UndefinedError, match="'nowhere' is undefined"):
        drawn("{{ nowhere() }}")
