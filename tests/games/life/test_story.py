"""The story of a Hand of Life, turn by turn."""

from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import PACK, Pile, parse_pile
from snug.engine.chance import Draw, Shuffle
from snug.engine.game import Event, read_options
from snug.engine.match import Match
from snug.games.life import GAME as life
from snug.games.life.state import LAY, PLAY_JOKER, TURN_CARD, ChooseSuit, Lay, Steal
from snug.games.life.story import Turn, retold, turns

_HANDS = ["5H 3H 9C", "2D 4C KS", "7D 8C QS"]


def cards(text: str) -> Pile:
    return parse_pile(text.split())


def table_at(
    hands: list[str] = _HANDS, row: tuple[str, ...] = (), safe: tuple[str, ...] = (), **position: Any
) -> Match:
    """Three players, seat 1 to move unless the position says otherwise."""
    options = read_options(life, 3, position.pop("options", {}))
    given = {
        "phase": "TURN_START",
        "turn": 1,
        "chosen": ["H", "D", "C"],
        "hands": [hand.split() for hand in hands],
        "row": [pile.split() for pile in (*row, "", "", "")[:3]],
        "safe": [pile.split() for pile in (*safe, "", "", "")[:3]],
        **position,
    }
    state, rounds, totals = life.from_position(options, 3, given)
    return Match(life, options, 3, state, rounds, totals)


def logged(table: Match, *steps: tuple[int, Any]) -> tuple[tuple[Event, ...], ...]:
    log = []
    for seat, move in steps:
        table, events = matches.play(table, seat, move)
        log.append(events)
    return tuple(log)


def told(turn: Turn) -> list[tuple[str, int]]:
    return [(type(step.event).__name__, step.beat) for step in turn.steps]


def test_every_turn_has_its_own_events_and_every_move_its_own_beat() -> None:
    table = table_at(deck=["6H", "9D", "2C", "3C"])
    log = logged(table, (1, TURN_CARD), (1, Lay(())), (2, TURN_CARD), (2, Lay(cards("4C"))))
    first, second = turns(log)
    assert (first.seat, first.number, second.seat, second.number) == (1, 0, 2, 2)
    assert told(first) == [("CardTurned", 0), ("CardsLaid", 0), ("PickedUp", 1)]
    assert told(second) == [("CardTurned", 0), ("CardsLaid", 0)]


def test_what_the_dealer_draws_or_shuffles_belongs_to_the_move_before() -> None:
    table = table_at(phase="STEAL", turned="6H")
    (steal,) = turns(logged(table, (1, Steal(2)), (0, Draw(cards("2D")[0]))))
    assert told(steal) == [("ReachedFor", 0), ("Stolen", 1)]
    table = table_at(["5H JK", "2D", "7D"], deck=[card for card in PACK if card not in ("5H", "2D", "7D")])
    (joker,) = turns(logged(table, (1, PLAY_JOKER), (0, Shuffle(PACK))))
    assert told(joker) == [("JokerPlayed", 0), ("Redealt", 1)]
    assert joker.seat == 1


def test_a_reshuffle_before_a_card_is_turned_begins_the_turn_and_one_before_a_pick_up_does_not() -> None:
    table = table_at(deck=[], discards=["6H", "3C"])
    (turn,) = turns(logged(table, (1, TURN_CARD), (0, Shuffle(cards("6H 3C")))))
    assert told(turn) == [("DeckReshuffled", 0), ("CardTurned", 1)]
    table = table_at(deck=["6H"])
    steps = (1, TURN_CARD), (1, LAY), (0, Shuffle(cards("6H")))
    (turn,) = turns(logged(table, *steps))
    assert told(turn) == [("CardTurned", 0), ("CardsLaid", 0), ("DeckReshuffled", 1), ("PickedUp", 2)]


def test_the_suits_and_the_deal_come_before_the_first_turn() -> None:
    table = matches.begin(life, read_options(life, 2, {}), 2)
    choices = (1, ChooseSuit("H")), (2, ChooseSuit("C"))
    log = logged(table, *choices, (0, Shuffle(life.start(table.options, 2, 1, 1).deck)))
    (prologue,) = turns(log)
    assert told(prologue) == [("SuitsRevealed", 0), ("Dealt", 1)]
    assert prologue.seat is None
    assert turns(()) == retold((), 1, 2) == ()


@pytest.mark.parametrize(("eye", "numbers"), [(1, [1]), (2, [1]), (3, [0, 1]), (None, [0, 1])])
def test_a_sweep_is_told_until_one_s_own_turn(eye: int | None, numbers: list[int]) -> None:
    table = table_at(["9C 2C KD", "2H 4C 5S", "7D 8H QS"], deck=["AH", "9S", "3D", "4D"])
    log = logged(table, (1, TURN_CARD), (2, TURN_CARD))
    assert [turn.number for turn in retold(log, eye, 3)] == numbers
    assert [turn.number for turn in retold(log[:1], eye, 3)] == [0]


def test_who_was_robbed_is_told_and_others_are_not() -> None:
    table = table_at(phase="STEAL", turned="6H", row=("", "3C"), deck=["9D", "4D"])
    log = logged(table, (1, Steal(2, cards("3C")[0])), (2, TURN_CARD), (2, Lay(())), (3, TURN_CARD))
    assert turns(log)[0].is_worth_telling(2)
    assert not any(turns(log)[0].is_worth_telling(eye) for eye in (1, 3, None))
