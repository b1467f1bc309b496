"""What an organiser says of the field, on the page of a tournament that has not begun."""

from app.services.context import AppContext
from app.services.tournaments import entries
from app.services.tournaments import stages as stages_service
from tests.factories import Guest, welcome
from tests.pages import Page
from tests.services.tournaments.test_stages import opened
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import lines
from tests.web.routes.tournaments.test_pages import log_now

FIELD = "Ann\nBen\nCat\nDan"


def gathered(context: AppContext, format: str = "swiss") -> tuple[Guest, str]:
    """Four are on the list, none of them with a device."""
    host, slug = opened(context, format=format, players=8)
    context.write(entries.add_people, slug, host.id, FIELD)
    return host, f"/tournaments/{slug}"


def test_the_field_is_put_in_order_and_the_lot_has_it_back(app_context: AppContext, visit: Visit) -> None:
    host, address = gathered(app_context)
    browser = visit(host)
    assert f">{FIELD}</textarea>" in browser.get(address).text
    browser.post(f"{address}/order", data={"names": "2. dan\n 1) Ann \n\nBen"})
    assert log_now(app_context, address).seeds == (4, 1, 2)
    page = browser.get(address).text
    assert ">Dan\nAnn\nBen\nCat</textarea>" in page
    assert '<bdi>Dan</bdi> <span class="badge">seed 1</span>' in page
    assert "put the field in this order, the best first: Dan, Ann, Ben." in browser.get(f"{address}/log").text
    browser.post(f"{address}/order", data={"names": " "})
    assert not log_now(app_context, address).seeds
    assert "The order of the field is left to the lot." in browser.get(f"{address}/log").text


def test_a_wrong_order_is_said_beside_the_names_and_changes_nothing(app_context: AppContext, visit: Visit) -> None:
    host, address = gathered(app_context)
    browser, before = visit(host), lines(app_context, address)
    for names, sentence in (
        ("Ann\nZoe & Co", "Nobody of the name “Zoe &amp; Co” is on the list."),
        ("Ann\nann", "Ann is there twice."),
        ("", "That is so already."),
    ):
        wrong = browser.post(f"{address}/order", data={"names": names})
        assert wrong.status_code == 422
        assert f'id="act-wrong">{sentence}</p>' in wrong.text
        assert wrong.text.count('role="alert"') == 1
        assert f"{names.replace('&', '&amp;')}</textarea>" in wrong.text
    assert lines(app_context, address) == before
    assert visit(welcome(app_context, "Zoe")).post(f"{address}/order", data={"names": "Ben"}).status_code == 403
    assert "/order" not in visit(None).get(address).text


def test_who_is_on_the_list_already_is_said_where_the_names_stay_as_they_were_typed(
    app_context: AppContext, visit: Visit
) -> None:
    host, address = gathered(app_context)
    browser = visit(host)
    shut = Page(browser.get(address).text)
    assert "open" not in shut.one("details", id="people-ask").attributes
    assert "aria-invalid" not in shut.one("textarea", id="people-names").attributes
    page = Page(browser.post(f"{address}/people", data={"names": "Eve\nAnn"}).text)
    assert "open" in page.one("details", id="people-ask").attributes
    names = page.one("textarea", id="people-names")
    assert (names["aria-invalid"], names["aria-describedby"], names.words) == ("true", "people-wrong", ["Eve\nAnn"])
    assert "Ann is on the list already" in "".join(page.one("p", id="people-wrong").words)


def test_where_nothing_goes_by_an_order_none_is_asked_for(app_context: AppContext, visit: Visit) -> None:
    host, address = gathered(app_context, "rotating")
    assert "/order" not in visit(host).get(address).text
    refused = visit(host).post(f"{address}/order", data={"names": "Ben"})
    assert (refused.status_code, "In this format nothing goes by an order" in refused.text) == (422, True)


def test_couples_sit_apart_and_families_together_until_it_is_taken_back(app_context: AppContext, visit: Visit) -> None:
    host, address = gathered(app_context)
    browser = visit(host)
    browser.post(f"{address}/wish", data={"wish": "together", "names": "ann, Ben ,Cat"})
    browser.post(f"{address}/wish", data={"wish": "apart", "names": "Ben, Dan"})
    wishes = {(1, 2): "together", (1, 3): "together", (2, 3): "together", (2, 4): "apart"}
    assert log_now(app_context, address).wishes == wishes
    page = browser.get(address).text
    assert "<bdi>Ben</bdi> and <bdi>Dan</bdi>: apart" in page
    assert page.count('name="wish" value="none"') == 4
    browser.post(f"{address}/wish", data={"wish": "none", "number": "2", "other": "4"})
    assert (2, 4) not in log_now(app_context, address).wishes
    told = browser.get(f"{address}/log").text
    for sentence in (
        "The organiser wishes to see Ann, Ben and Cat at one table.",
        "The organiser wishes to see Ben and Dan at different tables.",
        "Ben and Dan may sit apart or together, as it comes.",
    ):
        assert sentence in told


def test_a_wish_is_said_on_the_card_of_a_table(app_context: AppContext, visit: Visit) -> None:
    host, address = gathered(app_context)
    stages_service.start_stage(app_context, address.rpartition("/")[2], host.id)
    browser, now = visit(host), log_now(app_context, address)
    one, other = now.stages[0].tables[0].seats
    given = {"wish": "apart", "number": str(one), "table": "1"}
    before = lines(app_context, address)
    for names, sentence in (
        ("Zoe", "Nobody of the name “Zoe” is on the list."),
        (now.name(one), f"{now.name(one)} is there twice."),
        ("", "A wish is about 2 to 16 people."),
    ):
        wrong = browser.post(f"{address}/wish", data={**given, "names": names})
        assert wrong.status_code == 422
        assert (
            f'id="act-wrong">{sentence}</p>' in wrong.text.partition('id="wish-1" open')[2].partition("</details>")[0]
        )
        assert wrong.text.count('role="alert"') == 1
    strange = browser.post(f"{address}/wish", data={**given, "wish": "x", "names": now.name(other)})
    assert (strange.status_code, "Choose whether they sit apart or together." in strange.text) == (422, True)
    assert lines(app_context, address) == before
    browser.post(f"{address}/wish", data={**given, "names": now.name(other)})
    assert log_now(app_context, address).wishes == {(min(one, other), max(one, other)): "apart"}
    page = browser.get(address).text
    assert page.count('name="wish" value="none"') == 1  # on the card of their table alone
    assert "/wish" not in visit(None).get(address).text
    assert visit(welcome(app_context, "Zoe")).post(f"{address}/wish", data=given).status_code == 403
