"""What the page of a Liverpool table says beside the view: §10."""

from typing import Final
from urllib.parse import quote

import msgspec

from snug.engine.cards import JOKER, Card, Pile
from snug.engine.melds import Contract, Laid, Meld, on_table, points_of
from snug.engine.page import Fields, PageInput, SoFar, move_fields, so_far
from snug.games.liverpool import events
from snug.games.liverpool.meld_search import leanest
from snug.games.liverpool.on_page.hints import for_sale, hint_of, may_draw, wanted
from snug.games.liverpool.on_page.meld_drafts import Draft, draft
from snug.games.liverpool.on_page.table_melds import MeldsOfSeat, melds_by_seat, plays_of
from snug.games.liverpool.state import CONTRACTS, LayDown
from snug.games.liverpool.thinking.hand_plan import HandPlan
from snug.games.liverpool.view import WISHES, LiverpoolView
from snug.words import Message, gettext, ngettext

_SUITS: Final = "SHCD"  # red and black in turns


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
    laid = tuple(melds_by_seat(view, drafted))
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
        may_draw=may_draw(view),
        discard=picked if picked in view.discardable else None,
        enters=tuple(card for card in view.discardable if plays and drafted.selected in ((), (card,))),
        fits=tuple(dict.fromkeys(play.card for play, taken in plays_of(view) if not taken)),
        hint=for_sale(table) if view.may_buy else hint_of(view, drafted, picked, plays=plays) or wanted(table),
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
    words = [_cards_of(view, seat) for seat in range(1, len(view.hand_sizes) + 1)]
    return so_far(words, [(not down, size) for down, size in zip(view.down, view.hand_sizes, strict=True)])


def _cards_of(view: LiverpoolView, seat: int) -> Message:
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
    return Leftover(seat, in_suits(cards), points_of(cards))


# What can be done


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
    if not plan.missing:
        return gettext("In hand: %(contract)s", contract=view.contract.words)
    return ngettext(
        "%(count)s more card to go down",
        "%(count)s more cards to go down",
        plan.missing,
    )
