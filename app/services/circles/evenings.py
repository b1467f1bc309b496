"""The next evening of a circle: when, where, who comes; and the seasons that its hosts count by themselves."""

from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, delete, func, insert, select, update

from app.services.circles.members import changed, joined, set_member
from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.players.names import clean_line, clean_title
from app.services.table.hours import zone_named
from app.storage import models
from app.storage.rows import all_of, one_of
from app.storage.writer import Transaction
from snug.words import gettext

ANSWERS: Final = {"yes": gettext("I’ll come"), "perhaps": gettext("Perhaps"), "no": gettext("I can’t")}
REMINDERS: Final = (0, 2, 24, 48)  # hours before
LASTS: Final = 4 * 60  # minutes that an evening has in the calendar
_OVER: Final = 12 * 3600.0  # seconds after its begin
_AHEAD: Final = 2 * 366 * 24 * 3600.0
_NIGHT: Final = timedelta(hours=6)  # what is over before six in the morning is of the evening before
_MOST_SEASONS: Final = 40
_TOGETHER: Final = 20  # circles that are reminded in one transaction


def evening_of(moment: float, zone: str) -> date:
    """The day of the evening to which a moment belongs."""
    return (datetime.fromtimestamp(moment, ZoneInfo(zone)) - _NIGHT).date()


def start_of(starts: str | None, zone: str, now: float) -> float | None:
    """When an evening begins, in seconds since the epoch; None where there is none, or it is over."""
    if starts is None:
        return None
    start = datetime.fromisoformat(starts).replace(tzinfo=ZoneInfo(zone)).timestamp()
    return start if start + _OVER > now else None


def answer_of(row: models.Circle, member: models.CircleMember) -> str:
    """What a member has said about the next evening, empty where nothing."""
    return member.coming or "" if member.asked == row.evening else ""


def plan_evening(
    context: AppContext,
    transaction: Transaction,
    slug: str,
    player_id: int,
    day: str,
    time: str,
    zone: str,
    place: str,
    remind: int,
) -> None:
    """A host says when and where the circle meets next. Everybody is asked anew unless only the place is another one.
    Raises Forbidden and Refused."""
    row, _ = joined(transaction.connection, slug, player_id, host=True, lock=True)
    zone = zone_named(zone)
    try:
        wall = datetime.strptime(f"{day.strip()} {time.strip()[:5]}", "%Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo(zone))
    except ValueError as error:
        raise Refused("BAD_DATE", "Please give a day and a time, such as 2027-01-15 and 20:00.") from error
    moment, now = wall.timestamp() if 1970 < wall.year < 9000 else 0.0, context.now()
    if not now < moment < now + _AHEAD:
        raise Refused("BAD_DATE", "The next evening is still to come, and within two years.")
    if remind not in REMINDERS:
        raise Refused("BAD_REMINDER", "Choose from the list when everybody is reminded.")
    starts = wall.strftime("%Y-%m-%dT%H:%M")
    is_same = start_of(row.starts, row.zone, now) is not None and (row.starts, row.zone) == (starts, zone)
    due_at = moment - 3600.0 * remind if remind else None
    changed(
        transaction,
        row,
        evening=row.evening if is_same else row.evening + 1,
        starts=starts,
        zone=zone,
        place=clean_line(place, "NFC", marks=1)[:200].strip(),
        remind=remind or None,
        due_at=due_at if due_at and due_at > now else None,
        changed_at=now,
    )


def call_off(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """A host says that the next evening does not take place. Raises Forbidden."""
    row, _ = joined(transaction.connection, slug, player_id, host=True, lock=True)
    if row.starts is not None:
        changed(transaction, row, starts=None, due_at=None, changed_at=context.now())


def answer(context: AppContext, transaction: Transaction, slug: str, player_id: int, evening: int, coming: str) -> None:
    """A member says whether he comes to the next evening, which is to be the `evening`th. Raises Forbidden, Refused,
    and Conflict where it has been moved meanwhile."""
    row, me = joined(transaction.connection, slug, player_id, lock=True)
    if coming not in ANSWERS:
        raise Refused("BAD_ANSWER", "Say yes, no or perhaps.")
    if start_of(row.starts, row.zone, context.now()) is None or row.evening != evening:
        raise Conflict("The evening has been moved meanwhile. Look at it once more.")
    set_member(transaction, me, coming=coming, asked=row.evening)
    changed(transaction, row)


def add_season(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, name: str, begins: str, ends: str
) -> None:
    """A host has the days from one to another counted by themselves. Raises Forbidden and Refused."""
    row, _ = joined(transaction.connection, slug, player_id, host=True, lock=True)
    called = clean_title(name, 40, gettext("Please give the season a name."))
    try:
        first, last = date.fromisoformat(begins.strip()), date.fromisoformat(ends.strip())
    except ValueError as error:
        raise Refused("BAD_DATE", "A season has a first day and a last day.") from error
    if first > last:
        raise Refused("BAD_DATE", "A season ends after it has begun.")
    season = models.CircleSeason
    own = select(func.count(), func.max(season.number)).where(season.circle_id == row.id)
    count, highest = transaction.connection.execute(own).one()
    if count >= _MOST_SEASONS:
        raise Refused("FULL", "A circle keeps %(most)s seasons. Drop an old one first.", most=_MOST_SEASONS)
    values = {"name": called, "begins": first.isoformat(), "ends": last.isoformat()}
    transaction.connection.execute(insert(season).values(circle_id=row.id, number=(highest or 0) + 1, **values))
    changed(transaction, row)


def drop_season(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """A host has a season counted by itself no longer; the evenings stay. Raises Forbidden."""
    row, _ = joined(transaction.connection, slug, player_id, host=True, lock=True)
    transaction.connection.execute(delete(models.CircleSeason).filter_by(circle_id=row.id, number=number))
    changed(transaction, row)


def due_reminders(context: AppContext, transaction: Transaction) -> list[tuple[models.Circle, tuple[int, ...]]]:
    """The circles of whose evenings people are reminded now, once: all who have not said that they stay away."""
    connection, member = transaction.connection, models.CircleMember
    due = select(models.Circle).where(models.Circle.due_at <= context.now()).limit(_TOGETHER).with_for_update()
    found = []
    for row in all_of(connection, due):
        connection.execute(update(models.Circle).where(models.Circle.id == row.id).values(due_at=None))
        staying = select(member).where(member.circle_id == row.id, member.left_at.is_(None))
        asked = [one.player_id for one in all_of(connection, staying) if answer_of(row, one) != "no"]
        if start_of(row.starts, row.zone, context.now()) is not None:
            found.append((row, tuple(filter(None, asked))))
    return found


def reminded_evening(connection: Connection, circle_id: int) -> tuple[str, str]:
    """What a circle is called, and when and where it meets next."""
    row = one_of(connection, select(models.Circle).where(models.Circle.id == circle_id))
    return row.name, ", ".join(filter(None, ((row.starts or "").replace("T", " "), row.place)))
