"""Those who think: in their own processes, who matters first, and nobody is lost with one of them."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from multiprocessing import active_children
from random import Random
from threading import Event
from typing import Any

import pytest

from app.main import create_app
from app.services.search_pool import NoThought, SearchPool, TooMuch, _Process
from app.settings import Settings
from snug.bots import levels
from snug.engine import match as matches
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, View, read_options
from snug.games import GAMES
from tests.conftest import browser_of
from tests.servers import application_of
from tests.waiters import until

SECONDS = 120.0  # until a test gives up
SLOW: dict[str, Any] = {"patience": SECONDS, "wait": SECONDS}  # as machines are that do other things as well
FEW = 30  # positions


@pytest.fixture(scope="module")
def view() -> View:
    """What the seat sees that is to act in a game that can be imagined."""
    game = next(game for game in GAMES.values() if game.has_imagination)
    match = matches.begin(game, read_options(game, 2, {}), 2)
    for number in range(50):
        if match.due:
            match, _ = matches.play(match, DEALER, match.due.outcome(chance_of("thinkers", number)))
    (seat, *_) = match.to_act
    return matches.sight(match, seat, ())


@pytest.fixture
def one() -> Iterator[SearchPool]:
    """A single process."""
    with closing(SearchPool(1, **SLOW)) as thinkers:
        yield thinkers


def ask(
    thinkers: SearchPool, view: View, seed: int = 1, positions: int = FEW, *, urgent: bool = True
) -> "Future[object]":
    game = next(key for key, game in GAMES.items() if game.has_imagination)
    return thinkers.submit(game, view, seed, positions, urgent=urgent)  # type: ignore[return-value]


def processes() -> list[int]:
    return [child.pid for child in active_children() if child.name == "thinker" and child.pid]


def test_a_process_thinks_what_the_caller_would(one: SearchPool, view: View) -> None:
    apart = ask(one, view, 7).result(SECONDS)
    here = ask(SearchPool(), view, 7)
    assert here.done()
    assert apart == here.result()
    game = next(key for key, game in GAMES.items() if game.has_imagination)
    assert apart == levels.thought(game, view, Random(7), FEW)


def test_nobody_thinks_before_there_is_something_to_think_about(one: SearchPool, view: View) -> None:
    assert not processes()
    ask(one, view).result(SECONDS)
    assert len(processes()) == 1
    one.close()
    assert not processes()


def test_what_is_urgent_comes_before_what_is_not(one: SearchPool, view: View) -> None:
    order: list[str] = []

    def says(word: str) -> Callable[[object], None]:
        return lambda _future: order.append(word)

    asked = [ask(one, view, seed, 300, urgent=False) for seed in range(3)]
    for number, future in enumerate(asked):
        future.add_done_callback(says(f"review {number}"))
    urgent = ask(one, view, 9)
    urgent.add_done_callback(says("move"))
    for future in (*asked, urgent):
        future.result(SECONDS)
    assert order.index("move") <= 1
    assert [word for word in order if word != "move"] == ["review 0", "review 1", "review 2"]


def test_what_is_not_urgent_leaves_a_process_for_what_is(view: View) -> None:
    with closing(SearchPool(2, **SLOW)) as two:
        endless = [ask(two, view, seed, 10**9, urgent=False) for seed in range(3)]
        assert ask(two, view).result(SECONDS)
        assert not any(future.done() for future in endless)


def test_how_long_what_is_urgent_has_been_waiting_is_known(one: SearchPool, view: View) -> None:
    assert one.delay == 0
    for seed in range(2):
        ask(one, view, seed, 10**9)
    until(lambda: one.delay > 0)


def test_a_process_that_dies_is_replaced_and_takes_one_thought_with_it(
    one: SearchPool, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(one, view).result(SECONDS)
    put, put_to_it = _Process.ask, Event()

    def tells(process: _Process, asked: tuple[Any, ...], patience: float) -> object:
        put_to_it.set()
        return put(process, asked, patience)

    monkeypatch.setattr(_Process, "ask", tells)
    lost = ask(one, view, positions=10**9)
    after = ask(one, view, 3)
    (first,) = processes()
    assert put_to_it.wait(SECONDS)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(NoThought):
        lost.result(SECONDS)
    assert after.result(SECONDS) == ask(SearchPool(), view, 3).result()
    assert processes() != [first]


def test_a_process_that_dies_while_it_has_nothing_to_do_takes_no_thought_with_it(one: SearchPool, view: View) -> None:
    ask(one, view).result(SECONDS)
    (first,) = processes()
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert ask(one, view).result(SECONDS)
    assert processes() != [first]


def test_who_thinks_for_too_long_is_replaced(view: View) -> None:
    with closing(SearchPool(1, patience=10.0)) as one:
        ask(one, view).result(SECONDS)
        one._patience = 0.2
        endless = ask(one, view, positions=10**9)
        with pytest.raises(NoThought):
            endless.result(SECONDS)
        one._patience = SECONDS
        assert ask(one, view).result(SECONDS)


def test_what_goes_wrong_in_thinking_is_told_and_the_next_thought_is_thought(one: SearchPool, view: View) -> None:
    for thinkers in (one, SearchPool()):
        with pytest.raises(NoThought, match=r"(?s)^KeyError\n.*in thought") as raised:
            thinkers.submit("QS", view, 1).result(SECONDS)
        assert "QS" not in str(raised.value), "an error may name a card"
        assert ask(thinkers, view).result(SECONDS)


def test_what_goes_wrong_with_a_process_names_no_card_either(
    one: SearchPool, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = "QS"

    def fail(_process: _Process, _asked: tuple[Any, ...], _patience: float) -> object:
        raise ValueError(card)

    monkeypatch.setattr(_Process, "ask", fail)
    with pytest.raises(NoThought, match=r"(?s)^ValueError\n.*in fail") as raised:
        ask(one, view).result(SECONDS)
    assert card not in str(raised.value)


def test_when_too_many_wait_the_next_is_refused(view: View) -> None:
    with closing(SearchPool(1, most=2)) as one:
        ask(one, view).result(SECONDS)
        asked = [ask(one, view, positions=10**9) for _ in range(5)]
        refused = [future for future in asked if future.done()]
        assert refused
        for future in refused:
            with pytest.raises(TooMuch):
                future.result()
        review = ask(one, view, urgent=False)
        assert not review.done()


def test_what_was_urgent_and_has_waited_for_too_long_is_not_begun(view: View) -> None:
    with closing(SearchPool(1, wait=0.0)) as one:
        with pytest.raises(TooMuch):
            ask(one, view).result(SECONDS)
        assert ask(one, view, urgent=False).result(SECONDS)
        assert len(processes()) == 1


def test_who_closes_ends_what_is_being_thought(view: View) -> None:
    one = SearchPool(1)
    endless, waiting = ask(one, view, positions=10**9), ask(one, view)
    one.close()
    for future in (endless, waiting, ask(one, view)):
        with pytest.raises(NoThought):
            future.result(SECONDS)
    assert not processes()


def test_the_room_ends_them_with_itself(settings: Settings, view: View) -> None:
    app = create_app(replace(settings, thinkers=1))
    with browser_of(app):
        assert ask(application_of(app).state.context.thinkers, view).result(SECONDS)
        assert len(processes()) == 1
    assert not processes()


def test_who_has_given_up_is_not_thought_for(one: SearchPool, view: View) -> None:
    long = ask(one, view, positions=300)
    gone = ask(one, view, positions=10**9)
    assert gone.cancel()
    assert long.result(SECONDS)
    assert ask(one, view).result(SECONDS)
