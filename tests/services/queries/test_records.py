"""Records of finished matches: what the referee replays."""

import random
from itertools import pairwise

from msgspec import json

from app.services.context import AppContext
from app.services.queries.records import match_record
from app.services.seats import hosts
from app.services.seats import seats as seats_service
from snug.engine import record
from snug.engine.game import DEALER
from tests.factories import Party, begin


def recorded(party: Party) -> record.Reading:
    """The record of the table's last match, as the referee reads it."""
    with party.context.database.reading() as connection:
        return record.parse(json.encode(match_record(connection, party.slug)))


def test_a_record_replays_to_the_same_end(context: AppContext) -> None:
    party = begin(context, 4, rounds=2, jokers=2, teams=True, auto_pass=True, must_play=True, starting_player=3)
    dice = random.Random(1)
    party.play_round(dice)
    party.everybody_is_ready()
    party.play_round(dice)
    *_, report = record.replay(recorded(party))
    sheet = party.look().board.sheet
    assert report.refused is None
    assert report.match.over
    assert sheet
    assert report.match.rounds == sheet.by_seat
    assert report.match.totals == tuple(one.total for one in sheet.competitors)
    assert report.match.places == tuple(one.place for one in sheet.competitors)


def test_a_record_tells_every_move_in_order(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    party.pass_round()
    party.everybody_is_ready()
    party.pass_round()
    seats = [seat for seat, _ in recorded(party).steps]
    shuffles = [index for index, seat in enumerate(seats) if seat == DEALER]
    assert len(shuffles) == 2
    rounds = [seats[start + 1 : end] for start, end in pairwise([*shuffles, len(seats)])]
    assert rounds == [[1, 2] * 8, [2, 1] * 8]


def test_a_record_names_the_rules_and_the_host(context: AppContext) -> None:
    party = begin(context, 3, rounds=1, jokers=1)
    party.pass_round()
    reading = recorded(party)
    assert (reading.record.game, reading.record.seats, reading.record.host) == ("lucky_paw", 3, 1)
    assert reading.record.options == {
        "rounds": 1,
        "jokers": 1,
        "must_play": False,
        "teams": False,
        "starting_player": 1,
        "auto_pass": False,
    }


def test_a_rematch_has_a_record_of_its_own(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    party.pass_round()
    first = recorded(party)
    party.write(hosts.hand_over, 1, 2)
    party.write(seats_service.rematch, 1)
    party.pass_round()
    second = recorded(party)
    assert second.record.host == 2
    assert first.steps[0] != second.steps[0]
    assert [*record.replay(second)][-1].match.over
