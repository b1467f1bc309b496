"""Standing orders: kept for one round, answered by the room as ordinary moves, known to nobody else."""

import random

import pytest
from sqlalchemy import select

from app.services.context import AppContext, Notice
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.notifications.tables import YourTurn
from app.services.play import play, standing_orders
from app.services.queries.table_page import load_table_page
from app.services.seats import away, create, pause
from app.services.seats import seats as seats_service
from app.services.table.rounds import RoundCache, replay
from app.storage import models
from app.storage.rows import one_of
from tests.conftest import on_sqlite
from tests.factories import INSTANT, NAMES, Party, begin, gather, nothing_changes, refused, welcome

_EVERYTHING = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK"]


def sale(context: AppContext, seats: int = 4) -> Party:
    """Friends at a table where the first discard is for sale as soon as seat 1 leaves it."""
    guests = tuple(welcome(context, name) for name in NAMES[:seats])
    options = {"buying_from": "always", "first_dealer": seats}
    slug = context.write(create.create_table, guests[0].id, "liverpool", seats, options, INSTANT)
    party = Party(context, slug, guests)
    for seat in range(2, seats + 1):
        party.write(seats_service.take_seat, seat, seat, NAMES[seat - 1])
    party.write(seats_service.start, 1)
    return party


def leave_the_discard(party: Party) -> None:
    party.write(play.play, 1, {"move": "draw_stock"}, party.version)


def made(party: Party) -> list[tuple[int, str, int | None]]:
    """The moves of the seats: who, what, and on which page."""
    return [(row.seat, row.move["move"], row.seen) for row in party.moves() if row.seat]


def test_orders_answer_the_moment_something_is_for_sale(context: AppContext) -> None:
    party = sale(context)
    for seat in (2, 3, 4):
        party.write(standing_orders.set_orders, seat, {})
    before = party.version
    leave_the_discard(party)
    assert [move for _, move, _ in made(party)] == ["draw_stock", "pass_buy", "pass_buy", "pass_buy"]
    assert all(seen is None for _, _, seen in made(party)[1:])
    assert party.version == before + 1
    view = party.look(party.guests[0]).board.view
    assert view
    assert (view.to_act, len(view.hand)) == ((1,), 11)


def test_those_without_orders_are_asked(context: AppContext) -> None:
    party = sale(context)
    party.write(standing_orders.set_orders, 3, {"buy": _EVERYTHING})
    leave_the_discard(party)
    assert [move for _, move, _ in made(party)] == ["draw_stock", "buy"]
    view = party.look().board.view
    assert view
    assert view.to_act == (2, 4)
    party.write(play.play, 2, {"move": "pass_buy"}, party.version)
    page = party.look(party.guests[2])
    assert page.board.view
    assert len(page.board.view.hand) == 12


def test_orders_given_during_the_sale_answer_it(context: AppContext) -> None:
    party = sale(context)
    leave_the_discard(party)
    before = party.version
    party.write(standing_orders.set_orders, 2, {})
    assert made(party)[-1][:2] == (2, "pass_buy")
    assert party.version == before + 1


def test_orders_wait_while_the_game_is_paused(context: AppContext) -> None:
    party = sale(context)
    leave_the_discard(party)
    party.write(pause.pause, 1)
    before = party.version
    party.write(standing_orders.set_orders, 2, {})
    assert (made(party)[-1][:2], party.version) == ((1, "draw_stock"), before)
    party.write(away.step_away, 3, 3)
    party.write(away.come_back, 3, 3)
    assert made(party)[-1][:2] == (1, "draw_stock")
    party.write(pause.resume, 1)
    assert made(party)[-1][:2] == (2, "pass_buy")


@pytest.mark.parametrize("remembered", [True, False])
def test_an_order_tells_nobody_twice_that_it_is_their_turn(context: AppContext, *, remembered: bool) -> None:
    party = sale(context)
    leave_the_discard(party)
    told: list[Notice] = []
    context.publish = told.append
    if not remembered:
        context.rounds = RoundCache()
    party.write(standing_orders.set_orders, 2, {})
    assert made(party)[-1][:2] == (2, "pass_buy")
    party.write(standing_orders.set_orders, 3, {})
    assert told == []
    party.write(standing_orders.set_orders, 4, {})
    (notice,) = told
    assert isinstance(notice, YourTurn)
    assert notice.seats == (1,)


def test_nobody_else_learns_of_orders(context: AppContext) -> None:
    party = sale(context)
    others = (None, *party.guests[:1], *party.guests[2:])
    before = [party.look(guest) for guest in others]
    party.write(standing_orders.set_orders, 2, {"buy": ["Q"]})
    after = [party.look(guest) for guest in others]
    assert [
        (page.table.version, page.board.view, page.people.seats, page.board.log, page.board.orders) for page in before
    ] == [(page.table.version, page.board.view, page.people.seats, page.board.log, page.board.orders) for page in after]
    assert all(page.board.orders is None for page in after)
    assert party.look(party.guests[1]).board.orders == {"buy": ["Q"]}


@pytest.mark.parametrize("wishes", [[], _EVERYTHING])
def test_whatever_is_ordered_looks_the_same_while_the_sale_is_open(context: AppContext, wishes: list[str]) -> None:
    party = sale(context)
    party.write(standing_orders.set_orders, 3, {"buy": wishes})
    leave_the_discard(party)
    page = party.look(party.guests[3])
    assert page.board.view
    assert page.board.view.to_act == (2, 4)
    (answer,) = page.board.log[-1]
    assert (answer.seat, answer.buys) == (3, None)  # type: ignore[attr-defined]


def test_orders_can_be_changed_and_taken_back(context: AppContext) -> None:
    party = sale(context)
    party.write(standing_orders.set_orders, 2, {"buy": ["Q"]})
    party.write(standing_orders.set_orders, 2, {})
    assert party.look(party.guests[1]).board.orders == {"buy": []}
    party.write(standing_orders.set_orders, 2, None)
    assert party.look(party.guests[1]).board.orders is None
    leave_the_discard(party)
    assert made(party)[-1][1] == "draw_stock"


def test_the_record_of_ordered_moves_replays_exactly(context: AppContext) -> None:
    party = sale(context)
    party.write(standing_orders.set_orders, 2, {"buy": _EVERYTHING})
    leave_the_discard(party)
    with context.database.reading() as connection:
        stored = one_of(connection, select(models.Match))
        again = replay(connection, "liverpool", stored)
        seen = load_table_page(context, connection, party.slug, party.guests[1].id)
    assert again.match.game.view(again.match.round, 2) == seen.board.view
    assert again.log[-1] != ()


@on_sqlite
def test_orders_end_with_the_round(context: AppContext) -> None:
    party = sale(context, 3)
    party.write(standing_orders.set_orders, 2, {})
    party.write(standing_orders.set_orders, 3, {})
    party.play_round(random.Random(1))
    assert [party.look(guest).board.orders for guest in party.guests] == [None, None, None]


def test_orders_are_for_seats_of_a_round_in_play(context: AppContext) -> None:
    party = sale(context, 3)
    mallory, gathering = welcome(context, "Mallory"), gather(context, 2)
    with refused(context, Forbidden):
        party.write(standing_orders.set_orders, mallory, {})
    with nothing_changes(context.database), pytest.raises(NotFound):
        context.write(standing_orders.set_orders, "nowhere", party.guests[0].id, {})
    with refused(context, Conflict):
        gathering.write(standing_orders.set_orders, 1, {})


def test_orders_that_mean_nothing_are_refused(context: AppContext) -> None:
    party = sale(context, 3)
    for wrong in ({"buy": "everything"}, {"buy": [["Q"]]}, {"sell": "Q"}):
        with refused(context, Refused, "BAD_MOVE"):
            party.write(standing_orders.set_orders, 2, wrong)
    elsewhere = begin(context, 2)
    with refused(context, Refused, "NO_ORDERS"):
        elsewhere.write(standing_orders.set_orders, 1, {})
