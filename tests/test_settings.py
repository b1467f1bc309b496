"""What the environment decides."""

import stat
from pathlib import Path

import pytest

from app.settings import BadSettings, Limits, read_settings


def test_without_an_environment_everything_is_in_the_data_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    settings = read_settings({}, data=folder)
    assert settings.data == folder
    assert settings.database_url == f"sqlite:///{folder / 'snug.db'}"
    assert settings.public_url == ""
    assert settings.trusted_proxies == "127.0.0.1"
    assert settings.is_sqlite
    assert not settings.is_https
    assert not settings.webhooks


def test_the_environment_is_read(tmp_path: Path) -> None:
    environ = {
        "SNUG_DATA": str(tmp_path / "elsewhere"),
        "SNUG_DATABASE_URL": "postgresql+psycopg://cards@db/snug",
        "SNUG_SECRET_KEY": "3f8a1c05e7d26b94" * 2,
        "SNUG_PUBLIC_URL": "https://cards.example/",
        "SNUG_TRUSTED_PROXIES": "10.0.0.1",
        "SNUG_WEBHOOKS": "on",
        "SNUG_PUSH": "any",
    }
    settings = read_settings(environ)
    assert settings.data == tmp_path / "elsewhere"
    assert settings.database_url == "postgresql+psycopg://cards@db/snug"
    assert settings.key == b"3f8a1c05e7d26b94" * 2
    assert settings.public_url == "https://cards.example"
    assert settings.trusted_proxies == "10.0.0.1"
    assert settings.is_https
    assert settings.webhooks
    assert settings.any_push
    assert not settings.is_sqlite
    assert not (tmp_path / "elsewhere" / "signing.key").exists()


def test_connections_that_must_be_straight_do_not_go_through_the_pooler(tmp_path: Path) -> None:
    environ = {"SNUG_DATABASE_URL": "postgresql+psycopg://cards@pooler/snug"}
    straight = read_settings(environ, data=tmp_path)
    assert not straight.is_pooled
    assert straight.session_url == straight.database_url
    pooled = read_settings({**environ, "SNUG_DIRECT_URL": "postgresql+psycopg://cards@db/snug"}, data=tmp_path)
    assert pooled.is_pooled
    assert pooled.database_url == straight.database_url
    assert pooled.session_url == "postgresql+psycopg://cards@db/snug"


@pytest.mark.parametrize(("database", "direct"), [("", "postgresql://db/snug"), ("postgresql://pooler/snug", "db")])
def test_two_ways_to_one_database_are_both_to_postgresql(tmp_path: Path, database: str, direct: str) -> None:
    with pytest.raises(BadSettings, match="SNUG_DIRECT_URL"):
        read_settings({"SNUG_DATABASE_URL": database, "SNUG_DIRECT_URL": direct}, data=tmp_path)


def test_arguments_win_over_the_environment(tmp_path: Path) -> None:
    environ = {
        "SNUG_DATA": str(tmp_path / "a"),
        "SNUG_DATABASE_URL": "postgresql://a",
        "SNUG_DIRECT_URL": "postgresql://b",
    }
    settings = read_settings(environ, data=tmp_path / "b", database_url="sqlite:///b.db")
    assert settings.data == tmp_path / "b"
    assert settings.database_url == settings.session_url == "sqlite:///b.db"
    assert not (tmp_path / "a").exists()


def test_the_key_is_made_once_and_for_nobody_elses_eyes(tmp_path: Path) -> None:
    first, second = read_settings({}, data=tmp_path), read_settings({}, data=tmp_path)
    assert first.key == second.key
    assert len(first.key) >= 32
    assert stat.S_IMODE((tmp_path / "signing.key").stat().st_mode) == 0o600
    assert read_settings({}, data=tmp_path / "another").key != first.key


def test_the_data_folder_is_for_nobody_elses_eyes(tmp_path: Path) -> None:
    read_settings({}, data=tmp_path / "data")
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    read_settings({}, data=tmp_path)
    key = tmp_path / "signing.key"
    for mode in (0o644, 0o640, 0o604):
        key.chmod(mode)
        with pytest.raises(BadSettings, match="chmod 600"):
            read_settings({}, data=tmp_path)


def test_a_key_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    key = tmp_path / "signing.key"
    key.touch(0o600)
    with pytest.raises(BadSettings, match="too short"):
        read_settings({}, data=tmp_path)
    with pytest.raises(BadSettings, match="SNUG_SECRET_KEY is too short"):
        read_settings({"SNUG_SECRET_KEY": "secret"}, data=tmp_path)


@pytest.mark.parametrize(
    "key",
    ["k" * 64, "0123456789abcdef" * 2, "CHANGE_ME_TO_A_COMPLEX_RANDOM_SECRET", "my-very-own-secret-key-of-32-chars"],
)
def test_a_key_that_can_be_guessed_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(BadSettings, match="SNUG_SECRET_KEY can be guessed"):
        read_settings({"SNUG_SECRET_KEY": key}, data=tmp_path)
    (tmp_path / "signing.key").touch(0o600)
    (tmp_path / "signing.key").write_text(key)
    with pytest.raises(BadSettings, match=r"signing\.key can be guessed"):
        read_settings({}, data=tmp_path)


def test_no_key_is_made_for_a_database_in_which_somebody_played(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"signing\.key is missing"):
        read_settings({}, data=tmp_path, is_unused=lambda _url: False)
    assert not (tmp_path / "signing.key").exists()


@pytest.mark.parametrize("address", ["cards.example", "ftp://cards.example", "//cards.example", "javascript:alert(1)"])
def test_an_address_that_is_none_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(BadSettings, match="SNUG_PUBLIC_URL"):
        read_settings({"SNUG_PUBLIC_URL": address}, data=tmp_path)


@pytest.mark.parametrize("word", ["yes", "1", "", "ON"])
def test_a_switch_is_on_or_off(tmp_path: Path, word: str) -> None:
    with pytest.raises(BadSettings, match="SNUG_WEBHOOKS"):
        read_settings({"SNUG_WEBHOOKS": word}, data=tmp_path)


@pytest.mark.parametrize("word", ["on", "", "ANY"])
def test_pushes_go_to_known_services_or_to_any(tmp_path: Path, word: str) -> None:
    assert not read_settings({}, data=tmp_path).any_push
    with pytest.raises(BadSettings, match="SNUG_PUSH"):
        read_settings({"SNUG_PUSH": word}, data=tmp_path)


def test_the_log_is_text_or_json(tmp_path: Path) -> None:
    assert not read_settings({}, data=tmp_path).json_log
    assert read_settings({"SNUG_LOG": "json"}, data=tmp_path).json_log
    with pytest.raises(BadSettings, match="SNUG_LOG must be text or json"):
        read_settings({"SNUG_LOG": "xml"}, data=tmp_path)


def test_who_may_read_metrics_is_nobody_this_machine_or_who_has_a_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "0b5c1f9a7d3e2b4c6d8e0f1a2b3c4d5e0b5c1f9a7d3e2b4c6d8e0f1a2b3c4d5e"
    for given, metrics in (("off", ""), ("here", "here"), (token, token)):
        assert read_settings({"SNUG_METRICS": given}, data=tmp_path).metrics == metrics
    for weak in ("", "on", "a" * 64, "secret"):
        with pytest.raises(BadSettings, match="SNUG_METRICS must be off, here, or a token"):
            read_settings({"SNUG_METRICS": weak}, data=tmp_path)
    monkeypatch.setattr("app.settings.find_spec", lambda _name: None)
    assert read_settings({}, data=tmp_path).metrics == ""
    with pytest.raises(BadSettings, match="pip install"):
        read_settings({"SNUG_METRICS": "here"}, data=tmp_path)


def test_errors_are_posted_to_an_address_of_the_web(tmp_path: Path) -> None:
    assert read_settings({}, data=tmp_path).errors_to == ""
    assert read_settings({"SNUG_ERRORS": "https://a.example/x"}, data=tmp_path).errors_to == "https://a.example/x"
    with pytest.raises(BadSettings, match="SNUG_ERRORS must begin with") as refused:
        read_settings({"SNUG_ERRORS": "ftp://secret"}, data=tmp_path)
    assert "secret" not in str(refused.value)


def test_who_may_open_tables_is_one_of_three(tmp_path: Path) -> None:
    assert [read_settings({"SNUG_OPENERS": word}, data=tmp_path).openers for word in ("anyone", "known", "keeper")] == [
        "anyone",
        "known",
        "keeper",
    ]
    with pytest.raises(BadSettings, match="SNUG_OPENERS must be anyone or known or keeper"):
        read_settings({"SNUG_OPENERS": "me"}, data=tmp_path)


def test_limits_are_named_one_by_one(tmp_path: Path) -> None:
    assert read_settings({}, data=tmp_path).limits == Limits()
    given = read_settings({"SNUG_LIMITS": "connections=7, tables=9"}, data=tmp_path).limits
    assert given == Limits(connections=7, tables=9)


@pytest.mark.parametrize(
    "text", ["tables", "tables=", "tables=0", "tables=-1", "tables=x", "chairs=3", "tables=9999999999", "=4"]
)
def test_a_limit_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadSettings, match="SNUG_LIMITS"):
        read_settings({"SNUG_LIMITS": text}, data=tmp_path)


def test_after_how_many_days_the_room_forgets(tmp_path: Path) -> None:
    assert read_settings({}, data=tmp_path).forget_after == 30
    assert read_settings({"SNUG_FORGET_AFTER": "0"}, data=tmp_path).forget_after == 0
    for text in ("", "-1", "a month", "1e3", "1234567", "²"):
        with pytest.raises(BadSettings, match="SNUG_FORGET_AFTER"):
            read_settings({"SNUG_FORGET_AFTER": text}, data=tmp_path)


def test_how_many_processes_think(tmp_path: Path) -> None:
    assert read_settings({}, data=tmp_path).thinkers >= 1
    assert read_settings({"SNUG_THINKERS": "0"}, data=tmp_path).thinkers == 0
    for text in ("-1", "many", "1e3", "1234", "²"):
        with pytest.raises(BadSettings, match="SNUG_THINKERS"):
            read_settings({"SNUG_THINKERS": text}, data=tmp_path)
