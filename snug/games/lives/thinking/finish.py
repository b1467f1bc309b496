"""A deal of Irish Lives played to its end in the head, thousands of times a second: the others play as good players do,
and the seat that thinks plays to be out first."""

from functools import lru_cache
from random import Random

from snug.engine.cards import Card
from snug.engine.game import Scores
from snug.games.lives.options import LivesOptions
from snug.games.lives.play import caller
from snug.games.lives.state import CALLABLE_SUITS, TURN_CAP, LivesState, whole_pack
from snug.games.lives.thinking.deck import NEARLY_OUT, Cards, Deck, likings, racing


@lru_cache(maxsize=8)
def deck_of(options: LivesOptions, seats: int) -> Deck:
    """The deck of such a table."""
    return Deck(whole_pack(options, seats))


def points_left(state: LivesState, luck: Random) -> Scores:
    """What everybody is left holding when the deal has been played on from the beginning of a turn, or from where a
    card was picked up that fits; by the seat that moved last as its player would; with this luck with the shuffles
    to come."""
    return _Table(state, luck).played_on(state)


class _Table:
    """What lies on the table, as bits."""

    def __init__(self, state: LivesState, luck: Random) -> None:
        self.deck = deck_of(state.options, state.seats)
        find = self.deck.finder()
        self.hands = [sum(map(find, hand)) for hand in state.hands]
        self.pool = [*map(find, reversed(state.pool))]
        self.stack = [*map(find, state.stack)]
        self.luck = luck

    def played_on(self, state: LivesState) -> Scores:
        deck, hands, seats, options = self.deck, self.hands, state.seats, state.options
        suits, ranks, twos, wild = (*deck.suits, 0), deck.ranks, deck.twos, deck.wild
        seat, thinker, pending, idle = state.turn - 1, _thinker(state), state.pending, state.idle
        suit = CALLABLE_SUITS.index(state.suit_in_play) if state.suit_in_play else len(CALLABLE_SUITS)
        drawn = _newest(deck, hands[seat], state.drawn_card) if state.drawn_card else 0
        for exposed in state.exposed:
            hands[exposed - 1] |= self.pick_up(1)
        for _ in range(state.turns, TURN_CAP):
            held = hands[seat]
            if not drawn and pending and not (held & twos and held & held - 1):
                came = self.pick_up(2 * pending)
                hands[seat], pending, can = held | came, 0, 0
                idle = 0 if came else idle + 1
            elif not drawn:
                rank = ranks[self.stack[-1].bit_length() - 1] if self.stack else 0
                can = held & twos if pending else self.fitting(held, suits[suit], rank, options.off_suit_ace)
                if not can:
                    came = self.pick_up(1)
                    hands[seat] = held = held | came
                    idle = 0 if came else idle + 1
                    if came and options.play_drawn_card:
                        can = came & self.fitting(held, suits[suit], rank, options.off_suit_ace)
            else:
                can, drawn = drawn, 0
            after = (seat + 1) % seats
            if can:
                if not can & can - 1 and not can & wild:
                    number = can.bit_length() - 1
                    suit = deck.suit_of[number]
                elif seat == thinker:
                    unseen = deck.all & ~held & ~sum(self.stack)
                    number, suit = racing(deck, held, can, unseen, hands[after].bit_count())
                else:
                    _, number, suit = max(likings(deck, held, can, hands[after].bit_count() <= NEARLY_OUT))
                card = 1 << number
                hands[seat] = held ^ card
                if held == card:
                    break
                pending += bool(card & twos)
                self.stack.append(card)
                idle = 0
            elif idle >= seats:
                break
            seat = after
        return tuple(map(deck.score, hands))

    def fitting(self, held: Cards, suit: Cards, rank: Cards, off_suit_ace: str) -> Cards:
        """What may be played of a hand: §7.1, §7.7."""
        deck = self.deck
        if held & deck.power and not held & held - 1:
            return 0
        barring = suit if off_suit_ace == "no_suit" else 0 if off_suit_ace == "always" else suit | rank
        return held & (suit | rank | deck.jokers | (0 if held & barring else deck.aces))

    def pick_up(self, count: int) -> Cards:
        """So many cards of the pool, as far as there are any."""
        came = 0
        while count and self.pool:
            came |= self.pool.pop()
            count -= 1
            if not self.pool and len(self.stack) > 1:
                self.pool, self.stack = self.stack[:-1], self.stack[-1:]
                self.luck.shuffle(self.pool)
        return came


def _newest(deck: Deck, held: Cards, card: Card) -> Cards:
    same = held & deck.those((card,))
    return same & -same


def _thinker(state: LivesState) -> int:
    """Who moved last, from 0: who has just picked up what fits, named the starter's suit, or had the turn before."""
    if state.drawn_card:
        return state.turn - 1
    if not state.turns and state.dealer:
        return caller(state.dealer, state.seats) - 1
    return (state.turn - 2) % state.seats
