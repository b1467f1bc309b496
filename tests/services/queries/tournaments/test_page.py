"""What the page of a tournament is made from."""

import msgspec

from app.services.context import AppContext
from app.services.queries.tournaments.load import load_tournament_page
from app.services.queries.tournaments.page import TournamentPage
from app.services.tournaments import corrections, entries, stages, tables_anew
from tests.factories import GAME, welcome


def test_only_teams_that_have_room_are_offered(context: AppContext) -> None:
    host = welcome(context, "Host")
    plan = {"format": "swiss", "stages": [{"game": GAME, "size": 2}], "players": 8, "teams": {"size": 2}}
    slug = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand"})
    for name, team in (("Ann", "Owls"), ("Ben", "Owls"), ("Cem", "Larks")):
        context.write(entries.enter, slug, welcome(context, name).id, name, team)
    with context.database.reading() as connection:
        assert load_tournament_page(context, connection, slug, host.id).teams == ("Larks",)


def _playing(context: AppContext, people: int, stages_played: int = 0) -> TournamentPage:
    """The page of one of these people, who also organises, while a stage on paper is played."""
    host = welcome(context, "Host")
    plan = {"format": "swiss", "stages": [{"game": GAME, "size": 2}] * 2, "players": people}
    slug = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand", "paper": True})
    context.write(entries.enter, slug, host.id, "Host")
    context.write(entries.add_people, slug, host.id, "\n".join(f"Guest {at}" for at in range(1, people)))
    for stage in range(1, stages_played + 1):
        stages.start_stage(context, slug, host.id)
        for table in range(1, people // 2 + 1):
            context.write(corrections.write_down, slug, host.id, stage, table, ("12", "7"), "")
        context.write(stages.close_stage, slug, host.id)
    stages.start_stage(context, slug, host.id)
    with context.database.reading() as connection:
        return load_tournament_page(context, connection, slug, host.id)


def test_it_is_ones_turn_when_ones_own_seat_acts(context: AppContext) -> None:
    page = _playing(context, 4)
    assert page.my_table is not None
    assert not page.is_my_turn, "on paper nobody acts"
    for acts, mine in ((seat.name, seat.name == "Host") for seat in page.my_table.seats):
        seats = tuple(msgspec.structs.replace(seat, acts=seat.name == acts) for seat in page.my_table.seats)
        table = msgspec.structs.replace(page.my_table, seats=seats)
        shown = tuple(table if one.is_mine else one for one in page.tables)
        assert msgspec.structs.replace(page, tables=shown).is_my_turn == mine


def test_six_lead_and_whoever_looks_is_among_them(context: AppContext) -> None:
    assert [row.place for row in _playing(context, 8).leaders] == [1] * 6
    page = _playing(context, 8, 1)
    assert [row.place for row in page.leaders] == [1, 1, 1, 1, 5, 5]
    rows = tuple(msgspec.structs.replace(row, is_me=False) for row in page.standings)
    last = (*rows[:-1], msgspec.structs.replace(rows[-1], is_me=True))
    assert msgspec.structs.replace(page, so_far=last).leaders == (*rows[:5], last[-1])


def test_the_table_that_was_done_last_is_told_with_its_winners(context: AppContext) -> None:
    page = _playing(context, 4, 1)
    assert page.newest is None, "no table of this stage is done"
    slug, host = page.row.slug, page.row.organiser_id
    assert host
    for table, scores in ((2, ("12", "12")), (1, ("7", "12"))):
        context.write(corrections.write_down, slug, host, 2, table, scores, "")
        with context.database.reading() as connection:
            page = load_tournament_page(context, connection, slug, host)
        seats = page.tables[table - 1].seats
        winners = tuple(seat.name for seat in seats if seat.leads)
        assert page.newest == (table, winners)
        assert len(winners) == (2 if table == 2 else 1)
    assert msgspec.structs.replace(page, is_secret=True).newest is None
    context.write(tables_anew.annul, slug, host, 1, "The cards were wet")
    with context.database.reading() as connection:
        page = load_tournament_page(context, connection, slug, host)
    assert page.newest
    assert page.newest[0] == 2
