"""Playing cards and their notation: rank then suit (`7C`, `10H`, `QS`), a joker is `JK`.

Equal cards of different packs are one value: no rule of the card room tells twins apart.
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from snug.words import Message, gettext

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("S", "H", "D", "C")
RANK_NAMES: Final = {
    "A": gettext("ace"),
    "2": gettext("two"),
    "3": gettext("three"),
    "4": gettext("four"),
    "5": gettext("five"),
    "6": gettext("six"),
    "7": gettext("seven"),
    "8": gettext("eight"),
    "9": gettext("nine"),
    "10": gettext("ten"),
    "J": gettext("jack"),
    "Q": gettext("queen"),
    "K": gettext("king"),
}
SUIT_NAMES: Final = {"S": gettext("spades"), "H": gettext("hearts"), "D": gettext("diamonds"), "C": gettext("clubs")}
SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


class Card(str):
    """One card, which is its own notation. `rank` is 1 (ace) to 13 (king), 0 for a joker; `suit` a letter or ""."""

    __slots__ = ("is_joker", "rank", "suit")

    rank: int
    suit: str
    is_joker: bool

    @property
    def label(self) -> str:
        """For the eye: `10♥`, `Joker`."""
        return gettext("Joker") if self.is_joker else RANKS[self.rank - 1] + SUIT_SIGNS[self.suit]

    @property
    def rank_words(self) -> str:
        """Its rank for the ear, where the suit is known: `ten`."""
        return RANK_NAMES[RANKS[self.rank - 1]]

    @property
    def words(self) -> str:
        """For the ear: `ten of hearts`, `joker`."""
        if self.is_joker:
            return gettext("joker")
        return gettext("%(rank)s of %(suit)s", rank=RANK_NAMES[RANKS[self.rank - 1]], suit=SUIT_NAMES[self.suit])

    @property
    def spoken(self) -> Message:
        """Within a sentence: `the ten of hearts`, `a joker`."""
        return gettext("a joker") if self.is_joker else gettext("the %(card)s", card=self.words)


def _make(text: str, rank: int, suit: str) -> Card:
    card = Card(text)
    card.rank, card.suit, card.is_joker = rank, suit, not rank
    return card


PACK: Final = tuple(_make(r + s, number, s) for s in SUITS for number, r in enumerate(RANKS, 1))
JOKER: Final = _make("JK", 0, "")
CARDS: Final = {str(card): card for card in (*PACK, JOKER)}

Pile = tuple[Card, ...]
Part = TypeVar("Part")


def parse_card(text: object) -> Card:
    """The card written as `text`. Raises ValueError when there is no such card."""
    if isinstance(text, list):
        raise ValueError(f"a list of {len(text)} is not a card: choose one")
    card = CARDS.get(text) if isinstance(text, str) else None
    if card is None:
        raise ValueError(f"{text!r} is not a card: write rank then suit, as in 7C, 10H, QS, or JK for a joker")
    return card


def parse_pile(texts: Iterable[object]) -> Pile:
    """The cards written one by one, in order. Raises ValueError for the first that is none."""
    return tuple(parse_card(text) for text in texts)


def pack_of(cards: Sequence[Card], packs: int = 1) -> str | None:
    """The first card that appears more often than `packs` packs hold it, or None. Jokers are not counted."""
    seen: dict[Card, int] = {}
    for card in cards:
        seen[card] = seen.get(card, 0) + 1
        if seen[card] > packs and not card.is_joker:
            return card
    return None


def without(parts: tuple[Part, ...], *gone: Part) -> tuple[Part, ...]:
    """The parts less these, which are all among them; of twins one stays."""
    left = list(parts)
    for part in gone:
        left.remove(part)
    return tuple(left)


def with_part(parts: tuple[Part, ...], number: int, part: Part) -> tuple[Part, ...]:
    """The same parts but for number `number`, from 1: all hands when a seat's has changed."""
    changed = list(parts)
    changed[number - 1] = part
    return tuple(changed)
