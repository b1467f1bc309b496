"""What a tournament asks of the database: not more for more players."""

import secrets
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from app.services.context import AppContext
from app.services.queries.tournaments.load import load_tournament_page
from app.services.seats import create, seats
from app.services.table.snapshot import TableSnapshot, at_hand, load_snapshot
from app.services.tournaments import entries, log, stages
from app.storage import models
from app.storage.cache import VersionedCache
from app.storage.rows import one_of, with_values
from app.storage.writer import Transaction
from snug.tournament import fold
from snug.tournament.events import AnyLogEvent
from snug.tournament.state import Tournament
from tests.conftest import OpenContext
from tests.factories import GAME, Rows, dump, welcome
from tests.statements import asked


def costs(context: AppContext, players: int) -> tuple[int, int, int]:
    """The statements of the last entry, of the page, and of the start."""
    host = welcome(context, "Host")
    plan = {"format": "rotating", "stages": [{"game": GAME, "size": 2}], "players": players}
    slug = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand"})
    guests = [welcome(context, f"Guest {number}") for number in range(4)]
    for guest in guests[:-1]:
        context.write(entries.enter, slug, guest.id, guest.name)
    context.write(entries.add_bots, slug, host.id, players - 4, "gentle")
    with asked(context, _counts) as entering:
        context.write(entries.enter, slug, guests[-1].id, guests[-1].name)
    assert not any("SELECT tournament_lines" in statement for statement in entering), "the log is at hand"
    with asked(context, _counts) as starting:
        stages.start_stage(context, slug, host.id)
    with asked(context, _counts) as looking, context.database.reading() as connection:
        load_tournament_page(context, connection, slug, guests[0].id)
    return len(entering), len(looking), len(starting)


def _counts(statement: str) -> bool:
    return not statement.startswith(("BEGIN", "COMMIT"))


def test_what_is_asked_does_not_grow_with_the_players(context: AppContext) -> None:
    few, many = costs(context, 16), costs(context, 64)  # at some tables bots alone, who are due
    assert many == few
    entering, looking, starting = few
    assert entering <= 9
    assert looking <= 4
    assert starting <= 30


@pytest.mark.parametrize("plan", [{"format": "swiss", "same_deal": True}, {"format": "knockout", "players": 16}])
def test_tables_that_are_set_together_are_as_if_each_were_set_by_itself(
    open_context: OpenContext,
    migrated_file: Path,
    tmp_path: Path,
    plan: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def begun(name: str) -> Rows:
        shutil.copyfile(migrated_file, tmp_path / name)
        context, letters = open_context(f"sqlite:///{tmp_path / name}"), Random(7)
        context.random = Random(7)
        monkeypatch.setattr(secrets, "token_hex", lambda size: letters.randbytes(size).hex())
        monkeypatch.setattr(secrets, "token_urlsafe", lambda size: letters.randbytes(size).hex()[:22])
        monkeypatch.setattr(secrets, "choice", letters.choice)
        host = welcome(context, "Host")
        whole = {"stages": [{"game": GAME, "size": 4}] * 3, "players": 12, **plan}
        slug = context.write(stages.open_tournament, host.id, "Cup", whole, {"starts": "hand"})
        for number in range(3):
            guest = welcome(context, f"Guest {number}")
            context.write(entries.enter, slug, guest.id, guest.name)
        context.write(entries.add_bots, slug, host.id, whole["players"] - 3, "gentle")
        stages.start_stage(context, slug, host.id)
        return dump(context.database)

    together = begun("together.db")
    set_tables, begin_at = create.set_tables, seats.begin_at

    def set_each(context: AppContext, transaction: Transaction, tables: Any) -> Any:
        return [set_tables(context, transaction, [table])[0] for table in tables]

    def begin_each(context: AppContext, transaction: Transaction, tables: Any) -> None:
        for table in tables:
            begin_at(context, transaction, [table])

    monkeypatch.setattr(create, "set_tables", set_each)
    monkeypatch.setattr(seats, "begin_at", begin_each)
    assert begun("each.db") == together
    assert len(together["moves"]) >= 3


def test_what_is_at_hand_of_tables_that_were_set_is_what_is_stored(context: AppContext) -> None:
    host = welcome(context, "Host")
    plan = {"format": "swiss", "stages": [{"game": GAME, "size": 2}], "players": 4}
    slug = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand"})
    guest = welcome(context, "Guest")
    context.write(entries.enter, slug, guest.id, guest.name)
    context.write(entries.add_bots, slug, host.id, 3, "gentle")
    stages.start_stage(context, slug, host.id)
    with context.database.reading() as connection:
        slugs = connection.execute(select(models.Table.slug)).scalars().all()
        kept = [at_hand(context, one) for one in slugs]
        context.snapshots, context.rounds = VersionedCache(), VersionedCache()
        read = [load_snapshot(context, connection, one) for one in slugs]
    assert len(read) == 2
    for one, other in zip(kept, read, strict=True):
        assert one
        assert plain(one) == plain(other)


def plain(snapshot: TableSnapshot) -> TableSnapshot:
    """The same with rows that can be compared."""
    seats = tuple(with_values(seat, {}) for seat in snapshot.seats)
    return replace(snapshot, row=with_values(snapshot.row, {}), seats=seats)


def test_what_is_at_hand_of_a_tournament_is_what_its_log_comes_to(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = welcome(context, "Host")
    plan = {"format": "swiss", "stages": [{"game": GAME, "size": 2}], "players": 4}
    slug = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand"})
    context.write(entries.add_bots, slug, host.id, 3, "gentle")
    applied: list[AnyLogEvent] = []
    apply = fold.apply

    def note(tournament: Tournament, event: AnyLogEvent) -> Tournament:
        applied.append(event)
        return apply(tournament, event)

    monkeypatch.setattr(fold, "apply", note)
    context.write(entries.add_bots, slug, host.id, 1, "gentle")
    assert len(applied) == 1
    stages.start_stage(context, slug, host.id)
    assert len(applied) == 2
    with context.database.reading() as connection:
        row = one_of(connection, select(models.Tournament))
        assert log.current(context, connection, row) == log.folded(connection, row)
