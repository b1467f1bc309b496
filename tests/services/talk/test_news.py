"""What there is to read at a table besides its moves."""

from types import SimpleNamespace
from typing import Any

from app.services.talk.news import news_at


def test_the_host_sees_the_host_of_the_webhook_and_nothing_else_of_it() -> None:
    snapshot: Any = SimpleNamespace(row=SimpleNamespace(webhook="https://chat.example.org/hooks/secret"), messages=())
    assert news_at(snapshot, is_host=True).webhook == "chat.example.org"
    assert news_at(snapshot, is_host=False).webhook is None
