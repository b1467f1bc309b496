"""What people write is text wherever it is shown: never an element, an attribute, or a command."""

import random

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.services.players import players
from app.services.players.names import LONGEST
from app.services.seats import create, seats
from snug.engine import fairness
from tests.factories import GAME, Party, nothing_changes, welcome
from tests.pages import Page
from tests.web.conftest import Visit
from tests.web.every_route import fill, gets

PAYLOADS = (
    "<b>x</b>",
    "<script>alert(1)",
    "</main><script src=//e>",
    "<img src=x onerror=a()>",
    "<svg/onload=alert(1)>",
    '"><b id=live>',
    '" autofocus onfocus="a',
    "' onclick='a()' x='",
    "`onclick=a()`",
    "</title><b>",
    "</textarea><b>",
    "<!--",
    "]]>",
    "{{ 7*7 }}",
    "{% raw %}",
    "${7*7}",
    "javascript:alert(1)",
    "&lt;b&gt;",
    "&#60;b&#62;",
    "&amp",
    '" hx-get="/x" hx-trigger="',
    '<a hx-get=/ hx-on:x="a">',
    "\u003cb\u003e",
    "＜b＞",
    "\\x3cb\\x3e",
    "%3Cb%3E",
    "</bdi></strong>",
    "<base href=//evil>",
    "data:text/html,<b>",
    "a\u2028b",
)
CALM = ("Xada", "Xben", "Xcleo", "Xdov", "Xeve", "Xfay")
GROUPS = [PAYLOADS[start : start + 6] for start in range(0, len(PAYLOADS), 6)]


def structure(page: Page) -> list[tuple[str, tuple[str, ...]]]:
    """The elements of a page with their attributes, without what they say."""
    return [(one.tag, tuple(one.attributes)) for one in page.elements]


def seated(app_context: AppContext, names: tuple[str, ...], stage: str) -> Party:
    """People of these names at a table that has come to this stage; the cards are always the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_context, "random", random.Random("the same cards"))
        patch.setattr(fairness, "round_key", lambda secret, *_: secret)  # else every table has cards of its own
        people = tuple(welcome(app_context, name) for name in names)
        rounds = {"rounds": 1 if stage == "finished" else 2}
        party = Party(
            app_context, app_context.write(create.create_table, people[0].id, GAME, len(names), rounds), people
        )
        for seat, guest in enumerate(people[1:], 2):
            party.write(seats.take_seat, guest, seat, guest.name)
        if stage != "gathering":
            party.write(seats.start, 1)
        if stage in ("scores", "finished"):
            party.pass_round()
    assert party.look().table.status == stage
    return party


@pytest.mark.parametrize("stage", ["gathering", "playing", "scores", "finished"])
@pytest.mark.slow
def test_a_name_is_text_wherever_it_is_shown(
    app_context: AppContext, room_app: ASGIApp, client: TestClient, visit: Visit, stage: str
) -> None:
    paths = [path for path in gets(room_app) if not path.endswith(("qr.svg", "record", "export", ".ico", ".png"))]
    if stage != "gathering":
        paths = ["/", "/t/{slug}", "/t/{slug}/live?seen=0"]

    def pages(party: Party) -> list[tuple[int, Page]]:
        link = party.write(players.new_seat_link, 1)
        answers = []
        for viewer in (party.guests[0], None):
            browser = visit(viewer)
            for path in paths:
                answer = browser.get(fill(path, slug=party.slug, version=0, token=link))
                answers.append((answer.status_code, Page(answer.text)))
        return answers

    expected = pages(seated(app_context, CALM, stage))
    for group in GROUPS:
        party = seated(app_context, group, stage)
        shown = [seat.name for seat in party.look().people.seats]
        for (status, page), (calm_status, calm) in zip(pages(party), expected, strict=True):
            assert status == calm_status
            assert structure(page) == structure(calm)
            for name, calm_name in zip(shown, CALM, strict=True):
                assert (name in page.text) >= (calm_name in calm.text)


@pytest.mark.slow
def test_what_was_typed_wrong_is_shown_as_text(
    app_context: AppContext, client: TestClient, visit: Visit, party: Party
) -> None:
    browser = visit(party.guests[0])
    for payload in PAYLOADS[::2]:
        form = {"game": GAME, "name": payload, "seats": "3", "rounds": payload, payload or "x": payload}
        with nothing_changes(app_context.database):
            answers = [
                client.post("/tables", data=form),
                client.post("/tables", data={**form, "bot_pace": payload}),
                client.post("/tables", data={"game": payload}),
                client.post("/code", data={"code": payload}),
                client.get(f"/{payload}"),
                client.get(f"/t/{payload}"),
                client.get(f"/new/{GAME}?preset={payload}"),
                browser.post(f"/t/{party.slug}/moves", data={"move": payload, payload: payload, "seen": "1"}),
                browser.post(f"/t/{party.slug}/bot", data={"level": payload, "number": payload}),
            ]
        for answer in answers:
            assert answer.status_code < 500
            page = Page(answer.text)
            assert not page.find("base")
            assert not page.find("img", src="x")
            assert all(script["src"].startswith("/static/") for script in page.find("script"))
            assert len(page.find("main")) == 1
            attributes = {name for one in page.elements for name in one.attributes}
            assert not {name for name in attributes if name.startswith(("on", "hx-on"))}


def test_hostile_names_are_short_and_visible_at_the_table(app_context: AppContext, client: TestClient) -> None:
    form = {"game": GAME, "seats": "2", "watchers": "open"}
    for name in (
        "x" * 5000,
        "H" + "\u0336\u0321" * 500,
        "\u202ethgir ot tfel",
        "\ufdfa" * 24,
        "👨‍👩‍👧‍👦" * 40,
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿" * 9,
    ):
        answer = client.post("/tables", data={**form, "name": name})
        client.cookies.clear()
        if answer.status_code == 303:
            party = Party(app_context, answer.headers["location"].removeprefix("/t/"), ())
            assert 1 <= len(party.look().people.name_of(1)) <= LONGEST
