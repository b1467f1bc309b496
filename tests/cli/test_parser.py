"""The command line: what the referee prints and how it ends, simulations, and what becomes of mistakes."""

import io
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from app.cli import serve, upgrade
from app.cli.parser import COMMANDS, main
from app.settings import Settings
from snug.engine.cards import CARDS

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
POSITION: Json = {
    "open": [["5H"], ["JC"], ["9D"], ["2S"]],
    "stacks": [[["6S"], ["KD"], ["AH"]], [["10C"], ["4H"], ["8S"]]],
    "stock": ["7C", "3C", "QH", "5S", "9C", "7H"],
    "aside": ["KS"],
}
GOOD_MOVES = [{"seat": 1, "move": "play", "stack": 1, "open": 1}, {"seat": 2, "move": "play", "stack": 1, "open": 2}]
BAD_MOVE = {"seat": 1, "move": "play", "stack": 2, "open": 1}


def record(*moves: Json, **more: Any) -> Json:
    return {"game": "lucky_paw", "seats": 2, "position": POSITION, "moves": moves, **more}


@pytest.mark.dear(0.6, "two processes of their own")
def test_where_no_room_can_be_a_sentence_says_so(tmp_path: Path) -> None:
    """As on Windows: without locks on files. What needs no room works there all the same."""
    code = "import sys; sys.modules['fcntl'] = None; from app.cli.parser import main; sys.exit(main(sys.argv[1:]))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for words, status, said in (
        (["serve"], 2, "snug: a room needs Linux or macOS. On Windows it runs in WSL, or in a container.\n"),
        (["new-game", "old_penny"], 0, ""),
    ):
        command = [sys.executable, "-c", code, *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (status, said)


class Referee:
    """Writes a record to a file, has it refereed and keeps what was printed."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path = folder / "record.json"
        self._capsys = capsys

    def __call__(self, content: Json | str, *flags: str) -> tuple[int, list[Json], str]:
        self.path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        status = main(["referee", str(self.path), *flags])
        printed = self._capsys.readouterr()
        return status, [json.loads(line) for line in printed.out.splitlines()], printed.err


@pytest.fixture
def referee(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Referee:
    return Referee(tmp_path, capsys)


# The referee


def test_an_accepted_record_ends_with_status_0(referee: Referee) -> None:
    status, (report,), complaint = referee(record(*GOOD_MOVES))
    assert (status, complaint) == (0, "")
    assert list(report) == [
        "accepted",
        "refused",
        "position",
        "to_act",
        "legal",
        "moves",
        "round_scores",
        "totals",
        "places",
        "over",
    ]
    assert (report["accepted"], report["refused"], report["to_act"]) == (2, None, [1])
    assert report["position"]["open"] == [["5H", "6S"], ["JC", "10C"], ["9D"], ["2S"]]
    assert {"move": "play", "stack": 3, "open": 4} in report["legal"]["1"]


def test_a_refused_move_ends_with_status_1_and_says_why(referee: Referee) -> None:
    status, (report,), complaint = referee(record(*GOOD_MOVES, BAD_MOVE, *GOOD_MOVES))
    assert (status, complaint) == (1, "")
    assert report["accepted"] == 2
    assert (report["refused"]["index"], report["refused"]["code"]) == (2, "NOT_ADJACENT")
    assert "K♦ does not go on 6♠" in report["refused"]["message"]


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("", "record:"),
        ("[]", "record:"),
        ("{", "record:"),
        (record(game="bridge"), "game:"),
        (record(seats=7), "BAD_SEATS:"),
        (record(options={"rounds": 10}), "BAD_OPTION:"),
        (record(position={"open": [["5H"], ["5H"]]}), "position:"),
        (record(position={"open": "5H\n6H"}), "position:"),
        (record({"seat": 3, "move": "pass"}), "moves[0].seat:"),
        (record({"seat": 1, "move": "fold"}), "moves[0]:"),
        (record(host=3), "host:"),
        (record(sead="0"), "`sead`"),
    ],
)
@pytest.mark.parametrize("flags", [(), ("--each",)])
def test_a_malformed_record_ends_with_status_2_and_one_line_that_names_the_key(
    referee: Referee, content: Json | str, key: str, flags: tuple[str, ...]
) -> None:
    status, reports, complaint = referee(content, *flags)
    assert (status, reports) == (2, [])
    assert key in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize("name", ["not there.json", "."])
def test_a_file_that_cannot_be_read_ends_with_status_2_and_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", str(tmp_path / name)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(str(tmp_path))
    assert printed.err.count("\n") == 1


def test_each_prints_one_line_for_every_move(referee: Referee) -> None:
    status, reports, _ = referee(record(*GOOD_MOVES), "--each")
    assert status == 0
    assert [report["accepted"] for report in reports] == [1, 2]


def test_each_ends_with_the_refused_move(referee: Referee) -> None:
    status, reports, _ = referee(record(*GOOD_MOVES, BAD_MOVE, *GOOD_MOVES), "--each")
    assert status == 1
    assert [(report["accepted"], report["refused"] is None) for report in reports] == [(1, True), (2, True), (2, False)]


@pytest.mark.parametrize("eye", ["1", "2", "watcher"])
@pytest.mark.parametrize("flags", [(), ("--each",)])
def test_a_seat_is_shown_nothing_that_lies_face_down(referee: Referee, eye: str, flags: tuple[str, ...]) -> None:
    dealt = {"game": "lucky_paw", "seats": 2, "options": {"jokers": 2}, "moves": [{"seat": 1, "move": "pass"}] * 2}
    for content in (record(*GOOD_MOVES), dealt):
        _, (whole,), _ = referee(content)
        _, reports, _ = referee(content, "--as-seat", eye, *flags)
        position = whole["position"]
        face_up = {card for piles in (position["open"], *position["stacks"]) for pile in piles for card in pile}
        assert set(CARDS) & texts_in(reports) <= face_up
        assert reports[-1]["position"]["seat"] == (None if eye == "watcher" else int(eye))


def texts_in(value: object) -> set[str]:
    if isinstance(value, dict):
        return texts_in([*value.keys(), *value.values()])
    if isinstance(value, list):
        return set().union(*map(texts_in, value))
    return {value} if isinstance(value, str) else set()


@pytest.mark.parametrize(("eye", "seats"), [("1", ["1"]), ("2", []), ("watcher", [])])
def test_a_seat_is_told_its_own_moves_only(referee: Referee, eye: str, seats: list[str]) -> None:
    _, (report,), _ = referee(record(*GOOD_MOVES), "--as-seat", eye)
    assert report["to_act"] == [1]
    assert list(report["legal"]) == seats


@pytest.mark.parametrize("eye", ["0", "3", "-1", "two", "01", ""])
def test_an_eye_that_is_not_at_the_table_ends_with_status_2_and_one_line(referee: Referee, eye: str) -> None:
    status, reports, complaint = referee(record(), f"--as-seat={eye}")
    assert (status, reports) == (2, [])
    assert complaint == f"--as-seat: {eye} is neither a seat from 1 to 2 nor watcher\n"


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(record(*GOOD_MOVES)).encode())))
    assert main(["referee", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["accepted"] == 2


# As a process of its own


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], input=given, capture_output=True, cwd=ROOT, encoding="utf-8", check=False
    )


def test_the_referee_as_a_process() -> None:
    finished = run("-m", "app.cli.parser", "referee", "-", "--each", given=json.dumps(record(*GOOD_MOVES, BAD_MOVE)))
    assert (finished.returncode, finished.stderr) == (1, "")
    assert [json.loads(line)["accepted"] for line in finished.stdout.splitlines()] == [1, 2, 2]


def test_the_referee_loads_neither_database_nor_web_server_nor_terminal_art() -> None:
    heavy = "sqlalchemy", "alembic", "uvicorn", "fastapi", "jinja2", "rich"
    finished = run(
        "-c",
        f"import sys; from app.cli.parser import main; main(['referee', '-']); "
        f"assert not {{*sys.modules}} & {{*{heavy}}}",
        given=json.dumps(record()),
    )
    assert (finished.returncode, finished.stderr) == (0, "")


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record()))
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        command = [sys.executable, "-m", "app.cli.parser", "referee", str(path)]
        finished = subprocess.run(command, cwd=ROOT, stdout=nobody, stderr=subprocess.PIPE, check=False)
    assert (finished.returncode, finished.stderr) == (141, b"")


# Simulations

SIMULATE = ("simulate", "--game", "lucky_paw", "--games", "2", "--option", "rounds=1", "--option", "must_play=true")


def test_a_simulation_prints_how_every_seat_fared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIMULATE, "--seats", "steady", "random", "gentle", "--seed", "[bold]"]) == 0
    printed = capsys.readouterr()
    assert "Lucky Paw: 2 matches, 2 rounds, seed [bold]" in printed.out
    assert all(word in printed.out for word in ("steady", "random", "gentle", "Mean place", "moves a second"))
    assert printed.err == ""


def test_a_simulation_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIMULATE, "--seats", "random", "random", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["game"], answer["matches"], answer["rounds"]) == ("lucky_paw", 2, 2)
    assert (answer["options"]["must_play"], answer["seed"]) == (True, "0")
    assert [seat["level"] for seat in answer["seats"]] == ["random", "random"]


def test_a_simulation_in_several_processes_comes_to_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for jobs in ("1", "2"):
        assert main([*SIMULATE, "--seats", "random", "random", "--jobs", jobs, "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        answers.append({key: value for key, value in answer.items() if key not in ("seconds", "moves_per_second")})
    assert answers[0] == answers[1]


def test_kept_records_pass_the_referee(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "records"
    assert main([*SIMULATE, "--seats", "random", "random", "--record-dir", str(folder), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    totals = []
    for path in sorted(folder.iterdir()):
        assert main(["referee", str(path)]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["over"]
        totals.append(report["totals"])
    assert [sum(column) / 2 for column in zip(*totals, strict=True)] == [seat["score"] for seat in summary["seats"]]


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (("--seats", "random"), "BAD_SEATS: "),
        (("--seats", "random", "clever"), "--seats: clever is not a level; there are gentle, steady, sharp, random"),
        (("--seats", "random", "random", "--option", "rounds=10"), "BAD_OPTION: "),
        (("--seats", "random", "random", "--option", "colour=red"), "BAD_OPTION: "),
        (("--seats", "random", "random", "--record-dir", "/dev/null/records"), "/dev/null/records: Not a directory"),
    ],
)
def test_a_simulation_that_cannot_be_says_why_in_one_line(
    flags: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SIMULATE, *flags]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(complaint)
    assert printed.err.count("\n") == 1


TOURNAMENT = ("simulate-tournament", "--players", "7", "--stages", "2", "--games", "lives", "follow_the_leader")


def test_a_tournament_prints_its_rules_standings_seating_and_meetings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TOURNAMENT, "--seed", "[bold]"]) == 0
    printed = capsys.readouterr()
    assert "7 players, 2 stages, seed [bold]" in printed.out
    for words in (
        "Irish Lives, Follow the Leader",
        "Ties\n",
        "Stage 2: 3 pairs meet again",
        "Sit-outs\n",
        "Pairs that met",
    ):
        assert words in printed.out
    assert "    1 ." in printed.out
    assert printed.err == ""


def test_a_tournament_that_ends_early_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TOURNAMENT, "--stages", "5", "--drop-outs", "30"]) == 0
    assert "Ended early: " in capsys.readouterr().out


def test_a_tournament_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    flags = "--format", "series", "--same-deal", "--table", "4", "--json"
    assert main([*TOURNAMENT, *flags]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["seed"] == "0"
    assert [line["place"] for line in answer["standings"]] == sorted(line["place"] for line in answer["standings"])
    assert len(answer["met"]) == 7


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (("--players", "2", "--games", "liverpool"), "BAD_SEATS: "),
        (("--players", "17", "--format", "series"), "SERIES_TOO_BIG: "),
        (("--late", "256"), "BAD_PLAN: tournament: Expected `int` <= 256"),
        (("--format", "knockout", "--late", "1"), "KNOCKOUT_LATE: "),
        (("--format", "groups", "--groups", "2", "3", "2"), "BAD_PLAN: Tournament: 3 stages"),
        (("--format", "swiss", "--third-place"), "NO_SEMI_FINAL: "),
    ],
)
def test_a_tournament_that_cannot_be_says_why_in_one_line(
    flags: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*TOURNAMENT, *flags]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(complaint)
    assert printed.err.count("\n") == 1


# The room


def test_serve_and_upgrade_hand_on_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def no_room(*storage: object) -> None:
        asked.append(storage)

    monkeypatch.setattr(serve, "upgraded", no_room)
    monkeypatch.setattr(upgrade, "upgraded", no_room)
    assert main(["serve"]) == 1
    assert main(["serve", "--host", "0.0.0.0", "--port", "80", "--data", "here", "--database", "sqlite://"]) == 1
    assert main(["upgrade", "--data", "here"]) == 1
    assert asked == [(None, None), (Path("here"), "sqlite://"), (Path("here"), None)]


def test_serve_listens_where_it_is_asked_to(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    opened: list[object] = []
    monkeypatch.setattr(serve, "upgraded", lambda *_storage: settings)
    monkeypatch.setattr(serve, "serve", lambda *room: opened.append(room))
    assert main(["serve"]) == 0
    assert main(["serve", "--host", "0.0.0.0", "--port", "80"]) == 0
    assert opened == [(settings, None, None), (settings, "0.0.0.0", 80)]
    assert serve.address(settings, None, None) == "http://127.0.0.1:8000"
    assert serve.address(settings, "0.0.0.0", 80) == "http://0.0.0.0:80"


def test_an_interrupted_command_ends_with_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_asked: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(serve, "upgraded", interrupted)
    assert main(["serve"]) == 130


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "COMMAND"),
        (("dance",), "invalid choice: 'dance'"),
        (("serve", "--port", "http"), "'http' is not a whole number from 1 to 65535"),
        (("serve", "--port", "70000"), "'70000' is not a whole number from 1 to 65535"),
        (("simulate-tournament", "--players", "257"), "'257' is not a whole number from 2 to 256"),
        (("simulate-tournament", "--games", "bridge"), "invalid choice: 'bridge'"),
        (("referee",), "RECORD.json"),
        (("simulate", "--game", "bridge", "--seats", "random"), "invalid choice: 'bridge'"),
        ((*SIMULATE, "--seats", "random", "random", "--games", "0"), "'0' is not a whole number from 1 up"),
        ((*SIMULATE, "--seats", "random", "random", "--jobs", "0"), "'0' is not a whole number from 1 up"),
        (
            (*SIMULATE, "--seats", "random", "random", "--option", "rounds"),
            "write name=value, as in rounds=1, not 'rounds'",
        ),
    ],
)
def test_wrong_arguments_end_with_status_2_and_the_usage(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    printed = capsys.readouterr().err
    assert printed.startswith("usage: snug")
    assert complaint in printed


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"snug {version('snug')}\n"


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_every_command_explains_itself(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith(" ".join(("usage: snug", *command)))
