"""How Follow the Leader is dealt and played: §6, §7."""

from collections.abc import Iterable
from typing import Final, Literal

from msgspec.structs import replace

from snug.engine.cards import JOKER, PACK, Card, Pile, with_part, without
from snug.engine.chance import Choose, ChooseDue, Due, Outcome, Shuffle, ShuffleDue
from snug.engine.game import Event, IllegalMove, Move, Scores
from snug.games.follow_the_leader.options import FollowTheLeaderOptions
from snug.games.follow_the_leader.ranks import ALL, ONE, Arc, in_words, with_joker
from snug.games.follow_the_leader.state import (
    DRAW,
    PLAYS,
    TURN_CAP,
    CircleFailed,
    DealerChosen,
    DealOver,
    DealStarted,
    Drew,
    FollowTheLeaderMove,
    FollowTheLeaderState,
    Led,
    PileRecycled,
    Play,
    Played,
    Reached,
)
from snug.games.follow_the_leader.view import FollowTheLeaderView
from snug.words import gettext_noop

HAND_SIZE: Final = {2: 10, 3: 8, 4: 7, 5: 6}
JOKERS_A_DECK: Final = 2

State = FollowTheLeaderState
Came = tuple[State, tuple[Event, ...]]


def start(
    options: FollowTheLeaderOptions, seats: int, number: int, dealer: int | None, rounds: tuple[Scores, ...] = ()
) -> State:
    """§6: the dealer's left leads."""
    return State(options, seats, number, dealer, (dealer or seats) % seats + 1, hands=((),) * seats)


def due(state: State) -> Due | None:
    """The first dealer, the shuffle of a deal, or that of the discards when the pile is empty (§7.4)."""
    if state.phase == "SET_UP":
        return ChooseDue(state.seats) if state.dealer is None else ShuffleDue(pack_of_table(state.options))
    return ShuffleDue(state.discards[:-1]) if state.recycling else None


def pack_of_table(options: FollowTheLeaderOptions) -> Pile:
    """§3: one or two packs, with two jokers each if jokers are in."""
    return (PACK + (JOKER,) * (JOKERS_A_DECK * options.jokers)) * options.decks


def deal(state: State, outcome: Outcome) -> Came:
    """§6, §7.4."""
    if state.phase == "SET_UP" and state.dealer is None and isinstance(outcome, Choose):
        return start(state.options, state.seats, state.number, outcome.value), (DealerChosen(outcome.value),)
    if not isinstance(outcome, Shuffle):
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "The dealer has to shuffle now.")
    if state.phase == "SET_UP":
        return _deal_hands(state, outcome.cards)
    reaching = state.reaching
    state = replace(state, pile=outcome.cards, discards=state.discards[-1:], recycling=False, reaching=False)
    recycled = PileRecycled(len(outcome.cards))
    if not reaching:
        return state, (recycled,)
    state, events = _take(state)
    return state, (recycled, *events)


def _deal_hands(state: State, cards: Pile) -> Came:
    """§6: one card at a time from the dealer's left."""
    seats, each = state.seats, HAND_SIZE[state.seats]
    hands = tuple(cards[(seat - state.turn) % seats : each * seats : seats] for seat in range(1, seats + 1))
    state = replace(state, phase="LEAD", hands=hands, pile=cards[each * seats :])
    sizes = tuple(map(len, hands))
    return state, (DealStarted(state.number, state.dealer or seats, sizes, len(state.pile), hands),)


def to_act(state: State) -> tuple[int, ...]:
    """One seat at a time."""
    return () if state.recycling or state.phase in ("SET_UP", "DEAL_OVER") else (state.turn,)


def range_of(state: State) -> Arc:
    """§7.1: L, the ranks that may follow."""
    return state.stands_for.widened(state.options.one_below)


def playable(state: State) -> Iterable[Card]:
    """§7.1: the cards of the seat to act that may follow."""
    return filter(range_of(state).holds, state.hands[state.turn - 1])


def legal(state: State, seat: int) -> tuple[Move, ...]:
    """§7.2, §8. Twins are one move."""
    if seat != state.turn or not to_act(state):
        return ()
    if state.phase == "DRAWN":
        assert state.drawn_card is not None
        return (PLAYS[state.drawn_card],)
    cards = playable(state) if state.phase == "TURN" else state.hands[seat - 1]
    plays = tuple([PLAYS[card] for card in dict.fromkeys(cards)])
    return plays if plays or state.phase != "TURN" else (DRAW,)


def check(state: State, seat: int, move: FollowTheLeaderMove) -> None:
    """§7.2, §8."""
    if state.over:
        raise IllegalMove("GAME_OVER", "This deal is over.")
    if seat != state.turn or not to_act(state):
        raise IllegalMove("NOT_YOUR_TURN", "It is not your turn.")
    if isinstance(move, Play):
        _check_play(state, seat, move.card)
    elif state.phase == "LEAD":
        raise IllegalMove("WRONG_PHASE", "You lead: put down any card. There is nothing to draw for yet.")
    elif state.phase == "DRAWN":
        assert state.drawn_card is not None
        raise IllegalMove(
            "WRONG_PHASE", "You have drawn already: %(card)s fits, so play it.", card=state.drawn_card.label
        )
    elif state.phase == "FREE":
        raise IllegalMove("WRONG_PHASE", "You have drawn already: nobody could follow, so throw any card you like.")
    elif card := next(iter(playable(state)), None):
        if card.is_joker:
            raise IllegalMove(
                "MUST_PLAY", "Drawing is for those who cannot follow, and you can: a joker goes on anything."
            )
        raise IllegalMove(
            "MUST_PLAY", "Drawing is for those who cannot follow, and you can: %(card)s fits.", card=card.label
        )


def _check_play(state: State, seat: int, card: Card) -> None:
    if card not in state.hands[seat - 1]:
        raise IllegalMove("NOT_IN_HAND", "You do not hold %(card)s.", card=card.label)
    if state.phase == "DRAWN" and card != state.drawn_card:
        assert state.drawn_card is not None
        raise IllegalMove(
            "ONLY_DRAWN_CARD", "You drew %(card)s and it fits: only that card may go.", card=state.drawn_card.label
        )
    if state.phase == "TURN" and not (fits := range_of(state)).holds(card):
        ranks = in_words(fits.ranks)
        told = with_joker(ranks) if state.options.jokers else ranks
        raise IllegalMove("NOT_PLAYABLE", _law(state, card), card=card.label, ranks=told)


def _law(state: State, card: Card) -> str:
    if state.options.one_below:
        return gettext_noop(
            "%(card)s does not follow. This table plays One Below, so now the same rank, the next one up or the one "
            "below may follow: %(ranks)s."
        )
    if state.stands_for.widened(True).holds(card):
        return gettext_noop(
            "%(card)s does not follow. This table plays without One Below, so now only the same rank or the next one "
            "up may follow: %(ranks)s."
        )
    return gettext_noop("%(card)s does not follow. Now the same rank or the next one up may follow: %(ranks)s.")


def play(state: State, seat: int, move: FollowTheLeaderMove) -> Came:
    """§7.2."""
    check(state, seat, move)
    if isinstance(move, Play):
        return _discard(state, move.card)
    if state.pile:
        return _take(state)
    if len(state.discards) > 1:
        return replace(state, recycling=True, reaching=True), (Reached(seat),)
    return _fail(state, None)


def _discard(state: State, card: Card) -> Came:
    """§7.1, §7.2: any discard ends the count of failures."""
    seat, phase = state.turn, state.phase
    hand = without(state.hands[seat - 1], card)
    state = replace(
        state,
        turn=seat % state.seats + 1,
        phase="TURN",
        hands=with_part(state.hands, seat, hand),
        discards=(*state.discards, card),
        stands_for=_stands_for(state, card),
        fails=0,
        drawn_card=None,
        turns=state.turns + 1,
    )
    follow = range_of(state).ranks
    if phase == "LEAD":
        event: Event = Led(seat, card, len(hand), follow)
    else:
        kind: Literal["normal", "drawn", "free"] = (
            "drawn" if phase == "DRAWN" else "free" if phase == "FREE" else "normal"
        )
        event = Played(seat, card, kind, len(hand), follow)
    if not hand:
        return _finish(state, "out", event)
    return _finish(state, "cap", event) if state.turns >= TURN_CAP else (state, (event,))


def _stands_for(state: State, card: Card) -> Arc:
    """§7.1: a joker is any of the ranks that may be played now."""
    if card.is_joker:
        return ALL if state.phase in ("LEAD", "FREE") else range_of(state)
    return ONE[card.rank]


def _take(state: State) -> Came:
    """§7.2: the top card of the pile; §7.4: an emptied pile is made anew at once."""
    seat, card, pile = state.turn, state.pile[0], state.pile[1:]
    hand = (*state.hands[seat - 1], card)
    drawn = replace(
        state,
        hands=with_part(state.hands, seat, hand),
        pile=pile,
        recycling=not pile and len(state.discards) > 1,
        drawn_card=card,
    )
    if not range_of(state).holds(card):
        return _fail(drawn, card)
    return replace(drawn, phase="DRAWN"), (Drew(seat, 1, len(hand), len(pile), state.fails, card),)


def _fail(state: State, card: Card | None) -> Came:
    """§7.2: the turn is over, or after a full circle of failures any card may go. (Only a position that leaves hands
    out has a seat without a card to throw.)"""
    seat, seats, hand = state.turn, state.seats, state.hands[state.turn - 1]
    free = state.fails >= seats and bool(hand)
    fails = min(state.fails + 1, seats)
    events: tuple[Event, ...] = (Drew(seat, int(card is not None), len(hand), len(state.pile), fails, card),)
    if free:
        return replace(state, phase="FREE"), events
    left = seat % seats + 1
    if fails > state.fails == seats - 1:
        events = (*events, CircleFailed(left))
    state = replace(state, turn=left, fails=fails, drawn_card=None, turns=state.turns + 1)
    return _finish(state, "cap", *events) if state.turns >= TURN_CAP else (state, events)


def _finish(state: State, reason: Literal["out", "cap"], *events: Event) -> Came:
    """§7.5, §10: the first empty hand, or after so many turns the fewest cards."""
    left = tuple(map(len, state.hands))
    fewest = min(left)
    winners = tuple(seat for seat, cards in enumerate(left, 1) if cards == fewest)
    state = replace(state, phase="DEAL_OVER", recycling=False)
    return state, (*events, DealOver(winners, reason, state.hands, left))


def view(state: State, seat: int | None) -> FollowTheLeaderView:
    """§9: the table, one's own hand in order, the others' as numbers; all hands when the deal is over."""
    hand = state.hands[seat - 1] if seat else ()
    return FollowTheLeaderView(
        seat=seat,
        options=state.options,
        seats=state.seats,
        to_act=to_act(state),
        legal=legal(state, seat) if seat else (),
        number=state.number,
        rounds=state.options.rounds,
        dealer=state.dealer,
        turn=state.turn,
        phase=state.phase,
        over=state.over,
        hand=tuple(sorted(hand, key=lambda card: (card.rank or 14, card.suit))),
        hand_sizes=tuple(map(len, state.hands)),
        hands=state.hands if state.over else (),
        drawn_card=state.drawn_card if seat == state.turn else None,
        top=state.discards[-1] if state.discards else None,
        discards_size=len(state.discards),
        pile_size=len(state.pile),
        stands_for=state.stands_for.ranks,
        range=range_of(state).ranks,
        fails=state.fails,
        turns=state.turns,
    )
