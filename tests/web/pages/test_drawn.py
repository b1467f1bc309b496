"""What is drawn once stays right: another source, another viewer or another language is drawn anew."""

from app.services.context import AppContext
from app.web.pages.drawn import Drawn
from tests.factories import Party
from tests.web.conftest import Visit


def test_a_piece_is_drawn_once_for_one_source() -> None:
    drawn, times = Drawn(), list[int]()

    def draw() -> str:
        times.append(1)
        return f"<b>{len(times)}</b>"

    assert [drawn.get("a", 1, draw), drawn.get("a", 1, draw)] == ["<b>1</b>"] * 2
    assert drawn.get("a", 2, draw) == "<b>2</b>"
    assert drawn.get("b", 2, draw) == "<b>3</b>"


def test_the_oldest_goes_when_there_is_no_room() -> None:
    drawn = Drawn(most=1)
    drawn.get("a", 1, lambda: "first")
    drawn.get("b", 1, lambda: "second")
    assert drawn.get("a", 1, lambda: "again") == "again"


def test_strangers_see_what_changed_and_only_at_the_address_they_came_by(party: Party, visit: Visit) -> None:
    one, other, address = visit(None), visit(None), f"/t/{party.slug}"
    assert one.get(address).text == other.get(address).text
    before = one.get(address).text
    party.move()
    assert one.get(address).text == other.get(address).text != before
    elsewhere = one.get(address, headers={"Host": "elsewhere.example"}).text
    assert "elsewhere.example" not in other.get(address).text
    assert elsewhere


def test_a_panel_shows_what_was_just_changed(party: Party, app_context: AppContext, visit: Visit) -> None:
    host, address = visit(party.guests[0]), f"/t/{party.slug}"
    assert "Pause the game" in host.get(address).text
    host.post(f"{address}/pause")
    assert "Pause the game" not in host.get(address).text
    host.post(f"{address}/resume")
    assert "Pause the game" in host.get(address).text
