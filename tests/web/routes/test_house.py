"""What whoever runs the room has to say."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.cli.parser import main
from app.services.context import AppContext
from app.settings import BadSettings, Settings, read_settings
from app.web.house_pages import read_house_pages
from tests.conftest import KEY
from tests.factories import begin
from tests.pages import Page
from tests.web.conftest import Visit

_SECURITY = "Contact: mailto:keeper@example.org\nExpires: 2999-12-31T00:00:00Z\n"
_WRITTEN = """# Who keeps this room

Write to <keeper@example.org> or [here](https://example.org), not [there](javascript:alert(1)).

| what | how long |
|---|---|
| moves | for ever |

<script>alert(2)</script> <b onclick="alert(3)">bold</b> ![spy](https://spy.example/pixel.png)
"""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """The folder."""
    folder = tmp_path / "pages"
    folder.mkdir()
    return folder


@pytest.fixture
def settings(tmp_path: Path, sqlite_url: str, pages: Path) -> Settings:
    """A house with two pages and whom to tell of holes."""
    (pages / "privacy.md").write_text("We keep nothing but your cards.", encoding="utf-8")
    (pages / "contact.md").write_text(_WRITTEN, encoding="utf-8")
    (pages / "security.txt").write_text(_SECURITY, encoding="utf-8")
    return Settings(data=tmp_path, database_url=sqlite_url, key=KEY, pages=pages)


def links_at(client: TestClient, address: str) -> list[tuple[str, str]]:
    return [
        (link["href"], "".join(link.words))
        for link in Page(client.get(address).text).find("a")
        if link["href"].startswith("/about/")
    ]


def test_every_page_leads_to_those_that_there_are(client: TestClient, app_context: AppContext, visit: Visit) -> None:
    wanted = [("/about/contact", "Contact"), ("/about/privacy", "Privacy")]
    party = begin(app_context, 2)
    for address in ("/", "/new/life", "/rules/life", "/about/privacy", "/nowhere"):
        assert links_at(client, address) == wanted
    at_table = Page(visit(party.guests[0]).get(f"/t/{party.slug}").text)
    assert len([link for link in at_table.find("a") if link["href"] == "/about/contact"]) == 2
    assert client.get("/about/imprint").status_code == 404
    assert client.get("/about/../pages/privacy").status_code == 404


def test_a_page_has_its_own_title_or_the_usual_one(client: TestClient) -> None:
    contact, privacy = (Page(client.get(f"/about/{name}").text) for name in ("contact", "privacy"))
    assert ["".join(one.words) for one in contact.find("h1")] == ["Who keeps this room"]
    assert ["".join(one.words) for one in privacy.find("h1")] == ["Privacy"]
    assert "We keep nothing but your cards." in privacy.text


def test_nothing_of_it_runs_or_is_fetched(client: TestClient) -> None:
    html = client.get("/about/contact").text
    assert "&lt;script&gt;alert(2)" in html
    assert "&lt;b onclick=" in html
    assert "<td>for ever</td>" in html
    page = Page(html)
    assert not [one for one in page.elements if "spy.example" in (one["src"] + str(one.attributes.get("srcset", "")))]
    links = [link["href"] for link in page.find("a")]
    assert {"mailto:keeper@example.org", "https://example.org"} <= set(links)
    assert not [link for link in links if link.startswith("javascript")]


def test_whom_to_tell_of_a_hole(client: TestClient) -> None:
    answer = client.get("/.well-known/security.txt")
    assert (answer.status_code, answer.text) == (200, _SECURITY)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


def test_without_a_folder_there_are_none(tmp_path: Path) -> None:
    assert read_settings({}, data=tmp_path).pages is None
    assert read_settings({"SNUG_PAGES": "here"}, data=tmp_path).pages == Path("here")
    assert not read_house_pages(None).links


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("terms.md", b"Mine", "terms.md is none of contact.md, privacy.md, imprint.md"),
        ("contact.md", b"\xff", "contact.md cannot be read"),
        ("contact.md", b"x" * 200_001, "contact.md has more than 200,000 bytes"),
        ("security.txt", b"Expires: 2999-12-31T00:00:00Z", "needs a line"),
        ("security.txt", b"Contact: me\nExpires: 2999-12-31T00:00:00Z", "needs a line"),
        ("security.txt", b"Contact: mailto:me@example.org\nExpires: soon", "expires at 'soon'"),
        ("security.txt", b"Contact: mailto:me@example.org\nExpires: 2020-01-01T00:00:00Z", "expired at 2020"),
    ],
)
def test_what_cannot_be_shown_is_named(pages: Path, name: str, content: bytes, why: str) -> None:
    (pages / name).write_bytes(content)
    with pytest.raises(BadSettings, match=why):
        read_house_pages(pages)


def test_the_room_does_not_open_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SNUG_PAGES", str(tmp_path / "nowhere"))
    assert main(["serve", "--data", str(tmp_path / "data")]) == 1
    assert f"SNUG_PAGES: there is no folder {tmp_path / 'nowhere'}" in capsys.readouterr().err
