"""Talk: who may say what and how often, where it stands in the stream, and what others have done since my last turn."""

import pytest

from app.services import news, play, tables, talk, watching
from app.services.errors import Forbidden, NotFound, Refused, TooOften
from app.services.house import House
from app.services.talk import Line, Talk
from tests.conftest import Clock
from tests.factories import Guest, Party, begin, gather, refused, welcome


def heard(party: Party, guest: Guest | None = None, *, whole: bool = False) -> Talk:
    """The talk at this table as a guest reads it."""
    room = party.look(guest)
    with party.house.database.reading() as connection:
        return talk.talk_of(connection, room, guest.id if guest else None, whole=whole)


def words(lines: tuple[Line, ...]) -> list[str]:
    """What was said in these lines, newest first."""
    return [line.said.text for line in lines if line.said and not line.said.is_news]


def test_what_is_said_is_heard_by_everybody_at_the_table(house: House) -> None:
    party = gather(house, 2)
    version = party.version
    party.write(talk.say, 2, "  Good\tevening ")
    assert party.version == version + 1
    for guest in (*party.guests, None):
        (line,) = heard(party, guest).older
        assert line.said
        assert (line.said.name, line.said.seat, line.said.text) == ("Bob", 2, "Good evening")
        assert line.said.is_me == (guest == party.guests[1])


def test_talk_leaves_the_round_at_hand_and_the_page_good_to_play_on(house: House) -> None:
    party = begin(house, 2)
    turn = party.turn()
    assert turn
    party.write(talk.say, 2, "Take your time")
    kept = house.replays.get(party.row.id, party.version)
    assert kept
    assert kept.moves == len(party.moves())
    assert house.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)


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
def test_a_text_is_cleaned_and_kept_as_it_reads(house: House, typed: str, said: str) -> None:
    party = gather(house, 1, seats=2)
    party.write(talk.say, 1, typed)
    assert words(heard(party).older) == [said]


@pytest.mark.parametrize("typed", ["", " \t\n", "\u200b\u202e", "\u0301", "\x00", "x" * 201, "x " * 900])
def test_nothing_and_too_much_are_refused(house: House, typed: str) -> None:
    party = gather(house, 1, seats=2)
    with refused(house, Refused):
        party.write(talk.say, 1, typed)


def test_the_host_decides_how_people_talk(house: House) -> None:
    party = begin(house, 2)
    party.write(talk.set_talk, 1, "phrases", False)
    party.write(talk.say, 2, "", "cheers")
    with refused(house, Refused, "PHRASES_ONLY"):
        party.write(talk.say, 2, "Words of my own")
    with refused(house, Refused, "NO_PHRASE"):
        party.write(talk.say, 2, "", "curse")
    party.write(talk.set_talk, 1, "off", False)
    for text, phrase in (("Hello", ""), ("", "cheers")):
        with refused(house, Refused, "TALK_OFF"):
            party.write(talk.say, 2, text, phrase)
    assert not heard(party, party.guests[1]).may_talk
    assert words(heard(party).older) == [talk.PHRASES["cheers"]]  # what was said stays said
    with refused(house, Refused, "BAD_TALK"):
        party.write(talk.set_talk, 1, "shouting", False)
    with refused(house, Forbidden):
        party.write(talk.set_talk, 2, "free", True)
    with pytest.raises(NotFound):
        house.write(talk.set_talk, "nowhere", party.guests[0].id, "free", False)


def test_a_table_is_opened_with_its_way_to_talk(house: House) -> None:
    host = welcome(house, "Alice")
    slug = house.write(tables.open_table, host.id, "lucky_paw", 2, {}, "instant", "open", "phrases", True)
    room = Party(house, slug, (host,)).look(host)
    assert (room.talk, room.watchers_talk) == ("phrases", True)
    with refused(house, Refused, "BAD_TALK"):
        house.write(tables.open_table, host.id, "lucky_paw", 2, {}, "instant", "open", "loud", True)


def test_onlookers_talk_where_the_host_lets_them_and_under_a_name_of_their_own(house: House) -> None:
    party = begin(house, 2)
    outsider = welcome(house, "BOB")
    with refused(house, Forbidden):
        party.write(talk.say, outsider, "Let me in")
    party.write(talk.set_talk, 1, "free", True)
    assert heard(party, outsider).may_talk
    party.write(talk.say, outsider, "Well played")
    (line,) = [line for line in heard(party).older if line.said]
    assert line.said
    assert (line.said.seat, line.said.name) == (None, "BOB 2")


def test_behind_a_closed_door_nobody_else_talks_or_reads(house: House) -> None:
    party = begin(house, 2, watch="none")
    party.write(talk.set_talk, 1, "free", True)
    party.write(talk.say, 1, "Between us")
    outsider = welcome(house, "Mallory")
    with refused(house, Forbidden):
        party.write(talk.say, outsider, "Hello")
    for guest in (outsider, None):
        assert heard(party, guest) == Talk(False, False, (), (), 0)


def test_who_goes_on_and_on_waits_a_little(house: House, clock: Clock) -> None:
    party = gather(house, 2)
    for number in range(8):
        party.write(talk.say, 1, f"word {number}")
        clock.advance(1)
    with refused(house, TooOften):
        party.write(talk.say, 1, "one more")
    party.write(talk.say, 2, "My word")
    clock.advance(12)  # the first is twenty seconds old
    party.write(talk.say, 1, "one more")


def test_what_was_done_to_the_table_is_in_the_log_and_cannot_be_hidden(house: House) -> None:
    party = begin(house, 2)
    party.write(talk.say, 1, "Good evening")
    party.write(talk.set_talk, 1, "off", False)
    party.write(watching.set_watchers, 1, "none")
    party.write(watching.set_watchers, 1, "none")
    party.write(talk.mute, 2, True)
    lines = heard(party, party.guests[1])
    said = [line.said for line in (*lines.fresh, *lines.older) if line.said]
    assert [(one.name, one.text) for one in said] == [
        ("Alice", "changed what onlookers see"),
        ("Alice", "changed how this table talks"),
    ]
    assert lines.unread == 0


def test_a_table_remembers_so_much_and_no_more(house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "_KEPT", 5)
    party = gather(house, 1, seats=2)
    for number in range(9):
        party.write(talk.say, 1, f"word {number}")
        clock.advance(5)
    assert words(heard(party, whole=True).older) == [f"word {number}" for number in (8, 7, 6, 5, 4)]


def test_muting_is_ones_own(house: House) -> None:
    party = begin(house, 2)
    party.write(talk.say, 1, "Hello")
    party.write(talk.mute, 2, True)
    party.write(talk.mute, 2, True)
    mine = heard(party, party.guests[1])
    assert mine.muted
    assert words(mine.older) == []
    assert mine.unread == 0
    assert [line for line in mine.older if line.events]  # the game is still told
    assert words(heard(party, party.guests[0]).older) == ["Hello"]
    party.write(talk.mute, 2, False)
    assert words(heard(party, party.guests[1]).older) == ["Hello"]


def test_talk_and_moves_stand_in_the_order_in_which_they_came(house: House) -> None:
    party = begin(house, 2)
    party.write(talk.say, 1, "first")
    party.move()
    party.write(talk.say, 2, "second")
    party.write(talk.say, 1, "third")
    party.move()
    lines = heard(party).older
    told = [line.said.text if line.said else line.move for line in lines]
    start = len(party.moves()) - 2
    assert told == [start + 2, "third", "second", start + 1, "first", *range(start, 0, -1)]


def test_what_others_did_since_my_last_turn_stands_apart(house: House) -> None:
    party = begin(house, 3)
    alice, bob, carol = party.guests
    assert heard(party, alice).fresh == ()
    party.move()  # Alice
    assert heard(party, alice).fresh == ()
    party.write(talk.say, alice, "My own words are no news")
    assert heard(party, alice).fresh == ()
    party.move()  # Bob
    party.write(talk.say, carol, "Hm")
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


def test_the_next_round_tells_its_own_moves_and_keeps_the_talk(house: House) -> None:
    party = begin(house, 2, rounds=2)
    party.write(talk.say, 1, "In round one")
    party.pass_round()
    party.write(talk.say, 2, "Between the rounds")
    party.everybody_is_ready()
    party.write(talk.say, 1, "In round two")
    lines = heard(party, party.guests[1]).older
    assert words(lines) == ["In round two", "Between the rounds", "In round one"]
    assert [line.move for line in lines if line.events] == list(range(len(party.look().log), 0, -1))
    assert [line.said.text for line in lines[-2:] if line.said] == ["Between the rounds", "In round one"]
