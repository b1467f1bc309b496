"""Who wants to hear when something happens at a table: browsers with a subscription, and a table's webhook."""

from collections.abc import Iterable
from functools import partial

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select

from app.jobs.outbound import BadAddress, split_address
from app.jobs.web_push import is_push_service, read_keys
from app.services.circles.evenings import due_reminders, reminded_evening
from app.services.context import AppContext, EveningReminder, Reminder, TableEvent
from app.services.errors import Forbidden, Refused
from app.services.idempotent import idempotent, is_done
from app.services.players.players import find_player, find_seated
from app.services.table.open_table import open_table
from app.services.table.snapshot import load_snapshot
from app.services.tournaments import log as tournament_log
from app.services.tournaments.calls import SOON, begins_at, begins_soon, say_it_begins_soon
from app.services.tournaments.tables import TournamentPlace, place_of
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import Transaction
from snug.games import GAMES

_LONGEST_ENDPOINT = 1000
_LONGEST_WEBHOOK = 500
_BROWSERS = 10  # of one player
_SUBSCRIBED = (
    select(models.Subscription)
    .where(models.Subscription.player_id.in_(bindparam("players", expanding=True)))
    .order_by(models.Subscription.id)
)


class Browser(msgspec.Struct, frozen=True):
    """A subscribed browser of somebody who is called: to `seat` of a table, 0 where it is to none."""

    player_id: int
    seat: int
    endpoint: str
    p256dh: str
    auth: str


class Calls(msgspec.Struct, frozen=True):
    """Everything that a table event asks for: the webhook with the names it is about, the browsers to wake. `place` is
    that of a tournament's table which is ready."""

    webhook: str | None
    code: str
    game: str
    names: tuple[str, ...]
    others: dict[int, tuple[str, ...]]
    browsers: tuple[Browser, ...]
    place: TournamentPlace | None = None


def subscribe(
    context: AppContext, transaction: Transaction, player_id: int, endpoint: str, p256dh: str, auth: str
) -> None:
    """This browser is woken from now on when it is the player's turn. Raises Refused for what is no subscription."""
    try:
        if len(endpoint) > _LONGEST_ENDPOINT or len(p256dh) > 100 or len(auth) > 40:
            raise ValueError("longer than any that browsers give")
        split_address(endpoint)
        if not (context.any_push or is_push_service(endpoint)):
            raise ValueError("no push service that we know")
        read_keys(p256dh, auth)
    except ValueError as error:
        raise Refused("BAD_SUBSCRIPTION", "Your browser gave an address that notices cannot be sent to.") from error
    connection = transaction.connection
    connection.execute(select(models.Player.id).where(models.Player.id == player_id).with_for_update())
    wish = {"endpoint": endpoint, "player_id": player_id, "p256dh": p256dh, "auth": auth}
    if connection.execute(select(models.Subscription.id).filter_by(**wish)).first():
        return
    connection.execute(delete(models.Subscription).where(models.Subscription.endpoint == endpoint))
    connection.execute(insert(models.Subscription).values(**wish, created_at=context.now()))
    mine = select(models.Subscription.id).where(models.Subscription.player_id == player_id)
    old = connection.execute(mine.order_by(models.Subscription.id.desc()).offset(_BROWSERS)).scalars().all()
    connection.execute(delete(models.Subscription).where(models.Subscription.id.in_(old)))


def unsubscribe(context: AppContext, transaction: Transaction, player_id: int, endpoint: str) -> None:
    """The player's browser is left in peace again."""
    mine = (models.Subscription.player_id == player_id, models.Subscription.endpoint == endpoint)
    transaction.connection.execute(delete(models.Subscription).where(*mine))


def forget(context: AppContext, transaction: Transaction, endpoint: str) -> None:
    """The push service says that this browser is no longer there."""
    transaction.connection.execute(delete(models.Subscription).where(models.Subscription.endpoint == endpoint))


def set_webhook(context: AppContext, transaction: Transaction, slug: str, player_id: int, url: str) -> None:
    """The host names an address that is told of turns and results; an empty one ends it. Raises Forbidden where the
    room allows none, Refused for an address that is not public."""
    with open_table(context, transaction, slug, by=player_id, host=True, cohost=False) as table:
        if not context.webhooks:
            raise Forbidden("This room sends no messages to other addresses.")
        if url:
            try:
                split_address(url)
            except BadAddress as error:
                raise Refused("BAD_WEBHOOK", str(error)) from error
            if len(url) > _LONGEST_WEBHOOK:
                raise Refused("BAD_WEBHOOK", "That address is too long.")
        if (url or None) != table.row.webhook:
            table.set(quietly=True, webhook=url or None)


def calls_for(context: AppContext, connection: Connection, table_event: TableEvent) -> Calls | None:
    """Whom a table event concerns, None when nobody asked to hear of it."""
    snapshot = load_snapshot(context, connection, table_event.slug)
    table = snapshot.row
    browsers: list[Browser] = []
    if table_event.event in ("turn", "ready"):
        players = {seat.player_id: seat.number for seat in snapshot.seats if seat.number in table_event.seats}
        rows = all_of(connection, _SUBSCRIBED, players=[player for player in players if player])
        browsers = [_browser(row, players[row.player_id]) for row in rows]
    webhook = table.webhook if context.webhooks else None
    if not (browsers or webhook):
        return None
    seats = snapshot.seats
    names = tuple(seat.name for seat in seats if seat.number in table_event.seats and not seat.bot)
    others = {own: tuple(seat.name for seat in seats if seat.number != own) for own in table_event.seats}
    place = place_of(connection, table.id) if table_event.event == "ready" else None
    return Calls(webhook, table.code, GAMES[table.game].name, names, others, tuple(browsers), place)


def _browser(row: models.Subscription, seat: int = 0) -> Browser:
    return Browser(row.player_id, seat, row.endpoint, row.p256dh, row.auth)


def still_to_act(connection: Connection, table_event: TableEvent) -> set[int]:
    """The seats for which the turn of this table event has not ended: nobody moved for them since, what gave them the
    turn was not taken back, the round goes on."""
    took = models.Takeback
    taken_back = select(took.version).where(
        took.round_id == table_event.round_id, took.first <= table_event.moves, took.last >= table_event.moves
    )
    if connection.execute(taken_back).first():
        return set()
    moved = connection.execute(
        select(models.Move.seat)
        .where(models.Move.round_id == table_event.round_id, models.Move.number > table_event.moves)
        .distinct()
    ).scalars()
    scores = connection.execute(select(models.Round.scores).where(models.Round.id == table_event.round_id)).scalar_one()
    return set(table_event.seats) - set(moved) if scores is None else set()


def remind(context: AppContext) -> None:
    """Reminds everybody who has entered a tournament that begins at a time, shortly before, once; and the members of
    circles of their evenings."""
    soon = models.Tournament.due_at <= context.room_time() + SOON
    with context.database.reading() as connection:
        rows = [row for row in all_of(connection, select(models.Tournament).where(soon)) if begins_soon(context, row)]
        keys = {row.id: f"reminded:{row.slug}:{begins_at(row):.0f}" for row in rows}
        rows = [row for row in rows if not is_done(connection, row.organiser_id, keys[row.id])]
    for row in rows:
        context.write(idempotent(_remind, row.organiser_id, keys[row.id]), row.id, row.slug)
    with context.database.reading() as connection:
        is_evening_near = connection.execute(
            select(models.Circle.id).where(models.Circle.due_at <= context.now())
        ).first()
    if is_evening_near:
        context.write(_remind_of_evenings)


def _remind_of_evenings(context: AppContext, transaction: Transaction) -> None:
    for reminder in due_reminders(context, transaction):
        transaction.after_commit(partial(context.publish, reminder))


def _remind(context: AppContext, transaction: Transaction, tournament_id: int, slug: str) -> None:
    tournament = tournament_log.current(
        context, transaction.connection, tournament_log.find(transaction.connection, slug)
    )
    if not tournament.stages:
        transaction.after_commit(lambda: context.publish(Reminder(tournament_id, slug)))
        say_it_begins_soon(context, transaction, slug, tournament)


def reminded(connection: Connection, reminder: Reminder) -> tuple[str, tuple[Browser, ...]]:
    """The tournament's name, and the browsers of everybody who is in."""
    row = tournament_log.find(connection, reminder.slug)
    tournament = tournament_log.folded(connection, row)
    entry = models.TournamentEntry
    behind = connection.execute(
        select(entry.number, entry.player_id).where(entry.tournament_id == row.id, entry.player_id.is_not(None))
    )
    players = [player for number, player in behind if tournament.entry(number).active]
    return row.name, tuple(_browser(one) for one in all_of(connection, _SUBSCRIBED, players=players))


def players_of(context: AppContext, connection: Connection, slug: str, tokens: Iterable[str]) -> set[int]:
    """The players behind these browsers, which look at this table."""
    kinds = [(find_player(context, connection, one), find_seated(context, connection, one, slug)) for one in tokens]
    return {player.id for known in kinds for player in known if player}


def reminded_of_evening(connection: Connection, reminder: EveningReminder) -> tuple[str, str, tuple[Browser, ...]]:
    """What a circle is called, when and where it meets, and the browsers of those who are reminded."""
    name, when = reminded_evening(connection, reminder.circle_id)
    rows = all_of(connection, _SUBSCRIBED, players=list(reminder.players))
    return name, when, tuple(_browser(row) for row in rows)
