"""Cards on a page: an id for each, and a hand in rows that the stylesheet can spread."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from snug.engine.cards import Card

_IN_A_ROW, _IN_A_WIDE_ROW = 8, 20
_SUITS: Final = "SHCD"  # red and black in turns
_PLACES: Final[dict[str, Callable[[Card], tuple[object, ...]]]] = {
    "suit": lambda card: (card.is_joker, _SUITS.find(card.suit), card.rank),
    "rank": lambda card: (card.is_joker, card.rank, _SUITS.find(card.suit)),
}


class HeldCard(msgspec.Struct, frozen=True):
    """A card of a hand; `is_fresh` while it is news."""

    card: Card
    id: str
    is_fresh: bool


class Fan(msgspec.Struct, frozen=True):
    """A hand. `classes` say how many cards a row holds besides its first, on a phone and on a wide screen."""

    cards: tuple[HeldCard, ...]
    classes: str


def card_id(card: Card, seen: dict[Card, int]) -> str:
    """The id of a card on the page. `seen`, which a page starts empty, numbers equal ones."""
    seen[card] = number = seen.get(card, 0) + 1
    return f"card-{card}-{number}" if number > 1 else f"card-{card}"


def ids_of(cards: Sequence[Card], seen: dict[Card, int]) -> tuple[str, ...]:
    """The ids of these cards."""
    return tuple(card_id(card, seen) for card in cards)


def as_arranged(cards: Sequence[Card], order: Mapping[str, Any] | None, round_id: int | None) -> Sequence[Card]:
    """A hand as its player wants it to lie (`app.services.play.hand_order`): sorted, then as it was arranged in this
    round, with what came since behind it. Jokers are last in every sort."""
    if order is None:
        return cards
    if order["by"]:
        cards = sorted(cards, key=_PLACES[order["by"]])
    if order.get("round") != round_id:
        return cards
    places: dict[str, list[int]] = {}
    for at, card in enumerate(order["cards"]):
        places.setdefault(card, []).append(at)
    last = [len(order["cards"])]
    return sorted(cards, key=lambda card: (places.get(card) or last[:]).pop(0))


def fan_of(cards: Sequence[Card], seen: dict[Card, int], fresh: Sequence[Card]) -> Fan:
    """A hand in this order, of which as many cards are marked as came last (`fresh`)."""
    held = tuple(
        HeldCard(card, card_id(card, seen), cards[:at].count(card) < fresh.count(card)) for at, card in enumerate(cards)
    )
    last = max(0, len(cards) - 1)
    rows, wide_rows = last // _IN_A_ROW + 1, last // _IN_A_WIDE_ROW + 1
    marks = {"rows": rows > 1, "wide-rows": wide_rows > 1, "many": rows > 2, "empty": not cards}
    classes = [f"by-{last // rows}", f"wide-{last // wide_rows}", *(name for name, holds in marks.items() if holds)]
    return Fan(held, " ".join(classes))


HELPERS: Final[dict[str, Any]] = {"card_id": card_id, "ids_of": ids_of, "fan_of": fan_of, "as_arranged": as_arranged}
