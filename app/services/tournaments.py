"""Tournaments: opening one, stages that start and close.

A tournament is the fold of its log; a table that ends writes its own line (`contests`). Whoever holds rows of tables
and of a tournament takes the tables' first.
"""

import logging
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import insert, select

from app import models
from app.rules.game import BadSetup
from app.rules.tournament import state as tournament_state
from app.rules.tournament.events import StageClosed, StageSeated
from app.rules.tournament.plan import read_plan
from app.rules.tournament.seating import seat_stage
from app.rules.wording import as_sentence
from app.services import contests, tables
from app.services.clocks import CLOCKS, PACES
from app.services.entrants import seats_of
from app.services.errors import Conflict, Refused
from app.services.house import House
from app.services.names import clean_line
from app.services.players import count_opened
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
        raise Refused(as_sentence(error.sentence), error.code) from error
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
            code=tables.new_code(),
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
    count_opened(transaction, player_id)
    return slug


def start_stage(house: House, slug: str, player_id: int | None) -> None:
    """The next stage begins: everybody is seated, the tables are set and play. The seating is sought before anything
    is held, and sought again if the list has changed meanwhile. Raises Forbidden, Refused and Conflict."""
    for _ in range(_TRIES):
        with house.database.reading() as connection:
            row = contests.find(connection, slug)
            tournament = contests.folded(connection, row)
            if player_id is not None:
                contests.check_organiser(connection, row, player_id)
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
        seats = seats_of(transaction, row, tournament, table.seats)
        table_id = tables.set_table(house, transaction, columns, seats)
        transaction.connection.execute(
            insert(models.TournamentTable).values(
                table_id=table_id, tournament_id=row.id, stage=stage.number, number=number, deal=seating.deal
            )
        )
        tables.begin_at(house, transaction, table_id)
    return True


def close_stage(house: House, transaction: Transaction, slug: str, player_id: int | None) -> None:
    """Every table is finished: the stage is scored, for good. By the organiser or the clockwork (None)."""
    if player_id is None:
        row = contests.find(transaction.connection, slug, lock=True)
    else:
        row = contests.organised(transaction, slug, player_id)
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
