"""How Lucky Paw is dealt and played: §6, §7."""

from operator import add
from typing import Final

from msgspec.structs import replace

from snug.engine.cards import JOKER, PACK, Card, Pile, with_part
from snug.engine.chance import Due, Outcome, Shuffle, ShuffleDue
from snug.engine.game import Event, IllegalMove, Move, Scores
from snug.games.lucky_paw.options import LuckyPawOptions
from snug.games.lucky_paw.state import (
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
from snug.games.lucky_paw.view import LuckyPawView
from snug.words import gettext

Step = tuple[LuckyPawState, tuple[Event, ...]]
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


def deal(state: LuckyPawState, outcome: Outcome) -> Step:
    """§6: four open cards, then the first set."""
    if not isinstance(outcome, Shuffle):
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "A round of Lucky Paw begins with a shuffle.")
    cards = outcome.cards
    opened = cards[:OPEN_STACKS]
    state = replace(state, dealt=True, open=tuple((card,) for card in opened), stock=cards[OPEN_STACKS:])
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
    state = replace(
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
    return (*map(add, piles, zip(share)), *piles[len(share) :])


def to_act(state: LuckyPawState) -> tuple[int, ...]:
    """One seat at a time."""
    return (state.turn,) if state.dealt and not state.over else ()


def plays_of(state: LuckyPawState, seat: int) -> list[Play]:
    """§7.1: what a seat may play, stack by stack."""
    one, two, three, four = state.open
    first = one[-1] if one else None
    second = two[-1] if two else None
    third = three[-1] if three else None
    fourth = four[-1] if four else None
    plays: list[Play] = []
    for stack, pile in enumerate(state.stacks[seat - 1]):
        if pile:
            fits = FITS[pile[-1]]
            on_first, on_second, on_third, on_fourth = PLAYS[stack]
            if first in fits:
                plays.append(on_first)
            if second in fits:
                plays.append(on_second)
            if third in fits:
                plays.append(on_third)
            if fourth in fits:
                plays.append(on_fourth)
    return plays


def legal(state: LuckyPawState, seat: int) -> tuple[Move, ...]:
    """§7.2."""
    if seat != state.turn or not state.dealt or state.over:
        return ()
    plays = plays_of(state, seat)
    return tuple(plays) if plays and state.options.must_play else (*plays, PASS)


def automatic(state: LuckyPawState) -> tuple[int, Move] | None:
    """§4 `auto_pass`: the pass of a seat that can do nothing else."""
    if state.options.auto_pass and to_act(state) and not plays_of(state, state.turn):
        return state.turn, PASS
    return None


def check(state: LuckyPawState, seat: int, move: LuckyPawMove) -> None:
    """§7.2, §8."""
    if state.over or not state.dealt:
        raise IllegalMove("GAME_OVER", "The round is over.")
    if seat != state.turn:
        raise IllegalMove("NOT_YOUR_TURN", "It is not your turn.")
    if type(move) is Play:
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


def play(state: LuckyPawState, seat: int, move: LuckyPawMove) -> Step:
    """§7.2, §7.3."""
    check(state, seat, move)
    return _play_card(state, seat, move) if type(move) is Play else _pass(state, seat)


def _play_card(state: LuckyPawState, seat: int, move: Play) -> Step:
    piles = state.stacks[seat - 1]
    pile, target = piles[move.stack - 1], state.open[move.open - 1]
    card, beneath = pile[-1], pile[:-1]
    stacks = with_part(state.stacks, seat, with_part(piles, move.stack, beneath))
    played = CardPlayed(seat, card, move.stack, move.open, target[-1], beneath[-1] if beneath else None)
    state = replace(
        state,
        turn=seat % state.seats + 1,
        streak=0,
        stacks=stacks,
        open=with_part(state.open, move.open, (*target, card)),
    )
    return (state, (played,)) if beneath or any(map(any, stacks)) else _next_set(state, played)


def _pass(state: LuckyPawState, seat: int) -> Step:
    streak = state.streak + 1
    passed = Passed(seat, not plays_of(state, seat), streak)
    state = replace(state, turn=seat % state.seats + 1, streak=streak)
    return (state, (passed,)) if streak < state.seats else _next_set(state, passed)


def _next_set(state: LuckyPawState, event: Event) -> Step:
    """§7.3: what comes of a play or pass after which nobody can go on."""
    if len(state.stock) < state.seats:
        return replace(state, over=True), (event,)
    state, dealt = _deal_set(state)
    return state, (event, dealt)


def view(state: LuckyPawState, seat: int | None) -> LuckyPawView:
    """§9: seats and watchers see the same table; only the seat to act is told its moves."""
    return LuckyPawView(
        seat=seat,
        options=state.options,
        seats=state.seats,
        to_act=to_act(state),
        legal=legal(state, seat) if seat else (),
        number=state.number,
        rounds=state.options.rounds,
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
