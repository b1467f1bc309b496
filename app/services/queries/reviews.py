"""A review to read: how far it is, and then every choice beside the sharp player's, for those who sat there."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from app.bots.reasons import in_words
from app.bots.review import Choice, Judged, Mark, Reviewed, Side, Swing
from app.engine.game import Game, read_move
from app.engine.match import Match
from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.frozen import breaking
from app.services.queries.table_page import load_table_page
from app.services.reviews import DONE, FAILED, WAITING, Reviewable, find_reviewable, result_of, review_of, rounds_of
from app.services.seats.spectators import rounds_to_replay
from app.services.table.held_table import FINISHED
from app.storage import models
from app.storage.rows import one_of
from app.words import Message, as_read, listed


class Line(msgspec.Struct, frozen=True):
    """A choice in words: what was played, what the sharp player would have done (None: the same), and the cost."""

    number: int
    step: int
    played: Message
    best: Message | None
    cost: float
    error: float


class Story(msgspec.Struct, frozen=True):
    """What came of a review. `lines` are the choices of the seat that is looked at, by round, of which there are so
    many; for each the sharp player looked at so many `positions`, and of so many choices nothing is known."""

    sides: tuple[Side, ...]
    curve: tuple[Mark, ...]
    moments: tuple[tuple[Swing, Line | None], ...]
    lines: tuple[tuple[Line, ...], ...]
    positions: int
    left_out: int


class ReviewPage(msgspec.Struct, frozen=True, kw_only=True):
    """The review of a match for somebody who sat on `mine`, at the choices of `seat`. `state` is empty while nobody has
    asked for it; `done` of `total` choices are thought about, and so many other matches come `ahead`. `may_replay` says
    whether this person sees the match's replay."""

    slug: str
    match_number: int
    game: Game[Any]
    names: tuple[str, ...]
    mine: tuple[int, ...]
    seat: int
    state: str
    done: int
    total: int
    ahead: int
    may_replay: bool
    story: Story | None = None

    @property
    def address(self) -> str:
        """Where the review is, and its form goes."""
        return f"/t/{self.slug}/matches/{self.match_number}/review"

    @property
    def is_under_way(self) -> bool:
        """Whether more is to come."""
        return self.state == WAITING

    @property
    def mark(self) -> str:
        """How far it is: another one, and there is something new to read."""
        return f"{self.done}.{self.total}.{self.ahead}"

    @property
    def has_failed(self) -> bool:
        """Whether nothing came of it."""
        return self.state == FAILED

    @property
    def sides(self) -> list[tuple[str, bool]]:
        """Who played on each side, and whether this person did."""
        return [
            (
                str(as_read(listed([self.names[seat - 1] for seat in side.seats]))),
                any(seat in self.mine for seat in side.seats),
            )
            for side in (self.story.sides if self.story else ())
        ]

    def replay_at(self, number: int, step: int, eyes: object = "open") -> str:
        """Where the replay shows a moment of the match."""
        return f"/t/{self.slug}/replay/{self.match_number}/{number}?step={step}&eyes={eyes}"


def load_review(
    context: AppContext, connection: Connection, slug: str, player_id: int | None, number: int, seat: int
) -> ReviewPage:
    """The review of a table's match, with the choices of a seat (0: this person's own). Raises NotFound for a seat that
    there is not, what `find_reviewable` does, and Frozen."""
    page = load_table_page(context, connection, slug, player_id)
    table = one_of(connection, select(models.Table).where(models.Table.id == page.table_id))
    found = find_reviewable(connection, table, number, player_id)
    names = tuple(found.match.names)
    if not 0 <= seat <= len(names):
        raise NotFound("There is no such seat.")
    seat = seat or found.seats[0]
    row = review_of(connection, found.match.id)
    story = None
    if row and row.state == DONE:
        with breaking(slug):
            rounds = list(rounds_of(connection, table.game, found.match))
        story = _story(connection, found, rounds, row, seat)
    return ReviewPage(
        slug=slug,
        match_number=number,
        game=page.game,
        names=names,
        mine=found.seats,
        seat=seat,
        state=row.state if row else "",
        done=row.done if row else 0,
        total=row.total if row else 0,
        ahead=_ahead(connection, row) if row and row.state == WAITING else 0,
        may_replay=rounds_to_replay(page.watchers, page.is_seated, FINISHED, 1, 1) > 0,
        story=story,
    )


def _ahead(connection: Connection, row: models.Review) -> int:
    earlier = select(func.count()).select_from(models.Review).where(models.Review.state == WAITING)
    return connection.execute(earlier.where(models.Review.asked_at < row.asked_at)).scalar_one()


def _story(
    connection: Connection,
    found: Reviewable,
    rounds: Sequence[tuple[Match, Sequence[Choice]]],
    row: models.Review,
    seat: int,
) -> Story:
    result = result_of(row)
    choices = {choice.at: choice for _, there in rounds for choice in there}
    begun, _ = rounds[-1]
    stored = select(models.Round.scores).where(models.Round.match_id == found.match.id).order_by(models.Round.number)
    scores = [tuple(row or ()) for row in connection.execute(stored).scalars()]
    reviewed = Reviewed(begun.game, begun.options, begun.seats, scores, result.choices)
    names = tuple(found.match.names)

    def line(one: Judged) -> Line:
        return _line(begun.game, choices[one.at], one, names)

    by_place = {one.at: one for one in reviewed.choices}
    return Story(
        sides=reviewed.sides,
        curve=reviewed.curve,
        moments=tuple(
            (swing, line(by_place[swing.number, swing.step]) if swing.seat else None) for swing in reviewed.moments
        ),
        lines=tuple(
            tuple(line(one) for one in reviewed.choices if one.seat == seat and one.number == number)
            for number in range(1, len(scores) + 1)
        ),
        positions=result.positions,
        left_out=result.left_out,
    )


def _line(game: Game[Any], choice: Choice, one: Judged, names: tuple[str, ...]) -> Line:
    best = read_move(game, one.best)
    played = in_words(game.key, choice.view, choice.played, names)
    said = None if best == choice.played else in_words(game.key, choice.view, best, names)
    return Line(one.number, one.step, played, said, one.cost, one.error)
