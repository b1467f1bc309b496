"""Section 14 of the Irish Lives specification, scenario by scenario.

Most are data in `scenarios.json`: where a table stands, and step by step what is done and what the referee must
report. Where the page leaves the other hands at 10S JS QS, seat 3 has the hearts: one pack has no card twice. Those
that speak of the deal, of every eye at the table or of events are written out below, numbered alike.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import JOKER, PACK, parse_card, parse_pile
from snug.engine.chance import Choose, ChooseDue, ShuffleDue
from snug.engine.game import DEALER, plain
from snug.engine.match import Match
from snug.engine.record import MalformedRecord, Report, as_json
from snug.games.lives import GAME as lives
from snug.games.lives.events import DealStarted, StarterTurned, SuitCalled
from snug.games.lives.state import CALLS, DRAW, CallSuit, Play
from snug.testing.random_play import eyes
from tests.games.lives.tables import USUAL, begin, deal, pack_with, reading_of, refused, reports_of
from tests.games.scenarios import numbers_tested, scenarios_of

HERE = Path(__file__).parents[1]
SCENARIOS = scenarios_of("lives")


def record_of(scenario: dict[str, Any]) -> dict[str, Any]:
    """The table of a scenario, without moves."""
    if "record" in scenario:
        record: dict[str, Any] = json.loads((HERE / scenario["record"]).read_text(encoding="utf-8"))
        return {key: value for key, value in record.items() if key != "moves"}
    record = {key: scenario[key] for key in ("seats", "options") if key in scenario}
    return {**record, "position": {**USUAL, **scenario["position"]}} if "position" in scenario else record


def steps_of(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    if "record" not in scenario:
        steps: list[dict[str, Any]] = scenario.get("steps", [])
        return steps
    record = json.loads((HERE / scenario["record"]).read_text(encoding="utf-8"))
    return [{"do": move, "then": then} for move, then in zip(record["moves"], scenario["after"], strict=True)]


def check_report(report: Report, expect: dict[str, Any], before: Match) -> None:
    printed = json.loads(json.dumps(as_json(report)))
    position = printed["position"]
    assert printed["refused"] is None
    assert {key: position[key] for key in expect.get("position", {})} == expect.get("position", {})
    for key, sizes in expect.get("sizes", {}).items():
        assert sizes == ([len(hand) for hand in position[key]] if key == "hands" else len(position[key]))
    if "events" in expect:
        _, events = matches.play(before, *report.history[-1])
        assert [plain(event)["event"] for event in events] == expect["events"]
    of_report = {key: value for key, value in expect.items() if key not in ("position", "sizes", "events")}
    assert {key: printed[key] for key in of_report} == of_report


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_scenario(scenario: dict[str, Any]) -> None:
    record = record_of(scenario)
    if "malformed" in scenario:
        with pytest.raises(MalformedRecord, match=f"^{scenario['malformed']}"):
            reports_of(record)
        return
    steps = steps_of(scenario)
    check_report(reports_of(record)[0], scenario.get("start", {}), reading_of(record).start)
    done = [step["do"] for step in steps if "refused" not in step]
    reports = reports_of({**record, "moves": done}) if done else []
    assert len(reports) == len(done), reports[-1].refused
    accepted = 0
    for step in steps:
        if "refused" in step:
            check_refusal(record, done[:accepted], step)
            continue
        before = reports[accepted - 1].match if accepted else reading_of(record).start
        check_report(reports[accepted], step.get("then", {}), before)
        accepted += 1


def check_refusal(record: dict[str, Any], done: list[dict[str, Any]], step: dict[str, Any]) -> None:
    report = reports_of({**record, "moves": [*done, step["do"]]})[-1]
    assert report.refused is not None, step
    index, error = report.refused.index, report.refused.error
    assert (index, report.accepted, error.code) == (len(done), len(done), step["refused"])
    assert error.sentence.endswith(".")
    if step["do"]["seat"] != DEALER:
        assert report.match == reports_of({**record, "moves": done})[-1].match, "nothing has changed"


def test_every_scenario_of_the_specification_is_here() -> None:
    assert numbers_tested(SCENARIOS, globals()) == set(range(1, 45))


# Deals


def test_01_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    table, events = deal(begin(4, first_dealer=2), PACK)
    state = table.round
    assert state.hands == (PACK[2:28:4], PACK[3:28:4], PACK[0:28:4], PACK[1:28:4])
    assert (state.stack, state.pool, state.turn) == ((PACK[28],), PACK[29:], 3)
    assert events == (DealStarted(1, 2, (7, 7, 7, 7), 24, state.hands), StarterTurned(PACK[28]))


def test_01_a_lot_decides_who_deals_first() -> None:
    table = begin(4, first_dealer="random")
    assert table.due == ChooseDue(4)
    table, events = matches.play(table, DEALER, Choose(3))
    assert (events, table.due) == ((), ShuffleDue(PACK))
    table, _ = deal(table, PACK)
    assert (table.round.dealer, table.to_act) == (3, (4,))


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("seats", range(2, 15))
def test_03_the_pool_has_what_the_hands_leave(seats: int, jokers: int) -> None:
    table = begin(seats, jokers_per_pack=jokers)
    packs = 1 if seats < 8 else 2
    assert table.due is not None
    assert table.due == ShuffleDue((PACK + (JOKER,) * jokers) * packs)
    table, _ = deal(table, table.due.cards)
    assert len(table.round.pool) == packs * (52 + jokers) - 7 * seats - 1
    assert table.round.dealer == seats


def test_20_a_starter_two_wants_an_answer_of_the_first_player() -> None:
    table, _ = deal(begin(3), pack_with({21: "2S", 0: "9S", 22: "6S", 23: "6D"}))
    assert (table.round.pending, table.to_act) == (1, (1,))
    assert refused(table, 1, Play(parse_card("9S"))) == "TWO_PENDING"
    table, _ = matches.play(table, 1, DRAW)
    assert table.round.hands[0][-2:] == parse_pile(["6S", "6D"])
    assert table.to_act == (2,)


def test_21_a_starter_ace_is_called_by_the_player_on_the_dealers_right() -> None:
    table, events = deal(begin(3), pack_with({21: "AS", 0: "KH"}))
    assert events[1:] == (StarterTurned(parse_card("AS")),)
    assert (table.round.phase, table.to_act, table.round.suit_in_play) == ("CALL_SUIT", (2,), "S")
    assert lives.legal(table.round, 2) == CALLS
    assert refused(table, 1, CallSuit("H")) == "NOT_YOUR_ACTION"
    assert refused(table, 1, Play(parse_card("KH"))) == "NOT_YOUR_TURN"
    assert refused(table, 2, DRAW) == "NOT_YOUR_ACTION"
    table, events = matches.play(table, 2, CallSuit("H"))
    assert events == (SuitCalled(2, "H"),)
    assert (table.to_act, table.round.turns) == ((1,), 0)
    table, _ = matches.play(table, 1, Play(parse_card("KH")))
    assert table.to_act == (2,)


def test_22_of_two_players_the_caller_begins() -> None:
    table, _ = deal(begin(2, first_dealer=1), pack_with({14: "AS"}))
    assert (table.round.phase, table.to_act) == ("CALL_SUIT", (2,))
    table, _ = matches.play(table, 2, CallSuit("D"))
    assert table.to_act == (2,)


def test_22_a_starter_joker_is_like_an_ace() -> None:
    pack = PACK + (JOKER,) * 2
    table, _ = deal(begin(3, jokers_per_pack=2), pack_with({21: "JK"}, pack))
    assert (table.round.phase, table.to_act, table.round.suit_in_play) == ("CALL_SUIT", (2,), None)


def test_23_power_cards_go_back_until_another_card_is_turned() -> None:
    table, events = deal(begin(3, starter_power_card="redraw"), pack_with({21: "AS", 22: "2D", 23: "9H"}))
    assert events[1:] == (StarterTurned(parse_card("AS"), buried=True),)
    rest = table.round.pool
    assert (table.to_act, table.due, len(rest)) == ((), ShuffleDue(rest), 31)
    assert parse_card("AS") in rest
    table, events = deal(table, pack_with({0: "2D"}, rest))
    assert events == (StarterTurned(parse_card("2D"), buried=True),)
    table, events = deal(table, pack_with({0: "9H"}, rest))
    assert events == (StarterTurned(parse_card("9H")),)
    state = table.round
    assert (state.stack, state.pending, state.phase, table.to_act) == ((parse_card("9H"),), 0, "PLAY", (1,))
    assert sorted((*state.pool, *state.stack, *(card for hand in state.hands for card in hand))) == sorted(PACK)


def test_23_a_power_card_stays_when_there_is_nothing_else_to_turn() -> None:
    table, events = deal(begin(7, starter_power_card="redraw"), pack_with({49: "2S", 50: "AS", 51: "2D"}))
    assert events[1:] == (StarterTurned(parse_card("2S")),)
    assert (table.round.pending, table.to_act) == (1, (1,))


def test_42_the_dealer_of_the_next_deal_sits_on_the_left() -> None:
    table = begin(3, rounds=3)
    dealers = []
    for _ in range(3):
        table, _ = deal(table, PACK)
        dealers.append(table.round.dealer)
        while not table.round_over:
            table = moved_on(table)
        table = table if table.over else matches.next_round(table)
    assert dealers == [3, 1, 2]


def moved_on(table: Match) -> Match:
    """The table after the first legal move, or a plain renewal of the pool."""
    if table.due is not None:
        assert isinstance(table.due, ShuffleDue)
        return deal(table, table.due.cards)[0]
    seat = table.to_act[0]
    return matches.play(table, seat, lives.legal(table.round, seat)[0])[0]


# Views


def cards_in(text: str) -> set[str]:
    return set(re.findall(r'"((?:10|[2-9AJQK])[SHDC]|JK)"', text))


@pytest.mark.parametrize("seats", [2, 5, 7])
def test_44_no_view_names_a_card_of_another_hand_or_of_the_pool(seats: int) -> None:
    options = {"play_drawn_card": True, "last_card_notice": "players", "first_dealer": 1}
    for report in reports_along({"seats": seats, "options": options, "seed": "44"}):
        state = report.match.round
        for eye in eyes(seats):
            own = set(state.hands[eye - 1]) if eye else set()
            view = lives.view(state, eye)
            assert cards_in(json.dumps(plain(view))) <= own | set(state.stack[-1:])
            assert view.hand_sizes == tuple(len(hand) for hand in state.hands)
            assert (view.pool_size, view.under_top) == (len(state.pool), max(0, len(state.stack) - 1))
            seen = json.dumps(as_json(report, eye))
            played = {move.card for _, move in report.history if isinstance(move, Play)}
            assert cards_in(seen) <= own | set(state.stack[-1:]) | played


def test_44_a_deal_shows_everybody_his_own_cards() -> None:
    table, (started, turned) = deal(begin(3), PACK)
    for eye in eyes(3):
        own = set(table.round.hands[eye - 1]) if eye else set()
        assert cards_in(json.dumps(plain(started.seen_by(eye)))) == own
        assert turned.seen_by(eye) is turned


def reports_along(record: dict[str, Any]) -> Iterator[Report]:
    """A deal in which everybody makes the first legal move, told from the seed, as reports up to its last move."""
    moves: list[dict[str, Any]] = []
    while True:
        report = reports_of({**record, "moves": moves})[-1]
        if report.match.round_over or len(moves) > 60:
            return
        yield report
        seat = report.match.to_act[-1]
        moves.append({"seat": seat, **plain(lives.legal(report.match.round, seat)[0])})
