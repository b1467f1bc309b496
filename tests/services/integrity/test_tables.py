"""What is stored is sound, whatever was played; and whatever is changed behind the room's back is found and named."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select, update

from app.services.accounts.deletion import forget_player
from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.integrity.room import check_tables, check_tournaments
from app.services.integrity.tables import faults_of_table
from app.services.play import play, takeback
from app.services.seats import away, seats
from app.services.table import activity, chain
from app.services.table.chain import chain_of
from app.services.talk import chat
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import stages as stages_service
from app.storage import models
from app.storage.writer import Transaction
from snug.games import GAMES
from tests import factories
from tests.conftest import Clock
from tests.factories import SHORT, Party, against_bots, begin, gather
from tests.services.tournaments.test_stages import opened, play_out


def faults(context: AppContext) -> list[str]:
    """Everything that is wrong with anything that is stored."""
    found = [*check_tables(context.database), *check_tournaments(context.database)]
    assert found
    return [f"{one.name}: {fault}" for one in found for fault in one.faults]


def of(party: Party) -> list[str]:
    """What is wrong with a table."""
    with party.context.database.reading() as connection:
        return [str(fault) for fault in faults_of_table(connection, party.row.id)]


def change(context: AppContext, *statements: Any) -> None:
    """Behind the room's back."""

    def work(_context: AppContext, transaction: Transaction, /) -> None:
        for statement in statements:
            assert transaction.connection.execute(statement).rowcount

    context.write(work)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_match_of_any_game_is_sound_and_every_event_is_chained(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    party = against_bots(context, key, max(3, GAMES[key].seats[0]), {**SHORT.get(key, {}), "undo": "free"})
    party.write(away.step_away, 1, 1)
    for _ in range(150):
        if not party.look().table.is_playing:
            break
        clock.advance(60)
        context.write(play.run_due, party.slug)
    assert not of(party)
    links, head = chain_of(party.row)
    moves = party.moves()
    assert links > len(moves) > 3
    assert all(move.link and move.head for move in moves)
    assert len(head) == 64


def test_talk_takebacks_a_rematch_and_a_new_host_leave_a_sound_table(context: AppContext) -> None:
    party = gather(context, 2, rounds=1)
    party.write(takeback.set_rule, 1, "free")
    party.write(chat.say, 1, "Evening")
    party.write(seats.start, 1)
    for _ in range(6):
        turn = party.move()
        try:
            party.context.write(takeback.take_back, party.slug, turn.player, party.version)
        except (Refused, Conflict):
            continue
        assert not of(party)
    party.pass_round()
    party.write(seats.rematch, 1)
    party.move()
    assert not of(party)
    with context.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(models.Takeback)).scalar_one()


def played(context: AppContext) -> Party:
    """Two friends in their second round, who have talked."""
    party = begin(context, 2, rounds=3)
    party.write(chat.say, 1, "Evening")
    party.write(chat.say, 2, "Good luck")
    party.pass_round()
    party.everybody_is_ready()
    party.move()
    party.move()
    assert not of(party)
    return party


def finished(context: AppContext) -> Party:
    """A match that is over."""
    party = begin(context, 2, rounds=1)
    party.pass_round()
    assert not of(party)
    return party


def numbered(party: Party, number: int, round: int = 0) -> models.Move:
    """A stored move of the nth round."""
    rounds = [*dict.fromkeys(move.round_id for move in party.moves())]
    return next(move for move in party.moves() if (move.round_id, move.number) == (rounds[round], number))


def where(move: models.Move) -> Any:
    return (models.Move.round_id == move.round_id) & (models.Move.number == move.number)


def test_a_changed_card_is_found(context: AppContext) -> None:
    party = played(context)
    deal = numbered(party, 1)
    cards = [*deal.move["cards"]]
    cards[-1], cards[-2] = cards[-2], cards[-1]  # a deal that could just as well have been
    change(context, update(models.Move).where(where(deal)).values(move={**deal.move, "cards": cards}))
    assert "move 1 of round 1 of match 1 is not what was stored" in of(party)
    cards[0] = cards[1]
    change(context, update(models.Move).where(where(deal)).values(move={**deal.move, "cards": cards}))
    refused = "the rules refuse move 1 of round 1 of match 1, by seat 0: IMPOSSIBLE_OUTCOME"
    assert of(party) == [refused, "move 1 of round 1 of match 1 is not what was stored"]


def test_who_made_a_move_and_when_cannot_be_changed(context: AppContext) -> None:
    party = played(context)
    move = numbered(party, 3)
    change(context, update(models.Move).where(where(move)).values(made_at=move.made_at + 1))
    assert of(party) == ["move 3 of round 1 of match 1 is not what was stored"]
    change(context, update(models.Move).where(where(move)).values(made_at=move.made_at, seat=3 - move.seat))
    assert of(party)[0] == "the rules refuse move 3 of round 1 of match 1, by seat 1: NOT_YOUR_TURN"


def test_a_removed_move_is_found(context: AppContext) -> None:
    party = played(context)
    link = numbered(party, 5).link
    change(context, delete(models.Move).where(where(numbered(party, 5))))
    assert of(party) == [
        "move 5 of round 1 of match 1 is missing",
        f"of the chain, links {link} to {link} are missing",
    ]


def test_a_swapped_pair_is_found(context: AppContext) -> None:
    party = played(context)
    one, two = numbered(party, 3), numbered(party, 5)
    change(context, update(models.Move).where(where(one)).values(made_at=two.made_at, seen=None))
    change(context, update(models.Move).where(where(two)).values(made_at=one.made_at, seen=one.seen))
    change(context, update(models.Move).where(where(one)).values(seen=two.seen))
    told = of(party)
    assert "move 3 of round 1 of match 1 is not what was stored" in told
    assert "move 5 of round 1 of match 1 is not what was stored" in told


def test_changed_scores_are_found(context: AppContext) -> None:
    party = played(context)
    with_scores = models.Round.scores.is_not(None)
    change(context, update(models.Round).where(models.Round.number == 1, with_scores).values(scores=[1, 2]))
    assert of(party) == [
        "the score of round 1 of match 1 is wrong",
        "the score of round 1 of match 1 is not what was stored",
    ]


@pytest.mark.parametrize("column", ["place", "points"])
def test_a_changed_result_is_found(context: AppContext, column: str) -> None:
    party = finished(context)
    change(context, update(models.Result).where(models.Result.seat == 1).values({column: 7}))
    assert of(party) == ["the result of match 1 is wrong", "the result of match 1 is not what was stored"]


def test_a_changed_line_is_found(context: AppContext) -> None:
    party = played(context)
    line = models.Message.number == 1
    change(context, update(models.Message).where(line).values(text="Good riddance"))
    assert of(party) == ["line 1 of the log does not say what was stored"]
    change(context, update(models.Message).where(line).values(text="Evening", moves=7))
    assert of(party) == ["line 1 of the log is not what was stored"]


@pytest.mark.parametrize("column", ["salt", "link"])
def test_a_line_does_not_get_out_of_the_chain(context: AppContext, column: str) -> None:
    party = played(context)
    change(context, update(models.Message).where(models.Message.number == 2).values({column: None, "text": "No luck"}))
    assert of(party)


def test_a_tail_that_was_cut_off_is_found(context: AppContext) -> None:
    party = played(context)
    links, _ = chain_of(party.row)
    change(context, delete(models.Move).where(where(party.moves()[-1])))
    assert of(party) == [f"the chain ends with link {links - 1} and not with {links}"]
    change(context, update(models.Table).values(links=links - 1))
    assert of(party) == ["the chain does not end with the head that was kept"]


def test_a_move_that_was_added_is_found(context: AppContext) -> None:
    party = played(context)
    last = party.moves()[-1]
    mine = {**last._mapping, "number": last.number + 1, "seat": 3 - last.seat, "seen": last.version}  # type: ignore[attr-defined]
    mine |= {"move": {"move": "pass"}, "version": last.version + 1, "link": None, "head": None}
    change(context, insert(models.Move).values(mine), update(models.Table).values(version=models.Table.version + 1))
    assert of(party) == [f"move {last.number + 1} of round 2 of match 1 was never chained"]


def test_a_version_that_goes_back_is_found(context: AppContext) -> None:
    party = played(context)
    change(context, update(models.Move).where(where(numbered(party, 4))).values(version=1))
    assert "the version after move 4 of round 1 of match 1 is wrong" in of(party)


def test_what_cannot_be_read_is_told_without_a_card(context: AppContext) -> None:
    party = played(context)
    change(context, update(models.Table).values(game="forgotten"))
    assert of(party) == ["what is stored cannot be read: KeyError in games/__init__.py, line 30"]


def test_the_chain_stays_whole_when_somebody_is_forgotten(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    party.write(chat.say, 1, "I am Alice")
    party.write(chat.say, 2, "I am Bob")
    party.write(away.step_away, 1, 2)
    context.write(forget_player, party.guests[0].id)
    with context.database.reading() as connection:
        stored = connection.execute(select(models.Message).order_by(models.Message.number)).all()
    assert [bool(line.salt) for line in stored[:3]] == [False, True, False]
    assert not of(party)


def test_the_chain_stays_whole_when_old_lines_are_forgotten(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "_KEPT", 2)
    party = begin(context, 2)
    for text in ("one", "two", "three", "four"):
        clock.advance(60)
        party.write(chat.say, 1, text)
    with context.database.reading() as connection:
        stored = connection.execute(select(models.Message).order_by(models.Message.number)).all()
    assert [line.text for line in stored] == ["", "", "three", "four"]
    assert [line.text for line in party.look().news.messages] == ["four", "three"]
    assert not any(line.name or line.salt for line in stored[:2])
    assert not of(party)
    change(context, update(models.Message).where(models.Message.number == 1).values(player_id=party.guests[1].id))
    assert of(party) == ["line 1 of the log is not what was stored"]


def test_a_line_that_was_removed_is_missed(context: AppContext) -> None:
    party = played(context)
    change(context, delete(models.Message).where(models.Message.number == 1))
    assert of(party)[0].startswith("of the chain, links")


def tournament(context: AppContext, clock: Clock) -> str:
    """Two stages that bots have played to the end."""
    host, slug = opened(context)
    context.write(tournament_entries.add_bots, slug, host.id, 4, "gentle")
    for _ in range(2):
        stages_service.start_stage(context, slug, host.id)
        play_out(context, clock)
        context.write(stages_service.close_stage, slug, host.id)
    assert not faults(context)
    return slug


LINE = models.TournamentLine


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda: delete(LINE).where(LINE.number == 2), "line 2 of its log is missing"),
        (lambda: update(models.Tournament).values(head="5eed"), "the chain does not end with the head that was kept"),
        (lambda: update(models.Result).values(points=99), "the result of table 1 of stage 1 is wrong"),
        (lambda: update(LINE).where(LINE.number == 2).values(made_at=1.0), "line 2 of its log is not what was stored"),
    ],
)
def test_damage_to_a_tournament_is_found(
    context: AppContext, clock: Clock, damage: Callable[[], Any], told: str
) -> None:
    tournament(context, clock)
    change(context, damage())
    assert any(fault.startswith("tournament") and fault.endswith(told) for fault in faults(context))


def test_another_name_in_the_log_of_a_tournament_is_found(context: AppContext, clock: Clock) -> None:
    tournament(context, clock)
    with context.database.reading() as connection:
        event = connection.execute(select(LINE.event).where(LINE.number == 1)).scalar_one()
    change(context, update(LINE).where(LINE.number == 1).values(event={**event, "name": "Mallory"}))
    (told,) = faults(context)
    assert told.endswith("line 1 of its log does not bear the words that were stored")


def test_the_chain_of_a_tournament_outlives_a_name(context: AppContext) -> None:
    _, slug = opened(context)
    guest = factories.welcome(context, "Zebedee")
    context.write(tournament_entries.enter, slug, guest.id, "Zebedee")
    context.write(forget_player, guest.id)
    found = [*check_tournaments(context.database)]
    assert [one.faults for one in found] == [[]]


def test_parts_of_an_event_cannot_be_taken_for_one_another() -> None:
    assert chain.linked("a", "bc", {}) != chain.linked("ab", "c", {})
    assert chain.linked("a", "b", {"x": 1, "y": 2}) == chain.linked("a", "b", {"y": 2, "x": 1})


def test_the_head_is_made_as_the_format_says() -> None:
    written = sha256(b'1:h4:move21:{"made":0.5,"seat":1}').hexdigest()
    assert chain.linked("h", "move", {"seat": 1, "made": 0.5}) == written


@pytest.mark.dear(1, "two stages that bots play")
def test_a_tournament_that_was_over_before_results_were_kept_is_whole(context: AppContext, clock: Clock) -> None:
    tournament(context, clock)
    change(context, delete(models.Result))
    assert any(fault.endswith("is wrong") for fault in faults(context))
    change(context, update(models.Match).values(link=None))
    assert not [fault for fault in faults(context) if fault.startswith("tournament")]
