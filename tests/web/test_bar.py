"""The bar over the table: whose turn it is and what came of the last move, in two short sentences."""

import random
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from app.services.play.board import Board
from app.services.play.score_sheet import Competitor
from app.services.seats.people import People
from app.services.table.table_now import Viewer
from app.web.pages.render import template
from snug.engine import match as matches
from snug.engine.game import Event, Game
from snug.engine.match import Match
from snug.games.life.events import CardTurned, PickedUp, Stolen, Swept, Taken
from snug.games.liverpool.events import Discarded
from snug.games.lives.events import Caught
from snug.games.lucky_paw.state import SetDealt
from snug.testing.random_play import Player, begin, every_game
from snug.testing.scenarios import cards
from tests.web.test_loud_games import moments_of
from tests.web.test_words import BOUGHT, BUYING, OFFERED, read, room_of, with_board

_NAMES = (
    "Maximilianus",
    "Bartholomäus",
    "Wilhelmina V",
    "Konstantinos",
    "Evangelina I",
    "Christophers",
    "Alexandrina ",
)
_ENDS = ("round_over", "match_over")
_LONGEST = 56  # two lines of a small phone, with the sentence before it


def seen(html: str) -> str:
    """What the eye sees of it, every card as three letters."""
    html = re.sub(r'<span class="sr">.*?</span>', "", html)
    html = re.sub(r'<span class="(chip|suit-tile).*?</span>', "***", html)
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


def played(game: Game[Any]) -> Iterator[tuple[Match, tuple[Event, ...]]]:
    """What happens in random matches and in the rules' scenarios."""
    for number in range(3):
        player, seats = Player(number), min(game.seats[1], len(_NAMES))
        table = begin(game, random.Random(number).randint(game.seats[0], seats), {})
        for _ in range(200):
            if table.round_over:
                break
            table, events = matches.play(table, *player.choose(table))
            if events:
                yield table, events
    for table, events, _ in moments_of(game.key):
        if events and table.seats <= len(_NAMES):
            yield table, events


@every_game
def test_whatever_happens_is_one_short_sentence(game: Game[Any]) -> None:
    words = template(f"games/{game.key}/events.html").module
    story: Any = template("games/_events.html").module.story  # type: ignore[attr-defined]
    told: set[str] = set()
    for table, events in played(game):
        for eye in (1, 2):
            own = tuple(event.seen_by(eye) for event in events)
            view = table.game.view(table.round, eye)
            board, people = Board(view=view, log=(own,)), People((), _NAMES)
            page = SimpleNamespace(viewer=Viewer(seat=eye), game=game, board=board, people=people)
            told.add(seen(str(story(page, words))))
    assert len(told) > 20
    assert "" not in told
    assert not [sentence for sentence in told if len(sentence) > _LONGEST]


@every_game
def test_that_a_round_is_over_is_left_to_the_scores(game: Game[Any]) -> None:
    words: Any = template(f"games/{game.key}/events.html").module
    brief: Any = getattr(words, "brief", None)
    ended = [(table, event) for table, events in played(game) for event in events if event.name in _ENDS]
    assert ended
    for table, event in ended if brief else ():
        view = table.game.view(table.round, 1)
        page = SimpleNamespace(my_seat=1, game=game, view=view, log=((event,),), name_of=lambda seat: _NAMES[seat - 1])
        assert seen(str(brief(event, page))) == ""


@pytest.mark.parametrize(
    ("record", "eye", "said"),
    [
        ({"game": "lucky_paw", "seats": 3}, 1, "Your turn."),
        ({"game": "lucky_paw", "seats": 3}, 2, "Alice to play."),
        (OFFERED, 2, "You may buy ***."),
        (OFFERED, 1, "3 players may buy."),
        (BUYING, 3, "Bob and Dave may buy."),
        ({"game": "life", "seats": 4}, None, "4 players to choose."),
    ],
)
def test_whose_turn_it_is(record: dict[str, Any], eye: int | None, said: str) -> None:
    page = room_of(record, eye)
    words = template(f"games/{record['game']}/events.html").module
    assert seen(str(template("games/_events.html").module.whose_turn(page, words))) == said  # type: ignore[attr-defined]


def test_a_full_stop_stays_with_the_card_before_it() -> None:
    story: Any = template("games/_events.html").module.story  # type: ignore[attr-defined]
    discarded = with_board(room_of(BOUGHT, 2), log=((Discarded(1, cards("6D")[0]),),))
    told = str(story(discarded, template("games/liverpool/events.html").module))
    assert '\u2060</span><span class="sr">six of diamonds</span>.</span>' in told


@pytest.mark.parametrize(
    ("event", "seats"),
    [
        (Stolen(2, 1, False, None), (1,)),
        (Swept("S", (Taken(1, cards("2S"), ()), Taken(2, cards("3S"), ())), 2), (1,)),
        (Swept("S", (Taken(1, cards("2S"), ()), Taken(2, cards("3S"), ())), None), (1, 2)),
        (Caught(1, 2), (1,)),
        (SetDealt(3, ()), ()),
        (PickedUp(1, 5, None), ()),
    ],
)
def test_what_befalls_whom(event: Event, seats: tuple[int, ...]) -> None:
    assert tuple(seat for seat in (1, 2, 3) if event.befalls(seat)) == seats


def test_whose_turn_it_is_is_told_what_befell_them_since_their_last() -> None:
    story: Any = template("games/_events.html").module.story  # type: ignore[attr-defined]
    ace, *_ = cards("AS")
    log = (Stolen(3, 1, False, ace),), (CardTurned(1, ace),), (Stolen(2, 1, False, ace),), (PickedUp(3, 5, None),)
    page = with_board(room_of({"game": "lucky_paw", "seats": 3}, 1), log=log, last_move=2)
    words = template("games/life/events.html").module
    assert seen(str(story(page, words))) == "Bob stole *** from your hand."
    assert seen(str(story(with_board(page, last_move=3), words))) == "Carol picked up a card."
    assert seen(str(story(replace(page, people=People((), _NAMES)), words))) == "Wilhelmina V picked up a card."


def test_who_is_asked_to_buy_is_not_said_to_play() -> None:
    words = read(room_of(OFFERED, 1))
    assert "Bob may buy" in words
    assert "Carol may buy" in words
    assert "to play" not in words


@every_game
def test_everybodys_points_stand_beside_their_cards(game: Game[Any]) -> None:
    page = room_of({"game": game.key, "seats": 3}, 1)
    assert " in all" not in read(page)
    assert page.board.sheet
    totals = zip((1, 2, 3), ("Alice", "Bob", "Carol"), (3, 1, 8), (2, 3, 1), strict=True)
    rows = tuple(Competitor(name, (seat,), (total,), total, place, seat == 1) for seat, name, total, place in totals)
    words = read(with_board(page, sheet=replace(page.board.sheet, competitors=rows, number=2, finished=1)))
    assert f"total 3 {game.unit(3)} in all" in words, "my own in words"
    assert f"{game.unit(1)} 1 {game.unit(1)} in all" in words, "for the eye in words and in figures, and for the ear"
    assert f"★ {game.unit(8)} 8 {game.unit(8)} in all, in the lead" in words
