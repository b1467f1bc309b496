"""Why a move of Irish Lives is refused: §7, §8. Every sentence is read by the player who tried."""

from collections.abc import Callable
from typing import Any, Final

from app.engine.cards import SUIT_NAMES
from app.engine.game import IllegalMove, Move
from app.games.lives.matching import fitting, need_not_play, nothing_to_draw, to_act
from app.games.lives.state import POWER, WILD, CallSuit, Catch, Draw, Keep, LivesMove, LivesState, Play


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
        raise IllegalMove("NOT_IN_HAND", f"You do not hold the {card.words}.")
    if state.drawn_card is not None and card != state.drawn_card:
        raise IllegalMove(
            "ONLY_DRAWN_CARD",
            "This table plays Play What You Draw: after picking up you may play just the card you picked up, "
            f"the {state.drawn_card.words}, or keep it.",
        )
    if len(hand) == 1 and card in POWER:
        raise IllegalMove(
            "NO_FINISH_ON_POWER", f"{card.label} is your last card, and nobody goes out on a power card: pick up."
        )
    if state.pending and card.rank != 2:
        raise IllegalMove(
            "TWO_PENDING", f"A two wants its answer: put another two on it, or pick up {2 * state.pending} cards."
        )
    if card not in fitting(state, hand):
        raise IllegalMove("NO_MATCH", _mismatch(state, move))
    if card in WILD and move.suit is None:
        raise IllegalMove("SUIT_REQUIRED", f"Name a suit with {card.label}: it decides what is played next.")
    if card not in WILD and move.suit is not None:
        raise IllegalMove("SUIT_NOT_ALLOWED", f"{card.label} keeps its own suit: only aces and jokers call one.")
    if move.last_card and len(hand) != 2:
        raise IllegalMove(
            "CALL_NOT_DUE", f'"Last card" is for the play that leaves you one card; this one leaves {len(hand) - 1}.'
        )


def _mismatch(state: LivesState, move: Play) -> str:
    card, top = move.card, state.stack[-1] if state.stack else None
    suit = SUIT_NAMES[state.suit_in_play] if state.suit_in_play else "no suit"
    if card.rank != 1:
        on = top.label if top else "an empty stack"
        return f"{card.label} does not go on {on}: it takes {suit}, the same rank, or an ace at the right moment."
    if state.options.off_suit_ace == "no_suit_no_rank":
        return (
            f"This table plays Aces of Other Suits only from a hand with neither suit nor rank: "
            f"yours has {suit} or a card of the top card's rank, so {card.label} has to wait."
        )
    return f"{card.label} has to wait: with {suit} in play, an ace of another suit needs a hand without {suit}."


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
