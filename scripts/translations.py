"""The languages of the room: a folder each, app/locale/<key>/, with a catalogue for each of its components.

python scripts/translations.py update de    brings the catalogues up to date: what is new stands in them, empty
python scripts/translations.py missing de   lists what has to be translated still, with where it stands
python scripts/translations.py check        says what is wrong in any language; `make check` asks it
"""

import re
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.services.players.languages import FOLDER
from scripts.words import catalogue_of_all

REQUIRED = ("play", "room")
"""The components without which a language is not offered."""
_COMPONENTS = (
    # Stays in English, for whoever keeps the room, or is a package of its own.
    (
        "",
        r"examples/|starter/|app/services/(integrity/|keeper/(?!reports))|app/web/routes/keeper/|templates/keeper/|app/cli/",
    ),
    ("tournaments", r"snug/tournament/|.*/tournaments/|.*/bracket/|app/services/notifications/reminders\.py"),
    ("rules", r".*/rules\.html|templates/(rules|learn|proofs)/|.*/lessons?\.py|.*/proofs\.py|.*promises"),
    ("play", r"snug/|templates/(games|tables)/|app/services/play/"),
    ("room", r""),
)
_ORDER = ("play", "room", "tournaments", "rules", "")
FORMS = "forms"
"""The catalogue of what the language says within sentences: the contexts are its own."""
_PARAMETER = re.compile(r"%\((\w+)(?::(\w+))?\)s")
_TAG = re.compile(r"<[^>]*>")
_DATED = re.compile(
    rb'"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Generated-By|Report-Msgid-Bugs-To|Language-Team)'
)


def key_of(message: Message) -> tuple[str, str]:
    """What a message is found by: its context and its first form."""
    return message.context or "", message.id if isinstance(message.id, str) else message.id[0]


def forms_of(text: object) -> tuple[str, ...]:
    """A text or its plural forms, as a tuple."""
    return (text,) if isinstance(text, str) else tuple(text or ())  # type: ignore[arg-type]


def component_of(message: Message) -> str:
    """Where translators find it: of the places where it stands, the first that is required."""
    found = {next(name for name, pattern in _COMPONENTS if re.match(pattern, place)) for place, _ in message.locations}
    return min(found, key=_ORDER.index)


@cache
def by_component() -> dict[str, dict[tuple[str, str], Message]]:
    """All messages that are translated."""
    parts: dict[str, dict[tuple[str, str], Message]] = {name: {} for name in _ORDER}
    for message in catalogue_of_all():
        if message.id:
            parts[component_of(message)][key_of(message)] = message
    del parts[""]
    return parts


def languages() -> list[Path]:
    """The folders of all languages, of those in the making, too."""
    return sorted(path.parent for path in FOLDER.glob("*/play.po"))


def read(folder: Path, name: str) -> Catalog:
    """One catalogue of a language; an empty one where there is none."""
    path, locale = folder / f"{name}.po", folder.name.lstrip("_")
    if not path.is_file():
        return Catalog(locale=locale)
    with path.open("rb") as file:
        return read_po(file, locale=locale)


def all_translated(folder: Path) -> dict[tuple[str, str], Message]:
    """What a language says, whichever component it stands in."""
    return {
        key_of(message): message
        for name in _ORDER[:-1]
        for message in read(folder, name)
        if message.id and all(forms_of(message.string)) and message.string
    }


def update(folder: Path) -> None:
    """Writes the catalogues anew: each message where it belongs, with what was said for it before."""
    said = all_translated(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, messages in by_component().items():
        fresh = Catalog(locale=folder.name.lstrip("_"), fuzzy=False)
        for key, message in sorted(messages.items(), key=lambda one: (one[1].locations[0][0], one[1].locations[0][1])):
            known = said.get(key)
            places = [(place, None) for place in dict.fromkeys(place for place, _ in message.locations)]
            fresh.add(
                message.id,
                known.string if known else None,
                places,  # type: ignore[arg-type]
                flags=(known.flags & {"fuzzy"}) if known else (),
                user_comments=known.user_comments if known else (),
                context=message.context,
            )
        write(fresh, folder / f"{name}.po")


def write(catalogue: Catalog, path: Path) -> None:
    """Writes a catalogue without dates, which would differ each time."""
    out = BytesIO()
    write_po(out, catalogue, width=120, include_lineno=False)
    lines = [line for line in out.getvalue().splitlines(keepends=True) if not _DATED.match(line)]
    start = lines.index(b'msgid ""\n')
    path.write_bytes(b"".join(lines[start:]))


def missing(folder: Path, name: str) -> Iterator[Message]:
    """The messages of a component for which there are no words yet, or doubtful ones."""
    said = all_translated(folder)
    for key, message in by_component()[name].items():
        if key not in said or said[key].fuzzy:
            yield message


def faults(folder: Path) -> Iterator[str]:
    """What is wrong in a language."""
    parts, said = by_component(), all_translated(folder)
    known = {form for messages in parts.values() for one in messages.values() for form in forms_of(one.id)}
    shapes = [message for message in read(folder, FORMS) if message.id]
    contexts = {message.context for message in shapes}
    for message in shapes:
        if key_of(message)[1] not in known:
            yield f"{FORMS}.po: nobody says {key_of(message)[1]!r} any more"
    for message in (*said.values(), *shapes):
        yield from (f"{key_of(message)[1]!r}: {fault}" for fault in _faults_of(message, contexts, read_count(folder)))
    if not folder.name.startswith("_"):
        for name in REQUIRED:
            for key, message in parts[name].items():
                if key not in said or said[key].fuzzy:
                    yield f"{name}.po: {key[1]!r} is not translated ({message.locations[0][0]})"


def read_count(folder: Path) -> int:
    """How many plural forms the language has."""
    return int(Catalog(locale=folder.name.lstrip("_")).num_plurals)


def _faults_of(message: Message, contexts: set[str | None], plurals: int) -> Iterator[str]:
    source, told = forms_of(message.id), forms_of(message.string)
    if len(told) != (plurals if len(source) > 1 else 1):
        yield f"{len(told)} forms"
    if not all(told):
        yield "a form is empty"
    wanted = {name for form in source for name, _ in _PARAMETER.findall(form)}
    given = {name for form in told for name, _ in _PARAMETER.findall(form)}
    if wanted - {"count"} != given - {"count"} or given - wanted:
        yield f"parameters {sorted(given)} in place of {sorted(wanted)}"
    for form in {form for text in told for _, form in _PARAMETER.findall(text)} - {""} - contexts:
        yield f"no form {form!r} is in {FORMS}.po"
    for text in told:
        if "%" in _PARAMETER.sub("", text).replace("%%", ""):
            yield f"a stray % in {text!r}"
        if all(_tags(text) != _tags(one) for one in source):
            yield f"other tags in {text!r}"


def _tags(text: str) -> list[str]:
    return sorted(_TAG.findall(text))


def main(command: str, *keys: str) -> int:
    """Does what is asked; the exit status."""
    folders = [FOLDER / key for key in keys] or languages()
    count = 0
    for folder in folders:
        if command == "update":
            update(folder)
        elif command == "missing":
            for name in _ORDER[:-1]:
                for message in missing(folder, name):
                    print(f"{name}.po  {message.locations[0][0]}: {key_of(message)[1]!r}")
        elif command == "check":
            for fault in faults(folder):
                count += 1
                print(f"{folder.name}: {fault}")
        else:
            print(__doc__)
            return 2
    if count:
        print(f"{count} faults: `python scripts/translations.py missing de` lists what is to be translated.")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or ["help"])))
