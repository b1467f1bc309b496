"""Migrations: they make the schema that the models describe, on both kinds of database, and keep what is stored."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, select, update

from app import models
from app.models import Player
from app.services import absence
from app.services.house import House
from app.serving import migrate
from app.writer import Transaction
from tests.conftest import OpenHouse
from tests.factories import begin, dump
from tests.postgres import Postgres

_ROOT = Path(__file__).parents[1]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with nothing in it: once of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    server: Postgres = request.getfixturevalue("postgres")
    with ExitStack() as stack:
        yield stack.enter_context(server.empty())


def configured(url: str) -> Config:
    """Alembic, set up as the application sets it up."""
    config = Config(toml_file=str(_ROOT / "pyproject.toml"))
    config.set_main_option("script_location", str(_ROOT / "migrations"))
    config.attributes["url"] = url
    return config


def tables_in(url: str) -> set[str]:
    """The names of the tables there are."""
    engine = create_engine(url)
    names = set(inspect(engine).get_table_names())
    engine.dispose()
    return names


def test_migrations_make_what_the_models_describe(empty_url: str) -> None:
    migrate(empty_url)
    assert {"players", "devices", "tables", "seats", "matches", "rounds", "moves"} < tables_in(empty_url)
    command.check(configured(empty_url))  # raises where a model has what no migration makes


def test_migrating_twice_changes_nothing(database_url: str, open_house: OpenHouse) -> None:
    house = open_house(database_url)
    party = begin(house, 2, bots=1)
    party.move()
    before = dump(house.database)
    migrate(database_url)
    assert dump(house.database) == before


def test_migrations_can_be_taken_back(empty_url: str) -> None:
    migrate(empty_url)
    command.downgrade(configured(empty_url), "base")
    assert tables_in(empty_url) == {"alembic_version"}
    migrate(empty_url)
    command.check(configured(empty_url))


def test_who_let_onlookers_in_lets_them_see_the_open_cards(database_url: str, open_house: OpenHouse) -> None:
    house = open_house(database_url)
    parties = [begin(house, 2, watch=policy) for policy in ("open", "none", "after")]
    command.downgrade(configured(database_url), "2026_11_21_turn_clocks")
    migrate(database_url)
    assert [party.row.watchers for party in parties] == ["open", "none", "none"]
    with house.database.reading() as connection:
        kept = [
            connection.execute(select(Player.preferences).where(Player.id == party.guests[0].id)).scalar_one()
            for party in parties
        ]
    assert [each["rules:lucky_paw"]["watchers"] for each in kept] == ["open", "none", "none"]


def test_matches_that_had_begun_know_whose_names_they_bear(database_url: str, open_house: OpenHouse) -> None:
    house = open_house(database_url)
    party = begin(house, 2, bots=1)
    before = dump(house.database)["sitters"]
    assert len(before) == len(party.guests)
    command.downgrade(configured(database_url), "2026_11_21_tournaments")
    migrate(database_url)
    assert dump(house.database)["sitters"] == before


def test_old_lines_of_a_log_get_whom_they_certainly_mean(database_url: str, open_house: OpenHouse) -> None:
    house = open_house(database_url)
    party = begin(house, 3)
    party.write(absence.step_away, 1, 2)
    party.write(absence.skip, 1, 1, party.version)
    party.write(absence.pause, 1)
    before = dump(house.database)
    command.downgrade(configured(database_url), "2026_11_21_tournament_help")
    migrate(database_url)
    assert dump(house.database) == before

    def blur(_house: House, transaction: Transaction, /) -> None:
        anybody = update(models.Message).where(models.Message.other == "Bob").values(other="Robert")
        transaction.connection.execute(anybody)

    house.write(blur)
    command.downgrade(configured(database_url), "2026_11_21_tournament_help")
    migrate(database_url)
    with house.database.reading() as connection:
        told = select(models.Message.other, models.Message.other_id).order_by(models.Message.number)
        assert connection.execute(told).all() == [("Somebody", None), ("Alice", party.guests[0].id), (None, None)]


def test_there_is_one_line_of_migrations(tmp_path: Path) -> None:
    script = ScriptDirectory.from_config(configured(f"sqlite:///{tmp_path / 'x.db'}"))
    assert len(script.get_heads()) == 1
    assert len(script.get_bases()) == 1
