"""Where several processes write, a page may be as this one has heard, but never older than what its reader has seen."""

from app.services.context import AppContext
from app.services.table.snapshot import as_heard
from tests.factories import begin


def test_a_table_is_believed_while_all_is_heard_and_by_who_has_seen_nothing_newer(context: AppContext) -> None:
    party = begin(context, 2)
    party.look()
    assert not as_heard(context, party.slug, 0)
    context.pubsub.hears_others = True
    assert as_heard(context, party.slug, party.version)
    assert not as_heard(context, party.slug, party.version + 1)
    context.pubsub.heard(party.slug, party.version + 1)
    assert not as_heard(context, party.slug, 0)
