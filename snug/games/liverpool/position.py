"""A Liverpool position in the keys of a record: §5."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from snug.engine.alike import as_position, check_seats, like
from snug.engine.cards import JOKER, RANKS, Card, Pile, pack_of
from snug.engine.game import Scores, convert, plain
from snug.engine.melds import Kind, Laid, Meld, RunMeld, fault_of, on_table
from snug.engine.places import added_up
from snug.games.liverpool.buying import buyer, offered_to, recycling
from snug.games.liverpool.options import LiverpoolOptions
from snug.games.liverpool.state import (
    HANDS,
    JOKERS_A_DECK,
    MAX_RESHUFFLES,
    TURN_CAP,
    LiverpoolState,
    Phase,
    cards_of,
    decks_for,
)

Seat = Annotated[int, Meta(ge=1, le=8)]
Count = Annotated[int, Meta(ge=0)]


class _Meld(msgspec.Struct, forbid_unknown_fields=True):
    """A meld as a record writes it; what follows from its cards may be left out."""

    kind: Kind
    cards: Pile
    id: int | None = None
    owner: Seat | None = None
    rank: int | str | None = None
    live_joker: bool | None = None
    suit: str | None = None
    low: int | None = None


class _Position(msgspec.Struct, forbid_unknown_fields=True):
    """§5 as a record writes it; what is left out is neutral."""

    hand_no: Annotated[int, Meta(ge=1, le=HANDS)] | None = None
    dealer: Seat | None = None
    turn: Seat = 1
    phase: Literal["DRAW", "BUY", "PLAY", "HAND_OVER"] | None = None
    hands: list[Pile] = []
    stock: Pile = ()
    discard_pile: Pile = ()
    taken_card: Card | None = None
    went_down_this_turn: bool = False
    down: list[bool | int] | None = None
    buys: list[Count] = []
    turns_done: list[Count] = []
    buy_queue: list[Seat] | None = None
    buy_answers: dict[Literal["1", "2", "3", "4", "5", "6", "7", "8"], bool] | list[bool | None] = {}
    melds: list[_Meld] = []
    reshuffles: Annotated[int, Meta(ge=0, le=MAX_RESHUFFLES)] = 0
    scores: Annotated[list[list[Count]], Meta(max_length=HANDS)] = []
    totals: list[Count] = []


def to_position(state: LiverpoolState, rounds: tuple[Scores, ...], totals: Scores) -> dict[str, Any]:
    """§5."""
    answers = zip(state.buy_queue, state.buy_answers, strict=True)
    return as_position(
        _Position,
        state,
        hand_no=state.number,
        buy_answers={str(seat): answer for seat, answer in answers if answer is not None},
        melds=plain(state.melds),
        scores=rounds,
        totals=totals,
    )


def from_position(
    options: LiverpoolOptions, seats: int, given: Mapping[str, Any]
) -> tuple[LiverpoolState, tuple[Scores, ...], Scores]:
    """A position of §5. Without `phase` it is the turn's beginning, or its middle if that is evident."""
    position = convert(given, _Position)
    rounds = tuple(tuple(row) for row in position.scores)
    phase = position.phase or _phase_of(position)
    number = position.hand_no or min(len(rounds) + 1, HANDS)
    if len(rounds) > number - (phase != "HAND_OVER"):
        raise ValueError(f"scores: {len(rounds)} hands cannot be over in hand {number}")
    dealer = position.dealer or seats
    check_seats(seats, turn=position.turn, dealer=dealer)
    melds = tuple(_meld_of(meld, at, seats) for at, meld in enumerate(position.melds, 1))
    state = like(
        LiverpoolState,
        position,
        options=options,
        seats=seats,
        number=number,
        dealer=dealer,
        phase=phase,
        hands=_filled("hands", position.hands, seats, ()),
        down=_down_of(position, seats),
        buys=_filled("buys", position.buys, seats, 0),
        turns_done=_filled("turns_done", position.turns_done, seats, 0),
        melds=melds,
        buy_queue=(),
        buy_answers=(),
    )
    state = _with_offer(state, position)
    _check_cards(state)
    _check_turn(state)
    return state, rounds, _totals(options, seats, rounds, tuple(position.totals))


def _phase_of(position: _Position) -> Phase:
    if position.buy_queue:
        return "BUY"
    holds = position.turn <= len(position.hands) and position.hands[position.turn - 1]
    nothing_to_draw = not position.stock and not position.discard_pile
    drawn = position.taken_card is not None or position.went_down_this_turn or (nothing_to_draw and holds)
    return "PLAY" if drawn else "DRAW"


def _filled(key: str, given: list[Any], seats: int, neutral: Any) -> tuple[Any, ...]:
    """One entry a seat; those left out are neutral."""
    if len(given) > seats:
        raise ValueError(f"{key}: {len(given)} entries at a table of {seats}")
    return (*given, *(neutral,) * (seats - len(given)))


def _down_of(position: _Position, seats: int) -> tuple[bool, ...]:
    """A truth value a seat, or a list of the seats that are down; left out, those who own melds are."""
    given = position.down
    if given is None:
        owners = {meld.owner for meld in position.melds} | ({position.turn} if position.went_down_this_turn else set())
        return tuple(seat in owners for seat in range(1, seats + 1))
    if all(isinstance(entry, bool) for entry in given):
        return _filled("down", given, seats, False)
    if any(isinstance(entry, bool) or not 1 <= entry <= seats for entry in given):
        raise ValueError(f"down: write a truth value for each seat, or seats from 1 to {seats}")
    return tuple(seat in given for seat in range(1, seats + 1))


def _meld_of(given: _Meld, number: int, seats: int) -> Meld:
    key = f"melds[{number - 1}]"
    laid = Laid(given.kind, given.cards)
    if fault := fault_of(laid):
        raise ValueError(f"{key}.cards: {fault[1]}")
    if given.id not in (None, number):
        raise ValueError(f"{key}.id: melds are numbered in order, so this one is {number}, not {given.id}")
    owner = given.owner or 1
    check_seats(seats, **{f"{key}.owner": owner})
    meld = on_table(laid, number, owner)
    if isinstance(meld, RunMeld):
        if given.suit not in (None, meld.suit) or given.low not in (None, meld.low):
            raise ValueError(f"{key}: its cards make a run in {meld.suit} from position {meld.low}")
        if given.rank is not None or given.live_joker is not None:
            raise ValueError(f"{key}: a run has neither rank nor live_joker")
        return meld
    if given.rank not in (None, meld.rank, RANKS[meld.rank - 1]) or given.suit is not None or given.low is not None:
        raise ValueError(f"{key}: its cards make a set of rank {meld.rank}")
    live = meld.live_joker if given.live_joker is None else given.live_joker
    if live and JOKER not in meld.cards:
        raise ValueError(f"{key}.live_joker: there is no joker in this set")
    return msgspec.structs.replace(meld, live_joker=live)


def _with_offer(state: LiverpoolState, position: _Position) -> LiverpoolState:
    """The offer of the phase BUY; left out, the discard is offered to all who may buy it."""
    if state.phase != "BUY":
        if position.buy_queue or position.buy_answers:
            raise ValueError("buy_queue: there is an offer in the phase BUY only")
        return state
    offered = offered_to(state)
    queue = offered if position.buy_queue is None else tuple(position.buy_queue)
    if queue != tuple(seat for seat in offered if seat in queue):
        raise ValueError(
            f"buy_queue: the discard can be offered to {list(offered)} in this order, not to {list(queue)}"
        )
    if isinstance(position.buy_answers, dict):
        given: dict[int, bool | None] = {int(seat): answer for seat, answer in position.buy_answers.items()}
    else:
        given = dict(zip(queue, position.buy_answers, strict=False))
    if strangers := given.keys() - set(queue):
        raise ValueError(f"buy_answers: seat {min(strangers)} was not asked")
    answers = tuple(given.get(seat) for seat in queue)
    state = msgspec.structs.replace(state, buy_queue=queue, buy_answers=answers)
    if buyer(state) is not None and not (recycling(state) and state.reshuffles < MAX_RESHUFFLES):
        raise ValueError("phase: nobody is left to answer, so it is not BUY")
    return state


def _check_cards(state: LiverpoolState) -> None:
    cards, decks = cards_of(state), decks_for(state.seats)
    if too_often := pack_of(cards, decks):
        raise ValueError(f"{too_often} lies in more than {decks} places: there are {decks} decks")
    if cards.count(JOKER) > JOKERS_A_DECK * decks:
        raise ValueError(f"JK lies in {cards.count(JOKER)} places: there are {JOKERS_A_DECK * decks} jokers")


def _check_turn(state: LiverpoolState) -> None:
    hand = state.hands[state.turn - 1]
    if state.phase == "PLAY" and not hand:
        raise ValueError(f"hands: seat {state.turn} is to play and has no card")
    if state.taken_card is not None and (state.phase != "PLAY" or state.taken_card not in hand):
        raise ValueError(f"taken_card: seat {state.turn} does not hold {state.taken_card} after drawing")
    if state.went_down_this_turn and (state.phase != "PLAY" or not state.down[state.turn - 1]):
        raise ValueError(f"went_down_this_turn: seat {state.turn} is not down in the middle of its turn")
    if sum(state.turns_done) >= TURN_CAP * state.seats and state.phase != "HAND_OVER":
        raise ValueError(f"turns_done: a hand ends after {TURN_CAP * state.seats} turns")


def _totals(options: LiverpoolOptions, seats: int, rounds: tuple[Scores, ...], given: Scores) -> Scores:
    totals: Scores = ()
    for row in rounds:
        if len(row) != seats:
            raise ValueError(f"scores: a row of {len(row)} for {seats} players")
        totals = added_up(totals, row)
    if given and len(given) != seats:
        raise ValueError(f"totals: {len(given)} numbers for {seats} players")
    if any(all_told < listed for all_told, listed in zip(given, totals, strict=False)):
        raise ValueError("totals: they are lower than the sums of scores")
    return given or totals or (0,) * seats
