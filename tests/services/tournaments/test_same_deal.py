"""A deal that other tables of a stage still play stays hidden, whatever the host of a table wishes."""

import pytest
from sqlalchemy import select, update

from app.services.accounts.history import stats_of
from app.services.context import AppContext
from app.services.errors import Forbidden, Refused
from app.services.queries import playback, records, stream
from app.services.queries.table_page import load_table_page
from app.services.seats import seats, spectators
from app.services.table.settings import stored
from app.services.talk import chat
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import stages as stages_service
from app.storage import models
from app.storage.cache import VersionedCache
from app.storage.writer import Transaction
from tests.factories import GAME, Guest, Party, refused, setup_with, welcome


def same_deal(
    context: AppContext, *, secret: bool = True, rounds: int | None = 1, game: str = GAME
) -> tuple[Guest, Party, Party]:
    """An organiser who does not play, and two tables of two people each in the same stage."""
    host = welcome(context, "Host")
    guests = tuple(welcome(context, name) for name in ("Ann", "Bob", "Cem", "Dot"))
    stages = [{"game": game, "options": {"rounds": rounds} if rounds else {}, "size": 2}] * 2
    plan = {"format": "swiss", "stages": stages, "players": 4, "same_deal": secret}
    slug = context.write(stages_service.open_tournament, host.id, "Cup", plan, {"bot_pace": "instant"})
    for guest in guests:
        context.write(tournament_entries.enter, slug, guest.id, guest.name)
    stages_service.start_stage(context, slug, host.id)
    with context.database.reading() as connection:
        sitting = connection.execute(
            select(models.Table.slug, models.Seat.player_id)
            .join(models.Seat, models.Seat.table_id == models.Table.id)
            .order_by(models.Table.id, models.Seat.number)
        ).all()
    by_id = {guest.id: guest for guest in guests}
    one, two = dict.fromkeys(row.slug for row in sitting)
    parties = [
        Party(context, slug, tuple(by_id[row.player_id] for row in sitting if row.slug == slug)) for slug in (one, two)
    ]
    return host, parties[0], parties[1]


def force(context: AppContext, policy: str) -> None:
    """Every table lets onlookers see this, as a host might have said before."""

    def store(transaction: Transaction) -> None:
        settings = stored(setup_with(watchers=policy, watchers_talk=True))
        transaction.connection.execute(update(models.Table).values(settings=settings))

    context.writer.run(store)
    context.snapshots = VersionedCache()  # which know of no change that was not made through a table


def sees(context: AppContext, party: Party, guest: Guest | None) -> set[str]:
    """What this person gets to see of a table, of all that there is."""
    page, seen = party.look(guest), set()
    with context.database.reading() as connection:
        board, talk = page.board, stream.talk_of(connection, page, guest.id if guest else None)
        if board.view or board.log or board.sheet or talk.older:
            seen.add("board")
        if page.replays.rounds:
            seen.add("replays")
        try:
            replay = playback.load_replay(context, connection, party.slug, guest.id if guest else None, 1, 1)
            seen.add("hands" if replay.all_open else "film")
        except Forbidden:
            pass
        try:
            records.match_record(connection, party.slug)
            seen.add("record")
        except Forbidden:
            pass
        if guest and any(past.replay for past in stats_of(connection, guest.id).past):
            seen.add("career")
    return seen


@pytest.mark.parametrize("policy", ["none", "open", "after", "delayed"])
@pytest.mark.slow
def test_nobody_sees_more_than_the_own_game_until_every_table_is_done(context: AppContext, policy: str) -> None:
    host, one, two = same_deal(context)
    force(context, policy)
    strangers = (None, welcome(context, "Zoe"), host)
    for played in (False, True):
        for table, other in ((one, two), (two, one)):
            assert all(not sees(context, table, guest) for guest in (*strangers, *other.guests)), played
            assert all(sees(context, table, guest) == {"board"} for guest in table.guests), played
        if not played:
            one.pass_round()
    assert one.look(one.guests[0]).table.is_finished
    two.pass_round()
    for table in (one, two):
        assert sees(context, table, table.guests[1]) == {"board", "replays", "hands", "record", "career"}
        shown = {"record"} if policy == "none" else {"board", "replays", "hands", "record"}
        assert sees(context, table, None) == shown


def test_between_rounds_the_hands_of_the_last_one_stay_closed(context: AppContext) -> None:
    _, one, two = same_deal(context, rounds=2)
    force(context, "after")
    one.pass_round()
    assert one.look(one.guests[0]).table.is_scoring
    assert sees(context, one, one.guests[0]) == {"board"}
    assert not sees(context, one, two.guests[0])


@pytest.mark.parametrize("policy", ["open", "after", "delayed"])
def test_a_host_opens_no_table_whose_deal_others_play(context: AppContext, policy: str) -> None:
    host, one, two = same_deal(context)
    for table in (one, two):
        with refused(context, Refused, "SAME_DEAL"):
            context.write(spectators.set_spectators, table.slug, host.id, policy)
        table.pass_round()
    context.write(spectators.set_spectators, one.slug, host.id, policy)
    assert one.look().viewer.policy == policy


def test_onlookers_do_not_talk_where_they_see_nothing(context: AppContext) -> None:
    _, one, two = same_deal(context)
    force(context, "open")
    with refused(context, Forbidden):
        one.write(chat.say, two.guests[0], "What do you hold?")
    one.write(chat.say, one.guests[0], "Hello")


def test_tables_with_deals_of_their_own_are_watched_as_the_host_says(context: AppContext) -> None:
    host, one, two = same_deal(context, secret=False)
    assert "board" in sees(context, one, two.guests[0])
    context.write(spectators.set_spectators, one.slug, host.id, "after")
    one.pass_round()
    assert sees(context, one, two.guests[0]) >= {"replays", "hands", "record"}


def test_a_game_played_again_at_a_table_keeps_the_deal_secret(context: AppContext) -> None:
    _, one, two = same_deal(context)
    force(context, "open")
    one.pass_round()
    one.write(seats.rematch, 1)
    assert not sees(context, one, two.guests[0])
    two.pass_round()
    with context.database.reading() as connection:
        assert load_table_page(context, connection, one.slug, None).board.view


def test_a_place_is_kept_once_nothing_about_it_is_secret(context: AppContext) -> None:
    _, one, two = same_deal(context)
    for party in (one, two):
        assert party.look().is_secret
        party.pass_round()
    assert not one.look().is_secret
    assert context.places.get(one.slug)
    assert not context.places.get(two.slug), "nobody has looked since"
