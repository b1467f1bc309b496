"""A whole match between bots."""

from collections.abc import Callable
from random import Random
from typing import Any

from snug.engine import match as matches
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, Event, Game, Move, View
from snug.engine.match import Match
from snug.engine.record import Step

Choose = Callable[[Match, View, Random], Move]


def play_match(game: Game[Any], options: Any, seats: int, seed: str, choose: Choose) -> tuple[Match, tuple[Step, ...]]:
    """The match at its end and all that was done. `choose` says what a seat that is to act does, given what it knows
    and dice of its own; the match itself is for who may see everything. The same seed deals the same cards whoever
    plays."""
    match = matches.begin(game, options, seats)
    order, *chances = (Random(f"{seed}/{seat}") for seat in range(seats + 1))
    steps: list[Step] = []
    log: list[Event] = []
    dealt = 0
    while not match.over:
        if match.round_over:
            match, log = matches.next_round(match), []
        step: Step
        if due := match.due:
            step = DEALER, due.outcome(chance_of(seed, dealt))
            dealt += 1
        else:
            seat = order.choice(match.to_act)
            step = seat, choose(match, matches.sight(match, seat, log), chances[seat - 1])
        match, events = matches.play(match, *step)
        log.extend(events)
        steps.append(step)
    return match, tuple(steps)
