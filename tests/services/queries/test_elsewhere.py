"""Which other tables wait for somebody: told by what happens there, or read, and the same either way."""

import pytest

from app.services.context import AppContext
from app.services.play import play
from app.services.queries.elsewhere import elsewhere_of
from app.services.seats import away, create, pause, seats
from app.services.table.open_table import SCORES
from tests.factories import GAME, INSTANT, Guest, Party, begin, welcome


def waiting(context: AppContext, guest: Guest, slug: str = "") -> list[str]:
    """The tables that wait for somebody, as their pages tell it."""
    found = elsewhere_of(context, guest.id, guest.token, slug)
    slugs = [one for one in context.pubsub.turns.of(guest.id) or () if one != slug]
    assert (found.count, found.next and found.next.slug) == (len(slugs), slugs[0] if slugs else None)
    return slugs


def as_read(context: AppContext, guest: Guest) -> list[str]:
    """The same where nothing was told before."""
    context.pubsub.turns.forget()
    return waiting(context, guest)


def again(party: Party) -> Party:
    """Another table of the same people."""
    slug = party.context.write(create.create_table, party.guests[0].id, GAME, len(party.guests), {}, INSTANT)
    for seat, guest in enumerate(party.guests[1:], 2):
        party.context.write(seats.take_seat, slug, guest.id, seat, guest.name)
    party.context.write(seats.start, slug, party.guests[0].id)
    return Party(party.context, slug, party.guests)


def test_a_move_tells_whom_the_table_waits_for(context: AppContext) -> None:
    one = begin(context, 2)
    two = again(one)
    ann, bob = one.guests
    assert (waiting(context, ann), waiting(context, bob)) == ([one.slug, two.slug], [])
    assert waiting(context, ann, one.slug) == [two.slug], "a page tells of the others"
    one.move()
    assert (waiting(context, ann), waiting(context, bob)) == ([two.slug], [one.slug])
    assert (as_read(context, ann), as_read(context, bob)) == ([two.slug], [one.slug])
    assert elsewhere_of(context, bob.id, bob.token).next == (one.slug, GAME, ann.name)


def test_what_else_ends_and_begins_a_turn(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    ann, bob = party.guests
    assert waiting(context, ann) == [party.slug]
    for service, given, waits in (
        (pause.pause, (), False),
        (pause.resume, (), True),
        (away.step_away, (1,), False),
        (away.come_back, (1,), True),
    ):
        party.write(service, 1, *given)
        assert (waiting(context, ann) == [party.slug]) == waits, service.__name__
        assert (as_read(context, ann) == [party.slug]) == waits, service.__name__
    party.pass_round()
    assert party.row.status == SCORES
    assert waiting(context, ann) == waiting(context, bob) == [party.slug]
    party.write(play.set_ready, ann)
    assert (waiting(context, ann), waiting(context, bob)) == ([], [party.slug])
    assert (as_read(context, ann), as_read(context, bob)) == ([], [party.slug])
    party.write(play.set_ready, bob)
    party.pass_round()
    assert waiting(context, ann) == waiting(context, bob) == [], "the match is over"


def test_what_is_heard_from_another_process_counts(context: AppContext) -> None:
    party = begin(context, 2)
    ann, turns = party.guests[0], context.pubsub.turns
    assert waiting(context, ann) == [party.slug]
    turns.hear(party.slug, {ann.id: False})
    assert waiting(context, ann) == []
    turns.hear(party.slug, {ann.id: True})
    assert waiting(context, ann) == [party.slug]
    assert turns.changes(party.slug, {ann.id}, ()) == {}


def test_what_was_read_before_a_change_is_not_kept(context: AppContext) -> None:
    party = begin(context, 2)
    ann, turns = party.guests[0], context.pubsub.turns
    turns.forget()
    turns.keep(ann.id, (), 0.0)
    assert turns.of(ann.id) is None


def test_a_frozen_table_waits_for_nobody(context: AppContext) -> None:
    party = begin(context, 2)
    assert waiting(context, party.guests[0]) == [party.slug]
    context.pubsub.turns.close(party.slug)
    assert waiting(context, party.guests[0]) == []


def test_a_browser_that_nobody_met_is_at_no_channel(context: AppContext) -> None:
    eve = welcome(context, "Eve")
    assert context.pubsub.turns.heard_by(eve.token, "") is None
    mark = elsewhere_of(context, eve.id, eve.token).mark
    assert context.pubsub.turns.heard_by(eve.token, "") == (f"turns/{eve.id}", mark)


@pytest.mark.parametrize("other", ["", "another"])
def test_marks_differ_with_the_tables(context: AppContext, other: str) -> None:
    party = begin(context, 2)
    ann = party.guests[0]
    assert (elsewhere_of(context, ann.id, ann.token, other or party.slug).mark == 1) == (not other)
