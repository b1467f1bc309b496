"""What happens at a table, as notices: it is somebody's turn, a tournament's table is set, a round or match is over."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from sqlalchemy import Connection, select

from app.services.context import AppContext, Hook, Notice, Words
from app.services.table.events import RoundFinished, TableIsSet, TurnBegins
from app.services.table.held_table import HeldTable
from app.services.table.snapshot import load_snapshot
from app.services.tournaments.tables import place_of
from app.storage import models
from snug.games import GAMES
from snug.words import gettext, listed


class TableNotice(Notice, frozen=True):
    """Something at a table, of which its webhook hears: it concerns `seats`, after so many `moves` of the round."""

    event: ClassVar[str]
    slug: str
    round_id: int
    moves: int
    seats: tuple[int, ...]

    def hook(self, context: AppContext, connection: Connection) -> Hook | None:
        """The table's webhook, with the names that it is about."""
        snapshot = load_snapshot(context, connection, self.slug)
        if not (context.webhooks and snapshot.row.webhook):
            return None
        names = [seat.name for seat in snapshot.seats if seat.number in self.seats and not seat.bot]
        game = str(GAMES[snapshot.row.game].name)  # as data, in English
        told = {"table": snapshot.row.code, "game": game, "event": self.event, "names": names}
        return Hook(snapshot.row.webhook, told)


class RoundOver(TableNotice, frozen=True):
    """A round is over, and another one follows."""

    event = "round_over"


class MatchOver(TableNotice, frozen=True):
    """A match is over."""

    event = "match_over"


class YourTurn(TableNotice, frozen=True):
    """It became the turn of these seats."""

    event = "turn"

    @property
    def table(self) -> str:
        """This one: who looks at it sees it."""
        return self.slug

    def whom(self, context: AppContext, connection: Connection) -> Collection[int]:
        """Those who sit there."""
        return self._players(context, connection)

    def _players(self, context: AppContext, connection: Connection) -> dict[int, int]:
        seats = load_snapshot(context, connection, self.slug).seats
        return {seat.player_id: seat.number for seat in seats if seat.player_id and seat.number in self.seats}

    def words(self, context: AppContext, connection: Connection, players: Collection[int]) -> Mapping[int, Words]:
        """Which game it is and with whom; nothing for whom the turn is over."""
        seat_of, to_act = self._players(context, connection), self.still_to_act(connection)
        snapshot = load_snapshot(context, connection, self.slug)
        told = {}
        for player in players:
            if (own := seat_of.get(player)) in to_act:
                others = listed([seat.name for seat in snapshot.seats if seat.number != own])
                body = gettext("%(game)s with %(others)s", game=GAMES[snapshot.row.game].name, others=others)
                told[player] = Words(gettext("Your turn"), body)
        return told

    def still_to_act(self, connection: Connection) -> set[int]:
        """The seats for which this turn has not ended: nobody moved for them since, what gave them the turn was not
        taken back, the round goes on."""
        took, move = models.Takeback, models.Move
        taken_back = select(took.version).where(
            took.round_id == self.round_id, took.first <= self.moves, took.last >= self.moves
        )
        if connection.execute(taken_back).first():
            return set()
        later = select(move.seat).where(move.round_id == self.round_id, move.number > self.moves).distinct()
        moved = connection.execute(later).scalars()
        scores = connection.execute(select(models.Round.scores).where(models.Round.id == self.round_id)).scalar_one()
        return set(self.seats) - set(moved) if scores is None else set()


class YourTable(YourTurn, frozen=True):
    """A tournament has set the table for these seats."""

    event = "ready"

    def words(self, context: AppContext, connection: Connection, players: Collection[int]) -> Mapping[int, Words]:
        """Which table it is of which tournament."""
        told, place = super().words(context, connection, players), place_of(connection, self.place)
        if place is None:
            return told
        title = gettext("Stage %(stage)s: your table is ready", stage=place.stage)
        return {
            player: Words(title, gettext("%(tournament)s: %(table)s", tournament=place.name, table=words.body))
            for player, words in told.items()
        }


def tell_turn(event: TurnBegins) -> None:
    """Its players hear of it."""
    _call(YourTurn, event.table, event.seats)


def tell_table(event: TableIsSet) -> None:
    """Everybody who is to sit there hears of it."""
    _call(YourTable, event.table, event.seats)


def tell_round(event: RoundFinished) -> None:
    """The table's webhook hears of it."""
    match = event.table.round.match
    if _has_hook(event.table):
        _publish(MatchOver if match.over else RoundOver, event.table, tuple(range(1, match.seats + 1)))


def _call(kind: type[YourTurn], table: HeldTable, seats: tuple[int, ...]) -> None:
    """Tells players who may have a browser that is to be woken, and the webhook."""
    known = table.context.unsubscribed if table.context.hears_all else None
    if _has_hook(table) or not (known and all(known.get(str(table.seat(seat).player_id)) for seat in seats)):
        _publish(kind, table, seats)


def _has_hook(table: HeldTable) -> bool:
    return bool(table.context.webhooks and table.row.webhook)


def _publish(kind: type[TableNotice], table: HeldTable, seats: tuple[int, ...]) -> None:
    if any(table.seat(seat).player_id for seat in seats):  # bots need not be told
        slug, live = table.row.slug, table.round
        notice = kind(table.row.id, f"/t/{slug}", slug, live.round_id, live.moves, seats)
        table.transaction.after_commit(lambda: table.context.publish(notice))
