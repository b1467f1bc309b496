"""Recovery links and signing out."""

from sqlalchemy import select

from app import models
from app.services import devices, notices, players
from app.services.errors import NotFound
from app.services.house import House
from tests.factories import begin, dump, refused, welcome
from tests.web.routes import FIELDS


def is_known(house: House, token: str) -> bool:
    """Whether the room knows whose browser holds the token."""
    with house.database.reading() as connection:
        return players.find_player(house, connection, token) is not None


def test_a_recovery_link_carries_the_name_to_another_device(house: House) -> None:
    alice = welcome(house, "Alice")
    link = house.write(devices.new_recovery_link, alice.id)
    cookie = house.write(devices.follow_recovery_link, link)
    with house.database.reading() as connection:
        assert players.find_player(house, connection, cookie).id == alice.id  # type: ignore[union-attr]
        assert devices.count_devices(connection, alice.id) == 2
        assert devices.has_recovery_link(connection, alice.id)
    assert is_known(house, alice.token)
    assert link not in repr(dump(house.database))


def test_a_new_link_replaces_the_old_and_can_be_switched_off(house: House) -> None:
    alice, bob = welcome(house, "Alice"), welcome(house, "Bob")
    old, bobs = (house.write(devices.new_recovery_link, guest.id) for guest in (alice, bob))
    new = house.write(devices.new_recovery_link, alice.id)
    for dead in (old, "", "made-up"):
        with refused(house, NotFound):
            house.write(devices.follow_recovery_link, dead)
    house.write(devices.end_recovery_link, alice.id)
    with refused(house, NotFound):
        house.write(devices.follow_recovery_link, new)
    assert house.write(devices.follow_recovery_link, bobs)


def test_signing_out_elsewhere_leaves_this_device_and_other_people(house: House) -> None:
    party = begin(house, 2)
    alice, bob = party.guests
    seat_link = party.write(players.new_seat_link, 1)
    lost = house.write(players.follow_seat_link, seat_link)[1]
    keys = FIELDS["/push"]
    for number, guest in enumerate((alice, bob)):
        endpoint = f"https://93.184.216.34/{number}"
        house.write(notices.subscribe, guest.id, endpoint, keys["p256dh"], keys["auth"])
    house.write(devices.sign_out_elsewhere, alice.id, alice.token)
    assert [is_known(house, token) for token in (alice.token, lost, bob.token)] == [True, False, True]
    with house.database.reading() as connection:
        assert connection.execute(select(models.Subscription.player_id)).scalars().all() == [bob.id]
    with refused(house, NotFound):
        house.write(players.follow_seat_link, seat_link)


def test_signing_out_forgets_this_device_only(house: House) -> None:
    alice = welcome(house, "Alice")
    other = house.write(devices.follow_recovery_link, house.write(devices.new_recovery_link, alice.id))
    house.write(devices.sign_out, alice.id, alice.token)
    assert [is_known(house, token) for token in (alice.token, other)] == [False, True]


def test_nobody_signs_another_out(house: House) -> None:
    alice, bob = welcome(house, "Alice"), welcome(house, "Bob")
    house.write(devices.sign_out, alice.id, bob.token)
    assert is_known(house, bob.token)
