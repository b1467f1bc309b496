"""What a seat of First Game may see, built up from what lies open and its own cards (§6), and what it imagines."""

from random import Random

from snug.engine.alike import like
from snug.engine.cards import PACK, Pile
from snug.engine.game import View

from snug_first_game.options import FirstGameOptions
from snug_first_game.play import legal, to_act
from snug_first_game.state import FirstGameState, height


class FirstGameView(View, frozen=True, kw_only=True):
    """§6. Beside it a view has `seat` (None: a watcher), `seats`, `to_act`, `legal` and `number`. What `prompt`, `task`
    and `neutral` may say is in the docstrings of `View`."""

    options: FirstGameOptions
    dealer: int
    leader: int
    hand: Pile
    hand_sizes: tuple[int, ...]
    taken: tuple[Pile, ...]
    trick: Pile
    over: bool


def in_order(cards: Pile) -> Pile:
    """Cards as one holds them."""
    return tuple(sorted(cards, key=lambda card: (height(card), card.suit)))


def view(state: FirstGameState, seat: int | None) -> FirstGameView:
    """§6."""
    return FirstGameView(
        seat=seat,
        seats=state.seats,
        to_act=to_act(state),
        legal=legal(state, seat) if seat else (),
        number=state.number,
        options=state.options,
        dealer=state.dealer,
        leader=state.leader,
        hand=in_order(state.hands[seat - 1]) if seat else (),
        hand_sizes=tuple(map(len, state.hands)),
        taken=state.taken,
        trick=state.trick,
        over=state.over,
    )


def determinize(view: FirstGameView, chance: Random) -> FirstGameState:
    """The table with the unseen cards anywhere. Its view is this one, down to the order of `legal`: so the own hand is
    kept in that order."""
    own = tuple(move.card for move in view.legal)
    seen = {*own, *view.trick, *(card for cards in view.taken for card in cards)}
    unseen = [card for card in PACK if card not in seen]
    chance.shuffle(unseen)
    hands = [own if seat == view.seat else () for seat in range(1, view.seats + 1)]
    for number, size in enumerate(view.hand_sizes):
        while len(hands[number]) < size:
            hands[number] = (*hands[number], unseen.pop())
    return like(FirstGameState, view, hands=tuple(hands), stock=tuple(unseen))
