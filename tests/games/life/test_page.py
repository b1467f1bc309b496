"""What the page of a Life table says: what counts in front of whom, what can be done, what is new in the hand."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from snug.engine import match as matches
from snug.engine.chance import Draw
from snug.engine.game import read_options
from snug.engine.match import Match
from snug.engine.page import PageInput
from snug.games.life import GAME as life
from snug.games.life.events import CardsLaid, Secured
from snug.games.life.page import LifePage, SuitWorth, page
from snug.games.life.state import TURN_CARD, Lay, Steal
from snug.testing.scenarios import cards

_HANDS = ["5H 3H 9C", "2D 4C KS", "7D 8C QS"]
_EMPTY: Mapping[str, Any] = {"deck": [], "discards": []}


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


def page_of(table: Match, *steps: tuple[int, Any], seat: int | None = 1) -> LifePage:
    """What a seat reads after these moves."""
    log = []
    for step in steps:
        table, events = matches.play(table, *step)
        log.append(tuple(event.seen_by(seat) for event in events))
    return page(PageInput(life.view(table.round, seat), tuple(log), ("Ann", "Ben", "Cem")))


@pytest.mark.parametrize(
    ("position", "hint"),
    [
        ({"deck": ["2H"]}, "Turn up the top card."),
        ({"deck": ["2H"], "hands": ["JK", "2D", "7D"]}, "Turn a card, or throw all in."),
        ({**_EMPTY, "discards": ["2H"]}, "The discards will be shuffled first."),
        (_EMPTY, "The deck is empty, and nothing can be shuffled."),
        (
            {"deck": [], "discards": ["2H"], "options": {"deck_exhausted": "end_hand"}},
            "The deck is empty, and nothing can be shuffled.",
        ),
        ({"phase": "LAY", "turned": "6C", "hands": ["5H", "2D", "7D"]}, "You hold no clubs."),
        ({"phase": "LAY", "turned": "6H"}, "Your hearts are 2 short of ten."),
        (
            {"phase": "LAY", "turned": "6H", "row": ("2H 9D",)},
            "8 or more makes your row safe.",
        ),
        (
            {"phase": "LAY", "turned": "6H", "hands": ["AH 9C", "2D", "7D"]},
            "The ace takes all hearts.",
        ),
        ({"phase": "STEAL", "turned": "6H"}, "Tap a card to take it into your hand."),
        ({"turn": 2, "deck": ["2H"]}, ""),
    ],
)
def test_the_viewer_is_told_what_to_do_now(position: dict[str, Any], hint: str) -> None:
    assert page_of(table_at(**position)).hint == hint


def test_cards_that_can_be_laid_are_added_up() -> None:
    table = table_at(phase="LAY", turned="6H", row=("2H 9D",))
    shown = page_of(table)
    assert (shown.turned, shown.lays, shown.worths, shown.all_worth) == (
        "hearts",
        cards("3H 5H"),
        {"3H": 3, "5H": 5},
        8,
    )
    assert shown.lay_all == (("move", "lay"), ("cards", "3H"), ("cards", "5H"))
    assert shown.counting == cards("2H")
    assert page_of(table, seat=None).counting == page_of(table, seat=2).lays == ()


def test_cards_in_front_count_for_each_seat_in_its_own_suit() -> None:
    table = table_at(safe=("KH 5H 4S",), row=("3D", "3D"), hands=["9C", "2C", "7D"], options={"decks": 2})
    first, second, _ = page_of(table).fronts
    assert (first.safe_points, first.row_points, second.row_points) == (26, 3, 6)
    assert first.safe_suits == (SuitWorth("S", 4, -4), SuitWorth("H", 15, 30))
    assert [part.sum for part in first.all_suits] == ["", "2 × 15", ""]
    halves = page_of(table_at(safe=("7S",), chosen=["S", "D", "C"], options={"choose_spades": True})).fronts[0]
    assert (halves.safe_points, halves.safe_suits[0].sum) == (-3.5, "½ × −7")
    assert page_of(table_at(["JK 9C 2H AS AH", "2D", "7D"])).hand == cards("AS AH 2H 9C JK")


def test_what_can_be_stolen_lies_open_to_the_thief_alone() -> None:
    table = table_at(["9C", "2D", "7D"], row=("", "3C 3D"), phase="STEAL", turned="6H")
    assert [(front.loot, front.may_reach) for front in page_of(table).fronts] == [
        ((), False),
        (cards("3C 3D"), False),
        ((), True),
    ]
    assert not any(front.is_victim for front in page_of(table, seat=2).fronts)


@pytest.mark.parametrize(
    ("position", "thief"),
    [
        ({"phase": "STEAL", "turn": 2, "turned": "AH"}, 2),
        ({"phase": "STEAL_ROUND", "turn": 2, "turned": "4S"}, 3),
        ({"turn": 2}, None),
    ],
)
def test_everybody_knows_who_may_steal_also_while_the_game_is_paused(position: dict[str, Any], thief: int) -> None:
    view = replace(life.view(table_at(**position).round, 1), to_act=(), legal=())
    assert page(PageInput(view, (), ())).thief == thief


def test_cards_that_came_to_the_hand_are_fresh_until_the_next_turn() -> None:
    table = table_at(phase="STEAL", turned="6H", deck=["9D", "3S", "10H", "3D", "6C"])
    stolen = (1, Steal(2)), (0, Draw(cards("2D")[0]))
    assert page_of(table, *stolen).fresh == cards("2D")
    assert page_of(table, *stolen, seat=2).fresh == ()
    on = (2, TURN_CARD), (2, Lay(())), (3, TURN_CARD), (3, Lay(())), (1, TURN_CARD)
    assert page_of(table, *stolen, *on[:-1]).fresh == cards("2D")
    assert page_of(table, *stolen, *on).fresh == ()


def test_what_is_laid_and_safe_at_once_is_told_once_and_spades_befall_the_others() -> None:
    spades, clubs = cards("9S 10S"), cards("9C 10C")
    safe = Secured(1, clubs)
    assert safe.told_after(CardsLaid(1, clubs, 3)) is safe
    assert safe.told_after(CardsLaid(1, clubs[:1], 3)) is None
    assert (safe.befalls(2), Secured(1, spades).befalls(2), Secured(1, spades).befalls(1)) == (False, True, False)


def test_until_there_are_scores_what_is_safe_says_how_everybody_stands() -> None:
    stands = page_of(table_at(safe=("5D", "JS", "10D")), seat=None).so_far
    assert [(one.seat, one.words) for one in stands] == [
        (3, "10 points"),
        (1, "5 points"),
        (2, "−10 points"),
    ]
