"""A table is one object: what must hold is asked when it is opened, what follows is done once when it is left."""

import random
import shutil
from pathlib import Path

import pytest
from sqlalchemy import select

from app.services.context import AppContext, Notice
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.seats import away, hosts, pause, seats
from app.services.table.events import MatchFinished
from app.services.table.open_table import GATHERING, PLAYING, open_table
from app.services.table.settings import changed, setup_of
from app.services.table.snapshot import load_snapshot
from app.services.talk import chat
from app.storage import models
from app.storage.writer import Transaction
from tests.conftest import OpenContext
from tests.factories import Party, begin, gather, nothing_changes, refused, welcome


def change(context: AppContext, transaction: Transaction, slug: str, *numbers: int) -> None:
    """Changes these seats and the table."""
    with open_table(context, transaction, slug) as table:
        for number in numbers:
            table.change_seat(table.seat(number), asked=1)
            table.set(webhook="https://example.org")


def test_however_much_changes_the_version_goes_up_by_one(context: AppContext) -> None:
    party = begin(context, 3)
    version = party.version
    context.write(change, party.slug, 1, 2, 3)
    assert party.version == version + 1
    assert context.pubsub.version(party.slug) == version + 1
    context.write(change, party.slug)
    assert party.version == version + 1


def test_a_quiet_change_is_stored_and_wakes_nobody(context: AppContext) -> None:
    party = begin(context, 2)
    version = party.version

    def quietly(context: AppContext, transaction: Transaction) -> None:
        with open_table(context, transaction, party.slug) as table:
            table.set(quietly=True, webhook="https://example.org")
            table.change_seat(table.seat(1), quietly=True, asked=2)

    context.write(quietly)
    assert (party.version, party.row.webhook) == (version, "https://example.org")


def test_what_a_reader_sees_of_before_a_quiet_change_is_not_kept_after_it(context: AppContext) -> None:
    context.database.own()  # what is at hand is believed without a look where nobody else can change it
    party = begin(context, 2)
    mute(context, party, True)
    with context.database.reading() as early:
        early.execute(select(models.Table.id)).all()  # from here on it sees this moment, and may ask for much else
        mute(context, party, False)
        assert load_snapshot(context, early, party.slug).muted == {party.guests[0].id}
    with context.database.reading() as connection:
        assert load_snapshot(context, connection, party.slug).muted == frozenset()


def mute(context: AppContext, party: Party, muted: bool) -> None:
    context.write(chat.mute, party.slug, party.guests[0].id, muted)


def test_after_an_exception_there_is_nothing(context: AppContext) -> None:
    party = begin(context, 2)
    with nothing_changes(context.database), pytest.raises(NotFound):
        context.write(change, party.slug, 1, 7)
    assert context.rounds.get(party.row.id, party.version + 1) is None


def test_rows_are_values(context: AppContext) -> None:
    party = begin(context, 2)

    def rename(context: AppContext, transaction: Transaction) -> None:
        with open_table(context, transaction, party.slug) as table:
            row, before = table.row, table.seat(1)
            after = table.change_seat(before, name="Somebody else")
            table.set(**changed(row, talk="off"))
            assert (before.name, after.name, table.seat(1)) == ("Alice", "Somebody else", after)
            assert (setup_of(row).talk, setup_of(table.row).talk) == ("free", "off")

    context.write(rename)
    assert [seat.name for seat in party.look().people.seats] == ["Somebody else", "Bob"]


def test_what_must_hold_is_asked_in_one_place(context: AppContext) -> None:
    party, stranger = begin(context, 2), welcome(context, "Mallory")
    alice, bob = party.guests

    def opening(**asked: object) -> None:
        def service(context: AppContext, transaction: Transaction) -> None:
            with open_table(context, transaction, party.slug, **asked):  # type: ignore[arg-type]
                pass

        context.write(service)

    for error, asked in (
        (Forbidden, {"by": stranger.id, "seated": True}),
        (Forbidden, {"by": bob.id, "host": True}),
        (Forbidden, {"by": None, "host": True}),
        (Conflict, {"status": GATHERING}),
    ):
        with refused(context, error):
            opening(**asked)
    party.write(hosts.name_cohost, 1, 2, True)
    opening(by=bob.id, host=True, status=PLAYING)
    with refused(context, Forbidden):
        opening(by=bob.id, host=True, cohost=False)
    party.write(pause.pause, 1)
    opening(by=alice.id, seated=True)
    with refused(context, Conflict):
        opening(by=alice.id, paused=False)
    with refused(context, NotFound):
        context.write(change, "no-such-table")


def test_what_changes_nothing_in_a_round_leaves_it_at_hand(context: AppContext) -> None:
    party = begin(context, 2)
    party.move()
    live = context.rounds.get(party.row.id, party.version)
    party.write(hosts.name_cohost, 1, 2, True)
    assert live is not None
    assert context.rounds.get(party.row.id, party.version) is live


def test_handlers_act_in_the_same_transaction(context: AppContext) -> None:
    def refuse(_event: MatchFinished) -> None:
        raise Refused("NOT_NOW", "Not today.")

    party = begin(context, 2, rounds=1)
    context.handlers.on(MatchFinished, refuse)
    with pytest.raises(Refused):
        party.pass_round()
    assert (party.row.status, party.turn() is None) == (PLAYING, False)
    with context.database.reading() as connection:
        assert connection.execute(select(models.Result)).first() is None


def test_equal_chance_makes_equal_games(open_context: OpenContext, migrated_file: Path, tmp_path: Path) -> None:
    def deal(name: str) -> Party:
        shutil.copyfile(migrated_file, tmp_path / name)
        context = open_context(f"sqlite:///{tmp_path / name}")
        context.random = random.Random(7)
        return begin(context, 2, bots=1, pace="relaxed")

    one, other = deal("one.db"), deal("other.db")
    assert [move.move for move in one.moves()] == [move.move for move in other.moves()]
    assert one.due_at() == other.due_at()


def test_who_was_told_that_it_is_their_turn_is_not_told_again(context: AppContext) -> None:
    party = begin(context, 2)
    told: list[Notice] = []
    context.publish = told.append
    party.write(away.step_away, 1, 1)
    party.write(away.come_back, 1, 1)
    assert told == []


def test_seats_are_shuffled_by_the_chance_of_the_room(context: AppContext) -> None:
    def order() -> list[str]:
        party = gather(context, 5)
        context.random = random.Random(3)
        party.write(seats.shuffle_seats, 1)
        return [seat.name for seat in party.look().people.seats]

    assert order() == order()
