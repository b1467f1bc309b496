"""What a seat of a Life table remembers of a Hand, as far as it tells of hidden cards: §9."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import Final

import msgspec

from snug.engine.cards import JOKER, PACK, Card, Pile
from snug.games.life.dealing import pack_for
from snug.games.life.events import CardsLaid, CardTurned, Dealt, DeckReshuffled, PickedUp, Stolen, Swept
from snug.games.life.state import ALL_SUITS
from snug.games.life.view import LifeView

_BIT: Final = {suit: 1 << number for number, suit in enumerate(ALL_SUITS)}
BITS: Final = {JOKER: 0, **{card: _BIT[card.suit] for card in PACK}}

Needs = tuple[tuple[int, int], ...]
"""Bits of a suit, and how many cards a hand must still hold that may be of it, as it will give away so many more than
it will get."""


class Draws(msgspec.Struct, frozen=True):
    """A seat took a card from the deck, unseen."""

    seat: int


class Gains(msgspec.Struct, frozen=True):
    """A card went to a seat's hand before the viewer's eyes."""

    seat: int
    card: Card


class Loses(msgspec.Struct, frozen=True):
    """A card of a seat's hand came to light."""

    seat: int
    card: Card
    needs: Needs = ()


class Passes(msgspec.Struct, frozen=True):
    """A thief took an unseen card from another hand. `homes`: at which seat a card came to light the next time."""

    target: int
    thief: int
    target_needs: Needs = ()
    thief_needs: Needs = ()
    homes: dict[Card, int] = {}


class Lacks(msgspec.Struct, frozen=True):
    """A seat holds no card of the suits whose bits these are; or only perhaps."""

    seat: int
    bits: int
    certain: bool = True


class Shows(msgspec.Struct, frozen=True):
    """The deck's top card came to light, or to the viewer's hand."""

    card: Card


class Reshuffles(msgspec.Struct, frozen=True):
    """These cards are the deck now."""

    cards: Pile


Step = Draws | Gains | Loses | Passes | Lacks | Shows | Reshuffles


class Memory(msgspec.Struct, frozen=True):
    """What the viewer remembers: how many unseen cards everybody held at first, which cards were unseen then, and what
    happened since. `whole`: whether all that was ever discarded is known, and so what a new deck is made of."""

    held: tuple[int, ...]
    unseen: Counter[Card]
    steps: tuple[Step, ...]
    whole: bool


def out_of_sight(view: LifeView) -> Counter[Card]:
    """The cards of the deck and of the other hands."""
    cards = Counter(pack_for(view.options, view.seats))
    for pile in (view.hand, view.discards, *view.rows, *view.safe):
        cards.subtract(pile)
    cards[JOKER] -= view.removed_jokers
    return +cards


@lru_cache(maxsize=16)
def remembered(view: LifeView) -> Memory:
    """Everything that a view tells, gathered once for many guesses."""
    deals = [at for at, event in enumerate(view.seen) if isinstance(event, Dealt)]
    whole = bool(deals)
    steps = tuple(_steps(view, deals[-1] + 1 if deals else 0))
    held = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes, 1)]
    unseen = out_of_sight(view)
    for step in steps:
        match step:
            case Draws(seat):
                held[seat - 1] -= 1
            case Gains(seat, card):
                held[seat - 1] -= 1
                unseen[card] -= 1
            case Loses(seat, card):
                held[seat - 1] += 1
                unseen[card] += 1
            case Passes(target, thief):
                held[target - 1] += 1
                held[thief - 1] -= 1
            case Shows(card):
                unseen[card] += 1
            case Reshuffles(cards):
                unseen.subtract(cards)
    return Memory(tuple(held), +unseen, _foreseen(steps, view.seats), whole)


def _foreseen(steps: tuple[Step, ...], seats: int) -> tuple[Step, ...]:
    """The same steps, each knowing what will come to light after it."""
    needs = [dict.fromkeys(_BIT.values(), 0) for _ in range(seats)]
    homes: dict[Card, int] = {}
    found: list[Step] = []

    def of(seat: int) -> Needs:
        return tuple((bit, need) for bit, need in needs[seat - 1].items() if need)

    def gets(seat: int, bits: int) -> None:
        needs[seat - 1] = {bit: max(0, need - bool(bit & bits)) for bit, need in needs[seat - 1].items()}

    for step in reversed(steps):
        match step:
            case Loses(seat, card):
                found.append(Loses(seat, card, of(seat)))
                if card.suit:
                    needs[seat - 1][BITS[card]] += 1
                homes[card] = seat
            case Passes(target, thief):
                found.append(Passes(target, thief, of(target), of(thief), dict(homes)))
                gets(thief, -1)
            case Lacks(seat, bits, False) if any(bit & bits for bit, _ in of(seat)):
                pass
            case _:
                found.append(step)
                if isinstance(step, Draws):
                    gets(step.seat, -1)
                elif isinstance(step, Gains):
                    gets(step.seat, BITS[step.card])
    return tuple(reversed(found))


def _steps(view: LifeView, begin: int) -> Iterator[Step]:
    me, others = view.seat, [seat for seat in range(1, view.seats + 1) if seat != view.seat]
    discards: list[Card] = []
    suit = ""
    events = view.seen[begin:]
    for event, following in zip_longest(events, events[1:]):
        match event:
            case CardTurned(seat, card):
                yield Shows(card)
                discards.append(card)
                suit = card.suit
                if card.rank == 1:
                    if not isinstance(following, Swept):
                        yield from (Lacks(other, _BIT[suit]) for other in others)
                elif suit == "S" and seat != me and not isinstance(following, CardsLaid):
                    yield Lacks(seat, _BIT["S"])
            case CardsLaid(seat, cards):
                suit = cards[0].suit if cards else suit
                if seat != me:
                    yield from (Loses(seat, card) for card in cards)
                    if suit:
                        yield Lacks(seat, _BIT[suit], suit == "S")
                if any(card.rank == 1 for card in cards) and not isinstance(following, Swept):
                    yield from (Lacks(other, _BIT[suit]) for other in others)
            case Swept(swept, taken, to):
                yield from (Loses(one.seat, card) for one in taken if one.seat != me for card in one.hand)
                yield from (Lacks(other, _BIT[swept]) for other in others)
                if to is None:
                    discards += [card for one in taken for card in (*one.hand, *one.row)]
            case Stolen(thief, target, from_row, card):
                if card and not from_row and target != me:
                    yield Loses(target, card)
                elif card and thief != me:
                    yield Gains(thief, card)
                elif not card:
                    yield Passes(target, thief)
            case PickedUp(seat, _, card):
                yield Shows(card) if card else Draws(seat)
            case DeckReshuffled():
                yield Reshuffles(tuple(discards))
                discards = []
