"""Offering a discard that the player in turn has declined, and drawing from the stock: §8.2, §8.7."""

from typing import Literal

from msgspec.structs import replace

from snug.engine.cards import Pile, with_part
from snug.engine.chance import ShuffleDue
from snug.engine.game import Event
from snug.engine.melds import points_of
from snug.games.liverpool.events import Bought, HandOver, NoSale, StockDrawn
from snug.games.liverpool.state import MAX_RESHUFFLES, LiverpoolState


def offered_to(state: LiverpoolState) -> tuple[int, ...]:
    """§8.2: who is asked whether he buys the discard, in the order in which it is sold; empty if it is not for sale."""
    options = state.options
    if options.buying_from == "second_hand" and state.number == 1:
        return ()
    if options.buying_from == "second_circuit" and not all(state.turns_done):
        return ()
    under_the_next = max(0, len(state.discard_pile) - 2) if state.reshuffles < MAX_RESHUFFLES else 0
    if not state.discard_pile or len(state.stock) + under_the_next < 2:
        return ()
    limit = None if options.max_buys == "unlimited" else options.max_buys
    return tuple(
        seat
        for seat in [(state.turn + step) % state.seats + 1 for step in range(state.seats - 1)]
        if not state.down[seat - 1] and (limit is None or state.buys[seat - 1] < limit)
    )


def buyer(state: LiverpoolState) -> int | None:
    """§8.2: the seat to which the discard goes, 0 if nobody wants it, None while a seat before that has to answer."""
    for seat, answer in zip(state.buy_queue, state.buy_answers, strict=True):
        if answer is None:
            return None
        if answer:
            return seat
    return 0


def recycling(state: LiverpoolState) -> ShuffleDue | None:
    """§8.7: the discards to be shuffled because a card is needed now; the top one stays, and one just sold."""
    if state.phase != "BUY" or state.stock or (sold_to := buyer(state)) is None:
        return None
    return ShuffleDue(state.discard_pile[: -2 if sold_to else -1])


def recycled(state: LiverpoolState, cards: Pile) -> LiverpoolState:
    """The stock made of these discards."""
    kept = len(state.discard_pile) - len(cards)
    return replace(state, stock=cards, discard_pile=state.discard_pile[-kept:], reshuffles=state.reshuffles + 1)


def settle(state: LiverpoolState) -> tuple[LiverpoolState, tuple[Event, ...]]:
    """§8.2: once the offer is decided the sale, then the draw of the player in turn; each waits for the dealer if he
    has to recycle the discards first."""
    sold_to = buyer(state)
    if sold_to is None or (sold_to and not state.stock):
        return state, ()
    events: tuple[Event, ...] = ()
    if state.buy_queue:
        state, sale = _sold(state, sold_to) if sold_to else (state, NoSale())
        state = replace(state, buy_queue=(), buy_answers=())
        events = (sale,)
    state, drawn = _drawn(state)
    return state, (*events, *drawn)


def _sold(state: LiverpoolState, seat: int) -> tuple[LiverpoolState, Event]:
    card, penalty = state.discard_pile[-1], state.stock[0]
    hand = (*state.hands[seat - 1], card, penalty)
    state = replace(
        state,
        hands=with_part(state.hands, seat, hand),
        stock=state.stock[1:],
        discard_pile=state.discard_pile[:-1],
        buys=with_part(state.buys, seat, state.buys[seat - 1] + 1),
    )
    return state, Bought(seat, card, len(hand), penalty)


def _drawn(state: LiverpoolState) -> tuple[LiverpoolState, tuple[Event, ...]]:
    if not state.stock:
        if state.reshuffles < MAX_RESHUFFLES and len(state.discard_pile) > 1:
            return replace(state, phase="BUY"), ()
        state, over = ended(state, "exhausted")
        return state, (over,)
    card, seat = state.stock[0], state.turn
    state = replace(
        state,
        phase="PLAY",
        hands=with_part(state.hands, seat, (*state.hands[seat - 1], card)),
        stock=state.stock[1:],
    )
    return state, (StockDrawn(seat, len(state.stock), card),)


def ended(state: LiverpoolState, reason: Literal["out", "exhausted", "turn_cap"]) -> tuple[LiverpoolState, Event]:
    """§8.5, §8.7, §14: the hand is over, all hands are shown."""
    state = replace(state, phase="HAND_OVER")
    return state, HandOver(reason, state.winner, state.hands, tuple(map(points_of, state.hands)))
