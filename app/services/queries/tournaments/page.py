"""A tournament as one person sees it: who is in, what is played, who stands where."""

from collections.abc import Sequence
from typing import Final

import msgspec

from app.services.queries.circles import CircleName
from app.services.queries.tournaments import words
from app.services.queries.tournaments.clock import EveningClock
from app.services.queries.tournaments.lines import Row, SeatLine, TableLine
from app.services.tournaments.conditions import Conditions
from app.storage import models
from snug.tournament import meetings
from snug.tournament.acts.play_offs import Owed, contested
from snug.tournament.entries import may_return
from snug.tournament.events import StageSeated, TableFinished
from snug.tournament.rounds.sizes import small_final_ahead, why_no_start
from snug.tournament.seating import achieved
from snug.tournament.state import Entry, Tournament
from snug.words import Message

_BIG: Final = 16  # tables
_LEADING: Final = 6  # so many of the standings are told beside one's table


class TournamentPage(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament for one pair of eyes: `held` is its plan and what its log came to. `is_organiser` also for those of
    the entries `helpers`, `is_chief` not; `people` are the entries that are no bots. `seals` are the commitments to
    what the stages are dealt from, where all tables of a stage get the same deal. `rows` are the standings of the
    closed stages; while a stage is played `so_far` are those with what is done of it, unless it `is_secret`: until the
    last table is done nothing is told then that could tell a card. `hall` says how the tables are as this person sees
    them: it changes when they do. It may be in the name of a `circle`; it `begins_at` a time, if one is set. `codes`
    are what those say who were put on the list, for organisers; the `clock` is that of an evening that has begun."""

    row: models.Tournament
    held: Tournament
    rules: tuple[Message, ...]
    conditions: Conditions
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
    so_far: tuple[Row, ...] = ()
    is_secret: bool = False
    hall: str = ""
    own: frozenset[int] = frozenset()
    circle: CircleName | None = None
    begins_at: float | None = None
    codes: dict[int, str] = {}
    clock: EveningClock | None = None

    def may_write(self, number: int) -> bool:
        """Whether this person may write down how a table of the stage ended, or put it right."""
        table = next((table for table in self.tables if table.number == number), None)
        if table is None or not (table.has_result or table.on_paper):
            return False
        return self.is_organiser or (table.is_mine and not table.has_result)

    def may_annul(self, number: int) -> bool:
        """Whether this person may have a table of the stage play again."""
        stage = self.held.stage
        if stage is None or not self.is_organiser:
            return False
        table = stage.tables[number - 1]
        return table.result is not None if table.on_paper else not stage.deal

    @property
    def play_offs(self) -> tuple[Owed, ...]:
        """The play-offs of the stage being played, over or still owed."""
        return contested(self.held)

    @property
    def is_big_hall(self) -> bool:
        """Whether there are so many tables that what is done with one stands below all of them, not on each card."""
        return len(self.tables) > _BIG

    @property
    def may_move(self) -> bool:
        """Whether this person may move people between the tables of the stage."""
        stage = self.held.stage
        return self.is_organiser and stage is not None and not (stage.is_final or stage.finished)

    @property
    def chairless(self) -> tuple[SeatLine, ...]:
        """Those at no table of the stage whom the organiser may give a chair."""
        stage = self.held.stage
        if stage is None or not self.may_move or self.held.plan.is_knockout(stage.number):
            return ()
        away = {*stage.players, *stage.absent}
        waiting = (entry for entry in self._with("in") if entry.number not in away)
        return tuple(SeatLine(entry.name, entry=entry.number) for entry in waiting)

    @property
    def takes_order(self) -> bool:
        """Whether this person may put the field in order."""
        held = self.held
        return self.is_organiser and not (held.stages or held.over) and held.plan.goes_by_order

    @property
    def may_wish(self) -> bool:
        """Whether this person may say who is to sit apart or together."""
        return self.is_organiser and not self.held.over and self.held.plan.format != "series" and bool(self.held.active)

    def wishes_at(self, seats: Sequence[SeatLine] = ()) -> tuple[tuple[Entry, Entry, str], ...]:
        """Who is to sit apart or together: all, or those of these seats."""
        numbers = {seat.entry for seat in seats}
        entries = self.held.entries
        return tuple(
            (entries[one - 1], entries[other - 1], wish)
            for (one, other), wish in self.held.wishes.items()
            if not numbers or not numbers.isdisjoint((one, other))
        )

    @property
    def seeds(self) -> dict[int, int]:
        """The places of those whom the organiser put in order, from 1, by their entries."""
        return {number: at for at, number in enumerate(self.held.seeds, 1) if self.held.entries[number - 1].active}

    @property
    def in_order(self) -> str:
        """The names of those who are in, one a line: the order of the field as far as there is one, then the others."""
        seeds = self.seeds
        ordered = sorted(self._with("in"), key=lambda entry: seeds.get(entry.number, len(seeds) + 1))
        return "\n".join(entry.name for entry in ordered)

    @property
    def without_device(self) -> tuple[Entry, ...]:
        """Those who are in, or stand by, and have no device."""
        return tuple(entry for entry in self._with("in", "reserve") if not entry.has_device)

    @property
    def standings(self) -> tuple[Row, ...]:
        """Who stands where just now."""
        return self.so_far or self.rows

    @property
    def columns(self) -> tuple[int, ...]:
        """The stages that the standings have points of."""
        return tuple(stage.number for stage in (self.held.stages if self.so_far else self.held.closed))

    @property
    def still_playing(self) -> int:
        """How many tables have no result yet."""
        return sum(not table.has_result for table in self.tables)

    @property
    def is_open(self) -> bool:
        """Whether there is a place for whoever comes."""
        held, plan = self.held, self.held.plan
        return not held.over and len(held.stages) < plan.late_until and len(held.active) < plan.players

    @property
    def takes_bots(self) -> bool:
        """Whether bots could come: they sit at no table on paper."""
        on_paper = self.conditions.paper or self.held.plan.on_paper or bool(self.without_device)
        return self.is_open and not self.held.stage and not on_paper

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
        return next((table for table in self.tables if table.is_mine and not table.has_result), None)

    @property
    def is_my_turn(self) -> bool:
        """Whether that table waits for a move of theirs."""
        return self.my_table is not None and any(seat.acts and seat.entry in self.own for seat in self.my_table.seats)

    @property
    def leaders(self) -> tuple[Row, ...]:
        """Who is in front, as few as fit on a slate: whoever looks is among them."""
        mine = tuple(row for row in self.standings[_LEADING:] if row.is_me)[:1]
        return self.standings[: _LEADING - len(mine)] + mine

    @property
    def newest(self) -> tuple[int, tuple[str, ...]] | None:
        """The table of this stage that was done last, and who won there."""
        stage = None if self.is_secret else self.held.stage
        for event in reversed(self.held.log if stage else ()):
            if isinstance(event, StageSeated):
                break
            if stage and isinstance(event, TableFinished) and stage.tables[event.table - 1].result:
                table = stage.tables[event.table - 1]
                seats = zip(table.seats, table.places, strict=True)
                return event.table, tuple(self.held.name(number) for number, place in seats if place == 1)
        return None

    @property
    def may_enter(self) -> bool:
        """Whether this person can sign up, be it for the reserve list."""
        held, plan = self.held, self.held.plan
        late = len(held.stages) >= plan.late_until
        full = len(held.active) >= plan.players
        is_free = self.mine is None and not self.may_return
        return is_free and not held.over and (full or not late or plan.drop_out == "reserve")

    @property
    def may_return(self) -> bool:
        """Whether this person has left and can take the own place again."""
        return self.gone is not None and may_return(self.held, self.gone.number)

    @property
    def plays_for(self) -> int:
        """The place for which this person, who missed the final, plays next beside it; 0 if for none."""
        playing, place = small_final_ahead(self.held)
        return place if self.mine and self.mine.number in playing else 0

    @property
    def ways(self) -> tuple[Message, ...]:
        """How the games are played, where that has a name."""
        return words.ways(self.held.plan)

    @property
    def turn_clock(self) -> tuple[str, str] | None:
        """The title of the clock at every table and how it runs; None where there is none."""
        return words.turn_clock(self.held.plan, self.conditions)

    @property
    def winners(self) -> tuple[Row, ...]:
        """Whoever has the first place of a tournament that is over."""
        return tuple(row for row in self.rows if row.place == 1) if self.held.over and self.columns else ()

    @property
    def my_row(self) -> Row | None:
        """Where this person ended."""
        return next((row for row in self.rows if row.is_me), None)

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
