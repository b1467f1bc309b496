"""What a host has changed of the coming match, and that those who sit there agree: by a click, or by staying."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from app.services.context import AppContext
from app.services.errors import Conflict
from app.services.table.activity import add_changes
from app.services.table.held_table import HeldTable
from app.services.table.open_table import BETWEEN_MATCHES, PLAYING, open_table
from app.services.table.settings import TableSetup, setup_of
from app.services.table.snapshot import TableSnapshot
from app.storage import models
from app.storage.writer import Transaction
from snug.declared import differences, facts
from snug.engine.game import BadSetup, read_options
from snug.games import GAMES
from snug.words import gettext, listed

TO_READ: Final = 30.0  # seconds for those who are here: whoever stays so long agrees
_SEEN_BEFORE: Final = gettext("The set-up has changed since your page was drawn. Have a look at it first.")
_NOT_YET: Final = facts(TableSetup())  # what was kept by releases that did not know of a setting
Flat = Mapping[str, Any]  # a set-up: its options and how the table is kept, by the names of the form


class Change(msgspec.Struct, frozen=True):
    """What all had agreed to `before`; the newest change made `version`, `at` room time, for so many `seats`."""

    before: dict[str, Any]
    version: int
    at: float
    seats: int


class Coming(msgspec.Struct, frozen=True, kw_only=True):
    """What the next deal will be: `commitment` is the one to what it is dealt from, `my_cut` what this person has cut
    its deck with. `change` is what a host has changed of the set-up since everybody agreed, by name: what it was and
    what it is; whether that `asks_me` still, and the `readers`, the other seats that are here and are asked."""

    commitment: str | None = None
    my_cut: str = ""
    change: dict[str, list[Any]] = {}
    asks_me: bool = False
    readers: tuple[int, ...] = ()


def change_of(row: models.Table) -> Change | None:
    """What was changed since the last match, or since the table was opened."""
    return msgspec.convert(row.setup, Change) if row.setup and row.status in BETWEEN_MATCHES else None


def seats_wanted(row: models.Table, seats: int) -> int:
    """How many there are to be in the coming match, at a table that has so many."""
    change = change_of(row)
    return change.seats if change else seats


def set_up(row: models.Table, seats: int) -> Flat:
    """The set-up of a table for so many seats, every option included."""
    try:
        options = msgspec.to_builtins(read_options(GAMES[row.game], seats, row.options))
    except BadSetup:  # more sit there than its rules are for
        options = row.options
    return {
        "seats": seats,
        **{name: value for name, value in options.items() if value is not None},
        **facts(setup_of(row)),
    }


def changes_at(row: models.Table) -> dict[str, list[Any]]:
    """What was changed since everybody agreed."""
    change = change_of(row)
    return differences(_NOT_YET | change.before, set_up(row, change.seats)) if change else {}


def coming_at(snapshot: TableSnapshot, my_seat: int | None) -> Coming:
    """What is to come at a table, for a seat or an onlooker."""
    row, mine = snapshot.row, snapshot.seat(my_seat)
    change = changes_at(row)
    return Coming(
        commitment=row.commitment if row.status != PLAYING else None,
        my_cut=mine.cut[0] if mine and mine.cut else "",
        change=change,
        asks_me=bool(change and mine and not mine.ready),
        readers=tuple(seat.number for seat in readers(snapshot.seats) if change and seat is not mine),
    )


def note_change(table: HeldTable, before: Flat, seats: int) -> None:
    """Keeps that who holds the table has changed its set-up, for so many seats from now on, and asks the others."""
    assert table.by is not None
    row, known = table.row, change_of(table.row)
    after = set_up(row, seats)
    if not (changes := differences(before, after)):
        return
    if known is None or all(seat.ready for seat in table.seats if seat.player_id):
        known = Change(dict(before), 0, 0.0, 0)
    change = Change(known.before, table.next_version, table.context.room_time(), seats)
    table.set(setup=msgspec.to_builtins(change))
    for seat in table.seats:
        table.change_seat(seat, ready=bool(seat.bot) or seat.player_id == table.by)
    add_changes(table, table.by, changes)


def agree(context: AppContext, transaction: Transaction, slug: str, player_id: int, seen: int) -> None:
    """A player has seen what was changed, on a page of version `seen`. Raises Conflict where more has been since."""
    with open_table(context, transaction, slug, by=player_id, seated=True) as table:
        change = change_of(table.row)
        if change is None:
            return
        if seen < change.version:
            raise Conflict(_SEEN_BEFORE)
        table.change_seat(table.me, ready=True)


def refuse_unread(table: HeldTable, seen: int | None) -> None:
    """Before a match begins, by who has a page of version `seen`. Raises Conflict for who has not seen what was
    changed, and as long as others who are here may still be reading it."""
    change = change_of(table.row)
    if change is None or not changes_at(table.row):
        return
    mine = table.seat_of(table.by)
    if seen is not None and seen < change.version and not (mine and mine.ready):
        raise Conflict(_SEEN_BEFORE)
    names = [seat.name for seat in readers(table.seats) if seat.player_id != table.by]
    if names and table.context.room_time() < change.at + TO_READ:
        raise Conflict(
            "The set-up has just changed: give %(names)s half a minute to look at it, or to say yes.",
            names=listed(names),
        )


def readers(seats: Sequence[models.Seat]) -> list[models.Seat]:
    """Who is here and has not agreed yet."""
    return [seat for seat in seats if seat.player_id and seat.here and not seat.ready]
