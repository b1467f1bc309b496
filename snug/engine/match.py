"""A match: rounds of one game at one table, one after the other, to final places."""

from collections.abc import Iterable
from itertools import count
from typing import Any, NamedTuple

import msgspec

from snug.engine.cards import Pile
from snug.engine.chance import Due, Outcome, Shuffle
from snug.engine.game import DEALER, Event, Game, IllegalMove, Scores, View
from snug.engine.places import Standing, deciders_of


class RoundOver(Event, frozen=True, tag="round_over"):
    """A round ended: each seat's score, each competitor's (seat or team), and the totals after it."""

    number: int
    scores: Scores
    entries: Scores
    totals: Scores


class MatchOver(Event, frozen=True, tag="match_over"):
    """The match ended with these places, one a competitor."""

    totals: Scores
    places: tuple[int, ...]


class Result(NamedTuple):
    """What a seat came to: the number of its side (seat or team), and that side's place and points."""

    side: int
    place: int
    points: float


class Match(msgspec.Struct, frozen=True):
    """One moment of a match. `round` is the game's own state, `rounds` the finished rounds' scores per seat."""

    game: Game[Any]
    options: Any
    seats: int
    round: Any
    rounds: tuple[Scores, ...] = ()
    totals: Scores = ()
    over: bool = False

    @property
    def number(self) -> int:
        """The current round's number, from 1."""
        number: int = self.round.number
        return number

    @property
    def round_over(self) -> bool:
        """Whether the current round has been played to its score."""
        return self.game.scores(self.round) is not None

    @property
    def due(self) -> Due | None:
        """What the dealer must do now."""
        return self.game.due(self.round)

    @property
    def to_act(self) -> tuple[int, ...]:
        """Every seat that may move now."""
        return self.game.to_act(self.round)

    @property
    def round_entries(self) -> tuple[Scores, ...]:
        """The finished rounds' scores per competitor."""
        return tuple(self.game.entries(self.options, row) for row in self.rounds)

    @property
    def places(self) -> tuple[int, ...]:
        """Each competitor's place as of now."""
        return self.game.places(self.options, self.totals, self.rounds)

    @property
    def results(self) -> dict[int, Result]:
        """What each seat has come to as of now."""
        teams = self.game.competitors(self.options, self.seats)
        sides = map(Result, count(1), self.places, self.totals)
        return {seat: side for team, side in zip(teams, sides, strict=True) for seat in team}

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Where each competitor stands as of now."""
        places, tie_break = self.places, self.game.tie_break(self.options, self.totals, self.rounds)
        deciders = deciders_of(self.totals, places, tie_break)
        teams = self.game.competitors(self.options, self.seats)
        return tuple(map(Standing, teams, self.totals, places, deciders))


def begin(game: Game[Any], options: Any, seats: int, host: int = 1) -> Match:
    """A new match before its first deal; `options` as `read_options` gave them."""
    first = game.start(options, seats, 1, game.first_dealer(options, seats, host))
    nothing = game.entries(options, (0,) * seats)
    return Match(game, options, seats, first, totals=nothing)


def next_round(match: Match) -> Match:
    """The match with its next round, not yet dealt. The current one must be over, the match not."""
    dealer = match.game.next_dealer(match.round)
    start = match.game.start(match.options, match.seats, match.number + 1, dealer, match.rounds)
    return msgspec.structs.replace(match, round=start)


def play(match: Match, seat: int, move: Any) -> tuple[Match, tuple[Event, ...]]:
    """The match after a seat's move, or (seat 0) the dealer's, and what came of it. Raises IllegalMove."""
    game, state = match.game, match.round
    if game.scores(state) is not None:
        if match.over:
            raise IllegalMove("GAME_OVER", "The game is over.")
        raise IllegalMove("GAME_OVER", "This %(round)s is over.", round=game.round_word)
    due = game.due(state)
    if seat == DEALER:
        state, events = game.deal(state, _admitted(due, move))
    elif due:
        raise IllegalMove("NOT_YOUR_TURN", "The dealer has not dealt yet.")
    else:
        state, events = game.play(state, seat, move)
    match = msgspec.structs.replace(match, round=state)
    scores = game.scores(state)
    return (match, events) if scores is None else _finish_round(match, scores, events)


def sight(match: Match, seat: int, log: Iterable[Event]) -> View:
    """What a seat knows: its view, what it saw of the `log` of this round, and the scores of the rounds before."""
    seen = tuple(event.seen_by(seat) for event in log)
    view: View = msgspec.structs.replace(match.game.view(match.round, seat), seen=seen, before=match.rounds)
    return view


def reveals(before: Match, after: Match, seat: int, move: Any, events: tuple[Event, ...], *, chosen: bool) -> bool:
    """Whether a move that was just played showed anybody a hidden card: the dealer's always, as the end of a round. So
    does one of which not everybody may know what it was. `chosen` says that the seat made it of its own will."""
    if seat == DEALER or after.round_over or move.seen_by(seat, None) != move:
        return True
    return after.game.reveals(before.round, after.round, events, seat if chosen else None)


def keeps_cards(before: Match, after: Match, move: Any) -> bool:
    """Whether every card of the round is there after a move that was there before it, or that the dealer brought with
    it, and no other. So it is where the game does not say which cards there are."""
    there = before.game.cards(before.round) or (move.cards if isinstance(move, Shuffle) else ())
    return not there or _weighed(there) == _weighed(after.game.cards(after.round))


def _weighed(cards: Pile) -> tuple[int, int]:
    """What two piles have in common only if they have the same cards: a sum, since every move is weighed."""
    return len(cards), sum(map(hash, cards))


def _admitted(due: Due | None, outcome: Outcome) -> Outcome:
    if due is None:
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "There is nothing for the dealer to do now.")
    if not due.admits(outcome):
        raise IllegalMove("IMPOSSIBLE_OUTCOME", "The dealer cannot come to this outcome with the cards there are.")
    return outcome


def _finish_round(match: Match, scores: Scores, events: Iterable[Event]) -> tuple[Match, tuple[Event, ...]]:
    game, options = match.game, match.options
    entries = game.entries(options, scores)
    totals = game.tally(options, match.totals, entries)
    over = game.is_last(options, match.number, totals)
    match = msgspec.structs.replace(match, rounds=(*match.rounds, scores), totals=totals, over=over)
    ending: tuple[Event, ...] = (RoundOver(match.number, scores, entries, totals),)
    if over:
        ending += (MatchOver(totals, match.places),)
    return match, (*events, *ending)
