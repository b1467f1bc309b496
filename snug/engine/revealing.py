"""What a move showed: whether anybody may know more cards after it than before."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from snug.engine.cards import Card

Views = Mapping[int | None, Any]
_NO_CARDS: Final[Counter[Card]] = Counter()


def shows_more(before: Views, after: Views, events: tuple[Any, ...], mover: int | None) -> bool:
    """Whether a viewer may know more cards after a move than before it, by the views of all of them and the events.
    What `mover` showed of his own hand is his own risk; None where nobody is to bear it. When in doubt, yes."""
    counted: dict[int, Counter[Card]] = {}
    held: set[Card] = set()
    own = _NO_CARDS
    if mover is not None:
        held = set(cards_in(before[mover].hand))
        hands = (_shown(views[mover], counted).get("hand", _NO_CARDS) for views in (before, after))
        own = next(hands) - next(hands)
    for viewer, old in before.items():
        was, now = _shown(old, counted), _shown(after[viewer], counted)
        came, left = Counter[Card](), Counter[Card]()
        for part in was.keys() | now.keys():
            less, more = was.get(part, _NO_CARDS), now.get(part, _NO_CARDS)
            if less is more:
                continue
            came += more - less
            # A single card of a view, as that just drawn, may only repeat what lies elsewhere.
            if not isinstance(getattr(old, part), Card):
                left += less - more
        if came - left - (own if viewer != mover else _NO_CARDS):
            return True
        told = {card for event in events for card in cards_in(event.seen_by(viewer))}
        if told and not told <= held.union(*was.values()):
            return True
    return False


def cards_in(value: Any) -> Iterator[Card]:
    """Every card in a value of the rules, however deep."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from cards_in(part)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from cards_in(getattr(value, name))
    elif isinstance(value, Mapping):
        yield from cards_in((*value.keys(), *value.values()))


def _shown(view: Any, counted: dict[int, Counter[Card]]) -> dict[str, Counter[Card]]:
    """The cards in each part of a view that has some, but not those that only repeat it as moves. What views share is
    counted once: `counted` knows it by its identity, for as long as the views are there."""
    shown = {}
    for name in view.__struct_fields__:
        part = getattr(view, name)
        if name == "legal" or isinstance(part, int | None):
            continue
        if id(part) not in counted:
            counted[id(part)] = Counter(cards_in(part))
        if counted[id(part)]:
            shown[name] = counted[id(part)]
    return shown
