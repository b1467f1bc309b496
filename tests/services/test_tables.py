"""Tables before the game: opening, sitting, the host's arrangements, the start."""

import pytest

from app.rules.game import read_options
from app.rules.lucky_paw.options import LuckyPawOptions
from app.rules.lucky_paw.table import LuckyPawView
from app.services import hosts, play, tables
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.house import House
from app.services.players import find_player
from app.services.room import load_room
from tests.factories import GAME, Party, begin, gather, refused, welcome


@pytest.fixture
def table(house: House) -> Party:
    """Alice (host), Bob and Carol on seats 1 to 3 of 4."""
    return gather(house, 3, seats=4)


def test_who_opens_a_table_is_its_host_on_seat_1(house: House) -> None:
    party = gather(house, 1, seats=3, rounds=2, watch="none")
    room = party.look(party.guests[0])
    assert room.stage == "gathering"
    assert room.is_host
    assert room.watchers == "none"
    assert room.version == 1
    assert [(seat.number, seat.name, seat.is_me, seat.is_host) for seat in room.seats] == [
        (1, "Alice", True, True),
        (2, "", False, False),
        (3, "", False, False),
    ]
    assert room.options == LuckyPawOptions(rounds=2)


def test_options_may_be_the_texts_of_a_form(house: House) -> None:
    alice = welcome(house, "Alice")
    slug = house.write(tables.open_table, alice.id, GAME, 4, {"rounds": "3", "teams": "true", "starting_player": "4"})
    with house.database.reading() as connection:
        room = load_room(house, connection, slug, None)
    assert room.options == LuckyPawOptions(rounds=3, teams=True, starting_player=4)
    assert [seat.team for seat in room.seats] == [1, 2, 1, 2]


def test_slugs_and_codes_are_long_and_never_the_same(house: House) -> None:
    alice = welcome(house, "Alice")
    parties = [Party(house, house.write(tables.open_table, alice.id, GAME, 2, {}), ()) for _ in range(20)]
    rooms = [party.look() for party in parties]
    assert len({room.slug for room in rooms}) == len({room.code for room in rooms}) == 20
    assert all(len(room.slug) >= 22 for room in rooms)
    assert all(len(room.code) == 8 and not set(room.code) & set("01ILOU") for room in rooms)


def test_a_host_finds_the_rules_of_the_last_table_again(house: House) -> None:
    party = gather(house, 1, seats=5, pace="brisk", watch="none", rounds=4, jokers=1)
    with house.database.reading() as connection:
        host = find_player(house, connection, party.guests[0].token)
    assert host
    kept = host.preferences[f"rules:{GAME}"]
    assert (kept["seats"], kept["bot_pace"], kept["watchers"]) == (5, "brisk", "none")
    assert read_options(party.look().rules, 5, kept["options"]) == LuckyPawOptions(rounds=4, jokers=1)


def test_an_unknown_game_is_not_found(house: House) -> None:
    alice = welcome(house, "Alice")
    with refused(house, NotFound):
        house.write(tables.open_table, alice.id, "poker", 3, {})


IMPOSSIBLE: tuple[tuple[int, dict[str, object], str], ...] = (
    (1, {}, "BAD_SEATS"),
    (7, {}, "BAD_SEATS"),
    (-1, {}, "BAD_SEATS"),
    (3, {"rounds": 0}, "BAD_OPTION"),
    (3, {"rounds": "ten"}, "BAD_OPTION"),
    (3, {"jokers": 3}, "BAD_OPTION"),
    (3, {"starting_player": 4}, "BAD_OPTION"),
    (3, {"colour": "red"}, "BAD_OPTION"),
    (3, {"teams": True}, "TEAMS_NEED_4_OR_6"),
    (3, {"players": 4}, "BAD_SEATS"),
)


def test_rules_that_cannot_be_are_refused(house: House) -> None:
    alice = welcome(house, "Alice")
    for seats, options, code in IMPOSSIBLE:
        with refused(house, Refused, code):
            house.write(tables.open_table, alice.id, GAME, seats, options)


def test_bots_of_an_unknown_pace_are_refused(house: House) -> None:
    alice = welcome(house, "Alice")
    with refused(house, Refused, "BAD_PACE"):
        house.write(tables.open_table, alice.id, GAME, 3, {}, "hectic")


def test_shuffled_seats_hold_the_same_people(table: Party) -> None:
    table.write(tables.seat_bot, 1, 4, "good")
    before = {(seat.name, seat.bot) for seat in table.look().seats}
    orders = set()
    for _ in range(12):
        table.write(tables.shuffle_seats, 1)
        seats = table.look().seats
        assert {(seat.name, seat.bot) for seat in seats} == before
        orders.add(tuple(seat.name for seat in seats))
    assert len(orders) > 3
    assert [seat.name for seat in table.look(table.guests[0]).seats if seat.is_me] == ["Alice"]


def test_the_host_hands_the_role_over_at_any_stage(house: House) -> None:
    party = begin(house, 2)
    party.write(hosts.hand_over, 1, 2)
    assert party.look(party.guests[1]).is_host
    with refused(house, Forbidden):
        party.write(hosts.hand_over, 1, 1)


def test_only_a_person_can_become_host(house: House, table: Party) -> None:
    table.write(tables.seat_bot, 1, 4, "good")
    for seat in (4, 5, -1):
        with refused(house, Refused, "NOT_A_PLAYER"):
            table.write(hosts.hand_over, 1, seat)


def test_only_the_host_arranges_the_table(house: House, table: Party) -> None:
    stranger = welcome(house, "Stranger")
    for who in (table.guests[1], stranger):
        for service, *args in (
            (tables.seat_bot, 4, "easy"),
            (tables.fill_seats, "easy"),
            (tables.clear_seat, 3),
            (tables.move_seat, 1, 2),
            (tables.shuffle_seats,),
            (hosts.hand_over, 2),
            (tables.start,),
        ):
            with refused(house, Forbidden):
                table.write(service, who, *args)


def test_a_game_does_not_start_with_an_empty_seat(house: House, table: Party) -> None:
    with refused(house, Refused, "SEATS_EMPTY"):
        table.write(tables.start, 1)


def test_the_start_deals_the_first_round(house: House, table: Party) -> None:
    table.write(tables.seat_bot, 1, 4, "easy")
    version = table.version
    table.write(tables.start, 1)
    room = table.look()
    assert (room.stage, room.match_number, room.version) == ("playing", 1, version + 1)
    assert isinstance(room.view, LuckyPawView)
    assert room.view.to_act == (1,)
    assert [len(pile) for pile in room.view.open] == [1, 1, 1, 1]


def test_seats_stay_as_they_are_once_the_game_has_begun(house: House) -> None:
    party = begin(house, 2, bots=1)
    for service, *args in (
        (tables.leave_seat,),
        (tables.take_seat, 3, "Alice"),
        (tables.seat_bot, 3, "easy"),
        (tables.fill_seats, "easy"),
        (tables.clear_seat, 3),
        (tables.move_seat, 1, 2),
        (tables.shuffle_seats,),
        (tables.start,),
        (tables.rematch,),
    ):
        with refused(house, Conflict):
            party.write(service, 1, *args)


def test_nothing_can_be_done_at_a_table_that_is_not_there(house: House) -> None:
    party = Party(house, "no-such-table", (welcome(house, "Alice"),))
    for service, *args in (
        (tables.take_seat, 1, "Alice"),
        (tables.leave_seat,),
        (tables.seat_bot, 1, "easy"),
        (tables.fill_seats, "easy"),
        (tables.clear_seat, 1),
        (tables.move_seat, 1, 2),
        (tables.shuffle_seats,),
        (hosts.hand_over, 1),
        (tables.start,),
        (tables.rematch,),
        (play.play, {"move": "pass"}, 1),
        (play.set_ready,),
    ):
        with refused(house, NotFound):
            party.write(service, 1, *args)
