"""Corners of the rules of Irish Lives beyond the scenarios of section 14."""

from snug.engine import match as matches
from snug.engine.cards import parse_card, parse_pile
from snug.engine.chance import Shuffle, ShuffleDue
from snug.engine.game import DEALER
from snug.games.lives import GAME as lives
from snug.games.lives.events import CardsDrawn, Caught, LastCardMissed, PoolRecycled
from snug.games.lives.score import POINTS
from snug.games.lives.state import DRAW, KEEP, Catch, Play
from tests.games.lives.tables import HANDS, refusal_of, refused, table_of

NINE, SIX = parse_card("9C"), parse_card("6S")


def test_the_order_of_refusals_is_that_of_the_page() -> None:
    """§8: turn, hand, drawn card, going out, two, match, suit, call. Each move breaks every later rule it can."""
    ace, seven, two = (parse_card(text) for text in ("AH", "7S", "2H"))
    table = table_of({"hands": [["AH"], ["10S"], ["QH"]], "stack": ["2S"], "pending": 1})
    assert refused(table, 2, Play(ace, last_card=True)) == "NOT_YOUR_TURN"
    assert refused(table, 1, Play(seven, "C", last_card=True)) == "NOT_IN_HAND"
    assert refused(table, 1, Play(ace, last_card=True)) == "NO_FINISH_ON_POWER"
    table = table_of({"hands": [["AH", "7S", "2H"], ["10S"], ["QH"]], "stack": ["2S"], "pending": 1})
    assert refused(table, 1, Play(ace, last_card=True)) == "TWO_PENDING"
    assert refused(table, 1, Play(two, "C", last_card=True)) == "SUIT_NOT_ALLOWED"
    assert refused(table, 1, Play(two, last_card=True)) == "CALL_NOT_DUE"
    table = table_of({"hands": [["AH", "8C", "7S"], ["10S"], ["QH"]]})
    assert refused(table, 1, Play(ace, last_card=True)) == "NO_MATCH"
    drawn = {"hands": [["AH", "8C"], ["10S"], ["QH"]], "phase": "DRAWN", "drawn_card": "8C"}
    table = table_of(drawn, play_drawn_card=True)
    assert refused(table, 1, Play(seven, last_card=True)) == "NOT_IN_HAND"
    assert refused(table, 1, Play(ace, last_card=True)) == "ONLY_DRAWN_CARD"


def test_an_equal_card_of_the_other_pack_counts_as_the_drawn_one() -> None:
    drawn = {"hands": [["8C", "8C", "KD"], ["10S"], ["QH"]], "phase": "DRAWN", "drawn_card": "8C"}
    table = table_of(drawn, play_drawn_card=True, packs=2)
    assert lives.legal(table.round, 1) == (Play(parse_card("8C")), KEEP)
    table, _ = matches.play(table, 1, Play(parse_card("8C")))
    assert table.round.hands[0] == parse_pile(["8C", "KD"])


def test_the_penalty_may_renew_the_pool_and_then_the_turn_ends() -> None:
    table = table_of({"hands": HANDS, "pool": []})
    table, events = matches.play(table, 1, Play(NINE))
    assert events[1:] == (LastCardMissed(1), PoolRecycled(3))
    assert table.due == ShuffleDue(parse_pile(["3D", "9H", "7C"]))
    table, events = matches.play(table, DEALER, Shuffle(parse_pile(["9H", "7C", "3D"])))
    assert events == (CardsDrawn(1, 1, "penalty", 2, 2, (parse_card("9H"),)),)
    assert (table.to_act, table.round.pending, table.round.stack) == ((2,), 0, (NINE,))


def test_a_play_onto_an_empty_pool_renews_nothing_by_itself() -> None:
    table, _ = matches.play(table_of({"hands": [["9C", "KD", "4H"], *HANDS[1:]], "pool": []}), 1, Play(NINE))
    assert (table.due, table.round.pool, table.to_act) == (None, (), (2,))
    table, events = matches.play(table, 2, DRAW)
    assert events == (PoolRecycled(3),)
    assert table.due == ShuffleDue(parse_pile(["3D", "9H", "7C"]))


def test_being_caught_takes_no_turn_even_when_the_pool_is_renewed() -> None:
    position = {"hands": [["KD"], *HANDS[1:]], "exposed": [1], "turn": 2, "pool": ["6S"], "turns": 1}
    table, events = matches.play(table_of(position, last_card_notice="players"), 3, Catch(1))
    assert events == (Caught(1, 3), CardsDrawn(1, 1, "penalty", 2, 0, (SIX,)), PoolRecycled(2))
    table, _ = matches.play(table, DEALER, Shuffle(parse_pile(["3D", "9H"])))
    assert (table.to_act, table.round.turns, table.round.exposed) == ((2,), 1, ())


def test_a_two_costs_what_is_left_when_cards_run_out() -> None:
    hands = [["2C", "KD"], ["10S", "JS"], ["10H", "JH"]]
    table, _ = matches.play(table_of({"hands": hands, "stack": ["7C"], "pool": []}), 1, Play(parse_card("2C")))
    table, _ = matches.play(table, DEALER, Shuffle(parse_pile(["7C"])))
    assert (table.round.hands[0], table.round.pending, table.round.pool) == (parse_pile(["KD", "7C"]), 1, ())
    table, events = matches.play(table, 2, DRAW)
    assert events == (CardsDrawn(2, 0, "two", 2, 0, ()),)
    assert (table.round.pending, table.round.idle, table.to_act) == (0, 1, (3,))


def test_both_of_two_who_forgot_may_be_caught_and_catch_each_other() -> None:
    position = {"hands": [["KD"], ["10S"], *HANDS[2:]], "exposed": [1, 2], "turn": 3}
    table = table_of(position, last_card_notice="players")
    assert table.to_act == (1, 2, 3)
    assert [lives.legal(table.round, seat)[-1:] for seat in (1, 2)] == [(Catch(2),), (Catch(1),)]
    assert lives.legal(table.round, 3)[-2:] == (Catch(1), Catch(2))
    assert refused(table, 1, Catch(1)) == "NOT_YOUR_ACTION"
    assert refused(table, 4, Catch(1)) == "NOT_YOUR_ACTION"
    assert refused(table, 3, Catch(4)) == "NOTHING_TO_CATCH"


def test_a_call_stands_while_the_card_is_held_and_lapses_with_a_second() -> None:
    stuck = {"hands": [["KH"], ["QH", "JH"], ["10S", "5S"]], "stack": ["7C"], "pool": [], "called": [1]}
    table, _ = matches.play(table_of(stuck), 1, DRAW)
    assert table.round.called == (1,), "he passed"
    table, _ = matches.play(table_of({**stuck, "pool": ["6S", "6D"]}), 1, DRAW)
    assert table.round.called == ()


def test_a_joker_has_neither_suit_nor_rank_that_could_bar_an_ace() -> None:
    position = {"hands": [["JK", "AH", "9S"], *HANDS[1:]], "stack": ["7C", "JK"], "suit_in_play": "C"}
    table = table_of(position, jokers_per_pack=2, off_suit_ace="no_suit_no_rank")
    assert {move.card for move in lives.legal(table.round, 1) if isinstance(move, Play)} == {"JK", "AH"}


def test_card_points_are_those_of_the_page() -> None:
    assert {text: POINTS[parse_card(text)] for text in ("2S", "9D", "10C", "JH", "QS", "KD", "AC", "JK")} == {
        "2S": 2,
        "9D": 9,
        "10C": 10,
        "JH": 10,
        "QS": 10,
        "KD": 10,
        "AC": 11,
        "JK": 11,
    }


def test_refusals_are_sentences_that_name_the_house_rule_at_fault() -> None:
    hands = [["AH", "7D", "9S"], *HANDS[1:]]
    assert "Must Play" in refusal_of(table_of({"hands": hands}, must_play=True), 1, DRAW).sentence
    barred = table_of({"hands": hands}, off_suit_ace="no_suit_no_rank")
    assert "Aces of Other Suits" in refusal_of(barred, 1, Play(parse_card("AH"), "H")).sentence
    assert "Play What You Draw" in refusal_of(table_of({"hands": hands}), 1, KEEP).sentence
    assert "9♠ does not go on 7♣" in refusal_of(table_of({"hands": hands}), 1, Play(parse_card("9S"))).sentence
    pending = table_of({"hands": hands, "stack": ["2S"], "pending": 2})
    assert "pick up 4 cards" in refusal_of(pending, 1, Play(parse_card("9S"))).sentence
