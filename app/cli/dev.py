"""`snug dev`: the room for those who work on it. Code, templates and styles are read again when they change."""

import argparse
from functools import partial
from typing import Final

import uvicorn
from uvicorn.supervisors import ChangeReload

import snug
from app.cli.arguments import add_room, log_to_terminal
from app.paths import APP

DETAILS: Final = "Like serve, but it starts anew when code changes, reads templates and styles again, and is verbose."
add_arguments: Final = add_room


def run(arguments: argparse.Namespace) -> int:
    """Serves the room, and again after every change, until it is stopped."""
    config = uvicorn.Config("app", reload=True, reload_dirs=[str(APP), *snug.__path__], log_level="warning")
    ChangeReload(config, target=partial(_serve, arguments), sockets=[]).run()
    return 0


def _serve(arguments: argparse.Namespace, **_sockets: object) -> None:
    """In a process of its own, which alone loads the room."""
    from app.cli import serve
    from app.web.pages import static
    from app.web.pages.render import environment

    log_to_terminal()
    environment.auto_reload = True
    environment.globals["static"] = static.static_url.__wrapped__
    vars(static)["made_here"] = static.made_here.__wrapped__
    serve.run(arguments)
