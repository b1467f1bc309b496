"""Random evenings of a pub: walk-ins, late entries, people moved, tables that play again, results put right stages
later, people who go home; and the same evening reckoned anew from its log by other means than the fold."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import json

from snug.tournament import fold
from snug.tournament.events import (
    Adjusted,
    Annulled,
    AnyLogEvent,
    Corrected,
    Entered,
    Moved,
    Reinstated,
    Returned,
    StageClosed,
    StageSeated,
    TableFinished,
    Withdrew,
)
from snug.tournament.plan import Award, Format, PaperGame, Plan, StagePlan
from tests.tournament.random_tournaments import Moment, Organiser

PLACES = 40
_AT_ROBIN = 12
_RELOADED = 0.03


class Evening(Organiser):
    """An evening in new company, or of a Swiss system, in which everything is disturbed often, and read again from what
    is stored now and then."""

    def moments(self) -> Iterator[Moment]:
        for moment in super().moments():
            yield moment
            if self.chance.random() < _RELOADED:
                stored = json.decode(json.encode(self.now.log), type=tuple[AnyLogEvent, ...])
                self.now = fold.fold(self.now.stated or self.now.plan, stored)

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.game = self.paper.choice(("lucky_paw", PaperGame("Darts", lowest_wins=True)))
        stage = StagePlan(self.game, {}, 4, 2, 5)
        kind: Format = self.chance.choice(("rotating", "swiss", "round_robin"))
        plan = Plan(
            format=kind,
            stages=(stage,) * self.chance.randint(2, 4),
            players=_AT_ROBIN if kind == "round_robin" else PLACES,
            missed=Award("worst"),
            late_until=1 if kind == "round_robin" else 2,
            ties=(),
        )
        self.now = fold.begin(plan)
        self.steps = 0
        self.restless = 0.4


class Reckoning:
    """Points by the log alone: what became of everybody at each stage, and how every table ended at last."""

    def __init__(self, log: Sequence[AnyLogEvent]) -> None:
        self.here = dict[int, bool]()
        self.tables = list[list[list[int]]]()
        self.ends = list[list[tuple[int, ...] | None]]()
        self.fates = list[dict[int, str]]()
        self.extra = dict[int, Fraction]()
        self.out, self.gone = set[int](), set[int]()
        self.put_away = dict[int, tuple[tuple[int, ...] | None, set[int]]]()
        for line in log:
            self._read(line)

    def _read(self, line: AnyLogEvent) -> None:
        match line:
            case Entered(entry=number):
                self.here[number] = True
                for fates in self.fates[: self._closed]:
                    fates.setdefault(number, "missed")
            case Withdrew(entry=number):
                self.here[number] = False
                if self._plays(number):
                    self.gone.add(number)
            case Returned(entry=number):
                self.here[number] = True
                if self._plays(number):
                    self.gone.discard(number)
                for fates in self.fates[: self._closed]:
                    fates.setdefault(number, "missed")
            case StageSeated(tables=tables, sitting_out=out):
                self.tables.append([[*table] for table in tables])
                self.ends.append([None] * len(tables))
                self.fates.append({})
                self.out, self.gone, self.put_away = set(out), set(), {}
            case TableFinished(table=at, places=places):
                self.ends[-1][at - 1] = places
                self.put_away.pop(at, None)
            case Corrected(table=at, places=places, stage=stage):
                self.ends[(stage or len(self.ends)) - 1][at - 1] = places
            case Annulled(table=at):
                ended, left = self.ends[-1][at - 1], {n for n in self.tables[-1][at - 1] if not self.here[n]}
                before, earlier = self.put_away.get(at, (None, set()))
                self.put_away[at] = ended or before, (left - self.gone) | earlier
                self.gone |= left
                self.ends[-1][at - 1] = None
            case Reinstated(table=at):
                self.ends[-1][at - 1], came_to_nothing = self.put_away.pop(at)
                self.gone -= came_to_nothing
            case Moved():
                self._move(line)
            case Adjusted(entry=number, points=points):
                self.extra[number] = self.extra.get(number, Fraction(0)) + Fraction(str(points))
            case StageClosed():
                self._close()
            case _:
                pass

    @property
    def _closed(self) -> int:
        return sum(bool(fates) for fates in self.fates)

    def _plays(self, number: int) -> bool:
        if self._closed == len(self.tables):
            return False
        tables = zip(self.tables[-1], self.ends[-1], strict=True)
        return number in self.out or any(number in seats and not end for seats, end in tables)

    def _move(self, line: Moved) -> None:
        tables = self.tables[-1]
        was = next((seats for seats in tables if line.entry in seats), None)
        to = next(seats for seats in tables if line.swap in seats) if line.swap else tables[line.table - 1]
        for at, seats in enumerate(tables, 1):
            if seats is was or seats is to:
                self.put_away.pop(at, None)
        if was is not None and line.swap:
            here, there = was.index(line.entry), to.index(line.swap)
            was[here], to[there] = line.swap, line.entry
            return
        if was is not None:
            was.remove(line.entry)
        self.out.discard(line.entry)
        to.append(line.entry)

    def _close(self) -> None:
        fates, seated = self.fates[-1], {number for seats in self.tables[-1] for number in seats}
        known = {number for earlier in self.fates for number in earlier} | seated | self.out | self.gone
        for number, here in self.here.items():
            if number in self.gone:
                fates[number] = "left"
            elif number in seated:
                fates[number] = "played"
            elif number in self.out:
                fates[number] = "sat out"
            elif here:
                fates[number] = "missed"
            elif number in known:
                fates[number] = "left"

    def by_stage(self) -> list[dict[int, Fraction]]:
        """What every closed stage was worth to everybody."""
        found = list[dict[int, Fraction]]()
        for tables, ends, fates in zip(self.tables, self.ends, self.fates, strict=True):
            if not fates:
                continue
            own = dict[int, Fraction]()
            for seats, places in zip(tables, ends, strict=True):
                assert places
                for number, place in zip(seats, places, strict=True):
                    ahead = sum(place < other for other in places)
                    level = sum(place == other for other in places) - 1
                    own[number] = Fraction(2 * ahead + level, 2 * (len(seats) - 1))
            worth = {
                "sat out": sum(own.values(), Fraction(0)) / len(own),
                "missed": min(own.values()),
                "left": Fraction(0),
            }
            found.append({number: own[number] if fate == "played" else worth[fate] for number, fate in fates.items()})
        return found

    def points(self) -> dict[int, Fraction]:
        """What everybody came to."""
        totals = dict[int, Fraction]()
        for stage in self.by_stage():
            for number, got in stage.items():
                totals[number] = totals.get(number, Fraction(0)) + got
        return {number: total + self.extra.get(number, 0) for number, total in totals.items()}
