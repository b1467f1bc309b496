"""What whoever keeps the room does to it: one service behind the command and the page. Every act stands in a log of its
own, by the way it came and without a name."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, or_, select, text, update

from app.services.accounts.deletion import forget_player
from app.services.accounts.export import export_of
from app.services.context import AppContext
from app.services.errors import Broken, Conflict, Refused, or_not_found
from app.services.house import change_house
from app.services.keeper import barring
from app.services.keeper.reports import settle
from app.services.players.bars import tell_all
from app.services.players.names import clean_text
from app.services.players.players import hash_of
from app.services.quarantine import ENDED
from app.services.retention import delete_tables
from app.services.table.held_table import FINISHED
from app.services.table.snapshot import NO_TABLE
from app.storage import models
from app.storage.rows import find_one
from app.storage.writer import Transaction
from snug.words import Message, gettext

COMMAND, PAGE = "command", "page"
LONGEST_NEWS: Final = 300
LONGEST_LINK: Final = 14 * 24  # hours
_CLAIM: Final = text(
    "INSERT INTO keeper_acts (made_at, way, act, about, mark) VALUES (:made_at, :way, :act, '', :mark) "
    "ON CONFLICT DO NOTHING"
)
_HOUR: Final = 3600.0
_OF_A_TOURNAMENT: Final = gettext("This table belongs to a tournament: who organises that ends it.")
_NO_GUEST: Final = gettext("There is no guest of this number.")

Done = tuple[str, str | Message]
"""What the log keeps, and what there is to say."""


class Order(msgspec.Struct, frozen=True):
    """An act that is wanted: of a table by its code, of a guest or a report by the number."""

    act: str
    table: str = ""
    number: int = 0
    text: str = ""
    wide: bool = False
    hours: int = 12


def perform(
    context: AppContext, transaction: Transaction, way: str, order: Order, mark: str | None = None
) -> str | Message:
    """Does what is wanted, and keeps that in the log; gives what there is to say of it. What has this `mark` is done
    once: again it says nothing. Raises NotFound, Conflict and Refused, and then nothing is done or kept."""
    work, connection, act = ACTS.get(order.act), transaction.connection, models.KeeperAct
    if work is None:
        raise Refused("NO_ACT", "There is no such thing to do.")
    line = {"made_at": context.now(), "way": way, "act": order.act, "mark": mark or secrets.token_hex(16)}
    if not connection.execute(_CLAIM, line).rowcount:  # whoever claims it at the same time is waited for
        return ""
    about, said = work(context, transaction, order)
    connection.execute(update(act).where(act.mark == line["mark"]).values(about=about))
    return said


def table_of(connection: Connection, code: str) -> models.Table:
    """The table with this code, be it the one of its renewed link. Raises NotFound."""
    wanted, kept = "".join(code.upper().split()), models.Table
    this = select(kept).where(or_(kept.code == wanted, kept.door == wanted))
    return or_not_found(find_one(connection, this.with_for_update()), NO_TABLE)


def _alone(connection: Connection, code: str) -> models.Table:
    table = table_of(connection, code)
    place = select(models.TournamentTable.table_id).where(models.TournamentTable.table_id == table.id)
    if connection.execute(place).first():
        raise Conflict(_OF_A_TOURNAMENT)
    return table


def guest_of(connection: Connection, number: int) -> models.Player:
    """The guest with this number. Raises NotFound."""
    return or_not_found(find_one(connection, select(models.Player).filter_by(id=number).with_for_update()), _NO_GUEST)


def _end(context: AppContext, transaction: Transaction, order: Order) -> Done:
    table = _alone(transaction.connection, order.table)
    if table.status == FINISHED or table.quarantined_why == ENDED:
        raise Conflict("This table is over already.")
    if table.quarantined_at is not None:
        raise Conflict("This table is frozen, and so nobody plays there. It can be deleted.")
    context.close_table(transaction, Broken(table.id, ENDED))
    return f"table {table.code}", gettext("Table %(code)s is ended. What was played there is kept.", code=table.code)


def _delete(context: AppContext, transaction: Transaction, order: Order) -> Done:
    table = _alone(transaction.connection, order.table)
    delete_tables(context, transaction, models.Table.id == table.id)
    return f"table {table.code}", gettext(
        "Table %(code)s is deleted with all that was played and said there.", code=table.code
    )


def _bar(context: AppContext, transaction: Transaction, order: Order) -> Done:
    player = guest_of(transaction.connection, order.number)
    if not order.table:
        barring.bar_from_room(context, transaction, player.id, wide=order.wide)
        return f"guest {player.id}", gettext("Guest %(number)s is barred from the room.", number=player.id)
    table = table_of(transaction.connection, order.table)
    barring.bar_from_table(context, transaction, player.id, table)
    where = f"guest {player.id}, table {table.code}, link: new"
    return where, gettext(
        "Guest %(number)s is barred from table %(code)s, and its link is new: those who play there can see it.",
        number=player.id,
        code=table.code,
    )


def _unbar(context: AppContext, transaction: Transaction, order: Order) -> Done:
    table = table_of(transaction.connection, order.table) if order.table else None
    barring.unbar(context, transaction, order.number, table)
    where = f"guest {order.number}, table {table.code}" if table else f"guest {order.number}"
    return where, gettext("Guest %(number)s may come again.", number=order.number)


def _forget(context: AppContext, transaction: Transaction, order: Order) -> Done:
    player = guest_of(transaction.connection, order.number)
    forget_player(context, transaction, player.id)
    return f"guest {player.id}", gettext("Guest %(number)s is forgotten.", number=player.id)


def _export(_context: AppContext, transaction: Transaction, order: Order) -> Done:
    player = guest_of(transaction.connection, order.number)
    stored = msgspec.json.encode(export_of(transaction.connection, player.id))
    return f"guest {player.id}", msgspec.json.format(stored, indent=2).decode()


def _announce(context: AppContext, transaction: Transaction, order: Order) -> Done:
    news = clean_text(order.text)
    if len(news) > LONGEST_NEWS:
        raise Refused("TOO_LONG", "That is too long for a line: at most %(longest)s characters.", longest=LONGEST_NEWS)
    change_house(transaction, news=news)
    tell_all(context, transaction)
    return news, gettext("Every page tells it from now on.") if news else gettext("No page tells anything any more.")


def _maintain(context: AppContext, transaction: Transaction, order: Order) -> Done:
    if order.text not in ("on", "off"):
        raise Refused("ON_OR_OFF", "Maintenance is either on or off.")
    change_house(transaction, maintenance=order.text == "on")
    tell_all(context, transaction)
    if order.text == "on":
        return "on", gettext("Nothing new is opened from now on; what has begun is played on, and every page says so.")
    return "off", gettext("Tables are opened again.")


def _settle(context: AppContext, transaction: Transaction, order: Order) -> Done:
    settle(context, transaction, order.number)
    return f"report {order.number}", gettext("Report %(number)s is settled.", number=order.number)


def _link(context: AppContext, transaction: Transaction, order: Order) -> Done:
    if not 1 <= order.hours <= LONGEST_LINK:
        raise Refused("BAD_HOURS", "A link lasts from 1 to %(most)s hours.", most=LONGEST_LINK)
    token = secrets.token_urlsafe(24)
    until = context.now() + order.hours * _HOUR
    change_house(transaction, link_hash=hash_of(context, token), link_until=until)
    tell_all(context, transaction)
    return f"{order.hours} hours", f"/keeper/{token}"


def _end_link(context: AppContext, transaction: Transaction, _order: Order) -> Done:
    change_house(transaction, link_hash=None, link_until=None)
    tell_all(context, transaction)
    return "", gettext("No keeper’s link works any more.")


ACTS: Final[Mapping[str, Callable[[AppContext, Transaction, Order], Done]]] = {
    "end": _end,
    "delete": _delete,
    "bar": _bar,
    "unbar": _unbar,
    "forget": _forget,
    "export": _export,
    "announce": _announce,
    "maintenance": _maintain,
    "settle": _settle,
    "link": _link,
    "end-link": _end_link,
}


def acts_of(connection: Connection, most: int = 100) -> list[Any]:
    """The newest lines of the log, the newest first."""
    act = models.KeeperAct
    return list(connection.execute(select(act).order_by(act.id.desc()).limit(most)).all())
