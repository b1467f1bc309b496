"""Standing orders: kept for one round, answered by the room as ordinary moves, known to nobody else."""

import pytest
from sqlalchemy import select

from app import models
from app.services import absence, orders, play, tables
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.house import House, Occasion
from app.services.replays import Replays, replay
from app.services.room import load_room
from tests.factories import NAMES, Party, begin, gather, nothing_changes, refused, welcome

_EVERYTHING = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK"]


def sale(house: House, seats: int = 4) -> Party:
    """Friends at a table where the first discard is for sale as soon as seat 1 leaves it."""
    guests = tuple(welcome(house, name) for name in NAMES[:seats])
    options = {"buying_from": "always", "first_dealer": seats}
    slug = house.write(tables.open_table, guests[0].id, "liverpool", seats, options, "instant", "open")
    party = Party(house, slug, guests)
    for seat in range(2, seats + 1):
        party.write(tables.take_seat, seat, seat, NAMES[seat - 1])
    party.write(tables.start, 1)
    return party


def leave_the_discard(party: Party) -> None:
    party.write(play.play, 1, {"move": "draw_stock"}, party.version)


def made(party: Party) -> list[tuple[int, str, int | None]]:
    """The moves of the seats: who, what, and on which page."""
    return [(row.seat, row.move["move"], row.seen) for row in party.moves() if row.seat]


def test_orders_answer_the_moment_something_is_for_sale(house: House) -> None:
    party = sale(house)
    for seat in (2, 3, 4):
        party.write(orders.set_orders, seat, {})
    before = party.version
    leave_the_discard(party)
    assert [move for _, move, _ in made(party)] == ["draw_stock", "pass_buy", "pass_buy", "pass_buy"]
    assert all(seen is None for _, _, seen in made(party)[1:])
    assert party.version == before + 1
    view = party.look(party.guests[0]).view
    assert view
    assert (view.to_act, len(view.hand)) == ((1,), 11)  # type: ignore[attr-defined]


def test_those_without_orders_are_asked(house: House) -> None:
    party = sale(house)
    party.write(orders.set_orders, 3, {"buy": _EVERYTHING})
    leave_the_discard(party)
    assert [move for _, move, _ in made(party)] == ["draw_stock", "buy"]
    view = party.look().view
    assert view
    assert view.to_act == (2, 4)
    party.write(play.play, 2, {"move": "pass_buy"}, party.version)
    room = party.look(party.guests[2])
    assert room.view
    assert len(room.view.hand) == 12  # type: ignore[attr-defined]


def test_orders_given_during_the_sale_answer_it(house: House) -> None:
    party = sale(house)
    leave_the_discard(party)
    before = party.version
    party.write(orders.set_orders, 2, {})
    assert made(party)[-1][:2] == (2, "pass_buy")
    assert party.version == before + 1


def test_orders_wait_while_the_game_is_paused(house: House) -> None:
    party = sale(house)
    leave_the_discard(party)
    party.write(absence.pause, 1)
    before = party.version
    party.write(orders.set_orders, 2, {})
    assert (made(party)[-1][:2], party.version) == ((1, "draw_stock"), before)
    party.write(absence.step_away, 3, 3)
    party.write(absence.come_back, 3, 3)
    assert made(party)[-1][:2] == (1, "draw_stock")
    party.write(absence.resume, 1)
    assert made(party)[-1][:2] == (2, "pass_buy")


@pytest.mark.parametrize("remembered", [True, False])
def test_an_order_tells_nobody_twice_that_it_is_their_turn(house: House, *, remembered: bool) -> None:
    party = sale(house)
    leave_the_discard(party)
    told: list[Occasion] = []
    house.tell = told.append
    if not remembered:
        house.replays = Replays()
    party.write(orders.set_orders, 2, {})
    assert made(party)[-1][:2] == (2, "pass_buy")
    party.write(orders.set_orders, 3, {})
    assert told == []
    party.write(orders.set_orders, 4, {})
    assert [(occasion.event, occasion.seats) for occasion in told] == [("turn", (1,))]


def test_nobody_else_learns_of_orders(house: House) -> None:
    party = sale(house)
    others = (None, *party.guests[:1], *party.guests[2:])
    before = [party.look(guest) for guest in others]
    party.write(orders.set_orders, 2, {"buy": ["Q"]})
    after = [party.look(guest) for guest in others]
    assert [(room.version, room.view, room.seats, room.log, room.orders) for room in before] == [
        (room.version, room.view, room.seats, room.log, room.orders) for room in after
    ]
    assert all(room.orders is None for room in after)
    assert party.look(party.guests[1]).orders == {"buy": ["Q"]}


@pytest.mark.parametrize("wishes", [[], _EVERYTHING])
def test_whatever_is_ordered_looks_the_same_while_the_sale_is_open(house: House, wishes: list[str]) -> None:
    party = sale(house)
    party.write(orders.set_orders, 3, {"buy": wishes})
    leave_the_discard(party)
    room = party.look(party.guests[3])
    assert room.view
    assert room.view.to_act == (2, 4)
    (answer,) = room.log[-1]
    assert (answer.seat, answer.buys) == (3, None)  # type: ignore[attr-defined]


def test_orders_can_be_changed_and_taken_back(house: House) -> None:
    party = sale(house)
    party.write(orders.set_orders, 2, {"buy": ["Q"]})
    party.write(orders.set_orders, 2, {})
    assert party.look(party.guests[1]).orders == {"buy": []}
    party.write(orders.set_orders, 2, None)
    assert party.look(party.guests[1]).orders is None
    leave_the_discard(party)
    assert made(party)[-1][1] == "draw_stock"


def test_the_record_of_ordered_moves_replays_exactly(house: House) -> None:
    party = sale(house)
    party.write(orders.set_orders, 2, {"buy": _EVERYTHING})
    leave_the_discard(party)
    with house.database.reading() as connection:
        stored = connection.execute(select(models.Match)).one()
        again = replay(connection, "liverpool", stored)
        seen = load_room(house, connection, party.slug, party.guests[1].id)
    assert again.match.rules.view(again.match.round, 2) == seen.view
    assert again.log[-1] != ()


def test_orders_end_with_the_round(house: House) -> None:
    party = sale(house, 3)
    party.write(orders.set_orders, 2, {})
    party.write(orders.set_orders, 3, {})
    while party.look().is_playing:
        turn = party.turn()
        assert turn
        last = next(at for at in range(len(turn.moves) - 1, -1, -1) if turn.moves[at]["move"] != "lay_down")
        party.move(last)
    assert [party.look(guest).orders for guest in party.guests] == [None, None, None]


def test_orders_are_for_seats_of_a_round_in_play(house: House) -> None:
    party = sale(house, 3)
    mallory, gathering = welcome(house, "Mallory"), gather(house, 2)
    with refused(house, Forbidden):
        party.write(orders.set_orders, mallory, {})
    with nothing_changes(house.database), pytest.raises(NotFound):
        house.write(orders.set_orders, "nowhere", party.guests[0].id, {})
    with refused(house, Conflict):
        gathering.write(orders.set_orders, 1, {})


def test_orders_that_mean_nothing_are_refused(house: House) -> None:
    party = sale(house, 3)
    for wrong in ({"buy": "everything"}, {"buy": [["Q"]]}, {"sell": "Q"}):
        with refused(house, Refused, "BAD_MOVE"):
            party.write(orders.set_orders, 2, wrong)
    elsewhere = begin(house, 2)
    with refused(house, Refused, "NO_ORDERS"):
        elsewhere.write(orders.set_orders, 1, {})
