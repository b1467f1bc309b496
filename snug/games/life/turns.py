"""What follows from a move in Life, step by step: §7. Every function takes a state and the events so far, adds to
these, and returns the state at which somebody, or the dealer, has to act."""

from msgspec.structs import replace

from snug.engine.cards import Card, Pile, with_part, without
from snug.engine.game import Event
from snug.games.life.events import (
    CardsLaid,
    CardTurned,
    DeckReshuffled,
    HandOver,
    JokerPlayed,
    PickedUp,
    ReachedFor,
    Secured,
    Stolen,
    Swept,
    Taken,
)
from snug.games.life.score import ending, fortunes, next_dealer, points, worth
from snug.games.life.state import HAND_TURN_CAP, SAFE_FROM, LifeState, left_of

Events = list[Event]
Piles = tuple[Pile, ...]


def parted(pile: Pile, suit: str) -> tuple[Pile, Pile]:
    """The cards of a suit, and the others."""
    return tuple(card for card in pile if card.suit == suit), tuple(card for card in pile if card.suit != suit)


def end(state: LifeState, events: Events) -> LifeState:
    """§7.9: the Hand is over; outstanding steals are lost."""
    state = replace(state, phase="HAND_OVER", steal_victim=None, steal_queue=())
    reason, upcoming = ending(state), next_dealer(state)
    events.append(HandOver(reason, state.rows, state.safe, state.hands, points(state), upcoming, fortunes(state)))
    return state


def next_turn(state: LifeState, events: Events) -> LifeState:
    """The turn goes to the left; §13: at most 150 turns."""
    state = replace(
        state,
        phase="TURN_START",
        turn=state.turn % state.seats + 1,
        turned=None,
        steal_victim=None,
        steal_queue=(),
        turns=state.turns + 1,
    )
    return end(state, events) if state.turns >= HAND_TURN_CAP else state


def _can_reshuffle(state: LifeState) -> bool:
    """§7.8."""
    return bool(state.discards) and state.options.deck_exhausted == "reshuffle"


def turn_card(state: LifeState, events: Events) -> LifeState:
    """§7.1: turns up the top card of the deck, after a reshuffle if need be; §7.8: else the Hand ends."""
    if state.deck:
        return turn_up(state, events)
    if not _can_reshuffle(state):
        return end(state, events)
    events.append(DeckReshuffled(len(state.discards)))
    return replace(state, phase="TURN_RESHUFFLE", deck=state.discards, discards=())


def turn_up(state: LifeState, events: Events) -> LifeState:
    """§7.1: the top card lies face up. Jokers, aces and spades work by themselves."""
    seat, card, deck = state.turn, state.deck[0], state.deck[1:]
    events.append(CardTurned(seat, card))
    if card.is_joker:
        events.append(JokerPlayed(seat, "deck"))
        return throw_in(replace(state, deck=deck), card)
    phase = "TURN_START" if card.suit == "S" or card.rank == 1 else "LAY"
    state = replace(state, deck=deck, discards=(*state.discards, card), turned=card, phase=phase)
    if card.rank == 1:
        return _sweep_to_discards(state, card.suit, events)
    if card.suit == "S":
        spades, _ = parted(state.hands[seat - 1], "S")
        return lay(state, spades, events) if spades else pick_up(state, events)
    return state


def pick_up(state: LifeState, events: Events) -> LifeState:
    """§7.7: takes the top card of the deck, after a reshuffle if need be; §7.8: else nothing."""
    if not state.deck:
        if not _can_reshuffle(state):
            return next_turn(state, events)
        events.append(DeckReshuffled(len(state.discards)))
        return replace(state, phase="PICK_UP_RESHUFFLE", deck=state.discards, discards=())
    seat, card = state.turn, state.deck[0]
    hand = (*state.hands[seat - 1], card)
    events.append(PickedUp(seat, len(hand), card))
    return next_turn(replace(state, deck=state.deck[1:], hands=with_part(state.hands, seat, hand)), events)


def _sweep_to_discards(state: LifeState, suit: str, events: Events) -> LifeState:
    """§7.5: a turned ace takes its suit from all hands and rows."""
    hands, rows, taken = _swept(state, suit)
    for one in taken:
        state = replace(state, discards=(*state.discards, *one.hand, *one.row))
    if taken:
        state = replace(state, hands=hands, rows=rows)
        events.append(Swept(suit, taken, None))
    if not all(state.hands):
        return end(state, events)
    lost = any(one.hand for one in taken if one.seat == state.turn)
    return next_turn(state, events) if lost else pick_up(state, events)


def _swept(state: LifeState, suit: str) -> tuple[Piles, Piles, tuple[Taken, ...]]:
    """All hands and rows without a suit, and what was taken, beginning with the seat whose turn it is."""
    hands, rows, taken = state.hands, state.rows, []
    for seat in (state.turn, *left_of(state.turn, state.seats)):
        (of_hand, hand), (of_row, row) = parted(hands[seat - 1], suit), parted(rows[seat - 1], suit)
        if of_hand or of_row:
            hands, rows = with_part(hands, seat, hand), with_part(rows, seat, row)
            taken.append(Taken(seat, of_hand, of_row))
    return hands, rows, tuple(taken)


def lay(state: LifeState, cards: Pile, events: Events) -> LifeState:
    """§7.2, §7.3: cards of one suit go to the row; an ace sweeps; ten or more are safe and bring steals."""
    seat, suit = state.turn, cards[0].suit
    hand, row = without(state.hands[seat - 1], *cards), (*state.rows[seat - 1], *cards)
    events.append(CardsLaid(seat, cards, len(hand)))
    state = replace(
        state, hands=with_part(state.hands, seat, hand), rows=with_part(state.rows, seat, row), phase="TURN_START"
    )
    if any(card.rank == 1 for card in cards):
        state = _sweep_to_row(state, seat, suit, events)
    ready, rest = parted(state.rows[seat - 1], suit)
    safe_now = worth(ready) >= SAFE_FROM
    if safe_now:
        events.append(Secured(seat, ready))
        safe = with_part(state.safe, seat, state.safe[seat - 1] + ready)
        state = replace(state, rows=with_part(state.rows, seat, rest), safe=safe)
    if not all(state.hands):
        return end(state, events)
    if not safe_now:
        return next_turn(state, events)
    if suit == "S":
        return replace(state, phase="STEAL_ROUND", steal_victim=seat, steal_queue=left_of(seat, state.seats))
    return replace(state, phase="STEAL")


def _sweep_to_row(state: LifeState, seat: int, suit: str, events: Events) -> LifeState:
    """§7.5: an ace that a seat laid takes its suit from all hands and rows into that seat's row."""
    own_row = state.rows[seat - 1]
    hands, rows, taken = _swept(replace(state, rows=with_part(state.rows, seat, ())), suit)
    if taken:
        events.append(Swept(suit, taken, seat))
    gained = tuple(card for one in taken for card in one.hand + one.row)
    return replace(state, hands=hands, rows=with_part(rows, seat, own_row + gained))


def throw_in(state: LifeState, joker: Card) -> LifeState:
    """§7.6: a joker leaves the Hand; everything but safe piles goes into the deck, to be shuffled."""
    nothing: Piles = ((),) * state.seats
    face_up = state.discards + sum(state.rows, ())
    return replace(
        state,
        phase="REDEAL",
        hands=nothing,
        rows=nothing,
        deck=state.deck + face_up + sum(state.hands, ()),
        discards=(),
        removed_jokers=(*state.removed_jokers, joker),
        turned=None,
    )


def steal(state: LifeState, thief: int, target: int, card: Card | None, events: Events) -> LifeState:
    """§7.4: the card of the target's row, or else the dealer is to draw one of the hand."""
    if card is not None:
        rows = with_part(state.rows, target, without(state.rows[target - 1], card))
        return _stolen(replace(state, rows=rows), thief, target, card, events, from_row=True)
    events.append(ReachedFor(thief, target))
    queue = state.steal_queue or (thief,)
    return replace(state, phase="BLIND_STEAL", steal_victim=target, steal_queue=queue)


def steal_drawn(state: LifeState, card: Card, events: Events) -> LifeState:
    """§7.4: the card that the dealer drew from the victim's hand goes to the thief's."""
    thief, target = state.steal_queue[0], state.steal_victim or 0
    hands = with_part(state.hands, target, without(state.hands[target - 1], card))
    return _stolen(replace(state, hands=hands), thief, target, card, events, from_row=False)


def _stolen(state: LifeState, thief: int, target: int, card: Card, events: Events, *, from_row: bool) -> LifeState:
    events.append(Stolen(thief, target, from_row, card))
    state = replace(state, hands=with_part(state.hands, thief, (*state.hands[thief - 1], card)))
    return after_steal(state, events) if all(state.hands) else end(state, events)


def after_steal(state: LifeState, events: Events) -> LifeState:
    """§7.4: the next seat of a steal round; after the last one, or after an own steal, the next turn."""
    queue = state.steal_queue[1:]
    return replace(state, phase="STEAL_ROUND", steal_queue=queue) if queue else next_turn(state, events)
