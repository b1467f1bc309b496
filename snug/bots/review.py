"""A finished match gone through once more: what each choice was worth to who made it, and what was only luck.

A choice is judged by what its player knew then, never by the cards as they lay: a sharp player thinks about the same
view, in worlds that he imagines from it. All numbers are points by which somebody ends a round ahead of the mean of his
rivals; more is better in every game.

What came of the match for a side is, to the last point,

    result = - given away + gained + luck

- *given away*: by how much its moves were worse than the best that a sharp player sees from the same view. What may be
  noise of his thinking (`Considered.is_surely_behind`) is nothing.
- *gained*: what its rivals gave away, each of them to all of its rivals in equal parts.
- *luck*: all the rest. It is what a side expected of its best move, the hidden cards dealt again and again, measured
  anew each time it had to choose, and which way that moved meanwhile though nobody gave anything away: with the deal,
  the cards that were drawn, and what others held and did. It adds up to nothing over all sides, as the results do."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

import msgspec

from snug.bots.payoff import Payoff
from snug.bots.search import Thought
from snug.engine import match as matches
from snug.engine.game import Event, Game, Move, Scores, View, plain
from snug.engine.match import Match
from snug.engine.record import Step

_WORTH: Final = 0.1  # points; who cares for less
DECIDED: Final = 3  # so many moments decided a match


class Choice(NamedTuple):
    """A move of a seat that had others, or other ways to arrange it: at which moment of which round, as the replay
    counts them, and what the seat knew."""

    number: int
    step: int
    seat: int
    played: Move
    view: View

    @property
    def at(self) -> tuple[int, int]:
        """Its round and its moment there."""
        return self.number, self.step

    @property
    def seed(self) -> int:
        """By which this choice is thought about, whatever the hidden cards are."""
        return self.number * 100_000 + self.step


class Judged(msgspec.Struct, frozen=True):
    """What a sharp player thinks of a choice: his own move, how many points ahead of the rivals he expects to end the
    round with it, and by how many the one that was played falls behind (0 where it is about as good)."""

    number: int
    step: int
    seat: int
    best: dict[str, Any]
    expected: float
    cost: float
    error: float

    @property
    def at(self) -> tuple[int, int]:
        """Its round and its moment there."""
        return self.number, self.step


class Side(NamedTuple):
    """What the match came to for the seats of one side."""

    seats: tuple[int, ...]
    result: float
    given: float
    gained: float
    luck: float
    choices: int
    mistakes: int


class Mark(NamedTuple):
    """A moment of the match: how far ahead each side could expect to be at the end of this round, by what it knew when
    it last chose; at the end of a round (`step` is None) how far ahead it was."""

    number: int
    step: int | None
    ahead: tuple[float, ...]


class Swing(NamedTuple):
    """A moment that moved a side by so many points: a mistake of `seat`, or else luck since `since` (-1: the deal)."""

    number: int
    since: int
    step: int
    side: int
    points: float
    seat: int | None


def choices_of(match: Match, steps: Iterable[Step]) -> list[Choice]:
    """The choices of one round, which begins with `match`, in order. Raises RefusedMove where a step cannot be."""
    choices: list[Choice] = []
    log: list[Event] = []
    moments = 0
    for seat, move in steps:
        if isinstance(move, Move):
            view = matches.sight(match, seat, log)
            if _has_others(view):
                choices.append(Choice(match.number, moments - 1, seat, move, view))
        match, events = matches.play(match, seat, move)
        log += events
        moments += match.due is None
    return choices


def _has_others(view: View) -> bool:
    """Whether there is more than one thing to do: a free arrangement is listed once, and there may be several."""
    if len(view.legal) > 1:
        return True
    first, last = (view.complete(view.legal[0], pick) for pick in (lambda _number: 0, lambda number: number - 1))
    return first != last


def judged(choice: Choice, thought: Thought) -> Judged | None:
    """The choice as the thought about it has it, in which the move that was played was asked for; None where there was
    nothing to think about."""
    best, played = thought.moves[0], thought.of(choice.played)
    if not best.tries:
        return None
    cost = error = 0.0
    if played and played.is_surely_behind and played.behind >= _WORTH:
        cost, error = played.behind, played.unsure
    expected, cost, error = (round(number, 3) for number in (best.points, cost, error))
    return Judged(choice.number, choice.step, choice.seat, plain(best.move), expected, cost, error)


class Reviewed:
    """What follows from the choices of a finished match, as they were judged, and the scores of its rounds."""

    def __init__(
        self, game: Game[Any], options: Any, seats: int, rounds: Sequence[Scores], choices: Iterable[Judged]
    ) -> None:
        self._teams = game.competitors(options, seats)
        self._side = {seat: side for side, team in enumerate(self._teams) for seat in team}
        self._results = [
            self._by_side(Payoff(game, options, seats, number, tuple(rounds[: number - 1])).margins(scores))
            for number, scores in enumerate(rounds, 1)
        ]
        self.choices = sorted(choices, key=lambda one: one.at)

    def _by_side(self, margins: Sequence[float]) -> tuple[float, ...]:
        return tuple(margins[team[0] - 1] for team in self._teams)

    def _share(self, cost: float) -> float:
        """What each rival gains by a mistake."""
        return cost / (len(self._teams) - 1)

    @property
    def sides(self) -> tuple[Side, ...]:
        """Every side, in the order of the game's competitors."""
        found = []
        whole = sum(one.cost for one in self.choices)
        for side, team in enumerate(self._teams):
            own = [one for one in self.choices if one.seat in team]
            result, given = sum(row[side] for row in self._results), sum(one.cost for one in own)
            gained = self._share(whole - given)
            mistakes = sum(one.cost > 0 for one in own)
            found.append(Side(team, result, given, gained, result + given - gained, len(own), mistakes))
        return tuple(found)

    @property
    def curve(self) -> tuple[Mark, ...]:
        """The match from its beginning to its end."""
        nothing = (0.0,) * len(self._teams)
        marks: list[Mark] = []
        banked = nothing
        for number, results in enumerate(self._results, 1):
            ahead = list(banked)
            for one in self.choices:
                if one.number == number:
                    side = self._side[one.seat]
                    ahead[side] = banked[side] + one.expected - one.cost
                    marks.append(Mark(number, one.step, tuple(ahead)))
            banked = tuple(map(sum, zip(banked, results, strict=True)))
            marks.append(Mark(number, None, banked))
        return tuple(marks)

    @property
    def moments(self) -> tuple[Swing, ...]:
        """The moments that decided the match, the greatest first: never twice the same one."""
        chosen: list[Swing] = []
        for swing in sorted(self._swings(), key=lambda it: (-abs(it.points), it.number, it.step, it.side)):
            if (
                len(chosen) < DECIDED
                and abs(swing.points) >= _WORTH
                and not any(_overlap(swing, other) for other in chosen)
            ):
                chosen.append(swing)
        return tuple(chosen)

    def _swings(self) -> Iterable[Swing]:
        for one in self.choices:
            if one.cost:
                yield Swing(one.number, one.step, one.step, self._side[one.seat], -one.cost, one.seat)
        for number, results in enumerate(self._results, 1):
            there = [one for one in self.choices if one.number == number]
            given = list(accumulate((one.cost for one in there), initial=0.0))  # before each of them
            for side, result in enumerate(results):
                yield from self._luck_of(side, number, there, given, result)

    def _luck_of(
        self, side: int, number: int, there: Sequence[Judged], given: Sequence[float], result: float
    ) -> Iterable[Swing]:
        """How luck moved a side in a round, from each of its choices to the next."""
        before, since, told = 0.0, -1, 0.0
        last = there[-1].step if there else 0
        for index, one in enumerate(there):
            if self._side[one.seat] == side:
                luck = one.expected - before - self._share(given[index] - told)
                yield Swing(number, since, one.step, side, luck, None)
                before, since, told = one.expected - one.cost, one.step, given[index + 1]
        yield Swing(number, since, last + 1, side, result - before - self._share(given[-1] - told), None)


def _overlap(one: Swing, other: Swing) -> bool:
    """Whether both tell of the same moment, from two sides of the table."""
    alike = one.number == other.number and (one.seat is None) == (other.seat is None)
    return alike and one.since < max(other.step, other.since + 1) and other.since < max(one.step, one.since + 1)
