"""A move of Hearts in words, and what it is good for."""

from collections.abc import Sequence

from snug.engine.cards import SUIT_NAMES
from snug.engine.game import Move
from snug.words import Message, gettext, listed

from snug_hearts.score import penalty
from snug_hearts.state import QUEEN, PassCards, Play
from snug_hearts.tricks import height
from snug_hearts.view import HeartsView


def say(view: HeartsView, move: Move, names: Sequence[str]) -> Message:
    """What to do."""
    if isinstance(move, PassCards):
        return gettext("Pass %(cards)s.", cards=listed([card.spoken for card in move.cards]))
    assert isinstance(move, Play)
    return gettext("Play %(card)s.", card=move.card.spoken)


def why(view: HeartsView, move: Move) -> Message | None:
    """What is got rid of, or not taken."""
    if isinstance(move, PassCards):
        return _why_pass(view, move)
    assert isinstance(move, Play)
    return _why_play(view, move)


def _why_pass(view: HeartsView, move: PassCards) -> Message | None:
    if QUEEN in move.cards:
        return gettext("The queen of spades costs most of all.")
    left = {card.suit for card in view.hand if card not in move.cards}
    for suit in dict.fromkeys(card.suit for card in move.cards):
        if suit not in left:
            return gettext("It leaves you without %(suit)s: then you may throw what you like.", suit=SUIT_NAMES[suit])
    return None


def _why_play(view: HeartsView, move: Play) -> Message | None:
    card, trick = move.card, view.trick
    if trick is None or not trick.cards:
        return None
    if card.suit != trick.cards[0].suit:
        if card == QUEEN:
            return gettext("The queen of spades goes to somebody else.")
        if card.suit == "H":
            return gettext("The heart goes to somebody else.")
        return gettext("You cannot follow, so a card goes that might take a trick later.")
    if height(card) < height(trick.best):
        return gettext("It stays under %(card)s, so you do not take the trick.", card=trick.best.spoken)
    if len(trick.cards) == view.seats - 1 and not penalty((*trick.cards, card)):
        return gettext("You take a trick that costs nothing.")
    return None
