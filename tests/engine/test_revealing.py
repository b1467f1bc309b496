"""Whether a move showed somebody a hidden card is decided when it is made."""

import pytest

from snug.engine import match as matches
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, Move, read_options
from snug.engine.match import Match
from snug.games.lives import GAME
from snug.games.lives.state import DRAW, Play
from snug.testing.scenarios import table_at

HANDS = [["3H", "5C", "KC"], ["8S", "9S", "QC"], ["4C", "6C", "JC"]]


@pytest.fixture
def table() -> Match:
    """Irish Lives, seat 1 to act with a card that fits."""
    return table_at("lives", hands=HANDS, stack=["9H", "3D"], pool=["6S", "6D", "8H", "JD"], turn=1)


def shows(table: Match, seat: int, move: Move, *, chosen: bool = True) -> bool:
    after, events = matches.play(table, seat, move)
    return matches.reveals(table, after, seat, move, events, chosen=chosen)


def test_who_plays_a_card_of_his_own_hand_shows_nothing_that_he_may_not(table: Match) -> None:
    assert not shows(table, 1, Play(table.round.hands[0][0]))


def test_nobody_bears_the_risk_of_a_card_that_was_played_for_him(table: Match) -> None:
    assert shows(table, 1, Play(table.round.hands[0][0]), chosen=False)


def test_a_card_drawn_from_the_pool_was_hidden(table: Match) -> None:
    assert shows(table, 1, DRAW)


def test_what_the_dealer_does_shows_cards() -> None:
    table = matches.begin(GAME, read_options(GAME, 3, {"first_dealer": 1}), 3)
    due = table.due
    assert due
    outcome = due.outcome(chance_of("any", 0))
    after, events = matches.play(table, DEALER, outcome)
    assert matches.reveals(table, after, DEALER, outcome, events, chosen=False)
