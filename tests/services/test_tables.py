"""Tables before the game: opening, sitting, the host's arrangements, the start."""

import pytest

from app.rules.game import read_options
from app.rules.lucky_paw.options import LuckyPawOptions
from app.rules.lucky_paw.table import LuckyPawView
from app.services import play, tables
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.house import House
from app.services.players import find_player
from app.services.room import load_room
from tests.factories import GAME, Party, begin, gather, nothing_changes, refused, welcome


@pytest.fixture
def table(house: House) -> Party:
    """Alice (host), Bob and Carol on seats 1 to 3 of 4."""
    return gather(house, 3, seats=4)


def test_who_opens_a_table_is_its_host_on_seat_1(house: House) -> None:
    party = gather(house, 1, seats=3, rounds=2, watch=False)
    room = party.look(party.guests[0])
    assert room.stage == "gathering"
    assert room.is_host
    assert not room.watchers
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
    party = gather(house, 1, seats=5, pace="brisk", watch=False, rounds=4, jokers=1)
    with house.database.reading() as connection:
        host = find_player(house, connection, party.guests[0].token)
    assert host
    kept = host.preferences[f"rules:{GAME}"]
    assert (kept["seats"], kept["bot_pace"], kept["watchers"]) == (5, "brisk", False)
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


def test_a_guest_sits_down_and_moves_to_another_seat(table: Party) -> None:
    bob = table.guests[1]
    version = table.version
    table.write(tables.take_seat, bob, 4, "Robert")
    assert table.players == {1: table.guests[0].id, 2: None, 3: table.guests[2].id, 4: bob.id}
    assert table.look().name_of(4) == "Bob"  # the name taken at this table stays
    assert table.version == version + 1


def test_sitting_down_where_one_sits_changes_nothing(house: House, table: Party) -> None:
    with nothing_changes(house.database):
        table.write(tables.take_seat, table.guests[1], 2, "Bob")


def test_a_seat_taken_a_moment_ago_is_refused(house: House, table: Party) -> None:
    dave = welcome(house, "Dave")
    with refused(house, Conflict):
        table.write(tables.take_seat, dave, 2, "Dave")
    table.write(tables.seat_bot, 1, 4, "good")
    with refused(house, Conflict):
        table.write(tables.take_seat, dave, 4, "Dave")


def test_a_seat_that_is_not_there_is_not_found(house: House, table: Party) -> None:
    for number in (0, -1, 5, 10**9 - 1):
        with refused(house, NotFound):
            table.write(tables.take_seat, table.guests[1], number, "Bob")


def test_a_seat_without_a_nickname_is_refused(house: House, table: Party) -> None:
    dave = welcome(house, "Dave")
    with refused(house, Refused, "NAME_EMPTY"):
        table.write(tables.take_seat, dave, 4, "\u200b")


def test_the_same_nickname_gets_a_number(house: House, table: Party) -> None:
    table.write(tables.take_seat, welcome(house, "ALICE"), 4, "ALICE")
    assert table.look().name_of(4) == "ALICE 2"


def test_a_player_who_leaves_frees_the_seat(house: House, table: Party) -> None:
    table.write(tables.leave_seat, 2)
    assert table.players[2] is None
    assert table.look().empty_seats == (2, 4)
    with nothing_changes(house.database):
        table.write(tables.leave_seat, 2)


def test_a_host_who_leaves_passes_the_role_on(table: Party) -> None:
    table.write(tables.leave_seat, 1)
    assert table.row.host_id == table.guests[1].id
    assert table.look(table.guests[1]).is_host
    assert not table.look(table.guests[0]).is_host
    table.write(tables.seat_bot, 2, 1, "easy")  # and the heir has its powers


def test_a_bot_is_never_an_heir(house: House) -> None:
    party = gather(house, 2, seats=3)
    party.write(tables.seat_bot, 1, 3, "good")
    party.write(tables.clear_seat, 1, 2)
    party.write(tables.leave_seat, 1)
    assert party.row.host_id == party.guests[0].id


def test_the_host_puts_bots_on_empty_seats(table: Party) -> None:
    table.write(tables.seat_bot, 1, 4, "good")
    seat = table.look().seats[3]
    assert (bool(seat.name), seat.bot, seat.is_ready, seat.is_empty) == (True, "good", True, False)


def test_bots_at_a_table_have_different_names(house: House) -> None:
    party = gather(house, 1, seats=6)
    for seat in range(2, 7):
        party.write(tables.seat_bot, 1, seat, "easy")
    assert len({seat.name.casefold() for seat in party.look().seats}) == 6


def test_a_bot_is_not_named_like_a_person_at_the_table(house: House) -> None:
    nora = welcome(house, "NORA")
    slug = house.write(tables.open_table, nora.id, GAME, 2, {})
    party = Party(house, slug, (nora,))
    party.write(tables.seat_bot, 1, 2, "easy")
    first, second = (seat.name.casefold() for seat in party.look().seats)
    assert first != second


def test_the_host_fills_every_empty_seat_with_bots(house: House) -> None:
    party = gather(house, 2, seats=5)
    party.write(tables.fill_seats, 1, "good")
    assert [seat.bot for seat in party.look().seats] == [None, None, "good", "good", "good"]
    party.write(tables.start, 1)


def test_a_bot_that_cannot_be_is_refused(house: House, table: Party) -> None:
    with refused(house, Refused, "BAD_LEVEL"):
        table.write(tables.seat_bot, 1, 4, "perfect")
    with refused(house, Refused, "BAD_LEVEL"):
        table.write(tables.fill_seats, 1, "perfect")
    with refused(house, Conflict):
        table.write(tables.seat_bot, 1, 2, "easy")
    with refused(house, NotFound):
        table.write(tables.seat_bot, 1, 5, "easy")


def test_the_host_clears_a_seat(house: House, table: Party) -> None:
    table.write(tables.clear_seat, 1, 2)
    assert table.players[2] is None
    with refused(house, NotFound):
        table.write(tables.clear_seat, 1, 9)
    with refused(house, Refused, "OWN_SEAT"):
        table.write(tables.clear_seat, 1, 1)


def test_the_host_lets_two_seats_change_places(house: House, table: Party) -> None:
    alice, bob, carol = (guest.id for guest in table.guests)
    table.write(tables.move_seat, 1, 1, 3)
    assert table.players == {1: carol, 2: bob, 3: alice, 4: None}
    table.write(tables.move_seat, 1, 2, 4)
    assert table.players == {1: carol, 2: None, 3: alice, 4: bob}
    assert [seat.name for seat in table.look().seats] == ["Carol", "", "Alice", "Bob"]
    with refused(house, NotFound):
        table.write(tables.move_seat, 1, 1, 5)
    with nothing_changes(house.database):
        table.write(tables.move_seat, 1, 1, 1)


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
    party.write(tables.hand_over, 1, 2)
    assert party.look(party.guests[1]).is_host
    with refused(house, Forbidden):
        party.write(tables.hand_over, 1, 1)


def test_only_a_person_can_become_host(house: House, table: Party) -> None:
    table.write(tables.seat_bot, 1, 4, "good")
    for seat in (4, 5, -1):
        with refused(house, Refused, "NOT_A_PLAYER"):
            table.write(tables.hand_over, 1, seat)


def test_only_the_host_arranges_the_table(house: House, table: Party) -> None:
    stranger = welcome(house, "Stranger")
    for who in (table.guests[1], stranger):
        for service, *args in (
            (tables.seat_bot, 4, "easy"),
            (tables.fill_seats, "easy"),
            (tables.clear_seat, 3),
            (tables.move_seat, 1, 2),
            (tables.shuffle_seats,),
            (tables.hand_over, 2),
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
        (tables.hand_over, 1),
        (tables.start,),
        (tables.rematch,),
        (play.play, {"move": "pass"}, 1),
        (play.set_ready,),
    ):
        with refused(house, NotFound):
            party.write(service, 1, *args)
