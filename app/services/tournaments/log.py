"""The log of a tournament as it is stored, and what a table that belongs to one owes it: its result, its deal."""

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, exists, insert, or_, select, update
from sqlalchemy.orm import aliased

from app.services.context import AppContext
from app.services.errors import Forbidden, Refused, or_not_found
from app.services.table import chain
from app.services.tournaments.calls import call
from app.storage import models
from app.storage.pubsub import notify_processes
from app.storage.rows import find_one
from app.storage.writer import Transaction
from snug.tournament import fold
from snug.tournament import state as tournament_state
from snug.tournament.events import AnyLogEvent, Corrected, StageSeated, TableFinished
from snug.tournament.plan import Plan
from snug.tournament.state import Tournament
from snug.words import gettext

SECRET_DEAL = gettext(
    "Other tables still play the same deal. Replays and the record are here when all of them are done."
)
NOT_YOURS = gettext("Only the organiser of this tournament may do that.")
NO_TOURNAMENT = gettext("There is no such tournament. Perhaps a letter of the link got lost?")


def find(connection: Connection, slug: str, *, lock: bool = False) -> models.Tournament:
    """A tournament's row, held until the transaction ends if `lock`. Raises NotFound."""
    query = select(models.Tournament).filter_by(slug=slug)
    return or_not_found(find_one(connection, query.with_for_update() if lock else query), NO_TOURNAMENT)


def check_organiser(connection: Connection, row: models.Tournament, player_id: int) -> None:
    """Raises Forbidden unless the player organises this tournament, or helps to."""
    if not organises(connection, row, player_id):
        raise Forbidden(NOT_YOURS)


def organises(connection: Connection, row: models.Tournament, player_id: int) -> bool:
    """Whether the player is the organiser of a tournament or helps."""
    entry = models.TournamentEntry
    helping = exists().where(entry.tournament_id == row.id, entry.player_id == player_id, entry.helps)
    return bool(row.organiser_id == player_id or connection.execute(select(helping)).scalar_one())


def player_behind(connection: Connection, row: models.Tournament, number: int) -> int | None:
    """Whose entry it is; None for a bot's, and where there is none."""
    behind = select(models.TournamentEntry.player_id).filter_by(tournament_id=row.id, number=number)
    return connection.execute(behind).scalar_one_or_none()


def folded(connection: Connection, row: models.Tournament) -> Tournament:
    """The tournament that the stored log comes to."""
    line = models.TournamentLine
    lines = connection.execute(select(line.event).filter_by(tournament_id=row.id).order_by(line.number)).scalars()
    return fold.fold(msgspec.convert(row.plan, Plan), (msgspec.convert(event, AnyLogEvent) for event in lines))


def current(context: AppContext, connection: Connection, row: models.Tournament) -> Tournament:
    """The same at this version of the row, from memory if who changed it last left it there."""
    kept: Tournament | None = context.tournaments.get(row.id, row.version)
    return kept or folded(connection, row)


class HeldTournament:
    """A tournament whose row is held until the transaction ends; `now` is what its log comes to. Raises NotFound."""

    def __init__(self, context: AppContext, transaction: Transaction, slug: str) -> None:
        self.context, self.transaction = context, transaction
        self.row = find(transaction.connection, slug, lock=True)
        self.now = current(context, transaction.connection, self.row)

    def append(self, event: AnyLogEvent, player_id: int | None = None) -> None:
        """Writes one more line into the log. Raises Refused, and then nothing is written."""
        try:
            self.now = fold.apply(self.now, event)
        except tournament_state.EventRefused as refusal:
            raise Refused(refusal.code, refusal.sentence) from refusal
        connection, now = self.transaction.connection, self.context.now()
        raw, number = msgspec.to_builtins(event), len(self.now.log)
        values = {"tournament_id": self.row.id, "number": number, "event": raw, "player_id": player_id, "made_at": now}
        seal = chain.sealed_words(raw)
        values |= seal._asdict() if seal else {}
        this = models.Tournament.id == self.row.id  # the row may be older than the lines that were appended here
        held = select(models.Tournament.code, models.Tournament.links, models.Tournament.head).where(this)
        links, head = chain.chain_of(connection.execute(held).one())
        entry = chain.of_entry(number, raw, player_id, now, values.get("seal"))
        links, head = links + 1, chain.linked(head, chain.ENTRY, entry)
        connection.execute(insert(models.TournamentLine).values(**values, link=links, head=head))
        connection.execute(update(models.Tournament).where(this).values(links=links, head=head))
        call(self.context, self.transaction, self.row.slug, event, self.now)

    def store(self, **changes: object) -> None:
        """Raises the version, with other changes of the row, and wakes who waits for it."""
        changed(self.context, self.transaction, self.row, self.now, **changes)

    def change_entry(self, number: int, **columns: object) -> bool:
        """Changes columns of an entry's row; False where they are so already."""
        entry = models.TournamentEntry
        other = or_(*(getattr(entry, name).is_distinct_from(value) for name, value in columns.items()))
        changed = update(entry).where(entry.tournament_id == self.row.id, entry.number == number, other)
        return self.transaction.connection.execute(changed.values(**columns)).rowcount > 0

    def put(self, event: AnyLogEvent, player_id: int, **changes: object) -> None:
        """One line, and nothing else."""
        self.append(event, player_id)
        self.store(**changes)


def organised(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> HeldTournament:
    """A tournament for its organiser or somebody who helps. Raises NotFound and Forbidden."""
    held = HeldTournament(context, transaction, slug)
    check_organiser(transaction.connection, held.row, player_id)
    return held


def changed(
    context: AppContext,
    transaction: Transaction,
    row: models.Tournament,
    after: Tournament | None = None,
    **changes: object,
) -> None:
    """Raises a tournament's version, with other changes of its row, and wakes who waits. `after`: what it is then."""
    this, next_one = models.Tournament.id == row.id, models.Tournament.version + 1
    raised = update(models.Tournament).where(this).values(version=next_one, **changes)
    version = transaction.connection.execute(raised.returning(models.Tournament.version)).scalar_one()
    notify_processes(transaction, row.slug, version)
    if after:
        transaction.after_commit(lambda: context.tournaments.keep(row.id, version, after))
    transaction.after_commit(lambda: context.pubsub.announce(row.slug, version))


def deal_is_secret() -> ColumnElement[bool]:
    """The condition that every table of a TournamentTable's stage gets the same deal, and one has not finished its
    match: until then nobody sees more of the deal than the own game shows, whatever a host wishes."""
    mine, other = models.TournamentTable, aliased(models.TournamentTable)
    done = exists(models.Result.match_id).where(
        models.Result.match_id == models.Match.id, models.Match.table_id == other.table_id
    )
    playing = exists(other.table_id).where(
        other.tournament_id == mine.tournament_id, other.stage == mine.stage, ~done.correlate(other)
    )
    return (mine.deal != "") & playing.correlate(mine)


def shown_event(tournament: Tournament, at: int) -> dict[str, Any]:
    """A line of the log for everybody's eyes: the deal of a stage is told when the stage is closed, and results at the
    same deal when the last table is done."""
    line = tournament.log[at]
    event: dict[str, Any] = msgspec.to_builtins(line)
    number = sum(isinstance(line, StageSeated) for line in tournament.log[: at + 1])
    stage = tournament.stages[number - 1] if number else None
    if stage and not stage.closed:
        event.pop("deal", None)
        of_this = isinstance(line, TableFinished) or (isinstance(line, Corrected) and not line.stage)
        if stage.deal and not stage.finished and of_this:
            del event["scores"], event["places"]
    return event
