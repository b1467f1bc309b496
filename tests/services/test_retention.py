"""What is forgotten, and what never is."""

import pytest
from sqlalchemy import func, select

from app.services import retention
from app.services.accounts.deletion import SOMEBODY
from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.players import players
from app.services.players.players import find_player
from app.services.queries.table_page import load_table_page
from app.services.retention import DAY, forget_untouched
from app.services.seats import seat_transfer, seats
from app.services.talk import chat
from app.services.tournaments import stages
from app.storage import models
from app.storage.db import Base
from tests.conftest import Clock
from tests.factories import Party, begin, gather, nothing_changes, welcome


@pytest.fixture(autouse=True)
def without_rest(monkeypatch: pytest.MonkeyPatch, context: AppContext) -> None:
    """Thirty days, and no rest between."""
    monkeypatch.setattr(retention, "_REST", 0)
    context.forget_after = 30


def is_known(context: AppContext, token: str) -> bool:
    """Whether this browser is somebody's."""
    with context.database.reading() as connection:
        return find_player(context, connection, token) is not None


def is_there(party: Party) -> bool:
    """Whether there is the table."""
    try:
        with party.context.database.reading() as connection:
            load_table_page(party.context, connection, party.slug, None)
    except NotFound:
        return False
    return True


def test_tables_that_were_played_are_kept_and_abandoned_guests_forgotten(context: AppContext, clock: Clock) -> None:
    played, finished, gathering = begin(context, 2), begin(context, 2, rounds=1), gather(context, 2, seats=3)
    finished.pass_round()
    played.move()
    gathering.write(chat.say, 2, "Where is everybody?", "")
    gathering.write(players.new_seat_link, 2)
    gathering.write(chat.mute, 2, True)
    alone = welcome(context, "Alone")
    clock.advance(30 * DAY - 60)
    with nothing_changes(context.database):
        assert forget_untouched(context) == (0, 0)
    clock.advance(61)
    young = welcome(context, "Young")
    assert forget_untouched(context) == (1, 3)
    assert [is_there(party) for party in (played, finished, gathering)] == [True, True, False]
    everybody = [*played.guests, *finished.guests, *gathering.guests, alone, young]
    assert [is_known(context, guest.token) for guest in everybody] == [True] * 4 + [False] * 3 + [True]
    played.move()
    with nothing_changes(context.database):
        assert forget_untouched(context) == (0, 0)
    with context.database.reading() as connection:
        gone = select(models.Player.name).where(models.Player.id == alone.id)
        assert connection.execute(gone).scalar_one() == SOMEBODY


def test_nothing_that_refers_to_a_forgotten_table_is_left(context: AppContext, clock: Clock) -> None:
    gathering = gather(context, 2, seats=2)
    gathering.write(chat.say, 2, "Hello?", "")
    gathering.write(chat.mute, 2, True)
    welcome(context, "Late")
    clock.advance(31 * DAY)
    forget_untouched(context)
    with context.database.reading() as connection:
        kept = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in Base.metadata.sorted_tables
        }
    assert {name for name, count in kept.items() if count} == {"players"}


def test_a_table_that_somebody_looked_at_lately_is_kept(context: AppContext, clock: Clock) -> None:
    sat, said = gather(context, 1, seats=3), gather(context, 1, seats=3)
    clock.advance(20 * DAY)
    newcomer = welcome(context, "New")
    context.write(seats.take_seat, sat.slug, newcomer.id, 2, "New")
    said.write(chat.say, 1, "Soon?", "")
    clock.advance(20 * DAY)
    assert forget_untouched(context) == (0, 0)
    clock.advance(11 * DAY)
    assert forget_untouched(context) == (2, 3)


def test_whoever_organises_or_comes_back_is_kept(context: AppContext, clock: Clock) -> None:
    organiser, returned = welcome(context, "Olga"), welcome(context, "Rob")
    plan = {"format": "series", "stages": [{"game": "lucky_paw"}], "players": 4}
    context.write(stages.open_tournament, organiser.id, "Cup", plan)
    clock.advance(29 * DAY)
    context.write(players.new_device, returned.id)
    clock.advance(2 * DAY)
    assert forget_untouched(context) == (0, 0)


def test_whoever_sits_down_meanwhile_is_kept(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, gathering = welcome(context, "Late"), gather(context, 1, seats=2)
    clock.advance(31 * DAY)

    def sit_down() -> bool:  # they have been found, and are about to be forgotten
        context.write(seats.take_seat, gathering.slug, guest.id, 2, "Late")
        monkeypatch.setattr(retention, "_tables", lambda _before: select(models.Table.id).where(models.Table.id < 0))
        return False

    for is_over in (sit_down, lambda: False):
        assert forget_untouched(context, is_over) == (0, 0)
    guests = [guest.id, gathering.guests[0].id]
    assert context.write(retention.forget_guests, guests, clock() - 30 * DAY) == 0
    assert is_there(gathering)
    assert is_known(context, guest.token)


def test_it_can_be_switched_off_but_for_what_is_worth_nothing(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    party.write(seat_transfer.hand_over, 1)
    welcome(context, "Alone")
    context.forget_after = 0
    clock.advance(1000 * DAY)
    assert forget_untouched(context) == (0, 0)
    with context.database.reading() as connection:
        assert not connection.execute(select(models.SeatTransfer.seat_id)).all()


def test_it_stops_when_the_room_is_closed(context: AppContext, clock: Clock) -> None:
    gather(context, 1, seats=2)
    clock.advance(31 * DAY)
    assert forget_untouched(context, lambda: True) == (0, 0)
