"""Deals that can be proved: a stranger with forty lines and a downloaded record checks them, as the room's own command
does."""

import copy
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import json as fast
from sqlalchemy import delete, select, update

from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, Refused
from app.services.fairness import deals, epochs
from app.services.play import play, takeback
from app.services.queries.proofs import MatchDealt, load_match_dealt
from app.services.queries.records import match_record
from app.services.seats import create, seats, spectators
from app.services.table.open_table import FINISHED, GATHERING, PLAYING, SCORES
from app.storage import models
from app.storage.cache import VersionedCache
from app.storage.rows import all_of
from app.storage.writer import Transaction
from snug.engine.proving import faults_of
from snug.engine.record import MalformedRecord, parse, replay
from tests.conftest import Clock, OpenContext
from tests.factories import INSTANT, NAMES, Guest, Party, begin, gather, refused, setup_with, welcome
from tests.services.tournaments.test_same_deal import same_deal

VERIFIER = Path(__file__).parents[3] / "docs" / "verify_deal.py"
Record = dict[str, Any]
MATCHES: dict[str, tuple[int, dict[str, Any], set[str]]] = {
    "lucky_paw": (3, {"rounds": 2, "jokers": 2}, {"shuffle"}),
    "lives": (3, {}, {"choose", "shuffle"}),
    "life": (3, {}, {"draw", "shuffle"}),
    "liverpool": (3, {}, {"choose", "shuffle"}),
    "follow_the_leader": (2, {}, {"choose", "shuffle"}),
}
"""People, rules, and what the dealer does in such a match."""


def record_of(party: Party) -> Record:
    """The record as it is downloaded."""
    with party.context.database.reading() as connection:
        made: Record = json.loads(fast.encode(match_record(connection, party.slug)))
    return made


def stranger_says(record: Record, tmp_path: Path) -> tuple[int, str]:
    """What the forty lines say, run where nothing of the room is at hand."""
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    command = [sys.executable, "-I", str(VERIFIER), str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def room_says(record: Record) -> list[str]:
    """What the room finds wrong with it."""
    return [str(fault.sentence) for fault in faults_of(parse(json.dumps(record)))]


def check_honest(record: Record, tmp_path: Path) -> None:
    """Both say so."""
    assert room_says(record) == []
    assert stranger_says(record, tmp_path) == (0, "honest\n")


def dealt(party: Party, guest: Guest | None = None, number: int = 0) -> MatchDealt:
    """The page of proofs, as this person sees it."""
    with party.context.database.reading() as connection:
        return load_match_dealt(party.context, connection, party.slug, guest.id if guest else None, number)


def sealed(context: AppContext) -> dict[tuple[str, str], models.Deal]:
    """Everything that was sealed, by place and number."""
    with context.database.reading() as connection:
        return {(deal.place, deal.number): deal for deal in all_of(connection, select(models.Deal))}


def run(context: AppContext, *statements: Any) -> None:
    """Changes what is stored, behind the back of the room."""

    def work(transaction: Transaction) -> None:
        for statement in statements:
            transaction.connection.execute(statement)

    context.writer.run(work)
    context.snapshots, context.rounds = VersionedCache(), VersionedCache()


def play_out(party: Party, dice: random.Random) -> None:
    """People play well until the match is over."""
    while party.row.status != FINISHED:
        party.play_round(dice)
        if party.row.status == SCORES:
            party.everybody_is_ready()


def whole_match(context: AppContext, key: str, people: int, rules: dict[str, Any], rounds: int = 99) -> Party:
    """A match that people play well to its end, at most so many rounds of it; everybody cuts, each in his way."""
    guests = tuple(welcome(context, name) for name in NAMES[:people])
    slug = context.write(create.create_table, guests[0].id, key, people, rules, INSTANT)
    party = Party(context, slug, guests)
    for seat, guest in enumerate(guests[1:], 2):
        party.write(seats.take_seat, guest, seat, guest.name, f"{seat:032x}")
    party.write(seats.start, 1, "one")
    dice = random.Random(key)
    for number in range(rounds):
        party.play_round(dice)
        if party.row.status == FINISHED:
            break
        for seat in range(1, people + 1):
            party.write(play.set_ready, seat, f"{number}x{seat}" if seat > 1 else "")
    return party


@pytest.mark.slow
@pytest.mark.parametrize("key", MATCHES)
def test_a_stranger_confirms_honest_deals_of_every_game(
    open_context: OpenContext, sqlite_url: str, tmp_path: Path, key: str
) -> None:
    people, rules, kinds = MATCHES[key]
    record = record_of(whole_match(open_context(sqlite_url), key, people, rules))
    assert {move["move"] for move in record["moves"] if move["seat"] == 0} == kinds
    check_honest(record, tmp_path)
    first = record["proof"]["rounds"][0]
    assert first["cuts"] == ["one", *(f"{seat:032x}" for seat in range(2, people + 1))]
    *_, report = replay(parse(json.dumps(record)))
    assert report.match.over
    del record["proof"]
    *_, bare = replay(parse(json.dumps(record)))
    assert bare.match == report.match


@pytest.fixture(scope="module")
def honest() -> Record:
    """A record of two rounds with jokers, made once."""
    return {}


def _swap_cards(record: Record) -> None:
    cards = record["moves"][0]["cards"]
    one, other = cards.index("7H"), cards.index("8C")
    cards[one], cards[other] = cards[other], cards[one]


def _exchange_card(record: Record) -> None:
    cards = record["moves"][0]["cards"]
    cards[cards.index("7H")] = "8C"


def _lie_of_the_pack(record: Record) -> None:
    """A card that was never shuffled comes instead of another, everywhere."""
    for cards in (record["moves"][0]["cards"], record["proof"]["rounds"][0]["dealt"][0]["cards"]):
        if "7H" in cards:
            cards[cards.index("7H")] = "7D"


def _round(record: Record) -> Record:
    found: Record = record["proof"]["rounds"][0]
    return found


def _swap_seats(record: Record) -> None:
    cuts = _round(record)["cuts"]
    cuts[0], cuts[1] = cuts[1], cuts[0]


def _drop_round(record: Record) -> None:
    record["proof"]["rounds"].pop()


TAMPERED: dict[str, Callable[[Record], object]] = {
    "two cards change places": _swap_cards,
    "another card": _exchange_card,
    "another pack": _lie_of_the_pack,
    "a changed cut": lambda record: _round(record)["cuts"].__setitem__(1, "f" * 32),
    "a dropped cut": lambda record: _round(record)["cuts"].__setitem__(0, ""),
    "no cuts": lambda record: _round(record).update(cuts=[], cut_at=[]),
    "changed seats": _swap_seats,
    "sealed after a cut": lambda record: _round(record).update(committed_at=_round(record)["cut_at"][1] + 1),
    "sealed after the deal": lambda record: _round(record).update(committed_at=_round(record)["dealt_at"] + 1),
    "cut after the deal": lambda record: _round(record)["cut_at"].__setitem__(1, _round(record)["dealt_at"] + 1),
    "another secret": lambda record: _round(record).update(secret="00" * 32),
    "another commitment": lambda record: _round(record).update(commitment="00" * 32),
    "another table": lambda record: record["proof"].update(table="999"),
    "another match": lambda record: record["proof"].update(match=2),
    "another epoch": lambda record: _round(record)["dealt"][0].update(epoch="0011223344556677"),
    "fewer jokers": lambda record: _round(record)["dealt"][0].update(jokers=1),
    "a round left out": _drop_round,
    "a round without proof": lambda record: record["proof"]["rounds"].__setitem__(1, {"round": 2}),
    "rounds in another order": lambda record: record["proof"]["rounds"].reverse(),
    "a deal without proof": lambda record: _round(record)["dealt"].pop(),
    "a deal proved twice": lambda record: _round(record)["dealt"].append(_round(record)["dealt"][0]),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_both_reject_what_was_tampered_with(
    open_context: OpenContext, sqlite_url: str, tmp_path: Path, clock: Clock, honest: Record, what: str
) -> None:
    if not honest:
        context = open_context(sqlite_url)
        party = gather(context, 2, rounds=2, jokers=2)
        clock.advance(10)
        party.write(seats.take_seat, 2, 2, "", "abc")
        clock.advance(10)
        party.write(seats.start, 1, "def")
        clock.advance(10)
        party.pass_round()
        party.everybody_is_ready()
        party.pass_round()
        honest |= record_of(party)
    check_honest(honest, tmp_path)
    tampered = copy.deepcopy(honest)
    TAMPERED[what](tampered)
    assert tampered != honest
    assert room_says(tampered)
    status, words = stranger_says(tampered, tmp_path)
    assert status == 1
    assert "honest\n" not in words.replace("NOT honest", "")


def test_the_room_rejects_a_hand_that_was_not_held(open_context: OpenContext, sqlite_url: str, tmp_path: Path) -> None:
    """What a card was drawn from is for the rules to say: that is beyond forty lines."""
    record = record_of(whole_match(open_context(sqlite_url), "life", 3, {}))
    drawn = next(one for one in _round(record)["dealt"] if record["moves"][one["move"]]["move"] == "draw")
    drawn["cards"] = [record["moves"][drawn["move"]]["card"]] * len(drawn["cards"])
    assert stranger_says(record, tmp_path)[0] == 0
    assert room_says(record)


def test_a_record_without_a_proof_is_neither() -> None:
    with pytest.raises(MalformedRecord, match="has none"):
        faults_of(parse('{"game": "lucky_paw", "seats": 2}'))
    with pytest.raises(MalformedRecord, match="proof"):
        faults_of(parse('{"game": "lucky_paw", "seats": 2, "proof": {"table": 1}}'))


# From the first page to the last


def test_nothing_is_dealt_from_a_secret_that_was_not_sealed_and_shown_before(
    context: AppContext, clock: Clock, tmp_path: Path
) -> None:
    party = gather(context, 2, rounds=2)
    place = str(party.row.id)
    seen = []
    for stage, number in ((GATHERING, "1.1"), (SCORES, "1.2"), (FINISHED, "2.1")):
        page = party.look(party.guests[0])
        assert (page.table.status, page.coming.commitment) == (stage, sealed(context)[place, number].commitment)
        assert sealed(context)[place, number].dealt_at is None
        seen.append(page.coming.commitment)
        clock.advance(5)
        if stage == GATHERING:
            party.write(seats.start, 1, "cut1")
        elif stage == SCORES:
            party.everybody_is_ready()
        else:
            party.write(seats.rematch, 2, "cut2")
        assert party.look(party.guests[0]).coming.commitment is None
        deal = sealed(context)[place, number]
        assert deal.dealt_at == deal.committed_at + 5
        party.pass_round()
    assert len(set(seen)) == 3
    first, second = reversed(dealt(party, party.guests[0], 1).rounds)
    assert [first.proof.commitment, second.proof.commitment] == seen[:2]
    assert first.proof.cuts == ["cut1", ""]
    assert (first.fault, second.fault, first.is_told) == ("", "", True)
    assert dealt(party, party.guests[0]).rounds[0].proof.cuts == ["", "cut2"]
    party.everybody_is_ready()
    party.pass_round()
    check_honest(record_of(party), tmp_path)


def test_the_last_cut_before_the_deal_counts_and_is_used_up(context: AppContext) -> None:
    party = gather(context, 3, rounds=2)
    party.write(seats.take_seat, 2, 2, "", "first")
    party.write(seats.take_seat, 2, 2, "", "second")
    party.write(seats.take_seat, 2, 2, "", "")
    assert party.look(party.guests[1]).coming.my_cut == "second"
    assert party.look(party.guests[0]).coming.my_cut == ""
    party.write(seats.move_seat, 1, 2, 3)
    party.write(seats.start, 1)
    assert dealt(party, party.guests[0]).rounds[0].proof.cuts == ["", "", "second"]
    party.pass_round()
    party.everybody_is_ready()
    assert dealt(party, party.guests[0]).rounds[0].proof.cuts == ["", "", ""]


@pytest.mark.parametrize("cut", ["a" * 33, "not so", "é", "<b>", "0x-1"])
def test_a_cut_is_letters_and_digits(context: AppContext, cut: str) -> None:
    party = gather(context, 2)
    with refused(context, Refused, "BAD_CUT"):
        party.write(seats.start, 1, cut)
    with refused(context, Refused, "BAD_CUT"):
        party.write(seats.take_seat, 2, 2, "", cut)
    party.write(seats.start, 1)
    party.pass_round()
    with refused(context, Refused, "BAD_CUT"):
        party.write(play.set_ready, 1, cut)


def test_nobody_is_told_a_secret_while_its_round_is_played(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    for guest in (None, *party.guests):
        (one,) = dealt(party, guest).rounds
        assert (one.is_over, one.is_told, one.proof.secret, one.proof.dealt) == (False, False, "", [])
        assert one.proof.commitment
    party.pass_round()
    (one,) = dealt(party).rounds
    assert len(one.proof.secret) == 64
    party.write(spectators.set_spectators, 1, "none")
    with pytest.raises(Forbidden):
        dealt(party)
    with pytest.raises(NotFound):
        dealt(party, party.guests[0], 2)


def test_what_is_dealt_after_a_takeback_is_another_shuffle(context: AppContext, tmp_path: Path) -> None:
    """Who has seen a shuffle and takes the move back that led to it does not meet it again."""
    context.random = random.Random(5)
    guests = tuple(welcome(context, name) for name in NAMES[:2])
    rules = {"decks": 1}
    slug = context.write(create.create_table, guests[0].id, "life", 2, rules, setup_with(undo="vote"))
    party = Party(context, slug, guests)
    party.write(seats.take_seat, 2, 2, "Bob")
    party.write(seats.start, 1)
    dice = random.Random(2)
    again = 0
    while (turn := party.turn()) and again < 3:
        before = len(party.moves())
        party.play_well(turn, dice)
        fresh = party.moves()[before:]
        if any(move.seat == 0 for move in fresh) and party.row.status == PLAYING:
            party.write(takeback.take_back, turn.seat, party.version)
            party.write(takeback.answer, 3 - turn.seat, party.version, True)
            again += 1
    play_out(party, dice)
    record = record_of(party)
    taken = [one for one in _round(record)["dealt"] if "taken_back" in one]
    assert len(taken) >= 3
    check_honest(record, tmp_path)
    record["proof"]["rounds"][0]["dealt"].remove(taken[0])
    assert room_says(record)
    assert stranger_says(record, tmp_path)[0] == 1


# Rooms that were not always so


def forget_seals(context: AppContext) -> None:
    """The room as the release before this one left it."""
    run(context, delete(models.Deal), update(models.Table).values(commitment=None))


def test_a_round_that_began_before_is_played_on_and_says_so(context: AppContext, tmp_path: Path) -> None:
    party = begin(context, 2, rounds=2)
    forget_seals(context)
    party.pass_round()
    assert party.look().coming.commitment
    party.everybody_is_ready()
    party.pass_round()
    second, first = dealt(party, party.guests[0]).rounds
    assert (first.proof.commitment, second.fault) == ("", "")
    assert "begun before" in first.fault
    record = record_of(party)
    assert room_says(record) == [str(first.fault), "Some moves of the dealer’s have no proof, or are not by the rules."]
    assert "begun before" in stranger_says(record, tmp_path)[1]


def test_a_table_that_gathers_is_sealed_when_it_is_touched(context: AppContext, tmp_path: Path) -> None:
    party = gather(context, 2, rounds=1)
    forget_seals(context)
    assert party.look().coming.commitment is None
    party.write(seats.take_seat, 2, 2, "", "cut")
    assert party.look().coming.commitment
    forget_seals(context)
    party.write(seats.start, 1)
    party.pass_round()
    record = record_of(party)
    assert _round(record)["committed_at"] == _round(record)["dealt_at"]
    assert _round(record)["cuts"] == ["", "cut"]
    check_honest(record, tmp_path)


def test_a_record_of_rounds_without_seals_is_as_ever(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    forget_seals(context)
    party.pass_round()
    assert "proof" not in record_of(party)


# Put back from a copy


def _raise(context: AppContext) -> None:
    context.writer.run(lambda transaction: epochs.raise_epoch(transaction.connection, context.now()))
    context.snapshots, context.rounds = VersionedCache(), VersionedCache()


def test_after_a_restore_nothing_sealed_before_is_dealt_from(context: AppContext, clock: Clock, tmp_path: Path) -> None:
    playing, waiting = begin(context, 2, rounds=2), gather(context, 2, rounds=1)
    waiting.write(seats.take_seat, 2, 2, "", "known")
    before, version = sealed(context), waiting.version
    clock.advance(60)
    _raise(context)
    after = sealed(context)
    mine = str(playing.row.id), "1.1"
    other = str(waiting.row.id), "1.1"
    assert after[mine] == before[mine]
    assert (after[other].secret != before[other].secret, after[other].committed_at) == (True, clock())
    assert waiting.look().coming.commitment == after[other].commitment
    assert waiting.version == version + 1
    assert waiting.look(waiting.guests[1]).coming.my_cut == ""
    waiting.write(seats.start, 1)
    waiting.pass_round()
    playing.pass_round()
    check_honest(record_of(waiting), tmp_path)
    (one,) = dealt(playing).rounds
    assert (one.fault, one.epochs) == ("", 0)  # nothing was dealt in it since


def test_a_round_is_dealt_on_from_another_epoch_each_time_it_is_put_back(
    open_context: OpenContext, sqlite_url: str, tmp_path: Path
) -> None:
    context = open_context(sqlite_url)
    context.random = random.Random(9)
    party = whole_match(context, "life", 3, {}, 0)
    dice = random.Random(4)

    def dealers() -> int:
        return sum(move.seat == 0 for move in party.moves())

    for wanted in (3, 5):
        while dealers() < wanted:
            turn = party.turn()
            assert turn
            party.play_well(turn, dice)
        _raise(context)
        _raise(context)
    play_out(party, dice)
    record = record_of(party)
    labels = [one.get("epoch", "") for one in _round(record)["dealt"]]
    assert len(set(labels)) == 3
    check_honest(record, tmp_path)
    one = dealt(party).rounds[-1]
    assert (one.fault, one.epochs) == ("", 2)


def test_the_same_copy_put_back_twice_deals_two_different_shuffles(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    _raise(context)
    _raise(context)
    round_id = party.moves()[0].round_id
    with context.database.reading() as connection:
        one, other = all_of(connection, select(models.Epoch).order_by(models.Epoch.number))
    assert one.label != other.label
    assert (one.dealt, one.last_round) == (other.dealt, other.last_round) == ({str(round_id): 1}, round_id)
    assert deals.label_of([other, one], round_id, 0) == ""
    assert deals.label_of([other, one], round_id, 1) == deals.label_of([other, one], round_id + 1, 0) == other.label


# The same deal at every table of a stage


def test_a_stage_with_the_same_deal_is_sealed_before_anybody_enters(context: AppContext, tmp_path: Path) -> None:
    _host, one, two = same_deal(context, rounds=2)
    stages = {number: deal for (place, number), deal in sealed(context).items() if "/" in place}
    assert set(stages) == {"stage"}
    place, before = next((place, deal) for (place, number), deal in sealed(context).items() if place.endswith("/1"))
    assert one.row.commitment == two.row.commitment == before.commitment
    for party in (one, two):
        assert dealt(party, party.guests[0]).rounds[0].proof.commitment == before.commitment
    one.pass_round()
    assert one.look(one.guests[0]).coming.commitment == before.commitment
    one.everybody_is_ready()
    one.pass_round()
    for guest in one.guests:
        assert [round.is_told or round.proof.secret for round in dealt(one, guest).rounds] == ["", ""]
    two.pass_round()
    two.everybody_is_ready()
    two.pass_round()
    records = [record_of(party) for party in (one, two)]
    for record in records:
        check_honest(record, tmp_path)
        assert {this["place"] for this in record["proof"]["rounds"]} == {place}
    assert [m for m in records[0]["moves"] if m["seat"] == 0] == [m for m in records[1]["moves"] if m["seat"] == 0]
    assert [round.is_told for round in dealt(one, one.guests[0]).rounds] == [True, True]


def test_a_same_deal_stage_that_was_set_before_deals_were_sealed_goes_on_alike(context: AppContext) -> None:
    _, one, two = same_deal(context, rounds=2)
    forget_seals(context)
    for party in (one, two):
        party.pass_round()
        party.everybody_is_ready()
        party.pass_round()
    found = [[move.move for move in party.moves() if move.seat == 0] for party in (one, two)]
    assert found[0][1] == found[1][1]
    assert all("begun before" in round.fault for round in dealt(one, one.guests[0]).rounds)


def test_tables_of_other_tournaments_are_sealed_when_they_are_set(context: AppContext, tmp_path: Path) -> None:
    _, one, two = same_deal(context, secret=False)
    for party in (one, two):
        party.pass_round()
        check_honest(record_of(party), tmp_path)
    assert one.moves()[0].move != two.moves()[0].move
