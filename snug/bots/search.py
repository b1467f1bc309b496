"""One search for every game: information-set Monte-Carlo tree search (Cowling, Powley, Whitehouse 2012).

What is hidden is imagined many times from what the seat knows, and each imagined world is played out once for every
move that is still in question, with the same luck, so that luck is no difference between moves. The first moves after
it are chosen in a tree that has a node for what each player has seen, not for what is: who chooses at the same time as
others knows nothing of their choice. After the tree everybody plays as good players do. Half of the moves in question
are dropped as often as it takes to come down to two."""

from collections.abc import Callable, Sequence
from math import log2, sqrt
from random import Random
from statistics import fmean
from typing import Any, Final

import msgspec

from snug.bots.payoff import Payoff
from snug.engine.cards import Part
from snug.engine.chance import Chance
from snug.engine.game import Game, Move, Scores, View
from snug.engine.thinking import Thinking

_CURIOSITY: Final = 0.3  # how much a move of the tree gains by being seldom tried
_HABIT: Final = 0.6  # how likely a good player's own choice is held before anything is tried
_SURE: Final = 2.0  # standard errors
_LEAST: Final = 4  # worlds; of fewer nobody can say how much is noise, and of few not well


class Considered(msgspec.Struct, frozen=True):
    """A move, what the round is worth after it (0 to 1), and by how many points its player then ends ahead of his
    rivals, each the mean of so many `tries`. In the worlds in which both were tried it came out `behind` the best move
    by so many points, with the standard error `unsure`."""

    move: Move
    value: float
    points: float
    tries: int
    behind: float = 0.0
    unsure: float = 0.0

    @property
    def is_surely_behind(self) -> bool:
        """Whether that can hardly be noise of thinking, which is the greater the fewer worlds there were."""
        return self.tries >= _LEAST and self.behind > _SURE * (1 + 2 / self.tries) * self.unsure


class Thought(msgspec.Struct, frozen=True):
    """What came of thinking: the move to make, what a good player would have done without, every move in question from
    the best on, and how many positions were looked at."""

    best: Move
    habit: Move
    moves: tuple[Considered, ...]
    positions: int

    def of(self, move: Move) -> Considered | None:
        """What it came to for a move, whatever the order of its cards; None where that was not thought of."""
        return next((it for it in self.moves if _unordered(it.move) == _unordered(move)), None)


class Dice(Chance):
    """The dealer's chance in an imagined world: quick rather than proof against cheating."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        return int(self._random.random() * limit)

    def shuffled(self, things: Sequence[Part]) -> tuple[Part, ...]:
        """These in any order."""
        return tuple(self._random.sample(things, len(things)))


class _Arm(msgspec.Struct, eq=False):
    """A move in question: what came of it in each of the worlds."""

    move: Move
    values: list[float] = []
    points: list[float] = []

    @property
    def mean(self) -> float:
        return fmean(self.values)


class _Node(msgspec.Struct, eq=False):
    """A choice of somebody who has seen certain things: how often each move was tried and what it brought him."""

    visits: int = 0
    tries: dict[Move, int] = {}
    gains: dict[Move, float] = {}

    def select(self, moves: Sequence[Move], habit: Move) -> Move:
        """What to try next."""
        if not self.visits or not moves:
            return habit
        mean = sum(self.gains.values()) / self.visits
        rest = (1 - _HABIT) / max(1, len(moves) - 1)

        def promise(move: Move) -> float:
            tries = self.tries.get(move, 0)
            gain = self.gains[move] / tries if tries else mean
            return gain + _CURIOSITY * (_HABIT if move == habit else rest) * sqrt(self.visits) / (1 + tries)

        return max(moves, key=promise)

    def learn(self, move: Move, value: float) -> None:
        self.visits += 1
        self.tries[move] = self.tries.get(move, 0) + 1
        self.gains[move] = self.gains.get(move, 0.0) + value


def think(
    game: Game[Any],
    view: View,
    habit: Callable[[Any, Random], Move],
    thinking: Thinking,
    chance: Random,
    positions: int | None = None,
    also: Sequence[Move] = (),
) -> Thought:
    """What a sharp player thinks of the moves of the viewer, who must be to act. `habit` is how a good player chooses;
    `positions` stands in for as many as `thinking` says; `also` are moves that are thought about to the end, whatever
    he thinks of them. The same chance gives the same thought."""
    luck = Random(chance.getrandbits(64))  # asking the operating system for every thought would be slow
    usual = (thinking.first or habit)(view, luck)
    moves = list(thinking.candidates(view))
    if usual not in moves:
        moves.insert(0, usual)
    known = {_unordered(move): move for move in moves}
    asked = [known.setdefault(_unordered(move), move) for move in also]
    moves += [move for move in dict.fromkeys(asked) if move not in moves]
    if len(moves) == 1:
        return Thought(usual, usual, (Considered(usual, 0.5, 0.0, 0),), 0)
    return _Search(game, view, habit, thinking, luck).run(moves, usual, positions or thinking.positions, asked)


class _Search:
    """One decision being thought about."""

    def __init__(
        self, game: Game[Any], view: View, habit: Callable[[Any, Random], Move], thinking: Thinking, luck: Random
    ) -> None:
        assert view.seat
        self._game, self._view, self._seat, self._luck, self._thinking = game, view, view.seat, luck, thinking
        self._habit, self._play_on = habit, thinking.play_on or habit
        self._payoff = Payoff(game, view.options, view.seats, view.number, view.before)
        self._tree: dict[tuple[int, int], _Node] = {}
        self._positions = 0

    def run(self, moves: list[Move], usual: Move, budget: int, asked: Sequence[Move]) -> Thought:
        arms = [_Arm(move) for move in moves]
        standing = arms
        phases = max(1, int(log2(len(arms))))
        for phase in range(1, phases + 1):
            while self._positions < budget * phase / phases:
                self._try_all(standing)
            if len(standing) > 2:
                ranked = sorted(standing, key=lambda arm: -arm.mean)
                kept = max(2, len(ranked) // 2)
                stay = (arm for arm in ranked[kept:] if arm.move == usual or arm.move in asked)
                standing = [*ranked[:kept], *stay]
        ranked = sorted(standing, key=lambda arm: -arm.mean)
        best = self._convincing(ranked[0], next(arm for arm in arms if arm.move == usual))
        dropped = sorted((arm for arm in arms if arm not in standing), key=lambda arm: -arm.mean)
        order = [best, *(arm for arm in (*ranked, *dropped) if arm is not best)]
        return Thought(best.move, usual, tuple(_considered(arm, best) for arm in order), self._positions)

    def _convincing(self, best: _Arm, usual: _Arm) -> _Arm:
        """The best one, if it is better than the usual one by more than luck may explain: in one world anything may."""
        if best is usual or len(usual.values) < 2:
            return usual
        differences = [a - b for a, b in zip(best.values, usual.values, strict=False)]
        mean = fmean(differences)
        return best if mean > self._thinking.doubt * _error(differences) else usual

    def _try_all(self, arms: Sequence[_Arm]) -> None:
        """One more world, the same for all of these moves."""
        world = self._game.determinize(self._view, self._luck)
        seed = self._luck.getrandbits(64)
        ends = [(arm, *self._play_out(world, arm.move, Random(seed))) for arm in arms]
        weighed = [(arm, path, scores, self._payoff.margins(scores)) for arm, path, scores in ends]
        for arm, path, scores, margins in weighed:
            values = self._payoff.values(scores, margins)
            arm.values.append(values[self._seat - 1])
            arm.points.append(margins[self._seat - 1])
            for node, actor, move in path:
                node.learn(move, values[actor - 1])

    def _play_out(self, state: Any, move: Move, luck: Random) -> tuple[list[tuple[_Node, int, Move]], Scores]:
        """The way through the tree and the scores at the end of the round, after this move of the viewer."""
        game, thinking, dice = self._game, self._thinking, Dice(luck)
        seats = range(1, self._view.seats + 1)
        known = dict.fromkeys(seats, 0)
        path: list[tuple[_Node, int, Move]] = []
        actor, steps = self._seat, 0
        while True:
            state, _ = game.play(state, actor, move)
            steps += 1
            if steps <= thinking.plies:
                for seat in seats:
                    known[seat] = hash((known[seat], actor, move.seen_by(actor, seat)))
            while (due := game.due(state)) is not None:
                state, _ = game.deal(state, due.outcome(dice))
            if (scores := game.scores(state)) is not None:
                break
            if thinking.estimate and self._is_far_enough(state, steps):
                scores = thinking.estimate(state, luck)
                break
            to_act = game.to_act(state)
            actor = to_act[0] if len(to_act) == 1 else luck.choice(to_act)
            view = game.view(state, actor)
            if len(view.legal) == 1 and view.complete(view.legal[0], dice.below) is view.legal[0]:
                move = view.legal[0]
            elif steps <= thinking.plies:
                node = self._tree.setdefault((actor, known[actor]), _Node())
                move = node.select(thinking.candidates(view), self._habit(view, luck))
                path.append((node, actor, move))
            else:
                move = self._play_on(view, luck)
        self._positions += steps
        return path, scores

    def _is_far_enough(self, state: Any, steps: int) -> bool:
        horizon, until = self._thinking.horizon, self._thinking.until
        return (horizon is not None and steps >= horizon) or (until is not None and until(self._view, state))


def _unordered(move: Move) -> tuple[Any, ...]:
    """A move in whichever order it names its cards, if any: what one arranges freely may be written in several ways."""
    parts = (part or () for part in msgspec.structs.astuple(move))
    return type(move), *(tuple(sorted(part, key=str)) if isinstance(part, tuple) else part for part in parts)


def _considered(arm: _Arm, best: _Arm) -> Considered:
    behind = [a - b for a, b in zip(best.points, arm.points, strict=False)]
    return Considered(arm.move, arm.mean, fmean(arm.points), len(arm.values), fmean(behind), _error(behind))


def _error(samples: Sequence[float]) -> float:
    """The standard error of their mean."""
    if len(samples) < 2:
        return 0.0
    mean = fmean(samples)
    return sqrt(sum((it - mean) ** 2 for it in samples) / (len(samples) - 1) / len(samples))
