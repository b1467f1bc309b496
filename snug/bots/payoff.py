"""What the end of a round is worth to everybody: above all how near it brings them to winning the match."""

from collections.abc import Sequence
from math import exp, sqrt, tanh
from typing import Any, Final

from snug.engine.game import Game, Scores

_POINTS: Final = 0.15  # how much the points count beside winning: they tell apart what loses anyway
_ROUNDS_AHEAD: Final = 4  # a match to a target has no number of rounds: nobody looks farther than this


class Payoff:
    """Weighs the ends of the round of one match, seen from before it is over. How many points make a difference it
    learns from the ends it has seen."""

    def __init__(self, game: Game[Any], options: Any, seats: int, number: int, before: tuple[Scores, ...]) -> None:
        self._game, self._options, self._number, self._before = game, options, number, before
        self._teams = game.competitors(options, seats)
        self._sign = -1 if game.lowest_wins else 1
        self._score_sign = self._sign if game.low_scores is None else -1 if game.low_scores else 1
        self._nothing = totals = game.entries(options, (0,) * seats)
        for row in before:
            totals = game.tally(options, totals, game.entries(options, row))
        self._totals = totals
        self._ends = 0
        self._squares = 0.0
        self._gain_squares = 0.0

    def margins(self, scores: Scores) -> list[float]:
        """Each seat's points of the round beyond the mean of its rivals; more is better whoever wins by fewer."""
        entries = self._game.entries(self._options, scores)
        each = _beyond_rivals(entries, self._score_sign)
        self._ends += 1
        self._squares += _mean_square(each)
        if self._game.score_unit:
            gains = self._game.tally(self._options, self._nothing, entries)
            self._gain_squares += _mean_square(_beyond_rivals(gains, self._sign))
        return self._by_seat(each)

    def values(self, scores: Scores, margins: Sequence[float]) -> list[float]:
        """What such an end is worth to each seat, from 0 to 1; `margins` as they were given for it."""
        spread = sqrt(self._squares / self._ends) or 1.0
        gain = sqrt(self._gain_squares / self._ends) or 1.0 if self._game.score_unit else spread
        wins = self._by_seat(self._wins(scores, gain))
        return [
            (1 - _POINTS) * win + _POINTS * (1 + tanh(margin / spread)) / 2
            for win, margin in zip(wins, margins, strict=True)
        ]

    def _wins(self, scores: Scores, gain: float) -> list[float]:
        """The chance of each competitor to win the match, where one round moves totals apart by about `gain`."""
        game, options = self._game, self._options
        totals = game.tally(options, self._totals, game.entries(options, scores))
        if game.is_last(options, self._number, totals):
            places = game.places(options, totals, (*self._before, scores))
            share = 1 / places.count(1)
            return [share if place == 1 else 0.0 for place in places]
        left = max(1, min(game.rounds(options) - self._number, _ROUNDS_AHEAD))
        width = gain * sqrt(left)
        leads = [self._sign * total for total in totals]
        weights = [exp((lead - max(leads)) / width) for lead in leads]
        return [weight / sum(weights) for weight in weights]

    def _by_seat(self, each: Sequence[float]) -> list[float]:
        by_seat = {seat: value for team, value in zip(self._teams, each, strict=True) for seat in team}
        return [by_seat[seat] for seat in sorted(by_seat)]


def _beyond_rivals(entries: Scores, sign: int) -> list[float]:
    whole, rivals = sum(entries), len(entries) - 1
    return [sign * (entry - (whole - entry) / rivals) for entry in entries]


def _mean_square(numbers: Sequence[float]) -> float:
    return sum(number * number for number in numbers) / len(numbers)
