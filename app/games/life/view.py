"""What a seat sees of a Life table, and what a page wants to know of it: §9."""

from collections.abc import Callable
from typing import Final

import msgspec

from app.engine.cards import SUITS, Pile
from app.engine.game import Move, Scores, View
from app.games.life.events import Fortune
from app.games.life.score import points_of, worth
from app.games.life.state import DECLINE_STEAL, LAY, PLAY_JOKER, SAFE_FROM, TURN_CARD, ChooseSuit, Lay, Steal

_IN_HAND_ORDER: Final = {suit: place for place, suit in enumerate((*SUITS, ""))}


class SuitWorth(msgspec.Struct, frozen=True):
    """The cards of one suit in front of a seat: their pips, and the points they count for that seat."""

    suit: str
    pips: int
    points: float

    @property
    def factor(self) -> float:
        """How often the pips count: 2 for one's own suit, less than nothing for spades."""
        return self.points / self.pips


class LifeView(View, frozen=True, kw_only=True):
    """§9. `suits` are all known once everybody has chosen, before that only one's own; `hands` are shown when the Hand
    is over; `points` are what the cards in front are worth now, `fortunes` only where and when they are told."""

    number: int
    target: int
    choose_spades: bool
    reshuffles: bool
    dealer: int | None
    last_dealer: int | None
    turn: int
    phase: str
    suits: tuple[str | None, ...]
    has_chosen: tuple[bool, ...]
    hand: Pile
    hand_sizes: tuple[int, ...]
    rows: tuple[Pile, ...]
    safe: tuple[Pile, ...]
    deck_size: int
    discards: Pile
    removed_jokers: int
    turned: str | None
    steal_victim: int | None
    steal_queue: tuple[int, ...]
    turns: int
    points: Scores
    over: bool
    reason: str
    hands: tuple[Pile, ...]
    fortunes: tuple[Fortune, ...]

    @property
    def turned_suit(self) -> str | None:
        """The suit of the card turned this turn."""
        return self.turned[-1] if self.turned else None

    @property
    def may_lay(self) -> bool:
        """Whether the viewer is to lay cards, perhaps none, now."""
        return LAY in self.legal

    @property
    def playable(self) -> Pile:
        """The viewer's cards that may be laid now."""
        return tuple(card for card in self.hand if card.suit == self.turned_suit) if self.may_lay else ()

    @property
    def may_turn(self) -> bool:
        """Whether the viewer may turn up a card."""
        return TURN_CARD in self.legal

    @property
    def may_play_joker(self) -> bool:
        """Whether the viewer may play a joker."""
        return PLAY_JOKER in self.legal

    @property
    def may_decline(self) -> bool:
        """Whether the viewer may steal, and so may also let it be."""
        return DECLINE_STEAL in self.legal

    @property
    def neutral(self) -> Move:
        """Turning a card up, laying nothing, stealing nothing; a plain suit where one has to be chosen."""
        if self.may_lay:
            return Lay(())
        return DECLINE_STEAL if self.may_decline else self.legal[0]

    @property
    def choices(self) -> tuple[str, ...]:
        """The suits that the viewer may choose now."""
        return tuple(move.suit for move in self.legal if isinstance(move, ChooseSuit))

    @property
    def turning_ends_it(self) -> bool:
        """Whether the next card cannot be turned, so that the Hand ends instead: §7.8."""
        return not self.deck_size and not (self.reshuffles and self.discards)

    @property
    def thief(self) -> int | None:
        """The seat that may steal now."""
        if self.phase == "STEAL_ROUND":
            return self.steal_queue[0]
        return self.turn if self.phase == "STEAL" else None

    @property
    def sweeps(self) -> bool:
        """Whether an ace is among the cards that the viewer may lay now."""
        return any(card.rank == 1 for card in self.playable)

    @property
    def counting(self) -> Pile:
        """The viewer's cards of the turned suit that lie in the row already and count for the ten-test: §7.2."""
        row = self.rows[self.seat - 1] if self.seat else ()
        return tuple(card for card in row if card.suit == self.turned_suit)

    @property
    def lacking(self) -> int:
        """How much the viewer has to lay now to bring the turned suit to safety."""
        return max(0, SAFE_FROM - worth(self.counting))

    def pips(self, cards: Pile) -> int:
        """What cards are worth in the ten-test."""
        return worth(cards)

    def worth(self, cards: Pile, seat: int) -> float:
        """What cards in front of a seat count for it; before suits are known none counts double."""
        return points_of(cards, self.suits[seat - 1])

    def by_suit(self, cards: Pile, seat: int) -> tuple[SuitWorth, ...]:
        """The same, suit by suit, where there are cards of it."""
        piles = {suit: tuple(card for card in cards if card.suit == suit) for suit in SUITS}
        return tuple(SuitWorth(suit, worth(pile), self.worth(pile, seat)) for suit, pile in piles.items() if pile)

    def in_suits(self, cards: Pile) -> Pile:
        """Cards suit by suit, each from the ace up; jokers last."""
        return tuple(sorted(cards, key=lambda card: (_IN_HAND_ORDER[card.suit], card.rank)))

    def loot(self, target: int) -> Pile:
        """The cards of a seat's row that the viewer may steal now."""
        steals = (move for move in self.legal if isinstance(move, Steal) and move.target == target)
        return tuple(move.card for move in steals if move.card is not None)

    def may_reach_for(self, target: int) -> bool:
        """Whether the viewer may steal a random card of a seat's hand now."""
        return any(isinstance(move, Steal) and move.target == target and move.card is None for move in self.legal)

    def complete(self, move: Move, below: Callable[[int], int]) -> Move:
        """`lay` gets each of the playable cards with even chances."""
        if isinstance(move, Lay) and move.cards is None:
            return Lay(tuple(card for card in self.playable if below(2)))
        return move
