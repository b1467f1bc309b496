"""What is kept of a deal from a sealed secret."""

from app.services.context import AppContext
from app.services.fairness import deals
from app.storage import models
from app.storage.writer import Transaction
from tests.conftest import Clock


def test_a_cut_is_told_between_the_seal_and_the_deal_whatever_the_clock_was_set_to(
    context: AppContext, clock: Clock
) -> None:
    at = context.now()

    def deal(context: AppContext, transaction: Transaction) -> models.Deal:
        sealed = deals.sealed_here(transaction, "1", "1/1")
        assert sealed
        cuts = [["early", at - 5], ["between", at + 30], ["late", at + 99], None]
        assert deals.deal_from(context, transaction, sealed, cuts) == ["early", "between", "late", ""]
        dealt = deals.sealed_here(transaction, "1", "1/1")
        assert dealt
        return dealt

    context.write(deals.seal, "1", "1/1")
    clock.advance(60)
    dealt = context.write(deal)
    assert (dealt.dealt_at, dealt.cuts) == (at + 60, [["early", at], ["between", at + 30], ["late", at + 60], None])
