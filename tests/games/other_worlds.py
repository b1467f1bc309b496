"""The same table with other cards wherever an eye cannot see them: one function a game, for the two-world tests."""

import random
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from app.engine.cards import PACK, Card, Pile
from app.games.follow_the_leader.state import FollowTheLeaderState
from app.games.life.state import LifeState
from app.games.liverpool.state import LiverpoolState
from app.games.lives.state import LivesState
from app.games.lucky_paw.state import LuckyPawState
from tests.games.random_play import Eye

Hands = tuple[Pile, ...]


class Hidden:
    """Cards that somebody cannot see, shuffled, to be laid out again."""

    def __init__(self, piles: list[Pile], dice: random.Random) -> None:
        self.cards = [card for pile in piles for card in pile]
        dice.shuffle(self.cards)

    def like(self, pile: Pile, known: Pile = ()) -> Pile:
        """A pile of the same size, in which the `known` cards are again."""
        return (*known, *(self.cards.pop() for _ in range(len(pile) - len(known))))


def _others(hands: Hands, eye: Eye, over: bool) -> list[Pile]:
    """The hands that an eye cannot see: when a round is over all are shown."""
    return [] if over else [hand for seat, hand in enumerate(hands, 1) if seat != eye]


def _laid_out(hands: Hands, eye: Eye, over: bool, hidden: Hidden) -> Hands:
    return hands if over else tuple(hand if seat == eye else hidden.like(hand) for seat, hand in enumerate(hands, 1))


def lucky_paw(state: LuckyPawState, eye: Eye, dice: random.Random) -> LuckyPawState:
    """Stock and cards set aside are in another order, and jokers replaced other cards."""
    concealed = state.stock + state.aside
    jokers = tuple(card for card in concealed if card.is_joker)
    seen = {card for piles in (state.open, *state.stacks) for pile in piles for card in pile}
    unseen = [card for card in PACK if card not in seen]
    hidden = Hidden([tuple(dice.sample(unseen, len(concealed) - len(jokers))), jokers], dice)
    return replace(state, stock=hidden.like(state.stock), aside=hidden.like(state.aside))


def lives(state: LivesState, eye: Eye, dice: random.Random) -> LivesState:
    """Other cards in the other hands, in the pool and under the top card."""
    over = state.phase == "DEAL_OVER"
    hidden = Hidden([*_others(state.hands, eye, over), state.pool, state.stack[:-1]], dice)
    hands = _laid_out(state.hands, eye, over, hidden)
    drawn = state.drawn_card if state.drawn_card is None or eye == state.turn else hands[state.turn - 1][-1]
    pool, buried = hidden.like(state.pool), hidden.like(state.stack[:-1])
    return replace(state, hands=hands, pool=pool, stack=buried + state.stack[-1:], drawn_card=drawn)


def life(state: LifeState, eye: Eye, dice: random.Random) -> LifeState:
    """Other cards in the other hands and in the deck, and other suits as long as they are secret."""
    over = state.phase == "HAND_OVER"
    hidden = Hidden([*_others(state.hands, eye, over), state.deck], dice)
    hands, chosen = _laid_out(state.hands, eye, over, hidden), state.chosen
    if state.phase == "CHOOSE_SUITS":
        chosen = tuple(
            suit if seat == eye or suit is None else dice.choice("HDC") for seat, suit in enumerate(chosen, 1)
        )
    return replace(state, hands=hands, deck=hidden.like(state.deck), chosen=chosen)


def liverpool(state: LiverpoolState, eye: Eye, dice: random.Random) -> LiverpoolState:
    """Other cards in the other hands, in the stock and under the top discard, and other answers as long as not all
    are in. A card just taken from the discards is known to be in that hand."""
    over = state.phase == "HAND_OVER"
    taken: Card | None = None if over or state.turn == eye else state.taken_card
    hands, known = list(state.hands), () if taken is None else (taken,)
    if known:
        rest = list(hands[state.turn - 1])
        rest.remove(known[0])
        hands[state.turn - 1] = tuple(rest)
    hidden = Hidden([*_others(tuple(hands), eye, over), state.stock, state.discard_pile[:-1]], dice)
    hands = list(_laid_out(tuple(hands), eye, over, hidden))
    if known:
        hands[state.turn - 1] = (*known, *hands[state.turn - 1])
    asked, answers = state.buy_queue, state.buy_answers
    if None in answers:
        first = answers.index(None)  # a buyer before that would have the card already
        answers = tuple(
            answer if at < first or answer is None or seat == eye else dice.random() < 0.5
            for at, (seat, answer) in enumerate(zip(asked, answers, strict=True))
        )
    stock, buried = hidden.like(state.stock), hidden.like(state.discard_pile[:-1])
    return replace(
        state, hands=tuple(hands), stock=stock, discard_pile=buried + state.discard_pile[-1:], buy_answers=answers
    )


def follow_the_leader(state: FollowTheLeaderState, eye: Eye, dice: random.Random) -> FollowTheLeaderState:
    """Other cards in the other hands, in the pile and under the top card."""
    hidden = Hidden([*_others(state.hands, eye, state.over), state.pile, state.discards[:-1]], dice)
    hands = _laid_out(state.hands, eye, state.over, hidden)
    drawn = state.drawn_card if state.drawn_card is None or eye == state.turn else hands[state.turn - 1][-1]
    pile, buried = hidden.like(state.pile), hidden.like(state.discards[:-1])
    return replace(state, hands=hands, pile=pile, discards=buried + state.discards[-1:], drawn_card=drawn)


OTHER_WORLD: dict[str, Callable[[Any, Eye, random.Random], Any]] = {
    world.__name__: world for world in (lucky_paw, lives, life, liverpool, follow_the_leader)
}
