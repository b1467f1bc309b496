"""The hall: each table as it stands, for those who may look on, and no more often worked out than need be."""

from typing import Any

import pytest
from sqlalchemy import select, update

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.queries.table_page import is_at_hand, load_table_page
from app.services.queries.tournaments.load import hall_mark, load_tournament_page
from app.services.queries.tournaments.page import TournamentPage
from app.services.seats import pause, spectators
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import stages as stages_service
from app.storage import models
from app.storage.writer import Transaction
from tests.conftest import Clock
from tests.factories import GAME, Guest, welcome
from tests.services.tournaments.test_same_deal import same_deal
from tests.statements import asked


def slug_of(context: AppContext) -> str:
    """The only tournament's."""
    with context.database.reading() as connection:
        return str(connection.execute(select(models.Tournament.slug)).scalar_one())


def page_of(context: AppContext, guest: Guest | None) -> TournamentPage:
    """The tournament as somebody sees it."""
    with context.database.reading() as connection:
        return load_tournament_page(context, connection, slug_of(context), guest.id if guest else None)


def mark_of(context: AppContext, guest: Guest | None) -> str:
    """What changes with the tables that somebody sees."""
    with context.database.reading() as connection:
        return hall_mark(context, connection, slug_of(context), guest.id if guest else None)[1]


def let_watch(context: AppContext, watch: str) -> None:
    """The organiser lets these look on."""

    def store(transaction: Transaction) -> None:
        whole = models.Tournament
        conditions: Any = transaction.connection.execute(select(whole.conditions)).scalar_one()
        transaction.connection.execute(update(whole).values(conditions={**conditions, "watch": watch}))

    context.writer.run(store)


def told(page: TournamentPage, number: int) -> tuple[str, list[str], list[str]]:
    """A table's state, whose turn it is and the scores, as far as the page tells them."""
    table = page.tables[number - 1]
    return (
        str(table.state),
        [seat.name for seat in table.seats if seat.acts],
        [seat.score for seat in table.seats if seat.score],
    )


def test_a_table_stands_in_the_hall_as_it_does_on_its_own_page(context: AppContext, clock: Clock) -> None:
    _, one, two = same_deal(context, secret=False, rounds=2)
    for number, party in ((1, one), (2, two)):
        turn = party.look().people.seats
        acting = [seat.name for seat in turn if seat.is_to_act]
        assert told(page_of(context, None), number) == ("Playing round 1 of 2", acting, ["0", "0"])
    one.pass_round()
    clock.advance(2)
    sheet = one.look().board.sheet
    assert sheet
    totals = [f"{sheet.of(seat).total:g}" for seat in (1, 2)]
    assert told(page_of(context, None), 1) == ("After round 1 of 2", [], totals)
    one.everybody_is_ready()
    clock.advance(2)
    assert told(page_of(context, None), 1)[0] == "Playing round 2 of 2"
    one.pass_round()
    page = page_of(context, None)
    assert told(page, 1)[0] == "Finished"
    assert page.tables[0].has_result
    assert page.still_playing == 1
    result = page.held.stages[0].tables[0].result
    assert result
    assert told(page, 1)[2] == [f"{score:g}" for score in result.scores]


def test_the_mark_changes_with_what_is_seen_and_with_nothing_else(context: AppContext, clock: Clock) -> None:
    _, one, _two = same_deal(context, secret=False)
    before = mark_of(context, None)
    assert before == page_of(context, None).hall
    clock.advance(2)
    assert mark_of(context, None) == before
    one.move()
    clock.advance(2)
    assert mark_of(context, None) != before


def test_where_the_deal_is_shared_only_how_far_a_table_is_can_be_told(context: AppContext, clock: Clock) -> None:
    host, one, two = same_deal(context)
    marks = {mark_of(context, guest) for guest in (None, host, *one.guests, *two.guests)}
    one.move()
    clock.advance(2)
    assert {mark_of(context, guest) for guest in (None, host, *two.guests)} == marks, "whose turn it is is not told"
    one.pass_round()
    for guest in (None, host, *two.guests):
        page = page_of(context, guest)
        assert told(page, 1) == ("Finished", [], [])
        assert not page.so_far
        assert not page.tables[0].watches
    assert page_of(context, one.guests[0]).tables[0].seats[0].score, "one's own result is no secret"
    two.pass_round()
    page = page_of(context, None)
    assert not page.is_secret
    assert told(page, 1)[2]
    assert page.so_far
    assert page.tables[0].watches


@pytest.mark.parametrize("watch", ["all", "players", "none"])
def test_the_organiser_says_who_looks_on(context: AppContext, watch: str) -> None:
    host, one, two = same_deal(context, secret=False)
    let_watch(context, watch)
    zoe = welcome(context, "Zoe")
    for guest, may in ((zoe, watch == "all"), (None, watch == "all"), (two.guests[0], watch != "none")):
        table = page_of(context, guest).tables[0]
        assert table.watches is may
        assert bool(table.slug) is may
        assert any(seat.score for seat in table.seats) is may
        assert one.look(guest).viewer.may_see is may, "the table itself says so"
    assert page_of(context, host).tables[0].slug, "who organises finds every table"
    assert one.look(host).viewer.may_see is (watch != "none")
    assert one.look(one.guests[0]).viewer.may_see
    one.pass_round()
    assert one.look(zoe).viewer.may_see is (watch != "none"), "a game that is over is no secret"
    assert bool(one.look(zoe).replays.rounds) is (watch != "none")


@pytest.mark.parametrize(("watch", "free"), [("all", True), ("none", True), ("players", False)])
def test_a_table_asks_who_looks_on_only_where_it_matters(context: AppContext, watch: str, free: bool) -> None:
    same_deal(context, secret=False)
    let_watch(context, watch)
    with context.database.reading() as connection:
        slug = connection.execute(select(models.Table.slug)).scalars().first()
        assert slug
        load_table_page(context, connection, slug, None)
    assert is_at_hand(context, slug) is (free and context.database.is_owned)


def test_where_nobody_looks_on_no_host_opens_a_table(context: AppContext) -> None:
    host, one, _two = same_deal(context, secret=False)
    let_watch(context, "none")
    with pytest.raises(Refused, match="nobody looks on"):
        context.write(spectators.set_spectators, one.slug, host.id, "open")


def test_a_host_who_shows_nothing_shows_nothing_in_the_hall(context: AppContext, clock: Clock) -> None:
    host, one, _two = same_deal(context, secret=False)
    context.write(spectators.set_spectators, one.slug, host.id, "none")
    clock.advance(2)
    page = page_of(context, None)
    assert told(page, 1) == ("Playing", [], [])
    assert page.tables[0].slug is None
    assert told(page, 2)[1]


def sixteen(context: AppContext) -> Guest:
    """A stage of eight tables of two bots; its organiser."""
    host = welcome(context, "Host")
    plan = {"format": "swiss", "stages": [{"game": GAME, "size": 2}], "players": 16}
    slug = context.write(stages_service.open_tournament, host.id, "Cup", plan, {"bot_pace": "relaxed"})
    context.write(tournament_entries.add_bots, slug, host.id, 16, "gentle")
    stages_service.start_stage(context, slug, host.id)
    return host


def test_looking_costs_a_statement_and_the_tables_one_a_second_for_all(context: AppContext, clock: Clock) -> None:
    sixteen(context)
    mark_of(context, None)
    with asked(context, lambda statement: statement.startswith("SELECT") and "WHERE" in statement) as statements:
        for _ in range(5):
            mark_of(context, None)
        assert len(statements) == 5
        assert all("FROM tournaments" in statement for statement in statements)
        statements.clear()
        clock.advance(120)
        mark_of(context, None)
        assert len(statements) == 2, "the tables' versions, in one; their rounds are at hand"


def test_a_paused_table_waits_for_nobody(context: AppContext, clock: Clock) -> None:
    host, one, _two = same_deal(context, secret=False)
    context.write(pause.pause, one.slug, host.id)
    clock.advance(2)
    assert told(page_of(context, None), 1) == ("Paused in round 1", [], ["0", "0"])


def test_one_enters_until_the_first_stage_has_begun(context: AppContext) -> None:
    host, stranger = welcome(context, "Host"), welcome(context, "Zoe")
    plan = {"format": "swiss", "stages": [{"game": GAME, "size": 2}], "players": 4}
    slug = context.write(stages_service.open_tournament, host.id, "Cup", plan, {"bot_pace": "relaxed"})
    context.write(tournament_entries.add_bots, slug, host.id, 2, "gentle")
    assert page_of(context, stranger).may_enter
    stages_service.start_stage(context, slug, host.id)
    page = page_of(context, stranger)
    assert (page.may_enter, page.is_open) == (False, False)
