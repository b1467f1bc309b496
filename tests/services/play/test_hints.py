"""Hints: for whom, how often, from what a seat sees, and for whose eyes."""

import json
from types import SimpleNamespace
from typing import Any

from app.services.accounts.export import export_of
from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, Refused, TooOften
from app.services.play import hints, play, takeback
from app.services.queries.stream import talk_of
from app.services.seats import away, create, pause, seats
from app.services.seats.setup import Setup, change_setup
from app.settings import Limits
from snug.engine.game import plain
from snug.words import gettext, packed, reading
from tests.conftest import OpenContext
from tests.factories import GAME, Guest, Party, begin, dump, gather, refused, setup_with, welcome
from tests.languages import LOUD
from tests.thinking import Quick

HOME = "192.0.2.7"


def hinted(context: AppContext, people: int = 2, *, game: str = GAME, undo: str = "off", **options: object) -> Party:
    """A table in play where hints are allowed."""
    context.thinkers = Quick()
    guests = tuple(welcome(context, name) for name in ("Alice", "Bob", "Carol")[:people])
    slug = context.write(create.create_table, guests[0].id, game, people, options, setup_with(undo=undo, hints=True))
    for number, guest in enumerate(guests[1:], 2):
        context.write(seats.take_seat, slug, guest.id, number, guest.name)
    context.write(seats.start, slug, guests[0].id)
    return Party(context, slug, guests)


def mover(party: Party) -> Guest:
    """Whose turn it is."""
    turn = party.turn()
    assert turn
    return party.guests[turn.seat - 1]


def ask(party: Party, guest: Guest, household: str = "") -> None:
    """Asks, and is told."""
    question = party.write(hints.ask, guest, household)
    if question:
        thought = party.context.thinkers.submit(question.game, question.view, question.seed).result()
        party.write(hints.keep, guest, question, thought)


def test_who_is_to_play_is_told_once_and_reads_it_in_the_log(context: AppContext) -> None:
    party = hinted(context)
    me = mover(party)
    assert party.look(me).hints.may_ask
    version = party.version
    ask(party, me)
    ask(party, me)
    assert isinstance(context.thinkers, Quick)
    assert len(context.thinkers.asked) == 1
    page = party.look(me)
    assert page.hints.advice
    assert not page.hints.may_ask
    assert party.version == version
    with context.database.reading() as connection:
        talk = talk_of(connection, page, me.id)
    assert [line.hint for line in (*talk.fresh, *talk.older) if line.hint] == [page.hints.advice]
    party.move()
    later = party.look(me)
    assert later.hints.given == page.hints.given
    assert later.hints.advice is None


def test_the_same_question_has_the_same_answer_after_a_restart(open_context: OpenContext, database_url: str) -> None:
    context = open_context(database_url)
    party = hinted(context)
    me = mover(party)
    first = party.write(hints.ask, me, "")
    again = open_context(database_url)
    again.thinkers = Quick()
    second = Party(again, party.slug, party.guests).write(hints.ask, me, "")
    assert (first.seed, first.view) == (second.seed, second.view)
    ask(party, me)
    told = party.look(me).hints.advice
    assert told
    assert Party(open_context(database_url), party.slug, party.guests).look(me).hints.advice == told


def test_one_of_an_older_release_marks_nothing() -> None:
    said = {"moves": 3, "move": packed(gettext("Pass.")), "why": packed(gettext("Nothing else comes into question."))}
    seat: Any = SimpleNamespace(hints={"round_id": 7, "asked": 3, "given": [said]})
    live: Any = SimpleNamespace(round_id=7)
    (hint,) = hints.hints_of(seat, live)
    assert (hint.move, hint.taps) == ("Pass.", ())


def test_nobody_else_gets_one(context: AppContext) -> None:
    party = hinted(context)
    me = mover(party)
    other = next(guest for guest in party.guests if guest != me)
    with refused(context, Conflict):
        ask(party, other)
    stranger = welcome(context, "Zoe")
    with refused(context, Forbidden):
        ask(party, stranger)
    party.write(pause.pause, 1)
    with refused(context, Conflict):
        ask(party, me)


def test_only_where_the_host_allows_them(context: AppContext) -> None:
    party = begin(context, 2)
    assert not party.look(mover(party)).hints.may_ask
    with refused(context, Refused, "NO_HINTS"):
        ask(party, mover(party))


def test_so_many_an_hour_and_those_given_cost_nothing(context: AppContext) -> None:
    party = hinted(context)
    context.limits = Limits(guest_hints=1)
    me = mover(party)
    ask(party, me, HOME)
    ask(party, me, HOME)
    while mover(party) != me or party.look(me).hints.advice:
        party.move()
    with refused(context, TooOften):
        ask(party, me, HOME)


def test_what_was_told_stands_while_others_choose_in_secret_as_well(context: AppContext) -> None:
    party = hinted(context, 3, game="life")
    me, other = party.guests[2], party.guests[1]
    party.move()
    ask(party, other)
    told = party.look(other).hints.advice
    question = party.write(hints.ask, me, "")
    thought = context.thinkers.submit(question.game, question.view, question.seed).result()
    choice = question.view.legal[0]
    party.write(play.play, me, json.loads(json.dumps(plain(choice))), party.version)
    page = party.look(other)
    assert page.hints.advice == told is not None
    assert not page.hints.may_ask
    assert party.write(hints.ask, other, "") is None
    with refused(context, Conflict):
        party.write(hints.keep, me, question, thought)


def test_what_is_thought_while_others_choose_in_secret_is_told(context: AppContext) -> None:
    context.limits = Limits(guest_hints=1)
    party = hinted(context, 3, game="life")
    me = party.guests[2]
    question = party.write(hints.ask, me, HOME)
    thought = context.thinkers.submit(question.game, question.view, question.seed).result()
    party.move()
    assert party.write(hints.ask, me, HOME), "nothing came of it yet"
    party.write(hints.keep, me, question, thought)
    assert party.look(me).hints.advice


def test_who_has_moved_meanwhile_is_not_told(context: AppContext) -> None:
    party = hinted(context)
    me = mover(party)
    question = party.write(hints.ask, me, "")
    thought = context.thinkers.submit(question.game, question.view, question.seed).result()
    party.move()
    with refused(context, Conflict):
        party.write(hints.keep, me, question, thought)
    assert not party.look(me).hints.given


def test_what_was_told_is_not_about_what_stands_after_moves_were_taken_back(context: AppContext) -> None:
    party = hinted(context, undo=takeback.VOTE)
    me = mover(party)
    other = next(guest for guest in party.guests if guest != me)
    party.move()
    ask(party, other)
    assert party.look(other).hints.advice
    party.write(takeback.take_back, me, party.version)
    party.write(takeback.answer, other, party.version, True)
    assert mover(party) == me
    page = party.look(other)
    assert page.hints.given
    assert page.hints.advice is None


def test_what_was_thought_about_moves_that_are_taken_back_is_not_told(context: AppContext) -> None:
    party = hinted(context, undo=takeback.VOTE)
    me = mover(party)
    other = next(guest for guest in party.guests if guest != me)
    party.move()
    question = party.write(hints.ask, other, "")
    thought = context.thinkers.submit(question.game, question.view, question.seed).result()
    party.write(takeback.take_back, me, party.version)
    party.write(takeback.answer, other, party.version, True)
    with refused(context, Conflict):
        party.write(hints.keep, other, question, thought)


def test_a_new_round_begins_without_any(context: AppContext) -> None:
    party = hinted(context, rounds=2)
    ask(party, mover(party))
    party.pass_round()
    party.everybody_is_ready()
    assert not any(party.look(guest).hints.given for guest in party.guests)


def test_they_are_the_player_s_own_and_go_with_the_seat(context: AppContext) -> None:
    party = hinted(context)
    me = party.guests[1]
    while mover(party) != me:
        party.move()
    ask(party, me)
    with context.database.reading() as connection:
        mine = export_of(connection, me.id)["seats"][0]["hints"]
    assert mine["given"][0]["move"]["text"]
    party.write(away.replace, 1, 2, "steady")
    assert not [row for row in dump(context.database)["seats"] if "given" in str(row)]


def test_a_hint_is_read_in_the_reader_s_language(context: AppContext) -> None:
    party = hinted(context)
    me = mover(party)
    ask(party, me)
    hint = party.look(me).hints.advice
    assert hint
    with reading(LOUD):
        assert hint.move.as_read() != str(hint.move)
        assert hint.why.as_read() != str(hint.why)


def test_a_host_allows_them_between_matches_and_the_others_are_told(context: AppContext) -> None:
    party = gather(context, 2)
    setup = Setup(2, party.row.options, setup_with(hints=True))
    party.write(change_setup, 1, 0, party.version, setup)
    assert party.setup.hints
    assert party.look(party.guests[1]).coming.change == {"hints": [False, True]}
