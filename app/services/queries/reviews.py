"""A review to read: how far it is, and then every choice beside the sharp player's, for those who sat there."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.quarantine import quarantine_on_error
from app.services.queries.playback import ALL, ME, Replay, look
from app.services.queries.table_page import TablePage, load_table_page
from app.services.reviews import DONE, FAILED, WAITING, Reviewable, find_reviewable, result_of, review_of, rounds_of
from app.services.seats.spectators import hands_are_open, rounds_to_replay
from app.services.table.held_table import FINISHED
from app.services.table.rounds import round_of
from app.storage import models
from app.storage.rows import one_of
from snug.bots.reasons import in_words
from snug.bots.review import Choice, Judged, Mark, Reviewed, Side, Swing
from snug.engine.game import Event, Game, read_move
from snug.engine.match import Match
from snug.engine.timeline import moments_of
from snug.words import Message


class ReviewLine(msgspec.Struct, frozen=True):
    """A choice in words: what was played, what the sharp player would have done (None: the same), and the cost."""

    number: int
    step: int
    played: Message
    best: Message | None
    cost: float
    error: float


class TurningPoint(msgspec.Struct, frozen=True):
    """What decided the match: a mistake with its `line`, or luck, maybe `to_end` of the round, and what `happened`
    meanwhile, as far as the reader may see it in the replay; words of that are said of `ending`, the table when the
    round was over."""

    swing: Swing
    line: ReviewLine | None = None
    to_end: bool = False
    happened: tuple[tuple[Event, ...], ...] = ()
    ending: TablePage | None = None


class Story(msgspec.Struct, frozen=True):
    """What came of a review. `lines` are the choices of the seat that is looked at, by round, of which there are so
    many; for each the sharp player looked at so many `positions`, and of so many choices nothing is known."""

    sides: tuple[Side, ...]
    curve: tuple[Mark, ...]
    moments: tuple[TurningPoint, ...]
    lines: tuple[tuple[ReviewLine, ...], ...]
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
            (" & ".join(self.names[seat - 1] for seat in side.seats), any(seat in self.mine for seat in side.seats))
            for side in (self.story.sides if self.story else ())
        ]

    def replay_at(self, number: int, step: int, eyes: object = "open") -> str:
        """Where the replay shows a moment of the match."""
        return f"/t/{self.slug}/replay/{self.match_number}/{number}?step={step}&eyes={eyes}"


def load_review(
    context: AppContext, connection: Connection, slug: str, player_id: int | None, number: int, seat: int
) -> ReviewPage:
    """The review of a match, with the choices of a seat (0: one's own). Raises NotFound, Forbidden and Frozen."""
    page = load_table_page(context, connection, slug, player_id)
    table = one_of(connection, select(models.Table).where(models.Table.id == page.table.id))
    found = find_reviewable(connection, table, number, player_id)
    names = tuple(found.match.names)
    if not 0 <= seat <= len(names):
        raise NotFound("There is no such seat.")
    seat = seat or found.seats[0]
    row = review_of(connection, found.match.id)
    may_replay = rounds_to_replay(page.viewer.policy, page.viewer.is_seated, FINISHED, 1, 1) > 0
    all_open = hands_are_open(page.viewer.policy, FINISHED) if may_replay else None
    story = None
    if row and row.state == DONE:
        with quarantine_on_error(slug):
            rounds = list(rounds_of(connection, table.game, found.match))
        story = _story(connection, found, rounds, row, seat, all_open)
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
        may_replay=may_replay,
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
    all_open: bool | None,
) -> Story:
    """`all_open` says whether the reader sees every hand in the replay; None where he sees no replay."""
    result = result_of(row)
    choices = {choice.at: choice for _, there in rounds for choice in there}
    begun, _ = rounds[-1]
    stored = select(models.Round.scores).where(models.Round.match_id == found.match.id).order_by(models.Round.number)
    scores = [tuple(row or ()) for row in connection.execute(stored).scalars()]
    reviewed = Reviewed(begun.game, begun.options, begun.seats, scores, result.choices)
    names = tuple(found.match.names)

    def line(one: Judged) -> ReviewLine:
        choice, best = choices[one.at], read_move(begun.game, one.best)
        played = in_words(begun.game.key, choice.view, choice.played, names)
        said = None if best == choice.played else in_words(begun.game.key, choice.view, best, names)
        return ReviewLine(one.number, one.step, played, said, one.cost, one.error)

    by_place = {one.at: one for one in reviewed.choices}

    def moment(swing: Swing) -> TurningPoint:
        if swing.seat:
            return TurningPoint(swing, line(by_place[swing.number, swing.step]))
        to_end = swing.step > max((step for number, step in by_place if number == swing.number), default=-1)
        if all_open is None:
            return TurningPoint(swing, to_end=to_end)
        return _luck(connection, begun.game.key, found, swing, to_end, all_open)

    return Story(
        sides=reviewed.sides,
        curve=reviewed.curve,
        moments=tuple(map(moment, reviewed.moments)),
        lines=tuple(
            tuple(line(one) for one in reviewed.choices if one.seat == seat and one.number == number)
            for number in range(1, len(scores) + 1)
        ),
        positions=result.positions,
        left_out=result.left_out,
    )


def _luck(
    connection: Connection, game_key: str, found: Reviewable, swing: Swing, to_end: bool, all_open: bool
) -> TurningPoint:
    """What happened while luck moved a side, as the replay tells it."""
    _, begun, steps = round_of(connection, game_key, found.match, swing.number)
    shown = moments_of(begun, steps)
    names, seat = tuple(found.match.names), found.seats[0]
    replay = Replay(moments=shown, names=names, number=swing.number, rounds=1, all_open=all_open, my_seat=seat)
    frame = look(replay, swing.step, ALL if all_open else ME)
    end = frame.last if to_end else swing.step
    return TurningPoint(swing, None, to_end, frame.lines[swing.since + 1 : end + 1], frame.ending)
