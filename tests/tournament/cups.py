"""Random knockouts and groups before one, and who goes on reckoned anew from the log by other means than the fold."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from snug.tournament import fold
from snug.tournament.events import AnyLogEvent, Corrected, DeviceChanged, StageClosed, StageSeated, Withdrew
from snug.tournament.plan import Format, Groups, Plan, StagePlan
from tests.tournament.evenings import PLACES, Evening, Reckoning


class CupEvening(Evening):
    """An evening that sends people home; all who are level for the last place go on."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        inside = self.chance.randint(1, 2)
        stage = StagePlan(self.game, {}, self.chance.randint(2, 4), 2, 5)
        has_groups = self.chance.random() < 0.5
        kind: Format = "groups" if has_groups else self.chance.choice(("knockout", "double_elimination"))
        if kind == "double_elimination":
            stage = StagePlan(self.game, {}, 2)
        plan = Plan(
            format=kind,
            stages=(stage,) * (inside + 1),
            players=PLACES,
            groups=Groups(self.chance.randint(2, 4), inside, self.chance.randint(1, 2)) if has_groups else None,
            advance=self.chance.randint(1, max(1, stage.size - 1)),
            cut="shared",
            ties=(),
        )
        self.now = fold.begin(plan)


class CupReckoning(Reckoning):
    """Besides the points: who goes on from each stage, compared with who was seated, and how far everybody came."""

    def __init__(self, plan: Plan, log: Sequence[AnyLogEvent]) -> None:
        self.plan, self.inside = plan, plan.groups.stages if plan.groups else 0
        self.group = dict[int, int]()
        self.going: set[int] | None = None
        self.at_close = dict[int, bool]()
        self.since = set[int]()
        self.extra_then = dict[int, Fraction]()
        self.seated_as_reckoned = 0
        self.last = dict[int, int]()
        self.lives = 2 if plan.format == "double_elimination" else 1
        self.lost, self.lost_before = dict[int, int](), dict[int, int]()
        super().__init__(log)

    def _read(self, line: AnyLogEvent) -> None:
        if isinstance(line, StageSeated):
            self._seat(line)
        super()._read(line)
        match line:
            case Withdrew(entry=number) | DeviceChanged(entry=number):
                self.since.add(number)
            case Corrected(stage=stage) if stage and self._closed == len(self.tables):
                anew = self._through()
                lost = self._losses(anew or ())
                if anew is not None and all(n in anew or lost.get(n, 2 - self.lives) < self.lives for n in self.since):
                    self.going, self.lost = anew, lost  # nobody has come or gone who would not have gone on
            case StageClosed():
                self.at_close, self.since, self.extra_then = dict(self.here), set(), dict(self.extra)
                for number in (n for n, fate in self.fates[-1].items() if fate in ("played", "sat out", "left")):
                    if number in self.out or any(number in seats for seats in self.tables[-1]):
                        self.last[number] = len(self.tables)
                self.going, self.lost_before = self._through(), self.lost
                self.lost = self._losses(self.going or ())
            case _:
                pass

    def _seat(self, line: StageSeated) -> None:
        for at, group in enumerate(line.groups):
            self.group |= dict.fromkeys(group, at)
        if self.going is None:
            return
        seated = {number for table in line.tables for number in table} | {*line.sitting_out}
        wanted = self._wanted() if self.lives > 1 else {number for number in self.going if self.here[number]}
        assert wanted <= seated, (wanted, seated)
        assert seated == wanted or len(seated) == 2 > len(wanted), (wanted, seated)  # the best of the others fill it
        self.lost |= dict.fromkeys(seated - wanted, self.lives - 1)
        self.seated_as_reckoned += 1

    def _losses(self, going: Collection[int]) -> dict[int, int]:
        """The tables lost with the stage closed last, from which these went on."""
        lost = dict(self.lost_before)
        for number in (number for seats in self.tables[-1] for number in seats):
            if self.at_close[number] and number not in going:
                lost[number] = lost.get(number, 0) + 1
        return lost

    def _wanted(self) -> set[int]:
        """Who plays next where there are two halves, or has a bye."""
        upper, lower = ({n for n, here in self.here.items() if here and self.lost.get(n, 0) == k} for k in (0, 1))
        if len(lower) > len(upper) and len(lower) > 1:
            return lower
        if len(lower) == 1 == len(upper):
            return upper | lower
        return {number for half in (upper, lower) if len(half) > 1 for number in half} or upper | lower

    def _close(self) -> None:
        super()._close()
        if len(self.tables) > self.inside:  # who is not there has no part in a knockout
            at_it = {number for seats in self.tables[-1] for number in seats} | self.out | self.gone
            self.fates[-1] = {number: fate for number, fate in self.fates[-1].items() if number in at_it}

    def _through(self) -> set[int] | None:
        """Who goes on from the stage closed last; None where it sends nobody home."""
        done = self._closed
        if done < self.inside:
            return None
        if done == self.inside and self.plan.groups:
            return self._best_of_groups(self.plan.groups.through)
        if self.lives == 1 and len(self.tables[-1]) == 1 and not self.out:
            return None
        going = {number for number in self.out if self.at_close[number]}
        for seats, places in zip(self.tables[-1], self.ends[-1], strict=True):
            assert places
            staying = sorted((place, n) for n, place in zip(seats, places, strict=True) if self.at_close[n])
            going |= _with_level(staying, min(self.plan.advance, len(seats) - 1))
        return going

    def _best_of_groups(self, count: int) -> set[int]:
        stages = self.by_stage()
        total = {
            n: sum((s.get(n, Fraction(0)) for s in stages), self.extra_then.get(n, Fraction(0))) for n in self.here
        }
        going = set[int]()
        for group in {*self.group.values()}:
            staying = [number for number, own in self.group.items() if own == group and self.at_close[number]]
            going |= _with_level(sorted((-total[number], number) for number in staying), count)
        return going

    def ranks(self) -> dict[int, tuple[Fraction, ...]]:
        """What places everybody, the least first: how far they came, their points there, all their points."""
        stages, totals = self.by_stage(), self.points()
        found = dict[int, tuple[Fraction, ...]]()
        for number, total in totals.items():
            last = max(self.last.get(number, 0), self.inside)
            there = stages[last - 1].get(number, Fraction(0)) if last > self.inside else Fraction(0)
            lost = Fraction(self.lost.get(number, 0) if self.here[number] else self.lives)
            found[number] = (lost,) * (self.lives - 1) + (Fraction(-last), -there, -total)
        return found


def _with_level(staying: list[tuple[int, int]] | list[tuple[Fraction, int]], count: int) -> set[int]:
    """The first so many, and who is level with the last of them."""
    if count >= len(staying):
        return {number for _, number in staying}
    return {number for mark, number in staying if mark <= staying[count - 1][0]}
