"""Pages that are only read, and no approved scene of a game or a form shows: who looks at what, one after the other."""

from collections.abc import Callable, Iterator

from starlette.testclient import TestClient

from app.services.keeper.acts import COMMAND, Order, perform
from app.services.keeper.reports import report
from app.services.queries.lessons import lesson_of
from app.services.seats import seat_transfer, seats
from app.services.talk import chat
from app.services.tournaments import corrections, stages
from app.web.keeper_door import COOKIE
from tests.conftest import Clock
from tests.factories import GAME, begin, gather, keepers_link, welcome
from tests.services.circles.people import circle_of, table_in
from tests.services.test_reviews import ask, made, over
from tests.web.scenes import Stage, begun_cup, played_cup
from tests.web.test_frozen import damage

Look = tuple[TestClient, str]
View = Callable[[Stage, Clock], Iterator[Look]]
VIEWS: list[View] = []


def view(one: View) -> View:
    VIEWS.append(one)
    return one


@view
def review(stage: Stage, _: Clock) -> Iterator[Look]:
    party = over(stage.context, 3)
    address = f"/t/{party.slug}/matches/1/review"
    ask(party, 1)
    yield stage.open(party.guests[1]), address
    assert made(stage.context)
    yield stage.open(party.guests[1]), address
    yield stage.open(party.guests[1]), f"{address}?seat=1"


@view
def proof(stage: Stage, _: Clock) -> Iterator[Look]:
    party = gather(stage.context, 2, rounds=1)
    address = f"/t/{party.slug}/proof"
    yield stage.open(party.guests[0]), address
    party.write(seats.start, 1, "tarock")
    yield stage.open(party.guests[0]), address
    party.pass_round()
    yield stage.open(party.guests[0]), address
    party.write(seats.rematch, 1, "again")
    party.write(seats.rematch, 2)
    yield stage.open(party.guests[1]), address


@view
def cup(stage: Stage, _: Clock) -> Iterator[Look]:
    host, slug = begun_cup(stage)
    yield stage.open(host), f"/tournaments/{slug}/sheets"


@view
def cups_end(stage: Stage, _: Clock) -> Iterator[Look]:
    host, slug = played_cup(stage)
    address, write = f"/tournaments/{slug}", stage.context.write
    write(corrections.announce, slug, host.id, "Cake is in the kitchen")
    write(corrections.write_down, slug, host.id, 1, 1, ("3", "1"), "Miscounted")
    write(stages.close_stage, slug, host.id)
    yield stage.open(None), f"{address}/stages/1"
    yield stage.open(host), f"{address}/stages/1"
    write(corrections.end, slug, host.id, "Late")
    for page in ("", "/standings", "/log"):
        yield stage.open(None), f"{address}{page}"


@view
def doors(stage: Stage, _: Clock) -> Iterator[Look]:
    for watch in ("none", "after", "delayed"):
        party = begin(stage.context, 2, rounds=2, watch=watch)
        yield stage.open(None), f"/t/{party.slug}"
    party.pass_round()
    party.everybody_is_ready()
    yield stage.open(None), f"/t/{party.slug}"


@view
def seat_given_away(stage: Stage, _: Clock) -> Iterator[Look]:
    party = begin(stage.context, 2)
    dave = welcome(stage.context, "Dave")
    stage.context.write(seat_transfer.claim, party.write(seat_transfer.hand_over, 2), dave.id, dave.name)
    yield stage.open(party.guests[1]), f"/t/{party.slug}"


@view
def frozen(stage: Stage, _: Clock) -> Iterator[Look]:
    party = begin(stage.context, 2)
    damage(party)
    yield stage.open(party.guests[0]), f"/t/{party.slug}"


@view
def lesson(stage: Stage, _: Clock) -> Iterator[Look]:
    known = lesson_of(GAME)
    assert known
    yield stage.open(None), f"/learn/{GAME}/2?again=1"
    yield stage.open(None), f"/learn/{GAME}/{len(known.steps) + 1}"


@view
def replay(stage: Stage, _: Clock) -> Iterator[Look]:
    party = over(stage.context, 3)
    for eyes in ("open", "2"):
        yield stage.open(party.guests[0]), f"/t/{party.slug}/replay/1/1?step=2&eyes={eyes}"


@view
def person(stage: Stage, clock: Clock) -> Iterator[Look]:
    yield stage.open(None), "/me"
    party = over(stage.context)
    clock.advance(3600)
    for seat in (1, 2):
        party.write(seats.rematch, seat)
    party.pass_round()
    clock.advance(3600)
    for seat in (1, 2):
        party.write(seats.rematch, seat)
    yield stage.open(party.guests[0]), "/me"
    yield stage.open(party.guests[0]), "/me/turns?listed=true"


@view
def circle_of_two(stage: Stage, clock: Clock) -> Iterator[Look]:
    slug, guests = circle_of(stage.context, "Ann", "Ben")
    for days in (1, 40, 0):
        party = table_in(stage.context, slug, guests, rounds=1)
        if days:
            party.pass_round()
        clock.advance(days * 86_400)
    yield stage.open(guests[0]), f"/c/{slug}"
    yield stage.open(guests[1]), f"/c/{slug}/year"
    yield stage.open(guests[1]), "/"


@view
def keepers_page(stage: Stage, clock: Clock) -> Iterator[Look]:
    party = begin(stage.context, 2)
    party.write(chat.say, 2, "Something rude")
    stage.context.write(report, party.slug, party.guests[0].id, "Rude", 1)
    stage.context.write(perform, COMMAND, Order("bar", number=party.guests[1].id, table=party.row.code))
    clock.advance(3 * 86_400)
    other = begin(stage.context, 2)
    damage(other)
    answer = stage.open(other.guests[0]).get(f"/t/{other.slug}")
    assert answer.status_code == 503, answer.text
    clock.advance(5 * 3600)
    keeper = stage.open(None)
    keeper.cookies.set(COOKIE, keepers_link(stage.context))
    yield keeper, "/keeper"


@view
def offline(stage: Stage, _: Clock) -> Iterator[Look]:
    yield stage.open(None), "/offline"
