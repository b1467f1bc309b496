"""What may be hidden at a Life table, as far as a seat can tell: §9.

A card in somebody else's hand came there as a card of the deck that nobody else has seen, or before the viewer's eyes.
So everything that was seen since the last deal is gone through in order: every unseen card remembers which suits it
cannot be (a turned ace leaves nobody a card of its suit, who has laid spades holds no more of them) and from which deck
it was drawn (what is reshuffled is known). A card that a hand gives away is one of those that it may have been. In the
end what is not in sight is laid out among all that is left."""

from collections import Counter
from random import Random
from typing import Any, Final

import msgspec

from snug.engine.alike import like
from snug.engine.cards import JOKER, Card, Pile
from snug.games.life.dealing import pack_for
from snug.games.life.memory import (
    BITS,
    Draws,
    Gains,
    Lacks,
    Loses,
    Memory,
    Needs,
    Passes,
    Reshuffles,
    Shows,
    out_of_sight,
    remembered,
)
from snug.games.life.state import LifeState
from snug.games.life.view import LifeView

_LAYS_ALL: Final = 0.9  # how often who lays some cards of a suit, or none, is believed to hold no others
_BELIEVING: Final = 20  # after how many tries that is given up
_TRIES: Final = 100


class _Unseen(msgspec.Struct, eq=False):
    """A card in somebody's hand: the number of the deck that it came from, the suits that it cannot be, and what it
    is, if that was seen or has been guessed."""

    deck: int
    never: int = 0
    card: Card | None = None


_Hands = list[list[_Unseen]]
_Deck = dict[Card, int]


def determinize(view: LifeView, chance: Random) -> LifeState:
    """The table with hidden cards where they may be; suits that others have chosen in secret may be any."""
    choosing = view.phase == "CHOOSE_SUITS"
    nothing: tuple[Pile, ...] = ((),) * view.seats
    hands, deck = (nothing, pack_for(view.options, view.seats)) if choosing else _hidden(view, chance)
    return like(
        LifeState,
        view,
        chosen=_chosen(view, chance) if choosing else view.suits,
        hands=hands,
        deck=deck,
        removed_jokers=(JOKER,) * view.removed_jokers,
    )


def _chosen(view: LifeView, chance: Random) -> tuple[str | None, ...]:
    known = zip(view.suits, view.has_chosen, strict=True)
    return tuple(suit or (chance.choice(view.choices) if chosen else None) for suit, chosen in known)


def _hidden(view: LifeView, chance: Random) -> tuple[tuple[Pile, ...], Pile]:
    memory = remembered(view)
    for number in range(_TRIES):
        belief = _LAYS_ALL * max(0.0, 1 - number / _BELIEVING)
        guess = _guess(memory, chance, belief)
        if guess and (rest := _laid_out(*guess, chance)) is not None:
            return _as_piles(view, guess[0]), tuple(rest[: view.deck_size])
    sizes = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes, 1)]
    left = chance.sample(cards := list(out_of_sight(view).elements()), len(cards))
    hands = [[_Unseen(0, card=left.pop()) for _ in range(size)] for size in sizes]
    return _as_piles(view, hands), tuple(left[: view.deck_size])


def _as_piles(view: LifeView, hands: _Hands) -> tuple[Pile, ...]:
    guessed: list[Any] = [tuple(it.card for it in hand) for hand in hands]
    return tuple(view.hand if seat == view.seat else hand for seat, hand in enumerate(guessed, 1))


def _guess(memory: Memory, chance: Random, belief: float) -> tuple[_Hands, list[_Deck]] | None:
    """One way in which it may have come so: the hands, and what else was unseen of each deck. None if it went wrong."""
    hands: _Hands = [[_Unseen(0) for _ in range(size)] for size in memory.held]
    decks: list[_Deck] = [dict(memory.unseen)]
    for step in memory.steps:
        match step:
            case Draws(seat):
                hands[seat - 1].append(_Unseen(len(decks) - 1))
            case Gains(seat, card):
                hands[seat - 1].append(_Unseen(0, card=card))
            case Shows(card):
                if decks[-1].get(card, 0) < 1:
                    return None
                decks[-1][card] -= 1
            case Loses(seat, card, needs):
                if not _gives_away(hands[seat - 1], card, needs, decks, chance):
                    return None
            case Passes(target, thief):
                if not _is_stolen(hands[target - 1], hands[thief - 1], step, chance):
                    return None
            case Lacks(seat, bits, certain):
                if any(it.card and BITS[it.card] & bits for it in hands[seat - 1]):
                    if certain:
                        return None
                elif certain or chance.random() < belief:
                    for it in hands[seat - 1]:
                        it.never |= bits
            case Reshuffles(cards):
                if memory.whole:
                    decks.append(dict(Counter(cards)))
                else:
                    decks[0] = dict(Counter(decks[0]) + Counter(cards))
    return hands, decks


def _gives_away(hand: list[_Unseen], card: Card, needs: Needs, decks: list[_Deck], chance: Random) -> bool:
    """Takes a card from a hand: that which is known to be it, or any that may be. False if none may."""
    bit = BITS[card]
    which = [it for it in hand if it.card == card] or [
        it for it in hand if it.card is None and not it.never & bit and decks[it.deck].get(card, 0) > 0
    ]
    if needs:
        which = _spared(which, hand, needs)
    if not which:
        return False
    one = which[int(chance.random() * len(which))]
    hand.remove(one)
    if one.card is None:
        decks[one.deck][card] -= 1
    return True


def _is_stolen(hand: list[_Unseen], thiefs: list[_Unseen], step: Passes, chance: Random) -> bool:
    """Moves a card from one hand to another, any that may have been it. False if none may."""
    homes = step.homes
    which = [it for it in hand if it.card and homes.get(it.card) == step.thief] or [
        it for it in hand if not it.card or homes.get(it.card) != step.target
    ]
    if step.target_needs:
        which = _spared(which, hand, step.target_needs)
    for bit, need in step.thief_needs:
        if sum([_may_be(it, bit) for it in thiefs]) < need:
            which = [it for it in which if _may_be(it, bit)]
    if not which:
        return False
    one = which[int(chance.random() * len(which))]
    hand.remove(one)
    thiefs.append(one)
    return True


def _spared(which: list[_Unseen], hand: list[_Unseen], needs: Needs) -> list[_Unseen]:
    """Those of a hand without which it still has what it needs."""
    for bit, need in needs:
        if sum([_may_be(it, bit) for it in hand]) <= need:
            which = [it for it in which if not _may_be(it, bit)]
    return which


def _may_be(it: _Unseen, bit: int) -> bool:
    return bool(BITS[it.card] & bit) if it.card else not it.never & bit


def _laid_out(hands: _Hands, decks: list[_Deck], chance: Random) -> list[Card] | None:
    """Gives every unseen card a face of its deck. What is left of the last deck, or None if they do not fit."""
    cards: list[Card] = []
    for number, deck in enumerate(decks):
        every = [card for card, times in deck.items() for _ in range(times)]
        cards = chance.sample(every, len(every))
        unseen = [it for hand in hands for it in hand if it.deck == number and it.card is None]
        unseen.sort(key=lambda it: -it.never.bit_count())
        if len(unseen) > len(cards):
            return None
        for at, it in enumerate(unseen):
            if not _is_found(it, cards) and not _is_swapped(it, unseen[:at], cards):
                return None
    return cards


def _is_found(it: _Unseen, cards: list[Card]) -> bool:
    if not it.never:
        it.card = cards.pop()
        return True
    for at, card in enumerate(cards):
        if not BITS[card] & it.never:
            it.card = card
            del cards[at]
            return True
    return False


def _is_swapped(it: _Unseen, others: list[_Unseen], cards: list[Card]) -> bool:
    """Takes the card of another one that finds a card for itself."""
    for other in others:
        card = other.card
        if card and not BITS[card] & it.never and _is_found(other, cards):
            it.card = card
            return True
    return False
