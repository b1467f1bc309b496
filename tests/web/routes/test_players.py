"""What belongs to a person: cookies, looks, the link to a seat from another device."""

import re
from http.cookies import SimpleCookie

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.paths import STATIC
from app.services.context import AppContext
from app.services.players import players
from app.services.players.appearance import LOOKS
from app.services.seats import seats
from app.settings import Settings
from tests.factories import GAME, Party, begin, dump, gather, nothing_changes, welcome
from tests.pages import Page
from tests.web.conftest import Visit


def cookie(answer: object, name: str) -> dict[str, str]:
    """A cookie of an answer: its value and its flags in lower case."""
    jar: SimpleCookie = SimpleCookie()
    for header in answer.headers.get_list("set-cookie"):  # type: ignore[attr-defined]
        jar.load(header)
    morsel = jar[name]
    flags = {key: str(value) for key, value in morsel.items() if value}
    return {"value": morsel.value, **flags}


def test_over_http_the_cookie_is_lax_and_for_the_server_only(client: TestClient) -> None:
    answer = client.post("/tables", data={"game": GAME, "name": "Alice", "seats": "2"})
    flags = cookie(answer, "snug")
    assert len(flags.pop("value")) == 43
    assert flags == {"httponly": "True", "samesite": "lax", "path": "/", "max-age": "31536000"}


def test_over_https_the_cookie_is_secure_and_bound_to_this_host(settings: Settings, app_context: AppContext) -> None:
    public = Settings(settings.data, settings.database_url, settings.key, public_url="https://cards.example")
    same_site = {"Sec-Fetch-Site": "same-origin"}
    with TestClient(
        create_app(public, app_context), base_url="https://cards.example", headers=same_site, follow_redirects=False
    ) as browser:
        answer = browser.post("/tables", data={"game": GAME, "name": "Alice", "seats": "2"})
        flags = cookie(answer, "__Host-snug")
        token = flags.pop("value")
        assert flags == {
            "httponly": "True",
            "samesite": "lax",
            "path": "/",
            "max-age": "31536000",
            "secure": "True",
        }
        slug = answer.headers["location"]
        assert Page(browser.get(slug).text).forms_to("/leave")
        browser.cookies.clear()
        assert not Page(browser.get(slug, headers={"Cookie": f"snug={token}"}).text).forms_to("/leave")
        assert "https://cards.example" + slug in browser.get(slug).text


def test_a_planted_cookie_is_replaced(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = gather(app_context, 1, seats=3)
    for data, path in (
        ({"game": GAME, "name": "Victim", "seats": "2"}, "/tables"),
        ({"number": "2", "name": "Victim"}, f"/t/{party.slug}/sit"),
    ):
        browser = visit(None)
        browser.cookies.set("snug", "planted" * 6)
        answer = browser.post(path, data=data)
        assert answer.status_code == 303
        assert "planted" not in cookie(answer, "snug")["value"]


def looks(browser: TestClient, path: str = "/") -> dict[str, str]:
    """How a page looks to this browser."""
    page = Page(browser.get(path).text)
    html = page.one("html")
    shown = {name: html[f"data-{name}"] for name in LOOKS}
    chosen = {one["name"]: one["value"] for one in page.elements if one.tag == "input" and "checked" in one.attributes}
    assert {name: value for name, value in shown.items() if name in chosen} == chosen  # the panel shows what holds
    return shown


USUAL = {name: values[0] for name, values in LOOKS.items()}


def test_the_looks_are_the_persons_own_on_every_device(app_context: AppContext, visit: Visit) -> None:
    alice = welcome(app_context, "Alice")
    one, two, stranger = visit(alice), visit(alice), visit(None)
    other = {name: values[-1] for name, values in LOOKS.items()}
    for browser in (one, stranger):
        assert looks(browser) == USUAL
        (form,) = Page(browser.get("/").text).forms_to("/preferences")[:1]
        assert form.data.keys() == {"back", *LOOKS}
        answer = browser.post(form.action, data=form.data | {"deck": "two", "theme": "light"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert looks(browser) == {**USUAL, "deck": "two", "theme": "light"}
        browser.post(form.action, data={"letters": ["off", "on"], "indices": ["usual", "large"]})  # a ticked box
        assert looks(browser) == {**USUAL, "deck": "two", "theme": "light", "letters": "on", "indices": "large"}
        browser.post(form.action, data=other)
        assert looks(browser) == other
    assert looks(two) == other
    assert looks(visit(None)) == USUAL
    two.post("/preferences", data={"theme": "dark"})
    assert looks(one) == {**other, "theme": "dark"}


def test_what_a_stranger_chose_holds_once_known(client: TestClient) -> None:
    client.post("/preferences", data={"theme": "light", "spacing": "calm"})
    table = client.post("/tables", data={"game": GAME, "name": "Alice", "seats": "2"}).headers["location"]
    assert looks(client, table) == {**USUAL, "theme": "light", "spacing": "calm"}


def test_an_unknown_look_is_refused(app_context: AppContext, visit: Visit) -> None:
    browser = visit(welcome(app_context, "Alice"))
    with nothing_changes(app_context.database):
        for data in ({"deck": "six"}, {"deck": ""}, {"theme": "light", "motion": "x" * 3000}):
            answer = browser.post("/preferences", data=data)
            assert answer.status_code == 422
            assert "no such look" in Page(answer.text).text
            assert "set-cookie" not in answer.headers
        answer = browser.post("/preferences", data={})
        assert (answer.status_code, "set-cookie" in answer.headers) == (303, False)
    for odd in ("theme:blue", "theme", "deck:two.deck:<b>", ":::", "x" * 3000):
        browser = visit(None)
        browser.cookies.set("looks", odd)
        assert looks(browser) == USUAL


def test_the_browser_s_own_frame_has_the_colour_of_what_is_at_the_top(client: TestClient) -> None:
    tokens = (STATIC / "css" / "tokens.css").read_text()
    dark = re.findall(r"--wall: light-dark\(#\w+, (#\w{6})\)", tokens)[0]
    wall, light = (re.findall(rf"--{name}: light-dark\((#\w{{6}})\w*, #\w+\)", tokens)[0] for name in ("wall", "eaves"))
    for theme, colours in {"dark": [dark], "light": [light], "auto": [dark, light]}.items():
        client.post("/preferences", data={"theme": theme})
        metas = Page(client.get("/").text).find("meta", name="theme-color")
        assert [one["content"] for one in metas] == colours
        media = [one["media"] for one in metas if one["media"]]
        assert media == (["(prefers-color-scheme: dark)", "(prefers-color-scheme: light)"] if theme == "auto" else [])
    on_stage = Page(client.get("/learn/lives/1").text).find("meta", name="theme-color")
    assert [one["content"] for one in on_stage] == [dark, wall]


@pytest.mark.parametrize(
    ("back", "location"),
    [
        ("/t/abc", "/t/abc"),
        ("/rules/lucky_paw#passing", "/rules/lucky_paw#passing"),
        ("", "/"),
        ("t/abc", "/"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("\\\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
        (" //evil.example", "/"),
    ],
)
def test_the_way_back_leads_nowhere_else(client: TestClient, back: str, location: str) -> None:
    answer = client.post("/preferences", data={"deck": "two", "back": back})
    assert (answer.status_code, answer.headers["location"]) == (303, location)


@pytest.mark.parametrize("back", ["/\t/evil.example", "/\n/evil.example", "/\r\nX-Evil: 1", "/\0", "/%5cevil.example"])
def test_the_way_back_cannot_be_smuggled(client: TestClient, back: str) -> None:
    answer = client.post("/preferences", data={"deck": "two", "back": back})
    location = answer.headers["location"]
    assert answer.status_code == 303
    assert "x-evil" not in answer.headers
    assert location.isprintable()
    assert not location.startswith(("//", "/\\"))


def test_another_device_plays_on_with_the_seat_link(party: Party, visit: Visit) -> None:
    laptop, phone = visit(party.guests[0]), visit(None)
    (form,) = Page(laptop.get(f"/t/{party.slug}").text).forms_to("/seat-link")
    answer = laptop.post(form.action, data=form.data)
    assert answer.status_code == 200
    url = Page(answer.text).one(id="seat-url")["value"]
    assert url.startswith("http://testserver/s/")
    path = url.removeprefix("http://testserver")
    with nothing_changes(party.context.database):
        page = Page(phone.get(path).text)
    assert "Alice" in page.text
    assert "snug" not in phone.cookies
    (form,) = page.forms_to(path)
    answer = phone.post(form.action, data=form.data)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{party.slug}")
    flags = cookie(answer, "snug-seat")
    assert len(flags.pop("value")) == 43
    assert flags == {"httponly": "True", "samesite": "lax", "path": f"/t/{party.slug}", "max-age": "31536000"}
    assert "Alice" not in phone.get("/").text, "elsewhere the phone is nobody"
    assert "We have not met" in phone.get("/me").text
    (moves,) = {len(Page(browser.get(f"/t/{party.slug}").text).forms_to("/moves")) for browser in (laptop, phone)}
    assert moves


def test_who_follows_a_seat_link_is_warned_and_plays_there_as_that_player(party: Party, visit: Visit) -> None:
    link = party.write(players.new_seat_link, 1)
    bobs = visit(party.guests[1])
    page = Page(bobs.get(f"/s/{link}").text)
    assert "has been playing as Bob" in page.text
    answer = bobs.post(f"/s/{link}")
    assert answer.status_code == 303
    assert "snug=" not in answer.headers["set-cookie"]
    assert "This is your corner, Bob" in Page(bobs.get("/me").text).text
    assert Page(bobs.get(f"/t/{party.slug}").text).forms_to("/moves"), "it is Alice's turn"
    party.write(players.new_seat_link, 1)
    assert not Page(bobs.get(f"/t/{party.slug}").text).forms_to("/moves"), "Bob's own seat again"
    assert "has been playing" not in Page(visit(party.guests[0]).get(f"/s/{link}").text).text


def test_over_https_a_seats_cookie_is_secure(settings: Settings, app_context: AppContext) -> None:
    party = begin(app_context, 2)
    link = party.write(players.new_seat_link, 1)
    public = Settings(settings.data, settings.database_url, settings.key, public_url="https://cards.example")
    with TestClient(create_app(public, app_context), base_url="https://cards.example") as browser:
        answer = browser.post(f"/s/{link}", headers={"Sec-Fetch-Site": "same-origin"}, follow_redirects=False)
        flags = cookie(answer, "__Secure-snug-seat")
        assert (flags["secure"], flags["path"]) == ("True", f"/t/{party.slug}")
        assert Page(browser.get(f"/t/{party.slug}").text).forms_to("/moves")


def test_a_dead_seat_link_says_so(party: Party, visit: Visit) -> None:
    old = party.write(players.new_seat_link, 1)
    party.write(players.new_seat_link, 1)
    browser = visit(None)
    for token in (old, "made-up", "x" * 3000, "%00", "%ff", "."):
        for answer in (browser.get(f"/s/{token}"), browser.post(f"/s/{token}")):
            assert answer.status_code == 404, token
            assert "no longer works" in answer.text or "nothing at this address" in answer.text
            assert not answer.cookies


def test_only_who_sits_gets_a_seat_link(app_context: AppContext, party: Party, visit: Visit) -> None:
    dave = welcome(app_context, "Dave")
    with nothing_changes(app_context.database):
        for guest in (None, dave):
            assert visit(guest).post(f"/t/{party.slug}/seat-link").status_code == 403
            assert visit(guest).post("/t/nowhere/seat-link").status_code in (403, 404)


def test_the_link_of_a_removed_seat_is_dead(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = gather(app_context, 2)
    link = party.write(players.new_seat_link, 2)
    assert client.get(f"/s/{link}").status_code == 200
    party.write(seats.clear_seat, 1, 2)
    assert client.get(f"/s/{link}").status_code == 404
    assert client.post(f"/s/{link}").status_code == 404


def test_no_working_secret_is_in_the_database(app_context: AppContext, party: Party, visit: Visit) -> None:
    browser = visit(party.guests[0])
    url = Page(browser.post(f"/t/{party.slug}/seat-link").text).one(id="seat-url")["value"]
    stored = repr(dump(app_context.database))
    assert url.rsplit("/", 1)[1] not in stored
    assert browser.cookies["snug"] not in stored
