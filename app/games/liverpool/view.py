"""What a seat sees of a Liverpool table: §10."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from app.engine.cards import Card, Pile
from app.engine.game import Move, View
from app.engine.melds import POINTS, Contract, End, Meld, RunMeld, points_of
from app.games.liverpool.choices import LAY_DOWN, legal
from app.games.liverpool.hand_plan import HandPlan, hand_plan
from app.games.liverpool.meld_drafts import Draft, draft
from app.games.liverpool.meld_search import Arrangement, arrangements, leanest
from app.games.liverpool.play import to_act
from app.games.liverpool.standing_orders import move_by, read_orders
from app.games.liverpool.state import (
    CONTRACTS,
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
    Place,
    StealJoker,
    TakeDiscard,
)


class WinnableJoker(msgspec.Struct, frozen=True):
    """A joker that the viewer can win: with which card, from which meld and slot, and where it may go. `taken`: the
    card is the discard, which is taken for it."""

    card: Card
    meld: int
    slot: int | None
    taken: bool
    places: tuple[Place, ...]


class Laying(msgspec.Struct, frozen=True):
    """A card that the viewer can add to a meld; `taken`: it is the discard, which is taken for it."""

    card: Card
    meld: int
    end: End | None
    taken: bool


class Slot(msgspec.Struct, frozen=True):
    """A card of a meld; a joker of a run stands for another, and a live one can be won."""

    number: int
    card: Card
    stands_for: Card | None
    is_live: bool


class LiverpoolView(View, frozen=True, kw_only=True):
    """§10: the viewer's hand and answer, and what everybody sees. `hands` are shown when the hand is over."""

    number: int
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
    max_buys: Literal["unlimited"] | int
    buying_from: str
    buy_queue: tuple[int, ...]
    buy_answer: bool | None
    layoff_same_turn: bool
    final_discard: str
    turns_done: tuple[int, ...]

    # What the page shows

    @property
    def prompt(self) -> str:
        """§9: an offer is nobody's turn."""
        return "You may buy" if self.phase == "BUY" else "Your turn"

    @property
    def points(self) -> int:
        """What the viewer's cards would cost now."""
        return points_of(self.hand)

    @property
    def is_down(self) -> bool:
        """Whether the viewer has laid the contract."""
        return self.seat is not None and bool(self.down) and self.down[self.seat - 1]

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """Those of all seven hands."""
        return CONTRACTS

    def points_of(self, seat: int) -> int:
        """What was left in a hand, once all hands are shown."""
        return points_of(self.hands[seat - 1])

    def in_suits(self, cards: Pile) -> Pile:
        """Cards in suits, low to high, jokers last."""
        return tuple(sorted(cards, key=lambda card: (card.is_joker, "SHCD".find(card.suit), card.rank)))

    def in_ranks(self, cards: Pile) -> Pile:
        """Cards in ranks, low to high, jokers last."""
        return tuple(sorted(cards, key=lambda card: (card.is_joker, card.rank, "SHCD".find(card.suit))))

    @property
    def hand_by_suit(self) -> Pile:
        """The hand in suits, low to high, jokers last."""
        return self.in_suits(self.hand)

    @property
    def hand_by_rank(self) -> Pile:
        """The hand in ranks, low to high, jokers last."""
        return self.in_ranks(self.hand)

    def melds_of(self, seat: int) -> tuple[Meld, ...]:
        """What a seat has laid down."""
        return tuple(meld for meld in self.melds if meld.owner == seat)

    def slots_of(self, meld: Meld) -> tuple[Slot, ...]:
        """A meld's cards and what its jokers are."""
        if isinstance(meld, RunMeld):
            return tuple(
                Slot(number, card, meld.held_place(number), card.is_joker) for number, card in enumerate(meld.cards, 1)
            )
        live = next((n for n, card in enumerate(meld.cards, 1) if card.is_joker), 0) if meld.live_joker else 0
        return tuple(Slot(number, card, None, number == live) for number, card in enumerate(meld.cards, 1))

    # What the viewer may do

    @property
    def may_draw(self) -> bool:
        """Whether the viewer may draw from the stock now."""
        return any(isinstance(move, DrawStock) for move in self.legal)

    @property
    def may_take(self) -> bool:
        """Whether the viewer may take the discard into his hand now."""
        return any(isinstance(move, TakeDiscard) and move.play is None for move in self.legal)

    @property
    def may_buy(self) -> bool:
        """Whether the viewer is asked whether he buys."""
        return any(isinstance(move, Buy) for move in self.legal)

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

    def _plays(self) -> list[tuple[LayOff | StealJoker, bool]]:
        """Everything that the viewer can do with a card and a meld; and whether the card is the discard."""
        mine = [(move, False) for move in self.legal if isinstance(move, LayOff | StealJoker)]
        return mine + [(move.play, True) for move in self.taking_plays if move.play]

    @property
    def layings(self) -> tuple[Laying, ...]:
        """The cards that the viewer may add to melds, from his hand or from the discard pile."""
        return tuple(
            Laying(play.card, play.meld, play.end, taken) for play, taken in self._plays() if isinstance(play, LayOff)
        )

    @property
    def winnable_jokers(self) -> tuple[WinnableJoker, ...]:
        """The jokers that the viewer may win, each with the places where it may go."""
        places: dict[tuple[Card, int, int | None, bool], list[Place]] = {}
        for play, taken in self._plays():
            if isinstance(play, StealJoker):
                places.setdefault((play.card, play.meld, play.slot, taken), []).append(play.to)
        return tuple(WinnableJoker(*joker, tuple(to)) for joker, to in places.items())

    # Standing orders

    @property
    def may_order(self) -> bool:
        """Whether the viewer may be asked in this hand whether he buys: then standing orders make sense."""
        if self.seat is None or self.over or not self.hand or self.is_down:
            return False
        spent = self.max_buys != "unlimited" and self.buys[self.seat - 1] >= self.max_buys
        return not spent and not (self.buying_from == "second_hand" and self.number == 1)

    def read_orders(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """The cards to buy as a form sends them."""
        return read_orders(raw)

    def ordered(self, orders: Mapping[str, Any]) -> Move | None:
        """Buys or passes, once the viewer is asked."""
        return move_by(orders, self.upcard) if self.may_buy and self.upcard else None

    # Help with the contract

    @property
    def keep(self) -> int:
        """How many cards must stay in the hand of a player who does not discard."""
        return int(self.final_discard == "required" and not self.contract.everything)

    def arrangements(self, most: int = 5) -> tuple[Arrangement, ...]:
        """The best ways in which the viewer can go down now, the fewest points left in his hand first."""
        return arrangements(self.hand, self.contract, most, self.keep) if self.may_lay_down else ()

    def leanest(self) -> Arrangement | None:
        """The way to go down now that lays the fewest points."""
        return leanest(self.hand, self.contract, self.keep) if self.may_lay_down else None

    def draft(self, aside: str, selected: Sequence[str]) -> Draft:
        """The melds that the viewer is putting together, and what the selected cards are or lack."""
        return draft(self.number, self.hand, self.contract, self.keep, aside, selected)

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
    at = state.buy_queue.index(own) if own in state.buy_queue else None
    over = state.phase == "HAND_OVER"
    return LiverpoolView(
        seat=seat,
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
        max_buys=state.options.max_buys,
        buying_from=state.options.buying_from,
        buy_queue=state.buy_queue,
        buy_answer=None if at is None else state.buy_answers[at],
        layoff_same_turn=state.options.layoff_same_turn,
        final_discard=state.options.final_discard,
        turns_done=state.turns_done,
    )
