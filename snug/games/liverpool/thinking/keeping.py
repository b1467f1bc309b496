"""What a player still holds who has chosen what to keep: better cards than he would have been dealt."""

from collections.abc import Iterable, Sequence

from snug.engine.melds import Contract
from snug.games.liverpool.thinking.needs import POINTS_OF, Needs, needs, promise


def keep_the_best(
    known: Sequence[int], free: list[int], stock: list[int], drawn: Iterable[int], contract: Contract
) -> None:
    """Exchanges cards of a hand with those at places of the stock, as a player does who has drawn these, threw away
    what was of no use and could not go down. The `known` cards of the hand stay, the `free` ones may change."""
    need: Needs | None = None
    spare: list[tuple[float, int]] = []
    size = len(known) + len(free) + 1 if contract.everything else 0
    for at in drawn:
        card, hand = stock[at], (*known, *free)
        if need is None:
            need = needs(tuple(sorted(hand)), contract, size)
            stay = list(free)
            spare = [it for it in need.spare if _taken_from(stay, it[1])]
        if need.missing <= 0:
            helps, worst = True, free[0]
        else:
            helps = bool(need.wants >> card & 1)
            worth = promise(hand, card, contract) - POINTS_OF[card]
            if (helps and need.missing == 1) or not spare or (spare[0][0] >= worth and not helps):
                continue
            worst = spare.pop(0)[1]
            spare.append((worth, card))
            spare.sort()
        free.remove(worst)
        free.append(card)
        stock[at] = worst
        if helps:
            need = None


def _taken_from(cards: list[int], card: int) -> bool:
    """Whether the card was among these, which are fewer by it then."""
    if card in cards:
        cards.remove(card)
        return True
    return False
