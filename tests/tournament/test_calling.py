"""What an organiser calls out in the hall."""

import msgspec
import pytest

from snug.tournament.events import MOST_MINUTES, AnyLogEvent, Called, StageClosed, StageSeated
from snug.words import as_read
from tests.tournament.company import after, entered, finished, fixed, refused


def test_the_last_deal_is_called_until_the_stage_is_over_or_it_is_taken_back() -> None:
    playing = after(entered(2, 2, fixed(2)), StageSeated(((1, 2),)))
    called = after(playing, Called("last_deal"))
    assert as_read(called.news).startswith("Last deal")
    assert after(called, Called("nothing")).call is None
    assert not after(called, Called("nothing")).news
    assert after(called, finished(1, 1, 2), StageClosed()).call is None


def test_a_break_is_called_between_stages() -> None:
    between = after(entered(2, 2, fixed(2)), StageSeated(((1, 2),)), finished(1, 1, 2), StageClosed())
    called = after(between, Called("break", 10))
    assert called.call == (len(called.log), Called("break", 10))
    assert not called.news
    assert after(called, StageSeated(((1, 2),))).call is None


@pytest.mark.parametrize("event", [Called("nothing"), Called("break", 1), Called("break", MOST_MINUTES)])
def test_what_was_called_is_read_again(event: Called) -> None:
    assert msgspec.convert(msgspec.to_builtins(event), AnyLogEvent) == event


@pytest.mark.parametrize(
    ("event", "code"),
    [(Called("last_deal"), "NO_STAGE"), (Called("break"), "NO_BREAK"), (Called("nothing"), "NOT_CALLED")],
)
def test_what_cannot_be_called_is_refused(event: Called, code: str) -> None:
    assert refused(entered(2, 2, fixed(2)), event).code == code
    playing = after(entered(2, 2, fixed(2)), StageSeated(((1, 2),)))
    assert refused(playing, Called("break", 5)).code == "NO_BREAK"
