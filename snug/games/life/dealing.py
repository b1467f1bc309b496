"""How Life is dealt, and what every other move of the dealer leads to: §6, §7."""

from typing import Final

from msgspec.structs import replace

from snug.engine.cards import JOKER, PACK, Pile
from snug.engine.chance import Choose, ChooseDue, Draw, DrawDue, Due, Outcome, Shuffle, ShuffleDue
from snug.engine.game import Event, IllegalMove, Scores
from snug.games.life.events import DealerChosen, Dealt, Redealt
from snug.games.life.options import LifeOptions, decks_of
from snug.games.life.state import HAND_SIZE, LifeState
from snug.games.life.turns import end, next_turn, pick_up, steal_drawn, turn_up

_SHUFFLES: Final = ("DEAL", "REDEAL", "TURN_RESHUFFLE", "PICK_UP_RESHUFFLE")


def pack_for(options: LifeOptions, seats: int) -> Pile:
    """§3: whole decks with their jokers."""
    return (PACK + (JOKER,) * options.jokers_per_deck) * decks_of(options, seats)


def start(
    options: LifeOptions, seats: int, number: int, dealer: int | None, rounds: tuple[Scores, ...] = ()
) -> LifeState:
    """§6: suits are chosen before anything is dealt; every joker is back."""
    nothing: tuple[Pile, ...] = ((),) * seats
    return LifeState(
        options,
        seats,
        number,
        dealer,
        dealer,
        turn=(dealer or seats) % seats + 1,
        phase="CHOOSE_SUITS" if dealer else "CHOOSE_DEALER",
        chosen=(None,) * seats,
        hands=nothing,
        rows=nothing,
        safe=nothing,
        deck=pack_for(options, seats),
    )


def due(state: LifeState) -> Due | None:
    """What the dealer has to do in this phase."""
    phase = state.phase
    if phase in _SHUFFLES:
        return ShuffleDue(state.deck)
    if phase == "BLIND_STEAL":
        return DrawDue(state.hands[(state.steal_victim or 0) - 1])
    return ChooseDue(state.seats) if phase == "CHOOSE_DEALER" else None


def deal(state: LifeState, outcome: Outcome) -> tuple[LifeState, tuple[Event, ...]]:
    """§6, §7.4, §7.6, §7.8: what the shuffle, the draw or the lot leads to."""
    events: list[Event] = []
    match state.phase, outcome:
        case ("DEAL", Shuffle(cards)):
            dealer = state.dealer or state.seats
            state = replace(_deal_hands(state, cards, dealer), turn=dealer % state.seats + 1)
            events.append(Dealt(*_dealt(state)))
        case ("REDEAL", Shuffle(cards)) if len(cards) < HAND_SIZE * state.seats:
            state = end(replace(state, deck=cards), events)
        case ("REDEAL", Shuffle(cards)):
            state = _deal_hands(state, cards, state.turn)
            events.append(Redealt(*_dealt(state)))
            state = next_turn(state, events)
        case ("TURN_RESHUFFLE", Shuffle(cards)):
            state = turn_up(replace(state, deck=cards), events)
        case ("PICK_UP_RESHUFFLE", Shuffle(cards)):
            state = pick_up(replace(state, deck=cards), events)
        case ("BLIND_STEAL", Draw(card)):
            state = steal_drawn(state, card, events)
        case ("CHOOSE_DEALER", Choose(seat)):
            state = start(state.options, state.seats, state.number, seat)
            events.append(DealerChosen(seat))
        case _:
            raise IllegalMove("IMPOSSIBLE_OUTCOME", "This is not what the dealer has to do now.")
    return state, tuple(events)


def _deal_hands(state: LifeState, cards: Pile, dealer: int) -> LifeState:
    """§6, §7.6: seven each, one at a time, from the dealer's left."""
    seats, dealt = state.seats, HAND_SIZE * state.seats
    hands = tuple(cards[(seat - dealer - 1) % seats : dealt : seats] for seat in range(1, seats + 1))
    return replace(state, hands=hands, deck=cards[dealt:], last_dealer=dealer, phase="TURN_START")


def _dealt(state: LifeState) -> tuple[int, tuple[int, ...], int, tuple[Pile, ...]]:
    return state.last_dealer or 0, (HAND_SIZE,) * state.seats, len(state.deck), state.hands
