"""Going down, adding cards and winning jokers: what the rules refuse and what comes of the rest (§8.3, §8.4, §8.6)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from snug.engine.cards import JOKER, Card, Pile, with_part, without
from snug.engine.game import Event
from snug.engine.melds import ENDS, Contract, End, Fault, Laid, Meld, RunMeld, fault_of_contract, on_table
from snug.games.liverpool.events import JokerWon, LaidOff, WentDown
from snug.games.liverpool.state import LayDown, LayOff, LiverpoolState, Place, StealJoker
from snug.words import gettext, gettext_noop

_DOES_NOT_FIT: Final[dict[End | None, str]] = {
    None: gettext_noop("%(card)s does not fit on the %(meld)s (meld %(number)s)."),
    "low": gettext_noop("%(card)s does not fit on the %(meld)s (meld %(number)s) at the low end."),
    "high": gettext_noop("%(card)s does not fit on the %(meld)s (meld %(number)s) at the high end."),
}


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
        return "ALREADY_DOWN", gettext(
            "You are down already: the contract is laid once a hand, and no more melds after it."
        )
    return fault_of_melds(hand, state.contract, state.keep, move.melds)


def fault_of_melds(hand: Pile, contract: Contract, keep: int, melds: Sequence[Laid]) -> Fault | None:
    """§8.3, §8.6: why a player with this hand, of which so many cards must stay, cannot lay down these melds."""
    laid = [card for meld in melds for card in meld.cards]
    if missing := Counter(laid) - Counter(hand):
        card = next(iter(missing))
        if card in hand:
            return "NOT_IN_HAND", gettext("You do not hold %(card)s so often.", card=card.label)
        return "NOT_IN_HAND", gettext("You do not hold %(card)s.", card=card.label)
    if fault := fault_of_contract(melds, contract):
        return fault
    left = len(hand) - len(laid)
    if contract.everything and left:
        return "FINAL_HAND_MUST_USE_ALL", gettext("In the last hand every card must be in one of the three runs.")
    return _fault_of_keeping(keep, left)


def _fault_of_keeping(keep: int, left: int) -> Fault | None:
    """§8.5, option `final_discard`."""
    if left < keep:
        return "KEEP_A_DISCARD", gettext("This table plays Last card must be discarded: keep a card for your discard.")
    return None


def fault_of_adding(state: LiverpoolState, seat: int, move: LayOff | StealJoker, hand: Pile) -> Fault | None:
    """§8.4: laying off or winning a joker, playing from `hand`."""
    if not state.down[seat - 1]:
        return "NOT_DOWN", gettext("Only who has laid down the contract may play cards on the table.")
    if state.went_down_this_turn and not state.options.layoff_same_turn:
        return "NOT_THIS_TURN", gettext(
            "This table plays without Lay off at once: you may add cards from your next turn on."
        )
    if move.card not in hand:
        return "NOT_IN_HAND", gettext("You do not hold %(card)s.", card=move.card.label)
    if fault := _fault_of_keeping(state.keep, len(hand) - 1):
        return fault
    if isinstance(move, LayOff):
        return _fault_of_place(state, move.card, Place(move.meld, move.end))
    return _fault_of_steal(state, move)


def _fault_of_place(state: LiverpoolState, card: Card, place: Place) -> Fault | None:
    meld = meld_of(state, place.meld)
    if meld is None:
        return "DOES_NOT_FIT", gettext("There is no meld %(number)s on the table.", number=place.meld)
    if isinstance(meld, RunMeld) and place.end is None:
        return "END_REQUIRED", gettext(
            "Say at which end of the %(meld)s %(card)s is to go: low or high.", meld=meld.words, card=card.label
        )
    if not meld.takes(card, place.end):
        return "DOES_NOT_FIT", gettext(_DOES_NOT_FIT[place.end], card=card.label, meld=meld.words, number=meld.id)
    return None


def _fault_of_steal(state: LiverpoolState, move: StealJoker) -> Fault | None:
    """§8.4: both halves must be right."""
    meld = meld_of(state, move.meld)
    if meld is None:
        return "NO_JOKER_THERE", gettext("There is no meld %(number)s on the table.", number=move.meld)
    if isinstance(meld, RunMeld):
        wanted = None if move.slot is None else meld.held_place(move.slot)
        if wanted is None:
            if not move.slot:
                return "NO_JOKER_THERE", gettext(
                    "There is no joker in slot (none named) of meld %(number)s.", number=meld.id
                )
            return "NO_JOKER_THERE", gettext(
                "There is no joker in slot %(slot)s of meld %(number)s.", slot=move.slot, number=meld.id
            )
        if move.card != wanted:
            return "NOT_THE_CARD", gettext("That joker stands for %(card)s: only %(card)s wins it.", card=wanted.label)
    else:
        if JOKER not in meld.cards:
            return "NO_JOKER_THERE", gettext(
                "There is no joker in the %(meld)s (meld %(number)s).", meld=meld.words, number=meld.id
            )
        if move.slot is not None:
            return "NO_JOKER_THERE", gettext("The places of a set have no numbers: name the meld alone.")
        if not meld.live_joker:
            return "DEAD_JOKER", gettext(
                "No joker of the %(meld)s (meld %(number)s) holds a third card's place any more.",
                meld=meld.words,
                number=meld.id,
            )
        if move.card.rank != meld.rank:
            return "NOT_THE_CARD", gettext(
                "Only a card of the same rank wins the joker of the %(meld)s.", meld=meld.words
            )
        if move.to.meld == meld.id:
            return "DOES_NOT_FIT", gettext("A joker won from a set has to go somewhere else, not back to the same set.")
    return _fault_of_place(state, JOKER, move.to)


# What comes of it


def lay_down(state: LiverpoolState, seat: int, move: LayDown) -> tuple[LiverpoolState, Event]:
    """§8.3."""
    first = len(state.melds) + 1
    melds = tuple(on_table(meld, number, seat) for number, meld in enumerate(move.melds, first))
    laid = [card for meld in move.melds for card in meld.cards]
    state = msgspec.structs.replace(
        state,
        hands=with_part(state.hands, seat, without(state.hands[seat - 1], *laid)),
        down=with_part(state.down, seat, True),
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
    melds = with_part(state.melds, move.meld, state.melds[move.meld - 1].won_with(move.card, move.slot))
    target, end = melds[move.to.meld - 1], move.to.end
    stands_for = target.next_at(end) if end and isinstance(target, RunMeld) else None
    state = _played(state, seat, move.card, _with_added(melds, JOKER, move.to))
    return state, JokerWon(seat, move.card, move.meld, move.to, stands_for)


def _with_added(melds: tuple[Meld, ...], card: Card, place: Place) -> tuple[Meld, ...]:
    return with_part(melds, place.meld, melds[place.meld - 1].added(card, place.end))


def _played(state: LiverpoolState, seat: int, card: Card, melds: tuple[Meld, ...]) -> LiverpoolState:
    """The card has left the hand; if one like it was taken from the discards, it counts as that one."""
    return msgspec.structs.replace(
        state,
        hands=with_part(state.hands, seat, without(state.hands[seat - 1], card)),
        melds=melds,
        taken_card=None if card == state.taken_card else state.taken_card,
    )
