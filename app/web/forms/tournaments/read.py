"""What the form for a tournament asks for: its plan and its conditions; and the form that a tournament would have."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from starlette.datastructures import FormData

from app.services.errors import Refused, ServiceError
from app.services.players.names import clean_line
from app.services.tournaments.conditions import Conditions, moment_words, read_moment
from app.web.deps import text, whole
from app.web.forms.clocks import HOURS, hours_texts
from app.web.forms.tournaments.fields import (
    ANOTHER,
    FIELDS,
    LAST,
    MOST_ROUNDS,
    PLAN_FIELDS,
    ROUNDS,
    SHORTEST,
    USUAL,
    is_asked,
    is_needed,
    is_offered,
    step_of,
)
from app.web.pages.render import HOSTED
from snug.engine.game import Game
from snug.tournament.plan import PaperGame, Plan, size_near
from snug.words import Message, gettext

HOUSE: Final = "0"
_LONGEST_NAME: Final = 40
_TIES: Final = [tie for tie, _ in FIELDS["ties"].choices]
_AWARDS: Final = ("sit_out", "missed")
_OF_PLAN: Final = [
    field.name
    for field in PLAN_FIELDS
    if field.name in Plan.__struct_fields__ and field.name not in (*_AWARDS, "ties", "format", "stages")
]
_FIELD_OF: Final = {
    "NO_GAME": "games",
    "NAME_EMPTY": "name",
    "BAD_SEATS": "players",
    "SERIES_TOO_BIG": "players",
    "TOO_MANY_TO_MEET": "players",
    "TABLES_OF_TWO": "games",
    "GROUPS_TOO_SMALL": "group_count",
    "NOBODY_GOES_OUT": "advance",
    "KNOCKOUT_LATE": "late_until",
    "MIXED_SCALES": "points",
    "MISSED_PAYS": "missed",
    "TEAMS_SET": "team_size",
    "BAD_PLAN": "late_until",
    "BAD_FIRST_AT": "first_at",
    "BAD_FIRST_COUNT": "first_count",
    "BAD_HOURS": "opens",
    "BAD_ZONE": "zone",
}


class BadField(Refused):
    """A `field` of the form holds what cannot be."""

    def __init__(self, field: str, sentence: Message) -> None:
        super().__init__("BAD_FIELD", sentence)
        self.field = field


def field_of(error: ServiceError) -> str:
    """The field that a refusal is about, empty if it is about none."""
    return error.field if isinstance(error, BadField) else _FIELD_OF.get(error.code, "")


def rules_offered(game: Game[Any]) -> tuple[tuple[str, str], ...]:
    """The ways to play a game that the form offers, each with its name: the game's presets, and its shortest match."""
    named = tuple((str(at), preset.name) for at, preset in enumerate(game.presets))
    return (*named, (SHORTEST, game.shortest.name)) if game.shortest else named


def values_of(form: FormData) -> dict[str, Any]:
    """What a form holds, field by field; what it leaves out is as usual, but a switch is off."""
    values: dict[str, Any] = {
        "name": text(form, "name"),
        "games": [key for key in (*HOSTED, ANOTHER) if key in form.getlist("games")],
    }
    for name, usual in USUAL.items():
        if isinstance(usual, bool):
            values[name] = name in form
        elif isinstance(usual, str):
            values[name] = text(form, name, usual)
    if not is_offered("drop_out", values["drop_out"], values):
        values["drop_out"] = "frozen"
    return values


def check(values: Mapping[str, Any], step: int) -> None:
    """Raises BadField for the first field of this step that holds what cannot be."""
    for mistake in mistakes(values, step):
        raise mistake


def mistakes(values: Mapping[str, Any], step: int) -> Iterator[BadField]:
    """Every field of this step that holds what cannot be."""
    if step == 1 and not values["title"].strip():
        yield BadField("title", gettext("Please give the tournament a name."))
    fields = [field for name, field in FIELDS.items() if step_of(name) == step]
    for field in fields:
        if field.kind == "choice" and values[field.name] not in dict(field.choices):
            yield _not_offered(field.name, field.title)
    if step == 1:
        yield from _mistakes_of_games(values)
    if step == 1 and values["rounds"].strip():
        yield from _mistake_of_number("rounds", ROUNDS, 1, MOST_ROUNDS, values)
    for field in fields:
        if field.kind == "number" and is_needed(field.name, values):
            yield from _mistake_of_number(field.name, field.title, field.low, field.high, values)


def _mistakes_of_games(values: Mapping[str, Any]) -> Iterator[BadField]:
    if not values["games"]:
        yield BadField("games", gettext("Choose at least one game."))
    if ANOTHER in values["games"]:
        name = _another_name(values)
        if not name:
            yield BadField("another_name", gettext("Please give the game a name."))
        if len(name) > _LONGEST_NAME:
            too_long = gettext("Please say it in %(longest)s characters at most.", longest=_LONGEST_NAME)
            yield BadField("another_name", too_long)
    for key in values["games"]:
        if key != ANOTHER and values[f"rules_{key}"] not in dict(rules_offered(HOSTED[key])):
            yield _not_offered(f"rules_{key}", HOSTED[key].name)


def _not_offered(name: str, title: str) -> BadField:
    return BadField(name, gettext("%(title)s: choose one from the list.", title=title))


def _mistake_of_number(name: str, title: str, low: int, high: int, values: Mapping[str, Any]) -> Iterator[BadField]:
    if not low <= whole(values[name]) <= high:
        wanted = gettext("%(title)s: choose a number from %(low)s to %(high)s.", title=title, low=low, high=high)
        yield BadField(name, wanted)


def plan_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The plan that the form asks for: its games in turn, at tables as near to the wish as can be. Raises BadField."""
    for step in range(1, LAST + 1):
        check(values, step)
    games, format = values["games"], values["format"]
    plan: dict[str, Any] = {
        "format": format,
        "stages": [_stage(games[at % len(games)], values) for at in range(max(_stages(values), len(games)))],
        "ties": [values["ties"], *(tie for tie in _TIES if tie != values["ties"])],
    }
    plan |= {name: {"rule": _of_format(name, values)} for name in _AWARDS}
    plan |= {name: _of_format(name, values) for name in _OF_PLAN}
    last = whole(values["group_stages"]) if format == "groups" else len(plan["stages"])
    if plan["late_until"] == USUAL["late_until"]:  # as far as there are stages to come late for
        plan["late_until"] = min(whole(plan["late_until"]), last if is_asked("late_until", values) else 1)
    if format == "groups":
        plan["groups"] = {name: values[f"group_{name}"] for name in ("count", "stages", "through")}
    if is_asked("team_size", values) and whole(values["team_size"]) != 1:
        plan["teams"] = {"size": values["team_size"], "score": values["team_score"]}
        if is_needed("team_best", values):
            plan["teams"]["best"] = values["team_best"]
    return plan


def conditions_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The conditions that the form asks for. Raises Refused."""
    conditions: dict[str, Any] = {name: values[name] for name in HOURS}
    for name in Conditions.__struct_fields__:
        if name in FIELDS and name in values and is_needed(name, values):
            conditions[name] = values[name]
    conditions["zone"] = values["zone"].strip() or "UTC"
    if "first_at" in conditions:
        conditions["first_at"] = read_moment(values["first_at"], conditions["zone"])
    return conditions


def form_of(name: str, plan: Plan, conditions: Conditions) -> dict[str, Any]:
    """The form as it would have to be filled in for this tournament."""
    games = list(dict.fromkeys(stage.game if isinstance(stage.game, str) else ANOTHER for stage in plan.stages))
    values = {**USUAL, "title": name, "games": games, "format": plan.format, **_rules(plan)}
    values |= {name: _as_sent(getattr(plan, name)) for name in _OF_PLAN}
    values |= {name: getattr(plan, name).rule for name in _AWARDS}
    for field in Conditions.__struct_fields__:
        if field in values and getattr(conditions, field) is not None:
            values[field] = _as_sent(getattr(conditions, field))
    values |= {"size": str(max(stage.size for stage in plan.stages)), "stages": str(len(plan.stages))}
    values["ties"] = plan.ties[0] if plan.ties else USUAL["ties"]
    if plan.groups:
        values |= {f"group_{field}": str(getattr(plan.groups, field)) for field in ("count", "stages", "through")}
    if plan.teams:
        values |= {"team_size": str(plan.teams.size), "team_score": plan.teams.score}
        if plan.teams.score == "best":
            values["team_best"] = str(plan.teams.best)
    for another in (stage.game for stage in plan.stages if isinstance(stage.game, PaperGame)):
        values |= {f"another_{field}": _as_sent(value) for field, value in msgspec.structs.asdict(another).items()}
    if conditions.first_at is not None:
        values["first_at"] = moment_words(conditions.first_at, conditions.zone)
    return values | hours_texts(conditions.hours) | {"zone": conditions.zone}


def _as_sent(value: Any) -> Any:
    return value if isinstance(value, bool) else str(value)


def _of_format(field: str, values: Mapping[str, Any]) -> Any:
    return values[field] if is_asked(field, values) else USUAL[field]


def _stages(values: Mapping[str, Any]) -> int:
    if values["format"] == "groups":
        return whole(values["group_stages"]) + 1
    return whole(values["stages"]) if is_asked("stages", values) else 1


def _preset(game: Game[Any], chosen: str) -> dict[str, Any]:
    preset = game.shortest if chosen == SHORTEST else game.presets[int(chosen)]
    return dict(preset.options) if preset else {}


def _stage(key: str, values: Mapping[str, Any]) -> dict[str, Any]:
    if key == ANOTHER:
        paper = PaperGame(_another_name(values), values["another_lowest_wins"], whole(values["another_minutes"]))
        size = size_near(whole(values["size"]), paper, values["format"])
        return {"game": msgspec.to_builtins(paper), "size": size}
    game = HOSTED[key]
    options = _preset(game, values[f"rules_{key}"])
    if "rounds" in game.options.__struct_fields__ and values["rounds"].strip():
        options["rounds"] = whole(values["rounds"])
    return {"game": key, "options": options, "size": size_near(whole(values["size"]), game, values["format"])}


def _another_name(values: Mapping[str, Any]) -> str:
    return clean_line(values["another_name"], "NFC", marks=1)


def _rules(plan: Plan) -> dict[str, str]:
    """How each game is played, of the ways that the form offers, and the rounds where those are other ones."""
    values: dict[str, str] = {}
    for stage in plan.stages:
        if isinstance(stage.rules, PaperGame):
            continue
        ways = {value: _preset(stage.rules, value) for value, _ in rules_offered(stage.rules)}
        same = [way for way, options in ways.items() if options == stage.options]
        but_rounds = [
            way for way, options in ways.items() if _without_rounds(options) == _without_rounds(stage.options)
        ]
        values[f"rules_{stage.game}"] = next(iter((*same, *but_rounds)), HOUSE)
        if not same and but_rounds and "rounds" in stage.options:
            values["rounds"] = str(stage.options["rounds"])
    return values


def _without_rounds(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "rounds"}
