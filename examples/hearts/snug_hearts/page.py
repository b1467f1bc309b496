"""What the page of a Hearts table says, worked out from what the viewer sees; the templates only write it down."""

import msgspec
from snug.engine.cards import SUIT_NAMES, Card, Pile
from snug.engine.page import PageInput
from snug.words import gettext

from snug_hearts.options import HeartsOptions
from snug_hearts.score import penalty
from snug_hearts.state import JACK, is_penalty
from snug_hearts.tricks import Trick
from snug_hearts.view import HeartsView, in_order


class Laid(msgspec.Struct, frozen=True):
    """A place in the trick: whose it is, and the card there if it was played. `takes` marks the best card so far."""

    seat: int
    card: Card | None
    takes: bool


class Took(msgspec.Struct, frozen=True):
    """What a seat has taken so far: the cards that count, what they come to, and how many tricks."""

    seat: int
    cards: Pile
    points: int
    tricks: int


class HeartsPage(msgspec.Struct, frozen=True):
    """The trick in the middle (the one before, while nobody has led), who takes it and whether it is over; what
    everybody took; the cards that came with the pass; what to do now."""

    laid: tuple[Laid, ...]
    is_over: bool
    taker: int | None
    took: tuple[Took, ...]
    fresh: Pile
    hint: str


def page(given: PageInput[HeartsView]) -> HeartsPage:
    """What there is to say to one viewer."""
    view = given.view
    trick, is_over = _trick(view)
    taker = trick.winner(view.seats) if trick and trick.cards else None
    return HeartsPage(
        laid=_laid(trick, view.seats, taker) if trick else (),
        is_over=is_over,
        taker=taker,
        took=tuple(_took(view, seat) for seat in range(1, view.seats + 1)),
        fresh=() if view.tricks else view.received,
        hint=_hint(view),
    )


def _trick(view: HeartsView) -> tuple[Trick | None, bool]:
    """The trick being played; between two tricks the one that was just taken, and that it is over."""
    if view.tricks and not (view.trick and view.trick.cards):
        return view.tricks[-1], True
    return view.trick, False


def _laid(trick: Trick, seats: int, taker: int | None) -> tuple[Laid, ...]:
    """Everybody's place, in the order of play."""
    cards = dict(trick.seats(seats))
    order = ((trick.leader + step - 1) % seats + 1 for step in range(seats))
    return tuple(Laid(seat, cards.get(seat), seat == taker) for seat in order)


def _took(view: HeartsView, seat: int) -> Took:
    pile = view.taken[seat - 1]
    cards = tuple(card for card in in_order(pile) if counts(card, view.options))
    return Took(seat, cards, penalty(pile) - 10 * (view.options.jack and JACK in pile), len(pile) // view.seats)


def counts(card: Card, options: HeartsOptions) -> bool:
    """Whether whoever takes the card has more points, or fewer."""
    return is_penalty(card) or (options.jack and card == JACK)


def _hint(view: HeartsView) -> str:
    """What the viewer may do now, in a sentence; empty where there is nothing."""
    if view.may_pass:
        return gettext("Tick three cards to give away.")
    if not view.playable or view.trick is None:
        return ""
    if view.trick.cards:
        suit = view.trick.cards[0].suit
        if view.playable[0].suit == suit:
            return gettext("Follow suit: %(suit)s.", suit=SUIT_NAMES[suit])
        if set(view.playable) < set(view.hand):
            return gettext("You have no %(suit)s: play any card that costs nothing.", suit=SUIT_NAMES[suit])
        return gettext("You have no %(suit)s: play any card.", suit=SUIT_NAMES[suit])
    if not view.tricks:
        return gettext("Lead the %(card)s.", card=view.playable[0].words)
    if len(view.playable) == len(view.hand):
        return gettext("Lead any card.")
    return gettext("Lead any card but a heart.")
