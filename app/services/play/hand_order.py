"""How a player's hand lies: sorted, or as the player arranged it. Nobody else learns of it, and no move comes of it."""

from typing import Any, Final

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.table.held_table import PLAYING
from app.services.table.open_table import open_table
from app.storage.writer import Transaction
from snug.engine.cards import CARDS, parse_pile

SORTS: Final = ("suit", "rank")
_MOST_CARDS: Final = 2 * len(CARDS)


def arrange_hand(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, by: str, cards: list[str], seen: int
) -> int:
    """Keeps how the hand of a seat lies, on a page of version `seen`: sorted `by` suit or rank (empty: as the game does
    it) for good, then with these `cards` in this order until the next deal. The table's version stays as it is: which
    order a hand was drawn with is told by the order's number, which this returns. Raises NotFound, Forbidden, Conflict
    and Refused, and then nothing is changed."""
    if (by or not cards) and by not in SORTS:
        raise Refused("BAD_ORDER", "A hand is sorted by suit or by rank.")
    try:
        order = [str(card) for card in parse_pile(cards[: _MOST_CARDS + 1])]
    except ValueError as error:
        raise Refused("BAD_ORDER", "A hand is arranged by naming its cards, such as 7C and QS.") from error
    if not (by or order):
        raise Refused("BAD_ORDER", "Say by what the hand is sorted, or how its cards lie.")
    if len(order) > _MOST_CARDS:
        raise Refused("BAD_ORDER", "No hand has so many cards.")
    with open_table(context, transaction, slug, by=player_id, seated=True, only_plays=True) as table:
        before = table.me.hand_order or {}
        number: int = before.get("number", 0)
        kept: dict[str, Any] = {"by": by or before.get("by", ""), "number": number}
        if order and table.row.status == PLAYING and table.round.began <= seen:
            kept |= {"round": table.round.round_id, "cards": order}
        if kept != {"number": 0, **before}:
            number += 1
            table.change_seat(table.me, quietly=True, hand_order={**kept, "number": number})
        return number
