"""The review of a match: a blunder is found, and result, play and luck add up."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from snug.bots import levels
from snug.bots.review import Choice, Judged, Reviewed, choices_of, judged
from snug.bots.search import Considered, Thought, think
from snug.engine import match as matches
from snug.engine.cards import CARDS
from snug.engine.chance import Chance
from snug.engine.game import DEALER, Move, View, read_options
from snug.engine.match import Match
from snug.engine.record import Step
from snug.engine.thinking import Thinking
from snug.engine.timeline import moments_of
from snug.games import GAMES
from snug.games.life.state import Lay
from snug.games.lucky_paw.state import Pass, Play

GAME = "lucky_paw"
FEW = 300  # positions


def begun(seats: int = 2) -> Match:
    """A match of one round, not yet dealt."""
    game = GAMES[GAME]
    return matches.begin(game, read_options(game, seats, {"rounds": 1}), seats)


def played(match: Match, cards: str, blunder: bool = False) -> tuple[list[Step], Match, int | None]:
    """A round as good players play it, its end, and how many of its moves came before a blunder: the first that costs a
    good deal for sure."""
    dice, chance = Random(cards), Chance(cards.encode())
    steps: list[Step] = []
    at = None
    while not match.round_over:
        if due := match.due:
            step: Step = (DEALER, due.outcome(chance))
        else:
            seat = match.to_act[0]
            view = matches.sight(match, seat, ())
            move = levels.choose(GAME, "steady", view, dice)
            if blunder and at is None and len(view.legal) > 2 and not view.stock_size:  # type: ignore[attr-defined]
                worst = max(levels.thought(GAME, view, Random(7), FEW).moves, key=lambda it: it.behind)
                if worst.tries > 5 and worst.behind > max(1.5, 4 * worst.unsure):
                    move, at = worst.move, len(steps)
            step = (seat, move)
        steps.append(step)
        match, _ = matches.play(match, *step)
    return steps, match, at


def thoughts(choices: Sequence[Choice]) -> list[Judged]:
    """What a sharp player thinks of these choices."""
    found = (levels.thought(GAME, one.view, Random(one.seed), FEW, (one.played,)) for one in choices)
    return [it for it in map(judged, choices, found) if it]


def test_a_blunder_is_found_and_everything_adds_up() -> None:
    start = begun()
    steps, end, at = next(game for game in (played(start, cards, blunder=True) for cards in "123456789") if game[2])
    choices = choices_of(start, steps)
    step = len(moments_of(start, steps[:at])) - 1
    (blunder,) = [one for one in choices if one.step == step]
    near = choices[max(0, choices.index(blunder) - 4) : choices.index(blunder) + 5]
    review = Reviewed(end.game, end.options, 2, end.rounds, thoughts(near))
    worst = max(review.choices, key=lambda one: one.cost)
    assert worst.at == blunder.at
    assert worst.cost > 1
    assert worst.best != msgspec.to_builtins(blunder.played)
    assert (blunder.number, blunder.step) in [(swing.number, swing.step) for swing in review.moments if swing.seat]
    for side in review.sides:
        assert side.result == pytest.approx(-side.given + side.gained + side.luck)
    assert sum(side.luck for side in review.sides) == pytest.approx(0)


def test_choices_are_what_a_seat_knew_at_the_moments_of_the_replay() -> None:
    start = begun(3)
    steps, _, _ = played(start, "1")
    shown = moments_of(start, steps)
    for one in choices_of(start, steps):
        match = shown[one.step].match
        assert len(one.view.legal) > 1
        assert one.view.seat == one.seat
        assert msgspec.structs.replace(one.view, seen=()) == matches.sight(match, one.seat, ())
        assert one.view.seen == tuple(
            event.seen_by(one.seat) for moment in shown[: one.step + 1] for event in moment.events
        )


def test_what_is_arranged_freely_is_a_choice_though_it_is_listed_once() -> None:
    """Cards are laid, any of those that may be; where none may, there is no choice."""
    game, dice = GAMES["life"], Random(1)
    start = match = matches.begin(game, read_options(game, 3, {}), 3)
    steps: list[Step] = []
    laid: list[tuple[Move, int]] = []
    while not match.round_over:
        if due := match.due:
            steps.append((DEALER, due.outcome(Chance(str(len(steps)).encode()))))
        else:
            seat = match.to_act[0]
            view: Any = game.view(match.round, seat)
            steps.append((seat, levels.choose("life", "steady", view, dice)))
            laid += [(steps[-1][1], len(view.playable))] if view.may_lay else []  # type: ignore[list-item]
        match, _ = matches.play(match, *steps[-1])
    judgeable = [one.played for one in choices_of(start, steps) if one.view.legal == (Lay(),)]
    assert judgeable == [move for move, cards in laid if cards]
    assert len(judgeable) < len(laid)


def test_cards_are_the_same_in_any_order() -> None:
    options = read_options(GAMES["life"], 2, {})
    position = {"phase": "LAY", "turned": "6H", "hands": [["5H", "3H", "9C"], ["2D", "4C"]]}
    state, _, _ = GAMES["life"].from_position(options, 2, position)
    view: Any = GAMES["life"].view(state, 1)
    assert view.playable == (CARDS["5H"], CARDS["3H"])
    swapped, fewer = Lay((CARDS["3H"], CARDS["5H"])), Lay((CARDS["3H"],))
    assert [it.move for it in levels.thought("life", view, Random(1), FEW, (swapped,)).moves] == [Lay(view.playable)]
    thought = levels.thought("life", view, Random(1), FEW, (swapped, fewer, Lay(), Lay(())))
    assert len(thought.moves) == 3
    asked = [thought.of(move) for move in (swapped, fewer, Lay(()))]
    assert [it and it.move for it in asked] == [Lay(view.playable), fewer, Lay()]


def test_hidden_cards_change_no_thought() -> None:
    start = begun()
    steps, _, _ = played(start, "2")
    choice = choices_of(start, steps)[2]
    shuffled = steps[0][1]
    hidden: int = choice.view.stock_size  # type: ignore[attr-defined]
    assert hidden > 20
    cards = shuffled.cards  # type: ignore[union-attr]
    other = msgspec.structs.replace(shuffled, cards=(*cards[:-hidden], *reversed(cards[-hidden:])))
    elsewhere = next(
        one for one in choices_of(start, [(DEALER, other), *steps[1 : choice.step + 2]]) if one.step == choice.step
    )
    assert elsewhere.view == choice.view
    assert thoughts([elsewhere]) == thoughts([choice])


def test_what_was_played_is_thought_about_though_nobody_would_play_it() -> None:
    start = begun()
    view = choices_of(start, played(start, "2")[0])[2].view
    blind = Thinking(positions=200, candidates=lambda view: view.legal[:2])
    asked = view.legal[-1]
    assert think(start.game, view, blindly, blind, Random(1)).of(asked) is None
    thought = think(start.game, view, blindly, blind, Random(1), also=(asked, asked))
    found = thought.of(asked)
    assert found
    assert found.tries == thought.moves[0].tries > 1
    assert len(thought.moves) == 3
    assert thought.moves[0].behind == 0


def blindly(view: View, _chance: Random) -> Move:
    return view.legal[0]


def considered(move: Move, behind: float, unsure: float, tries: int = 50) -> Considered:
    return Considered(move, 0.5, 3 - behind, tries, behind, unsure)


@pytest.mark.parametrize(
    ("behind", "unsure", "tries", "cost"),
    [(2.0, 0.5, 50, 2.0), (2.0, 1.2, 50, 0), (-1.0, 0.1, 50, 0), (2.0, 0.0, 3, 0)],
)
def test_noise_is_not_called_a_mistake(behind: float, unsure: float, tries: int, cost: float) -> None:
    best, other = Play(1, 1), Pass()
    moves = (considered(best, 0, 0), considered(other, behind, unsure, tries))
    view = matches.sight(matches.play(begun(), DEALER, begun().due.outcome(Chance(b"3")))[0], 1, ())  # type: ignore[union-attr]
    one = judged(Choice(1, 4, 1, other, view), Thought(best, best, moves, 1000))
    assert one is not None
    assert (one.expected, one.cost) == (3.0, cost)
    assert judged(Choice(1, 4, 1, best, view), Thought(best, best, (considered(best, 0, 0, 0),), 0)) is None


def test_every_part_is_where_it_belongs() -> None:
    """Two seats, two rounds: by lowest totals the first is 4 ahead in one and 2 behind in the other."""
    game = GAMES[GAME]
    options = read_options(game, 2, {"rounds": 2})
    choices = [
        Judged(1, 0, 1, {}, 1.0, 0.0, 0.0),
        Judged(1, 1, 2, {}, -1.0, 3.0, 0.4),
        Judged(1, 2, 1, {}, 4.5, 0.5, 0.1),
        Judged(2, 0, 2, {}, 0.0, 0.0, 0.0),
    ]
    review = Reviewed(game, options, 2, [(2.0, 6.0), (5.0, 3.0)], reversed(choices))
    first, second = review.sides
    assert (first.result, first.given, first.gained, first.luck) == (2.0, 0.5, 3.0, -0.5)
    assert (second.result, second.given, second.gained, second.luck) == (-2.0, 3.0, 0.5, 0.5)
    assert (first.choices, first.mistakes) == (2, 1)
    assert [mark.ahead for mark in review.curve] == [
        (1.0, 0.0),
        (1.0, -4.0),
        (4.0, -4.0),
        (4.0, -4.0),
        (4.0, -4.0),
        (2.0, -2.0),
    ]
    assert [mark.step for mark in review.curve] == [0, 1, 2, None, 0, None]
    swings = [(one.number, one.since, one.step, one.side, one.points, one.seat) for one in review.moments]
    assert swings[0] == (1, 1, 1, 1, -3.0, 2)
    assert len(swings) == 3
    luck = [sum(one.points for one in review._swings() if one.side == side and one.seat is None) for side in (0, 1)]
    assert luck == [first.luck, second.luck]


def test_where_few_cards_are_good_but_high_totals_win_the_winner_is_ahead() -> None:
    game = next(game for game in GAMES.values() if game.score_unit)
    review = Reviewed(game, read_options(game, 2, {}), 2, [(0.0, 4.0)], [])
    assert [side.result for side in review.sides] == [4.0, -4.0]


def test_what_is_next_to_nothing_decided_nothing() -> None:
    game = GAMES[GAME]
    choices = [Judged(1, 0, 1, {}, 2.0, 0.0, 0.0), Judged(1, 1, 2, {}, -1.95, 0.0, 0.0)]
    review = Reviewed(game, read_options(game, 2, {"rounds": 1}), 2, [(0.0, 2.0)], choices)
    assert [abs(swing.points) for swing in review.moments] == [2.0]
