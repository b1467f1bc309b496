"""A position of Follow the Leader in the keys of a record: §5."""

from collections.abc import Mapping
from itertools import takewhile
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from snug.engine.alike import as_position, check_seats, like
from snug.engine.cards import JOKER, RANKS, Card, Pile, pack_of
from snug.engine.game import Scores, convert
from snug.games.follow_the_leader.options import FollowTheLeaderOptions
from snug.games.follow_the_leader.play import JOKERS_A_DECK
from snug.games.follow_the_leader.ranks import ALL, NONE_YET, ONE, Arc, arc_of, in_words
from snug.games.follow_the_leader.score import DealsWon, cards_left_total, scores, tally
from snug.games.follow_the_leader.state import TURN_CAP, FollowTheLeaderState, Phase, cards_of

_NONE_YET: Final = "none yet"
_ENDED: Final = ("DEAL_OVER", "MATCH_OVER")
_RANKS: Final = {text: number for number, text in enumerate(RANKS, 1)}
_Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class _Position(msgspec.Struct, forbid_unknown_fields=True):
    """§5 as a record writes it; what is left out is neutral, or follows from the rest."""

    dealer: int | None = None
    turn: int | None = None
    phase: Literal["SET_UP", "LEAD", "TURN", "DRAWN", "FREE", "DEAL_OVER", "MATCH_OVER"] | None = None
    hands: list[Pile] = []
    pile: Pile = ()
    discards: Pile = ()
    stands_for: list[str | int] | str | None = msgspec.field(default=None, name="S")
    fails: Annotated[int, Meta(ge=0)] = 0
    drawn_card: Card | None = None
    turns: Annotated[int, Meta(ge=0, le=TURN_CAP)] = 0
    deal_no: Annotated[int, Meta(ge=1)] | None = None
    wins: list[_Count] | None = None
    cards_left_total: list[_Count] | None = None


def to_position(state: FollowTheLeaderState, rounds: tuple[Scores, ...], totals: Scores) -> dict[str, Any]:
    """§5. Ranks are written as on the cards, from the lowest of them."""
    ended = state.over and state.number >= state.options.rounds
    return as_position(
        _Position,
        state,
        phase="MATCH_OVER" if ended else state.phase,
        stands_for=state.stands_for.ranks or _NONE_YET,
        deal_no=state.number,
        wins=totals,
        cards_left_total=cards_left_total(totals, rounds),
    )


def from_position(
    options: FollowTheLeaderOptions, seats: int, given: Mapping[str, Any]
) -> tuple[FollowTheLeaderState, tuple[Scores, ...], Scores]:
    """A position of §5; hands left out are empty."""
    position = convert(given, _Position)
    for key in ("hands", "wins", "cards_left_total"):
        listed = getattr(position, key)
        if listed is not None and (len(listed) > seats or (key != "hands" and len(listed) < seats)):
            raise ValueError(f"{key}: there are {len(listed)} of them for {seats} players")
    stands_for = _rank_set(options, position)
    phase = position.phase or _phase_of(options, position, stands_for)
    check_seats(seats, dealer=position.dealer, turn=position.turn)
    dealer = position.dealer or seats
    turn = position.turn or (dealer % seats + 1 if phase in ("SET_UP", "LEAD") else 1)
    state = like(
        FollowTheLeaderState,
        position,
        options=options,
        seats=seats,
        number=_number(options, position, phase),
        dealer=dealer,
        turn=turn,
        phase="DEAL_OVER" if phase == "MATCH_OVER" or position.turns == TURN_CAP else phase,
        hands=(*position.hands, *((),) * (seats - len(position.hands))),
        stands_for=stands_for,
        drawn_card=_drawn_card(position, phase, turn, stands_for.widened(options.one_below)),
    )
    _check_cards(state)
    _check_phase(state)
    return state, *_scored(state, position, included=phase in _ENDED)


def _rank_set(options: FollowTheLeaderOptions, position: _Position) -> Arc:
    """As given, or as it follows from the discards. Both must agree, except where a joker on top was free to be any
    rank, or where there are only jokers: what they were played on may have been shuffled into the pile since."""
    given, derived = _read_ranks(position.stands_for), _derived(position.discards, options.one_below)
    if given is None:
        return derived
    *beneath, top = position.discards or (JOKER,)
    unsure = top.is_joker and (given == ALL or all(card.is_joker for card in beneath))
    if given != derived and not (given.size and unsure):
        said = in_words(given.ranks) if given.size else _NONE_YET
        raise ValueError(f"S: {top.label} stands for {in_words(derived.ranks)}, not {said}")
    return given


def _derived(discards: Pile, below: bool) -> Arc:
    """§7.1: the last natural card's rank, widened by each joker on it; a joker that was led stands for anything."""
    jokers = tuple(takewhile(lambda card: card.is_joker, reversed(discards)))
    if len(jokers) == len(discards):
        return ALL if discards else NONE_YET
    arc = ONE[discards[-1 - len(jokers)].rank]
    for _ in jokers:
        arc = arc.widened(below)
    return arc


def _read_ranks(given: list[str | int] | str | None) -> Arc | None:
    if given is None:
        return None
    if isinstance(given, str):
        if given != _NONE_YET:
            raise ValueError(f'S: write ranks, as in ["8", "9"], or "{_NONE_YET}", not {given!r}')
        return NONE_YET
    if unknown := [rank for rank in given if str(rank) not in _RANKS]:
        raise ValueError(f"S: {unknown[0]!r} is not a rank: there are {', '.join(RANKS)}")
    arc = arc_of(frozenset(_RANKS[str(rank)] for rank in given))
    if arc is None:
        raise ValueError(f"S: {', '.join(map(str, given))} are not neighbouring ranks")
    return arc


def _phase_of(options: FollowTheLeaderOptions, position: _Position, stands_for: Arc) -> Phase | Literal["MATCH_OVER"]:
    """§8: before anything was led, somebody leads. A table without cards after the last deal has nothing to lead."""
    if stands_for.size:
        return "TURN"
    if position.wins and sum(position.wins) >= options.rounds and not any(position.hands):
        return "MATCH_OVER"
    return "LEAD"


def _number(options: FollowTheLeaderOptions, position: _Position, phase: str) -> int:
    """The deal's number: as given, or the one after those that were won, as far as the match goes."""
    wins, included = position.wins or [0], phase in _ENDED
    number = position.deal_no
    if number is None:
        number = max(1, options.rounds if phase == "MATCH_OVER" else sum(wins) + (not included))
        number = min(number, options.rounds)
    finished = number if included else number - 1
    if number > options.rounds or (phase == "MATCH_OVER" and number < options.rounds):
        raise ValueError(f"deal_no: {number} cannot be in phase {phase} of a match of {options.rounds}")
    if max(wins) > finished:
        raise ValueError(f"wins: nobody can have won {max(wins)} of {finished} deals")
    return number


def _drawn_card(position: _Position, phase: str, turn: int, fits: Arc) -> Card | None:
    """§7.2: the card taken in this turn. Where a position leaves it out, it is the one that fits."""
    hand = position.hands[turn - 1] if turn <= len(position.hands) else ()
    card = position.drawn_card
    if card is None and phase == "DRAWN":
        card = next(filter(fits.holds, hand), None)
        if card is None:
            raise ValueError(f"drawn_card: seat {turn} has no card that fits")
    if card is None:
        return None
    if phase not in ("DRAWN", "FREE"):
        raise ValueError(f"drawn_card: nobody has just drawn in phase {phase}")
    if card not in hand:
        raise ValueError(f"drawn_card: seat {turn} does not hold {card}")
    if phase == "DRAWN" and not fits.holds(card):
        raise ValueError(f"drawn_card: {card} does not fit")
    return card


def _check_cards(state: FollowTheLeaderState) -> None:
    decks, cards = state.options.decks, cards_of(state)
    if twice := pack_of(cards, decks):
        raise ValueError(
            f"{twice} lies in {cards.count(twice)} places: there {'is one pack' if decks == 1 else 'are two packs'}"
        )
    jokers, most = cards.count(JOKER), JOKERS_A_DECK * decks * state.options.jokers
    if jokers > most:
        raise ValueError(f"this table plays with {most or 'no'} jokers, not {jokers}")
    if state.phase == "SET_UP" and cards:
        raise ValueError("phase: in SET_UP no cards are dealt yet")


def _check_phase(state: FollowTheLeaderState) -> None:
    if state.fails > state.seats:
        raise ValueError(f"fails: after {state.seats} failures the next one throws a card, so not {state.fails}")
    led = bool(state.stands_for.size)
    if not state.over and led != (state.phase in ("TURN", "DRAWN", "FREE")):
        raise ValueError(f"phase: {state.phase} cannot be {'after' if led else 'before'} the lead")
    leader = (state.dealer or state.seats) % state.seats + 1
    if state.phase in ("SET_UP", "LEAD") and state.turn != leader:
        raise ValueError(f"turn: seat {leader} leads, to the dealer's left, not seat {state.turn}")


def _scored(state: FollowTheLeaderState, position: _Position, *, included: bool) -> tuple[tuple[Scores, ...], Scores]:
    """The rows and totals: a deal that is over has its row, others are known by sums. `included`: they count it."""
    nothing: Scores = (0,) * state.seats
    wins: Scores = nothing if position.wins is None else tuple(position.wins)
    unlisted: Scores = nothing if position.cards_left_total is None else tuple(position.cards_left_total)
    row = scores(state)
    if row is None or not any(row):
        return (), DealsWon.with_unlisted(wins, unlisted)
    if not included or position.wins is None:
        wins = tally(state.options, wins, row)
    if included and position.cards_left_total is not None:
        unlisted = tuple(total - left for total, left in zip(unlisted, row, strict=True))
        if min(unlisted) < 0:
            raise ValueError("cards_left_total: it is less than the cards left in this deal")
    return (row,), DealsWon.with_unlisted(wins, unlisted)
