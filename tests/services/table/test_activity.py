"""What people did to a table, as it is read."""

import pytest

from app.services.table.activity import Activity, deed_of
from app.services.table.held_table import A_HOST


def test_a_deed_names_who_did_it_and_whom_it_concerned() -> None:
    assert deed_of("replaced").told("Anna", "Ben") == "Anna gave the seat of Ben to a bot."


def test_a_host_without_a_seat_is_called_the_host() -> None:
    assert deed_of("paused").told("", None) == f"{A_HOST} paused the game."


def test_a_name_may_look_like_a_parameter() -> None:
    assert deed_of("joined").told("%(other)s 100%", None) == "%(other)s 100% joined the table."


def test_what_an_earlier_or_later_room_kept_is_still_a_sentence() -> None:
    assert deed_of("danced").told("Anna", None) == "Anna did something."


@pytest.mark.parametrize("key", ["away", "handed_host", "by_link_alone"])
def test_the_one_who_did_it_reads_it_in_the_second_person(key: str) -> None:
    deed = deed_of(key)
    assert isinstance(deed, Activity)
    assert deed.you == deed.they.replace("%(who)s", "You")
