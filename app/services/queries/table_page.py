"""A table as one person sees it: everything a page needs, and nothing that person may not know."""

from functools import cached_property
from typing import Any

import msgspec
from sqlalchemy import Connection

from app.services.context import AppContext
from app.services.play.board import Board, board_at
from app.services.play.hints import Hints, hints_at
from app.services.play.takeback import Undo, undo_at
from app.services.queries.circles import CircleName, circle_named
from app.services.seats.agreement import Coming, coming_at
from app.services.seats.people import People, people_at
from app.services.seats.seat_loss import Transfer, transfer_at
from app.services.seats.spectators import Replays, replays_at, viewer_at
from app.services.table.clocks import ClockNow, clock_at
from app.services.table.open_table import FINISHED, GATHERING
from app.services.table.settings import SILENT, TableSetup
from app.services.table.snapshot import TableSnapshot, as_heard, load_snapshot
from app.services.table.table_now import TableNow, Viewer, options_at, settings_at, table_at
from app.services.talk.news import News, news_at
from app.services.tournaments.tables import PLAYERS, TournamentPlace, known_place
from app.storage import models
from snug.engine.game import Game
from snug.games import GAMES


class TablePage(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A table for one pair of eyes, in parts that change together; each says of itself what is in it. What is only
    looked at, a lesson or a moment of a replay, has none of those with a default: nobody can do anything there. Before
    and after the game `circle` is the one in whose name the table is."""

    table: TableNow
    game: Game[Any]
    options: Any
    viewer: Viewer
    people: People
    board: Board
    setup: TableSetup = SILENT
    clock: ClockNow = ClockNow()
    undo: Undo | None = None
    hints: Hints = Hints()
    transfer: Transfer = Transfer()
    news: News = News()
    replays: Replays = Replays()
    coming: Coming = Coming()
    tournament: TournamentPlace | None = None
    circle: CircleName | None = None

    @property
    def is_secret(self) -> bool:
        """Whether other tables of a tournament may still play the deal of this one."""
        return self.tournament is not None and self.tournament.is_secret

    @cached_property
    def arrangement(self) -> tuple[object, ...]:
        """What is not of the round: as long as it is equal, so is what a page says of people, rules and clocks' rules.
        Moves hardly ever change it."""
        seats = [(seat.is_away, seat.link, seat.asked_by) for seat in self.people.seats]
        me = self.viewer.seat, self.viewer.closed_seat, self.viewer.is_host, self.viewer.may_host
        comers = self.transfer.waiting, self.transfer.removed
        return (self.table.arranged_version, self.table.status, self.clock.stands, me, seats, comers)


def load_table_page(
    context: AppContext, connection: Connection, slug: str, player_id: int | None, heard_since: int | None = None
) -> TablePage:
    """The table behind an invite link, as `player_id` (None: a stranger) may see it; `heard_since` as for a snapshot.
    Raises NotFound and Frozen."""
    return table_page_of(context, connection, load_snapshot(context, connection, slug, heard_since), player_id)


def is_at_hand(context: AppContext, slug: str, heard_since: int = 0) -> bool:
    """Whether the table's pages cost no statement now, for who has seen no later version than this."""
    snapshot = as_heard(context, slug, heard_since)
    if snapshot is None or _shows_circle(snapshot.row):
        return False
    if not snapshot.has_place:
        return True
    place = context.places.get(slug)
    return place is not None and place.watch != PLAYERS


def _shows_circle(table: models.Table) -> bool:
    return table.circle_id is not None and table.status in (GATHERING, FINISHED)


def table_page_of(
    context: AppContext, connection: Connection, snapshot: TableSnapshot, player_id: int | None
) -> TablePage:
    """The same of a table at one version."""
    row = snapshot.row
    place = known_place(context, connection, row) if snapshot.has_place else None
    viewer = viewer_at(connection, snapshot, place, player_id)
    return TablePage(
        table=snapshot.once(table_at),
        game=GAMES[row.game],
        options=snapshot.once(options_at),
        viewer=viewer,
        people=people_at(context, snapshot, viewer),
        board=board_at(snapshot, viewer),
        setup=snapshot.once(settings_at),
        clock=clock_at(context, snapshot, viewer),
        undo=snapshot.once(undo_at, viewer.seat) if viewer.may_see else None,
        hints=snapshot.once(hints_at, viewer.seat),
        transfer=transfer_at(snapshot, viewer),
        news=snapshot.once(news_at, viewer.is_host),
        replays=replays_at(snapshot, viewer, place is not None and place.is_secret),
        coming=snapshot.once(coming_at, viewer.own_seat),
        tournament=place,
        circle=circle_named(connection, row.circle_id) if _shows_circle(row) else None,
    )
