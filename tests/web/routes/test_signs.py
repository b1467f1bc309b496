"""Signs in passing: seen by who looks on and hears the talk, once in three seconds from each; kept nowhere."""

import pytest

from app.services.errors import Forbidden, Refused, TooOften
from app.services.talk import chat
from app.settings import Settings
from tests.conftest import Clock
from tests.factories import Party, begin, welcome
from tests.pages import HTMX, Page
from tests.servers import Served, serving
from tests.waiters import until
from tests.web.conftest import Visit
from tests.web.routes.test_writing import browser, history, looking, nobody_is_called

__all__ = ["nobody_is_called"]
_PATIENCE = 60.0


@pytest.mark.slow
def test_all_see_it_but_who_has_muted_the_talk(settings: Settings) -> None:
    with serving(settings, hold=120) as served:
        party = begin(served.context, 3)
        ann, bob, cid = party.guests
        party.write(chat.mute, cid, True)
        version, kept = party.version, history(served)
        with looking(served, party, ann, bob, cid, None) as told:
            with browser(served, ann) as one:
                sent = one.post(f"/t/{party.slug}/sign", data={"sign": "glass"}, headers=HTMX)
            answers = [one.result(_PATIENCE) for one in told]
        assert sent.status_code == 204
        assert [answer.status_code for answer in answers] == [200, 200, 204, 200]
        sign = Page(answers[1].text).one("p", id="sign")
        assert (sign["data-seat"], "".join(sign.words)) == ("1", "Alice raises a glass.")
        assert (party.version, history(served)) == (version, kept)


def test_a_seat_has_one_sign_in_three_seconds(party: Party, visit: Visit) -> None:
    address = f"/t/{party.slug}/sign"
    ann, bob = visit(party.guests[0]), visit(party.guests[1])
    assert ann.post(address, data={"sign": "heart"}, headers=HTMX).status_code == 204
    assert ann.post(address, data={"sign": "heart"}, headers=HTMX).status_code == 204, "the same click, sent twice"
    again = ann.post(address, data={"sign": "laugh"}, headers=HTMX)
    assert (again.status_code, "Your last sign is still in the air" in again.text) == (429, True)
    assert bob.post(address, data={"sign": "laugh"}).headers["location"] == f"/t/{party.slug}/talk"
    party.context.signed.clear()
    assert ann.post(address, data={"sign": "heart"}, headers=HTMX).status_code == 204


def test_when_many_sign_the_sign_that_is_forgotten_is_the_oldest(
    party: Party, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(chat, "_SIGNED", 2)
    ann, bob, carol = (guest.id for guest in party.guests)
    chat.show_sign(party.context, party.slug, ann, "heart")
    chat.show_sign(party.context, party.slug, bob, "heart")
    clock.advance(chat.SIGN_LASTS)
    chat.show_sign(party.context, party.slug, ann, "heart")
    chat.show_sign(party.context, party.slug, carol, "heart")
    with pytest.raises(TooOften):
        chat.show_sign(party.context, party.slug, ann, "laugh")


def test_only_who_may_talk_has_signs(party: Party, visit: Visit) -> None:
    eve = welcome(party.context, "Eve")

    def signs(guest: int, sign: str = "groan") -> None:
        chat.show_sign(party.context, party.slug, guest, sign)

    with pytest.raises(Forbidden):
        signs(eve.id)
    party.write(chat.set_talk, 1, "free", True)
    signs(eve.id)
    with pytest.raises(TooOften):
        signs(eve.id, "heart")
    with pytest.raises(Refused):
        signs(party.guests[1].id, "raspberry")
    party.write(chat.set_talk, 1, "off", False)
    with pytest.raises(Refused):
        signs(party.guests[0].id)
    page = Page(visit(party.guests[0]).get(f"/t/{party.slug}").text)
    assert not page.forms_to("/sign")
    assert visit(party.guests[0]).post("/t/nowhere/sign", data={"sign": "heart"}).status_code == 404


@pytest.mark.slow
@pytest.mark.postgres
def test_a_sign_is_seen_in_another_process(two_rooms: tuple[Served, Served]) -> None:
    here, there = two_rooms
    party = begin(here.context, 2)
    until(lambda: there.context.pubsub.version(party.slug) == party.version)  # what is heard later ends a poll
    ann, bob = party.guests
    with looking(there, party, bob) as told:
        with browser(here, ann) as one:
            assert one.post(f"/t/{party.slug}/sign", data={"sign": "laugh"}, headers=HTMX).status_code == 204
        assert Page(told[0].result(_PATIENCE).text).text == "Alice laughs."
