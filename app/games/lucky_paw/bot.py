"""A good Lucky Paw player: tries every move, plays the set to its end in its head a few times, takes the best.

All cards on the table are public and the next set is not known, so the end of the set is as far as a player can see.
In its head everybody plays any card that fits, and now and then holds it back. That is enough to tell which moves keep
one's own cards going, which ones open the way for rivals, and when it pays to pass.
"""

import random
from typing import Final

from app.engine.cards import Card
from app.engine.game import Move
from app.games.lucky_paw.play import FITS
from app.games.lucky_paw.state import OPEN_STACKS, Play
from app.games.lucky_paw.view import LuckyPawView

TRIES: Final = 12
HOLDING_BACK: Final = 0.2
OPEN: Final = range(OPEN_STACKS)

Piles = list[list[Card]]


def choose(view: LuckyPawView, chance: random.Random) -> Move:
    """The legal move after which the set ends best on average."""
    if len(view.legal) == 1:
        return view.legal[0]
    luck = random.Random(chance.getrandbits(64))  # asking the operating system for every thought would be slow
    return max(view.legal, key=lambda move: sum(_try(view, move, luck) for _ in range(TRIES)))


def _try(view: LuckyPawView, move: Move, luck: random.Random) -> float:
    """How far the viewer is ahead of his rivals when the set, played on from this move, has ended."""
    assert view.seat
    me = view.seat - 1
    tops = [pile[-1] if pile else None for pile in view.open]
    table = [[list(pile) for pile in piles] for piles in view.stacks]
    streak = view.streak + 1
    if isinstance(move, Play):
        tops[move.open - 1] = table[me][move.stack - 1].pop()
        streak = 0
    _play_on(table, tops, view.seat % view.seats, streak, 0 if view.must_play else HOLDING_BACK, luck)
    left = [sum(map(len, piles)) for piles in table]
    opponents = [cards for seat, cards in enumerate(left) if seat != me and not (view.teams and (seat - me) % 2 == 0)]
    return sum(opponents) / len(opponents) - left[me]


def _play_on(
    table: list[Piles], tops: list[Card | None], seat: int, streak: int, idle: float, luck: random.Random
) -> None:
    """Plays cards that fit, turn by turn, until everybody has passed; who could play passes as often as `idle` says."""
    while streak < len(table):
        plays = [
            (pile, o) for pile in table[seat] if pile for fits in [FITS[pile[-1]]] for o in OPEN if tops[o] in fits
        ]
        if plays and luck.random() >= idle:
            pile, o = plays[int(luck.random() * len(plays))]
            tops[o] = pile.pop()
            streak = 0
        else:
            streak += 1
        seat = (seat + 1) % len(table)
