"""What is played for a seat whose time is up: a legal move in every game, at any moment; and whom a game waits for."""

import random
from typing import Any

import msgspec
import pytest

from snug.bots import levels as bots
from snug.engine import match as matches
from snug.engine.cards import parse_card
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, BadSetup, Game, plain, read_options
from snug.engine.match import Match
from snug.games import GAMES

SEEDS = 4


def tables(game: Game[Any]) -> list[tuple[int, Any]]:
    """The game's own options and every preset, for the fewest and the most players they allow."""
    found = []
    for seats in dict.fromkeys(game.seats):
        for given in ({}, *(preset.options for preset in game.presets)):
            try:
                found.append((seats, read_options(game, seats, given)))
            except BadSetup:
                continue
    return found


def dealt(match: Match, seed: str, draws: int) -> Match:
    """The match after what the dealer has to do."""
    while due := match.due:
        match, _ = matches.play(match, DEALER, due.outcome(chance_of(seed, draws)))
        draws += 1
    return match


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_neutral_move_is_legal_and_rounds_end_where_one_seat_only_ever_makes_them(key: str) -> None:
    game = GAMES[key]
    for seats, options in tables(game):
        for number in range(SEEDS):
            seed, dice, made = f"{key}/{seats}/{number}", random.Random(number), 0
            match = dealt(matches.begin(game, options, seats), seed, 0)
            idle = 1 + number % seats
            while not match.round_over:
                view = game.view(match.round, None)
                assert set(view.awaited) <= set(view.to_act)
                assert view.awaited, "somebody keeps the table waiting"
                seat = dice.choice(view.awaited)
                own = game.view(match.round, seat)
                move = own.neutral if seat == idle else bots.choose(key, "random", own, dice)
                assert own.neutral == own.neutral
                match, _ = matches.play(match, seat, move)
                made += 1
                match = dealt(match, seed, made)


def lives(**changes: Any) -> Any:
    """A view of Irish Lives from the middle of a deal."""
    game = GAMES["lives"]
    match = dealt(matches.begin(game, read_options(game, 3, {"last_card_notice": "players"}), 3), "lives", 0)
    return msgspec.structs.replace(match.round, **changes)


def test_lives_waits_for_the_turn_and_not_for_who_could_catch() -> None:
    state = lives(phase="PLAY", turn=2, exposed=(1,))
    view = GAMES["lives"].view(state, 3)
    assert (view.to_act, view.awaited) == ((2, 3), (2,))
    assert [plain(move) for move in view.legal] == [{"move": "catch", "target": 1}]


def test_lives_never_catches_for_an_idle_seat() -> None:
    state = lives(phase="PLAY", turn=2, exposed=(1,))
    assert plain(GAMES["lives"].view(state, 2).neutral)["move"] == "draw"


def test_lives_keeps_what_it_has_picked_up_though_it_fits() -> None:
    top, drawn = parse_card("9D"), parse_card("4D")
    state = lives(phase="DRAWN", turn=2, drawn_card=drawn, suit_in_play="D")
    hands = (state.hands[0], (drawn, *state.hands[1][1:]), *state.hands[2:])
    view = GAMES["lives"].view(msgspec.structs.replace(state, hands=hands, stack=(top,)), 2)
    assert {"move": "play", "card": "4D"} in [plain(move) for move in view.legal]
    assert plain(view.neutral)["move"] == "keep"


def test_lives_calls_the_suit_that_the_hand_holds() -> None:
    hand = tuple(map(parse_card, ("3D", "5D", "9D", "4C", "KH", "2H", "7S")))
    state = lives(phase="CALL_SUIT", turn=1)
    state = msgspec.structs.replace(state, hands=(hand, *state.hands[1:]))
    assert plain(GAMES["lives"].view(state, 1).neutral) == {"move": "call_suit", "suit": "D"}


def test_lucky_paw_passes_unless_it_must_play() -> None:
    game = GAMES["lucky_paw"]
    for must_play in (False, True):
        match = dealt(matches.begin(game, read_options(game, 3, {"must_play": must_play}), 3), "paw", 0)
        while match.round.streak or len(game.legal(match.round, match.to_act[0])) < 2:
            seat = match.to_act[0]
            match, _ = matches.play(match, seat, game.legal(match.round, seat)[-1])
            match = dealt(match, "paw", 1)
        move = plain(game.view(match.round, match.to_act[0]).neutral)["move"]
        assert move == ("play" if must_play else "pass")


def test_liverpool_draws_then_throws_its_dearest_card_but_no_joker() -> None:
    game = GAMES["liverpool"]
    match = dealt(matches.begin(game, read_options(game, 3, {}), 3), "pool", 0)
    seat = match.to_act[0]
    assert plain(game.view(match.round, seat).neutral)["move"] == "draw_stock"
    match, _ = matches.play(match, seat, game.view(match.round, seat).neutral)
    match = dealt(match, "pool", 1)
    hand = tuple(map(parse_card, ("3D", "AD", "JK", "4C", "9H")))
    hands = tuple(hand if number == seat else other for number, other in enumerate(match.round.hands, 1))
    state = msgspec.structs.replace(match.round, hands=hands)
    assert plain(game.view(state, seat).neutral) == {"move": "discard", "card": "AD"}
