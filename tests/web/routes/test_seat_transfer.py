"""Seats that change hands, on the pages: links, what the old device is told, guests who wait."""

import re
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

import pytest

from app.services.context import AppContext
from app.services.play import play
from app.services.players import players
from app.services.seats import away, seat_transfer, spectators
from tests.factories import Party, begin, dump, welcome
from tests.pages import HTMX, Page
from tests.web.conftest import Visit


def link_in(html: str) -> str:
    """The path of the link that the page shows."""
    found = re.search(r"/h/[\w-]{32}", html)
    assert found
    return found[0]


def agreed_link(party: Party, visit: Visit) -> str:
    """The path of a new link to Bob's seat: Alice asks for it, Carol agrees."""
    host, carol = visit(party.guests[0]), visit(party.guests[2])
    asked = host.post(f"/t/{party.slug}/reissue", data={"number": "2"})
    assert (asked.status_code, asked.headers["location"]) == (303, f"/t/{party.slug}")
    forms = Page(carol.get(f"/t/{party.slug}").text).forms_to("/link-answer")
    assert [form.button for form in forms] == ["Agree", "Refuse"]
    assert carol.post(forms[0].action, data=forms[0].data).status_code == 303
    (form,) = [one for one in Page(host.get(f"/t/{party.slug}").text).forms_to("/reissue") if "Make" in one.button]
    return link_in(host.post(form.action, data=form.data).text)


def test_a_friend_follows_the_link_and_plays_on(party: Party, visit: Visit) -> None:
    bob, zoe = visit(party.guests[1]), visit(None)
    shown = bob.post(f"/t/{party.slug}/hand-over")
    assert shown.headers["cache-control"] == "no-store"
    path = link_in(shown.text)
    assert "Whoever opens the link that you made" in Page(bob.get(f"/t/{party.slug}").text).text
    before = dump(party.context.database)
    asked = Page(zoe.get(path).text)
    assert "Play on for Bob" in asked.text
    assert dump(party.context.database) == before
    (form,) = asked.forms_to(path)
    assert zoe.post(path, data={"name": " "}).status_code == 422
    assert dump(party.context.database) == before
    answer = zoe.post(form.action, data={"name": "Zoe"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{party.slug}")
    assert party.look().people.seats[1].name == "Zoe"
    assert Page(zoe.get(f"/t/{party.slug}").text).forms_to("/hand-over")
    told = Page(bob.get(f"/t/{party.slug}").text)
    assert "You gave your seat away: Zoe has it now." in told.text
    assert not told.forms_to("/moves")
    assert not told.forms_to("/seat-link")
    assert "Zoe took over the seat of Bob." in told.text
    assert bob.post(path, data={"name": "Bob"}).status_code == 404


def test_a_form_that_is_sent_twice_at_once_is_answered_though_the_other_was_first_between_two_looks(
    party: Party, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = party.write(seat_transfer.hand_over, 2)
    zoe, made = visit(None), players.just_made
    (form,) = Page(zoe.get(f"/h/{path}").text).forms_to(f"/h/{path}")
    as_they_were = dict(zoe.cookies)
    first = zoe.post(form.action, data={**form.data, "name": "Zoe"})
    zoe.cookies.clear()
    zoe.cookies.update(as_they_were)
    looks: Iterator[Any] = chain([lambda *_: None], repeat(made))
    monkeypatch.setattr(players, "just_made", lambda *args: next(looks)(*args))
    again = zoe.post(form.action, data={**form.data, "name": "Zoe"})
    assert (first.status_code, again.status_code) == (303, 303)
    assert again.headers["set-cookie"] == first.headers["set-cookie"]


def test_the_old_device_is_told_behind_a_closed_door(party: Party, visit: Visit) -> None:
    party.write(spectators.set_spectators, 1, "none")
    old, new = visit(party.guests[1]), visit(None)
    seat_link = re.search(r"/s/[\w-]{32}", old.post(f"/t/{party.slug}/seat-link").text)
    assert seat_link
    path = agreed_link(party, visit)
    assert new.get(seat_link[0]).status_code == 404
    assert "A host has made a new link to your seat" in Page(old.get(f"/t/{party.slug}").text).text
    assert "Welcome back, Bob" in Page(new.get(path).text).text
    assert new.post(path).status_code == 303
    assert new.get(f"/t/{party.slug}").text.count("card") > 10
    told = old.get(f"/t/{party.slug}")
    assert "Bob plays on another device, no longer on this one." in Page(told.text).text
    for what in ("moves", "away", "hand-over", "seat-link", "undo", "orders", "more-time"):
        data = {"move": "pass", "seen": str(party.version), "number": "2", "asked": "0"}
        assert old.post(f"/t/{party.slug}/{what}", data=data).status_code in (403, 409), what


def test_whose_seat_it_is_stops_a_link_with_a_click(party: Party, visit: Visit) -> None:
    path = agreed_link(party, visit)
    bob = visit(party.guests[1])
    (form,) = [one for one in Page(bob.get(f"/t/{party.slug}").text).forms_to("/keep-seat") if one.get("number") == "2"]
    answer = bob.post(form.action, data=form.data, headers=HTMX)
    assert "A host has made a new link" not in Page(answer.text).text
    assert visit(None).get(path).status_code == 404


def test_everybody_at_the_table_reads_who_asks_for_a_link(party: Party, visit: Visit) -> None:
    party.write(seat_transfer.reissue, 1, 2)
    host, bob, carol, stranger = (Page(visit(guest).get(f"/t/{party.slug}").text) for guest in (*party.guests, None))
    assert "You ask for a new link to the seat of Bob." in host.text
    assert "Alice asks for a new link to your seat: whoever opens it plays your cards." in bob.text
    assert "Alice asks for a new link to the seat of Bob, and whoever opens it sees those cards." in carol.text
    assert not stranger.find(id="asked-link-2")
    assert [form.button for form in bob.forms_to("/link-answer")] == ["Agree"]
    assert not host.forms_to("/link-answer")
    (refuse,) = [form for form in carol.forms_to("/link-answer") if form.get("agrees") == "no"]
    answer = visit(party.guests[2]).post(refuse.action, data=refuse.data, headers=HTMX)
    assert not Page(answer.text).find(id="asked-link-2")
    late = {**refuse.data, "seen": "0"}
    again = visit(party.guests[2]).post(refuse.action, data=late, headers=HTMX)
    assert again.status_code == 409
    assert "Nobody asks for a new link to that seat any more." in Page(again.text).text
    assert visit(None).post(refuse.action, data=refuse.data).status_code == 403


def test_what_the_host_alone_agreed_to_shows_no_card_before_the_next_deal(
    app_context: AppContext, visit: Visit
) -> None:
    party = begin(app_context, 2, bots=1, watch="none", rounds=2)
    host, new, onlooker = visit(party.guests[0]), visit(None), visit(None)
    made = host.post(f"/t/{party.slug}/reissue", data={"number": "2"})
    assert "the cards stay closed until the next deal" in Page(made.text).text
    path = link_in(made.text)
    assert "you see the cards from the next deal on" in Page(new.get(path).text).text
    assert new.post(path).status_code == 303
    party.write(spectators.set_spectators, 1, "open")
    told = Page(new.get(f"/t/{party.slug}").text)
    assert "You see the cards of Bob from the next deal on" in told.text
    assert not told.forms_to("/moves")
    cards = re.compile(r'<[^>]*\bclass="[^"]*\bcard\b[^>]*>')
    watched = cards.findall(onlooker.get(f"/t/{party.slug}").text)
    for address in ("", "/live?seen=0"):
        assert cards.findall(new.get(f"/t/{party.slug}{address}").text) == watched
    assert new.get(f"/t/{party.slug}/people").status_code == 200
    assert new.get(f"/t/{party.slug}/replay/1/1").status_code == 403
    assert new.get(f"/t/{party.slug}/record").status_code == 409
    party.write(spectators.set_spectators, 1, "none")
    assert cards.findall(new.get(f"/t/{party.slug}").text) == watched  # a seat at a table is no door
    for what in ("moves", "back", "hand-over", "undo", "orders", "more-time"):
        data = {"move": "pass", "seen": str(party.version), "number": "2", "asked": "0"}
        assert new.post(f"/t/{party.slug}/{what}", data=data).status_code == 409, what
    party.write(away.step_away, 1, 1)
    while party.look().table.is_playing:
        app_context.write(play.run_due, party.row.id)
    shown = Page(new.get(f"/t/{party.slug}").text)
    assert shown.forms_to("/ready")
    replay = Page(new.get(f"/t/{party.slug}/replay/1/1?step=1").text)
    assert "Your stacks" not in replay.text
    new.post(f"/t/{party.slug}/ready")
    host.post(f"/t/{party.slug}/ready")
    assert "Your stacks" in Page(new.get(f"/t/{party.slug}").text).text


def test_no_link_stands_on_a_page_of_the_table(party: Party, visit: Visit) -> None:
    path = agreed_link(party, visit)
    for guest in (*party.guests, None):
        for page in ("", "/people", "/talk", "/live?seen=0"):
            assert path not in visit(guest).get(f"/t/{party.slug}{page}").text


def test_a_stranger_makes_no_links(party: Party, visit: Visit) -> None:
    for browser in (visit(None), visit(welcome(party.context, "Zoe"))):
        for what in ("hand-over", "reissue"):
            assert browser.post(f"/t/{party.slug}/{what}", data={"number": "2"}).status_code == 403


def test_a_late_guest_waits_with_a_nickname(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, bots=1)
    zoe = visit(None)
    assert zoe.post(f"/t/{party.slug}/wait", data={"name": ""}).status_code == 422
    answer = zoe.post(f"/t/{party.slug}/wait", data={"name": "Zoe"}, headers=HTMX)
    assert "You are waiting for a seat" in Page(answer.text).text
    host = Page(visit(party.guests[0]).get(f"/t/{party.slug}").text)
    assert host.one(id="waits-1").tag == "li"
    assert "Turn away: Zoe" in host.text
    assert "Turn away" not in Page(visit(party.guests[1]).get(f"/t/{party.slug}").text).text
    (form,) = Page(zoe.get(f"/t/{party.slug}").text).forms_to("/stop-waiting")
    assert zoe.post(form.action, data=form.data).status_code == 303
    assert party.look().transfer.waiting == ()
