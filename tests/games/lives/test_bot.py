"""The bot of Irish Lives: what it does in plain cases, and that it wins."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from snug.engine import match as matches
from snug.engine.cards import parse_card
from snug.engine.game import Move, Preset
from snug.games.lives import GAME as lives
from snug.games.lives import bot
from snug.games.lives.events import CardPlayed
from snug.games.lives.state import DRAW, KEEP, CallSuit, Catch, Play
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


def considered(table: matches.Match, seat: int) -> list[Move]:
    return list(bot.THINKING.candidates(lives.view(table.round, seat)))


def test_there_is_nothing_to_think_about_where_somebody_forgot() -> None:
    table = table_of({"hands": [["KD"], *HANDS[1:]], "exposed": [1], "turn": 2}, last_card_notice="players")
    assert [considered(table, seat) for seat in (2, 3)] == [[Catch(1)], [Catch(1)]]


def test_it_never_thinks_of_forgetting_a_call() -> None:
    assert considered(table_of({"hands": HANDS}), 1) == [Play(parse_card("9C"), last_card=True), DRAW]


def test_it_thinks_of_keeping_what_it_picked_up() -> None:
    position = {"hands": [["KH", "9C"], *HANDS[1:]], "phase": "DRAWN", "drawn_card": "9C"}
    assert considered(table_of(position, play_drawn_card=True), 1) == [Play(parse_card("9C"), last_card=True), KEEP]


def test_of_an_ace_it_considers_the_two_best_suits() -> None:
    moves = considered(table_of({"hands": [["AC", "9D", "8D", "4S"], *HANDS[1:]]}), 1)
    assert [move.suit for move in moves if isinstance(move, Play)] == ["D", "S"]


def test_a_sharp_player_counts_what_was_played() -> None:
    """An eight, when the others are gone, leaves only the suit to follow; a good player sheds the nine."""
    stack = ["8S", "8H", "8D", "7C"]
    table = table_of({"hands": [["9C", "8C", "KH", "4S"], *HANDS[1:]], "stack": stack, "pool": ["6S"]})
    seen = tuple(CardPlayed(3, parse_card(text), text[-1], 0, 4) for text in stack)
    view: Any = lives.view(table.round, 1)
    assert bot.THINKING.first
    assert chosen(table, 1) == Play(parse_card("9C"))
    assert bot.THINKING.first(replace(view, seen=seen), random.Random(1)) == Play(parse_card("8C"))


@pytest.mark.parametrize(("preset", "share"), [*zip(lives.presets, (0.8, 0.4, 0.8), strict=True)])
def test_it_wins_more_than_its_share(preset: Preset, share: float) -> None:
    """Of three, the others random. Where a card that fits must be played they do little wrong."""
    assert victories(lives, 3, 100, **{**preset.options, "rounds": 1}) > 100 * share
