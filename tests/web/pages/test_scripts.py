"""Scripts are cut into modules, and sent whole."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.paths import STATIC
from app.web.pages import static
from app.web.pages.scripts import joined

_SCRIPTS = sorted(path.name for path in STATIC.glob("*.js"))


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Writes a script and its modules; gives the script."""

    def write(**texts: str) -> Path:
        (tmp_path / "room").mkdir(exist_ok=True)
        for name, text in texts.items():
            (tmp_path / ("room.js" if name == "room" else f"room/{name}.js")).write_text(text)
        return tmp_path / "room.js"

    return write


def _said(script: Path) -> list[str]:
    """What Node prints when it runs a script as it is sent."""
    if not shutil.which("node"):
        pytest.skip("The joined script was not run: apt install nodejs")
    text = joined(script)
    return (
        subprocess.run(["node", "--input-type=module"], input=text, capture_output=True, check=True)
        .stdout.decode()
        .splitlines()
    )


def test_a_module_runs_once_behind_what_it_needs_and_keeps_its_names_to_itself(written: Callable[..., Path]) -> None:
    table = """
let it = 0;
console.log("table");
export const count = () => it;
export function step() {
  it += 1;
}
"""
    door = """import { step } from "./table.js";
const it = 2;
step();
console.log("door", it);
"""
    room = """import "./room/door.js";
import { count, step as go } from "./room/table.js";
const it = 1;
go();
console.log(it, count());
"""
    script = written(room=room, door=door, table=table)
    assert _said(script) == ["table", "door 2", "1 2"]


@pytest.mark.parametrize(
    ("room", "door", "sentence"),
    [
        ('import "./hall/door.js";\n', "", "no module of room.js"),
        ('import "./room/door.js";\n', 'import "./door.js";\n', "imports itself"),
        ('import "./room/door.js";\n', "export let open = true;\n", "export let open"),
        ('import "./room/door.js";\n', "export default 1;\n", "export default 1"),
        ('import "./room/door.js";\n', 'import * as all from "./wall.js";\n', "import * as all"),
    ],
)
def test_what_cannot_be_joined_is_refused(written: Callable[..., Path], room: str, door: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        joined(written(room=room, door=door))


@pytest.mark.parametrize("name", _SCRIPTS)
def test_a_script_is_sent_whole(client: TestClient, name: str) -> None:
    sent = client.get(static.static_url(name))
    assert sent.headers["content-type"].startswith("text/javascript")
    assert "immutable" in sent.headers["cache-control"]
    assert not re.search(r"^import [^(]", sent.text, re.MULTILINE)
    for module in (STATIC / name.removesuffix(".js")).glob("*.js"):
        assert sent.text.count(f"const ${module.stem} = ") == 1, f"{module.name} is imported by nothing"


def test_a_script_has_another_address_when_one_of_its_modules_changes(
    written: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def address() -> str:
        scripts = {"room.js": joined(tmp_path / "room.js")}
        monkeypatch.setattr(static, "made_here", lambda: scripts)
        return static.static_url.__wrapped__("room.js")

    door = {"door": 'import { word } from "./table.js";\nconsole.log(word);\n'}
    written(room='import "./room/door.js";\n', table='export const word = "one";\n', **door)
    before = address()
    assert address() == before
    written(table='export const word = "two";\n')
    assert address() != before
