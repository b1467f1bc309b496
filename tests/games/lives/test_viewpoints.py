"""What Irish Lives tells of a move, and to whom; and what a view reads out."""

import pytest

from snug.engine import match as matches
from snug.engine.cards import parse_card, parse_pile
from snug.engine.chance import Shuffle
from snug.engine.game import DEALER, IllegalMove
from snug.games.lives import GAME as lives
from snug.games.lives import score
from snug.games.lives.events import (
    CardPlayed,
    CardsDrawn,
    Caught,
    DealOver,
    Kept,
    LastCardCalled,
    LastCardMissed,
    Passed,
    PoolRecycled,
)
from snug.games.lives.state import CALLS, DRAW, KEEP, Catch, Play
from snug.testing.random_play import eyes
from tests.games.lives.tables import HANDS, refused, table_of

NINE, SIX = parse_card("9C"), parse_card("6S")


# Events


def test_everybody_sees_that_the_table_noticed_but_not_the_card() -> None:
    _, events = matches.play(table_of({"hands": HANDS}), 1, Play(NINE))
    assert events == (
        CardPlayed(1, NINE, "C", 0, 1),
        LastCardMissed(1),
        CardsDrawn(1, 1, "penalty", 2, 5, (SIX,)),
    )
    assert events[2].seen_by(1) == events[2]
    for eye in (2, 3, None):
        assert events[2].seen_by(eye) == CardsDrawn(1, 1, "penalty", 2, 5, None)
        assert events[:2] == tuple(event.seen_by(eye) for event in events[:2])


def test_nobody_is_told_who_forgot_where_players_have_to_notice() -> None:
    table, events = matches.play(table_of({"hands": HANDS}, last_card_notice="players"), 1, Play(NINE))
    assert events == (CardPlayed(1, NINE, "C", 0, 1),)
    _, events = matches.play(table, 3, Catch(1))
    assert events == (Caught(1, 3), CardsDrawn(1, 1, "penalty", 2, 5, (SIX,)))


def test_a_call_is_heard() -> None:
    for notice, move in (("table", Play(NINE, last_card=True)), ("auto", Play(NINE))):
        _, events = matches.play(table_of({"hands": HANDS}, last_card_notice=notice), 1, move)
        assert events == (CardPlayed(1, NINE, "C", 0, 1), LastCardCalled(1))


def test_a_pick_up_is_told_before_and_after_the_pool_is_renewed() -> None:
    hands = [["4S"], ["JS", "QS"], ["10H", "JH"]]
    table = table_of({"hands": hands, "stack": ["7C", "2C", "2H"], "pool": ["6S"], "pending": 2, "turn": 3})
    table, events = matches.play(table, 3, DRAW)
    assert events == (CardsDrawn(3, 1, "two", 3, 0, (SIX,)), PoolRecycled(2))
    assert (table.to_act, lives.legal(table.round, 3)) == ((), ())
    assert refused(table, 1, DRAW) == "NOT_YOUR_TURN"
    with pytest.raises(IllegalMove):
        lives.check(table.round, 1, DRAW)
    cards = parse_pile(["7C", "2C"])
    table, events = matches.play(table, DEALER, Shuffle(cards))
    assert events == (CardsDrawn(3, 2, "two", 5, 0, cards),)
    assert table.to_act == (1,)


def test_passing_and_keeping_are_told() -> None:
    _, events = matches.play(table_of({"hands": [["KH"], ["QH"], ["JD"]], "stack": ["7C"], "pool": []}), 1, DRAW)
    assert events == (Passed(1),)
    table = table_of({"hands": HANDS, "phase": "DRAWN", "drawn_card": "9C"}, play_drawn_card=True)
    _, events = matches.play(table, 1, KEEP)
    assert events == (Kept(1),)


def test_the_end_of_a_deal_shows_every_hand() -> None:
    table = table_of({"hands": [["9C"], ["AH", "10D"], ["KD", "2S"]]})
    before = [lives.view(table.round, eye) for eye in eyes(3)]
    assert [view.hands for view in before] == [()] * 4
    table, events = matches.play(table, 1, Play(NINE))
    hands = ((), parse_pile(["AH", "10D"]), parse_pile(["KD", "2S"]))
    assert events[1] == DealOver("out", (1,), hands, (0, 21, 12), (1, 3, 2))
    for eye in eyes(3):
        view = lives.view(table.round, eye)
        assert (view.hands, view.points, view.winners, view.over) == (hands, (0, 21, 12), (1,), True)


# Views


def test_a_view_names_the_holders_moves_and_nobody_elses() -> None:
    table = table_of({"hands": [["AC", "9C"], ["10S"], ["QH"]]})
    mine, theirs, nobodys = (lives.view(table.round, eye) for eye in (1, 2, None))
    assert theirs.legal == nobodys.legal == ()
    assert (theirs.hand, nobodys.hand) == (parse_pile(["10S"]), ())
    assert len(mine.plays) == 8 + 2
    assert mine.plays[-2:] == (Play(NINE), Play(NINE, last_card=True))
    assert (mine.may_draw, mine.may_keep, mine.calls, mine.catches) == (True, False, (), ())


def test_a_view_reads_out_what_else_may_be_done() -> None:
    calling = table_of({"hands": HANDS, "phase": "CALL_SUIT", "stack": ["AS"]})
    assert lives.view(calling.round, 2).calls == CALLS
    forgot = table_of({"hands": [["KD"], *HANDS[1:]], "exposed": [1], "turn": 2}, last_card_notice="players")
    view = lives.view(forgot.round, 3)
    assert (view.catches, view.may_draw, view.to_act) == ((Catch(1),), False, (2, 3))
    drawn = table_of({"hands": HANDS, "phase": "DRAWN", "drawn_card": "9C"}, play_drawn_card=True)
    assert [lives.view(drawn.round, eye).drawn_card for eye in eyes(3)] == [NINE, None, None, None]
    assert lives.view(drawn.round, 1).may_keep


def test_a_view_knows_who_is_waited_for() -> None:
    assert lives.view(table_of({"hands": HANDS, "turn": 3}).round, 1).awaited == (3,)
    calling = lives.view(table_of({"hands": HANDS, "phase": "CALL_SUIT", "stack": ["AS"], "dealer": 1}).round, 1)
    assert calling.awaited == (3,)
    forgot = table_of({"hands": [["KD"], *HANDS[1:]], "exposed": [1], "turn": 2}, last_card_notice="players")
    assert [lives.view(forgot.round, eye).awaited for eye in eyes(3)] == [(2,)] * 4
    over, _ = matches.play(table_of({"hands": [["9C"], *HANDS[1:]]}), 1, Play(NINE))
    assert lives.view(over.round, 1).awaited == ()


def test_deals_won_are_counted_for_everybody_jointly_or_alone() -> None:
    assert score.deals_won(((0, 5, 9), (4, 4, 7), (3, 0, 1)), 3) == (2, 2, 0)
