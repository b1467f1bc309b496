"""What a move showed: whether anybody may know more cards after it than before."""

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import Any

import msgspec

from snug.engine.cards import Card

Views = Mapping[int | None, Any]


def shows_more(before: Views, after: Views, events: tuple[Any, ...], mover: int | None) -> bool:
    """Whether a viewer may know more cards after a move than before it, by the views of all of them and the events.
    What `mover` showed of his own hand is his own risk; None where nobody is to bear it. When in doubt, yes."""
    held: set[Card] = set()
    own: Counter[Card] = Counter()
    if mover is not None:
        held = set(cards_in(before[mover].hand))
        own = _by_card(_shown(before[mover]) - _shown(after[mover]), ("hand",))
    for viewer, old in before.items():
        was, now = _shown(old), _shown(after[viewer])
        # A single card of a view, as that just drawn, may only repeat what lies elsewhere.
        piles = [name for name in old.__struct_fields__ if not isinstance(getattr(old, name), Card)]
        left = _by_card(was - now, piles)
        if _by_card(now - was) - left - (own if viewer != mover else Counter()):
            return True
        known = held | {card for _, card in was}
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


def _by_card(changes: Counter[tuple[str, Card]], parts: Container[str] | None = None) -> Counter[Card]:
    """How often each card came to, or left, these parts of a view, or any."""
    found: Counter[Card] = Counter()
    for (part, card), number in changes.items():
        if parts is None or part in parts:
            found[card] += number
    return found
