"""Random tournaments of random plans: people come late, leave, come back and are replaced while tables play."""

import random
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from snug.engine.game import BadSetup
from snug.tournament import fold
from snug.tournament.acts.play_offs import owed
from snug.tournament.events import (
    Adjusted,
    Annulled,
    AnyLogEvent,
    Corrected,
    DeviceChanged,
    Ended,
    Entered,
    Moved,
    PlayedOff,
    Reinstated,
    Replaced,
    Returned,
    Seeded,
    StageClosed,
    TableFinished,
    Wished,
    Withdrew,
)
from snug.tournament.plan import Award, Format, Groups, PaperGame, Plan, StagePlan, Teams
from snug.tournament.seating import seat_stage
from snug.tournament.state import EventRefused, Tournament

Moment = tuple[Tournament, AnyLogEvent, Tournament]
SEATS = {"lucky_paw": (2, 6), "lives": (2, 8), "life": (2, 8), "liverpool": (3, 8), "follow_the_leader": (2, 5)}


def result(chance: random.Random, seats: int, low_wins: bool) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Scores with ties and halves, and the places they make."""
    scores = tuple(chance.choice((0, 1, 2.5, 3, 7)) for _ in range(seats))
    marks = scores if low_wins else tuple(-score for score in scores)
    return scores, tuple(1 + sum(other < mark for other in marks) for mark in marks)


def random_plan(chance: random.Random) -> Plan:
    """Any plan that can be held."""
    while True:
        try:
            plan = _any_plan(chance)
            fold.begin(plan)
        except BadSetup:
            continue
        return plan


def _any_plan(chance: random.Random) -> Plan:
    game = chance.choice([*SEATS])
    stages = []
    for _ in range(chance.randint(1, 6)):
        low, high = SEATS[game]
        fewest = chance.randint(low, min(4, high))
        size = chance.randint(fewest, min(5, high))
        most = chance.choice((size, high))
        stages.append(StagePlan(game, {}, size, fewest, most))
        game = chance.choice([game, *SEATS])
    knockout: Any = {"late_until": 1, "advance": chance.randint(1, 2), "third_place": chance.random() < 0.5}
    inside = chance.randint(1, len(stages))
    groups: Any = {
        **knockout,
        "groups": Groups(chance.randint(2, 4), inside, chance.randint(1, 3)),
        "late_until": chance.randint(1, inside),
    }
    others: Any = {"late_until": chance.randint(1, len(stages)), "counts": chance.choice(("all", "all", "last"))}
    teams = Teams(chance.randint(2, 4), chance.choice(("scramble", "weakest", "sum", "mean", "best")), 2)
    kind: Format = chance.choice(("series", "rotating", "rotating", "swiss", "knockout", "groups", "groups"))
    halves = kind == "knockout" and chance.random() < 0.5
    if halves:
        kind = "double_elimination"
    return Plan(
        format=kind,
        stages=tuple(replace(one, size=2, fewest=2) for one in stages) if halves else tuple(stages),
        players=chance.randint(4, 8 if kind == "series" else 12 if halves else 24),
        points=chance.choice(("beaten", "beaten", "raw")),
        same_deal=chance.random() < 0.3,
        teams=teams if kind in ("series", "rotating", "swiss") and chance.random() < 0.3 else None,
        sit_out=Award(chance.choice(("field", "own", "fixed")), 0.25),
        missed=Award(chance.choice(("field", "worst", "fixed")), 0.25),
        drop_out=chance.choice(("bot", "reserve", "frozen")),
        cut=chance.choice(("standings", "standings", "play_off", "lot", "shared")),
        ties=tuple(chance.sample(("wins", "head_to_head", "strength", "countback"), chance.randint(0, 4))),
        **{"knockout": knockout, "groups": groups, "double_elimination": {}}.get(kind, others),
    )


def with_another_game(plan: Plan, chance: random.Random) -> Plan:
    """The same where Snug does not know one of the games."""
    game = chance.choice(plan.stages).game
    stages = tuple(
        replace(stage, game=PaperGame("Darts", stage.low_wins)) if stage.game == game else stage
        for stage in plan.stages
    )
    drop_out = "frozen" if plan.drop_out == "bot" else plan.drop_out
    return replace(plan, stages=stages, same_deal=False, drop_out=drop_out)


class Organiser:
    """Lets a tournament happen; what is refused is tried in vain."""

    def __init__(self, number: int) -> None:
        self.chance, self.whim = random.Random(number), random.Random(f"{number}/whim")
        self.paper = random.Random(f"{number}/paper")
        plan = random_plan(self.chance)
        self.now = fold.begin(plan if number % 5 else with_another_game(plan, self.paper))
        self.refusals: list[EventRefused] = []
        self.steps = self.chance.choice((0, 0, 0, 0, 0, 0, 0, 100))
        self.restless = self.chance.choice((0, 0.1, 0.35))

    def moments(self) -> Iterator[Moment]:
        """Everything that happens, with the tournament before and after it."""
        plan, chance = self.now.plan, self.chance
        most = plan.players + (4 if chance.random() < 0.3 else 0)
        size = plan.teams.size if plan.teams else 1
        for entry in range(chance.randint(min(4, plan.players), most) // size * size):
            team = f"T{entry // size}" if plan.teams else ""
            yield from self.happens(Entered(entry + 1, f"P{entry + 1}", team, chance.random() < 0.1))
        for _ in range(60):
            if self.now.over:
                break
            yield from self.disturbed()
            try:
                seating = seat_stage(self.now, "seed", steps=self.steps)
            except EventRefused:
                break
            before, self.now = self.now, fold.apply(self.now, seating)
            yield before, seating, self.now
            yield from self.stage()
        yield from self.happens(Adjusted(1, chance.choice((-1.5, 0.5)), "for the song"))
        yield from self.happens(Ended("it is late"))

    def stage(self) -> Iterator[Moment]:
        """All tables, in any order."""
        stage = self.now.stages[-1]
        tables = [*range(1, len(stage.tables) + 1)]
        self.chance.shuffle(tables)
        low_wins = self.now.plan.stage(stage.number).low_wins
        for table in tables:
            yield from self.disturbed()
            one = self.now.stages[-1].tables[table - 1]
            seats = len(one.seats)
            source: Any = self.chance.choice(("paper", "organiser")) if one.on_paper else "screen"
            yield from self.happens(TableFinished(table, *result(self.chance, seats, low_wins), source))
            if self.chance.random() < 0.05:
                yield from self.happens(Corrected(table, *result(self.chance, seats, low_wins), "misread"))
            if self.restless and self.chance.random() < 0.05:
                yield from self.happens(Annulled(table, "the cards were marked"))
                yield from self.happens(Reinstated(table)) if self.chance.random() < 0.5 else ()
        yield from self.disturbed()
        yield from self.played_again(low_wins)
        while waiting := owed(self.now):
            for one in waiting:
                yield from self.happens(
                    PlayedOff(one.place, one.entries, *result(self.chance, len(one.entries), low_wins))
                )
        yield from self.happens(StageClosed())
        if self.chance.random() < 0.3:
            yield from self.corrected_later()

    def played_again(self, low_wins: bool) -> Iterator[Moment]:
        """Tables that were annulled have their result."""
        for at, table in enumerate(self.now.stages[-1].tables, 1):
            if not table.result:
                source: Any = "organiser" if table.on_paper else "screen"
                yield from self.happens(TableFinished(at, *result(self.chance, len(table.seats), low_wins), source))

    def corrected_later(self) -> Iterator[Moment]:
        """A result of a closed stage was another one."""
        for stage in self.chance.sample(self.now.closed, min(1, len(self.now.closed))):
            table = self.chance.randint(1, len(stage.tables))
            low_wins = self.now.plan.stage(stage.number).low_wins
            given = result(self.chance, len(stage.tables[table - 1].seats), low_wins)
            yield from self.happens(Corrected(table, *given, "misread", stage.number))

    def disturbed(self) -> Iterator[Moment]:
        """People come and go, and the organiser says something of them."""
        if self.restless and self.whim.random() < 0.2:
            yield from self.happens(self.of_the_field())
        while self.chance.random() < self.restless:
            if self.chance.random() < 0.1:
                yield from self.corrected_later()
            some = self.chance.randint(1, max(1, len(self.now.entries)))
            number = len(self.now.entries) + 1
            team = self.chance.choice(self.now.entries).team if self.now.entries else ""
            reserves = [entry.number for entry in self.now.entries if entry.status == "reserve"] or [some]
            yield from self.happens(
                self.chance.choice(
                    (
                        Withdrew(some),
                        Returned(some),
                        Entered(number, f"P{number}", team),
                        Entered(number, f"P{number}", team, by_organiser=True),
                        DeviceChanged(some, self.chance.random() < 0.5),
                        Replaced(some, self.chance.choice(reserves)),
                        Adjusted(some, 1, "for the song"),
                        self.at_tables(some),
                    )
                )
            )

    def of_the_field(self) -> AnyLogEvent:
        """Who is said to be better, or is to sit apart or together."""
        numbers = range(1, len(self.now.entries) + 2)
        named = tuple(self.whim.sample(numbers, min(len(numbers), self.whim.randint(0, 4))))
        if self.now.stages or self.whim.random() < 0.3:
            return Wished(named, self.whim.choice(("apart", "together", "none")))
        return Seeded(named)

    def at_tables(self, entry: int) -> AnyLogEvent:
        """What an organiser does in the hall."""
        stage = self.now.stage
        if stage is None or self.chance.random() < 0.1:
            return self.chance.choice((Moved(entry, 1), Annulled(1, "the cards were marked"), Reinstated(2)))
        for at, one in enumerate(stage.tables, 1):
            if one.annulled and self.chance.random() < 0.5:
                return Reinstated(at)
        table = self.chance.randint(1, len(stage.tables))
        if self.chance.random() < 0.3:
            return Annulled(table, "the cards were marked")
        some = self.chance.choice((entry, self.chance.choice(stage.players)))
        swap = self.chance.choice((0, self.chance.choice(stage.players)))
        return Moved(some, 0 if swap else table, swap)

    def happens(self, event: AnyLogEvent) -> list[Moment]:
        """One event, if it can be."""
        before = self.now
        try:
            self.now = fold.apply(before, event)
        except EventRefused as refusal:
            self.refusals.append(refusal)
            return []
        return [(before, event, self.now)]
