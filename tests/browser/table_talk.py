"""What people do at a table, by the page alone: what is on it is what they can click."""

from playwright.sync_api import Page, expect


def open_table(page: Page, name: str, seats: int, **rules: str | bool) -> str:
    """Opens a table from the lobby: of Lucky Paw, or of the game with the key `game`; the other `rules` are form
    fields. Gives the invite link."""
    game = rules.pop("game", "lucky_paw")
    page.goto("/")
    page.locator(f"#game-{game}").get_by_role("link", name="With friends").click()
    page.get_by_label("Your nickname").fill(name)
    page.locator(f"#seats-{seats}").click()
    if rules:
        page.locator("#rules-form > summary").click()
    for field, value in rules.items():
        box = page.locator(f"#field-{field}")
        if isinstance(value, bool):
            box.set_checked(value)
        else:
            box.select_option(value)
    page.get_by_role("button", name="Open the table").click()
    return page.locator("#invite-url").input_value()


def sit_down(page: Page, link: str, name: str, seat: int) -> None:
    """Opens the invite link and takes a seat."""
    page.goto(link)
    page.get_by_label("Your nickname").fill(name)
    page.locator(f"#sit-{seat}").click()
    expect(page.locator(f"#seat-{seat}")).to_contain_text("you")


def stage_of(page: Page) -> str:
    """gathering, playing, scores or finished."""
    kinds = page.locator("#live").get_attribute("class") or ""
    return kinds.split("at-")[1].split()[0]


def is_my_turn(page: Page) -> bool:
    """What the page says."""
    return page.locator("#live").get_attribute("data-my-turn") == "true"


def version_of(page: Page) -> str:
    """The table's version that the page shows."""
    return page.locator("#live").get_attribute("data-version") or ""


def put_sheets_away(page: Page) -> None:
    """Closes the panel that lies over the table on a phone."""
    sheet = page.locator(".felt > .side > details[open]")
    if sheet.count() and sheet.first.evaluate("one => getComputedStyle(one).position") == "fixed":
        sheet.first.locator("summary").first.click()


def make_a_move(page: Page) -> bool:
    """Plays the first card that can be played, else passes; whether a stack was chosen for it."""
    put_sheets_away(page)
    if page.locator("button.now").count():
        page.locator("button.now").first.click()
    elif page.locator(".pick input").count():
        radio = page.locator(".pick input").first
        stack = radio.get_attribute("value")
        page.locator(f"label[for=pick-{stack}]").click()
        page.locator(f".fit-{stack} button").first.click()
        return True
    else:
        page.locator("#pass").click()
    return False


def play_from_hand(page: Page, number: int = 0) -> None:
    """Clicks a card of the hand that plays at once, on its corner: the rest may lie under the next card."""
    page.locator(".hand button.now").nth(number).click(position={"x": 13, "y": 22})


def open_notices(page: Page) -> None:
    """Opens what may make itself heard: within "This table" while a round is played."""
    if page.locator("#about #notices").count() and not page.locator("#about[open]").count():
        page.locator("#about > summary").click()
    if not page.locator("#notices[open]").count():
        page.locator("#notices > summary").click()


def to_next_step(page: Page) -> None:
    """Goes on in a form of steps; on the first of them the way to the others is folded away."""
    folded = page.locator("#more-formats:not([open]) > summary")
    if folded.count():
        folded.click()
    step = page.locator("#next").get_attribute("value")
    page.locator("#next").click()
    expect(page.locator("#previous")).to_have_attribute("value", str(int(step or 0) - 1))
