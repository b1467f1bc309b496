"""What the lobby shows: a player's tables, and tables found by their spoken code."""

import msgspec
from sqlalchemy import Connection, select

from app.games import GAMES
from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.queries.table_page import load_table_page
from app.services.table.open_table import FINISHED, GATHERING, PLAYING, SCORES
from app.storage import models
from app.words import gettext, gettext_noop

_SHOWN = 12
_STATUS = {
    GATHERING: gettext_noop("Gathering"),
    PLAYING: gettext_noop("Being played"),
    SCORES: gettext_noop("Between %(round)ss"),
    FINISHED: gettext_noop("Finished"),
}


class TableInfo(msgspec.Struct, frozen=True):
    """One of my tables in a line."""

    slug: str
    game_name: str
    players: str
    status: str
    my_turn: bool
    awaited: str


class TournamentInfo(msgspec.Struct, frozen=True):
    """One of my tournaments in a line."""

    slug: str
    name: str


def tournaments_of(connection: Connection, player_id: int) -> tuple[TournamentInfo, ...]:
    """The tournaments that the player organises or has entered, newest first."""
    entered = select(models.TournamentEntry.tournament_id).where(models.TournamentEntry.player_id == player_id)
    rows = connection.execute(
        select(models.Tournament.slug, models.Tournament.name)
        .where((models.Tournament.organiser_id == player_id) | models.Tournament.id.in_(entered))
        .order_by(models.Tournament.id.desc())
        .limit(_SHOWN)
    )
    return tuple(TournamentInfo(slug, name) for slug, name in rows)


def tables_of(
    context: AppContext, connection: Connection, player_id: int, *, running: bool = False
) -> tuple[TableInfo, ...]:
    """The tables where the player sits, or those of them whose game is not over, newest first."""
    stages = [stage for stage in _STATUS if not (running and stage == FINISHED)]
    slugs = connection.execute(
        select(models.Table.slug)
        .join(models.Seat, models.Seat.table_id == models.Table.id)
        .where(models.Seat.player_id == player_id, models.Table.stage.in_(stages))
        .order_by(models.Table.id.desc())
        .limit(_SHOWN)
    ).scalars()
    rooms = [load_table_page(context, connection, slug, player_id) for slug in slugs]
    return tuple(
        TableInfo(
            page.slug,
            GAMES[page.game.key].name,
            ", ".join(seat.name for seat in page.seats if seat.name),
            gettext(_STATUS[page.stage], round=page.game.round_word),
            page.my_turn,
            ", ".join(seat.name for seat in page.seats if seat.is_to_act and not seat.is_me),
        )
        for page in rooms
    )


def find_by_code(connection: Connection, spoken: str) -> str:
    """The address of the table or tournament with this code, however it was typed. Raises NotFound."""
    code = "".join(character for character in spoken.upper() if character.isalnum())
    for model, address in ((models.Table, "/t/"), (models.Tournament, "/tournaments/")):
        slug = connection.execute(select(model.slug).where(model.code == code)).scalar_one_or_none()
        if slug is not None:
            return f"{address}{slug}"
    raise NotFound("No table or tournament has this code. Ask your host to read it out once more.")
