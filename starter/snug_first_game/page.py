"""What the page of a First Game table says, worked out from what the viewer sees; the templates only write it down."""

import msgspec
from snug.engine.cards import Card
from snug.engine.page import PageInput
from snug.words import gettext

from snug_first_game.state import taker
from snug_first_game.view import FirstGameView


class Laid(msgspec.Struct, frozen=True):
    """A place in the trick: whose it is, the card there, and whether it takes the trick so far."""

    seat: int
    card: Card | None
    takes: bool


class FirstGamePage(msgspec.Struct, frozen=True):
    """The trick, everybody's number of tricks, and what to do now. `game_page` in the templates."""

    laid: tuple[Laid, ...]
    tricks: tuple[int, ...]
    hint: str


def page(given: PageInput[FirstGameView]) -> FirstGamePage:
    """Called for every seat, for watchers (`given.view.seat` is None), and for every moment of a replay. Beside the
    view there are `given.events`, as these eyes saw them, `given.names` and `given.my_turn`."""
    view = given.view
    best = taker(view.leader, view.trick, view.seats) if view.trick else None
    order = [(view.leader + step - 1) % view.seats + 1 for step in range(view.seats)]
    cards = (*view.trick, *(None,) * (view.seats - len(view.trick)))
    return FirstGamePage(
        laid=tuple(Laid(seat, card, seat == best) for seat, card in zip(order, cards, strict=True)),
        tricks=tuple(len(cards) // view.seats for cards in view.taken),
        hint=gettext("Lay any card.") if given.my_turn else "",
    )
