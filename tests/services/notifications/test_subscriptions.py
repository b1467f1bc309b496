"""Subscriptions and webhooks: what is stored, for whom, and what is refused."""

import pytest
from sqlalchemy import select

from app.services.context import AppContext
from app.services.errors import Forbidden, Refused
from app.services.notifications import subscriptions
from app.services.players import players
from app.storage import models
from tests.factories import Guest, Party, begin, gather, refused, welcome
from tests.jobs.test_web_push import AUTH, P256DH

ENDPOINT = "https://fcm.googleapis.com/fcm/send/"


def subscribe(context: AppContext, guest: Guest, name: str) -> str:
    """A browser of this guest wants notices."""
    context.write(subscriptions.subscribe, guest.id, ENDPOINT + name, P256DH, AUTH)
    return ENDPOINT + name


def endpoints(context: AppContext, guest: Guest) -> list[str]:
    """Where this guest's browsers are reached."""
    with context.database.reading() as connection:
        rows = connection.execute(
            select(models.Subscription.endpoint)
            .where(models.Subscription.player_id == guest.id)
            .order_by(models.Subscription.id)
        )
        return list(rows.scalars())


def test_a_browser_is_subscribed_once_and_for_whoever_uses_it_now(context: AppContext) -> None:
    ann, bob = welcome(context, "Ann"), welcome(context, "Bob")
    for _ in range(2):
        subscribe(context, ann, "phone")
    subscribe(context, ann, "laptop")
    assert endpoints(context, ann) == [ENDPOINT + "phone", ENDPOINT + "laptop"]
    subscribe(context, bob, "laptop")
    assert endpoints(context, ann) == [ENDPOINT + "phone"]
    context.write(subscriptions.unsubscribe, ann.id, ENDPOINT + "laptop")  # not hers any more
    assert endpoints(context, bob) == [ENDPOINT + "laptop"]
    context.write(subscriptions.unsubscribe, bob.id, ENDPOINT + "laptop")
    assert endpoints(context, bob) == []
    context.write(subscriptions.forget, ENDPOINT + "phone")
    assert endpoints(context, ann) == []


def test_a_player_has_so_many_browsers_and_the_oldest_go(context: AppContext) -> None:
    ann = welcome(context, "Ann")
    for number in range(13):
        subscribe(context, ann, str(number))
    assert endpoints(context, ann) == [f"{ENDPOINT}{number}" for number in range(3, 13)]


@pytest.mark.parametrize(
    ("endpoint", "p256dh", "auth"),
    [
        ("http://fcm.googleapis.com/", P256DH, AUTH),
        ("https://127.0.0.1/", P256DH, AUTH),
        (ENDPOINT + "x" * 1000, P256DH, AUTH),
        ("https://push.example/", P256DH, AUTH),
        ("https://fcm.googleapis.com.example/", P256DH, AUTH),
        ("https://notfcm.googleapis.com/", P256DH, AUTH),
        ("https://93.184.216.34/", P256DH, AUTH),
        (ENDPOINT, "", AUTH),
        (ENDPOINT, P256DH, "x"),
        (ENDPOINT, P256DH + "!" * (101 - len(P256DH)), AUTH),
        (ENDPOINT, P256DH, AUTH + "!" * (41 - len(AUTH))),
        (ENDPOINT, "A" * 87, AUTH),
        ("", "", ""),
    ],
)
def test_what_is_no_subscription_is_refused(context: AppContext, endpoint: str, p256dh: str, auth: str) -> None:
    ann = welcome(context, "Ann")
    with refused(context, Refused, "BAD_SUBSCRIPTION"):
        context.write(subscriptions.subscribe, ann.id, endpoint, p256dh, auth)


def test_a_webhook_is_the_host_s_and_only_where_the_room_allows_it(context: AppContext) -> None:
    party = gather(context, 2)
    with refused(context, Forbidden):
        party.write(subscriptions.set_webhook, 1, "https://hooks.example/secret")
    context.webhooks = True
    with refused(context, Forbidden):
        party.write(subscriptions.set_webhook, 2, "https://hooks.example/secret")
    for url in ("http://hooks.example/", "https://10.0.0.1/", "https://localhost/", "https://h.example/" + "x" * 500):
        with refused(context, Refused, "BAD_WEBHOOK"):
            party.write(subscriptions.set_webhook, 1, url)
    party.write(subscriptions.set_webhook, 1, "https://hooks.example/secret")
    assert party.row.webhook == "https://hooks.example/secret"
    assert party.look(party.guests[0]).news.webhook == "hooks.example"
    assert party.look(party.guests[1]).news.webhook is None
    assert party.look().news.webhook is None
    party.write(subscriptions.set_webhook, 1, "")
    assert party.row.webhook is None


@pytest.mark.parametrize(
    "host",
    ["fcm.googleapis.com", "updates.push.services.mozilla.com", "wns2-par02p.notify.windows.com", "web.push.apple.com"],
)
def test_browsers_push_services_are_known(context: AppContext, host: str) -> None:
    ann = welcome(context, "Ann")
    context.write(subscriptions.subscribe, ann.id, f"https://{host}/x", P256DH, AUTH)
    assert endpoints(context, ann) == [f"https://{host}/x"]


def test_a_room_may_call_any_push_service(context: AppContext) -> None:
    context.any_push = True
    ann = welcome(context, "Ann")
    context.write(subscriptions.subscribe, ann.id, "https://push.example/x", P256DH, AUTH)
    assert endpoints(context, ann) == ["https://push.example/x"]


def test_who_has_the_table_open_is_known_by_the_cookie(context: AppContext) -> None:
    party: Party = begin(context, 2)
    tokens = [party.guests[0].token, "nobody's token"]
    with context.database.reading() as connection:
        assert subscriptions.players_of(context, connection, party.slug, tokens) == {party.guests[0].id}
        assert subscriptions.players_of(context, connection, party.slug, []) == set()
    _, phone = context.write(players.follow_seat_link, party.write(players.new_seat_link, 2))
    with context.database.reading() as connection:
        assert subscriptions.players_of(context, connection, party.slug, [phone]) == {party.guests[1].id}
        assert subscriptions.players_of(context, connection, "elsewhere", [phone]) == set()
