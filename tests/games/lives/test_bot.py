"""The bot of Irish Lives: what it does in plain cases, and that it wins."""

import random

import pytest

from app.engine import match as matches
from app.engine.cards import parse_card
from app.engine.game import Move, Preset
from app.games.lives import GAME as lives
from app.games.lives import bot
from app.games.lives.state import DRAW, CallSuit, Catch, Play
from tests.games.lives.tables import HANDS, table_of
from tests.games.strength import victories


def chosen(table: matches.Match, seat: int) -> Move:
    return bot.choose(lives.view(table.round, seat), random.Random(1))


def test_it_says_last_card() -> None:
    assert chosen(table_of({"hands": HANDS}), 1) == Play(parse_card("9C"), last_card=True)


def test_it_catches_whoever_forgot() -> None:
    table = table_of({"hands": [["KD"], *HANDS[1:]], "exposed": [1], "turn": 2}, last_card_notice="players")
    assert [chosen(table, seat) for seat in (2, 3)] == [Catch(1), Catch(1)]


def test_it_picks_up_when_nothing_fits() -> None:
    assert chosen(table_of({"hands": [["KH", "4S"], *HANDS[1:]]}), 1) == DRAW


def test_it_keeps_a_plain_card_to_go_out_with_and_calls_its_suit() -> None:
    table = table_of({"hands": [["AC", "9D"], *HANDS[1:]]})
    assert chosen(table, 1) == Play(parse_card("AC"), "D", last_card=True)


def test_it_calls_the_suit_it_holds_most_of() -> None:
    table = table_of({"hands": [["9C"], ["5H", "7H", "9S"], ["KD"]], "phase": "CALL_SUIT", "stack": ["AS"]})
    assert chosen(table, 2) == CallSuit("H")


@pytest.mark.parametrize(("preset", "share"), [*zip(lives.presets, (0.75, 0.4, 0.5), strict=True)])
def test_it_wins_more_than_its_share(preset: Preset, share: float) -> None:
    """Of three. Where a card that fits must be played and no call can be forgotten, luck counts for more."""
    assert victories(lives, 3, 100, **{**preset.options, "rounds": 1}) > 100 * share
