"""What is tapped for a move of Liverpool."""

from snug.engine.cards import Pile
from snug.engine.game import Move
from snug.games.liverpool.page import joined, plays_of, winnings_of
from snug.games.liverpool.state import Buy, Discard, DrawStock, LayDown, LayOff, PassBuy, StealJoker, TakeDiscard
from snug.games.liverpool.view import LiverpoolView


def taps(view: LiverpoolView, move: Move) -> tuple[str, ...]:
    """A button, a place on a meld, or cards of the hand: those to discard, or to go down with."""
    match move:
        case Buy():
            return ("buy-button",)
        case PassBuy():
            return ("pass-button",)
        case DrawStock():
            return ("draw-button",)
        case TakeDiscard(None):
            return ("take-button",)
        case TakeDiscard(LayOff() | StealJoker() as play):
            return _added(view, play, taken=True)
        case LayOff() | StealJoker():
            return _added(view, move, taken=False)
        case LayDown(melds) if melds == view.arrangements(1)[0].melds:
            return ("go-down-1",)
        case LayDown(melds):
            return _in_hand(tuple(card for meld in melds for card in meld.cards))
        case Discard(card):
            return f"pick-{card}", "discard-button"
    raise AssertionError(move)


def _added(view: LiverpoolView, play: LayOff | StealJoker, *, taken: bool) -> tuple[str, ...]:
    if isinstance(play, LayOff):
        return (joined("lay", play.card, play.meld, play.end, "here"),)
    won = play.card, play.meld, play.slot, taken
    number = [*winnings_of(plays_of(view))].index(won) + 1
    return joined("win", *won[:3]), joined("win", number, "to", play.to.meld, play.to.end, "here")


def _in_hand(cards: Pile) -> tuple[str, ...]:
    equal = [cards[: at + 1].count(card) for at, card in enumerate(cards)]
    return tuple(
        joined("pick", card, number if number > 1 else None) for card, number in zip(cards, equal, strict=True)
    )
