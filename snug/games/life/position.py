"""A Life position in the keys of a record: §5."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from snug.engine.alike import as_position, check_seats
from snug.engine.cards import CARDS, JOKER, Pile, pack_of
from snug.engine.game import Scores, convert
from snug.games.life.dealing import pack_for
from snug.games.life.options import LifeOptions, decks_of
from snug.games.life.score import is_last, scores, tally
from snug.games.life.state import (
    ALL_SUITS,
    HAND_TURN_CAP,
    MATCH_HAND_CAP,
    PLAIN_SUITS,
    DealerPhase,
    LifeState,
    Phase,
    cards_of,
    left_of,
)

_BEFORE_THE_DEAL: Final = ("CHOOSE_DEALER", "CHOOSE_SUITS", "DEAL")
_ENDED: Final = ("HAND_OVER", "MATCH_OVER")
_Seats = list[Pile]


class _Position(msgspec.Struct, forbid_unknown_fields=True):
    """§5 as a record writes it; what is left out is neutral. `turned` may be a suit, `removed_jokers` a number."""

    phase: Phase | DealerPhase | Literal["MATCH_OVER"] = "TURN_START"
    dealer: int | None = None
    last_dealer: int | None = None
    turn: int | None = None
    chosen: list[Literal["H", "D", "C", "S"] | None] = []
    hands: _Seats = []
    row: _Seats = []
    safe: _Seats = []
    deck: Pile = ()
    discards: Pile = ()
    removed_jokers: Annotated[int, Meta(ge=0, le=4)] | Pile = ()
    turned: str | None = None
    steal_victim: int | None = None
    steal_queue: tuple[int, ...] = ()
    turns: Annotated[int, Meta(ge=0, le=HAND_TURN_CAP)] = 0
    totals: list[Annotated[float, Meta(multiple_of=0.5, ge=-100_000, le=100_000)]] = []
    hand_no: Annotated[int, Meta(ge=1, le=MATCH_HAND_CAP)] = 1


def to_position(state: LifeState, rounds: tuple[Scores, ...], totals: Scores) -> dict[str, Any]:
    """§5."""
    ended = state.phase == "HAND_OVER" and is_last(state.options, state.number, totals)
    phase = "MATCH_OVER" if ended else state.phase
    return as_position(_Position, state, phase=phase, row=state.rows, totals=totals, hand_no=state.number)


def from_position(
    options: LifeOptions, seats: int, given: Mapping[str, Any]
) -> tuple[LifeState, tuple[Scores, ...], Scores]:
    """A position of §5; short lists are filled up. A Hand in HAND_OVER is not scored yet, in MATCH_OVER it is."""
    position = convert(given, _Position)
    for key in ("chosen", "hands", "row", "safe", "totals"):
        if len(getattr(position, key)) > seats:
            raise ValueError(f"{key}: there are {len(getattr(position, key))} entries for {seats} seats")
    if "S" in position.chosen and not options.choose_spades:
        raise ValueError("chosen: spades cannot be chosen at a table without choose_spades")
    dealer, turn = _people(position, seats)
    phase: Any = "HAND_OVER" if position.phase == "MATCH_OVER" else position.phase
    removed = position.removed_jokers
    state = LifeState(
        options,
        seats,
        position.hand_no,
        dealer,
        position.last_dealer or dealer,
        turn,
        phase,
        chosen=_filled(position.chosen, None, seats),
        hands=_filled(position.hands, (), seats),
        rows=_filled(position.row, (), seats),
        safe=_filled(position.safe, (), seats),
        deck=position.deck,
        discards=position.discards,
        removed_jokers=(JOKER,) * removed if isinstance(removed, int) else removed,
        turned=_turned(position),
        turns=position.turns,
    )
    _check_cards(state)
    if phase in _BEFORE_THE_DEAL:
        state = _before_the_deal(state)
    elif phase in ("STEAL_ROUND", "BLIND_STEAL"):
        state = _stealing(state, position)
    elif position.steal_victim or position.steal_queue:
        raise ValueError(f"steal_victim, steal_queue: nobody is waiting to steal from anybody in {phase}")
    elif phase in ("TURN_RESHUFFLE", "PICK_UP_RESHUFFLE") and (state.discards or not state.deck):
        raise ValueError(f"deck: in {phase} the discards have become the deck")
    return state, *_totals(state, position)


def _filled(given: list[Any], neutral: Any, seats: int) -> tuple[Any, ...]:
    return (*given, *(neutral,) * (seats - len(given)))


def _people(position: _Position, seats: int) -> tuple[int | None, int]:
    """The dealer, the last seat unless the lot is to decide, and whose turn it is."""
    victim = position.steal_victim if position.phase == "STEAL_ROUND" else None
    turn = position.turn if position.turn is not None else victim if victim is not None else 1
    dealer = position.dealer if position.dealer is not None else seats
    check_seats(seats, turn=turn, dealer=dealer, last_dealer=position.last_dealer, steal_victim=position.steal_victim)
    return None if position.phase == "CHOOSE_DEALER" else dealer, turn


def _turned(position: _Position) -> str | None:
    """The card turned this turn, or its suit: the top of the discards if nothing is said and it matters."""
    if position.phase == "TURN_START" or position.phase in _BEFORE_THE_DEAL:
        return None
    given = position.turned
    if given is None and position.phase in ("LAY", "STEAL", "STEAL_ROUND", "BLIND_STEAL") and position.discards:
        given = position.discards[-1]
    if given is not None and given not in ALL_SUITS and (given not in CARDS or given == JOKER):
        raise ValueError(f"turned: {given!r} is neither a suit (H, D, C, S) nor a card of one")
    card = CARDS.get(given or "")
    if position.phase == "LAY" and (given is None or given[-1] not in PLAIN_SUITS or (card and card.rank == 1)):
        raise ValueError(f"turned: in LAY it is a heart, diamond or club other than an ace, not {given}")
    return card or given


def _check_cards(state: LifeState) -> None:
    """No card more often than the decks have it, and jokers only where jokers can be."""
    decks = decks_of(state.options, state.seats)
    cards = cards_of(state)
    if twice := pack_of(cards, decks):
        raise ValueError(f"{twice} lies in more places than {decks} deck{'s' * (decks > 1)} can fill")
    jokers, most = cards.count(JOKER), decks * state.options.jokers_per_deck
    if jokers > most:
        raise ValueError(f"there are {jokers} jokers, but this table plays with {most}")
    if JOKER in (*state.discards, *(card for pile in state.rows + state.safe for card in pile)):
        raise ValueError("row, safe, discards: a joker never lies face up, it leaves the Hand")
    if set(state.removed_jokers) - {JOKER}:
        raise ValueError("removed_jokers: only jokers leave the Hand")


def _before_the_deal(state: LifeState) -> LifeState:
    """Nothing is dealt yet, so the deck is the whole pack."""
    pack = pack_for(state.options, state.seats)
    if len(cards_of(state)) > len(state.deck):
        raise ValueError(f"phase: in {state.phase} no card has been dealt yet")
    if state.deck and Counter(state.deck) != Counter(pack):
        raise ValueError(f"deck: in {state.phase} it is the whole pack of {len(pack)} cards, or left out")
    if state.phase == "DEAL" and None in state.chosen:
        raise ValueError("chosen: everybody has chosen before the cards are dealt")
    everybody = state.phase == "CHOOSE_SUITS" and None not in state.chosen
    return replace(state, deck=state.deck or pack, phase="DEAL" if everybody else state.phase)


def _stealing(state: LifeState, position: _Position) -> LifeState:
    """A steal round, or a steal for which the dealer is to draw."""
    turn, phase, queue = state.turn, position.phase, position.steal_queue
    victim = position.steal_victim or turn
    if phase == "STEAL_ROUND" and victim != turn:
        raise ValueError(f"steal_victim: the others may steal from seat {turn}, whose turn it is, not from {victim}")
    order = left_of(turn, state.seats) if victim == turn else (turn,)
    queue = queue or order
    if queue != order[-len(queue) :]:
        raise ValueError(f"steal_queue: they steal in the order {list(order)}, so {list(queue)} cannot be left")
    if phase == "BLIND_STEAL" and (state.rows[victim - 1] or not state.hands[victim - 1]):
        raise ValueError(f"steal_victim: no hand card can be drawn from seat {victim}")
    return replace(state, steal_victim=victim, steal_queue=queue)


def _totals(state: LifeState, position: _Position) -> tuple[tuple[Scores, ...], Scores]:
    options, given = state.options, position.totals
    if given and len(given) != state.seats:
        raise ValueError(f"totals: {len(given)} numbers for {state.seats} seats")
    totals = tally(options, (0,) * state.seats, tuple(given)) if given else (0,) * state.seats
    row = scores(state)
    if row is None:
        if max(totals) >= options.target:
            raise ValueError(f"totals: somebody has reached {options.target}, so the match is over")
        return (), totals
    if position.phase == "HAND_OVER":
        return (row,), tally(options, totals, row)
    if not is_last(options, state.number, totals):
        raise ValueError("phase: the match is not over, nobody has reached the target")
    return (row,), totals
