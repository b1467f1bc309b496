"""The options, moves and positions of Irish Lives as they are written."""

import json
from typing import Any

import pytest

from snug.engine.cards import parse_card
from snug.engine.game import BadSetup, InvalidMove, plain, read_move, read_options
from snug.engine.record import MalformedRecord, as_json, parse, replay
from snug.games.lives import GAME as lives
from snug.games.lives.options import LivesOptions
from snug.games.lives.state import Play
from tests.games.lives.tables import HANDS, table_of

NINE = parse_card("9C")


def test_the_defaults_are_those_of_the_specification() -> None:
    assert plain(LivesOptions()) == {
        "packs": "auto",
        "off_suit_ace": "no_suit",
        "must_play": False,
        "play_drawn_card": False,
        "starter_power_card": "applies",
        "last_card_notice": "table",
        "jokers_per_pack": 0,
        "rounds": 1,
        "first_dealer": "random",
    }


def test_every_preset_can_be_played() -> None:
    assert len(lives.presets) == 3
    for preset in lives.presets:
        for seats in range(2, 15):
            read_options(lives, seats, preset.options)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"packs": 1}, "BAD_SEATS"),
        ({"packs": 3}, "BAD_OPTION"),
        ({"packs": "2"}, "BAD_OPTION"),
        ({"rounds": 0}, "BAD_OPTION"),
        ({"rounds": 10}, "BAD_OPTION"),
        ({"jokers_per_pack": 3}, "BAD_OPTION"),
        ({"first_dealer": 9}, "BAD_OPTION"),
        ({"first_dealer": 0}, "BAD_OPTION"),
        ({"off_suit_ace": "never"}, "BAD_OPTION"),
        ({"colour": "blue"}, "BAD_OPTION"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(BadSetup) as refusal:
        read_options(lives, 8, options)
    assert refusal.value.code == code


def test_forms_may_send_numbers_and_lots_as_text() -> None:
    options = read_options(lives, 3, {"packs": "2", "first_dealer": "3", "must_play": "true"}, strict=False)
    assert (options.packs, options.first_dealer, options.must_play) == (2, 3, True)


@pytest.mark.parametrize(
    "raw",
    [
        {"move": "play"},
        {"move": "play", "card": "1C"},
        {"move": "play", "card": "AC", "suit": "X"},
        {"move": "play", "card": "9C", "last_card": "yes"},
        {"move": "draw", "count": 2},
        {"move": "call_suit"},
        {"move": "catch", "seat": 1},
        {"move": "pass"},
    ],
)
def test_what_is_not_a_move_of_the_game_is_refused(raw: dict[str, Any]) -> None:
    with pytest.raises(InvalidMove):
        read_move(lives, raw)


def test_moves_are_written_without_what_they_do_not_say() -> None:
    assert plain(Play(NINE)) == {"move": "play", "card": "9C"}
    assert read_move(lives, {"move": "play", "card": "9C", "suit": None, "last_card": False}) == Play(NINE)


@pytest.mark.parametrize(
    ("position", "key"),
    [
        ({"hands": [["9C", "7C"]]}, "7C lies"),
        ({"hands": [["JK"]]}, "there are 1 jokers"),
        ({"hands": [[], [], [], ["9C"]]}, "hands"),
        ({"turn": 4}, "turn"),
        ({"turn": 0}, "turn"),
        ({"dealer": 4}, "dealer"),
        ({"dealer": None}, "dealer"),
        ({"phase": "BIDDING"}, r".*\$\.phase"),
        ({"phase": "DRAWN"}, "drawn_card"),
        ({"drawn_card": "9C"}, "drawn_card"),
        ({"phase": "DRAWN", "hands": [["KD"]], "drawn_card": "KD"}, "drawn_card"),
        ({"phase": "CALL_SUIT"}, "phase"),
        ({"phase": "SET_UP"}, "phase"),
        ({"suit_in_play": "D"}, "suit_in_play"),
        ({"pending": 1}, "pending"),
        ({"pending": 9, "stack": ["2S"]}, "pending"),
        ({"called": [1]}, "called"),
        ({"called": [1, 1]}, "called"),
        ({"exposed": [2], "hands": [[], ["9C"]]}, "exposed"),
        ({"idle": 3}, "idle"),
        ({"turns": 500}, "turns"),
        ({"turns": 501}, r".*\$\.turns"),
        ({"scores": [[1, 2]]}, "scores"),
        ({"scores": [1, [1, 2, 3]]}, "scores"),
        ({"scores": [[1, 2, 3]], "deal_no": 1}, "deal_no|scores"),
        ({"deal_no": 2}, "deal_no"),
        ({"taking": {"seat": 1, "owed": 1, "reason": "two"}}, "taking"),
        ({"deck": []}, ".*deck"),
    ],
)
def test_positions_that_cannot_be_are_refused(position: dict[str, Any], key: str) -> None:
    with pytest.raises(MalformedRecord, match=f"^position: ({key})"):
        table_of(position)


def test_a_position_may_leave_out_nearly_everything() -> None:
    record = {"game": "lives", "seats": 3, "position": {"stack": ["7C"], "hands": [["9C"]]}}
    (report,) = replay(parse(json.dumps(record)))
    printed = json.loads(json.dumps(as_json(report)["position"]))
    assert printed == {
        "phase": "PLAY",
        "dealer": 3,
        "turn": 1,
        "hands": [["9C"], [], []],
        "pool": [],
        "stack": ["7C"],
        "suit_in_play": "C",
        "pending": 0,
        "called": [],
        "exposed": [],
        "drawn_card": None,
        "idle": 0,
        "turns": 0,
        "scores": [],
        "deal_no": 1,
    }


def test_a_position_may_give_the_totals_alone() -> None:
    table = table_of({"hands": HANDS, "scores": [5, 0, 7]}, rounds=3)
    assert (table.totals, table.number, table.places) == ((5, 0, 7), 2, (2, 1, 3))
    assert table_of({"hands": HANDS, "scores": [0, 0, 0]}).number == 1


def test_a_position_may_be_a_finished_deal() -> None:
    position = {"hands": [["9C"], [], ["KD"]], "phase": "DEAL_OVER", "turn": 2}
    table = table_of(position)
    assert (table.over, table.rounds, table.places) == (True, ((9, 0, 10),), (2, 1, 3))
    assert table.round.reason == "out"


def test_a_match_is_not_over_before_its_last_deal() -> None:
    position = {"hands": [["9C"], [], ["KD"]], "phase": "MATCH_OVER"}
    with pytest.raises(MalformedRecord, match=r"^position: phase"):
        table_of(position, rounds=2)
    last = table_of({**position, "scores": [[1, 2, 0], [9, 0, 10]]}, rounds=2)
    assert (last.over, last.number, last.totals) == (True, 2, (10, 2, 10))
