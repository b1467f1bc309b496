"""Gentle, steady and sharp: what each does of a good player's choices."""

from random import Random
from typing import Any

import pytest

from snug.bots import levels
from snug.bots.self_play import play_match
from snug.engine.game import Game, Move, View, read_options
from snug.engine.match import Match
from snug.games import GAMES

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in GAMES.values()])


def moments(game: Game[Any], seed: str = "levels") -> list[tuple[Match, View]]:
    """Every choice of a match of one round, and what the seat knew then."""
    found: list[tuple[Match, View]] = []

    def choose(match: Match, view: View, chance: Random) -> Move:
        if len(view.legal) > 1:
            found.append((match, view))
        return levels.choose(game.key, levels.STEADY, view, chance)

    given = game.shortest.options if game.shortest else {}
    seats = max(game.seats[0], min(4, game.seats[1]))
    play_match(game, read_options(game, seats, given), seats, seed, choose)
    return found


@pytest.mark.parametrize(
    ("name", "level"), [("easy", "gentle"), ("good", "steady"), ("gentle", "gentle"), ("sharp", "sharp")]
)
def test_older_names_are_understood(name: str, level: str) -> None:
    assert levels.level_of(name) == level


@pytest.mark.parametrize("name", ["", "brilliant", "random", "Sharp"])
def test_other_names_are_not(name: str) -> None:
    with pytest.raises(ValueError, match="there is no level"):
        levels.level_of(name)


@every_game
def test_gentle_does_what_steady_does_but_for_a_share(game: Game[Any]) -> None:
    """And what it does then is a move, too."""
    oversight = levels.thinking_of(game.key).oversight
    assert 0.05 <= oversight <= 0.6
    other = total = 0
    for number, (match, view) in enumerate(moments(game)):
        for seed in range(10 * number, 10 * number + 10):
            usual, move = (
                levels.choose(game.key, level, view, Random(seed)) for level in (levels.STEADY, levels.GENTLE)
            )
            game.check(match.round, view.seat or 0, move)
            total += 1
            other += move != usual
    assert total > 50
    assert oversight / 8 < other / total < oversight + 0.1


def test_every_level_plays_by_the_same_dice_alike() -> None:
    for game in GAMES.values():
        for _, view in moments(game)[:3]:
            for level in (levels.GENTLE, levels.STEADY):
                first, second = (levels.choose(game.key, level, view, Random(7)) for _ in range(2))
                assert first == second


def test_a_game_without_imagination_is_played_steadily(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(iter(GAMES.values()))
    monkeypatch.setattr(type(game), "determinize", Game.determinize)
    assert not game.has_imagination
    _, view = moments(game)[0]
    steady, sharp = (levels.choose(game.key, level, view, Random(1)) for level in (levels.STEADY, levels.SHARP))
    assert steady == sharp
