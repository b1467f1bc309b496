"""Who has a table open: as long as a page asks, a little longer, and not after it has gone."""

from app.storage.presence import Presence


def test_a_page_that_asks_is_open_and_a_moment_longer() -> None:
    time = [100.0]
    presence = Presence(lambda: time[0])
    presence.ask("table", "ann")
    time[0] += 60
    assert presence.tokens("table") == ["ann"]
    presence.answered("table", "ann")
    time[0] += 6
    assert presence.tokens("table") == ["ann"]
    assert presence.tokens("elsewhere") == []
    time[0] += 2
    assert presence.tokens("table") == []


def test_a_page_that_goes_away_is_closed_at_once_unless_there_is_another() -> None:
    presence = Presence(lambda: 100.0)
    presence.ask("table", "ann")
    presence.ask("table", "ann")
    presence.answered("table", "ann", gone=True)
    assert presence.tokens("table") == ["ann"]
    presence.answered("table", "ann", gone=True)
    assert presence.tokens("table") == []


def test_whoever_came_once_is_forgotten_and_who_asks_is_not() -> None:
    time = [100.0]
    presence = Presence(lambda: time[0])
    presence.ask("table", "bea")
    for number in range(100):
        for slug in ("table", f"table {number}"):
            presence.ask(slug, f"guest {number}")
            presence.answered(slug, f"guest {number}")
    time[0] += 61
    presence.ask("new", "ann")
    assert {slug: list(pages) for slug, pages in presence._open.items()} == {"table": ["bea"], "new": ["ann"]}
