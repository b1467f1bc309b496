"""On which databases services are tried."""

from pathlib import Path

import pytest

_HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a service does it does on SQLite in every run, and on PostgreSQL as depth: a twin is of the tenth of its
    test. On both in every run where several do it at once, or the test opens the database itself, as processes do."""
    for item in items:
        if _HERE not in item.path.parents or not isinstance(item, pytest.Function):
            continue
        asks_for = item._fixtureinfo.argnames
        is_plain = "context" in asks_for and "database_url" not in asks_for and "open_context" not in asks_for
        if is_plain and item.get_closest_marker("postgres") and "at_once" not in item.function.__code__.co_names:
            item.add_marker("thorough")
