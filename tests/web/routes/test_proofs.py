"""The page on which deals are proved, over HTTP: what it shows, to whom and when, and that no other page tells more."""

import json
import re
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.services.queries import proofs
from app.services.seats import seats
from app.services.table.open_table import FINISHED, PLAYING
from app.storage import models
from tests.factories import Guest, Party, begin, gather, welcome
from tests.pages import HTMX, Page
from tests.services.queries.test_proofs import VERIFIER, forget_seals, sealed, stranger_says
from tests.services.tournaments.test_same_deal import same_deal
from tests.web.conftest import Visit
from tests.web.every_route import fill, gets


def told(room_app: ASGIApp, browser: TestClient, party: Party) -> str:
    """Everything that any GET of the room answers, headers included."""
    found = []
    for path in gets(room_app):
        for headers in ({}, HTMX):
            answer = browser.get(fill(path, slug=party.slug, version=party.version, token="none"), headers=headers)
            assert answer.status_code < 500, path
            found.append(f"{answer.headers} {answer.text}")
    return "\n".join(found)


def secrets_of(context: AppContext, *, dealt: bool | None = None) -> set[str]:
    """Every way in which a secret that is sealed now could be written."""
    return {
        way
        for deal in sealed(context).values()
        if dealt is None or (deal.dealt_at is not None) == dealt
        for way in (deal.secret.hex(), deal.secret.hex().upper(), repr(deal.secret)[2:-1])
    }


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["gathering", "playing", "scores", "refused"])
def test_no_page_tells_a_secret_before_its_round_is_over(
    app_context: AppContext, room_app: ASGIApp, visit: Visit, stage: str
) -> None:
    party = gather(app_context, 2, rounds=2)
    if stage != "gathering":
        party.write(seats.start, 1, "abc")
    if stage == "scores":
        party.pass_round()
    hidden = secrets_of(app_context, dealt=False if stage == "scores" else None)
    assert hidden
    for viewer in (None, *party.guests, welcome(app_context, "Zoe")):
        browser = visit(viewer)
        answers = told(room_app, browser, party) if stage != "refused" else ""
        for path, data in (("ready", {"cut": "no way"}), ("moves", {"move": "play", "seen": "0"}), ("start", {})):
            answers += (
                browser.post(f"/t/{party.slug}/{path}", data=data, headers=HTMX).text if stage == "refused" else ""
            )
        assert not [secret for secret in hidden if secret in answers], viewer


@pytest.mark.slow
def test_no_page_tells_the_secret_of_a_deal_that_is_still_played(
    app_context: AppContext, room_app: ASGIApp, visit: Visit
) -> None:
    host, one, two = same_deal(app_context)
    with app_context.database.reading() as connection:
        cup = connection.execute(select(models.Tournament.slug)).scalar_one()
    assert sealed(app_context)["1/2", "stage"].commitment in visit(None).get(f"/tournaments/{cup}").text
    one.pass_round()
    hidden = secrets_of(app_context)
    for party in (one, two):
        for viewer in (None, host, *one.guests):
            answers = told(room_app, visit(viewer), party)
            assert not [secret for secret in hidden if secret in answers], viewer
    two.pass_round()
    page = visit(one.guests[0]).get(f"/t/{one.slug}/proof").text
    assert sealed(app_context)["1/1", "stage"].secret.hex() in page


def test_the_page_shows_seal_cuts_secret_and_verdict(app_context: AppContext, visit: Visit) -> None:
    party = gather(app_context, 2, rounds=1)
    address = f"/t/{party.slug}/proof"
    alice, bob = map(visit, party.guests)
    deal = sealed(app_context)[str(party.row.id), "1.1"]
    assert deal.commitment in bob.get(f"/t/{party.slug}").text
    assert deal.commitment in bob.get(address).text
    assert alice.post(f"/t/{party.slug}/start", data={"cut": "tarock"}).status_code == 303
    playing = Page(alice.get(address).text)
    assert "tarock" in playing.html
    assert "Being played" in playing.text
    assert "did not cut" in playing.text
    assert f'href="{address}"' in alice.get(f"/t/{party.slug}").text
    party.pass_round()
    assert party.row.status == FINISHED
    over = Page(bob.get(address).text)
    assert "Dealt as it was sealed." in over.text
    assert "The next deal is sealed" in over.text
    assert deal.secret.hex() in over.html
    assert deal.commitment in over.html
    assert f'href="/t/{party.slug}/record"' in over.html
    finished = Page(bob.get(f"/t/{party.slug}").text)
    assert f"{address}?match=1" in finished.html
    assert bob.get(f"{address}?match=7").status_code == 404
    assert bob.get(f"{address}?match=-1").status_code == 200
    assert bob.get(f"{address}?match=x").status_code in (400, 422)


def test_the_own_cut_is_marked(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 3, rounds=1)
    shown = visit(party.guests[1]).get(f"/t/{party.slug}/proof").text
    assert re.findall(r'Cut of <bdi>(\w+)</bdi> <span class="tag">you</span>', shown) == ["Bob"]
    assert "Cut of <bdi>Alice</bdi></dt>" in shown


def test_the_head_of_the_chain_is_shown_when_nothing_is_hidden_any_more(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, rounds=1)
    alice, address = visit(party.guests[0]), f"/t/{party.slug}/proof"
    before = party.row.head
    assert before
    assert before not in alice.get(address).text
    party.pass_round()
    assert party.row.head != before
    record = json.loads(alice.get(f"/t/{party.slug}/record").text)
    assert record["chain"]["head"] == party.row.head
    assert party.row.head in alice.get(address).text


def test_onlookers_who_may_not_see_the_board_see_no_proof(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, watch="none", rounds=1)
    assert visit(None).get(f"/t/{party.slug}/proof").status_code == 403
    assert visit(party.guests[0]).get(f"/t/{party.slug}/proof").status_code == 200
    assert visit(None).get("/t/nowhere/proof").status_code == 404


def test_an_old_table_says_that_its_round_was_begun_before(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, rounds=1)
    forget_seals(app_context)
    party.pass_round()
    assert "begun before deals were sealed" in visit(party.guests[0]).get(f"/t/{party.slug}/proof").text


def test_every_form_that_leads_to_a_deal_takes_a_cut(app_context: AppContext, visit: Visit) -> None:
    party = gather(app_context, 1, seats=2, rounds=2)
    alice, bob = visit(party.guests[0]), visit(None)

    def cut_of(browser: TestClient) -> str:
        (field,) = [one for one in Page(browser.get(f"/t/{party.slug}").text).elements if one["id"] == "cut"]
        return field["form"]

    assert cut_of(bob) == "sit"
    sat = bob.post(f"/t/{party.slug}/sit", data={"number": "2", "name": "Bob", "cut": "bobsone"}, headers=HTMX)
    assert sat.status_code == 200
    assert "bobsone" in sat.text
    assert "bobsone" not in alice.get(f"/t/{party.slug}").text
    assert cut_of(alice) == "start-form"
    party = Party(app_context, party.slug, (party.guests[0], _second(party)))
    cuts = []
    alice.post(f"/t/{party.slug}/start", data={"cut": "a1"})
    party.pass_round()
    assert {cut_of(alice), cut_of(bob)} == {"ready-form"}
    alice.post(f"/t/{party.slug}/ready", data={"cut": "a2"})
    bob.post(f"/t/{party.slug}/ready", data={"cut": "b2"})
    assert party.row.status == PLAYING
    party.pass_round()
    assert cut_of(bob) == "rematch-form"
    bob.post(f"/t/{party.slug}/rematch", data={"cut": "b3"})
    for number in ("1.1", "1.2", "2.1"):
        cuts.append([cut and cut[0] for cut in sealed(app_context)[str(party.row.id), number].cuts or ()])
    assert cuts == [["a1", "bobsone"], ["a2", "b2"], [None, "b3"]]


def _second(party: Party) -> Guest:
    player_id = party.players[2]
    assert player_id
    return Guest(player_id, "Bob", "")


def test_a_bad_cut_is_refused_with_a_sentence(app_context: AppContext, visit: Visit) -> None:
    party = gather(app_context, 2, rounds=1)
    answer = visit(party.guests[0]).post(f"/t/{party.slug}/start", data={"cut": "<script>"}, headers=HTMX)
    assert answer.status_code == 422
    assert "Cut the deck with up to 32 letters and digits." in Page(answer.text).text
    assert party.row.status == "gathering"


def test_what_is_downloaded_is_all_a_stranger_needs(app_context: AppContext, visit: Visit, tmp_path: Any) -> None:
    party = gather(app_context, 2, rounds=1)
    alice = visit(party.guests[0])
    alice.post(f"/t/{party.slug}/start", data={"cut": "42"})
    party.pass_round()
    record = alice.get(f"/t/{party.slug}/record")
    assert stranger_says(json.loads(record.text), tmp_path) == (0, "honest\n")
    page = Page(alice.get(f"/t/{party.slug}/proof").text)
    (link,) = [one for one in page.elements if one["id"] == "verifier"]
    assert alice.get(link["href"]).text == VERIFIER.read_text(encoding="utf-8")
    again = alice.post("/replay", data={"record": record.text, "at": "1/0/open"})
    assert again.status_code == 200
    assert "commitment" not in again.text  # it is not carried from page to page


def test_the_verifier_is_short_and_needs_nothing() -> None:
    text = VERIFIER.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    assert "import hashlib, hmac, json, struct, sys\n" in text
    assert "app" not in text.replace("append", "")


def test_that_the_room_was_put_back_is_told_of_the_round_it_was_in_alone(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = begin(app_context, 2, rounds=2)
    party.pass_round()
    for epochs in (0, 1):
        monkeypatch.setattr(proofs.RoundDealt, "epochs", epochs)
        page = visit(party.guests[0]).get(f"/t/{party.slug}/proof").text
        assert page.count("was put back from a copy") == epochs
