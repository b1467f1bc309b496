"""Templates written as one would by hand draw every page as Jinja's own do, byte by byte."""

import jinja2
import pytest
from jinja2.compiler import CodeGenerator

from app.web.pages import render, render_cache
from snug.engine import match as matches
from snug.engine.game import Event, read_options
from snug.games import GAMES
from snug.testing.random_play import Player
from snug.words import ENGLISH, reading
from tests.languages import Marked
from tests.web.test_words import page_of, room_at

_SEATS = 3
_MOVES = 40


def plain() -> jinja2.Environment:
    """The same templates as Jinja compiles them."""
    environment = render.environment.overlay(cache_size=-1)
    environment.code_generator_class, environment.template_class = CodeGenerator, jinja2.Template
    return environment


def pages_of(key: str) -> list[str]:
    """What seats and an onlooker see of a seeded game, now and then."""
    game, player = GAMES[key], Player(3)
    match = matches.begin(game, read_options(game, _SEATS, {}), _SEATS)
    log, pages = list[tuple[Event, ...]](), list[str]()
    for number in range(_MOVES):
        if match.round_over:
            break
        match, events = matches.play(match, *player.choose(match))
        log.append(events)
        if number % 4 == 0 and not match.due and not match.round_over:
            pages += [page_of(room_at(match, tuple(log), eye)) for eye in (1, 2, None)]
    return pages


def forget() -> None:
    """Nothing is at hand of what was drawn before."""
    for drawn in (render_cache._LINES, render_cache._LISTS, render_cache._PANELS, render_cache._PAGES):
        drawn._kept.clear()


def compare(key: str, words: Marked) -> None:
    """Draws the same pages of a game in both ways."""
    with reading(words), pytest.MonkeyPatch.context() as patch:
        forget()
        ours = pages_of(key)
        patch.setattr(render, "environment", plain())
        forget()
        assert ours == pages_of(key)
    assert len(ours) > 10


@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("words", [ENGLISH, Marked()], ids=["english", "marked"])
@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_page_is_what_jinja_makes_of_it(key: str, words: Marked) -> None:
    compare(key, words)


def test_what_is_written_has_no_generators() -> None:
    source, _, _ = render.environment.loader.get_source(render.environment, "games/_table.html")  # type: ignore[union-attr]
    code = render.environment.compile(source, "games/_table.html", raw=True)
    assert "yield" not in code
    assert "environment.getattr" not in code
