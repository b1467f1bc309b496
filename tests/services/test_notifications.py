"""Subscriptions and webhooks: what is stored, for whom, and what is refused."""

import pytest
from sqlalchemy import select

from app.services import notifications
from app.services.context import AppContext, TableEvent
from app.services.errors import Forbidden, Refused
from app.services.play import play, takeback
from app.services.players import players
from app.services.seats import seats
from app.services.talk import chat
from app.storage import models
from tests.factories import Guest, Party, begin, gather, refused, welcome
from tests.jobs.test_web_push import AUTH, P256DH

ENDPOINT = "https://fcm.googleapis.com/fcm/send/"


def subscribe(context: AppContext, guest: Guest, name: str) -> str:
    """A browser of this guest wants notices."""
    context.write(notifications.subscribe, guest.id, ENDPOINT + name, P256DH, AUTH)
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


def told(context: AppContext) -> list[TableEvent]:
    """What is published of tables from now on, as it comes."""
    table_events: list[TableEvent] = []
    context.publish = lambda news: table_events.append(news) if isinstance(news, TableEvent) else None
    return table_events


def test_a_browser_is_subscribed_once_and_for_whoever_uses_it_now(context: AppContext) -> None:
    ann, bob = welcome(context, "Ann"), welcome(context, "Bob")
    for _ in range(2):
        subscribe(context, ann, "phone")
    subscribe(context, ann, "laptop")
    assert endpoints(context, ann) == [ENDPOINT + "phone", ENDPOINT + "laptop"]
    subscribe(context, bob, "laptop")
    assert endpoints(context, ann) == [ENDPOINT + "phone"]
    context.write(notifications.unsubscribe, ann.id, ENDPOINT + "laptop")  # not hers any more
    assert endpoints(context, bob) == [ENDPOINT + "laptop"]
    context.write(notifications.unsubscribe, bob.id, ENDPOINT + "laptop")
    assert endpoints(context, bob) == []
    context.write(notifications.forget, ENDPOINT + "phone")
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
        (ENDPOINT, "A" * 87, AUTH),
        ("", "", ""),
    ],
)
def test_what_is_no_subscription_is_refused(context: AppContext, endpoint: str, p256dh: str, auth: str) -> None:
    ann = welcome(context, "Ann")
    with refused(context, Refused, "BAD_SUBSCRIPTION"):
        context.write(notifications.subscribe, ann.id, endpoint, p256dh, auth)


def test_a_webhook_is_the_host_s_and_only_where_the_room_allows_it(context: AppContext) -> None:
    party = gather(context, 2)
    with refused(context, Forbidden):
        party.write(notifications.set_webhook, 1, "https://hooks.example/secret")
    context.webhooks = True
    with refused(context, Forbidden):
        party.write(notifications.set_webhook, 2, "https://hooks.example/secret")
    for url in ("http://hooks.example/", "https://10.0.0.1/", "https://localhost/", "https://h.example/" + "x" * 500):
        with refused(context, Refused, "BAD_WEBHOOK"):
            party.write(notifications.set_webhook, 1, url)
    party.write(notifications.set_webhook, 1, "https://hooks.example/secret")
    assert party.row.webhook == "https://hooks.example/secret"
    assert party.look(party.guests[0]).news.webhook == "hooks.example"
    assert party.look(party.guests[1]).news.webhook is None
    assert party.look().news.webhook is None
    party.write(notifications.set_webhook, 1, "")
    assert party.row.webhook is None


def test_the_house_tells_every_turn_once_and_how_rounds_end(context: AppContext) -> None:
    table_events = told(context)
    party = begin(context, 3, rounds=2)
    assert [(one.event, one.seats) for one in table_events] == [("turn", (1,))]
    party.write(chat.say, 2, "Hello")
    turn = party.turn()
    assert turn
    assert context.write(play.play, party.slug, turn.player, {"move": "pass"}, turn.version)
    assert not context.write(play.play, party.slug, turn.player, {"move": "pass"}, turn.version)  # the same click again
    assert [(one.event, one.seats) for one in table_events[1:]] == [("turn", (2,))]
    party.pass_round()
    assert (table_events[-1].event, table_events[-1].seats) == ("round_over", (1, 2, 3))
    party.everybody_is_ready()
    assert (table_events[-1].event, table_events[-1].seats) == ("turn", (2,))
    party.pass_round()
    assert table_events[-1].event == "match_over"
    assert {one.slug for one in table_events} == {party.slug}


def test_what_was_refused_is_not_told(context: AppContext) -> None:
    party = begin(context, 2)
    table_events = told(context)
    with refused(context, Refused):
        party.write(play.play, 1, {"move": "play", "stack": "9", "open": "9"}, party.version)
    assert table_events == []


def test_nobody_is_called_where_nobody_asked(context: AppContext) -> None:
    table_events = told(context)
    party = begin(context, 2)
    with context.database.reading() as connection:
        assert notifications.calls_for(context, connection, table_events[0]) is None
    subscribe(context, party.guests[1], "phone")
    with context.database.reading() as connection:
        assert notifications.calls_for(context, connection, table_events[0]) is None
    party.move()
    with context.database.reading() as connection:
        calls = notifications.calls_for(context, connection, table_events[1])
        assert calls
        assert [(one.seat, one.endpoint) for one in calls.browsers] == [(2, ENDPOINT + "phone")]
        assert calls.webhook is None
        assert notifications.still_to_act(connection, table_events[1]) == {2}
        assert notifications.still_to_act(connection, table_events[0]) == set()


def test_a_turn_that_came_of_a_move_taken_back_is_none(context: AppContext) -> None:
    party = gather(context, 2)
    party.write(takeback.set_rule, 1, "free")
    party.write(seats.start, 1)
    table_events = told(context)
    party.move(-1)
    with context.database.reading() as connection:
        assert notifications.still_to_act(connection, table_events[-1]) == {2}
    party.write(takeback.take_back, 1, party.version)
    with context.database.reading() as connection:
        assert notifications.still_to_act(connection, table_events[0]) == set()


def test_bots_are_not_worth_a_message(context: AppContext) -> None:
    context.webhooks = True
    table_events = told(context)
    party = begin(context, 1, bots=1)
    party.write(notifications.set_webhook, 1, "https://hooks.example/")
    party.move()
    assert [(event.event, event.seats) for event in table_events] == [("turn", (1,))]
    with context.database.reading() as connection:
        assert notifications.calls_for(context, connection, table_events[0])
    context.webhooks = False
    with context.database.reading() as connection:
        assert notifications.calls_for(context, connection, table_events[0]) is None


@pytest.mark.parametrize(
    "host",
    ["fcm.googleapis.com", "updates.push.services.mozilla.com", "wns2-par02p.notify.windows.com", "web.push.apple.com"],
)
def test_browsers_push_services_are_known(context: AppContext, host: str) -> None:
    ann = welcome(context, "Ann")
    context.write(notifications.subscribe, ann.id, f"https://{host}/x", P256DH, AUTH)
    assert endpoints(context, ann) == [f"https://{host}/x"]


def test_a_room_may_call_any_push_service(context: AppContext) -> None:
    context.any_push = True
    ann = welcome(context, "Ann")
    context.write(notifications.subscribe, ann.id, "https://push.example/x", P256DH, AUTH)
    assert endpoints(context, ann) == ["https://push.example/x"]


def test_who_has_the_table_open_is_known_by_the_cookie(context: AppContext) -> None:
    party: Party = begin(context, 2)
    tokens = [party.guests[0].token, "nobody's token"]
    with context.database.reading() as connection:
        assert notifications.players_of(context, connection, party.slug, tokens) == {party.guests[0].id}
        assert notifications.players_of(context, connection, party.slug, []) == set()
    _, phone = context.write(players.follow_seat_link, party.write(players.new_seat_link, 2))
    with context.database.reading() as connection:
        assert notifications.players_of(context, connection, party.slug, [phone]) == {party.guests[1].id}
        assert notifications.players_of(context, connection, "elsewhere", [phone]) == set()
