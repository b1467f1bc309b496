"""Melds in the making: what is put aside, what a selection of cards is, and what it lacks. §7, §8.3."""

from collections.abc import Iterable, Sequence

import msgspec

from snug.engine.cards import CARDS, JOKER, RANK_NAMES, RANKS, SUIT_NAMES, SUITS, Card, Pile, without
from snug.engine.melds import (
    CARD_AT,
    COUNTED,
    ENDS,
    HIGHEST,
    LONGEST_RUN,
    LOWEST,
    NATURALS,
    RUN_LENGTH,
    SEVERAL,
    Contract,
    Kind,
    Laid,
    fault_of,
    low_of,
)
from snug.games.liverpool.laying import fault_of_melds
from snug.words import Message, gettext, listed, pgettext

_ORDER = "".join(SUITS)
_COUNTS = ("", pgettext("how many", "one"), pgettext("how many", "two"), pgettext("how many", "three"))


class DraftPart(msgspec.Struct, frozen=True):
    """One meld that the contract asks for, and what is put aside for it. `without` is the draft's text once it is
    taken back, `turned` with its joker at the other end of the run, where that can be."""

    kind: Kind
    meld: Laid | None = None
    without: str = ""
    turned: str = ""


class Draft(msgspec.Struct, frozen=True):
    """`melds` are put aside, `left` is the rest of the hand. The `selected` cards of it are `found`, or `words` says
    what they lack. `parts` follow the contract; `fault` is why these melds cannot be laid down, `ready` are the melds
    that can: those put aside or, when that makes the contract, with the selected one."""

    number: int
    melds: tuple[Laid, ...]
    left: Pile
    selected: Pile
    found: Laid | None
    words: Message | None
    parts: tuple[DraftPart, ...]
    ready: tuple[Laid, ...]
    fault: Message | None

    @property
    def text(self) -> str:
        """The draft as an address carries it: the hand's number and the melds put aside."""
        return text_of(self.number, self.melds)

    @property
    def is_ready(self) -> bool:
        """Whether the contract can be laid down with these melds."""
        return bool(self.ready)

    @property
    def with_found(self) -> str:
        """The draft's text once the selected meld is put aside, too."""
        return text_of(self.number, (*self.melds, self.found) if self.found else self.melds)

    @property
    def may_put_aside(self) -> bool:
        """Whether the selection is a meld that the contract still asks for."""
        return self.found is not None and any(part.kind == self.found.kind and not part.meld for part in self.parts)


def text_of(number: int, melds: Iterable[Laid]) -> str:
    """Hand 3 with a set put aside: `3 7H.7S.7C`."""
    return " ".join((str(number), *(".".join(meld.cards) for meld in melds)))


def draft(number: int, hand: Pile, contract: Contract, keep: int, aside: str, selected: Sequence[str]) -> Draft:
    """The draft whose text is `aside`, with these cards selected. What the hand does not hold, what makes no meld and
    what the contract does not ask for is left out."""
    melds: list[Laid] = []
    left = hand
    wanted: dict[Kind, int] = {"set": contract.sets, "run": contract.runs}
    head, *words = aside.split() or [""]
    for word in words if head == str(number) else ():
        meld = _read(word.split("."))
        if meld and wanted[meld.kind] and _of(left, meld.cards) == meld.cards:
            wanted[meld.kind] -= 1
            melds.append(meld)
            left = without(left, *meld.cards)
    chosen = _of(left, selected)
    found = as_meld(chosen)
    parts = _parts(number, contract, tuple(melds))
    complete = (*melds, found) if found and wanted[found.kind] else tuple(melds)
    is_complete = len(complete) == len(parts)
    flaw = fault_of_melds(hand, contract, keep, complete) if is_complete else None
    ready, fault = complete if is_complete and not flaw else (), flaw[1] if flaw else None
    verdict = _verdict(chosen, found, contract, wanted)
    return Draft(number, tuple(melds), left, chosen, found, verdict, parts, ready, fault)


def _of(hand: Pile, texts: Sequence[str]) -> Pile:
    """Those of the cards named that the hand holds, each as often as it does."""
    left, chosen = list(hand), []
    for text in texts:
        if text in left:
            left.remove(CARDS[text])
            chosen.append(CARDS[text])
    return tuple(chosen)


def _read(texts: list[str]) -> Laid | None:
    if not all(text in CARDS for text in texts):
        return None
    cards = tuple(CARDS[text] for text in texts)
    kinds: tuple[Kind, ...] = ("set", "run")
    return next((meld for kind in kinds if fault_of(meld := Laid(kind, cards)) is None), None)


def _parts(number: int, contract: Contract, melds: tuple[Laid, ...]) -> tuple[DraftPart, ...]:
    parts: list[DraftPart] = []
    kinds: tuple[tuple[Kind, int], ...] = (("set", contract.sets), ("run", contract.runs))
    for kind, count in kinds:
        mine = [at for at, meld in enumerate(melds) if meld.kind == kind]
        for at in mine:
            rest = (*melds[:at], *melds[at + 1 :])
            turned = turned_of(melds[at])
            text = text_of(number, (*melds[:at], turned, *melds[at + 1 :])) if turned else ""
            parts.append(DraftPart(kind, melds[at], text_of(number, rest), text))
        parts += [DraftPart(kind)] * (count - len(mine))
    return tuple(parts)


# What cards are together


def as_meld(cards: Pile) -> Laid | None:
    """The set or the run that these cards make in whatever order, a run's jokers in its gaps and then at its high end;
    None if they make neither."""
    naturals = [card for card in cards if not card.is_joker]
    if len({card.rank for card in naturals}) == 1:
        meld = Laid("set", tuple(sorted(cards, key=lambda card: (card.is_joker, _ORDER.find(card.suit)))))
    else:
        meld = Laid("run", _in_order(cards))
    return meld if fault_of(meld) is None else None


def turned_of(meld: Laid) -> Laid | None:
    """The run with the joker of one end moved to the other, where that is still a run."""
    if meld.kind == "run":
        for end in ENDS:
            cards = meld.cards[1:] if end == "low" else meld.cards[:-1]
            moved = meld.cards[0 if end == "low" else -1]
            turned = Laid("run", (*cards, moved) if end == "low" else (moved, *cards))
            if moved.is_joker and fault_of(turned) is None:
                return turned
    return None


def _places(naturals: Sequence[Card]) -> list[int]:
    """The positions at which these cards of one suit lie closest together, an ace low or high."""
    ways = [sorted(card.rank if card.rank > 1 else ace for card in naturals) for ace in (HIGHEST, LOWEST)]
    return min(ways, key=lambda places: places[-1] - places[0])


def _in_order(cards: Pile) -> Pile:
    """The cards from low to high with the jokers where they are needed; any order at all if that is no run."""
    naturals = [card for card in cards if not card.is_joker]
    places = _places(naturals) if naturals else []
    jokers = len(cards) - len(naturals)
    if not places or len(set(places)) < len(places) or len({card.suit for card in naturals}) > 1:
        return cards
    low, high = places[0], places[-1]
    spare = jokers - (high - low + 1 - len(places))
    if spare < 0 or len(cards) > LONGEST_RUN:
        return cards
    high = min(HIGHEST, high + spare)
    low = high - len(cards) + 1
    suit = naturals[0].suit
    return tuple(CARD_AT[suit, at] if at in places else JOKER for at in range(low, high + 1))


def _verdict(cards: Pile, found: Laid | None, contract: Contract, wanted: dict[Kind, int]) -> Message | None:
    """What the selection is, or what it lacks."""
    naturals = [card for card in cards if not card.is_joker]
    if found:
        asked = contract.sets if found.kind == "set" else contract.runs
        return named(found, "" if wanted[found.kind] else COUNTED[found.kind][asked])
    if len(cards) < 2:
        return None
    if len(naturals) < NATURALS:
        return gettext("Two cards of a meld must not be jokers.")
    ranks, suits = {card.rank for card in naturals}, {card.suit for card in naturals}
    if len(ranks) == 1 and contract.sets:
        return gettext("One more %(rank)s makes a set.", rank=RANK_NAMES[RANKS[naturals[0].rank - 1]])
    if not contract.runs:
        return gettext("These are no set: the cards of a set are all of one rank.")
    if len(suits) > 1 or len(ranks) == 1:
        if not contract.sets:
            return gettext("These are no run: the cards of a run are of one suit and follow one another.")
        return gettext("These do not go together: a set has one rank, a run one suit.")
    return _run_lacks(naturals, len(cards) - len(naturals))


def _run_lacks(naturals: Sequence[Card], jokers: int) -> Message:
    places, suit = _places(naturals), naturals[0].suit
    name = SUIT_NAMES[suit]
    if len(set(places)) < len(places):
        return gettext("A run has every card once.")
    gaps = [CARD_AT[suit, at].label for at in range(places[0], places[-1]) if at not in places]
    lacking = len(gaps) - jokers
    if lacking > 0:
        if not jokers:
            return gettext("A run of %(suit)s, but for %(cards)s.", suit=name, cards=listed(gaps))
        number = _COUNTS[lacking] if lacking < len(_COUNTS) else lacking
        return gettext(
            "A run of %(suit)s, but for %(number)s of %(cards)s.", suit=name, number=number, cards=", ".join(gaps)
        )
    length = len(places) + jokers
    if length >= RUN_LENGTH:
        return gettext("No run: an ace is low or high, and never both.")
    ends = [CARD_AT[suit, at].label for at in (places[0] - 1, places[-1] + 1) if LOWEST <= at <= HIGHEST]
    if length == RUN_LENGTH - 1:
        return gettext("One more card makes a run of %(suit)s: %(cards)s.", suit=name, cards=listed(ends, either=True))
    return gettext("Two more cards make a run of %(suit)s.", suit=name)


def named(meld: Laid, asked: str = "") -> Message:
    """What a meld is, in a sentence; `asked` is what the contract asks for, if it is not that."""
    natural = next(card for card in meld.cards if not card.is_joker)
    if meld.kind == "set":
        ranks = SEVERAL[natural.rank]
        if asked:
            return gettext("A set of %(ranks)s, but the contract asks for %(asked)s.", ranks=ranks, asked=asked)
        return gettext("A set of %(ranks)s.", ranks=ranks)
    low = low_of(meld.cards)
    assert low is not None
    first, last = (CARD_AT[natural.suit, at].label for at in (low, low + len(meld.cards) - 1))
    suit = SUIT_NAMES[natural.suit]
    if asked:
        return gettext(
            "A run of %(suit)s, %(first)s to %(last)s, but the contract asks for %(asked)s.",
            suit=suit,
            first=first,
            last=last,
            asked=asked,
        )
    return gettext("A run of %(suit)s, %(first)s to %(last)s.", suit=suit, first=first, last=last)
