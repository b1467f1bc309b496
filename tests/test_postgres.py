"""The databases that tests get."""

import pytest

from tests.conftest import OpenContext
from tests.factories import begin
from tests.postgres import Postgres


@pytest.mark.postgres
def test_a_used_database_counts_from_one_again(postgres: Postgres, open_context: OpenContext) -> None:
    """So that a test has the same cards whichever tests had its database before."""
    numbers = []
    for _ in range(2):
        with postgres.migrated() as url:
            context = open_context(url)
            numbers.append(begin(context, 2).row.id)
            context.writer.close()
            context.database.close()
    assert numbers == [1, 1]
