"""The one way to write: all or nothing, answered after the commit, several jobs in one commit on SQLite."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from app import models
from app.services.house import House
from app.writer import Transaction, Work
from tests.conftest import OpenHouse
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


def names(house: House) -> list[str]:
    """Every player stored."""
    return sorted(row[1] for row in dump(house.database)["players"])


class Crowd:
    """Runs work in threads of their own and keeps what each returned or raised."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._threads: list[threading.Thread] = []
        self.answers: dict[str, Any] = {}

    def send(self, key: str, work: Work[Any]) -> None:
        """Hands work over without waiting for the answer."""

        def run() -> None:
            try:
                self.answers[key] = self._house.writer.run(work)
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
def sqlite_house(open_house: OpenHouse, sqlite_url: str) -> House:
    """A house with the writer of SQLite."""
    return open_house(sqlite_url)


@pytest.fixture
def as_one_group(sqlite_house: House) -> Callable[..., dict[str, Any]]:
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


def count_commits(house: House) -> list[None]:
    """A list that grows with every commit."""
    commits: list[None] = []
    event.listen(house.database.writer, "commit", lambda _connection: commits.append(None))
    return commits


def test_work_is_answered_with_what_it_returned(house: House) -> None:
    assert isinstance(house.writer.run(add("Alice")), int)
    assert names(house) == ["Alice"]


def test_what_work_raises_comes_out_and_undoes_it(house: House) -> None:
    def fail(transaction: Transaction) -> None:
        add("Alice")(transaction)
        raise KeyError("on purpose")

    with nothing_changes(house.database), pytest.raises(KeyError, match="on purpose"):
        house.writer.run(fail)
    house.writer.run(add("Bob"))
    assert names(house) == ["Bob"]


def test_after_commit_runs_once_when_others_can_see_it(house: House) -> None:
    seen: list[list[str]] = []

    def work(transaction: Transaction) -> None:
        add("Alice")(transaction)
        transaction.after_commit(lambda: seen.append(names(house)))
        assert not seen

    house.writer.run(work)
    assert seen == [["Alice"]]


def test_after_commit_never_runs_for_what_failed(house: House) -> None:
    ran: list[str] = []

    def work(transaction: Transaction) -> None:
        transaction.after_commit(lambda: ran.append("no"))
        transaction.connection.execute(text("INSERT INTO players (id) VALUES (1)"))

    with pytest.raises(IntegrityError):
        house.writer.run(work)
    assert not ran


def test_what_waits_is_committed_together(sqlite_house: House, as_one_group: Callable[..., dict[str, Any]]) -> None:
    commits = count_commits(sqlite_house)
    answers = as_one_group(**{f"guest{number}": add(f"{number:02}") for number in range(20)})
    assert len(commits) == 2  # the gate's, and one for everybody
    assert names(sqlite_house) == [f"{number:02}" for number in range(20)]
    assert sorted(answers.values()) == list(range(1, 21))


def test_one_failing_job_in_a_group_undoes_only_itself(
    sqlite_house: House, as_one_group: Callable[..., dict[str, Any]]
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


def test_a_failing_commit_fails_everybody_in_the_group(
    sqlite_house: House, as_one_group: Callable[..., dict[str, Any]]
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


def test_no_update_is_lost_between_reading_and_writing(open_house: OpenHouse, database_url: str) -> None:
    """400 times by two writers: read a number, add one, write it. The driver's own way to begin loses most of them."""
    house, another = open_house(database_url), open_house(database_url)
    player = house.writer.run(add("Alice"))
    where = models.Player.id == player

    def increment(transaction: Transaction) -> None:
        read = select(models.Player.created_at).where(where).with_for_update()
        value = transaction.connection.execute(read).scalar_one()
        transaction.connection.execute(update(models.Player).where(where).values(created_at=value + 1))

    def fifty_times(house: House) -> None:
        for _ in range(50):
            house.writer.run(increment)

    threads = [threading.Thread(target=fifty_times, args=(one,)) for one in (house, another) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with house.database.reading() as connection:
        assert connection.execute(select(models.Player.created_at).where(where)).scalar_one() == 400


@pytest.mark.postgres
def test_a_deadlock_is_tried_again(open_house: OpenHouse, postgres_url: str) -> None:
    house = open_house(postgres_url)
    one, two = house.writer.run(add("one")), house.writer.run(add("two"))
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

    crowd = Crowd(house)
    crowd.send("there", lock(one, two))
    crowd.send("back", lock(two, one))
    assert crowd.wait() == {"there": None, "back": None}


def test_handing_over_after_the_end_is_refused(open_house: OpenHouse, sqlite_url: str) -> None:
    house = open_house(sqlite_url)
    house.writer.close()
    answers = Crowd(house)
    answers.send("late", add("late"))
    assert isinstance(answers.wait()["late"], RuntimeError)
    house.writer.close()


def test_what_was_handed_over_before_the_end_is_done(sqlite_house: House) -> None:
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
