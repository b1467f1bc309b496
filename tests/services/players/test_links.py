"""Recovery links and signing out."""

from sqlalchemy import select

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.notifications import subscriptions
from app.services.players import links, players
from app.storage import models
from tests.conftest import Clock
from tests.factories import begin, dump, refused, welcome
from tests.web.every_route import FIELDS


def is_known(context: AppContext, token: str) -> bool:
    """Whether the room knows whose browser holds the token."""
    with context.database.reading() as connection:
        return players.find_player(context, connection, token) is not None


def test_a_recovery_link_carries_the_name_to_another_device(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    link = context.write(links.new_recovery_link, alice.id)
    cookie = context.write(links.follow_recovery_link, link)
    with context.database.reading() as connection:
        assert players.find_player(context, connection, cookie).id == alice.id  # type: ignore[union-attr]
        assert links.count_devices(connection, alice.id) == 2
    assert is_known(context, alice.token)
    assert link not in repr(dump(context.database))


def test_a_new_link_replaces_the_old_and_can_be_switched_off(context: AppContext) -> None:
    alice, bob = welcome(context, "Alice"), welcome(context, "Bob")
    old, bobs = (context.write(links.new_recovery_link, guest.id) for guest in (alice, bob))
    new = context.write(links.new_recovery_link, alice.id)
    for dead in (old, "", "made-up"):
        with refused(context, NotFound):
            context.write(links.follow_recovery_link, dead)
    context.write(links.end_recovery_link, alice.id)
    with refused(context, NotFound):
        context.write(links.follow_recovery_link, new)
    assert context.write(links.follow_recovery_link, bobs)


def test_a_recovery_link_is_used_up_but_a_lost_answer_can_be_had_again(context: AppContext, clock: Clock) -> None:
    alice = welcome(context, "Alice")
    link = context.write(links.new_recovery_link, alice.id)
    with context.database.reading() as connection:
        assert links.has_recovery_link(context, connection, alice.id)
    assert is_known(context, context.write(links.follow_recovery_link, link))
    with context.database.reading() as connection:
        assert not links.has_recovery_link(context, connection, alice.id)
    clock.advance(30)
    assert is_known(context, context.write(links.follow_recovery_link, link))
    clock.advance(31)
    with refused(context, NotFound):
        context.write(links.follow_recovery_link, link)


def test_a_recovery_link_lasts_a_year(context: AppContext, clock: Clock) -> None:
    alice = welcome(context, "Alice")
    link = context.write(links.new_recovery_link, alice.id)
    clock.advance(366 * 86_400)
    with refused(context, NotFound):
        context.write(links.follow_recovery_link, link)


def test_signing_out_elsewhere_ends_the_recovery_link(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    link = context.write(links.new_recovery_link, alice.id)
    context.write(links.sign_out_elsewhere, alice.id, alice.token)
    with refused(context, NotFound):
        context.write(links.follow_recovery_link, link)


def test_signing_out_elsewhere_leaves_this_device_and_other_people(context: AppContext) -> None:
    party = begin(context, 2)
    alice, bob = party.guests
    seat_link = party.write(players.new_seat_link, 1)
    lost = context.write(links.follow_recovery_link, context.write(links.new_recovery_link, alice.id))
    context.write(players.follow_seat_link, seat_link)
    keys = FIELDS["/push"]
    for number, guest in enumerate((alice, bob)):
        endpoint = f"https://fcm.googleapis.com/{number}"
        context.write(subscriptions.subscribe, guest.id, endpoint, keys["p256dh"], keys["auth"])
    context.write(links.sign_out_elsewhere, alice.id, alice.token)
    assert [is_known(context, token) for token in (alice.token, lost, bob.token)] == [True, False, True]
    with context.database.reading() as connection:
        assert connection.execute(select(models.Subscription.player_id)).scalars().all() == [bob.id]
    with refused(context, NotFound):
        context.write(players.follow_seat_link, seat_link)


def test_signing_out_forgets_this_device_only(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    other = context.write(links.follow_recovery_link, context.write(links.new_recovery_link, alice.id))
    context.write(links.sign_out, alice.id, alice.token)
    assert [is_known(context, token) for token in (alice.token, other)] == [False, True]


def test_nobody_signs_another_out(context: AppContext) -> None:
    alice, bob = welcome(context, "Alice"), welcome(context, "Bob")
    context.write(links.sign_out, alice.id, bob.token)
    assert is_known(context, bob.token)
