"""Records: what is malformed, what is refused, what is printed and for whose eyes."""

import copy
import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snug.engine.cards import PACK
from snug.engine.chance import chance_of
from snug.engine.record import MalformedRecord, Record, Report, as_json, parse, replay, step_as_json

Json = dict[str, Any]
SHUFFLE = {"seat": 0, "move": "shuffle", "cards": list(PACK)}
EVERYTHING: Json = {
    "game": "lucky_paw",
    "seats": 3,
    "options": {"rounds": 2, "jokers": 1, "must_play": True, "starting_player": 2, "players": 3},
    "position": {
        "round": 2,
        "starter": 3,
        "turn": 1,
        "open": [["5H"], ["JC"], ["9D"], ["2S"]],
        "stacks": [[["6S"], ["KD", "QD"], ["AH"]], [["10C"], [], ["8S"]], [["4C"]]],
        "stock": ["JK", "3C", "QH", "5S", "9C", "7H"],
        "aside": ["KS"],
        "streak": 1,
        "sets_dealt": 2,
        "round_scores": [[3, 0, 4]],
        "totals": [3, 0, 4],
    },
    "moves": [{"seat": 1, "move": "play", "stack": 1, "open": 1}, {"seat": 2, "move": "play", "stack": 3, "open": 3}],
    "seed": "kitchen",
    "host": 2,
}


def reports_of(seats: int = 2, **more: Any) -> list[Report]:
    return list(replay(parse(json.dumps({"game": "lucky_paw", "seats": seats, **more}))))


def report_of(seats: int = 2, **more: Any) -> Json:
    report: Json = json.loads(json.dumps(as_json(reports_of(seats, **more)[-1])))
    return report


def passes(*seats: int) -> list[Json]:
    return [{"seat": seat, "move": "pass"} for seat in seats]


# What the referee prints


def test_the_shortest_record_is_dealt_from_the_seed() -> None:
    report = report_of()
    (shuffle,) = report.pop("moves")
    assert (shuffle["seat"], shuffle["move"], sorted(shuffle["cards"])) == (0, "shuffle", sorted(PACK))
    position = report.pop("position")
    assert [[card] for card in shuffle["cards"][:4]] == position["open"] == [["AD"], ["JD"], ["8S"], ["3C"]]
    assert list(report.pop("legal")) == ["1"]
    assert report == {
        "accepted": 0,
        "refused": None,
        "to_act": [1],
        "round_scores": [],
        "totals": [0, 0],
        "places": [1, 1],
        "over": False,
    }


def test_a_position_has_every_key_of_the_rules_page() -> None:
    assert list(report_of()["position"]) == [
        "round",
        "starter",
        "turn",
        "open",
        "stacks",
        "stock",
        "aside",
        "streak",
        "sets_dealt",
        "round_scores",
        "totals",
    ]


def test_text_and_bytes_are_read_alike() -> None:
    text = json.dumps(EVERYTHING)
    assert parse(text) == parse(text.encode())


def test_a_record_with_every_key_is_played() -> None:
    (first, last) = replay(parse(json.dumps(EVERYTHING)))
    assert (first.accepted, last.accepted, last.refused) == (1, 2, None)
    assert as_json(last)["position"]["open"] == (("5H", "6S"), ("JC",), ("9D", "8S"), ("2S",))
    assert as_json(last)["to_act"] == (3,)


def test_the_chain_of_the_room_that_wrote_it_is_left_alone() -> None:
    plain = '{"game": "lucky_paw", "seats": 2'
    reading = parse(plain + ', "chain": {"links": 3, "head": "5eed"}}')
    assert [*replay(reading)] == [*replay(parse(plain + "}"))]
    assert b"chain" not in msgspec.json.encode(parse(plain + "}").record)


def test_there_is_a_report_after_every_move_with_the_record_so_far() -> None:
    reports = [as_json(report) for report in reports_of(moves=passes(1, 2, 1, 2))]
    assert [report["accepted"] for report in reports] == [1, 2, 3, 4]
    assert [report["position"]["streak"] for report in reports] == [1, 0, 1, 0]
    assert [len(report["moves"]) for report in reports] == [2, 3, 4, 5]
    assert reports[-1]["moves"][1:] == passes(1, 2, 1, 2)
    assert all(report["moves"][0] == reports[0]["moves"][0] for report in reports)


def test_a_report_keeps_its_history_while_play_goes_on() -> None:
    first, *_, last = reports_of(moves=passes(1, 2, 1, 2))
    assert (len(first.history), len(last.history)) == (2, 5)
    assert first.history == last.history[:2]
    assert list(first.history) == [*first.history[:1], first.history[-1]]
    assert first.history != last.history
    with pytest.raises(IndexError):
        first.history[2]


def test_legal_moves_are_written_as_a_record_writes_them() -> None:
    report = report_of(position={"open": [["5H"], ["6C"]], "stacks": [[["6S"], ["7D"]], [["9C"]]]})
    assert report["legal"] == {
        "1": [
            {"move": "play", "stack": 1, "open": 1},
            {"move": "play", "stack": 2, "open": 2},
            {"move": "pass"},
        ]
    }


def test_a_written_deal_counts_and_the_seed_deals_the_rest() -> None:
    circles = [seat for _ in range(4) for seat in (1, 2, 3, 4)]
    reports = reports_of(4, moves=[SHUFFLE, *passes(*circles)], seed="kitchen")
    assert as_json(reports[0])["position"]["open"] == tuple((card,) for card in PACK[:4])
    due = reports[0].match.game.due(reports[0].match.game.start(reports[0].match.options, 4, 2, 1))
    assert due is not None
    assert reports[-1].history[-1] == (0, due.outcome(chance_of("kitchen", 1))), (
        "the second dealer's move of the record"
    )


def test_the_default_seed_is_0_and_others_deal_otherwise() -> None:
    assert report_of()["moves"] == report_of(seed="0")["moves"] != report_of(seed="1")["moves"]


def test_the_next_round_follows_at_once() -> None:
    report = report_of(
        position={"turn": 2, "streak": 1, "stacks": [[["6S"]]], "open": [["9H"]]},
        moves=passes(2),
        options={"rounds": 2},
    )
    assert report["round_scores"] == [[1, 0]]
    assert (report["position"]["round"], report["position"]["starter"], report["to_act"]) == (2, 2, [2])
    assert report["moves"][0] == {"seat": 2, "move": "pass"}
    assert (report["moves"][1]["seat"], report["moves"][1]["move"]) == (0, "shuffle")


def test_scores_are_printed_per_seat_or_per_team() -> None:
    rows = [[2, 3, 4, 1], [5, 0, 1, 6]]
    alone, teams = (report_of(4, position={"round_scores": rows}, options={"teams": team}) for team in (False, True))
    assert (alone["round_scores"], alone["totals"], alone["places"]) == (rows, [7, 3, 5, 7], [3, 1, 2, 3])
    assert (teams["round_scores"], teams["totals"], teams["places"]) == ([[2, 1], [1, 0]], [3, 1], [2, 1])
    assert teams["position"]["round_scores"] == rows, "a position keeps the players' own cards left"


# What is refused


def test_play_stops_at_the_first_refused_move_and_applies_nothing_of_it() -> None:
    good = report_of(moves=passes(1))
    report = report_of(moves=[*passes(1, 1), {"seat": 2, "move": "pass"}])
    assert report["refused"] == {"index": 1, "code": "NOT_YOUR_TURN", "message": "It is not your turn."}
    assert {**report, "refused": None} == good


JOKERS = [{**SHUFFLE, "cards": cards} for cards in (["JK", *PACK[1:]], ["JK"] * 52)]


@pytest.mark.parametrize(
    ("moves", "index"),
    [
        ([{**SHUFFLE, "cards": []}], 0),
        ([{**SHUFFLE, "cards": list(PACK[1:])}], 0),
        ([{**SHUFFLE, "cards": [*PACK, "AS"]}], 0),
        ([{**SHUFFLE, "cards": [*PACK[:-1], "AS"]}], 0),
        ([JOKERS[0]], 0),
        ([JOKERS[1]], 0),
        ([{"seat": 0, "move": "draw", "card": "AS"}], 0),
        ([{"seat": 0, "move": "choose", "value": 1}], 0),
        ([{"seat": 0, "move": "choose", "value": 1 << 100}], 0),
        ([SHUFFLE, SHUFFLE], 1),
        ([*passes(1), SHUFFLE], 1),
        ([*passes(1), {"seat": 0, "move": "draw", "card": "AS"}], 1),
        ([*passes(1, 2, 1), {"seat": 0, "move": "choose", "value": 2}, *passes(2)], 3),
        ([*passes(*[1, 2] * 8), {**SHUFFLE, "cards": list(PACK[1:])}], 16),
    ],
)
def test_an_outcome_that_cannot_be_is_refused_at_its_index(moves: list[Json], index: int) -> None:
    report = report_of(moves=moves)
    assert (report["refused"]["index"], report["refused"]["code"]) == (index, "IMPOSSIBLE_OUTCOME")
    assert report["accepted"] == index


def test_a_shuffle_has_just_as_many_jokers_as_agreed() -> None:
    one = {**SHUFFLE, "cards": ["JK", *PACK[1:]]}
    for jokers, code in ((0, "IMPOSSIBLE_OUTCOME"), (1, None), (2, "IMPOSSIBLE_OUTCOME")):
        refused = report_of(moves=[one], options={"jokers": jokers})["refused"]
        assert (refused and refused["code"]) == code


# Positions


def test_what_a_position_leaves_out_is_neutral() -> None:
    assert report_of(3, position={})["position"] == {
        "round": 1,
        "starter": 1,
        "turn": 1,
        "open": [[], [], [], []],
        "stacks": [[[], [], []]] * 3,
        "stock": [],
        "aside": [],
        "streak": 0,
        "sets_dealt": 1,
        "round_scores": [],
        "totals": [0, 0, 0],
    }


def test_short_lists_of_piles_are_filled_up() -> None:
    position = report_of(3, position={"open": [["5H"]], "stacks": [[["6S"], ["KD", "QD"]], [], []]})["position"]
    assert position["open"] == [["5H"], [], [], []]
    assert position["stacks"] == [[["6S"], ["KD", "QD"], []], [[], [], []], [[], [], []]]


def test_round_and_starter_follow_from_what_is_known() -> None:
    def known(position: Json, **options: Any) -> tuple[int, int]:
        position = report_of(3, position=position, options=options)["position"]
        return position["round"], position["starter"]

    assert known({"round_scores": [[1, 2, 3]]}) == (2, 2)
    assert known({"round_scores": [[1, 2, 3]] * 3}) == (4, 1)
    assert known({"round": 3}, starting_player=2) == (3, 1)
    assert known({"round": 2, "starter": 1}) == (2, 1)


def test_a_position_after_the_last_round_is_over() -> None:
    report = report_of(position={"round_scores": [[3, 1]], "streak": 2}, options={"rounds": 1})
    assert (report["over"], report["to_act"], report["legal"], report["places"]) == (True, [], {}, [2, 1])


def test_totals_may_be_known_without_their_rounds() -> None:
    report = report_of(position={"totals": [11, 7], "turn": 2, "streak": 1, "stacks": [[["6S"]]]}, moves=passes(2))
    assert (report["round_scores"], report["totals"]) == ([[1, 0]], [12, 7])
    again = report_of(position=report["position"])
    assert (again["round_scores"], again["totals"]) == ([[1, 0]], [12, 7])


@pytest.mark.parametrize(
    ("key", "position"),
    [
        ("what", {"what": 1}),
        ("round", {"round": 0}),
        ("round", {"round": 10}),
        ("round", {"round": True}),
        ("round", {"round": "1"}),
        ("round", {"round": 1.0}),
        ("round", {"round": 6}),
        ("round", {"round": 1, "round_scores": [[1, 2, 3]]}),
        ("round", {"round": 1, "round_scores": [[1, 2, 3]] * 5}),
        ("starter", {"starter": 0}),
        ("starter", {"starter": 4}),
        ("starter", {"starter": -1}),
        ("starter", {"starter": True}),
        ("turn", {"turn": 0}),
        ("turn", {"turn": 4}),
        ("turn", {"turn": None}),
        ("turn", {"turn": "2"}),
        ("turn", {"turn": 1 << 100}),
        ("open", {"open": [["5H"], ["6H"], ["7H"], ["8H"], ["9H"]]}),
        ("open", {"open": ["5H"]}),
        ("open", {"open": {"1": ["5H"]}}),
        ("open[1][0]", {"open": [["5H"], ["1H"]]}),
        ("open[0][0]", {"open": [[5]]}),
        ("stacks", {"stacks": [[], [], [], []]}),
        ("stacks[1]", {"stacks": [[], [["5H"], ["6H"], ["7H"], ["8H"]]]}),
        ("stacks[0][0]", {"stacks": [["5H"]]}),
        ("stacks[0][0][1]", {"stacks": [[["5H", "5"]]]}),
        ("stock[1]", {"stock": ["5H", "X"]}),
        ("aside[0]", {"aside": [None]}),
        ("5H", {"open": [["5H"]], "stacks": [[["5H"]]]}),
        ("5H", {"stock": ["5H", "5H"]}),
        ("5H", {"stock": ["5H"], "aside": ["5H"]}),
        ("jokers, not 3", {"stock": ["JK", "JK", "JK"]}),
        ("jokers, not 1", {"stock": [*PACK, "JK"]}),
        ("streak", {"streak": 3}),
        ("streak", {"streak": -1}),
        ("streak", {"streak": 1 << 100}),
        ("streak", {"streak": 4, "round_scores": [[1, 2, 3]] * 5}),
        ("sets_dealt", {"sets_dealt": -1}),
        ("sets_dealt", {"sets_dealt": False}),
        ("round_scores", {"round_scores": [[1, 2]]}),
        ("round_scores", {"round_scores": [[]]}),
        ("round_scores", {"round_scores": [[1, 2, 3]] * 6}),
        ("round_scores", {"round_scores": [1, 2, 3]}),
        ("round_scores", {"round_scores": [[1, 2, -3]]}),
        ("round_scores", {"round_scores": [[1, 2, 53]]}),
        ("round_scores", {"round_scores": [[1, 2, 0.5]]}),
        ("totals", {"totals": [1, 2]}),
        ("totals", {"totals": [1, 2, -3]}),
        ("totals", {"totals": [1, 2, 1 << 100]}),
        ("totals", {"totals": [1, 2, 2], "round_scores": [[1, 2, 3]]}),
    ],
)
def test_an_impossible_position_is_refused_by_its_key(key: str, position: Json) -> None:
    with pytest.raises(MalformedRecord, match=f"^position: .*{re.escape(key)}"):
        reports_of(3, position=position, options={"rounds": 5})


def one_place(game: str, cards: list[str]) -> Json:
    """A position in which these cards lie in one place; the rest of the pack is left out."""
    positions: dict[str, Json] = {
        "lucky_paw": {"stock": cards},
        "lives": {"stack": ["4H"], "hands": [["5H"], ["6H"], ["7H"]], "pool": cards},
        "life": {"deck": cards},
        "liverpool": {"hands": [["5H"], ["6H"], ["7H"]], "stock": cards},
        "follow_the_leader": {"discards": ["4H"], "pile": cards},
    }
    return positions[game]


@pytest.mark.parametrize(
    ("game", "options", "most"),
    [
        ("lucky_paw", {}, 0),
        ("lucky_paw", {"jokers": 2}, 2),
        ("lives", {"packs": 1, "jokers_per_pack": 0}, 0),
        ("lives", {"packs": 2, "jokers_per_pack": 1}, 2),
        ("life", {"decks": 1, "jokers_per_deck": 0}, 0),
        ("life", {"decks": 2, "jokers_per_deck": 1}, 2),
        ("liverpool", {}, 4),
        ("follow_the_leader", {}, 0),
        ("follow_the_leader", {"decks": 2}, 0),
        ("follow_the_leader", {"decks": 2, "jokers": True}, 4),
    ],
)
def test_a_position_has_no_more_jokers_than_the_table_plays_with(game: str, options: Json, most: int) -> None:
    def position_with(jokers: int) -> str:
        position = one_place(game, ["9C", *["JK"] * jokers])
        return json.dumps({"game": game, "seats": 3, "options": options, "position": position})

    parse(position_with(most))
    with pytest.raises(MalformedRecord, match=f"^position: .*{most + 1}"):
        parse(position_with(most + 1))


def test_cards_that_were_swapped_for_jokers_are_not_there() -> None:
    def pack(cards: int) -> str:
        position = {"stock": PACK[:cards]}
        return json.dumps({"game": "lucky_paw", "seats": 2, "options": {"jokers": 2}, "position": position})

    parse(pack(50))
    with pytest.raises(MalformedRecord, match=r"^position: 51 cards"):
        parse(pack(51))


@pytest.mark.parametrize(
    ("game", "options", "packs"),
    [
        ("lucky_paw", {}, 1),
        ("lives", {"packs": 1}, 1),
        ("lives", {"packs": 2}, 2),
        ("life", {"decks": 1}, 1),
        ("life", {"decks": 2}, 2),
        ("liverpool", {}, 2),
        ("follow_the_leader", {}, 1),
        ("follow_the_leader", {"decks": 2}, 2),
    ],
)
def test_a_position_has_no_card_more_often_than_the_packs(game: str, options: Json, packs: int) -> None:
    def position_with(copies: int) -> str:
        position = one_place(game, ["9C"] * copies)
        return json.dumps({"game": game, "seats": 3, "options": options, "position": position})

    parse(position_with(packs))
    with pytest.raises(MalformedRecord, match=r"^position: .*9C"):
        parse(position_with(packs + 1))


def test_teams_have_one_total_each_in_a_position() -> None:
    with pytest.raises(MalformedRecord, match=r"^position: .*totals"):
        reports_of(4, position={"totals": [1, 2, 3, 4]}, options={"teams": True})


# Malformed records


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("record", ""),
        ("record", "null"),
        ("record", "[]"),
        ("record", "7"),
        ("record", '"lucky_paw"'),
        ("record", "{"),
        ("record", '{"game": "lucky_paw", "seats": 2} {}'),
        ("record", '{"game": "lucky_paw", "seats": NaN}'),
        ("record", '\ufeff{"game": "lucky_paw", "seats": 2}'),
        ("record", '{"game": "lucky_paw", "seats": 2, "seed": "\\ud800"}'),
        ("game", "{}"),
        ("seats", '{"game": "lucky_paw"}'),
        ("nested", '{"game": "lucky_paw", "seats": 2, "position": {"open": ' + "[" * 9999 + "]" * 9999 + "}}"),
        ("seats", '{"game": "lucky_paw", "seats": 1e999}'),
        ("seats", '{"game": "lucky_paw", "seats": ' + "9" * 5000 + "}"),
    ],
)
def test_what_is_not_a_record_is_malformed(key: str, text: str) -> None:
    with pytest.raises(MalformedRecord) as malformed:
        parse(text)
    assert str(malformed.value).startswith(("record: ", "position: "))
    assert key in str(malformed.value) or key == "nested"


@pytest.mark.parametrize("raw", [b"\xff\xfe", b'{"game": "\xff", "seats": 2}', b"\x00", "\ud800"])
def test_what_is_not_text_is_malformed(raw: str | bytes) -> None:
    with pytest.raises(MalformedRecord, match=r"^record: "):
        parse(raw)


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("game: ", {"game": "chess"}),
        ("game: ", {"game": ""}),
        ("record: .*game", {"game": None}),
        ("record: .*game", {"game": 7}),
        ("record: .*seats", {"seats": "3"}),
        ("record: .*seats", {"seats": True}),
        ("record: .*seats", {"seats": 2.0}),
        ("record: .*seats", {"seats": None}),
        ("record: .*seats", {"seats": [2]}),
        ("BAD_SEATS: ", {"seats": 0}),
        ("BAD_SEATS: ", {"seats": -2}),
        ("BAD_SEATS: ", {"seats": 1 << 70}),
        ("record: .*options", {"options": None}),
        ("record: .*options", {"options": [["rounds", 2]]}),
        ("BAD_OPTION: .*rounds", {"options": {"rounds": "2"}}),
        ("BAD_OPTION: .*rounds", {"options": {"rounds": True}}),
        ("BAD_OPTION: .*rounds", {"options": {"rounds": 2.0}}),
        ("BAD_OPTION: .*rounds", {"options": {"rounds": {"is": [2]}}}),
        ("BAD_OPTION: .*rounds", {"options": {"rounds": 1 << 70}}),
        ("BAD_OPTION: .*must_play", {"options": {"must_play": 1}}),
        ("BAD_OPTION: .*must_play", {"options": {"must_play": "yes"}}),
        ("BAD_OPTION: .*jokers", {"options": {"jokers": -1}}),
        ("BAD_OPTION: .*colour", {"options": {"colour": "red"}}),
        ("BAD_OPTION: .*starting_player", {"options": {"starting_player": 3}}),
        ("BAD_SEATS: .*players", {"options": {"players": 3}}),
        ("TEAMS_NEED_4_OR_6: ", {"options": {"teams": True}}),
        ("record: .*host", {"host": 0}),
        ("record: .*host", {"host": True}),
        ("host: ", {"host": 3}),
        ("record: .*seed", {"seed": 5}),
        ("record: .*seed", {"seed": None}),
        ("record: .*colour", {"colour": "red"}),
        ("record: .*position", {"position": []}),
        ("record: .*moves", {"moves": None}),
        ("record: .*moves", {"moves": {}}),
        (r"record: .*moves\[1\]", {"moves": [*passes(1), "pass"]}),
        (r"moves\[0\].seat: ", {"moves": [{}]}),
        (r"moves\[0\].seat: ", {"moves": [{"move": "pass"}]}),
        (r"moves\[1\].seat: ", {"moves": passes(1, 3)}),
        (r"moves\[0\].seat: ", {"moves": passes(-1)}),
        (r"moves\[0\].seat: ", {"moves": [{"seat": True, "move": "pass"}]}),
        (r"moves\[0\].seat: ", {"moves": [{"seat": False, "move": "shuffle", "cards": list(PACK)}]}),
        (r"moves\[0\].seat: ", {"moves": [{"seat": "1", "move": "pass"}]}),
        (r"moves\[0\].seat: ", {"moves": [{"seat": 1.0, "move": "pass"}]}),
        (r"moves\[0\].seat: ", {"moves": [{"seat": [1], "move": "pass"}]}),
        (r"moves\[0\].seat: ", {"moves": [{"seat": 1 << 70, "move": "pass"}]}),
        (r"moves\[0\]: .*move", {"moves": [{"seat": 1}]}),
        (r"moves\[0\]: .*move", {"moves": [{"seat": 1, "move": None}]}),
        (r"moves\[0\]: .*move", {"moves": [{"seat": 1, "move": ["pass"]}]}),
        (r"moves\[0\]: .*dance", {"moves": [{"seat": 1, "move": "dance"}]}),
        (r"moves\[0\]: .*shuffle", {"moves": [{**SHUFFLE, "seat": 1}]}),
        (r"moves\[0\]: .*pass", {"moves": passes(0)}),
        (r"moves\[0\]: .*open", {"moves": [{"seat": 1, "move": "play", "stack": 1}]}),
        (r"moves\[0\]: .*stack", {"moves": [{"seat": 1, "move": "play", "stack": "1", "open": 1}]}),
        (r"moves\[0\]: .*stack", {"moves": [{"seat": 1, "move": "play", "stack": True, "open": 1}]}),
        (r"moves\[0\]: .*open", {"moves": [{"seat": 1, "move": "play", "stack": 1, "open": 1.0}]}),
        (r"moves\[0\]: .*stack", {"moves": [{"seat": 1, "move": "pass", "stack": 1}]}),
        (r"moves\[0\]: .*cards", {"moves": [{"seat": 0, "move": "shuffle"}]}),
        (r"moves\[0\]: .*cards", {"moves": [{"seat": 0, "move": "shuffle", "cards": "AS"}]}),
        (r"moves\[0\]: '1S' .*cards\[1\]", {"moves": [{"seat": 0, "move": "shuffle", "cards": ["AS", "1S"]}]}),
        (r"moves\[0\]: .*cards\[0\]", {"moves": [{"seat": 0, "move": "shuffle", "cards": [["AS"]]}]}),
        (r"moves\[0\]: .*card", {"moves": [{"seat": 0, "move": "draw", "card": 1}]}),
        (r"moves\[0\]: .*value", {"moves": [{"seat": 0, "move": "choose", "value": True}]}),
    ],
)
def test_a_malformed_record_names_the_key_at_fault(line: str, change: Json) -> None:
    with pytest.raises(MalformedRecord, match=f"^{line}"):
        parse(json.dumps({"game": "lucky_paw", "seats": 2, **change}))


@pytest.mark.parametrize(
    "change", [{"game": "a\nb"}, {"a\nb": 1}, {"options": {"a\r\n\u2028b": 1}}, {"moves": [{"seat": "1\n"}]}]
)
def test_a_malformed_record_gives_one_line_whatever_it_holds(change: Json) -> None:
    with pytest.raises(MalformedRecord) as malformed:
        parse(json.dumps({"game": "lucky_paw", "seats": 2, **change}))
    assert len(str(malformed.value).splitlines()) == 1


@pytest.mark.parametrize("depth", [*range(880, 1000, 3), 5_000, 100_000])
def test_deep_nesting_is_no_way_to_a_traceback(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    for text in (
        f'"moves": [{{"seat": {deep}}}]',
        f'"options": {{"rounds": {deep}}}',
        f'"position": {{"open": {deep}}}',
    ):
        with pytest.raises(MalformedRecord):
            parse('{"game": "lucky_paw", "seats": 2, ' + text + "}")


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.sampled_from(["pass", "play", "shuffle", "draw", "choose", "AS", "5H", "JK", "KS", "lucky_paw", "auto"])
)
junk = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner), max_leaves=6
)


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of everything in a record."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places_in(item, (*path, key)))]


@given(data=st.data())
def test_a_spoilt_record_is_malformed_or_refused_or_played_but_never_breaks(data: st.DataObject) -> None:
    for _ in range(10):
        record = copy.deepcopy(EVERYTHING)
        for place in data.draw(st.lists(st.sampled_from(places_in(record)[1:]), min_size=1, max_size=2)):
            spoil(record, place, data)
        assert len(outcome_of(json.dumps(record)).splitlines()) == 1


def outcome_of(text: str | bytes) -> str:
    """What a person reads who has this text played: the fault, or that it was played."""
    try:
        reports = list(replay(parse(text)))
    except MalformedRecord as malformed:
        return str(malformed)
    for report in reports:
        json.dumps([as_json(report, eye) for eye in ("referee", 1, None)])
    return "played"


def spoil(record: Json, place: tuple[Any, ...], data: st.DataObject) -> None:
    *path, key = place
    inner: Any = record
    try:
        for step in path:
            inner = inner[step]
        if data.draw(st.booleans()):
            inner[key] = data.draw(junk)
        else:
            del inner[key]
    except (KeyError, IndexError, TypeError):
        pass  # an earlier change has taken the place away


@given(data=st.data())
def test_a_spoilt_text_is_malformed_or_played_but_never_breaks(data: st.DataObject) -> None:
    raw = bytearray(json.dumps(EVERYTHING).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    assert len(outcome_of(bytes(raw)).splitlines()) == 1


# For whose eyes


def test_a_seat_sees_its_view_in_place_of_the_position() -> None:
    (report,) = reports_of(3)
    whole = as_json(report)
    for eye in (1, 2, 3, None):
        seen = as_json(report, eye)
        assert list(seen) == list(whole)
        assert (seen["position"]["seat"], seen["position"]["stock_size"]) == (eye, 39)
        assert not {"stock", "aside"} & seen["position"].keys()
        assert seen["moves"] == [{"seat": 0, "move": "shuffle"}]
        assert seen["legal"] == (whole["legal"] if eye == 1 else {})
        public = ("accepted", "refused", "to_act", "round_scores", "totals", "places", "over")
        assert {key: seen[key] for key in public} == {key: whole[key] for key in public}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_no_eye_sees_a_card_that_lies_face_down(seats: int) -> None:
    circles = [seat for _ in range(4) for seat in range(1, seats + 1)]
    for report in reports_of(seats, moves=passes(*circles[: 2 * seats]), options={"jokers": 2}):
        state = report.match.round
        face_up = {card for piles in (state.open, *state.stacks) for pile in piles for card in pile}
        for eye in (*range(1, seats + 1), None):
            shown = set(re.findall(r'"(JK|(?:10|[2-9AJQK])[SHDC])"', json.dumps(as_json(report, eye))))
            assert shown == {*map(str, face_up)}


def test_a_refusal_is_for_the_mover_alone() -> None:
    """It may tell what he holds, as here that seat 1 has a card that fits."""
    hands = {"hands": [["7H", "KC"], ["8C"], ["2D"]], "discards": ["7S"], "pile": ["3S"]}
    record = {"game": "follow_the_leader", "seats": 3, "position": hands, "moves": [{"seat": 1, "move": "draw"}]}
    (report,) = replay(parse(json.dumps(record)))
    refused = as_json(report)["refused"]
    assert (refused["index"], refused["code"]) == (0, "MUST_PLAY")
    assert "7♥" in refused["message"]
    assert [as_json(report, eye)["refused"] for eye in (1, 2, 3, None)] == [refused, None, None, None]


def test_a_refusal_of_the_dealer_is_for_nobody_at_the_table() -> None:
    (report,) = reports_of(moves=[{**SHUFFLE, "cards": []}])
    assert as_json(report)["refused"]["code"] == "IMPOSSIBLE_OUTCOME"
    assert [as_json(report, eye)["refused"] for eye in (1, 2, None)] == [None, None, None]


def test_a_finished_match_shows_no_card_of_earlier_rounds() -> None:
    report = reports_of(moves=passes(*[1, 2] * 8, *[2, 1] * 8), options={"rounds": 2})[-1]
    assert report.match.over
    dealers = [step for step in as_json(report, None)["moves"] if step["seat"] == 0]
    assert dealers == [{"seat": 0, "move": "shuffle"}] * 2


def test_a_move_is_printed_with_its_seat_first() -> None:
    reading = parse(json.dumps(EVERYTHING))
    assert [step_as_json(step) for step in reading.steps] == EVERYTHING["moves"]
    assert [next(iter(step_as_json(step))) for step in reading.steps] == ["seat", "seat"]


def test_a_record_is_weighed_before_it_is_checked() -> None:
    def refuse(record: Record) -> None:
        raise OverflowError(f"{len(record.moves)} moves are too many")

    with pytest.raises(OverflowError, match="2 moves"):
        parse(json.dumps({"game": "nothing", "seats": 99, "moves": passes(1, 2)}), refuse)
