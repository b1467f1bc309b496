"""Lucky Paw as the plainest program plays it: cards are numbers, piles are lists, moves are pairs; nothing is checked,
kept or told."""

import random


def play_round(seats: int, dice: random.Random) -> int:
    """Plays a round at random; how many moves it took."""
    deck = dice.sample(range(52), 52)
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
                return moves
            deal()
            streak = 0
