"""How a round of First Game is dealt, played and scored: §2, §4, §5, §7."""

from msgspec.structs import replace
from snug.engine.cards import PACK, with_part, without
from snug.engine.chance import Due, Outcome, Shuffle, ShuffleDue
from snug.engine.game import Event, IllegalMove, Move, Scores

from snug_first_game.options import FirstGameOptions
from snug_first_game.state import PLAYS, CardPlayed, FirstGameState, Play, taker

Step = tuple[FirstGameState, tuple[Event, ...]]


def first_dealer(options: FirstGameOptions, seats: int, host: int) -> int:
    """The host; afterwards the deal passes to the left."""
    return host


def start(
    options: FirstGameOptions, seats: int, number: int, dealer: int | None, rounds: tuple[Scores, ...] = ()
) -> FirstGameState:
    """A round before anything is dealt. `rounds` are the scores of those before."""
    dealer, nothing = dealer or 1, ((),) * seats
    return FirstGameState(options, seats, number, dealer, dealer % seats + 1, hands=nothing, taken=nothing)


def due(state: FirstGameState) -> Due | None:
    """All luck comes from here: the state asks for it, `deal` is told what came out."""
    return None if state.stock else ShuffleDue(PACK)


def deal(state: FirstGameState, outcome: Outcome) -> Step:
    """§2: a hand for everybody; the rest is the stock."""
    if not isinstance(outcome, Shuffle):
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "The cards are shuffled and nothing else.")
    each, cards = state.options.cards, outcome.cards
    hands = tuple(cards[each * seat : each * (seat + 1)] for seat in range(state.seats))
    return replace(state, hands=hands, stock=cards[each * state.seats :]), ()


def to_act(state: FirstGameState) -> tuple[int, ...]:
    """§4: one seat at a time."""
    return (state.turn,) if state.stock and not state.over else ()


def legal(state: FirstGameState, seat: int) -> tuple[Move, ...]:
    """§4: any card of the hand."""
    return tuple(PLAYS[card] for card in state.hands[seat - 1]) if seat in to_act(state) else ()


def check(state: FirstGameState, seat: int, move: Play) -> None:
    """§5, in the order of its table. It accepts exactly what `legal` lists."""
    if state.over:
        raise IllegalMove("GAME_OVER", "The round is over.")
    if seat not in to_act(state):
        raise IllegalMove("NOT_YOUR_TURN", "It is not your turn.")
    if move.card not in state.hands[seat - 1]:
        raise IllegalMove("NOT_IN_HAND", "You do not hold %(card)s.", card=move.card.label)


def play(state: FirstGameState, seat: int, move: Play) -> Step:
    """§4."""
    check(state, seat, move)
    hands = with_part(state.hands, seat, without(state.hands[seat - 1], move.card))
    trick = (*state.trick, move.card)
    if len(trick) < state.seats:
        return replace(state, hands=hands, trick=trick), (CardPlayed(seat, move.card, None),)
    winner = taker(state.leader, trick, state.seats)
    taken = with_part(state.taken, winner, (*state.taken[winner - 1], *trick))
    return replace(state, hands=hands, trick=(), taken=taken, leader=winner), (CardPlayed(seat, move.card, winner),)


def scores(state: FirstGameState) -> Scores | None:
    """§7: the tricks, once the round is over."""
    return tuple(len(cards) // state.seats for cards in state.taken) if state.over else None
