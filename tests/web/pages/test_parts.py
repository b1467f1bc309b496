"""A page's parts: cut, compared with what somebody has seen, sent where they are different."""

from app.web.pages.parts import SeenParts, changes, part, parts_of, whole

VIEWER = ("a-table", 1)


def page(board: str, around: str = "") -> str:
    """A live fragment with one part."""
    return (
        f"{part('live')}<main data-x='{board}'>{part()}{around}{part('board')}<p id='board'>{board}</p>{part()}</main>"
    )


def test_the_whole_page_shows_no_cut() -> None:
    assert whole(page("A")) == "<main data-x='A'><p id='board'>A</p></main>"


def test_a_part_that_is_different_is_sent_alone() -> None:
    seen = SeenParts()
    seen.keep(VIEWER, 1, parts_of(page("A")))
    parts = parts_of(page("B"))
    before = seen.get(VIEWER, 1, parts)
    assert before
    assert changes(parts, before) == '<hx-partial id="board" hx-swap="outerMorph"><p id=\'board\'>B</p></hx-partial>'
    assert changes(parts_of(page("A")), before) == ""


def test_what_is_around_the_parts_asks_for_the_whole() -> None:
    seen = SeenParts()
    seen.keep(VIEWER, 1, parts_of(page("A")))
    assert seen.get(VIEWER, 1, parts_of(page("A", around="<hr>"))) is None


def test_a_part_more_or_less_asks_for_the_whole() -> None:
    seen = SeenParts()
    seen.keep(VIEWER, 1, parts_of(page("A")))
    assert seen.get(VIEWER, 1, parts_of(page("A") + f"{part('more')}<i></i>{part()}")) is None


def nested(around: str, within: str) -> str:
    """A live fragment with a part in a part."""
    hand = f"{part('hand')}<ol id='hand'>{within}</ol>{part()}"
    return f"{part('live')}<main>{part()}{part('mine')}<p id='mine'>{around}{hand}</p>{part()}</main>"


def test_a_part_in_a_part_is_sent_alone_or_with_it() -> None:
    seen = SeenParts()
    seen.keep(VIEWER, 1, parts_of(nested("A", "A")))
    before = seen.get(VIEWER, 1, parts_of(nested("A", "B")))
    assert before
    hand = "<ol id='hand'>B</ol>"
    assert (
        changes(parts_of(nested("A", "B")), before) == f'<hx-partial id="hand" hx-swap="outerMorph">{hand}</hx-partial>'
    )
    both = f'<hx-partial id="mine" hx-swap="outerMorph"><p id=\'mine\'>B{hand}</p></hx-partial>'
    assert changes(parts_of(nested("B", "B")), before) == both
    assert whole(nested("A", "B")) == f"<main><p id='mine'>A{hand}</p></main>"


def test_other_versions_other_viewers_and_the_forgotten_get_the_whole() -> None:
    seen, parts = SeenParts(), parts_of(page("A"))
    seen.keep(VIEWER, 1, parts)
    assert seen.get(VIEWER, 2, parts) is None
    assert seen.get(("a-table", 2), 1, parts) is None
    seen.forget(VIEWER)
    assert seen.get(VIEWER, 1, parts) is None


def test_the_last_versions_are_remembered() -> None:
    seen, parts = SeenParts(), parts_of(page("A"))
    for version in range(1, 8):
        seen.keep(VIEWER, version, parts)
    assert [version for version in range(1, 8) if seen.get(VIEWER, version, parts)] == [4, 5, 6, 7]
