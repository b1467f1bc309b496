"""What the tests that hold for every game must know of this one."""

import random

from msgspec.structs import replace

from snug.engine.cards import PACK
from snug.games.lucky_paw import GAME
from snug.games.lucky_paw.state import LuckyPawState
from snug.testing.facts import Facts, Hidden
from snug.testing.random_play import Eye


def elsewhere(state: LuckyPawState, eye: Eye, dice: random.Random) -> LuckyPawState:
    """Stock and cards set aside are in another order, and jokers replaced other cards."""
    concealed = state.stock + state.aside
    jokers = tuple(card for card in concealed if card.is_joker)
    seen = {card for piles in (state.open, *state.stacks) for pile in piles for card in pile}
    unseen = [card for card in PACK if card not in seen]
    hidden = Hidden([tuple(dice.sample(unseen, len(concealed) - len(jokers))), jokers], dice)
    return replace(state, stock=hidden.like(state.stock), aside=hidden.like(state.aside))


FACTS = Facts(
    game=GAME,
    packs=lambda _options, _seats: (1, 0),
    most_moves=lambda seats: 56 * seats,
    elsewhere=elsewhere,
    golden="1778d2523276827a",
)
