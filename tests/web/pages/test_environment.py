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
    ],
)
def test_a_call_is_what_it_is_in_jinja(template: str, said: str) -> None:
    assert drawn(template, markup=Markup("<i>")) == said


def test_what_is_not_there_is_called_by_its_name() -> None:
    with pytest.raises(jinja2.UndefinedError, match="'nowhere' is undefined"):
        drawn("{{ nowhere() }}")
