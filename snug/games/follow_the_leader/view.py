"""What a seat of Follow the Leader sees: §9."""

from snug.engine.cards import Card, Pile
from snug.engine.game import Move, View
from snug.games.follow_the_leader.options import FollowTheLeaderOptions
from snug.games.follow_the_leader.state import DRAW, Phase, Play


class FollowTheLeaderView(View, frozen=True, kw_only=True):
    """§9. `stands_for` and `range` are ranks in order, lowest first: a joker that may be 8 or 9 takes 8, 9 or 10.
    Both are empty before the lead. `hands` are empty until the deal is over."""

    options: FollowTheLeaderOptions
    rounds: int
    dealer: int | None
    turn: int
    phase: Phase
    over: bool
    hand: Pile
    hand_sizes: tuple[int, ...]
    hands: tuple[Pile, ...]
    drawn_card: Card | None
    top: Card | None
    discards_size: int
    pile_size: int
    stands_for: tuple[str, ...]
    range: tuple[str, ...]
    fails: int
    turns: int

    @property
    def plays(self) -> Pile:
        """The cards that the viewer may play now, equal ones once."""
        return tuple(move.card for move in self.legal if isinstance(move, Play))

    @property
    def must_draw(self) -> bool:
        """Whether the viewer has to draw."""
        return DRAW in self.legal

    @property
    def neutral(self) -> Move:
        """Drawing; where any card will do, the lowest, and a joker last."""
        plays = [move for move in self.legal if isinstance(move, Play)]
        return min(plays, key=lambda play: (play.card.is_joker, play.card.rank)) if plays else DRAW
