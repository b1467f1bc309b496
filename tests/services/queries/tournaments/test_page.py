"""What the page of a tournament is made from."""

from app.services.context import AppContext
from app.services.queries.tournaments.load import load_tournament_page
from app.services.tournaments import entries, stages
from tests.factories import GAME, welcome


def test_only_teams_that_have_room_are_offered(context: AppContext) -> None:
    host = welcome(context, "Host")
    plan = {"format": "swiss", "stages": [{"game": GAME, "size": 2}], "players": 8, "teams": {"size": 2}}
    slug = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand"})
    for name, team in (("Ann", "Owls"), ("Ben", "Owls"), ("Cem", "Larks")):
        context.write(entries.enter, slug, welcome(context, name).id, name, team)
    with context.database.reading() as connection:
        assert load_tournament_page(context, connection, slug, host.id).teams == ("Larks",)
