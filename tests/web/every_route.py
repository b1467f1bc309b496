"""Every route of the application, taken from its routers, with what a browser would send there."""

from collections.abc import Iterator
from typing import Any

from starlette.routing import Mount
from starlette.types import ASGIApp

from tests.factories import GAME
from tests.servers import application_of

# What an honest form of each route sends. A route that is missing here fails the tests that try them all.
FIELDS: dict[str, dict[str, str]] = {
    "/code": {"code": "{code}"},
    "/tables": {"game": GAME, "name": "Mallory", "seats": "3", "rounds": "2", "watchers": "open"},
    "/play-now": {"game": GAME},
    "/preferences": {"deck": "two", "back": "/"},
    "/s/{token}": {},
    "/me/name": {"nickname": "Mallory"},
    "/me/recovery": {"sure": "yes"},
    "/me/recovery/revoke": {"sure": "yes"},
    "/me/sign-out": {"sure": "yes"},
    "/me/sign-out-elsewhere": {"sure": "yes"},
    "/me/delete": {"sure": "yes"},
    "/r/{token}": {},
    "/t/{slug}/moves": {"move": "pass", "seen": "{version}"},
    "/t/{slug}/why": {"move": "pass"},
    "/t/{slug}/hint": {},
    "/t/{slug}/hand": {"by": "rank"},
    "/t/{slug}/orders": {"cancel": "yes"},
    "/t/{slug}/sit": {"number": "3", "name": "Mallory"},
    "/t/{slug}/leave": {},
    "/t/{slug}/bot": {"number": "3", "level": "gentle"},
    "/t/{slug}/fill": {"level": "gentle"},
    "/t/{slug}/remove": {"number": "2"},
    "/t/{slug}/move": {"number": "1", "to": "2"},
    "/t/{slug}/shuffle": {},
    "/t/{slug}/host": {"number": "2"},
    "/t/{slug}/start": {},
    "/t/{slug}/ready": {},
    "/t/{slug}/rematch": {},
    "/t/{slug}/seat-link": {},
    "/t/{slug}/setup": {"seen": "{version}", "match": "0", "seats": "3", "rounds": "2", "clock": "off"},
    "/t/{slug}/agree": {"seen": "{version}"},
    "/t/{slug}/hand-over": {},
    "/t/{slug}/reissue": {"number": "2"},
    "/t/{slug}/link-answer": {"number": "2", "agrees": "yes"},
    "/t/{slug}/keep-seat": {"number": "2"},
    "/h/{token}": {"name": "Mallory"},
    "/t/{slug}/wait": {"name": "Mallory"},
    "/t/{slug}/stop-waiting": {"number": "1"},
    "/t/{slug}/let-in": {"number": "1"},
    "/t/{slug}/talk": {"text": "Good evening"},
    "/t/{slug}/talk-mode": {"talk": "phrases"},
    "/t/{slug}/mute": {"muted": "on"},
    "/t/{slug}/report": {"about": "seat-2", "why": "Rude"},
    "/keeper/do": {"act": "maintenance", "text": "on"},
    "/keeper/{token}": {},
    "/t/{slug}/writing": {},
    "/t/{slug}/hurry": {},
    "/t/{slug}/sign": {"sign": "glass"},
    "/t/{slug}/webhook": {"url": "https://hooks.example/snug"},
    "/push": {
        "endpoint": "https://fcm.googleapis.com/one",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
    "/push/forget": {"endpoint": "https://fcm.googleapis.com/one"},
    "/t/{slug}/away": {"number": "2"},
    "/t/{slug}/back": {"number": "2"},
    "/t/{slug}/more-time": {"asked": "0"},
    "/t/{slug}/skip": {"number": "2", "seen": "{version}"},
    "/t/{slug}/replace": {"number": "2", "level": "gentle"},
    "/t/{slug}/pause": {},
    "/t/{slug}/resume": {},
    "/t/{slug}/clock": {
        "clock": "brisk",
        "at_zero": "bot",
        "opens": "20:00",
        "closes": "23:00",
        "zone": "Europe/Paris",
    },
    "/t/{slug}/cohost": {"number": "2", "wanted": "yes"},
    "/t/{slug}/undo": {"seen": "{version}"},
    "/t/{slug}/undo-answer": {"seen": "{version}", "agrees": "yes"},
    "/t/{slug}/undo-rule": {"undo": "vote"},
    "/t/{slug}/watchers": {"watchers": "delayed"},
    "/t/{slug}/matches/{match}/review": {},
    "/learn/{key}/{number}/moves": {"move": "pass", "seen": "1"},
    "/learn/{key}/{number}/why": {"move": "pass"},
    "/replay": {"record": '{"game": "lucky_paw", "seats": 2}', "at": "1/0/open"},
    "/tournaments": {
        "title": "Cup",
        "name": "Mallory",
        "format": "swiss",
        "games": GAME,
        "stages": "2",
        "size": "4",
        "players": "16",
        "rounds": "2",
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
    },
    "/tournaments/{slug}/setup": {"title": "Cup", "format": "swiss", "games": GAME, "players": "8"},
    "/circles": {"title": "Friday", "name": "Mallory"},
    "/c/{slug}/join/{token}": {"name": "Mallory"},
    "/c/{slug}/name": {"title": "Saturday"},
    "/c/{slug}/me": {"name": "Mallory"},
    "/c/{slug}/link": {},
    "/c/{slug}/host": {"number": "2", "wanted": "yes"},
    "/c/{slug}/leave": {},
    "/c/{slug}/remove": {"number": "2"},
    "/c/{slug}/evening": {
        "day": "2100-01-15",
        "time": "20:00",
        "zone": "Europe/London",
        "place": "Ann’s",
        "remind": "2",
    },
    "/c/{slug}/evening/off": {},
    "/c/{slug}/answer": {"evening": "1", "coming": "yes"},
    "/c/{slug}/season": {"name": "Spring", "begins": "2027-01-01", "ends": "2027-06-30"},
    "/c/{slug}/season/drop": {"number": "1"},
    "/c/{slug}/rules": {"table": "{slug}"},
    "/c/{slug}/rules/drop": {"game": GAME},
    "/tournaments/{slug}/enter": {"name": "Mallory"},
    "/tournaments/{slug}/withdraw": {"number": "1"},
    "/tournaments/{slug}/return": {"number": "1"},
    "/tournaments/{slug}/bots": {"count": "2", "level": "gentle"},
    "/tournaments/{slug}/start": {},
    "/tournaments/{slug}/close": {},
    "/tournaments/{slug}/correct": {"stage": "1", "table": "1", "score-1": "3", "score-2": "1", "reason": "Miscounted"},
    "/tournaments/{slug}/adjust": {"number": "1", "points": "1", "reason": "Miscounted"},
    "/tournaments/{slug}/announce": {"text": "Cake is in the kitchen"},
    "/tournaments/{slug}/end": {"reason": "Late"},
    "/tournaments/{slug}/replace": {"number": "1", "by": "2"},
    "/tournaments/{slug}/organiser": {"number": "1"},
    "/tournaments/{slug}/people": {"names": "Ann\nBen"},
    "/tournaments/{slug}/own": {"code": "ABCDEF"},
    "/tournaments/{slug}/device": {"number": "1"},
    "/tournaments/{slug}/move": {"number": "1", "table": "1", "to": "2"},
    "/tournaments/{slug}/again": {"table": "1", "reason": "A card was missing"},
    "/tournaments/{slug}/play-off": {
        "place": "1",
        "entry-1": "1",
        "score-1": "3",
        "entry-2": "2",
        "score-2": "1",
    },
    "/tournaments/{slug}/call-out": {"what": "last_deal"},
    "/tournaments/{slug}/reinstate": {"table": "1"},
    "/tournaments/{slug}/order": {"names": "Ann\nBen"},
    "/tournaments/{slug}/wish": {"wish": "apart", "names": "Ann, Ben"},
    "/tournaments/{slug}/helper": {"number": "1", "wanted": "yes"},
}
_EYES = ("", "?step=99", "?step=1&eyes=open", "?step=2&eyes=1", "?step=3&eyes=2", "?step=x", "?eyes=9")
QUERIES = {
    "/learn/{key}": ("", "?step=3"),
    "/t/{slug}/live": ("", "?seen=0", "?seen={version}", "?seen=x"),
    "/new/{key}": ("", "?preset=1"),
    "/t/{slug}/replay/{match}/{number}": _EYES,
    "/t/{slug}/matches/{match}/review": ("", "?seat=2", "?seat=9", "?seat=x", "?seen=0"),
}


def every_route(app: ASGIApp) -> Iterator[tuple[str, str]]:
    """Method and path of each route, path parameters in braces; static files are left out."""
    rooms: Any = application_of(app)
    for route in rooms.routes:
        if isinstance(route, Mount):
            assert route.path == "/static"
            continue
        for one in route.original_router.routes if hasattr(route, "original_router") else [route]:
            for method in one.methods:
                yield method, one.path


def posts(app: ASGIApp) -> list[str]:
    """The paths that take forms; each has an honest form above."""
    paths = [path for method, path in every_route(app) if method == "POST"]
    assert set(paths) == set(FIELDS), "FIELDS and the routers differ"
    return paths


def gets(app: ASGIApp) -> list[str]:
    """The paths that show something, with their queries."""
    return [path + query for method, path in every_route(app) if method == "GET" for query in QUERIES.get(path, ("",))]


def fill(text: str, **values: object) -> str:
    """The text with its parameters filled in."""
    for name, value in {"key": GAME, "match": 1, "number": 1, "door": "ABCDEFGH", **values}.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def honest(path: str, **values: object) -> dict[str, str]:
    """What an honest form sends there."""
    return {name: fill(value, **values) for name, value in FIELDS[path].items()}
