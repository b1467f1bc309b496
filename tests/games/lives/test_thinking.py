"""How a sharp player of Irish Lives thinks: deals end in its head as at the table, and what others chose tells it what
they hold."""

import random
from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import Card, parse_card
from snug.engine.chance import chance_of
from snug.engine.game import Move
from snug.games.lives import GAME as lives
from snug.games.lives import bot
from snug.games.lives.events import PoolRecycled
from snug.games.lives.state import CALLABLE_SUITS, Play
from snug.games.lives.thinking import determinization
from snug.games.lives.thinking.deck import NEARLY_OUT, Deck, likings, racing
from snug.games.lives.thinking.finish import deck_of, points_left
from snug.games.lives.thinking.memory import Memory
from snug.games.lives.view import LivesView
from tests.games.lives.tables import begin, deal, pack_with, table_of


def cards(*texts: str) -> list[Card]:
    return [parse_card(text) for text in texts]


def steady(view: LivesView) -> Move:
    """What a good player does; of equal cards the one that is later in the pack, and the later suit."""
    plays = [move for move in bot.THINKING.candidates(view) if isinstance(move, Play)]
    if view.exposed or not plays:
        return bot.choose(view, random.Random(1))
    deck, hand = deck_of(view.options, view.seats), list(view.hand)

    def liking(play: Play) -> tuple[float, int, int]:
        rest, suit = hand.copy(), play.suit or play.card.suit
        rest.remove(play.card)
        near = view.hand_sizes[view.turn % view.seats] <= NEARLY_OUT
        return bot.worth(play.card, suit, rest, near), deck.cards.index(play.card), CALLABLE_SUITS.index(suit)

    every = [move for move in view.legal if isinstance(move, Play)]
    return max([play for play in every if play.last_card or len(hand) != 2], key=liking)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (4, {}),
        (2, {"play_drawn_card": True, "last_card_notice": "auto"}),
        (5, {"off_suit_ace": "always", "jokers_per_pack": 1}),
        (3, {"off_suit_ace": "no_suit_no_rank", "must_play": True}),
    ],
)
def test_a_deal_without_another_shuffle_ends_as_at_the_table(seats: int, options: dict[str, Any]) -> None:
    compared = 0
    for number in range(20):
        table, log, told, thinker = begin(seats, **options), list[Any](), None, 0
        while not table.over:
            if due := table.due:
                table, events = matches.play(table, 0, due.outcome(chance_of(f"finish {number}", len(log))))
            else:
                (seat,) = table.to_act
                view: Any = matches.sight(table, seat, log)
                move = bot.race(view, random.Random(1)) if seat == thinker else steady(view)
                table, events = matches.play(table, seat, move)
                if not told and len(log) > 9 and not table.due and not table.over:
                    told, thinker = points_left(table.round, random.Random(1)), seat
            log += events
            if told and any(isinstance(event, PoolRecycled) for event in events):
                break
        else:
            compared += bool(told)
            assert told in (None, lives.scores(table.round))
    assert compared > 5


def test_the_shuffles_to_come_are_the_lucks_alone() -> None:
    state = table_of({"hands": [["3H", "5S"], ["KS", "9D"], ["6H", "4H"]], "pool": ["6S"]}).round
    ends = [points_left(state, random.Random(seed)) for seed in (1, *range(40))]
    assert ends[0] == ends[2]
    assert len(set(ends)) > 1


def test_a_hand_of_bits_is_liked_as_a_hand_of_cards() -> None:
    luck, deck = random.Random(3), deck_of(begin(4).options, 4)
    for _ in range(200):
        hand, near = luck.sample(deck.cards, luck.randint(1, 9)), luck.random() < 0.5
        held = deck.those(hand)
        found = {(number, suit): liking for liking, number, suit in likings(deck, held, held, near)}
        said = {}
        for card in hand:
            for suit in CALLABLE_SUITS if card.rank == 1 else card.suit:
                rest = [other for other in hand if other != card]
                said[deck.cards.index(card), CALLABLE_SUITS.index(suit)] = bot.worth(card, suit, rest, near)
        (first, *_), base = found, min(found)
        assert {way: liking - found[base] for way, liking in found.items()} == pytest.approx(
            {way: liking - said[base] for way, liking in said.items()}
        ), (hand, first)


def raced(hand: list[str], unseen: list[str], next_size: int = 5) -> Card:
    deck = Deck(cards(*hand, *unseen))
    held = (1 << len(hand)) - 1
    card, _ = racing(deck, held, held, deck.all & ~held, next_size)
    return deck.cards[card]


def test_who_races_plays_what_others_can_seldom_follow() -> None:
    hand = ["9C", "8D", "KH"]
    assert raced(hand, ["8C", "8H", "10D", "3D", "KC", "4H"]) == "9C"
    assert raced(hand, ["9D", "9H", "10C", "3C", "KC", "4H"]) == "8D"


def test_who_races_keeps_an_ace_and_gives_a_two_to_who_is_nearly_out() -> None:
    rest = ["3C", "5H", "6S", "JD"]
    assert raced(["AC", "9C", "2C", "QH", "4S"], rest, next_size=5) not in ("AC", "2C")
    assert raced(["AC", "9C", "2C", "QH", "4S"], rest, next_size=1) == "2C"


def test_worlds_come_up_as_often_as_a_good_players_choices_make_them_likely() -> None:
    """Who plays the lowest of clubs seldom holds a higher one, which a good player would rather be rid of."""
    table, events = deal(begin(3), pack_with({0: "3C", 21: "7C"}))
    table, more = matches.play(table, 1, Play(parse_card("3C")))
    view: Any = matches.sight(table, 2, [*events, *more])
    assert [type(choice).__name__ for choice in Memory(view, random.Random(0).choice).choices] == ["Played"]
    chance = random.Random(4)
    worlds = [determinization.determinize(view, chance) for _ in range(300)]
    clubs = [sum(card.suit == "C" and card.rank > 3 for world in worlds for card in world.hands[at]) for at in (0, 2)]
    assert clubs[0] * 3 < clubs[1]
