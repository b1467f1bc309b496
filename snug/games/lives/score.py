"""How Irish Lives is scored: §10."""

from typing import Final

from snug.engine.cards import JOKER, PACK
from snug.engine.game import Scores, TieBreak
from snug.games.lives.options import LivesOptions
from snug.games.lives.state import LivesState
from snug.words import Plural

_ACE = 11
POINTS: Final = {card: _ACE if card.rank == 1 else min(card.rank, 10) for card in PACK} | {JOKER: 11}


def points(state: LivesState) -> Scores:
    """§10: what everybody is left holding."""
    return tuple(sum(POINTS[card] for card in hand) for hand in state.hands)


def winners_of(row: Scores) -> tuple[int, ...]:
    """§10: the seats with the fewest points; whoever went out has none."""
    fewest = min(row)
    return tuple(seat for seat, number in enumerate(row, 1) if number == fewest)


def scores(state: LivesState) -> Scores | None:
    """§10."""
    return points(state) if state.phase == "DEAL_OVER" else None


def deals_won(rounds: tuple[Scores, ...], seats: int) -> tuple[int, ...]:
    """§10: how many deals each seat won, alone or jointly."""
    return tuple(sum(seat in winners_of(row) for row in rounds) for seat in range(1, seats + 1))


def tie_break(options: LivesOptions, totals: Scores, rounds: tuple[Scores, ...]) -> TieBreak:
    """§10: of equal totals the one with more deals won is ahead, else they share the place."""
    return TieBreak(deals_won(rounds, len(totals)), Plural("%(count)s deal won", "%(count)s deals won"))
