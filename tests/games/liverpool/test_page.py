"""What the page of a Liverpool table says of a hand, an offer, the melds on the table."""

from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import CARDS
from snug.engine.match import Match
from snug.engine.page import PageInput, move_fields
from snug.games.liverpool import GAME as liverpool
from snug.games.liverpool.page import LiverpoolPage, page
from snug.games.liverpool.state import Buy, Discard, DrawStock, PassBuy, Place, StealJoker
from snug.testing.scenarios import cards
from tests.games.liverpool.test_state import table_at

_READY = ["4C", "4D", "4S", "9C", "10C", "QC", "JK", "KH", "KD", "2S", "3S"]
_MELDS = [
    {"kind": "run", "cards": ["8C", "9C", "JK", "JC"], "owner": 2},
    {"kind": "set", "cards": ["5C", "5D", "JK"], "owner": 1},
]


def page_of(table: Match, *steps: tuple[int, Any], seat: int | None = 1, **asked: str) -> LiverpoolPage:
    """What a seat reads after these moves, having asked for this."""
    log = []
    for step in steps:
        table, events = matches.play(table, *step)
        log.append(tuple(event.seen_by(seat) for event in events))
    view = liverpool.view(table.round, seat)
    wishes = {name: text.split(",") for name, text in asked.items()}
    return page(PageInput(view, tuple(log), ("Ann", "Ben", "Cem", "Dan"), seat in view.awaited, wishes))


def test_a_hand_lies_as_it_was_asked_for_with_what_came_last_marked() -> None:
    table = table_at(
        hand_no=2, hands=[["QC", "5S", "KH"], ["4C"], ["5C"]], discard_pile=["3D"], stock=["10C", "8C", "9C", "7C"]
    )
    before = page_of(table)
    assert (before.points, before.fresh, before.hint) == (
        25,
        (),
        "Take 3D, or draw.",
    )
    steps = (1, DrawStock()), (2, PassBuy()), (3, PassBuy())
    suits = page_of(table, *steps)
    assert suits.hand == ("5S", "KH", "10C", "QC")
    assert suits.fresh == ("10C",)
    assert page_of(table, *steps, (1, Discard(CARDS["10C"]))).fresh == ()


def test_everybody_s_last_deed_stands_beside_the_name() -> None:
    table = table_at(hand_no=2, dealer=3, hands=[["2C"], ["4C"], ["5C"]], discard_pile=["3D"], stock=["7C", "JC", "QC"])
    assert page_of(table).did == (None, None, "dealt")
    sold = (1, DrawStock()), (3, Buy()), (2, PassBuy())
    assert page_of(table, *sold[:2]).did[2] == "has answered"
    assert page_of(table, *sold).did == ("drew", None, "bought 3D")
    assert page_of(table, *sold, seat=3).fresh == ("3D", "7C")


def test_the_page_carries_melds_and_ticks_through_a_click() -> None:
    table = table_at(hand_no=2, phase="PLAY", hands=[_READY])
    ticked = page_of(table, card="4C,4D,4S")
    assert (ticked.draft.may_put_aside, ticked.melds, ticked.still) == (True, "", "card=4C&card=4D&card=4S")
    aside = page_of(table, aside="2", card="4C,4D,4S")
    assert aside.melds == aside.still == "melds=2%204S.4D.4C"
    assert (aside.hint, aside.ways) == ("Tap the cards of the next meld.", ())
    both = page_of(table, melds="2 4S.4D.4C", card="9C,10C,QC,JK")
    assert both.draft.is_ready
    move = [("move", "lay_down"), ("melds.0.kind", "set"), ("melds.0.cards", "4S")]
    assert list(both.down[:3]) == move


def test_ways_to_go_down_are_offered_and_what_lacks_is_counted() -> None:
    shown = page_of(table_at(hand_no=1, phase="PLAY", hands=[["7S", "7H", "7D", "7C", "KS", "KH", "KD", "JK", "2C"]]))
    assert (shown.is_ready, shown.hint) == (True, "Go down: lay the glowing cards on the table.")
    assert [way.is_leanest for way in shown.ways] == [False] * (len(shown.ways) - 1) + [True]
    assert shown.ways[0].left == cards("2C")
    assert shown.outlook == "In hand: two sets"
    short = page_of(table_at(hand_no=2, phase="PLAY", hands=[["4C", "4D", "9C", "10C", "KS", "KH", "2S"]]))
    assert (short.outlook, short.ways) == ("3 more cards to go down", ())


def test_melds_show_what_their_jokers_are_and_where_cards_go() -> None:
    table = table_at(hand_no=2, phase="PLAY", hands=[["10C", "5S", "QC", "KH"]], down=[1], melds=_MELDS)
    other, mine = page_of(table).laid  # in the order of going down
    assert (other.seat, mine.seat) == (2, 1)
    (group,), (run,) = mine.melds, other.melds
    assert [(slot.stands_for, slot.is_live) for slot in run.slots] == [
        (None, False),
        (None, False),
        ("10C", True),
        (None, False),
    ]
    assert [slot.is_live for slot in group.slots] == [False, False, True]
    assert [(spot.id, spot.end) for spot in run.layings] == [("lay-QC-1-high", "high")]
    assert [spot.id for spot in group.layings] == ["lay-5S-2"]
    assert [(joker.number, joker.id) for joker in run.jokers] == [(1, "win-10C-1-3"), (2, "")]
    assert [(joker.number, joker.id) for joker in group.jokers] == [(1, ""), (2, "win-5S-2")]
    assert [spot.id for spot in run.jokers[0].spots] == ["win-1-to-1-low", "win-1-to-1-high"]
    assert run.jokers[0].spots[1].fields == move_fields(StealJoker(CARDS["10C"], 1, Place(1, "high"), 3))
    assert [(joker.number, joker.slot) for joker in run.winning(3)] == [(1, 3)]
    assert (run.winning(4), [joker.number for joker in group.winning(3)]) == ((), [2])
    ((only,), _) = (laid.melds for laid in page_of(table, card="QC").laid)
    assert ([spot.card for spot in only.layings], only.jokers) == (["QC"], ())
    assert page_of(table, card="KH").hint == "KH fits nowhere: discard it?"
    assert page_of(table).hint == "Add your glowing cards: tap what glows on the table, or discard."


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("5S", "Tap what glows to add 5S or swap it for the joker, or discard."),
        ("10C", "Tap the glowing joker to swap it for 10C, or discard."),
    ],
)
def test_what_a_single_card_may_win_is_said(card: str, said: str) -> None:
    table = table_at(hand_no=2, phase="PLAY", hands=[[card, "KH"]], down=[1], melds=_MELDS)
    assert page_of(table).hint == said


def test_a_discard_that_is_taken_to_be_played_shows_its_places() -> None:
    melds = [{"kind": "set", "cards": ["7C", "7H", "JK"]}, {"kind": "run", "cards": ["3D", "4D", "5D", "6D"]}]
    table = table_at(hand_no=2, hands=[["2C", "3C"]], discard_pile=["7D"], stock=["KC"], down=[1], melds=melds)
    shown = page_of(table, card="2C")
    assert shown.hint == "Tap what glows to put 7D there, or draw."
    stuck = table_at(hand_no=2, hands=[["2C", "3C"]], discard_pile=["9C"], stock=["KC"], down=[1], melds=melds)
    assert page_of(stuck).hint == "The discard fits no meld: draw."
    group, run = shown.laid[0].melds
    for meld in (group, run):
        assert [(spot.card, spot.taken, spot.fields[0]) for spot in meld.layings] == [
            ("7D", True, ("move", "take_discard"))
        ]
    assert ("play.move", "steal_joker") in run.jokers[0].spots[0].fields


def test_what_was_left_is_shown_when_the_hand_is_over() -> None:
    table = table_at(hand_no=2, phase="PLAY", hands=[["2C"], ["KH", "2S"], ["JK"]], down=[1, 3])
    shown = page_of(table, (1, Discard(CARDS["2C"])), seat=None)
    assert [(one.cards, one.points) for one in shown.leftover] == [
        ((), 0),
        (("2S", "KH"), 12),
        (("JK",), 15),
    ]


def test_until_there_are_scores_who_is_down_stands_best_and_then_who_holds_few_cards() -> None:
    table = table_at(hands=[["QC", "5S"], ["4C"], ["5C", "6C", "9D"]], down=[False, False, True], melds=_MELDS)
    stands = page_of(table, seat=None).so_far
    assert [(one.seat, one.words) for one in stands] == [
        (3, "3 cards left"),
        (2, "1 card, no melds"),
        (1, "2 cards, no melds"),
    ]


SOMETHING_FOR_SALE = table_at(
    seats=4,
    hand_no=2,
    hands=[["QC", "5S", "KH"], ["4C"], ["5C"], ["6C"]],
    discard_pile=["3D"],
    stock=["10C", "8C", "9C", "7C"],
)


def test_an_offer_says_who_chooses_before_the_card_is_mine() -> None:
    assert [page_of(SOMETHING_FOR_SALE, (1, DrawStock()), seat=seat).hint for seat in (2, 3, 4)] == [
        "With it you draw one more card.",
        "With it you draw one more card. Ben may buy before you.",
        "With it you draw one more card. Others may buy before you.",
    ]


def test_who_wants_the_discard_waits_for_those_before() -> None:
    drawn = (1, DrawStock())
    assert page_of(SOMETHING_FOR_SALE, drawn, (3, Buy()), seat=3).hint == "You buy 3D if Ben passes."
    assert (
        page_of(SOMETHING_FOR_SALE, drawn, (4, Buy()), (3, PassBuy()), seat=4).hint
        == "You buy 3D if all before you pass."
    )
    assert page_of(SOMETHING_FOR_SALE, drawn, (4, PassBuy()), seat=4).hint is None
