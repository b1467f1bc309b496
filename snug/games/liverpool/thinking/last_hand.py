"""What a sharp Liverpool player takes and discards in the last hand, where every card has to find its place."""

from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import Final

from snug.engine.game import Move
from snug.games.liverpool.choices import DISCARDS, TAKE
from snug.games.liverpool.state import DrawStock, cards_for
from snug.games.liverpool.thinking.determinization import discards_seen
from snug.games.liverpool.thinking.needs import CARD_OF, NUMBER_OF, POINTS_OF, WILD, needs, numbers_of
from snug.games.liverpool.view import LiverpoolView

_MISSING: Final = 60.0  # what each card still missing costs, in points
_TO_BE_HAD: Final = 0.6  # what each card in the stock or another hand is worth that would help
_HELD: Final = 0.5  # what a point in the hand costs: most do not go out
_NEARER: Final = 30.0  # a discard is taken if the hand is better for it by so much


def last_hand(view: LiverpoolView) -> Move | None:
    """Whether he takes the discard, or what he discards; None where there is nothing to weigh."""
    hand = list(numbers_of(view.hand))
    worth = _Worth(view)
    if view.phase == "DRAW" and view.upcard and not view.upcard.is_joker and view.may_take:
        taken = NUMBER_OF[view.upcard]
        with_it = [*hand, taken]
        if worth.missing(with_it, 0) <= 0:
            return TAKE
        best = max((worth.without(with_it, card) for card in set(hand) - {WILD}), default=-inf)
        return TAKE if best >= worth.of(hand) + _NEARER else DrawStock()
    may = [NUMBER_OF[card] for card in view.discardable if not card.is_joker]
    if view.phase != "PLAY" or view.may_lay_down or not may:
        return None
    return DISCARDS[CARD_OF[max(may, key=lambda card: worth.without(hand, card))]]


class _Worth:
    """What hands are worth to the viewer, in points."""

    def __init__(self, view: LiverpoolView) -> None:
        self.contract = view.contract
        self.left = Counter(NUMBER_OF[card] for card in cards_for(view.seats))
        self.left.subtract(NUMBER_OF[card] for card in (*view.hand, *discards_seen(view)))

    def missing(self, hand: Sequence[int], more: int) -> int:
        """How many cards a hand lacks when it will have so many more."""
        return needs(tuple(sorted(hand)), self.contract, len(hand) + more).missing

    def of(self, hand: Sequence[int]) -> float:
        """What a hand is worth before a card is drawn."""
        need = needs(tuple(sorted(hand)), self.contract, len(hand) + 1)
        to_be_had = sum(number for card, number in self.left.items() if number > 0 and need.wants >> card & 1)
        held = sum(POINTS_OF[card] for card in hand)
        return _TO_BE_HAD * to_be_had - _MISSING * max(0, need.missing) - _HELD * held

    def without(self, hand: Sequence[int], card: int) -> float:
        """What it is worth when this card is discarded."""
        rest = list(hand)
        rest.remove(card)
        return self.of(rest)
