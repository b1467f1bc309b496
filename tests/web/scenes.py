"""A scene for every form that the room takes: somebody, in the middle of something, about to press a button."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import select, update
from starlette.testclient import TestClient

from app.services.circles import evenings, opening
from app.services.context import AppContext
from app.services.notifications import subscriptions
from app.services.play import play, takeback
from app.services.players import links, players
from app.services.seats import away, create, pause, seat_transfer, seats
from app.services.seats.hosts import name_cohost
from app.services.seats.setup import Setup, change_setup
from app.services.table.clocks import ClockRules
from app.services.talk import chat
from app.services.tournaments import corrections, entries, stages, tables_anew
from app.services.tournaments import log as tournament_log
from app.storage import models
from app.storage.writer import Transaction
from app.web.keeper_door import COOKIE
from tests.factories import GAME, SHORT, Guest, Party, begin, gather, keepers_link, welcome
from tests.pages import Page
from tests.services.circles.people import circle_of, token_of
from tests.services.play.test_hints import hinted, mover
from tests.web.every_route import FIELDS

Fields = dict[str, str | list[str]]


class Press(NamedTuple):
    """What is about to be sent, by whom: None is somebody whom the room does not know."""

    guest: Guest | None
    path: str
    data: Fields


Open = Callable[[Guest | None], TestClient]


class Stage:
    """A room, and the browser of whoever presses the button."""

    def __init__(self, context: AppContext, open_browser: Open) -> None:
        self.context, self.open = context, open_browser
        self.browser: TestClient | None = None
        self.page = ""  # where the form stands

    def press(self, guest: Guest | None, page: str, ending: str, **given: str) -> Press:
        """The form of a page that goes to such an address and holds what is given, or can be given it."""
        self.browser, self.page = self.open(guest), page
        forms = Page(self.browser.get(page).text).forms_to(ending)
        assert forms, f"no form to {ending} on {page}"
        form = next((one for one in forms if given.items() <= set(one.fields)), forms[0])
        return Press(guest, form.action, {**form.data, **given})

    def send(self, guest: Guest, path: str, **data: str) -> Press:
        """A form that scripts send, or the game's own."""
        self.browser = self.open(guest)
        return Press(guest, path, dict(data))


Scene = Callable[[Stage], Press]
Made = Callable[[AppContext], Party]
SCENES: dict[str, list[Scene]] = {}


def scene(path: str) -> Callable[[Scene], Scene]:
    """Names the route whose form the scene ends with."""

    def keep(one: Scene) -> Scene:
        SCENES.setdefault(path, []).append(one)
        one.__name__ = f"{path} {len(SCENES[path])}"
        return one

    return keep


def _at(party: Party) -> str:
    return f"/t/{party.slug}"


def _at_table(action: str, seat: int, made: Made, /, *done: tuple[Any, ...], **given: str) -> None:
    """A scene at a table that was made so, where this was done before: who has the seat presses what is called so."""

    def press(stage: Stage) -> Press:
        party = made(stage.context)
        for service, by, *args in done:
            party.write(service, by, *args)
        return stage.press(party.guests[seat - 1], _at(party), f"/{action}", **given)

    scene(f"/t/{{slug}}/{action}")(press)


def _begun(people: int, **how: Any) -> Made:
    return lambda context: begin(context, people, **how)


def _gathered(people: int, **how: Any) -> Made:
    return lambda context: gather(context, people, **how)


# The front door, and what belongs to a person.


@scene("/code")
def _code(stage: Stage) -> Press:
    party = gather(stage.context, 1, seats=3)
    return stage.press(welcome(stage.context, "Dave"), "/", "/code", code=party.row.code)


@scene("/tables")
def _table(stage: Stage) -> Press:
    return stage.press(welcome(stage.context, "Dave"), f"/new/{GAME}", "/tables")


@scene("/tables")
def _first_table(stage: Stage) -> Press:
    return stage.press(None, f"/new/{GAME}", "/tables", name="Zoe")


@scene("/play-now")
def _play_now(stage: Stage) -> Press:
    return stage.press(welcome(stage.context, "Dave"), "/", "/play-now", game=GAME)


@scene("/play-now")
def _play_at_once(stage: Stage) -> Press:
    return stage.press(None, "/", "/play-now", game=GAME)


@scene("/preferences")
def _looks(stage: Stage) -> Press:
    return stage.press(welcome(stage.context, "Dave"), "/", "/preferences", deck="two")


@scene("/me/name")
def _name(stage: Stage) -> Press:
    return stage.press(welcome(stage.context, "Dave"), "/me", "/me/name", nickname="David")


@scene("/me/recovery")
def _recovery(stage: Stage) -> Press:
    return stage.press(welcome(stage.context, "Dave"), "/me", "/me/recovery")


@scene("/me/recovery/revoke")
def _revoke(stage: Stage) -> Press:
    dave = welcome(stage.context, "Dave")
    stage.context.write(links.new_recovery_link, dave.id)
    return stage.press(dave, "/me", "/me/recovery/revoke")


@scene("/me/sign-out")
def _sign_out(stage: Stage) -> Press:
    return stage.press(welcome(stage.context, "Dave"), "/me", "/me/sign-out")


@scene("/me/sign-out-elsewhere")
def _sign_out_elsewhere(stage: Stage) -> Press:
    dave = welcome(stage.context, "Dave")
    stage.context.write(links.follow_recovery_link, stage.context.write(links.new_recovery_link, dave.id))
    return stage.press(dave, "/me", "/me/sign-out-elsewhere")


@scene("/me/delete")
def _delete(stage: Stage) -> Press:
    party = begin(stage.context, 2)
    return stage.press(party.guests[1], "/me/delete", "/me/delete", sure="yes")


@scene("/r/{token}")
def _recover(stage: Stage) -> Press:
    link = stage.context.write(links.new_recovery_link, welcome(stage.context, "Dave").id)
    return stage.press(None, f"/r/{link}", link)


@scene("/s/{token}")
def _follow(stage: Stage) -> Press:
    link = begin(stage.context, 2).write(players.new_seat_link, 1)
    return stage.press(None, f"/s/{link}", link)


@scene("/s/{token}")
def _follow_as_somebody_else(stage: Stage) -> Press:
    link = begin(stage.context, 2).write(players.new_seat_link, 1)
    return stage.press(welcome(stage.context, "Dave"), f"/s/{link}", link)


# Notices.


@scene("/push")
def _push(stage: Stage) -> Press:
    dave = welcome(stage.context, "Dave")
    return stage.send(dave, "/push", **{**FIELDS["/push"], "endpoint": f"https://web.push.apple.com/{dave.id}"})


@scene("/push/forget")
def _forget(stage: Stage) -> Press:
    dave = welcome(stage.context, "Dave")
    given = {**FIELDS["/push"], "endpoint": f"https://web.push.apple.com/{dave.id}"}
    stage.context.write(subscriptions.subscribe, dave.id, *given.values())
    return stage.send(dave, "/push/forget", endpoint=given["endpoint"])


_at_table("webhook", 1, _begun(2), url="https://hooks.example/snug")


# Around a table that gathers.


@scene("/t/{slug}/sit")
def _sit(stage: Stage) -> Press:
    party = gather(stage.context, 1, seats=3)
    return stage.press(welcome(stage.context, "Dave"), _at(party), "/sit", number="2")


@scene("/t/{slug}/sit")
def _come_in(stage: Stage) -> Press:
    return stage.press(None, _at(gather(stage.context, 1, seats=3)), "/sit", number="2", name="Zoe")


_at_table("leave", 2, _gathered(2, seats=3))
_at_table("bot", 1, _gathered(1, seats=3))
_at_table("fill", 1, _gathered(1, seats=3))
_at_table("remove", 1, _gathered(2), number="2")
_at_table("move", 1, _gathered(2))
_at_table("shuffle", 1, _gathered(3))
_at_table("start", 1, _gathered(2))
_at_table("seat-link", 2, _gathered(2))
_at_table("seat-link", 2, _begun(2), (players.new_seat_link, 2))


# In play.


@scene("/t/{slug}/moves")
def _move(stage: Stage) -> Press:
    party = begin(stage.context, 2)
    turn = party.turn()
    assert turn
    return stage.send(party.guests[0], f"{_at(party)}/moves", **turn.moves[0], seen=str(turn.version))


@scene("/t/{slug}/why")
def _why(stage: Stage) -> Press:
    party = begin(stage.context, 2)
    return stage.send(party.guests[1], f"{_at(party)}/why", move="pass")


@scene("/t/{slug}/hint")
def _hint(stage: Stage) -> Press:
    party = hinted(stage.context)
    return stage.press(mover(party), _at(party), "/hint")


@scene("/t/{slug}/hand")
def _hand(stage: Stage) -> Press:
    party = begin(stage.context, 2)
    return stage.send(party.guests[0], f"{_at(party)}/hand", by="rank", seen=str(party.version))


@scene("/t/{slug}/orders")
def _orders(stage: Stage) -> Press:
    party = begin(stage.context, 2)
    return stage.send(party.guests[0], f"{_at(party)}/orders", cancel="yes")


@scene("/t/{slug}/ready")
def _ready(stage: Stage) -> Press:
    party = begin(stage.context, 2, bots=1, rounds=2, **SHORT[GAME])
    while not party.look().table.is_scoring:
        if party.turn():
            party.move()
        else:
            stage.context.write(play.run_due, party.row.id)
    party.write(play.set_ready, 1)
    return stage.press(party.guests[1], _at(party), "/ready")


@scene("/t/{slug}/rematch")
def _rematch(stage: Stage) -> Press:
    party = begin(stage.context, 2, rounds=1)
    party.pass_round()
    return stage.press(party.guests[1], _at(party), "/rematch")


_at_table("host", 1, _begun(2), number="2")
_at_table("host", 1, _gathered(2), number="2")
_at_table("cohost", 1, _begun(2))
_at_table("away", 2, _begun(2, bots=1))
_at_table("back", 2, _begun(2), (away.step_away, 2, 2), number="2")
_at_table("more-time", 1, _begun(2), (pause.set_clock, 1, ClockRules("brisk", "move")))
_at_table("skip", 2, _begun(2), (name_cohost, 1, 2, True))
_at_table("replace", 1, _begun(3), number="3")
_at_table("pause", 1, _begun(2))
_at_table("resume", 1, _begun(2), (pause.pause, 1))
_at_table("clock", 1, _begun(2), clock="brisk")


@scene("/t/{slug}/undo")
def _undo(stage: Stage) -> Press:
    party = _with_undo(stage, takeback.FREE)
    return stage.press(party.guests[0], _at(party), "/undo")


@scene("/t/{slug}/undo")
def _propose(stage: Stage) -> Press:
    party = _with_undo(stage, takeback.VOTE)
    return stage.press(party.guests[0], _at(party), "/undo")


@scene("/t/{slug}/undo-answer")
def _agree(stage: Stage) -> Press:
    party = _with_undo(stage, takeback.VOTE)
    party.write(takeback.take_back, 1, party.version)
    return stage.press(party.guests[1], _at(party), "/undo-answer", agrees="yes")


@scene("/t/{slug}/undo-answer")
def _disagree(stage: Stage) -> Press:
    party = _with_undo(stage, takeback.VOTE)
    party.write(takeback.take_back, 1, party.version)
    return stage.press(party.guests[1], _at(party), "/undo-answer", agrees="no")


def _with_undo(stage: Stage, rule: str) -> Party:
    party = gather(stage.context, 3)
    party.write(takeback.set_rule, 1, rule)
    party.write(seats.start, 1)
    party.move(-1)
    return party


@scene("/t/{slug}/undo-rule")
def _undo_rule(stage: Stage) -> Press:
    party = begin(stage.context, 2, rounds=2)
    party.pass_round()
    return stage.press(party.guests[0], _at(party), "/undo-rule", undo="vote")


@scene("/t/{slug}/matches/{match}/review")
def _ask_for_review(stage: Stage) -> Press:
    party = begin(stage.context, 2, rounds=1)
    party.pass_round()
    return stage.press(party.guests[1], f"{_at(party)}/matches/1/review", "/review")


_at_table("watchers", 1, _begun(2), watchers="delayed")


@scene("/t/{slug}/setup")
def _setup(stage: Stage) -> Press:
    party = gather(stage.context, 2, seats=4)
    return stage.press(party.guests[0], f"{_at(party)}/setup", "/setup", seats="3", rounds="2")


@scene("/t/{slug}/agree")
def _agree_to_setup(stage: Stage) -> Press:
    party = gather(stage.context, 2, seats=4)
    party.write(change_setup, 1, 0, party.version, Setup(3, {"rounds": 2}))
    return stage.press(party.guests[1], _at(party), "/agree")


# Seats that change hands.


_at_table("hand-over", 2, _begun(2))
_at_table("reissue", 1, _begun(3), number="2")
_at_table("reissue", 1, _begun(3), (seat_transfer.reissue, 1, 2), (seat_transfer.answer_link, 3, 2, True), number="2")
_at_table("reissue", 1, _begun(2, bots=1), number="2")
_at_table("link-answer", 3, _begun(3), (seat_transfer.reissue, 1, 2), agrees="no")
_at_table("link-answer", 3, _begun(3), (seat_transfer.reissue, 1, 2), agrees="yes")
_at_table("keep-seat", 2, _begun(2), (seat_transfer.hand_over, 2))


@scene("/h/{token}")
def _claim(stage: Stage) -> Press:
    link = begin(stage.context, 2).write(seat_transfer.hand_over, 2)
    return stage.press(None, f"/h/{link}", link, name="Zoe")


@scene("/h/{token}")
def _claim_as_a_guest(stage: Stage) -> Press:
    link = begin(stage.context, 2).write(seat_transfer.hand_over, 2)
    return stage.press(welcome(stage.context, "Dave"), f"/h/{link}", link)


@scene("/h/{token}")
def _claim_on_another_device(stage: Stage) -> Press:
    link = begin(stage.context, 2, bots=1).write(seat_transfer.reissue, 1, 2)
    return stage.press(None, f"/h/{link}", link)


@scene("/t/{slug}/wait")
def _wait(stage: Stage) -> Press:
    return stage.press(welcome(stage.context, "Dave"), _at(begin(stage.context, 2)), "/wait")


@scene("/t/{slug}/wait")
def _wait_as_a_stranger(stage: Stage) -> Press:
    return stage.press(None, _at(begin(stage.context, 2)), "/wait", name="Zoe")


@scene("/t/{slug}/stop-waiting")
def _stop_waiting(stage: Stage) -> Press:
    party, dave = begin(stage.context, 2), welcome(stage.context, "Dave")
    party.write(seat_transfer.wait, dave, dave.name)
    return stage.press(dave, _at(party), "/stop-waiting")


_at_table("let-in", 1, _gathered(2, seats=3), (seats.clear_seat, 1, 2))


# Talk.


_at_table("talk", 1, _begun(2), text="Good evening")


@scene("/t/{slug}/talk")
def _talk_as_a_stranger(stage: Stage) -> Press:
    party = begin(stage.context, 2)
    party.write(chat.set_talk, 1, "free", True)
    return stage.press(None, f"{_at(party)}/talk", "/talk", text="Good evening", name="Zoe")


_at_table("talk-mode", 1, _begun(2), talk="phrases")


@scene("/t/{slug}/writing")
def _writing(stage: Stage) -> Press:
    party = begin(stage.context, 2)
    return stage.send(party.guests[0], f"{_at(party)}/writing")


@scene("/t/{slug}/hurry")
def _hurry(stage: Stage) -> Press:
    party = begin(stage.context, 1, bots=1, pace="relaxed")
    party.move()
    return stage.press(party.guests[0], _at(party), "/hurry")


_at_table("sign", 1, _begun(2), sign="glass")
_at_table("mute", 1, _begun(2))


# What nothing is kept of.


@scene("/learn/{key}/{number}/moves")
def _lesson(stage: Stage) -> Press:
    return stage.press(None, f"/learn/{GAME}", "/moves")


@scene("/learn/{key}/{number}/why")
def _wrong_tap(stage: Stage) -> Press:
    return stage.press(None, f"/learn/{GAME}/3", "/why")


@scene("/replay")
def _replay(stage: Stage) -> Press:
    return stage.send(welcome(stage.context, "Dave"), "/replay", record="none", at="1/0/open")


# Tournaments.


def cup(stage: Stage, *names: str, players: int = 12, stages_: int = 2, bots: int = 2) -> tuple[Guest, str]:
    host = welcome(stage.context, "Host")
    plan = {
        "format": "swiss",
        "stages": [{"game": GAME, "options": {"rounds": 1}, "size": 2}] * stages_,
        "players": players,
    }
    slug = stage.context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand", "bot_pace": "instant"})
    stage.context.write(_sow, slug)
    for name in names:
        stage.context.write(entries.enter, slug, welcome(stage.context, name).id, name)
    if bots:
        stage.context.write(entries.add_bots, slug, host.id, bots, "gentle")
    return host, slug


def begun_cup(stage: Stage) -> tuple[Guest, str]:
    host, slug = cup(stage)
    stages.start_stage(stage.context, slug, host.id)
    return host, slug


def played_cup(stage: Stage) -> tuple[Guest, str]:
    host, slug = begun_cup(stage)
    _play_out(stage, slug)
    return host, slug


def _at_cup(action: str, made: Callable[[Stage], tuple[Guest, str]], /, **given: str) -> None:
    """A scene at a tournament that was made so: its host presses what is called so."""

    def press(stage: Stage) -> Press:
        host, slug = made(stage)
        return stage.press(host, f"/tournaments/{slug}", f"/{action}", **given)

    scene(f"/tournaments/{{slug}}/{action}")(press)


def _sow(_context: AppContext, transaction: Transaction, slug: str) -> None:
    """The same seating, whenever the scene is set."""
    mine = models.Tournament.slug == slug
    transaction.connection.execute(update(models.Tournament).where(mine).values(seed="the same"))


def _play_out(stage: Stage, slug: str) -> None:
    """Every table of the tournament is played to its end."""
    mine = select(models.TournamentTable.table_id).join(
        models.Tournament, models.Tournament.id == models.TournamentTable.tournament_id
    )
    with stage.context.database.reading() as connection:
        tables = list(connection.execute(mine.where(models.Tournament.slug == slug)).scalars())
    for table in tables:
        for _ in range(200):
            stage.context.write(play.run_due, table)


@scene("/tournaments")
def _tournament(stage: Stage) -> Press:
    return stage.press(welcome(stage.context, "Dave"), "/tournaments/new?step=3", "/tournaments", title="Cup")


@scene("/tournaments")
def _first_tournament(stage: Stage) -> Press:
    return stage.press(None, "/tournaments/new?step=3", "/tournaments", title="Cup", name="Zoe")


@scene("/tournaments/{slug}/setup")
def _change_set_up(stage: Stage) -> Press:
    host, slug = cup(stage)
    return stage.press(host, f"/tournaments/{slug}/setup?step=3", "/setup", title="Other cup", players="8")


@scene("/tournaments/{slug}/enter")
def _enter(stage: Stage) -> Press:
    _, slug = cup(stage)
    return stage.press(welcome(stage.context, "Dave"), f"/tournaments/{slug}", "/enter")


@scene("/tournaments/{slug}/enter")
def _enter_as_a_stranger(stage: Stage) -> Press:
    _, slug = cup(stage)
    return stage.press(None, f"/tournaments/{slug}", "/enter", name="Zoe")


@scene("/tournaments/{slug}/withdraw")
def _withdraw(stage: Stage) -> Press:
    _, slug = cup(stage)
    dave = welcome(stage.context, "Dave")
    stage.context.write(entries.enter, slug, dave.id, dave.name)
    return stage.press(dave, f"/tournaments/{slug}", "/withdraw")


@scene("/tournaments/{slug}/return")
def _return(stage: Stage) -> Press:
    host, slug = cup(stage, "Ann", "Ben")
    stages.start_stage(stage.context, slug, host.id)
    stage.context.write(entries.withdraw, slug, host.id, 1)
    return stage.press(host, f"/tournaments/{slug}", "/return")


def _listed(stage: Stage) -> tuple[Guest, str]:
    """A tournament with Ann on its list, who has no device."""
    host, slug = cup(stage, bots=0)
    stage.context.write(entries.add_people, slug, host.id, "Ann")
    return host, slug


def _code_said(stage: Stage, slug: str) -> str:
    with stage.context.database.reading() as connection:
        row = tournament_log.find(connection, slug)
        return entries.codes_of(row, tournament_log.folded(connection, row))[1]


_at_cup("people", lambda stage: cup(stage, bots=0), names="Ann\nBen")


@scene("/tournaments/{slug}/order")
def _order(stage: Stage) -> Press:
    host = welcome(stage.context, "Host")
    plan = {"format": "knockout", "stages": [{"game": GAME, "options": {"rounds": 1}, "size": 2}], "advance": 1}
    slug = stage.context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand"})
    stage.context.write(_sow, slug)
    stage.context.write(entries.add_people, slug, host.id, "Ann\nBen")
    return stage.press(host, f"/tournaments/{slug}", "/order", names="Ben\nAnn")


_at_cup("wish", lambda stage: cup(stage, "Ann", "Ben"), wish="apart", names="Ann, Ben")


@scene("/tournaments/{slug}/own")
def _own(stage: Stage) -> Press:
    _, slug = _listed(stage)
    return stage.press(welcome(stage.context, "Dave"), f"/tournaments/{slug}", "/own", code=_code_said(stage, slug))


@scene("/tournaments/{slug}/own")
def _own_as_a_stranger(stage: Stage) -> Press:
    _, slug = _listed(stage)
    return stage.press(None, f"/tournaments/{slug}", "/own", code=_code_said(stage, slug))


_at_cup("device", lambda stage: cup(stage, "Ann", bots=0))
_at_cup("bots", cup, count="2")
_at_cup("start", cup)
_at_cup("close", played_cup)


@scene("/tournaments/{slug}/move")
def _move_somebody(stage: Stage) -> Press:
    host, slug = cup(stage, "Ann", "Ben")
    stages.start_stage(stage.context, slug, host.id)
    swapped = {"to": _seated(stage, slug, 2)}
    return stage.press(host, f"/tournaments/{slug}", "/move", **swapped)


def _seated(stage: Stage, slug: str, table: int) -> str:
    """Whoever is first at a table."""
    with stage.context.database.reading() as connection:
        now = tournament_log.folded(connection, tournament_log.find(connection, slug))
    return now.name(now.stages[-1].tables[table - 1].seats[0])


_at_cup("again", played_cup, reason="A card was missing")


@scene("/tournaments/{slug}/reinstate")
def _reinstate(stage: Stage) -> Press:
    host, slug = played_cup(stage)
    stage.context.write(tables_anew.annul, slug, host.id, 1, "A card was missing")
    return stage.press(host, f"/tournaments/{slug}", "/reinstate")


@scene("/tournaments/{slug}/play-off")
def _play_off(stage: Stage) -> Press:
    host = welcome(stage.context, "Host")
    plan = {
        "format": "knockout",
        "stages": [{"game": GAME, "options": {"rounds": 1}, "size": 2, "most": 2}],
        "players": 4,
        "advance": 1,
        "cut": "play_off",
    }
    slug = stage.context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand"})
    stage.context.write(_sow, slug)
    stage.context.write(entries.add_people, slug, host.id, "Ann\nBen\nCid\nDot")
    stages.start_stage(stage.context, slug, host.id)
    for table in (1, 2):
        stage.context.write(corrections.write_down, slug, host.id, 1, table, ("3", str(table + 1)), "")
    stage.context.write(corrections.write_down, slug, host.id, 1, 1, ("3", "3"), "Miscounted")
    return stage.press(host, f"/tournaments/{slug}", "/play-off", **{"score-1": "3", "score-2": "1"})


_at_cup("call-out", begun_cup)


@scene("/tournaments/{slug}/correct")
def _correct(stage: Stage) -> Press:
    host, slug = played_cup(stage)
    return stage.press(
        host, f"/tournaments/{slug}", "/correct", **{"score-1": "3", "score-2": "1"}, reason="Miscounted"
    )


_at_cup("adjust", cup, points="5", reason="Kind")
_at_cup("announce", cup, text="Cake is in the kitchen")


@scene("/tournaments/{slug}/end")
def _end(stage: Stage) -> Press:
    host, slug = played_cup(stage)
    stage.context.write(stages.close_stage, slug, host.id)
    return stage.press(host, f"/tournaments/{slug}", "/end", reason="Late")


_at_cup("replace", lambda stage: cup(stage, "Ann", "Ben", "Cid", "Dot", "Eve", players=4, bots=0))
_at_cup("organiser", lambda stage: cup(stage, "Ann"))
_at_cup("helper", lambda stage: cup(stage, "Ann"), wanted="yes")


# Circles.


def _circle(stage: Stage, *, planned: bool = False) -> tuple[Guest, Guest, str]:
    slug, (host, ben) = circle_of(stage.context, "Host", "Ben")
    if planned:
        day = datetime.fromtimestamp(stage.context.now() + 7 * 24 * 3600, UTC).date().isoformat()
        stage.context.write(evenings.plan_evening, slug, host.id, day, "20:00", "UTC", "Ann’s", 0)
    return host, ben, slug


def _in_circle(action: str, who: str, /, *, planned: bool = False, **given: str) -> None:
    """A scene in a circle: its host or Ben presses what is called so."""

    def press(stage: Stage) -> Press:
        host, ben, slug = _circle(stage, planned=planned)
        return stage.press(host if who == "host" else ben, f"/c/{slug}", f"/{action}", **given)

    scene(f"/c/{{slug}}/{action}")(press)


@scene("/circles")
def _new_circle(stage: Stage) -> Press:
    return stage.press(welcome(stage.context, "Dave"), "/circles/new", "/circles", title="Friday")


@scene("/circles")
def _first_circle(stage: Stage) -> Press:
    return stage.press(None, "/circles/new", "/circles", title="Friday", name="Zoe")


@scene("/c/{slug}/join/{token}")
def _join_circle(stage: Stage) -> Press:
    _, _, slug = _circle(stage)
    path = f"/c/{slug}/join/{token_of(stage.context, slug)}"
    return stage.press(welcome(stage.context, "Dave"), path, path)


@scene("/c/{slug}/join/{token}")
def _join_circle_as_a_stranger(stage: Stage) -> Press:
    _, _, slug = _circle(stage)
    path = f"/c/{slug}/join/{token_of(stage.context, slug)}"
    return stage.press(None, path, path, name="Zoe")


_in_circle("name", "host", title="Saturday")


@scene("/c/{slug}/me")
def _my_name_there(stage: Stage) -> Press:
    _, ben, slug = _circle(stage)
    return stage.press(ben, f"/c/{slug}", f"/c/{slug}/me", name="Benny")


_in_circle("link", "host")
_in_circle("host", "host")
_in_circle("leave", "ben")
_in_circle("remove", "host")


@scene("/c/{slug}/evening")
def _plan_evening(stage: Stage) -> Press:
    host, _, slug = _circle(stage)
    day = datetime.fromtimestamp(stage.context.now() + 7 * 24 * 3600, UTC).date().isoformat()
    return stage.press(host, f"/c/{slug}", "/evening", day=day, time="20:00")


@scene("/c/{slug}/evening/off")
def _call_off(stage: Stage) -> Press:
    host, _, slug = _circle(stage, planned=True)
    press = stage.press(host, f"/c/{slug}", "/evening")
    return Press(host, f"{press.path}/off", press.data)


_in_circle("answer", "ben", planned=True, coming="yes")
_in_circle("season", "host", name="Spring", begins="2027-01-01", ends="2027-06-30")


@scene("/c/{slug}/season/drop")
def _drop_season(stage: Stage) -> Press:
    host, _, slug = _circle(stage)
    stage.context.write(evenings.add_season, slug, host.id, "Spring", "2027-01-01", "2027-06-30")
    return stage.press(host, f"/c/{slug}", "/season/drop")


def _table_in_its_name(stage: Stage, slug: str, host: Guest) -> str:
    table: str = stage.context.write(create.create_table, host.id, GAME, 3, {"rounds": 2})
    stage.context.write(opening.put_table, slug, host.id, table)
    return table


@scene("/c/{slug}/rules")
def _house_rules(stage: Stage) -> Press:
    host, _, slug = _circle(stage)
    _table_in_its_name(stage, slug, host)
    return stage.press(host, f"/c/{slug}", "/rules")


@scene("/c/{slug}/rules/drop")
def _usual_rules(stage: Stage) -> Press:
    host, _, slug = _circle(stage)
    stage.context.write(opening.keep_rules, slug, host.id, _table_in_its_name(stage, slug, host))
    return stage.press(host, f"/c/{slug}", "/rules/drop")


@scene("/keeper/{token}")
def _go_in(stage: Stage) -> Press:
    token = keepers_link(stage.context)
    return stage.press(None, f"/keeper/{token}", f"/keeper/{token}")


@scene("/keeper/do")
def _announce_to_all(stage: Stage) -> Press:
    token = keepers_link(stage.context)
    browser = stage.browser = stage.open(None)
    browser.cookies.set(COOKIE, token)
    forms = Page(browser.get("/keeper").text).forms_to("/keeper/do")
    form = next(one for one in forms if {"act": "announce"}.items() <= one.data.items())
    return Press(None, form.action, {**form.data, "text": "The kettle is on"})


@scene("/t/{slug}/report")
def _report(stage: Stage) -> Press:
    party = begin(stage.context, 2)
    party.write(chat.say, 2, "Something rude")
    page = f"{_at(party)}/report"
    return stage.press(party.guests[0], page, "/report", about="said-1", why="Rude")
