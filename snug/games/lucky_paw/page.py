"""What the page of a Lucky Paw table says."""

import msgspec

from snug.engine.cards import RANKS, Card, Pile
from snug.engine.page import PageInput, SoFar, cards_left
from snug.games.lucky_paw.state import OPEN_STACKS, STACKS, CardPlayed, Passed, SetDealt
from snug.games.lucky_paw.view import LuckyPawView
from snug.words import Message, gettext


class OwnStack(msgspec.Struct, frozen=True):
    """One of the viewer's stacks: whether its top card is a choice between places (`is_pick`) or goes at once to the
    only one, the cards that it would cover, and whether it `goes_anywhere`."""

    number: int
    cards: Pile
    places: tuple[int, ...]
    targets: Pile
    is_pick: bool
    is_only_choice: bool

    @property
    def goes_at_once(self) -> bool:
        """Whether one tap plays the top card."""
        return len(self.places) == 1

    @property
    def goes_anywhere(self) -> bool:
        """Whether the top card goes on every open stack."""
        return len(self.places) == OPEN_STACKS


class OpenStack(msgspec.Struct, frozen=True):
    """One of the stacks in the middle: which of the viewer's stacks its top card `fits`, whether it `is_newest`."""

    number: int
    cards: Pile
    fits: tuple[int, ...]
    is_newest: bool


class LuckyPawPage(msgspec.Struct, frozen=True, kw_only=True):
    """The viewer's own stacks and the open ones. By seat: whose stacks hold how many cards (`cards_left`), the card
    `played` since the newest set was dealt if that was the last deed, and whether it is one of the passes in a row
    (`passed`)."""

    own: tuple[OwnStack, ...]
    open: tuple[OpenStack, ...]
    sets_left: int
    cards_left: tuple[int, ...]
    played: tuple[Card | None, ...]
    passed: tuple[bool, ...]
    so_far: tuple[SoFar, ...]
    hint: str

    @property
    def at_once(self) -> tuple[OwnStack, ...]:
        """The stacks whose top card one tap plays."""
        return tuple(stack for stack in self.own if stack.goes_at_once)

    @property
    def chooses(self) -> bool:
        """Whether one of the viewer's cards is a choice between places."""
        return any(stack.is_pick for stack in self.own)

    @property
    def may_play(self) -> bool:
        """Whether any card fits."""
        return any(stack.places for stack in self.own)


def page(given: PageInput[LuckyPawView]) -> LuckyPawPage:
    """What one pair of eyes reads at the table."""
    view = given.view
    places = {n: tuple(play.open for play in view.plays if play.stack == n) for n in range(1, STACKS + 1)}
    picks = [number for number, where in places.items() if len(where) > 1]
    fits = any(places.values())
    newest = given.log[-1][:1] if given.log else ()
    lately = _lately(given)
    seats = range(1, view.seats + 1)
    left = tuple(sum(map(len, stacks)) for stacks in view.stacks)
    return LuckyPawPage(
        own=tuple(
            OwnStack(
                number,
                cards,
                places[number],
                tuple(view.open[place - 1][-1] for place in places[number] if view.open[place - 1]),
                number in picks,
                picks == [number] and sum(map(bool, places.values())) == 1,
            )
            for number, cards in enumerate(view.stacks[view.seat - 1] if view.seat else (), 1)
        ),
        open=tuple(
            OpenStack(
                number,
                cards,
                tuple(own for own, where in places.items() if number in where),
                any(isinstance(event, CardPlayed) and event.open == number for event in newest),
            )
            for number, cards in enumerate(view.open, 1)
        ),
        sets_left=-(-(view.stock_size // view.seats) // STACKS),  # three cards a seat, the last perhaps fewer: §3
        cards_left=left,
        played=tuple(deed.card if isinstance(deed := lately.get(seat), CardPlayed) else None for seat in seats),
        passed=tuple(isinstance(lately.get(seat), Passed) for seat in seats),
        so_far=cards_left(left),
        hint=_hint(view, bool(picks), fits),
    )


def _lately(given: PageInput[LuckyPawView]) -> dict[int, CardPlayed | Passed]:
    """What everybody did last, since the newest set was dealt; a card played makes passes before it no news."""
    lately: dict[int, CardPlayed | Passed] = {}
    for event in given.lately(1):
        if isinstance(event, SetDealt):
            lately.clear()
        elif isinstance(event, CardPlayed):
            for seat in [seat for seat, deed in lately.items() if isinstance(deed, Passed)]:
                del lately[seat]
            lately[event.seat] = event
        elif isinstance(event, Passed):
            lately[event.seat] = event
    return lately


def _hint(view: LuckyPawView, picks: bool, fits: bool) -> Message:
    if view.is_out:
        return gettext("You have no cards left.")
    hint = gettext("Tap a card to play it.") if fits else _what_would_fit(view)
    if picks:
        hint = gettext("Tap a card, then where it goes.")
    return hint if view.may_pass else gettext("%(hint)s You must play.", hint=hint)


def _what_would_fit(view: LuckyPawView) -> Message:
    """The ranks beside those on top: §7.1."""
    beside = {(pile[-1].rank + step - 1) % len(RANKS) for pile in view.open if pile for step in (-1, 1)}
    ranks = ", ".join(RANKS[rank] for rank in sorted(beside))
    return gettext("Only %(ranks)s would fit: you have none.", ranks=ranks)
