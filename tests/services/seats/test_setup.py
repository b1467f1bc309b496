"""What a host changes about a table while it gathers and between matches."""

import pytest
from msgspec import json

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, Refused
from app.services.integrity.tables import faults_of_table
from app.services.play import play
from app.services.queries.playback import load_replay
from app.services.queries.records import match_record
from app.services.seats import seat_transfer, seats
from app.services.seats.agreement import TO_READ
from app.services.seats.hosts import name_cohost
from app.services.seats.setup import Setup, change_setup, setup_at
from app.services.table.open_table import PLAYING
from app.services.table.settings import TableSetup
from app.services.tournaments import entries, stages
from app.storage.models import Table
from snug.engine.proving import faults_of
from snug.engine.record import parse
from tests.conftest import Clock
from tests.factories import GAME, INSTANT, Guest, Party, begin, gather, refused, setup_with, welcome


@pytest.fixture
def table(context: AppContext) -> Party:
    """Alice (host) and Bob on seats 1 and 2 of 4."""
    return gather(context, 2, seats=4)


def change(party: Party, seats_: int, by: Guest | int = 1, match: int = 0, **options: object) -> None:
    """The host changes rules and seats."""
    party.write(change_setup, by, match, party.version, Setup(seats_, options, INSTANT))


def record_of(party: Party) -> bytes:
    """The record of the last match, without the head of the chain, which every line of the log moves on."""
    with party.context.database.reading() as connection:
        return json.encode({**match_record(connection, party.slug), "chain": None})


def play_out(party: Party) -> None:
    """Everybody passes and bots play until the match is over."""
    while party.row.status == PLAYING:
        if turn := party.turn():
            party.context.write(play.play, party.slug, turn.player, {"move": "pass"}, turn.version)
        else:
            party.context.write(play.run_due, party.slug)


def is_sound(party: Party) -> bool:
    """Whether the table is as `snug verify` wants it."""
    with party.context.database.reading() as connection:
        return faults_of_table(connection, party.row.id) == []


def test_the_host_changes_everything_while_seats_are_taken(context: AppContext, table: Party) -> None:
    wish = setup_with("brisk", "brisk", watchers="none", talk="phrases", watchers_talk=True, undo="vote")
    wanted = Setup(3, {"rounds": "2", "must_play": "true"}, wish)
    table.write(change_setup, 1, 0, table.version, wanted)
    page = table.look()
    assert (page.options.rounds, page.options.must_play, len(page.people.seats)) == (2, True, 3)
    assert table.setup == wish
    assert is_sound(table)


def test_chairs_come_and_go_the_free_ones_first_and_people_stay(context: AppContext, table: Party) -> None:
    carol = welcome(context, "Carol")
    table.write(seats.take_seat, carol, 4, "Carol")
    table.write(seats.seat_bot, 1, 3, "steady")
    change(table, 5)
    assert [bool(name) for name in table.look().people.names] == [True, True, True, True, False]
    change(table, 3)
    assert table.look().people.names == ("Alice", "Bob", "Carol")
    assert table.players == {1: table.guests[0].id, 2: table.guests[1].id, 3: carol.id}
    with refused(context, Refused, "SEATS_TAKEN"):
        change(table, 2)


def test_what_cannot_be_changes_nothing(context: AppContext, table: Party) -> None:
    for seats_, options in ((9, {}), (3, {"rounds": 0}), (3, {"tea": True}), (-1, {})):
        with refused(context, Refused):
            change(table, seats_, **options)


def test_only_hosts_change_it_and_only_the_host_how_people_talk(context: AppContext, table: Party) -> None:
    with refused(context, Forbidden):
        change(table, 3, 2)
    table.write(name_cohost, 1, 2, True)
    table.write(change_setup, 2, 0, table.version, Setup(3, {}, TableSetup(talk="off", watchers_talk=True)))
    assert (len(table.look().people.seats), table.setup.talk, table.setup.watchers_talk) == (3, "free", False)


def test_a_form_from_before_the_match_or_another_change_is_refused(context: AppContext, clock: Clock) -> None:
    party = gather(context, 2, rounds=1)
    version = party.version
    change(party, 3, rounds=1)
    with refused(context, Conflict):
        party.write(change_setup, 1, 0, version, Setup(2, {}))
    change(party, 2, rounds=1)
    clock.advance(TO_READ)
    party.write(seats.start, 1)
    with refused(context, Conflict):
        change(party, 2)
    play_out(party)
    with refused(context, Conflict):
        change(party, 2, match=0)
    change(party, 2, match=1)


def test_between_matches_the_next_one_is_set_up_and_the_last_one_stays_as_it_was(
    context: AppContext, clock: Clock
) -> None:
    party = begin(context, 2, bots=2, rounds=1)
    play_out(party)
    before, record = party.look(party.guests[0]), record_of(party)
    change(party, 3, match=1, rounds=2, jokers=2)
    page = party.look(party.guests[0])
    assert (page.options, page.board.sheet, page.people.names) == (
        before.options,
        before.board.sheet,
        before.people.names,
    )
    assert page.coming.change == {"seats": [4, 3], "rounds": [1, 2], "jokers": [0, 2]}
    assert record_of(party) == record
    with context.database.reading() as connection:
        assert setup_at(context, connection, party.slug)["seats"] == 3
    clock.advance(TO_READ)
    party.write(seats.rematch, 1)
    page = party.look(party.guests[0])
    assert (page.options.rounds, page.options.jokers, page.people.names[:2]) == (2, 2, ("Alice", "Bob"))
    assert (len(page.people.seats), page.coming.change, party.row.setup) == (3, {}, None)
    with context.database.reading() as connection:
        assert len(load_replay(context, connection, party.slug, party.guests[0].id, 1, 1).names) == 4
    assert is_sound(party)


def test_a_fifth_friend_gets_the_place_of_a_bot_on_a_new_chair(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, rounds=1)
    play_out(party)
    dave = welcome(context, "Dave")
    party.write(seat_transfer.wait, dave, "Dave")
    change(party, 4, match=1, rounds=1)
    clock.advance(TO_READ)
    party.write(seats.rematch, 1)
    page = party.look()
    assert page.people.names[:3] == ("Alice", "Bob", "Dave")
    assert [seat.bot for seat in page.people.seats] == [None, None, None, "steady"]


@pytest.mark.parametrize("people", [1, 2])
def test_deals_of_a_changed_table_are_proved(context: AppContext, clock: Clock, people: int) -> None:
    party = gather(context, people, seats=2)
    party.write(seats.take_seat, 1, 1, "Alice", "tea")  # the seal, and a cut, from before the change
    change(party, 3, rounds=1)
    party.write(seats.fill_seats, 1, "gentle")
    clock.advance(TO_READ)
    party.write(seats.start, 1, "pot")
    play_out(party)
    assert faults_of(parse(record_of(party))) == []
    change(party, 4, match=1, rounds=1)
    clock.advance(TO_READ)
    party.write(seats.rematch, 1, "cup")
    play_out(party)
    assert faults_of(parse(record_of(party))) == []
    assert is_sound(party)


def test_a_tournaments_table_is_set_up_by_the_tournament(context: AppContext) -> None:
    host = welcome(context, "Host")
    plan = {"format": "swiss", "stages": [{"game": GAME, "options": {"rounds": 1}, "size": 2}], "players": 4}
    slug = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand", "bot_pace": "instant"})
    ann = welcome(context, "Ann")
    context.write(entries.enter, slug, ann.id, "Ann")
    context.write(entries.add_bots, slug, host.id, 1, "gentle")
    stages.start_stage(context, slug, host.id)
    with context.database.reading() as connection:
        table = connection.execute(Table.__table__.select()).one()
    party = Party(context, table.slug, (host, ann))
    play_out(party)
    with refused(context, Refused, "IN_TOURNAMENT"):
        change(party, 2, match=1)
