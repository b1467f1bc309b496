"""How many moves of Lucky Paw a second the rules play, beside the plainest program that plays the same games.

`python -m tests.bench.rules`. Every side chooses among its legal moves with the same dice, so all play the same rounds;
the plain one has mutable lists, plays on them in place, checks nothing and tells nothing. The sides take turns, round
by round, and their processor time is counted, so that a busy machine slows them alike; what counts is the ratio.
"""

import random
from collections.abc import Callable
from time import process_time
from typing import Any

from app.engine import match as matches
from app.engine.cards import PACK
from app.engine.chance import Shuffle
from app.engine.game import Game, plain, read_move, read_options
from app.games import GAMES

ROUNDS = 150
lucky_paw: Game[Any] = GAMES["lucky_paw"]
Deck = list[int]
Result = tuple[int, list[int]]
Side = Callable[[Deck, int, random.Random], Result]


def plain_lists(deck: Deck, seats: int, dice: random.Random) -> Result:
    """The reference: cards are numbers, piles are lists, moves are pairs, nothing is checked or kept."""
    opened = [[card] for card in deck[:4]]
    stacks: list[list[list[int]]] = [[[], [], []] for _ in range(seats)]
    stock, turn, streak, moves = deck[4:], 0, 0, 0

    def deal() -> None:
        each = min(3, len(stock) // seats)
        for stack in range(each):
            for seat in range(seats):
                stacks[seat][stack].append(stock[stack * seats + seat])
        del stock[: each * seats]

    deal()
    while True:
        legal: list[tuple[int, int] | None] = []
        for s, stack in enumerate(stacks[turn]):
            if stack:
                rank = stack[-1] % 13
                legal += [(s, o) for o, pile in enumerate(opened) if (rank - pile[-1] % 13) % 13 in (1, 12)]
        legal.append(None)
        move = dice.choice(legal)
        moves += 1
        if move is None:
            streak += 1
        else:
            opened[move[1]].append(stacks[turn][move[0]].pop())
            streak = 0
        turn = (turn + 1) % seats
        if streak == seats or not any(stack for own in stacks for stack in own):
            if len(stock) < seats:
                return moves, [sum(map(len, own)) for own in stacks]
            deal()
            streak = 0


def game_module(deck: Deck, seats: int, dice: random.Random) -> Result:
    """The game's own functions, as bots and simulations use them: legal moves, checks, frozen states, events."""
    state = lucky_paw.start(read_options(lucky_paw, seats, {}), seats, 1, None)
    state, _ = lucky_paw.deal(state, Shuffle(tuple(PACK[card] for card in deck)))
    moves = 0
    while not state.over:
        move = dice.choice(lucky_paw.legal(state, state.turn))
        state, _ = lucky_paw.play(state, state.turn, move)
        moves += 1
    return moves, list(map(int, lucky_paw.scores(state) or ()))


def match_of_records(deck: Deck, seats: int, dice: random.Random) -> Result:
    """The way of a record: every move is written, read back and played in a match."""
    table = matches.begin(lucky_paw, read_options(lucky_paw, seats, {}), seats)
    table, _ = matches.play(table, 0, Shuffle(tuple(PACK[card] for card in deck)))
    moves = 0
    while not table.round_over:
        (seat,) = table.to_act
        move = read_move(lucky_paw, plain(dice.choice(lucky_paw.legal(table.round, seat))))
        table, _ = matches.play(table, seat, move)
        moves += 1
    return moves, list(map(int, table.rounds[-1]))


SIDES: tuple[Side, ...] = (plain_lists, game_module, match_of_records)


def measure(seats: int) -> None:
    """Plays the rounds with all sides in turn and prints a line."""
    seconds, moves = dict.fromkeys(SIDES, 0.0), 0
    for number in range(-5, ROUNDS):  # the first few are to warm up
        deck = random.Random(number).sample(range(52), 52)
        results = []
        for side in SIDES:
            dice = random.Random(number)
            begun = process_time()
            results.append(side(deck, seats, dice))
            seconds[side] += process_time() - begun if number >= 0 else 0
        assert results.count(results[0]) == len(SIDES), "all sides play the same round"
        moves += results[0][0] if number >= 0 else 0
    rates = [moves / seconds[side] for side in SIDES]
    print(f"{seats:5}{moves:8}", *(f"{rate:15,.0f}/s {rates[0] / rate:4.1f}×" for rate in rates))


def main() -> None:
    """Prints moves a second and how many times longer than the plain lists each side takes."""
    print("seats   moves", *(f"{side.__name__:>22}" for side in SIDES))
    for seats in range(lucky_paw.seats[0], lucky_paw.seats[1] + 1):
        measure(seats)


if __name__ == "__main__":
    main()
