"""What a random legal move costs with its events, game by game, beside OpenSpiel's and RLCard's where they are
installed (`open_spiel`, `rlcard`), and beside the plainest program for one of ours. The others' games are not the same:
their ratios are indications. All take turns, playout by playout."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from statistics import median
from time import process_time
from typing import Any

import msgspec

from snug.engine import match as matches
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, Game, View, read_options
from snug.games import GAMES
from tests.bench import plain_lists
from tests.bench.table import Row

SEATS = 4
PLAYOUTS, MOST_MOVES = 40, 400
Playout = Callable[[random.Random], tuple[int, float]]
"""Plays with these dice: how many moves, and how many seconds of it were not the rules'."""
LIKE_GIN = "liverpool"  # the others are more like crazy eights


def ours(game: Game[Any]) -> Playout:
    """Plays rounds of a match of ours."""
    options = read_options(game, SEATS, {})
    some_view = game.view(matches.begin(game, options, SEATS).round, 1)
    is_free = type(some_view).complete is not View.complete  # some legal moves are listed without their arrangement

    def play(dice: random.Random) -> tuple[int, float]:
        match = matches.begin(game, options, SEATS)
        seed, moves, aside = str(dice.random()), 0, 0.0
        for nth in count():
            if due := match.due:
                match, _ = matches.play(match, DEALER, due.outcome(chance_of(seed, nth)))
            elif match.round_over or moves == MOST_MOVES:
                break
            else:
                seat = dice.choice(match.to_act)
                move = dice.choice(game.legal(match.round, seat))
                if is_free and not all(msgspec.structs.astuple(move)):
                    aside -= process_time()
                    move = game.view(match.round, seat).complete(move, dice.randrange)
                    aside += process_time()
                match, _ = matches.play(match, seat, move)
                moves += 1
        return moves, aside

    return play


def _spiel(name: str) -> Playout:
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game = pyspiel.load_game(name)

    def play(dice: random.Random) -> tuple[int, float]:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal() and moves < MOST_MOVES:
            if state.is_chance_node():
                state.apply_action(dice.choice(state.chance_outcomes())[0])  # all are equally likely
            else:
                state.apply_action(dice.choice(state.legal_actions()))
                moves += 1
        return moves, 0.0

    return play


def _rlcard(name: str) -> Playout:
    import rlcard  # type: ignore[import-not-found, unused-ignore]

    env = rlcard.make(name)

    def play(dice: random.Random) -> tuple[int, float]:
        state, _ = env.reset()
        moves = 0
        while not env.is_over() and moves < MOST_MOVES:
            state, _ = env.step(dice.choice(list(state["legal_actions"])))
            moves += 1
        return moves, 0.0

    return play


def _peers() -> dict[str, tuple[list[str], Playout]]:
    """What stands beside which of our games, by name."""
    lists = partial(plain_lists.play_round, SEATS)
    found: dict[str, tuple[list[str], Playout]] = {"plain lists": (["lucky_paw"], lambda dice: (lists(dice), 0.0))}
    eights = [key for key in GAMES if key != LIKE_GIN]
    for keys, spiel, rl in ((eights, "crazy_eights(players=4)", "uno"), ([LIKE_GIN], "gin_rummy", "gin-rummy")):
        with suppress(ImportError):
            found[f"OpenSpiel {spiel.partition('(')[0]}"] = keys, _spiel(spiel)
        with suppress(ImportError):
            found[f"RLCard {rl}"] = keys, _rlcard(rl)
    return found


def rows() -> Iterator[Row]:
    """A line for each game."""
    peers = _peers()
    sides = {key: ours(game) for key, game in GAMES.items()} | {name: play for name, (_, play) in peers.items()}
    taken: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(-3, PLAYOUTS):  # the first few are to warm up
        for name, play in sides.items():
            dice = random.Random(number)
            began = process_time()
            moves, aside = play(dice)
            if number >= 0:
                taken[name].append((process_time() - began - aside) * 1e6 / moves)
    each = {name: median(times) for name, times in taken.items()}
    for key, game in GAMES.items():
        beside = [name for name, (keys, _) in peers.items() if key in keys]
        yield Row(
            f"engine, {game.name}, {SEATS} seats, a move",
            f"{each[key]:.1f} µs",
            ", ".join(f"{name} {each[name]:.1f}" for name in beside) or "OpenSpiel and RLCard are not installed",
            ", ".join(f"{each[key] / each[name]:.2f} ×" for name in beside),
        )
