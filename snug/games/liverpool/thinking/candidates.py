"""Which moves a sharp Liverpool player thinks about: those between which something is at stake."""

from collections.abc import Sequence
from typing import Final

from snug.engine.game import Move
from snug.engine.melds import POINTS
from snug.games.liverpool.choices import DISCARDS, TAKE
from snug.games.liverpool.state import Buy, PassBuy
from snug.games.liverpool.thinking.needs import CARD_OF, NUMBER_OF, WORTH_BUYING, needs, numbers_of, promise
from snug.games.liverpool.view import LiverpoolView

_DISCARDS: Final = 4  # so many of the most useless cards come into question


def candidates(view: LiverpoolView) -> Sequence[Move]:
    """The moves worth a thought beside his first one: whether a card is taken or bought is one only where he does not
    go by what brings the contract nearer. In the last hand looking ahead tells nothing that counting does not."""
    if view.contract.everything:
        return ()
    if view.phase == "BUY":
        if _brings_nearer(view):
            return (Buy(),)
        return (PassBuy(), Buy()) if _promises(view) else (PassBuy(),)
    if view.phase == "DRAW":
        return (TAKE,) if view.may_take and _brings_nearer(view) else ()
    if view.may_lay_down:
        return ()
    if view.is_down:
        return () if len(view.discardable) < len(view.legal) else _dearest(view)
    return _most_useless(view)


def _brings_nearer(view: LiverpoolView) -> bool:
    """Whether the viewer needs the discard."""
    assert view.upcard
    need = needs(numbers_of(view.hand), view.contract)
    return bool(need.wants >> NUMBER_OF[view.upcard] & 1)


def _promises(view: LiverpoolView) -> bool:
    """Whether the discard is the beginning of a meld where many cards are to be laid, and the second may help too."""
    assert view.upcard
    worth = promise(numbers_of(view.hand), NUMBER_OF[view.upcard], view.contract)
    return view.contract.sets + view.contract.runs > 2 and worth >= WORTH_BUYING


def _dearest(view: LiverpoolView) -> Sequence[Move]:
    cards = sorted(view.discardable, key=POINTS.__getitem__, reverse=True)
    return tuple(DISCARDS[card] for card in cards[:2])


def _most_useless(view: LiverpoolView) -> Sequence[Move]:
    hand = numbers_of(view.hand)
    may = view.discardable
    need = needs(hand, view.contract)
    spare = dict.fromkeys(CARD_OF[card] for _, card in need.spare)
    cards = [card for card in spare if card in may][:_DISCARDS]
    if len(cards) < 2:
        cards += [card for card in sorted(may, key=POINTS.__getitem__) if card not in cards and not card.is_joker]
    return tuple(DISCARDS[card] for card in cards[:_DISCARDS])
