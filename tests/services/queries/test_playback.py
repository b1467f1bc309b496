"""Finished rounds to go through again: who may, whose cards are shown, and that they are the ones that were played."""

import random

import msgspec
import pytest

from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, Refused
from app.services.play import play
from app.services.queries.playback import LARGEST, MOST_MOVES, Replay, load_replay, look, read_replay
from app.services.queries.records import match_record
from app.services.seats import create, seats
from app.services.seats.spectators import set_spectators
from tests.conftest import on_sqlite
from tests.factories import Guest, Party, begin, gather, refused, setup_with, welcome

pytestmark = pytest.mark.slow  # whole rounds


def film_of(party: Party, guest: Guest | None, number: int = 1, match: int = 1) -> Replay:
    """A round as this person may go through it."""
    with party.context.database.reading() as connection:
        return load_replay(party.context, connection, party.slug, guest.id if guest else None, match, number)


def ignore(_cost: int) -> None:
    """Whatever a replay costs."""


def hands_party(context: AppContext, policy: str) -> Party:
    """Alice and Bob after the first of two deals of a game in which hands are hidden."""
    alice, bob = welcome(context, "Alice"), welcome(context, "Bob")
    slug = context.write(create.create_table, alice.id, "lives", 2, {"rounds": 2}, setup_with(watchers=policy))
    context.write(seats.take_seat, slug, bob.id, 2, "Bob")
    context.write(seats.start, slug, alice.id)
    party = Party(context, slug, (alice, bob))
    party.play_round(random.Random(5))
    return party


def test_a_round_is_replayed_as_it_was_played(context: AppContext) -> None:
    party = begin(context, 3, rounds=2, jokers=1)
    dice, seen = random.Random(3), [party.look(party.guests[1])]
    while party.turn():
        party.move(dice)
        seen.append(party.look(party.guests[1]))
    replay = film_of(party, party.guests[1])
    assert len(replay.moments) == len(seen)
    for step, page in enumerate(seen):
        frame = look(replay, step, "me")
        assert page.board.view
        assert frame.page.board.view
        assert (frame.page.board.view.legal, frame.page.board.view.to_act) == ((), ())
        for field in ("open", "stacks", "stock_size", "turn", "streak"):
            assert getattr(frame.page.board.view, field) == getattr(page.board.view, field)
        assert not frame.page.people.my_turn
    assert sum(frame.page.board.log, ()) == sum(seen[-1].board.log, ())
    assert frame.page.board.sheet == seen[-1].board.sheet


def test_steps_out_of_range_are_the_first_or_the_last(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    party.pass_round()
    replay = film_of(party, None)
    assert (look(replay, -5, "me").step, look(replay, 10**9, "me").step) == (0, len(replay.moments) - 1)


def test_a_round_that_is_not_over_is_nobodys_to_replay(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    everybody = (None, *party.guests)
    for guest in everybody:
        with refused(context, Forbidden):
            film_of(party, guest)
    party.pass_round()
    for guest in everybody:
        assert film_of(party, guest).rounds == 1
    party.everybody_is_ready()
    for guest in everybody:
        with refused(context, Forbidden):
            film_of(party, guest, 2)
        with refused(context, NotFound):
            film_of(party, guest, 3)
        with refused(context, NotFound):
            film_of(party, guest, 1, match=2)


@pytest.mark.parametrize(("policy", "after_one", "in_two"), [("open", 1, 1), ("after", 1, 1), ("delayed", 0, 1)])
def test_onlookers_replay_what_the_host_lets_them(
    context: AppContext, policy: str, after_one: int, in_two: int
) -> None:
    party = begin(context, 2, rounds=3, watch=policy)
    party.pass_round()
    assert party.look().replays.rounds == after_one
    party.everybody_is_ready()
    assert party.look().replays.rounds == in_two
    assert film_of(party, None, 1).rounds == in_two
    party.pass_round()
    assert party.look().replays.rounds == after_one + 1
    party.everybody_is_ready()
    party.pass_round()
    assert party.look().replays.rounds == 3
    party.write(seats.rematch, 1)
    assert party.look().replays.rounds == 0
    assert film_of(party, None, 3).all_open


def test_onlookers_replay_nothing_where_there_are_none(context: AppContext) -> None:
    party = begin(context, 2, rounds=1, watch="none")
    party.pass_round()
    for match, number in ((1, 1), (1, 2), (2, 1)):
        with refused(context, Forbidden):
            film_of(party, None, number, match)
    assert film_of(party, party.guests[1]).my_seat == 2


@on_sqlite
@pytest.mark.parametrize(
    ("policy", "all_open"), [("none", False), ("open", False), ("after", True), ("delayed", False)]
)
def test_hands_stay_closed_while_the_match_goes_on(context: AppContext, policy: str, all_open: bool) -> None:
    party = hands_party(context, policy)
    replay = film_of(party, party.guests[0])
    assert replay.all_open is all_open
    assert look(replay, 0, "me").page.board.view.hand == look(replay, 0, "1").page.board.view.hand  # type: ignore[union-attr]
    for eyes in ("2", "open"):
        if all_open:
            assert look(replay, 0, eyes).page.board.view
        else:
            with pytest.raises(Forbidden):
                look(replay, 0, eyes)
    for eyes in ("0", "3", "-1", "x", "١"):
        with pytest.raises(NotFound):
            look(replay, 0, eyes)
    party.everybody_is_ready()
    party.play_round(random.Random(6))
    assert film_of(party, party.guests[0]).all_open


@on_sqlite
def test_all_cards_open_shows_every_hand_and_what_was_drawn(context: AppContext) -> None:
    party = hands_party(context, "after")
    replay = film_of(party, None)
    for step in (0, len(replay.moments) // 2, len(replay.moments) - 1):
        frame = look(replay, step, "open")
        hands = replay.moments[step].match.round.hands
        assert [sorted(hand.cards) for hand in frame.hands] == [sorted(hand) for hand in hands]
    drawn = [event for line in frame.lines for event in line if event.name == "cards_drawn"]
    assert drawn
    assert all(len(event.cards) == event.count for event in drawn)  # type: ignore[attr-defined]
    assert not look(replay, 0, "1").hands
    others = [event for line in look(replay, 0, "me").lines for event in line if event.name == "cards_drawn"]
    assert not any(event.cards for event in others)  # type: ignore[attr-defined]


def test_the_host_changes_what_onlookers_see_while_the_game_goes_on(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    assert party.look().board.view
    version = party.version
    party.write(set_spectators, 1, "after")
    assert party.version == version + 1
    page = party.look()
    assert (page.viewer.policy, page.viewer.may_see, page.board.view, page.board.log, page.board.sheet) == (
        "after",
        False,
        None,
        (),
        None,
    )
    assert party.look(party.guests[1]).board.view
    with refused(context, Refused, "BAD_WATCHERS"):
        party.write(set_spectators, 1, "everything")
    with refused(context, Forbidden):
        party.write(set_spectators, 2, "open")
    party.pass_round()
    assert party.look().board.view
    party.write(set_spectators, 1, "delayed")
    assert party.look().board.view is None
    party.everybody_is_ready()
    party.pass_round()
    assert party.look().board.view


def test_a_table_is_opened_with_what_onlookers_see(context: AppContext) -> None:
    assert gather(context, 1, seats=2, watch="delayed").look().viewer.policy == "delayed"


def test_a_downloaded_record_shows_what_the_table_shows(context: AppContext) -> None:
    party = begin(context, 3, rounds=2, jokers=2)
    party.pass_round()
    for seat in (1, 2, 3):
        party.write(play.set_ready, seat)
    party.play_round(random.Random(9))
    with context.database.reading() as connection:
        made = match_record(connection, party.slug)
    for number in (1, 2):
        replay, text = read_replay(msgspec.json.encode(made), number, ignore)
        assert (replay.rounds, replay.all_open, replay.my_seat, replay.slug) == (2, True, None, "")
        assert replay.moments == film_of(party, None, number).moments
        assert read_replay(text.encode(), number, ignore)[0] == replay
    assert read_replay(msgspec.json.encode(made), 99, ignore)[0].number == 2


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        (b"", "NO_RECORD", "Choose the file"),
        (b"  \n", "NO_RECORD", "Choose the file"),
        (b" " * LARGEST + b"{}", "TOO_LONG", "at most 1 MB"),
        (b"\xff\xfe\x00", "BAD_RECORD", "record"),
        (b"{", "BAD_RECORD", "record"),
        (b"[" * 100_000, "BAD_RECORD", "record"),
        (b"[]", "BAD_RECORD", "record"),
        (b"{}", "BAD_RECORD", "game"),
        (b'{"game": "whist", "seats": 2}', "BAD_RECORD", "Game: there is no 'whist'"),
        (b'{"game": "lucky_paw", "seats": 99}', "BAD_RECORD", "players"),
        (b'{"game": "lucky_paw", "seats": 2, "host": 3}', "BAD_RECORD", "Host: "),
        (b'{"game": "lucky_paw", "seats": 2, "colour": 1}', "BAD_RECORD", "colour"),
        (b'{"game": "lucky_paw", "seats": 2, "options": {"rounds": 0}}', "BAD_RECORD", "Rounds: 1 to 9."),
        (b'{"game": "lucky_paw", "seats": 2, "position": {}}', "BAD_RECORD", "Position: "),
        (b'{"game": "lucky_paw", "seats": 2, "moves": [{"seat": 3}]}', "BAD_RECORD", "Move 1: 3 is not a seat"),
        (b'{"game": "lucky_paw", "seats": 2, "moves": [{"seat": 1, "move": "fly"}]}', "BAD_RECORD", "Move 1: "),
        (
            b'{"game": "lucky_paw", "seats": 2, "moves": [{"seat": 0, "move": "shuffle", "cards": []}]}',
            "BAD_RECORD",
            "Move 1: ",
        ),
    ],
)
def test_a_bad_record_is_named_for_what_is_wrong_with_it(text: bytes, code: str, part: str) -> None:
    with pytest.raises(Refused) as caught:
        read_replay(text, 1, ignore)
    assert caught.value.code == code
    assert part in caught.value.sentence


def test_what_a_replay_costs_is_known_before_a_move_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snug.engine.record.read", None)  # nothing of it is checked
    costs: list[int] = []

    def refuse(cost: int) -> None:
        costs.append(cost)
        raise Forbidden("Not now.")

    move = {"seat": 1, "move": "pass"}
    for moves, seed in ((0, "1"), (1_000, "1"), (10_000, "1"), (1_000, "1" * 400_000)):
        text = msgspec.json.encode({"game": "lucky_paw", "seats": 2, "moves": [move] * moves, "seed": seed})
        with pytest.raises(Forbidden):
            read_replay(text, 1, refuse)
    assert costs == sorted(costs)
    assert costs[2] > 9 * (costs[1] - costs[0])
    assert costs[3] > 20 * costs[1] / 2
    text = msgspec.json.encode({"game": "lucky_paw", "seats": 2, "moves": [move] * (MOST_MOVES + 1)})
    with pytest.raises(Refused, match="more than any game"):
        read_replay(text, 1, refuse)
    assert len(costs) == 4
