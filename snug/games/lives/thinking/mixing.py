"""Changes the hidden cards of Irish Lives about, so that each way they may lie comes up as often as it is likely, given
what everybody chose with what they then held (Metropolis, Rosenbluth, Rosenbluth, Teller, Teller 1953)."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import islice
from math import log
from typing import Final

from snug.games.lives.state import CALLABLE_SUITS
from snug.games.lives.thinking.deck import Cards, Deck, likings
from snug.games.lives.thinking.memory import Memory, Naming, Played, Refusal, Token

_WHIM: Final = 0.03  # how likely one does what is not one's habit
_UNLIKELY: Final = log(_WHIM)
_HABIT: Final = (_UNLIKELY, *(log(_WHIM + (1 - _WHIM) / equals) for equals in range(1, 500)))

Judge = Callable[[Cards], float]
"""The logarithm of how likely a seat chooses what it chose, holding such cards."""


class _Seat:
    """What a seat held, as far as it is supposed now, at each of its choices, and how likely it then chose so."""

    def __init__(self, times: Sequence[int], judges: Sequence[Judge]) -> None:
        self.times = times
        self.judges = judges
        self.held: list[Cards] = [0] * len(times)
        self.likely = [0.0] * len(times)
        self.known: list[dict[Cards, float]] = [{} for _ in times]

    def judge(self, at: int, held: Cards) -> float:
        """How likely that choice was with such a hand."""
        known = self.known[at]
        likely = known.get(held)
        if likely is None:
            likely = known[held] = self.judges[at](held)
        return likely


class Mixer:
    """A way in which the tokens may lie, and the next one, and so on."""

    def __init__(
        self,
        memory: Memory,
        tokens: Sequence[Token],
        allowed: Sequence[int],
        holder: Sequence[int],
        random: Callable[[], float],
    ) -> None:
        deck = Deck([token.card for token in tokens])
        self._random, self._allowed, self._holder = random, allowed, list(holder)
        made = {seat: [it for it in memory.choices if it.seat == seat] for seat in memory.bars}
        seats = {
            seat: _Seat([it.at for it in choices], [_judge(it, deck, tokens) for it in choices])
            for seat, choices in made.items()
        }
        self._places = [(seat := seats[slot.seat], bisect_right(seat.times, slot.since)) for slot in memory.slots]
        self._ends = [bisect_right(seats[it.seat].times, it.end) if it.seat else len(memory.choices) for it in tokens]
        for number, (seat, since) in zip(holder, self._places, strict=False):
            for at in range(since, min(self._ends[number], len(seat.held))):
                seat.held[at] |= 1 << number
        for seat in seats.values():
            seat.likely = [seat.judge(at, held) for at, held in enumerate(seat.held)]

    def mix(self, steps: int) -> tuple[int, ...]:
        """The token of each place after so many tries to change two."""
        holder, allowed, places, ends, random = self._holder, self._allowed, self._places, self._ends, self._random
        slots = len(places)
        for _ in range(steps):
            one, other = int(random() * slots), int(random() * len(holder))
            first, second = holder[one], holder[other]
            if not (allowed[first] >> other & 1 and allowed[second] >> one & 1):
                continue
            seat, since = places[one]
            touched = [(seat, since, len(seat.held))]
            if other < slots:
                rival, then = places[other]
                if rival is seat:
                    touched = [(seat, min(since, then), min(max(since, then), max(ends[first], ends[second])))]
                else:
                    touched.append((rival, then, len(rival.held)))
            if self._accepts(touched, first, second):
                holder[one], holder[other] = second, first
        return tuple(holder)

    def _accepts(self, touched: Sequence[tuple[_Seat, int, int]], first: int, second: int) -> bool:
        """Lets two tokens change places, by as much as that is likely, among what these seats then held."""
        bound = log(1 - self._random())
        for seat, start, end in touched:
            bound += sum(islice(seat.likely, start, end))
        until_first, until_second, one, other = self._ends[first], self._ends[second], 1 << first, 1 << second
        changed = []
        for seat, start, end in touched:
            for at in range(start, end):
                held = seat.held[at]
                if at < until_first:
                    held ^= one
                if at < until_second:
                    held ^= other
                likely = seat.judge(at, held)
                bound -= likely
                if bound > 0:  # no logarithm is above 0: it cannot become likely enough
                    return False
                changed.append((seat, at, held, likely))
        for seat, at, held, likely in changed:
            seat.held[at], seat.likely[at] = held, likely
        return True


def _judge(choice: Played | Refusal | Naming, deck: Deck, tokens: Sequence[Token]) -> Judge:
    match choice:
        case Refusal(cards=cards):
            refused = deck.those(cards)
            return lambda held: _UNLIKELY if held & refused else 0.0
        case Naming(suit=named):
            return lambda held: _named(deck, held, CALLABLE_SUITS.index(named))
        case Played(at, seat):
            played = next(1 << number for number, it in enumerate(tokens) if (it.seat, it.end) == (seat, at))
            return _judge_played(choice, deck, played)


def _named(deck: Deck, held: Cards, suit: int) -> float:
    """A good player names a suit of which he holds most."""
    counts = [(held & plain).bit_count() for plain in deck.plain]
    return _HABIT[counts.count(counts[suit])] if counts[suit] == max(counts) else _UNLIKELY


def _judge_played(choice: Played, deck: Deck, played: Cards) -> Judge:
    """A good player plays what he likes best."""
    fits, with_aces, barring = map(deck.those, choice.fits)
    number, suit = played.bit_length() - 1, CALLABLE_SUITS.index(choice.suit)

    def judge(held: Cards) -> float:
        can = held & (fits if held & barring else with_aces) | played
        ways = likings(deck, held, can, choice.nearly_out)
        best, _, _ = max(ways)
        equals = [way for way in ways if way[0] == best]
        return _HABIT[len(equals)] if (best, number, suit) in equals else _UNLIKELY

    return judge
