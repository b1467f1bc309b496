"""The room for those who work on it."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli import dev, serve
from app.cli.parser import main
from app.web.pages import static
from app.web.pages.render import environment
from app.web.pages.static import made_here, static_url


class Reload:
    """Stands in for the supervisor: the room is served once, in this process."""

    def __init__(self, config: Any, target: Callable[..., None], sockets: list[Any]) -> None:
        assert config.should_reload
        self.run = lambda: target(sockets=sockets)


def test_code_templates_and_styles_are_read_again_for_developers_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert not environment.auto_reload
    assert environment.globals["static"] is static_url
    opened: list[tuple[Path, bool]] = []
    monkeypatch.setattr(dev, "ChangeReload", Reload)
    monkeypatch.setattr(serve, "run", lambda asked: opened.append((asked.data, environment.auto_reload)))
    monkeypatch.setattr(environment, "auto_reload", False)
    monkeypatch.setattr(static, "made_here", made_here)
    monkeypatch.setitem(environment.globals, "static", static_url)
    caplog.set_level(logging.NOTSET, "app")
    assert main(["dev", "--data", "here"]) == 0
    assert opened == [(Path("here"), True)]
    assert environment.globals["static"] is static_url.__wrapped__
    assert static.made_here is made_here.__wrapped__
    assert logging.getLogger("app").level == logging.INFO
