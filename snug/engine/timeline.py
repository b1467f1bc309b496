"""Rounds step by step: what the table looked like each time it waited for somebody."""

from collections.abc import Iterable

import msgspec

from snug.engine import match as matches
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, Event, RefusedMove
from snug.engine.match import Match
from snug.engine.record import MalformedRecord, Reading, Step


class Moment(msgspec.Struct, frozen=True):
    """The match at a moment when nothing was due from the dealer, and what has happened since the moment before."""

    match: Match
    events: tuple[Event, ...]


class _Reel:
    """A match on its way, and the moments of each of its rounds."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.rounds: list[list[Moment]] = [[]]
        self._events: tuple[Event, ...] = ()

    def do(self, step: Step) -> None:
        """Plays a move, in the next round where one is over. Raises RefusedMove."""
        if self.match.round_over and not self.match.over:
            self.next_round()
        self.match, events = matches.play(self.match, *step)
        self._events += events
        if self.match.due is None:
            self.rounds[-1].append(Moment(self.match, self._events))
            self._events = ()

    def next_round(self) -> None:
        """Begins the next round."""
        self.match = matches.next_round(self.match)
        self.rounds.append([])


def moments_of(match: Match, steps: Iterable[Step]) -> tuple[Moment, ...]:
    """The moments of one round, which begins with `match`. Raises RefusedMove where a step cannot be."""
    reel = _Reel(match)
    for step in steps:
        reel.do(step)
    return tuple(reel.rounds[0])


def rounds_of(reading: Reading) -> tuple[tuple[Moment, ...], ...]:
    """The moments of every round of a record; what the dealer did and the record does not say comes from its seed.
    Raises MalformedRecord where a move is refused, and for a record that does not begin with the first deal or in which
    nothing happens."""
    if reading.record.position is not None:
        raise MalformedRecord("position: a replay begins with the first deal, not in the middle of a game")
    reel, dealt = _Reel(reading.start), 0

    def deal() -> int:
        dealer = 0
        while due := reel.match.due:
            reel.do((DEALER, due.outcome(chance_of(reading.record.seed, dealt + dealer))))
            dealer += 1
        return dealer

    for index, step in enumerate(reading.steps):
        if step[0] != DEALER:
            if reel.match.round_over and not reel.match.over:
                reel.next_round()
            dealt += deal()
        try:
            reel.do(step)
        except RefusedMove as error:
            raise MalformedRecord(f"moves[{index}]: {error.sentence}", f"move {index + 1}: {error.sentence}") from error
        dealt += step[0] == DEALER
    deal()
    if not reel.rounds[0]:
        raise MalformedRecord("moves: nobody has done anything yet, so there is nothing to go through")
    return tuple(map(tuple, reel.rounds))
