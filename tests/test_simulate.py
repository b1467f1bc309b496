"""Matches between bots: the same seed plays the same games, and the referee comes to the same end."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.rules import lucky_paw
from app.rules.game import DEALER, read_options
from app.rules.record import Report, parse, replay
from app.simulate import Played, simulate, summarise, write_record

LEVELS = ("good", "easy", "random")


def play(levels: tuple[str, ...] = LEVELS, games: int = 2, seed: str = "kitchen", **options: Any) -> list[Played]:
    checked = read_options(lucky_paw, len(levels), {"rounds": 2, "jokers": 1, **options})
    return list(simulate(lucky_paw, checked, levels, seed, games))


def refereed(path: Path) -> Report:
    *_, report = replay(parse(path.read_bytes()))
    return report


@pytest.mark.parametrize("options", [{}, {"must_play": True, "starting_player": 2}, {"jokers": 2, "rounds": 1}])
def test_the_referee_comes_to_the_same_end(options: dict[str, Any], tmp_path: Path) -> None:
    for number, played in enumerate(play(**options), 1):
        report = refereed(write_record(played, tmp_path, number))
        assert report.refused is None
        assert report.match == played.match
        assert report.history == played.steps
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["lucky_paw-00001.json", "lucky_paw-00002.json"]


def test_a_record_is_complete_without_its_seed_and_its_seed_deals_the_same_cards() -> None:
    (played,) = play(games=1)
    record = played.record
    assert sum(move["seat"] == DEALER for move in record.moves) == 2
    undealt = [move for move in record.moves if move["seat"] != DEALER]
    for seed, moves in (("another", record.moves), (record.seed, undealt)):
        *_, report = replay(parse(as_text(record.options, moves, seed)))
        assert report.match == played.match


def as_text(options: dict[str, Any], moves: list[dict[str, Any]], seed: str) -> bytes:
    return msgspec.json.encode({"game": "lucky_paw", "seats": 3, "options": options, "moves": moves, "seed": seed})


def test_the_same_seed_plays_the_same_games() -> None:
    first, second, other = ([it.steps for it in play(seed=seed)] for seed in ("kitchen", "kitchen", "hall"))
    assert first == second
    assert first[0] != first[1]
    assert first[0] != other[0]


def test_random_is_another_word_for_easy() -> None:
    plain, other = (play(levels)[0].steps for levels in (("easy", "easy"), ("random", "easy")))
    assert plain == other


def test_team_mates_share_their_place() -> None:
    (played,) = play(("easy",) * 4, 1, teams=True)
    odd, even = played.match.places
    assert played.seat_places == [odd, even, odd, even]


def test_a_summary_counts_up_what_was_played() -> None:
    games = play(games=6)
    summary = summarise(LEVELS, games)
    assert (summary.matches, summary.rounds) == (6, 12)
    assert summary.moves == sum(len(played.steps) for played in games) - 12
    assert summary.moves_per_second > 0
    assert [it.level for it in summary.seats] == list(LEVELS)
    for seat, it in enumerate(summary.seats):
        assert it.score == pytest.approx(sum(row[seat] for played in games for row in played.match.rounds) / 12)
        assert it.place == pytest.approx(sum(played.match.places[seat] for played in games) / 6)
    alone = sum(played.match.places.count(1) == 1 for played in games) / 6
    assert sum(it.won for it in summary.seats) == pytest.approx(alone)
    assert all(it.won + it.shared <= 1 for it in summary.seats)


def test_nothing_played_is_nothing_won() -> None:
    summary = summarise(LEVELS, [])
    assert (summary.matches, summary.moves_per_second) == (0, 0)
    assert {(it.score, it.won, it.shared, it.place) for it in summary.seats} == {(0, 0, 0, 0)}
