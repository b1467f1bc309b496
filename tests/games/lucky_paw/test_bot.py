"""Lucky Paw's bots: they play by the rules, by what they see, and the good one well."""

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any, get_type_hints

import msgspec
import pytest

from app.cli.simulate import simulate
from app.engine import match as matches
from app.engine.chance import chance_of
from app.engine.game import DEALER, View, read_options
from app.engine.match import Match
from app.games import GAMES, bots, package_of
from app.games.lucky_paw import GAME as lucky_paw
from app.games.lucky_paw.state import PASS, Play
from app.games.lucky_paw.view import LuckyPawView


def moments(seats: int, **options: Any) -> Iterator[tuple[Match, LuckyPawView]]:
    """A round between good bots in odd seats and easy ones in even seats: every moment, as the seat to act sees it."""
    match = matches.begin(lucky_paw, read_options(lucky_paw, seats, {"rounds": 1, **options}), seats)
    chance = random.Random(f"{seats} {options}")
    match, _ = matches.play(match, DEALER, match.due and match.due.outcome(chance_of(f"{seats} {options}", 0)))
    while not match.over:
        (seat,) = match.to_act
        view = lucky_paw.view(match.round, seat)
        yield match, view
        match, _ = matches.play(match, seat, bots.choose("lucky_paw", bots.LEVELS[seat % 2], view, chance))


def view_of(position: dict[str, Any], **options: Any) -> LuckyPawView:
    """What seat 1 of two sees."""
    state, _, _ = lucky_paw.from_position(read_options(lucky_paw, 2, options), 2, position)
    return lucky_paw.view(state, 1)


@pytest.mark.parametrize("jokers", [0, 2])
@pytest.mark.parametrize("must_play", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_bot_only_makes_legal_moves(seats: int, must_play: bool, jokers: int) -> None:
    chance = random.Random(seats)
    for _, view in moments(seats, must_play=must_play, jokers=jokers, teams=seats in (4, 6)):
        assert {bots.choose("lucky_paw", level, view, chance) for level in bots.LEVELS} <= set(view.legal)


@pytest.mark.parametrize("level", bots.LEVELS)
def test_the_same_chance_gives_the_same_moves(level: str) -> None:
    for _, view in moments(3):
        first, second = (bots.choose("lucky_paw", level, view, random.Random(7)) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("level", bots.LEVELS)
def test_what_nobody_sees_changes_no_move(level: str) -> None:
    for match, view in moments(3):
        stock = tuple(random.Random(1).sample(match.round.stock, len(match.round.stock)))
        elsewhere = lucky_paw.view(msgspec.structs.replace(match.round, stock=stock), view.seat)
        there, here = (bots.choose("lucky_paw", level, seen, random.Random(7)) for seen in (elsewhere, view))
        assert there == here


def test_every_game_has_a_bot_that_asks_for_a_view() -> None:
    for key in GAMES:
        choose = import_module(f"{package_of(key)}.bot").choose
        assert issubclass(get_type_hints(choose)["view"], View)


def test_an_unknown_level_is_refused() -> None:
    view = view_of({"open": [["5H"]], "stacks": [[["6S"]]]})
    with pytest.raises(ValueError, match="bots play easy or good"):
        bots.choose("lucky_paw", "brilliant", view, random.Random(0))


@pytest.mark.parametrize(
    ("seats", "must_play", "fewer_cards"), [(2, False, 4), (2, True, 1), (4, False, 1.2), (4, True, 0.2)]
)
@pytest.mark.slow
def test_good_beats_easy_by_a_wide_margin(seats: int, must_play: bool, fewer_cards: float) -> None:
    options = read_options(lucky_paw, seats, {"rounds": 1, "jokers": 1, "must_play": must_play})
    mine, theirs, won, lost = [], [], 0, 0
    for good in range(seats):
        levels = ["good" if seat == good else "easy" for seat in range(seats)]
        for played in simulate(lucky_paw, options, levels, "wide margin", 120 // seats):
            left = list(played.rounds[0])
            mine.append(left.pop(good))
            theirs.append(sum(left) / len(left))
            won += mine[-1] < min(left)
            lost += mine[-1] > min(left)
    assert sum(theirs) - sum(mine) > fewer_cards * len(mine)
    assert won / (won + lost) > 1.5 / seats


def test_good_uncovers_what_it_can_play_next() -> None:
    """Both nines fit the ten. Under one lies an eight that goes on it, under the other a king that goes nowhere."""
    stacks = [[["8S", "9C"], ["KS", "9S"], []], [["3S"], ["3C"], ["3D"]]]
    view = view_of({"open": [["10H"], ["6H"], ["6S"], ["6D"]], "stacks": stacks}, must_play=True)
    assert bots.choose("lucky_paw", "good", view, random.Random(0)) == Play(1, 1)


def test_good_passes_rather_than_open_the_way_for_a_rival() -> None:
    """The seven would let the rival shed three cards; a pass ends the round."""
    stacks = [[["7S"], [], []], [["10S", "9S", "8S"], [], []]]
    view = view_of({"open": [["6H"], ["2H"], ["2S"], ["2D"]], "stacks": stacks, "streak": 1})
    assert bots.choose("lucky_paw", "good", view, random.Random(0)) == PASS
