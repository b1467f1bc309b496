"""A move of Life in words, and what it is good for."""

from collections import Counter
from collections.abc import Sequence

from snug.engine.cards import SUIT_NAMES, Pile
from snug.engine.game import Move
from snug.games.life.page import in_suits
from snug.games.life.score import points_of, worth
from snug.games.life.state import SAFE_FROM, ChooseSuit, Lay, PlayJoker, Steal, TurnCard
from snug.games.life.view import LifeView
from snug.words import Message, gettext, listed


def say(view: LifeView, move: Move, names: Sequence[str]) -> Message:
    """What to do."""
    match move:
        case ChooseSuit(suit):
            return gettext("Choose %(suit)s.", suit=SUIT_NAMES[suit])
        case TurnCard():
            return gettext("Turn up a card.")
        case PlayJoker():
            return gettext("Play your joker.")
        case Lay(cards) if cards and len(cards) == len(view.playable) > 1:
            return gettext("Lay all your %(suit)s.", suit=SUIT_NAMES[cards[0].suit])
        case Lay(cards) if cards:
            return gettext("Lay %(cards)s.", cards=listed([card.spoken for card in cards]))
        case Lay():
            return gettext("Lay nothing.")
        case Steal(target, card):
            name = names[(target or view.steal_victim or 0) - 1]
            if card is None:
                return gettext("Steal a card from the hand of %(name)s.", name=name)
            return gettext("Steal %(card)s from the row of %(name)s.", card=card.spoken, name=name)
    return gettext("Steal nothing.")


def taps(view: LifeView, move: Move) -> tuple[str, ...]:
    """The cards and the button that lays them, what is stolen, or a button alone."""
    match move:
        case ChooseSuit(suit):
            return (f"choose-{suit}",)
        case TurnCard():
            return ("turn-button",)
        case PlayJoker():
            return ("joker-button",)
        case Lay(cards) if cards and len(cards) < len(view.playable):
            return (*_in_hand(view, cards), "lay-button")
        case Lay(cards) if cards:
            return ("lay-button" if len(cards) == 1 else "lay-all-button",)
        case Lay():
            return ("none-button",)
        case Steal(target, card):
            victim = target or view.steal_victim or 0
            place = in_suits(view.rows[victim - 1]).index(card) + 1 if card else 1
            return (f"{'take' if card else 'reach'}-{victim}-{place}",)
    return ("decline-button",)


def _in_hand(view: LifeView, cards: Pile) -> list[str]:
    """These cards of the hand; of equal ones those in the viewer's row come first on the page."""
    ids, seen = [], Counter(view.rows[(view.seat or 0) - 1])
    for card in cards:
        seen[card] += 1
        ids.append(f"pick-{card}-{seen[card]}" if seen[card] > 1 else f"pick-{card}")
    return ids


def why(view: LifeView, move: Move) -> Message | None:
    """What it makes safe, sweeps up, doubles or ends."""
    match move:
        case ChooseSuit(suit) if suit != "S" and not view.hand:
            return gettext("Nothing is dealt yet: any suit but spades is as good.")
        case PlayJoker():
            return _why_joker(view)
        case TurnCard() if view.may_play_joker:
            if _in_row(view, view.seat or 0) > 0:
                return gettext("A joker would cost you what lies in your row.")
            return gettext("It keeps your joker for a worse moment.")
        case Lay(cards):
            return _why_lay(view, cards or ())
        case Steal():
            return _why_steal(view, move)
    return None


def _in_row(view: LifeView, seat: int) -> float:
    """What a joker would cost a seat."""
    return view.points[seat - 1] - points_of(view.safe[seat - 1], view.suits[seat - 1])


def _lead(view: LifeView, more: float = 0) -> float:
    """How far the viewer is ahead of the best of the others, with so many points more."""
    me = (view.seat or 0) - 1
    return view.points[me] + more - max(points for seat, points in enumerate(view.points) if seat != me)


def _why_joker(view: LifeView) -> Message | None:
    others = [seat for seat in range(1, view.seats + 1) if seat != view.seat]
    if _in_row(view, view.seat or 0) < max(_in_row(view, seat) for seat in others):
        return gettext("Somebody else loses more by it than you do.")
    if worth(tuple(card for card in view.hand if card.suit == "S")) >= SAFE_FROM:
        return gettext("It rids you of the spades in your hand.")
    return None


def _why_lay(view: LifeView, cards: Pile) -> Message | None:
    me = (view.seat or 0) - 1
    gained = points_of(view.playable, view.suits[me])
    ends = len(view.playable) == len(view.hand)
    if ends and len(cards) < len(view.playable) and _lead(view, gained) < 0:
        return gettext("Laying all would end the hand while somebody else is ahead.")
    if not cards:
        return None
    if ends and len(cards) == len(view.hand) and _lead(view, gained) > 0:
        return gettext("These are your last cards: the hand ends, and you are ahead.")
    suit = cards[0].suit
    if any(card.rank == 1 for card in cards):
        return gettext("The ace sweeps all %(suit)s into your row.", suit=SUIT_NAMES[suit])
    row = tuple(card for card in view.rows[me] if card.suit == suit)
    if worth(row) + worth(cards) >= SAFE_FROM:
        return gettext("With them ten or more of the suit lie in your row: they are safe.")
    if suit == view.suits[me]:
        return gettext("It is your suit, which counts double.")
    return gettext("Only what lies in front of you counts.")


def _why_steal(view: LifeView, move: Steal) -> Message | None:
    target = move.target or view.steal_victim or 0
    if move.card is None:
        if view.hand_sizes[target - 1] == 1 and _lead(view) > 0:
            return gettext("It is the last card there: the hand ends, and you are ahead.")
        return None
    if move.card.rank == 1:
        return gettext("An ace sweeps up its whole suit when you lay it.")
    if move.card.suit == view.suits[(view.seat or 0) - 1]:
        return gettext("It is of your suit, which counts double.")
    if move.card.suit == view.suits[target - 1]:
        return gettext("It counts double where it lies now.")
    return None
