"""What was said and done at a table, as it is stored, and where else that is told."""

import msgspec

from app.jobs.outbound import split_address
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import Viewer
from app.storage import models


class News(msgspec.Struct, frozen=True):
    """The newest lines of the table's log, the newest first, and whether this person has `muted` the others. The host
    sees at which host the `webhook` is, never its whole address: that is a secret even from the next host."""

    messages: tuple[models.Message, ...] = ()
    muted: bool = False
    webhook: str | None = None

    @property
    def lines(self) -> int:
        """The number of the newest line of the table's log, which grows with whatever hosts arrange and with talk, and
        not with moves: the version of what a page says of people."""
        return self.messages[0].number if self.messages else 0


def news_at(snapshot: TableSnapshot, viewer: Viewer) -> News:
    """What there is to read at the table."""
    webhook = snapshot.row.webhook if viewer.is_host else None
    return News(snapshot.messages, viewer.player_id in snapshot.muted, split_address(webhook)[0] if webhook else None)
