"""What goes out compressed, and what never does."""

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from app.web.middleware.compression import Compression
from tests.factories import Party
from tests.web.conftest import Visit

PACKED = {"Accept-Encoding": "gzip"}


def test_a_table_goes_compressed_to_browsers_that_take_it_so(party: Party, visit: Visit) -> None:
    browser, address = visit(party.guests[0]), f"/t/{party.slug}"
    packed = browser.get(address, headers=PACKED)
    plain = browser.get(address, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text
    assert "Accept-Encoding" in packed.headers["vary"]


def test_a_short_answer_is_left_as_it_is(client: TestClient) -> None:
    assert "content-encoding" not in client.get("/healthz", headers=PACKED).headers


@pytest.mark.parametrize("action", ["seat-link", "hand-over"])
def test_a_page_that_shows_a_secret_is_not_compressed(party: Party, visit: Visit, action: str) -> None:
    answer = visit(party.guests[1]).post(f"/t/{party.slug}/{action}", headers=PACKED, follow_redirects=True)
    assert answer.status_code == 200
    assert len(answer.content) > 1000
    assert "content-encoding" not in answer.headers


def test_ones_own_room_is_not_compressed(party: Party, visit: Visit) -> None:
    answer = visit(party.guests[0]).get("/me", headers=PACKED)
    assert len(answer.content) > 1000
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(("size", "packed"), [(999, False), (1000, True)])
def test_what_fits_into_a_packet_is_left_as_it_is(size: int, packed: bool) -> None:
    app = Compression(PlainTextResponse("x" * size))
    assert ("content-encoding" in TestClient(app).get("/", headers=PACKED).headers) == packed
