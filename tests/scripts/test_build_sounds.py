"""The sounds: the files are what the script makes, and small."""

from starlette.testclient import TestClient

from app.paths import STATIC
from scripts.build_sounds import RATE, SOUNDS, wav

_FOLDER = STATIC / "sounds"


def test_the_files_are_what_the_script_makes() -> None:
    assert {file.name for file in _FOLDER.iterdir()} == {f"{name}.wav" for name in SOUNDS}
    for name, (make, loudness) in SOUNDS.items():
        sound = make()
        assert max(map(abs, sound)) > 0
        assert len(sound) < RATE
        assert (_FOLDER / f"{name}.wav").read_bytes() == wav(sound, loudness), name


def test_all_of_them_are_small() -> None:
    assert sum(file.stat().st_size for file in _FOLDER.iterdir()) < 60_000


def test_a_table_says_where_they_are_and_they_are_served_as_sounds(client: TestClient) -> None:
    table = client.post("/tables", data={"game": "lucky_paw", "name": "Ann", "seats": "2"}).headers["location"]
    page = client.get(table).text
    for name in SOUNDS:
        address = page.partition(f'data-sound-{name}="')[2].partition('"')[0]
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("audio/")
        assert answer.content == (_FOLDER / f"{name}.wav").read_bytes()
