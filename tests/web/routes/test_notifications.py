"""The service worker, subscriptions and webhooks over HTTP; the panel with the switches."""

from starlette.testclient import TestClient

from app.services.context import AppContext
from tests.factories import Party, gather, nothing_changes
from tests.pages import Page
from tests.services.notifications.test_subscriptions import endpoints
from tests.web.conftest import Visit
from tests.web.every_route import FIELDS


def test_the_service_worker_looks_after_the_whole_room(client: TestClient) -> None:
    answer = client.get("/sw.js")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" not in answer.headers["cache-control"]


def test_a_browser_subscribes_and_ends_it(app_context: AppContext, party: Party, visit: Visit) -> None:
    bob = party.guests[1]
    browser, fields = visit(bob), FIELDS["/push"]
    assert browser.post("/push", data=fields).status_code == 204
    assert endpoints(app_context, bob) == [fields["endpoint"]]
    with nothing_changes(app_context.database):
        assert browser.post("/push", data={**fields, "endpoint": "https://192.168.0.1/"}).status_code == 422
        assert visit(None).post("/push", data=fields).status_code == 403
        assert visit(None).post("/push/forget", data=fields).status_code == 403
        assert visit(party.guests[0]).post("/push/forget", data=fields).status_code == 204
        elsewhere = {"Sec-Fetch-Site": "cross-site"}
        assert browser.post("/push/forget", data=fields, headers=elsewhere).status_code == 403
    assert browser.post("/push/forget", data=fields).status_code == 204
    assert endpoints(app_context, bob) == []


def test_the_switches_are_for_those_who_sit(app_context: AppContext, party: Party, visit: Visit) -> None:
    page = Page(visit(party.guests[1]).get(f"/t/{party.slug}").text)
    for name in ("vibrate", "notify"):
        box = page.one(data_switch=name)
        assert box["type"] == "checkbox"
        assert "checked" not in box.attributes  # off until somebody wants it
    assert len(page.one(id="notices")["data-push-key"]) == 87
    assert not Page(visit(None).get(f"/t/{party.slug}").text).find(id="notices")


def test_a_webhook_is_set_by_the_host_and_its_address_is_not_shown_again(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = gather(app_context, 2)
    alice, bob, address = visit(party.guests[0]), visit(party.guests[1]), f"/t/{party.slug}"
    fields = {"url": "https://hooks.example/secret-part"}
    assert not Page(alice.get(address).text).forms_to("/webhook")
    with nothing_changes(app_context.database):
        assert alice.post(f"{address}/webhook", data=fields).status_code == 403
        app_context.webhooks = True
        assert bob.post(f"{address}/webhook", data=fields).status_code == 403
        answer = alice.post(f"{address}/webhook", data={"url": "https://localhost/"})
        assert answer.status_code == 422
        assert "whole internet" in Page(answer.text).text
    assert not Page(bob.get(address).text).forms_to("/webhook")
    (form,) = Page(alice.get(address).text).forms_to("/webhook")
    assert alice.post(form.action, data={**form.data, **fields}).status_code == 303
    page = Page(alice.get(address).text)
    assert "news go to hooks.example" in page.text
    assert "secret-part" not in page.html
    assert "hooks.example" not in bob.get(address).text
    (form,) = page.forms_to("/webhook")
    assert alice.post(form.action, data=form.data).status_code == 303
    assert party.row.webhook is None
