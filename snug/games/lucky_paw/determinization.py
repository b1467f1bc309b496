"""What may lie in the stock of Lucky Paw: all that a seat does not see."""

from collections import Counter
from random import Random

from snug.engine.alike import like
from snug.engine.cards import JOKER, PACK, Pile
from snug.games.lucky_paw.state import LuckyPawState
from snug.games.lucky_paw.view import LuckyPawView


def determinize(view: LuckyPawView, chance: Random) -> LuckyPawState:
    """The table with the unseen cards in any order. Which cards the jokers have replaced, nobody knows."""
    hidden = _hidden(view, chance)
    stock, aside = hidden[: view.stock_size], hidden[view.stock_size :]
    return like(LuckyPawState, view, dealt=True, stock=stock, aside=aside)


def _hidden(view: LuckyPawView, chance: Random) -> Pile:
    """As many cards as lie in the stock and aside: the jokers that are not in sight, and others that are not. There may
    be fewer hidden cards than jokers in a position that has not the whole pack."""
    piles = (*view.open, *(pile for piles in view.stacks for pile in piles))
    in_sight = Counter(card for pile in piles for card in pile)
    size = view.stock_size + view.aside_size
    jokers = min(view.options.jokers - in_sight[JOKER], size)
    unseen = [card for card in PACK if not in_sight[card]]
    hidden = chance.sample(unseen, size - jokers) + [JOKER] * jokers
    chance.shuffle(hidden)
    return tuple(hidden)
