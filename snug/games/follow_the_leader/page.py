"""What the page of a Follow the Leader table says."""

from typing import Final, Literal

import msgspec

from snug.engine.cards import RANKS, Card, Pile
from snug.engine.page import PageInput, SoFar, cards_left
from snug.games.follow_the_leader.ranks import in_words, with_joker
from snug.games.follow_the_leader.state import Drew, Led, Played, Reached
from snug.games.follow_the_leader.view import FollowTheLeaderView
from snug.words import Message, gettext

_AGO: Final = 2  # turns of everybody that are looked back on
_VERBS: Final = {"LEAD": gettext("Lead"), "FREE": gettext("Throw")}
Deed = Led | Played | Drew | Reached


class Rung(msgspec.Struct, frozen=True):
    """A rank on the ladder: whether it may follow (`is_lit`), whether the top card may be it (`is_on_top`)."""

    rank: str
    is_lit: bool
    is_on_top: bool


class Left(msgspec.Struct, frozen=True):
    """What a seat had left when the deal was over."""

    name: str
    cards: Pile


class FollowTheLeaderPage(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of the seat to play (`asks`: to lead, to throw any card, to follow a joker that may be any rank, or
    just to follow), in words what the top card counts as (`stands_for`) and what `goes` on it. `fresh` is the card that
    the viewer has just drawn, `verb` what tapping a card does; by seat: what it `did` last and what was `left`."""

    asks: Literal["lead", "free", "anything", "follow"]
    anything_goes: bool
    stands_for: str
    goes: str
    ladder: tuple[Rung, ...]
    circle_failed: bool
    nothing_left: bool
    fresh: Card | None
    verb: str
    hint: Message | None
    did: tuple[Message | None, ...]
    left: tuple[Left, ...]
    so_far: tuple[SoFar, ...]


def page(given: PageInput[FollowTheLeaderView]) -> FollowTheLeaderPage:
    """What one pair of eyes reads at the table."""
    view = given.view
    anything_goes = view.phase in ("LEAD", "FREE")
    lately = {event.seat: event for event in given.lately(_AGO) if isinstance(event, Deed)}
    mine = lately.get(view.seat or 0)
    return FollowTheLeaderPage(
        asks=_asks(view),
        anything_goes=anything_goes,
        stands_for=in_words(view.stands_for),
        goes=_goes(view),
        ladder=tuple(Rung(rank, anything_goes or rank in view.range, rank in view.stands_for) for rank in RANKS),
        circle_failed=_circle_failed(view),
        nothing_left=_nothing_left(view),
        fresh=mine.card if isinstance(mine, Drew) else None,
        verb=_VERBS.get(view.phase, gettext("Play")),
        hint=_hint(view) if given.my_turn else None,
        did=tuple(_did(view, seat, lately.get(seat)) for seat in range(1, view.seats + 1)),
        left=tuple(map(Left, given.names, map(_in_order, view.hands))),
        so_far=cards_left(view.hand_sizes),
    )


def _in_order(cards: Pile) -> Pile:
    return tuple(sorted(cards, key=lambda card: card.rank))


def _asks(view: FollowTheLeaderView) -> Literal["lead", "free", "anything", "follow"]:
    if view.phase == "LEAD":
        return "lead"
    if view.phase == "FREE":
        return "free"
    return "anything" if view.top and view.top.is_joker and _follows_anything(view) else "follow"


def _follows_anything(view: FollowTheLeaderView) -> bool:
    """Whether every rank may follow the top card, as after a joker that was led."""
    return len(view.range) == len(RANKS)


def _goes(view: FollowTheLeaderView) -> str:
    if not view.range:
        return ""
    if _follows_anything(view):
        return gettext("any card")
    ranks = in_words(view.range)
    return with_joker(ranks) if view.options.jokers else ranks


def _circle_failed(view: FollowTheLeaderView) -> bool:
    """Whether the seat to act may play any card if it cannot follow even after drawing."""
    return view.fails >= view.seats


def _nothing_left(view: FollowTheLeaderView) -> bool:
    return not view.pile_size and view.discards_size < 2


def _hint(view: FollowTheLeaderView) -> Message:
    if view.must_draw:
        if _nothing_left(view):
            return gettext("Nothing follows, and nothing is left to draw.")
        if _circle_failed(view):
            return gettext("Draw: if it does not fit, throw any card.")
        return gettext("None of your cards follows.")
    match view.phase:
        case "DRAWN":
            return gettext("You drew %(card)s and it fits: play it.", card=view.drawn_card)
        case "FREE":
            return gettext("Throw any card you like.")
        case "LEAD":
            return gettext("Tap any card to lead it.")
    return gettext("Play a card that follows.")


def _did(view: FollowTheLeaderView, seat: int, deed: Deed | None) -> Message | None:
    match deed:
        case Led(card=card):
            return gettext("led %(card)s", card=card)
        case Played(card=card, kind=kind):
            return gettext("threw %(card)s", card=card) if kind == "free" else gettext("played %(card)s", card=card)
        case Drew(drawn=drawn):
            return gettext("drew, no fit") if drawn else gettext("no card left")
        case None if seat == view.dealer and not view.top:
            return gettext("dealt")
    return None
