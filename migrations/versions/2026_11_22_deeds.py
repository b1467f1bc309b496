"""What somebody did to a table is stored as the key of a deed, and worded when it is read; so far it was half an
English sentence. A host who had no seat has no name in the log, and is called the host in the reader's language."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_deeds"
down_revision = "2026_11_22_reveals"
branch_labels = None
depends_on = None

_DEEDS = {
    "stepped away: a bot plays on": "away",
    "let a bot play on for {}": "sent_away",
    "came back": "back",
    "had the game’s harmless move played for {}": "moved_for",
    "gave the seat of {} to a bot": "replaced",
    "made {} a co-host": "named_cohost",
    "took the co-host’s role from {}": "dropped_cohost",
    "made {} the host": "handed_host",
    "became the host": "became_host",
    "asked for a new link to the seat of {}": "asked_link",
    "made a new link to the seat of {}": "made_link",
    "made a new link to the seat of {}, with nobody else there to agree": "made_link_alone",
    "agreed to a new link to the seat of {}": "agreed_link",
    "refused a new link to the seat of {}": "refused_link",
    "took over the seat of {}": "took_over",
    "came back on another device": "other_device",
    "came back on another device by a link of {} alone: the cards stay closed until the next deal": "by_link_alone",
    "came back on another device by a link of a host alone: "
    "the cards stay closed until the next deal": "by_a_hosts_link_alone",
    "changed what onlookers see": "set_spectators",
    "took the place of {}": "took_place",
    "joined the table": "joined",
    "paused the game": "paused",
    "let the game go on": "resumed",
    "set the clock anew": "set_clock",
    "changed how moves are taken back": "set_takeback",
    "changed how this table talks": "set_talk",
}
_told = sa.table("messages", sa.column("kind"), sa.column("text"), sa.column("name"))
_is_news = _told.c.kind == "news"


def upgrade() -> None:
    for text, deed in _DEEDS.items():
        op.execute(_told.update().where(_is_news, _told.c.text == text).values(text=deed))
    op.execute(_told.update().where(_is_news, _told.c.name == "The host").values(name=""))


def downgrade() -> None:
    op.execute(_told.update().where(_is_news, _told.c.name == "").values(name="The host"))
    for text, deed in _DEEDS.items():
        op.execute(_told.update().where(_is_news, _told.c.text == deed).values(text=text))
