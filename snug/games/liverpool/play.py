"""How Liverpool is dealt and played, turn by turn: §6, §8, §9."""

import msgspec

from snug.engine.cards import Card, with_part, without
from snug.engine.chance import Choose, ChooseDue, Due, Outcome, Shuffle, ShuffleDue
from snug.engine.game import Event, IllegalMove, Scores
from snug.engine.melds import Fault, points_of
from snug.games.liverpool.buying import ended, offered_to, recycled, recycling, settle
from snug.games.liverpool.events import (
    BuyAnswered,
    DiscardDeclined,
    Discarded,
    DiscardTaken,
    HandStarted,
    StockRecycled,
)
from snug.games.liverpool.laying import fault_of_adding, fault_of_lay_down, lay_down, lay_off, steal
from snug.games.liverpool.options import LiverpoolOptions
from snug.games.liverpool.state import (
    TURN_CAP,
    Buy,
    Discard,
    DrawStock,
    LayDown,
    LayOff,
    LiverpoolMove,
    LiverpoolState,
    PassBuy,
    StealJoker,
    TakeDiscard,
    cards_for,
    hand_size,
)
from snug.words import Message, gettext


def start(
    options: LiverpoolOptions, seats: int, number: int, dealer: int | None, rounds: tuple[Scores, ...] = ()
) -> LiverpoolState:
    """§6: nobody has cards yet."""
    return LiverpoolState(options, seats, number, dealer, (dealer or seats) % seats + 1)


def due(state: LiverpoolState) -> Due | None:
    """§6: the first dealer is drawn by lot, all decks are shuffled; §8.7: discards are recycled."""
    if state.phase == "DEAL":
        return ChooseDue(state.seats) if state.dealer is None else ShuffleDue(cards_for(state.seats))
    return recycling(state)


def deal(state: LiverpoolState, outcome: Outcome) -> tuple[LiverpoolState, tuple[Event, ...]]:
    """§6, §8.7."""
    if isinstance(outcome, Choose) and state.dealer is None:
        return start(state.options, state.seats, state.number, outcome.value), ()
    if not isinstance(outcome, Shuffle):
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "The dealer has cards to shuffle now.")
    if state.phase == "DEAL":
        return _dealt(state, outcome)
    state = recycled(state, outcome.cards)
    event = StockRecycled(len(state.stock))
    state, events = settle(state)
    return state, (event, *events)


def _dealt(state: LiverpoolState, outcome: Shuffle) -> tuple[LiverpoolState, tuple[Event, ...]]:
    """§6: one card at a time from the dealer's left, then the upcard."""
    seats, size, first = state.seats, hand_size(state.number), state.turn
    used = seats * size
    hands = tuple(outcome.cards[(seat - first) % seats : used : seats] for seat in range(1, seats + 1))
    upcard = outcome.cards[used]
    state = msgspec.structs.replace(
        state,
        phase="DRAW",
        hands=hands,
        stock=outcome.cards[used + 1 :],
        discard_pile=(upcard,),
        down=(False,) * seats,
        buys=(0,) * seats,
        turns_done=(0,) * seats,
    )
    dealer = state.dealer or seats
    return state, (HandStarted(state.number, state.contract, dealer, (size,) * seats, upcard, hands),)


def to_act(state: LiverpoolState) -> tuple[int, ...]:
    """§9: the player in turn, or all who have not said yet whether they buy."""
    if state.phase in ("DRAW", "PLAY"):
        return (state.turn,)
    if state.phase == "BUY" and recycling(state) is None:
        answers = zip(state.buy_queue, state.buy_answers, strict=True)
        return tuple(sorted(seat for seat, answer in answers if answer is None))
    return ()


# What the rules refuse


def check(state: LiverpoolState, seat: int, move: LiverpoolMove) -> None:
    """§8, §9."""
    if fault := _fault(state, seat, move):
        raise IllegalMove(*fault)


def _fault(state: LiverpoolState, seat: int, move: LiverpoolMove) -> Fault | None:
    phase = state.phase
    if phase == "HAND_OVER":
        return "GAME_OVER", gettext("This hand is over.")
    if due(state):
        return "NOT_YOUR_TURN", gettext("The dealer is at work.")
    if isinstance(move, Buy | PassBuy):
        return _fault_of_answer(state, seat)
    if seat != state.turn:
        return "NOT_YOUR_TURN", gettext("It is not your turn.")
    if phase == "BUY":
        return "WRONG_PHASE", gettext(
            "The others are deciding whether they buy the discard: your card comes after that."
        )
    if isinstance(move, TakeDiscard | DrawStock):
        if phase != "DRAW":
            return "WRONG_PHASE", gettext("You have drawn: lay cards or discard.")
        return _fault_of_taking(state, seat, move) if isinstance(move, TakeDiscard) else None
    if phase != "PLAY":
        return "WRONG_PHASE", gettext("Draw first: the discard or a card from the stock.")
    if isinstance(move, LayDown):
        return fault_of_lay_down(state, seat, move)
    if isinstance(move, Discard):
        return _fault_of_discard(state, seat, move.card)
    return fault_of_adding(state, seat, move, state.hands[seat - 1])


def _fault_of_answer(state: LiverpoolState, seat: int) -> Fault | None:
    if state.phase != "BUY":
        return "WRONG_PHASE", gettext("Nothing is for sale now.")
    if seat not in state.buy_queue:
        return "NOT_ELIGIBLE", _why_not_eligible(state, seat)
    if state.buy_answers[state.buy_queue.index(seat)] is not None:
        return "ALREADY_ANSWERED", gettext("You have said already whether you buy this discard.")
    return None


def _why_not_eligible(state: LiverpoolState, seat: int) -> Message:
    if seat == state.turn:
        return gettext("You declined the discard, so you cannot buy it: your card comes from the stock.")
    if 1 <= seat <= state.seats and state.down[seat - 1]:
        return gettext("Who is down buys no more.")
    return gettext(
        "This table plays Purchases: %(number)s a hand, and you have made yours.", number=state.options.max_buys
    )


def _fault_of_taking(state: LiverpoolState, seat: int, move: TakeDiscard) -> Fault | None:
    """§8.1."""
    if not state.discard_pile:
        return "WRONG_PHASE", gettext("There is no discard: draw from the stock.")
    top = state.discard_pile[-1]
    if not state.down[seat - 1]:
        if move.play is None:
            return None
        return "NOT_DOWN", gettext("Only who is down plays the discard at once: take it without playing it.")
    play = move.play
    if play is None or play.card != top:
        return "MUST_PLAY_TAKEN_CARD", gettext(
            "You are down: %(card)s may only be taken to play it at once.", card=top.label
        )
    return fault_of_adding(state, seat, play, (*state.hands[seat - 1], top))


def _fault_of_discard(state: LiverpoolState, seat: int, card: Card) -> Fault | None:
    """§8.5."""
    hand = state.hands[seat - 1]
    if card not in hand:
        return "NOT_IN_HAND", gettext("You do not hold %(card)s.", card=card.label)
    if card == state.taken_card and len(hand) > 1 and hand.count(card) == 1:
        return "CANNOT_DISCARD_TAKEN", gettext("You took %(card)s this turn: discard another card.", card=card.label)
    return None


# What comes of it


def play(state: LiverpoolState, seat: int, move: LiverpoolMove) -> tuple[LiverpoolState, tuple[Event, ...]]:
    """§8."""
    check(state, seat, move)
    if isinstance(move, Buy | PassBuy):
        return _answered(state, seat, isinstance(move, Buy))
    if isinstance(move, DrawStock):
        return _declined(state, seat)
    if isinstance(move, Discard):
        return _discarded(state, seat, move.card)
    if isinstance(move, TakeDiscard):
        state, event = _taken(state, seat)
        if move.play is None:
            return state, (event,)
        state, played = _put_on_table(state, seat, move.play)
        return state, (event, played)
    state, event = _put_on_table(state, seat, move)
    if state.hands[seat - 1]:
        return state, (event,)
    state, over = ended(state, "out")
    return state, (event, over)


def _put_on_table(
    state: LiverpoolState, seat: int, move: LayDown | LayOff | StealJoker
) -> tuple[LiverpoolState, Event]:
    if isinstance(move, LayDown):
        return lay_down(state, seat, move)
    return lay_off(state, seat, move) if isinstance(move, LayOff) else steal(state, seat, move)


def _taken(state: LiverpoolState, seat: int) -> tuple[LiverpoolState, Event]:
    card = state.discard_pile[-1]
    state = msgspec.structs.replace(
        state,
        phase="PLAY",
        hands=with_part(state.hands, seat, (*state.hands[seat - 1], card)),
        discard_pile=state.discard_pile[:-1],
        taken_card=card,
    )
    return state, DiscardTaken(seat, card)


def _declined(state: LiverpoolState, seat: int) -> tuple[LiverpoolState, tuple[Event, ...]]:
    """§8.1, §8.2."""
    declined = (DiscardDeclined(seat),) if state.discard_pile else ()
    queue = offered_to(state)
    state = msgspec.structs.replace(state, phase="BUY", buy_queue=queue, buy_answers=(None,) * len(queue))
    state, events = settle(state)
    return state, (*declined, *events)


def _answered(state: LiverpoolState, seat: int, buys: bool) -> tuple[LiverpoolState, tuple[Event, ...]]:
    answers = with_part(state.buy_answers, state.buy_queue.index(seat) + 1, buys)
    state, events = settle(msgspec.structs.replace(state, buy_answers=answers))
    return state, (BuyAnswered(seat, buys), *events)


def _discarded(state: LiverpoolState, seat: int, card: Card) -> tuple[LiverpoolState, tuple[Event, ...]]:
    """§8.5, §14."""
    hand = without(state.hands[seat - 1], card)
    done = state.turns_done
    state = msgspec.structs.replace(
        state,
        hands=with_part(state.hands, seat, hand),
        discard_pile=(*state.discard_pile, card),
        taken_card=None,
        went_down_this_turn=False,
        turns_done=with_part(done, seat, done[seat - 1] + 1),
    )
    event = Discarded(seat, card)
    if hand and sum(state.turns_done) < TURN_CAP * state.seats:
        return msgspec.structs.replace(state, phase="DRAW", turn=seat % state.seats + 1), (event,)
    state, over = ended(state, "turn_cap" if hand else "out")
    return state, (event, over)


def scores(state: LiverpoolState) -> Scores | None:
    """§11: the cards left in each hand."""
    return tuple(map(points_of, state.hands)) if state.phase == "HAND_OVER" else None
