"""Section 14 of the Lucky Paw specification, scenario by scenario.

Most are data in `scenarios.json`: a record (or the path of one) and what the referee must report. Those that
speak of a whole pack, of every eye at the table or of a convenience are written out below, numbered alike.
"""

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from snug.engine import match as matches
from snug.engine.cards import JOKER, PACK, Pile
from snug.engine.chance import Shuffle, ShuffleDue, chance_of
from snug.engine.game import IllegalMove, plain, read_options
from snug.engine.match import Match, MatchOver, RoundOver
from snug.engine.record import MalformedRecord, Report, as_json, parse
from snug.games.lucky_paw import GAME as lucky_paw
from snug.games.lucky_paw.options import LuckyPawOptions
from snug.games.lucky_paw.play import FITS
from snug.games.lucky_paw.state import PASS, CardPlayed, Passed, Play, RoundStarted, SetDealt, cards_of
from snug.testing.random_play import eyes
from snug.testing.scenarios import reports_of
from tests.games.scenarios import numbers_tested, scenarios_of

HERE = Path(__file__).parents[1]
SCENARIOS = scenarios_of("lucky_paw")
NOT_OF_THE_REPORT = {"sets", "sizes", "heights", "open_heights", "position", "refused", "malformed"}


def record_of(scenario: dict[str, Any]) -> dict[str, Any]:
    """The scenario's record with the moves that its short forms stand for."""
    record = scenario["record"]
    if isinstance(record, str):
        record = json.loads((HERE / record).read_text(encoding="utf-8"))
    moves = record.get("moves", [])[: scenario.get("first_moves")]
    for _ in range(scenario.get("everybody_passes", 0)):
        (first,) = reports_of("lucky_paw", {**record, "moves": moves})[-1].match.to_act
        seats = record["seats"]
        moves = moves + [{"seat": (first - 1 + i) % seats + 1, "move": "pass"} for i in range(seats)]
    return {**record, "moves": moves + scenario.get("then", [])}


def heights_of(stacks: Iterable[Iterable[Pile]]) -> list[list[int]]:
    return [[len(pile) for pile in piles] for piles in stacks]


def sets_dealt_in(reports: list[Report]) -> list[int]:
    """The cards that every seat got in each set of a round in which nobody plays a card."""
    heights: dict[int, set[int]] = {0: {0}}
    for report in reports:
        state = report.match.round
        heights[state.sets_dealt] = {sum(row) for row in heights_of(state.stacks)}
    assert all(len(equal) == 1 for equal in heights.values()), "everybody has equally many cards"
    tall = [height for equal in heights.values() for height in equal]
    return [after - before for before, after in pairwise(tall)]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_scenario(scenario: dict[str, Any]) -> None:
    expect = scenario["expect"]
    if "malformed" in expect:
        with pytest.raises(MalformedRecord, match=f"^{expect['malformed']}"):
            reports_of("lucky_paw", scenario["record"])
        return
    record = record_of(scenario)
    reports = reports_of("lucky_paw", record)
    report = as_json(reports[-1])
    if "refused" in expect:
        last = len(record["moves"]) - 1
        assert report["refused"]["code"] == expect["refused"]
        assert (report["refused"]["index"], report["accepted"]) == (last, last)
        assert report["refused"]["message"]
    else:
        assert report["refused"] is None
        assert report["accepted"] == len(record["moves"])
    report, position = json.loads(json.dumps((report, report["position"])))
    assert {key: position[key] for key in expect.get("position", {})} == expect.get("position", {})
    of_report = {key: value for key, value in expect.items() if key not in NOT_OF_THE_REPORT}
    assert {key: report[key] for key in of_report} == of_report
    if "sets" in expect:
        assert sets_dealt_in(reports) == expect["sets"]
    if "sizes" in expect:
        assert {key: len(position[key]) for key in expect["sizes"]} == expect["sizes"]
    if "heights" in expect:
        assert heights_of(position["stacks"]) == expect["heights"]
    if "open_heights" in expect:
        assert heights_of([position["open"]]) == [expect["open_heights"]]


def begin(seats: int, **options: Any) -> Match:
    return matches.begin(lucky_paw, read_options(lucky_paw, seats, options), seats)


def dealt(table: Match, nth: int = 0, seed: str = "0") -> Match:
    assert table.due is not None
    return matches.play(table, 0, table.due.outcome(chance_of(seed, nth)))[0]


def passed_out(table: Match) -> Match:
    """The table after everybody passed until the round was over."""
    while not table.round_over:
        table, _ = matches.play(table, table.to_act[0], PASS)
    return table


def test_02_the_cards_set_aside_are_shown_to_nobody() -> None:
    reports = reports_of("lucky_paw", record_of({"record": {"seats": 5}, "everybody_passes": 2}))
    aside = reports[-1].match.round.aside
    assert len(aside) == 3
    for eye in eyes(5):
        seen = json.dumps(as_json(reports[-1], eye))
        assert not any(f'"{card}"' in seen for card in aside)
        assert as_json(reports[-1], eye)["position"]["aside_size"] == 3


def test_03_everybody_sees_the_same_table_at_the_start() -> None:
    table = dealt(begin(4))
    first, *others = (lucky_paw.view(table.round, eye) for eye in eyes(4))
    assert heights_of(first.stacks) == [[1, 1, 1]] * 4
    assert heights_of([first.open]) == [[1, 1, 1, 1]]
    assert first.stock_size == 36
    for other in others:
        assert msgspec.structs.replace(other, seat=first.seat, legal=first.legal) == first


def test_03_the_first_cards_are_dealt_in_the_order_of_the_shuffle() -> None:
    state = dealt_as_written(begin(3, starting_player=2)).round
    assert state.open == tuple((card,) for card in PACK[:4])
    assert [pile for (pile,) in state.stacks[1]] == [PACK[4], PACK[7], PACK[10]], "the starter first"
    assert [pile for (pile,) in state.stacks[2]] == [PACK[5], PACK[8], PACK[11]]
    assert [pile for (pile,) in state.stacks[0]] == [PACK[6], PACK[9], PACK[12]]
    assert state.stock == PACK[13:]


def dealt_as_written(table: Match) -> Match:
    return matches.play(table, 0, Shuffle(PACK))[0]


def test_05_to_10_of_all_pairs_just_neighbours_and_jokers_fit() -> None:
    circle = "A23456789TJQK"
    for card in PACK:
        tops = {top for top in PACK if (circle.index(top[0].replace("1", "T")) - card.rank + 1) % 13 in (1, 12)}
        assert FITS[card] == tops | {JOKER}
    assert FITS[JOKER] == {*PACK, JOKER}


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_26_the_pack_has_52_cards_with_as_many_jokers_as_agreed(seats: int, jokers: int) -> None:
    for seed in ("a", "b", "c"):
        cards = cards_of(dealt(begin(seats, jokers=jokers), seed=seed).round)
        assert len(cards) == 52
        assert cards.count(JOKER) == jokers
        assert len(set(cards) - {JOKER}) == 52 - jokers


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_30_the_start_goes_round_the_table(seats: int) -> None:
    table, starters = begin(seats, starting_player=seats, rounds=9), []
    for number in range(1, 10):
        table = dealt(table, number)
        starters.append((table.number, table.round.starter, table.to_act))
        table = passed_out(table)
        table = table if table.over else matches.next_round(table)
    assert starters == [(n, s, (s,)) for n, s in ((n, (seats + n - 2) % seats + 1) for n in range(1, 10))]


def test_31_the_last_round_says_that_the_match_is_over() -> None:
    table = dealt(matches.next_round(passed_out(dealt(begin(2, rounds=2)))), 1)
    events: tuple[Any, ...] = ()
    while not table.over:
        table, events = matches.play(table, table.to_act[0], PASS)
    assert events == (
        Passed(1, forced=events[0].forced, streak=2),
        RoundOver(2, (24, 24), (24, 24), (48, 48)),
        MatchOver((48, 48), (1, 1)),
    )


def test_33_a_new_round_has_a_fresh_pack_and_keeps_the_scores() -> None:
    replaced = set()
    for seed in ("a", "b", "c"):
        table = passed_out(dealt(begin(6, jokers=2), 0, seed))
        for nth in (1, 2):
            table = matches.next_round(table)
            assert table.due == ShuffleDue(PACK, 2)
            assert (table.number, table.totals) == (nth + 1, (8 * nth,) * 6)
            table = dealt(table, nth, seed)
            cards = cards_of(table.round)
            assert (len(cards), cards.count(JOKER)) == (52, 2)
            replaced.add(frozenset(set(PACK) - set(cards)))
            table = passed_out(table)
    assert len(replaced) == 6, "other cards are replaced every time"


def test_34_the_room_passes_for_exactly_those_who_cannot_play() -> None:
    """The server's part is tested with the services; the results are those of passing by hand."""
    forced = 0
    for seed in range(5):
        by_hand, helped = (dealt(begin(3, rounds=1, auto_pass=help), seed=str(seed)) for help in (False, True))
        while not helped.over:
            assert lucky_paw.automatic(by_hand.round) is None, "without the option nobody is helped"
            (seat,) = helped.to_act
            legal = lucky_paw.legal(helped.round, seat)
            automatic = lucky_paw.automatic(helped.round)
            assert automatic == ((seat, PASS) if legal == (PASS,) else None)
            forced += automatic is not None
            by_hand, _ = matches.play(by_hand, seat, legal[0])
            helped, events = matches.play(helped, seat, automatic[1] if automatic else legal[0])
            if automatic:
                assert isinstance(events[0], Passed)
                assert events[0].forced
        assert lucky_paw.automatic(helped.round) is None, "nor does anybody pass when it is over"
        assert (by_hand.over, by_hand.rounds, by_hand.places) == (True, helped.rounds, helped.places)
    assert forced


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_35_what_lies_face_down_leaves_no_trace_in_what_anybody_ever_saw(seats: int) -> None:
    """The same round with other cards replaced and the hidden ones in another order: every eye's past is alike."""
    table = {"seats": seats, "options": {"jokers": 2}}
    cards = ShuffleDue(PACK, 2).outcome(chance_of("35", seats)).cards
    record = record_of({"record": {**table, "moves": [shuffle_of(cards)]}, "everybody_passes": 2 if seats < 6 else 1})
    here = reports_of("lucky_paw", record)
    state = here[-1].match.round
    hidden = state.stock + state.aside
    jokers = hidden.count(JOKER)
    unseen = sorted(
        set(PACK) - set(cards[: -len(hidden)]), key=lambda card: (card in cards, card)
    )  # replaced ones first
    others = (*unseen[: len(hidden) - jokers], *(JOKER,) * jokers)
    there = reports_of(
        "lucky_paw", {**table, "moves": [shuffle_of(cards[: -len(hidden)] + others), *record["moves"][1:]]}
    )
    assert there[-1].refused is None
    assert as_json(here[-1])["position"] != as_json(there[-1])["position"], "the two worlds differ"
    for one, other in zip(here, there, strict=True):
        for eye in eyes(seats):
            assert json.dumps(as_json(one, eye)) == json.dumps(as_json(other, eye))


def shuffle_of(cards: Pile) -> dict[str, Any]:
    return {"seat": 0, "move": "shuffle", "cards": list(cards)}


def test_every_scenario_of_the_specification_is_here() -> None:
    assert numbers_tested(SCENARIOS, globals()) == set(range(1, 37))


# Beyond the scenarios: §4, §8, §9


def test_events_tell_everything_that_happens_on_the_table() -> None:
    table, events = matches.play(begin(2, rounds=1), 0, Shuffle(PACK))
    # Open AS 2S 3S 4S; seat 1 has 5S 7S 9S, seat 2 has 6S 8S 10S.
    assert events == (
        RoundStarted(1, 1, PACK[:4]),
        SetDealt(3, ((PACK[4], PACK[6], PACK[8]), (PACK[5], PACK[7], PACK[9]))),
    )
    table, events = matches.play(table, 1, Play(1, 4))
    assert events == (CardPlayed(1, PACK[4], stack=1, open=4, on=PACK[3], exposed=None),)
    table, events = matches.play(table, 2, PASS)
    assert events == (Passed(2, forced=False, streak=1),), "the 6S could have been played"
    _, (passed, redealt) = matches.play(table, 1, PASS)
    assert passed == Passed(1, forced=True, streak=2)
    assert redealt == SetDealt(3, ((PACK[10], PACK[12], PACK[14]), (PACK[11], PACK[13], PACK[15])))
    assert all(event.seen_by(eye) is event for eye in eyes(2) for event in (passed, redealt)), "all are public"


def test_a_played_card_tells_which_card_it_leaves_open() -> None:
    reading = parse(
        '{"game": "lucky_paw", "seats": 2, "position": {"open": [["5H"]], "stacks": [[["9C", "6S"]], [["KD"]]]}}'
    )
    _, (event,) = matches.play(reading.start, 1, Play(1, 1))
    assert plain(event)["exposed"] == "9C"


def test_nobody_acts_before_the_deal() -> None:
    table = begin(3)
    assert (table.to_act, lucky_paw.legal(table.round, 1)) == ((), ())
    with pytest.raises(IllegalMove) as refusal:
        matches.play(table, 1, PASS)
    assert refusal.value.code == "NOT_YOUR_TURN"


def test_refusals_are_sentences_that_name_the_cards() -> None:
    def message(moves: list[dict[str, Any]], **options: Any) -> str:
        position = {"open": [["5H"]], "stacks": [[["6S", "10C"], [], ["JK"]], [["KD"]]]}
        report = as_json(
            reports_of(
                "lucky_paw", {"seats": 2, "options": {"jokers": 1, **options}, "position": position, "moves": moves}
            )[-1]
        )
        return str(report["refused"]["message"])

    play = {"seat": 1, "move": "play", "open": 1}
    assert message([{**play, "stack": 1}]).startswith("10♣ does not go on 5♥")
    assert message([{**play, "stack": 1, "open": 2}]).startswith("10♣ does not go on an empty stack")
    assert "Your stack 2 is empty" in message([{**play, "stack": 2}])
    assert "Joker on 5♥" in message([{"seat": 1, "move": "pass"}], must_play=True)


def test_a_view_tells_a_seat_its_own_moves_and_nobody_elses() -> None:
    table = dealt_as_written(begin(2))
    mine, yours, theirs = (lucky_paw.view(table.round, eye) for eye in (1, 2, None))
    assert mine.legal == (Play(1, 4), PASS)
    assert (mine.plays, mine.may_pass) == ((Play(1, 4),), True)
    assert yours.legal == theirs.legal == ()
    assert not yours.may_pass


def test_every_preset_can_be_played() -> None:
    for preset in lucky_paw.presets:
        for seats in range(2, 7):
            read_options(lucky_paw, seats, preset.options)


def test_the_defaults_are_those_of_the_specification() -> None:
    assert plain(LuckyPawOptions()) == {
        "rounds": 9,
        "jokers": 0,
        "must_play": False,
        "teams": False,
        "starting_player": 1,
        "auto_pass": False,
        "players": None,
    }
