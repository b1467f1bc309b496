"""How Follow the Leader is scored: §10."""

from app.engine.game import Scores
from app.games.follow_the_leader.options import FollowTheLeaderOptions
from app.games.follow_the_leader.state import FollowTheLeaderState


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


def competitors(options: FollowTheLeaderOptions, seats: int) -> tuple[tuple[int, ...], ...]:
    """Everybody for himself."""
    return tuple((seat,) for seat in range(1, seats + 1))


def entries(options: FollowTheLeaderOptions, scores: Scores) -> Scores:
    """Each seat's own cards left."""
    return scores


def tally(options: FollowTheLeaderOptions, totals: Scores, entries: Scores) -> Scores:
    """§10: a deal is won by the fewest cards left, which are none unless the deal was cut short."""
    fewest = min(entries)
    wins = tuple(won + (left == fewest) for won, left in zip(totals or (0,) * len(entries), entries, strict=True))
    return DealsWon.with_unlisted(wins, totals.unlisted) if isinstance(totals, DealsWon) else wins


def cards_left_total(totals: Scores, rounds: tuple[Scores, ...]) -> Scores:
    """§5, §10: each seat's cards left over all deals."""
    unlisted = totals.unlisted if isinstance(totals, DealsWon) else (0,) * len(totals)
    return tuple(map(sum, zip(unlisted, *rounds, strict=True)))


def places(options: FollowTheLeaderOptions, totals: Scores, rounds: tuple[Scores, ...]) -> tuple[int, ...]:
    """§10: most deals won, then fewer cards left in total; who is equal in both shares the place."""
    marks = [(-won, left) for won, left in zip(totals, cards_left_total(totals, rounds), strict=True)]
    return tuple(1 + sum(other < mine for other in marks) for mine in marks)


def tie_break(totals: Scores, rounds: tuple[Scores, ...]) -> tuple[Scores, tuple[str, str]]:
    """§10: fewer cards left."""
    return cards_left_total(totals, rounds), ("card left over", "cards left over")


def is_last(options: FollowTheLeaderOptions, number: int, totals: Scores) -> bool:
    """§4: after `rounds` deals."""
    return number >= options.rounds
