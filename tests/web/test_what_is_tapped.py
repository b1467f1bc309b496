"""What a hint marks: whoever taps it, in its order, makes the move."""

import random
from collections.abc import Iterator

import pytest
from markupsafe import Markup
from starlette.datastructures import FormData, QueryParams

from app.services.queries.table_page import TablePage
from app.web.forms.moves import move_of
from app.web.pages.parts import whole
from app.web.pages.render import environment, game_page, template
from snug.bots.levels import steady
from snug.bots.reasons import words_of
from snug.bots.search import Dice
from snug.engine import match as matches
from snug.engine.game import Event, Move, View, read_move, read_options
from snug.engine.match import Match
from snug.games import GAMES
from tests.pages import Element, Page
from tests.web.test_words import room_at

_SEATS = 4
_MOMENTS = 12  # of a round that are looked at
_MARK = Markup('<span class="hinted">Hint</span>')


def moments(key: str, dice: random.Random) -> Iterator[tuple[Match, TablePage]]:
    """Tables of steady players, with each set of rules that the game offers, as one who is to act sees them."""
    game = GAMES[key]
    for preset in game.presets:
        match = matches.begin(game, read_options(game, _SEATS, preset.options), _SEATS)
        log: tuple[tuple[Event, ...], ...] = ()
        for at in range(_MOMENTS * 4):
            while (due := match.due) is not None:
                match, events = matches.play(match, 0, due.outcome(Dice(dice)))
                log = (*log, events)
            if match.round_over:
                break
            seat = dice.choice(match.to_act)
            if at % 4 == 0:
                yield match, room_at(match, log, seat)
            match, events = matches.play(match, seat, steady(key)(matches.sight(match, seat, ()), dice))
            log = (*log, events)


def drawn(page: TablePage) -> str:
    """The table alone."""
    name = f"games/{page.game.key}/table.html"
    shown = {"page": page, "game_page": game_page(page, QueryParams()), "lesson": True, "refusal": None, "notice": None}
    return whole(template(name).render(shown))


def moves_of(view: View, dice: random.Random) -> list[Move]:
    """Some of what the seat may do."""
    some = dice.sample(view.legal, min(4, len(view.legal)))
    return [view.complete(move, dice.randrange) for move in some]


def tapped(html: Page, ids: tuple[str, ...]) -> FormData:
    """What the last of these sends, once the others are ticked."""
    *ticked, button = [html.one(id=one) for one in ids]
    form = html.one("form", id=button["form"]) if button["form"] else html.elements[button.form or 0]
    hidden = [one for one in html.elements if _belongs(one, html, form) and one["type"] == "hidden"]
    fields = (*hidden, *(one for one in ticked if one["form"] == form["id"]), button)
    return FormData([(one["name"], one["value"]) for one in fields if one["name"]])


def _belongs(one: Element, html: Page, form: Element) -> bool:
    return one["form"] == form["id"] if "form" in one.attributes else html.elements.index(form) == one.form


@pytest.mark.parametrize("key", GAMES)
def test_who_taps_what_is_marked_makes_the_move(key: str) -> None:
    dice = random.Random(key)
    found = set()
    for match, page in moments(key, dice):
        html = Page(drawn(page))
        assert page.board.view
        assert page.viewer.seat
        for move in moves_of(page.board.view, dice):
            ids = words_of(key).taps(page.board.view, move)
            assert ids
            if html.one(id=ids[-1]).tag == "button":
                sent = read_move(page.game, move_of(tapped(html, ids)), strict=False)
                made = matches.play(match, page.viewer.seat, sent)
                assert made == matches.play(match, page.viewer.seat, move), ids
                found.add(type(move))
    assert len(found) > 1


def test_a_game_that_does_not_say_has_no_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snug.bots.reasons.find_spec", lambda _name: None)
    words_of.cache_clear()
    _, page = next(moments("lucky_paw", random.Random(1)))
    assert page.board.view
    assert words_of("lucky_paw").taps(page.board.view, page.board.view.legal[0]) == ()
    words_of.cache_clear()


def test_a_mark_is_within_what_is_tapped_and_nowhere_else() -> None:
    marked = environment.filters["marked"]
    html = Markup('<label for="a-1"><input id="a-1">x</label> <button class="b" id="a">y</button>')
    assert marked(html, ("a", "a-1", "nowhere"), _MARK) == (
        f'<label for="a-1"><input id="a-1">{_MARK}x</label> <button class="b" id="a">{_MARK}y</button>'
    )
