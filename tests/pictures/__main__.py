"""`make pictures`: every page and every game, at four sizes, light and dark, into the folder pictures/ with a contact
sheet, index.html; two runs give the same. ARGS are parts of the names of what is wanted, and options; `readme` renews
the pictures of README and documentation instead."""

import argparse
import base64
import os
import random
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from app.cli.upgrade import migrate
from app.settings import Settings
from snug.games import GAMES
from tests.pictures.scenes import Scene, Scenes
from tests.servers import Served, serving, stand_still

_SIZES = ("390x844", "360x640", "1280x800", "1920x1080")
_THEMES = ("dark", "light")
_NOW = 1_795_000_000.0
# No callouts for newcomers: they would lie over every table.
_COACHED = f"""for (const key of {list(GAMES)}) try {{ localStorage.setItem(`coached-${{key}}`, "yes"); }} catch {{}}"""
# A lazy picture in a closed panel would never be decoded.
_ALL_THERE = """() => {
  for (const one of document.images) one.loading = "eager";
  return Promise.allSettled([document.fonts.ready, ...[...document.images].map((one) => one.decode())]);
}"""
_PORT = 8473
_README = ("liverpool-many-melds", "lives-my-turn")  # on the laptop, and on the phone before it
_TWO = """<body style="margin: 0; background: none">
<img id="laptop" src="{laptop}" style="width: 1000px; border-radius: 10px; display: block">
<img id="phone" src="{phone}" style="position: absolute; right: 0; bottom: 0; height: 560px; border-radius: 22px;
     border: 6px solid #111">
<style>body {{ position: relative; width: 1090px; padding-bottom: 40px }}</style>"""
_AS_WEBP = """async ([source, quality]) => {
  const picture = await createImageBitmap(await (await fetch(source)).blob());
  const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas.toDataURL("image/webp", quality);
}"""


@contextmanager
def _room(port: int) -> Iterator[Served]:
    """A new room, served; its clock stands still, and chance is the same on every run."""
    os.environ.setdefault("PYTEST_CURRENT_TEST", "the pictures by hand")  # which the server deals by
    dice = random.Random("pictures")
    secrets.token_urlsafe = lambda nbytes=None: (
        base64.urlsafe_b64encode(dice.randbytes(nbytes or 32)).decode().rstrip("=")
    )
    secrets.choice = dice.choice
    with tempfile.TemporaryDirectory(prefix="snug-pictures-") as folder:
        url = f"sqlite:///{Path(folder) / 'snug.db'}"
        migrate(url)
        with serving(Settings(data=Path(folder), database_url=url, key=b"k" * 32), port=port) as room:
            stand_still(room.context, lambda: _NOW)
            yield room


def _open(page: Page, room: Served, scene: Scene) -> bool:
    """Opens the scene as who is to see it; whether there is such a page."""
    page.context.clear_cookies()
    if scene.guest:
        page.context.add_cookies([{"name": "snug", "value": scene.guest.token, "url": room.url}])
    answer = page.goto(room.url + scene.path)
    page.evaluate(_ALL_THERE)
    return bool(answer and (answer.ok or scene.name == "error"))


def _new_page(browser: Browser, size: str, language: str) -> Page:
    width, height = map(int, size.split("x"))
    context = browser.new_context(
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        has_touch=width < 600,
        color_scheme="dark",
        locale=language,
    )
    page = context.new_page()
    page.add_init_script(_COACHED)
    page.clock.set_fixed_time(_NOW)
    return page


def _dress(page: Page, theme: str) -> None:
    """Puts on the theme after the other one, so that all is drawn anew: what came bit by bit differs by a shade."""
    for one in (*(other for other in _THEMES if other != theme), theme):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", one)
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def _take(
    room: Served,
    browser: Browser,
    wanted: Sequence[str],
    sizes: Sequence[str],
    themes: Sequence[str],
    folder: Path,
    whole: bool,
    language: str,
) -> list[str]:
    """Takes the pictures, and gives the names of the scenes."""
    pages = {size: _new_page(browser, size, language) for size in sizes}
    taken = []
    for scene in Scenes(room.context).all(lambda name: not wanted or any(part in name for part in wanted)):
        for size, page in pages.items():
            if not _open(page, room, scene):
                print(f"{scene.name}: there is no {scene.path}", file=sys.stderr)
                break
            for theme in themes:
                _dress(page, theme)
                page.screenshot(path=folder / f"{scene.name}-{size}-{theme}.png", full_page=whole)
        else:
            taken.append(scene.name)
        for page in pages.values():
            page.goto("about:blank")  # nobody asks for news while the next scene is made
    return taken


def _contact_sheet(names: Sequence[str], sizes: Sequence[str], themes: Sequence[str]) -> str:
    """A page with everything on it."""
    rows = []
    for name in names:
        files = [f"{name}-{size}-{theme}.png" for theme in themes for size in sizes]
        pictures = "".join(f'<a href="{file}"><img loading="lazy" src="{file}" alt="{file}"></a>' for file in files)
        rows.append(f'<h2 id="{name}">{name}</h2><p>{pictures}')
    style = "body{font:16px sans-serif;background:#555;color:#fff}img{height:300px;margin:4px}a{color:#fff}"
    return f"<!doctype html><meta charset=utf-8><title>Pictures</title><style>{style}</style>{''.join(rows)}\n"


def _renew_documents(room: Served, browser: Browser) -> None:
    """The README's picture, a laptop's table with a phone's before it, and one of each game's lesson; as WebP."""
    page = browser.new_page(viewport={"width": 1090, "height": 700}, device_scale_factor=1.5)

    def shot(name: str, size: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            _take(room, browser, [name], [size], ["dark"], Path(folder), False, "en")
            return _address_of(Path(folder, f"{name}-{size}-dark.png").read_bytes())

    def keep(picture: str, path: str) -> None:
        coded = page.evaluate(_AS_WEBP, [picture, 0.8])
        Path(path).write_bytes(base64.b64decode(coded.partition(",")[2]))

    for key in GAMES:
        keep(shot(f"{key}-learn", "390x844"), f"docs/pictures/{key}.webp")
    laptop, phone = (shot(name, size) for name, size in zip(_README, ("1280x800", "390x844"), strict=True))
    page.set_content(_TWO.format(laptop=laptop, phone=phone))
    page.wait_for_function("[...document.images].every((one) => one.complete)")
    keep(_address_of(page.screenshot(full_page=True, omit_background=True)), "static/readme/tables.webp")


def _address_of(picture: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(picture).decode()


def main() -> None:
    """Takes what is asked for."""
    parser = argparse.ArgumentParser(prog="make pictures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of names, as life, lobby, my-turn; or readme")
    parser.add_argument("--sizes", default=",".join(_SIZES), help="as 390x844,1280x800")
    parser.add_argument("--themes", default=",".join(_THEMES), help="as dark")
    parser.add_argument("--whole", action="store_true", help="the whole page, not what is seen at first")
    parser.add_argument("--to", type=Path, default=Path("pictures"), metavar="DIR")
    parser.add_argument("--language", default="en", help="which the reader asks for, as de")
    parser.add_argument("--port", type=int, default=_PORT, help="it stands in links; 0 takes a free one")
    given = parser.parse_args()
    began = time.monotonic()
    with ExitStack() as stack:
        room = stack.enter_context(_room(given.port))
        chromium = stack.enter_context(sync_playwright()).chromium
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        if given.names == ["readme"]:
            _renew_documents(room, browser)
        else:
            given.to.mkdir(parents=True, exist_ok=True)
            sizes, themes = given.sizes.split(","), given.themes.split(",")
            names = _take(room, browser, given.names, sizes, themes, given.to, given.whole, given.language)
            (given.to / "index.html").write_text(_contact_sheet(names, sizes, themes))
            print(f"{len(names)} pages, {time.monotonic() - began:.0f} s: {given.to / 'index.html'}")
        browser.close()


if __name__ == "__main__":
    main()
