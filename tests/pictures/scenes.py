"""What there is to take pictures of: every page, and every game at the moments that matter. The same on every run."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from app.services.circles import members, opening
from app.services.circles.evenings import evening_of, plan_evening
from app.services.context import AppContext
from app.services.keeper.acts import COMMAND, Order, perform
from app.services.keeper.reports import report
from app.services.queries.tournaments.load import load_tournament_page
from app.services.seats import create, seats
from app.services.table.open_table import FINISHED, SCORES
from app.services.talk import chat
from app.services.tournaments import corrections, entries, log, stages
from snug.engine.game import Event
from snug.games import GAMES
from tests.factories import INSTANT, Guest, Party, gather, welcome

_NAMES = (
    "Aoife",
    "Ben",
    "Chidi",
    "Dorothea",
    "Emre",
    "Fiona",
    "Goran",
    "Hanna",
    "Ivo",
    "Júlia",
    "Kim",
    "Lena",
    "Mo",
    "Nia",
)
_SEATS = 4
_ZONE: Final = "Europe/Dublin"
_RULES: Final[Mapping[str, Mapping[str, Any]]] = {
    "follow_the_leader": {"one_below": True, "rounds": 2},
    "liverpool": {"buying_from": "always"},
    "lives": {"rounds": 2},
    "lucky_paw": {"rounds": 2},
}
_LONGEST = 1_500  # moves in search of a moment
_DEALS = 12


@dataclass(frozen=True)
class Scene:
    """A page: its name, its address, and who looks at it (None: a stranger)."""

    name: str
    path: str
    guest: Guest | None


@dataclass(frozen=True)
class _Moment:
    """How the table stands for seat 1: its view, what happened last, and the number of moves so far."""

    view: Any
    mine: bool
    last: tuple[Event, ...]
    moves: int

    def happened(self, *kinds: str) -> bool:
        """Whether one of these is among what happened last."""
        return any(event.__struct_config__.tag in kinds for event in self.last)


Wanted = Callable[[_Moment], object]
_ANY_GAME: Final[Mapping[str, Wanted]] = {
    "my-turn": lambda now: now.mine and now.moves > 9,
    "their-turn": lambda now: not now.mine and now.moves > 12,
}
_SPECIAL: Final[Mapping[str, Mapping[str, Wanted]]] = {
    "follow_the_leader": {
        "must-draw": lambda now: now.mine and now.view.must_draw and now.moves > 8,
        "last-cards": lambda now: now.mine and min(now.view.hand_sizes) <= 2,
        "free-card": lambda now: now.mine and now.view.phase == "FREE",
    },
    "life": {
        "choosing": lambda now: now.mine,
        "laying": lambda now: now.mine and now.view.may_lay and len(now.view.playable) > 1,
        "stealing": lambda now: now.mine and now.view.may_decline,
        "sweep": lambda now: now.happened("swept"),
    },
    "liverpool": {
        "offer": lambda now: now.mine and now.view.may_buy and now.moves > 12,
        "going-down": lambda now: now.mine and now.view.may_lay_down,
        "many-melds": lambda now: now.mine and now.view.is_down and len(now.view.melds) > 4 and not now.view.may_buy,
    },
    "lives": {
        "draw-two": lambda now: now.mine and now.view.pending,
        "last-card": lambda now: now.happened("last_card_called"),
        "say-it": lambda now: now.mine and any(play.last_card and not play.suit for play in now.view.plays),
        "name-a-suit": lambda now: now.mine and any(play.suit for play in now.view.plays),
    },
    "lucky_paw": {
        "nothing-fits": lambda now: now.mine and not now.view.plays,
        "last-cards": lambda now: now.mine and not now.view.stock_size,
    },
}


class Scenes:
    """Makes the tables and tournaments in a room whose clock stands still: everybody is a person, so nothing moves."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._me = welcome(context, _NAMES[0])

    def all(self, wanted: Callable[[str], bool]) -> Iterator[Scene]:
        """Every scene whose name is wanted, made when its turn comes."""
        me = self._me
        for name, path, guest in (
            ("lobby-new", "/", None),
            ("error", "/nowhere", None),
            ("replay-upload", "/replay", me),
            ("tournament-new", "/tournaments/new", me),
            ("tournament-another", "/tournaments/new?format=swiss&games=another-game&another_name=Darts", me),
        ):
            if wanted(name):
                yield Scene(name, path, guest)
        for key in GAMES:
            yield from self._of_game(key, wanted)
        yield from self._around_a_table(wanted)
        yield from self._tournaments(wanted)
        yield from self._keepers(wanted)
        yield from self._circles(wanted)
        if any(map(wanted, ("lobby", "my-room"))):
            party = self._until(next(iter(GAMES)), 2, FINISHED)
            for page, path in (("lobby", "/"), ("my-room", "/me")):
                if wanted(page):
                    yield Scene(page, path, party.guests[0])

    def _keepers(self, wanted: Callable[[str], bool]) -> Iterator[Scene]:
        """What somebody reports, and what the keeper sees of it, on the machine of the room."""
        if not any(map(wanted, ("report", "keepers-room"))):
            return
        party = gather(self._context, 3)
        party.write(chat.say, 2, "Good evening, all!")
        party.write(chat.say, 3, "You play like a wet sock, and you know it")
        party.write(chat.say, 2, "There is no need for that.")
        self._context.write(report, party.slug, party.guests[1].id, "It goes on like this all evening.", 2)
        barred = welcome(self._context, "Mallory")
        self._context.write(perform, COMMAND, Order("bar", number=barred.id))
        for name, path, guest in (
            ("report", f"/t/{party.slug}/report?about=said-2", party.guests[1]),
            ("keepers-room", "/keeper", None),
        ):
            if wanted(name):
                yield Scene(name, path, guest)

    def _of_game(self, key: str, wanted: Callable[[str], bool]) -> Iterator[Scene]:
        fewest, most = GAMES[key].seats
        usual = min(max(_SEATS, fewest), most)
        for name, path in (
            (f"{key}-new", f"/new/{key}"),
            (f"{key}-rules", f"/rules/{key}"),
            (f"{key}-learn", f"/learn/{key}"),
        ):
            if wanted(name):
                yield Scene(name, path, self._me)
        for moment, is_it in {**_ANY_GAME, **_SPECIAL.get(key, {})}.items():
            if wanted(f"{key}-{moment}"):
                yield self._at(f"{key}-{moment}", key, usual, is_it)
        for name, number in ((f"{key}-two", fewest), (f"{key}-full", most)):
            if wanted(name):
                yield self._at(name, key, number, lambda now: now.mine and now.moves > 9)
        if wanted(f"{key}-watching"):
            seen = self._at(f"{key}-watching", key, usual, _ANY_GAME["their-turn"])
            yield Scene(seen.name, seen.path, None)
        for stage in (SCORES, FINISHED):
            pages = {f"{key}-{stage}": ""} | ({f"{key}-replay": "/replay/1/1?step=9"} if stage == FINISHED else {})
            if any(map(wanted, pages)):
                party = self._until(key, usual, stage)
                for name, path in pages.items():
                    if wanted(name):
                        yield Scene(name, f"/t/{party.slug}{path}", party.guests[0])

    def _around_a_table(self, wanted: Callable[[str], bool]) -> Iterator[Scene]:
        key = next(iter(GAMES))
        names = ("gathering-alone", "gathering", "gathering-full", "invitation")
        for name, people in zip(names, (1, 3, 4, 2), strict=True):
            if wanted(name):
                party = self._gather(key, 4, people)
                yield Scene(name, f"/t/{party.slug}", None if name == "invitation" else party.guests[0])
        if wanted("gathering-removed"):
            party = self._gather(key, 4, 3)
            party.write(seats.clear_seat, 1, 3)
            yield Scene("gathering-removed", f"/t/{party.slug}", party.guests[0])
        if any(map(wanted, ("talk", "people", "table-rules"))):
            party = self._gather(key, 4, 4)
            party.write(seats.start, 1)
            for seat, words in ((2, "Who has the kettle on?"), (1, "Ready when you are."), (3, "Give me a minute!")):
                party.write(chat.say, seat, words)
            for name, page in (("talk", "talk"), ("people", "people"), ("table-rules", "rules")):
                if wanted(name):
                    yield Scene(name, f"/t/{party.slug}/{page}", party.guests[0])

    def _tournaments(self, wanted: Callable[[str], bool]) -> Iterator[Scene]:
        write = self._context.write
        plan = {"format": "swiss", "stages": [{"game": "lucky_paw", "options": {"rounds": 1}, "size": 2}] * 2}
        for name in ("tournament-open", "tournament-playing", "tournament-standings"):
            if not wanted(name):
                continue
            guests = tuple(welcome(self._context, each) for each in _NAMES[:6])
            me = guests[0]
            slug = write(stages.open_tournament, me.id, "Friday cup", {**plan, "players": 6})
            for guest in guests:
                write(entries.enter, slug, guest.id, guest.name)
            if name != "tournament-open":
                stages.start_stage(self._context, slug, me.id)
            if name == "tournament-playing":
                self._one_done(slug, guests)
            yield Scene(name, f"/tournaments/{slug}" + ("/standings" if name.endswith("standings") else ""), me)
        if wanted("bracket-of-halves"):
            yield Scene("bracket-of-halves", f"/tournaments/{self._halves(4)}#tab-bracket", self._me)
        if wanted("tournament-darts"):
            yield Scene("tournament-darts", f"/tournaments/{self._darts()}", self._me)

    def _one_done(self, slug: str, guests: tuple[Guest, ...]) -> None:
        """Another table plays to its end, the own one until it is one's turn."""
        with self._context.database.reading() as connection:
            tables = load_tournament_page(self._context, connection, slug, guests[0].id).tables
        mine, other, *_ = sorted(tables, key=lambda table: not table.is_mine)
        Party(self._context, other.slug or "", guests).play_round(random.Random(4))
        party = Party(self._context, mine.slug or "", guests)
        while (turn := party.turn()) and turn.player != guests[0].id:
            party.play_well(turn, random.Random(4))

    def _darts(self) -> str:
        """A game that Snug does not know, one table of two done."""
        write, me = self._context.write, self._me.id
        plan = {"format": "swiss", "stages": [{"game": {"name": "Darts", "lowest_wins": True}, "size": 3}] * 3}
        slug = write(stages.open_tournament, me, "Friday cup", plan, {"starts": "hand"})
        write(entries.enter, slug, me, _NAMES[0])
        write(entries.add_people, slug, me, "\n".join(_NAMES[1:6]))
        stages.start_stage(self._context, slug, me)
        write(corrections.write_down, slug, me, 1, 1, ("301", "0", "42"), "")
        return slug

    def _halves(self, stage: int) -> str:
        """A double elimination on paper, one table of this stage done."""
        write, me = self._context.write, self._me.id
        plan = {"format": "double_elimination", "stages": [{"game": "lucky_paw", "size": 2}], "players": 16}
        slug = write(stages.open_tournament, me, "Friday cup", plan, {"starts": "hand"})
        write(entries.enter, slug, me, _NAMES[0])
        write(entries.add_people, slug, me, "\n".join(_NAMES[1:11]))
        for number in range(1, stage + 1):
            stages.start_stage(self._context, slug, me)
            with self._context.database.reading() as connection:
                tables = log.folded(connection, log.find(connection, slug)).stages[-1].tables
            for table in range(1, len(tables) + 1 if number < stage else 2):
                scores = str(9 + (table + 3 * number) % 6), str(1 + (5 * table + number) % 7)
                write(corrections.write_down, slug, me, number, table, scores, "")
            if number < stage:
                write(stages.close_stage, slug, me)
        return slug

    def _circles(self, wanted: Callable[[str], bool]) -> Iterator[Scene]:
        """A circle that has played one evening and plans the next, and its year."""
        if not any(map(wanted, ("circle", "circle-year"))):
            return
        write = self._context.write
        self._context.random.seed("circle 1")
        people = tuple(welcome(self._context, name) for name in _NAMES[:4])
        slug = write(members.open_circle, people[0].id, "Friday")
        with self._context.database.reading() as connection:
            token = members.link_token(self._context, members.find(connection, slug))
        for guest in people[1:]:
            write(members.join, slug, guest.id, token, guest.name)
        for key in tuple(GAMES)[:2]:
            party = self._gather(key, 4, 1, people[:1])
            write(opening.put_table, slug, people[0].id, party.slug)
            for seat, guest in enumerate(people[1:], 2):
                write(seats.take_seat, party.slug, guest.id, seat, guest.name)
            self._play_until(Party(self._context, party.slug, people), FINISHED)
        day = evening_of(self._context.now(), _ZONE) + timedelta(9)
        write(plan_evening, slug, people[0].id, day.isoformat(), "20:00", _ZONE, "At Aoife’s", 0)
        for name, path in (("circle", ""), ("circle-year", "/year")):
            if wanted(name):
                yield Scene(name, f"/c/{slug}{path}", people[0])

    def _gather(self, key: str, seats_: int, people: int, guests: tuple[Guest, ...] = ()) -> Party:
        guests = guests or tuple(welcome(self._context, name) for name in _NAMES[:people])
        slug = self._context.write(create.create_table, guests[0].id, key, seats_, _RULES.get(key, {}), INSTANT)
        party = Party(self._context, slug, guests)
        for seat, guest in enumerate(guests[1:], 2):
            party.write(seats.take_seat, seat, seat, guest.name)
        return party

    def _at(self, name: str, key: str, number: int, wanted: Wanted) -> Scene:
        """A table at the first such moment. Raises LookupError."""
        for deal in range(_DEALS):
            dice = random.Random(deal)
            self._context.random.seed(f"{key} {number} {deal}")
            party = self._gather(key, number, number)
            party.write(seats.start, 1)
            for moves in range(_LONGEST):
                page, turn = party.look(party.guests[0]), party.turn()
                if page.board.view is None or turn is None:
                    break
                if wanted(_Moment(page.board.view, 1 in page.board.view.awaited, sum(page.board.log[-1:], ()), moves)):
                    return Scene(name, f"/t/{party.slug}", party.guests[0])
                party.play_well(turn, dice)
        raise LookupError(f"{name}: there is no such moment")

    def _until(self, key: str, number: int, stage: str) -> Party:
        """A table at this stage, or at the end of its match if that comes first."""
        self._context.random.seed(f"{key} {number} {stage}")
        return self._play_until(self._gather(key, number, number), stage)

    @staticmethod
    def _play_until(party: Party, stage: str) -> Party:
        dice = random.Random(4)
        party.write(seats.start, 1)
        while (row := party.row).status not in (stage, FINISHED):
            if row.status == SCORES:
                party.everybody_is_ready()
            else:
                party.play_round(dice)
        return party
