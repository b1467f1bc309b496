"""Tournaments: opening one, signing up, stages that start and close, what the organiser puts right.

A tournament is the fold of its log; a table that ends writes its own line (`contests`). Whoever holds rows of tables
and of a tournament takes the tables' first.
"""

import logging
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import insert, select, update

from app import bots, models
from app.db import AnyRow
from app.rules.game import BadSetup
from app.rules.tournament import state as tournament_state
from app.rules.tournament.events import (
    Adjusted,
    AnyHappening,
    Corrected,
    Ended,
    Entered,
    Returned,
    StageClosed,
    StageSeated,
    Withdrew,
)
from app.rules.tournament.plan import read_plan
from app.rules.tournament.seating import seat_stage
from app.rules.tournament.state import Tournament
from app.services import contests, play, tables
from app.services.clocks import CLOCKS, PACES, STAND_IN
from app.services.errors import Conflict, Forbidden, Refused
from app.services.house import House
from app.services.names import clean_line, clean_name, marked_name
from app.services.replays import load_live
from app.services.watching import NONE, OPEN
from app.writer import Transaction

STARTS = ("hand", "done", "time")
_MOST_WAIT = 7 * 24 * 60
_TRIES = 3
_log = logging.getLogger(__name__)


def open_tournament(
    house: House,
    transaction: Transaction,
    player_id: int,
    name: str,
    plan: Mapping[str, Any],
    starts: str = "hand",
    wait: int = 5,
    bot_pace: str = "brisk",
    clock: str = "off",
) -> str:
    """Opens a tournament that nobody has entered yet, organised by the player; gives its slug. `plan` may be form
    texts; `wait` is the minutes before each stage where stages start by time. Raises Refused."""
    try:
        checked = read_plan(plan, strict=False)
    except BadSetup as error:
        raise Refused(error.sentence[:1].upper() + error.sentence[1:] + ".", error.code) from error
    called = clean_line(name, "NFC", marks=1)[:60].strip()
    if not called:
        raise Refused("Please give the tournament a name.", "NAME_EMPTY")
    if starts not in STARTS or bot_pace not in PACES or clock not in CLOCKS:
        raise Refused("Choose how stages start, how fast bots play and the clock from the lists.", "BAD_CONDITIONS")
    if not 1 <= wait <= _MOST_WAIT:
        raise Refused(f"A stage can be awaited from 1 to {_MOST_WAIT} minutes.", "BAD_WAIT")
    slug = secrets.token_urlsafe(16)
    transaction.connection.execute(
        insert(models.Tournament).values(
            slug=slug,
            name=called,
            organiser_id=player_id,
            plan=msgspec.to_builtins(checked),
            conditions={"starts": starts, "wait": wait, "bot_pace": bot_pace, "clock": clock},
            seed=secrets.token_urlsafe(16),
            version=1,
            due_at=house.now() + 60 * wait if starts == "time" else None,
            created_at=house.now(),
        )
    )
    return slug


def _organised(transaction: Transaction, slug: str, player_id: int) -> AnyRow:
    row = contests.find(transaction.connection, slug, lock=True)
    if row.organiser_id != player_id:
        raise Forbidden("Only the organiser of this tournament may do that.")
    return row


# Coming and going


def enter(house: House, transaction: Transaction, slug: str, player_id: int, name: str, team: str = "") -> None:
    """The player signs up, or stands by when it is full. Raises Refused and Conflict."""
    row = contests.find(transaction.connection, slug, lock=True)
    tournament = contests.folded(transaction.connection, row)
    if own_entry(transaction, row, tournament, player_id):
        raise Conflict("You are on the list already.")
    _enter(house, transaction, row, tournament, name, team, player_id=player_id)
    contests.changed(house, transaction, row)


def _enter(
    house: House,
    transaction: Transaction,
    row: AnyRow,
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
    after = contests.append(house, transaction, row, tournament, event, player_id)
    transaction.connection.execute(
        insert(models.TournamentEntry).values(tournament_id=row.id, number=number, player_id=player_id, bot=bot)
    )
    return after


def own_entry(transaction: Transaction, row: AnyRow, tournament: Tournament, player_id: int) -> int | None:
    """The number of the player's entry that has not left, if there is one."""
    numbers = transaction.connection.execute(
        select(models.TournamentEntry.number).where(
            models.TournamentEntry.tournament_id == row.id, models.TournamentEntry.player_id == player_id
        )
    ).scalars()
    staying = (n for n in numbers if tournament.entry(n).status not in ("left", "bot"))
    return next(staying, None)


def add_bots(house: House, transaction: Transaction, slug: str, player_id: int, count: int, level: str) -> None:
    """The organiser adds bots; where teams play, to the teams that have room, then to new ones. Raises Refused."""
    row = _organised(transaction, slug, player_id)
    tournament = contests.folded(transaction.connection, row)
    if level not in bots.LEVELS:
        raise Refused("Bots play at one of these levels: " + ", ".join(bots.LEVELS) + ".", "BAD_LEVEL")
    if not 1 <= count <= tournament.plan.players - len(tournament.active):
        raise Refused("There are not so many free places.", "BAD_COUNT")
    for _ in range(count):
        name = f"{level.capitalize()} bot {len(tournament.entries) + 1}"
        tournament = _enter(house, transaction, row, tournament, name, _team_with_room(tournament), bot=level)
    contests.changed(house, transaction, row)


def _team_with_room(tournament: Tournament) -> str:
    teams = tournament.plan.teams
    if teams is None:
        return ""
    members = [entry.team for entry in tournament.active]
    fallback = (f"Team {number}" for number in range(1, len(members) + 2))
    return next(team for team in (*dict.fromkeys(members), *fallback) if members.count(team) < teams.size)


def withdraw(house: House, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """An entry leaves: by its player or the organiser. A bot plays the table to its end. Raises Forbidden, Refused."""
    _come_or_go(house, transaction, slug, player_id, number, Withdrew(number))


def come_back(house: House, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """An entry that had left is back. Raises Forbidden and Refused."""
    _come_or_go(house, transaction, slug, player_id, number, Returned(number))


def _come_or_go(
    house: House, transaction: Transaction, slug: str, player_id: int, number: int, event: AnyHappening
) -> None:
    row = contests.find(transaction.connection, slug)
    linked = select(models.TournamentTable.table_id).where(models.TournamentTable.tournament_id == row.id)
    held = select(models.Table).where(models.Table.id.in_(linked), models.Table.stage != play.FINISHED)
    playing = transaction.connection.execute(held.order_by(models.Table.id).with_for_update()).all()
    row = contests.find(transaction.connection, slug, lock=True)
    owner = select(models.TournamentEntry.player_id).where(
        models.TournamentEntry.tournament_id == row.id, models.TournamentEntry.number == number
    )
    if player_id not in (row.organiser_id, transaction.connection.execute(owner).scalar_one_or_none()):
        raise Forbidden("Only the organiser, or whoever entered, may do that.")
    before = contests.folded(transaction.connection, row)
    after = contests.append(house, transaction, row, before, event, player_id)
    if after.stage:
        for table in playing:
            _seat_anew(house, transaction, row, after, number, table)
    contests.changed(house, transaction, row)


def _seat_anew(
    house: House, transaction: Transaction, row: AnyRow, tournament: Tournament, entry: int, table: AnyRow
) -> None:
    """The seats of a table that is playing follow the entries: a reserve in the leaver's seat, or a bot for him."""
    place, stage = contests.place_of(transaction.connection, table.id), tournament.stage
    if place is None or stage is None or place.stage != stage.number:
        return
    wanted = _seats_of(transaction, row, tournament, stage.tables[place.number - 1].seats)
    seats = transaction.connection.execute(
        select(models.Seat).where(models.Seat.table_id == table.id).order_by(models.Seat.number)
    ).all()
    touched = False
    for seat, want, number in zip(seats, wanted, stage.tables[place.number - 1].seats, strict=True):
        away = STAND_IN if number in stage.absent and want["player_id"] else None
        other = (seat.player_id, seat.bot) != (want["player_id"], want["bot"])
        if other or (number == entry and bool(away) != bool(seat.stand_in)):
            values = {**want, "stand_in": away, **({"link_hash": None} if other else {})}
            transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(**values))
            touched = True
    if touched and table.stage == play.PLAYING:
        live = load_live(house.replays, transaction.connection, table.id, table.game, table.version, committed=False)
        if live:
            play.settle(house, transaction, table, live, live.match.to_act)
    elif touched:
        play.go_on(house, transaction, table)


# Stages


def start_stage(house: House, slug: str, player_id: int | None) -> None:
    """The next stage begins: everybody is seated, the tables are set and play. The seating is sought before anything
    is held, and sought again if the list has changed meanwhile. Raises Forbidden, Refused and Conflict."""
    for _ in range(_TRIES):
        with house.database.reading() as connection:
            row = contests.find(connection, slug)
            tournament = contests.folded(connection, row)
        if player_id not in (None, row.organiser_id):
            raise Forbidden("Only the organiser of this tournament may do that.")
        deal = secrets.token_urlsafe(24) if tournament.plan.same_deal else ""
        try:
            seating = seat_stage(tournament, row.seed, deal)
        except tournament_state.Refused as refusal:
            raise Refused(refusal.sentence, refusal.code) from refusal
        if house.write(_begin_stage, slug, player_id, seating, len(tournament.log)):
            return
    raise Conflict("The list is changing just now. Please try again.")


def _begin_stage(
    house: House, transaction: Transaction, slug: str, player_id: int | None, seating: StageSeated, lines: int
) -> bool:
    """False if the log has moved on since the seating was sought."""
    row = contests.find(transaction.connection, slug, lock=True)
    tournament = contests.folded(transaction.connection, row)
    if len(tournament.log) != lines:
        return False
    tournament = contests.append(house, transaction, row, tournament, seating, player_id)
    contests.changed(house, transaction, row, due_at=None)
    stage = tournament.stages[-1]
    plan = tournament.plan.stage(stage.number)
    for number, table in enumerate(stage.tables, 1):
        options = msgspec.to_builtins(plan.options_for(len(table.seats)))
        columns = {
            "game": plan.game,
            "options": {name: value for name, value in options.items() if value is not None},
            "host_id": row.organiser_id,
            "watchers": NONE if seating.deal else OPEN,
            "bot_pace": row.conditions["bot_pace"],
            "clock": row.conditions["clock"],
        }
        seats = _seats_of(transaction, row, tournament, table.seats)
        table_id = tables.set_table(house, transaction, columns, seats)
        transaction.connection.execute(
            insert(models.TournamentTable).values(
                table_id=table_id, tournament_id=row.id, stage=stage.number, number=number, deal=seating.deal
            )
        )
        tables.begin_at(house, transaction, table_id)
    return True


def _seats_of(
    transaction: Transaction, row: AnyRow, tournament: Tournament, numbers: tuple[int, ...]
) -> list[dict[str, Any]]:
    """Who sits on each seat of a table: the player, or a bot; also for one who has left for good."""
    stored = transaction.connection.execute(
        select(models.TournamentEntry).where(
            models.TournamentEntry.tournament_id == row.id, models.TournamentEntry.number.in_(numbers)
        )
    ).all()
    behind = {entry.number: entry for entry in stored}
    bot_before = tournament.stage.bots if tournament.stage else frozenset()
    seats = []
    for number in numbers:
        bot = behind[number].bot or (STAND_IN if number in bot_before else None)
        player_id = None if bot else behind[number].player_id
        seats.append({"player_id": player_id, "bot": bot, "name": tournament.name(number)})
    return seats


def close_stage(house: House, transaction: Transaction, slug: str, player_id: int | None) -> None:
    """Every table is finished: the stage is scored, for good. By the organiser or the clockwork (None)."""
    if player_id is None:
        row = contests.find(transaction.connection, slug, lock=True)
    else:
        row = _organised(transaction, slug, player_id)
    tournament = contests.folded(transaction.connection, row)
    after = contests.append(house, transaction, row, tournament, StageClosed(), player_id)
    wait = {"hand": None, "done": 0.0, "time": 60.0 * row.conditions["wait"]}[row.conditions["starts"]]
    due_at = None if wait is None or after.over else house.now() + wait
    contests.changed(house, transaction, row, due_at=due_at)


def attend_due(house: House) -> None:
    """Closes and starts every stage whose time has come. What cannot go on waits for its organiser."""
    with house.database.reading() as connection:
        due = connection.execute(
            select(models.Tournament.slug).where(models.Tournament.due_at <= house.now()).limit(20)
        ).scalars()
        slugs = list(due)
    for slug in slugs:
        try:
            _attend(house, slug)
        except (Refused, Conflict) as refusal:
            _log.info("tournament %s waits for its organiser: %s", slug[:4], refusal.sentence)
            house.write(_wait_for_organiser, slug)


def _attend(house: House, slug: str) -> None:
    with house.database.reading() as connection:
        tournament = contests.folded(connection, contests.find(connection, slug))
    if tournament.stage:
        house.write(close_stage, slug, None)
    else:
        start_stage(house, slug, None)


def _wait_for_organiser(house: House, transaction: Transaction, slug: str) -> None:
    contests.changed(house, transaction, contests.find(transaction.connection, slug, lock=True), due_at=None)


# What the organiser puts right


def correct(
    house: House, transaction: Transaction, slug: str, player_id: int, table: int, scores: str, reason: str
) -> None:
    """The organiser puts a result of the current stage right: a score for each seat, places follow from them. Raises
    Refused."""
    row = _organised(transaction, slug, player_id)
    tournament = contests.folded(transaction.connection, row)
    stage = tournament.stage
    given = tuple(_score(part) for part in scores.replace(",", " ").split())
    if stage is None or not 1 <= table <= len(stage.tables) or len(given) != len(stage.tables[table - 1].seats):
        raise Refused("Name a table of this stage, and one score for each of its seats.", "BAD_RESULT")
    plan = tournament.plan.stage(stage.number)
    places = tuple(plan.rules.places(plan.options_for(len(given)), given, (given,)))
    _put_right(house, transaction, row, tournament, Corrected(table, given, places, _reason(reason)), player_id)


def adjust(
    house: House, transaction: Transaction, slug: str, player_id: int, number: int, points: str, reason: str
) -> None:
    """The organiser gives an entry points, or takes some. Raises Refused."""
    row = _organised(transaction, slug, player_id)
    tournament = contests.folded(transaction.connection, row)
    _put_right(house, transaction, row, tournament, Adjusted(number, _score(points), _reason(reason)), player_id)


def end(house: House, transaction: Transaction, slug: str, player_id: int, reason: str) -> None:
    """The organiser ends the tournament before its last stage. Raises Refused."""
    row = _organised(transaction, slug, player_id)
    tournament = contests.folded(transaction.connection, row)
    _put_right(house, transaction, row, tournament, Ended(_reason(reason)), player_id, due_at=None)


def _put_right(
    house: House,
    transaction: Transaction,
    row: AnyRow,
    tournament: Tournament,
    event: AnyHappening,
    player_id: int,
    **changes: object,
) -> None:
    contests.append(house, transaction, row, tournament, event, player_id)
    contests.changed(house, transaction, row, **changes)


def _score(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise Refused("Points are numbers, such as 3 or -0.5.", "BAD_RESULT") from error


def _reason(text: str) -> str:
    reason = clean_line(text, "NFC", marks=1)[:500].strip()
    if not reason:
        raise Refused("Please say why: everybody can read it.", "NO_REASON")
    return reason
