"""Whoever is written for something that happens at a table is told of it."""

import inspect
import pkgutil
from importlib import import_module
from types import FunctionType

import app.services
from app.services.context import AppContext
from app.services.table.events import TableEvent


def test_every_event_has_a_listener_and_every_listener_is_named(context: AppContext) -> None:
    modules = [import_module(one.name) for one in pkgutil.walk_packages(app.services.__path__, "app.services.")]
    written = {
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, FunctionType) and one.__module__ == module.__name__ and _is_told(one)
    }
    told = context.handlers._handlers
    assert told.keys() == set(TableEvent.__subclasses__())
    assert written == {one for listeners in told.values() for one in listeners if one.__name__ != "<lambda>"}


def _is_told(one: FunctionType) -> bool:
    parameters = inspect.signature(one).parameters.values()
    return [inspect.isclass(each.annotation) and issubclass(each.annotation, TableEvent) for each in parameters] == [
        True
    ]
