"""A move of Irish Lives in words, and what it is good for."""

from collections.abc import Sequence

from snug.engine.cards import SUIT_NAMES, Card, without
from snug.engine.game import Move
from snug.games.lives.score import POINTS
from snug.games.lives.state import POWER, TWOS, WILD, CallSuit, Catch, Draw, Play
from snug.games.lives.thinking.deck import NEARLY_OUT
from snug.games.lives.view import LivesView
from snug.words import Message, gettext, ngettext


def say(view: LivesView, move: Move, names: Sequence[str]) -> Message:
    """What to do."""
    match move:
        case Play():
            return _say_play(move)
        case CallSuit(suit):
            return gettext("Call %(suit)s.", suit=SUIT_NAMES[suit])
        case Catch(target):
            return gettext("Point out that %(name)s has not said “last card”.", name=names[target - 1])
        case Draw():
            return gettext("Pick up the penalty.") if view.pending else gettext("Pick up a card.")
    return gettext("Keep the card.")


def _say_play(move: Play) -> Message:
    card = move.card.spoken
    if move.suit and move.last_card:
        return gettext("Play %(card)s, call %(suit)s and say “last card”.", card=card, suit=SUIT_NAMES[move.suit])
    if move.suit:
        return gettext("Play %(card)s and call %(suit)s.", card=card, suit=SUIT_NAMES[move.suit])
    if move.last_card:
        return gettext("Play %(card)s and say “last card”.", card=card)
    return gettext("Play %(card)s.", card=card)


def taps(view: LivesView, move: Move) -> tuple[str, ...]:
    """The card and the suit it names, or a button."""
    match move:
        case Play(card, str(suit), said):
            return f"pick-{card}", f"{'say' if said else 'open'}-{card}-{suit}"
        case Play(card, _, said):
            return (f"say-it-{card}" if said else f"play-{card}",)
        case CallSuit(suit):
            return (f"name-suit-{suit}",)
        case Catch(target):
            return (f"catch-{target}",)
        case Draw():
            return ("draw-button",)
    return ("keep-button",)


def why(view: LivesView, move: Move) -> Message | None:
    """What is shed, what can follow, what it does to the next player."""
    match move:
        case Play():
            return _why_play(view, move)
        case CallSuit(suit):
            return _more_of(suit, view.hand)
        case Catch():
            return gettext("A forgotten call costs a card.")
        case Draw() if view.plays and not view.pending and all(play.card in POWER for play in view.plays):
            return gettext("Only power cards fit, and they are worth more later.")
    return None


def _why_play(view: LivesView, move: Play) -> Message | None:
    card, rest = move.card, without(view.hand, move.card)
    if not rest:
        return gettext("It is your last card.")
    if card in POWER and len(rest) == 1 and rest[0] not in POWER:
        return gettext("It leaves you a plain card to go out with.")
    if card in TWOS and view.pending:
        return gettext("The next player has to answer, and you do not pick up.")
    left = view.hand_sizes[view.turn % view.seats]
    if card in POWER and left <= NEARLY_OUT:
        return ngettext(
            "The player after you has only one card left.",
            "The player after you has only %(count)s cards left.",
            left,
        )
    others = [play.card for play in view.plays if play.card != card]
    if others and POINTS[card] > max(POINTS[other] for other in others):
        return gettext("Of all that fits it would cost you most in the end.")
    if card not in WILD and any(other in WILD for other in others):
        return gettext("It keeps your wild cards for when nothing else fits.")
    return _more_of(move.suit or card.suit, rest)


def _more_of(suit: str, cards: Sequence[Card]) -> Message | None:
    count = sum(card.suit == suit for card in cards)
    if not count:
        return None
    return ngettext("You hold another card of that suit.", "You hold %(count)s more cards of that suit.", count)
