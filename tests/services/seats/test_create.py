"""Tables before the game: opening, sitting, the host's arrangements, the start."""

import pytest

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.play import play
from app.services.players.players import find_player
from app.services.queries.table_page import load_table_page
from app.services.seats import create, hosts
from app.services.seats import seats as seats_service
from app.services.table.settings import TableSetup, read_setup
from snug.engine.game import read_options
from snug.games.lucky_paw.options import LuckyPawOptions
from snug.games.lucky_paw.view import LuckyPawView
from tests.factories import GAME, Party, begin, gather, nothing_changes, refused, welcome


@pytest.fixture
def table(context: AppContext) -> Party:
    """Alice (host), Bob and Carol on seats 1 to 3 of 4."""
    return gather(context, 3, seats=4)


def test_who_opens_a_table_is_its_host_on_seat_1(context: AppContext) -> None:
    party = gather(context, 1, seats=3, rounds=2, watch="none")
    page = party.look(party.guests[0])
    assert page.table.status == "gathering"
    assert page.viewer.is_host
    assert page.viewer.policy == "none"
    assert page.table.version == 1
    assert [(seat.number, seat.name, seat.is_me, seat.is_host) for seat in page.people.seats] == [
        (1, "Alice", True, True),
        (2, "", False, False),
        (3, "", False, False),
    ]
    assert page.options == LuckyPawOptions(rounds=2)


def test_options_may_be_the_texts_of_a_form(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    slug = context.write(
        create.create_table, alice.id, GAME, 4, {"rounds": "3", "teams": "true", "starting_player": "4"}
    )
    with context.database.reading() as connection:
        page = load_table_page(context, connection, slug, None)
    assert page.options == LuckyPawOptions(rounds=3, teams=True, starting_player=4)
    assert [seat.team for seat in page.people.seats] == [1, 2, 1, 2]


def test_slugs_and_codes_are_long_and_never_the_same(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    parties = [Party(context, context.write(create.create_table, alice.id, GAME, 2, {}), ()) for _ in range(20)]
    rooms = [party.look() for party in parties]
    assert len({page.table.slug for page in rooms}) == len({page.table.code for page in rooms}) == 20
    assert all(len(page.table.slug) >= 22 for page in rooms)
    assert all(len(page.table.code) == 8 and not set(page.table.code) & set("01ILOU") for page in rooms)


def test_a_host_finds_the_rules_of_the_last_table_again(context: AppContext) -> None:
    party = gather(context, 1, seats=5, pace="brisk", watch="none", rounds=4, jokers=1)
    with context.database.reading() as connection:
        host = find_player(context, connection, party.guests[0].token)
    assert host
    kept = host.preferences[f"rules:{GAME}"]
    assert (kept["seats"], kept["bot_pace"], kept["watchers"]) == (5, "brisk", "none")
    assert read_options(party.look().game, 5, kept["options"]) == LuckyPawOptions(rounds=4, jokers=1)


def test_an_unknown_game_is_not_found(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    with refused(context, NotFound):
        context.write(create.create_table, alice.id, "poker", 3, {})


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


def test_rules_that_cannot_be_are_refused(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    for seats, options, code in IMPOSSIBLE:
        with refused(context, Refused, code):
            context.write(create.create_table, alice.id, GAME, seats, options)


@pytest.mark.parametrize(
    ("wrong", "code", "said"),
    [
        ({"bot_pace": "hectic"}, "BAD_PACE", "Bots play: brisk, instant or relaxed."),
        ({"talk": "loud"}, "BAD_TALK", "Talk at the table: free, off or phrases."),
        ({"watchers": "yes"}, "BAD_WATCHERS", "Onlookers see: after, delayed, none or open."),
        ({"undo": "always"}, "BAD_UNDO", "Taking moves back: free, off or vote."),
        ({"at_zero": "cry"}, "BAD_CLOCK", "When time is up: bot, move or wait."),
        ({"hints": "perhaps"}, "BAD_SETTING", "Hints: on (true) or off (false)."),
    ],
)
def test_a_setting_that_there_is_not_is_refused_by_its_title(wrong: dict[str, str], code: str, said: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_setup(wrong, TableSetup)
    assert (refusal.value.code, refusal.value.sentence) == (code, said)


def test_shuffled_seats_hold_the_same_people(table: Party) -> None:
    table.write(seats_service.seat_bot, 1, 4, "steady")
    before = {(seat.name, seat.bot) for seat in table.look().people.seats}
    orders = set()
    for _ in range(12):
        table.write(seats_service.shuffle_seats, 1)
        seats = table.look().people.seats
        assert {(seat.name, seat.bot) for seat in seats} == before
        orders.add(tuple(seat.name for seat in seats))
    assert len(orders) > 3
    assert [seat.name for seat in table.look(table.guests[0]).people.seats if seat.is_me] == ["Alice"]


def test_the_host_hands_the_role_over_at_any_stage(context: AppContext) -> None:
    party = begin(context, 2)
    party.write(hosts.hand_over, 1, 2)
    assert party.look(party.guests[1]).viewer.is_host
    with refused(context, Forbidden):
        party.write(hosts.hand_over, 1, 1)


def test_only_a_person_can_become_host(context: AppContext, table: Party) -> None:
    table.write(seats_service.seat_bot, 1, 4, "steady")
    with refused(context, Refused, "NOT_A_PLAYER"):
        table.write(hosts.hand_over, 1, 4)
    for seat in (5, -1):
        with refused(context, NotFound):
            table.write(hosts.hand_over, 1, seat)


def test_only_the_host_arranges_the_table(context: AppContext, table: Party) -> None:
    stranger = welcome(context, "Stranger")
    for who in (table.guests[1], stranger):
        for service, *args in (
            (seats_service.seat_bot, 4, "gentle"),
            (seats_service.fill_seats, "gentle"),
            (seats_service.clear_seat, 3),
            (seats_service.move_seat, 1, 2),
            (seats_service.shuffle_seats,),
            (hosts.hand_over, 2),
            (seats_service.start,),
        ):
            with refused(context, Forbidden):
                table.write(service, who, *args)


def test_a_game_does_not_start_with_an_empty_seat(context: AppContext, table: Party) -> None:
    with refused(context, Refused, "SEATS_EMPTY"):
        table.write(seats_service.start, 1)


def test_the_start_deals_the_first_round(context: AppContext, table: Party) -> None:
    table.write(seats_service.seat_bot, 1, 4, "gentle")
    version = table.version
    table.write(seats_service.start, 1)
    page = table.look()
    assert (page.table.status, page.replays.match_number, page.table.version) == ("playing", 1, version + 1)
    assert isinstance(page.board.view, LuckyPawView)
    assert page.board.view.to_act == (1,)
    assert [len(pile) for pile in page.board.view.open] == [1, 1, 1, 1]


def test_seats_stay_as_they_are_once_the_game_has_begun(context: AppContext) -> None:
    party = begin(context, 2, bots=1)
    for service, *args in (
        (seats_service.leave_seat,),
        (seats_service.take_seat, 3, "Alice"),
        (seats_service.seat_bot, 3, "gentle"),
        (seats_service.fill_seats, "gentle"),
        (seats_service.clear_seat, 3),
        (seats_service.move_seat, 1, 2),
        (seats_service.shuffle_seats,),
    ):
        with refused(context, Conflict):
            party.write(service, 1, *args)
    for begun in (seats_service.start, seats_service.rematch):  # who taps twice wants nothing that is not so
        with nothing_changes(context.database):
            party.write(begun, 1)


def test_nothing_can_be_done_at_a_table_that_is_not_there(context: AppContext) -> None:
    party = Party(context, "no-such-table", (welcome(context, "Alice"),))
    for service, *args in (
        (seats_service.take_seat, 1, "Alice"),
        (seats_service.leave_seat,),
        (seats_service.seat_bot, 1, "gentle"),
        (seats_service.fill_seats, "gentle"),
        (seats_service.clear_seat, 1),
        (seats_service.move_seat, 1, 2),
        (seats_service.shuffle_seats,),
        (hosts.hand_over, 1),
        (seats_service.start,),
        (seats_service.rematch,),
        (play.play, {"move": "pass"}, 1),
        (play.set_ready,),
    ):
        with refused(context, NotFound):
            party.write(service, 1, *args)
