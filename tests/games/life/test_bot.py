"""How the good bot plays Life: some decisions by heart, and Hands against random players."""

import json
import random
from typing import Any

import pytest

from snug.bots import levels
from snug.engine.cards import PACK, parse_pile
from snug.engine.game import Move, read_options
from snug.engine.record import parse
from snug.games.life import GAME as life
from snug.games.life import bot
from snug.games.life.state import DECLINE_STEAL, PLAY_JOKER, TURN_CARD, ChooseSuit, Lay, Steal
from snug.games.life.view import LifeView
from tests.games.strength import victories


def view_at(seats: int = 2, options: dict[str, Any] | None = None, **position: Any) -> LifeView:
    """What seat 1 sees."""
    record = {"game": "life", "seats": seats, "options": options or {}, "position": position}
    return life.view(parse(json.dumps(record)).start.round, 1)


def choice_at(seats: int = 2, options: dict[str, Any] | None = None, **position: Any) -> Move:
    """What the bot does at seat 1."""
    return bot.choose(view_at(seats, options, **position), random.Random(1))


def lay(cards: str) -> Lay:
    return Lay(parse_pile(cards.split()))


DECK = [card for card in PACK if card.suit == "H" and card.rank != 13] + list(parse_pile(["4C", "5C", "6C", "7C"]))


def test_it_never_chooses_spades() -> None:
    suits = set()
    for number in range(40):
        options = read_options(life, 2, {"choose_spades": True})
        choice = bot.choose(life.view(life.start(options, 2, 1, 1), 1), random.Random(number))
        assert isinstance(choice, ChooseSuit)
        suits.add(choice.suit)
    assert suits == {"H", "D", "C"}


def test_it_lays_everything_it_can() -> None:
    hands = [["5H", "3H", "9C"], ["2D", "4C"]]
    assert choice_at(phase="LAY", turned="6H", hands=hands) == lay("5H 3H")


def test_it_goes_out_when_that_puts_it_ahead() -> None:
    hands = [["5H", "3H"], ["2D", "4C"]]
    assert choice_at(phase="LAY", turned="6H", hands=hands, row=[[], ["7D"]]) == lay("5H 3H")


def test_it_keeps_a_card_rather_than_end_a_hand_behind() -> None:
    hands = [["5H", "3H"], ["2D", "4C"]]
    assert choice_at(phase="LAY", turned="6H", hands=hands, row=[[], ["9D"]]) == lay("5H")


def test_it_steals_the_last_card_of_a_hand_when_ahead() -> None:
    assert choice_at(phase="STEAL", turned="6H", hands=[["9C"], ["2D"]], safe=[["KH"]]) == Steal(2)


def test_it_does_not_when_behind() -> None:
    assert choice_at(phase="STEAL", turned="6H", hands=[["9C"], ["2D"]], safe=[[], ["KH"]]) == DECLINE_STEAL


def test_it_leaves_spades_where_they_are() -> None:
    hands = [["9C"], ["2D", "3C"]]
    assert choice_at(phase="STEAL", turned="6H", hands=hands, row=[[], ["4S"]]) == DECLINE_STEAL
    assert choice_at(phase="STEAL", turned="6H", hands=hands, row=[[], ["4S", "2C"]]) == Steal(2, *parse_pile(["2C"]))


def test_it_does_not_reach_into_a_hand_when_little_but_spades_is_left() -> None:
    discards = [card for card in PACK if card.suit != "S" and card not in ("2H", "3C")]
    deck = [card for card in PACK if card.suit == "S" and card != "4S"]
    assert choice_at(phase="STEAL", hands=[["2H"], ["4S", "3C"]], discards=discards, deck=deck) == DECLINE_STEAL


def test_it_knows_that_whoever_had_to_lay_spades_holds_none() -> None:
    hands = [["9C"], ["2D", "3C"]]
    assert choice_at(phase="STEAL_ROUND", turn=2, hands=hands, safe=[[], ["KS"]], discards=["5S"]) == Steal(2)


def test_it_plays_a_joker_to_get_rid_of_spades() -> None:
    assert choice_at(hands=[["JK", "KS", "4S", "9C"], ["2D", "3D", "4D"]], deck=DECK) == PLAY_JOKER
    assert choice_at(hands=[["JK", "4S", "9C"], ["2D", "3D", "4D"]], deck=DECK) == TURN_CARD


def test_it_plays_a_joker_to_end_the_hand_when_ahead() -> None:
    hands = [["JK", "9C"], ["2D", "3D", "4D"]]
    assert choice_at(hands=hands, safe=[["KH"]]) == PLAY_JOKER
    assert choice_at(hands=hands, safe=[[], ["KH"]]) == TURN_CARD


def test_it_plays_a_joker_to_save_itself_from_the_end_of_a_hand() -> None:
    hands = [["JK", "9C", "2C"], ["2D", "3D"]]
    assert choice_at(hands=hands, safe=[[], ["KH"]], deck=DECK) == PLAY_JOKER
    assert choice_at(hands=hands, safe=[["KH"], []], deck=DECK) == TURN_CARD


def test_a_gentle_player_may_overlook_that_he_can_lay() -> None:
    view = view_at(phase="LAY", turned="6H", hands=[["5H", "3H", "9C"], ["2D", "4C"]])
    moves = {levels.choose("life", levels.GENTLE, view, random.Random(number)) for number in range(40)}
    assert moves == {lay("5H 3H"), Lay(())}


def test_only_a_lay_that_would_end_the_hand_is_worth_a_thought() -> None:
    hands = [["5H", "3H"], ["2D", "4C"]]
    view = view_at(phase="LAY", turned="6H", hands=hands)
    assert bot.candidates(view) == (lay("5H 3H"), lay("5H"), Lay(()))
    view = view_at(phase="LAY", turned="6H", hands=[["5H", "3H", "9C"], ["2D", "4C"]])
    assert bot.candidates(view) == (lay("5H 3H"),)


def test_what_to_steal_is_worth_a_thought() -> None:
    hands, rows = [["9C"], ["2D", "3C"], ["4C", "5C"], ["6C"]], [[], [], ["7D", "8D"]]
    view = view_at(4, phase="STEAL", turned="6H", hands=hands, row=rows, chosen=["H"] * 4)
    seven, eight = parse_pile(["7D", "8D"])
    assert bot.candidates(view) == (Steal(3, eight), Steal(2), Steal(4), DECLINE_STEAL)
    assert Steal(3, seven) in view.legal


def test_nobody_can_know_which_suit_to_choose() -> None:
    options = read_options(life, 2, {})
    assert bot.candidates(life.view(life.start(options, 2, 1, 1), 1)) == ()


@pytest.mark.parametrize(("seats", "fair"), [(2, 1 / 2), (4, 1 / 4), (8, 1 / 8)])
@pytest.mark.slow
def test_it_beats_random_players(seats: int, fair: float) -> None:
    """In matches that mostly take one Hand."""
    assert victories(life, seats, 150, target=20) > 150 * 1.2 * fair
