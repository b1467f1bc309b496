"""How a deal of Hearts is set up and played: §6, §7, §8."""

from msgspec.structs import replace
from snug.engine.cards import SUIT_NAMES, Card, Pile
from snug.engine.chance import Due, Outcome, Shuffle, ShuffleDue
from snug.engine.game import Event, IllegalMove, Move, Scores

from snug_hearts.events import CardPlayed, CardsChosen, CardsPassed, DealOver, DealStarted, HeartsBroken, TrickTaken
from snug_hearts.options import HeartsOptions
from snug_hearts.score import penalty, points, shooter, taken
from snug_hearts.state import (
    PASS,
    PASSED,
    PLAYS,
    HeartsMove,
    HeartsState,
    PassCards,
    Play,
    hearts_broken,
    is_penalty,
    lowest_club,
    pack_of,
    steps_to_receiver,
)
from snug_hearts.tricks import Trick, following

Step = tuple[HeartsState, tuple[Event, ...]]


def first_dealer(options: HeartsOptions, seats: int, host: int) -> int:
    """§6: the host. Nothing but the order of dealing depends on it."""
    return host


def start(
    options: HeartsOptions, seats: int, number: int, dealer: int | None, rounds: tuple[Scores, ...] = ()
) -> HeartsState:
    """§6, before anything is dealt."""
    nothing: tuple[Pile, ...] = ((),) * seats
    return HeartsState(options, seats, number, dealer or 1, hands=nothing, passed=nothing)


def due(state: HeartsState) -> Due | None:
    """§6: the shuffle."""
    return ShuffleDue(pack_of(state.seats)) if state.phase == "SET_UP" else None


def deal(state: HeartsState, outcome: Outcome) -> Step:
    """§6: all cards, one at a time, beginning on the dealer's left."""
    if not isinstance(outcome, Shuffle):
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "The cards are shuffled and nothing else.")
    seats, cards = state.seats, outcome.cards
    hands = tuple(cards[(seat - state.dealer - 1) % seats :: seats] for seat in range(1, seats + 1))
    steps = steps_to_receiver(state.options, seats, state.number)
    receivers = tuple((seat + steps - 1) % seats + 1 for seat in range(1, seats + 1)) if steps else ()
    started = DealStarted(state.number, state.dealer, len(hands[0]), receivers, hands)
    return replace(state, phase="PASS", hands=hands) if steps else _begin_play(state, hands), (started,)


def first_leader(hands: tuple[Pile, ...]) -> int:
    """§7: the seat with the lowest club leads to the first trick."""
    first = lowest_club(len(hands))
    return next(seat for seat, hand in enumerate(hands, 1) if first in hand)


def _begin_play(state: HeartsState, hands: tuple[Pile, ...]) -> HeartsState:
    return replace(state, phase="PLAY", hands=hands, trick=Trick(first_leader(hands)))


def to_act(state: HeartsState) -> tuple[int, ...]:
    """§8: everybody who has not passed, then one seat at a time."""
    if state.phase == "PASS":
        return tuple(seat for seat, cards in enumerate(state.passed, 1) if not cards)
    return (state.turn,) if state.turn else ()


def playable(state: HeartsState, seat: int) -> Pile:
    """§7: the cards that a seat may play if it is its turn."""
    hand, trick, first = state.hands[seat - 1], state.trick, not state.tricks
    assert trick is not None
    if not trick.cards:
        if first:
            return tuple(card for card in hand if card == lowest_club(state.seats))
        plain = tuple(card for card in hand if card.suit != "H")
        return hand if hearts_broken(state) else plain or hand
    if follows := following(hand, trick):
        return follows
    if first and not state.options.first_trick_points:
        return tuple(card for card in hand if not is_penalty(card)) or hand
    return hand


def legal(state: HeartsState, seat: int) -> tuple[Move, ...]:
    """§8. A pass is listed once, without its cards."""
    if seat not in to_act(state):
        return ()
    return (PASS,) if state.phase == "PASS" else tuple(PLAYS[card] for card in playable(state, seat))


def check(state: HeartsState, seat: int, move: HeartsMove) -> None:
    """§8, in the order of its table."""
    if state.phase == "DEAL_OVER":
        raise IllegalMove("GAME_OVER", "The deal is over.")
    if state.phase == "SET_UP":
        raise IllegalMove("NOT_YOUR_TURN", "The dealer is still shuffling.")
    if isinstance(move, PassCards):
        _check_pass(state, seat, move.cards)
    else:
        _check_play(state, seat, move.card)


def _check_pass(state: HeartsState, seat: int, cards: Pile) -> None:
    if state.phase != "PASS":
        raise IllegalMove("WRONG_PHASE", "Cards are passed before the first trick, and only in deals with passing.")
    if not 1 <= seat <= state.seats:
        raise IllegalMove("NOT_YOUR_TURN", "Only those who play pass cards.")
    if state.passed[seat - 1]:
        raise IllegalMove("ALREADY_PASSED", "You have passed your cards: wait for the others.")
    for card in cards:
        if card not in state.hands[seat - 1]:
            raise IllegalMove("NOT_IN_HAND", "You do not hold %(card)s.", card=card.label)
    if len(cards) != PASSED or len(set(cards)) != PASSED:
        raise IllegalMove("PASS_THREE", "Choose three different cards to pass, not %(number)s.", number=len(set(cards)))


def _check_play(state: HeartsState, seat: int, card: Card) -> None:
    if state.phase == "PASS":
        raise IllegalMove("WRONG_PHASE", "First everybody passes three cards.")
    if seat != state.turn:
        raise IllegalMove("NOT_YOUR_TURN", "It is not your turn.")
    if card not in state.hands[seat - 1]:
        raise IllegalMove("NOT_IN_HAND", "You do not hold %(card)s.", card=card.label)
    if card in playable(state, seat):
        return
    assert state.trick is not None
    if state.trick.cards:
        suit = state.trick.cards[0].suit
        if following(state.hands[seat - 1], state.trick):
            raise IllegalMove(
                "MUST_FOLLOW",
                "You hold %(suit)s, so %(card)s has to wait: follow suit.",
                suit=SUIT_NAMES[suit],
                card=card.label,
            )
        raise IllegalMove(
            "NO_POINTS_YET", "%(card)s costs points, and the first trick is played without any.", card=card.label
        )
    if not state.tricks:
        first = lowest_club(state.seats)
        raise IllegalMove("LOWEST_CLUB", "The first trick begins with %(card)s, the lowest club.", card=first.label)
    raise IllegalMove("HEARTS_NOT_BROKEN", "Nobody has thrown a heart yet, so lead another suit.")


def play(state: HeartsState, seat: int, move: HeartsMove) -> Step:
    """§6, §7."""
    check(state, seat, move)
    return _pass(state, seat, move.cards) if isinstance(move, PassCards) else _play_card(state, seat, move)


def _pass(state: HeartsState, seat: int, cards: Pile) -> Step:
    """§6: the cards lie aside until everybody has chosen, then all change hands at once."""
    hand = tuple(card for card in state.hands[seat - 1] if card not in cards)
    state = replace(state, hands=_with(state.hands, seat, hand), passed=_with(state.passed, seat, cards))
    chosen = CardsChosen(seat, cards)
    if not all(state.passed):
        return state, (chosen,)
    steps = steps_to_receiver(state.options, state.seats, state.number)
    received = state.passed[-steps:] + state.passed[:-steps]
    hands = tuple(hand + came for hand, came in zip(state.hands, received, strict=True))
    return _begin_play(state, hands), (chosen, CardsPassed(received))


def _play_card(state: HeartsState, seat: int, move: Play) -> Step:
    """§7."""
    assert state.trick is not None
    was_broken, trick = hearts_broken(state), state.trick
    hand = tuple(card for card in state.hands[seat - 1] if card != move.card)
    trick = replace(trick, cards=(*trick.cards, move.card))
    state = replace(state, hands=_with(state.hands, seat, hand), trick=trick)
    events: tuple[Event, ...] = (CardPlayed(seat, move.card, len(trick.cards) == 1),)
    if not was_broken and hearts_broken(state):
        events += (HeartsBroken(seat),)
    if len(trick.cards) < state.seats:
        return state, events
    winner = trick.winner(state.seats)
    events += (TrickTaken(winner, trick.cards, penalty(trick.cards)),)
    state = replace(state, tricks=(*state.tricks, trick), trick=Trick(winner))
    if hand:
        return state, events
    state = replace(state, phase="DEAL_OVER", trick=None)
    piles = taken(state)
    return state, (*events, DealOver(points(state.options, piles), shooter(piles)))


def _with(piles: tuple[Pile, ...], seat: int, pile: Pile) -> tuple[Pile, ...]:
    return (*piles[: seat - 1], pile, *piles[seat:])
