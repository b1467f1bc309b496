"""Hints in words, along the lesson."""

from typing import Any

import pytest

from snug.engine.cards import CARDS
from snug.engine.game import read_options
from snug.games.liverpool import GAME, reasons
from snug.games.liverpool.state import LayDown, LayOff, TakeDiscard
from snug.games.liverpool.view import LiverpoolView
from tests.games.reasons import told


@pytest.mark.parametrize(
    ("step", "move", "why"),
    [
        (1, "Draw from the stock.", "The three of diamonds brings you no nearer."),
        (2, "Discard the king of diamonds.", "It keeps 6♣ 7♣ 9♣ for a run and two queens for a set."),
        (3, "Buy the eight of clubs.", "Then only one card is missing for the contract."),
        (4, "Take the queen of clubs.", "With it you can go down."),
        (5, "Go down with Q♠ Q♥ Q♣ and 6♣ 7♣ 8♣ 9♣.", "What lies on the table does not count against you."),
        (6, "Add the eight of hearts to the run of hearts.", "It does not count against you there."),
        (
            7,
            "Win the joker of the set of nines with the nine of hearts.",
            "You are rid of a card, and the joker goes where you like.",
        ),
        (8, "Discard the two of clubs.", "It is your last card."),
    ],
)
def test_the_move_and_what_it_is_good_for(step: int, move: str, why: str | None) -> None:
    assert told("liverpool", step) == (move, why)


def view_of(hand: str, upcard: str, **position: Any) -> LiverpoolView:
    """What seat 1 sees who is to draw."""
    hands = [hand.split(), ["2H", "3D"], ["5S", "9D"]]
    given = {"hands": hands, "discard_pile": [upcard], "stock": ["QS", "8D"], **position}
    state, _, _ = GAME.from_position(read_options(GAME, 3, {}), 3, given)
    return GAME.view(state, 1)


def test_in_the_last_hand_nothing_may_be_missing_though_a_card_is_over() -> None:
    view = view_of("2C 3C 4C 5C 9H 10H JH QH 5S 6S 7S KD", "8S", hand_no=7)
    assert reasons.why(view, TakeDiscard()) == "Then no card is missing for the contract."


def test_who_is_down_takes_what_can_be_played_rather_than_draw() -> None:
    melds = [{"kind": "set", "cards": ["4C", "4D", "4H"], "owner": 2}]
    view = view_of("KC QC", "4S", down=[True, True, False], melds=melds)
    taking = TakeDiscard(LayOff(CARDS["4S"], 1))
    assert taking in view.legal
    assert reasons.why(view, taking) == "Else you would draw a card that may stay in your hand."


def test_equal_cards_are_tapped_one_after_the_other() -> None:
    view = view_of("4C 4C 4D 9S 9S 9H KD", "8C", phase="PLAY", hand_no=1)
    other = LayDown(tuple(reversed(view.arrangements(1)[0].melds)))
    assert set(reasons.taps(view, other)) == {"pick-4C", "pick-4C-2", "pick-4D", "pick-9S", "pick-9S-2", "pick-9H"}
