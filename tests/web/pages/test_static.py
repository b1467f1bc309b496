"""The stylesheets: what may stand in which, and how pages get them."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

import snug.games
from app.paths import STATIC
from app.web.pages.render import environment
from app.web.pages.static import _REMARKS, made_here
from snug.games import GAMES

_EMBLEM = '{% from "_icons.html" import emblem %}{{ emblem(key) }}'

_SHEETS = [*(STATIC / "css").glob("*.css"), *(STATIC.parent / "snug" / "games").glob("*/game.css")]
_COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\("
    r"|\b(?:black|white|gr[ae]y|silver|red|green|blue|yellow|orange|gold|brown|purple|pink|navy|teal|tan|beige|ivory)\b",
    re.IGNORECASE,
)


def _text(sheet: Path) -> str:
    """A stylesheet without comments."""
    return re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)


def _declarations(sheet: Path) -> list[tuple[str, str]]:
    """Every property with its value, without strings and the names of tokens."""
    found = re.findall(r"(?<=[{;])\s*([\w-]+)\s*:\s*([^;{}]+)(?=[;}])", re.sub(r'"[^"]*"', "", _text(sheet)))
    return [(name, re.sub(r"--[\w-]+", "", value)) for name, value in found]


def _blocks(text: str) -> dict[str, str]:
    """The outermost blocks: what stands before the brace, and what within."""
    blocks, depth, start = {}, 0, 0
    for brace in re.finditer(r"[{}]", text):
        if brace[0] == "{":
            depth += 1
            if depth == 1:
                head, inside = text[start : brace.start()].strip(), brace.end()
        else:
            depth -= 1
            if depth == 0:
                blocks[head], start = text[inside : brace.start()], brace.end()
    return blocks


def _name(sheet: Path) -> str:
    return f"{sheet.parent.name}-{sheet.stem}"


@pytest.mark.parametrize("sheet", _SHEETS, ids=_name)
def test_nothing_is_forced_and_people_choose_the_size_of_the_text(sheet: Path) -> None:
    assert "!important" not in _text(sheet)
    assert not re.findall(r"@media[^{]*\d(?:px|rem)\b", _text(sheet))
    values = _declarations(sheet)
    assert values
    assert not [one for one in values if re.match(r"font(-size)?$", one[0]) and re.search(r"\dp[xt]\b", one[1])]
    hairlines = [float(size) for _name, value in values for size in re.findall(r"([\d.]+)px", value)]
    assert max(hairlines, default=0) <= 3


@pytest.mark.parametrize("sheet", _SHEETS, ids=_name)
def test_no_style_of_the_page_hangs_on_what_lies_somewhere_in_it_or_later_beside_it(sheet: Path) -> None:
    """Or the styles of the whole page are worked out anew at each update: two thirds of what they cost a phone."""
    assert not re.findall(r"body:has\(|:has\(~", _text(sheet))
    tables = "|".join(["felt", *(key.replace("_", "-") for key in GAMES)])
    assert not re.findall(rf"\.(?:{tables})\b[^\s,{{]*:has\([^{{,]*\) [^{{,]+", _text(sheet))


@pytest.mark.parametrize("sheet", _SHEETS, ids=_name)
def test_colours_stand_beside_the_tokens_alone(sheet: Path) -> None:
    colours = [one for one in _declarations(sheet) if _COLOUR.search(one[1])]
    assert bool(colours) == (sheet.stem == "tokens"), colours


@pytest.mark.parametrize("sheet", _SHEETS, ids=_name)
def test_every_rule_is_in_a_layer_and_a_game_s_within_the_game(sheet: Path) -> None:
    blocks = _blocks(_text(sheet).strip().removeprefix("@layer tokens, base, components, pages, game, last;"))
    assert len(blocks) == 1
    ((layer, rules),) = blocks.items()
    assert layer.startswith("@layer ")
    if sheet.stem == "game":
        key = sheet.parent.name
        assert layer == "@layer game"
        assert [head for head in _blocks(rules) if not head.startswith(f"@keyframes {key}-")] == [
            f'[data-game="{key}"]'
        ]


@pytest.mark.parametrize("key", GAMES)
def test_a_game_s_styles_come_with_its_pages_alone(client: TestClient, key: str) -> None:
    def sheets(page: str) -> list[str]:
        return re.findall(r'rel="stylesheet" href="([^"]+)"', client.get(page).text)

    shared, own = sheets(f"/rules/{key}")
    assert sheets("/new/" + key) == [shared]
    assert own.startswith(f"/static/games/{key}.css?v=")
    answer = client.get(own)
    assert f'[data-game="{key}"]' in answer.text
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert f'data-game="{key}"' in client.get(f"/rules/{key}").text


@pytest.mark.parametrize("key", GAMES)
def test_a_game_s_emblem_is_a_picture_of_its_own(client: TestClient, key: str) -> None:
    (address,) = re.findall(r'class="emblem" src="([^"]+)"', str(environment.from_string(_EMBLEM).render(key=key)))
    answer = client.get(address)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.content == (Path(snug.games.__file__).parent / key / "emblem.svg").read_bytes()
    drawing = ElementTree.fromstring(answer.text)
    assert drawing.get("viewBox") == "0 0 64 64"
    assert not [one for one in drawing.iter() if one.tag.endswith(("style", "script")) or "style" in one.attrib]
    assert int(answer.headers["content-length"]) < 900


def test_a_game_without_an_emblem_has_the_room_s(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("app.web.pages.static.files", lambda _package: tmp_path)
    made = made_here.__wrapped__()
    assert made["games/life.svg"] == (STATIC / "emblem.svg").read_bytes()
    assert made["games/life.css"] == b""


@pytest.mark.parametrize("path", ["site.css", "snug.js", "cards.svg", "games/life.svg"])
def test_texts_go_compressed_to_browsers_that_take_them_so(client: TestClient, path: str) -> None:
    plain = client.get(f"/static/{path}", headers={"Accept-Encoding": "identity"})
    packed = client.get(f"/static/{path}", headers={"Accept-Encoding": "br, gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert plain.headers["etag"] != packed.headers["etag"]
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    known = {"If-None-Match": packed.headers["etag"], "Accept-Encoding": "gzip"}
    assert client.get(f"/static/{path}", headers=known).status_code == 304


def test_every_colour_is_sent_for_both_lights_in_words_that_old_browsers_know(client: TestClient) -> None:
    sent = client.get("/static/site.css").text
    usual, more = (
        re.findall(r"(--[\w-]+): light-dark\(([^,]+), ([^)]+)\);", part)
        for part in (STATIC / "css" / "tokens.css").read_text("utf-8").split(':root[data-contrast="more"]')
    )
    assert len(usual) > 40
    assert len(more) > 20
    assert "light-dark(" not in sent
    sent, _, with_more_contrast = sent.partition("@media screen {")
    for name, light, dark in usual:
        first, *_, one, two, three = re.findall(rf"{name}: ([^;]+);", sent)
        assert (first, one, two, three) == (dark, light, light, light)
    for name, light, dark in more:
        assert re.findall(rf"{name}: ([^;]+);", with_more_contrast) == 2 * [dark, light, light]


def test_what_stands_between_two_remarks_is_sent() -> None:
    written = b"  /** @type {A} */ (one)();\nlet two;\n/** of three */\nlet three; // and so on\n"
    assert _REMARKS[".js"].sub(b"", written) == b"  (one)();\nlet two;\nlet three; // and so on\n"
    assert _REMARKS[".css"].sub(b"", b"/* a */ b {}\nc {}\n/* d */\n") == b"/* a */ b {}\nc {}\n"


def test_remarks_are_not_sent(client: TestClient) -> None:
    assert "/*" not in client.get("/static/site.css").text
    assert not any("/*" in client.get(f"/static/games/{key}.css").text for key in GAMES)
    for script in STATIC.glob("*.js"):
        sent = client.get(f"/static/{script.name}").text
        assert "/**" not in sent
        assert not [line for line in sent.splitlines() if line.lstrip().startswith("//")]
    written = (STATIC / "home.js").read_text().splitlines()
    sent = client.get("/static/home.js").text
    assert sent.splitlines() == [line for line in written if not line.lstrip().startswith("//")]
    assert len(sent.splitlines()) < len(written)


@pytest.mark.parametrize(
    "path", ["../app/main.py", "%2e%2e/pyproject.toml", "css", "nothing.js", "css/../../README.md"]
)
def test_nothing_but_static_files_is_there(client: TestClient, path: str) -> None:
    assert client.get(f"/static/{path}").status_code == 404


def test_the_first_view_of_a_table_is_small(client: TestClient) -> None:
    table = client.post("/tables", data={"game": "lucky_paw", "name": "Ann", "seats": "2"}).headers["location"]
    page = client.get(table, headers={"Accept-Encoding": "gzip"})
    sizes = {table: int(page.headers["content-length"])}
    drawn = {f"/static/{name}" for name in ("cards.svg", "felt.png", "wood.png")}
    for path in drawn | {*re.findall(r'(?:href|src)="(/static/[^"#?]*)', page.text)}:
        sizes[path] = int(client.get(path, headers={"Accept-Encoding": "gzip"}).headers["content-length"])
    sizes["font"] = (STATIC / "vendor/fraunces/fraunces-latin-700-normal.woff2").stat().st_size
    assert sum(sizes.values()) < 120_000, sizes
