"""Lucky Paw's bots: they play by the rules, by what they see, and the better ones well."""

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any, get_type_hints

import msgspec
import pytest

from app.cli.makers.simulate import simulate
from snug.bots import levels as bots
from snug.engine import match as matches
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, View, read_options
from snug.engine.match import Match
from snug.games import GAMES, package_of
from snug.games.lucky_paw import GAME as lucky_paw
from snug.games.lucky_paw.bot import different, glance
from snug.games.lucky_paw.state import PASS, Play
from snug.games.lucky_paw.view import LuckyPawView


def moments(seats: int, **options: Any) -> Iterator[tuple[Match, LuckyPawView]]:
    """A round between steady bots in odd seats and gentle ones in even seats: every moment, as the seat to act sees
    it."""
    match = matches.begin(lucky_paw, read_options(lucky_paw, seats, {"rounds": 1, **options}), seats)
    chance = random.Random(f"{seats} {options}")
    match, _ = matches.play(match, DEALER, match.due and match.due.outcome(chance_of(f"{seats} {options}", 0)))
    while not match.over:
        (seat,) = match.to_act
        view = lucky_paw.view(match.round, seat)
        yield match, view
        match, _ = matches.play(match, seat, bots.choose("lucky_paw", bots.LEVELS[seat % 2], view, chance))


def decisions(seats: int, **options: Any) -> list[tuple[Match, LuckyPawView]]:
    """Moments all over such a round at which there is something to choose."""
    return [(match, view) for match, view in moments(seats, **options) if len(view.legal) > 1][::16]


def view_of(position: dict[str, Any], **options: Any) -> LuckyPawView:
    """What seat 1 of two sees."""
    state, _, _ = lucky_paw.from_position(read_options(lucky_paw, 2, options), 2, position)
    return lucky_paw.view(state, 1)


@pytest.mark.parametrize("jokers", [0, 2])
@pytest.mark.parametrize("must_play", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_bot_only_makes_legal_moves(seats: int, must_play: bool, jokers: int) -> None:
    chance = random.Random(seats)
    for _, view in decisions(seats, must_play=must_play, jokers=jokers, teams=seats in (4, 6)):
        assert {bots.choose("lucky_paw", level, view, chance) for level in bots.LEVELS} <= set(view.legal)


@pytest.mark.dear(1, "a sharp player thinks")
@pytest.mark.parametrize("level", bots.LEVELS)
def test_the_same_chance_gives_the_same_moves(level: str) -> None:
    for _, view in decisions(3):
        first, second = (bots.choose("lucky_paw", level, view, random.Random(7)) for _ in range(2))
        assert first == second


@pytest.mark.dear(1, "a sharp player thinks")
@pytest.mark.parametrize("level", bots.LEVELS)
def test_what_nobody_sees_changes_no_move(level: str) -> None:
    for match, view in decisions(3):
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
    with pytest.raises(ValueError, match="bots are gentle, steady, sharp"):
        bots.choose("lucky_paw", "brilliant", view, random.Random(0))


@pytest.mark.dear(4, "many matches, so that skill shows")
@pytest.mark.parametrize(
    ("seats", "must_play", "fewer_cards"),
    [
        (2, False, 2),
        pytest.param(2, True, 0.5, marks=pytest.mark.thorough),
        pytest.param(4, False, 0.6, marks=pytest.mark.thorough),
        (4, True, 0.1),
    ],
)
@pytest.mark.slow
def test_steady_beats_gentle_players(seats: int, must_play: bool, fewer_cards: float) -> None:
    options = read_options(lucky_paw, seats, {"rounds": 1, "jokers": 1, "must_play": must_play})
    mine, theirs, won, lost = [], [], 0, 0
    for steady in range(seats):
        levels = ["steady" if seat == steady else "gentle" for seat in range(seats)]
        for played in simulate(lucky_paw, options, levels, "wide margin", 120 // seats):
            left = list(played.rounds[0])
            mine.append(left.pop(steady))
            theirs.append(sum(left) / len(left))
            won += mine[-1] < min(left)
            lost += mine[-1] > min(left)
    assert sum(theirs) - sum(mine) > fewer_cards * len(mine)
    assert won / (won + lost) > 1.2 / seats


good = pytest.mark.parametrize("level", ["steady", "sharp"])


@good
def test_a_good_bot_uncovers_what_it_can_play_next(level: str) -> None:
    """Both nines fit the ten. Under one lies an eight that goes on it, under the other a king that goes nowhere."""
    stacks = [[["8S", "9C"], ["KS", "9S"], []], [["3S"], ["3C"], ["3D"]]]
    view = view_of({"open": [["10H"], ["6H"], ["6S"], ["6D"]], "stacks": stacks}, must_play=True)
    assert bots.choose("lucky_paw", level, view, random.Random(0)) == Play(1, 1)


@good
def test_a_good_bot_passes_rather_than_open_the_way_for_a_rival(level: str) -> None:
    """The seven would let the rival shed three cards; a pass ends the round."""
    stacks = [[["7S"], [], []], [["10S", "9S", "8S"], [], []]]
    view = view_of({"open": [["6H"], ["2H"], ["2S"], ["2D"]], "stacks": stacks, "streak": 1})
    assert bots.choose("lucky_paw", level, view, random.Random(0)) == PASS


@good
def test_a_good_bot_opens_the_way_for_a_partner_who_is_ahead(level: str) -> None:
    """A team scores its best member's round. The seven lets the partner shed his last two cards; the five would let
    the player himself shed two, of six."""
    mine, partners = [["KS", "KC", "7S"], ["KD", "4C", "5D"], []], [["9S", "8S"], [], []]
    stacks = [mine, [["2S"], ["2C"], ["2D"]], partners, [["2H"], ["AS"], ["AC"]]]
    position = {"open": [["6H"], ["JH"], ["JS"], ["JD"]], "stacks": stacks}
    state, _, _ = lucky_paw.from_position(read_options(lucky_paw, 4, {"teams": True}), 4, position)
    assert bots.choose("lucky_paw", level, lucky_paw.view(state, 1), random.Random(0)) == Play(1, 1)


def test_open_stacks_of_one_rank_are_one_move() -> None:
    view = view_of({"open": [["5H"], ["5S"], ["7D"], ["JK"]], "stacks": [[["6S"], [], ["KD"]]]}, jokers=1)
    assert different(view) == (Play(1, 1), Play(1, 3), Play(1, 4), Play(3, 4), PASS)


def test_at_a_glance_a_bot_plays_what_is_best_by_far() -> None:
    stacks = [[["8S", "9C"], ["KS", "9S"], []], [["3S"], ["3C"], ["3D"]]]
    view = view_of({"open": [["10H"], ["6H"], ["6S"], ["6D"]], "stacks": stacks}, must_play=True)
    assert glance(view, random.Random(0)) == Play(1, 1)


def test_a_sharp_bot_looks_no_farther_than_the_end_of_the_set() -> None:
    """To pass deals the next set, and that is where it stops; after the seven everybody passes once."""
    stacks = [[["7S"], [], []], [["KS"], [], []]]
    opened = [["6H"], ["2H"], ["2S"], ["2D"]]
    view = view_of({"open": opened, "stacks": stacks, "streak": 1, "stock": ["6D", "6C", "8H", "8C", "8D", "5D"]})
    thought = bots.thought("lucky_paw", view, random.Random(0), positions=100)
    tries = {considered.move: considered.tries for considered in thought.moves}
    assert thought.positions == tries[PASS] + 3 * tries[Play(1, 1)]
