"""Who comes and goes at a tournament: signing up, bots, leaving, coming back, the reserve list."""

from typing import Any

import msgspec
from sqlalchemy import insert, select, update

from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.players.names import clean_line, clean_name, marked_name
from app.services.seats.bot_profiles import level_in
from app.services.seats.seat_loss import REPLACED, WITHDREW, forget_guest, record_loss
from app.services.table.activity import add_activity
from app.services.table.clocks import AWAY, LEFT, STAND_IN
from app.services.table.held_table import FINISHED, PLAYING, HeldTable
from app.services.table.open_table import open_table
from app.services.tournaments import log as tournament_log
from app.services.tournaments import tables as tournament_tables
from app.services.tournaments.bot_names import free_name
from app.services.tournaments.conditions import conditions_of, due_when_full
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import Transaction
from snug.bots.levels import level_of
from snug.tournament.events import AnyLogEvent, Entered, Entrusted, Replaced, Returned, Withdrew
from snug.tournament.state import Tournament


def enter(context: AppContext, transaction: Transaction, slug: str, player_id: int, name: str, team: str = "") -> None:
    """The player signs up, or stands by when it is full. Raises Refused and Conflict."""
    row = tournament_log.find(transaction.connection, slug, lock=True)
    tournament = tournament_log.current(context, transaction.connection, row)
    if own_entry(transaction, row, tournament, player_id):
        raise Conflict("You are on the list already.")
    after = _enter(context, transaction, row, tournament, name, team, player_id=player_id)
    tournament_log.changed(context, transaction, row, after, **due_when_full(context, conditions_of(row), after))


def _enter(
    context: AppContext,
    transaction: Transaction,
    row: models.Tournament,
    tournament: Tournament,
    name: str,
    team: str,
    *,
    player_id: int | None = None,
    bot: str | None = None,
) -> Tournament:
    called = marked_name(clean_name(name), [entry.name for entry in tournament.entries])
    number = len(tournament.entries) + 1
    event = Entered(number, called, clean_line(team, "NFKC", marks=1)[:24].strip())
    after = tournament_log.append(context, transaction, row, tournament, event, player_id)
    transaction.connection.execute(
        insert(models.TournamentEntry).values(tournament_id=row.id, number=number, player_id=player_id, bot=bot)
    )
    return after


def own_entry(transaction: Transaction, row: models.Tournament, tournament: Tournament, player_id: int) -> int | None:
    """The number of the player's entry that has not left, if there is one."""
    numbers = transaction.connection.execute(
        select(models.TournamentEntry.number).where(
            models.TournamentEntry.tournament_id == row.id, models.TournamentEntry.player_id == player_id
        )
    ).scalars()
    staying = (n for n in numbers if tournament.entry(n).status not in ("left", "bot"))
    return next(staying, None)


def add_bots(context: AppContext, transaction: Transaction, slug: str, player_id: int, count: int, level: str) -> None:
    """The organiser adds bots; where teams play, to the teams that have room, then to new ones. Raises Refused."""
    row = tournament_log.organised(transaction, slug, player_id)
    tournament = tournament_log.current(context, transaction.connection, row)
    level = level_in([stage.rules for stage in tournament.plan.stages], level)
    if not 1 <= count <= tournament.plan.players - len(tournament.active):
        raise Refused("BAD_COUNT", "There are not so many free places.")
    conditions = conditions_of(row)
    for _ in range(count):
        name = f"Bot {len(tournament.entries) + 1}"  # short: it stands on small tiles
        if conditions.bot_names:
            name = free_name(entry.name for entry in tournament.entries)
        tournament = _enter(context, transaction, row, tournament, name, _team_with_room(tournament), bot=level)
    due = due_when_full(context, conditions, tournament)
    tournament_log.changed(context, transaction, row, tournament, **due)


def _team_with_room(tournament: Tournament) -> str:
    teams = tournament.plan.teams
    if teams is None:
        return ""
    members = [entry.team for entry in tournament.active]
    fallback = (f"Team {number}" for number in range(1, len(members) + 2))
    return next(team for team in (*dict.fromkeys(members), *fallback) if members.count(team) < teams.size)


def withdraw(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """An entry leaves: by its player or an organiser. A bot plays the table to its end. Raises Forbidden, Refused."""
    _come_or_go(context, transaction, slug, player_id, number, Withdrew(number))


def come_back(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """An entry that had left is back. Raises Forbidden and Refused."""
    _come_or_go(context, transaction, slug, player_id, number, Returned(number))


def replace(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, by: int) -> None:
    """An organiser gives the place of entry `number`, and the seat if its table still plays, to `by` of the reserve
    list. Whoever is replaced helps no more. Raises Forbidden and Refused."""
    _come_or_go(context, transaction, slug, player_id, number, Replaced(number, by))


def _come_or_go(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, event: AnyLogEvent
) -> None:
    row = tournament_log.find(transaction.connection, slug)
    held = tournament_tables.tables_of(row).where(models.Table.status != FINISHED)
    playing = all_of(transaction.connection, held.with_for_update())
    row = tournament_log.find(transaction.connection, slug, lock=True)
    is_own = tournament_log.player_behind(transaction.connection, row, number) == player_id
    if isinstance(event, Replaced) or not is_own:
        tournament_log.check_organiser(transaction.connection, row, player_id)
        event = msgspec.structs.replace(event, by_organiser=True) if isinstance(event, Withdrew) else event
    before = tournament_log.current(context, transaction.connection, row)
    after = tournament_log.append(context, transaction, row, before, event, player_id)
    if isinstance(event, Replaced) and _helps_no_more(transaction, row, number):
        after = tournament_log.append(context, transaction, row, after, Entrusted(number, "none"), player_id)
    if after.stage:
        kind = WITHDREW if isinstance(event, Withdrew) and not event.by_organiser else REPLACED
        for table in playing:
            _seat_anew(context, transaction, row, after, number, table, kind)
    tournament_log.changed(context, transaction, row, after)


def _helps_no_more(transaction: Transaction, row: models.Tournament, number: int) -> bool:
    """Whether this entry has helped until now."""
    here = (models.TournamentEntry.tournament_id == row.id, models.TournamentEntry.number == number)
    changed = update(models.TournamentEntry).where(*here, models.TournamentEntry.helps).values(helps=False)
    return transaction.connection.execute(changed).rowcount > 0


def _seat_anew(
    context: AppContext,
    transaction: Transaction,
    row: models.Tournament,
    tournament: Tournament,
    entry: int,
    table: models.Table,
    kind: str,
) -> None:
    """The seats of a table that is playing follow the entries: a reserve in the leaver's seat, to whom the cards that
    lie dealt stay closed, or a bot for him. `kind` is how the leaver loses the seat."""
    place, stage = tournament_tables.place_of(transaction.connection, table.id), tournament.stage
    if place is None or stage is None or place.stage != stage.number:
        return
    numbers = stage.tables[place.number - 1].seats
    wanted = seats_of(transaction, row, tournament, numbers)
    with open_table(context, transaction, table.id) as held:
        for seat, want, number in zip(held.seats, wanted, numbers, strict=True):
            away = LEFT if number in stage.absent and want["player_id"] else None
            level, wanted_level = (bot and level_of(bot) for bot in (seat.bot, want["bot"]))
            other = seat.player_id != want["player_id"] or level != wanted_level
            if other:
                away = _give_seat(held, seat, want, kind) or away
            if other or (number == entry and away != seat.stand_in):
                held.change_seat(seat, **want, stand_in=away)
                held.restart_clock(seat.number)


def _give_seat(held: HeldTable, seat: models.Seat, want: dict[str, Any], kind: str) -> str | None:
    """Nothing of what the seat's player had goes on to who follows. The bot that plays for somebody who comes while the
    cards lie dealt: whoever organises could else put a friend there to look at them."""
    record_loss(held, seat, kind)
    gone: dict[str, Any] = {"link_hash": None, "cohost": False, "orders": None, "hand_order": None, "hints": None}
    is_closed = want["player_id"] is not None and held.row.status == PLAYING
    closed_to = held.round.round_id if is_closed else None
    held.change_seat(seat, **gone, closed_to=closed_to, seated_at=held.context.now())
    if want["player_id"] is not None:
        forget_guest(held, want["player_id"])
        deed = "took_place_closed" if is_closed else "took_place"
        add_activity(held, want["player_id"], deed, seat, name=want["name"])
    return AWAY if is_closed else None


def seats_of(
    transaction: Transaction, row: models.Tournament, tournament: Tournament, numbers: tuple[int, ...]
) -> list[dict[str, Any]]:
    """Who sits on each seat of a table: the player, or a bot; also for one who has left for good."""
    stored = all_of(
        transaction.connection,
        select(models.TournamentEntry).where(
            models.TournamentEntry.tournament_id == row.id, models.TournamentEntry.number.in_(numbers)
        ),
    )
    behind = {entry.number: entry for entry in stored}
    bot_before = tournament.stage.bots if tournament.stage else frozenset()
    seats = []
    for number in numbers:
        bot = behind[number].bot or (STAND_IN if number in bot_before else None)
        player_id = None if bot else behind[number].player_id
        seats.append({"player_id": player_id, "bot": bot, "name": tournament.name(number)})
    return seats
