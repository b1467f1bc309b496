"""What the page of an Irish Lives table says, and to whom."""

from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import Card, Pile, parse_card, parse_pile
from snug.engine.match import Match
from snug.engine.page import PageInput
from snug.games.lives import GAME as lives
from snug.games.lives.page import LivesPage, page
from snug.games.lives.state import DRAW, Play
from tests.games.lives.tables import HANDS, table_of

NAMES = ("Alice", "Bob", "Carol")
NINE = parse_card("9C")


def read(table: Match, eye: int | None, *moves: tuple[int, Any]) -> LivesPage:
    """The page for this seat after these moves, of which nothing was hidden before."""
    log = []
    for step in moves:
        table, events = matches.play(table, *step)
        log.append(tuple(event.seen_by(eye) for event in events))
    view = lives.view(table.round, eye)
    return page(PageInput(view, tuple(log), NAMES, my_turn=eye in view.awaited))


def hinted(hand: list[str], position: dict[str, Any] | None = None, **options: Any) -> str:
    """The hint to who holds this hand and is to play, as one reads it."""
    told = read(table_of({"hands": [hand, *HANDS[1:]], **(position or {})}, **options), 1).hint
    assert told
    return told


def test_cards_that_go_at_once_are_told_from_those_that_name_a_suit() -> None:
    table = table_of({"hands": [["AC", "9C", "JK", "KD"], ["10S"], ["QH"]]}, jokers_per_pack=1)
    mine, theirs = read(table, 1), read(table, 2)
    assert mine.hand == parse_pile(["JK", "AC", "9C", "KD"])
    assert (mine.at_once, [one.card for one in mine.wild]) == ((NINE,), [parse_card("AC"), parse_card("JK")])
    assert [choice.name for choice in mine.wild[0].suits] == ["clubs", "diamonds", "hearts", "spades"]
    assert (theirs.at_once, theirs.wild, theirs.hint) == ((), (), None)


@pytest.mark.parametrize(("hand", "notice", "due"), [
    (["9C", "KD"], "table", True),
    (["9C", "KD"], "players", True),
    (["9C", "KD"], "auto", False),
    (["9C", "KD", "KH"], "table", False),
    (["9C"], "table", False),
    (["KH", "KD"], "table", False),
])  # fmt: skip
def test_the_call_is_due_on_the_last_card_but_one(hand: list[str], notice: str, due: bool) -> None:
    assert read(table_of({"hands": [hand, *HANDS[1:]]}, last_card_notice=notice), 1).call_is_due is due


@pytest.mark.parametrize(("position", "suit", "fits"), [
    ({}, "clubs", "clubs or a seven, or a joker"),
    ({"stack": ["8D"]}, "diamonds", "diamonds or an eight, or a joker"),
    ({"stack": ["AD"], "suit_in_play": "S"}, "spades", "spades or an ace, or a joker"),
    ({"stack": ["JK"], "suit_in_play": "H"}, "hearts", "hearts, or a joker"),
    ({"stack": ["2D"], "pending": 1}, "diamonds", "another two"),
    ({"stack": ["AD"], "phase": "CALL_SUIT"}, "", ""),
])  # fmt: skip
def test_what_fits_is_said(position: dict[str, object], suit: str, fits: str) -> None:
    said = read(table_of({"hands": HANDS, **position}, jokers_per_pack=1), None)
    assert said.suit == suit
    assert said.fits == fits or not suit


@pytest.mark.parametrize(("jokers", "aces", "more"), [
    (0, "no_suit", ""),
    (2, "no_suit", ", or a joker"),
    (0, "always", ", or any ace"),
    (2, "always", ", any ace or joker"),
])  # fmt: skip
def test_aces_and_jokers_that_go_on_anything_fit(jokers: int, aces: str, more: str) -> None:
    table = table_of({"hands": [["9C", "KD"], *HANDS[1:]]}, jokers_per_pack=jokers, off_suit_ace=aces)
    assert read(table, None).fits == f"clubs or a seven{more}"


@pytest.mark.parametrize(("position", "owed", "button"), [
    ({}, 1, "Pick up 1 card"),
    ({"stack": ["2S"], "pending": 3}, 6, "Pick up 6 cards"),
    ({"pool": [], "stack": ["7C"]}, 1, "Pass"),
    ({"pool": []}, 1, "Pick up 1 card"),
])  # fmt: skip
def test_picking_up_says_how_many(position: dict[str, object], owed: int, button: str) -> None:
    said = read(table_of({"hands": HANDS, **position}), 1)
    assert (said.to_pick_up, said.pick_up) == (owed, button)


def test_the_hint_says_what_to_do() -> None:
    assert hinted(["9C", "KD", "KH"]) == "Play a card that fits."
    assert hinted(["9C", "KD"]).startswith("This leaves you one card: say “last card”. Whoever keeps silent picks up")
    assert hinted(["9C", "KD"], last_card_notice="players").endswith(
        "Whoever keeps silent and is caught picks up a card."
    )
    assert hinted(["AD", "KD"]) == "Tap an ace, name a suit and say “last card”."
    assert hinted(["JK", "KD"], jokers_per_pack=1) == "Tap a joker, name a suit and say “last card”."
    assert hinted(["AD", "KD", "KH"]) == "Tap an ace and name a suit."
    assert hinted(["KD", "KH"]) == "None of your cards fits."
    assert hinted(["KD", "KH"], {"pool": [], "stack": ["7C"]}) == "Nothing fits, and nothing is left to pick up."
    assert hinted(["2D"]) == "You cannot go out on a power card."
    assert hinted(["2D", "KD"], {"stack": ["2S"], "pending": 1}) == "Add your two, or pick up."
    assert hinted(["KD", "KH"], {"stack": ["2S"], "pending": 1}) == "You have no two to answer with."
    drawn = {"phase": "DRAWN", "drawn_card": "9C"}
    assert hinted(["9C", "KD"], drawn, play_drawn_card=True) == "You picked up 9C and it fits: play it, or keep it."


def test_cards_are_fresh_until_one_is_played_or_the_next_ones_come() -> None:
    def fresh(*moves: tuple[int, Any]) -> Pile:
        return read(table_of({"hands": [["9C", "KD", "KH"], ["10S"], ["QH"]]}), 1, *moves).fresh

    rounds: list[tuple[int, Any]] = [(1, DRAW), (2, DRAW), (3, DRAW)]
    card: Card = parse_card("6S")
    assert fresh(*rounds) == (card,)
    assert fresh(*rounds, (1, Play(NINE))) == ()
    assert fresh(*rounds, (1, DRAW)) == (parse_card("JD"),)
    assert read(table_of({"hands": HANDS}), 2, (1, DRAW)).fresh == ()


def test_everybodys_last_deed_and_what_stands_beside_the_cards() -> None:
    table = table_of({"hands": [["9C", "KD", "KH"], ["10S"], ["QH"]], "dealer": 3}, last_card_notice="players")
    said = read(table, 2, (1, Play(NINE)))
    assert said.did == ("played 9C", None, "dealt")
    assert (said.tags, said.is_next) == (("", "", ""), False)
    assert read(table, 3, (1, Play(NINE))).is_next
    forgot = table_of({"hands": [["KD"], *HANDS[1:]], "exposed": [1], "turn": 2}, last_card_notice="players")
    assert read(forgot, 3).tags[0] == "caught"
    assert read(forgot, 1).tags[0] == ""
    said_so = read(table_of({"hands": HANDS}), 2, (1, Play(NINE, last_card=True)))
    assert said_so.tags[0] == "said"


def test_the_end_of_a_deal_lists_what_is_left() -> None:
    left = read(table_of({"hands": [["9C"], ["AH", "10D"], ["KD", "2S"]]}), 2, (1, Play(NINE))).left
    assert [(one.name, one.points) for one in left] == [("Alice", 0), ("Bob", 21), ("Carol", 12)]
    assert left[1].cards == parse_pile(["10D", "AH"])


def test_until_there_are_scores_who_holds_the_fewest_cards_stands_best() -> None:
    table = table_of({"hands": [["AC", "9C", "JK"], ["10S"], ["QH", "2D", "4D"]]}, jokers_per_pack=1)
    assert [(one.seat, one.words) for one in read(table, None).so_far] == [
        (2, "1 card"),
        (1, "3 cards"),
        (3, "3 cards"),
    ]
