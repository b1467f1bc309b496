"""What is drawn once stays right: another source, another viewer or another language is drawn anew."""

from app.services.context import AppContext
from app.web.pages import render_cache
from app.web.pages.render_cache import Drawn
from tests.factories import Party
from tests.web.conftest import Visit


def test_a_piece_is_drawn_once_for_one_source() -> None:
    pieces, times = Drawn[str](2), list[int]()

    def draw() -> str:
        times.append(1)
        return f"<b>{len(times)}</b>"

    assert [pieces.get("a", 1, draw), pieces.get("a", 1, draw)] == ["<b>1</b>"] * 2
    assert pieces.get("a", 2, draw) == "<b>2</b>"
    assert pieces.get("b", 2, draw) == "<b>3</b>"


def test_the_oldest_goes_when_there_is_no_room() -> None:
    pieces = Drawn[str](1)
    pieces.get("a", 1, lambda: "first")
    pieces.get("b", 1, lambda: "second")
    assert pieces.get("a", 1, lambda: "again") == "again"


def test_what_was_drawn_anew_is_among_the_newest() -> None:
    pieces = Drawn[str](2)
    for key, source in (("a", 1), ("b", 1), ("a", 2), ("c", 1)):
        pieces.get(key, source, lambda: "drawn")
    assert list(pieces._kept) == ["a", "c"]


def test_of_a_list_of_lines_only_the_newest_is_kept(party: Party, visit: Visit) -> None:
    kept, mine, address = render_cache._LISTS._kept, visit(party.guests[0]), f"/t/{party.slug}/live?seen=0"
    kept.clear()
    sizes = set[int]()
    for _ in range(6):
        party.move()
        mine.get(address)
        sizes.add(len(kept))
    assert sizes == {2}  # those of the panel


def test_a_viewer_keeps_no_more_lines_than_a_list_shows(party: Party, visit: Visit) -> None:
    mine, address = visit(party.guests[0]), f"/t/{party.slug}/live?seen=0"
    render_cache._LINES._kept.clear()
    for _ in range(render_cache._LINES_OF_ONE + 6):
        party.move()
        mine.get(address)
    ((_, lines),) = render_cache._LINES._kept.values()
    assert 8 < len(lines._kept) <= render_cache._LINES_OF_ONE


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
