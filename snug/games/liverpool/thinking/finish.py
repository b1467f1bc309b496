"""A hand of Liverpool played out quickly from a full state, every seat following rules of thumb from what it sees."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from snug.engine.game import Scores
from snug.engine.melds import HIGHEST, LONGEST_RUN, LOWEST, RUN_LENGTH, SET_LENGTH, Meld, RunMeld
from snug.games.liverpool.meld_search import can_lay
from snug.games.liverpool.state import MAX_RESHUFFLES, LiverpoolState
from snug.games.liverpool.thinking.needs import (
    BIT,
    CARD_OF,
    NUMBER_OF,
    POINTS_OF,
    RANK_MASK,
    WILD,
    WORTH_BUYING,
    Needs,
    needs,
    number_at,
    promise,
)

_LONGEST: Final = 120  # turns are played at most
_NO_ANSWERS: Final[Mapping[int, bool | None]] = {}


def play_out(state: LiverpoolState, luck: Random) -> Scores:
    """What every seat scores if the hand is played on from here, in any phase after the deal."""
    return _PlayOut(state, luck).scores()


class _PlayOut:
    """A hand on its way to the end. Seats are numbered from 0 here."""

    def __init__(self, state: LiverpoolState, luck: Random) -> None:
        self.state, self.luck = state, luck
        self.contract = state.contract
        self.hands = [[NUMBER_OF[card] for card in hand] for hand in state.hands]
        # Every seat draws from its own part of the stock, counted from the bottom: so it draws the same cards whatever
        # others draw, and whatever the move was that is thought about.
        stock = [NUMBER_OF[card] for card in reversed(state.stock)]
        self.stocks = [stock[seat :: state.seats][::-1] for seat in range(state.seats)]
        self.stock_size = len(stock)
        self.pile = [NUMBER_OF[card] for card in state.discard_pile]
        self.turn = state.turn - 1
        self.down = list(state.down)
        self.reshuffles = MAX_RESHUFFLES - state.reshuffles
        self.buys = state.options.buying_from != "second_hand" or state.number > 1
        most = state.options.max_buys
        self.purchases = [99 if most == "unlimited" else most - made for made in state.buys]
        seats = range(state.seats)
        self.after = [[(seat + step) % state.seats for step in seats[1:]] for seat in seats]
        self.ranks = 0
        self.runs: list[list[int]] = []  # suit, first and last position
        self.jokers = 0  # the cards that would win a joker of a run
        for meld in state.melds:
            self._lay(meld)
        self.fits = self._fitting()
        self.needs: list[Needs | None] = [None] * state.seats
        self.spare: list[list[tuple[float, int]]] = [[] for _ in range(state.seats)]

    def scores(self) -> Scores:
        state = self.state
        over = False
        if state.phase == "PLAY":
            over = self._finish()
        elif state.phase == "BUY":
            queue = [seat - 1 for seat in state.buy_queue]
            self._sell(queue, dict(zip(queue, state.buy_answers, strict=True)))
            over = self._draw_and_finish()
        turns = 0
        while not over and turns < _LONGEST:
            over = self._play_turn()
            turns += 1
        return tuple(sum([POINTS_OF[card] for card in hand]) for hand in self.hands)

    # A turn

    def _play_turn(self) -> bool:
        """One turn; whether the hand is over."""
        seat, pile = self.turn, self.pile
        if pile:
            top = pile[-1]
            if self.down[seat]:
                if self.fits >> top & 1:
                    pile.pop()
                    self._add(top)
                    return self._finish()
            elif (self.needs[seat] or self._look(seat)).wants >> top & 1:
                pile.pop()
                self.hands[seat].append(top)
                return self._finish(top)
            if self.buys:
                self._sell(self.after[seat])
        return self._draw_and_finish()

    def _sell(self, queue: Sequence[int], answers: Mapping[int, bool | None] = _NO_ANSWERS) -> None:
        """Offers the top discard to these seats in their order, some of which may have answered."""
        if not self.pile or self.stock_size < 2:
            return
        card = self.pile[-1]
        if self.contract.everything and card != WILD and not answers:
            return
        for seat in queue:
            if self.down[seat] or answers.get(seat) is False:
                continue
            need = self.needs[seat] or self._look(seat)
            if answers.get(seat) or self._buys(seat, card, need):
                self.pile.pop()
                self.hands[seat] += (card, self._drawn(seat))
                self.needs[seat] = None
                self.purchases[seat] -= 1
                return

    def _buys(self, seat: int, card: int, need: Needs) -> bool:
        """Whether a seat buys as the good player does: what helps or promises much, while nobody is near going out."""
        if not self.purchases[seat] or (self.contract.everything and card != WILD):
            return False
        if any(len(hand) < 2 and other != seat for other, hand in enumerate(self.hands)):
            return False
        return bool(need.wants >> card & 1) or promise(self.hands[seat], card, self.contract) >= WORTH_BUYING

    def _draw_and_finish(self) -> bool:
        if not self.stock_size:
            if not self.reshuffles or len(self.pile) < 2:
                return True
            self.reshuffles -= 1
            self.stock_size = len(self.pile) - 1
            stock, self.pile = self.pile[:-1], self.pile[-1:]
            self.luck.shuffle(stock)
            self.stocks[self.turn] = stock
        card = self._drawn(self.turn)
        self.hands[self.turn].append(card)
        return self._finish(card)

    def _drawn(self, seat: int) -> int:
        """The next card of the stock for this seat."""
        self.stock_size -= 1
        return (self.stocks[seat] or max(self.stocks, key=len)).pop()

    def _finish(self, card: int | None = None) -> bool:
        """The rest of a turn after drawing this card, or anywhere in it; whether the hand is over."""
        seat = self.turn
        hand = self.hands[seat]
        if not self.down[seat] and (card is None or not self._throws_one_of_the_spare(seat, card)):
            if self.contract.everything:
                if self._goes_out(seat, card):
                    hand.clear()
                    return True
            elif (need := self._look(seat)).missing <= 0:
                self._go_down(seat, need)
            if not self.down[seat]:
                self._throw(seat)
        if self.down[seat]:
            self._add_all(hand)
            if hand:
                worst = max(hand, key=POINTS_OF.__getitem__)
                hand.remove(worst)
                self.pile.append(worst)
        self.turn = (seat + 1) % len(self.hands)
        return not hand

    # Before going down

    def _look(self, seat: int) -> Needs:
        """What a seat needs with the cards that it has now."""
        hand = self.hands[seat]
        hand.sort()
        size = len(hand) + 1 if self.contract.everything else 0
        need = needs(tuple(hand), self.contract, size)
        self.needs[seat] = need
        self.spare[seat] = list(need.spare)
        return need

    def _throws_one_of_the_spare(self, seat: int, card: int) -> bool:
        """Discards the card just drawn, or what is more useless, if it brings the contract no nearer."""
        need = self.needs[seat]
        if need is None or need.missing <= 0 or need.wants >> card & 1:
            return False
        hand, spare = self.hands[seat], self.spare[seat]
        worth = promise(hand, card, self.contract) - POINTS_OF[card]
        if spare and spare[0][0] < worth:
            _, worst = spare.pop(0)
            spare.append((worth, card))
            spare.sort()
        else:
            worst = card
        hand.remove(worst)
        self.pile.append(worst)
        return True

    def _goes_out(self, seat: int, card: int | None) -> bool:
        """Whether the last hand's contract can be laid down with all cards, this one just drawn among them."""
        need = self.needs[seat]
        if card is not None and need and not (need.missing <= 1 and need.wants >> card & 1):
            return False
        return can_lay(tuple(CARD_OF[card] for card in self.hands[seat]), self.contract)

    def _throw(self, seat: int) -> None:
        """Discards what is most useless after a card that helps was drawn."""
        hand, spare = self.hands[seat], self.spare[seat]
        if not spare and self.contract.everything:
            hand.sort()
            spare = list(needs(tuple(hand), self.contract, len(hand)).spare)
        worst = spare.pop(0)[1] if spare else max(hand, key=lambda card: POINTS_OF[card] if card != WILD else 0)
        hand.remove(worst)
        self.pile.append(worst)
        if self.contract.everything or not spare:
            self._look(seat)

    def _go_down(self, seat: int, need: Needs) -> None:
        hand = self.hands[seat]
        self.down[seat] = True
        for suit, low, held in need.windows:
            for at in range(low, low + RUN_LENGTH):
                card = number_at(suit, at)
                if held >> at & 1:
                    hand.remove(card)
                elif WILD in hand:
                    hand.remove(WILD)
                    self.jokers |= BIT[card]
            self.runs.append([suit, low, low + RUN_LENGTH - 1])
        for rank in need.ranks:
            mine = [card for card in hand if card != WILD and card % 13 == rank]
            for card in mine:
                hand.remove(card)
            if len(mine) < SET_LENGTH and WILD in hand:
                hand.remove(WILD)
            self.ranks |= RANK_MASK[rank]
        self.fits = self._fitting()

    # On the table

    def _lay(self, meld: Meld) -> None:
        if isinstance(meld, RunMeld):
            suit = NUMBER_OF[next(card for card in meld.cards if not card.is_joker)] // 13
            self.runs.append([suit, meld.low, meld.high])
            for at, card in enumerate(meld.cards, meld.low):
                if card.is_joker:
                    self.jokers |= BIT[number_at(suit, at)]
        else:
            self.ranks |= RANK_MASK[meld.rank - 1]

    def _fitting(self) -> int:
        fits = self.ranks | self.jokers
        if fits or self.runs:
            fits |= BIT[WILD]
        for suit, low, high in self.runs:
            if high - low + 1 < LONGEST_RUN:
                fits |= BIT[number_at(suit, low - 1)] if low > LOWEST else 0
                fits |= BIT[number_at(suit, high + 1)] if high < HIGHEST else 0
        return fits

    def _add(self, card: int) -> None:
        if self.ranks >> card & 1 or card == WILD:
            return
        for run in self.runs:
            suit, low, high = run
            if low > LOWEST and card == number_at(suit, low - 1):
                run[1] = low - 1
                break
            if high < HIGHEST and card == number_at(suit, high + 1):
                run[2] = high + 1
                break
        else:
            self.jokers &= ~BIT[card]
        self.fits = self._fitting()

    def _add_all(self, hand: list[int]) -> None:
        while (card := next((card for card in hand if self.fits >> card & 1), None)) is not None:
            hand.remove(card)
            self._add(card)
