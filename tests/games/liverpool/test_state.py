"""What a Liverpool table tells: events, views, refusals. §4, §8 to §10."""

from functools import partial
from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import CARDS
from snug.engine.chance import Choose, chance_of
from snug.engine.game import IllegalMove, InvalidMove, plain, read_move, read_options
from snug.engine.match import Match, MatchOver, RoundOver
from snug.engine.melds import Contract, Laid
from snug.games.liverpool import GAME as liverpool
from snug.games.liverpool.events import (
    BuyAnswered,
    DiscardDeclined,
    Discarded,
    DiscardTaken,
    HandOver,
    HandStarted,
    JokerWon,
    LaidOff,
    NoSale,
    StockDrawn,
    StockRecycled,
    WentDown,
)
from snug.games.liverpool.options import LiverpoolOptions
from snug.games.liverpool.state import Buy, Discard, DrawStock, LayDown, LayOff, PassBuy, Place, StealJoker, TakeDiscard
from snug.testing import scenarios
from snug.testing.scenarios import cards

table_at = partial(scenarios.table_at, "liverpool")


def test_a_hand_begins_with_the_upcard_and_private_hands() -> None:
    table = matches.begin(liverpool, read_options(liverpool, 3, {}), 3)
    assert liverpool.view(table.round, 1).hand == ()
    table, events = matches.play(table, 0, Choose(2))
    assert (events, table.to_act, table.round.dealer) == ((), (), 2)
    assert table.due is not None
    outcome = table.due.outcome(chance_of("0", 1))
    table, (started,) = matches.play(table, 0, outcome)
    assert isinstance(started, HandStarted)
    assert (started.number, started.contract, started.dealer) == (1, Contract(2, 0), 2)
    dealt = plain(outcome)["cards"]
    assert list(started.hands) == [dealt[1:30:3], dealt[2:30:3], dealt[0:30:3]]
    assert (started.hand_sizes, started.upcard) == ((10, 10, 10), dealt[30])
    assert started.seen_by(2) == HandStarted(
        1, Contract(2, 0), 2, (10,) * 3, started.upcard, ((), started.hands[1], ())
    )
    assert started.seen_by(None) == HandStarted(1, Contract(2, 0), 2, (10,) * 3, started.upcard, ((), (), ()))


def test_events_tell_what_happens_on_the_table() -> None:
    table = table_at(
        hand_no=2,
        turn=2,
        hands=[["KH", "KD"], ["4C", "4D", "9C", "10C", "QC", "JK", "2D", "JC"], ["7H", "8H"]],
        discard_pile=["4S"],
        stock=["2S", "3S"],
        down=[3],
        melds=[{"kind": "set", "cards": ["5C", "5D", "5H"], "owner": 3}],
    )
    table, events = matches.play(table, 2, TakeDiscard())
    assert events == (DiscardTaken(2, CARDS["4S"]),)
    melds = (Laid("set", cards("4C 4D 4S")), Laid("run", cards("9C 10C JK QC")))
    table, events = matches.play(table, 2, LayDown(melds))
    assert events == (WentDown(2, table.round.melds[1:]),)
    assert table.round.taken_card is None
    table, events = matches.play(table, 2, StealJoker(CARDS["JC"], 3, Place(3, "high"), 3))
    assert events == (JokerWon(2, CARDS["JC"], 3, Place(3, "high"), CARDS["KC"]),)
    table, events = matches.play(table, 2, Discard(CARDS["2D"]))
    over = HandOver("out", 2, (cards("KH KD"), (), cards("7H 8H")), (20, 0, 15))
    assert events == (Discarded(2, CARDS["2D"]), over, RoundOver(2, (20, 0, 15), (20, 0, 15), (20, 0, 15)))
    assert all(event.seen_by(None) is event for event in events), "all hands are shown at the end"
    view = liverpool.view(table.round, 1)
    assert (view.over, view.winner, view.hands) == (True, 2, over.hands)


def test_a_card_added_and_cards_that_run_out_are_told() -> None:
    table = table_at(
        hand_no=2,
        phase="PLAY",
        hands=[["5S", "2H"], ["KH"], ["QH"]],
        melds=[{"kind": "set", "cards": ["5C", "5D", "5H"], "owner": 1}],
        discard_pile=["3C", "4C", "6C"],
    )
    table, events = matches.play(table, 1, LayOff(CARDS["5S"], 1))
    assert events == (LaidOff(1, CARDS["5S"], 1, None),)
    table, events = matches.play(table, 1, Discard(CARDS["2H"]))
    assert isinstance(events[1], HandOver)
    table = table_at(hand_no=2, hands=[["5S"], ["KH"], ["QH"]], discard_pile=["3C", "4C", "6C"], down=[2, 3])
    table, events = matches.play(table, 1, DrawStock())
    assert (events, table.to_act) == ((DiscardDeclined(1),), ())
    assert table.due is not None
    table, events = matches.play(table, 0, table.due.outcome(chance_of("0", 0)))
    assert events == (StockRecycled(2), StockDrawn(1, 1, table.round.hands[0][-1]))
    table = table_at(hand_no=2, hands=[["5S"], ["KH"], ["QH"]], discard_pile=["3C"])
    table, events = matches.play(table, 1, DrawStock())
    assert events[:2] == (DiscardDeclined(1), HandOver("exhausted", None, table.round.hands, (5, 10, 10)))


def test_nobody_wants_a_discard() -> None:
    table = table_at(hand_no=2, hands=[["5S"], ["KH"], ["QH"]], discard_pile=["3C"], stock=["4C", "5C", "6C"])
    for seat, move in ((1, DrawStock()), (2, PassBuy()), (3, PassBuy())):
        table, events = matches.play(table, seat, move)
    assert events == (BuyAnswered(3, False), NoSale(), StockDrawn(1, 2, CARDS["4C"]))


def test_the_last_hand_says_that_the_match_is_over() -> None:
    table = table_at(
        hand_no=7,
        phase="PLAY",
        hands=[["4H", "5H", "6H", "7H", "9C", "10C", "JC", "QC", "AS", "2S", "3S", "4S"], ["2H"], ["3H"]],
    )
    runs = ("4H 5H 6H 7H", "9C 10C JC QC", "AS 2S 3S 4S")
    table, events = matches.play(table, 1, LayDown(tuple(Laid("run", cards(run)) for run in runs)))
    assert isinstance(events[0], WentDown)
    assert events[1:] == (
        HandOver("out", 1, ((), cards("2H"), cards("3H")), (0, 2, 3)),
        RoundOver(7, (0, 2, 3), (0, 2, 3), (0, 2, 3)),
        MatchOver((0, 2, 3), (1, 2, 3)),
    )


def test_a_view_offers_arrangements_and_says_what_is_missing() -> None:
    hand = ["4C", "4D", "4S", "9C", "10C", "QC", "JK", "KH", "KD", "2S", "3S"]
    view = liverpool.view(table_at(hand_no=2, phase="PLAY", hands=[hand]).round, 1)
    assert view.may_lay_down
    best, *_ = view.arrangements()
    assert best.points == min(one.points for one in view.arrangements())
    assert best.melds == (Laid("set", cards("4S 4D 4C")), Laid("run", cards("9C 10C JK QC")))
    assert view.hand_plan().missing == 0
    for number in range(5):
        chosen = view.complete(LayDown(), lambda n, number=number: number % n)  # type: ignore[misc]
        matches.play(table_at(hand_no=2, phase="PLAY", hands=[hand]), 1, chosen)
    assert view.complete(DrawStock(), int) == DrawStock()
    short = liverpool.view(
        table_at(hand_no=2, phase="PLAY", hands=[["4C", "4D", "9C", "10C", "KS", "KH", "2S"]]).round, 1
    )
    assert (short.may_lay_down, short.arrangements()) == (False, ())
    hand_plan = short.hand_plan()
    assert hand_plan.missing == 3
    run, group = hand_plan.plans
    assert (run.kind, run.held, run.lacking) == ("run", ("9C", "10C"), 2)
    assert (group.kind, group.rank, group.held, group.lacking) == ("set", 13, ("KS", "KH"), 1)
    assert hand_plan.spare == ("4C", "4D", "2S")


def test_a_seat_is_told_its_own_moves_and_what_it_may_do() -> None:
    table = table_at(hand_no=2, hands=[["2C", "3C"], ["4C"], ["5C"]], discard_pile=["3D"], stock=["JC", "QC", "KC"])
    mine, yours = (liverpool.view(table.round, seat) for seat in (1, 2))
    assert (mine.may_take, mine.taking_plays, mine.may_buy) == (True, (), False)
    assert yours.legal == ()
    table, _ = matches.play(table, 1, DrawStock())
    assert [liverpool.view(table.round, seat).may_buy for seat in (1, 2, 3)] == [False, True, True]
    assert liverpool.automatic(table.round) is None


def test_a_card_may_be_added_once_one_is_down_and_one_fits() -> None:
    melds = [{"kind": "set", "cards": ["5C", "5D", "JK"], "owner": 2}]

    def may_add(card: str, down: list[int]) -> bool:
        table = table_at(hand_no=2, phase="PLAY", hands=[[card, "KH"]], down=down, melds=melds)
        return liverpool.view(table.round, 1).may_add

    assert [may_add("5S", [1, 2]), may_add("9S", [1, 2]), may_add("5S", [2])] == [True, False, False]


def test_refusals_name_the_cards_and_the_table_rule() -> None:
    def message(table: Match, seat: int, move: Any) -> str:
        with pytest.raises(IllegalMove) as refusal:
            matches.play(table, seat, move)
        return refusal.value.sentence

    hands = [["KH", "2S"], ["5C"], ["6C"]]
    melds = [{"kind": "set", "cards": ["KC", "KD", "KS"]}]
    down: dict[str, Any] = {"hand_no": 2, "phase": "PLAY", "hands": hands, "melds": melds}
    required = table_at(options={"final_discard": "required"}, **{**down, "hands": [["KH"]], "down": [1]})
    assert "Last card must be discarded" in message(required, 1, LayOff(CARDS["KH"], 1))
    later = table_at(options={"layoff_same_turn": False}, **down, down=[1], went_down_this_turn=True)
    assert "without Lay off at once" in message(later, 1, LayOff(CARDS["KH"], 1))
    assert "2♠ does not fit on the set of kings" in message(table_at(**down, down=[1]), 1, LayOff(CARDS["2S"], 1))
    bought = table_at(
        options={"max_buys": 1},
        hand_no=2,
        phase="BUY",
        hands=hands,
        buys=[0, 1, 0],
        discard_pile=["3C"],
        stock=["4C"] * 2,
    )
    assert "Purchases: 1 a hand" in message(bought, 2, Buy())
    assert "5♣ 6♣ 7♣ is no run yet" in message(
        table_at(hand_no=2, phase="PLAY", hands=[["5C", "6C", "7C"]]), 1, LayDown((Laid("run", cards("5C 6C 7C")),))
    )


def test_the_card_taken_counts_as_laid_when_an_equal_one_is() -> None:
    """The taken card may be discarded when an equal one was held before, whichever of the two went on the table."""
    melds = [{"kind": "run", "cards": ["5H", "6H", "7H", "8H"], "owner": 1}]
    hands = [["9H", "9H", "2S"]]
    table = table_at(hand_no=3, phase="PLAY", hands=hands, taken_card="9H", melds=melds, down=[1])
    table, _ = matches.play(table, 1, LayOff(CARDS["9H"], 1, "high"))
    assert table.round.taken_card is None
    matches.play(table, 1, Discard(CARDS["9H"]))


def test_every_preset_can_be_played_and_the_defaults_are_those_of_the_specification() -> None:
    assert len(liverpool.presets) == 3
    for preset in liverpool.presets:
        for seats in range(3, 9):
            read_options(liverpool, seats, preset.options)
    assert plain(LiverpoolOptions()) == {
        "buying_from": "second_hand",
        "max_buys": "unlimited",
        "layoff_same_turn": True,
        "final_discard": "optional",
        "first_dealer": "random",
    }
    form = read_options(liverpool, 3, {"max_buys": "3", "layoff_same_turn": "false", "first_dealer": "2"}, strict=False)
    assert (form.max_buys, form.layoff_same_turn, form.first_dealer) == (3, False, 2)


def test_a_card_that_lies_open_is_seen_by_all_and_a_hand_by_its_owner() -> None:
    table = table_at(hand_no=2, hands=[["5S"], ["KH"], ["QH"]], discard_pile=["3C"], stock=["4C"])
    other = table_at(hand_no=2, hands=[["6S"], ["KH"], ["QH"]], discard_pile=["3D"], stock=["4C"])
    views = [liverpool.view(one.round, eye) for eye in (1, 2, None) for one in (table, other)]
    assert [view.upcard for view in views] == ["3C", "3D"] * 3
    assert [view.hand for view in views] == [("5S",), ("6S",), ("KH",), ("KH",), (), ()]


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"move": "discard"}, "Liverpool: choose the card first$"),
        ({"move": "discard", "card": ["7C", "8C"]}, "a list of 2 is not a card: choose one"),
        ({"move": "discard", "card": "1C"}, "'1C' is not a card"),
        ({"move": "knock"}, "This is not a move of Liverpool"),
    ],
)
def test_what_is_no_move_is_refused_in_words(raw: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidMove, match=sentence):
        read_move(liverpool, raw, strict=False)
