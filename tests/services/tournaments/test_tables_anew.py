"""People moved between tables in mid-stage, and tables that play again, on screens and on paper."""

from typing import Any

import pytest
from sqlalchemy import select

from app.services.accounts.deletion import forget_player
from app.services.context import AppContext
from app.services.errors import Forbidden, Refused
from app.services.play import play
from app.services.queries.calls import call_of
from app.services.seats import away, seat_transfer
from app.services.table.held_table import PLAYING
from app.services.tournaments import corrections, entries, set_up, tables_anew
from app.services.tournaments import stages as stages_service
from app.storage import models
from tests.conftest import Clock
from tests.factories import GAME, Guest, refused, welcome
from tests.services.tournaments.test_on_paper import page_of, sound
from tests.services.tournaments.test_stages import opened, plan, play_out, sitters, state

NAMES = ("Ann", "Ben", "Cat", "Dan")


def begun(context: AppContext, *names: str, stages: int = 2, **stage: Any) -> tuple[Guest, str, list[Guest]]:
    """A stage on screens: two tables of two."""
    host, slug = opened(context, stages=stages)
    guests = [welcome(context, name) for name in names or NAMES]
    for guest in guests:
        context.write(entries.enter, slug, guest.id, guest.name)
    stages_service.start_stage(context, slug, host.id)
    return host, slug, guests


def at(context: AppContext, slug: str, table: int) -> list[str]:
    """Who sits at a table of the stage by the log."""
    now = state(context, slug)
    return [now.name(number) for number in now.stages[-1].tables[table - 1].seats]


def counting(context: AppContext, annulled: bool = False) -> list[models.Table]:
    """The tables on screens that count, or those that count no more."""
    place = models.TournamentTable
    wanted = select(models.Table).join(place, place.table_id == models.Table.id).order_by(place.stage, place.number)
    with context.database.reading() as connection:
        rows = connection.execute(wanted.where((place.annulled != 0) if annulled else (place.annulled == 0)))
        return list(rows)  # type: ignore[arg-type]


@pytest.mark.dear(1, "two tables, dealt twice")
def test_two_change_places_and_both_tables_are_dealt_anew(context: AppContext, clock: Clock) -> None:
    host, slug, guests = begun(context)
    one, two = at(context, slug, 1)[0], at(context, slug, 2)[0]
    context.write(tables_anew.move, slug, host.id, NAMES.index(one) + 1, f" {two.lower()}")
    assert one in at(context, slug, 2)
    assert two in at(context, slug, 1)
    tables = counting(context)
    assert len(tables) == 2
    for number, table in enumerate(tables, 1):
        wanted = {guests[NAMES.index(name)].id for name in at(context, slug, number)}
        assert sitters(context, table) == wanted
    for table in counting(context, annulled=True):  # nobody is waited for where nothing counts
        assert sitters(context, table) == {None}
    with context.database.reading() as connection:
        ready = call_of(context, connection, slug, guests[0].id).table
    assert ready
    assert ready.slug in {table.slug for table in tables}
    for number in (1, 2, 3, 4):
        context.write(entries.withdraw, slug, host.id, number)
    play_out(context, clock)
    assert sum(bool(table.result) for table in state(context, slug).stages[0].tables) == 2
    context.write(stages_service.close_stage, slug, host.id)
    assert sound(context, slug)


def test_whoever_sits_where_a_deal_counts_stays(context: AppContext, clock: Clock) -> None:
    two_deals = [{"game": GAME, "options": {"rounds": 2}, "size": 2}]
    host, slug = opened(context, drop_out="bot", plan_stages=two_deals)
    for name in NAMES:
        context.write(entries.enter, slug, welcome(context, name).id, name)
    stages_service.start_stage(context, slug, host.id)
    first = counting(context)[0]
    for name in at(context, slug, 1):  # bots play on for them
        context.write(entries.withdraw, slug, host.id, NAMES.index(name) + 1)
    other = NAMES.index(at(context, slug, 2)[0]) + 1
    for _ in range(200):
        if counting(context)[0].status != PLAYING:
            break
        clock.advance(5)
        context.write(play.run_due, first.id)
    before = state(context, slug)
    with pytest.raises(Refused, match="counts already"):
        context.write(tables_anew.move, slug, host.id, other, at(context, slug, 1)[0])
    assert state(context, slug) == before


@pytest.mark.parametrize(
    ("to", "sentence"),
    [("Zoe", "Write the number"), ("", "Write the number"), ("9", "no table 9"), ("1", "already|full|small")],
)
def test_where_nobody_can_move_is_said_and_nothing_changes(context: AppContext, to: str, sentence: str) -> None:
    host, slug, _ = begun(context)
    before, tables = state(context, slug), [table.slug for table in counting(context)]
    with pytest.raises(Refused, match=sentence):
        context.write(tables_anew.move, slug, host.id, NAMES.index(at(context, slug, 1)[0]) + 1, to)
    assert state(context, slug) == before
    assert [table.slug for table in counting(context)] == tables


def test_only_organisers_move_and_annul(context: AppContext) -> None:
    _, slug, guests = begun(context)
    for act, given in ((tables_anew.move, (1, "2")), (tables_anew.annul, (1, "why")), (tables_anew.reinstate, (1,))):
        with refused(context, Forbidden):
            context.write(act, slug, guests[0].id, *given)


@pytest.mark.dear(1, "a table, played twice")
def test_a_table_on_a_screen_plays_again_and_its_new_result_counts(context: AppContext, clock: Clock) -> None:
    host, slug, _ = begun(context, stages=1)
    for number in (1, 2, 3, 4):
        context.write(entries.withdraw, slug, host.id, number)
    play_out(context, clock)
    with pytest.raises(Refused, match="say why"):
        context.write(tables_anew.annul, slug, host.id, 1, " ")
    old = counting(context)[0]
    context.write(tables_anew.annul, slug, host.id, 1, "A card was missing")
    new = counting(context)[0]
    assert new.slug != old.slug
    assert page_of(context, slug, host).tables[0].was_annulled
    play_out(context, clock)
    assert state(context, slug).stages[0].finished
    context.write(stages_service.close_stage, slug, host.id)
    assert state(context, slug).over
    assert sound(context, slug)


def test_the_table_whose_result_was_annulled_counts_after_all(context: AppContext, clock: Clock) -> None:
    host, slug, guests = begun(context, stages=1)
    gone = {name: NAMES.index(name) + 1 for name in at(context, slug, 1)}
    old = counting(context)[0]
    for number in gone.values():
        context.write(entries.withdraw, slug, guests[number - 1].id, number)
    for _ in range(400):
        clock.advance(60)
        context.write(play.run_due, old.id)
    before = state(context, slug).stages[0].tables[0].result
    assert before
    context.write(tables_anew.annul, slug, host.id, 1, "A card was missing")
    context.write(tables_anew.annul, slug, host.id, 1, "And again")
    context.write(tables_anew.reinstate, slug, host.id, 1)
    assert state(context, slug).stages[0].tables[0].result == before
    assert counting(context)[0].slug == old.slug
    assert sound(context, slug)
    with pytest.raises(Refused, match="no annulled result"):
        context.write(tables_anew.reinstate, slug, host.id, 1)


@pytest.mark.dear(1, "two tables, played to their end")
def test_no_link_brings_anybody_to_a_finished_table_that_counts_no_more(context: AppContext, clock: Clock) -> None:
    host, slug, guests = begun(context, stages=1)
    for place, table in enumerate(counting(context), 1):
        for number, name in enumerate(at(context, slug, place), 1):
            context.write(away.step_away, table.slug, guests[NAMES.index(name)].id, number)
    ann = guests[NAMES.index(at(context, slug, 1)[0])]
    token = context.write(seat_transfer.hand_over, counting(context)[0].slug, ann.id)
    play_out(context, clock)
    context.write(tables_anew.annul, slug, host.id, 1, "A card was missing")
    friend = welcome(context, "Eve")
    with refused(context, Refused, "ANNULLED"):
        context.write(seat_transfer.claim, token, friend.id, friend.name)


def test_a_table_on_paper_is_annulled_written_down_again_or_counts_after_all(context: AppContext) -> None:
    host, slug = opened(context, stages=1)
    context.write(entries.add_people, slug, host.id, "\n".join(NAMES))
    stages_service.start_stage(context, slug, host.id)
    with pytest.raises(Refused, match="no result to annul"):
        context.write(tables_anew.annul, slug, host.id, 1, "Torn")
    context.write(corrections.write_down, slug, host.id, 1, 1, ("1", "2"), "")
    context.write(tables_anew.annul, slug, host.id, 1, "Torn")
    context.write(tables_anew.reinstate, slug, host.id, 1)
    context.write(tables_anew.annul, slug, host.id, 1, "Torn all the same")
    one, two = at(context, slug, 1)[0], at(context, slug, 2)[0]
    context.write(tables_anew.move, slug, host.id, NAMES.index(one) + 1, two)
    with pytest.raises(Refused, match="no annulled result"):
        context.write(tables_anew.reinstate, slug, host.id, 1)
    for table in (1, 2):
        context.write(corrections.write_down, slug, host.id, 1, table, ("3", "1"), "")
    context.write(stages_service.close_stage, slug, host.id)
    assert sound(context, slug)


def test_somebody_without_a_device_brings_real_cards_to_a_table(context: AppContext) -> None:
    host, slug = opened(context)
    for name in NAMES[:3]:
        context.write(entries.enter, slug, welcome(context, name).id, name)
    context.write(entries.add_people, slug, host.id, "Dan")
    stages_service.start_stage(context, slug, host.id)
    paper = next(table.number for table in page_of(context, slug, host).tables if table.on_paper)
    other = at(context, slug, 3 - paper)[0]
    context.write(tables_anew.move, slug, host.id, 4, other)
    assert all(table.on_paper for table in page_of(context, slug, host).tables)
    assert not counting(context)


def test_bots_and_real_cards_stay_apart(context: AppContext) -> None:
    host, slug = opened(context)
    ann = welcome(context, "Ann")
    context.write(entries.enter, slug, ann.id, "Ann")
    context.write(entries.add_bots, slug, host.id, 3, "gentle")
    with pytest.raises(Refused, match="on paper"):
        context.write(entries.give_back, slug, host.id, 1)
    with pytest.raises(Refused, match="on paper"):
        context.write(set_up.change, slug, host.id, "Cup", plan(), {"paper": "true"})
    assert state(context, slug).entry(1).has_device


def test_whoever_goes_takes_the_name_from_annulled_tables_too(context: AppContext, clock: Clock) -> None:
    host, slug, guests = begun(context, stages=1)
    one, two = at(context, slug, 1)[0], at(context, slug, 2)[0]
    context.write(tables_anew.move, slug, host.id, NAMES.index(one) + 1, two)
    context.write(forget_player, guests[NAMES.index(one)].id)
    with context.database.reading() as connection:
        names = connection.execute(select(models.Seat.name)).scalars().all()
        told = connection.execute(select(models.Match.names)).scalars().all()
    assert one not in [*names, *(name for some in told for name in some)]
