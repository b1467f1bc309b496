"""The story of a Hand of Life, turn by turn, and what the view adds up for a page."""

from typing import Any

import pytest

from app.engine import match as matches
from app.engine.cards import PACK, Pile, parse_pile
from app.engine.chance import Draw, Shuffle
from app.engine.game import Event, read_options
from app.engine.match import Match
from app.games.life import GAME as life
from app.games.life.state import LAY, PLAY_JOKER, TURN_CARD, ChooseSuit, Lay, Steal
from app.games.life.story import Turn, retold, turns
from app.games.life.view import LifeView, SuitWorth

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


def view_of(table: Match, seat: int | None = 1) -> LifeView:
    return life.view(table.round, seat)


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


def test_the_view_adds_up_what_is_still_lacking_to_ten() -> None:
    view = view_of(table_at(phase="LAY", turned="6H", row=("2H 9D",)))
    assert (view.counting, view.lacking, view.pips(view.playable), view.sweeps) == (cards("2H"), 8, 8, False)
    assert view_of(table_at(["AH 9C", "2D", "7D"], phase="LAY", turned="6H")).sweeps
    assert view_of(table_at(phase="LAY", turned="6H"), None).counting == ()


def test_the_view_counts_cards_in_front_for_each_seat_in_its_own_suit() -> None:
    view = view_of(table_at(safe=("KH 5H 4S",), row=("3D", "3D"), hands=["9C", "2C", "7D"], options={"decks": 2}))
    assert (view.worth(view.safe[0], 1), view.worth(view.rows[0], 1), view.worth(view.rows[1], 2)) == (26, 3, 6)
    assert view.by_suit(view.safe[0], 1) == (SuitWorth("S", 4, -4), SuitWorth("H", 15, 30))
    assert [part.factor for part in view.by_suit(view.safe[0] + view.rows[0], 1)] == [-1, 2, 1]
    halves = view_of(table_at(safe=("7S",), chosen=["S", "D", "C"], options={"choose_spades": True}))
    assert halves.worth(halves.safe[0], 1) == -3.5
    assert halves.by_suit(halves.safe[0], 1)[0].factor == -0.5


def test_a_hand_lies_suit_by_suit_with_jokers_last() -> None:
    assert view_of(table_at()).in_suits(cards("JK 9C 2H AS AH")) == cards("AS AH 2H 9C JK")


def test_the_view_says_who_steals_and_when_turning_ends_the_hand() -> None:
    stealing = table_at(phase="STEAL_ROUND", turned="6S", steal_victim=1, steal_queue=[2, 3])
    assert (view_of(stealing).thief, view_of(table_at()).thief) == (2, None)
    ends = [
        view_of(table_at(deck=deck, discards=discards, options={"deck_exhausted": rule})).turning_ends_it
        for deck, discards, rule in (
            (["2H"], [], "reshuffle"),
            ([], ["2H"], "reshuffle"),
            ([], [], "reshuffle"),
            ([], ["2H"], "end_hand"),
        )
    ]
    assert ends == [False, False, True, True]
