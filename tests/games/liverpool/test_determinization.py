"""What a seat imagines at a Liverpool table: every card is where it has seen it go."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, cast

import msgspec
import pytest

from snug.engine import match as matches
from snug.engine.chance import chance_of
from snug.engine.game import Move, read_options
from snug.engine.match import Match
from snug.games.liverpool import GAME as liverpool
from snug.games.liverpool.bot import choose
from snug.games.liverpool.events import (
    Bought,
    BuyAnswered,
    Discarded,
    DiscardTaken,
    JokerWon,
    LaidOff,
    StockRecycled,
    WentDown,
)
from snug.games.liverpool.state import Buy, Discard, DrawStock, LiverpoolState, PassBuy, cards_for
from snug.games.liverpool.thinking.determinization import determinize
from snug.games.liverpool.view import LiverpoolView

Chooser = Callable[[LiverpoolView, random.Random], Move]


def dealt(seats: int = 3, number: int = 1, seed: int = 1, **options: Any) -> tuple[Match, list[Any]]:
    """A hand just dealt, and its log."""
    match = matches.begin(liverpool, read_options(liverpool, seats, options), seats)
    match = msgspec.structs.replace(match, round=liverpool.start(match.options, seats, number, seats))
    assert match.due
    match, events = matches.play(match, 0, match.due.outcome(chance_of(str(seed), number)))
    return match, list(events)


def moments(
    match: Match, log: list[Any], chooser: Chooser = choose
) -> Iterator[tuple[Match, LiverpoolView, random.Random]]:
    """The hand played to its end: every moment at which a seat chooses, with what that seat knows."""
    chance = random.Random(5)
    while not match.round_over:
        if match.due:
            seat, move = 0, cast(Any, match.due.outcome(chance_of("more", len(log))))
        else:
            seat = chance.choice(match.to_act)
            sight = matches.sight(match, seat, log)
            assert isinstance(sight, LiverpoolView)
            yield match, sight, chance
            move = chooser(sight, chance)
        match, events = matches.play(match, seat, move)
        log += events


def throws_back(view: LiverpoolView, _chance: random.Random) -> Move:
    """Draws and throws the card just drawn, forever."""
    return PassBuy() if view.may_buy else DrawStock() if view.phase == "DRAW" else Discard(view.hand[-1])


def keeps_what_it_draws(view: LiverpoolView, _chance: random.Random) -> Move:
    """Draws, and throws what has been in the hand for longest."""
    return PassBuy() if view.may_buy else DrawStock() if view.phase == "DRAW" else Discard(view.hand[0])


def worlds(view: LiverpoolView, number: int = 5) -> list[LiverpoolState]:
    return [determinize(view, random.Random(seed)) for seed in range(number)]


@pytest.mark.parametrize(("seats", "number", "options"), [(3, 2, {}), (4, 6, {"max_buys": 1}), (5, 3, {})])
def test_an_imagined_table_looks_like_the_one_that_is_seen(seats: int, number: int, options: dict[str, Any]) -> None:
    for match, view, chance in moments(*dealt(seats, number, **options)):
        for sight in (view, msgspec.structs.replace(view, seen=()), msgspec.structs.replace(view, seen=view.seen[-5:])):
            state = determinize(sight, chance)
            assert liverpool.view(state, view.seat) == msgspec.structs.replace(view, seen=(), before=())
            assert Counter(liverpool.cards(state)) == Counter(liverpool.cards(match.round))


def test_the_discards_are_known_and_so_is_who_took_which() -> None:
    forgotten = 0
    for match, view, _ in moments(*dealt(4, 3)):
        if not any(isinstance(event, DiscardTaken | Bought) for event in view.seen[-6:]):
            continue
        took = {(event.seat, event.card) for event in view.seen if isinstance(event, DiscardTaken | Bought)}
        shown = {(event.seat, event.card) for event in view.seen if isinstance(event, Discarded | LaidOff | JokerWon)}
        shown |= {
            (event.seat, card)
            for event in view.seen
            if isinstance(event, WentDown)
            for meld in event.melds
            for card in meld.cards
        }
        for state in worlds(view):
            assert state.discard_pile == match.round.discard_pile
            assert all(card in state.hands[seat - 1] for seat, card in took - shown)
        without = worlds(msgspec.structs.replace(view, seen=()))
        forgotten += any(card not in state.hands[seat - 1] for state in without for seat, card in took - shown)
    assert forgotten


def test_a_stock_made_of_discards_has_no_other_cards() -> None:
    recycled: Counter[Any] | None = None
    pile: tuple[Any, ...] = ()
    made = held_back = 0
    for match, view, _ in moments(*dealt(3, 1), throws_back):
        if recycled is None and any(isinstance(event, StockRecycled) for event in view.seen):
            recycled = Counter(pile[:-1])
        pile = match.round.discard_pile
        if recycled is not None and match.round.reshuffles == 1 and match.round.stock:
            made += 1
            for state in worlds(view):
                assert Counter(state.stock) <= recycled
                assert state.discard_pile == match.round.discard_pile
            blind = worlds(msgspec.structs.replace(view, seen=()))
            held_back += any(not Counter(state.stock) <= recycled for state in blind)
            if made > 20:
                break
    assert made
    assert held_back


def test_what_was_drawn_from_a_stock_made_of_discards_is_with_who_drew_it() -> None:
    pile: tuple[Any, ...] = ()
    kept, drew, found = Counter[Any](), set[int](), 0
    for match, view, _ in moments(*dealt(3, 1), keeps_what_it_draws):
        table = match.round
        if table.reshuffles and not kept:
            kept = Counter(cards_for(3)) - Counter(pile[:-1])
        pile = table.discard_pile
        drew |= {table.turn} if table.reshuffles and view.phase != "DRAW" else set()
        if kept and len(drew) < 3:
            for state in worlds(view):
                others = {1, 2, 3} - drew - {view.seat}
                assert all(Counter(state.hands[seat - 1]) <= kept for seat in others)
                found += len(others)
        if len(drew) == 3:
            break
    assert found


def test_nobody_who_is_asked_later_has_kept_an_answer_from_being_settled() -> None:
    match, log = dealt(4, 2)
    match, events = matches.play(match, match.round.turn, DrawStock())
    log += events
    first, _, last = match.round.buy_queue
    seen = {True: set(), False: set()}  # type: dict[bool, set[Any]]
    for buys in (True, False):
        after, events = matches.play(match, last, Buy() if buys else PassBuy())
        view = matches.sight(after, first, [*log, *events])
        assert isinstance(view.seen[-1], BuyAnswered)
        seen[buys] = {state.buy_answers for state in worlds(view, 30)}  # type: ignore[arg-type]
    assert seen[True] == seen[False] == {(None, None, True), (None, None, False)}
    after, events = matches.play(match, first, PassBuy())
    view = matches.sight(after, last, [*log, *events])
    assert {state.buy_answers for state in worlds(view, 30)} == {(False, None, None)}  # type: ignore[arg-type]
