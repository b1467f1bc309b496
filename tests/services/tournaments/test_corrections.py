"""The organiser's role handed over in mid-stage: what it was at the tables goes with it."""

from app.services.context import AppContext
from app.services.errors import Forbidden
from app.services.play import play, takeback
from app.services.seats import hosts, pause
from app.services.tournaments import corrections, stages
from tests.factories import Guest, Party, refused
from tests.services.tournaments.test_same_deal import same_deal
from tests.services.tournaments.test_stages import playing


def tournament_of(party: Party) -> str:
    """The slug of the tournament that a table belongs to."""
    place = party.look().tournament
    assert place
    return place.slug


def entry_of(party: Party, guest: Guest) -> int:
    """The number under which somebody has entered."""
    return ("Ann", "Bob", "Cem", "Dot").index(guest.name) + 1


def test_the_hosts_rights_at_the_tables_go_with_the_role(context: AppContext) -> None:
    host, one, two = same_deal(context, secret=False)
    heir, slug = one.guests[0], tournament_of(one)
    context.write(corrections.hand_over, slug, host.id, entry_of(one, heir))
    for table in (one, two):
        with refused(context, Forbidden):
            table.write(pause.pause, host)
        with refused(context, Forbidden):
            table.write(hosts.hand_over, host, 1)
        table.write(pause.pause, heir)
        table.write(pause.resume, heir)
        assert not table.look(host).viewer.may_host
        assert table.look(heir).viewer.is_host
    one.pass_round()
    two.pass_round()
    context.write(stages.close_stage, slug, heir.id)
    stages.start_stage(context, slug, heir.id)
    assert {table.host_id for table in playing(context)} == {heir.id}


def test_an_organiser_who_plays_keeps_a_seat_like_any_other(context: AppContext) -> None:
    host, one, two = same_deal(context, secret=False)
    slug, player, heir = tournament_of(one), one.guests[0], two.guests[0]
    context.write(corrections.hand_over, slug, host.id, entry_of(one, player))
    one.write(hosts.hand_over, player, 2)
    one.write(hosts.name_cohost, 2, 1, True)
    assert one.look(player).viewer.may_host
    context.write(corrections.hand_over, slug, player.id, entry_of(two, heir))
    for table in (one, two):
        with refused(context, Forbidden):
            table.write(pause.pause, player)
    assert one.look(one.guests[1]).viewer.is_host  # given away before: it stays with whom it was given to
    assert two.look(heir).viewer.is_host
    one.pass_round()
    assert one.look(player).table.is_finished


def test_the_table_tells_who_hosts_it_now(context: AppContext) -> None:
    host, one, two = same_deal(context, secret=False)
    version = one.version
    context.write(corrections.hand_over, tournament_of(one), host.id, entry_of(two, two.guests[0]))
    assert one.version == version + 1
    turn = one.turn()
    assert turn
    assert context.write(play.play, one.slug, turn.player, turn.moves[0], version)  # the page drawn before is as good


def test_who_helps_has_no_rights_at_tables(context: AppContext) -> None:
    host, one, two = same_deal(context, secret=False)
    slug, helper = tournament_of(one), one.guests[0]
    for wanted in (True, False):
        context.write(corrections.let_help, slug, host.id, entry_of(one, helper), wanted)
        for table in (one, two):
            with refused(context, Forbidden):
                table.write(pause.pause, helper)
            assert not table.look(helper).viewer.may_host


def test_finished_tables_go_too(context: AppContext) -> None:
    host, one, two = same_deal(context, secret=False)
    one.pass_round()
    context.write(corrections.hand_over, tournament_of(one), host.id, entry_of(two, two.guests[0]))
    with refused(context, Forbidden):
        one.write(takeback.set_rule, host, takeback.VOTE)
    one.write(takeback.set_rule, two.guests[0], takeback.VOTE)
