"""What the keeper does to tables and guests, and the log of it."""

import json

import pytest
from sqlalchemy import select

from app.services.accounts.deletion import SOMEBODY
from app.services.context import AppContext
from app.services.errors import Conflict, Ended, NotFound, Refused, TooOften
from app.services.integrity.room import check_tables
from app.services.keeper.acts import ACTS, COMMAND, PAGE, Order, acts_of, perform
from app.services.keeper.overview import tables_of
from app.services.play import play
from app.services.players import bars
from app.services.quotas import take_table, take_tournament
from app.services.tournaments import entries, stages
from app.storage import models
from tests.factories import begin, dump, gather, nothing_changes, refused
from tests.services.tournaments.test_stages import opened, playing


def do(context: AppContext, act: str, **order: object) -> str:
    return str(context.write(perform, COMMAND, Order(act, **order)))  # type: ignore[arg-type]


def logged(context: AppContext) -> list[tuple[str, str, str]]:
    with context.database.reading() as connection:
        return [(act.act, act.way, act.about) for act in acts_of(connection)]


def bars_now(context: AppContext) -> bars.Bars:
    with context.database.reading() as connection:
        return bars.bars_of(context, connection)


def test_a_table_that_is_ended_is_played_on_by_nobody_and_kept(context: AppContext) -> None:
    party = begin(context, 2)
    before, turn = len(party.moves()), party.turn()
    assert turn
    assert party.row.code in do(context, "end", table=party.row.code.lower())
    with refused(context, Ended):
        context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)
    with pytest.raises(Ended):
        party.look(party.guests[0])
    assert len(party.moves()) == before
    assert party.row.due_at is None
    assert [checked.faults for checked in check_tables(context.database)] == [[]], "nothing is wrong with it"
    with context.database.reading() as connection:
        assert tables_of(connection) == []
        (told,) = tables_of(connection, with_finished=True)
    assert told.is_ended
    with refused(context, Conflict):
        do(context, "end", table=party.row.code)
    assert logged(context) == [("end", COMMAND, f"table {party.row.code}")]


def test_a_table_that_is_ended_takes_no_place_from_others(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    party = gather(context, 2)
    monkeypatch.setattr(context, "limits", context.limits.__class__(open=1, guest_open=1))
    with refused(context, TooOften):
        context.write(take_table, party.guests[0].id, "")
    context.open_tables = (0.0, 0)
    do(context, "end", table=party.row.code)
    context.write(take_table, party.guests[0].id, "")


def test_a_table_that_is_deleted_leaves_nothing(context: AppContext) -> None:
    kept, party = begin(context, 2), begin(context, 3)
    party.move()
    code, table_id = party.row.code, party.row.id
    do(context, "bar", number=party.guests[1].id, table=code)
    do(context, "delete", table=code)
    with pytest.raises(NotFound):
        party.look(party.guests[0])
    rows = dump(context.database)
    assert [row for row in rows["tables"] if row[0] == table_id] == []
    assert len(rows["bars"]) == 0
    assert kept.look(kept.guests[0]).table.is_playing
    with refused(context, NotFound):
        do(context, "delete", table=code)


def test_a_table_of_a_tournament_is_its_organisers_affair(context: AppContext) -> None:
    host, slug = opened(context)
    context.write(entries.add_bots, slug, host.id, 4, "gentle")
    stages.start_stage(context, slug, host.id)
    code = playing(context)[0].code
    for act in ("end", "delete"):
        with refused(context, Conflict):
            do(context, act, table=code)


def test_a_guest_is_forgotten_or_told_on_request(context: AppContext) -> None:
    party = begin(context, 2)
    guest = party.guests[1]
    told = json.loads(do(context, "export", number=guest.id))
    assert told["name"] == guest.name
    do(context, "bar", number=guest.id)
    do(context, "forget", number=guest.id)
    with context.database.reading() as connection:
        name = connection.execute(select(models.Player.name).where(models.Player.id == guest.id)).scalar_one()
    assert name == SOMEBODY
    assert guest.id in bars_now(context).room, "the bar holds"
    assert guest.name not in repr(dump(context.database)["keeper_acts"])


def test_in_maintenance_nothing_new_is_opened_and_what_has_begun_goes_on(context: AppContext) -> None:
    party = begin(context, 2)
    do(context, "maintenance", text="on")
    for take in (take_table, take_tournament):
        with refused(context, TooOften) as caught:
            context.write(take, party.guests[0].id, "")
        assert caught.value.headers == {"Retry-After": "600"}
    party.move()
    do(context, "maintenance", text="off")
    context.write(take_table, party.guests[0].id, "")


def test_what_cannot_be_done_is_refused_and_not_logged(context: AppContext) -> None:
    for act, order in (
        ("fly", {}),
        ("end", {"table": "NOWHERE1"}),
        ("bar", {"number": 999}),
        ("forget", {"number": 999}),
        ("export", {"number": 999}),
        ("unbar", {"number": 999}),
        ("settle", {"number": 999}),
        ("announce", {"text": "x" * 301}),
        ("link", {"hours": 0}),
    ):
        with pytest.raises((NotFound, Refused)):
            do(context, act, **order)
    assert logged(context) == []


def test_the_page_and_the_command_do_the_same_and_the_log_says_which(context: AppContext) -> None:
    context.write(perform, PAGE, Order("announce", text="  The kettle\nis on "))
    do(context, "announce")
    assert logged(context) == [("announce", COMMAND, ""), ("announce", PAGE, "The kettle is on")]


def test_what_bears_the_same_mark_is_done_once(context: AppContext) -> None:
    order = Order("announce", text="The kettle is on")
    assert context.write(perform, PAGE, order, "one click")
    with nothing_changes(context.database):
        assert context.write(perform, PAGE, order, "one click") == ""


def test_there_is_a_test_of_every_act() -> None:
    assert set(ACTS) == {
        "end",
        "delete",
        "bar",
        "unbar",
        "forget",
        "export",
        "announce",
        "maintenance",
        "settle",
        "link",
        "end-link",
    }
