"""How a pick-up, a turn and a deal of Irish Lives end: §7.3, §7.4, §10, §13."""

from msgspec.structs import replace

from snug.engine.cards import Pile, with_part
from snug.engine.game import Event
from snug.engine.places import places_of
from snug.games.lives.events import CardsDrawn, DealOver, PoolRecycled
from snug.games.lives.matching import fitting
from snug.games.lives.score import points, tie_break, winners_of
from snug.games.lives.state import TURN_CAP, LivesState, PickUp, Reason, Taking, others

Events = tuple[Event, ...]
Step = tuple[LivesState, Events]


def take(state: LivesState, seat: int, owed: int, reason: PickUp, events: Events = (), *, moved: bool = False) -> Step:
    """§7.3, §7.4: a seat picks up `owed` cards, or as many as there are. As soon as the pool is empty the dealer
    shuffles what lies under the top card; then it goes on with `take_on`. `moved`: some were picked up before."""
    drawn, pool = state.pool[:owed], state.pool[owed:]
    if drawn:
        hand = state.hands[seat - 1] + drawn
        state = replace(state, hands=with_part(state.hands, seat, hand), pool=pool, called=others(state.called, seat))
    if drawn or (owed and not moved and len(state.stack) <= 1):
        events += (CardsDrawn(seat, len(drawn), reason, len(state.hands[seat - 1]), len(pool), drawn),)
    if not pool and len(state.stack) > 1:
        waiting = Taking(seat, owed - len(drawn), reason)
        return replace(state, taking=waiting), (*events, PoolRecycled(len(state.stack) - 1))
    return _picked_up(state, seat, reason, events, moved or bool(drawn))


def take_on(state: LivesState, cards: Pile) -> Step:
    """The pick-up goes on from a new pool."""
    taking = state.taking
    assert taking is not None
    state = replace(state, pool=cards, stack=state.stack[-1:], taking=None)
    if taking.owed:
        return take(state, taking.seat, taking.owed, taking.reason, moved=True)
    return _picked_up(state, taking.seat, taking.reason, (), True)


def _picked_up(state: LivesState, seat: int, reason: PickUp, events: Events, moved: bool) -> Step:
    """What follows a pick-up: mostly the end of the turn. A penalty that somebody was caught for is part of none."""
    if reason == "penalty":
        return end_turn(state, events) if seat == state.turn else (state, events)
    if reason == "turn" and state.options.play_drawn_card:
        hand = state.hands[seat - 1]
        drawn = hand[-1]
        if drawn in fitting(state, hand):
            return replace(state, phase="DRAWN", drawn_card=drawn), events
    return end_turn(state, events, moved)


def end_turn(state: LivesState, events: Events, moved: bool = True) -> Step:
    """§8, §13: after the `events` the next seat's turn, unless nobody can move any more or the deal is too long."""
    idle, turns = 0 if moved else state.idle + 1, state.turns + 1
    following = state.turn % state.seats + 1
    if idle >= state.seats or turns >= TURN_CAP:
        state = replace(state, idle=idle, turns=turns, drawn_card=None)
        return end_deal(state, events, "blocked" if idle >= state.seats else "cap")
    exposed = others(state.exposed, following)
    state = replace(state, phase="PLAY", turn=following, exposed=exposed, drawn_card=None, idle=idle, turns=turns)
    return state, events


def end_deal(state: LivesState, events: Events, reason: Reason) -> Step:
    """§10: after the `events` the deal is over and every hand is shown."""
    state = replace(state, phase="DEAL_OVER", reason=reason)
    row = points(state)
    places = places_of(row, lowest_wins=True, tie_break=tie_break(state.options, row, (row,)))
    return state, (*events, DealOver(reason, winners_of(row), state.hands, row, places))
