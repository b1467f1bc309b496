"""What the organiser of a tournament puts right, gives away or announces: everybody can read it in the log."""

from collections.abc import Sequence

from sqlalchemy import or_, select

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, Refused
from app.services.players.names import clean_line, clean_text
from app.services.seats import hosts
from app.services.tournaments.log import NOT_YOURS, HeldTournament, find, organised, organises, player_behind
from app.services.tournaments.tables import due_when_done, tables_of
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import Transaction
from snug.tournament import events
from snug.tournament.plan import MOST_POINTS
from snug.tournament.state import Table


def write_down(
    context: AppContext,
    transaction: Transaction,
    slug: str,
    player_id: int,
    number: int,
    table: int,
    scores: Sequence[str],
    reason: str,
) -> None:
    """The result of a table of stage `number`, a score for each seat: places follow from them. One that is played on
    paper is written down by one of it or by the organiser, who puts any right, with a reason. Raises Forbidden and
    Refused."""
    held = HeldTournament(context, transaction, slug)
    stages = held.now.stages[number - 1 : number] if number > 0 else ()
    there = stages[0].tables[table - 1] if stages and 1 <= table <= len(stages[0].tables) else Table(())
    is_organiser = organises(transaction.connection, held.row, player_id)
    behind = () if is_organiser or there.result else there.seats
    if not is_organiser and player_id not in [player_behind(transaction.connection, held.row, n) for n in behind]:
        raise Forbidden(NOT_YOURS)
    if not there.seats or len(scores) != len(there.seats):
        raise Refused("BAD_RESULT", "Name a table that has been set, and one score for each of its seats.")
    given = tuple(score_given(held.now.name(entry), score) for score, entry in zip(scores, there.seats, strict=True))
    plan = held.now.plan.stage(number)
    places = tuple(plan.rules.places(plan.options_for(len(given)), given, (given,)))
    if there.result is None:
        held.append(events.TableFinished(table, given, places, "organiser" if is_organiser else "paper"), player_id)
        held.store(**due_when_done(context, held))
    else:
        closed = number if stages[0].closed else 0
        held.put(events.Corrected(table, given, places, reason_given(reason), closed), player_id)


def adjust(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, points: str, reason: str
) -> None:
    """The organiser gives an entry points, or takes some. Raises Refused."""
    held = organised(context, transaction, slug, player_id)
    given = read_score(points)
    if given is None:
        raise Refused("BAD_POINTS", "Say how many points to give or to take, such as 3 or -0.5.")
    held.put(events.Adjusted(number, given, reason_given(reason)), player_id)


def end(context: AppContext, transaction: Transaction, slug: str, player_id: int, reason: str) -> None:
    """The organiser ends the tournament before its last stage. Raises Refused."""
    held = organised(context, transaction, slug, player_id)
    held.put(events.Ended(reason_given(reason)), player_id, due_at=None)


def announce(context: AppContext, transaction: Transaction, slug: str, player_id: int, text: str) -> None:
    """The organiser tells everybody something, at any time. Raises Refused."""
    held = organised(context, transaction, slug, player_id)
    news = clean_text(text)
    if not news:
        raise Refused("NOTHING_SAID", "Write what everybody is to read.")
    if len(news) > events.LONGEST_NEWS:
        raise Refused("TOO_LONG", "Please say it in %(longest)s characters at most.", longest=events.LONGEST_NEWS)
    held.put(events.Announced(news), player_id)


def call_out(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, what: str, minutes: str = ""
) -> None:
    """The organiser calls the last deal of a stage or a break after it, or takes that back. Raises Refused."""
    held = organised(context, transaction, slug, player_id)
    if what not in ("last_deal", "break", "nothing"):
        raise Refused("BAD_CALL", "Call the last deal or a break, or take back what was called.")
    length = int(minutes) if what == "break" and minutes.isdecimal() and len(minutes) <= 3 else 0
    if what == "break" and not 1 <= length <= events.MOST_MINUTES:
        raise Refused("BAD_MINUTES", "A break takes 1 to %(most)s minutes.", most=events.MOST_MINUTES)
    held.put(events.Called(what, length), player_id)  # type: ignore[arg-type] # it was looked at


def hand_over(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The organiser gives that role away, and with it the host's at the tables, to an entry behind which there is a
    person. Raises Forbidden, Refused and Conflict."""
    cohosted = select(models.Seat.table_id).filter_by(player_id=player_id, cohost=True)
    of_tournament = tables_of(find(transaction.connection, slug), annulled=True)
    arranged = of_tournament.where(or_(models.Table.host_id == player_id, models.Table.id.in_(cohosted)))
    tables = all_of(transaction.connection, arranged.with_for_update())
    held = HeldTournament(context, transaction, slug)
    if held.row.organiser_id != player_id:
        raise Forbidden("Only the organiser can hand over. Those who help cannot.")
    if len(all_of(transaction.connection, arranged)) != len(tables):
        raise Conflict("A stage is beginning just now. Please try again.")
    heir = _person_behind(transaction, held.row, number)
    if heir == player_id:
        raise Refused("ALREADY_SO", "You are the organiser already.")
    held.put(events.Entrusted(number, "organiser"), player_id, organiser_id=heir)
    for table in tables:
        hosts.pass_on(context, transaction, table.slug, player_id, heir, held.now.name(number))


def let_help(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, wanted: bool
) -> None:
    """The organiser lets an entry help: to do all that the organiser can, but for this and handing over; or no longer.
    Raises Forbidden and Refused."""
    held = HeldTournament(context, transaction, slug)
    if held.row.organiser_id != player_id:
        raise Forbidden("Only the organiser chooses who helps.")
    _person_behind(transaction, held.row, number)
    if not held.change_entry(number, helps=wanted):
        raise Refused("ALREADY_SO", "That is so already.")
    held.put(events.Entrusted(number, "helper" if wanted else "none"), player_id)


def _person_behind(transaction: Transaction, row: models.Tournament, number: int) -> int:
    behind = player_behind(transaction.connection, row, number)
    if behind is None:
        raise Refused("NO_PERSON", "Choose somebody of the list: a person, not a bot.")
    return behind


def read_score(text: str) -> float | None:
    """The number that somebody wrote, with a point or a comma; None if it is none."""
    try:
        score = float(text.replace(",", ".").replace("−", "-"))
    except ValueError:
        return None
    return score if abs(score) < MOST_POINTS else None


def score_given(name: str, text: str) -> float:
    """The score that was written for somebody. Raises Refused."""
    score = read_score(text)
    if score is None:
        raise Refused("BAD_SCORE", "The score of %(name)s has to be a number, such as 3 or -0.5.", name=name)
    return score


def reason_given(text: str) -> str:
    """Why an organiser does something, as everybody reads it. Raises Refused."""
    reason = clean_line(text, "NFC", marks=1)[:500].strip()
    if not reason:
        raise Refused("NO_REASON", "Please say why: everybody can read it.")
    return reason
