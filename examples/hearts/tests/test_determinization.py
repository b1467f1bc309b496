"""What a seat of Hearts may imagine of the others' hands, and that nothing it has seen is against it."""

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from snug.bots import levels as bots
from snug.engine import match as matches
from snug.engine.cards import CARDS, Card, Pile
from snug.engine.game import IllegalMove, plain
from snug.engine.match import Match
from snug.testing.random_play import Player, numbers, play_on, rounds

from snug_hearts import GAME, determinization
from snug_hearts.state import HeartsState, Play, cards_of, is_penalty, pack_of
from snug_hearts.tricks import Trick
from snug_hearts.view import HeartsView


def decisions(table: Match, player: Player) -> Iterator[tuple[Match, HeartsView]]:
    """Choices all over a deal: the table, and what somebody who is to act knows."""
    tables = [before for before, _, _ in play_on(table, player)]
    for before in tables[player.dice.randrange(5) :: 5]:
        for seat in before.to_act:
            yield before, GAME.view(before.round, seat)


def play_again(state: HeartsState) -> HeartsState:
    """The tricks of the deal played once more with these hands. Raises IllegalMove where somebody could not have."""
    tricks = (*state.tricks, state.trick) if state.trick else state.tricks
    plays = [play for trick in tricks for play in trick.seats(state.seats)]
    hands = tuple(
        (*hand, *(card for owner, card in plays if owner == seat)) for seat, hand in enumerate(state.hands, 1)
    )
    again = replace(state, hands=hands, tricks=(), trick=Trick(tricks[0].leader))
    for seat, card in plays:
        again, _ = GAME.play(again, seat, Play(card))
    return again


@given(data=st.data())
def test_what_is_imagined_is_all_that_is_seen_and_nothing_that_cannot_be(data: st.DataObject) -> None:
    number = data.draw(numbers)
    for table, view in decisions(data.draw(rounds(GAME)), Player(data.draw(numbers))):
        state = GAME.determinize(view, random.Random(number))
        assert plain(GAME.view(state, view.seat)) == plain(view)
        assert sorted(cards_of(state)) == sorted(pack_of(table.seats))
        again = GAME.determinize(GAME.view(state, view.seat), random.Random(number))
        assert again == state  # it hangs on nothing hidden
        if state.phase == "PLAY":
            assert play_again(state).trick == state.trick
        if view.receiver and state.phase == "PLAY":
            there, here = (set(it.hands[view.receiver - 1]) & set(view.passed) for it in (table.round, state))
            assert there <= here


def test_without_what_was_seen_there_would_be_hands_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the cards anywhere, somebody would have had to follow suit."""
    monkeypatch.setattr(determinization, "_possible", lambda _view, anywhere: anywhere)
    views = [view for _, view in decisions(matches.begin(GAME, GAME.options(passing="none"), 4), Player(1))]
    worlds = [GAME.determinize(view, random.Random(1)) for view in views[1:]]
    with pytest.raises(IllegalMove, match="follow suit"):
        list(map(play_again, worlds))


def cards(text: str) -> Pile:
    return tuple(CARDS[name] for name in text.split())


def table_of(tricks: list[Trick], third: Callable[[Card], bool], trick: Trick) -> HeartsState:
    """Four players after these tricks. Seat 3 holds the first cards of the pack that are `third`, the others have
    the rest between them."""
    gone = {card for it in (*tricks, trick) for card in it.cards}
    left = [card for card in pack_of(4) if card not in gone]
    played = [seat for it in (*tricks, trick) for seat, _ in it.seats(4)]
    size = {seat: 13 - played.count(seat) for seat in (3, 1, 2, 4)}
    hands = {3: list(filter(third, left))[: size[3]]}
    left = [card for card in left if card not in hands[3]]
    for seat in (1, 2, 4):
        hands[seat], left = left[: size[seat]], left[size[seat] :]
    piles = tuple(tuple(hands[seat]) for seat in (1, 2, 3, 4))
    options = GAME.options(passing="none")
    return HeartsState(options, 4, 1, 1, "PLAY", piles, ((),) * 4, trick, tuple(tricks))


def thirds_hands(state: HeartsState) -> list[Pile]:
    """What seat 3 may hold, as the player to act imagines it."""
    view = GAME.view(state, state.turn)
    return [GAME.determinize(view, random.Random(number)).hands[2] for number in range(40)]


def test_who_could_not_follow_holds_nothing_of_the_suit() -> None:
    state = table_of([Trick(1, cards("2C 3C 4D 5C"))], lambda card: card.suit != "C", Trick(4))
    assert {card.suit for hand in thirds_hands(state) for card in hand} == set("SHD")


def test_who_threw_a_heart_on_the_first_trick_held_nothing_else() -> None:
    state = table_of([Trick(1, cards("2C 3C 4H 5C"))], is_penalty, Trick(4))
    assert all(is_penalty(card) for hand in thirds_hands(state) for card in hand)


def test_who_led_a_heart_too_early_held_nothing_else() -> None:
    state = table_of([Trick(1, cards("2C 3C 5C 4C"))], lambda card: card.suit == "H", Trick(3, cards("8H")))
    assert {card.suit for hand in thirds_hands(state) for card in hand} == {"H"}


def test_a_position_in_which_somebody_revoked_is_imagined_too() -> None:
    """Everybody else has refused clubs, and yet somebody holds them."""
    state = table_of([Trick(1, cards("2C 3D 4D 5D"))], lambda card: card.suit == "C", Trick(1))
    view = GAME.view(state, 1)
    assert GAME.view(GAME.determinize(view, random.Random(1)), 1) == view


def test_a_sharp_player_needs_no_more_than_what_is_imagined() -> None:
    for table, view in decisions(matches.begin(GAME, GAME.options(), 3), Player(2)):
        assert view.seat
        first, second = (bots.thought("hearts", view, random.Random(1), positions=100).best for _ in range(2))
        assert first == second
        GAME.check(table.round, view.seat, first)
