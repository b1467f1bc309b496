"""The standings while a stage is played: as they would be if what is finished stood and the rest were left open."""

from fractions import Fraction
from typing import Final

import msgspec
from msgspec.structs import replace

from snug.tournament import stages
from snug.tournament.events import StageClosed
from snug.tournament.lines import StandingsRow
from snug.tournament.points import NOTHING, Points
from snug.tournament.standings import standings
from snug.tournament.state import Score, Stage, Tournament

_MOST: Final = Fraction(1)  # what a stage is worth to who beats everybody
_BY_POINTS: Final = ("series", "rotating", "swiss", "round_robin")


class SoFar(msgspec.Struct, frozen=True):
    """Who would stand where, and between which places each line can still end when the stage is closed, if nothing is
    corrected; empty where nobody can tell."""

    lines: tuple[StandingsRow, ...]
    spans: tuple[tuple[int, int], ...] = ()


def so_far(tournament: Tournament) -> SoFar | None:
    """The standings with what is done of the stage being played; None where there is nothing of the kind, and while
    other tables still play the same deal: scores would tell them something of it."""
    stage = tournament.stage
    if stage is None or not any(table.result for table in stage.tables):
        return None
    if tournament.plan.same_deal and not stage.finished:
        return None
    waiting = tuple(number for table in stage.tables if not table.result for number in table.seats)
    # Who still plays is taken as sitting out, which knocks nobody out, and gets nothing for it
    done = tuple(table for table in stage.tables if table.result)
    shortened = replace(stage, tables=done, sitting_out=(*stage.sitting_out, *waiting), lot_seal="")
    closed = stages.stage_closed(tournament.with_stage(shortened), StageClosed())
    for number in waiting:  # nobody goes out of a group before the last table of it is done
        closed = closed.with_entry(tournament.entry(number))
    plays_on = tournament.plan.drop_out == "bot"
    open_to = tuple(n for n in waiting if plays_on or not (n in stage.absent or n in stage.bots))
    lines = standings(_with(closed, dict.fromkeys(open_to)))
    plan = tournament.plan
    if not waiting or plan.points != "beaten" or plan.format not in _BY_POINTS:
        return SoFar(lines)
    can_fall = _falling(closed.stages[-1], tournament)
    least = _points(_with(closed, dict.fromkeys((*waiting, *can_fall), NOTHING)))
    most = _points(_with(closed, dict.fromkeys(waiting, _MOST)))
    return SoFar(lines, tuple(_span(line, least, most) for line in lines))


def _with(closed: Tournament, given: dict[int, Fraction | None]) -> Tournament:
    """The tournament if the stage was worth this to some (None: it is not known yet)."""
    stage = closed.stages[-1]
    scores = {number: score for number, score in (stage.scores or {}).items() if number not in given}
    scores |= {number: Score(points, "played") for number, points in given.items() if points is not None}
    return closed.with_stage(replace(stage, scores=scores))


def _falling(stage: Stage, tournament: Tournament) -> tuple[int, ...]:
    """Those who get as much as the last of the stage, who may be somebody else in the end."""
    rules = {"sat_out": tournament.plan.sit_out.rule, "missed": tournament.plan.missed.rule}
    scores = (stage.scores or {}).items()
    return tuple(number for number, score in scores if rules.get(score.kind) == "worst")


def _points(tournament: Tournament) -> Points:
    """Everybody's points, or every team's by its first member."""
    return {line.entries[0]: line.points for line in standings(tournament)}


def _span(line: StandingsRow, least: Points, most: Points) -> tuple[int, int]:
    mine = line.entries[0]
    ahead = sum(points > most[mine] for other, points in least.items() if other != mine)
    perhaps = sum(points >= least[mine] for other, points in most.items() if other != mine)
    return 1 + ahead, 1 + perhaps
