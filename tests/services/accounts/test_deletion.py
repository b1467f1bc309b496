"""Deleting a guest: no row keeps the name, nobody is left waiting, the others' games go on."""

import random
from collections.abc import Sequence

import pytest
from sqlalchemy import select, update

from app.services.accounts.deletion import SOMEBODY, forget_at_wish, forget_player
from app.services.accounts.export import export_of
from app.services.context import AppContext
from app.services.errors import Broken, NotFound, Refused
from app.services.integrity.tournaments import faults_of_tournament
from app.services.notifications import subscriptions
from app.services.play import hints, play
from app.services.players import links, players
from app.services.seats import away, create, hosts, pause, seat_transfer, seats
from app.services.table import open_table
from app.services.table.activity import deed_of
from app.services.talk import chat
from app.services.tournaments import corrections, stages
from app.services.tournaments import entries as tournament_entries
from app.storage import models
from app.storage.rows import all_of, seats_at
from app.storage.writer import Transaction
from snug.bots.reasons import Advice
from snug.words import gettext
from tests.conftest import Clock, OpenContext
from tests.factories import Guest, Party, begin, dump, gather, refused, setup_with, welcome
from tests.services.play.test_hints import ask, mover
from tests.services.tournaments.test_stages import opened, play_out, playing, state
from tests.thinking import Quick
from tests.web.every_route import FIELDS

NAME = "Zebedee"


def is_gone(context: AppContext) -> bool:
    """Whether no row of any table has the name."""
    return NAME not in repr(dump(context.database))


def seats_of(context: AppContext, party: Party) -> Sequence[models.Seat]:
    with context.database.reading() as connection:
        return seats_at(connection, party.row.id)


def with_zebedee(
    context: AppContext, others: int = 1, rounds: int = 2, *, has_hints: bool = False
) -> tuple[Guest, Party]:
    """Zebedee hosts a game with Alice and the rest."""
    guest, rules = welcome(context, NAME), {"rounds": rounds}
    slug = context.write(create.create_table, guest.id, "lucky_paw", others + 1, rules, setup_with(hints=has_hints))
    guests = [guest]
    for number in range(2, others + 2):
        guests.append(welcome(context, f"Friend {number}"))
        context.write(seats.take_seat, slug, guests[-1].id, number, guests[-1].name)
    return guest, Party(context, slug, tuple(guests))


def test_every_trace_of_the_name_goes(context: AppContext) -> None:
    guest, party = with_zebedee(context, others=2)
    context.write(players.prefer, guest.id, {"deck": "two"})
    keys = FIELDS["/push"]
    context.write(subscriptions.subscribe, guest.id, "https://fcm.googleapis.com/x", keys["p256dh"], keys["auth"])
    party.write(seats.start, 1)
    party.write(chat.say, 1, f"I am {NAME}")
    party.write(chat.say, 2, "Evening")
    party.write(chat.mute, 1, True)
    party.write(players.new_seat_link, 1)
    context.write(links.new_recovery_link, guest.id)
    party.write(pause.pause, 1)
    assert not is_gone(context)
    context.write(forget_player, guest.id)
    assert is_gone(context)
    rows = dump(context.database)
    assert not rows["subscriptions"]
    assert not rows["mutes"]
    with context.database.reading() as connection:
        words = select(models.Message.name, models.Message.text).where(models.Message.kind != "news")
        said = connection.execute(words).all()
        assert players.find_player(context, connection, guest.token) is None
        player = connection.execute(select(models.Player).where(models.Player.id == guest.id)).one()
    assert sorted(map(tuple, said)) == [("Friend 2", "Evening"), (SOMEBODY, "…")]
    assert (player.name, player.preferences, player.recovery_hash) == (SOMEBODY, {}, None)
    assert party.row.host_id == party.guests[1].id
    assert party.look().clock.paused_by == SOMEBODY


def test_a_bot_plays_on_for_good(context: AppContext) -> None:
    guest, party = with_zebedee(context, rounds=1)
    party.write(seats.start, 1)
    party.move(1)
    party.write(seat_transfer.hand_over, 1)
    context.write(forget_player, guest.id)
    mine = seats_of(context, party)[0]
    assert (mine.player_id, mine.name, bool(mine.bot)) == (None, SOMEBODY, True)
    with context.database.reading() as connection:
        assert not connection.execute(select(models.SeatTransfer)).all(), "no link leads to that seat"
    for _ in range(200):
        if party.row.status == open_table.FINISHED:
            break
        if party.turn():
            party.move()
        else:
            context.write(play.run_due, party.row.id)
    assert party.row.status == open_table.FINISHED
    with context.database.reading() as connection:
        results = connection.execute(select(models.Result).order_by(models.Result.seat)).all()
    assert [(row.player_id, bool(row.bot)) for row in results] == [(None, True), (party.guests[1].id, False)]
    assert party.look().board.sheet.competitors[0].name == SOMEBODY  # type: ignore[union-attr]


def test_between_rounds_nobody_waits_for_who_is_gone(context: AppContext) -> None:
    guest, party = with_zebedee(context)
    party.write(seats.start, 1)
    party.pass_round()
    party.write(play.set_ready, 2)
    assert party.row.status == open_table.SCORES
    context.write(forget_player, guest.id)
    assert party.row.status == open_table.PLAYING


def test_before_the_start_the_seat_is_free_again(context: AppContext) -> None:
    guest, party = with_zebedee(context)
    context.write(forget_player, guest.id)
    assert seats_of(context, party)[0].name == ""
    assert party.row.host_id == party.guests[1].id
    dave = welcome(context, "Dave")
    party.write(seats.take_seat, dave, 1, "Dave")
    party.write(seats.start, 2)
    assert party.row.status == open_table.PLAYING


def test_finished_matches_keep_their_moves_and_places(context: AppContext) -> None:
    guest, party = with_zebedee(context, rounds=1)
    party.write(seats.start, 1)
    party.play_round(random.Random(1))
    before = dump(context.database)
    context.write(forget_player, guest.id)
    after = dump(context.database)
    assert is_gone(context)
    assert after["moves"] == before["moves"]
    assert after["rounds"] == before["rounds"]
    with context.database.reading() as connection:
        mine = connection.execute(select(models.Result).where(models.Result.seat == 1)).one()
    assert (mine.player_id, mine.name) == (None, SOMEBODY)
    party.write(seats.rematch, 2)
    assert party.row.status == open_table.PLAYING


def test_who_was_replaced_by_a_bot_leaves_no_name_either(context: AppContext) -> None:
    guest, party = with_zebedee(context)
    party.write(seats.start, 1)
    party.write(hosts.hand_over, 1, 2)
    party.write(away.replace, 2, 1, "gentle")
    assert not is_gone(context)
    context.write(forget_player, guest.id)
    assert is_gone(context)


def test_two_who_go_are_told_apart(context: AppContext) -> None:
    party = begin(context, 3, rounds=2)
    for number in (1, 2):
        context.write(forget_player, party.guests[number - 1].id)
    assert [seat.name for seat in seats_of(context, party)] == [SOMEBODY, f"{SOMEBODY} 2", "Carol"]
    with context.database.reading() as connection:
        names = connection.execute(select(models.Match.names)).scalar_one()
    assert names == [SOMEBODY, f"{SOMEBODY} 2", "Carol"]


def test_others_keep_everything(context: AppContext) -> None:
    guest, party = with_zebedee(context)
    other = party.guests[1]
    context.write(players.prefer, other.id, {"deck": "two"})
    link = context.write(links.new_recovery_link, other.id)
    context.write(forget_player, guest.id)
    with context.database.reading() as connection:
        assert players.find_player(context, connection, other.token).name == "Friend 2"  # type: ignore[union-attr]
        assert links.player_of_link(context, connection, link).id == other.id


def test_the_recovery_link_of_who_is_gone_is_dead(context: AppContext) -> None:
    guest = welcome(context, NAME)
    link = context.write(links.new_recovery_link, guest.id)
    context.write(forget_player, guest.id)
    with refused(context, NotFound):
        context.write(links.follow_recovery_link, link)


def test_an_organiser_ends_the_tournament_first(context: AppContext) -> None:
    host, slug = opened(context)
    with refused(context, Refused, "ORGANISES"):
        context.write(forget_player, host.id)
    context.write(corrections.end, slug, host.id, "Late")
    context.write(forget_player, host.id)


def test_what_was_announced_goes_with_who_said_it_and_the_chain_stands(context: AppContext) -> None:
    host, slug = opened(context)
    helper = welcome(context, NAME)
    context.write(tournament_entries.enter, slug, helper.id, NAME)
    context.write(corrections.let_help, slug, host.id, 1, True)
    context.write(corrections.announce, slug, host.id, "Cake is in the kitchen")
    context.write(corrections.announce, slug, helper.id, f"So says {NAME}")
    with context.database.reading() as connection:
        taken_along = export_of(connection, helper.id)["done_in_tournaments"]
    assert [line["text"] for line in taken_along] == [None, f"So says {NAME}"]
    context.write(forget_player, helper.id)
    assert is_gone(context)
    assert state(context, slug).announcements == ("Cake is in the kitchen", "…")
    with context.database.reading() as connection:
        (this,) = connection.execute(select(models.Tournament.id)).scalars()
        assert faults_of_tournament(connection, this) == []


@pytest.mark.parametrize("is_frozen", [False, True])
def test_nobody_s_hints_say_the_name_any_more(
    context: AppContext, monkeypatch: pytest.MonkeyPatch, is_frozen: bool
) -> None:
    context.thinkers = Quick()
    guest, party = with_zebedee(context, has_hints=True)
    party.write(seats.start, 1)
    monkeypatch.setattr(
        hints,
        "advice_of",
        lambda _game, _view, _thought, names: Advice(gettext("Play before %(name)s.", name=names[0]), gettext("Do.")),
    )
    while mover(party) == guest:
        party.move()
    ask(party, mover(party))
    assert NAME in repr([seat.hints for seat in seats_of(context, party)])
    if is_frozen:
        context.freeze(Broken(party.slug, "for this test"))
    context.write(forget_player, guest.id)
    assert is_gone(context)


@pytest.mark.parametrize("drop_out", ["bot", "reserve", "frozen"])
@pytest.mark.parametrize("when", ["before", "playing", "left", "over"])
@pytest.mark.slow
def test_a_tournament_goes_on_without_who_is_gone(context: AppContext, clock: Clock, drop_out: str, when: str) -> None:
    host, slug = opened(context, drop_out=drop_out)
    guest = welcome(context, NAME)
    context.write(tournament_entries.enter, slug, guest.id, NAME)
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    if when == "before":
        context.write(forget_player, guest.id)
        assert is_gone(context)
        assert len(state(context, slug).active) == 3
        return
    stages.start_stage(context, slug, host.id)
    if when == "left":
        context.write(tournament_entries.withdraw, slug, guest.id, 1)
        play_out(context, clock)
        context.write(stages.close_stage, slug, host.id)
        if drop_out == "bot":
            stages.start_stage(context, slug, host.id)
    if when == "over":
        play_together(context, clock)
        context.write(stages.close_stage, slug, host.id)
        context.write(corrections.end, slug, host.id, "Late")
    context.write(forget_player, guest.id)
    assert is_gone(context)
    if when == "playing":
        assert all(seat.bot for seat in everybody(context))
        play_out(context, clock)
        context.write(stages.close_stage, slug, host.id)
        assert not playing(context)
        if drop_out == "bot":
            stages.start_stage(context, slug, host.id)
    assert is_gone(context)
    assert state(context, slug).entries[0].name == SOMEBODY


def play_together(context: AppContext, clock: Clock) -> None:
    """Every table is played to its end, by people and bots."""
    while tables_left := playing(context):
        clock.advance(60)
        for table in tables_left:
            if Party(context, table.slug, ()).turn():
                Party(context, table.slug, ()).move()
            else:
                context.write(play.run_due, table.id)


def everybody(context: AppContext) -> Sequence[models.Seat]:
    with context.database.reading() as connection:
        return all_of(connection, select(models.Seat))


def test_a_table_heard_from_as_an_onlooker_forgets_too(context: AppContext) -> None:
    guest = welcome(context, NAME)
    party = gather(context, 2)
    party.write(chat.set_talk, 1, "free", True)
    party.write(chat.say, guest, "Hello")
    version = party.version
    context.write(forget_player, guest.id)
    assert is_gone(context)
    assert party.version > version


def test_no_trace_is_left_in_the_news_of_a_table(context: AppContext) -> None:
    guest, party = with_zebedee(context, others=2)
    zoe = welcome(context, "Zoe")
    party.write(seats.start, 1)
    party.write(hosts.hand_over, 1, 2)
    party.write(seat_transfer.reissue, 2, 1)
    party.write(away.step_away, 2, 1)
    party.write(seat_transfer.hand_over, 1)
    late = begin(context, 2)
    late.write(seat_transfer.wait, guest, NAME)
    token = party.write(seat_transfer.hand_over, 1)
    context.write(seat_transfer.claim, token, zoe.id, zoe.name)
    assert not is_gone(context)
    context.write(forget_player, guest.id)
    assert is_gone(context)
    rows = dump(context.database)
    assert not rows["waiting_guests"]
    assert not rows["seat_losses"]
    assert party.look(zoe).viewer.seat == 1


def with_two_annas(context: AppContext) -> tuple[Guest, Guest, Party]:
    """One Anna paused the game and lost her seat to a bot; then another took over Carol's."""
    first, second = welcome(context, "Anna"), welcome(context, "Anna")
    party = gather(context, 1, seats=3)
    party.write(seats.take_seat, first, 2, first.name)
    party.write(seats.take_seat, welcome(context, "Carol"), 3, "Carol")
    party.write(seats.start, 1)
    party.write(hosts.name_cohost, 1, 2, True)
    party.write(pause.pause, first)
    party.write(away.replace, 1, 2, "gentle")
    with context.database.reading() as connection:
        carol = connection.execute(select(models.Player.id).where(models.Player.name == "Carol")).scalar_one()
    token = context.write(seat_transfer.hand_over, party.slug, carol)
    context.write(seat_transfer.claim, token, second.id, second.name)
    party.write(away.step_away, 1, 3)
    return first, second, party


def news_of(party: Party) -> list[str]:
    """What was done to the table, oldest first, and who has paused the game."""
    with party.context.database.reading() as connection:
        told = select(models.Message).where(models.Message.kind == "news").order_by(models.Message.number)
        lines = [deed_of(line.text).told(line.name, line.other) for line in connection.execute(told)]
    return [*(line.removesuffix(".") for line in lines), f"by {party.row.paused_by}"]


_FIRST = [
    "Alice made {} a co-host",
    "{} paused the game",
    "Alice gave the seat of {} to a bot",
    "by {}",
]
_SECOND = ["{} took over the seat of Carol", "Alice let a bot play on for {}"]


def test_somebody_else_of_the_same_name_keeps_it_in_the_log(context: AppContext) -> None:
    first, second, party = with_two_annas(context)
    assert sorted(news_of(party)) == sorted(line.format("Anna") for line in _FIRST + _SECOND)
    context.write(forget_player, second.id)
    left = [line.format("Anna") for line in _FIRST] + [line.format(SOMEBODY) for line in _SECOND]
    assert sorted(news_of(party)) == sorted(left)
    context.write(forget_player, first.id)
    assert sorted(news_of(party)) == sorted(line.format(SOMEBODY) for line in _FIRST + _SECOND)


def test_who_paused_the_game_and_left_keeps_the_name_when_another_goes(context: AppContext) -> None:
    party = begin(context, 3)
    party.write(hosts.name_cohost, 1, 2, True)
    party.write(pause.pause, 2)
    party.write(away.replace, 1, 2, "gentle")
    context.write(forget_player, party.guests[2].id)
    assert party.row.paused_by == "Bob"


def test_an_entry_that_a_friend_plays_on_loses_only_the_name_of_who_signed_up(context: AppContext) -> None:
    host, slug = opened(context)
    guest, friend = welcome(context, NAME), welcome(context, "Zoe")
    context.write(tournament_entries.enter, slug, guest.id, NAME)
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    stages.start_stage(context, slug, host.id)
    with context.database.reading() as connection:
        tables_of = select(models.Table.slug).join(models.Seat).where(models.Seat.player_id == guest.id)
        table = connection.execute(tables_of).scalar_one()
    context.write(seat_transfer.claim, context.write(seat_transfer.hand_over, table, guest.id), friend.id, friend.name)
    context.write(forget_player, friend.id)
    assert state(context, slug).entries[0].name == NAME
    context.write(forget_player, guest.id)
    assert state(context, slug).entries[0].name == SOMEBODY
    assert is_gone(context)


def test_a_bot_of_the_same_name_at_another_table_of_the_tournament_keeps_it(context: AppContext) -> None:
    host, slug = opened(context)
    guest = welcome(context, "Nora")
    context.write(tournament_entries.enter, slug, guest.id, guest.name)
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    stages.start_stage(context, slug, host.id)
    with context.database.reading() as connection:
        mine = select(models.Seat.table_id).where(models.Seat.player_id == guest.id).scalar_subquery()
        elsewhere = select(models.Seat.table_id, models.Seat.number).where(models.Seat.table_id != mine)
        table_id, number = connection.execute(elsewhere.limit(1)).one()

    def seat_nora(_context: AppContext, transaction: Transaction, /) -> None:
        seat = (models.Seat.table_id == table_id, models.Seat.number == number)
        transaction.connection.execute(update(models.Seat).where(*seat).values(name="Nora"))

    context.write(seat_nora)
    context.write(forget_player, guest.id)
    assert [seat.table_id for seat in everybody(context) if seat.name == "Nora"] == [table_id]


@pytest.mark.postgres
def test_who_is_forgotten_waits_for_nobody_who_only_names_them(open_context: OpenContext, postgres_url: str) -> None:
    context = open_context(f"{postgres_url}&options=-c%20lock_timeout%3D2s")
    ann = welcome(context, "Ann")
    with context.database.reading() as connection:
        named = select(models.Player.id).filter_by(id=ann.id).with_for_update(read=True, key_share=True)
        assert connection.execute(named).one()  # as a row with a foreign key does
        context.write(forget_at_wish, ann.id, ann.token)
    assert "Ann" not in repr(dump(context.database))
