"""A move of Liverpool in words, and what it is good for."""

from collections.abc import Sequence

from snug.engine.cards import Card, Pile, without
from snug.engine.game import Move
from snug.engine.melds import POINTS, SEVERAL
from snug.games.liverpool.meld_search import can_lay
from snug.games.liverpool.on_page.table_melds import joined, plays_of, winnings_of
from snug.games.liverpool.state import Buy, Discard, DrawStock, LayDown, LayOff, PassBuy, StealJoker, TakeDiscard
from snug.games.liverpool.thinking.hand_plan import Plan, hand_plan
from snug.games.liverpool.view import LiverpoolView
from snug.words import Message, gettext, listed, ngettext


def say(view: LiverpoolView, move: Move, names: Sequence[str]) -> Message:
    """What to do."""
    upcard = view.upcard.spoken if view.upcard else gettext("the discard")
    match move:
        case Buy():
            return gettext("Buy %(card)s.", card=upcard)
        case PassBuy():
            return gettext("Do not buy %(card)s.", card=upcard)
        case DrawStock():
            return gettext("Draw from the stock.")
        case TakeDiscard(None):
            return gettext("Take %(card)s.", card=upcard)
        case TakeDiscard(play):
            return gettext("Take the discard for this: %(move)s", move=_say_added(view, play))
        case LayDown(melds):
            shown = [" ".join(card.label for card in meld.cards) for meld in melds]
            return gettext("Go down with %(melds)s.", melds=listed(shown))
        case LayOff() | StealJoker():
            return _say_added(view, move)
        case Discard(card):
            return gettext("Discard %(card)s.", card=card.spoken)
    raise AssertionError(move)


def _say_added(view: LiverpoolView, play: LayOff | StealJoker | None) -> Message:
    assert play
    card, meld = play.card.spoken, next(meld.words for meld in view.melds if meld.id == play.meld)
    if isinstance(play, LayOff):
        return gettext("Add %(card)s to the %(meld)s.", card=card, meld=meld)
    return gettext("Win the joker of the %(meld)s with %(card)s.", card=card, meld=meld)


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


def why(view: LiverpoolView, move: Move) -> Message | None:
    """What the contract lacks with it, what is kept, what no longer counts."""
    match move:
        case Buy() | TakeDiscard(None) if view.upcard:
            return _why_take(view, view.upcard)
        case PassBuy() | DrawStock() if view.upcard and not view.is_down:
            nearer = _missing(view, (*view.hand, view.upcard)) < _missing(view, view.hand)
            return None if nearer else gettext("%(card)s brings you no nearer.", card=_capital(view.upcard))
        case LayDown():
            return gettext("What lies on the table does not count against you.")
        case LayOff():
            return gettext("It does not count against you there.")
        case TakeDiscard():
            return gettext("Else you would draw a card that may stay in your hand.")
        case StealJoker():
            return gettext("You are rid of a card, and the joker goes where you like.")
        case Discard(card):
            return _why_discard(view, card)
    return None


def _capital(card: Card) -> Message:
    return gettext("A joker") if card.is_joker else gettext("The %(card)s", card=card.words)


def _missing(view: LiverpoolView, hand: Pile) -> int:
    return hand_plan(hand, view.contract).missing


def _why_take(view: LiverpoolView, card: Card) -> Message | None:
    with_it = (*view.hand, card)
    if can_lay(with_it, view.contract, view.keep):
        return gettext("With it you can go down.")
    missing = _missing(view, with_it)
    if missing < _missing(view, view.hand):
        if not missing:
            return gettext("Then no card is missing for the contract.")
        return ngettext(
            "Then only one card is missing for the contract.",
            "Then only %(count)s cards are missing for the contract.",
            missing,
        )
    return None


def _why_discard(view: LiverpoolView, card: Card) -> Message | None:
    rest = without(view.hand, card)
    if not rest:
        return gettext("It is your last card.")
    if view.is_down:
        dearest = max(POINTS[other] for other in view.discardable)
        return gettext("It is the dearest card you can get rid of.") if POINTS[card] == dearest else None
    kept = [_kept(plan) for plan in hand_plan(rest, view.contract).plans if len(plan.held) > 1]
    if kept:
        return gettext("It keeps %(cards)s.", cards=listed(kept))
    return gettext("It brings the contract no nearer.") if card in view.hand_plan().spare else None


def _kept(plan: Plan) -> Message:
    if plan.rank:
        ranks, number = SEVERAL[plan.rank], len(plan.held)
        if number == 2:
            return gettext("two %(ranks)s for a set", ranks=ranks)
        if number == 3:
            return gettext("three %(ranks)s for a set", ranks=ranks)
        return gettext("%(number)s %(ranks)s for a set", number=number, ranks=ranks)
    return gettext("%(cards)s for a run", cards=" ".join(card.label for card in plan.held))
