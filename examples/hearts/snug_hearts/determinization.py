"""Where the cards may be that a seat of Hearts does not see: §6, §7, §9."""

from random import Random

from snug.engine.alike import like
from snug.engine.cards import Card, Pile

from snug_hearts.state import PASSED, HeartsState, is_penalty, pack_of
from snug_hearts.tricks import Trick
from snug_hearts.view import HeartsView

Held = dict[int, list[Card]]
May = dict[int, set[Card]]


def determinize(view: HeartsView, chance: Random) -> HeartsState:
    """The table with the unseen cards wherever they may be: what the viewer passed is where it went until it is played,
    and nobody holds what he would have had to play."""
    passing, seats = view.phase == "PASS", range(1, view.seats + 1)
    hands = _hands(view, chance)
    given = {seat: _given(view, seat, hands, chance) for seat in seats}
    kept = [[card for card in hands[seat] if not passing or card not in given[seat]] for seat in seats]
    return like(HeartsState, view, hands=tuple(map(tuple, kept)), passed=tuple(given.values()))


def _tricks(view: HeartsView) -> tuple[Trick, ...]:
    return (*view.tricks, view.trick) if view.trick else view.tricks


def _hands(view: HeartsView, chance: Random) -> Held:
    """What everybody holds; while cards are passed, those that he has chosen with them."""
    passing = view.phase == "PASS"
    out = {*view.hand, *(card for trick in _tricks(view) for card in trick.cards)}
    held: Held = {seat: [] for seat in range(1, view.seats + 1)}
    if view.seat:
        playable = view.playable  # listed in the order in which the cards are held
        held[view.seat] = [*playable, *(card for card in view.hand if card not in playable)]
        held[view.seat] += view.passed if passing else ()
    if view.receiver and not passing:
        held[view.receiver] = [card for card in view.passed if card not in out]
    aside = view.have_passed if passing else ()
    room = {seat: size + PASSED * (seat in aside) - len(held[seat]) for seat, size in enumerate(view.hand_sizes, 1)}
    unseen = [card for card in pack_of(view.seats) if card not in {*out, *view.passed}]
    chance.shuffle(unseen)
    anywhere: May = {seat: set(unseen) for seat in held}
    # in a position somebody may have broken the rules before: then what was played tells nothing
    dealt = _dealt(unseen, room, _possible(view, anywhere), chance) or _dealt(unseen, room, anywhere, chance)
    assert dealt is not None
    return {seat: dealt[seat] + cards for seat, cards in held.items()}


def _possible(view: HeartsView, anywhere: May) -> May:
    """Which of the cards everybody may hold after what he has played: §7."""
    possible, broken = dict(anywhere), False
    for number, trick in enumerate(_tricks(view)):
        led = trick.cards[0].suit if trick.cards else ""
        for seat, card in trick.seats(view.seats):
            if card.suit != led:
                possible[seat] = {other for other in possible[seat] if other.suit != led}
            if card.suit != led and is_penalty(card) and not number and not view.options.first_trick_points:
                possible[seat] = set(filter(is_penalty, possible[seat]))
            if seat == trick.leader and led == "H" and not broken:
                possible[seat] = {other for other in possible[seat] if other.suit == led}
            broken = broken or card.suit == "H" or (view.options.queen_breaks and is_penalty(card))
    return possible


def _dealt(cards: list[Card], room: dict[int, int], possible: May, chance: Random) -> Held | None:
    """The cards with those who may hold them, each of whom has room for so many; None where that cannot be."""
    held: Held = {seat: [] for seat in room}

    def put(card: Card, asked: set[int]) -> bool:
        """Finds a place for a card; where there is none, others hand on what can be elsewhere."""
        seats = [seat for seat in held if seat not in asked and card in possible[seat]]
        free = [room[seat] - len(held[seat]) for seat in seats]
        if any(free):
            held[chance.choices(seats, free)[0]].append(card)
            return True
        for seat in seats:
            asked.add(seat)
            for other in held[seat]:
                if put(other, asked):
                    held[seat].remove(other)
                    held[seat].append(card)
                    return True
        return False

    confined = sorted(cards, key=lambda card: sum(card in possible[seat] for seat in held))
    return held if all(put(card, set()) for card in confined) else None


def _given(view: HeartsView, seat: int, hands: Held, chance: Random) -> Pile:
    """What a seat has passed, if it is known to have: three of the cards that it has or its receiver had."""
    if seat == view.seat:
        return view.passed
    if seat not in view.have_passed:
        return ()
    if view.phase == "PASS":
        return tuple(chance.sample(hands[seat], PASSED))
    if seat == view.giver:
        return view.received
    receiver = (seat + view.steps - 1) % view.seats + 1
    played = [card for trick in _tricks(view) for player, card in trick.seats(view.seats) if player == receiver]
    return tuple(chance.sample(hands[receiver] + played, PASSED))
