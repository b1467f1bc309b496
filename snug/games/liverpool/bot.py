"""A good Liverpool player: works towards the contract that lacks the fewest cards, goes down as soon as it can, then
gets rid of everything that fits the table."""

import random
from math import inf
from typing import Final

from snug.engine.cards import Card, Pile, without
from snug.engine.game import Move
from snug.engine.melds import CARD_AT, POINTS, RunMeld
from snug.engine.thinking import Thinking
from snug.games.liverpool.meld_search import can_lay
from snug.games.liverpool.state import Buy, Discard, DrawStock, LayDown, LayOff, PassBuy, StealJoker, TakeDiscard
from snug.games.liverpool.thinking.candidates import candidates
from snug.games.liverpool.thinking.finish import play_out
from snug.games.liverpool.thinking.hand_plan import hand_plan
from snug.games.liverpool.thinking.last_hand import last_hand
from snug.games.liverpool.thinking.needs import NUMBER_OF, PAIR, WORTH_BUYING, numbers_of, promise
from snug.games.liverpool.view import LiverpoolView

_FITS_THE_TABLE: Final = 6.0
_PROMISING: Final = {(3, 0): PAIR, (2, 1): WORTH_BUYING}  # what a sharp player buys, by the contract


def choose(view: LiverpoolView, chance: random.Random) -> Move:
    """The move of a good player."""
    if view.phase == "BUY":
        return Buy() if _wants_to_buy(view) else PassBuy()
    if view.phase == "DRAW":
        if view.is_down:
            return max(view.taking_plays, key=lambda taking: _worth(view, taking.play), default=DrawStock())
        return TakeDiscard() if view.may_take and view.upcard and _helps(view, view.upcard) else DrawStock()
    if view.may_lay_down:
        return LayDown(view.arrangements(1)[0].melds)
    plays = [move for move in view.legal if isinstance(move, LayOff | StealJoker)]
    return max(plays, key=lambda play: _worth(view, play)) if plays else _discard(view, chance)


# Before going down


def _helps(view: LiverpoolView, card: Card) -> bool:
    """Whether the card brings the contract nearer."""
    if card.is_joker:
        return True
    with_it = (*view.hand, card)
    if can_lay(with_it, view.contract):
        return True
    return hand_plan(with_it, view.contract).missing < hand_plan(view.hand, view.contract).missing


def _wants_to_buy(view: LiverpoolView) -> bool:
    """A purchase brings two cards: worth it for a card that helps while nobody is about to go out. In the last hand
    every card has to fit, so there only a joker is worth a second card."""
    card = view.upcard
    if card is None or (view.contract.everything and not card.is_joker):
        return False
    nearest = min(size for seat, size in enumerate(view.hand_sizes, 1) if seat != view.seat)
    return nearest > 1 and (_helps(view, card) or _promise(view, card) >= WORTH_BUYING)


def _discard(view: LiverpoolView, chance: random.Random) -> Discard:
    """The dearest card that is of no use."""
    cards = view.discardable
    if view.is_down:
        return Discard(max(cards, key=POINTS.__getitem__))
    plan = view.hand_plan()
    useless = [card for card in cards if card in plan.spare] or _least_missed(view, cards)
    return Discard(max(useless, key=lambda card: (_rubbish(view, card), chance.random())))


def _rubbish(view: LiverpoolView, card: Card) -> float:
    """How gladly a card that the plan does not need is discarded: what it costs, less what it may become or spoil."""
    if card.is_joker:
        return -100.0
    return POINTS[card] - _promise(view, card) - _FITS_THE_TABLE * _helps_the_next(view, card)


def _least_missed(view: LiverpoolView, cards: Pile) -> list[Card]:
    """Where every card has a place in the plan: those without which the fewest cards are lacking."""
    lacking = {card: hand_plan(without(view.hand, card), view.contract).missing for card in cards}
    fewest = min(lacking.values())
    return [card for card in cards if lacking[card] == fewest]


def _promise(view: LiverpoolView, card: Card) -> float:
    """What a spare card may yet become with others of the hand, in points."""
    return promise(numbers_of(view.hand), NUMBER_OF[card], view.contract)


def _helps_the_next(view: LiverpoolView, card: Card) -> bool:
    """Whether the next player is down and could take this card to play it."""
    return view.down[view.turn % view.seats] and any(_fits(meld, card) for meld in view.melds)


def _fits(meld: object, card: Card) -> bool:
    if isinstance(meld, RunMeld):
        return card in (meld.next_at("low"), meld.next_at("high"))
    return getattr(meld, "rank", 0) == card.rank


# After going down


def _worth(view: LiverpoolView, play: LayOff | StealJoker | None) -> tuple[bool, bool, int]:
    """Adding before winning a joker, a place where one's next card can follow before others, dear cards first."""
    assert play is not None
    meld, end = (play.meld, play.end) if isinstance(play, LayOff) else (play.to.meld, play.to.end)
    target = view.melds[meld - 1]
    follows = False
    if isinstance(target, RunMeld) and end:
        at = target.low - 2 if end == "low" else target.high + 2
        follows = CARD_AT.get((target.suit, at)) in view.hand
    is_joker = play.card.is_joker
    return isinstance(play, LayOff) and not is_joker, follows, POINTS[play.card]


# Sharp


def sharp_eyed(view: LiverpoolView, chance: random.Random) -> Move:
    """What a sharp player does where he does not look ahead. He buys whatever brings the contract nearer, also if
    somebody is about to go out; on the mere promise of a meld only where most of them are sets, which begin as pairs:
    elsewhere the second card costs more than it brings. In the last hand he counts the cards that would help and are
    still to be had."""
    if view.contract.everything:
        return last_hand(view) or choose(view, chance)
    if view.phase != "BUY" or view.upcard is None:
        return choose(view, chance)
    enough = _PROMISING.get((view.contract.sets, view.contract.runs), inf)
    return Buy() if _helps(view, view.upcard) or _promise(view, view.upcard) >= enough else PassBuy()


# A hand is some hundred moves long: after the move in question it is played out on numbers, not on states and views.
THINKING: Final = Thinking(
    positions=200, first=sharp_eyed, candidates=candidates, plies=0, horizon=1, estimate=play_out, doubt=0.5
)
