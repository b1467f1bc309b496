"""How Follow the Leader is scored: §10."""

from snug.engine.game import Scores, TieBreak
from snug.games.follow_the_leader.options import FollowTheLeaderOptions
from snug.games.follow_the_leader.state import FollowTheLeaderState
from snug.words import Plural


class DealsWon(tuple[float, ...]):
    """Totals that also know the cards left over in deals without a row of scores: a position (§5) gives their sum."""

    unlisted: Scores = ()

    @classmethod
    def with_unlisted(cls, wins: Scores, unlisted: Scores) -> "DealsWon":
        totals = cls(wins)
        totals.unlisted = unlisted
        return totals


def scores(state: FollowTheLeaderState) -> Scores | None:
    """§10: cards left."""
    return tuple(map(len, state.hands)) if state.over else None


def tally(options: FollowTheLeaderOptions, totals: Scores, entries: Scores) -> Scores:
    """§10: a deal is won by the fewest cards left, which are none unless the deal was cut short."""
    fewest = min(entries)
    wins = tuple(won + (left == fewest) for won, left in zip(totals or (0,) * len(entries), entries, strict=True))
    return DealsWon.with_unlisted(wins, totals.unlisted) if isinstance(totals, DealsWon) else wins


def cards_left_total(totals: Scores, rounds: tuple[Scores, ...]) -> Scores:
    """§5, §10: each seat's cards left over all deals."""
    unlisted = totals.unlisted if isinstance(totals, DealsWon) else (0,) * len(totals)
    return tuple(map(sum, zip(unlisted, *rounds, strict=True)))


def tie_break(options: FollowTheLeaderOptions, totals: Scores, rounds: tuple[Scores, ...]) -> TieBreak:
    """§10: most deals won, then fewer cards left in total; who is equal in both shares the place."""
    return TieBreak(
        cards_left_total(totals, rounds),
        Plural("%(count)s card left over", "%(count)s cards left over"),
        lowest_wins=True,
    )
