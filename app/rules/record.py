"""The game record: game, seats, options and moves, the dealer's included. Parsing, printing and the referee."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from app.rules import GAMES
from app.rules import match as matches
from app.rules.dealer import Outcome, chance_of
from app.rules.game import DEALER, BadSetup, Move, RefusedMove, convert, plain, read_move, read_options
from app.rules.match import Match


class MalformedRecord(ValueError):
    """A record that cannot be read; the message, always one line, names the key at fault."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record as it is written; see `read` for the checks that need the game."""

    game: str
    seats: int
    options: dict[str, Any] = {}
    position: dict[str, Any] | None = None
    moves: list[dict[str, Any]] = []
    seed: str = "0"
    host: Annotated[int, msgspec.Meta(ge=1)] = 1


Step = tuple[int, Move | Outcome]


class Reading(msgspec.Struct, frozen=True):
    """A record checked against its game: where it starts and what is then done, seat by seat."""

    record: Record
    start: Match
    steps: tuple[Step, ...]


class Report(msgspec.Struct, frozen=True):
    """What came of a record up to some point; `history` has the dealer's moves that came from the seed, too."""

    match: Match
    accepted: int
    history: tuple[Step, ...]
    refused: tuple[int, RefusedMove] | None = None


def parse(text: str | bytes) -> Reading:
    """A record from JSON text. Raises MalformedRecord."""
    try:
        return read(msgspec.json.decode(text, type=Record))
    except MalformedRecord:
        raise
    except (ValueError, RecursionError) as error:
        raise MalformedRecord(f"record: {error}") from error


def read(record: Record) -> Reading:
    """The record checked against its game. Raises MalformedRecord."""
    game = GAMES.get(record.game)
    if game is None:
        raise MalformedRecord(f"game: there is no {record.game!r}; there are {', '.join(GAMES)}")
    try:
        options = read_options(game, record.seats, record.options)
    except BadSetup as error:
        raise MalformedRecord(str(error)) from error
    if record.host > record.seats:
        raise MalformedRecord(f"host: there is no seat {record.host}")
    start = matches.begin(game, options, record.seats, record.host)
    if record.position is not None:
        try:
            state, rounds, totals = game.from_position(options, record.seats, record.position)
        except ValueError as error:
            raise MalformedRecord(f"position: {error}") from error
        start = Match(game, options, record.seats, state, rounds, totals)
        if start.round_over:
            start = msgspec.structs.replace(start, over=game.is_last(options, start.number, totals))
    steps = tuple(_read_step(start, index, raw) for index, raw in enumerate(record.moves))
    return Reading(record, start, steps)


def _read_step(start: Match, index: int, raw: Mapping[str, Any]) -> Step:
    fields = dict(raw)
    seat = fields.pop("seat", None)
    if type(seat) is not int or not DEALER <= seat <= start.seats:
        raise MalformedRecord(f"moves[{index}].seat: {seat!r} is not a seat from 0 (the dealer) to {start.seats}")
    try:
        return seat, convert(fields, Outcome) if seat == DEALER else read_move(start.rules, fields)
    except ValueError as error:
        raise MalformedRecord(f"moves[{index}]: {error}") from error


def replay(reading: Reading) -> Iterator[Report]:
    """A report after every move of the record; play stops at the first refused one."""
    report = _settle(Report(reading.start, 0, ()), reading)
    if not reading.steps:
        yield report
    for index, (seat, move) in enumerate(reading.steps):
        try:
            match, _ = matches.play(report.match, seat, move)
        except RefusedMove as refusal:
            yield msgspec.structs.replace(report, refused=(index, refusal))
            return
        report = _settle(Report(match, index + 1, (*report.history, (seat, move))), reading)
        yield report


def _settle(report: Report, reading: Reading) -> Report:
    """Goes on to the next round, and deals from the seed where the record does not say what was dealt."""
    while True:
        match = report.match
        if match.round_over and not match.over:
            report = msgspec.structs.replace(report, match=matches.next_round(match))
            continue
        due = match.due
        written = report.accepted < len(reading.steps) and reading.steps[report.accepted][0] == DEALER
        if due is None or written:
            return report
        dealt = sum(seat == DEALER for seat, _ in report.history)
        outcome = due.outcome(chance_of(reading.record.seed, dealt))
        match, _ = matches.play(match, DEALER, outcome)
        report = msgspec.structs.replace(report, match=match, history=(*report.history, (DEALER, outcome)))


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
    view in place of the position, their own legal moves only, and the dealer's moves without the cards."""
    match = report.match
    rules = match.rules
    refused = report.refused and {
        "index": report.refused[0],
        "code": report.refused[1].code,
        "message": report.refused[1].sentence,
    }
    whole = seen_by == "referee"
    legal = {seat: rules.legal(match.round, seat) for seat in match.to_act if whole or seat == seen_by}
    if whole:
        position: Any = rules.to_position(match.round, match.rounds, match.totals)
        steps = [step_as_json(step) for step in report.history]
    else:
        viewer = seen_by if isinstance(seen_by, int) else None
        position = rules.view(match.round, viewer)
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
