"""Matches between bots: the same seed plays the same games, and the referee comes to the same end."""

import pickle
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.cli.makers.simulate import Played, simulate, summarise, write_record
from snug.engine.game import DEALER, Game, read_options
from snug.engine.record import Report, parse, replay
from snug.games import GAMES
from snug.games.lucky_paw import GAME as lucky_paw

LEVELS = ("steady", "random", "gentle")
every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in GAMES.values()])


def play(levels: tuple[str, ...] = LEVELS, games: int = 2, seed: str = "kitchen", **options: Any) -> list[Played]:
    checked = read_options(lucky_paw, len(levels), {"rounds": 2, "jokers": 1, **options})
    return list(simulate(lucky_paw, checked, levels, seed, games))


def refereed(path: Path) -> Report:
    *_, report = replay(parse(path.read_bytes()))
    return report


def assert_the_referee_agrees(played: Played, path: Path) -> None:
    report = refereed(path)
    assert report.refused is None
    assert report.history == played.steps
    end = report.match
    assert (end.over, end.rounds, end.totals, end.places) == (True, played.rounds, played.totals, played.places)


@pytest.mark.dear(0.6, "whole rounds")
@every_game
def test_the_referee_comes_to_the_same_end(game: Game[Any], tmp_path: Path) -> None:
    """At tables of the host's presets, small and large."""
    low, high = game.seats
    for number, (preset, seats) in enumerate(zip(game.presets, (low, (low + high) // 2, high), strict=True), 1):
        levels = [LEVELS[(seat + number) % 3] for seat in range(seats)]
        (played,) = simulate(game, read_options(game, seats, preset.options), levels, "kitchen", 1)
        assert_the_referee_agrees(played, write_record(played, tmp_path, number))
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{game.key}-{at:05}.json" for at in (1, 2, 3)]


@pytest.mark.parametrize("options", [{"must_play": True, "starting_player": 2}, {"jokers": 2, "rounds": 1}])
def test_a_record_says_which_options_were_played(options: dict[str, Any], tmp_path: Path) -> None:
    for number, played in enumerate(play(**options), 1):
        assert_the_referee_agrees(played, write_record(played, tmp_path, number))


def test_several_processes_play_the_same_games_in_the_same_order() -> None:
    game = GAMES["follow_the_leader"]
    options = read_options(game, 3, {})
    alone, together = (list(simulate(game, options, LEVELS, "kitchen", 11, jobs)) for jobs in (1, 2))
    assert [msgspec.structs.replace(played, seconds=0) for played in together] == [
        msgspec.structs.replace(played, seconds=0) for played in alone
    ]


@every_game
def test_a_match_may_come_from_another_process(game: Game[Any]) -> None:
    (played,) = simulate(game, read_options(game, 3, {}), ["random"] * 3, "kitchen", 1)
    received = pickle.loads(pickle.dumps(played))
    assert received == played
    assert received.record == played.record


def test_whoever_may_act_gets_a_chance_to_act_first() -> None:
    """Where several may act, as when suits are chosen in Life, it is not always the lowest seat."""
    life = GAMES["life"]
    games = simulate(life, read_options(life, 3, {"target": 20}), LEVELS, "who", 12)
    assert {played.steps[0][0] for played in games} == {1, 2, 3}


def test_a_record_is_complete_without_its_seed_and_its_seed_deals_the_same_cards() -> None:
    (played,) = play(games=1)
    record = played.record
    assert sum(move["seat"] == DEALER for move in record.moves) == 2
    undealt = [move for move in record.moves if move["seat"] != DEALER]
    for seed, moves in (("another", record.moves), (record.seed, undealt)):
        *_, report = replay(parse(as_text(record.options, moves, seed)))
        assert (report.match.rounds, report.match.totals) == (played.rounds, played.totals)


def as_text(options: dict[str, Any], moves: list[dict[str, Any]], seed: str) -> bytes:
    return msgspec.json.encode({"game": "lucky_paw", "seats": 3, "options": options, "moves": moves, "seed": seed})


def test_the_same_seed_plays_the_same_games() -> None:
    first, second, other = ([it.steps for it in play(seed=seed)] for seed in ("kitchen", "kitchen", "hall"))
    assert first == second
    assert first[0] != first[1]
    assert first[0] != other[0]


def test_team_mates_share_their_place() -> None:
    (played,) = play(("random",) * 4, 1, teams=True)
    odd, even = played.places
    assert played.seat_places == [odd, even, odd, even]


def test_a_summary_counts_up_what_was_played() -> None:
    games = play(games=6)
    summary = summarise(LEVELS, games)
    assert (summary.matches, summary.rounds) == (6, 12)
    assert summary.moves == sum(len(played.steps) for played in games) - 12
    assert summary.moves_per_second > 0
    assert [it.level for it in summary.seats] == list(LEVELS)
    for seat, it in enumerate(summary.seats):
        assert it.score == pytest.approx(sum(row[seat] for played in games for row in played.rounds) / 12)
        assert it.place == pytest.approx(sum(played.places[seat] for played in games) / 6)
    alone = sum(played.places.count(1) == 1 for played in games) / 6
    assert sum(it.won for it in summary.seats) == pytest.approx(alone)
    assert all(it.won + it.shared <= 1 for it in summary.seats)


def test_nothing_played_is_nothing_won() -> None:
    summary = summarise(LEVELS, [])
    assert (summary.matches, summary.moves_per_second) == (0, 0)
    assert {(it.score, it.won, it.shared, it.place) for it in summary.seats} == {(0, 0, 0, 0)}
