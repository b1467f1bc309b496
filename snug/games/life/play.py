"""Who may do what at a Life table, and what it does: §7, §8."""

from typing import Final

from msgspec.structs import replace

from snug.engine.cards import JOKER, SUIT_NAMES, Pile, with_part, without
from snug.engine.game import Event, IllegalMove, Move
from snug.games.life.events import CardsLaid, JokerPlayed, StealDeclined, SuitChosen, SuitsRevealed
from snug.games.life.score import ending, fortunes, points
from snug.games.life.state import (
    ALL_SUITS,
    DECLINE_STEAL,
    LAY,
    PLAIN_SUITS,
    PLAY_JOKER,
    TURN_CARD,
    ChooseSuit,
    DeclineSteal,
    Lay,
    LifeMove,
    LifeState,
    PlayJoker,
    Steal,
    TurnCard,
    left_of,
)
from snug.games.life.turns import after_steal, lay, pick_up, steal, throw_in, turn_card
from snug.games.life.view import LifeView
from snug.words import gettext

_CHOICES: Final = {suit: ChooseSuit(suit) for suit in ALL_SUITS}
_WHAT_NOW: Final = {
    "CHOOSE_SUITS": gettext("First everybody chooses a suit."),
    "TURN_START": gettext("A turn begins with turning up a card, or with a joker from your hand."),
    "LAY": gettext("A card is turned up: lay cards of its suit, or none."),
    "STEAL": gettext("Your cards are safe: steal a card now, or let it be."),
    "STEAL_ROUND": gettext("Steal a card from the player who had to lay spades, or let it be."),
}


def to_act(state: LifeState) -> tuple[int, ...]:
    """§8: all who have not chosen, one thief after the other, or the seat whose turn it is."""
    phase = state.phase
    if phase in ("TURN_START", "LAY", "STEAL"):
        return (state.turn,)
    if phase == "STEAL_ROUND":
        return state.steal_queue[:1]
    if phase == "CHOOSE_SUITS":
        return tuple(seat for seat, suit in enumerate(state.chosen, 1) if suit is None)
    return ()


def legal(state: LifeState, seat: int) -> tuple[Move, ...]:
    """§8. A `lay` is listed once, without its cards."""
    if seat not in to_act(state):
        return ()
    match state.phase:
        case "TURN_START":
            holds_joker = JOKER in state.hands[seat - 1]
            return (TURN_CARD, PLAY_JOKER) if holds_joker else (TURN_CARD,)
        case "LAY":
            return (LAY,)
        case "CHOOSE_SUITS":
            return tuple(_CHOICES[suit] for suit in (ALL_SUITS if state.options.choose_spades else PLAIN_SUITS))
        case _:
            return (*_steals(state, seat), DECLINE_STEAL)


def _targets(state: LifeState, thief: int) -> tuple[int, ...]:
    """§7.4: the victim of a steal round, else everybody else."""
    return (state.steal_victim or 0,) if state.phase == "STEAL_ROUND" else left_of(thief, state.seats)


def _steals(state: LifeState, thief: int) -> list[Move]:
    moves: list[Move] = []
    for target in _targets(state, thief):
        if row := state.rows[target - 1]:
            moves += [Steal(target, card) for card in dict.fromkeys(row)]
        elif state.hands[target - 1]:
            moves.append(Steal(target))
    return moves


def check(state: LifeState, seat: int, move: LifeMove) -> None:
    """§8."""
    phase = state.phase
    if phase == "HAND_OVER":
        raise IllegalMove("GAME_OVER", "This Hand is over.")
    if isinstance(move, ChooseSuit):
        _check_choice(state, seat, move)
        return
    if seat not in to_act(state):
        raise IllegalMove("NOT_YOUR_TURN", "It is not your turn.")
    match move:
        case TurnCard() if phase == "TURN_START":
            pass
        case PlayJoker() if phase == "TURN_START":
            if JOKER not in state.hands[seat - 1]:
                raise IllegalMove("NO_JOKER", "You hold no joker.")
        case Lay(cards) if phase == "LAY":
            _check_lay(state, state.hands[seat - 1], cards or ())
        case Steal() if phase in ("STEAL", "STEAL_ROUND"):
            _check_steal(state, seat, move)
        case DeclineSteal() if phase in ("STEAL", "STEAL_ROUND"):
            pass
        case _:
            raise IllegalMove("WRONG_PHASE", _WHAT_NOW[phase])


def _check_choice(state: LifeState, seat: int, move: ChooseSuit) -> None:
    """§6: one suit, once."""
    if state.phase != "CHOOSE_SUITS":
        raise IllegalMove("WRONG_PHASE", "Suits are chosen before the deal, and once for a whole Hand.")
    if not 1 <= seat <= state.seats:
        raise IllegalMove("NOT_YOUR_TURN", "Only those who play choose a suit.")
    if state.chosen[seat - 1]:
        raise IllegalMove("ALREADY_CHOSEN", "You have chosen your suit for this Hand: a choice is final.")
    if move.suit == "S" and not state.options.choose_spades:
        raise IllegalMove("BAD_SUIT", "This table plays without Choose Spades: pick hearts, diamonds or clubs.")
    if move.suit not in ALL_SUITS:
        if state.options.choose_spades:
            raise IllegalMove(
                "BAD_SUIT",
                "There is no such suit to choose: write H for hearts, D for diamonds, C for clubs, S for spades.",
            )
        raise IllegalMove(
            "BAD_SUIT", "There is no such suit to choose: write H for hearts, D for diamonds, C for clubs."
        )


def _check_lay(state: LifeState, hand: Pile, cards: Pile) -> None:
    """§7.2: any of one's own cards of the turned suit."""
    suit = (state.turned or "")[-1:]
    for card in cards:
        if card not in hand:
            raise IllegalMove("NOT_IN_HAND", "You do not hold %(card)s.", card=card.label)
        if card.suit != suit:
            raise IllegalMove(
                "WRONG_SUIT",
                "Only %(suit)s may be laid this turn, not %(card)s.",
                suit=SUIT_NAMES[suit],
                card=card.label,
            )
        if cards.count(card) > hand.count(card):
            raise IllegalMove("NOT_IN_HAND", "You do not hold %(card)s as often as that.", card=card.label)


def _check_steal(state: LifeState, thief: int, move: Steal) -> None:
    """§7.4."""
    targets = _targets(state, thief)
    target = targets[0] if move.target is None and state.phase == "STEAL_ROUND" else move.target
    if target not in targets:
        if state.phase == "STEAL_ROUND":
            raise IllegalMove("WRONG_TARGET", "You may steal from the player who had to lay spades only.")
        raise IllegalMove("WRONG_TARGET", "You may steal from another player only.")
    row = state.rows[target - 1]
    if row and move.card is None:
        raise IllegalMove("MUST_NAME_FACE_UP", "There are cards face up in front of this player: name one of them.")
    if row and move.card not in row:
        raise IllegalMove("NOT_FACE_UP", "Only a card that lies face up in front of this player can be stolen.")
    if not row and move.card is not None:
        raise IllegalMove("HAND_STEAL_IS_RANDOM", "This table plays Blind stealing: a card of a hand cannot be named.")
    if not row and not state.hands[target - 1]:
        raise IllegalMove("WRONG_TARGET", "This player has nothing to steal.")


def play(state: LifeState, seat: int, move: LifeMove) -> tuple[LifeState, tuple[Event, ...]]:
    """§7."""
    check(state, seat, move)
    events: list[Event] = []
    match move:
        case TurnCard():
            state = turn_card(state, events)
        case Lay(cards):
            if cards:
                state = lay(state, cards, events)
            else:
                events.append(CardsLaid(seat, (), len(state.hands[seat - 1])))
                state = pick_up(state, events)
        case Steal(target, card):
            state = steal(state, seat, target or state.steal_victim or 0, card, events)
        case DeclineSteal():
            events.append(StealDeclined(seat, len(state.hands[seat - 1])))
            state = after_steal(state, events)
        case PlayJoker():
            events.append(JokerPlayed(seat, "hand"))
            hand = without(state.hands[seat - 1], JOKER)
            state = throw_in(replace(state, hands=with_part(state.hands, seat, hand)), JOKER)
        case ChooseSuit(suit):
            state = _choose_suit(state, seat, suit, events)
    return state, tuple(events)


def _choose_suit(state: LifeState, seat: int, suit: str, events: list[Event]) -> LifeState:
    """§6: all are revealed together when the last is in; then the cards are dealt."""
    chosen = with_part(state.chosen, seat, suit)
    events.append(SuitChosen(seat))
    if None in chosen:
        return replace(state, chosen=chosen)
    events.append(SuitsRevealed(chosen))
    return replace(state, chosen=chosen, phase="DEAL")


def view(state: LifeState, seat: int | None) -> LifeView:
    """§9: everything that lies face up or was seen before it was turned down, and one's own hand and choice."""
    over, secret = state.phase == "HAND_OVER", state.phase == "CHOOSE_SUITS"
    return LifeView(
        seat=seat,
        options=state.options,
        seats=state.seats,
        to_act=to_act(state),
        legal=legal(state, seat) if seat else (),
        number=state.number,
        dealer=state.dealer,
        last_dealer=state.last_dealer,
        turn=state.turn,
        phase=state.phase,
        suits=tuple(suit if chooser == seat else None for chooser, suit in enumerate(state.chosen, 1))
        if secret
        else state.chosen,
        has_chosen=tuple([suit is not None for suit in state.chosen]),
        hand=state.hands[seat - 1] if seat else (),
        hand_sizes=tuple(map(len, state.hands)),
        rows=state.rows,
        safe=state.safe,
        deck_size=len(state.deck),
        discards=state.discards,
        removed_jokers=len(state.removed_jokers),
        turned=state.turned,
        steal_victim=state.steal_victim,
        steal_queue=state.steal_queue,
        turns=state.turns,
        points=points(state),
        over=over,
        reason=ending(state) if over else "",
        hands=state.hands if over else (),
        fortunes=fortunes(state) if over else (),
    )
