"""The chain as it is stored, followed link by link."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Select, select
from sqlalchemy.exc import SQLAlchemyError

from app.services.accounts.deletion import SOMEBODY
from app.services.quarantine import why_of
from app.services.table import chain
from app.storage import models
from app.storage.rows import find_one
from snug.words import Message, gettext

Stored = TypeVar("Stored", bound=models.Base)
Kept = Iterable[Any]  # rows of `select(Model)`


class ChainLink(NamedTuple):
    """A stored event: its place in the chain and the head with it (None: before there was a chain), and its name."""

    link: int | None
    head: str | None
    kind: str
    event: chain.Row
    name: Message


def faults_of_chain(begins: str, links: int, head: str, kinds: Iterable[list[ChainLink]]) -> Iterator[Message]:
    """What is wrong with a chain that `begins` with this head and is said to have so many links and this one at its
    end; the events of each kind are in their order."""
    stored: list[ChainLink] = []
    for events in kinds:
        chained = [event for event in events if event.link is not None]
        stored += chained
        first = events.index(chained[0]) if chained else len(events)
        yield from (gettext("%(what)s was never chained", what=one.name) for one in events[first:] if one.link is None)
    stored.sort(key=attrgetter("link"))
    here, known = 0, begins
    for one in stored:
        assert one.link is not None
        if one.link == here:
            yield gettext("%(what)s is there beside another one", what=one.name)
            continue
        if one.link != here + 1:
            yield gettext("of the chain, links %(first)s to %(last)s are missing", first=here + 1, last=one.link - 1)
        elif chain.linked(known, one.kind, one.event) != one.head:
            yield gettext("%(what)s is not what was stored", what=one.name)
        here, known = one.link, one.head or ""
    if here != links:
        yield gettext("the chain ends with link %(here)s and not with %(links)s", here=here, links=links)
    elif known != head:
        yield gettext("the chain does not end with the head that was kept")


def faults_found(
    connection: Connection, query: Select[Stored], *checks: Callable[[Connection, Stored], Iterable[Message]]
) -> list[Message]:
    """What these checks find wrong with what is stored; where one fails, that is the last of it."""
    faults: list[Message] = []
    try:
        row = find_one(connection, query)
        if row is not None:
            for check in checks:
                faults += check(connection, row)
    except SQLAlchemyError:
        raise
    except Exception as error:  # whatever it is, it is what is wrong
        faults.append(gettext("what is stored cannot be read: %(why)s", why=why_of(error)))
    return faults


def chain_of_table(connection: Connection, table: models.Table) -> Iterator[Message]:
    """What is wrong with the chain of a table, and with the seals of its log."""
    begins = chain.chain_of(models.Table(code=table.code, links=0, head=""))[1]
    line = models.Message
    lines = connection.execute(select(line).filter_by(table_id=table.id).order_by(line.number)).all()
    said = [
        _link(row, chain.LINE, chain.of_line(row._mapping), gettext("line %(number)s of the log", number=row.number))
        for row in lines
    ]
    kinds = [*_kinds(connection, table.id), said]
    yield from faults_of_chain(begins, *chain.chain_of(table), kinds)
    for row in lines:
        if row.salt:
            is_whole = chain.sealed(row._mapping, row.salt).seal == row.seal
        else:  # it was there before the chain, is remembered no longer, or of somebody who has been forgotten
            is_whole = not row.seal or row.kind == chain.GONE or SOMEBODY in (row.name, row.other)
        if not is_whole:
            yield gettext("line %(number)s of the log does not say what was stored", number=row.number)


def _kinds(connection: Connection, table_id: int) -> Iterator[list[ChainLink]]:
    """Every chained event of the matches of a table, kind by kind."""
    match, played, move, took = models.Match, models.Round, models.Move, models.Takeback
    matches = connection.execute(select(match).filter_by(table_id=table_id).order_by(match.number)).all()
    begun = gettext("its beginning")
    yield [_link(row, chain.MATCH, chain.of_match(row._mapping), _of(row.number, begun)) for row in matches]
    numbers = {row.id: row.number for row in matches}
    in_order = played.match_id, played.number
    rounds = connection.execute(select(played).where(played.match_id.in_(numbers)).order_by(*in_order)).all()
    places = {row.id: (numbers[row.match_id], row.number) for row in rounds}

    def scored(row: Any) -> ChainLink:
        event = chain.of_scores(*places[row.id], row.version, row.scores)
        return _link(row, chain.SCORES, event, in_round(*places[row.id], gettext("the score")))

    def done(row: Any, kind: str, of_kind: Callable[[int, int, chain.Row], chain.Row], what: Message) -> ChainLink:
        place = places[row.round_id]
        return _link(row, kind, of_kind(*place, row._mapping), in_round(*place, what))

    yield [scored(row) for row in rounds if row.scores is not None]
    moves = select(move).join(played, played.id == move.round_id).where(played.match_id.in_(numbers))
    yield [
        done(row, chain.MOVE, chain.of_move, gettext("move %(number)s", number=row.number))
        for row in connection.execute(moves.order_by(*in_order, move.number))
    ]
    taken = select(took).join(played, played.id == took.round_id).where(played.match_id.in_(numbers))
    yield [
        done(row, chain.TAKEBACK, chain.of_takeback, gettext("what was taken back by seat %(seat)s", seat=row.seat))
        for row in connection.execute(taken.order_by(*in_order, took.version))
    ]
    results = select(models.Result).where(models.Result.match_id.in_(numbers))
    of_matches = connection.execute(results.order_by(models.Result.match_id, models.Result.seat)).all()
    yield [_results(numbers[match_id], [*rows]) for match_id, rows in groupby(of_matches, attrgetter("match_id"))]


def _link(row: Any, kind: str, event: chain.Row, name: Message) -> ChainLink:
    return ChainLink(row.link, row.head, kind, event, name)


def _results(number: int, rows: list[Any]) -> ChainLink:
    links = {(row.link, row.head) for row in rows}
    link, head = links.pop() if len(links) == 1 else (0, None)
    event = chain.of_results(number, [row._mapping for row in rows])
    return ChainLink(link, head, chain.RESULTS, event, _of(number, gettext("the result")))


def chain_of_tournament(row: models.Tournament, lines: Kept) -> Iterator[Message]:
    """What is wrong with the chain of a tournament that has these lines, and with their seals."""
    begins = chain.chain_of(models.Tournament(code=row.code, links=0, head=""))[1]
    links: list[ChainLink] = []
    for line in lines:
        event = chain.of_entry(line.number, line.event, line.player_id, line.made_at, line.seal)
        links.append(_link(line, chain.ENTRY, event, gettext("line %(number)s of its log", number=line.number)))
        seal = chain.sealed_words(line.event, line.salt) if line.salt else None
        if seal and seal.seal != line.seal:
            yield gettext("line %(number)s of its log does not bear the words that were stored", number=line.number)
    yield from faults_of_chain(begins, *chain.chain_of(row), [links])


def _of(match: int, what: Message) -> Message:
    return gettext("%(what)s of match %(match)s", what=what, match=match)


def in_round(match: int, number: int, what: Message) -> Message:
    """Where something is."""
    return gettext("%(what)s of round %(number)s of match %(match)s", what=what, number=number, match=match)
