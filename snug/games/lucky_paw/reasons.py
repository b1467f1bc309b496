"""A move of Lucky Paw in words, and what it is good for."""

from collections.abc import Sequence

from snug.engine.cards import Card
from snug.engine.game import Move
from snug.games.lucky_paw.play import FITS
from snug.games.lucky_paw.state import Play
from snug.games.lucky_paw.view import LuckyPawView
from snug.words import Message, gettext


def say(view: LuckyPawView, move: Move, names: Sequence[str]) -> Message:
    """What to do."""
    if not isinstance(move, Play):
        return gettext("Pass.")
    top = view.open[move.open - 1][-1]
    return gettext("Play %(card)s on %(top)s.", card=_played(view, move).spoken, top=top.spoken)


def taps(view: LuckyPawView, move: Move) -> tuple[str, ...]:
    """The card, and where it goes if there is a choice."""
    if not isinstance(move, Play):
        return ("pass",)
    has_choice = sum(play.stack == move.stack for play in view.plays) > 1
    return (f"pick-{move.stack}", f"onto-{move.open}") if has_choice else (f"play-{move.stack}",)


def why(view: LuckyPawView, move: Move) -> Message | None:
    """What it opens for oneself, or closes for the next."""
    return _why_play(view, move) if isinstance(move, Play) else _why_pass(view)


def _why_play(view: LuckyPawView, move: Play) -> Message | None:
    own = view.stacks[(view.seat or 0) - 1]
    card = _played(view, move)
    if sum(map(len, own)) == 1:
        return gettext("It is your last card.")
    rest = [pile[:-1] if number == move.stack else pile for number, pile in enumerate(own, 1)]
    following = [pile[-1] for pile in rest if pile and card in FITS[pile[-1]]]
    tops = {pile[-1] for pile in view.open if pile}
    for other in following:
        if not tops & FITS[other]:
            return gettext("Then %(card)s has a place, too.", card=other.spoken)
    left = {card, *(pile[-1] for number, pile in enumerate(view.open, 1) if pile and number != move.open)}
    for theirs in _next_cards(view):
        if tops & FITS[theirs] and not left & FITS[theirs]:
            return gettext("It covers the only place for %(card)s of the player after you.", card=theirs.spoken)
    if following:
        return gettext("You can follow it with %(card)s.", card=following[0].spoken)
    return None


def _why_pass(view: LuckyPawView) -> Message | None:
    cards = {_played(view, play) for play in view.plays}
    if cards and all(any(card in FITS[theirs] for theirs in _next_cards(view)) for card in cards):
        return gettext("Whatever you play makes a place for the player after you.")
    return None


def _played(view: LuckyPawView, move: Play) -> Card:
    return view.stacks[(view.seat or 0) - 1][move.stack - 1][-1]


def _next_cards(view: LuckyPawView) -> list[Card]:
    return [pile[-1] for pile in view.stacks[view.turn % view.seats] if pile]
