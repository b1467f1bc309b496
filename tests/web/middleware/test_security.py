"""What every request and every answer must obey: no forged forms, strict headers, bounded bodies."""

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.main import create_app
from app.services.context import AppContext
from app.settings import Settings
from tests.conftest import NewClient
from tests.factories import Party, begin, gather, nothing_changes
from tests.servers import poll_of
from tests.web.conftest import Visit
from tests.web.every_route import FIELDS, every_route, fill, gets, honest, posts

HOME = "http://testserver"
FOREIGN: tuple[dict[str, str], ...] = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": ""},
    {"Sec-Fetch-Site": "cross-site", "Origin": HOME},
    {"Sec-Fetch-Site": "same-site", "Origin": HOME},
    {"Origin": "https://evil.example"},
    {"Origin": "http://testserver.evil.example"},
    {"Origin": "http://testserver:8080"},
    {"Origin": "http://user@testserver"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "testserver"},
    {"Origin": "http://["},
    {"Origin": "http://"},
    {"Referer": f"{HOME}/"},
    {},
)


def bare(client: TestClient) -> TestClient:
    """A browser that says only what it is told to say."""
    for name in ("Origin", "Sec-Fetch-Site"):
        del client.headers[name]
    return client


@pytest.fixture
def table(app_context: AppContext, client: TestClient) -> Party:
    """Alice and Bob before the start; seat 3 is free."""
    return gather(app_context, 2, seats=3)


def test_a_form_from_another_site_is_refused_everywhere(
    room_app: ASGIApp, app_context: AppContext, table: Party, visit: Visit
) -> None:
    browser = bare(visit(table.guests[0]))
    values = {"slug": table.slug, "code": table.look().table.code, "version": table.version, "token": "x"}
    with nothing_changes(app_context.database):
        for path in posts(room_app):
            for headers in FOREIGN:
                answer = browser.post(fill(path, **values), data=honest(path, **values), headers=headers)
                assert answer.status_code == 403, (path, headers)
                assert not answer.cookies
                assert "another site" in answer.text


def test_other_methods_are_refused_when_they_come_from_elsewhere(table: Party, visit: Visit) -> None:
    browser = bare(visit(table.guests[0]))
    for method in ("POST", "PUT", "PATCH", "DELETE", "BREW"):
        assert browser.request(method, "/", headers={"Origin": "https://evil.example"}).status_code == 403


def test_a_form_of_our_own_is_taken(table: Party, visit: Visit) -> None:
    for headers in (
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "same-origin", "Origin": HOME},
        {"Origin": HOME},  # plain http on a local network: browsers send no Sec-Fetch-Site there
    ):
        browser = bare(visit(table.guests[0]))
        assert browser.post(f"/t/{table.slug}/shuffle", headers=headers).status_code == 303


def test_behind_a_proxy_the_public_address_is_our_own(
    settings: Settings, app_context: AppContext, clock: object
) -> None:
    public = Settings(settings.data, settings.database_url, settings.key, public_url="https://cards.example")
    app = create_app(public, app_context)
    with TestClient(app, base_url="http://10.0.0.7:8000", follow_redirects=False) as browser:
        answer = browser.post("/preferences", data={"deck": "two"}, headers={"Origin": "https://cards.example"})
        assert answer.status_code == 303
        answer = browser.post("/preferences", data={"deck": "two"}, headers={"Origin": "https://other.example"})
        assert answer.status_code == 403


STRICT = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-robots-tag": "noindex",
}


def assert_strict(answer: object, *, kept: bool = False) -> None:
    """The headers that every answer must bear; only static files may be kept."""
    headers = answer.headers  # type: ignore[attr-defined]
    for name, value in STRICT.items():
        assert headers.get_list(name) == [value], name
    assert "camera=()" in headers["permissions-policy"]
    assert "server" not in headers
    assert "server-timing" not in headers
    assert "access-control-allow-origin" not in headers
    if not kept:
        assert headers.get_list("cache-control") == ["no-store"]
        assert "cookie" in headers["vary"].lower()


@pytest.mark.slow
def test_every_page_has_strict_headers(room_app: ASGIApp, party: Party, visit: Visit) -> None:
    values = {"slug": party.slug, "version": party.version, "token": "x"}
    for guest in (None, party.guests[0]):
        browser = visit(guest)
        for path in gets(room_app):
            for headers in ({}, {"HX-Request": "true"}):
                answer = browser.get(fill(path, **values), headers=headers)
                assert answer.status_code in (200, 204, 303, 400, 403, 404, 409), path
                assert_strict(answer)
        for path in posts(room_app):
            answer = browser.post(fill(path, **values), data=honest(path, code="x", **values))
            assert answer.status_code in (200, 204, 303, 307, 403, 404, 409, 422), path
            assert_strict(answer)


def test_errors_have_strict_headers_too(
    app_context: AppContext, party: Party, client: TestClient, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {
        404: client.get("/no/such/page"),
        405: client.put("/"),
        400: client.get("/new/lucky_paw?preset=x"),
        413: client.post("/code", data={"code": "x" * 70_000}),
        403: bare(visit(None)).post("/code"),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        assert_strict(answer)
    for answer in (client.head("/"), client.options("/")):
        assert answer.status_code == 405
        assert_strict(answer)
    monkeypatch.setattr("app.web.routes.tables.load_table_page", lambda *_: 1 / 0)
    broken = client.get(f"/t/{party.slug}")
    assert broken.status_code == 500
    assert "division" not in broken.text
    assert "Traceback" not in broken.text
    assert_strict(broken)


def test_static_files_are_kept_and_strict(client: TestClient) -> None:
    page = client.get("/").text
    address = page.split('rel="stylesheet" href="')[1].split('"')[0]
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert_strict(answer, kept=True)
    again = client.get(address, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    assert_strict(again, kept=True)
    plain = client.get(address.split("?")[0])
    assert "immutable" not in plain.headers.get("cache-control", "")
    missing = client.get("/static/none.css?v=1")
    assert missing.status_code == 404
    assert "immutable" not in missing.headers.get("cache-control", "")
    assert_strict(missing, kept=True)
    for escape in ("/static/../pyproject.toml", "/static/%2e%2e/pyproject.toml", "/static/..%2f..%2fetc%2fpasswd"):
        assert client.get(escape).status_code == 404


def test_https_is_insisted_on_where_it_is_known(
    settings: Settings, app_context: AppContext, client: TestClient
) -> None:
    assert "strict-transport-security" not in client.get("/").headers
    public = Settings(settings.data, settings.database_url, settings.key, public_url="https://cards.example")
    browser = TestClient(create_app(public, app_context), base_url="https://cards.example")
    assert browser.get("/").headers["strict-transport-security"] == "max-age=31536000"
    browser.close()


def test_a_large_body_is_refused_before_it_is_read(
    room_app: ASGIApp, app_context: AppContext, table: Party, visit: Visit
) -> None:
    browser = visit(table.guests[0])
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    values = {"slug": table.slug, "token": "x"}
    with nothing_changes(app_context.database):
        for path in posts(room_app):
            if not FIELDS[path] or path == "/replay":
                continue  # reads no body, or takes records, which are long: see test_replays
            for body in (b"name=" + b"x" * 65_536, (b"name=" + b"x" * 1000 + b"&" for _ in range(80))):
                answer = browser.post(fill(path, **values), content=body, headers=form)
                assert answer.status_code == 413, path


def test_no_route_is_left_out(room_app: ASGIApp) -> None:
    methods = {method for method, _ in every_route(room_app)}
    assert methods == {"GET", "POST"}
    assert len(posts(room_app)) >= 17


def test_the_room_tells_nothing_about_its_make(client: TestClient) -> None:
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert client.get(path).status_code == 404


def test_the_room_says_that_it_is_well(client: TestClient) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")


def test_pages_hold_no_inline_script_or_style(party: Party, visit: Visit, new_client: NewClient) -> None:
    browser = visit(party.guests[0])
    for path in ("/", "/new/lucky_paw", "/rules/lucky_paw", f"/t/{party.slug}", "/nowhere"):
        html = browser.get(path).text
        assert "<style" not in html
        assert " style=" not in html
        assert " on" + "click" not in html
        assert "javascript:" not in html
        assert "<script>" not in html
        assert "https://" not in html.replace("https://www.w3.org", "")


ODD: tuple[bytes, ...] = (
    *(b"evil.example" + bytes([sign]) for sign in (*range(33), *b"!\"#$%&'()*+,/;<=>?@[\\]^`{|}~", *range(127, 256))),
    *(b"a" + bytes([sign]) + b"b.example" for sign in b' \t"%<>@/\\?#&'),
    *(
        b"cards.example:" + port
        for port in (b"", b"0", b"x", b"-1", b"65536", b"999999", b"80:80", b"8 0", b"80@evil.example")
    ),
    *(
        b"user@cards.example",
        b"user:pass@cards.example",
        b"http://cards.example",
        b"//evil.example",
        b"evil.example/t/x",
    ),
    *(b"", b".", b"..", b".example", b"a..b", b"-a.example", b"a-.example", b"x" * 64 + b".example", b"a." * 140),
    *(b"1.2.3", b"1.2.3.4.5", b"256.1.1.1", b"127.1", b"2130706433", b"0x7f000001", b"0x7f.1", b"01.2.3.4", b"evil.0x"),
    *(
        b"[",
        b"]",
        b"[]",
        b"[::1",
        b"::1",
        b"[::1]x",
        b"[::1]:",
        b"[:::1]",
        b"[::1%25eth0]",
        b"[fe80::1%eth0]",
        b"[1.2.3.4]",
    ),
    *(
        b"cards.example, evil.example",
        b"cards.example evil.example",
        "\u0441ards.example".encode(),
        b"xn--\xe9.example",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("public_url", ["", "https://cards.example"])
def test_odd_hosts_are_refused_everywhere(settings: Settings, app_context: AppContext, public_url: str) -> None:
    party = begin(app_context, 2)
    app = create_app(Settings(settings.data, settings.database_url, settings.key, public_url), app_context)
    values = {"slug": party.slug, "version": party.version, "token": "x"}
    assert len(set(ODD)) >= 200
    with TestClient(app, base_url="http://cards.example", follow_redirects=False) as browser:
        everywhere = [
            *(("GET", fill(path, **values)) for path in gets(app)),
            *(("POST", fill(path, **values)) for path in posts(app)),
            *(("GET", path) for path in ("/static/none.css", "/nowhere", f"/t/{party.slug}/live?seen={party.version}")),
            ("BREW", "/"),
        ]
        some = iter(everywhere * 3)
        with nothing_changes(app_context.database):
            for host in ODD:
                method, path = next(some)
                answer = browser.request(method, path, headers={b"Host": host})
                assert answer.status_code == 400, (method, path, host)
                assert answer.text == "The room has no such address."
            for method, path in everywhere:
                answer = browser.request(method, path, headers={b"Host": b"evil.example/"})
                assert (answer.status_code, answer.text) == (400, "The room has no such address."), (method, path)
                assert_strict(answer, kept=path.startswith("/static/"))
            for twice in ([b"cards.example", b"evil.example"], [b"cards.example", b"cards.example"]):
                answer = browser.get("/", headers=[(b"Host", host) for host in twice])
                assert answer.status_code == 400


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.20:8000",
        "10.0.0.7",
        "[::1]:8000",
        "[fd00::7]",
        "localhost:8000",
        "PI",
        "pi.local:8000",
        "my_box.lan",
        "cards.example.",
        "xn--bcher-kva.example",
    ],
)
def test_a_room_without_a_configured_address_makes_links_for_the_host_that_is_asked(
    party: Party, visit: Visit, host: str
) -> None:
    page = visit(party.guests[0]).post(f"/t/{party.slug}/seat-link", headers={"Host": host, "Origin": f"http://{host}"})
    assert page.status_code == 200
    assert f'value="http://{host}/s/' in page.text


@pytest.mark.slow
def test_links_come_from_the_configured_address_whatever_host_is_asked(
    settings: Settings, app_context: AppContext
) -> None:
    party = begin(app_context, 2)
    app = create_app(Settings(settings.data, settings.database_url, settings.key, "https://cards.example"), app_context)
    poll_of(app).seconds = 0.02
    values = {"slug": party.slug, "version": party.version, "token": "x"}
    with TestClient(app, base_url="http://evil.example", follow_redirects=False) as browser:
        browser.headers["Cookie"] = f"__Host-snug={party.guests[0].token}"
        for path in gets(app):
            answer = browser.get(
                fill(path, **values), headers={"X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}
            )
            assert "evil.example" not in answer.text + str(answer.headers), path
        for path in posts(app):
            answer = browser.post(
                fill(path, **values), data=honest(path, code="x", **values), headers={"Sec-Fetch-Site": "same-origin"}
            )
            assert "evil.example" not in answer.text + str(answer.headers), path
