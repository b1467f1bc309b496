"""Reports: who may tell the keeper what, what is kept with it, and what goes with whom."""

import pytest

from app.services.accounts.deletion import forget_player
from app.services.accounts.export import export_of
from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound, Refused, TooOften
from app.services.keeper.reports import KeptReport, report, reported_at, reports_of, settle
from app.services.seats import spectators
from app.services.table.activity import _KEPT
from app.services.talk import chat
from tests.conftest import Clock
from tests.factories import Party, begin, dump, nothing_changes, refused, welcome


def kept(context: AppContext, *, with_settled: bool = False) -> list[KeptReport]:
    with context.database.reading() as connection:
        return reports_of(connection, with_settled=with_settled)


def talking(context: AppContext, clock: Clock) -> Party:
    """Three people, of whom Bob says something."""
    party = begin(context, 3)
    for number in range(20):
        clock.advance(30)
        party.write(chat.say, 2 if number == 13 else 3, f"line {number}")
    return party


def test_a_line_is_kept_with_what_was_said_around_it(context: AppContext, clock: Clock) -> None:
    party = talking(context, clock)
    context.write(report, party.slug, party.guests[0].id, " Rude\n ", 14)
    (told,) = kept(context)
    assert (told.code, told.by, told.teller, told.about, told.name) == (
        party.row.code,
        party.guests[0].id,
        "Alice",
        party.guests[1].id,
        "Bob",
    )
    assert told.why == "Rude"
    assert [line.text for line in told.lines] == [f"line {number}" for number in range(2, 20)]
    assert [line.text for line in told.lines if line.meant] == ["line 13"]


def test_it_is_kept_though_the_table_remembers_it_no_longer(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = talking(context, clock)
    context.write(report, party.slug, party.guests[0].id, "", 14)
    assert _KEPT > 20
    monkeypatch.setattr("app.services.table.activity._KEPT", 1)
    for _ in range(2):
        clock.advance(30)
        party.write(chat.say, 3, "later")
    assert "line 13" in [line.text for line in kept(context)[0].lines]


def test_a_person_is_told_of_with_the_newest_lines_and_once(context: AppContext, clock: Clock) -> None:
    party = talking(context, clock)
    context.write(report, party.slug, party.guests[0].id, "Walks off", 0, 2)
    with nothing_changes(context.database):
        context.write(report, party.slug, party.guests[0].id, "Walks off", 0, 2)
    (told,) = kept(context)
    assert [line.text for line in told.lines] == [f"line {number}" for number in range(8, 20)]
    assert not any(line.meant for line in told.lines)
    context.write(report, party.slug, party.guests[2].id, "Walks off", 0, 2)
    assert len(kept(context)) == 2


def test_what_cannot_be_told_is_refused(context: AppContext, clock: Clock) -> None:
    party = talking(context, clock)
    me = party.guests[0].id
    for error, said, seat in ((Refused, 0, 0), (Refused, 0, 1), (NotFound, 99, 0), (NotFound, 0, 9), (Refused, 0, -1)):
        with refused(context, error):
            context.write(report, party.slug, me, "", said, seat)
    bots = begin(context, 1, bots=1)
    with refused(context, Refused):
        context.write(report, bots.slug, bots.guests[0].id, "", 0, 2)


def test_only_who_sees_the_table_reports_it(context: AppContext) -> None:
    party, stranger = begin(context, 2), welcome(context, "Zoe").id
    context.write(report, party.slug, stranger, "seen from outside", 0, 2)
    party.write(spectators.set_spectators, 1, "none")
    with refused(context, Forbidden):
        context.write(report, party.slug, stranger, "", 0, 1)
    with context.database.reading() as connection, pytest.raises(Forbidden):
        reported_at(context, connection, party.slug, stranger)


def test_so_many_are_enough_for_an_hour(context: AppContext, clock: Clock) -> None:
    party = begin(context, 3)
    for number in range(6):
        context.write(report, party.slug, party.guests[0].id, f"reason {number}", 0, 2)
    with refused(context, TooOften):
        context.write(report, party.slug, party.guests[0].id, "one more", 0, 2)
    context.write(report, party.slug, party.guests[2].id, "somebody else", 0, 2)
    clock.advance(3601)
    context.write(report, party.slug, party.guests[0].id, "one more", 0, 2)


def test_a_report_is_settled_once(context: AppContext) -> None:
    party = begin(context, 2)
    context.write(report, party.slug, party.guests[0].id, "", 0, 2)
    (told,) = kept(context)
    context.write(settle, told.number)
    assert kept(context) == []
    assert [one.number for one in kept(context, with_settled=True)] == [told.number]
    with refused(context, Conflict):
        context.write(settle, told.number)


def test_who_is_forgotten_takes_along_what_was_told_by_and_of_them(context: AppContext, clock: Clock) -> None:
    party = talking(context, clock)
    alice, bob, carol = party.guests
    context.write(report, party.slug, alice.id, "about Bob", 14)
    context.write(report, party.slug, bob.id, "by Bob", 13)
    context.write(report, party.slug, alice.id, "about Carol", 13)
    with context.database.reading() as connection:
        assert [one["told"] for one in export_of(connection, bob.id)["reports_made"]] == ["by Bob"]
    context.write(forget_player, bob.id)
    assert [one.why for one in kept(context)] == ["about Carol"]
    rows = repr(dump(context.database)["reported_lines"])
    assert "Bob" not in rows
    assert "line 13" not in rows
    context.write(forget_player, carol.id)
    assert kept(context) == []
    assert dump(context.database)["reported_lines"] == []
