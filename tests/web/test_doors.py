"""A table's renewed link: who has only the old one stays outside, by every way in."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import cycle

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.main import create_app
from app.services.context import AppContext
from app.services.play import play
from app.services.players import players
from app.services.players.bars import NEW_LINK
from app.services.seats import seat_transfer
from app.services.tournaments import entries, stages
from app.settings import Settings
from app.web.middleware import rate_limit
from app.web.middleware.fast_path import FastPath
from tests.factories import Guest, Party, begin, gather, nothing_changes, welcome
from tests.pages import HTMX, Page
from tests.servers import Served, line_to, serving
from tests.services.circles.people import circle_of, table_in
from tests.services.tournaments.test_stages import opened, playing
from tests.waiters import until
from tests.web.conftest import Visit, do
from tests.web.every_route import fill, gets, honest, posts


def bar(party: Party, guest: Guest) -> str:
    """The guest may come no more; gives the link as it is then."""
    do(party.context, "bar", number=guest.id, table=party.row.code)
    return party.look().table.invitation


def is_out(browser: TestClient, address: str) -> bool:
    answer = browser.get(address)
    assert answer.status_code in (200, 403)
    return answer.status_code == 403 and str(NEW_LINK) in answer.text


def test_whoever_has_only_the_old_link_is_outside(
    app_context: AppContext, room_app: ASGIApp, visit: Visit, party: Party
) -> None:
    link = bar(party, party.guests[2])
    values = {"slug": party.slug, "version": party.version, "token": "nothing"}
    strangers = cycle((visit(None), visit(welcome(app_context, "Zoe"))))
    forms = posts(room_app)
    with nothing_changes(app_context.database):
        for path in (*forms, *gets(room_app)):
            if not path.startswith("/t/") or "/in/" in path or path.endswith("seen={version}"):
                continue  # the way in, and a poll that waits and is told nothing
            address, stranger = fill(path, **values), next(strangers)
            form = honest(path, **values) if path in forms else None
            answer = stranger.get(address) if form is None else stranger.post(address, data=form)
            assert (answer.status_code, str(NEW_LINK) in answer.text) == (403, True), path
            assert link not in answer.text
    answer = visit(None).get(f"/t/{party.slug}/live?seen=0", headers=HTMX)
    assert answer.headers["hx-refresh"] == "true", "a page that was open shows it, and asks no more"
    for guest in party.guests[:2]:
        assert not is_out(visit(guest), f"/t/{party.slug}")
    assert not is_out(visit(None), f"/t/{begin(app_context, 2).slug}"), "every other table is as open as before"


def test_the_new_link_leads_in_with_a_cookie_for_this_table_alone(visit: Visit, party: Party) -> None:
    link, stranger = bar(party, party.guests[2]), visit(None)
    answer = stranger.get(link)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{party.slug}")
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("snug-door=", "HttpOnly", f"Path=/t/{party.slug};", "SameSite=lax"))
    assert link.rpartition("/")[2] not in cookie, "nobody gets in who guesses what a cookie holds"
    page = Page(stranger.get(f"/t/{party.slug}").text)
    assert page.one(id="invite-url-playing")["value"] == f"http://testserver{link}"
    assert page.one(id="share-playing")["data-url"] == link
    assert "".join(page.one(id="code-playing").words).replace(" ", "") == link[-8:]
    assert stranger.get(f"/t/{party.slug}/qr.svg").status_code == 200
    assert stranger.post(f"/t/{party.slug}/wait", data={"name": "Zoe"}).status_code == 303
    late = visit(None)
    late.get(link)
    bar(party, party.guests[1])
    for browser in (late, visit(None)):
        answer = browser.get(link)
        assert (answer.headers["location"], "set-cookie" in answer.headers) == (f"/t/{party.slug}", False)
        assert is_out(browser, f"/t/{party.slug}"), "this link is old, too"


def test_over_tls_the_cookie_is_bound_to_it(settings: Settings, app_context: AppContext) -> None:
    public = replace(settings, public_url="https://cards.example")
    party = begin(app_context, 2)
    link = bar(party, party.guests[1])
    browser = TestClient(create_app(public, app_context), base_url="https://cards.example", follow_redirects=False)
    cookie = browser.get(link).headers["set-cookie"]
    assert cookie.startswith("__Secure-snug-door=")
    assert "Secure" in cookie.split("; ")
    assert not is_out(browser, f"/t/{party.slug}")


def test_the_picture_of_the_link_is_that_of_the_new_one(visit: Visit, party: Party) -> None:
    host = visit(party.guests[0])
    before = host.get(f"/t/{party.slug}/qr.svg").text
    bar(party, party.guests[2])
    assert host.get(f"/t/{party.slug}/qr.svg").text != before


def test_only_the_new_code_is_found(visit: Visit, party: Party) -> None:
    code = party.row.code
    link, stranger = bar(party, party.guests[2]), visit(None)
    assert stranger.post("/code", data={"code": code}).status_code == 404
    answer = stranger.post("/code", data={"code": link[-8:].lower()})
    assert answer.headers["location"] == link
    stranger.get(link)
    assert not is_out(stranger, f"/t/{party.slug}")


def test_doors_cannot_be_found_by_trying(visit: Visit, party: Party) -> None:
    link, stranger = bar(party, party.guests[2]), visit(None)
    for number in range(60):
        answer = stranger.get(f"/t/{party.slug}/in/ABC{number:05}")
        assert (answer.status_code, "set-cookie" in answer.headers) == (303, False)
    assert stranger.get(link).status_code == 429
    rate_limit.doors.forget()
    assert "set-cookie" in stranger.get(link).headers


def test_who_was_barred_comes_back_neither_as_a_guest_nor_as_somebody_new(visit: Visit, party: Party) -> None:
    barred = party.guests[2]
    link = bar(party, barred)
    browser = visit(barred)
    browser.get(link)
    assert "closed this table to you" in browser.get(f"/t/{party.slug}").text
    browser.cookies.clear()
    assert is_out(browser, f"/t/{party.slug}")


def test_a_seat_link_and_a_link_to_take_a_seat_over_lead_in(visit: Visit, party: Party) -> None:
    token = party.write(players.new_seat_link, 1)
    over = party.write(seat_transfer.hand_over, 2)
    bar(party, party.guests[2])
    for path in (f"/s/{token}", f"/h/{over}"):
        browser = visit(None)
        assert browser.post(path, data={"name": "Zoe"}).headers["location"] == f"/t/{party.slug}"
        assert not is_out(browser, f"/t/{party.slug}"), path


def test_who_waits_or_is_of_the_circle_or_of_the_tournament_comes_in(
    app_context: AppContext, visit: Visit, party: Party
) -> None:
    waits = welcome(app_context, "Yan")
    party.write(seat_transfer.wait, waits, waits.name)
    bar(party, party.guests[2])
    assert not is_out(visit(waits), f"/t/{party.slug}")
    circle, people = circle_of(app_context, "Ann", "Ben", "Cem")
    evening = table_in(app_context, circle, people[:2])
    bar(evening, people[1])
    assert not is_out(visit(people[2]), f"/t/{evening.slug}")
    assert is_out(visit(waits), f"/t/{evening.slug}")
    host, slug = opened(app_context)
    entered = [welcome(app_context, name) for name in ("Ann", "Ben", "Cem", "Dee")]
    for guest in entered:
        app_context.write(entries.enter, slug, guest.id, guest.name)
    stages.start_stage(app_context, slug, host.id)
    table = Party(app_context, playing(app_context)[-1].slug, ())
    barred, *others = entered
    bar(table, barred)
    for guest in (host, *others):
        assert not is_out(visit(guest), f"/t/{table.slug}"), guest.name
    assert is_out(visit(waits), f"/t/{table.slug}")


def test_before_the_start_a_newcomer_sits_down_by_the_new_link(app_context: AppContext, visit: Visit) -> None:
    table, newcomer = gather(app_context, 2, seats=3), visit(None)
    link = bar(table, table.guests[1])
    form = {"number": "2", "name": "Zoe"}
    assert newcomer.post(f"/t/{table.slug}/sit", data=form).status_code == 403
    newcomer.get(link)
    assert newcomer.post(f"/t/{table.slug}/sit", data=form).status_code == 303
    assert table.players[2]


def ask(served: Served, address: str, cookie: str, form: str | None = None) -> tuple[int, str]:
    """What a browser with this cookie is answered: the status, and all of it."""
    head = [f"{'GET' if form is None else 'POST'} {address} HTTP/1.1", "Host: x", "HX-Request: true"]
    head += ["Sec-Fetch-Site: same-origin", f"Cookie: {cookie}", "Connection: close"]
    if form is not None:
        head += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}"]
    with line_to(served) as line:
        line.sendall("\r\n".join([*head, "", form or ""]).encode())
        got = b""
        while piece := line.recv(65536):
            got += piece
    return int(got.split(b" ", 2)[1]), got.decode(errors="replace")


@pytest.fixture
def served(settings: Settings) -> Iterator[Served]:
    with serving(settings, hold=0.05) as served:
        yield served


@pytest.mark.slow
@pytest.mark.parametrize("is_fast", [True, False])
def test_polls_and_moves_know_the_door_by_both_ways(
    served: Served, monkeypatch: pytest.MonkeyPatch, is_fast: bool
) -> None:
    if not is_fast:
        monkeypatch.setattr(FastPath, "wanted", lambda *_args, **_more: "")
    party = begin(served.context, 3)
    watches, sits = welcome(served.context, "Zoe"), party.guests[0]
    live, moves = f"/t/{party.slug}/live?seen=0", f"/t/{party.slug}/moves"
    assert ask(served, live, f"snug={watches.token}")[0] == 200
    link = bar(party, party.guests[2])
    for cookie in (f"snug={watches.token}", "snug-visitor=x", f"snug={watches.token}; snug-door={link[-8:]}"):
        for _ in range(2):  # the second time everything is at hand
            status, told = ask(served, live, cookie)
            assert (status, str(NEW_LINK) in told, "hx-refresh: true" in told) == (403, True, True)
        assert ask(served, moves, cookie, f"move=pass&seen={party.version}")[0] == 403
    entered = ask(served, link, "snug-visitor=x")[1].partition("set-cookie: ")[2].partition(";")[0]
    assert ask(served, live, f"snug={watches.token}; {entered}")[0] == 200
    assert ask(served, live, f"snug={sits.token}")[0] == 200
    before = len(party.moves())
    for cookie in (f"snug={sits.token}", f"snug={party.guests[1].token}; {entered}"):
        turn = party.turn()
        assert turn
        form = "&".join(f"{name}={value}" for name, value in {**turn.moves[0], "seen": party.version}.items())
        assert ask(served, moves, cookie, form)[0] == 200
    assert len(party.moves()) > before + 1


@pytest.mark.slow
@pytest.mark.postgres
def test_a_watcher_in_another_process_is_put_out_at_once(two_rooms: tuple[Served, Served]) -> None:
    here, there = two_rooms
    with ThreadPoolExecutor(1) as pool:
        party, watches = begin(here.context, 3), welcome(here.context, "Zoe")
        cookie, seen = f"snug={watches.token}", party.version
        assert ask(there, f"/t/{party.slug}/live?seen=0", cookie)[0] == 200
        until(lambda: there.context.pubsub.version(party.slug) == seen)
        held = pool.submit(ask, there, f"/t/{party.slug}/live?seen={seen}", cookie)
        until(lambda: there.context.pubsub._waiting.get(party.slug))
        link = bar(party, party.guests[2])
        status, told = held.result()
        assert (status, str(NEW_LINK) in told) == (403, True)
        assert "snug-door=" in ask(there, link, cookie)[1]
        party.write(play.play, 1, {"move": "pass"}, party.version)
