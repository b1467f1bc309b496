"""Who takes a place at a tournament's table while it plays: nothing of whoever had it goes on to him."""

from typing import Any

import pytest
from sqlalchemy import select, update

from app.services.accounts.export import export_of
from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound
from app.services.play import hand_order, play
from app.services.seats import hosts, seat_transfer
from app.services.tournaments import corrections
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import log as tournament_log
from app.storage import models
from app.storage.writer import Transaction
from tests.factories import Guest, Party, refused, welcome
from tests.services.seats.test_seat_transfer import moves_of, news
from tests.services.tournaments.test_same_deal import same_deal


def stand_by(context: AppContext, name: str) -> tuple[str, Guest]:
    """The only tournament, and a guest on its reserve list."""
    with context.database.reading() as connection:
        slug = connection.execute(select(models.Tournament.slug)).scalar_one()
    guest = welcome(context, name)
    context.write(tournament_entries.enter, slug, guest.id, name)
    return slug, guest


def number_of(context: AppContext, guest: Guest) -> int:
    """The guest's entry."""
    with context.database.reading() as connection:
        mine = models.TournamentEntry.player_id == guest.id
        return connection.execute(select(models.TournamentEntry.number).where(mine)).scalar_one()


def put_in(context: AppContext, slug: str, host: Guest, leaver: Guest, reserve: Guest) -> None:
    """The organiser gives the leaver's place to the reserve."""
    numbers = number_of(context, leaver), number_of(context, reserve)
    context.write(tournament_entries.replace, slug, host.id, *numbers)


def test_the_cards_that_lie_dealt_stay_closed_to_a_reserve(context: AppContext) -> None:
    host, one, _ = same_deal(context, rounds=2)
    bob, ann = one.guests[1], one.guests[0]
    slug, zoe = stand_by(context, "Zoe")
    put_in(context, slug, host, bob, zoe)
    page = one.look(zoe)
    assert (page.viewer.seat, page.viewer.closed_seat, page.people.seats[1].name, page.people.seats[1].is_away) == (
        None,
        2,
        "Zoe",
        True,
    )
    assert page.board.view
    assert page.board.view.seat is None
    assert moves_of(page) == ()
    assert news(one, ann)[0] == f"Zoe took the place of {bob.name}: the cards stay closed until the next deal"
    assert (one.look(bob).viewer.seat, one.look(bob).transfer.lost_how) == (None, "replaced")
    with refused(context, Conflict):
        one.write(play.play, zoe, {"move": "pass"}, one.version)
    after = Party(context, one.slug, (ann, zoe))
    while not after.look(ann).table.is_scoring:
        if after.look(ann).people.my_turn:
            after.write(play.play, ann, {"move": "pass"}, after.version)
        else:
            context.write(play.run_due, after.row.id)
    after.everybody_is_ready()
    assert (after.look(zoe).viewer.seat, after.look(zoe).viewer.closed_seat) == (2, None)


def test_nothing_of_the_leaver_goes_on_to_the_reserve(context: AppContext) -> None:
    """Neither a link to the seat, nor a part at the table, nor what tells of the hand."""
    host, one, _ = same_deal(context, rounds=2)
    bob = one.guests[1]
    token = one.write(seat_transfer.hand_over, bob)
    context.write(hosts.name_cohost, one.slug, host.id, 2, True)
    view = one.look(bob).board.view
    assert view
    cards = [str(card) for card in list(view.hand)[:5]] or ["7C"]
    one.write(hand_order.arrange_hand, bob, "", cards, one.version)
    slug, zoe = stand_by(context, "Zoe")
    put_in(context, slug, host, bob, zoe)
    friend = welcome(context, "Friend")
    with refused(context, NotFound):
        context.write(seat_transfer.claim, token, friend.id, friend.name)
    assert not one.look(zoe).viewer.may_host
    with context.database.reading() as connection:
        (seat,) = export_of(connection, zoe.id)["seats"]
    assert (seat["hand_order"], seat["standing_orders"], seat["co_host"]) == (None, None, False)


def test_who_is_replaced_helps_no_more(context: AppContext) -> None:
    host, one, _ = same_deal(context, rounds=2)
    bob = one.guests[1]
    slug, zoe = stand_by(context, "Zoe")
    context.write(corrections.let_help, slug, host.id, number_of(context, bob), True)
    context.write(corrections.adjust, slug, bob.id, number_of(context, bob), "1", "Late")
    put_in(context, slug, host, bob, zoe)
    with refused(context, Forbidden):
        context.write(corrections.adjust, slug, bob.id, number_of(context, bob), "9", "Because")
    with context.database.reading() as connection:
        last: Any = tournament_log.folded(connection, tournament_log.find(connection, slug)).log[-1]
    assert (type(last).__name__, last.role) == ("Entrusted", "none")


@pytest.mark.parametrize("by_organiser", [True, False])
def test_a_bot_that_follows_a_leaver_has_no_part_at_the_table(context: AppContext, by_organiser: bool) -> None:
    host, one, _ = same_deal(context, rounds=2)
    bob = one.guests[1]

    def store(transaction: Transaction) -> None:
        transaction.connection.execute(update(models.Seat).where(models.Seat.player_id == bob.id).values(cohost=True))

    context.writer.run(store)
    slug, zoe = stand_by(context, "Zoe")
    context.write(tournament_entries.withdraw, slug, (host if by_organiser else bob).id, number_of(context, bob))
    seat = one.look().people.seats[1]
    assert seat.name != "Zoe" or not seat.is_cohost
    assert one.look(zoe).viewer.seat is None
