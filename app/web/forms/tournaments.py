"""The form for a tournament: what it offers, and the plan that it asks for."""

from typing import Any, Final

from starlette.datastructures import FormData

from app.engine.game import Game
from app.services.errors import Refused
from app.web.deps import number, text
from app.web.pages.render import HOSTED
from app.words import gettext

HOUSE, QUICK, SHORTEST = "0", "1", "shortest"
QUICKEST: Final = sorted(HOSTED, key=lambda key: HOSTED[key].minutes)
USUAL: Final[dict[str, Any]] = {
    "title": gettext("Card evening"),
    "format": "rotating",
    "games": QUICKEST[:1],
    **{f"rules_{key}": QUICK for key in HOSTED},
    "stages": "3",
    "size": "4",
    "players": "16",
    "rounds": "",
    "points": "beaten",
    "team_size": "1",
    "team_score": "scramble",
    "sit_out": "field",
    "late_until": "1",
    "drop_out": "bot",
    "advance": "2",
    "starts": "hand",
    "wait": "10",
    "bot_pace": "brisk",
    "clock": "off",
    "same_deal": False,
}
PRESETS: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    (gettext("New company"), gettext("Everybody meets everybody, as far as can be."), {}),
    (
        gettext("One table"),
        gettext("A series of short matches at one table."),
        {"format": "series", "players": "6", "stages": "4"},
    ),
    (gettext("Swiss"), gettext("You play those who stand beside you."), {"format": "swiss", "stages": "4"}),
    (
        gettext("Knockout"),
        gettext("The best two of each table go on."),
        {"format": "knockout", "stages": "1", "rounds": "1"},
    ),
    (gettext("Mixed"), gettext("Another game each stage."), {"games": QUICKEST[:3]}),
    (gettext("Teams of two"), gettext("Two share a score: the better one's."), {"team_size": "2"}),
)
CHOICES: Final[dict[str, tuple[str, tuple[tuple[str, str], ...]]]] = {
    "format": (
        gettext("Format"),
        (
            ("rotating", gettext("New company each stage")),
            ("swiss", gettext("Swiss: by standing")),
            ("knockout", gettext("Knockout by table")),
            ("series", gettext("A series at one table")),
        ),
    ),
    "points": (
        gettext("Points"),
        (("beaten", gettext("Share of opponents beaten")), ("raw", gettext("The games' own points"))),
    ),
    "team_score": (
        gettext("A team scores"),
        (
            ("scramble", gettext("as its best")),
            ("weakest", gettext("as its weakest")),
            ("sum", gettext("the sum")),
            ("mean", gettext("the mean")),
        ),
    ),
    "sit_out": (
        gettext("A stage sat out is worth"),
        (("field", gettext("everybody's mean")), ("own", gettext("one's own mean")), ("fixed", "0")),
    ),
    "drop_out": (
        gettext("When somebody leaves"),
        (
            ("bot", gettext("a bot plays on")),
            ("reserve", gettext("the reserve list")),
            ("frozen", gettext("the score is frozen")),
        ),
    ),
    "starts": (
        gettext("Stages start"),
        (
            ("hand", gettext("when I say so")),
            ("done", gettext("at once when all tables are done")),
            ("time", gettext("by time")),
        ),
    ),
    "bot_pace": (
        gettext("Bots play"),
        (("instant", gettext("at once")), ("brisk", gettext("briskly")), ("relaxed", gettext("like a person"))),
    ),
    "clock": (
        gettext("Turn clock"),
        (
            ("off", gettext("off")),
            ("relaxed", gettext("relaxed")),
            ("brisk", gettext("brisk")),
            ("days", gettext("days")),
        ),
    ),
}
NUMBERS: Final[dict[str, tuple[str, int, int]]] = {
    "stages": (gettext("Stages"), 1, 20),
    "size": (gettext("Players at a table"), 2, 8),
    "players": (gettext("Places"), 2, 256),
    "rounds": (gettext("Rounds or deals of a match, if not as chosen above"), 1, 20),
    "team_size": (gettext("Players in a team (1: no teams)"), 1, 8),
    "late_until": (gettext("People can enter until stage"), 1, 20),
    "advance": (gettext("Knockout: how many of a table go on"), 1, 5),
    "wait": (gettext("By time: minutes before each stage"), 1, 10080),
}


def counts_rounds(game: Game[Any]) -> bool:
    """Whether a match of this game is a number of rounds."""
    return "rounds" in game.options.__struct_fields__


def rules_offered(game: Game[Any]) -> tuple[tuple[str, str], ...]:
    """The ways to play a game that the form offers, each with its name: the game's presets, and its shortest match."""
    named = tuple((str(at), preset.name) for at, preset in enumerate(game.presets))
    return (*named, (SHORTEST, game.shortest.name)) if game.shortest else named


def plan_of(form: FormData) -> dict[str, Any]:
    """The plan that a form asks for: its games in turn, at tables as large as wished or as near to it as they allow.
    Raises Refused."""
    _check_fields(form)
    games = [key for key in HOSTED if key in form.getlist("games")]
    if not games:
        raise Refused("NO_GAME", "Choose at least one game.")
    plan: dict[str, Any] = {
        "format": text(form, "format"),
        "stages": [_stage(games[at % len(games)], form) for at in range(max(number(form, "stages"), len(games)))],
        "players": text(form, "players"),
        "points": text(form, "points"),
        "same_deal": "same_deal" in form,
        "sit_out": {"rule": text(form, "sit_out")},
        "late_until": text(form, "late_until"),
        "drop_out": text(form, "drop_out"),
        "advance": text(form, "advance"),
    }
    if number(form, "team_size") != 1:
        plan["teams"] = {"size": text(form, "team_size"), "score": text(form, "team_score")}
    return plan


def _check_fields(form: FormData) -> None:
    for name, (title, low, high) in NUMBERS.items():
        if not low <= number(form, name) <= high and not (name == "rounds" and not text(form, name).strip()):
            raise Refused(
                "BAD_NUMBER", "%(title)s: choose a number from %(low)s to %(high)s.", title=title, low=low, high=high
            )
    for name, (title, choices) in CHOICES.items():
        if text(form, name) not in dict(choices):
            raise Refused("BAD_CHOICE", "%(title)s: choose one from the list.", title=title)


def _stage(key: str, form: FormData) -> dict[str, Any]:
    game, chosen = HOSTED[key], text(form, f"rules_{key}", HOUSE)
    if chosen not in dict(rules_offered(game)):
        raise Refused("BAD_CHOICE", "%(title)s: choose one from the list.", title=game.name)
    preset = game.shortest if chosen == SHORTEST else game.presets[int(chosen)]
    options = dict(preset.options) if preset else {}
    if counts_rounds(game) and text(form, "rounds").strip():
        options["rounds"] = number(form, "rounds")
    low, high = game.seats
    return {"game": key, "options": options, "size": min(max(number(form, "size"), low), high)}
