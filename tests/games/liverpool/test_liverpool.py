"""Section 15 of the Liverpool specification, scenario by scenario, and its worked example, step by step.

Most are data in `scenarios.json`: a record (or the path of one) and what the referee must report. What is
numbered otherwise there quotes that section of the specification.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import CARDS, parse_pile
from snug.engine.game import plain
from snug.engine.melds import points_of
from snug.engine.record import MalformedRecord, as_json
from snug.games.liverpool import GAME as liverpool
from snug.games.liverpool.events import Bought, BuyAnswered, DiscardDeclined, StockDrawn
from snug.games.liverpool.options import LiverpoolOptions
from snug.games.liverpool.state import Buy, DrawStock, PassBuy, decks_for
from snug.testing.scenarios import reports_of, table_at
from tests.games.scenarios import numbers_tested, record_of, scenarios_of

HERE = Path(__file__).parents[1]
SCENARIOS = scenarios_of("liverpool")
OF_THE_REPORT = ("to_act", "legal", "round_scores", "totals", "places", "over")


def fits(wanted: dict[str, Any], found: dict[str, Any]) -> bool:
    return {key: found[key] for key in wanted} == wanted


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_scenario(scenario: dict[str, Any]) -> None:
    expect = scenario["expect"]
    record = record_of(scenario)
    if "malformed" in expect:
        with pytest.raises(MalformedRecord, match=f"^{expect['malformed']}"):
            reports_of("liverpool", record)
        return
    report = json.loads(json.dumps(as_json(reports_of("liverpool", record)[-1])))
    position, moves = report["position"], record["moves"]
    if "refused" in expect:
        assert report["refused"]["code"] == expect["refused"]
        assert (report["refused"]["index"], report["accepted"]) == (len(moves) - 1, len(moves) - 1)
        assert report["refused"]["message"].endswith(".")
    else:
        assert (report["refused"], report["accepted"]) == (None, len(moves))
    assert fits(expect.get("position", {}), position)
    assert fits({key: expect[key] for key in OF_THE_REPORT if key in expect and key != "legal"}, report)
    _check_cards(expect, position)
    _check_legal(expect, report["legal"])
    for key, number in expect.get("count", {}).items():
        assert len({**position, **report}[key]) == number
    if "last_score" in expect:
        assert report["round_scores"][-1] == expect["last_score"]


def _check_cards(expect: dict[str, Any], position: dict[str, Any]) -> None:
    for number, meld in {"1": expect.get("meld", {}), **expect.get("melds", {})}.items():
        assert fits(meld, position["melds"][int(number) - 1] if meld else {})
    for seat, hand in expect.get("hand", {}).items():
        assert sorted(position["hands"][int(seat) - 1]) == sorted(hand)
    for key, size in expect.get("sizes", {}).items():
        assert size == (len(position[key]) if isinstance(size, int) else [len(pile) for pile in position[key]])
    if "cards" in expect:
        piles = (position["stock"], position["discard_pile"], *position["hands"])
        assert sum(map(len, piles)) == expect["cards"]
    if "held_points" in expect:
        assert [points_of(parse_pile(hand)) for hand in position["hands"]] == expect["held_points"]


def _check_legal(expect: dict[str, Any], legal: dict[str, Any]) -> None:
    for seat, moves in expect.get("legal", {}).items():
        assert legal[seat] == [{key: value for key, value in move.items() if key != "seat"} for move in moves]
    for seat, move in expect.get("legal_first", {}).items():
        assert legal[seat][0] == move
    for seat, verb in expect.get("legal_lacks", {}).items():
        assert verb not in [move["move"] for move in legal[seat]]


def test_every_scenario_of_the_specification_is_here() -> None:
    assert numbers_tested(SCENARIOS, globals(), section=15) == set(range(1, 45))


# Scenarios that are no records


@pytest.mark.parametrize(("seats", "decks"), [(3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)])
def test_01_the_number_of_decks_follows_from_the_number_of_players(seats: int, decks: int) -> None:
    assert decks_for(seats) == decks


def test_03_the_contracts_of_the_seven_hands() -> None:
    contracts = [liverpool.start(LiverpoolOptions(), 3, number, 1).contract for number in range(1, 8)]
    assert [(one.sets, one.runs) for one in contracts] == [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)]
    assert [one.everything for one in contracts] == [False] * 6 + [True]
    assert [one.words for one in contracts[4:]] == ["two sets and one run", "one set and two runs", "three runs"]


def test_43_nobody_sees_hands_stock_or_answers_of_others() -> None:
    """Every card is another one, so that each can be searched for; see also the properties."""
    table = table_at(
        "liverpool",
        seats=4,
        hand_no=2,
        hands=[["2C", "3C", "4C"], ["5C", "6C"], ["7C", "8C"], ["9C", "10C"]],
        stock=["JC", "QC", "KC", "AC"],
        discard_pile=["2D", "3D"],
    )
    table, (declined,) = matches.play(table, 1, DrawStock())
    table, (answered,) = matches.play(table, 3, Buy())
    seen = {eye: json.dumps([plain(liverpool.view(table.round, eye))]) for eye in (1, 2, 3, 4, None)}
    for eye, shown in seen.items():
        own = {card for seat, hand in enumerate(table.round.hands, 1) if seat == eye for card in hand}
        assert set(re.findall(r'"(JK|(?:10|[2-9AJQK])[SHDC])"', shown)) == own | {"3D"}
    assert (declined, answered) == (DiscardDeclined(1), BuyAnswered(3, True))
    assert answered.seen_by(3) is answered
    assert answered.seen_by(2) == answered.seen_by(None) == BuyAnswered(3, None)
    assert (Buy().seen_by(3, 3), Buy().seen_by(3, 2), PassBuy().seen_by(3, None)) == (Buy(), None, None)
    table, (_, bought, drawn) = matches.play(table, 2, PassBuy())
    assert bought == Bought(3, CARDS["3D"], 4, CARDS["JC"])
    assert drawn == StockDrawn(1, 2, CARDS["QC"])
    assert (bought.seen_by(3), bought.seen_by(1)) == (bought, Bought(3, CARDS["3D"], 4, None))
    assert (drawn.seen_by(1), drawn.seen_by(None)) == (drawn, StockDrawn(1, 2, None))
