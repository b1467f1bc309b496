"""Follow the Leader played well: each card in hand speaks for or against playing a rank, by its distance from it.

The top rank climbs slowly round the circle. Cards just below it are lost until it comes round again, so they go first,
and one stays right below the cards one still has. Where the rank below follows, too, the top rank wanders to and fro:
cards with neighbours will find their moment, so the lonely ones go first. A joker always follows, so it goes last.

The weights were fitted by playing against random players; small changes of them make no difference.
"""

import random
from collections.abc import Mapping
from typing import Final

from app.engine.cards import RANKS, Card
from app.engine.game import Move
from app.games.follow_the_leader.state import Play
from app.games.follow_the_leader.view import FollowTheLeaderView

# What another card of the hand is worth when it is so many ranks above the one that is played.
CLIMBING: Final = {-2: -0.5, -1: -1.0, 0: 1.5, 1: 0.75, 2: 0.3, 3: 0.4, 4: 0.6, 5: 0.2}
WANDERING: Final = {-3: -0.6, -2: -0.9, -1: -1.25, 1: -1.25, 2: -0.9, 3: -0.6}


def choose(view: FollowTheLeaderView, chance: random.Random) -> Move:
    """The move of a good player; equally good ones by chance."""
    cards = [card for card in view.plays if not card.is_joker]
    if len(view.legal) == 1 or not cards:
        return view.legal[0]
    weights = WANDERING if view.one_below else CLIMBING
    worths = [_worth(card, view.hand, weights) for card in cards]
    best = max(worths)
    return Play(chance.choice([card for card, worth in zip(cards, worths, strict=True) if worth == best]))


def _worth(card: Card, hand: tuple[Card, ...], weights: Mapping[int, float]) -> float:
    """What the rest of the hand says to playing this card."""
    above = [(other.rank - card.rank) % len(RANKS) for other in hand if not other.is_joker]
    above.remove(0)
    return sum(weights.get(steps, 0.0) + weights.get(steps - len(RANKS), 0.0) for steps in above)
