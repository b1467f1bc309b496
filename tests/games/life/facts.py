"""What the tests that hold for every game must know of this one."""

import random

from msgspec.structs import replace

from snug.engine.cards import Card
from snug.engine.game import Event, Move
from snug.engine.match import Match
from snug.games.life import GAME
from snug.games.life.events import CardTurned
from snug.games.life.state import ChooseSuit, LifeState, Steal
from snug.testing.facts import Facts, Hidden, laid_out, of_packs, others_of
from snug.testing.random_play import Eye


def elsewhere(state: LifeState, eye: Eye, dice: random.Random) -> LifeState:
    """Other cards in the other hands and in the deck, and other suits as long as they are secret."""
    over = state.phase == "HAND_OVER"
    hidden = Hidden([*others_of(state.hands, eye, over), state.deck], dice)
    hands, chosen = laid_out(state.hands, eye, over, hidden), state.chosen
    if state.phase == "CHOOSE_SUITS":
        chosen = tuple(
            suit if seat == eye or suit is None else dice.choice("HDC") for seat, suit in enumerate(chosen, 1)
        )
    return replace(state, hands=hands, deck=hidden.like(state.deck), chosen=chosen)


def only_named(event: Event) -> set[Card]:
    """Cards turned up before everybody."""
    return {event.card} if isinstance(event, CardTurned) else set()


def spelt_out(table: Match, move: Move) -> Move:
    """A thief may leave out whom everybody steals from."""
    if isinstance(move, Steal) and move.target is None and table.round.phase == "STEAL_ROUND":
        return replace(move, target=table.round.steal_victim)
    return move


FACTS = Facts(
    game=GAME,
    packs=lambda options, seats: of_packs(options.decks, 1 + (seats > 4), options.jokers_per_deck),
    most_moves=lambda seats: seats + 150 * (2 + seats),
    elsewhere=elsewhere,
    golden="a60ec5d01fec4f3c",
    secrets=tuple(map(ChooseSuit, "HDCS")),
    only_named=only_named,
    spelt_out=spelt_out,
)
