"""Hints in words: every move of every game can be said, and where a game has no reason of its own figures give one."""

import random
from collections import Counter
from importlib.util import find_spec
from itertools import islice

import pytest

from snug.bots import levels
from snug.bots.levels import steady
from snug.bots.reasons import advice_of, in_words, words_of
from snug.bots.search import Considered, Dice, Thought
from snug.engine import match as matches
from snug.engine.cards import CARDS
from snug.engine.game import Event, Move, View, read_options
from snug.games import GAMES, package_of
from snug.games.life.state import Lay
from snug.words import Message
from tests.approved import approve

NAMES = tuple("ABCDEFGHIJ")


def views(key: str, dice: random.Random, rounds: int) -> list[View]:
    """What seats see who are to act, in some rounds of steady players."""
    game, found = GAMES[key], []
    for number in range(rounds):
        options = game.presets[number % len(game.presets)].options if game.presets else {}
        match = matches.begin(game, read_options(game, min(4, game.seats[1]), options), min(4, game.seats[1]))
        log = list[Event]()
        while not match.round_over:
            if (due := match.due) is not None:
                match, events = matches.play(match, 0, due.outcome(Dice(dice)))
            else:
                seat = dice.choice(match.to_act)
                found.append(matches.sight(match, seat, log))
                match, events = matches.play(match, seat, steady(key)(found[-1], dice))
            log += events
    return found


def thought_of(*moves: Move, points: tuple[float, ...] = (), unsure: float = 0.0) -> Thought:
    """A thought that ends with these moves in this order."""
    points = points or (0.0,) * len(moves)
    considered = tuple(
        Considered(move, 0.5, more, 18, points[0] - more, unsure) for move, more in zip(moves, points, strict=True)
    )
    return Thought(moves[0], moves[0], considered, 0)


@pytest.mark.parametrize("key", GAMES)
def test_every_move_is_a_sentence_and_so_is_its_reason(key: str) -> None:
    assert find_spec(f"{package_of(key)}.reasons")
    dice = random.Random(key)
    told, reasons = list[str](), Counter[str]()
    for view in views(key, dice, 4):
        chosen = steady(key)(view, dice)
        for listed in view.legal:
            move = view.complete(listed, dice.randrange)
            advice = advice_of(key, view, thought_of(move, chosen), NAMES)
            for said in (advice.move, advice.why):
                assert isinstance(said, Message)
                assert said[0].isupper()
                assert said[-1] == "."
                assert "%" not in said
            reasons[advice.why] += "close" not in advice.why
        if len(view.legal) > 1:
            advice = advice_of(key, view, thought_of(chosen), NAMES)
            told.append(f"{view.seat}: {advice.move} {advice.why} {' '.join(advice.taps)}")
    counted = (f"{times} × {reason}" for reason, times in sorted(reasons.items()) if times)
    approve(f"reasons/{key}", [*told, "", *counted])


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.has_imagination])
def test_what_a_sharp_player_thinks_is_what_was_approved(key: str) -> None:
    dice = random.Random(key)
    thoughts = ((view, levels.thought(key, view, dice, 300).moves[:4]) for view in views(key, dice, 3)[::3])
    told = (
        " ".join(f"{in_words(key, view, one.move, NAMES)} {one.points:.1f}" for one in moves)
        for view, moves in thoughts
        if len(moves) > 1
    )
    approve(f"thoughts/{key}", islice(told, 7))


def test_a_game_that_says_nothing_is_told_by_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snug.bots.reasons.find_spec", lambda _name: None)
    words_of.cache_clear()
    view = next(view for view in views("lucky_paw", random.Random(1), 1) if len(view.legal) > 1)
    one, other = view.legal[:2]
    for thought, why in (
        (thought_of(one), "Nothing else comes into question."),
        (thought_of(one, other, points=(3.2, 0.1), unsure=0.5), "about 3 points more than anything else"),
        (thought_of(one, other, points=(0.4, 0.1), unsure=0.1), "a little nearer to winning"),
        (thought_of(one, other, points=(0.4, -0.4), unsure=0.1), "a little nearer to winning"),
        (thought_of(one, other, points=(0.4, 0.1), unsure=0.5), "It is close. About as good: "),
    ):
        advice = advice_of("lucky_paw", view, thought, NAMES)
        assert why in advice.why
        assert advice.move.lower().startswith(("play, ", "pass"))
    cards = (CARDS["5H"], CARDS["10D"])
    assert in_words("life", view, Lay(cards), NAMES) == "lay, cards 5H 10D."
    words_of.cache_clear()


def test_what_a_round_counts_is_what_is_at_stake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snug.bots.reasons.find_spec", lambda _name: None)
    words_of.cache_clear()
    key = next(key for key, game in GAMES.items() if game.score_unit)
    view = next(view for view in views(key, random.Random(1), 1) if len(view.legal) > 1)
    thought = thought_of(*view.legal[:2], points=(3.2, 0.1), unsure=0.5)
    assert "about 3 cards more" in advice_of(key, view, thought, NAMES).why
    words_of.cache_clear()


def test_where_there_is_one_move_that_is_the_reason() -> None:
    view = next(view for view in views("lucky_paw", random.Random(1), 1) if len(view.legal) == 1)
    advice = advice_of("lucky_paw", view, thought_of(view.legal[0]), NAMES)
    assert advice.why == "It is all you can do now."
