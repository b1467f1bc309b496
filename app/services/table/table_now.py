"""Which table it is and where it stands, and who looks at it: what all parts of its page go by."""

from typing import Any

import msgspec

from app.services.quarantine import quarantine_on_error
from app.services.table.held_table import FINISHED, GATHERING, PLAYING, SCORES
from app.services.table.rounds import CurrentRound
from app.services.table.settings import TableSetup, setup_of
from app.services.table.snapshot import TableSnapshot
from snug.engine.game import read_options
from snug.games import GAMES


class TableNow(msgspec.Struct, frozen=True, kw_only=True):
    """A table at one version; since the change `arranged_version` only moves were made. `door`: its renewed link's."""

    slug: str
    version: int = 0
    status: str = PLAYING
    id: int = 0
    code: str = ""
    door: str | None = None
    arranged_version: int = 0

    @property
    def address(self) -> str:
        """Where the table is, and its forms go."""
        return f"/t/{self.slug}"

    @property
    def invitation(self) -> str:
        """Where whoever is invited comes in."""
        return invitation(self.slug, self.door)

    @property
    def spoken(self) -> str:
        """The code that is read aloud to them."""
        return self.door or self.code

    @property
    def is_gathering(self) -> bool:
        """Seats are being taken."""
        return self.status == GATHERING

    @property
    def is_playing(self) -> bool:
        """A round is being played."""
        return self.status == PLAYING

    @property
    def is_scoring(self) -> bool:
        """A round is over and the next one waits for everybody."""
        return self.status == SCORES

    @property
    def is_finished(self) -> bool:
        """The match is over."""
        return self.status == FINISHED


def invitation(slug: str, door: str | None) -> str:
    """The way into a table, by its newest link."""
    return f"/t/{slug}/in/{door}" if door else f"/t/{slug}"


class Viewer(msgspec.Struct, frozen=True, kw_only=True):
    """Who looks at a table: a player, or a stranger without a number, on `seat` or beside the table (None). `may_host`
    is true for the host and the co-hosts. Who took over `closed_seat` on a host's word alone is an onlooker of the
    round that was played then: `closed_to` is the last such round. Onlookers see the table by this `policy`; `may_see`
    says whether this person sees the board just now, `muted` that they hear nobody here. Who looks through the eyes
    of whoever has `seat` only `borrows` it."""

    player_id: int | None = None
    seat: int | None = None
    closed_seat: int | None = None
    closed_to: int | None = None
    is_host: bool = False
    may_host: bool = False
    policy: str = "open"
    may_see: bool = True
    muted: bool = False
    borrows: bool = False

    @property
    def you(self) -> int | None:
        """The seat that is "you" to whoever reads of it."""
        return None if self.borrows else self.seat

    @property
    def is_seated(self) -> bool:
        """Whether this person has a seat, be it closed for now."""
        return self.own_seat is not None

    @property
    def own_seat(self) -> int | None:
        """This person's seat, be it closed for now."""
        return self.seat or self.closed_seat

    def viewpoint(self, round_id: int) -> int | None:
        """The seat through whose eyes this person sees a round; None for an onlooker's."""
        return None if self.closed_to is not None and round_id <= self.closed_to else self.seat


def live_at(snapshot: TableSnapshot) -> CurrentRound | None:
    """The table's round, once the game has begun."""
    return None if snapshot.row.status == GATHERING else snapshot.round


def options_at(snapshot: TableSnapshot) -> Any:
    """The options of its game."""
    live, row = live_at(snapshot), snapshot.row
    return live.match.options if live else read_options(GAMES[row.game], len(snapshot.seats), row.options)


def awaited_at(snapshot: TableSnapshot) -> tuple[int, ...]:
    """The seats of which everybody sees that the round waits for them."""
    live, row = live_at(snapshot), snapshot.row
    if live is None or row.status != PLAYING:
        return ()
    with quarantine_on_error(row.slug):
        return tuple(live.match.game.view(live.match.round, None).awaited)


def table_at(snapshot: TableSnapshot) -> TableNow:
    """The table."""
    row = snapshot.row
    return TableNow(
        slug=row.slug,
        version=row.version,
        status=row.status,
        id=row.id,
        code=row.code,
        door=row.door,
        arranged_version=snapshot.arranged_version,
    )


def settings_at(snapshot: TableSnapshot) -> TableSetup:
    """How it is kept."""
    return setup_of(snapshot.row)
