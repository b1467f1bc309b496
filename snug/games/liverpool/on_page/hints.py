"""What a viewer of a Liverpool table is told to do."""

from snug.engine.cards import Card
from snug.engine.page import PageInput
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
        return gettext("You get it and one card from the stock.")
    if len(before) == 1:
        name = table.names[before[0] - 1]
        return gettext("You get it and one card from the stock, unless %(name)s buys it.", name=name)
    return gettext("You get it and one card from the stock, unless somebody before you buys it.")


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
    if winnings_of(plays):
        if len(cards) > 1:
            return gettext("Tap what glows, or a card to discard it.")
        if any(isinstance(play, LayOff) for play, _ in plays):
            return gettext(
                "Tap what glows to add %(card)s or swap it for the joker, or discard.", card=next(iter(cards))
            )
        return gettext("Tap the glowing joker to swap it for %(card)s, or discard.", card=next(iter(cards)))
    if cards:
        fits = gettext("Tap a glowing meld to add %(card)s, or a card to discard it.", card=next(iter(cards)))
        return fits if len(cards) == 1 else gettext("Tap a glowing meld to add a card, or a card to discard it.")
    if drafted.melds:
        return gettext("Tap the cards of the next meld.")
    if view.may_lay_down and not view.is_down:
        return gettext("Go down: lay your melds on the table.")
    return gettext("Choose a card to discard.")
