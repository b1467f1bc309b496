"""Seats that change hands while the game goes on: links for friends and lost devices, guests who wait."""

from typing import Any

import pytest

from app.services.accounts.export import export_of
from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.play import hand_order, play, standing_orders, takeback
from app.services.players import players
from app.services.queries.playback import load_replay
from app.services.queries.stream import talk_of
from app.services.queries.table_page import TablePage
from app.services.seats import away, hosts, seat_transfer
from app.services.seats import seats as seats_service
from snug.games import GAMES
from tests import factories
from tests.conftest import Clock, on_sqlite
from tests.factories import Guest, Party, begin, dump, gather, nothing_changes, refused, welcome


def claim(party: Party, token: str, guest: Guest) -> str:
    """The guest follows a link under the own name."""
    slug: str = party.context.write(seat_transfer.claim, token, guest.id, guest.name)
    return slug


def news(party: Party, reader: Guest | None = None) -> list[str]:
    """What was done to the table, newest first, as somebody reads it who did none of it."""
    with party.context.database.reading() as connection:
        talk = talk_of(connection, party.look(reader), reader.id if reader else None)
    said = [line.said for line in (*talk.fresh, *talk.older) if line.said]
    return [one.deed.told(one.name, one.other).removesuffix(".") for one in said if one.deed]


def moves_of(page: TablePage) -> tuple[object, ...]:
    """What this person may play."""
    return page.board.view.legal if page.board.view else ()


def agreed(party: Party, host: int, seat: int, other: int) -> str:
    """The token of a new link to a seat for which a host asks, and to which another seat agrees."""
    assert party.write(seat_transfer.reissue, host, seat) is None
    party.write(seat_transfer.answer_link, other, seat, True)
    token: str = party.write(seat_transfer.reissue, host, seat)
    return token


def test_a_friend_takes_over_a_seat_with_its_cards(context: AppContext) -> None:
    party = begin(context, 3)
    bob, zoe = party.guests[1], welcome(context, "Zoe")
    party.move()
    moves = moves_of(party.look(bob))
    assert moves
    token = party.write(seat_transfer.hand_over, 2)
    assert party.look().people.seats[1].link == "handed"
    assert claim(party, token, zoe) == party.slug
    page = party.look(zoe)
    assert (page.viewer.seat, page.people.seats[1].name, page.people.seats[1].link) == (2, "Zoe", None)
    assert moves_of(page) == moves
    assert party.look(bob).viewer.seat is None
    assert (party.look(bob).transfer.lost, party.look(bob).transfer.lost_how) == (2, "handed")
    assert party.look(zoe).transfer.lost is None
    assert news(party)[0] == "Zoe took over the seat of Bob"
    assert moves_of(party.look(bob)) == ()
    assert party.move().player == zoe.id
    with refused(context, Forbidden):
        party.write(play.play, 2, {"move": "pass"}, party.version)


def test_a_link_works_once_and_for_a_day(context: AppContext, clock: Clock) -> None:
    party = begin(context, 3)
    zoe, yan = welcome(context, "Zoe"), welcome(context, "Yan")
    first = party.write(seat_transfer.hand_over, 2)
    second = party.write(seat_transfer.hand_over, 2)
    with refused(context, NotFound):
        claim(party, first, zoe)
    claim(party, second, zoe)
    with refused(context, NotFound):
        claim(party, second, yan)
    third = party.write(seat_transfer.hand_over, 3)
    clock.advance(24 * 3600)
    assert party.look().people.seats[2].link is None
    with refused(context, NotFound):
        claim(party, third, yan)
    with refused(context, NotFound):
        claim(party, "x" * 32, yan)


def test_who_sits_at_the_table_takes_no_second_seat(context: AppContext) -> None:
    party = begin(context, 3)
    token = party.write(seat_transfer.hand_over, 2)
    for guest in party.guests[1:]:
        with refused(context, Refused, "SEATED_ALREADY"):
            claim(party, token, guest)


def test_the_player_keeps_the_seat_after_all(context: AppContext) -> None:
    party = begin(context, 3)
    token = party.write(seat_transfer.hand_over, 2)
    with refused(context, Forbidden):
        party.write(seat_transfer.keep_seat, 3, 2)
    party.write(seat_transfer.keep_seat, 2, 2)
    with nothing_changes(context.database):
        party.write(seat_transfer.keep_seat, 2, 2)
    zoe = welcome(context, "Zoe")
    with refused(context, NotFound):
        claim(party, token, zoe)


def test_seats_are_handed_over_in_play_only(context: AppContext) -> None:
    party = gather(context, 2)
    with refused(context, Conflict):
        party.write(seat_transfer.hand_over, 2)
    with refused(context, Conflict):
        party.write(seat_transfer.reissue, 1, 2)
    party.write(seats_service.start, 1)
    zoe = welcome(context, "Zoe")
    with refused(context, Forbidden):
        party.write(seat_transfer.hand_over, zoe)


def test_a_host_makes_a_new_link_for_a_lost_seat(context: AppContext) -> None:
    party = begin(context, 3)
    old = party.write(players.new_seat_link, 2)
    token = agreed(party, 1, 2, 3)
    assert news(party)[:3] == [
        "Alice made a new link to the seat of Bob",
        "Carol agreed to a new link to the seat of Bob",
        "Alice asked for a new link to the seat of Bob",
    ]
    with refused(context, NotFound):
        context.write(players.follow_seat_link, old)
    assert party.look(party.guests[1]).viewer.seat == 2  # until the link is used
    again = welcome(context, "Somebody with Bob's new phone")
    claim(party, token, again)
    page = party.look(again)
    assert (page.viewer.seat, page.people.seats[1].name, page.viewer.closed_seat) == (2, "Bob", None)
    lost = party.look(party.guests[1])
    assert (lost.viewer.seat, lost.transfer.lost, lost.transfer.lost_how) == (None, 2, "reissued")
    assert news(party)[0] == "Bob came back on another device"


def test_whose_seat_it_is_stops_the_link(context: AppContext) -> None:
    party = begin(context, 3)
    token = agreed(party, 1, 2, 3)
    assert party.look(party.guests[1]).people.me.link == "reissued"  # type: ignore[union-attr]
    party.write(seat_transfer.keep_seat, 2, 2)
    thief = welcome(context, "Thief")
    with refused(context, NotFound):
        claim(party, token, thief)


def test_only_hosts_make_new_links_and_never_to_the_hosts_seat(context: AppContext) -> None:
    party = begin(context, 3, bots=1)
    with refused(context, Forbidden):
        party.write(seat_transfer.reissue, 2, 3)
    party.write(hosts.name_cohost, 1, 2, True)
    for guest, seat, code in ((2, 1, "IS_HOST"), (2, 2, "OWN_SEAT"), (1, 1, "OWN_SEAT"), (1, 4, "NOT_A_PLAYER")):
        with refused(context, Refused, code):
            party.write(seat_transfer.reissue, guest, seat)
    with refused(context, NotFound):
        party.write(seat_transfer.reissue, 1, 9)
    assert agreed(party, 2, 3, 1)


def test_a_host_alone_gets_no_link_while_somebody_else_is_there(context: AppContext) -> None:
    party = begin(context, 3, bots=1)
    old = party.write(players.new_seat_link, 2)
    assert party.write(seat_transfer.reissue, 1, 2) is None
    asked = party.look().people.seats[1]
    assert (asked.link, asked.asked_by) == ("asked", 1)
    with nothing_changes(context.database):
        assert party.write(seat_transfer.reissue, 1, 2) is None
    assert context.write(players.follow_seat_link, old)  # the old device is not out yet
    zoe = welcome(context, "Zoe")
    with refused(context, Forbidden):
        party.write(seat_transfer.answer_link, 1, 2, True)
    with refused(context, Forbidden):
        party.write(seat_transfer.answer_link, zoe, 2, True)
    with refused(context, Conflict):
        party.write(seat_transfer.answer_link, 3, 1, True)
    with refused(context, NotFound):
        party.write(seat_transfer.answer_link, 3, 9, True)
    party.write(seat_transfer.answer_link, 3, 2, True)
    with nothing_changes(context.database):
        party.write(seat_transfer.answer_link, 2, 2, True)
    with refused(context, Conflict):
        party.write(seat_transfer.answer_link, 3, 2, False)
    assert party.write(seat_transfer.reissue, 1, 2)


def test_the_player_of_the_seat_may_agree(context: AppContext) -> None:
    assert agreed(begin(context, 3), 1, 2, 2)


def test_one_refusal_ends_the_asking_and_so_do_the_player_and_a_day(context: AppContext, clock: Clock) -> None:
    party = begin(context, 3)
    party.write(seat_transfer.reissue, 1, 2)
    party.write(seat_transfer.answer_link, 3, 2, False)
    assert news(party)[0] == "Carol refused a new link to the seat of Bob"
    party.write(seat_transfer.reissue, 1, 2)
    party.write(seat_transfer.keep_seat, 2, 2)
    party.write(seat_transfer.reissue, 1, 2)
    clock.advance(24 * 3600)
    assert party.look().people.seats[1].link is None
    with refused(context, Conflict):
        party.write(seat_transfer.answer_link, 3, 2, True)


def taken_over_alone(context: AppContext, **options: Any) -> tuple[Party, Guest]:
    """A table of Alice, Bob and a bot, where Alice alone made a link to Bob's seat, and whoever followed it."""
    party = begin(context, 2, bots=1, **options)
    token = party.write(seat_transfer.reissue, 1, 2)
    assert news(party)[0] == "Alice made a new link to the seat of Bob, with nobody else there to agree"
    zoe = welcome(context, "Zoe")
    claim(party, token, zoe)
    return Party(context, party.slug, (party.guests[0], zoe)), zoe


@on_sqlite
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_on_a_hosts_word_alone_the_hand_stays_closed_until_the_next_deal(
    context: AppContext, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(factories, "GAME", game)
    party, zoe = taken_over_alone(context)
    assert news(party)[0] == (
        "Bob came back on another device by a link of Alice alone: the cards stay closed until the next deal"
    )
    while True:
        page, public = party.look(zoe), party.look()
        assert (page.board.view, page.board.log, page.board.orders) == (public.board.view, public.board.log, None)
        if not page.table.is_playing:
            break
        assert (page.viewer.seat, page.viewer.closed_seat, page.people.seats[1].is_away, page.people.my_turn) == (
            None,
            2,
            True,
            False,
        )
        if party.look(party.guests[0]).people.my_turn:
            party.write(away.step_away, 1, 1)
        context.write(play.run_due, party.row.id)
    assert (page.viewer.seat, page.viewer.closed_seat, page.people.seats[1].is_away) == (2, None, False)
    if page.table.is_finished:
        return
    with context.database.reading() as connection:
        assert load_replay(context, connection, party.slug, zoe.id, 1, 1).my_seat is None
    party.everybody_is_ready()
    page = party.look(zoe)
    assert (page.viewer.seat, page.viewer.closed_seat) == (2, None)
    assert page.board.view != party.look().board.view


def test_nobody_moves_for_a_closed_hand_but_the_bot(context: AppContext) -> None:
    party, zoe = taken_over_alone(context)
    party.write(away.step_away, 1, 1)
    for service, *given in (
        (play.play, {"move": "pass"}, party.version),
        (play.play, {"move": "nonsense"}, party.version),
        (standing_orders.set_orders, {"move": "pass"}),
        (takeback.take_back, party.version),
        (away.come_back, 2),
        (seat_transfer.hand_over,),
    ):
        with refused(context, Conflict):
            party.write(service, zoe, *given)
    with refused(context, Conflict):
        party.write(away.come_back, 1, 2)
    seats = export_in(party, zoe)
    assert [seat["standing_orders"] for seat in seats] == [None]
    with nothing_changes(context.database):
        party.write(play.set_ready, zoe)


def export_in(party: Party, guest: Guest) -> list[dict[str, object]]:
    """The seats that somebody has, as they are told."""
    with party.context.database.reading() as connection:
        seats: list[dict[str, object]] = export_of(connection, guest.id)["seats"]
    return seats


def test_who_came_by_a_hosts_word_alone_agrees_to_nothing_and_asks_for_nothing(context: AppContext) -> None:
    """Else the host could be two people at the table, and see every hand."""
    party, zoe = taken_over_alone(context, rounds=3)
    yan = wait(party, "Yan")
    while not party.look().table.is_scoring:
        if party.look(party.guests[0]).people.my_turn:
            party.write(away.step_away, 1, 1)
        context.write(play.run_due, party.row.id)
    party.everybody_is_ready()
    assert party.look(yan).viewer.seat == 3
    party.write(hosts.name_cohost, 1, 2, True)
    with refused(context, Refused, "ALONE"):
        party.write(seat_transfer.reissue, zoe, 3)
    friend = welcome(context, "Friend")
    claim(party, party.write(seat_transfer.hand_over, zoe), friend)
    party.write(seat_transfer.reissue, 1, 2)
    with refused(context, Forbidden):
        party.write(seat_transfer.answer_link, friend, 2, True)
    token = party.write(seat_transfer.reissue, 1, 3)
    assert token  # Friend's word does not count, so nobody is there to agree
    thief = welcome(context, "Thief")
    claim(party, token, thief)
    assert party.look(thief).viewer.closed_seat == 3


def test_with_somebodys_word_a_closed_hand_opens(context: AppContext) -> None:
    party, zoe = taken_over_alone(context, rounds=3)
    assert party.look(zoe).viewer.closed_seat == 2
    yan = wait(party, "Yan")
    while not party.look().table.is_scoring:
        if party.look(party.guests[0]).people.my_turn:
            party.write(away.step_away, 1, 1)
        context.write(play.run_due, party.row.id)
    party.everybody_is_ready()
    assert party.write(seat_transfer.reissue, 1, 2) is None
    party.write(seat_transfer.answer_link, yan, 2, True)
    again = welcome(context, "Bob on a third device")
    claim(party, party.write(seat_transfer.reissue, 1, 2), again)
    page = party.look(again)
    assert (page.viewer.seat, page.people.seats[1].may_agree) == (2, True)


def test_who_came_after_the_deal_or_the_asking_does_not_vouch(context: AppContext, clock: Clock) -> None:
    """Else a host lets a second browser of his in, and it agrees."""
    party = begin(context, 3, bots=1, rounds=4)
    clock.advance(10)
    sock = welcome(context, "Sock")
    claim(party, party.write(seat_transfer.hand_over, 3), sock)
    assert not party.look().people.seats[2].may_agree
    assert not party.look(party.guests[0]).people.may_vouch(2)
    token = party.write(seat_transfer.reissue, 1, 2)
    assert token, "nobody is there to agree"
    assert news(party)[0].endswith("with nobody else there to agree")
    party.write(seat_transfer.keep_seat, 2, 2)
    wait(party, "Late")
    play_out(Party(context, party.slug, (*party.guests[:2], sock)))
    assert party.write(seat_transfer.reissue, 1, 2)
    party.write(seat_transfer.keep_seat, 2, 2)


def test_who_came_after_a_link_was_asked_for_does_not_agree_to_it(context: AppContext, clock: Clock) -> None:
    party = begin(context, 3, bots=1, rounds=4)
    clock.advance(10)
    assert party.write(seat_transfer.reissue, 1, 2) is None
    clock.advance(10)
    late = wait(party, "Late")
    play_out(party)
    party.everybody_is_ready()
    assert party.look(late).viewer.seat == 4
    with refused(context, Forbidden):
        party.write(seat_transfer.answer_link, late, 2, True)
    party.write(seat_transfer.answer_link, 3, 2, True)


def test_what_tells_of_a_closed_hand_does_not_go_on_with_the_seat(context: AppContext) -> None:
    party = begin(context, 2, bots=1)
    party.write(hand_order.arrange_hand, 2, "rank", ["7C", "QS"], party.version)
    zoe = welcome(context, "Zoe")
    claim(party, party.write(seat_transfer.reissue, 1, 2), zoe)
    assert [seat["hand_order"] for seat in export_in(party, zoe)] == [None]


def test_a_seat_taken_over_between_rounds_plays_the_next_one(context: AppContext) -> None:
    party = begin(context, 2, rounds=3)
    party.pass_round()
    token = party.write(seat_transfer.reissue, 1, 2)
    zoe = welcome(context, "Zoe")
    claim(party, token, zoe)
    page = party.look(zoe)
    assert (page.viewer.seat, page.viewer.closed_seat, page.board.view) == (2, None, party.look().board.view)
    party = Party(context, party.slug, (party.guests[0], zoe))
    party.everybody_is_ready()
    assert moves_of(party.look(zoe)) or moves_of(party.look(party.guests[0]))
    assert party.look(zoe).viewer.seat == 2


@pytest.mark.parametrize(("people", "bots", "heir"), [(3, 0, 2), (1, 2, 1)])
def test_the_hosts_role_stays_at_the_table(context: AppContext, people: int, bots: int, heir: int) -> None:
    party = begin(context, people, bots=bots)
    zoe = welcome(context, "Zoe")
    claim(party, party.write(seat_transfer.hand_over, 1), zoe)
    assert [seat.number for seat in party.look().people.seats if seat.is_host] == [heir]


def test_who_takes_over_from_an_absent_player_is_there(context: AppContext) -> None:
    party = begin(context, 3)
    token = party.write(seat_transfer.hand_over, 1)
    party.write(away.step_away, 1, 1)
    zoe = welcome(context, "Zoe")
    claim(party, token, zoe)
    assert not party.look().people.seats[0].is_away
    assert party.look(zoe).people.my_turn


def test_a_replaced_player_is_told_and_the_link_dies(context: AppContext) -> None:
    party = begin(context, 3)
    token = party.write(seat_transfer.hand_over, 2)
    party.write(away.replace, 1, 2, "steady")
    page = party.look(party.guests[1])
    assert (page.transfer.lost, page.transfer.lost_how) == (2, "replaced")
    assert news(party)[0] == "Alice gave the seat of Bob to a bot"
    zoe = welcome(context, "Zoe")
    with refused(context, NotFound):
        claim(party, token, zoe)


def test_names_stay_apart(context: AppContext) -> None:
    party = begin(context, 3)
    claim(party, party.write(seat_transfer.hand_over, 2), welcome(context, "alice"))
    assert party.look().people.seats[1].name == "alice 2"


def wait(party: Party, name: str) -> Guest:
    """Somebody comes late."""
    guest = welcome(party.context, name)
    party.write(seat_transfer.wait, guest, name)
    return guest


def test_a_late_guest_takes_a_bots_place_in_the_next_round(context: AppContext) -> None:
    party = begin(context, 2, bots=2, rounds=3)
    zoe, yan, xia = wait(party, "Zoe"), wait(party, "Alice"), wait(party, "Xia")
    assert [guest.name for guest in party.look().transfer.waiting] == ["Zoe", "Alice", "Xia"]
    with nothing_changes(context.database):
        party.write(seat_transfer.wait, zoe, "Zoe")
    absent = begin(context, 2)  # another table is not touched
    before = absent.row
    scores = play_out(party)
    party.everybody_is_ready()
    page = party.look()
    assert [(seat.name, seat.bot) for seat in page.people.seats][2:] == [("Zoe", None), ("Alice 2", None)]
    assert [guest.name for guest in page.transfer.waiting] == ["Xia"]
    assert (party.look(zoe).viewer.seat, party.look(yan).viewer.seat, party.look(xia).viewer.seat) == (3, 4, None)
    assert page.board.sheet
    assert tuple(page.board.sheet.by_seat[0]) == scores
    assert absent.row == before


def play_out(party: Party) -> tuple[float, ...]:
    """People pass and bots play until the round is over; its scores."""
    while not party.look().table.is_scoring:
        if turn := party.turn():
            party.context.write(play.play, party.slug, turn.player, {"move": "pass"}, turn.version)
        else:
            party.context.write(play.run_due, party.row.id)
    sheet = party.look().board.sheet
    assert sheet
    return tuple(sheet.by_seat[-1])


def test_without_a_bot_a_late_guest_joins_the_next_match(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    zoe = wait(party, "Zoe")
    party.pass_round()
    assert party.look().table.is_finished
    assert party.look(zoe).transfer.waiting[0].is_me
    party.write(seats_service.rematch, 1)
    page = party.look(zoe)
    assert (len(page.people.seats), page.viewer.seat, page.transfer.waiting) == (3, 3, ())
    assert page.board.view
    assert news(party)[:2] == ["Zoe joined the table", "Alice asked for another game"]


def test_a_full_table_grows_no_further_than_the_game(context: AppContext) -> None:
    party = begin(context, 6, rounds=1)
    zoe = wait(party, "Zoe")
    party.pass_round()
    party.write(seats_service.rematch, 1)
    assert len(party.look().people.seats) == 6
    assert party.look(zoe).transfer.waiting[0].is_me


def test_who_has_a_seat_or_comes_before_the_start_does_not_wait(context: AppContext) -> None:
    party = gather(context, 2, seats=3)
    zoe = welcome(context, "Zoe")
    with refused(context, Conflict):
        party.write(seat_transfer.wait, zoe, "Zoe")
    party.write(seats_service.seat_bot, 1, 3, "gentle")
    party.write(seats_service.start, 1)
    with refused(context, Conflict):
        party.write(seat_transfer.wait, 2, "Bob")
    with refused(context, Refused, "NAME_EMPTY"):
        party.write(seat_transfer.wait, zoe, " ")


def test_a_table_remembers_twelve_who_wait(context: AppContext) -> None:
    party = begin(context, 2)
    for number in range(12):
        wait(party, f"Guest {number}")
    late = welcome(context, "One more")
    with refused(context, Refused, "TOO_MANY_WAIT"):
        party.write(seat_transfer.wait, late, late.name)


def test_a_guest_waits_no_longer_or_is_turned_away(context: AppContext) -> None:
    party = begin(context, 2)
    zoe, yan = wait(party, "Zoe"), wait(party, "Yan")
    first, second = (guest.number for guest in party.look().transfer.waiting)
    for other in (party.guests[1], yan):
        with refused(context, Forbidden):
            party.write(seat_transfer.stop_waiting, other, first)
    party.write(seat_transfer.stop_waiting, zoe, first)
    with nothing_changes(context.database):
        party.write(seat_transfer.stop_waiting, zoe, first)
    party.write(seat_transfer.stop_waiting, 1, second)
    assert party.look().transfer.waiting == ()


def test_one_of_two_who_follow_a_link_at_once_gets_the_seat(context: AppContext) -> None:
    party = begin(context, 3)
    token = party.write(seat_transfer.hand_over, 2)
    guests = [welcome(context, name) for name in ("Zoe", "Yan")]
    claim(party, token, guests[0])
    before = dump(context.database)
    with pytest.raises(NotFound):
        claim(party, token, guests[1])
    assert dump(context.database) == before
