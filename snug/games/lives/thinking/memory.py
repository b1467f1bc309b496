"""What a seat of Irish Lives knows of the cards it does not see, from the events it saw.

The cards on the stack lie open. Those that become the pool are known, and so, since it was empty, are those in the
hands of all others together. Who could not play held nothing that fits, and so on: every card in a hand is there since
a certain event, and it may not be one that the seat would have had to show, or would have shown, in the meantime."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from snug.engine.cards import Card, Pile
from snug.engine.game import Event
from snug.games.lives.events import (
    CardPlayed,
    CardsDrawn,
    DealStarted,
    Kept,
    Passed,
    PoolRecycled,
    StarterTurned,
    SuitCalled,
)
from snug.games.lives.matching import ACES, FITS, Fits
from snug.games.lives.state import POWER, TWOS, whole_pack
from snug.games.lives.thinking.deck import NEARLY_OUT
from snug.games.lives.view import LivesView

ANY: Final = -1
"""The pool of a card that may have been in any of them: it is not known where it lay when the log began."""
NOW: Final = 1 << 30

_TWOS: Final = Fits(TWOS, TWOS, frozenset())


class Token(msgspec.Struct, eq=False):
    """A card on its way from the pool number `pool` to the stack, where `seat` put it at `end`; still hidden until
    then. It was in the pool `after` that event."""

    card: Card
    pool: int
    after: int = ANY
    seat: int = 0
    end: int = NOW


class Slot(msgspec.Struct, eq=False):
    """A card of a hand of which the viewer knows only when it came, from which pool, and perhaps that it is one of
    `only` or none of `never`."""

    seat: int
    pool: int
    since: int
    only: frozenset[Card] | None = None
    never: frozenset[Card] = frozenset()


class Bar(msgspec.Struct, eq=False):
    """A moment at which a seat held none of these cards, by the rules."""

    at: int
    cards: frozenset[Card]


class Played(msgspec.Struct, eq=False):
    """What a seat played and with which suit, when it might have played any of these cards."""

    at: int
    seat: int
    card: Card
    suit: str
    fits: Fits
    nearly_out: bool


class Refusal(msgspec.Struct, eq=False):
    """A seat picked up when it might have played any of these cards."""

    at: int
    seat: int
    cards: frozenset[Card]


class Naming(msgspec.Struct, eq=False):
    """A seat named a suit for the starter."""

    at: int
    seat: int
    suit: str


class Memory:
    """What the viewer knows. `slots` came into the other hands, and are now filled by the `hidden` tokens except those
    by which the `played` ones left; `stack` has None for what lay there before anything was seen. Equal cards are told
    apart by `guess`, which may turn out wrong: ValueError."""

    def __init__(self, view: LivesView, guess: Callable[[list[Token]], Token]) -> None:
        self._view, self._guess = view, guess
        seen = view.seen
        self._whole = bool(seen) and isinstance(seen[0], DealStarted)
        self.pool = 0
        self.hidden = [Token(card, 0 if self._whole else ANY) for card in whole_pack(view.options, view.seats)]
        self.played: list[Token] = []
        self.slots: list[Slot] = []
        self.bars: dict[int, list[Bar]] = {seat: [] for seat in range(1, view.seats + 1)}
        self.choices: list[Played | Refusal | Naming] = []
        self.drawing: Slot | None = None
        """The card just picked up, while nothing has told whether it fits."""
        self.stack: list[Card | None] = []
        self._top: Card | None = None
        self._suit: str | None = None
        self._pending = 0
        self._sizes = list(view.hand_sizes)
        self._begin(seen)
        for at, event in enumerate(seen):
            self._learn(at, event, seen[at - 1] if at else None)
        self._settle_last(len(seen))
        if self.stack and self.stack[-1] is None and view.top:
            self._find(view.top)
            self.stack[-1] = view.top

    def _begin(self, seen: tuple[Event, ...]) -> None:
        """What lay where when the log begins, from what lies where now."""
        view = self._view
        plays = [event for event in seen if isinstance(event, CardPlayed)]
        draws = [event for event in seen if isinstance(event, CardsDrawn)]
        own = Counter(view.hand)
        own.update(event.card for event in plays if event.seat == view.seat)
        own.subtract(card for event in draws if event.seat == view.seat for card in event.cards or ())
        for card in own.elements():
            self._find(card)
        for seat, size in enumerate(view.hand_sizes, 1):
            size += sum(event.seat == seat for event in plays)
            size -= sum(event.count for event in draws if event.seat == seat)
            self._sizes[seat - 1] = size
            if seat != view.seat:
                self.slots += [Slot(seat, 0, ANY) for _ in range(size)]
        if not self._whole and view.top:
            renewed = sum(event.pool_size for event in seen if isinstance(event, PoolRecycled))
            self.stack = [None] * (view.under_top + 1 + renewed - len(plays))
            if not plays:
                self._top, self._suit = view.top, view.suit_in_play

    def _learn(self, at: int, event: Event, before: Event | None) -> None:
        match event:
            case StarterTurned(card, buried):
                token = self._find(card)
                if buried:
                    self.hidden.append(Token(card, token.pool, at))
                else:
                    self.stack.append(card)
                    self._top, self._suit, self._pending = card, card.suit or None, int(card in TWOS)
            case SuitCalled(seat, suit):
                self._suit = suit
                if seat != self._view.seat:
                    self.choices.append(Naming(at, seat, suit))
            case CardPlayed():
                self._learn_play(at, event)
            case CardsDrawn():
                self._learn_draw(at, event, before)
            case PoolRecycled():
                self.pool += 1
                self.hidden += [Token(card, self.pool) for card in self.stack[:-1] if card]
                self.stack = self.stack[-1:]
            case Kept():
                self._settle(self.drawing, True)
            case Passed(seat) if self._top:
                self._declines(at, seat, self._fits.with_aces, True)

    def _learn_play(self, at: int, event: CardPlayed) -> None:
        seat, card = event.seat, event.card
        if seat != self._view.seat and self._top:
            self._prefers(at, event)
        drawn = self.drawing
        if drawn and drawn.seat == seat:
            drawn.only, self.drawing = frozenset((card,)), None
        else:
            self._settle(drawn, False)
        self.stack.append(card)
        self._top, self._suit, self._pending = card, event.suit_in_play, event.pending
        if seat != self._view.seat:
            token = self._find(card, self._pools(seat))
            token.seat, token.end = seat, at
            self.played.append(token)
        self._sizes[seat - 1] = event.hand_size

    def _learn_draw(self, at: int, event: CardsDrawn, before: Event | None) -> None:
        seat, own = event.seat, event.seat == self._view.seat
        if event.reason != "penalty":
            self._settle(self.drawing, False)
        if own:
            for card in event.cards or ():
                self._find(card, {self.pool})
        else:
            if event.reason == "turn" and self._top:
                self._declines(at, seat, self._fits.with_aces, self._view.options.must_play)
            if event.reason == "two" and not isinstance(before, PoolRecycled):
                self._declines(at, seat, TWOS, False)
            slots = [Slot(seat, self.pool, at) for _ in range(event.count)]
            self.slots += slots
            if event.reason == "turn" and self._view.options.play_drawn_card and self._top:
                self.drawing = slots[0]
        if event.reason == "two":
            self._pending = 0
        self._sizes[seat - 1] = event.hand_size

    @property
    def _fits(self) -> Fits:
        assert self._top is not None
        return FITS[self._view.options.off_suit_ace, self._suit, self._top.rank]

    def _pools(self, seat: int) -> Iterable[int]:
        """From which pools a seat still holds cards; what it played may be from any, if that is not known."""
        came = Counter(slot.pool for slot in self.slots if slot.seat == seat)
        came.subtract(token.pool for token in self.played if token.seat == seat)
        return [pool for pool, count in came.items() if count > 0]

    def _declines(self, at: int, seat: int, cards: frozenset[Card], must: bool) -> None:
        """A seat picks up although it might, or even must, play these. A power card alone could not be played."""
        if seat == self._view.seat:
            return
        cards = cards - POWER if self._sizes[seat - 1] == 1 else cards
        if must:
            self.bars[seat].append(Bar(at, cards))
        else:
            self.choices.append(Refusal(at, seat, cards))

    def _prefers(self, at: int, event: CardPlayed) -> None:
        """A seat plays a card rather than others that fit; an ace of another suit it may play only if it must."""
        fits = _TWOS if self._pending else self._fits
        if event.card in ACES and event.card not in fits.cards:
            self.bars[event.seat].append(Bar(at, fits.barring))
        if self.drawing is None or self.drawing.seat != event.seat:
            nearly_out = self._sizes[event.seat % self._view.seats] <= NEARLY_OUT
            self.choices.append(Played(at, event.seat, event.card, event.suit_in_play, fits, nearly_out))

    def _settle(self, drawn: Slot | None, fits: bool) -> None:
        """Whether the card just picked up could be played is told by what came then."""
        if drawn is None:
            return
        self.drawing = None
        if fits:
            drawn.only = self._fits.with_aces
        else:
            drawn.never = self._fits.cards

    def _settle_last(self, at: int) -> None:
        """Whether the last card picked up fits can be seen from what is asked now."""
        view, drawn = self._view, self.drawing
        if view.phase == "DRAWN" and view.turn != view.seat:
            drawn = drawn or next(slot for slot in self.slots if slot.seat == view.turn)
            drawn.since = max(drawn.since, at - 1)
            self._top, self._suit = view.top, view.suit_in_play
        self._settle(drawn, view.phase == "DRAWN")
        self.drawing = drawn if view.phase == "DRAWN" else None

    def _find(self, card: Card, pools: Iterable[int] = ()) -> Token:
        """Takes one such card out of the hidden ones, that was in one of these pools."""
        found = [token for token in self.hidden if token.card == card]
        found = [token for token in found if not pools or token.pool in (ANY, *pools)] if len(found) > 1 else found
        if not found:
            raise ValueError(f"{card} cannot be there")
        token = found[0] if len(found) == 1 else self._guess(found)
        self.hidden.remove(token)
        return token

    def known_stack(self) -> Pile:
        """What lies on the stack as far as it was seen, without its top card."""
        return tuple(card for card in self.stack[:-1] if card)
