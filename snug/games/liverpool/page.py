"""What the page of a Liverpool table says beside the view: §10."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

import msgspec

from snug.engine.cards import JOKER, Card, Pile
from snug.engine.melds import Contract, End, Laid, Meld, RunMeld, on_table, points_of
from snug.engine.page import Fields, PageInput, SoFar, move_fields, so_far
from snug.games.liverpool import events
from snug.games.liverpool.meld_drafts import Draft, draft
from snug.games.liverpool.meld_search import leanest
from snug.games.liverpool.state import CONTRACTS, DrawStock, LayDown, LayOff, Place, StealJoker, TakeDiscard
from snug.games.liverpool.thinking.hand_plan import HandPlan
from snug.games.liverpool.view import WISHES, LiverpoolView
from snug.words import Message, gettext, ngettext

Play = tuple[LayOff | StealJoker, bool]  # a card and a meld; whether the card is the discard, which is taken for it
Winning = tuple[Card, int, int | None, bool]  # the card that wins a joker, its meld and slot; whether it is taken

_SUITS: Final = "SHCD"  # red and black in turns


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

    @property
    def places(self) -> int:
        """How many places there are for cards, with those for jokers that are still to be won."""
        return len(self.layings) + sum(len(joker.spots) for joker in self.jokers)

    @property
    def is_place(self) -> bool:
        """Whether the cards of it are the place for a card: a set that takes just one."""
        return self.meld.kind == "set" and len(self.layings) == 1

    def winning(self, slot: int) -> tuple[WinnableJoker, ...]:
        """What can be done with the live joker that lies there."""
        return tuple(joker for joker in self.jokers if joker.id and joker.slot in (None, slot))

    @property
    def takes_low(self) -> bool:
        """Whether one of them is before its first card."""
        won = (spot for joker in self.jokers for spot in joker.spots)
        return any(spot.end == "low" for spot in (*self.layings, *won))


class MeldsOfSeat(msgspec.Struct, frozen=True):
    """What a seat has laid down."""

    seat: int
    melds: tuple[MeldOnTable, ...]


class Way(msgspec.Struct, frozen=True):
    """A way to go down now, its melds also as they would lie `on_table`; `is_leanest`: it lays the fewest points."""

    fields: Fields
    melds: tuple[Laid, ...]
    on_table: tuple[Meld, ...]
    left: Pile
    points: int
    is_leanest: bool


class Leftover(msgspec.Struct, frozen=True):
    """What a seat held when the hand was over."""

    seat: int
    tag: str
    cards: Pile
    points: int


class LiverpoolPage(msgspec.Struct, frozen=True, kw_only=True):
    """`melds` are those put aside, as the page's address carries them; `still` is the same with the ticked cards, of
    which a click's answer still speaks. `plays`: the viewer is to lay, add or discard. `discard` is the one card
    picked, where it may be discarded; `enters` are those that Enter discards; `fits` those of the hand that melds take;
    `ways` are offered while no other melds are in the making, `down` are the fields that lay those put aside.
    `is_ready`: one or the other can be done, and the buttons say it. Before the viewer is down, `plan` is how far the
    hand is from the contract, `outlook` the same in a word."""

    hand: Pile
    points: int
    fresh: Pile
    did: tuple[Message | None, ...]
    draft: Draft
    melds: str
    still: str
    plays: bool
    may_draw: bool
    discard: Card | None
    enters: Pile
    fits: Pile
    hint: Message | None
    is_ready: bool
    down: Fields
    ways: tuple[Way, ...]
    plan: HandPlan | None
    outlook: str
    laid: tuple[MeldsOfSeat, ...]
    wins_joker: bool
    leftover: tuple[Leftover, ...]
    so_far: tuple[SoFar, ...]
    contracts: tuple[Contract, ...] = CONTRACTS
    wishes: tuple[str, ...] = WISHES
    joker: Card = JOKER


def page(table: PageInput[LiverpoolView]) -> LiverpoolPage:
    """What to write down for the viewer."""
    view = table.view
    drafted = _draft(table)
    plays = view.phase == "PLAY" and table.my_turn
    picked = drafted.selected[0] if len(drafted.selected) == 1 else None
    laid = tuple(_laid(view, drafted))
    plan = view.hand_plan() if view.seat and not view.is_down else None
    melds = f"melds={quote(drafted.text)}" if drafted.melds else ""
    return LiverpoolPage(
        hand=in_suits(drafted.left),
        points=points_of(view.hand),
        fresh=_fresh(table),
        did=_did(table),
        draft=drafted,
        melds=melds,
        still="&".join(filter(None, [melds, *(f"card={card}" for card in drafted.selected)])),
        plays=plays,
        may_draw=_may_draw(view),
        discard=picked if picked in view.discardable else None,
        enters=tuple(card for card in view.discardable if plays and drafted.selected in ((), (card,))),
        fits=tuple(dict.fromkeys(play.card for play, taken in plays_of(view) if not taken)),
        hint=_for_sale(table) if view.may_buy else _hint(view, drafted, picked, plays=plays),
        is_ready=plays and (drafted.is_ready or (view.may_lay_down and not drafted.melds)) and not drafted.words,
        down=move_fields(LayDown(drafted.ready)),
        ways=_ways(view) if plays and len(drafted.selected) < 2 and not drafted.melds else (),
        plan=plan,
        outlook=_outlook(view, plan) if plan else "",
        laid=laid,
        wins_joker=any(joker.id for seat in laid for one in seat.melds for joker in one.jokers),
        leftover=tuple(_leftover(view, seat) for seat in range(1, len(view.hands) + 1)),
        so_far=_so_far(view),
    )


def in_suits(cards: Pile) -> Pile:
    """Cards in suits, low to high, jokers last."""
    return tuple(sorted(cards, key=lambda card: (card.is_joker, _SUITS.find(card.suit), card.rank)))


def _draft(table: PageInput[LiverpoolView]) -> Draft:
    """The melds that the viewer is putting together; what was ticked is put aside when that was asked for."""
    view = table.view
    hand = view.number, view.hand, view.contract, view.keep
    drafted = draft(*hand, table.wish("aside" if "aside" in table.asked else "melds"), table.asked.get("card", ()))
    if "aside" in table.asked and drafted.may_put_aside:
        return draft(*hand, drafted.with_found, ())
    return drafted


def _so_far(view: LiverpoolView) -> tuple[SoFar, ...]:
    """Who is down comes first, and of these who has the fewest cards."""
    words = [_cards_of(view, seat) for seat in range(1, view.seats + 1)]
    return so_far(words, [(not down, size) for down, size in zip(view.down, view.hand_sizes, strict=True)])


def _cards_of(view: LiverpoolView, seat: int) -> str:
    size = view.hand_sizes[seat - 1]
    if view.down[seat - 1]:
        return ngettext("%(count)s card left", "%(count)s cards left", size)
    cards = ngettext("%(count)s card", "%(count)s cards", size)
    return gettext("%(cards)s, no melds", cards=cards) if any(view.down) else cards


# What happened


def _did(table: PageInput[LiverpoolView]) -> tuple[Message | None, ...]:
    """What every seat did last."""
    view = table.view
    last: dict[int, Message | None] = {}
    for event in table.events:
        match event:
            case events.Discarded(card=card):
                last[event.seat] = gettext("discarded %(card)s", card=card)
            case events.Bought(card=card):
                last[event.seat] = gettext("bought %(card)s", card=card)
            case events.DiscardTaken(card=card):
                last[event.seat] = gettext("took %(card)s", card=card)
            case events.LaidOff(card=card) | events.JokerWon(card=card):
                last[event.seat] = gettext("laid %(card)s", card=card)
            case events.StockDrawn():
                last[event.seat] = gettext("drew")
            case events.WentDown():
                last[event.seat] = gettext("went down")
            case events.BuyAnswered():
                last[event.seat] = gettext("has answered") if view.phase == "BUY" else None
            case events.DiscardDeclined():
                last[event.seat] = None
    dealt = {view.dealer: gettext("dealt")}
    return tuple(last.get(seat) or dealt.get(seat) for seat in range(1, view.seats + 1))


def _fresh(table: PageInput[LiverpoolView]) -> Pile:
    """What came to the viewer since his last discard."""
    fresh: list[Card | None] = []
    for event in table.events:
        match event:
            case events.StockDrawn(seat, card=card) | events.DiscardTaken(seat, card) if seat == table.view.seat:
                fresh = [card]
            case events.Discarded(seat) if seat == table.view.seat:
                fresh = []
            case events.Bought(seat, card, penalty=penalty) if seat == table.view.seat:
                fresh += [card, penalty]
    return tuple(card for card in fresh if card)


def _leftover(view: LiverpoolView, seat: int) -> Leftover:
    cards = view.hands[seat - 1]
    if seat == view.winner:
        tag = gettext("went out")
    else:
        tag = gettext("reached the contract") if view.down[seat - 1] else gettext("contract not reached")
    return Leftover(seat, tag, in_suits(cards), points_of(cards))


# What can be done


def _may_draw(view: LiverpoolView) -> bool:
    return any(isinstance(move, DrawStock) for move in view.legal)


def _for_sale(table: PageInput[LiverpoolView]) -> Message:
    view = table.view
    before = view.buy_queue[: view.buy_queue.index(view.seat)] if view.seat else ()
    if not before:
        return gettext("You get %(card)s and one more card from the stock.", card=view.upcard)
    if len(before) == 1:
        name = table.names[before[0] - 1]
        return gettext("You get %(card)s and one more card. %(name)s chooses first.", card=view.upcard, name=name)
    return gettext(
        "You get %(card)s and one more card. %(count)s others choose first.", card=view.upcard, count=len(before)
    )


def _hint(view: LiverpoolView, drafted: Draft, picked: Card | None, *, plays: bool) -> Message | None:
    if drafted.fault or (drafted.words and not view.is_down):
        return drafted.fault or drafted.words
    if plays:
        return _what_to_play(view, drafted, picked)
    if view.may_take:
        return gettext("Take %(card)s, or draw.", card=view.upcard)
    if view.taking_plays:
        return gettext("Put %(card)s on a meld at once, or draw.", card=view.upcard)
    if view.is_down and _may_draw(view) and view.upcard:
        return gettext("The discard fits no meld: draw.")
    return gettext("Draw.") if _may_draw(view) else None


def _what_to_play(view: LiverpoolView, drafted: Draft, picked: Card | None) -> Message:
    plays = plays_of(view)
    cards = {play.card for play, _ in plays}
    if picked and picked not in view.discardable:
        return gettext("You took %(card)s this turn: discard another card.", card=picked)
    if picked and view.is_down and picked not in cards:
        return gettext("%(card)s fits nowhere: discard it?", card=picked)
    if view.is_down and view.went_down_this_turn and not view.options.layoff_same_turn:
        return gettext("You are down. You may add cards from your next turn on.")
    if winnings_of(plays):
        if len(cards) > 1:
            return gettext("Add a card, swap one for a joker, or discard.")
        if any(isinstance(play, LayOff) for play, _ in plays):
            return gettext("Add %(card)s, swap it for the joker, or discard.", card=next(iter(cards)))
        return gettext("Swap %(card)s for the joker, or discard.", card=next(iter(cards)))
    if cards:
        fits = gettext("Add %(card)s where it glows, or tap a card to discard it.", card=next(iter(cards)))
        return fits if len(cards) == 1 else gettext("Add a card where it glows, or tap one to discard it.")
    if drafted.melds:
        return gettext("Tap the cards of the next meld.")
    if view.may_lay_down and not view.is_down:
        return gettext("You can go down.")
    return gettext("Choose a card to discard.")


def _ways(view: LiverpoolView) -> tuple[Way, ...]:
    """The best ways to go down now, and that which lays the fewest points."""
    ways = view.arrangements(3)
    least = leanest(view.hand, view.contract, view.keep) if ways else None
    if least and least.points > ways[0].points:
        ways = (*ways, least)
    return tuple(
        Way(
            fields=move_fields(LayDown(way.melds)),
            melds=way.melds,
            on_table=tuple(on_table(meld, 0, view.seat or 0) for meld in way.melds),
            left=way.left,
            points=way.points,
            is_leanest=0 < at == len(ways) - 1 and way == least,
        )
        for at, way in enumerate(ways)
    )


def _outlook(view: LiverpoolView, plan: HandPlan) -> str:
    if view.may_lay_down:
        return gettext("You can go down")
    if not plan.missing:
        return gettext("The contract is there")
    return ngettext("%(count)s more card and you may go down", "%(count)s more cards and you may go down", plan.missing)


# The melds on the table


def _laid(view: LiverpoolView, drafted: Draft) -> Iterator[MeldsOfSeat]:
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
    """Where the viewer's cards, or the discard, can be added."""
    return tuple(
        _spot(f"lay-{play[0].card}", play, Place(meld.id, play[0].end))
        for play in plays
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
