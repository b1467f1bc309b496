"""Sets, runs and contracts: what may be laid down, checked against a search that simply tries everything."""

import random
from itertools import combinations

import pytest

from snug.engine.cards import CARDS, JOKER, PACK, Card, Pile
from snug.engine.melds import (
    CARD_AT,
    POINTS,
    Contract,
    Laid,
    RunMeld,
    SetMeld,
    fault_of,
    fault_of_contract,
    low_of,
    on_table,
    points_of,
)
from snug.games.liverpool.meld_search import arrangements, can_lay
from snug.games.liverpool.thinking.hand_plan import HandPlan, hand_plan
from snug.testing.scenarios import cards

CONTRACTS = [Contract(2, 0), Contract(1, 1), Contract(0, 2), Contract(3, 0), Contract(2, 1), Contract(1, 2)]
LAST = Contract(0, 3, everything=True)


def test_what_is_laid_down_knows_its_place() -> None:
    assert low_of(cards("JK JK 5D 6D")) == 3
    assert low_of(cards("10C JC JK KC AC")) == 10
    assert low_of(cards("AC JK 3C 4C")) == 1
    assert low_of(cards("JK AC 2C 3C")) is low_of(cards("AC JK JK AC")) is low_of(cards("5C 5C 6C")) is None


def test_a_meld_on_the_table_takes_what_fits() -> None:
    run = on_table(Laid("run", cards("JK 3C 4C JK")), 1, 2)
    assert run == RunMeld(1, 2, cards("JK 3C 4C JK"), "C", 2)
    assert isinstance(run, RunMeld)
    assert (run.next_at("low"), run.next_at("high"), run.high) == ("AC", "6C", 5)
    assert (run.held_place(1), run.held_place(2), run.held_place(4), run.held_place(5)) == ("2C", None, "5C", None)
    lower = run.added(CARDS["AC"], "low")
    assert (lower.low, lower.next_at("low")) == (1, None)
    assert lower.added(JOKER, "high").cards == cards("AC JK 3C 4C JK JK")
    group = on_table(Laid("set", cards("6C JK 6D JK")), 2, 1)
    assert group == SetMeld(2, 1, cards("6C JK 6D JK"), 6, live_joker=True)
    assert group.won_with(CARDS["6H"], None) == SetMeld(2, 1, cards("6C 6H 6D JK"), 6, live_joker=False)
    assert (group.words, run.words) == ("set of sixes", "run of clubs")


def test_points_are_pips_but_tens_for_pictures_and_fifteen_for_aces_and_jokers() -> None:
    assert [POINTS[CARDS[text]] for text in ("AS", "JK", "KD", "QD", "JD", "10H", "9C", "2C")] == [15, 15] + [
        10
    ] * 4 + [9, 2]
    assert sum(POINTS[card] for card in PACK) == 4 * (15 + 30 + sum(range(2, 11)))


# Everything that can be laid down is found, and nothing else


def spans_of(pile: Pile) -> list[tuple[str, int, int]]:
    """Every place where these cards, in some order, are a run."""
    naturals = [card for card in pile if not card.is_joker]
    if len(naturals) < 2 or not 4 <= len(pile) <= 13 or len({card.suit for card in naturals}) > 1:
        return []
    suit = naturals[0].suit
    spans = [(suit, low, low + len(pile) - 1) for low in range(1, 16 - len(pile))]
    places = {span: [CARD_AT[suit, at] for at in range(span[1], span[2] + 1)] for span in spans}
    return [span for span in spans if all(places[span].count(card) >= naturals.count(card) for card in naturals)]


def can_somehow_be_laid(hand: Pile, contract: Contract, keep: int) -> bool:
    """Tries every choice of cards for every meld."""
    sets: list[int] = []
    runs: list[tuple[int, tuple[str, int, int]]] = []
    for size in range(3, len(hand) + 1):
        for chosen in combinations(range(len(hand)), size):
            pile, mask = tuple(hand[at] for at in chosen), sum(1 << at for at in chosen)
            if size == 3 and fault_of(Laid("set", pile)) is None:
                sets.append(mask)
            runs += [(mask, span) for span in spans_of(pile)]

    def with_runs(used: int, laid: list[tuple[str, int, int]], first: int) -> bool:
        if len(laid) == contract.runs:
            return with_sets(used, contract.sets, 0)
        return any(
            with_runs(used | mask, [*laid, span], at + 1)
            for at, (mask, span) in enumerate(runs[first:], first)
            if not mask & used and not any(touch(span, other) for other in laid)
        )

    def with_sets(used: int, wanted: int, first: int) -> bool:
        if not wanted:
            left = len(hand) - used.bit_count()
            return left >= keep and not (contract.everything and left)
        rest = enumerate(sets[first:], first)
        return any(with_sets(used | mask, wanted - 1, at + 1) for at, mask in rest if not mask & used)

    return with_runs(0, [], 0)


def touch(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return one[0] == other[0] and (one[2] + 1 == other[1] or other[2] + 1 == one[1])


def hands(seed: int, number: int) -> list[tuple[Pile, Contract, int]]:
    """Hands of few suits and many jokers, with which nearly everything can nearly be laid."""
    dice, found = random.Random(seed), list[tuple[Pile, Contract, int]]()
    while len(found) < number:
        contract = dice.choice([*CONTRACTS, LAST])
        suits = dice.sample("SHDC", dice.choice((1, 1, 2, 3)))
        low, jokers = dice.randint(1, 9), dice.choice((0, 0, 1, 1, 2, 3))
        known = [card for card in PACK if card.suit in suits and (low <= card.rank <= low + 6 or card.rank == 1)] * 2
        size = 12 if contract.everything else max(6, 3 * contract.sets + 4 * contract.runs) + dice.randint(0, 1)
        if len(known) >= size:
            hand = tuple(dice.sample(known, size - jokers)) + (JOKER,) * jokers
            found.append((hand, contract, 0 if contract.everything else dice.choice((0, 0, 1))))
    return found


@pytest.mark.dear(2, "thousands of hands beside a plain search")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
def test_what_can_be_laid_down_is_found_and_nothing_else(seed: int) -> None:
    found = set()
    for hand, contract, keep in hands(seed, 60):
        possible = can_lay(hand, contract, keep)
        assert possible == can_somehow_be_laid(hand, contract, keep), (hand, contract, keep)
        found.add(possible)
        offered = arrangements(hand, contract, 5, keep)
        assert bool(offered) == possible
        for arrangement in offered:
            laid = [card for meld in arrangement.melds for card in meld.cards]
            assert fault_of_contract(arrangement.melds, contract) is None
            assert sorted([*laid, *arrangement.left]) == sorted(hand)
            assert arrangement.points == points_of(arrangement.left)
            assert len(arrangement.left) >= keep
        assert [one.points for one in offered] == sorted(one.points for one in offered)
    assert found == {True, False}


@pytest.mark.parametrize(
    ("hand", "contract", "possible"),
    [
        ("5H 6H 7H 8H 6C JK JK", Contract(1, 1), True),  # a joker in the run frees the six for the set
        ("4D JK JK JK 8D 9C 9D 9S", Contract(1, 1), True),  # two naturals with three jokers between
        ("4C 4D 4H 4S JK JK", Contract(2, 0), True),  # four of a rank as two pairs
        ("4C 4D 4H 4S JK", Contract(2, 0), False),
        ("4H 5H 6H 7H 8H 9H 10H JH", Contract(0, 2), False),  # they touch
        ("4H 5H 6H 7H 8H 9H 10H JH JK", Contract(0, 2), True),  # one of them reaches over the border
        ("AS 2S 3S 4S JS QS KS AS", Contract(0, 2), True),
        ("QS KS AS 2S 9C 9D 9S", Contract(1, 1), False),
        ("AS JK JK AS 9C 9D 9S", Contract(1, 1), False),  # two aces are no run
        ("5S 6S 7S 8S 9S 9S 10S JS QS 2S 3S 4S 5S", LAST, True),  # overlapping where short runs would touch
        ("4H 5H 6H 7H 9H 10H JH QH AS 2S 3S 4S 8H", LAST, False),
        ("4H 5H 6H 7H 9H 10H JH QH AS 2S 3S 4S JK", LAST, True),
    ],
)
def test_hands_that_are_easily_misjudged(hand: str, contract: Contract, possible: bool) -> None:
    assert can_lay(cards(hand), contract) == possible
    assert can_somehow_be_laid(cards(hand), contract, 0) == possible


def test_the_best_arrangement_leaves_the_fewest_points() -> None:
    best, *others = arrangements(cards("4C 4D 4S 4H KC KD KS 2C 2D 2S JK 7H"), Contract(2, 0))
    assert {meld.cards for meld in best.melds} == {cards("4S 4H 4D 4C"), cards("KS KD KC JK")}
    assert best.left == cards("2C 2D 2S 7H")
    assert all(other.points >= 13 for other in others)
    (run_first,) = arrangements(cards("3H 4H 5H 6H 7H 9C 9D 9S KD"), Contract(1, 1))
    assert run_first.melds[1].cards == cards("3H 4H 5H 6H 7H")


# The outlook


def test_the_outlook_lacks_nothing_when_the_contract_is_there() -> None:
    dice = random.Random(7)
    pack = [*PACK, JOKER] * 2
    for contract in CONTRACTS:
        for _ in range(40):
            hand = tuple(dice.sample(pack, 13))
            if can_lay(hand, contract):
                assert hand_plan(hand, contract).missing == 0


def test_a_card_brings_the_contract_one_nearer_at_most() -> None:
    dice = random.Random(8)
    pack = [*PACK, JOKER] * 2
    for contract in [*CONTRACTS, LAST]:
        for _ in range(20):
            *hand, card = dice.sample(pack, 12)
            before, after = (hand_plan(tuple(held), contract) for held in (hand, [*hand, card]))
            assert after.missing >= before.missing - 1
            assert cards_of(before) == sorted(hand)


def cards_of(one: HandPlan) -> list[Card]:
    return sorted([*(card for plan in one.plans for card in plan.held), *one.spare, *(JOKER,) * one.jokers])
