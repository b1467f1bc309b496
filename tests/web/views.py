"""Pages that are only read, and no approved scene of a game or a form shows: who looks at what, one after the other."""

from collections.abc import Callable, Iterator
from unittest.mock import patch

from markupsafe import Markup

from app.services.keeper.acts import COMMAND, Order, perform
from app.services.keeper.reports import report
from app.services.play import takeback
from app.services.queries.lessons import lesson_of
from app.services.queries.stream import talk_of
from app.services.seats import seat_transfer, seats
from app.services.talk import chat
from app.services.tournaments import corrections, entries, stages
from app.storage.pubsub import Told
from app.web.house_pages import HousePages
from app.web.keeper_door import COOKIE
from app.web.pages import promises as real
from app.web.pages.promises import Book, Figure, Promise
from app.web.pages.told import render_told
from app.web.routes import lobby
from tests.conftest import Clock
from tests.factories import GAME, SHORT, begin, gather, keepers_link, welcome
from tests.pages import HTMX
from tests.servers import application_of
from tests.services.circles.people import circle_of, table_in
from tests.services.test_reviews import Quick, ask, made, over
from tests.services.tournaments.test_calls import at_a_time
from tests.services.tournaments.test_stages import opened
from tests.web.routes.test_calls import second_stage, table_of
from tests.web.scenes import Stage, begun_cup, played_cup
from tests.web.test_frozen import damage

View = Callable[[Stage, Clock], Iterator[str]]
VIEWS: list[View] = []


def view(one: View) -> View:
    VIEWS.append(one)
    return one


@view
def review(stage: Stage, _: Clock) -> Iterator[str]:
    party = over(stage.context, 3)
    address = f"/t/{party.slug}/matches/1/review"
    ask(party, 1)
    yield stage.open(party.guests[1]).get(address).text
    assert made(stage.context)
    yield stage.open(party.guests[1]).get(address).text
    yield stage.open(party.guests[1]).get(f"{address}?seat=1").text


@view
def proof(stage: Stage, _: Clock) -> Iterator[str]:
    party = gather(stage.context, 2, rounds=1)
    address = f"/t/{party.slug}/proof"
    yield stage.open(party.guests[0]).get(address).text
    party.write(seats.start, 1, "tarock")
    yield stage.open(party.guests[0]).get(address).text
    party.pass_round()
    yield stage.open(party.guests[0]).get(address).text
    party.write(seats.rematch, 1, "again")
    party.write(seats.rematch, 2)
    yield stage.open(party.guests[1]).get(address).text


@view
def cup(stage: Stage, _: Clock) -> Iterator[str]:
    host, slug = begun_cup(stage)
    yield stage.open(host).get(f"/tournaments/{slug}/sheets").text


@view
def cups_end(stage: Stage, _: Clock) -> Iterator[str]:
    host, slug = played_cup(stage)
    address, write = f"/tournaments/{slug}", stage.context.write
    write(corrections.announce, slug, host.id, "Cake is in the kitchen")
    write(corrections.write_down, slug, host.id, 1, 1, ("3", "1"), "Miscounted")
    write(stages.close_stage, slug, host.id)
    yield stage.open(None).get(f"{address}/stages/1").text
    yield stage.open(host).get(f"{address}/stages/1").text
    write(corrections.end, slug, host.id, "Late")
    for page in ("", "/standings", "/log"):
        yield stage.open(None).get(f"{address}{page}").text


@view
def doors(stage: Stage, _: Clock) -> Iterator[str]:
    for watch in ("none", "after", "delayed"):
        party = begin(stage.context, 2, rounds=2, watch=watch)
        yield stage.open(None).get(f"/t/{party.slug}").text
    party.pass_round()
    party.everybody_is_ready()
    yield stage.open(None).get(f"/t/{party.slug}").text


@view
def seat_given_away(stage: Stage, _: Clock) -> Iterator[str]:
    party = begin(stage.context, 2)
    dave = welcome(stage.context, "Dave")
    stage.context.write(seat_transfer.claim, party.write(seat_transfer.hand_over, 2), dave.id, dave.name)
    yield stage.open(party.guests[1]).get(f"/t/{party.slug}").text


@view
def frozen(stage: Stage, _: Clock) -> Iterator[str]:
    party = begin(stage.context, 2)
    damage(party)
    yield stage.open(party.guests[0]).get(f"/t/{party.slug}").text


@view
def lesson(stage: Stage, _: Clock) -> Iterator[str]:
    known = lesson_of(GAME)
    assert known
    yield stage.open(None).get(f"/learn/{GAME}/2?again=1").text
    yield stage.open(None).get(f"/learn/{GAME}/{len(known.steps) + 1}").text


@view
def replay(stage: Stage, _: Clock) -> Iterator[str]:
    party = over(stage.context, 3)
    for eyes in ("open", "2"):
        yield stage.open(party.guests[0]).get(f"/t/{party.slug}/replay/1/1?step=2&eyes={eyes}").text


@view
def person(stage: Stage, clock: Clock) -> Iterator[str]:
    yield stage.open(None).get("/me").text
    party = over(stage.context)
    clock.advance(3600)
    for seat in (1, 2):
        party.write(seats.rematch, seat)
    party.pass_round()
    clock.advance(3600)
    for seat in (1, 2):
        party.write(seats.rematch, seat)
    yield stage.open(party.guests[0]).get("/me").text
    yield stage.open(party.guests[0]).get("/me/turns?listed=true").text


@view
def circle_of_two(stage: Stage, clock: Clock) -> Iterator[str]:
    slug, guests = circle_of(stage.context, "Ann", "Ben")
    for days in (1, 40, 0):
        party = table_in(stage.context, slug, guests, rounds=1)
        if days:
            party.pass_round()
        clock.advance(days * 86_400)
    yield stage.open(guests[0]).get(f"/c/{slug}").text
    yield stage.open(guests[1]).get(f"/c/{slug}/year").text
    yield stage.open(guests[1]).get("/").text


@view
def keepers_page(stage: Stage, clock: Clock) -> Iterator[str]:
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
    yield keeper.get("/keeper").text


@view
def promises(stage: Stage, _: Clock) -> Iterator[str]:
    first, second = real.book().promises[:2]
    suite = Figure(real.book().figures["suite"].sentence, {"kills.py": 2, "starts.py": 3}, "2026-05-02")
    kept = Promise(first.promise, ("kills.py", "starts.py"), ())
    book = Book((kept, Promise(second.promise, ("years.py",), ())), {"suite": suite})
    with patch.object(lobby, "book", lambda: book):
        yield stage.open(None).get("/promises").text


@view
def welcome_at_a_table(stage: Stage, _: Clock) -> Iterator[str]:
    party = gather(stage.context, 2, seats=3)
    seat = {"number": "3", "name": "Carol"}
    yield stage.open(None).post(f"/t/{party.slug}/sit", data=seat, headers=HTMX).text.partition("</main>")[2]


@view
def offline(stage: Stage, _: Clock) -> Iterator[str]:
    yield stage.open(None).get("/offline").text


@view
def goodbye(stage: Stage, _: Clock) -> Iterator[str]:
    dave = stage.open(welcome(stage.context, "Dave"))
    yield dave.post("/me/recovery", data={"sure": "yes"}).text
    yield dave.post("/me/delete", data={"sure": "yes"}).text


@view
def house(stage: Stage, _: Clock) -> Iterator[str]:
    browser = stage.open(None)
    texts = {"contact": Markup("<h1>Who keeps this room</h1>"), "privacy": Markup("<p>We keep your cards.</p>")}
    application_of(browser.app).state.house_pages = HousePages(texts)
    for name in texts:
        yield browser.get(f"/about/{name}").text


@view
def hands_laid_open(stage: Stage, _: Clock) -> Iterator[str]:
    slug, guests = circle_of(stage.context, "Ann", "Ben")
    party = table_in(stage.context, slug, guests, "follow_the_leader", **SHORT["follow_the_leader"])
    party.play_round(stage.context.random)
    yield stage.open(guests[0]).get(f"/t/{party.slug}/replay/1/1?step=3&eyes=open").text


@view
def seen_in_passing(stage: Stage, _: Clock) -> Iterator[str]:
    party = begin(stage.context, 2)
    page, told = party.look(party.guests[1]), (Told("glass", 1, 3), Told("heart", 0, 4), Told(chat.WRITING, 1, 5))
    with stage.context.database.reading() as connection:
        talk = talk_of(connection, page, party.guests[1].id)
    for one in told:
        answer = render_told(one, page, talk)
        assert answer
        yield bytes(answer.body).decode()


@view
def called(stage: Stage, clock: Clock) -> Iterator[str]:
    slug, (ann, *_), old = second_stage(stage.context)
    for at in ("", old[ann.id], table_of(stage.context, slug, ann)):
        yield stage.open(ann).get(f"/tournaments/{slug}/call?at={at}").text
    _, soon = opened(stage.context)
    stage.context.write(entries.enter, soon, ann.id, ann.name)
    at_a_time(stage.context, soon, 240)
    yield stage.open(ann).get(f"/tournaments/{soon}/call").text


@view
def in_german(stage: Stage, _: Clock) -> Iterator[str]:
    for path in ("/offline", "/nowhere"):
        yield stage.open(None).get(path, headers={"Accept-Language": "de"}).text


@view
def cup_set_up(stage: Stage, _: Clock) -> Iterator[str]:
    for form in ("swiss", "knockout", "groups"):
        plan = {"title": "Our cup", "format": form, "games": GAME, "step": "2"}
        yield stage.open(None).get("/tournaments/new", params=plan).text


@view
def luck(stage: Stage, _: Clock) -> Iterator[str]:
    party = begin(stage.context, 2, rounds=2)
    party.pass_round()
    party.everybody_is_ready()
    party.pass_round()
    ask(party, 1)
    assert made(stage.context, Quick(content=True))
    yield stage.open(party.guests[1]).get(f"/t/{party.slug}/matches/1/review").text


@view
def cups_that_begin(stage: Stage, clock: Clock) -> Iterator[str]:
    conditions = ({"starts": "time", "wait": 5}, {"first": "full", "first_count": 3}, {"starts": "done"})
    for given in conditions:
        host = welcome(stage.context, "Host")
        plan = {"format": "swiss", "stages": [{"game": GAME, "options": {"rounds": 1}, "size": 2}] * 2, "players": 8}
        slug = stage.context.write(stages.open_tournament, host.id, "Cup", plan, {"bot_pace": "instant", **given})
        yield stage.open(None).get(f"/tournaments/{slug}").text
        stage.context.write(entries.add_bots, slug, host.id, 4, "gentle")
        yield stage.open(None).get(f"/tournaments/{slug}").text
        clock.advance(301)


@view
def seat_on_another_device(stage: Stage, _: Clock) -> Iterator[str]:
    party = begin(stage.context, 2)
    token = party.write(seat_transfer.reissue, 1, 2)
    new = welcome(stage.context, "Bob")
    yield stage.open(new).get(f"/h/{token}").text
    stage.context.write(seat_transfer.claim, token, new.id, new.name)
    for guest in (party.guests[1], new):
        yield stage.open(guest).get(f"/t/{party.slug}").text


@view
def phrases_only(stage: Stage, _: Clock) -> Iterator[str]:
    party = gather(stage.context, 3)
    party.write(chat.set_talk, 1, "phrases", False)
    party.write(takeback.set_rule, 1, takeback.VOTE)
    party.write(seats.start, 1)
    party.move(-1)
    party.write(takeback.take_back, 1, party.version)
    for seat in (2, 3):
        party.write(takeback.answer, seat, party.version, True)
    for guest in party.guests[:2]:
        yield stage.open(guest).get(f"/t/{party.slug}/talk").text
