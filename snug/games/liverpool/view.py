"""What a seat sees of a Liverpool table: §10."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, get_args

import msgspec

from snug.engine.cards import RANKS, Card, Pile
from snug.engine.game import InvalidMove, Move, View, convert, plain
from snug.engine.melds import POINTS, Contract, Meld
from snug.engine.wording import in_words
from snug.games.liverpool.choices import LAY_DOWN, legal
from snug.games.liverpool.meld_search import Arrangement, arrangements
from snug.games.liverpool.options import LiverpoolOptions
from snug.games.liverpool.play import to_act
from snug.games.liverpool.state import (
    HANDS,
    MAX_RESHUFFLES,
    Buy,
    Discard,
    DrawStock,
    LayDown,
    LayOff,
    LiverpoolState,
    PassBuy,
    Phase,
    StealJoker,
    TakeDiscard,
)
from snug.games.liverpool.thinking.hand_plan import HandPlan, hand_plan
from snug.words import gettext

Wish = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK"]
WISHES: Final[tuple[str, ...]] = get_args(Wish)


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Standing orders: cards of these ranks are bought, all others are left."""

    buy: tuple[Wish, ...] = ()


class LiverpoolView(View, frozen=True, kw_only=True):
    """§10: the viewer's hand and answer, and what everybody sees. `hands` are shown when the hand is over."""

    options: LiverpoolOptions
    rounds: int
    contract: Contract
    dealer: int | None
    turn: int
    phase: Phase
    over: bool
    winner: int | None
    hand: Pile
    hand_sizes: tuple[int, ...]
    hands: tuple[Pile, ...]
    melds: tuple[Meld, ...]
    down: tuple[bool, ...]
    upcard: Card | None
    discards: int
    stock_size: int
    reshuffles_left: int
    taken_card: Card | None
    went_down_this_turn: bool
    buys: tuple[int, ...]
    buy_queue: tuple[int, ...]
    turns_done: tuple[int, ...]

    # What the page shows

    @property
    def prompt(self) -> str:
        """§9: an offer is nobody's turn."""
        if self.phase == "BUY" and self.upcard:
            return gettext("You may buy the %(card)s", card=self.upcard.words)
        return gettext("Your turn")

    @property
    def task(self) -> str:
        """§9: who is asked has nothing to play."""
        return gettext("may buy") if self.phase == "BUY" else gettext("to play")

    @property
    def is_down(self) -> bool:
        """Whether the viewer has laid the contract."""
        return self.seat is not None and bool(self.down) and self.down[self.seat - 1]

    # What the viewer may do

    @property
    def may_take(self) -> bool:
        """Whether the viewer may take the discard into his hand now."""
        return any(isinstance(move, TakeDiscard) and move.play is None for move in self.legal)

    @property
    def may_buy(self) -> bool:
        """Whether the viewer is asked whether he buys."""
        return any(isinstance(move, Buy) for move in self.legal)

    @property
    def may_add(self) -> bool:
        """Whether a card of the viewer's can go to a meld now."""
        return any(isinstance(move, LayOff | StealJoker) for move in self.legal)

    @property
    def may_lay_down(self) -> bool:
        """Whether the viewer can go down now."""
        return LAY_DOWN in self.legal

    @property
    def discardable(self) -> Pile:
        """The cards that the viewer may discard now."""
        return tuple(move.card for move in self.legal if isinstance(move, Discard))

    @property
    def taking_plays(self) -> tuple[TakeDiscard, ...]:
        """The ways in which a viewer who is down may take the discard: each plays it at once."""
        return tuple(move for move in self.legal if isinstance(move, TakeDiscard) and move.play is not None)

    @property
    def neutral(self) -> Move:
        """Not buying; drawing from the stock; discarding the dearest card, but no joker if it can be helped."""
        plain: Move | None = next((move for move in self.legal if isinstance(move, PassBuy | DrawStock)), None)
        if plain or not self.discardable:
            return plain or self.complete(self.legal[0], lambda _number: 0)
        return Discard(max(self.discardable, key=lambda card: (not card.is_joker, POINTS[card])))

    # Standing orders

    @property
    def may_order(self) -> bool:
        """Whether the viewer may be asked in this hand whether he buys: then standing orders make sense."""
        if self.seat is None or self.over or not self.hand or self.is_down:
            return False
        spent = self.options.max_buys != "unlimited" and self.buys[self.seat - 1] >= self.options.max_buys
        return not spent and not (self.options.buying_from == "second_hand" and self.number == 1)

    def read_orders(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """What a seat answers, for the rest of the hand, whenever it is asked whether it buys: §8.2. It always answers
        at once, whatever is for sale, so that how quickly an answer comes tells nothing."""
        try:
            orders = convert(raw, Orders, strict=False)
        except ValueError as error:
            raise InvalidMove("BAD_MOVE", "These are no standing orders: %(why)s", why=in_words(error)) from error
        return {"buy": sorted(set(plain(orders.buy)))}

    def ordered(self, orders: Mapping[str, Any]) -> Move | None:
        """Buys or passes, once the viewer is asked."""
        if not self.may_buy or self.upcard is None:
            return None
        rank = "JK" if self.upcard.is_joker else RANKS[self.upcard.rank - 1]
        return Buy() if rank in orders["buy"] else PassBuy()

    # Help with the contract

    @property
    def keep(self) -> int:
        """How many cards must stay in the hand of a player who does not discard."""
        return int(self.options.final_discard == "required" and not self.contract.everything)

    def arrangements(self, most: int = 5) -> tuple[Arrangement, ...]:
        """The best ways in which the viewer can go down now, the fewest points left in his hand first."""
        return arrangements(self.hand, self.contract, most, self.keep) if self.may_lay_down else ()

    def hand_plan(self) -> HandPlan:
        """How near the viewer's hand is to the contract, and which cards it lacks."""
        return hand_plan(self.hand, self.contract)

    def complete(self, move: Move, below: Callable[[int], int]) -> Move:
        """Going down with one of the best arrangements."""
        if not isinstance(move, LayDown) or move.melds:
            return move
        offered = self.arrangements()
        return LayDown(offered[below(len(offered))].melds)


def view(state: LiverpoolState, seat: int | None) -> LiverpoolView:
    """§10."""
    dealt = state.phase != "DEAL"
    own = seat if dealt and seat is not None else None
    over = state.phase == "HAND_OVER"
    return LiverpoolView(
        seat=seat,
        options=state.options,
        seats=state.seats,
        to_act=to_act(state),
        legal=legal(state, seat) if seat else (),
        number=state.number,
        rounds=HANDS,
        contract=state.contract,
        dealer=state.dealer,
        turn=state.turn,
        phase=state.phase,
        over=over,
        winner=state.winner,
        hand=state.hands[own - 1] if own else (),
        hand_sizes=tuple(map(len, state.hands)),
        hands=state.hands if over else (),
        melds=state.melds,
        down=state.down,
        upcard=state.discard_pile[-1] if state.discard_pile else None,
        discards=len(state.discard_pile),
        stock_size=len(state.stock),
        reshuffles_left=MAX_RESHUFFLES - state.reshuffles,
        taken_card=state.taken_card,
        went_down_this_turn=state.went_down_this_turn,
        buys=state.buys,
        buy_queue=state.buy_queue,
        turns_done=state.turns_done,
    )
