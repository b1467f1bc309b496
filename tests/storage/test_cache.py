"""What is remembered of the database is never older than what is known to have changed."""

from time import monotonic_ns

from app.storage.cache import Memory, VersionedCache


def test_a_thing_is_known_at_its_version_only() -> None:
    cache = VersionedCache[str]()
    cache.keep("a", 2, "two")
    assert (cache.get("a", 2), cache.get("a", 1), cache.get("a", None), cache.get("b", 2)) == ("two", None, None, None)


def test_an_older_version_never_replaces_a_newer_one() -> None:
    cache = VersionedCache[str]()
    cache.keep(1, 3, "three")
    cache.keep(1, 2, "two")
    assert cache.get(1, 3) == "three"


def test_what_was_read_before_a_change_is_not_kept_even_under_the_same_version() -> None:
    cache = VersionedCache[str]()
    before = monotonic_ns()
    cache.drop("a", 2)  # by somebody else, after the reading began
    cache.keep_read("a", 2, "stale", before)
    assert cache.get("a", 2) is None
    cache.keep_read("a", 2, "fresh", monotonic_ns())
    assert cache.get("a", 2) == "fresh"


def test_an_older_reading_never_replaces_a_newer_one() -> None:
    cache = VersionedCache[str]()
    before = monotonic_ns()
    cache.keep_read("a", 2, "newer", monotonic_ns())
    cache.keep_read("a", 2, "older", before)
    assert cache.get("a", 2) == "newer"


def test_what_was_read_of_an_older_moment_is_not_kept() -> None:
    cache = VersionedCache[str]()
    cache.drop("a", 3)
    cache.keep_read("a", 2, "of a moment before", monotonic_ns())
    cache.keep_read("a", 3, "three", monotonic_ns())
    assert cache.get("a", 3) == "three"


def test_what_was_read_before_a_change_is_not_kept_though_the_change_is_forgotten() -> None:
    cache = VersionedCache[str](most=1)
    before = monotonic_ns()
    cache.drop("a", 2)
    cache.drop("b", 2)
    cache.keep_read("a", 2, "stale", before)
    assert cache.get("a", 2) is None


def test_what_was_dropped_is_not_at_hand() -> None:
    cache = VersionedCache[str]()
    cache.keep("a", 2, "two")
    cache.drop("a", 3)
    assert (cache.get("a", 2), cache.get("a", 3)) == (None, None)
    cache.keep("a", 2, "late")
    assert cache.get("a", 2) is None


def test_the_newest_that_is_known_is_at_hand_whatever_its_version() -> None:
    cache = VersionedCache[str]()
    assert cache.newest("a") is None
    cache.keep("a", 2, "two")
    assert cache.newest("a") == "two"
    cache.drop("a", 3)
    assert cache.newest("a") is None


def test_the_oldest_goes_when_there_is_no_room() -> None:
    cache = VersionedCache[int](most=2)
    for key in "abc":
        cache.keep(key, 1, 1)
    assert [cache.get(key, 1) for key in "abc"] == [None, 1, 1]


def test_a_memory_holds_until_anything_of_its_kind_changes() -> None:
    memory = Memory[str]()
    memory.keep("a", "one", monotonic_ns())
    assert memory.get("a") == "one"
    memory.forget()
    assert memory.get("a") is None


def test_a_memory_keeps_nothing_that_was_read_before_a_change() -> None:
    memory = Memory[str]()
    before = monotonic_ns()
    memory.forget()
    memory.keep("a", "stale", before)
    assert memory.get("a") is None


def test_a_full_memory_begins_anew() -> None:
    memory = Memory[int](most=2)
    for number, key in enumerate("abc"):
        memory.keep(key, number, monotonic_ns())
    assert [memory.get(key) for key in "abc"] == [None, None, 2]
