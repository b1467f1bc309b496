"""Points of a stage, exact to the fraction, so that nobody is ahead by a rounding error."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from snug.tournament.plan import Award, Plan, Teams
from snug.tournament.state import Score, Stage, Table
from snug.words import figures

Points = dict[int, Fraction]
NOTHING = Fraction(0)
_PARTS: Final = {
    Fraction(over, under): sign
    for over, under, sign in (
        (1, 2, "½"), (1, 3, "⅓"), (2, 3, "⅔"), (1, 4, "¼"), (3, 4, "¾"), (1, 6, "⅙"), (5, 6, "⅚"),
        (1, 8, "⅛"), (3, 8, "⅜"), (5, 8, "⅝"), (7, 8, "⅞"),
    )
}  # fmt: skip


def exact(number: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(str(number))


def share_beaten(ranks: Sequence[float]) -> tuple[Fraction, ...]:
    """For each, the share of the others whom he beat, ties halved; the lower rank beats the higher."""
    others = len(ranks) - 1
    return tuple(
        Fraction(2 * sum(rank < other for other in ranks) + sum(rank == other for other in ranks) - 1, 2 * others)
        for rank in ranks
    )


def stage_points(plan: Plan, stage: Stage) -> Points:
    """What everybody at the tables of a finished stage scored.

    `beaten`: the share of the opponents beaten: the others at the table, or, with the same deal at every table, those
    who had the same seat at a table of as many. Raw: the game's own score."""
    points: Points = {}
    low_wins = plan.stage(stage.number).low_wins
    for alike in _alike(plan, stage):
        if plan.points == "raw":
            points |= {n: exact(s) for table in alike for n, s in zip(table.seats, table.scores, strict=True)}
        elif len(alike) > 1:
            for seat in range(len(alike[0].seats)):
                scores = [table.scores[seat] for table in alike]
                shares = share_beaten(scores if low_wins else [-score for score in scores])
                points |= {table.seats[seat]: share for table, share in zip(alike, shares, strict=True)}
        else:
            (table,) = alike
            points |= zip(table.seats, share_beaten(table.places), strict=True)
    return points


def _alike(plan: Plan, stage: Stage) -> Iterable[Sequence[Table]]:
    """Tables that are compared with one another: alone, or all of one size where they had the same deal. A final and
    a small one are not: each has places of its own to give."""
    if not plan.same_deal or stage.small_final:
        return [(table,) for table in stage.tables]
    by_size: dict[int, list[Table]] = defaultdict(list)
    for table in stage.tables:
        by_size[len(table.seats)].append(table)
    return by_size.values()


def award(rule: Award, field: Sequence[Fraction], own: Sequence[Fraction], low_wins: bool) -> Fraction:
    """What somebody gets who did not play a stage: `field` is what the others scored, `own` his stages so far."""
    if rule.rule == "fixed":
        return exact(rule.points)
    if rule.rule == "worst":
        return max(field) if low_wins else min(field)
    values = own if rule.rule == "own" and own else field
    return sum(values, NOTHING) / len(values)


def forfeit(field: Sequence[Fraction], low_wins: bool) -> Fraction:
    """What a stage is worth to somebody who has left: nothing, or the worst score where nothing would be better."""
    return max(NOTHING, *field) if low_wins else min(NOTHING, *field)


def missed_score(plan: Plan, stage: Stage) -> Score:
    """What a closed stage is worth to somebody who came later."""
    return Score(award(plan.missed, tuple(stage.points.values()), (), plan.low_wins), "missed")


def team_points(teams: Teams, members: Sequence[Fraction], low_wins: bool) -> Fraction:
    """A team's stage from its members' points."""
    best_first = sorted(members, reverse=not low_wins)
    if teams.score == "scramble":
        return best_first[0]
    if teams.score == "weakest":
        return best_first[-1]
    counted = best_first[: teams.best] if teams.score == "best" else best_first
    total = sum(counted, NOTHING)
    return total / len(members) if teams.score == "mean" else total


def shown(points: Fraction, unlike: Fraction | None = None) -> str:
    """Points as people write them: 1⅓, 2½, else to two decimals; to more where `unlike` would look the same."""
    whole, part = divmod(abs(points), 1)
    if not part or part in _PARTS:
        return f"{'−' * (points < 0)}{whole or '' if part else whole}{_PARTS.get(part, '')}"
    return figures(decimal(points, unlike, 2))


def decimal(points: Fraction, unlike: Fraction | None = None, least: int = 3) -> str:
    """Points as machines read them, to three decimals, or so many at `least`."""
    for digits in range(least, 12):
        text = f"{float(points):.{digits}f}".rstrip("0").rstrip(".")
        if unlike is None or unlike == points or text != f"{float(unlike):.{digits}f}".rstrip("0").rstrip("."):
            break
    return "0" if text == "-0" else text
