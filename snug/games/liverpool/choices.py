"""Every legal move of a seat: §8, §9. Nothing here is tried out; each move is known to be legal when it is made."""

from collections.abc import Collection
from typing import Final

from snug.engine.cards import CARDS, JOKER, Card
from snug.engine.game import Move
from snug.engine.melds import ENDS, Meld, RunMeld, SetMeld
from snug.games.liverpool.laying import places_for
from snug.games.liverpool.meld_search import can_lay
from snug.games.liverpool.play import to_act
from snug.games.liverpool.state import (
    Buy,
    Discard,
    DrawStock,
    LayDown,
    LayOff,
    LiverpoolState,
    PassBuy,
    StealJoker,
    TakeDiscard,
)

TAKE: Final = TakeDiscard()
DRAW: Final = DrawStock()
ANSWERS: Final = (Buy(), PassBuy())
LAY_DOWN: Final = LayDown()
DISCARDS: Final = {card: Discard(card) for card in CARDS.values()}


def legal(state: LiverpoolState, seat: int) -> tuple[Move, ...]:
    """§9. Going down is listed once, without melds."""
    if seat not in to_act(state):
        return ()
    if state.phase == "BUY":
        return ANSWERS
    down = state.down[seat - 1]
    if state.phase == "DRAW":
        if not state.discard_pile:
            return (DRAW,)
        if not down:
            return TAKE, DRAW
        return (*map(TakeDiscard, plays_of(state.melds, state.discard_pile[-1:])), DRAW)
    hand = state.hands[seat - 1]
    cards = dict.fromkeys(hand)
    discards = [DISCARDS[card] for card in cards]
    taken = state.taken_card
    if taken is not None and len(hand) > 1 and hand.count(taken) == 1:
        discards.remove(DISCARDS[taken])
    if not down:
        return (LAY_DOWN, *discards) if can_lay(hand, state.contract, state.keep) else tuple(discards)
    may_add = state.options.layoff_same_turn or not state.went_down_this_turn
    if may_add and len(hand) > state.keep:
        return (*plays_of(state.melds, cards), *discards)
    return tuple(discards)


def plays_of(melds: tuple[Meld, ...], cards: Collection[Card]) -> list[LayOff | StealJoker]:
    """§8.4: everything that a player who is down can do with these cards, no two of which are equal."""
    plays: list[LayOff | StealJoker] = []
    for meld in melds:
        if isinstance(meld, RunMeld):
            for end in ENDS:
                natural = meld.next_at(end)
                if natural is not None:
                    plays += [LayOff(card, meld.id, end) for card in (natural, JOKER) if card in cards]
        else:
            plays += [LayOff(card, meld.id) for card in cards if card.rank == meld.rank or card.is_joker]
    jokers = [meld for meld in melds if JOKER in meld.cards]
    for meld in jokers:
        if wins := _wins(meld, cards):
            places = [place for place in places_for(JOKER, melds) if meld.kind == "run" or place.meld != meld.id]
            plays += [StealJoker(card, meld.id, place, slot) for card, slot in wins for place in places]
    return plays


def _wins(meld: Meld, cards: Collection[Card]) -> list[tuple[Card, int | None]]:
    """The cards that win a joker of this meld, and its slot."""
    if isinstance(meld, SetMeld):
        return [(card, None) for card in cards if card.rank == meld.rank] if meld.live_joker else []
    slots = [slot for slot, card in enumerate(meld.cards, 1) if card.is_joker]
    held = [(meld.held_place(slot), slot) for slot in slots]
    return [(card, slot) for card, slot in held if card is not None and card in cards]
