"""Taking back moves: each rule, once and on a fresh page only, and what is left of the round afterwards."""

import random
from typing import Any

import pytest
from msgspec import json
from sqlalchemy import select, update

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, Refused
from app.services.play import play, takeback
from app.services.queries.records import match_record
from app.services.queries.stream import talk_of
from app.services.seats import away, pause, seat_transfer, seats
from app.services.table import clocks
from app.services.table.clocks import ClockRules
from app.services.table.rounds import CurrentRound, RoundCache, TakenBack, load_current
from app.services.talk import chat
from app.storage import models
from app.storage.cache import VersionedCache
from snug.engine.game import Event, plain
from snug.engine.record import parse
from snug.engine.record import replay as replay_record
from tests import factories
from tests.conftest import Clock, on_sqlite
from tests.factories import Party, begin, gather, nothing_changes, refused, welcome
from tests.services.play.test_exactly_once import at_once
from tests.services.seats.test_seat_transfer import agreed


def ruled(context: AppContext, rule: str, people: int = 3, *, bots: int = 0, **options: Any) -> Party:
    """A table in play where moves are taken back like this."""
    party = gather(context, people, seats=people + bots, **options)
    party.write(takeback.set_rule, 1, rule)
    for seat in range(people + 1, people + bots + 1):
        party.write(seats.seat_bot, 1, seat, "gentle")
    party.write(seats.start, 1)
    return party


def live_of(party: Party, *, fresh: bool = False) -> CurrentRound:
    """The current round, from memory or (fresh) from what is stored."""
    row = party.row
    with party.context.database.reading() as connection:
        live = load_current(RoundCache() if fresh else party.context.rounds, connection, row.id, row.game, row.version)
    assert live
    return live


def told_of(log: tuple[tuple[Event, ...], ...]) -> TakenBack:
    """What the log tells at its end."""
    told = log[-1][-1]
    assert isinstance(told, TakenBack)
    return told


def takebacks(party: Party) -> int:
    """How often something was taken back."""
    with party.context.database.reading() as connection:
        return len(connection.execute(select(models.Takeback)).all())


def choice(party: Party, verb: str) -> int:
    """Which legal move this is."""
    turn = party.turn()
    assert turn
    return next(index for index, move in enumerate(turn.moves) if move["move"] == verb)


def test_nothing_is_taken_back_where_moves_stand(context: AppContext) -> None:
    party = begin(context, 3)
    party.move()
    assert party.look(party.guests[0]).undo is None
    with refused(context, Refused, "UNDO_OFF"):
        party.write(takeback.take_back, 1, party.version)


def test_a_move_is_taken_back_and_made_again(context: AppContext) -> None:
    party = ruled(context, "free")
    before, turn = live_of(party), party.move()
    assert party.look(party.guests[0]).undo
    assert party.look(party.guests[1]).undo is None
    party.write(takeback.take_back, 1, party.version)
    live = live_of(party)
    assert live.match == before.match
    assert live == live_of(party, fresh=True)
    (told,) = live.log[-1]
    assert isinstance(told, TakenBack)
    assert (told.by, told.agreed, len(told.undone) > 0) == (1, False, True)
    for stale in (turn.version, turn.version + 1):
        with refused(context, Conflict):
            party.write(play.play, 1, turn.moves[0], stale)
    assert party.write(play.play, 1, turn.moves[0], party.version) is True
    assert live_of(party).moves == before.moves + 2
    with refused(context, Refused, "ONCE_ONLY"):
        party.write(takeback.take_back, 1, party.version)


def test_whether_a_move_showed_a_card_is_stored_where_it_may_be_taken_back(context: AppContext) -> None:
    for rule, expected in (("off", {None}), ("free", {True, False})):
        party = ruled(context, rule)
        party.move()
        assert {row.reveals for row in party.moves()} == expected


def test_of_a_move_stored_before_that_was_asked_the_worst_is_thought(context: AppContext) -> None:
    party = ruled(context, "free")
    party.move()
    assert party.look(party.guests[0]).undo
    context.write(lambda _, transaction: transaction.connection.execute(update(models.Move).values(reveals=None)))
    context.rounds, context.snapshots = RoundCache(), VersionedCache()  # as after a restart
    assert party.look(party.guests[0]).undo is None
    with refused(context, Refused, "CARD_SHOWN"):
        party.write(takeback.take_back, 1, party.version)


def test_only_the_mover_takes_back_and_only_until_the_next_move(context: AppContext) -> None:
    party = ruled(context, "free")
    with refused(context, Refused, "NOT_YOUR_MOVE"):
        party.write(takeback.take_back, 1, party.version)
    party.move()
    with refused(context, Refused, "NOT_YOUR_MOVE"):
        party.write(takeback.take_back, 2, party.version)
    eve = welcome(context, "Eve")
    with refused(context, Forbidden):
        party.write(takeback.take_back, eve, party.version)
    seen = party.version
    party.move()
    with refused(context, Conflict):
        party.write(takeback.take_back, 1, seen)
    with refused(context, Refused, "NOT_YOUR_MOVE"):
        party.write(takeback.take_back, 1, party.version)


def test_a_click_sent_many_times_takes_back_once(context: AppContext) -> None:
    party = ruled(context, "free")
    party.move()
    seen = party.version
    at_once([lambda: party.write(takeback.take_back, 1, seen)] * 6)
    assert takebacks(party) == 1
    with nothing_changes(context.database):
        party.write(takeback.take_back, 1, seen)


def test_a_move_after_which_the_dealer_dealt_is_not_free(context: AppContext) -> None:
    """In Lucky Paw new cards come when all have passed; so does the deal's end."""
    party = ruled(context, "free")
    stored = 0
    while party.turn():
        turn = party.move(choice(party, "pass"))
        new = [row.seat for row in party.moves()[stored:]]
        stored = len(party.moves())
        shown = live_of(party).match.round_over or len(live_of(party).log[-1]) > 1
        offered = party.look(party.guests[turn.seat - 1]).undo
        if 0 in new[1:] or shown:
            assert offered is None
            return
        assert offered
    pytest.fail("nothing was ever dealt")


def test_a_round_that_is_over_stays_over(context: AppContext) -> None:
    party = ruled(context, "vote")
    party.pass_round()
    with refused(context, Conflict):
        party.write(takeback.take_back, 1, party.version)


def test_by_vote_everybody_has_to_agree(context: AppContext) -> None:
    party = ruled(context, "vote")
    before = live_of(party).match
    party.move()
    party.write(takeback.take_back, 2, party.version)
    asked = party.look(party.guests[2]).undo
    assert asked
    assert (asked.mover, asked.by, asked.waits) == (1, 2, (1, 3))
    with refused(context, Conflict):
        party.write(takeback.take_back, 3, party.version)
    party.write(takeback.answer, 1, party.version, True)
    assert live_of(party).match != before
    with nothing_changes(context.database):
        party.write(takeback.take_back, 2, party.version)
    party.write(takeback.answer, 3, party.version, True)
    assert live_of(party).match == before
    assert party.row.proposal is None
    assert told_of(live_of(party).log).agreed


def test_one_refusal_or_the_next_move_ends_it(context: AppContext) -> None:
    party = ruled(context, "vote")
    party.move()
    party.write(takeback.take_back, 1, party.version)
    party.write(takeback.answer, 3, party.version, False)
    asked = party.look(party.guests[1]).undo
    assert asked
    assert asked.by is None
    party.write(takeback.take_back, 1, party.version)
    seen = party.version
    party.move()
    with refused(context, Conflict):
        party.write(takeback.answer, 2, seen, True)
    with refused(context, Conflict):
        party.write(takeback.answer, 2, party.version, True)
    assert takebacks(party) == 0


def test_bots_and_those_for_whom_bots_play_agree(context: AppContext) -> None:
    party = ruled(context, "vote", 2, bots=1, pace="relaxed")
    before = live_of(party).match
    party.move()
    party.write(away.step_away, 2, 2)
    party.write(takeback.take_back, 1, party.version)
    assert live_of(party).match == before


def about_to_draw(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> tuple[Party, int, list[int]]:
    """A table that votes, where somebody may draw a hidden card; who that is, and the other seats."""
    monkeypatch.setattr(factories, "GAME", "lives")
    party = ruled(context, "vote")
    while (turn := party.turn()) and not any(move["move"] == "draw" for move in turn.moves):
        party.move()
    assert turn
    return party, turn.seat, [seat for seat in (1, 2, 3) if seat != turn.seat]


def test_a_card_that_was_shown_stays_while_somebody_is_away(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a host could send the others away, look at the next card and put it back."""
    party, mover, others = about_to_draw(context, monkeypatch)
    before = live_of(party).match
    for seat in others:
        party.write(away.step_away, 1, seat)
    party.move(choice(party, "draw"))
    with refused(context, Refused, "CANNOT_BE_ASKED"):
        party.write(takeback.take_back, mover, party.version)
    party.write(away.come_back, 1, others[0])
    with refused(context, Refused, "CANNOT_BE_ASKED"):
        party.write(takeback.take_back, mover, party.version)
    party.write(away.come_back, 1, others[1])
    party.write(takeback.take_back, mover, party.version)
    for seat in others:
        assert live_of(party).match != before
        party.write(takeback.answer, seat, party.version, True)
    assert live_of(party).match == before


def test_who_is_sent_away_meanwhile_is_waited_for(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    party, mover, (first, second) = about_to_draw(context, monkeypatch)
    before = live_of(party).match
    party.move(choice(party, "draw"))
    party.write(takeback.take_back, mover, party.version)
    party.write(away.step_away, 1, second)
    party.write(takeback.answer, first, party.version, True)
    asked = party.look().undo
    assert asked
    assert asked.waits == (second,)
    party.write(takeback.answer, second, party.version, True)  # so he is back
    assert live_of(party).match == before


@pytest.mark.parametrize("how", ["replaced", "handed", "reissued"])
@pytest.mark.parametrize("asked_first", [False, True])
def test_a_card_that_was_shown_stays_when_a_seat_has_changed_hands(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch, how: str, asked_first: bool
) -> None:
    party, mover, others = about_to_draw(context, monkeypatch)
    gone = max(others)
    (stays,) = {1, 2, 3} - {mover, gone}
    party.move(choice(party, "draw"))
    if asked_first:
        party.write(takeback.take_back, mover, party.version)
    clock.advance(1)
    if how == "replaced":
        party.write(away.replace, 1, gone, "gentle")
    else:
        token = party.write(seat_transfer.hand_over, gone) if how == "handed" else agreed(party, 1, gone, gone)
        zoe = welcome(context, "Zoe")
        context.write(seat_transfer.claim, token, zoe.id, zoe.name)
    with refused(context, Refused, "CANNOT_BE_ASKED"):
        if asked_first:
            party.write(takeback.answer, stays, party.version, True)
        else:
            party.write(takeback.take_back, mover, party.version)
    assert takebacks(party) == 0


def test_bots_moves_go_back_with_the_move_before_them(context: AppContext, clock: Clock) -> None:
    party = ruled(context, "vote", 1, bots=2, pace="brisk")
    before = live_of(party).match
    party.move()
    for _ in range(2):
        clock.advance(3)
        context.write(play.run_due, party.row.id)
    assert live_of(party).moves > 3
    party.write(takeback.take_back, 1, party.version)
    assert live_of(party).match == before == live_of(party, fresh=True).match


def test_the_clock_is_wound_again(context: AppContext, clock: Clock) -> None:
    party = ruled(context, "free")
    party.write(pause.set_clock, 1, ClockRules(clocks.BRISK, clocks.MOVE))
    clock.advance(10)
    party.move()
    clock.advance(5)
    party.write(takeback.take_back, 1, party.version)
    assert party.look().clock.left == {1: 30}


def test_who_speaks_up_is_back_with_the_whole_time_for_a_move(context: AppContext, clock: Clock) -> None:
    """And not sent away at once, when the bot that stood in would have moved."""
    party = ruled(context, "vote", clock="brisk", pace="relaxed")
    party.move()
    party.write(away.step_away, 2, 2)
    party.write(takeback.take_back, 2, party.version)
    clock.advance(20)
    context.write(play.run_due, party.row.id)
    assert party.look(party.guests[1]).clock.mine == 10
    party.write(away.step_away, 2, 2)
    party.write(takeback.answer, 2, party.version, False)
    assert party.look(party.guests[1]).clock.mine == 30


def test_nothing_is_taken_back_while_the_game_is_paused(context: AppContext) -> None:
    party = ruled(context, "free")
    party.move()
    party.write(pause.pause, 1)
    assert party.look(party.guests[0]).undo is None
    with refused(context, Conflict):
        party.write(takeback.take_back, 1, party.version)


def test_the_rule_changes_between_rounds_and_by_hosts(context: AppContext) -> None:
    party = gather(context, 2)
    with refused(context, Refused, "BAD_UNDO"):
        party.write(takeback.set_rule, 1, "always")
    with refused(context, Forbidden):
        party.write(takeback.set_rule, 2, "vote")
    party.write(takeback.set_rule, 1, "vote")
    assert party.look().setup.undo == "vote"
    party.write(seats.start, 1)
    with refused(context, Conflict):
        party.write(takeback.set_rule, 1, "free")


def test_talk_goes_on_in_its_order(context: AppContext) -> None:
    party = ruled(context, "free")
    party.move()
    party.write(chat.say, 2, "Oh dear")
    party.write(takeback.take_back, 1, party.version)
    party.write(chat.say, 2, "Better")
    party.move()
    with context.database.reading() as connection:
        read = talk_of(connection, party.look(party.guests[0]), party.guests[0].id)
    lines = [line.said.text if line.said else [event.name for event in line.events] for line in read.older]
    assert lines[:4] == [["card_played"], "Better", "Oh dear", ["taken_back"]]


@pytest.mark.parametrize("seed", range(2))
def test_moves_and_takebacks_in_any_order_leave_the_moves_that_stand(context: AppContext, seed: int) -> None:
    dice = random.Random(seed)
    party = ruled(context, "vote", 2, rounds=1, jokers=1)
    while party.turn():
        party.move(dice)
        while party.turn() and dice.random() < 0.2 and live_of(party).moves > 1:
            if (asked := party.look(party.guests[0]).undo) is None or not asked.may_ask:
                break
            party.write(takeback.take_back, 1, party.version)
            party.write(takeback.answer, 2, party.version, True)
            assert live_of(party, fresh=True) == live_of(party)
    assert takebacks(party) > 3
    with context.database.reading() as connection:
        made = match_record(connection, party.slug)
    assert len(made["moves"]) < len(party.moves())
    *_, outcome = replay_record(parse(json.encode(made)))
    live = live_of(party, fresh=True)
    assert outcome.refused is None
    assert outcome.match == live.match


@on_sqlite
def test_in_a_game_with_hands_a_card_picked_up_is_not_given_back_freely(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mover's own card may be taken back: it was no secret to the mover. A card from the pile was."""
    monkeypatch.setattr(factories, "GAME", "lives")
    party, dice = ruled(context, "free", 2, rounds=1), random.Random(1)
    offered: dict[str, set[bool]] = {}
    for _ in range(60):
        turn = party.move(dice)
        made = party.moves()
        verb = next(row.move["move"] for row in reversed(made) if row.seen is not None)
        dealt = made[-1].seat == 0
        offered.setdefault(verb, set()).add(party.look(party.guests[turn.seat - 1]).undo is not None and not dealt)
    assert offered["draw"] == {False}
    assert True in offered["play"]


def test_what_was_taken_back_shows_nobody_a_hidden_card(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factories, "GAME", "lives")
    party = ruled(context, "vote", 2, rounds=1)
    while (turn := party.turn()) and not any(move["move"] == "draw" for move in turn.moves):
        party.move()
    turn = party.move(choice(party, "draw"))
    party.write(takeback.take_back, turn.seat, party.version)
    party.write(takeback.answer, 3 - turn.seat, party.version, True)
    stranger, other, mover = (
        party.look(one) for one in (None, party.guests[2 - turn.seat], party.guests[turn.seat - 1])
    )
    drawn = [plain(told_of(page.board.log).undone[0])["cards"] for page in (stranger, other, mover)]
    assert not any(drawn[:2])
    assert drawn[2]
