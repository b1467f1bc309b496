"""Talk: who may say what and how often, where it stands in the stream, and what others have done since my last turn."""

import pytest
from msgspec.structs import replace
from sqlalchemy import insert, select

from app.services.accounts import export
from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, Refused, TooOften
from app.services.play import play
from app.services.queries import stream
from app.services.queries.stream import LogEntry, Talk
from app.services.seats import create, spectators
from app.services.table import activity
from app.services.talk import chat
from app.storage import models
from snug.engine.game import Event
from snug.words import as_read, reading
from tests.conftest import Clock
from tests.factories import Guest, Party, begin, gather, refused, setup_with, welcome
from tests.languages import LOUD


def heard(party: Party, guest: Guest | None = None, *, whole: bool = False) -> Talk:
    """The talk at this table as a guest reads it."""
    page = party.look(guest)
    with party.context.database.reading() as connection:
        return stream.talk_of(connection, page, guest.id if guest else None, whole=whole)


def words(lines: tuple[LogEntry, ...]) -> list[str]:
    """What was said in these lines, newest first."""
    return [line.said.text for line in lines if line.said and not line.said.is_news]


def test_what_is_said_is_heard_by_everybody_at_the_table(context: AppContext) -> None:
    party = gather(context, 2)
    version = party.version
    party.write(chat.say, 2, "  Good\tevening ")
    assert party.version == version + 1
    for guest in (*party.guests, None):
        (line,) = heard(party, guest).older
        assert line.said
        assert (line.said.name, line.said.seat, line.said.text) == ("Bob", 2, "Good evening")
        assert line.said.is_me == (guest == party.guests[1])


def test_talk_leaves_the_round_at_hand_and_the_page_good_to_play_on(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.turn()
    assert turn
    party.write(chat.say, 2, "Take your time")
    kept = context.rounds.get(party.row.id, party.version)
    assert kept
    assert kept.moves == len(party.moves())
    assert context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)


class Drawn(Event, frozen=True, tag="drawn"):
    """As where a card is drawn unseen and the dealer says which: two moves, one line."""

    card: str = ""

    def told_after(self, earlier: Event) -> Event | None:
        return self if self.card and isinstance(earlier, Drawn) else None


def test_what_came_of_ones_own_move_is_told_with_it(context: AppContext) -> None:
    party = begin(context, 2)
    page = party.look(party.guests[0])
    with context.database.reading() as connection:
        for log, fresh, older in (
            (((Drawn(),), (Drawn("7C"),)), [("7C",)], []),
            (((Drawn("QS"),), (Drawn(),)), [("",)], [("QS",)]),
        ):
            board = replace(page.board, log=log, last_move=1)
            talk = stream.talk_of(connection, replace(page, board=board), party.guests[0].id)
            told = [
                [
                    tuple(event.card for event in line.events if isinstance(event, Drawn))
                    for line in lines
                    if line.events
                ]
                for lines in (talk.fresh, talk.older)
            ]
            assert told == [fresh, older]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("\u202egnitirw drawkcab\u202c", "gnitirw drawkcab"),
        ("a\u200bb\u2066c\u2069\x00\x07", "abc"),
        ("two\nlines\r\nof it", "two lines of it"),
        ("naïve Noe\u0308l", "naïve Noël"),
        ("h" + "\u0336" * 50, "h" + "\u0336" * 3),
        ("שלום, שבת טובה", "שלום, שבת טובה"),
        ("x" * 200, "x" * 200),
    ],
)
def test_a_text_is_cleaned_and_kept_as_it_reads(context: AppContext, typed: str, said: str) -> None:
    party = gather(context, 1, seats=2)
    party.write(chat.say, 1, typed)
    assert words(heard(party).older) == [said]


@pytest.mark.parametrize("typed", ["", " \t\n", "\u200b\u202e", "\u0301", "\x00", "x" * 201, "x " * 900])
def test_nothing_and_too_much_are_refused(context: AppContext, typed: str) -> None:
    party = gather(context, 1, seats=2)
    with refused(context, Refused):
        party.write(chat.say, 1, typed)


def test_a_phrase_is_kept_as_what_it_means_and_read_in_the_readers_language(context: AppContext) -> None:
    party = gather(context, 2)
    party.write(chat.say, 1, "", "cheers")
    party.write(chat.say, 1, "cheers")
    older = {"text": "Best of luck!", "number": 9, "kind": chat.PHRASE, "table_id": party.row.id}  # as it was kept once
    with context.database.writer.begin() as connection:
        row = connection.execute(select(models.Message).where(models.Message.number == 1)).one()
        connection.execute(insert(models.Message).values({**row._mapping, **older}))
    assert row.text == "cheers"
    party.write(chat.mute, 2, True)  # the table is read anew
    party.write(chat.mute, 2, False)
    with reading(LOUD):
        assert [as_read(text) for text in words(heard(party).older)] == ["BEST OF LUCK!", "cheers", "CHEERS!"]
    with context.database.reading() as connection:
        texts = [line["text"] for line in export.export_of(connection, party.guests[0].id)["messages"]]
    assert texts == ["Cheers!", "cheers", "Best of luck!"]


def test_the_host_decides_how_people_talk(context: AppContext) -> None:
    party = begin(context, 2)
    party.write(chat.set_talk, 1, "phrases", False)
    party.write(chat.say, 2, "", "cheers")
    with refused(context, Refused, "PHRASES_ONLY"):
        party.write(chat.say, 2, "Words of my own")
    with refused(context, Refused, "NO_PHRASE"):
        party.write(chat.say, 2, "", "curse")
    party.write(chat.set_talk, 1, "off", False)
    for text, phrase in (("Hello", ""), ("", "cheers")):
        with refused(context, Refused, "TALK_OFF"):
            party.write(chat.say, 2, text, phrase)
    assert not heard(party, party.guests[1]).may_talk
    assert words(heard(party).older) == [chat.PHRASES["cheers"]]  # what was said stays said
    with refused(context, Refused, "BAD_TALK"):
        party.write(chat.set_talk, 1, "shouting", False)
    with refused(context, Forbidden):
        party.write(chat.set_talk, 2, "free", True)
    with pytest.raises(NotFound):
        context.write(chat.set_talk, "nowhere", party.guests[0].id, "free", False)


def test_a_table_is_opened_with_its_way_to_talk(context: AppContext) -> None:
    host = welcome(context, "Alice")
    setup = setup_with(talk="phrases", watchers_talk=True)
    slug = context.write(create.create_table, host.id, "lucky_paw", 2, {}, setup)
    page = Party(context, slug, (host,)).look(host)
    assert (page.setup.talk, page.setup.watchers_talk) == ("phrases", True)
    with refused(context, Refused, "BAD_TALK"):
        context.write(chat.set_talk, slug, host.id, "loud", True)


def test_onlookers_talk_where_the_host_lets_them_and_under_a_name_of_their_own(context: AppContext) -> None:
    party = begin(context, 2)
    outsider = welcome(context, "BOB")
    with refused(context, Forbidden):
        party.write(chat.say, outsider, "Let me in")
    party.write(chat.set_talk, 1, "free", True)
    assert heard(party, outsider).may_talk
    party.write(chat.say, outsider, "Well played")
    (line,) = [line for line in heard(party).older if line.said]
    assert line.said
    assert (line.said.seat, line.said.name) == (None, "BOB 2")


def test_behind_a_closed_door_nobody_else_talks_or_reads(context: AppContext) -> None:
    party = begin(context, 2, watch="none")
    party.write(chat.set_talk, 1, "free", True)
    party.write(chat.say, 1, "Between us")
    outsider = welcome(context, "Mallory")
    with refused(context, Forbidden):
        party.write(chat.say, outsider, "Hello")
    for guest in (outsider, None):
        assert heard(party, guest) == Talk(False, False, (), (), 0)


def test_who_goes_on_and_on_waits_a_little(context: AppContext, clock: Clock) -> None:
    party = gather(context, 2)
    for number in range(8):
        party.write(chat.say, 1, f"word {number}")
        clock.advance(1)
    with refused(context, TooOften):
        party.write(chat.say, 1, "one more")
    party.write(chat.say, 2, "My word")
    clock.advance(12)  # the first is twenty seconds old
    party.write(chat.say, 1, "one more")


def test_what_was_done_to_the_table_is_in_the_log_and_cannot_be_hidden(context: AppContext) -> None:
    party = begin(context, 2)
    party.write(chat.say, 1, "Good evening")
    party.write(chat.set_talk, 1, "off", False)
    party.write(spectators.set_spectators, 1, "none")
    party.write(spectators.set_spectators, 1, "none")
    party.write(chat.mute, 2, True)
    lines = heard(party, party.guests[1])
    said = [line.said for line in (*lines.fresh, *lines.older) if line.said]
    assert [one.deed and one.deed.told(one.name, one.other) for one in said] == [
        "Alice changed what onlookers see.",
        "Alice changed how this table talks.",
    ]
    assert lines.unread == 0


def test_a_table_remembers_so_much_and_no_more(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "_KEPT", 5)
    party = gather(context, 1, seats=2)
    for number in range(9):
        party.write(chat.say, 1, f"word {number}")
        clock.advance(5)
    assert words(heard(party, whole=True).older) == [f"word {number}" for number in (8, 7, 6, 5, 4)]


def test_muting_is_ones_own(context: AppContext) -> None:
    party = begin(context, 2)
    party.write(chat.say, 1, "Hello")
    party.write(chat.mute, 2, True)
    party.write(chat.mute, 2, True)
    mine = heard(party, party.guests[1])
    assert mine.muted
    assert words(mine.older) == []
    assert mine.unread == 0
    assert [line for line in mine.older if line.events]  # the game is still told
    assert words(heard(party, party.guests[0]).older) == ["Hello"]
    party.write(chat.mute, 2, False)
    assert words(heard(party, party.guests[1]).older) == ["Hello"]


def test_talk_and_moves_stand_in_the_order_in_which_they_came(context: AppContext) -> None:
    party = begin(context, 2)
    party.write(chat.say, 1, "first")
    party.move()
    party.write(chat.say, 2, "second")
    party.write(chat.say, 1, "third")
    party.move()
    lines = heard(party).older
    told = [line.said.text if line.said else line.move for line in lines]
    start = len(party.moves()) - 2
    assert told == [start + 2, "third", "second", start + 1, "first", *range(start, 0, -1)]


def test_what_others_did_since_my_last_turn_stands_apart(context: AppContext) -> None:
    party = begin(context, 3)
    alice, bob, carol = party.guests
    assert heard(party, alice).fresh == ()
    party.move()  # Alice
    assert heard(party, alice).fresh == ()
    party.write(chat.say, alice, "My own words are no news")
    assert heard(party, alice).fresh == ()
    party.move()  # Bob
    party.write(chat.say, carol, "Hm")
    mine = heard(party, alice)
    assert words(mine.fresh) == ["Hm", "My own words are no news"]
    assert sum(bool(line.events) for line in mine.fresh) == 1
    assert mine.unread == 1
    assert words(heard(party, bob).fresh) == ["Hm"]
    assert heard(party, carol).fresh == ()
    assert heard(party, None).fresh == ()
    party.move()  # Carol
    party.move()  # Alice again
    assert heard(party, alice).fresh == ()
    assert heard(party, alice).unread == 0


def test_the_next_round_tells_its_own_moves_and_keeps_the_talk(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    party.write(chat.say, 1, "In round one")
    party.pass_round()
    party.write(chat.say, 2, "Between the rounds")
    party.everybody_is_ready()
    party.write(chat.say, 1, "In round two")
    lines = heard(party, party.guests[1]).older
    assert words(lines) == ["In round two", "Between the rounds", "In round one"]
    assert [line.move for line in lines if line.events] == list(range(len(party.look().board.log), 0, -1))
    assert [line.said.text for line in lines[-2:] if line.said] == ["Between the rounds", "In round one"]


def test_other_processes_hear_of_muting_only_where_it_changes_something(context: AppContext) -> None:
    party = begin(context, 2)
    for muted, changes in ((False, 0), (True, 1), (True, 0), (False, 1)):
        before = party.row.changes
        party.write(chat.mute, 2, muted)
        assert party.row.changes - before == changes


def test_talk_is_too_much_within_twenty_seconds_by_the_clock_as_it_is_now(context: AppContext, clock: Clock) -> None:
    party = gather(context, 1, seats=2)
    for _ in range(8):
        party.write(chat.say, 1, "word")
    clock.advance(19.9)
    with refused(context, TooOften):
        party.write(chat.say, 1, "one more")
    clock.step = -3600  # somebody sets it back: what was said is from later now
    party.write(chat.say, 1, "one more")


def test_what_was_done_last_is_told_to_everybody_without_what_was_said(context: AppContext) -> None:
    party = begin(context, 2)
    for _ in range(4):
        turn = party.turn()
        assert turn
        assert context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)
    party.write(chat.say, 2, "Hm")
    for guest in (*party.guests, None):
        talk = heard(party, guest)
        done = [line for line in (*talk.fresh, *talk.older) if line.events]
        assert len(done) > len(talk.lately) == 2
        assert list(talk.lately) == done[:2]
