"""Talk on pages: text stays text, limits answer with a sentence, forms are there for those who may use them."""

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.talk import chat
from app.services.talk.chat import PHRASES
from app.web.middleware import rate_limit
from tests.factories import Party, begin, gather, nothing_changes, welcome
from tests.pages import HTMX, Page
from tests.web.conftest import Visit

HOSTILE = (
    "<script>alert(1)</script>",
    "</bdi></li><img src=x onerror=a()>",
    '" onmouseover="alert(1)',
    "{{ 7*7 }}",
    "<b>\u202eevil</b>",
    "&lt;b&gt;",
)


def test_what_is_said_is_text_and_nothing_else(app_context: AppContext, party: Party, visit: Visit) -> None:
    alice, bob = visit(party.guests[0]), visit(party.guests[1])
    calm = Page(bob.get(f"/t/{party.slug}").text)
    for payload in HOSTILE:
        assert alice.post(f"/t/{party.slug}/talk", data={"text": payload}).status_code == 303
    for path in ("", "/live?seen=0", "/talk"):
        page = Page(bob.get(f"/t/{party.slug}{path}").text)
        said = ["".join(one.words) for one in page.find("bdi", class_="words")]
        assert said == [payload.replace("\u202e", "") for payload in reversed(HOSTILE)]
        assert not page.find("img", src="x")
        assert not page.find("script", src="")
        assert not {name for one in page.elements for name in one.attributes if name.startswith("on")}
    assert len(Page(bob.get(f"/t/{party.slug}").text).find("script")) == len(calm.find("script"))


def test_a_refused_text_is_given_back_with_the_reason(app_context: AppContext, party: Party, visit: Visit) -> None:
    alice = visit(party.guests[0])
    typed = '"quoted" ' + "x" * 220
    for headers in ({}, HTMX):
        with nothing_changes(app_context.database):
            answer = alice.post(f"/t/{party.slug}/talk", data={"text": typed}, headers=headers)
        assert answer.status_code == 422
        page = Page(answer.text)
        assert "at most 200" in "".join(page.one(id="unsaid").words)
        assert page.one(id="talk-text")["value"] == typed


def test_too_much_at_once_is_answered_with_429_and_a_sentence(
    app_context: AppContext, party: Party, visit: Visit
) -> None:
    alice = visit(party.guests[0])
    for number in range(8):
        assert alice.post(f"/t/{party.slug}/talk", data={"text": f"{number}"}).status_code == 303
    for headers in ({}, HTMX):
        answer = alice.post(f"/t/{party.slug}/talk", data={"phrase": "cheers"}, headers=headers)
        assert answer.status_code == 429
        assert "Take a sip" in "".join(Page(answer.text).one(id="unsaid").words)


def test_phrases_are_buttons_and_the_text_field_comes_with_free_talk(
    app_context: AppContext, party: Party, visit: Visit
) -> None:
    alice, bob = visit(party.guests[0]), visit(party.guests[1])
    address = f"/t/{party.slug}"
    forms = Page(bob.get(address).text).forms_to("/talk")
    assert [form.get("phrase") for form in forms if form.get("phrase")] == list(PHRASES)
    assert any(form.get("text") == "" for form in forms)
    assert alice.post(f"{address}/talk-mode", data={"talk": "phrases"}).status_code == 303
    page = Page(bob.get(address).text)
    assert not page.find(id="talk-text")
    answer = bob.post(f"{address}/talk", data=page.forms_to("/talk")[2].data, headers=HTMX)
    assert answer.status_code == 200
    assert list(PHRASES.values())[2] in Page(answer.text).text
    alice.post(f"{address}/talk-mode", data={"talk": "off"})
    page = Page(bob.get(address).text)
    assert not page.forms_to("/talk")
    assert "turned talk off" in page.text
    assert bob.post(f"{address}/talk-mode", data={"talk": "free"}).status_code == 403


def test_an_unknown_onlooker_gives_a_nickname_with_the_first_words(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = begin(app_context, 2)
    onlooker = visit(None)
    address = f"/t/{party.slug}"
    page = Page(onlooker.get(address).text)
    assert not page.forms_to("/talk")
    assert "".join(page.one(id="seats-only").words) == "Only those who sit at this table talk here."
    gathering = Page(onlooker.get(f"/t/{gather(app_context, 1, seats=2).slug}").text)
    assert "".join(gathering.one(id="seats-only").words) == "Take a seat, and you can talk here."
    with nothing_changes(app_context.database):
        assert onlooker.post(f"{address}/talk", data={"text": "Hello", "name": "Zoë"}).status_code == 403
    party.write(chat.set_talk, 1, "free", True)
    (form,) = Page(onlooker.get(address).text).forms_to("/talk")
    with nothing_changes(app_context.database):
        assert onlooker.post(form.action, data={**form.data, "text": "Hello"}).status_code == 422
        assert onlooker.post(form.action, data={**form.data, "name": "Zoë"}).status_code == 422
    assert onlooker.post(form.action, data={**form.data, "text": "Hello", "name": "Zoë"}).status_code == 303
    page = Page(visit(party.guests[0]).get(address).text)
    assert "Zoë onlooker said: Hello" in page.text
    assert Page(onlooker.get(address).text).find(id="hide-talk")
    another = visit(None)
    (form,) = Page(another.get(address).text).forms_to("/talk")
    told = another.post(form.action, data={**form.data, "text": "Hello", "name": "Yan"}, headers=HTMX)
    assert "You onlooker said: Hello" in Page(told.text).text
    assert 'href="/me"' in told.text
    assert "snug" in told.headers["set-cookie"]


def test_newcomers_from_one_address_are_limited(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = begin(app_context, 2)
    party.write(chat.set_talk, 1, "free", True)
    for _ in range(rate_limit.newcomers._tries):
        visit(None).post(f"/t/{party.slug}/talk", data={"text": "", "name": "x"})
    answer = visit(None).post(f"/t/{party.slug}/talk", data={"text": "Hello", "name": "x"})
    assert answer.status_code == 429


def test_behind_a_closed_door_there_is_no_talk_to_read(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = gather(app_context, 2, watch="none")
    party.write(chat.say, 1, "Just the two of us")
    for guest in (None, welcome(app_context, "Mallory")):
        for path in ("", "/live?seen=0", "/talk"):
            answer = visit(guest).get(f"/t/{party.slug}{path}")
            assert "Just the two of us" not in answer.text
        assert answer.status_code == 403
    assert "Just the two of us" in visit(party.guests[1]).get(f"/t/{party.slug}/talk").text


@pytest.mark.parametrize("stage", ["gathering", "playing", "scores", "finished"])
def test_people_talk_at_every_stage(app_context: AppContext, client: TestClient, visit: Visit, stage: str) -> None:
    party = (
        gather(app_context, 2)
        if stage == "gathering"
        else begin(app_context, 2, rounds=1 if stage == "finished" else 2)
    )
    if stage in ("scores", "finished"):
        party.pass_round()
    assert party.look().table.status == stage
    browser = visit(party.guests[1])
    answer = browser.post(f"/t/{party.slug}/talk", data={"text": f"In the {stage}"}, headers=HTMX)
    assert answer.status_code == 200
    assert f"In the {stage}" in Page(answer.text).text
    for guest, path in ((party.guests[0], ""), (party.guests[1], "/talk"), (None, "")):
        page = Page(visit(guest).get(f"/t/{party.slug}{path}").text)
        assert f"In the {stage}" in page.text
        ids = [one["id"] for one in page.elements if one["id"]]
        assert len(ids) == len(set(ids))  # a morph goes by them


def test_unread_talk_is_counted_on_the_panel(app_context: AppContext, party: Party, visit: Visit) -> None:
    bob = visit(party.guests[1])
    badge = Page(bob.get(f"/t/{party.slug}").text).one(id="unread")
    assert "hidden" in badge.attributes
    party.write(chat.say, 1, "One")
    party.write(chat.say, 3, "Two")
    badge = Page(bob.get(f"/t/{party.slug}").text).one(id="unread")
    assert "hidden" not in badge.attributes
    assert "".join(badge.words) == "2 new"


def test_talk_is_hidden_or_shown_and_nothing_else(app_context: AppContext, party: Party, visit: Visit) -> None:
    with nothing_changes(app_context.database):
        answer = visit(party.guests[0]).post(f"/t/{party.slug}/mute", data={"muted": "a little"})
    assert answer.status_code == 422
    assert "either hidden (on) or shown (off)" in Page(answer.text).text


def test_an_opening_form_asks_how_people_talk(app_context: AppContext, client: TestClient) -> None:
    page = Page(client.get("/new/lucky_paw").text)
    (form,) = page.forms_to("/tables")
    assert form.get("talk") == "free"
    answer = client.post("/tables", data={**form.data, "name": "Ann", "talk": "phrases", "watchers_talk": "true"})
    table = Party(app_context, answer.headers["location"].removeprefix("/t/"), ()).look()
    assert (table.setup.talk, table.setup.watchers_talk) == ("phrases", True)
    page = Page(client.get("/new/lucky_paw").text)
    assert page.forms_to("/tables")[0].get("talk") == "phrases"  # as last time
    client.cookies.clear()
    answer = client.post("/tables", data={**form.data, "name": "Ann", "talk": "loud"})
    assert answer.status_code == 422


def test_while_a_table_gathers_only_those_talk_who_are_known(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = gather(app_context, 1, seats=2)
    party.write(chat.set_talk, 1, "free", True)
    assert Page(visit(party.guests[0]).get(f"/t/{party.slug}").text).find("form", id="say-form")
    assert not Page(client.get(f"/t/{party.slug}").text).find("form", id="say-form")
