"""`snug ladder`: the same seed gives the same shares, and who is stronger is rated higher."""

import argparse
import json
from typing import Any

import pytest

from app.cli.makers.ladder import Player, play_duel, read_player
from app.cli.parser import main
from snug.engine.game import read_options
from snug.games import GAMES

GAME = "lives"


def ladder(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    words = ["ladder", "--game", GAME, "--players", "random", "gentle", "steady", "--deals", "12", "--json", *more]
    assert main(words) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_it_rates_the_stronger_higher(capsys: pytest.CaptureFixture[str]) -> None:
    answer = ladder(capsys)
    assert [it["player"] for it in answer["ratings"]][-1] == "random"
    assert [(it["one"], it["many"]) for it in answer["pairings"]] == [
        ("gentle", "random"),
        ("steady", "random"),
        ("steady", "gentle"),
    ]
    assert answer["matches"] == 3 * 12 * 4
    assert answer["fair"] == 0.25
    assert {it["player"] for it in answer["costs"]} == {"random", "gentle", "steady"}
    zero = next(it for it in answer["ratings"] if it["player"] == "steady")
    assert (zero["rating"], zero["low"], zero["high"]) == (0, 0, 0)


def test_the_same_seed_gives_the_same_shares_in_however_many_processes(capsys: pytest.CaptureFixture[str]) -> None:
    one, two, other = (ladder(capsys, *more) for more in ((), ("--jobs", "2"), ("--seed", "other")))
    assert one["pairings"] == two["pairings"] != other["pairings"]


def test_a_deal_is_played_from_every_seat() -> None:
    options = read_options(GAMES[GAME], 3, {})
    duel = play_duel(GAME, options, 3, (Player("steady"), Player("random"), "deal"))
    assert [table.players.index("steady") for table in duel.tables] == [0, 1, 2]
    assert all(sum(table.firsts) == pytest.approx(1) for table in duel.tables)
    assert all(seconds > 0 for spent in duel.seconds for seconds in spent)


def test_who_sees_all_cards_is_a_player_of_the_ladder() -> None:
    game = next(game for game in GAMES.values() if game.has_imagination)
    given = game.shortest.options if game.shortest else {}
    seats = game.seats[0]
    duel = play_duel(game.key, read_options(game, seats, given), seats, (Player("open", 60), Player("random"), "deal"))
    assert [table.players.index("open:60") for table in duel.tables] == list(range(seats))


@pytest.mark.parametrize("text", ["gentle", "random", "sharp", "sharp:200", "open:90"])
def test_a_player_is_written_as_he_is_printed(text: str) -> None:
    assert read_player(text).name == text


@pytest.mark.parametrize("text", ["", "brilliant", "steady:9", "sharp:", "sharp:0", "sharp:-1", "sharp:x"])
def test_nobody_else_is_a_player(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is none of"):
        read_player(text)


@pytest.mark.parametrize("players", [["steady"], ["steady", "steady"]])
def test_it_takes_two(players: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "--game", GAME, "--players", *players]) == 2
    assert "name at least two" in capsys.readouterr().err


def test_it_prints_what_a_person_can_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "--game", GAME, "--players", "random", "steady", "--deals", "3"]) == 0
    printed = capsys.readouterr().out
    assert "First (fair 25%)" in printed
    assert "Median ms a move" in printed
