"""Sets and runs: when cards are one, what is wrong when they are not, and what fits onto one that lies on the table.

A run's cards stand at positions: 1 is the ace below the two, 11 jack, 12 queen, 13 king, 14 the ace above the king.
"""

from collections.abc import Sequence
from typing import ClassVar, Final, Literal

import msgspec

from snug.engine.cards import JOKER, PACK, SUIT_NAMES, SUITS, Card, Pile
from snug.words import Message, gettext, gettext_noop, listed

SET_LENGTH: Final = 3
RUN_LENGTH: Final = 4
NATURALS: Final = 2
LOWEST: Final = 1
HIGHEST: Final = 14
LONGEST_RUN: Final = 13

_BY_NAME: Final = {(card.suit, card.rank): card for card in PACK}
CARD_AT: Final = {
    (suit, at): _BY_NAME[suit, 1 if at == HIGHEST else at] for suit in SUITS for at in range(LOWEST, HIGHEST + 1)
}
POINTS: Final = {JOKER: 15, **{card: 15 if card.rank == 1 else min(card.rank, 10) for card in PACK}}

Kind = Literal["set", "run"]
End = Literal["low", "high"]
ENDS: Final[tuple[End, ...]] = ("low", "high")
Fault = tuple[str, Message]  # a refusal code and the sentence that the player reads

COUNTED: Final[dict[Kind, tuple[str, ...]]] = {
    "set": (gettext("no sets"), gettext("one set"), gettext("two sets"), gettext("three sets")),
    "run": (gettext("no runs"), gettext("one run"), gettext("two runs"), gettext("three runs")),
}
SEVERAL: Final = {
    1: gettext("aces"),
    2: gettext("twos"),
    3: gettext("threes"),
    4: gettext("fours"),
    5: gettext("fives"),
    6: gettext("sixes"),
    7: gettext("sevens"),
    8: gettext("eights"),
    9: gettext("nines"),
    10: gettext("tens"),
    11: gettext("jacks"),
    12: gettext("queens"),
    13: gettext("kings"),
}


class Contract(msgspec.Struct, frozen=True):
    """What has to be laid down at once; `everything`: and no card may be left in the hand."""

    sets: int
    runs: int
    everything: bool = False

    @property
    def words(self) -> str:
        """For the eye and the ear: `two sets and one run`."""
        parts: tuple[tuple[Kind, int], ...] = (("set", self.sets), ("run", self.runs))
        return listed([COUNTED[kind][number] for kind, number in parts if number])


class Laid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A meld as a player lays it down; a run from low to high, its jokers in their places."""

    kind: Kind
    cards: Pile


def points_of(cards: Sequence[Card]) -> int:
    """What the cards cost who holds them at the end."""
    return sum([POINTS[card] for card in cards])


def low_of(cards: Pile) -> int | None:
    """The position of the first card, if these are a run from low to high; any length, two naturals at least."""
    low = next((card.rank - index for index, card in enumerate(cards) if card.rank > 1), None)
    if low is None or low < LOWEST or low + len(cards) - 1 > HIGHEST or len(cards) > LONGEST_RUN:
        return None
    suits = {card.suit for card in cards if not card.is_joker}
    in_place = all(card.is_joker or CARD_AT[card.suit, at] == card for at, card in enumerate(cards, low))
    return low if in_place and len(suits) == 1 else None


def fault_of(meld: Laid) -> Fault | None:
    """Why these cards are not a set, or not a run; None if they are."""
    code, sentence = _flaw_of(meld)
    return (code, gettext(sentence, cards=_shown(meld.cards))) if code else None


def _flaw_of(meld: Laid) -> tuple[str, str]:
    cards, naturals = meld.cards, [card for card in meld.cards if not card.is_joker]
    if meld.kind == "set":
        if len(cards) < SET_LENGTH:
            return "SET_TOO_SHORT", gettext_noop("%(cards)s is no set yet: a set has three cards or more.")
        if len(naturals) < NATURALS:
            return "TOO_FEW_NATURALS", gettext_noop(
                "%(cards)s is no set: at least two of its cards must not be jokers."
            )
        if len({card.rank for card in naturals}) > 1:
            return "SET_RANKS_DIFFER", gettext_noop("%(cards)s is no set: its cards must all have the same rank.")
        return "", ""
    if len(cards) < RUN_LENGTH:
        return "RUN_TOO_SHORT", gettext_noop("%(cards)s is no run yet: a run has four cards or more.")
    if len(naturals) < NATURALS:
        return "TOO_FEW_NATURALS", gettext_noop("%(cards)s is no run: at least two of its cards must not be jokers.")
    if len({card.suit for card in naturals}) > 1:
        return "RUN_SUITS_DIFFER", gettext_noop("%(cards)s is no run: its cards must all have the same suit.")
    if low_of(cards) is None:
        return "RUN_NOT_CONSECUTIVE", gettext_noop(
            "%(cards)s is no run: its cards must follow one another from low to high, an ace at one end at most."
        )
    return "", ""


def _shown(cards: Pile) -> str:
    """The cards side by side, as a sentence about them begins."""
    if not cards:
        return gettext("Nothing")
    shown = cards[0].label
    for card in cards[1:]:
        shown = gettext("%(cards)s %(card)s", cards=shown, card=card.label)
    return shown


def span_of(meld: Laid) -> tuple[str, int, int]:
    """Suit, first and last position of a valid run."""
    low = low_of(meld.cards)
    assert low is not None
    return next(card.suit for card in meld.cards if not card.is_joker), low, low + len(meld.cards) - 1


def fault_of_contract(melds: Sequence[Laid], contract: Contract) -> Fault | None:
    """Why these melds do not make the contract; None if they do. Whose the cards are is not asked."""
    for meld in melds:
        if fault := fault_of(meld):
            return fault
    sets = sum(meld.kind == "set" for meld in melds)
    if (sets, len(melds) - sets) != (contract.sets, contract.runs):
        return "WRONG_CONTRACT", gettext(
            "This hand's contract is %(contract)s: exactly that, no more and no less.", contract=contract.words
        )
    runs = [span_of(meld) for meld in melds if meld.kind == "run"]
    for suit, _, high in runs:
        if (suit, high + 1) in [(other, low) for other, low, _ in runs]:
            return "RUNS_ADJACENT", gettext(
                "Two runs of %(suit)s may not touch: one begins right where the other ends.", suit=SUIT_NAMES[suit]
            )
    return None


class SetMeld(msgspec.Struct, frozen=True, tag_field="kind", tag="set"):
    """A set on the table. `live_joker`: one of its jokers is held in place of a third card and can be won."""

    id: int
    owner: int
    cards: Pile
    rank: int
    live_joker: bool

    kind: ClassVar[Kind] = "set"

    @property
    def words(self) -> str:
        """For the ear: `set of fives`."""
        return gettext("set of %(ranks)s", ranks=SEVERAL[self.rank])

    def takes(self, card: Card, end: End | None) -> bool:
        """Whether the card may be added."""
        return end is None and (card.is_joker or card.rank == self.rank)

    def added(self, card: Card, end: End | None) -> "SetMeld":
        """The set with one more card; a joker added is dead."""
        return SetMeld(self.id, self.owner, (*self.cards, card), self.rank, self.live_joker)

    def won_with(self, card: Card, slot: int | None) -> "SetMeld":
        """The set with the natural in place of its live joker."""
        at = self.cards.index(JOKER)
        return SetMeld(self.id, self.owner, (*self.cards[:at], card, *self.cards[at + 1 :]), self.rank, False)

    def held_place(self, slot: int) -> Card | None:
        """No slot of a set stands for one certain card."""
        return None


class RunMeld(msgspec.Struct, frozen=True, tag_field="kind", tag="run"):
    """A run on the table, from position `low` upwards. Its jokers can all be won."""

    id: int
    owner: int
    cards: Pile
    suit: str
    low: int

    kind: ClassVar[Kind] = "run"

    @property
    def high(self) -> int:
        """The last card's position."""
        return self.low + len(self.cards) - 1

    @property
    def words(self) -> str:
        """For the ear: `run of clubs`."""
        return gettext("run of %(suit)s", suit=SUIT_NAMES[self.suit])

    @property
    def ends(self) -> tuple[Card, Card]:
        """Its first card and its last, or those that jokers stand for."""
        return CARD_AT[self.suit, self.low], CARD_AT[self.suit, self.low + len(self.cards) - 1]

    def next_at(self, end: End) -> Card | None:
        """The natural that would go on at this end; None where the run cannot grow."""
        if len(self.cards) >= LONGEST_RUN:
            return None
        return CARD_AT.get((self.suit, self.low - 1 if end == "low" else self.low + len(self.cards)))

    def takes(self, card: Card, end: End | None) -> bool:
        """Whether the card may be added at this end."""
        fits = self.next_at(end) if end else None
        return fits is not None and (card.is_joker or card == fits)

    def added(self, card: Card, end: End | None) -> "RunMeld":
        """The run with one more card."""
        if end == "low":
            return RunMeld(self.id, self.owner, (card, *self.cards), self.suit, self.low - 1)
        return RunMeld(self.id, self.owner, (*self.cards, card), self.suit, self.low)

    def won_with(self, card: Card, slot: int | None) -> "RunMeld":
        """The run with the natural in place of the joker in this slot (from 1)."""
        at = (slot or 1) - 1
        return RunMeld(self.id, self.owner, (*self.cards[:at], card, *self.cards[at + 1 :]), self.suit, self.low)

    def held_place(self, slot: int) -> Card | None:
        """The card that the joker in this slot (from 1) stands for; None when there is no joker."""
        if 1 <= slot <= len(self.cards) and self.cards[slot - 1].is_joker:
            return CARD_AT[self.suit, self.low + slot - 1]
        return None


Meld = SetMeld | RunMeld


def on_table(meld: Laid, number: int, owner: int) -> Meld:
    """A valid meld as it lies on the table, its jokers' standing settled."""
    naturals = [card for card in meld.cards if not card.is_joker]
    if meld.kind == "set":
        live = len(naturals) == NATURALS and len(meld.cards) > NATURALS
        return SetMeld(number, owner, meld.cards, naturals[0].rank, live)
    suit, low, _ = span_of(meld)
    return RunMeld(number, owner, meld.cards, suit, low)
