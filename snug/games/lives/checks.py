"""Why a move of Irish Lives is refused: §7, §8. Every sentence is read by the player who tried."""

from collections.abc import Callable
from typing import Any, Final

from snug.engine.cards import SUIT_NAMES
from snug.engine.game import IllegalMove, Move
from snug.games.lives.matching import fitting, need_not_play, nothing_to_draw, to_act
from snug.games.lives.state import POWER, WILD, CallSuit, Catch, Draw, Keep, LivesMove, LivesState, Play
from snug.words import Message, gettext, ngettext


def check(state: LivesState, seat: int, move: LivesMove) -> None:
    """§8."""
    if state.phase == "DEAL_OVER":
        raise IllegalMove("GAME_OVER", "The deal is over.")
    if state.phase == "SET_UP" or state.taking:
        raise IllegalMove("NOT_YOUR_TURN", "The dealer is still shuffling.")
    _CHECKS[type(move)](state, seat, move)


def _check_turn(state: LivesState, seat: int) -> None:
    if seat != state.turn:
        raise IllegalMove("NOT_YOUR_TURN", "It is not your turn.")
    if state.phase == "CALL_SUIT":
        raise IllegalMove("NOT_YOUR_ACTION", "First name the suit for the card turned up at the start.")


def _check_play(state: LivesState, seat: int, move: Play) -> None:
    """In the order that §8 fixes."""
    _check_turn(state, seat)
    card, hand = move.card, state.hands[seat - 1]
    if card not in hand:
        raise IllegalMove("NOT_IN_HAND", "You do not hold the %(card)s.", card=card.words)
    if state.drawn_card is not None and card != state.drawn_card:
        raise IllegalMove(
            "ONLY_DRAWN_CARD",
            "This table plays Play What You Draw: after picking up you may play just the card you picked up, "
            "the %(card)s, or keep it.",
            card=state.drawn_card.words,
        )
    if len(hand) == 1 and card in POWER:
        raise IllegalMove(
            "NO_FINISH_ON_POWER",
            "%(card)s is your last card, and nobody goes out on a power card: pick up.",
            card=card.label,
        )
    if state.pending and card.rank != 2:
        raise IllegalMove(
            "TWO_PENDING",
            ngettext(
                "A two wants its answer: put another two on it, or pick up %(count)s card.",
                "A two wants its answer: put another two on it, or pick up %(count)s cards.",
                2 * state.pending,
            ),
        )
    if card.suit != state.suit_in_play and card not in fitting(state, hand):  # the suit in play always fits
        raise IllegalMove("NO_MATCH", _mismatch(state, move))
    if card in WILD and move.suit is None:
        raise IllegalMove(
            "SUIT_REQUIRED", "Name a suit with %(card)s: it decides what is played next.", card=card.label
        )
    if card not in WILD and move.suit is not None:
        raise IllegalMove(
            "SUIT_NOT_ALLOWED", "%(card)s keeps its own suit: only aces and jokers call one.", card=card.label
        )
    if move.last_card and len(hand) != 2:
        raise IllegalMove(
            "CALL_NOT_DUE",
            '"Last card" is for the play that leaves you one card; this one leaves %(left)s.',
            left=len(hand) - 1,
        )


def _mismatch(state: LivesState, move: Play) -> Message:
    card, top = move.card, state.stack[-1] if state.stack else None
    suit = SUIT_NAMES[state.suit_in_play] if state.suit_in_play else gettext("no suit")
    if card.rank != 1:
        return gettext(
            "%(card)s does not go on %(top)s: it takes %(suit)s, the same rank, or an ace at the right moment.",
            card=card.label,
            top=top.label if top else gettext("an empty stack"),
            suit=suit,
        )
    if state.options.off_suit_ace == "no_suit_no_rank":
        return gettext(
            "This table plays Aces of Other Suits only from a hand with neither suit nor rank: "
            "yours has %(suit)s or a card of the top card's rank, so %(card)s has to wait.",
            suit=suit,
            card=card.label,
        )
    return gettext(
        "%(card)s has to wait: with %(suit)s in play, an ace of another suit needs a hand without %(suit)s.",
        card=card.label,
        suit=suit,
    )


def _check_draw(state: LivesState, seat: int, _: Draw) -> None:
    _check_turn(state, seat)
    if state.phase == "DRAWN":
        raise IllegalMove("NOT_YOUR_ACTION", "You have picked up already: play that card or keep it.")
    hand = state.hands[seat - 1]
    if need_not_play(state) or fitting(state, hand).isdisjoint(hand):
        return
    if nothing_to_draw(state):
        raise IllegalMove("NOTHING_TO_DRAW", "There is nothing left to pick up, and you hold a card that fits.")
    raise IllegalMove("MUST_PLAY", "This table plays Must Play: you hold a card that fits, so no picking up.")


def _check_keep(state: LivesState, seat: int, _: Keep) -> None:
    if not state.options.play_drawn_card:
        raise IllegalMove(
            "NOT_YOUR_ACTION",
            "This table does not play Play What You Draw: what is picked up stays in the hand anyway.",
        )
    if state.phase != "DRAWN":
        raise IllegalMove("NOT_YOUR_ACTION", "Nobody has just picked up a card that fits.")
    if seat != state.turn:
        raise IllegalMove("NOT_YOUR_TURN", "It is not your turn.")


def _check_call_suit(state: LivesState, seat: int, _: CallSuit) -> None:
    if state.phase != "CALL_SUIT":
        raise IllegalMove("NOT_YOUR_ACTION", "There is no suit to name for the card turned up at the start.")
    if seat != state.turn:
        raise IllegalMove("NOT_YOUR_ACTION", "The player on the dealer's right names this suit.")


def _check_catch(state: LivesState, seat: int, move: Catch) -> None:
    if state.options.last_card_notice != "players":
        raise IllegalMove(
            "NOTHING_TO_CATCH", "This table notices forgotten calls by itself: there is nothing for players to catch."
        )
    if move.target not in state.exposed:
        raise IllegalMove("NOTHING_TO_CATCH", "That player has not forgotten to say “last card”, or it is too late.")
    if move.target == seat or seat not in to_act(state):
        raise IllegalMove("NOT_YOUR_ACTION", "You cannot catch yourself: only the others can.")


_CHECKS: Final[dict[type[Move], Callable[[LivesState, int, Any], None]]] = {
    Play: _check_play,
    Draw: _check_draw,
    Keep: _check_keep,
    CallSuit: _check_call_suit,
    Catch: _check_catch,
}
