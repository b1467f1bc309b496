"""The melds on the table, and what the viewer's cards can do with them."""

from collections.abc import Iterator

import msgspec

from snug.engine.cards import JOKER, Card
from snug.engine.melds import End, Meld, RunMeld
from snug.engine.page import Fields, move_fields
from snug.games.liverpool.on_page.meld_drafts import Draft
from snug.games.liverpool.state import LayOff, Place, StealJoker, TakeDiscard
from snug.games.liverpool.view import LiverpoolView

Play = tuple[LayOff | StealJoker, bool]  # a card and a meld; whether the card is the discard, which is taken for it
Winning = tuple[Card, int, int | None, bool]  # the card that wins a joker, its meld and slot; whether it is taken


class Slot(msgspec.Struct, frozen=True):
    """A card of a meld; a joker of a run stands for another, and a live one can be won."""

    card: Card
    stands_for: Card | None
    is_live: bool


class Spot(msgspec.Struct, frozen=True):
    """A place on a meld where a card can go, and the form that puts it there; `taken`: it is the discard."""

    id: str
    fields: Fields
    card: Card
    end: End | None
    taken: bool


class WinnableJoker(msgspec.Struct, frozen=True):
    """A joker that `card` can win, as one meld has it: `id` where it lies in this meld (of a run in this `slot`),
    `spots` where it may go here. The `number` is one for the whole table."""

    number: int
    card: Card
    id: str
    slot: int | None
    spots: tuple[Spot, ...]


class MeldOnTable(msgspec.Struct, frozen=True):
    """A meld, and what the viewer's cards can do with it."""

    meld: Meld
    slots: tuple[Slot, ...]
    layings: tuple[Spot, ...]
    jokers: tuple[WinnableJoker, ...]

    def winning(self, slot: int) -> tuple[WinnableJoker, ...]:
        """What can be done with the live joker that lies there."""
        return tuple(joker for joker in self.jokers if joker.id and joker.slot in (None, slot))


class MeldsOfSeat(msgspec.Struct, frozen=True):
    """What a seat has laid down."""

    seat: int
    melds: tuple[MeldOnTable, ...]


def melds_by_seat(view: LiverpoolView, drafted: Draft) -> Iterator[MeldsOfSeat]:
    """Those of each player together; whoever goes down is put behind the others, who stay where they are."""
    plays = plays_of(view)
    for seat in dict.fromkeys(meld.owner for meld in view.melds):
        yield MeldsOfSeat(
            seat,
            tuple(
                MeldOnTable(meld, _slots(meld), _layings(meld, plays, drafted), tuple(_jokers(meld, plays, drafted)))
                for meld in view.melds
                if meld.owner == seat
            ),
        )


def plays_of(view: LiverpoolView) -> list[Play]:
    """The cards that the viewer may add to melds, and the jokers that they win."""
    mine = [(move, False) for move in view.legal if isinstance(move, LayOff | StealJoker)]
    return mine + [(move.play, True) for move in view.taking_plays if move.play]


def _is_offered(play: Play, drafted: Draft) -> bool:
    """Whatever fits is, until cards are ticked: then just these."""
    move, taken = play
    return taken or not drafted.selected or move.card in drafted.selected


def _slots(meld: Meld) -> tuple[Slot, ...]:
    """A meld's cards and what its jokers are."""
    if isinstance(meld, RunMeld):
        return tuple(Slot(card, meld.held_place(at), card.is_joker) for at, card in enumerate(meld.cards, 1))
    live = meld.cards.index(JOKER) if meld.live_joker else None
    return tuple(Slot(card, None, at == live) for at, card in enumerate(meld.cards))


def _spot(name: str, play: Play, place: Place) -> Spot:
    move, taken = play
    made = TakeDiscard(move) if taken else move
    return Spot(joined(name, place.meld, place.end), move_fields(made), move.card, place.end, taken)


def joined(*parts: object) -> str:
    """The id of what is tapped, from its parts."""
    return "-".join(str(part) for part in parts if part is not None)


def _layings(meld: Meld, plays: list[Play], drafted: Draft) -> tuple[Spot, ...]:
    """Where the viewer's cards, or the discard, can be added; jokers are offered last."""
    return tuple(
        _spot(f"lay-{play[0].card}", play, Place(meld.id, play[0].end))
        for play in sorted(plays, key=lambda play: play[0].card.is_joker)
        if isinstance(play[0], LayOff) and play[0].meld == meld.id and _is_offered(play, drafted)
    )


def winnings_of(plays: list[Play]) -> dict[Winning, list[tuple[StealJoker, bool]]]:
    """The jokers that can be won, each with the places that it may go to; they are numbered in this order."""
    found: dict[Winning, list[tuple[StealJoker, bool]]] = {}
    for move, taken in plays:
        if isinstance(move, StealJoker):
            found.setdefault((move.card, move.meld, move.slot, taken), []).append((move, taken))
    return found


def _jokers(meld: Meld, plays: list[Play], drafted: Draft) -> Iterator[WinnableJoker]:
    """The jokers that the viewer may win from this meld, or for it."""
    for number, ((card, lies_in, slot, _), steals) in enumerate(winnings_of(plays).items(), 1):
        name = joined("win", card, lies_in, slot) if lies_in == meld.id else ""
        spots = tuple(_spot(f"win-{number}-to", steal, steal[0].to) for steal in steals if steal[0].to.meld == meld.id)
        if (name or spots) and _is_offered(steals[0], drafted):
            yield WinnableJoker(number, card, name, slot, spots)
