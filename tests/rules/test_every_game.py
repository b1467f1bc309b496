"""What holds for every game, at every table, whoever plays however: properties, tried on random games.

A new game needs one entry in `KNOWN` (`random_play.py`) and one in `GOLDEN`.
"""

import hashlib
import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.rules import GAMES
from app.rules import match as matches
from app.rules.cards import PACK, Pile
from app.rules.dealer import Choose, Draw, Shuffle, chance_of
from app.rules.game import DEALER, Game, IllegalMove, InvalidMove, Move, plain, read_move
from app.rules.match import Match
from app.rules.record import Report, Step, as_json, parse, replay, step_as_json
from tests.rules.random_play import (
    KNOWN,
    Eye,
    Known,
    Player,
    Shuffler,
    any_move,
    begin,
    every_table,
    eyes,
    frozen,
    moments,
    numbers,
    options_of,
    play_on,
    written,
)

# The beginning of the SHA-256 of each table's `golden_text`.
GOLDEN = {
    "lucky_paw": {
        2: "57b3f0f6ab1f375c",
        3: "8c4c3ebb4e76a0e8",
        4: "ca8a3be1b612543e",
        5: "102cb5468fd7c6a8",
        6: "b65b94bf992b1f1f",
    },
}


def test_every_game_known_to_these_tests_has_golden_rounds() -> None:
    assert set(GAMES) >= set(KNOWN) == set(GOLDEN)


# Play


@every_table
@given(data=st.data())
def test_a_round_ends_in_time_and_no_card_is_lost_or_doubled(game: Game[Any], seats: int, data: st.DataObject) -> None:
    known = KNOWN[game.KEY]
    table = begin(game, seats, data.draw(options_of(game, seats)))
    moves = 0
    for _, (seat, _), after in play_on(table, Player(data.draw(numbers))):
        moves += seat != DEALER
        assert moves <= known.longest_round(seats)
        cards = known.cards_of(after.round)
        suited = [card for card in cards if not card.is_joker]
        assert len(cards) == known.pack_size
        assert len(set(suited)) == len(suited)
        table = after
    assert table.round_over
    assert (table.to_act, table.due) == ((), None)


@every_table
@given(data=st.data())
def test_somebody_can_act_and_every_legal_move_is_accepted(game: Game[Any], seats: int, data: st.DataObject) -> None:
    table = data.draw(moments(game, seats))
    assert bool(table.to_act) == (table.due is None)
    before, dice = frozen(table), random.Random(data.draw(numbers))
    for seat in range(1, seats + 1):
        view = game.view(table.round, seat)
        assert len(set(view.legal)) == len(view.legal)
        assert bool(view.legal) == (seat in table.to_act)
        for move in (view.complete(legal, dice.randrange) for legal in view.legal):
            game.check(table.round, seat, move)
            after, events = matches.play(table, seat, move)
            assert events
            assert frozen(after) != before
            assert frozen(table) == before, "the old state is as it was"
            assert read_move(game, plain(move)) == move


def refusal_of(table: Match, seat: int, move: Move) -> IllegalMove | None:
    try:
        matches.play(table, seat, move)
    except IllegalMove as refusal:
        return refusal
    return None


@every_table
@given(data=st.data())
def test_just_what_is_not_legal_is_refused_and_changes_nothing(
    game: Game[Any], seats: int, data: st.DataObject
) -> None:
    table, dice = data.draw(moments(game, seats)), random.Random(data.draw(numbers))
    before = frozen(table)
    legal = {seat: game.legal(table.round, seat) for seat in (-1, *range(1, seats + 2))}
    for _ in range(150):
        seat, move = dice.choice(list(legal)), any_move(game, dice)
        refusal = refusal_of(table, seat, move)
        assert (refusal is None) == (move in legal[seat]), (seat, move)
        if refusal is not None:
            assert refusal.code.replace("_", "").isupper()
            assert refusal.sentence.endswith(".")
    assert frozen(table) == before


@every_table
@given(data=st.data())
def test_the_dealer_does_nothing_but_what_is_due(game: Game[Any], seats: int, data: st.DataObject) -> None:
    table = data.draw(moments(game, seats))
    before = frozen(table)
    for outcome in (Shuffle(()), Shuffle(PACK[1:]), Draw(PACK[0]), Choose(0), Choose(seats + 1)):
        assume(table.due is None or not table.due.admits(outcome))
        with pytest.raises(IllegalMove) as refusal:
            matches.play(table, DEALER, outcome)
        assert refusal.value.code == "IMPOSSIBLE_OUTCOME"
    assert frozen(table) == before


nothing_sensible = st.none() | st.booleans() | st.integers() | st.floats() | st.text("♣ 0x", max_size=5)
junk = st.recursive(nothing_sensible, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=4)


@every_table
@given(data=st.data())
def test_what_is_not_a_move_at_all_is_refused_in_words(game: Game[Any], seats: int, data: st.DataObject) -> None:
    value, move = data.draw(junk), plain(any_move(game, random.Random(data.draw(numbers))))
    for raw in ({}, {"move": value}, {**move, "move": value}, {**move, "what": value}, {"verb": move["move"]}):
        with pytest.raises(InvalidMove) as refusal:
            read_move(game, raw)
        assert refusal.value.code == "BAD_MOVE"
        assert game.NAME in refusal.value.sentence


@every_table
@given(data=st.data())
def test_what_the_room_may_do_by_itself_is_the_only_legal_move(
    game: Game[Any], seats: int, data: st.DataObject
) -> None:
    table = data.draw(moments(game, seats))
    automatic = game.automatic(table.round)
    if automatic is not None:
        seat, move = automatic
        assert game.legal(table.round, seat) == (move,)


# Records


def random_match(data: st.DataObject, game: Game[Any], seats: int) -> tuple[dict[str, Any], list[Step], Match]:
    """Options, moves and end of a match, or of its first two rounds."""
    options = data.draw(options_of(game, seats))
    table, steps = begin(game, seats, options), []
    for _, step, after in play_on(table, Player(data.draw(numbers)), rounds=2):
        steps.append(step)
        table = after
    return options, steps, table


@every_table
@given(data=st.data())
def test_a_record_plays_back_to_the_same_match(game: Game[Any], seats: int, data: st.DataObject) -> None:
    options, steps, end = random_match(data, game, seats)
    reading = parse(written(game, seats, options, steps))
    assert list(reading.steps) == steps
    *_, report = replay(reading)
    assert (report.refused, report.accepted, list(report.history[: len(steps)])) == (None, len(steps), steps)
    assert (report.match.rounds, report.match.totals, report.match.over) == (end.rounds, end.totals, end.over)
    printed = parse(written(game, seats, plain(end.options), list(report.history), seed="no matter"))
    assert printed.start == reading.start
    assert list(replay(printed))[-1].match == report.match, "what the referee prints needs no seed"


@every_table
@given(data=st.data())
def test_play_goes_on_alike_from_a_printed_position(game: Game[Any], seats: int, data: st.DataObject) -> None:
    options, steps, end = random_match(data, game, seats)
    reports = list(replay(parse(written(game, seats, options, steps))))
    at = data.draw(st.integers(0, len(reports) - 1))
    there = reports[at].match
    assume(there.due is None)
    position = json.loads(json.dumps(as_json(reports[at])["position"]))
    reading = parse(written(game, seats, options, steps[at + 1 :], position=position))
    assert frozen(reading.start) == frozen(there), "a position says everything"
    *_, report = replay(reading)
    assert report.refused is None
    assert (report.match.rounds, report.match.totals, report.match.over) == (end.rounds, end.totals, end.over)


@every_table
@given(data=st.data())
def test_a_seed_stands_for_the_dealers_moves(game: Game[Any], seats: int, data: st.DataObject) -> None:
    options, seed = data.draw(options_of(game, seats)), data.draw(st.text(max_size=8))
    text = written(game, seats, options, [], seed=seed)
    (report,), (again,) = replay(parse(text)), replay(parse(text))
    assert report == again
    assert [seat for seat, _ in report.history].count(DEALER) == len(report.history) > 0
    *_, spelt_out = replay(parse(written(game, seats, options, list(report.history), seed="no matter")))
    assert spelt_out.match == report.match


@every_table
@given(data=st.data())
def test_play_stops_at_the_first_refused_move(game: Game[Any], seats: int, data: st.DataObject) -> None:
    options, steps, _ = random_match(data, game, seats)
    cut = data.draw(st.integers(0, len(steps) - 1))
    odd = (DEALER, Choose(seats + 1))
    *reports, refused = replay(parse(written(game, seats, options, [*steps[:cut], odd, *steps[cut:]])))
    assert len(reports) == cut
    assert refused.refused is not None
    assert (refused.refused.index, refused.refused.error.code, refused.accepted) == (cut, "IMPOSSIBLE_OUTCOME", cut)
    assert list(refused.history[:cut]) == steps[:cut]


# Views


def in_another_world(report: Report, eye: Eye, known: Known, shuffle: Shuffler) -> Report:
    """A report that an eye must not be able to tell from this one: other hidden cards, other shuffles."""
    state = known.hidden_elsewhere(report.match.round, eye, shuffle)
    history = tuple(
        (seat, Shuffle(shuffle(move.cards)) if isinstance(move, Shuffle) else move) for seat, move in report.history
    )
    return msgspec.structs.replace(report, match=msgspec.structs.replace(report.match, round=state), history=history)


def what_is_seen(report: Report, eye: Eye) -> tuple[str, str]:
    view = report.match.rules.view(report.match.round, eye)
    return json.dumps(plain(view)), json.dumps(as_json(report, eye))


@every_table
@given(data=st.data())
def test_nobody_sees_a_hidden_card(game: Game[Any], seats: int, data: st.DataObject) -> None:
    """The two-world test: what an eye may not know can change without changing a byte of what it is shown."""
    known, dice = KNOWN[game.KEY], random.Random(data.draw(numbers))

    def shuffle(cards: Pile) -> Pile:
        return tuple(dice.sample(cards, len(cards)))

    report = Report(data.draw(moments(game, seats)), 0, ((DEALER, Shuffle(PACK)),))
    for eye in eyes(seats):
        other = in_another_world(report, eye, known, shuffle)
        assert len(known.cards_of(other.match.round)) == len(known.cards_of(report.match.round))
        assert what_is_seen(other, eye) == what_is_seen(report, eye)


@every_table
@given(data=st.data())
def test_everybody_sees_a_card_on_the_table(game: Game[Any], seats: int, data: st.DataObject) -> None:
    """That the two-world test can fail: it does when a card changes that is seen, and so does the referee's eye."""
    known, table = KNOWN[game.KEY], data.draw(moments(game, seats))
    assume(table.due is None)
    report = Report(table, 0, ((DEALER, Shuffle(PACK)),))
    changed = msgspec.structs.replace(table, round=known.seen_elsewhere(table.round))
    other = msgspec.structs.replace(report, match=changed)
    for eye in eyes(seats):
        pairs = zip(what_is_seen(report, eye), what_is_seen(other, eye), strict=True)
        assert all(here != there for here, there in pairs)


@every_table
def test_the_other_world_is_really_another(game: Game[Any], seats: int) -> None:
    *_, table = (before for before, _, _ in list(play_on(begin(game, seats, {}), Player(seats)))[:2])
    report = Report(table, 0, ((DEALER, Shuffle(PACK)),))
    other = in_another_world(report, None, KNOWN[game.KEY], lambda cards: cards[::-1])
    assert as_json(other)["position"] != as_json(report)["position"]
    assert as_json(other)["moves"] != as_json(report)["moves"]


@every_table
@given(data=st.data())
def test_a_view_names_the_moves_of_its_own_seat(game: Game[Any], seats: int, data: st.DataObject) -> None:
    table = data.draw(moments(game, seats))
    for eye in eyes(seats):
        view = game.view(table.round, eye)
        assert (view.seat, view.seats, view.to_act) == (eye, seats, table.to_act)
        assert view.legal == (game.legal(table.round, eye) if eye in table.to_act else ())


# Golden records: every machine and every Python must come to the same


def golden_text(game: Game[Any], seats: int, rounds: int = 2) -> str:
    """Moves and scores of a match in which every choice is made by the dealer's chance, so that nothing else counts."""
    table, chance, moves = begin(game, seats, {}), chance_of("golden player", seats), []
    for number in range(rounds):
        table = matches.next_round(table) if number else table
        while not table.round_over:
            if (due := table.due) is not None:
                step: Step = (DEALER, due.outcome(chance_of("golden dealer", number)))
            else:
                seat = table.to_act[chance.below(len(table.to_act))]
                view = game.view(table.round, seat)
                step = (seat, view.complete(view.legal[chance.below(len(view.legal))], chance.below))
            moves.append(step_as_json(step))
            table, _ = matches.play(table, *step)
    return json.dumps([moves, table.rounds, table.totals, table.places])


@every_table
def test_a_seeded_match_is_the_same_everywhere(game: Game[Any], seats: int) -> None:
    digest = hashlib.sha256(golden_text(game, seats).encode()).hexdigest()
    assert digest[:16] == GOLDEN[game.KEY][seats]
