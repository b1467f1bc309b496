"""A room whose tables have one setting more, planted into its declaration and nowhere else: a plugin for pytest."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

NAME: Final = "quiet_before"
TITLE: Final = "Nobody may talk before the deal"
_MODULE: Final = "app.services.table.settings"
_LAST: Final = "\n\n\nSILENT"
_PLANT: Final = f'''
    {NAME}: Annotated[bool, Meta(title=gettext_noop("{TITLE}"))] = False
'''


class _Planted(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        source = Path(self.path).read_text()
        assert (fullname, source.count(_LAST)) == (_MODULE, 1)
        return compile(source.replace(_LAST, _PLANT + _LAST), self.path, "exec", dont_inherit=True)


class _Finder:
    """Finds the declaration with what is planted."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Where the module is; None for any other one."""
        spec = PathFinder.find_spec(name, path, target) if name == _MODULE else None
        if spec and spec.origin:
            spec.loader = _Planted(name, spec.origin)
        return spec


assert _MODULE not in sys.modules
sys.meta_path.insert(0, _Finder())
