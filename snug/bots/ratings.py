"""How strong players are, told from who came first: a rating each, as in chess, with the interval it lies in.

The model is Plackett and Luce's: who sits at a table comes first with a chance in proportion to his strength. Strengths
are those under which what happened was likeliest (Hunter 2004, MM algorithms for generalized Bradley-Terry models),
intervals come from drawing the deals anew (bootstrap): the matches of one deal belong together."""

from collections.abc import Sequence
from math import log10, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

import msgspec

_SCALE: Final = 400.0  # ten times as strong is 400 better
_ROUNDS: Final = 200
_REDRAWN: Final = 200
_LEAST: Final = 0.25  # wins that everybody is given, since nobody is infinitely weak


class Table(msgspec.Struct, frozen=True):
    """A match: who sat where, and what share of the first place each seat had."""

    players: tuple[str, ...]
    firsts: tuple[float, ...]


class Rating(msgspec.Struct, frozen=True):
    """A player's rating, and from where to where it lies in 95 of 100 cases."""

    player: str
    rating: float
    low: float
    high: float


class Share(msgspec.Struct, frozen=True):
    """What share of the first places one player had, per seat he sat on; half the width of its 95 % interval; how many
    deals there were."""

    share: float
    margin: float
    deals: int


def share_of(player: str, deals: Sequence[Sequence[Table]]) -> Share:
    """The share of the first places of one player. Of each deal there are the matches with seats rotated."""
    means = [
        fmean(
            first for table in deal for name, first in zip(table.players, table.firsts, strict=True) if name == player
        )
        for deal in deals
    ]
    margin = 1.96 * stdev(means) / sqrt(len(means)) if len(means) > 1 else 1.0
    return Share(fmean(means), margin, len(means))


def rate(deals: Sequence[Sequence[Table]], zero: str, luck: Random) -> tuple[Rating, ...]:
    """Everybody's rating, the best first; `zero` is the player whose rating is 0."""
    players = sorted({name for deal in deals for table in deal for name in table.players})
    found = _ratings([table for deal in deals for table in deal], players, zero)
    drawn = []
    for _ in range(_REDRAWN):
        again = [table for _ in deals for table in deals[int(luck.random() * len(deals))]]
        drawn.append(_ratings(again, players, zero))
    rated = []
    for player in players:
        spread = sorted(ratings[player] for ratings in drawn)
        low, high = spread[int(0.025 * _REDRAWN)], spread[int(0.975 * _REDRAWN)]
        rated.append(Rating(player, found[player], low, high))
    return tuple(sorted(rated, key=lambda it: -it.rating))


def _ratings(tables: Sequence[Table], players: Sequence[str], zero: str) -> dict[str, float]:
    strengths = dict.fromkeys(players, 1.0)
    wins = dict.fromkeys(players, _LEAST)
    lineups: dict[tuple[str, ...], int] = {}
    for table in tables:
        lineup = tuple(sorted(table.players))
        lineups[lineup] = lineups.get(lineup, 0) + 1
        for name, first in zip(table.players, table.firsts, strict=True):
            wins[name] += first
    for _ in range(_ROUNDS):
        weights = dict.fromkeys(players, 0.0)
        for lineup, count in lineups.items():
            part = count / sum(strengths[name] for name in lineup)
            for name in lineup:
                weights[name] += part
        strengths = {name: wins[name] / weights[name] if weights[name] else 1.0 for name in players}
    base = strengths.get(zero, 1.0)
    return {name: _SCALE * log10(strength / base) for name, strength in strengths.items()}
