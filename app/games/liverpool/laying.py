"""Going down, adding cards and winning jokers: what the rules refuse and what comes of the rest (§8.3, §8.4, §8.6)."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from app.engine.cards import JOKER, Card, Pile
from app.engine.game import Event
from app.engine.melds import ENDS, Contract, Fault, Laid, Meld, RunMeld, fault_of_contract, on_table
from app.games.liverpool.state import JokerWon, LaidOff, LayDown, LayOff, LiverpoolState, Place, StealJoker, WentDown


def without(hand: Pile, cards: Iterable[Card]) -> Pile:
    """The hand less these cards, which are all in it."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


def meld_of(state: LiverpoolState, number: int) -> Meld | None:
    """Melds are numbered from 1 in the order in which they were laid."""
    return state.melds[number - 1] if 1 <= number <= len(state.melds) else None


def places_for(card: Card, melds: Iterable[Meld]) -> list[Place]:
    """§8.4: everywhere on the table where this card may be added."""
    places: list[Place] = []
    for meld in melds:
        if isinstance(meld, RunMeld):
            places += [Place(meld.id, end) for end in ENDS if meld.takes(card, end)]
        elif meld.takes(card, None):
            places.append(Place(meld.id))
    return places


# What the rules refuse


def fault_of_lay_down(state: LiverpoolState, seat: int, move: LayDown) -> Fault | None:
    """§8.3, §8.6."""
    hand = state.hands[seat - 1]
    if state.down[seat - 1]:
        return "ALREADY_DOWN", "You are down already: the contract is laid once a hand, and no more melds after it."
    return fault_of_melds(hand, state.contract, state.keep, move.melds)


def fault_of_melds(hand: Pile, contract: Contract, keep: int, melds: Sequence[Laid]) -> Fault | None:
    """§8.3, §8.6: why a player with this hand, of which so many cards must stay, cannot lay down these melds."""
    laid = [card for meld in melds for card in meld.cards]
    if missing := Counter(laid) - Counter(hand):
        card = next(iter(missing))
        return "NOT_IN_HAND", f"You do not hold {card.label}{' so often' if card in hand else ''}."
    if fault := fault_of_contract(melds, contract):
        return fault
    left = len(hand) - len(laid)
    if contract.everything and left:
        return "FINAL_HAND_MUST_USE_ALL", "In the last hand every card must be in one of the three runs."
    return _fault_of_keeping(keep, left)


def _fault_of_keeping(keep: int, left: int) -> Fault | None:
    """§8.5, option `final_discard`."""
    if left < keep:
        return "KEEP_A_DISCARD", "This table plays Last card must be discarded: keep a card for your discard."
    return None


def _fault_of_adding(state: LiverpoolState, seat: int, card: Card, hand: Pile) -> Fault | None:
    """What laying off and winning a joker have in common."""
    if not state.down[seat - 1]:
        return "NOT_DOWN", "Only who has laid down the contract may play cards on the table."
    if state.went_down_this_turn and not state.options.layoff_same_turn:
        return (
            "NOT_THIS_TURN",
            "This table plays without Lay off at once: you may add cards from your next turn on.",
        )
    if card not in hand:
        return "NOT_IN_HAND", f"You do not hold {card.label}."
    return _fault_of_keeping(state.keep, len(hand) - 1)


def _fault_of_place(state: LiverpoolState, card: Card, place: Place) -> Fault | None:
    meld = meld_of(state, place.meld)
    if meld is None:
        return "DOES_NOT_FIT", f"There is no meld {place.meld} on the table."
    if isinstance(meld, RunMeld) and place.end is None:
        return "END_REQUIRED", f"Say at which end of the {meld.words} {card.label} is to go: low or high."
    if not meld.takes(card, place.end):
        where = f" at the {place.end} end" if place.end else ""
        return "DOES_NOT_FIT", f"{card.label} does not fit on the {meld.words} (meld {meld.id}){where}."
    return None


def fault_of_lay_off(state: LiverpoolState, seat: int, move: LayOff, hand: Pile) -> Fault | None:
    """§8.4, playing from `hand`."""
    fault = _fault_of_adding(state, seat, move.card, hand)
    return fault or _fault_of_place(state, move.card, Place(move.meld, move.end))


def fault_of_steal(state: LiverpoolState, seat: int, move: StealJoker, hand: Pile) -> Fault | None:
    """§8.4, playing from `hand`: both halves must be right."""
    if fault := _fault_of_adding(state, seat, move.card, hand):
        return fault
    meld = meld_of(state, move.meld)
    if meld is None:
        return "NO_JOKER_THERE", f"There is no meld {move.meld} on the table."
    if isinstance(meld, RunMeld):
        wanted = None if move.slot is None else meld.held_place(move.slot)
        if wanted is None:
            return "NO_JOKER_THERE", f"There is no joker in slot {move.slot or '(none named)'} of meld {meld.id}."
        if move.card != wanted:
            return "NOT_THE_CARD", f"That joker stands for {wanted.label}: only {wanted.label} wins it."
    else:
        if JOKER not in meld.cards:
            return "NO_JOKER_THERE", f"There is no joker in the {meld.words} (meld {meld.id})."
        if move.slot is not None:
            return "NO_JOKER_THERE", "The places of a set have no numbers: name the meld alone."
        if not meld.live_joker:
            return "DEAD_JOKER", f"No joker of the {meld.words} (meld {meld.id}) holds a third card's place any more."
        if move.card.rank != meld.rank:
            return "NOT_THE_CARD", f"Only a card of the same rank wins the joker of the {meld.words}."
        if move.to.meld == meld.id:
            return "DOES_NOT_FIT", "A joker won from a set has to go somewhere else, not back to the same set."
    return _fault_of_place(state, JOKER, move.to)


# What comes of it


def lay_down(state: LiverpoolState, seat: int, move: LayDown) -> tuple[LiverpoolState, Event]:
    """§8.3."""
    first = len(state.melds) + 1
    melds = tuple(on_table(meld, number, seat) for number, meld in enumerate(move.melds, first))
    laid = [card for meld in move.melds for card in meld.cards]
    state = msgspec.structs.replace(
        state,
        hands=_with_hand(state, seat, without(state.hands[seat - 1], laid)),
        down=(*state.down[: seat - 1], True, *state.down[seat:]),
        went_down_this_turn=True,
        melds=state.melds + melds,
        taken_card=None if state.taken_card in laid else state.taken_card,
    )
    return state, WentDown(seat, melds)


def lay_off(state: LiverpoolState, seat: int, move: LayOff) -> tuple[LiverpoolState, Event]:
    """§8.4."""
    melds = _with_added(state.melds, move.card, Place(move.meld, move.end))
    return _played(state, seat, move.card, melds), LaidOff(seat, move.card, move.meld, move.end)


def steal(state: LiverpoolState, seat: int, move: StealJoker) -> tuple[LiverpoolState, Event]:
    """§8.4."""
    at = move.meld - 1
    melds = (*state.melds[:at], state.melds[at].won_with(move.card, move.slot), *state.melds[at + 1 :])
    target, end = melds[move.to.meld - 1], move.to.end
    stands_for = target.next_at(end) if end and isinstance(target, RunMeld) else None
    state = _played(state, seat, move.card, _with_added(melds, JOKER, move.to))
    return state, JokerWon(seat, move.card, move.meld, move.to, stands_for)


def _with_added(melds: tuple[Meld, ...], card: Card, place: Place) -> tuple[Meld, ...]:
    at = place.meld - 1
    return (*melds[:at], melds[at].added(card, place.end), *melds[at + 1 :])


def _with_hand(state: LiverpoolState, seat: int, hand: Pile) -> tuple[Pile, ...]:
    return (*state.hands[: seat - 1], hand, *state.hands[seat:])


def _played(state: LiverpoolState, seat: int, card: Card, melds: tuple[Meld, ...]) -> LiverpoolState:
    """The card has left the hand; if one like it was taken from the discards, it counts as that one."""
    return msgspec.structs.replace(
        state,
        hands=_with_hand(state, seat, without(state.hands[seat - 1], (card,))),
        melds=melds,
        taken_card=None if card == state.taken_card else state.taken_card,
    )
