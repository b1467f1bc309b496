"""Who sits at a table reads what a host has changed of it, and agrees by a click or by staying."""

import pytest
from sqlalchemy import update

from app.services.context import AppContext
from app.services.errors import Conflict
from app.services.queries.stream import talk_of
from app.services.seats import seats
from app.services.seats.agreement import TO_READ, agree
from app.services.seats.setup import Setup, change_setup
from app.services.table.clocks import ClockRules
from app.services.table.hours import Hours
from app.storage import models
from app.storage.cache import VersionedCache
from app.storage.writer import Transaction
from tests.conftest import Clock
from tests.factories import INSTANT, Party, begin, gather, nothing_changes, refused, setup_with, welcome


@pytest.fixture
def table(context: AppContext) -> Party:
    """Alice (host) and Bob, and a bot."""
    party = gather(context, 2, seats=3)
    party.write(seats.seat_bot, 1, 3, "gentle")
    return party


def change(party: Party, rounds: int, match: int = 0, seats_: int = 3) -> None:
    """The host changes the number of rounds."""
    party.write(change_setup, 1, match, party.version, Setup(seats_, {"rounds": rounds}, INSTANT))


def test_everybody_but_who_changed_it_is_asked(table: Party) -> None:
    change(table, 2)
    alice, bob = (table.look(guest) for guest in table.guests)
    assert (alice.coming.asks_me, bob.coming.asks_me) == (False, True)
    assert alice.coming.change == bob.coming.change == {"rounds": [9, 2]}
    assert alice.coming.readers == (2,)
    table.write(agree, 2, table.version)
    assert not table.look(table.guests[1]).coming.asks_me
    assert not table.look(table.guests[0]).coming.readers


def test_a_later_change_asks_again_and_says_what_came_since_everybody_agreed(table: Party) -> None:
    change(table, 2)
    table.write(agree, 2, table.version)
    change(table, 3)
    assert table.look(table.guests[1]).coming.change == {"rounds": [2, 3]}
    change(table, 4)
    assert table.look(table.guests[1]).coming.change == {"rounds": [2, 4]}
    change(table, 2)
    assert not table.look(table.guests[1]).coming.asks_me


def test_nobody_agrees_to_what_they_have_not_seen(context: AppContext, table: Party) -> None:
    change(table, 2)
    version = table.version
    change(table, 3)
    with refused(context, Conflict):
        table.write(agree, 2, version)


def test_who_sits_down_after_the_change_has_seen_it(context: AppContext, table: Party) -> None:
    change(table, 2, seats_=4)
    carol = welcome(context, "Carol")
    table.write(seats.take_seat, carol, 4, "Carol")
    assert not table.look(carol).coming.asks_me


def test_the_start_waits_for_those_who_read_and_whoever_stays_agrees(
    context: AppContext, clock: Clock, table: Party
) -> None:
    change(table, 2)
    with refused(context, Conflict):
        table.write(seats.start, 1, "", table.version)
    clock.advance(TO_READ)
    table.write(seats.start, 1, "", table.version)
    assert table.look().options.rounds == 2


def test_the_start_waits_for_nobody_who_has_agreed(table: Party) -> None:
    change(table, 2)
    table.write(agree, 2, table.version)
    table.write(seats.start, 1, "", table.version)
    assert table.look().table.is_playing


def test_who_plays_again_on_an_older_page_looks_first(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, rounds=1)
    party.pass_round()
    version = party.version
    change(party, 2, 1, 2)
    clock.advance(TO_READ)
    with refused(context, Conflict):
        party.write(seats.rematch, 2, "", version)
    party.write(seats.rematch, 2, "", party.version)


def test_saving_what_holds_already_tells_nobody(context: AppContext, table: Party) -> None:
    change(table, 2)
    with nothing_changes(context.database):
        change(table, 2)


def test_the_log_says_what_was_changed_in_as_many_lines_as_it_takes(context: AppContext, table: Party) -> None:
    options = {"rounds": 2, "jokers": 2, "must_play": True, "auto_pass": True, "starting_player": 2}
    clock = ClockRules("days", "wait", Hours(1200, 1380, "UTC"))
    kept = setup_with("brisk", clock, watchers="delayed", talk="phrases", watchers_talk=True, undo="free")
    wish = Setup(3, options, kept)
    table.write(change_setup, 1, 0, table.version, wish)
    page = table.look(table.guests[1])
    with context.database.reading() as connection:
        talk = talk_of(connection, page, table.guests[1].id)
    lines = [line.said for line in (*talk.fresh, *talk.older) if line.said]
    assert len(lines) > 1
    told = {name: pair for said in lines for name, pair in said.changes.items()}
    assert told == page.coming.change
    assert (told["must_play"], told["hours"]) == ([False, True], ["", "20:00–23:00 UTC"])
    assert all(len(row.text) <= 200 for row in page.news.messages)


def test_what_an_older_release_did_not_know_was_not_changed(context: AppContext, table: Party) -> None:
    change(table, 2)
    kept = table.row.setup
    assert kept
    before = {name: value for name, value in kept["before"].items() if name != "hints"}

    def forget(_context: AppContext, transaction: Transaction) -> None:
        of_old = update(models.Table).values(setup={**kept, "before": before}, changes=models.Table.changes + 1)
        transaction.connection.execute(of_old)

    context.write(forget)
    context.snapshots = VersionedCache()
    assert table.look(table.guests[1]).coming.change == {"rounds": [9, 2]}
