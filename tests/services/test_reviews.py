"""Reviews of matches: who may ask for one, that it is made once and goes on after a restart, what it tells."""

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import OperationalError

from app.services import reviews
from app.services.accounts.deletion import forget_player
from app.services.accounts.history import stats_of
from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, TooOften
from app.services.play import play
from app.services.queries.playback import load_replay
from app.services.queries.reviews import ReviewPage, load_review
from app.services.search_pool import NoThought, SearchPool
from app.services.seats import seat_transfer, seats
from app.settings import Limits
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import OutcomeUnknown, Transaction
from snug.bots.search import Considered, Thought
from snug.engine.game import Move, View
from snug.games import GAMES
from tests.conftest import Clock, OpenContext
from tests.factories import Guest, Party, begin, refused, welcome
from tests.services.tournaments.test_same_deal import same_deal


class Quick(SearchPool):
    """Those who find at once that the first legal move, or the one that was played where they are `content`, is two
    points better than any other, and who tell what they were asked; of what `fails` nothing comes."""

    def __init__(self, fails: Callable[[int], bool] = lambda _asked: False, *, content: bool = False) -> None:
        super().__init__()
        self.asked: list[View] = []
        self._fails = fails
        self._content = content

    def submit(
        self,
        game_key: str,  # noqa: ARG002 - as those who think do
        view: View,
        seed: int,  # noqa: ARG002
        positions: int | None = None,
        *,
        urgent: bool = True,
        also: Sequence[Move] = (),
    ) -> "Future[Thought]":
        assert not urgent
        self.asked.append(view)
        answer: Future[Thought] = Future()
        if self._fails(len(self.asked)):
            answer.set_exception(NoThought("a process died"))
            return answer
        (played,) = also
        best = played if self._content else view.legal[0]
        moves = [Considered(best, 0.5, 1.0, 20)]
        if played != best:
            moves.append(Considered(played, 0.4, -1.0, 20, 2.0, 0.1))
        answer.set_result(Thought(best, best, tuple(moves), positions or 0))
        return answer


def over(context: AppContext, people: int = 2, **options: Any) -> Party:
    """A table at which everybody has passed all the time, in one round."""
    party = begin(context, people, rounds=1, **options)
    party.pass_round()
    return party


def ask(party: Party, guest: Guest | int, match: int = 1) -> None:
    """A guest, or the guest of a seat, wants a match reviewed."""
    party.write(reviews.ask, guest, match, "")


def look(party: Party, guest: Guest, seat: int = 0, match: int = 1) -> ReviewPage:
    """What a guest reads."""
    with party.context.database.reading() as connection:
        return load_review(party.context, connection, party.slug, guest.id, match, seat)


def made(context: AppContext, thinkers: SearchPool | None = None) -> bool:
    """Whether there was something to review."""
    context.thinkers = thinkers or Quick()
    return reviews.work(context, lambda: False)


def stored(context: AppContext) -> Sequence[models.Review]:
    """Every review."""
    with context.database.reading() as connection:
        return all_of(connection, select(models.Review).order_by(models.Review.match_id))


def test_a_match_is_reviewed_once_for_everybody_who_sat_there(context: AppContext) -> None:
    party = over(context, 3)
    alice, bob, _ = party.guests
    assert look(party, alice).state == ""
    assert not made(context)
    ask(party, 1)
    ask(party, 2)
    assert (look(party, bob).is_under_way, look(party, bob).story) == (True, None)
    thinkers = Quick()
    assert made(context, thinkers)
    assert not made(context, thinkers)
    page = look(party, bob)
    assert page.state == "done"
    assert page.done == page.total == len(thinkers.asked) > 3
    assert page.mine == (2,)
    assert page.seat == 2
    assert page.may_replay
    assert page.story
    passes = [line for lines in page.story.lines for line in lines]
    assert len(passes) == page.story.sides[1].choices
    for line in passes:
        assert line.best != line.played
        assert (line.cost, line.error) == (2.0, 0.1)
    assert [len(look(party, bob, seat).story.lines[0]) for seat in (1, 2, 3)] == [  # type: ignore[union-attr]
        sum(view.seat == seat for view in thinkers.asked) for seat in (1, 2, 3)
    ]
    ask(party, 1)
    assert not made(context)


def test_luck_that_decided_is_told_as_in_the_replay(context: AppContext) -> None:
    party = over(context)
    ask(party, 1)
    assert made(context, Quick(content=True))
    with context.database.reading() as connection:
        replay = load_replay(context, connection, party.slug, party.guests[0].id, 1, 1)
    story = look(party, party.guests[0]).story
    assert story
    assert story.moments
    for moment in story.moments:
        assert not moment.swing.seat
        shown = [each.events for each in replay.moments[moment.swing.since + 1 :]]
        assert 0 < len(moment.happened) <= len(shown)
        assert moment.to_end == (len(moment.happened) == len(shown))
        assert list(moment.happened) == shown[: len(moment.happened)]
        assert moment.ending


def test_who_sees_no_replay_is_told_nothing_of_it(context: AppContext) -> None:
    party, zoe = over(context, watch="none"), welcome(context, "Zoe")
    party.write(seats.rematch, 1)
    context.write(seat_transfer.claim, party.write(seat_transfer.hand_over, 1), zoe.id, "Zoe")
    ask(party, 1)
    assert made(context, Quick(content=True))
    page = look(party, party.guests[0])
    assert page.story
    assert page.story.moments
    assert not page.may_replay
    assert not any(moment.happened for moment in page.story.moments)


def test_it_is_for_those_who_sat_there_when_it_is_over(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    zoe = welcome(context, "Zoe")
    with refused(context, Forbidden):
        ask(party, 1)
    party.pass_round()
    with refused(context, Forbidden):
        ask(party, zoe)
    with refused(context, NotFound):
        ask(party, 1, 2)
    with refused(context, NotFound):
        context.write(reviews.ask, "nowhere", party.guests[0].id, 1, "")
    with pytest.raises(Forbidden):
        look(party, zoe)
    with pytest.raises(NotFound):
        look(party, party.guests[0], 3)


def test_who_takes_a_seat_later_reads_nothing_of_the_match_before(context: AppContext) -> None:
    party, zoe = over(context), welcome(context, "Zoe")
    party.write(seats.rematch, 1)
    context.write(seat_transfer.claim, party.write(seat_transfer.hand_over, 2), zoe.id, "Zoe")
    with refused(context, Forbidden):
        ask(party, zoe)
    ask(party, 2)
    assert made(context)
    assert look(party, party.guests[1]).story


def test_a_game_that_says_nothing_of_what_is_hidden_has_no_reviews(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = over(context)
    monkeypatch.setattr(type(GAMES["lucky_paw"]), "has_imagination", False)
    with refused(context, NotFound):
        ask(party, 1)


def test_nothing_is_told_of_a_deal_that_is_still_played(context: AppContext) -> None:
    _, one, two = same_deal(context)
    one.pass_round()
    with refused(context, Forbidden):
        ask(one, 1)
    with context.database.reading() as connection:
        assert stats_of(connection, one.guests[0].id).past[0].review is None
    two.pass_round()
    ask(one, 1)
    with context.database.reading() as connection:
        assert stats_of(connection, one.guests[0].id).past[0].review == f"/t/{one.slug}/matches/1/review"


def test_a_guest_asks_for_so_many_an_hour(context: AppContext) -> None:
    context.limits = Limits(guest_reviews=1)
    party = over(context)
    ask(party, 1)
    ask(party, 1)
    party.write(seats.rematch, 1)
    party.pass_round()
    with refused(context, TooOften):
        ask(party, 1, 2)
    ask(party, 2, 2)


def test_after_a_restart_it_goes_on_where_it_was(open_context: OpenContext, database_url: str) -> None:
    before = open_context(database_url)
    party = over(before)
    ask(party, 1)
    before.thinkers = thinkers = Quick()
    assert reviews.work(before, lambda: len(thinkers.asked) >= 3)
    page = look(party, party.guests[0])
    assert (page.state, page.done) == ("waiting", 2)
    after, others = open_context(database_url), Quick()
    assert made(after, others)
    page = look(party, party.guests[0])
    assert page.state == "done"
    assert page.done == page.total == len(thinkers.asked) - 1 + len(others.asked)
    assert page.story
    assert sum(side.choices for side in page.story.sides) == page.total


def test_another_process_keeps_off_until_nothing_was_heard_for_a_minute(
    open_context: OpenContext, database_url: str, clock: Clock
) -> None:
    one, other = open_context(database_url), open_context(database_url)
    first, second = over(one), over(one)
    ask(first, 1)
    clock.advance(1)
    ask(second, 1)
    assert look(second, second.guests[0]).ahead == 1
    tried: list[bool] = []

    def try_too(asked: int) -> bool:
        if asked == 3:
            tried.append(made(other))
            clock.advance(61)
            tried.append(made(other))
        return False

    assert made(one, Quick(try_too))
    assert tried == [False, True]
    assert [review.state for review in stored(one)] == ["done", "waiting"]
    assert made(one)
    assert [review.state for review in stored(one)] == ["done", "done"]


def test_another_process_whose_clock_is_slow_keeps_off_as_well(
    open_context: OpenContext, database_url: str, clock: Clock
) -> None:
    one, other = open_context(database_url), open_context(database_url)
    other.now = lambda: clock() - 5
    party = over(one)
    ask(party, 1)
    tried: list[bool] = []

    def try_too(asked: int) -> bool:
        if asked == 3:
            tried.append(made(other))
        return False

    assert made(one, Quick(try_too))
    assert tried == [False]


def test_who_was_taken_to_be_gone_does_not_write_over_what_the_other_made(
    open_context: OpenContext, database_url: str, clock: Clock
) -> None:
    one, other = open_context(database_url), open_context(database_url)
    party = over(one)
    ask(party, 1)

    def oversleep(asked: int) -> bool:
        if asked == 3:
            clock.advance(61)
            assert made(other)
        return asked == 3

    assert made(one, Quick(oversleep))
    (review,) = stored(one)
    assert review.state == "done"
    assert reviews.result_of(review).nothing == []


def test_a_choice_of_which_nothing_comes_is_left_out(context: AppContext) -> None:
    party = over(context)
    ask(party, 1)
    assert made(context, Quick(lambda asked: asked == 2))
    page = look(party, party.guests[0])
    assert page.state == "done"
    assert page.story
    assert sum(side.choices for side in page.story.sides) == page.total - 1


def test_when_nobody_can_think_it_may_be_asked_for_again(context: AppContext) -> None:
    party = over(context)
    ask(party, 1)
    thinkers = Quick(lambda _asked: True)
    assert made(context, thinkers)
    assert len(thinkers.asked) == 3
    assert look(party, party.guests[0]).has_failed
    ask(party, 1)
    assert made(context)
    assert look(party, party.guests[0]).story


def test_a_review_that_cannot_be_gone_on_with_fails_and_keeps_no_other_from_being_made(
    context: AppContext, clock: Clock
) -> None:
    first, second = over(context), over(context)
    ask(first, 1)
    clock.advance(1)
    ask(second, 1)

    def spoil(_context: AppContext, transaction: Transaction) -> None:
        oldest = update(models.Review).where(models.Review.asked_at < clock())
        transaction.connection.execute(oldest.values(result={"choices": [{}]}))

    context.write(spoil)
    assert made(context)
    assert made(context)
    assert [review.state for review in stored(context)] == ["failed", "done"]


@pytest.mark.parametrize("lost", [OperationalError("", {}, Exception()), OutcomeUnknown("lost"), sqlite3.Error("full")])
def test_when_the_database_fails_it_goes_on_later(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch, lost: Exception
) -> None:
    party = over(context)
    ask(party, 1)
    save, troubles = reviews._Desk.save, [lost]

    def try_to_save(desk: reviews._Desk, **values: Any) -> None:
        if troubles:
            raise troubles.pop()
        save(desk, **values)

    monkeypatch.setattr(reviews._Desk, "save", try_to_save)
    with pytest.raises(type(lost)):
        made(context)
    assert [review.state for review in stored(context)] == ["waiting"]
    assert not made(context)
    clock.advance(61)
    assert made(context)
    assert [review.state for review in stored(context)] == ["done"]


def test_a_choice_that_cannot_be_put_in_words_breaks_no_table(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = over(context)
    ask(party, 1)
    assert made(context)

    def fail(*_asked: object) -> str:
        raise ValueError("no words")

    monkeypatch.setattr("app.services.queries.reviews.in_words", fail)
    with pytest.raises(ValueError, match="no words"):
        look(party, party.guests[0])


def test_of_a_long_match_bots_choices_are_left_out_first(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    party = begin(context, 1, bots=1, level="gentle", rounds=1)
    while party.look().table.is_playing:
        party.pass_round()
        context.write(play.run_due, party.slug)
    ask(party, 1)
    monkeypatch.setattr(reviews, "MOST_CHOICES", 4)
    thinkers = Quick()
    assert made(context, thinkers)
    assert {view.seat for view in thinkers.asked[:3]} == {1}
    page = look(party, party.guests[0])
    assert page.story
    assert page.total == len(thinkers.asked) == 4
    assert page.story.left_out > 0


def test_a_review_names_nobody_and_outlives_who_is_forgotten(context: AppContext) -> None:
    party = over(context)
    ask(party, 1)
    assert made(context)
    with context.database.reading() as connection:
        assert load_replay(context, connection, party.slug, party.guests[1].id, 1, 1).is_reviewable
        assert not load_replay(context, connection, party.slug, None, 1, 1).is_reviewable
    context.write(forget_player, party.guests[0].id)
    assert "Alice" not in str(stored(context))
    page = look(party, party.guests[1])
    assert page.names[0] == "Somebody"
    with pytest.raises(Forbidden):
        look(party, party.guests[0])


def test_where_nothing_was_asked_for_nothing_is_done(context: AppContext) -> None:
    over(context)
    assert not made(context)
    assert context.write(reviews._claim) is None


def test_while_a_process_makes_one_no_other_is_begun_though_it_came_first(context: AppContext, clock: Clock) -> None:
    first, second = over(context), over(context)
    ask(first, 1)
    clock.advance(1)
    ask(second, 1)
    newest = select(func.max(models.Review.match_id)).scalar_subquery()
    at_work = update(models.Review).where(models.Review.match_id == newest).values(worked_at=context.now())
    context.writer.run(lambda transaction: transaction.connection.execute(at_work))
    assert not made(context)
    clock.advance(61)
    assert made(context)
