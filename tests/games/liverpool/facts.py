"""What the tests that hold for every game must know of this one."""

import random

from msgspec.structs import replace

from snug.engine.cards import Card
from snug.engine.game import Event
from snug.games.liverpool import GAME
from snug.games.liverpool.events import JokerWon
from snug.games.liverpool.state import Buy, LiverpoolState, PassBuy
from snug.testing.facts import Facts, Hidden, laid_out, of_packs, others_of
from snug.testing.random_play import Eye


def elsewhere(state: LiverpoolState, eye: Eye, dice: random.Random) -> LiverpoolState:
    """Other cards in the other hands, in the stock and under the top discard, and other answers as long as not all
    are in. A card just taken from the discards is known to be in that hand."""
    over = state.phase == "HAND_OVER"
    taken: Card | None = None if over or state.turn == eye else state.taken_card
    hands, known = list(state.hands), () if taken is None else (taken,)
    if known:
        rest = list(hands[state.turn - 1])
        rest.remove(known[0])
        hands[state.turn - 1] = tuple(rest)
    hidden = Hidden([*others_of(tuple(hands), eye, over), state.stock, state.discard_pile[:-1]], dice)
    hands = list(laid_out(tuple(hands), eye, over, hidden))
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


def only_named(event: Event) -> set[Card]:
    """Cards that jokers stand for."""
    return {event.stands_for} if isinstance(event, JokerWon) and event.stands_for else set()


FACTS = Facts(
    game=GAME,
    packs=lambda _options, seats: of_packs("auto", {3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4}[seats], 2),
    most_moves=lambda seats: 100 * seats * (20 + seats),
    elsewhere=elsewhere,
    golden="206f10deac4db813",
    secrets=(Buy(), PassBuy()),
    only_named=only_named,
)
