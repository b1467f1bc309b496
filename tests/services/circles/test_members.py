"""Who belongs to a circle: joining by its link, hosts, leaving, being removed, the last one."""

import random

import pytest
from sqlalchemy import select

from app.services.accounts.deletion import SOMEBODY, forget_player
from app.services.circles import members, opening
from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, Refused
from app.services.queries.circles import circles_of
from app.services.seats import create
from app.storage import models
from tests.conftest import Clock
from tests.factories import INSTANT, Guest, dump, welcome
from tests.services.circles.people import circle_of, join, look, play_out, refusal_of, table_in, token_of


def names(context: AppContext, slug: str, guest: Guest) -> list[str]:
    return [one.name for one in look(context, slug, guest).members]


def hosts(context: AppContext, slug: str, guest: Guest) -> list[str]:
    return [one.name for one in look(context, slug, guest).members if one.is_host]


def test_whoever_has_the_link_joins_once(context: AppContext) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    join(context, slug, ben)
    assert names(context, slug, ben) == ["Ann", "Ben"]
    other_ann = welcome(context, "Ann")
    join(context, slug, other_ann)
    assert names(context, slug, ann) == ["Ann", "Ben", "Ann 2"]


def test_without_the_link_nobody_sees_anything(context: AppContext) -> None:
    slug, _ = circle_of(context, "Ann")
    stranger = welcome(context, "Dave")
    with pytest.raises(Forbidden):
        look(context, slug, stranger)
    with pytest.raises(NotFound):
        context.write(members.join, slug, stranger.id, "0" * 24, "Dave")
    assert token_of(context, slug) not in repr(dump(context.database))


def test_who_is_removed_does_not_come_back_by_the_same_link(context: AppContext) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    old = token_of(context, slug)
    context.write(members.remove, slug, ann.id, 2)
    assert names(context, slug, ann) == ["Ann"]
    with pytest.raises(NotFound):
        context.write(members.join, slug, ben.id, old, "Ben")
    join(context, slug, ben)  # somebody has given him the new one
    assert names(context, slug, ann) == ["Ann", "Ben"]


def test_hosts_make_hosts_and_one_stays(context: AppContext) -> None:
    slug, (ann, ben, cid) = circle_of(context, "Ann", "Ben", "Cid")
    with pytest.raises(Forbidden):
        context.write(members.make_host, slug, ben.id, 3, True)
    assert refusal_of(context, members.make_host, slug, ann.id, 1, False) == "LAST_HOST"
    context.write(members.make_host, slug, ann.id, 2, True)
    context.write(members.make_host, slug, ben.id, 1, False)
    assert hosts(context, slug, cid) == ["Ben"]
    context.write(members.leave, slug, ben.id)
    assert hosts(context, slug, cid) == ["Ann"], "whoever is there for longest"


def test_only_hosts_remove_rename_and_renew(context: AppContext) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    before = dump(context.database)
    for service, given in ((members.remove, (1,)), (members.rename, ("Ours",)), (members.renew_link, ())):
        with pytest.raises(Forbidden):
            context.write(service, slug, ben.id, *given)
    assert refusal_of(context, members.remove, slug, ann.id, 1) == "YOURSELF"
    assert refusal_of(context, members.rename, slug, ann.id, " ") == "NAME_EMPTY"
    assert refusal_of(context, members.remove, slug, ann.id, 9) == "NO_MEMBER"
    assert dump(context.database) == before
    context.write(members.rename, slug, ann.id, "Saturday")
    context.write(members.rename_me, slug, ben.id, "Benny")
    assert look(context, slug, ben).row.name == "Saturday"
    assert names(context, slug, ann) == ["Ann", "Benny"]


def test_a_full_circle_takes_nobody_more(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "_MOST", 2)
    slug, _ = circle_of(context, "Ann", "Ben")
    with pytest.raises(Refused):
        join(context, slug, welcome(context, "Cid"))


def test_with_its_last_member_a_circle_goes_and_its_tables_stay(context: AppContext, clock: Clock) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    party = table_in(context, slug, [ann, ben], rounds=1)
    context.write(members.leave, slug, ben.id)
    context.write(forget_player, ann.id)
    rows = dump(context.database)
    assert not any(rows[name] for name in ("circles", "circle_members", "circle_scores", "circle_seasons"))
    assert party.row.circle_id is None
    with context.database.reading() as connection, pytest.raises(NotFound):
        members.find(connection, slug)


def test_at_a_table_of_a_circle_that_is_gone_the_game_goes_on(context: AppContext, clock: Clock) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    party = table_in(context, slug, [ann, ben], rounds=1)
    context.write(members.leave, slug, ben.id)
    context.write(members.leave, slug, ann.id)
    party.play_round(random.Random(1))
    assert party.row.status == "finished"
    assert not dump(context.database)["circle_scores"]


def test_who_is_forgotten_leaves_no_name_and_a_host_behind(context: AppContext, clock: Clock) -> None:
    slug, (zebedee, ben, cid) = circle_of(context, "Zebedee", "Ben", "Cid")
    table_in(context, slug, [zebedee, ben], rounds=1)
    play_out(context, clock, random.Random(1))
    context.write(members.leave, slug, cid.id)
    context.write(forget_player, cid.id)
    context.write(forget_player, zebedee.id)
    assert "Zebedee" not in repr(dump(context.database))
    page = look(context, slug, ben)
    assert [one.name for one in page.members if one.is_host] == ["Ben"]
    assert {page.names[row.member] for row in page.standings} == {"Ben", f"{SOMEBODY} 2"}
    with context.database.reading() as connection:
        left = connection.execute(select(models.CircleMember.left_at, models.CircleMember.player_id)).all()
    assert sorted(at is not None for at, _ in left) == [False, True, True]
    assert sum(player is None for _, player in left) == 2


def test_who_comes_back_is_there_since_then(context: AppContext, clock: Clock) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    clock.advance(10)
    cid = welcome(context, "Cid")
    join(context, slug, cid)
    clock.advance(10)
    context.write(members.leave, slug, ben.id)
    join(context, slug, ben)
    context.write(members.leave, slug, ann.id)
    assert hosts(context, slug, ben) == ["Cid"], "Ben was there before, but not all the time"
    join(context, slug, ann)
    assert hosts(context, slug, ben) == ["Cid"]


def test_what_was_opened_and_never_begun_is_offered_for_thirty_days(context: AppContext, clock: Clock) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    table = context.write(create.create_table, ann.id, "lucky_paw", 2, {}, INSTANT)
    context.write(opening.put_table, slug, ann.id, table)

    def offered() -> int:
        with context.database.reading() as connection:
            (circle,) = circles_of(context, connection, ben.id)
        return len(circle.opened)

    clock.advance(30 * 86_400 - 1)
    assert offered() == 1
    clock.advance(2)
    assert offered() == 0
