"""What a guest's own page makes of them; the export."""

import json
import random
from collections.abc import Sequence

from sqlalchemy import insert, select

from app.services.accounts.export import export_of
from app.services.accounts.history import SHOWN, PlayerStats, stats_of
from app.services.context import AppContext
from app.services.players import players
from app.services.seats import away, hosts, seats
from app.services.seats.spectators import NONE, set_spectators
from app.services.talk import chat
from app.services.tournaments import corrections, stages
from app.services.tournaments import entries as tournament_entries
from app.storage import models
from tests.factories import GAME, Guest, Party, begin, welcome
from tests.services.play.test_results import results
from tests.services.tournaments.test_stages import opened


def player_stats(context: AppContext, guest: Guest) -> PlayerStats:
    with context.database.reading() as connection:
        return stats_of(connection, guest.id)


def note(context: AppContext, party: Party, rows: Sequence[tuple[int, Guest | None, int, float]], at: float) -> None:
    """A finished match at a table as it might have been: side, who, place and points of each seat."""

    def store(transaction: object) -> None:
        connection = transaction.connection  # type: ignore[attr-defined]
        number = len(connection.execute(select(models.Match.id)).all()) + 1
        match = {"table_id": party.row.id, "number": number, "options": {}, "names": [], "host_seat": 1}
        match_id = connection.execute(
            insert(models.Match).values(**match, created_at=at).returning(models.Match.id)
        ).scalar_one()
        for seat, (side, guest, place, points) in enumerate(rows, 1):
            connection.execute(
                insert(models.Result).values(
                    match_id=match_id,
                    seat=seat,
                    side=side,
                    player_id=guest.id if guest else None,
                    bot=None if guest else "gentle",
                    name=guest.name if guest else "Nora",
                    place=place,
                    points=points,
                    finished_at=at,
                )
            )

    context.writer.run(store)


def test_partners_share_a_side(context: AppContext) -> None:
    party = begin(context, 4, rounds=1, teams=True)
    party.play_round(random.Random(2))
    kept = results(context)
    assert [one.side for one in kept] == [1, 2, 1, 2]
    assert kept[0].place == kept[2].place
    (opponent,) = [one for one in player_stats(context, party.guests[0]).opponents if one.name == "Carol"]
    assert (opponent.together, opponent.partners, opponent.level) == (1, 1, 0)


def test_numbers_of_a_known_career(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    alice, bob = party.guests
    note(context, party, [(1, alice, 1, 10), (2, bob, 2, 4), (3, None, 3, 0)], 1_700_000_000)
    note(context, party, [(1, bob, 1, 7), (2, alice, 1, 7)], 1_700_100_000)
    note(context, party, [(1, bob, 1, 9), (2, alice, 2, -2)], 1_700_200_000)
    mine = player_stats(context, alice)
    (stats,) = mine.games
    assert (stats.key, stats.matches, stats.won, stats.shared) == (GAME, 3, 2, 1)
    assert (stats.mean_place, stats.mean_points) == (4 / 3, 5.0)
    assert [(past.place, past.sides, past.points) for past in stats.history] == [(1, 3, 10), (1, 2, 7), (2, 2, -2)]
    assert [past.finished_at for past in mine.past] == [1_700_200_000, 1_700_100_000, 1_700_000_000]
    assert mine.past[2].company == ("Bob", "Nora")
    (opponent,) = mine.opponents
    assert (opponent.name, opponent.together, opponent.ahead, opponent.behind, opponent.level) == ("Bob", 3, 1, 1, 1)
    (other,) = player_stats(context, bob).opponents
    assert (other.ahead, other.behind, other.level) == (1, 1, 1)


def test_many_matches_are_counted_and_the_last_are_shown(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    alice, bob = party.guests
    for number in range(SHOWN + 3):
        note(context, party, [(1, alice, 1, number), (2, bob, 2, 0)], 1_700_000_000 + number)
    mine = player_stats(context, alice)
    assert (mine.matches, len(mine.past), mine.games[0].matches) == (SHOWN + 3, SHOWN, SHOWN + 3)
    assert [past.points for past in mine.games[0].history] == list(range(3, SHOWN + 3))


def test_the_replay_is_offered_to_who_may_see_it(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    party.play_round(random.Random(1))
    for guest in party.guests:
        assert player_stats(context, guest).past[0].replay == f"/t/{party.slug}/replay/1/1"
    party.write(set_spectators, 1, NONE)
    assert player_stats(context, party.guests[1]).past[0].replay
    party.write(seats.rematch, 1)
    party.write(hosts.name_cohost, 1, 2, False)
    party.write(away.replace, 1, 2, "gentle")
    assert player_stats(context, party.guests[1]).past[0].replay is None


def test_an_export_has_everything_of_mine_and_nothing_of_others(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    alice, bob = party.guests
    party.write(chat.say, 1, "Mine alone")
    party.write(chat.say, 2, "His alone")
    party.write(chat.mute, 1, True)
    link = party.write(players.new_seat_link, 1)
    context.write(players.prefer, bob.id, {"deck": "two"})
    party.play_round(random.Random(1))
    with context.database.reading() as connection:
        kept = export_of(connection, alice.id)
        stored = [row.token_hash for row in connection.execute(select(models.Device))]
        hashes = [row.link_hash for row in connection.execute(select(models.Seat)) if row.link_hash]
    text = json.dumps(kept)
    assert kept["name"] == "Alice"
    assert kept["known_since"] == "2023-11-14T22:13:20+00:00"
    assert [said["text"] for said in kept["messages"]] == ["Mine alone"]
    assert kept["tables_muted"] == [f"/t/{party.slug}"]
    assert [one["seat"] for one in kept["seats"]] == [1]
    assert [(one["seat"], one["name"]) for one in kept["matches_begun"]] == [(1, "Alice")]
    assert [one["place"] for one in kept["matches_finished"]] == [results(context)[0].place]
    assert len(kept["devices"]) == len(kept["tables_hosted"]) == 1
    assert "Bob" not in text
    for secret in (alice.token, bob.token, link, *stored, *hashes):
        assert secret not in text


def test_an_export_of_a_newcomer_is_nearly_empty(context: AppContext) -> None:
    dave = welcome(context, "Dave")
    with context.database.reading() as connection:
        kept = export_of(connection, dave.id)
    assert {name for name, value in kept.items() if value} == {"name", "known_since", "devices"}


def test_an_export_tells_of_tournaments_but_not_of_deals(context: AppContext) -> None:
    host, slug = opened(context, same_deal=True)
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    context.write(tournament_entries.enter, slug, host.id, "Hosty", "")
    stages.start_stage(context, slug, host.id)
    context.write(corrections.adjust, slug, host.id, 1, "1", "Kindness")
    with context.database.reading() as connection:
        kept = export_of(connection, host.id)
        deal = connection.execute(select(models.TournamentTable.deal)).scalars().first()
    assert deal
    assert deal not in json.dumps(kept)
    assert [(one["entry"], one["signed_up"][0]["name"]) for one in kept["tournaments_entered"]] == [(4, "Hosty")]
    assert [one["name"] for one in kept["tournaments_organised"]] == ["Cup"]
    done = [(one["did"], one["reason"]) for one in kept["done_in_tournaments"]]
    assert done[-3:] == [("entered", None), ("stage_seated", None), ("adjusted", "Kindness")]
