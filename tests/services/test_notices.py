"""Subscriptions and webhooks: what is stored, for whom, and what is refused."""

import pytest
from sqlalchemy import select

from app import models
from app.services import notices, play, tables, talk, undo
from app.services.errors import Forbidden, Refused
from app.services.house import House, Occasion
from tests.factories import Guest, Party, begin, gather, refused, welcome
from tests.test_webpush import AUTH, P256DH

ENDPOINT = "https://push.example/send/"


def subscribe(house: House, guest: Guest, name: str) -> str:
    """A browser of this guest wants notices."""
    house.write(notices.subscribe, guest.id, ENDPOINT + name, P256DH, AUTH)
    return ENDPOINT + name


def endpoints(house: House, guest: Guest) -> list[str]:
    """Where this guest's browsers are reached."""
    with house.database.reading() as connection:
        rows = connection.execute(
            select(models.Subscription.endpoint)
            .where(models.Subscription.player_id == guest.id)
            .order_by(models.Subscription.id)
        )
        return list(rows.scalars())


def told(house: House) -> list[Occasion]:
    """What the house has to tell from now on, as it comes."""
    occasions: list[Occasion] = []
    house.tell = occasions.append
    return occasions


def test_a_browser_is_subscribed_once_and_for_whoever_uses_it_now(house: House) -> None:
    ann, bob = welcome(house, "Ann"), welcome(house, "Bob")
    for _ in range(2):
        subscribe(house, ann, "phone")
    subscribe(house, ann, "laptop")
    assert endpoints(house, ann) == [ENDPOINT + "phone", ENDPOINT + "laptop"]
    subscribe(house, bob, "laptop")
    assert endpoints(house, ann) == [ENDPOINT + "phone"]
    house.write(notices.unsubscribe, ann.id, ENDPOINT + "laptop")  # not hers any more
    assert endpoints(house, bob) == [ENDPOINT + "laptop"]
    house.write(notices.unsubscribe, bob.id, ENDPOINT + "laptop")
    assert endpoints(house, bob) == []
    house.write(notices.forget, ENDPOINT + "phone")
    assert endpoints(house, ann) == []


def test_a_player_has_so_many_browsers_and_the_oldest_go(house: House) -> None:
    ann = welcome(house, "Ann")
    for number in range(13):
        subscribe(house, ann, str(number))
    assert endpoints(house, ann) == [f"{ENDPOINT}{number}" for number in range(3, 13)]


@pytest.mark.parametrize(
    ("endpoint", "p256dh", "auth"),
    [
        ("http://push.example/", P256DH, AUTH),
        ("https://127.0.0.1/", P256DH, AUTH),
        ("https://push.example/" + "x" * 1000, P256DH, AUTH),
        (ENDPOINT, "", AUTH),
        (ENDPOINT, P256DH, "x"),
        (ENDPOINT, "A" * 87, AUTH),
        ("", "", ""),
    ],
)
def test_what_is_no_subscription_is_refused(house: House, endpoint: str, p256dh: str, auth: str) -> None:
    ann = welcome(house, "Ann")
    with refused(house, Refused, "BAD_SUBSCRIPTION"):
        house.write(notices.subscribe, ann.id, endpoint, p256dh, auth)


def test_a_webhook_is_the_host_s_and_only_where_the_room_allows_it(house: House) -> None:
    party = gather(house, 2)
    with refused(house, Forbidden):
        party.write(notices.set_webhook, 1, "https://hooks.example/secret")
    house.webhooks = True
    with refused(house, Forbidden):
        party.write(notices.set_webhook, 2, "https://hooks.example/secret")
    for url in ("http://hooks.example/", "https://10.0.0.1/", "https://localhost/", "https://h.example/" + "x" * 500):
        with refused(house, Refused, "BAD_WEBHOOK"):
            party.write(notices.set_webhook, 1, url)
    party.write(notices.set_webhook, 1, "https://hooks.example/secret")
    assert party.row.webhook == "https://hooks.example/secret"
    assert party.look(party.guests[0]).webhook == "hooks.example"
    assert party.look(party.guests[1]).webhook is None
    assert party.look().webhook is None
    party.write(notices.set_webhook, 1, "")
    assert party.row.webhook is None


def test_the_house_tells_every_turn_once_and_how_rounds_end(house: House) -> None:
    occasions = told(house)
    party = begin(house, 3, rounds=2)
    assert [(one.event, one.seats) for one in occasions] == [("turn", (1,))]
    party.write(talk.say, 2, "Hello")
    turn = party.turn()
    assert turn
    assert house.write(play.play, party.slug, turn.player, {"move": "pass"}, turn.version)
    assert not house.write(play.play, party.slug, turn.player, {"move": "pass"}, turn.version)  # the same click again
    assert [(one.event, one.seats) for one in occasions[1:]] == [("turn", (2,))]
    party.pass_round()
    assert (occasions[-1].event, occasions[-1].seats) == ("round_over", (1, 2, 3))
    party.everybody_is_ready()
    assert (occasions[-1].event, occasions[-1].seats) == ("turn", (2,))
    party.pass_round()
    assert occasions[-1].event == "match_over"
    assert {one.slug for one in occasions} == {party.slug}


def test_what_was_refused_is_not_told(house: House) -> None:
    party = begin(house, 2)
    occasions = told(house)
    with refused(house, Refused):
        party.write(play.play, 1, {"move": "play", "stack": "9", "open": "9"}, party.version)
    assert occasions == []


def test_nobody_is_called_where_nobody_asked(house: House) -> None:
    occasions = told(house)
    party = begin(house, 2)
    with house.database.reading() as connection:
        assert notices.calls_for(house, connection, occasions[0]) is None
    subscribe(house, party.guests[1], "phone")
    with house.database.reading() as connection:
        assert notices.calls_for(house, connection, occasions[0]) is None
    party.move()
    with house.database.reading() as connection:
        calls = notices.calls_for(house, connection, occasions[1])
        assert calls
        assert [(one.seat, one.endpoint) for one in calls.browsers] == [(2, ENDPOINT + "phone")]
        assert calls.webhook is None
        assert notices.still_to_act(connection, occasions[1]) == {2}
        assert notices.still_to_act(connection, occasions[0]) == set()


def test_a_turn_that_came_of_a_move_taken_back_is_none(house: House) -> None:
    party = gather(house, 2)
    party.write(undo.set_rule, 1, "free")
    party.write(tables.start, 1)
    occasions = told(house)
    party.move(-1)
    with house.database.reading() as connection:
        assert notices.still_to_act(connection, occasions[-1]) == {2}
    party.write(undo.take_back, 1, party.version)
    with house.database.reading() as connection:
        assert notices.still_to_act(connection, occasions[0]) == set()


def test_bots_are_not_worth_a_message(house: House) -> None:
    house.webhooks = True
    occasions = told(house)
    party = begin(house, 1, bots=1)
    party.write(notices.set_webhook, 1, "https://hooks.example/")
    party.move()
    assert (occasions[-1].event, occasions[-1].seats) == ("turn", (2,))
    with house.database.reading() as connection:
        calls = notices.calls_for(house, connection, occasions[-1])
        assert calls
        assert calls.webhook is None
    house.webhooks = False
    with house.database.reading() as connection:
        assert notices.calls_for(house, connection, occasions[0]) is None


def test_who_has_the_table_open_is_known_by_the_cookie(house: House) -> None:
    party: Party = begin(house, 2)
    tokens = [party.guests[0].token, "nobody's token"]
    with house.database.reading() as connection:
        assert notices.players_of(house, connection, tokens) == {party.guests[0].id}
        assert notices.players_of(house, connection, []) == set()
