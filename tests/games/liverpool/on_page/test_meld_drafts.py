"""Melds in the making, and standing orders: what the page of a Liverpool table is told. §7, §8.2, §8.3."""

from typing import Any

import pytest

from snug.engine.cards import Pile, parse_pile
from snug.engine.game import InvalidMove
from snug.engine.melds import Laid
from snug.games.liverpool import GAME as liverpool
from snug.games.liverpool.meld_search import arrangements, leanest
from snug.games.liverpool.on_page.meld_drafts import Draft, as_meld, draft, turned_of
from snug.games.liverpool.state import CONTRACTS, Buy, PassBuy
from snug.games.liverpool.view import LiverpoolView
from tests.games.liverpool.test_state import table_at


def cards(text: str) -> Pile:
    return parse_pile(text.split())


def drafted(hand: str, selected: str = "", aside: str = "", number: int = 2, keep: int = 0) -> Draft:
    return draft(number, cards(hand), CONTRACTS[number - 1], keep, aside, selected.split())


@pytest.mark.parametrize(
    ("given", "meld"),
    [
        ("7C 7H JK 7S", "set 7S 7H 7C JK"),
        ("7H 7H 7H", "set 7H 7H 7H"),
        ("6C 4C JK 7C", "run 4C JK 6C 7C"),
        ("JK 4C 5C 6C", "run 4C 5C 6C JK"),
        ("QH AH KH JK", "run JK QH KH AH"),
        ("3D AD 2D 4D", "run AD 2D 3D 4D"),
        ("JK JK 9S 10S", "run 9S 10S JK JK"),
    ],
)
def test_selected_cards_fall_into_order(given: str, meld: str) -> None:
    kind, _, pile = meld.partition(" ")
    found = as_meld(cards(given))
    assert found
    assert (found.kind, found.cards) == (kind, cards(pile))


@pytest.mark.parametrize("given", ["", "JK JK JK", "7C 7H", "4C 5C 7C 8C", "4C 5C 6H 7C", "KC AC 2C 3C", "4C 4C 5C 6C"])
def test_other_cards_are_no_meld(given: str) -> None:
    assert as_meld(cards(given)) is None


@pytest.mark.parametrize(
    ("selected", "words"),
    [
        ("7C", None),
        ("7C 7H", "One more seven makes a set."),
        ("7C JK", "Two cards of a meld must not be jokers."),
        ("7C 7H 7S", "A set of sevens."),
        ("7C 8C 9C", "One more card makes a run of clubs: 6♣ or 10♣."),
        ("7C 8C", "Two more cards make a run of clubs."),
        ("QH KH AH", "One more card makes a run of hearts: J♥."),
        ("7C 8C 10C", "A run of clubs, but for 9♣."),
        ("7C 9C JC KC", "A run of clubs, but for 8♣, 10♣ and Q♣."),
        ("7C 9C JC JK", "A run of clubs, but for one of 8♣, 10♣."),
        ("7C 7C 8C", "A run has every card once."),
        ("7C 8C 9C JK", "A run of clubs, 7♣ to 10♣."),
        ("7C 8H", "These do not go together: a set has one rank, a run one suit."),
    ],
)
def test_a_selection_is_told_what_it_lacks(selected: str, words: str | None) -> None:
    assert drafted("7C 7C 7H 7S 8C 9C 10C JC KC QH KH AH 8H JK", selected).words == words


def test_a_contract_of_one_kind_speaks_of_that_kind() -> None:
    assert drafted("7C 8C", "7C 8C", number=1).words == "These are no set: the cards of a set are all of one rank."
    words = "These are no run: the cards of a run are of one suit and follow one another."
    assert drafted("7C 7H", "7C 7H", number=3).words == words
    assert drafted("7C 7H 7S", "7C 7H 7S", number=3).words == "A set of sevens, but the contract asks for no sets."
    run = "7C 8C 9C 10C"
    words = "A run of clubs, 7♣ to 10♣, but the contract asks for no runs."
    assert drafted(run, run, number=1).words == words


_HAND = "4C 4D 4S 9C 10C QC JK KH KD 2S 3S"


def test_melds_are_put_aside_one_by_one_until_the_contract_is_there() -> None:
    first = drafted(_HAND, "4C 4D 4S")
    assert (first.may_put_aside, first.is_ready, [part.meld for part in first.parts]) == (True, False, [None, None])
    assert first.with_found == "2 4S.4D.4C"
    second = drafted(_HAND, "QC 9C JK 10C", first.with_found)
    assert second.left == cards("9C 10C QC JK KH KD 2S 3S")
    assert second.words == "A run of clubs, 9♣ to Q♣."
    assert second.ready == (Laid("set", cards("4S 4D 4C")), Laid("run", cards("9C 10C JK QC")))
    both = drafted(_HAND, "", second.with_found)
    assert both.ready == second.ready
    assert [part.kind for part in both.parts] == ["set", "run"]
    assert [part.without for part in both.parts] == ["2 9C.10C.JK.QC", "2 4S.4D.4C"]


@pytest.mark.parametrize(
    "text",
    [
        "1 4S.4D.4C",  # of another hand
        "2 4S.4D.4H",  # not held
        "2 4S.4S.4C",  # not held twice
        "2 4S.4D",  # no set
        "2 5Z",
        "2 .",
        "4S.4D.4C",
        "2",
        "",
        "' \x00 é",
    ],
)
def test_what_is_not_a_draft_of_this_hand_is_forgotten(text: str) -> None:
    given = drafted(_HAND, "9H 9C x", text)
    assert (given.melds, given.left, given.selected) == ((), cards(_HAND), cards("9C"))
    assert given.text == "2"


def test_no_more_melds_than_the_contract_asks_for_are_put_aside() -> None:
    hand = "4C 4D 4S 5C 5D 5S"
    given = drafted(hand, "5C 5D 5S", "2 4S.4D.4C")
    assert (given.may_put_aside, given.words) == (False, "A set of fives, but the contract asks for one set.")
    assert drafted(hand, "", "2 4S.4D.4C 5S.5D.5C").melds == (Laid("set", cards("4S 4D 4C")),)


def test_a_contract_that_cannot_be_laid_says_why() -> None:
    touching = drafted("4C 5C 6C 7C 8C 9C 10C JC", "8C 9C 10C JC", "3 4C.5C.6C.7C", number=3)
    assert not touching.is_ready
    assert touching.fault == "Two runs of clubs may not touch: one begins right where the other ends."
    left = drafted("4C 5C 6C 7C 4D 5D 6D 7D 4H 5H 6H 7H KS", "4H 5H 6H 7H", "7 4C.5C.6C.7C 4D.5D.6D.7D", number=7)
    assert left.fault == "In the last hand every card must be in one of the three runs."
    kept = drafted("4C 4D 4S 9C 10C JC QC", "9C 10C JC QC", "2 4S.4D.4C", keep=1)
    assert "keep a card for your discard" in str(kept.fault)


def test_the_joker_of_a_run_changes_ends() -> None:
    assert turned_of(Laid("run", cards("4C 5C 6C JK"))) == Laid("run", cards("JK 4C 5C 6C"))
    assert turned_of(Laid("run", cards("JK 4C 5C 6C"))) == Laid("run", cards("4C 5C 6C JK"))
    assert turned_of(Laid("run", cards("AC 2C 3C JK"))) is None
    assert turned_of(Laid("run", cards("4C JK 6C 7C"))) is None
    assert turned_of(Laid("set", cards("4C 4D JK"))) is None
    part = drafted("4C 5C 6C JK", "", "2 4C.5C.6C.JK").parts[1]
    assert drafted("4C 5C 6C JK", "", part.turned).parts[1].meld == Laid("run", cards("JK 4C 5C 6C"))


def view_at(seat: int = 1, **position: Any) -> LiverpoolView:
    options = position.pop("options", {})
    return liverpool.view(table_at(options=options, **position).round, seat)


def test_the_leanest_way_to_go_down_keeps_what_it_can() -> None:
    hand = cards("7S 7H 7D 7C KS KH KD JK 2C")
    (best,), least = arrangements(hand, CONTRACTS[0], 1), leanest(hand, CONTRACTS[0])
    assert least
    assert best.left == cards("2C")
    assert sum(len(meld.cards) for meld in least.melds) == 6
    assert least.points > best.points
    last = leanest(cards("4C 5C 6C 7C 4D 5D 6D 7D 4H 5H 6H 7H 8H"), CONTRACTS[6])
    assert last
    assert last.left == ()


def test_standing_orders_answer_only_what_is_asked() -> None:
    position: dict[str, Any] = {"hand_no": 2, "hands": [["2C"], ["3C"], ["4C"]], "stock": ["5C", "6C"]}
    sale = {"phase": "BUY", "discard_pile": ["QH"], **position}
    for seat in (2, 3):
        assert view_at(seat, **sale).ordered({"buy": ["Q"]}) == Buy()
        assert view_at(seat, **sale).ordered({"buy": ["K", "JK"]}) == PassBuy()
        assert view_at(seat, **sale).ordered({"buy": []}) == PassBuy()
    assert view_at(1, **sale).ordered({"buy": ["Q"]}) is None
    assert view_at(2, discard_pile=["QH"], **position).ordered({"buy": ["Q"]}) is None
    sale["discard_pile"] = ["JK"]
    assert view_at(2, **sale).ordered({"buy": ["JK"]}) == Buy()


def test_standing_orders_are_read_from_forms() -> None:
    view = view_at(hand_no=2, hands=[["2C"]])
    assert view.read_orders({}) == {"buy": []}
    assert view.read_orders({"buy": "Q"}) == {"buy": ["Q"]}
    assert view.read_orders({"buy": ["Q", "JK", "Q"]}) == {"buy": ["JK", "Q"]}
    for wrong in ({"buy": "1"}, {"buy": ["Q", "QH"]}, {"sell": "Q"}, {"buy": [["Q"]]}):
        with pytest.raises(InvalidMove, match=r"^These are no standing orders: “(buy|sell)"):
            view.read_orders(wrong)


def test_standing_orders_are_offered_to_those_who_may_be_asked() -> None:
    position: dict[str, Any] = {"hands": [["2C"], ["3C"], ["4C"]], "down": [2]}
    assert view_at(1, hand_no=2, **position).may_order
    assert not view_at(2, hand_no=2, **position).may_order
    assert not view_at(1, hand_no=1, **position).may_order
    assert view_at(1, hand_no=1, options={"buying_from": "always"}, **position).may_order
    limited = {"options": {"max_buys": 1}, "buys": [1, 0, 0], **position}
    assert not view_at(1, hand_no=2, **limited).may_order
    assert view_at(3, hand_no=2, **limited).may_order
    assert not liverpool.view(table_at(hand_no=2, **position).round, None).may_order
