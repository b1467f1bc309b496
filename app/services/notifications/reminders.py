"""What begins soon, as notices: a tournament that one has entered, an evening of one's circle."""

from collections.abc import Collection, Mapping
from functools import partial

from sqlalchemy import Connection, select

from app.services.circles.evenings import due_reminders, reminded_evening
from app.services.context import AppContext, Notice, Words
from app.services.idempotent import idempotent, is_done
from app.services.tournaments import log as tournament_log
from app.services.tournaments.calls import SOON, begins_at, begins_soon, say_it_begins_soon
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import Transaction
from snug.words import gettext


class TournamentNear(Notice, frozen=True):
    """A tournament begins soon."""

    slug: str

    def whom(self, context: AppContext, connection: Connection) -> Collection[int]:
        """Everybody who is in."""
        row, entry = tournament_log.find(connection, self.slug), models.TournamentEntry
        tournament = tournament_log.folded(connection, row)
        behind = connection.execute(
            select(entry.number, entry.player_id).where(entry.tournament_id == row.id, entry.player_id.is_not(None))
        )
        return [player for number, player in behind if player and tournament.entry(number).active]

    def words(self, context: AppContext, connection: Connection, players: Collection[int]) -> Mapping[int, Words]:
        """The same for all."""
        name = tournament_log.find(connection, self.slug).name
        words = Words(gettext("%(name)s begins in ten minutes", name=name), gettext("Your place is kept."))
        return dict.fromkeys(players, words)


class EveningNear(Notice, frozen=True):
    """An evening of a circle is near, of which these players are reminded."""

    players: tuple[int, ...]

    def whom(self, context: AppContext, connection: Connection) -> Collection[int]:
        """Those who have not said that they stay away."""
        return self.players

    def words(self, context: AppContext, connection: Connection, players: Collection[int]) -> Mapping[int, Words]:
        """What the circle is called, when and where it meets."""
        return dict.fromkeys(players, Words(*reminded_evening(connection, self.place)))


def remind(context: AppContext) -> None:
    """Reminds those who have entered a tournament shortly before it begins, once, and circles of their evenings."""
    soon = models.Tournament.due_at <= context.room_time() + SOON
    with context.database.reading() as connection:
        rows = [row for row in all_of(connection, select(models.Tournament).where(soon)) if begins_soon(context, row)]
        keys = {row.id: f"reminded:{row.slug}:{begins_at(row):.0f}" for row in rows}
        rows = [row for row in rows if not is_done(connection, row.organiser_id, keys[row.id])]
    for row in rows:
        context.write(idempotent(_remind, row.organiser_id, keys[row.id]), row.id, row.slug)
    near = select(models.Circle.id).where(models.Circle.due_at <= context.now())
    with context.database.reading() as connection:
        is_evening_near = connection.execute(near).first()
    if is_evening_near:
        context.write(_remind_of_evenings)


def _remind_of_evenings(context: AppContext, transaction: Transaction) -> None:
    for circle, players in due_reminders(context, transaction):
        transaction.after_commit(partial(context.publish, EveningNear(circle.id, f"/c/{circle.slug}", players)))


def _remind(context: AppContext, transaction: Transaction, tournament_id: int, slug: str) -> None:
    row = tournament_log.find(transaction.connection, slug)
    tournament = tournament_log.current(context, transaction.connection, row)
    if not tournament.stages:
        near = TournamentNear(tournament_id, f"/tournaments/{slug}", slug)
        transaction.after_commit(partial(context.publish, near))
        say_it_begins_soon(context, transaction, slug, tournament)
