"""The game record: game, seats, options and moves, the dealer's included. Parsing, printing and the referee."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from snug.engine import match as matches
from snug.engine.chance import Outcome, chance_of
from snug.engine.game import DEALER, BadSetup, Move, RefusedMove, convert, plain, read_move, read_options
from snug.engine.match import Match
from snug.engine.wording import as_sentence, in_words
from snug.games import GAMES


class MalformedRecord(ValueError):
    """A record that cannot be read. The message, one line, names the key at fault; `sentence` says it to people."""

    def __init__(self, message: str, sentence: str = "") -> None:
        super().__init__(" ".join(message.split()))
        self.sentence = as_sentence(" ".join((sentence or message).split()))


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record as it is written; see `read` for the checks that need the game. Nothing is asked of the `chain`, by
    which the room that wrote the record knows it again; `proof` (`fairness.Proof`) says how it was dealt and changes
    nothing in what comes of it."""

    game: str
    seats: int
    options: dict[str, Any] = {}
    position: dict[str, Any] | None = None
    moves: list[dict[str, Any]] = []
    seed: str = "0"
    host: Annotated[int, msgspec.Meta(ge=1)] = 1
    chain: dict[str, Any] | msgspec.UnsetType | None = msgspec.UNSET
    proof: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


Step = tuple[int, Move | Outcome]


class Reading(msgspec.Struct, frozen=True):
    """A record checked against its game: where it starts and what is then done, seat by seat."""

    record: Record
    start: Match
    steps: tuple[Step, ...]


class Refusal(msgspec.Struct, frozen=True):
    """The move of a record, by its index, at which play stopped: who made it, and why it was refused."""

    index: int
    seat: int
    error: RefusedMove


class Report(msgspec.Struct, frozen=True):
    """What came of a record up to some point: after so many `steps` (None: all) of what was `done` in it, a list to
    which more may be added. Every report of a long record has that list; none of them copies the moves."""

    match: Match
    accepted: int
    done: Sequence[Step]
    refused: Refusal | None = None
    steps: int | None = None

    @property
    def history(self) -> tuple[Step, ...]:
        """What was done, with the dealer's moves that came from the seed, too."""
        return tuple(self.done[: self.steps])


def parse(text: str | bytes, weigh: Callable[[Record], None] = lambda _record: None) -> Reading:
    """A record from JSON text. Raises MalformedRecord, and what `weigh` raises, which sees it before it is checked."""
    try:
        record = msgspec.json.decode(text, type=Record)
        weigh(record)
        return read(record)
    except MalformedRecord:
        raise
    except (ValueError, RecursionError) as error:
        raise MalformedRecord(f"record: {error}", in_words(error)) from error


def read(record: Record) -> Reading:
    """The record checked against its game. Raises MalformedRecord."""
    game = GAMES.get(record.game)
    if game is None:
        raise MalformedRecord(f"game: there is no {record.game!r}; there are {', '.join(GAMES)}")
    try:
        options = read_options(game, record.seats, record.options)
    except BadSetup as error:
        raise MalformedRecord(str(error), error.sentence) from error
    if record.host > record.seats:
        raise MalformedRecord(f"host: there is no seat {record.host}")
    start = matches.begin(game, options, record.seats, record.host)
    if record.position is not None:
        try:
            state, rounds, totals = game.from_position(options, record.seats, record.position)
        except ValueError as error:
            raise MalformedRecord(f"position: {error}", f"position: {in_words(error)}") from error
        start = Match(game, options, record.seats, state, rounds, totals)
        if start.round_over:
            start = msgspec.structs.replace(start, over=game.is_last(options, start.number, totals))
    steps = tuple(_read_step(start, index, raw) for index, raw in enumerate(record.moves))
    return Reading(record, start, steps)


def _read_step(start: Match, index: int, raw: Mapping[str, Any]) -> Step:
    fields = dict(raw)
    seat = fields.pop("seat", None)
    if type(seat) is not int or not DEALER <= seat <= start.seats:
        why = f"{seat!r} is not a seat from 0 (the dealer) to {start.seats}"
        raise MalformedRecord(f"moves[{index}].seat: {why}", f"move {index + 1}: {why}")
    try:
        return seat, convert(fields, Outcome) if seat == DEALER else read_move(start.game, fields)
    except ValueError as error:
        raise MalformedRecord(f"moves[{index}]: {error}", f"move {index + 1}: {in_words(error)}") from error


class _Table:
    """A record on its way: the match as it stands, and everything done so far."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.match = reading, reading.start
        self.accepted = self.dealt = 0
        self.done: list[Step] = []

    def do(self, step: Step) -> None:
        """Plays a move. Raises RefusedMove."""
        self.match, _ = matches.play(self.match, *step)
        self.done.append(step)
        self.dealt += step[0] == DEALER

    def settle(self) -> None:
        """Goes on to the next round, and deals from the seed where the record does not say what was dealt."""
        upcoming = self.reading.steps[self.accepted : self.accepted + 1]
        written = bool(upcoming) and upcoming[0][0] == DEALER
        while True:
            if self.match.round_over and not self.match.over:
                self.match = matches.next_round(self.match)
            due = self.match.due
            if due is None or written:
                return
            self.do((DEALER, due.outcome(chance_of(self.reading.record.seed, self.dealt))))

    def report(self, refused: Refusal | None = None) -> Report:
        """What came of the record up to here."""
        return Report(self.match, self.accepted, self.done, refused, len(self.done))


def replay(reading: Reading) -> Iterator[Report]:
    """A report after every move of the record; play stops at the first refused one."""
    table = _Table(reading)
    table.settle()
    if not reading.steps:
        yield table.report()
    for index, step in enumerate(reading.steps):
        try:
            table.do(step)
        except RefusedMove as error:
            yield table.report(Refusal(index, step[0], error))
            return
        table.accepted += 1
        table.settle()
        yield table.report()


def step_as_json(step: Step) -> dict[str, Any]:
    """A move as a record writes it: `{"seat": 1, "move": "play", …}`."""
    seat, move = step
    return {"seat": seat, **plain(move)}


def _seen_step(step: Step, viewer: int | None) -> dict[str, Any] | None:
    """A move as one seat or a watcher may know it: of the dealer's, only that it was made."""
    mover, move = step
    if isinstance(move, Move):
        seen = move.seen_by(mover, viewer)
        return step_as_json((mover, seen)) if seen else None
    return {"seat": DEALER, "move": step_as_json(step)["move"]}


def as_json(report: Report, seen_by: int | str | None = "referee") -> dict[str, Any]:
    """What the referee prints. `seen_by` is a seat, None for a watcher, or "referee" for everything: seats get their
    view in place of the position, their own legal moves only, the dealer's moves without the cards, and of a refusal,
    which may tell what the mover holds, nothing unless it is their own."""
    match = report.match
    whole, refused = seen_by == "referee", None
    if (refusal := report.refused) and (whole or refusal.seat == seen_by):
        refused = {"index": refusal.index, "code": refusal.error.code, "message": refusal.error.sentence}
    legal = {seat: match.game.legal(match.round, seat) for seat in match.to_act if whole or seat == seen_by}
    if whole:
        position: Any = match.game.to_position(match.round, match.rounds, match.totals)
        steps = [step_as_json(step) for step in report.history]
    else:
        viewer = seen_by if isinstance(seen_by, int) else None
        position = match.game.view(match.round, viewer)
        steps = [seen for step in report.history if (seen := _seen_step(step, viewer))]
    answer: dict[str, Any] = plain(
        {
            "accepted": report.accepted,
            "refused": refused,
            "position": position,
            "to_act": match.to_act,
            "legal": {str(seat): moves for seat, moves in legal.items()},
            "moves": steps,
            "round_scores": match.round_entries,
            "totals": match.totals,
            "places": match.places,
            "over": match.over,
        }
    )
    return answer
