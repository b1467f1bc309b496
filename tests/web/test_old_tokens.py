"""What a token opened once it opens no more: wherever it is shown, its bearer is a stranger.

Every route is asked with tokens that have ended, in every cookie that the room knows; each answer is, byte for byte,
the one that somebody gets who has none.
"""

import re
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.services.accounts.deletion import forget_player
from app.services.context import AppContext
from app.services.players import links, players
from app.services.seats import away, seat_transfer, seats
from app.web.middleware import rate_limit
from tests.conftest import Clock
from tests.factories import Party, begin, dump, gather, nothing_changes, welcome
from tests.web.conftest import Visit
from tests.web.every_route import fill, gets, honest, posts

COOKIES = ("snug", "snug-seat", "__Host-snug", "__Secure-snug-seat")
OPEN_TO_ALL = (
    "/code",
    "/tables",
    "/play-now",
    "/t/{slug}/sit",
    "/t/{slug}/wait",
    "/t/{slug}/talk",
    "/tournaments",
    "/circles",
)
"""Forms with which anybody becomes a new guest: what they make is somebody else's."""


def replaced(party: Party) -> None:
    party.write(away.replace, 1, 2, "steady")


def handed_over(party: Party) -> None:
    friend = welcome(party.context, "Friend")
    party.context.write(seat_transfer.claim, party.write(seat_transfer.hand_over, 2), friend.id, "Friend")


def reissued(party: Party) -> None:
    """The player comes back on another device, and somebody else has agreed to that."""
    party.write(seat_transfer.reissue, 1, 2)
    party.write(seat_transfer.answer_link, 3, 2, True)
    token = party.write(seat_transfer.reissue, 1, 2)
    party.context.write(seat_transfer.claim, token, welcome(party.context, "Bob").id, "Bob")


def cleared(party: Party) -> None:
    party.write(seats.clear_seat, 1, 2)


def left(party: Party) -> None:
    party.write(seats.leave_seat, 2)


def signed_out(party: Party) -> None:
    party.context.write(links.sign_out_elsewhere, party.guests[1].id, party.guests[1].token)


def forgotten(party: Party) -> None:
    party.context.write(forget_player, party.guests[1].id)


def linked_anew(party: Party) -> None:
    party.write(players.new_seat_link, 2)
    party.context.write(links.new_recovery_link, party.guests[1].id)


VISITOR = "snug-visitor=the-same-for-both"
ENDS = (replaced, handed_over, reissued, cleared, left, signed_out, forgotten, linked_anew)


@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS)
def test_a_token_that_has_ended_opens_nothing(
    app_context: AppContext,
    room_app: ASGIApp,
    client: TestClient,
    visit: Visit,
    clock: Clock,
    end: Callable[[Party], None],
) -> None:
    party = (gather if end in (cleared, left) else begin)(app_context, 3)
    bob = party.guests[1]
    seat_link = party.write(players.new_seat_link, 2)
    _, device = app_context.write(players.follow_seat_link, seat_link)
    recovery = app_context.write(links.new_recovery_link, bob.id)
    clock.advance(1)
    end(party)
    dead = {device}
    if end == forgotten:
        dead.add(bob.token)
    browser, stranger = visit(None), visit(None)
    with nothing_changes(app_context.database):
        gone = [f"/s/{seat_link}", f"/s/{device}"]
        gone += [f"/r/{recovery}"] if end in (signed_out, forgotten, linked_anew) else []
        for path in gone:
            assert browser.get(path).status_code == browser.post(path).status_code == 404
    values = {"slug": party.slug, "version": party.version, "token": "x", "code": "x"}
    everywhere = [("GET", path) for path in gets(room_app)] + [("POST", path) for path in posts(room_app)]
    before, asked = dump(app_context.database), 0
    for token in dead:
        shown = {"Cookie": "; ".join([*(f"{name}={token}" for name in COOKIES), VISITOR])}
        for method, path in everywhere:
            if path in OPEN_TO_ALL:
                continue
            address, data = fill(path, **values), honest(path, **values) if method == "POST" else None
            answers = []
            for who, more in ((browser, shown), (stranger, {"Cookie": VISITOR})):
                for limit in (rate_limit.codes, rate_limit.newcomers, rate_limit.uploads):
                    limit._seen.clear()
                answer = who.request(method, address, data=data, headers={**more, "HX-Request": "true"})
                who.cookies.clear()  # how the room is to look
                answers.append((answer.status_code, answer.content))
                assert not re.search(r"snug[a-z-]*=[^\";]", answer.headers.get("set-cookie", "")), path
            assert answers[0] == answers[1], path
            asked += 1
    assert dump(app_context.database) == before
    assert asked > 100
