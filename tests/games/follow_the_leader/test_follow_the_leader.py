"""Section 14 of the Follow the Leader specification, scenario by scenario, its worked examples (12), and properties.

Most scenarios are data in `scenarios.json`: a record (or the path of one) and what the referee must
report. Those that speak of a whole pack, of every eye at the table or of every game are written out below.
"""

import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snug.engine import match as matches
from snug.engine.cards import CARDS, JOKER, PACK, Pile
from snug.engine.chance import Choose, ChooseDue, Shuffle, ShuffleDue
from snug.engine.game import DEALER, IllegalMove, plain, read_options
from snug.engine.match import Match, MatchOver, RoundOver
from snug.engine.record import MalformedRecord, Report, as_json, parse, replay, step_as_json
from snug.games.follow_the_leader import GAME as follow_the_leader
from snug.games.follow_the_leader.options import FollowTheLeaderOptions
from snug.games.follow_the_leader.ranks import ALL, NONE_YET, Arc, arc_of, in_words
from snug.games.follow_the_leader.state import (
    DRAW,
    TURN_CAP,
    CircleFailed,
    DealerChosen,
    DealOver,
    DealStarted,
    Drew,
    Led,
    PileRecycled,
    Play,
    Played,
    Reached,
)
from snug.testing.random_play import Player, begin, eyes, numbers, options_of, play_on, refusal_of
from snug.testing.scenarios import Json, printed, reports_of, table_at
from tests.games.scenarios import numbers_tested, record_in, record_of, scenarios_of

KEY = follow_the_leader.key
SCENARIOS = scenarios_of(KEY)
OF_THE_REPORT = {"to_act", "legal", "round_scores", "totals", "places", "over"}

every_size = pytest.mark.parametrize("seats", [2, 3, 4, 5])


def report_of(seats: int = 3, **more: Any) -> Json:
    return printed(reports_of(KEY, {"seats": seats, **more})[-1])


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_scenario(scenario: Json) -> None:
    expect, record = dict(scenario["expect"]), record_of(scenario)
    if "malformed" in expect:
        with pytest.raises(MalformedRecord, match=f"^{expect['malformed']}"):
            reports_of(KEY, record)
        return
    last = reports_of(KEY, record)[-1]
    report = printed(last)
    if code := expect.pop("refused", None):
        at = len(record["moves"]) - 1
        assert (report["refused"]["code"], report["refused"]["index"], report["accepted"]) == (code, at, at)
        assert report["refused"]["message"].endswith(".")
    else:
        assert (report["refused"], report["accepted"]) == (None, len(record.get("moves", [])))
    position = report["position"]
    found: Json = {key: value for key, value in report.items() if key in OF_THE_REPORT}
    found["position"] = {key: position[key] for key in expect.get("position", {})}
    found["sizes"] = {key: len(position[key]) for key in expect.get("sizes", {})}
    found["cards"] = {key: sorted(position[key]) for key in expect.get("cards", {})}
    found["hand_sizes"] = [len(hand) for hand in position["hands"]]
    found["range"] = list(follow_the_leader.view(last.match.round, None).range)
    assert {key: found[key] for key in expect} == expect


def test_every_scenario_of_the_specification_is_here() -> None:
    assert numbers_tested(SCENARIOS, globals()) == set(range(1, 40))


def table_of(seats: int, **options: Any) -> Match:
    return begin(follow_the_leader, seats, options)


def dealt(cards: Pile = PACK, seats: int = 2, dealer: int = 2, **options: Any) -> Match:
    """A table at which these cards were dealt."""
    table, _ = matches.play(table_of(seats, **options), DEALER, Choose(dealer))
    return matches.play(table, DEALER, Shuffle(cards))[0]


def put(seats: int = 3, options: Json | None = None, **position: Any) -> Match:
    """A table in this position."""
    return table_at(KEY, seats, options, **position)


# Scenarios of whole games and packs


@every_size
def test_24_a_seat_that_may_throw_anything_holds_no_card_that_follows(seats: int) -> None:
    free = 0
    for seed in range(30):
        for before, _, _ in play_on(table_of(seats, jokers=True, one_below=seed % 3 == 0), Player(seed)):
            if before.round.phase == "FREE":
                free += 1
                view = follow_the_leader.view(before.round, before.round.turn)
                assert JOKER not in view.hand
                assert not {str(card)[:-1] for card in view.hand} & set(view.range)
    assert free, "it does happen"


@pytest.mark.parametrize(
    ("options", "size", "jokers"),
    [({}, 52, 0), ({"jokers": True}, 54, 2), ({"decks": 2}, 104, 0), ({"decks": 2, "jokers": True}, 108, 4)],
)
def test_35_the_pack_is_that_of_the_table(options: Json, size: int, jokers: int) -> None:
    table, _ = matches.play(table_of(4, **options), DEALER, Choose(1))
    assert isinstance(table.due, ShuffleDue)
    assert (len(table.due.cards), table.due.cards.count(JOKER), table.due.jokers) == (size, jokers, 0)
    assert {table.due.cards.count(card) for card in PACK} == {options.get("decks", 1)}


@every_size
def test_37_chance_picks_the_first_dealer_and_the_deal_goes_round(seats: int) -> None:
    assert table_of(seats).due == ChooseDue(seats)
    table = dealt(seats=seats, dealer=seats, rounds=9)
    dealers = []
    while not table.over:
        dealers.append((table.round.dealer, table.to_act))
        over = msgspec.structs.replace(table.round, turns=TURN_CAP - 1)
        table, _ = matches.play(msgspec.structs.replace(table, round=over), *first_move(table))
        if not table.over:
            table, _ = matches.play(matches.next_round(table), DEALER, Shuffle(PACK))
    assert dealers == [((seats + n - 1) % seats + 1, ((seats + n) % seats + 1,)) for n in range(9)]


def first_move(table: Match) -> tuple[int, Any]:
    (seat,) = table.to_act
    return seat, follow_the_leader.legal(table.round, seat)[0]


def test_37_the_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    state = dealt(seats=3, dealer=1).round
    assert state.hands[1] == PACK[0:24:3]
    assert state.hands[2] == PACK[1:24:3]
    assert state.hands[0] == PACK[2:24:3]
    assert (state.pile, state.discards) == (PACK[24:], ())


def test_39_hands_are_seen_by_their_owners_only_until_the_deal_is_over() -> None:
    table = put(hands=[["7H", "KC"], ["8C"], ["2D"]], pile=["9D", "3S"], discards=["5S", "7S"], turn=2)
    for eye in eyes(3):
        shown = set(re.findall(r'"((?:10|[2-9AJQK])[SHDC])"', json.dumps(as_json(Report(table, 0, ()), eye))))
        assert shown == {"7S", *([] if eye is None else table.round.hands[eye - 1])}
    over, _ = matches.play(table, 2, Play(CARDS["8C"]))
    for eye in eyes(3):
        assert follow_the_leader.view(over.round, eye).hands == over.round.hands


def test_39_a_drawn_card_is_its_owners_secret() -> None:
    table = put(hands=[["KC", "QC"], ["2C"], ["2D"]], pile=["8D", "3S"], discards=["7S"])
    after, (drew,) = matches.play(table, 1, DRAW)
    assert [follow_the_leader.view(after.round, eye).drawn_card for eye in eyes(3)] == [CARDS["8D"], None, None, None]
    assert isinstance(drew, Drew)
    assert drew == Drew(1, drawn=1, hand_size=3, pile_size=1, fails=0, card=CARDS["8D"])
    seen = [drew.seen_by(eye) for eye in eyes(3)]
    assert seen[0] == drew
    assert seen[1:] == [msgspec.structs.replace(drew, card=None)] * 3
    assert follow_the_leader.view(after.round, 2).phase == "DRAWN", "that it fits, everybody may know"


# Properties


@every_size
@given(data=st.data())
def test_somebody_throws_a_card_after_as_many_failures_as_seats(seats: int, data: st.DataObject) -> None:
    """§13."""
    table, without = begin(follow_the_leader, seats, data.draw(options_of(follow_the_leader, seats))), 0
    for before, (seat, move), after in play_on(table, Player(data.draw(numbers))):
        state = after.round
        if seat != DEALER and state.turns > before.round.turns:
            without = 0 if isinstance(move, Play) else without + 1
            assert state.fails == without <= seats
        assert state.turns <= TURN_CAP
    assert not after.round.recycling


# Beyond the scenarios: events, refusals, views


def test_events_tell_everything_that_happens_on_the_table() -> None:
    table, events = matches.play(table_of(2), DEALER, Choose(2))
    assert events == (DealerChosen(2),)
    table, (started,) = matches.play(table, DEALER, Shuffle(PACK))
    assert started == DealStarted(1, 2, (10, 10), 32, table.round.hands)
    assert isinstance(started, DealStarted)
    assert started.seen_by(1).hands == (table.round.hands[0], ())
    assert started.seen_by(None).hands == ((), ())
    # Seat 1 has AS 3S … KS 2H 4H 6H, seat 2 has 2S 4S … QS AH 3H 5H 7H; the pile begins with 8H.
    table, events = matches.play(table, 1, Play(CARDS["3S"]))
    assert events == (Led(1, CARDS["3S"], 9, ("3", "4")),)
    table, events = matches.play(table, 2, Play(CARDS["4S"]))
    assert events == (Played(2, CARDS["4S"], "normal", 9, ("4", "5")),)


def test_the_circle_and_the_pile_have_their_events() -> None:
    table = put(2, hands=[["9D", "QC"], ["KS", "JS"]], discards=["2C", "3C"], pile=["6H"], fails=1, turn=2)
    table, events = matches.play(table, 2, DRAW)
    assert events == (Drew(2, 1, 3, 0, fails=2, card=CARDS["6H"]), CircleFailed(next=1))
    table, events = matches.play(table, DEALER, Shuffle((CARDS["2C"],)))
    assert events == (PileRecycled(1),)
    table, events = matches.play(table, 1, DRAW)
    assert events == (Drew(1, 1, 3, 0, fails=2, card=CARDS["2C"]),)
    table, events = matches.play(table, 1, Play(CARDS["QC"]))
    assert events == (Played(1, CARDS["QC"], "free", 2, ("Q", "K")),)
    table, events = matches.play(table, 2, Play(CARDS["KS"]))
    assert events == (Played(2, CARDS["KS"], "normal", 2, ("K", "A")),)
    table, events = matches.play(table, 1, DRAW)
    assert events == (Reached(1),)
    assert (table.to_act, follow_the_leader.legal(table.round, 1)) == ((), ())
    assert refusal_of(table, 1, DRAW) is not None
    table, events = matches.play(table, DEALER, Shuffle((CARDS["QC"], CARDS["3C"])))
    assert events == (PileRecycled(2), Drew(1, 1, 3, 1, fails=1, card=CARDS["QC"]))


def test_a_drawn_card_that_is_played_and_an_empty_pile_are_told() -> None:
    table = put(hands=[["KD"], ["2C"], ["2D"]], discards=["7S"], pile=["8H"])
    table, _ = matches.play(table, 1, DRAW)
    table, events = matches.play(table, 1, Play(CARDS["8H"]))
    assert events == (Played(1, CARDS["8H"], "drawn", 1, ("8", "9")),)
    table = put(hands=[["KD"], ["2C"], ["2D"]], discards=["7S"])
    table, events = matches.play(table, 1, DRAW)
    assert events == (Drew(1, 0, 1, 0, fails=1, card=None),)


def test_the_end_of_a_deal_shows_all_hands() -> None:
    table = put(hands=[["8D"], ["2C", "3C"], ["2D"]], discards=["7S"])
    table, events = matches.play(table, 1, Play(CARDS["8D"]))
    assert events == (
        Played(1, CARDS["8D"], "normal", 0, ("8", "9")),
        DealOver((1,), "out", table.round.hands, (0, 2, 1)),
        RoundOver(1, (0, 2, 1), (0, 2, 1), (1, 0, 0)),
        MatchOver((1, 0, 0), (1, 3, 2)),
    )
    view = follow_the_leader.view(table.round, None)
    assert (view.over, view.hands) == (True, table.round.hands)
    table = put(hands=[["8D", "KC"], ["2C"], ["2D"]], discards=["7S"], turns=TURN_CAP - 1)
    table, events = matches.play(table, 1, Play(CARDS["8D"]))
    assert events[1] == DealOver((1, 2, 3), "cap", table.round.hands, (1, 1, 1))


def test_refusals_say_which_rule_refused_and_what_may_be_played() -> None:
    def sentence(move: Json, **more: Any) -> str:
        position = {"hands": [["7H", "6D", "KC"], ["2C"], ["2D"]], "discards": ["7S"], "pile": ["3S"]}
        report = report_of(position={**position, **more.pop("position", {})}, moves=[{"seat": 1, **move}], **more)
        return str(report["refused"]["message"])

    below = {"move": "play", "card": "6D"}
    assert sentence(below) == (
        "6♦ does not follow. This table plays without One Below, so now only the same rank or the next one up may "
        "follow: 7 or 8."
    )
    king = {"move": "play", "card": "KC"}
    assert sentence(king) == "K♣ does not follow. Now the same rank or the next one up may follow: 7 or 8."
    assert sentence(king, options={"jokers": True}).endswith(" 7 or 8, or a joker.")
    assert re.search("This table plays One Below.*: 6, 7 or 8.", sentence(king, options={"one_below": True}))
    assert "You do not hold A♠" in sentence({"move": "play", "card": "AS"})
    assert "7♥ fits" in sentence({"move": "draw"})
    jokers = {"hands": [["JK", "QC"], ["2C"], ["2D"]]}
    assert "a joker goes on anything" in sentence({"move": "draw"}, position=jokers, options={"jokers": True})
    fresh = {"discards": [], "phase": "LEAD"}
    assert "You lead" in sentence({"move": "draw"}, position=fresh)
    drawn = {"hands": [["8H", "QC"], ["2C"], ["2D"]], "phase": "DRAWN"}
    assert "8♥ fits, so play it" in sentence({"move": "draw"}, position=drawn)
    assert "only that card" in sentence({"move": "play", "card": "QC"}, position=drawn)
    free = {"hands": [["QC"], ["2C"], ["2D"]], "phase": "FREE", "fails": 3}
    assert "any card" in sentence({"move": "draw"}, position=free)


def test_nobody_acts_before_the_deal_or_after_it() -> None:
    table = table_of(3)
    assert (table.to_act, follow_the_leader.legal(table.round, 1)) == ((), ())
    with pytest.raises(IllegalMove) as refusal:
        follow_the_leader.check(table.round, 1, DRAW)
    assert refusal.value.code == "NOT_YOUR_TURN"
    over = put(phase="DEAL_OVER", hands=[[], ["2C"], ["3C"]], discards=["7S"])
    with pytest.raises(IllegalMove) as refusal:
        follow_the_leader.check(over.round, 1, DRAW)
    assert refusal.value.code == "GAME_OVER"


@pytest.mark.parametrize("outcome", [Shuffle(PACK), Choose(0), Choose(4)])
def test_the_dealer_is_chosen_before_anything_is_dealt(outcome: Any) -> None:
    refusal = refusal_of(table_of(3), DEALER, outcome)
    assert refusal is not None
    assert refusal.code == "IMPOSSIBLE_OUTCOME"


def test_a_view_is_ready_for_words() -> None:
    table = put(options={"jokers": True}, hands=[["10H", "9C", "JK", "AS"], ["2C"], ["2D"]], discards=["8S", "JK"])
    view = follow_the_leader.view(table.round, 1)
    assert (view.stands_for, view.range, view.top) == (("8", "9"), ("8", "9", "10"), JOKER)
    assert (in_words(view.stands_for), in_words(view.range)) == ("8 or 9", "8, 9 or 10")
    assert view.hand == (CARDS["AS"], CARDS["9C"], CARDS["10H"], JOKER)
    assert (view.plays, view.must_draw) == ((CARDS["10H"], CARDS["9C"], JOKER), False)
    assert (view.hand_sizes, view.pile_size, view.discards_size, view.hands) == ((4, 1, 1), 0, 2, ())
    other = follow_the_leader.view(table.round, 2)
    assert (other.hand, other.legal, other.plays, other.must_draw) == ((CARDS["2C"],), (), (), False)


# Ranks


def test_ranks_stand_in_a_circle() -> None:
    assert Arc(12, 3).ranks == ("Q", "K", "A")
    assert Arc(13, 1).widened(False).ranks == ("K", "A")
    assert Arc(1, 1).widened(True).ranks == ("K", "A", "2")
    assert (Arc(5, 12).widened(False), Arc(5, 11).widened(True), ALL.widened(True)) == (ALL, ALL, ALL)
    assert NONE_YET.widened(True) == NONE_YET
    for low in range(1, 14):
        for size in range(14):
            ranks = frozenset((low - 1 + step) % 13 + 1 for step in range(size))
            arc = arc_of(ranks)
            assert arc is not None
            assert {card.rank for card in PACK if arc.holds(card)} == ranks
            assert arc.holds(JOKER)
            assert arc.ranks == Arc(low, size).ranks or size == 13
    assert arc_of(frozenset({3, 5})) is None


# Positions


def test_what_a_position_leaves_out_is_neutral() -> None:
    assert report_of(position={"discards": ["7S"]})["position"] == {
        "dealer": 3,
        "turn": 1,
        "phase": "TURN",
        "hands": [[], [], []],
        "pile": [],
        "discards": ["7S"],
        "S": ["7"],
        "fails": 0,
        "drawn_card": None,
        "turns": 0,
        "deal_no": 1,
        "wins": [0, 0, 0],
        "cards_left_total": [0, 0, 0],
    }
    assert report_of(position={})["position"]["phase"] == "LEAD"
    assert report_of(position={"dealer": 1})["position"]["turn"] == 2


@pytest.mark.parametrize(
    ("discards", "given", "one_below", "stands_for"),
    [
        (["3C", "7S"], None, False, ["7"]),
        (["8S", "JK"], None, False, ["8", "9"]),
        (["8S", "JK", "JK"], None, False, ["8", "9", "10"]),
        (["AS", "JK"], None, True, ["K", "A", "2"]),
        (["JK", "4D"], None, False, ["4"]),
        (["JK", "4D"], ["4"], False, ["4"]),
        (["JK"], ["9", "8"], False, ["8", "9"]),
        (["JK"], ["A", "K"], False, ["K", "A"]),
        (["JK"], [9, 8], False, ["8", "9"]),
        ([], ["7"], False, ["7"]),
        ([], "none yet", False, "none yet"),
        ([], [], False, "none yet"),
    ],
)
def test_the_rank_set_follows_from_the_discards(
    discards: list[str], given: Any, one_below: bool, stands_for: list[str]
) -> None:
    position = {"discards": discards, **({} if given is None else {"S": given})}
    report = report_of(position=position, options={"jokers": True, "one_below": one_below})
    assert report["position"]["S"] == stands_for


def test_all_ranks_follow_a_joker_that_is_the_only_discard() -> None:
    assert len(report_of(position={"discards": ["JK"]}, options={"jokers": True})["position"]["S"]) == 13


def test_a_position_may_know_the_deals_before_it_by_their_sums_only() -> None:
    """The wins and cards left of a position count on through the match, though it has no rows of scores."""
    position = {"wins": [1, 1, 0], "cards_left_total": [9, 4, 7], "hands": [["8C"], ["2C"], ["2D", "3D"]]}
    report = report_of(
        options={"rounds": 4},
        position={**position, "discards": ["7S"]},
        moves=[{"seat": 1, "move": "play", "card": "8C"}],
    )
    assert report["round_scores"] == [[0, 1, 2]]
    assert (report["totals"], report["places"]) == ([2, 1, 0], [1, 2, 3])
    assert report["position"]["deal_no"] == 4
    assert (report["position"]["wins"], report["position"]["cards_left_total"]) == ([2, 1, 0], [9, 5, 9])
    again = report_of(options={"rounds": 4}, position=report["position"])
    assert (again["places"], again["position"]) == (report["places"], report["position"])


def test_a_finished_deal_has_its_row_and_is_not_counted_twice() -> None:
    hands = [[], ["2C"], ["2D", "3D"]]
    first = report_of(position={"phase": "DEAL_OVER", "hands": hands})
    assert (first["over"], first["round_scores"], first["totals"], first["places"]) == (
        True,
        [[0, 1, 2]],
        [1, 0, 0],
        [1, 2, 3],
    )
    third = report_of(
        options={"rounds": 3},
        position={"phase": "MATCH_OVER", "hands": hands, "wins": [1, 2, 0], "cards_left_total": [5, 5, 5]},
    )
    assert (third["round_scores"], third["totals"], third["places"]) == ([[0, 1, 2]], [1, 2, 0], [2, 1, 3])
    assert third["position"]["cards_left_total"] == [5, 5, 5]
    capped = report_of(position={"turns": TURN_CAP, "discards": ["7S"], "hands": [["KC"], ["2C", "3C"], ["2D"]]})
    assert (capped["over"], capped["totals"], capped["places"]) == (True, [1, 0, 1], [1, 3, 1])


def test_a_deal_that_is_not_dealt_yet_is_a_position_too() -> None:
    report = report_of(position={"phase": "SET_UP", "dealer": 1})
    assert (report["to_act"], report["position"]["phase"]) == ([2], "LEAD")
    assert [step["move"] for step in report["moves"]] == ["shuffle"]


@pytest.mark.parametrize(
    ("key", "position"),
    [
        ("what", {"what": 1}),
        ("dealer", {"dealer": 0}),
        ("dealer", {"dealer": 4}),
        ("dealer", {"dealer": "1"}),
        ("turn", {"turn": 4}),
        ("turn", {"turn": True}),
        ("turn", {"turn": 1, "dealer": 1, "phase": "LEAD"}),
        ("phase", {"phase": "PLAY"}),
        ("phase", {"phase": "TURN"}),
        ("phase", {"phase": "FREE"}),
        ("phase", {"phase": "LEAD", "discards": ["7S"]}),
        ("phase", {"phase": "SET_UP", "pile": ["7S"]}),
        ("hands", {"hands": [[], [], [], []]}),
        ("hands[0][1]", {"hands": [["7S", "11S"]]}),
        ("pile[0]", {"pile": ["X"]}),
        ("7S", {"hands": [["7S"], ["7S"]]}),
        ("7S", {"pile": ["7S"], "discards": ["7S"]}),
        ("no jokers", {"pile": ["JK", "JK", "JK"]}),
        ("S: ", {"S": ["7", "9"], "discards": ["JK"]}),
        ("S: ", {"S": ["11"]}),
        ("S", {"S": [1.5]}),
        ("S: ", {"S": "7"}),
        ("S: 7♠ stands for 7, not 8", {"S": ["8"], "discards": ["7S"]}),
        ("S: ", {"S": ["7"], "discards": ["8S", "JK"]}),
        ("S: 7♠ stands for 7, not none yet", {"S": "none yet", "discards": ["7S"]}),
        ("S: ", {"S": "none yet", "discards": ["JK"]}),
        ("fails", {"fails": -1}),
        ("fails", {"fails": 4, "discards": ["7S"]}),
        ("drawn_card", {"phase": "DRAWN", "discards": ["7S"], "hands": [["KC"]]}),
        ("drawn_card", {"phase": "DRAWN", "discards": ["7S"], "hands": [["KC"]], "drawn_card": "8C"}),
        ("drawn_card", {"phase": "DRAWN", "discards": ["7S"], "hands": [["KC"]], "drawn_card": "KC"}),
        ("drawn_card", {"discards": ["7S"], "hands": [["8C"]], "drawn_card": "8C"}),
        ("drawn_card", {"drawn_card": "8"}),
        ("turns", {"turns": -1}),
        ("turns", {"turns": 2001}),
        ("deal_no", {"deal_no": 0}),
        ("deal_no", {"deal_no": 4}),
        ("deal_no", {"deal_no": 2, "phase": "MATCH_OVER"}),
        ("wins", {"wins": [1, 1]}),
        ("wins", {"wins": [0, -1, 0]}),
        ("wins", {"wins": [2, 0, 0], "deal_no": 2, "discards": ["7S"]}),
        ("cards_left_total", {"cards_left_total": [1, 2, 3, 4]}),
        ("cards_left_total", {"cards_left_total": [0.5, 0, 0]}),
        ("cards_left_total", {"phase": "DEAL_OVER", "hands": [[], ["2C"], ["3C"]], "cards_left_total": [3, 0, 1]}),
    ],
)
def test_an_impossible_position_is_refused_by_its_key(key: str, position: Json) -> None:
    with pytest.raises(MalformedRecord, match=f"^position: .*{re.escape(key)}"):
        report_of(position=position, options={"rounds": 3})


def test_twins_need_two_packs() -> None:
    report = report_of(position={"discards": ["7S", "7S"], "pile": ["JK"] * 4}, options={"decks": 2, "jokers": True})
    assert report["position"]["discards"] == ["7S", "7S"]


# Options


def test_the_defaults_are_those_of_the_specification() -> None:
    assert plain(FollowTheLeaderOptions()) == {"decks": 1, "jokers": False, "one_below": False, "rounds": 1}


@every_size
def test_every_preset_can_be_played(seats: int) -> None:
    for preset in follow_the_leader.presets:
        read_options(follow_the_leader, seats, preset.options)


@pytest.mark.parametrize(
    "options", [{"decks": 3}, {"decks": 0}, {"rounds": 10}, {"rounds": 0}, {"jokers": 2}, {"one_below": 1}, {"x": 1}]
)
def test_a_bad_option_is_malformed(options: Json) -> None:
    with pytest.raises(MalformedRecord, match=r"^BAD_OPTION: "):
        report_of(options=options)


def test_a_records_moves_are_printed_as_they_are_written() -> None:
    record = record_in(f"{KEY}/jokers.json")
    (*_, last) = replay(parse(json.dumps(record)))
    assert [step_as_json(step) for step in last.history] == record["moves"]
