"""What is built on the private parts of a library is pinned to the releases that have them."""

import ast
import inspect
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.web.middleware import http_connection

_PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_uvicorn_has_a_ceiling_as_long_as_its_private_methods_are_overridden() -> None:
    tree = ast.parse(inspect.getsource(http_connection))
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    private = {name for name in names if name.startswith("_") and name in vars(HttpToolsProtocol)}
    assert private == {"_start_asgi_task", "_unset_keepalive_if_required"}
    (uvicorn,) = (found for found in map(Requirement, _PROJECT["dependencies"]) if found.name == "uvicorn")
    assert "0.54.0" in uvicorn.specifier
    assert "0.55.0" not in uvicorn.specifier
