"""What was said and done at a table, as it is stored, and where else that is told."""

import msgspec

from app.jobs.outbound import split_address
from app.services.table.snapshot import TableSnapshot
from app.storage import models


class News(msgspec.Struct, frozen=True):
    """The newest lines of the table's log, the newest first. The host sees at which host the `webhook` is, never its
    whole address: that is a secret even from the next host."""

    messages: tuple[models.Message, ...] = ()
    webhook: str | None = None

    @property
    def lines(self) -> int:
        """The number of the newest line of the table's log, which grows with whatever hosts arrange and with talk, and
        not with moves: the version of what a page says of people."""
        return self.messages[0].number if self.messages else 0


def news_at(snapshot: TableSnapshot, is_host: bool) -> News:
    """What there is to read at the table, for its host or anybody else."""
    webhook = snapshot.row.webhook if is_host else None
    return News(snapshot.messages, split_address(webhook)[0] if webhook else None)
