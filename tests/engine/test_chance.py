"""The dealer's chance: the same key gives the same outcomes everywhere, and no outcome is likelier than another."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, islice, permutations

import pytest

from snug.engine.cards import CARDS, JOKER, PACK, Pile
from snug.engine.chance import Chance, Choose, ChooseDue, Draw, DrawDue, Due, Outcome, Shuffle, ShuffleDue, chance_of

FIVE = PACK[:5]
Shuffler = Callable[[Chance, Pile], Pile]

NUMBERS_OF_SNUG = [3404841506, 3693289360, 822641382, 914534051, 971263425, 783000161, 1087017573, 1649641073]
SHUFFLE_OF_SEED_0 = (
    "AD JD 8S 3C 2C 5S 6D 4D 10D 10C 4H 5C KH JH 7C QD 4C 2D 2H JC 7D 6H 10S KS 9D 7S "
    "7H 10H AS 9S 3H QC 2S 3D KD JS QS 9C 8C 6S AC 5H 8D 6C 9H 3S QH AH 5D 8H 4S KC"
)
SECOND_SHUFFLE_OF_KITCHEN = (
    "9C AH 6C QH 4D 10C 10D 9S 9D 2D 9H 2H 7C QC 4C 6H 8S KH JD 6S 6D 10H 3D 7D 5H 7H "
    "2S AD 5S 2C 4H AC 4S QS 3C KS 3H 8C AS 8H JS KC JK QD 8D JK 10S KD 5C 3S JH 7S"
)


# Determinism


def test_the_first_numbers_of_a_key_never_change() -> None:
    chance = Chance(b"snug")
    assert [chance.below(1 << 32) for _ in NUMBERS_OF_SNUG] == NUMBERS_OF_SNUG


def test_the_shuffle_of_a_seed_never_changes() -> None:
    assert " ".join(ShuffleDue(PACK).outcome(chance_of("0", 0)).cards) == SHUFFLE_OF_SEED_0
    assert " ".join(ShuffleDue(PACK, 2).outcome(chance_of("kitchen", 1)).cards) == SECOND_SHUFFLE_OF_KITCHEN


def test_a_stranger_can_compute_the_same_numbers() -> None:
    """HMAC-SHA256 of a counter, big-endian words of 32 bits, from the first to the last."""

    def words() -> Iterator[int]:
        key = hmac.new(b"snug record seed", b"3:any seed, even \xe2\x99\xa3", hashlib.sha256).digest()
        for block in range(5):
            digest = hmac.new(key, block.to_bytes(8, "big"), hashlib.sha256).digest()
            yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))

    chance = chance_of("any seed, even ♣", 3)
    assert [chance.below(1 << 32) for _ in range(40)] == list(words())


def test_equal_keys_give_equal_streams_and_others_do_not() -> None:
    def stream(seed: str, nth: int) -> tuple[int, ...]:
        chance = chance_of(seed, nth)
        return tuple(chance.below(1000) for _ in range(10))

    assert stream("kitchen", 1) == stream("kitchen", 1)
    keys = [("kitchen", 0), ("kitchen", 1), ("", 0), ("", 1), ("1:", 1), (":1", 1), ("1", 11), ("11", 1), ("0", 0)]
    assert len({stream(seed, nth) for seed, nth in keys}) == len(keys)


# No bias


class Scripted(Chance):
    """A chance whose words are written down."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"")
        self._words = iter(words)


@pytest.mark.parametrize("limit", [3, 5, 6, 7, 48, 52, 1000, (1 << 31) + 1])
def test_words_past_the_last_whole_multiple_are_thrown_away(limit: int) -> None:
    multiple = (1 << 32) // limit * limit
    assert Scripted(multiple - 1).below(limit) == limit - 1
    assert Scripted(multiple, (1 << 32) - 1, 2).below(limit) == 2


@pytest.mark.parametrize("limit", [1, 2, 4, 1 << 31, 1 << 32])
def test_a_power_of_two_throws_no_word_away(limit: int) -> None:
    assert Scripted((1 << 32) - 1).below(limit) == limit - 1


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 52])
def test_numbers_stay_below_the_limit_and_reach_all_of_it(limit: int) -> None:
    chance = Chance(b"range")
    assert {chance.below(limit) for _ in range(40 * limit)} == set(range(limit))


def fair(chance: Chance, cards: Pile) -> Pile:
    """The dealer's own shuffle."""
    return chance.shuffled(cards)


def naive(chance: Chance, cards: Pile) -> Pile:
    """The well-known wrong one: every card changes places with any other."""
    deck = list(cards)
    for place in range(len(deck)):
        other = chance.below(len(deck))
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def sattolo(chance: Chance, cards: Pile) -> Pile:
    """Off by one: no card ever stays where it was."""
    deck = list(cards)
    for last in range(len(deck) - 1, 0, -1):
        other = chance.below(last)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def chi_squared_of_orders(shuffle: Shuffler, decks: int = 12_000) -> float:
    """How far the 120 orders of five cards are from equally frequent. Mean 119, deviation 15.4."""
    chance = Chance(b"five cards")
    seen = Counter(shuffle(chance, FIVE) for _ in range(decks))
    expected = decks / 120
    return sum((seen[order] - expected) ** 2 / expected for order in permutations(FIVE))


def chi_squared_of_places(shuffle: Shuffler, decks: int = 2_000) -> float:
    """How far every card is from lying equally often in every place of the pack. Mean 51² = 2601, deviation 72.

    A pack fills every row and column of the matrix at once, hence the factor 51/52.
    """
    chance = Chance(b"fifty-two cards")
    seen = Counter(chain.from_iterable(enumerate(shuffle(chance, PACK)) for _ in range(decks)))
    expected = decks / 52
    return sum((seen[place, card] - expected) ** 2 for place in range(52) for card in PACK) / expected * 51 / 52


def test_all_120_orders_of_five_cards_are_equally_likely() -> None:
    assert 65 < chi_squared_of_orders(fair) < 185


def test_every_card_is_equally_likely_in_every_place() -> None:
    assert 2_300 < chi_squared_of_places(fair) < 2_900


@pytest.mark.parametrize("wrong", [naive, sattolo])
def test_a_wrong_shuffle_fails_both_tests(wrong: Shuffler) -> None:
    assert chi_squared_of_orders(wrong) > 185
    assert chi_squared_of_places(wrong) > 2_900


def test_jokers_replace_any_card_and_lie_anywhere() -> None:
    decks = 3_000
    outcomes = [ShuffleDue(PACK, 2).outcome(chance_of("jokers", nth)).cards for nth in range(decks)]
    replaced = Counter(chain.from_iterable(set(PACK) - set(cards) for cards in outcomes))
    places = Counter(place for cards in outcomes for place, card in enumerate(cards) if card is JOKER)
    expected = 2 * decks / 52
    for seen in (replaced, places):
        assert seen.total() == 2 * decks
        assert sum((n - expected) ** 2 / expected for n in seen.values()) < 105  # mean 50, deviation 10


def test_draws_and_choices_are_equally_likely() -> None:
    draws = Counter(DrawDue(FIVE).outcome(chance_of("draws", nth)).card for nth in range(2_000))
    choices = Counter(ChooseDue(5).outcome(chance_of("choices", nth)).value for nth in range(2_000))
    assert set(draws) == set(FIVE)
    assert set(choices) == {1, 2, 3, 4, 5}
    for seen in (draws, choices):
        assert sum((n - 400) ** 2 / 400 for n in seen.values()) < 24  # 4 degrees of freedom


# What can be an outcome

DUES: list[Due] = [
    ShuffleDue(PACK),
    ShuffleDue(PACK, 1),
    ShuffleDue(PACK, 2),
    ShuffleDue(PACK + PACK),
    ShuffleDue((*PACK, JOKER, JOKER)),
    ShuffleDue(FIVE),
    ShuffleDue(PACK[:1]),
    ShuffleDue(()),
    DrawDue(FIVE),
    DrawDue((*FIVE, *FIVE)),
    DrawDue(FIVE[:1]),
    ChooseDue(1),
    ChooseDue(6),
]


@pytest.mark.parametrize("due", DUES, ids=str)
def test_the_dealer_admits_what_it_makes_itself(due: Due) -> None:
    assert all(due.admits(due.outcome(chance_of("own", nth))) for nth in range(50))


@pytest.mark.parametrize("cards", [PACK, PACK + PACK, FIVE], ids=["a pack", "two packs", "five cards"])
def test_a_shuffle_keeps_every_card(cards: Pile) -> None:
    outcome = ShuffleDue(cards).outcome(Chance(b"keep"))
    assert Counter(outcome.cards) == Counter(cards)
    assert outcome.cards != cards


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_jokers_take_the_place_of_distinct_cards_so_that_the_pack_keeps_its_size(jokers: int) -> None:
    cards = ShuffleDue(PACK, jokers).outcome(Chance(b"size")).cards
    assert len(cards) == 52
    assert cards.count(JOKER) == jokers
    assert len(set(cards) - {JOKER}) == 52 - jokers


@pytest.mark.parametrize(
    ("due", "outcome"),
    [
        (ShuffleDue(PACK), Shuffle(())),
        (ShuffleDue(PACK), Shuffle(PACK[:-1])),
        (ShuffleDue(PACK), Shuffle((*PACK, PACK[0]))),
        (ShuffleDue(PACK), Shuffle((*PACK[:-1], PACK[0]))),
        (ShuffleDue(PACK), Shuffle((*PACK[:-1], JOKER))),
        (ShuffleDue(PACK, 1), Shuffle(PACK)),
        (ShuffleDue(PACK, 1), Shuffle((*PACK[2:], JOKER, JOKER))),
        (ShuffleDue(PACK, 2), Shuffle((*PACK[:-2], PACK[0], JOKER))),
        (ShuffleDue(PACK, 2), Shuffle((*PACK[:-3], PACK[0], JOKER, JOKER))),
        (ShuffleDue(FIVE), Shuffle((*FIVE[:4], PACK[9]))),
        (ShuffleDue((*FIVE, JOKER)), Shuffle((*FIVE[:4], JOKER, JOKER))),
        (ShuffleDue(PACK), Draw(PACK[0])),
        (ShuffleDue(PACK), Choose(1)),
        (DrawDue(FIVE), Draw(PACK[9])),
        (DrawDue(FIVE), Draw(JOKER)),
        (DrawDue(()), Draw(PACK[0])),
        (DrawDue(FIVE), Shuffle(FIVE)),
        (DrawDue(FIVE), Choose(1)),
        (ChooseDue(4), Choose(0)),
        (ChooseDue(4), Choose(5)),
        (ChooseDue(4), Choose(-1)),
        (ChooseDue(4), Draw(CARDS["4S"])),
        (ChooseDue(4), Shuffle(PACK)),
    ],
)
def test_the_dealer_does_not_admit_what_cannot_be(due: Due, outcome: Outcome) -> None:
    assert not due.admits(outcome)


def test_two_of_a_kind_may_be_shuffled_from_two_packs_but_not_three() -> None:
    due = ShuffleDue(PACK + PACK)
    assert due.admits(Shuffle(tuple(chain(*zip(PACK, PACK, strict=True)))))
    assert not due.admits(Shuffle((*PACK, *PACK[:-1], PACK[0])))


def test_a_stream_never_ends_early() -> None:
    chance = Chance(b"long")
    assert len(set(islice(iter(lambda: chance.below(1 << 32), -1), 1000))) == 1000
