"""The set-up of a table over HTTP: the form, what it changes, and who agrees."""

from app.services.context import AppContext
from app.services.seats.setup import Setup, change_setup
from tests.factories import INSTANT, Party, begin, gather
from tests.pages import Page
from tests.web.conftest import Visit


def change(party: Party, seats: int, match: int = 0, **options: object) -> None:
    """The host changes rules and seats."""
    party.write(change_setup, 1, match, party.version, Setup(seats, options, INSTANT))


def test_the_form_shows_what_holds_and_saves_what_is_chosen(app_context: AppContext, visit: Visit) -> None:
    party = gather(app_context, 2, seats=4, rounds=3, must_play=True)
    host = visit(party.guests[0])
    assert Page(host.get(f"/t/{party.slug}").text).one(id="to-setup")["href"] == f"/t/{party.slug}/setup"
    page = Page(host.get(f"/t/{party.slug}/setup").text)
    assert [one["value"] for one in page.find("input", name="seats")] == ["2", "3", "4", "5", "6"]
    assert [one["value"] for one in page.find("input", name="seats") if "checked" in one.attributes] == ["4"]
    form = page.forms_to("/setup")[0]
    assert (form.data["rounds"], form.data["must_play"]) == ("3", "true")
    data = {name: value for name, value in form.data.items() if name != "must_play"}
    for _ in range(2):  # the second is the same click
        answer = host.post(form.action, data={**data, "seats": "3", "rounds": "2"})
        assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{party.slug}")
    table = party.look()
    assert (len(table.people.seats), table.options.rounds, table.options.must_play) == (3, 2, False)


def test_who_sits_there_reads_what_changed_and_agrees(app_context: AppContext, visit: Visit) -> None:
    party = gather(app_context, 2, seats=4, rounds=3)
    change(party, 3, rounds=2, must_play=True)
    bob = visit(party.guests[1])
    page = Page(bob.get(f"/t/{party.slug}").text)
    told = " ".join(page.one(id="change").words)
    assert "3 seats instead of 4" in told
    assert "Rounds “Two” instead of “Three”" in told
    assert "Must Play on" in told
    assert "Alice changed the set-up: 3 seats instead of 4, " in page.text
    assert (
        "You changed the set-up: 3 seats instead of 4, "
        in Page(visit(party.guests[0]).get(f"/t/{party.slug}").text).text
    )
    (form,) = page.forms_to("/agree")
    assert bob.post(form.action, data=form.data).status_code == 303
    assert not Page(bob.get(f"/t/{party.slug}").text).forms_to("/agree")


def test_what_cannot_be_is_said_on_the_form_with_what_was_chosen(app_context: AppContext, visit: Visit) -> None:
    party = gather(app_context, 3, seats=4)
    host = visit(party.guests[0])
    form = Page(host.get(f"/t/{party.slug}/setup").text).forms_to("/setup")[0]
    answer = host.post(form.action, data={**form.data, "seats": "2", "rounds": "5"})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert "fewer seats than people" in page.text
    assert page.forms_to("/setup")[0].data["rounds"] == "5"


def test_nobody_else_sees_the_form_and_nobody_changes_a_game_that_is_played(
    app_context: AppContext, visit: Visit
) -> None:
    party = begin(app_context, 2, rounds=1)
    address = f"/t/{party.slug}/setup"
    assert visit(party.guests[1]).get(address).status_code == 403
    assert visit(None).get(address).status_code == 403
    host = visit(party.guests[0])
    assert host.get(address).status_code == 409
    data = {"seen": party.version, "match": "0", "seats": "2", "rounds": "2"}
    answer = host.post(address, data=data)
    assert answer.status_code == 409
    assert "its set-up stays as it is" in Page(answer.text).text
    assert visit(party.guests[1]).post(address, data=data).status_code == 403
    assert visit(None).post(address, data=data).status_code == 403


def test_between_matches_the_finished_page_stays_and_says_what_comes(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, rounds=1)
    party.pass_round()
    change(party, 4, 1, rounds=2)
    page = Page(visit(party.guests[1]).get(f"/t/{party.slug}").text)
    assert "4 seats instead of 2" in " ".join(page.one(id="change").words)
    assert page.find("li", id="place-2")
    host = visit(party.guests[0])
    page = Page(host.get(f"/t/{party.slug}/setup").text)
    assert "checked" in page.one("input", name="seats", value="4").attributes
    form = page.forms_to("/setup")[0]
    assert (form.data["rounds"], form.data["match"]) == ("2", "1")


def test_a_newcomer_is_invited_in_words(app_context: AppContext, visit: Visit) -> None:
    party = gather(app_context, 2, seats=3, rounds=2)
    page = Page(visit(None).get(f"/t/{party.slug}").text)
    assert "".join(page.one(id="invited").words) == "Alice invites you to Lucky Paw"
    assert "2 rounds, about 5 minutes. One step up or down" in " ".join(page.one(id="what").words)
    assert page.one("meta", property="og:title")["content"] == "Alice invites you to Lucky Paw"
    assert page.one("meta", property="og:description")["content"].startswith("2 rounds, about 5 minutes. One step")
    assert not Page(visit(party.guests[1]).get(f"/t/{party.slug}").text).find("h1", id="invited")


def test_link_code_and_picture_are_at_hand_while_the_game_goes_on(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, rounds=2, watch="none")
    code = party.row.code
    bob = visit(party.guests[1])

    def is_invited(path: str, stage: str) -> bool:
        page = Page(bob.get(path).text)
        url, told = page.one(id=f"invite-url-{stage}")["value"], page.one(id=f"code-{stage}").words
        assert len(page.find("img", src=f"/t/{party.slug}/qr.svg")) == 1
        return url.endswith(f"/t/{party.slug}") and told == [f"{code[:4]} {code[4:]}"]

    for stage in ("playing", "scores"):
        assert is_invited(f"/t/{party.slug}", stage)
        assert is_invited(f"/t/{party.slug}/people", stage)
        party.pass_round()
    party.everybody_is_ready()
    party.pass_round()
    assert is_invited(f"/t/{party.slug}", "finished")
    assert not Page(visit(None).get(f"/t/{party.slug}").text).find("img", src=f"/t/{party.slug}/qr.svg")
