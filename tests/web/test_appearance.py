"""How the room looks follows its reader from device to device."""

from app.services.context import AppContext
from tests.factories import welcome
from tests.web.conftest import Visit


def test_a_language_is_chosen_in_looks_and_holds_on_every_device(app_context: AppContext, visit: Visit) -> None:
    ann = welcome(app_context, "Ann")
    one, two, stranger = visit(ann), visit(ann), visit(None)
    for browser in (one, stranger):
        assert '<html lang="en"' in browser.get("/").text
        assert browser.get("/manifest.webmanifest").json()["lang"] == "en"
        browser.post("/preferences", data={"language": "de"})
        assert '<html lang="de"' in browser.get("/").text
        assert "Hinter dieser Adresse stehen nur Besen." in browser.get("/nowhere").text
        assert browser.get("/manifest.webmanifest").json()["lang"] == "de"
    assert '<html lang="de"' in two.get("/").text
    assert '<html lang="de"' in two.get("/me").text
    two.post("/preferences", data={"language": "auto"})
    assert '<html lang="en"' in one.get("/").text
    assert '<html lang="de"' in one.get("/", headers={"Accept-Language": "de-AT"}).text
    two.post("/preferences", data={"language": "en"})
    assert '<html lang="en"' in two.get("/", headers={"Accept-Language": "de"}).text
    assert one.post("/preferences", data={"language": "xx"}).status_code == 422
