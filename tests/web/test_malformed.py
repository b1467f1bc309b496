"""Forms and addresses that no honest page sends: an answer below 500, and nothing changed. On both databases."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.services.play import play
from app.settings import Settings
from tests.conftest import KEY, postgres_in_depth
from tests.factories import Guest, Party, begin, gather, nothing_changes
from tests.web.conftest import Visit
from tests.web.every_route import FIELDS, every_route, fill, honest, posts

FORM = "application/x-www-form-urlencoded"
BODIES: tuple[tuple[str, bytes], ...] = (
    (FORM, b""),
    (FORM, b"&&&&=;=&"),
    (FORM, b"%"),
    (FORM, b"a=%zz&%=1"),
    (FORM, b"move=\xff\xfe\x00&seen=\xc3\x28"),
    (FORM, b"\x00" * 500),
    (FORM, b"a=1&" * 119),
    (FORM, b"a=1&" * 121),
    (FORM, b"a[b][c]=1&" * 20),
    (FORM, b"[" * 30_000),
    (FORM + "; charset=utf-16", "name=x".encode("utf-16")),
    (FORM + "; charset=nonsense", b"name=x"),
    ("multipart/form-data", b"--x"),
    ("multipart/form-data; boundary=", b"--\r\n"),
    ("multipart/form-data; boundary=x", b"--x\r\n\r\n"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--"),
    ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="name"; filename="f"\r\n\r\n1'),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="number"; filename="f"\r\n\r\n1\r\n--x--\r\n',
    ),
    (
        "multipart/form-data; boundary=x; charset=nonsense",
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff',
    ),
    ("application/json", b'{"move": "pass", "seen": 1}'),
    ("application/json", b"[" * 20_000),
    ("text/plain", b"move=pass"),
    ("", b"move=pass"),
    ("\xff/\xfe", b"move=pass"),
)
VALUES = (
    "",
    " ",
    "\0",
    "0",
    "-1",
    "1.5",
    "1e9",
    "٣",
    "²",
    "NaN",
    "9" * 9,
    "9" * 30,
    "9" * 5000,
    "true",
    "null",
    "[]",
    "{}",
    "\ud7ff\ue000",
    "\U0010ffff",
    "<b>",
    "'; DROP TABLE moves; --",
    "../../etc/passwd",
    "%00",
    "x" * 20_000,
)


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    """The room on either database."""
    return Settings(data=tmp_path, database_url=database_url, key=KEY)


def stages(app_context: AppContext) -> Iterator[Party]:
    """A table before the start, in play, between rounds and finished."""
    yield gather(app_context, 2, seats=3)
    yield begin(app_context, 2)
    between = begin(app_context, 2, rounds=2)
    between.pass_round()
    between.write(play.set_ready, 1)
    yield between
    finished = begin(app_context, 2, rounds=1)
    finished.pass_round()
    yield finished


@pytest.mark.slow
@postgres_in_depth
def test_bodies_that_are_no_forms_do_nothing(
    room_app: ASGIApp, app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = begin(app_context, 2)
    browser = visit(party.guests[1])  # it is not Bob's turn, and he is not the host
    bodies = itertools.cycle(BODIES)  # every one of them goes to a dozen routes
    quiet = {"/t/{slug}/seat-link", "/t/{slug}/hand-over"}  # give a new link whatever the body is
    with nothing_changes(app_context.database):
        for path in posts(room_app):
            if path in quiet:
                continue
            for kind, body in itertools.islice(bodies, 5):
                headers = {b"Content-Type": kind.encode("latin-1")}
                address = fill(path, slug=party.slug, token="x")
                answer = browser.post(address, content=body, headers=headers)
                assert answer.status_code < 500, (path, kind, body[:40])


@pytest.mark.slow
def test_fields_with_odd_values_do_nothing(
    room_app: ASGIApp, app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    tables = list(stages(app_context))
    people: list[tuple[Party, Guest | None]] = [(party, party.guests[0]) for party in tables]
    dice = random.Random(1)
    odd: set[int] = set()
    for path in posts(room_app):
        names = list(FIELDS[path]) or ["x"]
        for name in names:
            for value in dice.sample(VALUES, 4):
                party, guest = dice.choice(people)
                browser = visit(guest)
                data: dict[str, object] = {**honest(path, slug=party.slug, version=party.version, code="x")}
                data[name] = [value, value] if dice.random() < 0.2 else value
                address = fill(path, slug=party.slug, token="x")
                answer = browser.post(address, data=data)
                assert answer.status_code < 500, (path, name, value[:40])
                odd.add(answer.status_code)
    assert {400, 403, 404, 409, 422} & odd


def test_missing_and_repeated_fields_do_nothing(
    room_app: ASGIApp, app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = begin(app_context, 2)
    browser = visit(party.guests[0])
    with nothing_changes(app_context.database):
        for path in posts(room_app):
            own = ("/t/{slug}/seat-link", "/t/{slug}/host", "/t/{slug}/clock", "/t/{slug}/report")
            if path in ("/tables", "/tournaments", "/circles", "/preferences", *own):
                continue  # these may change something whatever else is missing
            fields = honest(path, slug=party.slug, version=party.version, code="x")
            for left_out in fields:
                data = {name: value for name, value in fields.items() if name != left_out}
                answer = browser.post(fill(path, slug=party.slug, token="x"), data=data)
                assert answer.status_code < 500
        twice = {"move": ["pass", "pass"], "seen": [str(party.version)] * 2}
        assert browser.post(f"/t/{party.slug}/moves", data=twice).status_code == 422
        many = {f"field{number}": "x" for number in range(121)}
        assert browser.post(f"/t/{party.slug}/moves", data=many).status_code == 400


@pytest.mark.slow
def test_odd_addresses_are_not_found(
    room_app: ASGIApp, app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = begin(app_context, 2)
    browser = visit(party.guests[0])
    odd = ("%00", f"{party.slug}%00", "%ff", "%F0%9F%90%88", "%22%3E", "a" * 3000, "%252e", "'", "-1", "%0d%0aX-Evil:1")
    texts = itertools.cycle(odd)
    with nothing_changes(app_context.database):
        for method, path in every_route(room_app):
            for text in itertools.islice(texts, 3):
                address = fill(path, slug=text, token=text, key=text)
                answer = browser.request(method, address, data={"number": "1", "move": "pass", "seen": "1"})
                assert answer.status_code < 500, (method, path, text[:40])
                assert "x-evil" not in answer.headers


def test_odd_questions_of_a_poll_are_answered(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = begin(app_context, 2)
    browser = visit(party.guests[0])
    with nothing_changes(app_context.database):
        for seen in (*VALUES, "9" * 4299, "9" * 4301):
            for query in ({"seen": seen[:6000]}, {"seen": [seen[:3000], "1"]}):
                answer = browser.get(f"/t/{party.slug}/live", params=query)
                assert answer.status_code < 500, seen[:40]
        for bare in ("seen", "seen=%", "seen=%ff", "=1", "&&&", "seen=1;2", "seen[]=1", "seen=%00"):
            assert browser.get(f"/t/{party.slug}/live?{bare}").status_code < 500, bare


def test_odd_headers_are_no_harm(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = begin(app_context, 2)
    browser = visit(party.guests[0])
    with nothing_changes(app_context.database):
        for name, values in {
            "Host": ("[", "evil.example:x", "", "a b", "\xff", "[::1]:8000", "evil.example/\\", "x" * 300),
            "Cookie": (
                "snug",
                "snug=\xff",
                "=;=;=",
                "snug=" + "x" * 3000,
                "looks=theme:<b>.deck",
                "looks=.:.",
                'snug="a\\042b"',
            ),
            "Accept": ("\xff", "text/html;q=nonsense"),
            "HX-Request": ("false", "TRUE", "\xff"),
            "If-None-Match": ('"x"', "\xff"),
            "Range": ("bytes=0-1,5-", "bytes=-1", "nonsense"),
            "Content-Length": ("-1", "x"),
        }.items():
            for value in values:
                headers = {name.encode(): value.encode("latin-1")}
                for path in ("/", f"/t/{party.slug}", "/static/site.css"):
                    answer = browser.get(path, headers=headers)
                    assert answer.status_code < 500, (name, value, path)
