"""How Lucky Paw is dealt and played: §6, §7."""

from typing import Final

import msgspec

from app.engine.cards import JOKER, PACK, Card, Pile, with_part
from app.engine.chance import Due, Outcome, Shuffle, ShuffleDue
from app.engine.game import Event, IllegalMove, Move, Scores
from app.games.lucky_paw.options import LuckyPawOptions
from app.games.lucky_paw.state import (
    OPEN_STACKS,
    PASS,
    PLAYS,
    STACKS,
    CardPlayed,
    LuckyPawMove,
    LuckyPawState,
    Passed,
    Play,
    RoundStarted,
    SetDealt,
)
from app.games.lucky_paw.view import LuckyPawView
from app.words import gettext

_RANKS: Final = 13


def _fits(card: Card, top: Card) -> bool:
    """§7.1: ranks stand in a circle, a joker fits everything and everything fits it."""
    return card.is_joker or top.is_joker or (card.rank - top.rank) % _RANKS in (1, _RANKS - 1)


FITS: Final = {card: frozenset(top for top in (*PACK, JOKER) if _fits(card, top)) for card in (*PACK, JOKER)}


def first_dealer(options: LuckyPawOptions, seats: int, host: int) -> int:
    """The seat to the right of the starting player."""
    return (options.starting_player - 2) % seats + 1


def start(
    options: LuckyPawOptions, seats: int, number: int, dealer: int | None, rounds: tuple[Scores, ...] = ()
) -> LuckyPawState:
    """§6: the starter sits to the dealer's left."""
    starter = (dealer or seats) % seats + 1
    return LuckyPawState(options, seats, number, starter, starter, stacks=(((),) * STACKS,) * seats)


def due(state: LuckyPawState) -> Due | None:
    """The shuffle of a new round; §3: jokers replace random cards."""
    return None if state.dealt else ShuffleDue(PACK, state.options.jokers)


def deal(state: LuckyPawState, outcome: Outcome) -> tuple[LuckyPawState, tuple[Event, ...]]:
    """§6: four open cards, then the first set."""
    if not isinstance(outcome, Shuffle):
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "A round of Lucky Paw begins with a shuffle.")
    cards = outcome.cards
    opened = cards[:OPEN_STACKS]
    state = msgspec.structs.replace(
        state, dealt=True, open=tuple((card,) for card in opened), stock=cards[OPEN_STACKS:]
    )
    state, dealt = _deal_set(state)
    return state, (RoundStarted(state.number, state.starter, opened), dealt)


def _deal_set(state: LuckyPawState) -> tuple[LuckyPawState, SetDealt]:
    """§3, §7.3: up to three cards each, stack by stack, beginning with the starter; the unshareable rest goes aside."""
    seats, stock = state.seats, state.stock
    each = min(STACKS, len(stock) // seats)
    dealt = each * seats
    shares = tuple(stock[(seat - state.starter) % seats : dealt : seats] for seat in range(1, seats + 1))
    rest = stock[dealt:]
    last = len(rest) < seats
    state = msgspec.structs.replace(
        state,
        stacks=tuple(map(_with_share, state.stacks, shares)),
        stock=() if last else rest,
        aside=state.aside + rest if last else state.aside,
        streak=0,
        sets_dealt=state.sets_dealt + 1,
    )
    return state, SetDealt(each, shares)


def _with_share(piles: tuple[Pile, ...], share: Pile) -> tuple[Pile, ...]:
    """A seat's stacks with a card more on the first of them."""
    grown = [(*pile, card) for pile, card in zip(piles, share, strict=False)]
    return (*grown, *piles[len(share) :])


def to_act(state: LuckyPawState) -> tuple[int, ...]:
    """One seat at a time."""
    return (state.turn,) if state.dealt and not state.over else ()


def plays_of(state: LuckyPawState, seat: int) -> list[Play]:
    """§7.1: what a seat may play, stack by stack."""
    tops = [pile[-1] if pile else None for pile in state.open]
    plays: list[Play] = []
    for stack, pile in enumerate(state.stacks[seat - 1], 1):
        if pile and not (fits := FITS[pile[-1]]).isdisjoint(tops):
            for number, top in enumerate(tops, 1):
                if top in fits:
                    plays.append(PLAYS[stack, number])
    return plays


def can_play(state: LuckyPawState, seat: int) -> bool:
    """Whether there is anything that a seat may play."""
    tops = [pile[-1] if pile else None for pile in state.open]
    for pile in state.stacks[seat - 1]:
        if pile:
            fits = FITS[pile[-1]]
            if not fits.isdisjoint(tops):
                return True
    return False


def legal(state: LuckyPawState, seat: int) -> tuple[Move, ...]:
    """§7.2."""
    if seat not in to_act(state):
        return ()
    plays = plays_of(state, seat)
    return tuple(plays) if plays and state.options.must_play else (*plays, PASS)


def automatic(state: LuckyPawState) -> tuple[int, Move] | None:
    """§4 `auto_pass`: the pass of a seat that can do nothing else."""
    if state.options.auto_pass and to_act(state) and not can_play(state, state.turn):
        return state.turn, PASS
    return None


def check(state: LuckyPawState, seat: int, move: LuckyPawMove) -> None:
    """§7.2, §8."""
    if not to_act(state):
        raise IllegalMove("GAME_OVER", "The round is over.")
    if seat != state.turn:
        raise IllegalMove("NOT_YOUR_TURN", "It is not your turn.")
    if isinstance(move, Play):
        _check_play(state, seat, move)
    elif state.options.must_play and (plays := plays_of(state, seat)):
        first = plays[0]
        card, top = state.stacks[seat - 1][first.stack - 1][-1], state.open[first.open - 1][-1]
        raise IllegalMove(
            "MUST_PLAY",
            "This table plays Must Play: you can still play %(card)s on %(top)s, so no passing.",
            card=card.label,
            top=top.label,
        )


def _check_play(state: LuckyPawState, seat: int, move: Play) -> None:
    if not 1 <= move.stack <= STACKS:
        raise IllegalMove(
            "BAD_STACK",
            "You have stacks 1 to %(stacks)s; there is no stack %(stack)s.",
            stacks=STACKS,
            stack=move.stack,
        )
    if not 1 <= move.open <= OPEN_STACKS:
        raise IllegalMove(
            "BAD_OPEN",
            "There are open stacks 1 to %(open_stacks)s; there is no %(open)s.",
            open_stacks=OPEN_STACKS,
            open=move.open,
        )
    pile, target = state.stacks[seat - 1][move.stack - 1], state.open[move.open - 1]
    if not pile:
        raise IllegalMove("EMPTY_STACK", "Your stack %(stack)s is empty.", stack=move.stack)
    if not target or target[-1] not in FITS[pile[-1]]:
        top = target[-1].label if target else gettext("an empty stack")
        raise IllegalMove(
            "NOT_ADJACENT",
            "%(card)s does not go on %(top)s: only the next rank up or down does, or a joker.",
            card=pile[-1].label,
            top=top,
        )


def play(state: LuckyPawState, seat: int, move: LuckyPawMove) -> tuple[LuckyPawState, tuple[Event, ...]]:
    """§7.2, §7.3."""
    check(state, seat, move)
    left = seat % state.seats + 1
    if isinstance(move, Play):
        state, event = _play_card(state, seat, move, left)
        everyone_done = not any(map(any, state.stacks))
    else:
        forced = not can_play(state, seat)
        state = msgspec.structs.replace(state, turn=left, streak=state.streak + 1)
        event = Passed(seat, forced, state.streak)
        everyone_done = state.streak >= state.seats
    if not everyone_done:
        return state, (event,)
    if len(state.stock) < state.seats:
        return msgspec.structs.replace(state, over=True), (event,)
    state, dealt = _deal_set(state)
    return state, (event, dealt)


def _play_card(state: LuckyPawState, seat: int, move: Play, left: int) -> tuple[LuckyPawState, Event]:
    piles = state.stacks[seat - 1]
    pile, target = piles[move.stack - 1], state.open[move.open - 1]
    card, beneath = pile[-1], pile[:-1]
    own = with_part(piles, move.stack, beneath)
    event = CardPlayed(seat, card, move.stack, move.open, target[-1], beneath[-1] if beneath else None)
    state = msgspec.structs.replace(
        state,
        turn=left,
        streak=0,
        stacks=with_part(state.stacks, seat, own),
        open=with_part(state.open, move.open, (*target, card)),
    )
    return state, event


def view(state: LuckyPawState, seat: int | None) -> LuckyPawView:
    """§9: seats and watchers see the same table; only the seat to act is told its moves."""
    return LuckyPawView(
        seat=seat,
        seats=state.seats,
        to_act=to_act(state),
        legal=legal(state, seat) if seat else (),
        number=state.number,
        rounds=state.options.rounds,
        must_play=state.options.must_play,
        teams=state.options.teams,
        starter=state.starter,
        turn=state.turn,
        over=state.over,
        open=state.open,
        stacks=state.stacks,
        stock_size=len(state.stock),
        aside_size=len(state.aside),
        streak=state.streak,
        sets_dealt=state.sets_dealt,
    )
