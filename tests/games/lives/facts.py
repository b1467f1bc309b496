"""What the tests that hold for every game must know of this one."""

import random

from msgspec.structs import replace

from snug.engine.cards import Card
from snug.engine.game import Event
from snug.games.lives import GAME
from snug.games.lives.events import StarterTurned
from snug.games.lives.state import LivesState
from snug.testing.facts import Facts, Hidden, laid_out, of_packs, others_of
from snug.testing.random_play import Eye


def elsewhere(state: LivesState, eye: Eye, dice: random.Random) -> LivesState:
    """Other cards in the other hands, in the pool and under the top card."""
    over = state.phase == "DEAL_OVER"
    hidden = Hidden([*others_of(state.hands, eye, over), state.pool, state.stack[:-1]], dice)
    hands = laid_out(state.hands, eye, over, hidden)
    drawn = state.drawn_card if state.drawn_card is None or eye == state.turn else hands[state.turn - 1][-1]
    pool, buried = hidden.like(state.pool), hidden.like(state.stack[:-1])
    return replace(state, hands=hands, pool=pool, stack=buried + state.stack[-1:], drawn_card=drawn)


def only_named(event: Event) -> set[Card]:
    """Cards turned up before everybody and put back at once."""
    return {event.card} if isinstance(event, StarterTurned) else set()


FACTS = Facts(
    game=GAME,
    packs=lambda options, seats: of_packs(options.packs, 1 + (seats > 7), options.jokers_per_pack),
    most_moves=lambda seats: 500 * (3 + seats),
    elsewhere=elsewhere,
    golden="899d3bb074e61242",
    only_named=only_named,
)
