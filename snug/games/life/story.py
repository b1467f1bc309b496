"""What happened at a Life table, told turn by turn: for those who were too slow to follow it move by move."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from snug.engine.game import Event
from snug.games.life.events import (
    CardTurned,
    DeckReshuffled,
    JokerPlayed,
    ReachedFor,
    Stolen,
    SuitChosen,
    SuitsRevealed,
    Swept,
)

Log = Sequence[tuple[Event, ...]]


class Step(msgspec.Struct, frozen=True):
    """Something that happened, and its place (from 0) among what one move brought about."""

    event: Event
    beat: int


class Turn(msgspec.Struct, frozen=True):
    """All that came of one turn. `seat` is None for what came before the first; `number` is that of its first move."""

    seat: int | None
    number: int
    steps: tuple[Step, ...]

    def is_worth_telling(self, eye: int | None) -> bool:
        """Whether an ace swept the table, a joker threw everything in, or the seat that looks was robbed."""
        events = [step.event for step in self.steps]
        return any(isinstance(event, Swept | JokerPlayed) for event in events) or any(
            isinstance(event, Stolen) and event.target == eye for event in events
        )


def turns(log: Log) -> tuple[Turn, ...]:
    """The turns of a Hand from its log, which has a tuple of events for each move."""
    told: list[Turn] = []
    beat = 0
    for number, events in enumerate(log):
        if not (number and _awaits_the_dealer(log[number - 1])):
            beat = 0
        for event in events:
            if isinstance(event, SuitChosen):
                continue
            if not told or _begins(event, told[-1], is_first=event is events[0]):
                told.append(Turn(None, number, ()))
            if isinstance(event, CardTurned | JokerPlayed):
                told[-1] = replace(told[-1], seat=event.seat)
            told[-1] = replace(told[-1], steps=(*told[-1].steps, Step(event, beat)))
            beat += 1
    return tuple(told)


def _awaits_the_dealer(events: tuple[Event, ...]) -> bool:
    """Whether the next events in the log come of the same move, by what the dealer shuffled or drew."""
    return bool(events) and isinstance(events[-1], SuitsRevealed | JokerPlayed | ReachedFor | DeckReshuffled)


def _begins(event: Event, turn: Turn, *, is_first: bool) -> bool:
    """Whether a turn begins with this event: a card turned, perhaps after a reshuffle, or a joker from the hand."""
    match event:
        case DeckReshuffled():
            return is_first
        case CardTurned():
            return not (len(turn.steps) == 1 and isinstance(turn.steps[0].event, DeckReshuffled))
        case JokerPlayed(source=source):
            return source == "hand"
    return False


def retold(log: Log, eye: int | None, seats: int) -> tuple[Turn, ...]:
    """What a page tells: the newest turn, and before it the last one that its viewer should not have missed, since his
    own turn (a watcher: within a round of the table)."""
    told = turns(log)
    own = max((number for number, turn in enumerate(told) if eye and turn.seat == eye), default=-1)
    missed = told[max(own + 1, len(told) - 1 - seats) : -1]
    worth_telling = [turn for turn in missed if turn.is_worth_telling(eye)]
    return (*worth_telling[-1:], *told[-1:])
