"""Rounds make a match: dealers, totals, places, the end."""

from typing import Any

import pytest
from msgspec import structs

from snug.engine import match as matches
from snug.engine.cards import PACK
from snug.engine.chance import Choose, Shuffle, ShuffleDue
from snug.engine.game import BadSetup, IllegalMove, InvalidMove, plain, read_move, read_options
from snug.engine.match import Match, MatchOver, RoundOver
from snug.engine.places import TieBreak, deciders_of, places_of
from snug.games.lucky_paw import GAME as lucky_paw
from snug.games.lucky_paw import LuckyPaw
from snug.games.lucky_paw.options import LuckyPawOptions
from snug.games.lucky_paw.state import PASS, LuckyPawState, Play
from snug.words import Plural


def begin(seats: int, **options: Any) -> Match:
    return matches.begin(lucky_paw, read_options(lucky_paw, seats, options), seats)


def dealt(table: Match) -> Match:
    return matches.play(table, 0, Shuffle(PACK))[0]


def passed_out(table: Match) -> tuple[Match, list[Any]]:
    """The table after everybody passed until the round was over, and all that came of it."""
    events: list[Any] = []
    while not table.round_over:
        table, came = matches.play(table, table.to_act[0], PASS)
        events += came
    return table, events


def test_a_card_that_is_lost_added_or_changed_is_noticed() -> None:
    new, table = begin(2), dealt(begin(2))
    after = matches.play(table, table.to_act[0], PASS)[0]
    assert matches.keeps_cards(new, table, Shuffle(PACK))
    assert matches.keeps_cards(table, after, PASS)
    top, *rest = after.round.stock
    for stock in (rest, [top, *after.round.stock], [after.round.open[0][0], *rest]):
        other = structs.replace(after, round=structs.replace(after.round, stock=tuple(stock)))
        assert not matches.keeps_cards(table, other, PASS)
        assert not matches.keeps_cards(new, other, Shuffle(PACK))


def refused(table: Match, seat: int, move: Any) -> IllegalMove:
    with pytest.raises(IllegalMove) as refusal:
        matches.play(table, seat, move)
    return refusal.value


def test_a_match_begins_before_the_deal_with_nothing_scored() -> None:
    table = begin(3)
    assert (table.number, table.rounds, table.totals, table.places) == (1, (), (0, 0, 0), (1, 1, 1))
    assert (table.over, table.round_over, table.to_act) == (False, False, ())
    assert table.due == ShuffleDue(PACK)


def test_teams_begin_with_one_total_each() -> None:
    assert (begin(4, teams=True).totals, begin(6, teams=True).places) == ((0, 0), (1, 1))


def test_after_the_deal_one_seat_may_act_and_the_dealer_has_nothing_to_do() -> None:
    table = dealt(begin(3, starting_player=2))
    assert (table.to_act, table.due, table.round_over) == ((2,), None, False)
    assert refused(table, 0, Shuffle(PACK)).code == "IMPOSSIBLE_OUTCOME"


def test_nobody_acts_before_the_deal() -> None:
    assert refused(begin(3), 1, PASS).code == "NOT_YOUR_TURN"


@pytest.mark.parametrize("outcome", [Shuffle(PACK[1:]), Shuffle((*PACK, PACK[0])), Choose(1)])
def test_the_dealer_cannot_deal_what_is_not_there(outcome: Any) -> None:
    assert refused(begin(3), 0, outcome).code == "IMPOSSIBLE_OUTCOME"


def test_a_round_ends_with_its_scores() -> None:
    table, events = passed_out(dealt(begin(3)))
    assert events[-1] == RoundOver(1, (16, 16, 16), (16, 16, 16), (16, 16, 16))
    assert sum(isinstance(event, RoundOver) for event in events) == 1
    assert (table.round_over, table.over, table.number) == (True, False, 1)
    assert (table.rounds, table.totals, table.places) == (((16, 16, 16),), (16, 16, 16), (1, 1, 1))


def test_between_two_rounds_nobody_acts() -> None:
    table, _ = passed_out(dealt(begin(2)))
    assert (table.to_act, table.due) == ((), None)
    for seat, move in ((1, PASS), (2, PASS), (1, Play(1, 1)), (0, Shuffle(PACK))):
        refusal = refused(table, seat, move)
        assert (refusal.code, refusal.sentence) == ("GAME_OVER", "This round is over.")


def test_the_next_round_is_dealt_anew_and_adds_up() -> None:
    table, _ = passed_out(dealt(begin(2)))
    table = matches.next_round(table)
    assert (table.number, table.round_over, table.due) == (2, False, ShuffleDue(PACK))
    assert (table.rounds, table.totals) == (((24, 24),), (24, 24))
    table, events = passed_out(dealt(table))
    assert events[-1] == RoundOver(2, (24, 24), (24, 24), (48, 48))
    assert table.rounds == ((24, 24), (24, 24))


def test_the_last_round_ends_the_match() -> None:
    table, events = passed_out(dealt(begin(2, rounds=1)))
    assert events[-1] == MatchOver((24, 24), (1, 1))
    assert table.over
    for seat, move in ((1, PASS), (2, Play(1, 1)), (0, Shuffle(PACK))):
        refusal = refused(table, seat, move)
        assert (refusal.code, refusal.sentence) == ("GAME_OVER", "The game is over.")


def test_teams_score_as_one_but_the_seats_rows_are_kept() -> None:
    table = dealt(begin(4, teams=True))
    # Open AS 2S 3S 4S; seat 1 holds 5S 9S KS, the others nothing that fits before he plays.
    table, _ = matches.play(table, 1, Play(1, 4))
    table, events = passed_out(table)
    assert events[-1] == RoundOver(1, (11, 12, 12, 12), (11, 12), (11, 12))
    assert (table.rounds, table.round_entries) == (((11, 12, 12, 12),), ((11, 12),))
    assert (table.totals, table.places) == ((11, 12), (1, 2))


@pytest.mark.parametrize(
    ("totals", "places"),
    [
        ((), ()),
        ((5,), (1,)),
        ((3, 1, 2), (3, 1, 2)),
        ((11, 7, 7), (3, 1, 1)),
        ((4, 4, 9, 2), (2, 2, 4, 1)),
        ((0, 0, 0), (1, 1, 1)),
        ((9, 7, 7, 4), (4, 2, 2, 1)),
    ],
)
def test_the_lowest_total_wins_and_equal_ones_share_a_place(totals: tuple[int, ...], places: tuple[int, ...]) -> None:
    assert places_of(totals, lowest_wins=True) == places


@pytest.mark.parametrize(("fewer_wins", "places"), [(False, (3, 1, 1, 4)), (True, (1, 2, 2, 4))])
def test_a_tie_break_tells_equal_totals_apart_and_says_how(fewer_wins: bool, places: tuple[int, ...]) -> None:
    tricks = Plural("%(count)s trick", "%(count)s tricks")
    totals, tie_break = (5, 5, 5, 3), TieBreak((1, 2, 2, 9), tricks, lowest_wins=fewer_wins)
    assert places_of(totals, False, tie_break) == places
    assert deciders_of(totals, places, tie_break) == ("1 trick", "2 tricks", "2 tricks", "")


def test_standings_name_seats_totals_and_places() -> None:
    table, _ = passed_out(dealt(begin(4, teams=True)))
    assert [(one.seats, one.total, one.place) for one in table.standings] == [
        *zip(((1, 3), (2, 4)), table.totals, table.places, strict=True)
    ]


def test_a_round_begins_with_the_scores_of_those_before() -> None:
    given: list[Any] = []

    class Remembering(LuckyPaw):
        def start(self, *asked: Any) -> LuckyPawState:
            given.append(asked[4:])
            return lucky_paw.start(*asked)

    table = matches.begin(Remembering(), read_options(lucky_paw, 3, {"rounds": 2}), 3)
    first, _ = passed_out(dealt(table))
    matches.next_round(first)
    assert given == [(), (first.rounds,)]
    assert len(first.rounds) == 1


# Setting up


@pytest.mark.parametrize("seats", [-1, 0, 1, 7, 100])
def test_a_table_has_as_many_seats_as_its_game_allows(seats: int) -> None:
    with pytest.raises(BadSetup, match="is for 2 to 6 players, not") as refusal:
        read_options(lucky_paw, seats, {})
    assert refusal.value.code == "BAD_SEATS"


@pytest.mark.parametrize(
    "raw",
    [
        {"rounds": 0},
        {"rounds": 10},
        {"rounds": "3"},
        {"rounds": 3.5},
        {"rounds": True},
        {"rounds": None},
        {"rounds": [3]},
        {"jokers": 3},
        {"jokers": -1},
        {"must_play": 1},
        {"must_play": "true"},
        {"teams": None},
        {"auto_pass": 0},
        {"starting_player": 0},
        {"starting_player": 5},
        {"starting_player": 7},
        {"players": "4"},
    ],
)
def test_a_bad_option_is_refused_by_its_name(raw: dict[str, Any]) -> None:
    fields = {"rounds": "Rounds", "jokers": "Jokers", "must_play": "Must Play", "teams": "Teams"} | {
        "auto_pass": "Pass for me",
        "starting_player": "First to play",
        "players": "Players",
    }
    with pytest.raises(BadSetup) as refusal:
        read_options(lucky_paw, 4, raw)
    assert refusal.value.code == "BAD_OPTION"
    (name,) = raw
    assert name in refusal.value.reason
    assert refusal.value.sentence.lower().startswith(fields[name].lower() + ": ")


def test_an_unknown_option_is_refused_by_its_name() -> None:
    with pytest.raises(BadSetup, match=r"BAD_OPTION: .*`colour`"):
        read_options(lucky_paw, 4, {"colour": "red"})


def test_forms_send_numbers_and_truth_values_as_text() -> None:
    raw = {"rounds": "3", "must_play": "true", "teams": "0", "starting_player": "4"}
    options = read_options(lucky_paw, 4, raw, strict=False)
    assert options == LuckyPawOptions(rounds=3, must_play=True, teams=False, starting_player=4)
    assert read_move(lucky_paw, {"move": "play", "stack": "1", "open": "4"}, strict=False) == Play(1, 4)
    with pytest.raises(InvalidMove):
        read_move(lucky_paw, {"move": "play", "stack": "one", "open": "4"}, strict=False)


def test_options_are_read_back_from_what_is_stored() -> None:
    options = LuckyPawOptions(rounds=3, jokers=2, must_play=True, teams=True, starting_player=4, auto_pass=True)
    assert read_options(lucky_paw, 4, plain(options)) == options
