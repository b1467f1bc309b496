"""A good Lucky Paw player: tries every move, plays the set to its end in its head a few times, takes the best.

All cards on the table are public and the next set is not known, so the end of the set is as far as a player can see.
In its head everybody plays any card that fits, and now and then holds it back. That is enough to tell which moves keep
one's own cards going, which ones open the way for rivals, and when it pays to pass.
"""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple, Optional

from snug.engine.cards import JOKER, PACK, Pile
from snug.engine.game import Move
from snug.engine.thinking import Thinking
from snug.games.lucky_paw.play import FITS
from snug.games.lucky_paw.state import STACKS, Play
from snug.games.lucky_paw.view import LuckyPawView

TRIES: Final = 12
HOLDING_BACK: Final = 0.2


class Stack(NamedTuple):
    """A stack as it is played from in the head: its top card's rank as a bit, what that fits as bits, how many cards
    there are, and the stack below. Never copied, since none of it changes."""

    rank: int
    fits: int
    cards: int
    below: Optional["Stack"]


_RANK: Final = {card: 1 << card.rank for card in (*PACK, JOKER)}
_FITS: Final = {card: sum({_RANK[top] for top in FITS[card]}) for card in _RANK}
_EMPTY: Final = Stack(0, 0, 0, None)


def choose(view: LuckyPawView, chance: random.Random) -> Move:
    """The legal move after which the set ends best on average."""
    if len(view.legal) == 1:
        return view.legal[0]
    luck = random.Random(chance.getrandbits(64))  # asking the operating system for every thought would be slow
    return _best(view, TRIES, luck)


def glance(view: LuckyPawView, chance: random.Random) -> Move:
    """The same at a glance."""
    return _best(view, 1, chance)


def different(view: LuckyPawView) -> Sequence[Move]:
    """The legal moves but for those that come to the same: open stacks of one rank are alike."""
    moves: dict[object, Move] = {}
    for move in view.legal:
        moves.setdefault((move.stack, view.open[move.open - 1][-1].rank) if isinstance(move, Play) else None, move)
    return tuple(moves.values())


def _best(view: LuckyPawView, tries: int, luck: random.Random) -> Move:
    stacks = [_stack(pile) for piles in view.stacks for pile in piles]
    tops = [_RANK[pile[-1]] if pile else 0 for pile in view.open]
    return max(different(view), key=lambda move: sum(_try(view, move, stacks[:], tops[:], luck) for _ in range(tries)))


def _stack(pile: Pile) -> Stack:
    stack = _EMPTY
    for cards, card in enumerate(pile, 1):
        stack = Stack(_RANK[card], _FITS[card], cards, stack)
    return stack


def _try(view: LuckyPawView, move: Move, stacks: list[Stack], tops: list[int], luck: random.Random) -> float:
    """How far the viewer is ahead of his rivals when the set, played on from this move, has ended."""
    assert view.seat
    me, streak = view.seat - 1, view.streak + 1
    if isinstance(move, Play):
        _move(stacks, tops, STACKS * me + move.stack - 1, move.open - 1)
        streak = 0
    _play_on(stacks, tops, view.seat % view.seats, streak, 0 if view.options.must_play else HOLDING_BACK, luck)
    left = [sum(stack.cards for stack in stacks[at : at + STACKS]) for at in range(0, len(stacks), STACKS)]
    if view.options.teams:
        return min(left[1 - me % 2 :: 2]) - min(left[me % 2 :: 2])
    return (sum(left) - left[me]) / (len(left) - 1) - left[me]


def _play_on(stacks: list[Stack], tops: list[int], seat: int, streak: int, idle: float, luck: random.Random) -> None:
    """Plays cards that fit, turn by turn, until everybody has passed; who could play passes as often as `idle` says."""
    chance, seats = luck.random, len(stacks) // STACKS
    while streak < seats:
        first, second, third, fourth = tops
        fitting, at = first | second | third | fourth, STACKS * seat
        plays = []
        for stack in (at, at + 1, at + 2):
            fits = stacks[stack].fits
            if fits & fitting:
                if fits & first:
                    plays.append((stack, 0))
                if fits & second:
                    plays.append((stack, 1))
                if fits & third:
                    plays.append((stack, 2))
                if fits & fourth:
                    plays.append((stack, 3))
        if plays and chance() >= idle:
            _move(stacks, tops, *plays[int(chance() * len(plays))])
            streak = 0
        else:
            streak += 1
        seat = (seat + 1) % seats


def _move(stacks: list[Stack], tops: list[int], stack: int, to: int) -> None:
    """Puts the top card of a stack, which is not empty, on an open one."""
    tops[to], _, _, below = stacks[stack]
    stacks[stack] = below or _EMPTY


THINKING: Final = Thinking(
    positions=1500,
    plies=0,
    candidates=different,
    play_on=glance,
    until=lambda view, state: state.sets_dealt > view.sets_dealt,  # what is dealt then is luck
    estimate=lambda state, _luck: tuple(sum(map(len, piles)) for piles in state.stacks),
)
