"""What a seat sees of a Life table: §9."""

from collections.abc import Callable

from snug.engine.cards import Pile
from snug.engine.game import Move, Scores, View
from snug.games.life.events import Fortune
from snug.games.life.options import LifeOptions
from snug.games.life.score import points_of
from snug.games.life.state import DECLINE_STEAL, LAY, PLAY_JOKER, ChooseSuit, Lay, Steal
from snug.words import gettext


class LifeView(View, frozen=True, kw_only=True):
    """§9. `suits` are all known once everybody has chosen, before that only one's own; `hands` are shown when the Hand
    is over; `points` are what the cards in front are worth now, `fortunes` only where and when they are told."""

    options: LifeOptions
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
    def task(self) -> str:
        """To choose a suit, to steal, or to play."""
        if self.phase == "CHOOSE_SUITS":
            return gettext("to choose")
        return gettext("may steal") if self.phase in ("STEAL", "STEAL_ROUND") else gettext("to play")

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
    def may_play_joker(self) -> bool:
        """Whether the viewer may play a joker."""
        return PLAY_JOKER in self.legal

    @property
    def may_decline(self) -> bool:
        """Whether the viewer may steal, and so may also let it be."""
        return DECLINE_STEAL in self.legal

    @property
    def victims(self) -> tuple[int, ...]:
        """The seats that the viewer may steal from now."""
        return tuple(sorted({move.target for move in self.legal if isinstance(move, Steal) and move.target}))

    @property
    def neutral(self) -> Move:
        """Turning a card up, laying nothing, stealing nothing; a plain suit where one has to be chosen."""
        if self.may_lay:
            return Lay(())
        return DECLINE_STEAL if self.may_decline else self.legal[0]

    def worth_to(self, seat: int, cards: Pile) -> float:
        """What cards in front of a seat count for it."""
        return points_of(cards, self.suits[seat - 1])

    @property
    def choices(self) -> tuple[str, ...]:
        """The suits that the viewer may choose now."""
        return tuple(move.suit for move in self.legal if isinstance(move, ChooseSuit))

    def complete(self, move: Move, below: Callable[[int], int]) -> Move:
        """`lay` gets each of the playable cards with even chances."""
        if isinstance(move, Lay) and move.cards is None:
            return Lay(tuple(card for card in self.playable if below(2)))
        return move
