"""A game small enough to be worked out by hand: two seats choose at once and in secret, then the lid is lifted.

Under it is a number from 0 to 9. Whoever dares scores 10 if it is 3 or more, else nothing; whoever declines scores 5.
So daring is worth 7 on the mean, to who cannot look under the lid."""

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from snug.engine.chance import Due
from snug.engine.game import Event, Game, IllegalMove, Move, Options, Scores, View
from snug.words import gettext


class ToyOptions(Options, frozen=True):
    rounds: int = 1


class Dare(Move, frozen=True, tag="dare"):
    def seen_by(self, mover: int, seat: int | None) -> Move | None:
        return self if seat == mover else None


class Decline(Move, frozen=True, tag="decline"):
    def seen_by(self, mover: int, seat: int | None) -> Move | None:
        return self if seat == mover else None


class ToyState(msgspec.Struct, frozen=True):
    options: ToyOptions
    seats: int = 2
    number: int = 1
    dealer: int | None = 1
    lid: int = 0
    chosen: tuple[Move | None, ...] = (None, None)


class ToyView(View, frozen=True, kw_only=True):
    own: Move | None


class Toy(Game[ToyState]):
    key = "toy"
    name = gettext("Toy")
    summary = gettext("Dare or decline.")
    seats = (2, 2)
    options = ToyOptions
    moves = Dare | Decline

    def start(
        self, options: Any, seats: int, number: int, dealer: int | None, rounds: tuple[Scores, ...] = (), /
    ) -> ToyState:
        return ToyState(options, number=number)

    def due(self, state: ToyState, /) -> Due | None:
        return None

    def to_act(self, state: ToyState, /) -> tuple[int, ...]:
        return tuple(seat for seat, move in enumerate(state.chosen, 1) if move is None)

    def legal(self, state: ToyState, seat: int, /) -> tuple[Move, ...]:
        return (Decline(), Dare()) if seat in self.to_act(state) else ()

    def check(self, state: ToyState, seat: int, move: Any, /) -> None:
        if seat not in self.to_act(state):
            raise IllegalMove("NOT_YOUR_TURN", "You have chosen.")

    def play(self, state: ToyState, seat: int, move: Any, /) -> tuple[ToyState, tuple[Event, ...]]:
        self.check(state, seat, move)
        chosen = tuple(move if number == seat else it for number, it in enumerate(state.chosen, 1))
        return msgspec.structs.replace(state, chosen=chosen), ()

    def deal(self, state: ToyState, outcome: Any, /) -> tuple[ToyState, tuple[Event, ...]]:
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "Nothing is dealt.")

    def view(self, state: ToyState, seat: int | None, /) -> ToyView:
        own = state.chosen[seat - 1] if seat else None
        legal = self.legal(state, seat) if seat else ()
        return ToyView(
            seat=seat, seats=2, to_act=self.to_act(state), legal=legal, options=state.options, number=1, own=own
        )

    def determinize(self, view: ToyView, chance: Random, /) -> ToyState:
        other = None if len(view.to_act) == 2 else chance.choice((Dare(), Decline()))
        chosen = (view.own, other) if view.seat == 1 else (other, view.own)
        return ToyState(view.options, lid=chance.randrange(10), chosen=chosen)

    def scores(self, state: ToyState, /) -> Scores | None:
        if self.to_act(state):
            return None
        dared = 10 if state.lid >= 3 else 0
        return tuple(dared if isinstance(move, Dare) else 5 for move in state.chosen)

    def to_position(self, state: ToyState, rounds: tuple[Scores, ...], totals: Scores, /) -> dict[str, Any]:
        return {}

    def from_position(
        self, options: Any, seats: int, given: Mapping[str, Any], /
    ) -> tuple[ToyState, tuple[Scores, ...], Scores]:
        return ToyState(options), (), ()


TOY = Toy()


def timid(_view: View, _chance: Random) -> Move:
    """A player who never dares."""
    return Decline()
