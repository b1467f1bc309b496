"""Bots as people: who they are, how well they play, and that what older releases called them still holds."""

import pytest
from sqlalchemy import update

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.play import play
from app.services.players.names import clean_name, marked_name
from app.services.seats import seats
from app.services.seats.bot_profiles import LEVEL_WORDS, about, character_of, level_in, levels_of, name_for
from app.services.tournaments import entries, stages
from app.storage import models
from app.storage.writer import Transaction
from snug.bots import levels
from snug.engine.game import Game
from snug.games import GAMES
from tests.conftest import Clock
from tests.factories import GAME, begin, gather, refused, welcome

PLAIN = type("Plain", (type(GAMES[GAME]),), {"determinize": Game.determinize})()


@pytest.mark.parametrize("level", levels.LEVELS)
def test_bots_of_a_level_have_names_of_their_own_and_a_sentence_each(level: str) -> None:
    taken: list[str] = []
    while (name := name_for(level, taken)) and not name[-1].isdigit():
        assert clean_name(name) == name
        assert name in character_of(level, name)
        taken.append(name)
    assert len(taken) >= 8
    assert marked_name(name, taken) == name
    assert all(character_of(other, taken[0]) != character_of(level, taken[0]) for other in {*levels.LEVELS} - {level})
    assert character_of(level, name) == character_of(level, "Quill") == LEVEL_WORDS[level].sentence


def test_what_is_said_of_a_seat_tells_a_bot_from_a_person() -> None:
    assert about("easy", "Bridie") == "Gentle bot. Bridie would rather hear how you are than count cards."
    assert about(None, "Bridie") == ""


def test_old_names_of_levels_are_understood() -> None:
    game = GAMES[GAME]
    assert [level_in([game], name) for name in ("easy", "good", "gentle", "sharp")] == [
        "gentle", "steady", "gentle", "sharp",
    ]  # fmt: skip
    assert character_of("good", "Nora") == character_of("steady", "Nora")


def test_nobody_is_sharp_at_a_game_that_cannot_be_imagined(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels_of(GAMES[GAME]) == ("gentle", "steady", "sharp")
    assert levels_of(PLAIN) == levels_of(GAMES[GAME], PLAIN) == ("gentle", "steady")
    with pytest.raises(Refused, match="gentle, steady"):
        level_in([GAMES[GAME], PLAIN], "sharp")
    party = gather(context, 1, seats=2)
    plan = {"format": "rotating", "stages": [{"game": GAME}], "players": 8}
    host = welcome(context, "Ann")
    slug = context.write(stages.open_tournament, host.id, "Friday", plan, {"starts": "hand", "bot_pace": "instant"})
    monkeypatch.setattr(type(GAMES[GAME]), "determinize", Game.determinize)
    with refused(context, Refused, "BAD_LEVEL"):
        party.write(seats.seat_bot, 1, 2, "sharp")
    with refused(context, Refused, "BAD_LEVEL"):
        context.write(entries.add_bots, slug, host.id, 2, "sharp")


def _as_before(_context: AppContext, transaction: Transaction, number: int, level: str) -> None:
    transaction.connection.execute(update(models.Seat).where(models.Seat.number == number).values(bot=level))


def test_a_bot_that_an_older_release_seated_plays_on(context: AppContext, clock: Clock) -> None:
    party = begin(context, 1, bots=2, level="gentle")
    for number, name in ((2, "easy"), (3, "good")):
        context.write(_as_before, number, name)
    context.snapshots.drop(party.slug, party.version + 1)
    assert [seat.bot for seat in party.look().people.seats] == [None, "gentle", "steady"]
    party.move()
    for _ in range(2):
        clock.advance(1)
        context.write(play.run_due, party.row.id)
    assert [row.seat for row in party.moves() if row.seat] == [1, 2, 3]
    with context.database.reading() as connection:
        stored = connection.execute(models.Seat.__table__.select().order_by(models.Seat.number)).mappings().all()
    assert [row["bot"] for row in stored] == [None, "easy", "good"]
