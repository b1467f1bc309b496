"""A tournament as one person sees it: who is in, what is played, who stands where."""

import msgspec

from app.services.circles.pages import CircleName
from app.tournament import meetings
from app.tournament.seating import achieved
from app.tournament.sizes import why_no_start
from app.tournament.state import Entry, Tournament
from app.words import Message


class TableLine(msgspec.Struct, frozen=True):
    """A table of the stage being played: who sits there in order, their scores once it is over; `slug` for those who
    may go there."""

    number: int
    names: tuple[str, ...]
    scores: tuple[str, ...]
    is_mine: bool
    slug: str | None

    @property
    def result(self) -> str:
        """The scores of the seats, one after the other."""
        return ", ".join(f"{name}: {score}" for name, score in zip(self.names, self.scores, strict=True))


class Row(msgspec.Struct, frozen=True):
    """A line of the standings as it is read; a stage's points bear a mark where they were not played for."""

    place: int
    name: str
    points: str
    stages: tuple[str, ...]
    adjusted: str
    why: tuple[Message, ...]
    is_me: bool


class TournamentPage(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament for one pair of eyes: `held` is its plan and what its log came to. `is_organiser` also for those of
    the entries `helpers`, `is_chief` not; `people` are the entries that are no bots. `seals` are the commitments to
    what the stages are dealt from, where all tables of a stage get the same deal. It may be in the name of a
    `circle`; it `begins_at` a time, if one is set."""

    slug: str
    code: str | None
    name: str
    version: int
    held: Tournament
    rules: tuple[Message, ...]
    starts: str
    wait: int
    due_at: float | None
    is_chief: bool
    is_organiser: bool
    people: frozenset[int]
    helpers: frozenset[int]
    mine: Entry | None
    gone: Entry | None
    tables: tuple[TableLine, ...]
    rows: tuple[Row, ...]
    log: tuple[Message, ...]
    seals: tuple[str, ...] = ()
    circle: CircleName | None = None
    begins_at: float | None = None

    @property
    def reserves(self) -> tuple[Entry, ...]:
        """The reserve list."""
        return self._with("reserve")

    @property
    def staying(self) -> tuple[Entry, ...]:
        """Whoever the organiser can take off the list."""
        return self._with("in", "reserve")

    @property
    def away(self) -> tuple[Entry, ...]:
        """Whoever left a tournament that has begun, and can be let back in."""
        return self._with("bot", "left") if self.held.stages else ()

    @property
    def helping(self) -> tuple[Entry, ...]:
        """The other people who help to organise."""
        return tuple(entry for entry in self.other_people if entry.number in self.helpers)

    @property
    def not_helping(self) -> tuple[Entry, ...]:
        """The other people who do not."""
        return tuple(entry for entry in self.other_people if entry.number not in self.helpers)

    @property
    def other_people(self) -> tuple[Entry, ...]:
        """The entries that are people, without this one."""
        own = self.mine.number if self.mine else 0
        return tuple(entry for entry in self.held.entries if entry.number in self.people and entry.number != own)

    def _with(self, *statuses: str) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.held.entries if entry.status in statuses)

    @property
    def my_table(self) -> TableLine | None:
        """The table that waits for this person."""
        return next((table for table in self.tables if table.is_mine and not table.scores), None)

    @property
    def may_enter(self) -> bool:
        """Whether this person can sign up, be it for the reserve list."""
        held, plan = self.held, self.held.plan
        late = len(held.stages) >= plan.late_until
        full = len(held.active) >= plan.players
        return self.mine is None and not held.over and (full or not late or plan.drop_out == "reserve")

    @property
    def no_start(self) -> str:
        """Why the organiser cannot start the next stage now; empty if he can, or while one is being played."""
        return "" if self.held.stage or self.held.over else why_no_start(self.held)

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams that have room."""
        plan = self.held.plan
        members = [entry.team for entry in self.held.active]
        return tuple(t for t in dict.fromkeys(members) if plan.teams and members.count(t) < plan.teams.size)

    @property
    def grid(self) -> tuple[tuple[int, ...], ...]:
        """How often each entry met each other."""
        return meetings.grid(self.held)

    @property
    def seatings(self) -> tuple[Message, ...]:
        """What each stage's seating achieved, in words."""
        return tuple(achieved(self.held, stage.number).sentence for stage in self.held.stages)
