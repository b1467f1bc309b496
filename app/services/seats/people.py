"""Who sits where, for everybody's eyes."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from app.services.context import AppContext
from app.services.seats.seat_loss import links_at, word_counts
from app.services.table.open_table import SCORES
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import Viewer, awaited_at, live_at, options_at
from snug.bots.levels import level_of
from snug.engine.game import Game
from snug.engine.match import Match
from snug.games import GAMES
from snug.words import gettext


class SeatInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One seat for everybody's eyes. `name` is empty while nobody sits there; `bot` is a level or None. While its
    player `is_away` a bot plays on; `is_here` means that a page of the table is open. `link` is the kind of a link to
    the seat, `asked_by` the seat of the host who wants it; `may_agree` says whether this one's word counts for others'
    links."""

    number: int
    name: str
    team: int | None = None
    bot: str | None = None
    is_me: bool = False
    is_host: bool = False
    is_ready: bool = False
    is_to_act: bool = False
    is_away: bool = False
    is_here: bool = False
    is_cohost: bool = False
    link: str | None = None
    asked_by: int | None = None
    may_agree: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether somebody may sit down here."""
        return not self.name


class People(msgspec.Struct, frozen=True):
    """The seats of a table, and their names, as one person sees them, who has seat `mine` (None: an onlooker)."""

    seats: tuple[SeatInfo, ...]
    names: tuple[str, ...]
    mine: int | None = None

    @property
    def me(self) -> SeatInfo | None:
        """This person's seat."""
        return self.seats[self.mine - 1] if self.mine else None

    @property
    def my_turn(self) -> bool:
        """Whether the room waits for this person."""
        me = self.me
        return me is not None and me.is_to_act and not me.is_away

    @property
    def others(self) -> tuple[SeatInfo, ...]:
        """The other seats, clockwise from this person's left; every seat for an onlooker."""
        at = self.mine or 0
        return (*self.seats[at:], *self.seats[: max(0, at - 1)])

    @property
    def lit(self) -> int:
        """Which of the others, counted from this person's left, is alone to play; else 0."""
        acting = [place for place, seat in enumerate(self.others, start=1) if seat.is_to_act]
        return acting[0] if len(acting) == 1 and not self.my_turn else 0

    @property
    def others_away(self) -> tuple[SeatInfo, ...]:
        """The other seats where a bot stands in."""
        return tuple(seat for seat in self.seats if seat.is_away and not seat.is_me)

    @property
    def unready(self) -> tuple[SeatInfo, ...]:
        """The seats that the next round waits for."""
        return tuple(seat for seat in self.seats if not seat.is_ready)

    @property
    def empty_seats(self) -> tuple[int, ...]:
        """Numbers of the seats that can still be taken."""
        return tuple(seat.number for seat in self.seats if seat.is_empty)

    @property
    def has_links(self) -> bool:
        """Whether there is or should be another way to a seat than its player's."""
        return any(seat.link for seat in self.seats)

    @property
    def host_name(self) -> str:
        """Who may start the game."""
        return next((seat.name for seat in self.seats if seat.is_host), gettext("the host"))

    def name_of(self, seat: int) -> str:
        """Who sits there."""
        return self.names[seat - 1]

    def without_me(self, seats: Iterable[int]) -> tuple[int, ...]:
        """These seats but this person's."""
        return tuple(seat for seat in seats if seat != self.mine)

    def may_vouch(self, number: int) -> bool:
        """Whether anybody but this person and the player of seat `number` can agree to a new link to it."""
        return any(seat.may_agree and not seat.is_me and seat.number != number for seat in self.seats)


def people_at(context: AppContext, snapshot: TableSnapshot, viewer: Viewer) -> People:
    """Who sits at the table now."""
    row, live, awaited = snapshot.row, live_at(snapshot), snapshot.once(awaited_at)
    teams = snapshot.once(_teams)
    links = links_at(context, snapshot) if live else {}
    seats = tuple(
        SeatInfo(
            number=seat.number,
            name=seat.name,
            team=teams[seat.number - 1],
            bot=seat.bot and level_of(seat.bot),
            is_me=seat.number == viewer.seat,
            is_host=seat.player_id == row.host_id,
            is_ready=seat.ready,
            is_to_act=not row.paused_at and (seat.number in awaited or (row.status == SCORES and not seat.ready)),
            is_away=seat.stand_in is not None,
            is_here=seat.here,
            is_cohost=seat.cohost,
            link=links[seat.number].kind if seat.number in links else None,
            asked_by=links[seat.number].asked_by if seat.number in links else None,
            may_agree=word_counts(seat, live),
        )
        for seat in snapshot.seats
    )
    return People(seats, snapshot.names, viewer.seat)


def _teams(snapshot: TableSnapshot) -> tuple[int | None, ...]:
    return teams_of(GAMES[snapshot.row.game], snapshot.once(options_at), len(snapshot.seats))


def people_in(match: Match, names: Sequence[str], me: int | None, awaited: Iterable[int]) -> People:
    """Those of these names in a match that is only looked at: nothing is known of them but who is to act."""
    teams, acting = teams_of(match.game, match.options, match.seats), tuple(awaited)
    seats = tuple(
        SeatInfo(number=seat, name=name, team=teams[seat - 1], is_me=seat == me, is_to_act=seat in acting)
        for seat, name in enumerate(names, 1)
    )
    return People(seats, tuple(names), me)


def teams_of(game: Game[Any], options: Any, seats: int) -> tuple[int | None, ...]:
    """The number of each seat's team, from 1; None where everybody plays for themselves."""
    teams = game.competitors(options, seats)
    if len(teams) == seats:
        return (None,) * seats
    return tuple(next(n for n, team in enumerate(teams, 1) if seat in team) for seat in range(1, seats + 1))
