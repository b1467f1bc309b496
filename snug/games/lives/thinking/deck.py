"""Cards of Irish Lives as numbers, several of them as the bits of one, and what to play of a hand written so."""

from collections.abc import Callable, Container, Sequence
from typing import Final

from snug.engine.cards import Card
from snug.games.lives.score import POINTS
from snug.games.lives.state import CALLABLE_SUITS, POWER, TWOS, WILD

NEARLY_OUT: Final = 2  # cards in the next player's hand

# What it adds to the chance to be out first, in hundredths, measured by playing on from positions of good players:
IN_SUIT: Final = (0.0, 26.0, 4.0, 0.7)  # each plain card of the suit in play among 1, 2, 3 or more that stay
WILD_KEPT: Final = (0.0, 11.7, 9.5, 4.1, -1.4)  # each wild card among 1, 2, 3, 4 or more that stay
TWOS_KEPT: Final = (0.0, 0.7, -1.6)  # each two among 1, 2 or more that stay
STUCK: Final = -15.0  # nothing but power cards stays
WILD_PLAYED: Final = (0.0, -3.0, -9.5, -11.3)  # when the next player has 1, 2, 3 or more cards
TWO_PLAYED: Final = (0.0, 7.0, -3.0, -3.0)
UNSEEN_SUIT: Final = -22.0  # so much of what others may hold is of the suit in play
UNSEEN_RANK: Final = -27.0  # so much of what others may hold is of the rank on top

Cards = int
"""Cards of a deck, a bit each."""


class Deck:
    """Cards by their number, and which of them are what. Equal cards have each their number."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)
        self.all = (1 << len(cards)) - 1
        self.power = self.those(POWER)
        self.wild = self.those(WILD)
        self.twos = self.those(TWOS)
        self.aces = self.those([card for card in cards if card.rank == 1])
        self.jokers = self.those([card for card in cards if card.is_joker])
        self.suits = [self.those([card for card in cards if card.suit == suit]) for suit in CALLABLE_SUITS]
        self.plain = [held & ~self.power for held in self.suits]
        ranks = [0, *(self.those([card for card in cards if card.rank == rank]) for rank in range(1, 14))]
        self.ranks = [ranks[card.rank] for card in cards]
        self.suit_of = [CALLABLE_SUITS.index(card.suit) if card.suit else len(CALLABLE_SUITS) for card in cards]
        self.points = [POINTS[card] for card in cards]
        self.worth = [[_alone(card, near) for card in cards] for near in (False, True)]
        self._numbers: dict[Card, list[int]] = {}
        for number, card in enumerate(cards):
            self._numbers.setdefault(card, []).append(number)
        self._bits = {card: 1 << numbers[0] for card, numbers in self._numbers.items()}

    def those(self, wanted: Container[Card]) -> Cards:
        """Every card that is one of the wanted."""
        return sum(1 << number for number, card in enumerate(self.cards) if card in wanted)

    def finder(self) -> Callable[[Card], Cards]:
        """Says which is such a card: of equal cards another every time."""
        if len(self._bits) == len(self.cards):
            return self._bits.__getitem__
        spare = {card: numbers.copy() for card, numbers in self._numbers.items()}
        return lambda card: 1 << spare[card].pop()

    def score(self, held: Cards) -> int:
        """What a hand counts."""
        total = 0
        while held:
            number = held.bit_length() - 1
            total += self.points[number]
            held ^= 1 << number
        return total


def _alone(card: Card, near: bool) -> float:
    """What a good player sees in playing a card, whatever he keeps; a wild one he then no longer has."""
    if card in TWOS:
        return POINTS[card] / 4 + (4 if near else -1)
    return POINTS[card] / 4 + ((2 if near else -4) - 1 if card in WILD else 0)


def likings(deck: Deck, held: Cards, can: Cards, nearly_out: bool) -> list[tuple[float, int, int]]:
    """How a good player who holds these likes each of the cards that he `can` play, as `bot.worth` says but for a
    constant: with its number and that of the suit then in play."""
    worth, suit_of, wild, power = deck.worth[nearly_out], deck.suit_of, deck.wild, deck.power
    plains = [(held & mine).bit_count() for mine in deck.plain]
    total = sum(plains)
    suits = (*deck.suits, deck.jokers)
    found = []
    while can:
        number = can.bit_length() - 1
        bit = 1 << number
        can ^= bit
        liking, suit = worth[number], suit_of[number]
        if held & suits[suit] == bit:
            liking -= 1
        if bit & power:
            if not total and held != bit:
                liking -= 6
            if bit & wild:
                found += [(liking + count / 2, number, called) for called, count in enumerate(plains)]
            else:
                found.append((liking + plains[suit] / 2, number, suit))
        else:
            if total == 1 and held != bit:
                liking -= 6
            found.append((liking + (plains[suit] - 1) / 2, number, suit))
    return found


def racing(deck: Deck, held: Cards, can: Cards, unseen: Cards, next_size: int) -> tuple[int, int]:
    """The number of the card, and of the suit then in play, for one who holds these and wants to be out first: of the
    cards that he `can` play, while all the `unseen` ones are in the pool or with others."""
    stay = held.bit_count() - 1
    whole = max(1, unseen.bit_count())
    in_suit, of_suit, of_rank = IN_SUIT[min(stay, 3)], UNSEEN_SUIT / whole, UNSEEN_RANK / whole
    ahead = [
        in_suit * (held & mine).bit_count() + of_suit * (unseen & every).bit_count()
        for mine, every in zip(deck.plain, deck.suits, strict=True)
    ]
    near, wild_kept, two_kept = min(next_size, 3), WILD_KEPT[min(stay, 4)], TWOS_KEPT[min(stay, 2)]
    power, wild, ranks, suit_of = deck.power, deck.wild, deck.ranks, deck.suit_of
    plain = held & ~power
    best, card, suit = -1000.0, -1, -1
    while can:
        number = can.bit_length() - 1
        bit = 1 << number
        can ^= bit
        liking, then = of_rank * (unseen & ranks[number]).bit_count(), suit_of[number]
        if stay and not plain & ~bit:
            liking += STUCK
        if bit & wild:
            then = ahead.index(max(ahead))
            liking += WILD_PLAYED[near] - wild_kept
        elif bit & power:
            liking += TWO_PLAYED[near] - two_kept
        else:
            liking -= in_suit
        liking += ahead[then]
        if liking > best:
            best, card, suit = liking, number, then
    return card, suit
