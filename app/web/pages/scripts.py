"""Scripts as browsers get them: each in `static/` with the modules that it is cut into, which lie in the folder of its
name, as one file. A page has them all by one request, and the address of a script changes with each of its modules."""

import re
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[\w./-]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_UNREAD: Final = re.compile(r"^import [^(].*", re.MULTILINE)
_UNTOLD: Final = re.compile(r"^export\b.*", re.MULTILINE)


def joined(script: Path) -> bytes:
    """A script after the modules that it imports: each once, in a scope of its own, behind those that it needs."""
    modules: dict[Path, str] = {}
    text = _with_names(script, modules, (script,))
    return "".join([*modules.values(), text]).encode()


def _with_names(file: Path, modules: dict[Path, str], way: tuple[Path, ...]) -> str:
    """The text of a file whose imports are taken from modules before it."""

    def taken(imported: re.Match[str]) -> str:
        module = (file.parent / imported[2]).resolve()
        if module.parent != way[0].with_suffix("").resolve():
            raise ValueError(f"{file.name} imports {imported[2]}, which is no module of {way[0].name}")
        if module in way:
            raise ValueError(
                f"{module.name} imports itself by {', '.join(one.name for one in way[way.index(module) :])}"
            )
        if module not in modules:
            modules[module] = _module(module, modules, (*way, module))
        names = (imported[1] or "").replace(" as ", ": ")
        return f"const {{{names}}} = ${module.stem};\n" if names else ""

    text = _IMPORT.sub(taken, file.read_text(encoding="utf-8"))
    unread = _UNREAD.search(text)
    if unread:
        raise ValueError(
            f"{file.name}: names are imported one by one, by the path of their module, not so: {unread[0]}"
        )
    return text


def _module(file: Path, modules: dict[Path, str], way: tuple[Path, ...]) -> str:
    text = _with_names(file, modules, way)
    plain = _EXPORT.sub("", text)
    untold = _UNTOLD.search(plain)
    if untold:
        raise ValueError(
            f"{file.name}: exported are functions, constants and classes, by the word before them, not so: {untold[0]}"
        )
    return f"const ${file.stem} = (() => {{\n{plain}return {{ {', '.join(_EXPORT.findall(text))} }};\n}})();\n"
