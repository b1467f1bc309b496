"""The notifier over a real server, with a post office that only writes down what it is given."""

import logging
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import json
from sqlalchemy import Connection, func, select

from app.jobs import budget, notifier
from app.jobs.outbound import BadAddress, NotSent
from app.jobs.web_push import decode
from app.services.context import AppContext, Notice, Words
from app.services.notifications import subscriptions as services
from app.services.notifications.reminders import remind
from app.services.players.players import prefer
from app.services.tournaments import stages as stages_service
from app.settings import Settings
from app.storage import models
from tests.factories import Guest, Party, begin
from tests.jobs.test_web_push import AUTH, P256DH
from tests.servers import Served, serving
from tests.services.tournaments.test_calls import at_a_time, entered
from tests.waiters import until

_PATIENCE = 15.0
_THEIRS = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"  # the private half of P256DH, from the same example


@dataclass
class PostOffice:
    """Answers with `status`, or with what `fail` raises, and keeps what it was given."""

    status: int = 201
    fail: list[Exception] = field(default_factory=list)
    given: list[tuple[str, bytes, Mapping[str, str]]] = field(default_factory=list)
    post: "Post" = field(init=False)

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        self.given.append((url, body, dict(headers)))
        if self.fail:
            raise self.fail.pop(0)
        return self.status


def opened(body: bytes) -> Any:
    """What the browser reads in a push message."""
    point, sealed = body[21:86], body[86:]
    mine = ec.derive_private_key(int.from_bytes(decode(_THEIRS), "big"), ec.SECP256R1())
    shared = mine.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point))

    def derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(SHA256(), length, salt, info).derive(secret)

    keying = derive(shared, decode(AUTH), b"WebPush: info\0" + decode(P256DH) + point, 32)
    key = derive(keying, body[:16], b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(keying, body[:16], b"Content-Encoding: nonce\0", 12)
    text = AESGCM(key).decrypt(nonce, sealed, None)
    assert text.endswith(b"\2")
    return json.decode(text[:-1])


class Post:
    """How far the notifier is: news published, handed over, carried out. Second looks wait for `look_again`."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.published = self.handed_over = self.carried_out = 0
        self._second_looks: list[tuple[notifier.Notifier, Any]] = []
        self._look = notifier.Notifier._hand_over
        self._count(patch, "put", "published")
        self._count(patch, "_done", "carried_out")
        patch.setattr(notifier.Notifier, "_hand_over", self._hand_over())

    def _count(self, patch: pytest.MonkeyPatch, method: str, name: str) -> None:
        original = getattr(notifier.Notifier, method)

        def counted(*args: Any) -> None:
            original(*args)
            setattr(self, name, getattr(self, name) + 1)

        patch.setattr(notifier.Notifier, method, counted)

    def _hand_over(self) -> Any:
        def hand_over(of: notifier.Notifier, news: Any, first: bool) -> None:
            if first:
                self._look(of, news, True)
                self.handed_over += 1
            else:
                self._second_looks.append((of, news))

        return hand_over

    def settle(self) -> None:
        """Waits until all that was published has been carried out."""
        until(lambda: self.carried_out == self.published)

    def look_again(self) -> None:
        """Carries out the second look that the notifier has asked for."""
        until(lambda: self._second_looks)
        of, news = self._second_looks.pop()
        assert of._loop
        self.published += 1
        of._loop.call_soon_threadsafe(self._look, of, news, False)
        self.settle()


@contextmanager
def room_with(settings: Settings, office: PostOffice, first_pause: float = 0.0) -> Iterator[Served]:
    """The room, whose news go to this post office."""
    with pytest.MonkeyPatch.context() as patch:
        office.post = Post(patch)
        patch.setattr(notifier, "_PAUSE", 0.01)
        patch.setattr(budget, "_FIRST_PAUSE", first_pause)
        patch.setattr(notifier.Notifier.__init__, "__defaults__", ("", 0.0))
        with serving(settings, hold=30, post=office) as served:
            yield served
            served.context.pubsub.release()


def begun(context: AppContext, people: int, **rules: Any) -> Party:
    """A table in play, of which nothing was told yet."""
    tell, context.publish = context.publish, lambda _notice: None
    party = begin(context, people, **rules)
    context.publish = tell
    return party


def subscribe(context: AppContext, guest: Guest) -> None:
    """The guest's phone wants notices."""
    context.write(services.subscribe, guest.id, f"https://web.push.apple.com/{guest.name}", P256DH, AUTH)


def subscriptions(context: AppContext) -> int:
    """How many browsers are subscribed."""
    with context.database.reading() as connection:
        return connection.execute(select(func.count()).select_from(models.Subscription)).scalar_one()


@contextmanager
def page_open(served: Served, party: Party, guest: Guest) -> Iterator[None]:
    """Somebody has the table open: a poll is held for as long."""
    with httpx2.Client(base_url=served.url, cookies={"snug": guest.token}, timeout=_PATIENCE * 2) as browser:
        stop = threading.Event()

        def ask() -> None:
            while not stop.is_set():
                browser.get(f"/t/{party.slug}/live", params={"seen": party.version})

        thread = threading.Thread(target=ask)
        thread.start()
        until(lambda: guest.token in served.context.presence.tokens(party.slug))
        yield
        stop.set()
        served.context.pubsub.announce(party.slug, party.version)
        served.context.pubsub.release()
        thread.join(_PATIENCE)


def test_who_is_away_is_woken_once_a_turn_and_reads_no_card(settings: Settings) -> None:
    office = PostOffice()
    with room_with(settings, office) as served:
        party = begun(served.context, 3)
        for guest in party.guests:
            subscribe(served.context, guest)
        party.move()
        until(lambda: office.given)
        ((url, body, headers),) = office.given
        assert url == "https://web.push.apple.com/Bob"
        assert headers["Content-Encoding"] == "aes128gcm"
        assert headers["Authorization"].startswith("vapid t=")
        assert headers["Topic"] == party.slug
        assert int(headers["TTL"]) > 0
        assert opened(body) == {
            "title": "Your turn",
            "body": "Lucky Paw with Alice and Carol",
            "url": f"/t/{party.slug}",
            "tag": party.slug,
        }
        party.move()
        until(lambda: len(office.given) == 2)
        assert office.given[1][0] == "https://web.push.apple.com/Carol"
        office.post.settle()
    assert len(office.given) == 2


def test_everybody_is_told_in_their_own_language(settings: Settings) -> None:
    office = PostOffice()
    with room_with(settings, office) as served:
        party, context = begun(served.context, 3), served.context
        _, bob, carol = party.guests
        context.write(prefer, bob.id, {"language": "de"})
        subscribe(context, bob)
        endpoint = f"https://web.push.apple.com/{carol.name}"
        context.write(services.subscribe, carol.id, endpoint, P256DH, AUTH, "de")  # which her browser asks for
        party.move()
        until(lambda: len(office.given) == 1)
        party.move()
        until(lambda: len(office.given) == 2)
        office.post.settle()
    assert [opened(body)["title"] for _, body, _ in office.given] == ["Du bist dran"] * 2
    assert opened(office.given[0][1])["body"] == "Lucky Paw mit Alice und Carol"


class Postcard(Notice, frozen=True):
    """A kind of notice that nobody has heard of."""

    player_id: int

    def whom(self, context: AppContext, connection: Connection) -> Collection[int]:
        """One person."""
        return (self.player_id,)

    def words(self, context: AppContext, connection: Connection, players: Collection[int]) -> Mapping[int, Words]:
        """A greeting."""
        return dict.fromkeys(players, Words("From the sea", "It rains."))


def test_a_new_kind_of_notice_is_a_class_and_no_more(settings: Settings) -> None:
    office = PostOffice()
    with room_with(settings, office) as served:
        bob = begun(served.context, 2).guests[1]
        subscribe(served.context, bob)
        served.context.publish(Postcard(1, "/me", bob.id))
        office.post.settle()
    ((_, body, _headers),) = office.given
    assert opened(body) == {"title": "From the sea", "body": "It rains.", "url": "/me", "tag": "me"}


def test_who_has_the_table_open_is_left_in_peace(settings: Settings) -> None:
    office = PostOffice()
    with room_with(settings, office) as served:
        party = begun(served.context, 2)
        subscribe(served.context, party.guests[1])
        with page_open(served, party, party.guests[1]):
            party.move()
            office.post.settle()
    assert office.given == []


def test_a_page_that_only_seemed_open_is_looked_for_again(settings: Settings) -> None:
    office = PostOffice()
    with room_with(settings, office) as served:
        party = begun(served.context, 2)
        subscribe(served.context, party.guests[1])
        presence = served.context.presence
        presence.ask(party.slug, party.guests[1].token)
        party.move()
        office.post.settle()
        assert office.given == []
        presence.answered(party.slug, party.guests[1].token, gone=True)
        office.post.look_again()
    assert len(office.given) == 1


def test_a_turn_that_was_taken_meanwhile_wakes_nobody(settings: Settings) -> None:
    office = PostOffice()
    with room_with(settings, office) as served:
        party = begun(served.context, 2)
        bob = party.guests[1]
        subscribe(served.context, bob)
        served.context.presence.ask(party.slug, bob.token)
        party.move()
        office.post.settle()
        party.move()
        served.context.presence.answered(party.slug, bob.token, gone=True)
        office.post.look_again()
    assert office.given == []


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(settings: Settings, status: int) -> None:
    office = PostOffice(status)
    with room_with(settings, office) as served:
        party = begun(served.context, 2)
        subscribe(served.context, party.guests[1])
        party.move()
        until(lambda: subscriptions(served.context) == 0)
    assert len(office.given) == 1


def test_trouble_on_the_other_side_is_tried_once_more_and_harms_nobody(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    office = PostOffice(fail=[NotSent("push.example did not answer")] * 2)
    with room_with(settings, office) as served, caplog.at_level(logging.WARNING):
        party = begun(served.context, 2)
        subscribe(served.context, party.guests[1])
        party.move()
        until(lambda: len(office.given) == 2)
        office.fail = [BadAddress("not public")]
        party.move()
        party.move()
        until(lambda: len(office.given) == 3)
        office.fail = [RuntimeError("a mistake of ours")]
        party.move()
        party.move()
        until(lambda: "a notification failed" in caplog.text)
        party.move()
        party.move()
        until(lambda: len(office.given) == 5)
        assert subscriptions(served.context) == 1
    assert "web.push.apple.com/Bob" not in caplog.text  # the address is a secret


def test_a_webhook_hears_of_turns_and_results(settings: Settings) -> None:
    office = PostOffice(200)
    with room_with(settings, office) as served:
        context = served.context
        context.webhooks = True
        party = begun(context, 2, rounds=1)
        party.write(services.set_webhook, 1, "https://hooks.example/secret")
        party.move(-1)
        until(lambda: office.given)
        party.pass_round()
        until(lambda: b"match_over" in office.given[-1][1])
    url, body, headers = office.given[0]
    assert url == "https://hooks.example/secret"
    assert headers == {"Content-Type": "application/json"}
    assert json.decode(body) == {
        "table": party.row.code,
        "game": "Lucky Paw",
        "event": "turn",
        "names": ["Bob"],
        "url": f"/t/{party.slug}",
    }
    assert json.decode(office.given[-1][1])["names"] == ["Alice", "Bob"]


def test_news_that_pile_up_are_dropped_and_a_move_never_waits(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "_WAITING", 2)
    hold = threading.Event()

    class SlowOffice(PostOffice):
        def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
            hold.wait(_PATIENCE)
            return super().__call__(url, body, headers)

    office = SlowOffice(200)
    with room_with(settings, office) as served:
        served.context.webhooks = True
        party = begun(served.context, 2)
        party.write(services.set_webhook, 1, "https://hooks.example/")
        for _ in range(6):
            party.move(-1)
        until(lambda: office.post.handed_over == 6)
        assert office.given == []  # no move has waited for it
        hold.set()
        until(lambda: office.post.carried_out == 2)
    assert len(office.given) == 2


def test_who_does_not_answer_is_not_asked_again_and_again(settings: Settings) -> None:
    office = PostOffice(500)
    with room_with(settings, office, first_pause=60.0) as served:
        party = begun(served.context, 2)
        subscribe(served.context, party.guests[1])
        for _ in range(6):
            party.move()
            office.post.settle()
    # And tried once more at once.
    assert len(office.given) == 2


def test_a_subscription_ends_after_failures_one_after_the_other(settings: Settings) -> None:
    office = PostOffice(403)
    with room_with(settings, office) as served:
        party = begun(served.context, 2)
        subscribe(served.context, party.guests[1])
        for failures in range(1, 9):
            party.move()
            until(lambda so_far=failures: len(office.given) >= so_far)  # type: ignore[misc]
            party.move()
        until(lambda: subscriptions(served.context) == 0)


def test_a_guest_and_a_table_have_a_budget(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "_PUSHES", (2, 100))
    monkeypatch.setattr(notifier, "_WEBHOOKS", (3, 100))
    office = PostOffice(200)
    with room_with(settings, office) as served:
        served.context.webhooks = True
        party = begun(served.context, 2)
        subscribe(served.context, party.guests[1])
        party.write(services.set_webhook, 1, "https://hooks.example/")
        for _ in range(10):
            party.move(-1)
            office.post.settle()  # whoever has moved on by the time is not told
    called = [url.split("/")[2] for url, _, _ in office.given]
    assert (called.count("web.push.apple.com"), called.count("hooks.example")) == (2, 3)


def test_an_address_that_is_no_push_service_is_not_called_whenever_it_came(settings: Settings) -> None:
    office = PostOffice()
    with room_with(settings, office) as served:
        party = begun(served.context, 2)
        served.context.any_push = True
        served.context.write(services.subscribe, party.guests[1].id, "https://elsewhere.example/", P256DH, AUTH)
        served.context.any_push = False
        party.move()
        until(lambda: subscriptions(served.context) == 0)
    assert office.given == []


def test_everybody_is_woken_for_a_stage_once_and_led_to_the_own_table(settings: Settings) -> None:
    office = PostOffice()
    with room_with(settings, office) as served:
        host, slug, guests = entered(served.context)
        for guest in guests:
            subscribe(served.context, guest)
        stages_service.start_stage(served.context, slug, host.id)
        office.post.settle()
        assert len(office.given) == 4
        with served.context.database.reading() as connection:
            seats = connection.execute(
                select(models.Player.name, models.Table.slug)
                .join(models.Seat, models.Seat.player_id == models.Player.id)
                .join(models.Table, models.Table.id == models.Seat.table_id)
            ).all()
    notices = {url.rpartition("/")[2]: opened(body) for url, body, _ in office.given}
    assert {name: notice["url"] for name, notice in notices.items()} == {name: f"/t/{slug}" for name, slug in seats}
    assert {notice["title"] for notice in notices.values()} == {"Stage 1: your table is ready"}
    assert all(notice["body"].startswith("Cup: Lucky Paw with ") for notice in notices.values())
    assert len(office.given) == 4


def test_everybody_who_is_in_is_reminded_of_the_beginning(settings: Settings) -> None:
    office = PostOffice()
    with room_with(settings, office) as served:
        _, slug, guests = entered(served.context)
        for guest in guests[:2]:
            subscribe(served.context, guest)
        at_a_time(served.context, slug, 300)
        remind(served.context)
        until(lambda: len(office.given) == 2)
    assert {url.rpartition("/")[2] for url, _, _ in office.given} == {"Ann", "Bob"}
    assert opened(office.given[0][1]) == {
        "title": "Cup begins in ten minutes",
        "body": "Your place is kept.",
        "url": f"/tournaments/{slug}",
        "tag": slug,
    }
