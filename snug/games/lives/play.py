"""How a deal of Irish Lives is set up and played: §6, §7, §13."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from snug.engine.cards import Pile, with_part, without
from snug.engine.chance import Choose, ChooseDue, Due, Outcome, Shuffle, ShuffleDue
from snug.engine.game import Event, IllegalMove, Move, Scores
from snug.games.lives.checks import check
from snug.games.lives.events import (
    CardPlayed,
    Caught,
    DealStarted,
    Kept,
    LastCardCalled,
    LastCardMissed,
    Passed,
    StarterTurned,
    SuitCalled,
)
from snug.games.lives.matching import legal, nothing_to_draw, to_act
from snug.games.lives.options import LivesOptions, packs_of
from snug.games.lives.score import points, winners_of
from snug.games.lives.state import (
    HAND_SIZE,
    POWER,
    TWOS,
    WILD,
    CallSuit,
    Catch,
    Draw,
    Keep,
    LivesMove,
    LivesState,
    Play,
    others,
    whole_pack,
)
from snug.games.lives.turns import end_deal, end_turn, take, take_on
from snug.games.lives.view import LivesView

Step = tuple[LivesState, tuple[Event, ...]]


def start(
    options: LivesOptions, seats: int, number: int, dealer: int | None, rounds: tuple[Scores, ...] = ()
) -> LivesState:
    """§6, before anything is dealt."""
    turn = (dealer or seats) % seats + 1
    pack = whole_pack(options, seats)
    return LivesState(options, seats, number, dealer, turn, hands=((),) * seats, pool=pack)


def due(state: LivesState) -> Due | None:
    """The lot for the first deal, the shuffle of a deal, and of a stack that becomes the pool (§7.4)."""
    if state.taking is not None:
        return ShuffleDue(state.stack[:-1])
    if state.phase != "SET_UP":
        return None
    return ChooseDue(state.seats) if state.dealer is None else ShuffleDue(state.pool)


def deal(state: LivesState, outcome: Outcome) -> Step:
    """§6, §7.4."""
    if isinstance(outcome, Choose):
        return replace(state, dealer=outcome.value, turn=outcome.value % state.seats + 1), ()
    if not isinstance(outcome, Shuffle) or state.dealer is None:
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "Once there is a dealer, cards are shuffled and nothing else.")
    if state.taking is not None:
        return take_on(state, outcome.cards)
    if any(state.hands):
        return _turn_starter(state, outcome.cards, state.dealer)
    return _deal_hands(state, outcome.cards, state.dealer)


def _deal_hands(state: LivesState, cards: Pile, dealer: int) -> Step:
    """§6.1: seven cards each, one at a time, beginning on the dealer's left."""
    seats = state.seats
    dealt = HAND_SIZE * seats
    hands = tuple(cards[(seat - dealer - 1) % seats : dealt : seats] for seat in range(1, seats + 1))
    rest = cards[dealt:]
    started = DealStarted(state.number, dealer, (HAND_SIZE,) * seats, len(rest), hands)
    state, events = _turn_starter(replace(state, hands=hands), rest, dealer)
    return state, (started, *events)


def _turn_starter(state: LivesState, cards: Pile, dealer: int) -> Step:
    """§6.2, §6.3. If nothing but power cards is left to turn, one of them stays and takes effect."""
    starter, pool = cards[0], cards[1:]
    if starter in POWER and state.options.starter_power_card == "redraw" and not POWER.issuperset(pool):
        return replace(state, pool=cards), (StarterTurned(starter, buried=True),)
    called = starter in WILD
    state = replace(
        state,
        phase="CALL_SUIT" if called else "PLAY",
        turn=caller(dealer, state.seats) if called else dealer % state.seats + 1,
        pool=pool,
        stack=(starter,),
        suit_in_play=starter.suit or None,
        pending=int(starter in TWOS),
    )
    return state, (StarterTurned(starter),)


def caller(dealer: int, seats: int) -> int:
    """§6.3: the seat on the dealer's right names the suit of an ace or joker turned up."""
    return (dealer - 2) % seats + 1


def play(state: LivesState, seat: int, move: LivesMove) -> Step:
    """§7, §8."""
    check(state, seat, move)
    return _PLAYED[type(move)](state, seat, move)


def _play_card(state: LivesState, seat: int, move: Play) -> Step:
    """§7.2, §7.6."""
    card, hand = move.card, without(state.hands[seat - 1], move.card)
    suit: str = move.suit or card.suit
    state = replace(
        state,
        phase="PLAY",
        hands=with_part(state.hands, seat, hand),
        stack=(*state.stack, card),
        suit_in_play=suit,
        pending=state.pending + (card in TWOS),
        called=others(state.called, seat),
        drawn_card=None,
    )
    played = CardPlayed(seat, card, suit, state.pending, len(hand))
    if not hand:
        return end_deal(replace(state, idle=0, turns=state.turns + 1), (played,), "out")
    if len(hand) > 1:
        return end_turn(state, (played,))
    notice = state.options.last_card_notice
    if move.last_card or notice == "auto":
        state = replace(state, called=tuple(sorted((*state.called, seat))))
        return end_turn(state, (played, LastCardCalled(seat)))
    if notice == "table":
        return take(state, seat, 1, "penalty", (played, LastCardMissed(seat)))
    state = replace(state, exposed=tuple(sorted((*state.exposed, seat))))
    return end_turn(state, (played,))  # whether it is noticed is up to the players: the log does not tell


def _draw(state: LivesState, seat: int, _: Draw) -> Step:
    """§7.3."""
    if state.pending:
        return take(replace(state, pending=0), seat, 2 * state.pending, "two")
    if nothing_to_draw(state):
        return end_turn(state, (Passed(seat),), moved=False)
    return take(state, seat, 1, "turn")


def _keep(state: LivesState, seat: int, _: Keep) -> Step:
    """§4, option `play_drawn_card`."""
    return end_turn(state, (Kept(seat),))


def _call_suit(state: LivesState, seat: int, move: CallSuit) -> Step:
    """§6.3."""
    assert state.dealer is not None
    turn = state.dealer % state.seats + 1
    return replace(state, phase="PLAY", turn=turn, suit_in_play=move.suit), (SuitCalled(seat, move.suit),)


def _catch(state: LivesState, seat: int, move: Catch) -> Step:
    """§7.6."""
    exposed = others(state.exposed, move.target)
    return take(replace(state, exposed=exposed), move.target, 1, "penalty", (Caught(move.target, seat),))


_PLAYED: Final[dict[type[Move], Callable[[LivesState, int, Any], Step]]] = {
    Play: _play_card,
    Draw: _draw,
    Keep: _keep,
    CallSuit: _call_suit,
    Catch: _catch,
}


def view(state: LivesState, seat: int | None) -> LivesView:
    """§9."""
    over = state.phase == "DEAL_OVER"
    shown = points(state) if over else ()
    return LivesView(
        seat=seat,
        seats=state.seats,
        to_act=to_act(state),
        legal=legal(state, seat) if seat else (),
        number=state.number,
        options=state.options,
        packs=packs_of(state.options, state.seats),
        dealer=state.dealer,
        turn=state.turn,
        phase=state.phase,
        hand=state.hands[seat - 1] if seat else (),
        hand_sizes=tuple(map(len, state.hands)),
        top=state.stack[-1] if state.stack else None,
        under_top=max(0, len(state.stack) - 1),
        pool_size=len(state.pool),
        suit_in_play=state.suit_in_play,
        pending=state.pending,
        called=state.called,
        exposed=state.exposed,
        drawn_card=state.drawn_card if seat == state.turn else None,
        idle=state.idle,
        turns=state.turns,
        reason=state.reason,
        winners=winners_of(shown) if over else (),
        hands=state.hands if over else (),
        points=shown,
    )
