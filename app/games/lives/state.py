"""What lies on a table of Irish Lives, what a seat does there and what it sees: §2, §5, §8, §9."""

from typing import Final, Literal

import msgspec

from app.engine.cards import JOKER, PACK, RANK_NAMES, RANKS, SUIT_NAMES, Card, Pile
from app.engine.game import Move, Scores, View
from app.games.lives.options import LivesOptions, packs_of

HAND_SIZE: Final = 7
TURN_CAP: Final = 500
CALLABLE_SUITS: Final = ("C", "D", "H", "S")
WILD: Final = frozenset(card for card in (*PACK, JOKER) if card.rank <= 1)
TWOS: Final = frozenset(card for card in PACK if card.rank == 2)
POWER: Final = WILD | TWOS

Suit = Literal["C", "D", "H", "S"]
Phase = Literal["SET_UP", "CALL_SUIT", "PLAY", "DRAWN", "DEAL_OVER"]
Reason = Literal["out", "blocked", "cap"]
PickUp = Literal["turn", "two", "penalty"]


class Play(Move, frozen=True, tag="play", omit_defaults=True):
    """Put a card on the stack: an ace or joker with the suit it calls; `last_card` says "last card" with it."""

    card: Card
    suit: Suit | None = None
    last_card: bool = False


class Draw(Move, frozen=True, tag="draw"):
    """Pick up: one card, or the penalty for the twos that are not answered."""


class Keep(Move, frozen=True, tag="keep"):
    """Keep the card just picked up although it fits."""


class CallSuit(Move, frozen=True, tag="call_suit"):
    """Name the suit for an ace or joker turned up at the start."""

    suit: Suit


class Catch(Move, frozen=True, tag="catch"):
    """Point out that seat `target` has one card left and has not said so."""

    target: int


LivesMove = Play | Draw | Keep | CallSuit | Catch
DRAW: Final = Draw()
KEEP: Final = Keep()
CALLS: Final = (CallSuit("C"), CallSuit("D"), CallSuit("H"), CallSuit("S"))


class Taking(msgspec.Struct, frozen=True):
    """A pick-up that waits for the stack to be shuffled into a new pool: `owed` more cards go to the seat."""

    seat: int
    owed: int
    reason: PickUp


class LivesState(msgspec.Struct, frozen=True):
    """§5. `hands[seat - 1]` is a seat's hand; the pool is drawn from the front, the stack is built upwards. Before the
    deal (SET_UP) the pool is what the dealer must shuffle."""

    options: LivesOptions
    seats: int
    number: int
    dealer: int | None
    turn: int
    phase: Phase = "SET_UP"
    hands: tuple[Pile, ...] = ()
    pool: Pile = ()
    stack: Pile = ()
    suit_in_play: str | None = None
    pending: int = 0
    called: tuple[int, ...] = ()
    exposed: tuple[int, ...] = ()
    drawn_card: Card | None = None
    idle: int = 0
    turns: int = 0
    taking: Taking | None = None
    reason: Reason | None = None


class LivesView(View, frozen=True, kw_only=True):
    """§9: what lies open, everybody's number of cards, and the viewer's own hand; every hand once the deal is over."""

    number: int
    options: LivesOptions
    packs: int
    dealer: int | None
    turn: int
    phase: Phase
    hand: Pile
    hand_sizes: tuple[int, ...]
    top: Card | None
    under_top: int
    pool_size: int
    suit_in_play: str | None
    pending: int
    called: tuple[int, ...]
    exposed: tuple[int, ...]
    drawn_card: Card | None
    idle: int
    turns: int
    reason: Reason | None
    winners: tuple[int, ...]
    hands: tuple[Pile, ...]
    points: Scores

    def plays_of(self, card: Card) -> tuple[Play, ...]:
        """The viewer's legal plays of a card: with each suit, and with and without saying "last card"."""
        return tuple(move for move in self.legal if isinstance(move, Play) and move.card == card)

    def suits_for(self, card: Card) -> tuple[str, ...]:
        """The suits that the viewer may call with this ace or joker now."""
        return tuple(dict.fromkeys(move.suit for move in self.plays_of(card) if move.suit))

    def makes_last_card(self, card: Card) -> bool:
        """Whether playing this card now would leave the viewer one card to say "last card" for."""
        return any(move.last_card for move in self.plays_of(card))

    @property
    def at_once(self) -> tuple[Card, ...]:
        """The viewer's playable cards that keep their own suit."""
        return tuple(card for card in self._playable if card not in WILD)

    @property
    def wild(self) -> tuple[Card, ...]:
        """The viewer's playable aces and jokers: each is played with a suit."""
        return tuple(card for card in self._playable if card in WILD)

    @property
    def call_is_due(self) -> bool:
        """Whether the viewer's play of this turn is one to say "last card" with, at a table that does not say it."""
        return self.options.last_card_notice != "auto" and any(map(self.makes_last_card, self._playable))

    @property
    def _playable(self) -> tuple[Card, ...]:
        return tuple(dict.fromkeys(move.card for move in self.legal if isinstance(move, Play)))

    @property
    def is_stuck_on_power(self) -> bool:
        """Whether the viewer's only card is a power card, with which nobody goes out."""
        return len(self.hand) == 1 and self.hand[0] in POWER

    @property
    def may_draw(self) -> bool:
        """Whether the viewer may pick up now."""
        return DRAW in self.legal

    @property
    def may_keep(self) -> bool:
        """Whether the viewer may keep the card just picked up."""
        return KEEP in self.legal

    @property
    def calls(self) -> tuple[CallSuit, ...]:
        """The suits the viewer may name for the starter."""
        return tuple(move for move in self.legal if isinstance(move, CallSuit))

    @property
    def catches(self) -> tuple[Catch, ...]:
        """The forgotten calls that the viewer may point out."""
        return tuple(move for move in self.legal if isinstance(move, Catch))

    @property
    def neutral(self) -> Move:
        """Keeping or picking up; a suit that the hand holds; where a card must be played, no power card if it can be
        helped, and never without the call that is due."""
        if self.may_keep or self.may_draw:
            return KEEP if self.may_keep else DRAW
        if self.calls:
            return max(self.calls, key=lambda call: sum(card.suit == call.suit for card in self.hand))
        plays = [move for move in self.legal if isinstance(move, Play)]
        return max(plays, key=lambda play: (play.card not in POWER, play.last_card))

    @property
    def to_pick_up(self) -> int:
        """How many cards a pick-up is now."""
        return 2 * self.pending or 1

    @property
    def is_nothing_left(self) -> bool:
        """Whether there is nothing to pick up any more."""
        return not (self.pool_size or self.under_top)

    @property
    def suit_words(self) -> str:
        """The suit in play, as one says it; empty while somebody is to name it."""
        return "" if self.phase == "CALL_SUIT" else SUIT_NAMES.get(self.suit_in_play or "", "")

    @property
    def fits_words(self) -> str:
        """What goes on the top card, as one says it: "hearts or a seven"."""
        if self.pending:
            return "another two"
        if self.top is None or self.top.is_joker:
            return self.suit_words
        rank = RANK_NAMES[RANKS[self.top.rank - 1]]
        return f"{self.suit_words} or {'an' if rank in ('ace', 'eight') else 'a'} {rank}"

    @property
    def next_turn(self) -> int:
        """Whose turn follows this one: play goes to the left."""
        return ((self.dealer or 0) if self.phase == "CALL_SUIT" else self.turn) % self.seats + 1

    @property
    def rounds(self) -> int:
        """How many deals make the match."""
        return self.options.rounds

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seat to play or call: who could catch a forgotten call keeps nobody waiting."""
        return (self.turn,) if self.to_act else ()

    @property
    def over(self) -> bool:
        """Whether the deal is over."""
        return self.phase == "DEAL_OVER"


def whole_pack(options: LivesOptions, seats: int) -> Pile:
    """§3: every card of a deal, not shuffled."""
    return (PACK + (JOKER,) * options.jokers_per_pack) * packs_of(options, seats)


def cards_of(state: LivesState) -> Pile:
    """Every card of the deal, wherever it lies."""
    return tuple(card for pile in (*state.hands, state.pool, state.stack) for card in pile)
