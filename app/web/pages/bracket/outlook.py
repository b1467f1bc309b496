"""What comes next in a knockout for one who takes part, and which score wins there."""

from typing import Literal

from snug.tournament.state import Tournament

Outlook = Literal["", "playing", "out", "waiting", "bye", "to_come"]
Best = Literal["", "lowest", "highest"]


def outlook_of(held: Tournament, number: int) -> Outlook:
    """Whether this entry plays now, is out, waits while the other half plays, has a bye, or plays a stage to come:
    whom it meets there is not known yet."""
    stage = held.stage
    if held.over or not number:
        return ""
    if stage and any(number in table.seats and table.result is None for table in stage.tables):
        return "playing"
    if held.entry(number).status == "out":
        return "out"
    if stage is None or number in stage.players:
        return "to_come"
    return "waiting" if held.plan.has_halves and number not in stage.sitting_out else "bye"


def best_score(held: Tournament) -> Best:
    """Which score wins, once there are any; nothing where it differs from stage to stage."""
    told = (stage for stage in held.stages if stage.finished or not held.plan.same_deal)
    scored = any(table.result for stage in told for table in stage.tables)
    ways = {stage.low_wins for stage in held.plan.stages}
    if not scored or len(ways) > 1:
        return ""
    return "lowest" if ways.pop() else "highest"
