"""What a seat at a table of Hearts sees: §9."""

from collections.abc import Callable
from typing import Final

from snug.engine.cards import Pile
from snug.engine.game import Move, Scores, View
from snug.words import gettext

from snug_hearts.options import HeartsOptions
from snug_hearts.play import legal, to_act
from snug_hearts.score import points, shooter, taken
from snug_hearts.state import PASSED, HeartsState, PassCards, Phase, Play, hearts_broken, steps_to_receiver
from snug_hearts.tricks import Trick, height

_IN_HAND: Final = "CDSH"  # red and black take turns


class HeartsView(View, frozen=True, kw_only=True):
    """§9: every card played, everybody's number of cards, and the viewer's own hand, from the lowest club up. `steps`
    says how many seats to the left cards are passed in this deal; `passed` and `received` are the viewer's own."""

    options: HeartsOptions
    dealer: int
    phase: Phase
    turn: int | None
    steps: int
    hand: Pile
    hand_sizes: tuple[int, ...]
    have_passed: tuple[int, ...]
    passed: Pile
    received: Pile
    trick: Trick | None
    tricks: tuple[Trick, ...]
    hearts_broken: bool
    taken: tuple[Pile, ...]
    points: Scores
    shooter: int | None

    @property
    def over(self) -> bool:
        """Whether the deal is over."""
        return self.phase == "DEAL_OVER"

    @property
    def receiver(self) -> int | None:
        """Who gets the cards that the viewer passes."""
        return (self.seat + self.steps - 1) % self.seats + 1 if self.seat and self.steps else None

    @property
    def giver(self) -> int | None:
        """Whose cards the viewer gets."""
        return (self.seat - self.steps - 1) % self.seats + 1 if self.seat and self.steps else None

    @property
    def playable(self) -> Pile:
        """The cards that the viewer may play now."""
        return tuple(move.card for move in self.legal if isinstance(move, Play))

    @property
    def may_pass(self) -> bool:
        """Whether the viewer has cards to pass now."""
        return any(isinstance(move, PassCards) for move in self.legal)

    @property
    def prompt(self) -> str:
        """What a viewer who is awaited reads first."""
        if self.may_pass:
            return gettext("Choose three cards to pass")
        return gettext("Your turn") if self.trick and self.trick.cards else gettext("You lead")

    @property
    def neutral(self) -> Move:
        """The lowest card that may be played, the lowest three to pass."""
        if self.may_pass:
            return PassCards(tuple(sorted(self.hand, key=height)[:PASSED]))
        return Play(min(self.playable, key=height))

    def complete(self, move: Move, below: Callable[[int], int]) -> Move:
        """A pass gets any three cards of the hand, with even chances."""
        if not isinstance(move, PassCards) or move.cards:
            return move
        left = list(self.hand)
        return PassCards(tuple(left.pop(below(len(left))) for _ in range(PASSED)))


def in_order(cards: Pile) -> Pile:
    """Cards as one holds them: suit by suit, the lowest first."""
    return tuple(sorted(cards, key=lambda card: (_IN_HAND.index(card.suit), height(card))))


def _received(state: HeartsState, seat: int, steps: int) -> Pile:
    return state.passed[(seat - steps - 1) % state.seats] if steps and state.phase != "PASS" else ()


def view(state: HeartsState, seat: int | None) -> HeartsView:
    """§9."""
    steps = steps_to_receiver(state.options, state.seats, state.number)
    piles = taken(state)
    return HeartsView(
        seat=seat,
        seats=state.seats,
        to_act=to_act(state),
        legal=legal(state, seat) if seat else (),
        number=state.number,
        options=state.options,
        dealer=state.dealer,
        phase=state.phase,
        turn=state.turn,
        steps=steps,
        hand=in_order(state.hands[seat - 1]) if seat else (),
        hand_sizes=tuple(map(len, state.hands)),
        have_passed=tuple(number for number, cards in enumerate(state.passed, 1) if cards),
        passed=in_order(state.passed[seat - 1]) if seat else (),
        received=in_order(_received(state, seat, steps)) if seat else (),
        trick=state.trick,
        tricks=state.tricks,
        hearts_broken=hearts_broken(state),
        taken=piles,
        points=points(state.options, piles),
        shooter=shooter(piles),
    )
