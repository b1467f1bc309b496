"""The one way to write: all or nothing, answered after the commit, several jobs in one commit on SQLite."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from app.services.context import AppContext
from app.storage import models, pooled_writer
from app.storage.pipeline import Ids
from app.storage.writer import BufferedTransaction, OutcomeUnknown, Transaction, Work
from tests.conftest import OpenContext
from tests.factories import dump, nothing_changes

_PATIENCE = 20.0


def add(name: str) -> Work[int]:
    """Work that adds a player."""

    def work(transaction: Transaction) -> int:
        values = {"name": name, "preferences": {}, "created_at": 0.0}
        return int(
            transaction.connection.execute(
                insert(models.Player).values(**values).returning(models.Player.id)
            ).scalar_one()
        )

    return work


def names(context: AppContext) -> list[str]:
    """Every player stored."""
    return sorted(row[1] for row in dump(context.database)["players"])


class Crowd:
    """Runs work in threads of their own and keeps what each returned or raised."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._threads: list[threading.Thread] = []
        self.answers: dict[str, Any] = {}

    def send(self, key: str, work: Work[Any]) -> None:
        """Hands work over without waiting for the answer."""

        def run() -> None:
            try:
                self.answers[key] = self._context.writer.run(work)
            except Exception as error:
                self.answers[key] = error

        self._threads.append(threading.Thread(target=run))
        self._threads[-1].start()

    def wait(self) -> dict[str, Any]:
        """Everybody's answers."""
        for thread in self._threads:
            thread.join(_PATIENCE)
            assert not thread.is_alive(), "an answer never came"
        return self.answers


class Gate:
    """Work that holds up the only writer, so that what is handed over meanwhile becomes one group."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()

    def __call__(self, _transaction: Transaction) -> None:
        self.reached.set()
        assert self.open.wait(_PATIENCE)


@pytest.fixture
def sqlite_house(open_context: OpenContext, sqlite_url: str) -> AppContext:
    """A context with the writer of SQLite."""
    return open_context(sqlite_url)


@pytest.fixture
def as_one_group(sqlite_house: AppContext) -> Callable[..., dict[str, Any]]:
    """Commits work as one group and gives the answers by name."""

    def commit(**works: Work[Any]) -> dict[str, Any]:
        crowd, gate = Crowd(sqlite_house), Gate()
        crowd.send("gate", gate)
        assert gate.reached.wait(_PATIENCE)
        queue = sqlite_house.writer._jobs  # type: ignore[attr-defined]
        for number, (name, work) in enumerate(works.items(), 1):
            crowd.send(name, work)
            while queue.qsize() < number:  # keeps them in order
                pass
        gate.open.set()
        answers = crowd.wait()
        del answers["gate"]
        return answers

    return commit


def count_commits(context: AppContext) -> list[None]:
    """A list that grows with every commit."""
    commits: list[None] = []
    event.listen(context.database.writer, "commit", lambda _connection: commits.append(None))
    return commits


def test_work_is_answered_with_what_it_returned(context: AppContext) -> None:
    assert isinstance(context.writer.run(add("Alice")), int)
    assert names(context) == ["Alice"]


def test_what_work_raises_comes_out_and_undoes_it(context: AppContext) -> None:
    def fail(transaction: Transaction) -> None:
        add("Alice")(transaction)
        raise KeyError("on purpose")

    with nothing_changes(context.database), pytest.raises(KeyError, match="on purpose"):
        context.writer.run(fail)
    context.writer.run(add("Bob"))
    assert names(context) == ["Bob"]


def test_after_commit_runs_once_when_others_can_see_it(context: AppContext) -> None:
    seen: list[list[str]] = []

    def work(transaction: Transaction) -> None:
        add("Alice")(transaction)
        transaction.after_commit(lambda: seen.append(names(context)))
        assert not seen

    context.writer.run(work)
    assert seen == [["Alice"]]


def test_after_commit_never_runs_for_what_failed(context: AppContext) -> None:
    ran: list[str] = []

    def work(transaction: Transaction) -> None:
        transaction.after_commit(lambda: ran.append("no"))
        transaction.connection.execute(text("INSERT INTO players (id) VALUES (1)"))

    with pytest.raises(IntegrityError):
        context.writer.run(work)
    assert not ran


def test_what_waits_is_committed_together(
    sqlite_house: AppContext, as_one_group: Callable[..., dict[str, Any]]
) -> None:
    commits = count_commits(sqlite_house)
    answers = as_one_group(**{f"guest{number}": add(f"{number:02}") for number in range(20)})
    assert len(commits) == 2  # the gate's, and one for everybody
    assert names(sqlite_house) == [f"{number:02}" for number in range(20)]
    assert sorted(answers.values()) == list(range(1, 21))


def test_one_failing_job_in_a_group_undoes_only_itself(
    sqlite_house: AppContext, as_one_group: Callable[..., dict[str, Any]]
) -> None:
    ran: list[str] = []

    def remember(name: str, then: Callable[[Transaction], None] | None = None) -> Work[None]:
        def work(transaction: Transaction) -> None:
            transaction.after_commit(lambda: ran.append(name))
            add(name)(transaction)
            if then:
                then(transaction)

        return work

    def own_mistake(_transaction: Transaction) -> None:
        raise KeyError("mine")

    def database_says_no(transaction: Transaction) -> None:
        transaction.connection.execute(text("INSERT INTO players (id) VALUES (1)"))

    answers = as_one_group(
        first=remember("first"),
        bad=remember("bad", own_mistake),
        second=remember("second"),
        worse=remember("worse", database_says_no),
        third=remember("third"),
    )
    assert names(sqlite_house) == ran == ["first", "second", "third"]
    assert isinstance(answers["bad"], KeyError)
    assert isinstance(answers["worse"], IntegrityError)
    assert [answers[name] for name in ran] == [None, None, None]


def test_where_the_database_ends_the_transaction_nobody_in_the_group_is_told_that_it_is_done(
    sqlite_house: AppContext, as_one_group: Callable[..., dict[str, Any]]
) -> None:
    def full_disk(transaction: Transaction) -> None:
        add("lost")(transaction)
        transaction.connection.exec_driver_sql("ROLLBACK")
        raise OperationalError("INSERT", None, Exception("disk full"))

    answers = as_one_group(one=add("one"), full=full_disk, two=add("two"))
    assert [type(answer) for answer in answers.values()] == [OperationalError] * 3
    sqlite_house.writer.run(add("next"))
    assert names(sqlite_house) == ["next"]


def test_a_failing_commit_fails_everybody_in_the_group(
    sqlite_house: AppContext, as_one_group: Callable[..., dict[str, Any]]
) -> None:
    ran: list[None] = []

    def work(transaction: Transaction) -> None:
        add("lost")(transaction)
        transaction.after_commit(lambda: ran.append(None))

    def full_disk(_connection: Any) -> None:
        if names(sqlite_house) == ["kept"]:
            raise OperationalError("COMMIT", None, Exception("disk full"))

    sqlite_house.writer.run(add("kept"))
    event.listen(sqlite_house.database.writer, "commit", full_disk)
    with nothing_changes(sqlite_house.database):
        answers = as_one_group(one=work, two=work, three=work)
    assert [type(answer) for answer in answers.values()] == [OperationalError] * 3
    assert not ran
    event.remove(sqlite_house.database.writer, "commit", full_disk)
    sqlite_house.writer.run(add("next"))
    assert names(sqlite_house) == ["kept", "next"]


def test_no_update_is_lost_between_reading_and_writing(open_context: OpenContext, database_url: str) -> None:
    """400 times by two writers: read a number, add one, write it. The driver's own way to begin loses most of them."""
    context, another = open_context(database_url), open_context(database_url)
    player = context.writer.run(add("Alice"))
    where = models.Player.id == player

    def increment(transaction: Transaction) -> None:
        read = select(models.Player.created_at).where(where).with_for_update()
        value = transaction.connection.execute(read).scalar_one()
        transaction.connection.execute(update(models.Player).where(where).values(created_at=value + 1))

    def fifty_times(context: AppContext) -> None:
        for _ in range(50):
            context.writer.run(increment)

    threads = [threading.Thread(target=fifty_times, args=(one,)) for one in (context, another) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with context.database.reading() as connection:
        assert connection.execute(select(models.Player.created_at).where(where)).scalar_one() == 400


@pytest.mark.postgres
def test_a_deadlock_is_tried_again(open_context: OpenContext, postgres_url: str) -> None:
    context = open_context(postgres_url)
    one, two = context.writer.run(add("one")), context.writer.run(add("two"))
    both = threading.Barrier(2)
    meetings: list[int] = []

    def lock(first: int, second: int) -> Work[None]:
        def work(transaction: Transaction) -> None:
            for player in (first, second):
                read = select(models.Player.name).where(models.Player.id == player).with_for_update()
                transaction.connection.execute(read)
                if player == first and len(meetings) < 2:
                    meetings.append(first)
                    both.wait(_PATIENCE)

        return work

    crowd = Crowd(context)
    crowd.send("there", lock(one, two))
    crowd.send("back", lock(two, one))
    assert crowd.wait() == {"there": None, "back": None}


Cut = Callable[[psycopg.Connection[Any], Callable[[], None]], None]


def cut_off(connection: psycopg.Connection[Any]) -> None:
    """Ends a connection as a restart of the database, or of a router on the way, would."""
    with psycopg.connect(connection.info.dsn, autocommit=True) as another:
        another.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])


def before_the_commit(connection: psycopg.Connection[Any], commit: Callable[[], None]) -> None:
    """The commit never arrives."""
    cut_off(connection)
    commit()


def before_the_answer(connection: psycopg.Connection[Any], commit: Callable[[], None]) -> None:
    """The commit is done, its answer is lost."""
    commit()
    cut_off(connection)
    connection.execute("SELECT 1")


def during_the_commit(connection: psycopg.Connection[Any], _commit: Callable[[], None]) -> None:
    """The commit is being done when the connection is lost."""
    connection.pgconn.send_query(b"COMMIT")
    time.sleep(0.05)
    connection.close()
    raise psycopg.OperationalError("the connection is lost")


@pytest.fixture
def postgres_house(open_context: OpenContext, postgres_url: str) -> AppContext:
    """A house with the writer of PostgreSQL."""
    return open_context(postgres_url)


@pytest.fixture
def slow_commits(postgres_house: AppContext) -> Iterator[None]:
    """Whoever adds a player waits a while in the commit."""
    slow = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.4); RETURN NULL; END'"
    late = "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON players DEFERRABLE INITIALLY DEFERRED"
    with postgres_house.database.writer.begin() as connection:
        connection.execute(text(slow))
        connection.execute(text(f"{late} FOR EACH ROW EXECUTE FUNCTION slow()"))
    yield
    with postgres_house.database.writer.begin() as connection:
        connection.execute(text("DROP FUNCTION slow CASCADE"))


def cut_next_commit(context: AppContext, cut: Cut, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection of the next commit is lost."""
    dialect = context.database.writer.dialect
    commit, cuts = dialect.do_commit, [cut]

    def do_commit(connection: Any) -> None:
        if cuts:
            cuts.pop()(connection.driver_connection, lambda: commit(connection))
        else:
            commit(connection)

    monkeypatch.setattr(dialect, "do_commit", do_commit)


class Counted:
    """Work that adds a player, counting how often it was done and how often its commit was reported."""

    def __init__(self) -> None:
        self.begun = self.committed = 0

    def __call__(self, transaction: Transaction) -> str:
        add("Alice")(transaction)
        self.begun += 1
        transaction.after_commit(self._count)
        return "done"

    def _count(self) -> None:
        self.committed += 1


@pytest.mark.postgres
@pytest.mark.parametrize(("cut", "begun"), [(before_the_commit, 2), (before_the_answer, 1)])
def test_a_connection_lost_at_the_commit_does_the_work_once(
    postgres_house: AppContext, monkeypatch: pytest.MonkeyPatch, cut: Cut, begun: int
) -> None:
    cut_next_commit(postgres_house, cut, monkeypatch)
    work = Counted()
    assert postgres_house.writer.run(work) == "done"
    assert names(postgres_house) == ["Alice"]
    assert (work.begun, work.committed) == (begun, 1)


@pytest.mark.postgres
@pytest.mark.usefixtures("slow_commits")
def test_a_commit_that_goes_on_without_its_connection_is_waited_for(
    postgres_house: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_next_commit(postgres_house, during_the_commit, monkeypatch)
    work = Counted()
    assert postgres_house.writer.run(work) == "done"
    assert names(postgres_house) == ["Alice"]
    assert (work.begun, work.committed) == (1, 1)


@pytest.mark.postgres
def test_what_nobody_can_tell_is_not_called_done_or_undone(
    postgres_house: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_next_commit(postgres_house, before_the_answer, monkeypatch)
    monkeypatch.setattr(pooled_writer, "_OUTCOME", text("SELECT txid_status(:number), 0 FROM a_table_out_of_reach"))
    monkeypatch.setattr(pooled_writer, "_ASKING", 0.2)
    postgres_house.pubsub.heard("table", 7)
    work = Counted()
    with pytest.raises(OutcomeUnknown):
        postgres_house.writer.run(work)
    assert (work.begun, work.committed) == (1, 0)
    assert postgres_house.pubsub.version("table") is None, "it may be newer, and nobody will tell"


@pytest.mark.postgres
def test_a_number_yet_to_come_was_never_committed(postgres_house: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a crash the database knows nothing of a transaction that it had not written down."""
    cut_next_commit(postgres_house, before_the_commit, monkeypatch)
    monkeypatch.setattr(pooled_writer, "_OUTCOME", text("SELECT txid_status(:number + 1000000), 0"))
    work = Counted()
    assert postgres_house.writer.run(work) == "done"
    assert names(postgres_house) == ["Alice"]
    assert work.begun == 2


@pytest.mark.postgres
@pytest.mark.parametrize(("outcome", "begun"), [("committed", 1), ("aborted", 2), ("in progress", 2)])
def test_after_a_crash_a_number_may_be_somebody_elses(
    postgres_house: AppContext, monkeypatch: pytest.MonkeyPatch, outcome: str, begun: int
) -> None:
    """What was not on disk yet is lost, and its number is given again: its being committed says nothing."""
    cut_next_commit(postgres_house, before_the_commit, monkeypatch)
    said = text(f"SELECT '{outcome}', 'another life' FROM (VALUES (:number)) AS it")
    monkeypatch.setattr(pooled_writer, "_OUTCOME", said)
    work = Counted()
    if outcome == "committed":
        with nothing_changes(postgres_house.database), pytest.raises(OutcomeUnknown):
            postgres_house.writer.run(work)
    else:
        assert postgres_house.writer.run(work) == "done"
        assert names(postgres_house) == ["Alice"]
    assert (work.begun, work.committed) == (begun, begun - 1)


@pytest.mark.postgres
def test_a_connection_lost_during_the_work_does_it_again(postgres_house: AppContext) -> None:
    work = Counted()

    def lost_once(transaction: Transaction) -> str:
        work(transaction)
        if work.begun == 1:
            connection: Any = transaction.connection.connection.driver_connection
            cut_off(connection)
            transaction.connection.execute(text("SELECT 1"))
        return "done"

    assert postgres_house.writer.run(lost_once) == "done"
    assert names(postgres_house) == ["Alice"]
    assert (work.begun, work.committed) == (2, 1)


@pytest.mark.postgres
def test_what_the_database_refuses_is_not_tried_again(postgres_house: AppContext) -> None:
    work = Counted()

    def too_slow(transaction: Transaction) -> None:
        work(transaction)
        transaction.connection.execute(text("SET LOCAL statement_timeout = 1"))
        transaction.connection.execute(text("SELECT pg_sleep(1)"))

    with nothing_changes(postgres_house.database), pytest.raises(OperationalError, match="statement timeout"):
        postgres_house.writer.run(too_slow)
    assert (work.begun, work.committed) == (1, 0)


def test_what_is_new_is_written_with_the_number_that_it_was_given() -> None:
    ids = Ids()
    ids._free["rounds"].extend((3, 8))
    draft = BufferedTransaction(ids)
    draft.claim(update(models.Table), {"version": 2})
    assert draft.store_new(insert(models.Round), {"number": 1}, 5) == 8
    found = draft.written(lambda _answer: None)
    assert found
    assert [new.values for new in found.new] == [{"id": 8, "number": 1}]


def test_handing_over_after_the_end_is_refused(open_context: OpenContext, sqlite_url: str) -> None:
    context = open_context(sqlite_url)
    context.writer.close()
    answers = Crowd(context)
    answers.send("late", add("late"))
    assert isinstance(answers.wait()["late"], RuntimeError)
    context.writer.close()


def test_what_was_handed_over_before_the_end_is_done(sqlite_house: AppContext) -> None:
    crowd, gate = Crowd(sqlite_house), Gate()
    crowd.send("gate", gate)
    assert gate.reached.wait(_PATIENCE)
    for number in range(5):
        crowd.send(str(number), add(str(number)))
    while sqlite_house.writer._jobs.qsize() < 5:  # type: ignore[attr-defined]
        pass
    closing = threading.Thread(target=sqlite_house.writer.close)
    closing.start()
    gate.open.set()
    crowd.wait()
    closing.join(_PATIENCE)
    assert names(sqlite_house) == ["0", "1", "2", "3", "4"]
