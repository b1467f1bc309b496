"""Standing orders: what a seat answers, for the rest of a hand, whenever it is asked whether it buys. §8.2.

They always answer at once, whatever is for sale, so that how quickly an answer comes tells nothing.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import msgspec

from snug.engine.cards import RANKS, Card
from snug.engine.game import InvalidMove, Move, convert, plain
from snug.engine.wording import in_words
from snug.games.liverpool.state import Buy, PassBuy

Wish = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK"]
WISHES: Final[tuple[str, ...]] = get_args(Wish)


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards of these ranks are bought, all others are left."""

    buy: tuple[Wish, ...] = ()


def read_orders(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Orders as a form sends them, as plain data. Raises InvalidMove."""
    try:
        orders = convert(raw, Orders, strict=False)
    except ValueError as error:
        raise InvalidMove("BAD_MOVE", "These are no standing orders: %(why)s", why=in_words(error)) from error
    return {"buy": sorted(set(plain(orders.buy)))}


def move_by(orders: Mapping[str, Any], upcard: Card) -> Move:
    """What these orders answer when this card is for sale."""
    rank = "JK" if upcard.is_joker else RANKS[upcard.rank - 1]
    return Buy() if rank in orders["buy"] else PassBuy()
