"""A tournament at one moment: entries, stages and what follows from them."""

from fractions import Fraction
from typing import Any, Literal

import msgspec

from snug.tournament.events import (
    Adjusted,
    Announced,
    Annulled,
    AnyLogEvent,
    Called,
    Corrected,
    Ended,
    Entrusted,
    Moved,
    Reinstated,
    Replaced,
    SetUpChanged,
    StageClosed,
    StageSeated,
    Withdrew,
)
from snug.tournament.plan import Plan, StagePlan
from snug.words import Message, gettext, worded

Correction = (
    Corrected | Moved | Annulled | Reinstated | Adjusted | Replaced | Ended | Entrusted | Withdrew | SetUpChanged
)
Wishes = dict[tuple[int, int], Literal["apart", "together"]]
_MOST_ROUNDS = 100  # of a round robin, whoever comes and goes
Kind = Literal["played", "bot", "sat_out", "missed", "left"]


class EventRefused(ValueError):
    """Something that cannot happen to this tournament now. `code` for machines, `sentence` for the organiser."""

    def __init__(self, code: str, sentence: str, /, **params: Any) -> None:
        self.code, self.sentence = code, worded(sentence, params)
        super().__init__(self.sentence)


class Score(msgspec.Struct, frozen=True):
    """What a stage was worth to an entry, and why: played, played by a bot, sat out, missed or left."""

    points: Fraction
    kind: Kind


class Entry(msgspec.Struct, frozen=True):
    """One who entered. `bot`: has left, a bot plays on; `out`: knocked out. `missed`: stages closed before the entry.
    `credit`: sit-outs that a late entry is counted to have had, so that it has to catch up one at most. `group`: the
    one that it plays in, from 1; 0 while there is none. `has_device`: it can play on a screen. `losses`: tables of a
    knockout from which it did not go on."""

    number: int
    name: str
    team: str
    status: Literal["in", "bot", "reserve", "left", "out"]
    missed: dict[int, Score] = {}
    credit: int = 0
    group: int = 0
    has_device: bool = True
    losses: int = 0

    @property
    def active(self) -> bool:
        """Whether this entry is to be seated."""
        return self.status in ("in", "bot")


class Result(msgspec.Struct, frozen=True):
    """How a table's match ended, seat by seat."""

    scores: tuple[float, ...]
    places: tuple[int, ...]


class Table(msgspec.Struct, frozen=True):
    """A table of a stage: entries in the order of their seats. `on_paper`: it is played on paper. `annulled`:
    the result that counts no more, while the same people play again, but for those who have `gone` since."""

    seats: tuple[int, ...]
    result: Result | None = None
    on_paper: bool = False
    annulled: Result | None = None
    gone: frozenset[int] = frozenset()

    def seated(self, seats: tuple[int, ...]) -> "Table":
        """The table with others at it, to whom nothing matters that was annulled."""
        return msgspec.structs.replace(self, seats=seats, annulled=None, gone=frozenset())

    @property
    def scores(self) -> tuple[float, ...]:
        """Each seat's score, once there is a result."""
        return self.result.scores if self.result else ()

    @property
    def places(self) -> tuple[int, ...]:
        """Each seat's place, once there is a result."""
        return self.result.places if self.result else ()


class Cut(msgspec.Struct, frozen=True):
    """Two who shared the last place that goes on to the next stage of a knockout, and why one of them does; `table` is
    the group's number where they go on from the groups."""

    table: int
    through: int
    out: int
    sentence: Message


class PlayOff(msgspec.Struct, frozen=True):
    """One deal more among those who were level at a table, or in a group: the place there of each."""

    place: int
    ranks: dict[int, int]
    scores: tuple[float, ...]


class Stage(msgspec.Struct, frozen=True):
    """A stage. `bots`: those for whom a bot played from the start; `absent`: those who left before their part was
    done. Once it is closed, `points` says what every seat scored, whoever had left it, and `scores` what the stage is
    worth to each entry (None until then). The final of a knockout is one table without anybody who sits out; beside it,
    a `small_final` may be played for third place by these. Of a double elimination, the `lower` half had lost before,
    and some may wait. `through` go on to the next stage of a knockout when this one is closed; of a double elimination,
    without a loss. A `lot`, whose `lot_seal` was told before, decides among those who are level, or `play_offs` did.
    The `wishes` are those that its seating was to keep."""

    number: int
    tables: tuple[Table, ...]
    sitting_out: tuple[int, ...] = ()
    deal: str = ""
    bots: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()
    points: dict[int, Fraction] = {}
    scores: dict[int, Score] | None = None
    cuts: tuple[Cut, ...] = ()
    is_final: bool = False
    small_final: frozenset[int] = frozenset()
    lower: frozenset[int] = frozenset()
    through: frozenset[int] = frozenset()
    lot_seal: str = ""
    lot: str = ""
    play_offs: tuple[PlayOff, ...] = ()
    wishes: Wishes = {}

    @property
    def closed(self) -> bool:
        """Whether this stage is finished for good."""
        return self.scores is not None

    @property
    def players(self) -> tuple[int, ...]:
        """Everybody at a table."""
        return tuple(number for table in self.tables for number in table.seats)

    def includes(self, number: int) -> bool:
        """Whether an entry has, or will have, a score of this stage."""
        if self.scores is not None:
            return number in self.scores
        return number in self.sitting_out or number in self.absent or number in self.players

    @property
    def finished(self) -> bool:
        """Whether every table has its result."""
        return all(table.result for table in self.tables)


class Tournament(msgspec.Struct, frozen=True):
    """The plan and what its log came to. `stated`: the plan that the log began with, where it has been changed.
    `seeds`: the order of the field, the best first, as far as the organiser has given one. `wishes`: who is to sit
    apart or together. `effects`: what followed from the lines, by their numbers, that put right a closed stage."""

    plan: Plan
    entries: tuple[Entry, ...] = ()
    stages: tuple[Stage, ...] = ()
    log: tuple[AnyLogEvent, ...] = ()
    stated: Plan | None = None
    seeds: tuple[int, ...] = ()
    wishes: Wishes = {}
    effects: dict[int, tuple[Message, ...]] = {}

    def entry(self, number: int) -> Entry:
        """An entry by its number. Raises EventRefused."""
        if not 1 <= number <= len(self.entries):
            raise EventRefused("NO_ENTRY", "There is no entry %(number)s.", number=number)
        return self.entries[number - 1]

    def name(self, number: int) -> str:
        """An entry's name."""
        return self.entries[number - 1].name

    @property
    def active(self) -> tuple[Entry, ...]:
        """Those who are still in, bots in their place included."""
        return tuple(entry for entry in self.entries if entry.active)

    @property
    def is_full(self) -> bool:
        """Whether whoever comes now is a reserve."""
        return len(self.active) >= self.plan.players

    @property
    def stage(self) -> Stage | None:
        """The stage being played."""
        return self.stages[-1] if self.stages and not self.stages[-1].closed else None

    @property
    def closed(self) -> tuple[Stage, ...]:
        """The finished stages."""
        return tuple(stage for stage in self.stages if stage.closed)

    @property
    def next_plan(self) -> StagePlan:
        """The plan of the stage that is seated next."""
        return self.plan.stage(len(self.stages) + 1)

    @property
    def over(self) -> bool:
        """Whether there is no further stage: the last one is closed, the final decided, or the organiser ended it."""
        if any(isinstance(event, Ended) for event in self.log):
            return True
        if not self.stages or self.stage:
            return False
        if self.plan.format == "round_robin":
            return self._all_met or len(self.stages) >= _MOST_ROUNDS
        if self.plan.is_knockout(len(self.stages)):
            return self.stages[-1].is_final and not self._final_again
        return self.plan.groups is None and len(self.stages) >= len(self.plan.stages)

    @property
    def _final_again(self) -> bool:
        """Whether who lost the last final has lost too little to be out."""
        final = self.stages[-1]
        lost = (self.entry(number) for number in final.players if number not in final.through)
        return self.plan.has_halves and any(entry.active for entry in lost)

    @property
    def _all_met(self) -> bool:
        """Whether each two of those who are in have sat at one table."""
        met = {(a, b) for stage in self.stages for table in stage.tables for a in table.seats for b in table.seats}
        numbers = [entry.number for entry in self.active]
        return all((a, b) in met for a in numbers for b in numbers if a < b)

    @property
    def announcements(self) -> tuple[str, ...]:
        """Everything that was announced, oldest first."""
        return tuple(event.text for event in self.log if isinstance(event, Announced))

    @property
    def call(self) -> tuple[int, Called] | None:
        """What is called out in the hall, with the number of its line: until another stage begins or is closed."""
        for number in range(len(self.log), 0, -1):
            line = self.log[number - 1]
            if isinstance(line, StageSeated | StageClosed):
                return None
            if isinstance(line, Called):
                return (number, line) if line.what != "nothing" else None
        return None

    @property
    def news(self) -> str:
        """What was announced last since the newest stage began; empty if nothing was."""
        for event in reversed(self.log):
            if isinstance(event, Called) and event.what == "last_deal" and self.call and self.call[1] is event:
                return gettext("Last deal: whoever has finished theirs begins no other.")
            if isinstance(event, Announced | StageSeated):
                return event.text if isinstance(event, Announced) else ""
        return ""

    def sat_out(self, number: int) -> int:
        """How often an entry has sat out; a bot's turns are not counted."""
        return sum(number in stage.sitting_out and number not in stage.bots for stage in self.stages)

    def turns(self, number: int) -> int:
        """How often an entry counts as having sat out when it is decided who is next."""
        return self.sat_out(number) + self.entries[number - 1].credit

    def takes_part(self, entry: Entry) -> bool:
        """Whether an entry belongs in the standings: still in, or once seated, sitting out or late."""
        return entry.active or bool(entry.missed) or any(stage.includes(entry.number) for stage in self.stages)

    def with_entry(self, entry: Entry) -> "Tournament":
        """The tournament with this entry, new or changed."""
        at = entry.number - 1
        return msgspec.structs.replace(self, entries=(*self.entries[:at], entry, *self.entries[at + 1 :]))

    def with_stage(self, stage: Stage) -> "Tournament":
        """The tournament with this stage, new or changed, as its last."""
        return msgspec.structs.replace(self, stages=(*self.stages[: stage.number - 1], stage))

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """Everything that the organiser did by hand, oldest first."""
        return tuple(
            event
            for event in self.log
            if isinstance(event, Correction) and not (isinstance(event, Withdrew) and not event.by_organiser)
        )
