"""What the tests that hold for every game must know of this one."""

import random

from msgspec.structs import replace

from snug.games.follow_the_leader import GAME
from snug.games.follow_the_leader.state import FollowTheLeaderState
from snug.testing.facts import Facts, Hidden, laid_out, of_packs, others_of
from snug.testing.random_play import Eye


def elsewhere(state: FollowTheLeaderState, eye: Eye, dice: random.Random) -> FollowTheLeaderState:
    """Other cards in the other hands, in the pile and under the top card."""
    hidden = Hidden([*others_of(state.hands, eye, state.over), state.pile, state.discards[:-1]], dice)
    hands = laid_out(state.hands, eye, state.over, hidden)
    drawn = state.drawn_card if state.drawn_card is None or eye == state.turn else hands[state.turn - 1][-1]
    pile, buried = hidden.like(state.pile), hidden.like(state.discards[:-1])
    return replace(state, hands=hands, pile=pile, discards=buried + state.discards[-1:], drawn_card=drawn)


FACTS = Facts(
    game=GAME,
    packs=lambda options, _seats: of_packs(options.decks, 0, 2 * options.jokers),
    most_moves=lambda _seats: 2 * 2000,
    elsewhere=elsewhere,
    golden="bf58267e77b2dc3a",
    records=(
        {
            "seats": 2,
            "position": {"hands": [["9D", "8D"], ["KS"]], "discards": ["2C", "3C"], "turn": 1},
            "moves": [{"seat": 1, "move": "draw"}],
        },
    ),
)
