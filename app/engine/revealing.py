"""What a move showed: whether anybody may know more cards after it than before."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from app.engine.cards import Card

Views = Mapping[int | None, Any]


def shows_more(before: Views, after: Views, events: tuple[Any, ...], mover: int | None) -> bool:
    """Whether a viewer may know more cards after a move than before it, by the views of all of them and the events.
    What `mover` showed of his own hand is his own risk; None where nobody is to bear it. When in doubt, yes."""
    held = set() if mover is None else set(cards_in(before[mover].hand))
    own = Counter[Card]() if mover is None else _fallen(before[mover], after[mover], "hand")
    for viewer, old in before.items():
        new = after[viewer]
        left = _fallen(old, new) + (own if viewer != mover else Counter())
        if _risen(old, new) - left:
            return True
        known = held | {card for _, card in _shown(old)}
        if any(card not in known for event in events for card in cards_in(event.seen_by(viewer))):
            return True
    return False


def cards_in(value: Any) -> Iterator[Card]:
    """Every card in a value of the rules, however deep."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from cards_in(getattr(value, name))
    elif isinstance(value, Mapping):
        yield from cards_in((*value.keys(), *value.values()))
    elif isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from cards_in(part)


def _shown(view: Any) -> Counter[tuple[str, Card]]:
    """The cards in each part of a view, but not those that only repeat it as moves."""
    names = (name for name in view.__struct_fields__ if name != "legal")
    return Counter((name, card) for name in names for card in cards_in(getattr(view, name)))


def _risen(old: Any, new: Any) -> Counter[Card]:
    """How often each card came to some part of a view."""
    risen: Counter[Card] = Counter()
    for (_, card), count in (_shown(new) - _shown(old)).items():
        risen[card] += count
    return risen


def _fallen(old: Any, new: Any, part: str | None = None) -> Counter[Card]:
    """How often each card left some pile of a view, or this one. A single card, as the one just drawn, is no pile: it
    may only repeat what lies elsewhere."""
    fallen: Counter[Card] = Counter()
    for (name, card), count in (_shown(old) - _shown(new)).items():
        if part in (None, name) and not isinstance(getattr(old, name), Card):
            fallen[card] += count
    return fallen
