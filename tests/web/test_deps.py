"""What every route is given: who asks, and what is made for whom."""

from tests.factories import Party
from tests.pages import Page
from tests.web.conftest import Visit


def test_a_form_that_does_not_say_of_which_page_it_is_makes_another_link_each_time(party: Party, visit: Visit) -> None:
    alice, address = visit(party.guests[0]), f"/t/{party.slug}/seat-link"
    seen = Page(alice.get(f"/t/{party.slug}").text).forms_to("/seat-link")[0].data

    def link(data: dict[str, str | list[str]]) -> str:
        page = Page(alice.post(address, data=data).text)
        (link,) = (one["value"] for one in page.find("input") if "/s/" in one["value"])
        return link

    assert link(seen) == link(seen)
    assert link({}) != link({})
