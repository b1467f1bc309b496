"""Play-offs: one deal more among those who are level for the last place that goes on, or for the first of a final."""

import msgspec
from msgspec.structs import replace

from snug.tournament import events as log
from snug.tournament.acts.cuts import fields
from snug.tournament.stages import check_result, scored
from snug.tournament.state import EventRefused, PlayOff, Stage, Tournament
from snug.words import listed


class Owed(msgspec.Struct, frozen=True):
    """A play-off to be played before the stage is closed, at a table or in a group, by these. `scores`: so it ended."""

    place: int
    entries: tuple[int, ...]
    scores: tuple[float, ...] = ()


def contested(tournament: Tournament) -> tuple[Owed, ...]:
    """The play-offs of the stage being played: those that are over, which can be put right, and those still owed."""
    stage = tournament.stage
    over = []
    for one in stage.play_offs if stage else ():
        scores = dict(zip(one.ranks, one.scores, strict=True))
        numbers = tuple(sorted(scores))
        over.append(Owed(one.place, numbers, tuple(scores[number] for number in numbers)))
    return (*over, *owed(tournament))


def owed(tournament: Tournament) -> tuple[Owed, ...]:
    """The play-offs that the stage being played waits for, once every table has its result."""
    stage = tournament.stage
    if tournament.plan.cut != "play_off" or stage is None or not stage.finished:
        return ()
    if stage.is_final:
        return _of_final(tournament, stage)
    found = fields(tournament, scored(tournament, stage))
    return tuple(Owed(field.place, tuple(sorted(field.level))) for field in found if field.level)


def _of_final(tournament: Tournament, stage: Stage) -> tuple[Owed, ...]:
    table = stage.tables[0]
    staying = [number for number, place in zip(table.seats, table.places, strict=True) if place == 1]
    staying = [number for number in staying if tournament.entry(number).active]
    for play_off in stage.play_offs:
        best = min((play_off.ranks[number] for number in staying if number in play_off.ranks), default=0)
        staying = [number for number in staying if play_off.ranks.get(number) == best] if best else staying
    return (Owed(1, tuple(sorted(staying))),) if len(staying) > 1 else ()


def played_off(tournament: Tournament, event: log.PlayedOff) -> Tournament:
    """A play-off that was owed is over, or one that was is written down anew. Raises EventRefused."""
    stage = tournament.stage
    if stage is None:
        raise EventRefused("NO_STAGE", "No stage is being played: finished ones do not change.")
    earlier = [one for one in stage.play_offs if one.place == event.place]
    same = next((one for one in earlier if set(one.ranks) == set(event.entries)), None)
    if same is None and Owed(event.place, tuple(sorted(event.entries))) not in owed(tournament):
        raise EventRefused("NO_PLAY_OFF", "There is no play-off to be played by these.")
    if not len(event.entries) == len(event.scores) == len(event.places):
        raise EventRefused("BAD_RESULT", "Each who plays off needs a score and a place.")
    check_result(event.scores, event.places)
    before = earlier[: earlier.index(same)] if same else earlier
    others = [one for one in stage.play_offs if one.place != event.place]
    new = PlayOff(event.place, dict(zip(event.entries, event.places, strict=True)), event.scores)
    return tournament.with_stage(replace(stage, play_offs=(*others, *before, new)))


def check_played_off(tournament: Tournament) -> None:
    """Raises EventRefused while the stage waits for a play-off."""
    for one in owed(tournament):
        raise EventRefused(
            "PLAY_OFF",
            "%(names)s are level: one deal more among them decides.",
            names=listed([tournament.name(number) for number in one.entries]),
        )
