"""What a seat of Irish Lives sees: §9."""

from snug.engine.cards import Card, Pile
from snug.engine.game import Move, Scores, View
from snug.games.lives.options import LivesOptions
from snug.games.lives.state import DRAW, KEEP, POWER, CallSuit, Catch, Phase, Play, Reason


class LivesView(View, frozen=True, kw_only=True):
    """§9: what lies open, everybody's number of cards, and the viewer's own hand; every hand once the deal is over."""

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

    @property
    def plays(self) -> tuple[Play, ...]:
        """What the viewer may play: each ace and joker with each suit, and with and without saying "last card"."""
        return tuple(move for move in self.legal if isinstance(move, Play))

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
        return max(self.plays, key=lambda play: (play.card not in POWER, play.last_card))

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
