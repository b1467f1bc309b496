"""The room on a home screen and beside a link: manifest, icons, the page without a network, previews."""

import re
import struct
from importlib import import_module
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import snug.games
from app.main import create_app
from app.paths import STATIC
from app.services.context import AppContext
from app.settings import Settings
from snug.games import GAMES
from tests.factories import Party, begin, gather
from tests.pages import Page
from tests.web.conftest import Visit

PREVIEWS = [STATIC / "home" / "preview.png", *Path(snug.games.__file__).parent.glob("*/preview.png")]


def size_of(picture: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", picture[16:24])


def told_by(client: TestClient, path: str) -> dict[str, str]:
    """What a messenger reads of a page."""
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[a-z_]+)" content="([^"]*)">', client.get(path).text)
    assert len(found) == len(dict(found))
    return dict(found)


def test_the_manifest_names_icons_and_games_that_are_there(client: TestClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == ("Snug", "/", "standalone")
    assert re.fullmatch("#[0-9a-f]{6}", manifest["theme_color"])
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        picture = client.get(icon["src"])
        assert "immutable" in picture.headers["cache-control"]
        assert "x".join(map(str, size_of(picture.content))) == icon["sizes"]
    *games, room = manifest["shortcuts"]
    assert {game["url"] for game in games} == {f"/new/{key}" for key in GAMES}
    assert room == {"name": "My room", "url": "/me"}
    for shortcut in games:
        assert client.get(shortcut["url"]).status_code == client.get(shortcut["icons"][0]["src"]).status_code == 200
    page = Page(client.get("/").text)
    assert page.one("link", rel="manifest")["href"] == "/manifest.webmanifest"
    touch = client.get(page.one("link", rel="apple-touch-icon")["href"])
    assert (touch.headers["content-type"], size_of(touch.content)) == ("image/png", (180, 180))


def test_old_browsers_find_an_icon_where_they_look_for_it(client: TestClient) -> None:
    answer = client.get("/favicon.ico")
    assert answer.headers["content-type"] == "image/x-icon"
    _zero, kind, count = struct.unpack("<HHH", answer.content[:6])
    assert (kind, count) == (1, 3)
    for number in range(count):
        side, *_more, length, at = struct.unpack("<BBBBHHII", answer.content[6 + 16 * number : 22 + 16 * number])
        assert size_of(answer.content[at : at + length]) == (side, side)


def test_the_page_without_a_network_is_the_same_for_everybody(party: Party, visit: Visit) -> None:
    strange, known = (visit(guest).get("/offline") for guest in (None, party.guests[0]))
    assert strange.status_code == 200
    assert strange.content == known.content
    page = Page(strange.text)
    assert page.one(id="knock")["href"] == ""
    assert page.one(id="away")["data-page"] == "/offline"
    worker = visit(None).get("/sw.js").text
    assert 'AWAY = "/offline"' in worker
    assert worker.count("cache.add") == 1
    assert "cache.put" not in worker


@pytest.mark.parametrize("file", PREVIEWS, ids=lambda file: f"{file.parent.name}")
def test_pictures_beside_links_are_small(file: Path) -> None:
    picture = file.read_bytes()
    assert size_of(picture) == (1200, 630)
    assert len(picture) < 60_000


@pytest.mark.parametrize("path", ["/", *(f"/{what}/{key}" for key in GAMES for what in ("rules", "new"))])
def test_pages_say_what_stands_beside_a_link_to_them(client: TestClient, path: str) -> None:
    told = told_by(client, path)
    assert told["twitter:card"] == "summary_large_image"
    key = path.rpartition("/")[2]
    assert told["og:title"]
    assert told["og:description"] == (GAMES[key].summary.replace("'", "&#39;") if key else told["og:description"])
    assert told["og:image"].startswith("http://")
    picture = client.get(told["og:image"])
    assert picture.headers["content-type"] == "image/png"
    own = Path(snug.games.__file__).parent / key / "preview.png" if key else PREVIEWS[0]
    assert picture.content == own.read_bytes()


def test_an_invitation_names_the_host_and_the_game(app_context: AppContext, client: TestClient) -> None:
    party = gather(app_context, 2, seats=3)
    told = told_by(client, f"/t/{party.slug}")
    assert told["og:title"] == "Alice invites you to Lucky Paw"
    assert "Bob" not in str(told)


@pytest.mark.parametrize("watch", ["none", "open", "after"])
def test_a_link_to_a_game_in_play_tells_no_name_and_no_card(
    app_context: AppContext, client: TestClient, watch: str
) -> None:
    party = begin(app_context, 2, watch=watch)
    told = told_by(client, f"/t/{party.slug}")
    assert told["og:title"] == "A table of Lucky Paw"
    assert re.fullmatch(rf"9 rounds, about \d+ minutes\. {GAMES['lucky_paw'].summary}", told["og:description"])
    assert "Alice" not in str(told)


def test_pictures_beside_links_have_the_address_of_the_room(settings: Settings, app_context: AppContext) -> None:
    public = Settings(settings.data, settings.database_url, settings.key, public_url="https://cards.example")
    browser = TestClient(create_app(public, app_context), base_url="https://cards.example")
    assert told_by(browser, "/")["og:image"].startswith("https://cards.example/static/home/preview.png?v=")
    browser.close()


def test_the_icons_are_what_the_script_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    for tool in ("resvg_py", "fontTools", "brotli", "PIL"):
        pytest.importorskip(tool)
    monkeypatch.syspath_prepend(str(STATIC.parent / "scripts"))
    build_pngs = import_module("build_pngs")

    for file, content in build_pngs.pictures().items():
        assert file.read_bytes() == content, file.name
