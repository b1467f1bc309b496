"""What guests tell the keeper of somebody at their table, kept with what was said around it."""

from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, Refused, TooOften, or_not_found
from app.services.players.names import clean_text
from app.services.seats.spectators import policy_of, sees_board, takes_part, viewer_at
from app.services.table.held_table import HeldTable
from app.services.table.open_table import open_table
from app.services.table.snapshot import load_snapshot
from app.services.talk.chat import PHRASE, phrase_of
from app.services.tournaments.tables import known_place, place_of
from app.storage import models
from app.storage.rows import all_of, find_one
from app.storage.writer import Transaction
from snug.words import gettext

LONGEST: Final = 300
_HOUR: Final = 3600.0
_OFTEN: Final = 6  # an hour of one guest
_BEFORE, _AFTER = 12, 6  # lines around what is reported
_SAID: Final = ("text", PHRASE)
_ENOUGH: Final = gettext(
    "You have reported a good many things just now. The keeper reads them; in a while you can tell more."
)
_STRANGER: Final = gettext("Only those who see what happens at this table report it.")
_NOBODY: Final = gettext("Choose what was said, or who it is about.")


class ReportedTable(NamedTuple):
    """What may be reported: others' lines, newest first, by number with who said them; people by their seats."""

    lines: list[tuple[int, str, str]]
    people: list[tuple[int, str]]


def report(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, why: str, said: int = 0, seat: int = 0
) -> None:
    """Tells the keeper of the line of number `said`, or of who has this seat. The same again changes nothing. Raises
    NotFound, Refused, TooOften, and Forbidden for who does not see what happens at the table."""
    with open_table(context, transaction, slug, by=player_id) as table:
        _refuse_stranger(table, player_id)
        about, name, line = _meant(table, said, seat)
        if about == player_id:
            raise Refused("OWN_LINE", "That is you yourself.")
        mine, now, reason = models.Report.player_id == player_id, context.now(), clean_text(why)[:LONGEST]
        told = select(models.Report.id).filter_by(table_id=table.row.id, about_id=about, settled_at=None, why=reason)
        if table.connection.execute(told.where(mine)).first():
            return
        lately = select(func.count()).where(mine, models.Report.made_at > now - _HOUR, models.Report.made_at <= now)
        if table.connection.execute(lately).scalar_one() >= _OFTEN:
            raise TooOften(_ENOUGH, wait=_HOUR)
        kept = {"table_id": table.row.id, "player_id": player_id, "about_id": about, "name": name}
        kept |= {"why": reason, "made_at": now}
        number = table.connection.execute(insert(models.Report).values(**kept).returning(models.Report.id)).scalar_one()
        for row in _around(table.connection, table.row.id, line):
            values = {"report_id": number, "number": row.number, "player_id": row.player_id, "name": row.name}
            values |= {"text": str(_words(row)), "meant": row.number == said, "made_at": row.made_at}
            table.connection.execute(insert(models.ReportedLine).values(**values))


def reported_at(context: AppContext, connection: Connection, slug: str, player_id: int) -> ReportedTable:
    """What this guest may report. Raises NotFound, Frozen and Forbidden."""
    snapshot = load_snapshot(context, connection, slug)
    place = known_place(context, connection, snapshot.row) if snapshot.has_place else None
    viewer = viewer_at(connection, snapshot, place, player_id)
    if not (viewer.is_seated or viewer.may_see):
        raise Forbidden(_STRANGER)
    lines = [row for row in snapshot.messages if row.kind in _SAID and row.player_id != player_id]
    people = [(seat.number, seat.name) for seat in snapshot.seats if seat.player_id not in (None, player_id)]
    return ReportedTable([(row.number, row.name, _words(row)) for row in lines[:_BEFORE]], people)


def _words(row: models.Message) -> str:
    return phrase_of(row.text) if row.kind == PHRASE else row.text


def _refuse_stranger(table: HeldTable, player_id: int) -> None:
    place = place_of(table.connection, table.row.id)
    policy = policy_of(table.row, place, takes_part(table.connection, place, player_id))
    if table.seat_of(player_id) is None and not sees_board(policy, table.row.status):
        raise Forbidden(_STRANGER)


def _meant(table: HeldTable, said: int, seat: int) -> tuple[int, str, int | None]:
    if said > 0:
        message = models.Message
        named = select(message).where(message.table_id == table.row.id, message.number == said)
        found = find_one(table.connection, named.where(message.kind.in_(_SAID)))
        line = or_not_found(found, "This line is not there any more.")
        return line.player_id, line.name, line.number
    if seat <= 0:
        raise Refused("NOBODY", _NOBODY)
    chosen = table.seat(seat)
    if chosen.player_id is None:
        raise Refused("NOBODY", "Nobody but a bot has that seat.")
    return chosen.player_id, chosen.name, None


def _around(connection: Connection, table_id: int, line: int | None) -> list[models.Message]:
    """Lines before and after this one, oldest first; without one the newest."""
    message = models.Message
    said = select(message).where(message.table_id == table_id, message.kind.in_(_SAID))
    before = said if line is None else said.where(message.number <= line)
    found = list(all_of(connection, before.order_by(message.number.desc()).limit(_BEFORE)))[::-1]
    if line is not None:
        found += all_of(connection, said.where(message.number > line).order_by(message.number).limit(_AFTER))
    return found


class KeptReport(NamedTuple):
    """A report as the keeper reads it: by and about which guests, at which table, what its teller is called now, and
    what was said around it."""

    number: int
    code: str
    by: int
    about: int | None
    name: str
    why: str
    made_at: float
    settled_at: float | None
    teller: str
    lines: list[models.ReportedLine]


def reports_of(connection: Connection, *, with_settled: bool = False) -> list[KeptReport]:
    """The reports that are not settled, or all, the newest first."""
    report, line = models.Report, models.ReportedLine
    own = (report.player_id, report.about_id, report.name, report.why, report.made_at, report.settled_at)
    wanted: Any = select(report.id, models.Table.code, *own, models.Player.name)
    wanted = wanted.join(models.Table, models.Table.id == report.table_id)
    wanted = wanted.join(models.Player, models.Player.id == report.player_id)
    if not with_settled:
        wanted = wanted.where(report.settled_at.is_(None))
    rows = connection.execute(wanted.order_by(report.id.desc())).all()
    lines: dict[int, list[models.ReportedLine]] = {}
    for one in all_of(connection, select(line).order_by(line.report_id, line.number)):
        lines.setdefault(one.report_id, []).append(one)
    return [KeptReport._make((*row, lines.get(row.id, []))) for row in rows]


def settle(context: AppContext, transaction: Transaction, number: int) -> None:
    """The keeper has done what there is to do. Raises NotFound, and Conflict for what is settled."""
    report = models.Report
    found = transaction.connection.execute(select(report.settled_at).filter_by(id=number)).one_or_none()
    if or_not_found(found, "There is no report of this number.").settled_at is not None:
        raise Conflict("This report is settled already.")
    transaction.connection.execute(update(report).where(report.id == number).values(settled_at=context.now()))
