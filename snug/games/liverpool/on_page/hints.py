"""What a viewer of a Liverpool table is told to do."""

from snug.engine.cards import Card
from snug.engine.page import PageInput
from snug.games.liverpool.events import BuyAnswered
from snug.games.liverpool.on_page.meld_drafts import Draft
from snug.games.liverpool.on_page.table_melds import plays_of, winnings_of
from snug.games.liverpool.state import DrawStock, LayOff
from snug.games.liverpool.view import LiverpoolView
from snug.words import Message, gettext


def may_draw(view: LiverpoolView) -> bool:
    """Whether the stock may be drawn from."""
    return any(isinstance(move, DrawStock) for move in view.legal)


def for_sale(table: PageInput[LiverpoolView]) -> Message:
    """What buying the discard brings, and who is asked first: §5."""
    view = table.view
    before = view.buy_queue[: view.buy_queue.index(view.seat)] if view.seat else ()
    if not before:
        return gettext("With it you draw one more card.")
    if len(before) == 1:
        name = table.names[before[0] - 1]
        return gettext("With it you draw one more card. %(name)s may buy before you.", name=name)
    return gettext("With it you draw one more card. Others may buy before you.")


def wanted(table: PageInput[LiverpoolView]) -> Message | None:
    """What becomes of the viewer's wish to buy while others are asked who come before: §8.2."""
    view = table.view
    if view.phase != "BUY" or not view.seat or view.seat not in view.buy_queue:
        return None
    answers = [event.buys for event in table.events if isinstance(event, BuyAnswered) and event.seat == view.seat]
    if not answers or not answers[-1]:
        return None
    before = view.buy_queue[: view.buy_queue.index(view.seat)]
    if len(before) == 1:
        return gettext("You buy %(card)s if %(name)s passes.", card=view.upcard, name=table.names[before[0] - 1])
    return gettext("You buy %(card)s if all before you pass.", card=view.upcard)


def hint_of(view: LiverpoolView, drafted: Draft, picked: Card | None, *, plays: bool) -> Message | None:
    """What can be done now, the melds in the making and the one card `picked` being what they are."""
    if drafted.fault or (drafted.words and not view.is_down):
        return drafted.fault or drafted.words
    if plays:
        return _what_to_play(view, drafted, picked)
    if view.may_take:
        return gettext("Take %(card)s, or draw.", card=view.upcard)
    if view.taking_plays:
        return gettext("Tap what glows to put %(card)s there, or draw.", card=view.upcard)
    if view.is_down and may_draw(view) and view.upcard:
        return gettext("The discard fits no meld: draw.")
    return gettext("Draw.") if may_draw(view) else None


def _what_to_play(view: LiverpoolView, drafted: Draft, picked: Card | None) -> Message:
    plays = plays_of(view)
    cards = {play.card for play, _ in plays}
    if picked and picked not in view.discardable:
        return gettext("You took %(card)s this turn: discard another card.", card=picked)
    if picked and view.is_down and picked not in cards:
        return gettext("%(card)s fits nowhere: discard it?", card=picked)
    if view.is_down and view.went_down_this_turn and not view.options.layoff_same_turn:
        return gettext("You are down. You may add cards from your next turn on.")
    if len(cards) > 1:
        return gettext("Add your glowing cards: tap what glows on the table, or discard.")
    if winnings_of(plays):
        if any(isinstance(play, LayOff) for play, _ in plays):
            return gettext(
                "Tap what glows to add %(card)s or swap it for the joker, or discard.", card=next(iter(cards))
            )
        return gettext("Tap the glowing joker to swap it for %(card)s, or discard.", card=next(iter(cards)))
    if cards:
        return gettext("Tap a glowing meld to add %(card)s, or a card to discard it.", card=next(iter(cards)))
    if drafted.melds:
        return gettext("Tap the cards of the next meld.")
    if view.may_lay_down and not view.is_down:
        return gettext("Go down: lay the glowing cards on the table.")
    return gettext("Choose a card to discard.")
