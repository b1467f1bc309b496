"""Build static/sounds/*.wav, the short sounds of a card table: made from sines and noise, nothing recorded.

In:  nothing; the noise is drawn from a fixed seed, so that the same files come out every time.
Out: a file for each of SOUNDS, mono, RATE samples a second, 8 bits a sample by the mu-law of telephones (ITU-T G.711),
     which is as clean as 14 plain bits. To change a sound, change its function and run this again:
         python scripts/build_sounds.py
"""

import math
import random
import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

RATE: Final = 16_000
FOLDER: Final = Path(__file__).resolve().parent.parent / "static" / "sounds"
_MU_LAW, _BIAS, _CLIP = 7, 132, 32_635

Samples = list[float]


def _silence(seconds: float) -> Samples:
    return [0.0] * round(seconds * RATE)


def _mix(sound: Samples, other: Samples, at: float, loudness: float = 1) -> None:
    """Puts `other` into a sound, `at` seconds from its beginning."""
    start = round(at * RATE)
    for index, value in enumerate(other[: len(sound) - start], start):
        sound[index] += loudness * value


def _bell(
    pitch: float, seconds: float, overtones: Iterable[tuple[float, float]] = ((2.0, 0.25), (3.0, 0.1))
) -> Samples:
    """A soft bell: a sine with a few overtones (times the pitch, how loud), all dying away, the high ones first."""
    sound = _silence(seconds)
    for times, loudness in ((1.0, 1.0), *overtones):
        for index in range(len(sound)):
            time = index / RATE
            fading = math.exp(-4.5 * times**0.6 * time / seconds) * min(1, time / 0.006)
            sound[index] += loudness * fading * math.sin(2 * math.pi * pitch * times * time)
    return sound


def _rustle(chance: random.Random, seconds: float, low: float, high: float, attack: float) -> Samples:
    """Noise between two pitches that swells for `attack` seconds and dies away: paper on cloth."""
    lower, upper = (1 - math.exp(-2 * math.pi * pitch / RATE) for pitch in (low, high))
    slow = quick = smooth = 0.0
    sound = _silence(seconds)
    for index in range(len(sound)):
        time = index / RATE
        quick += upper * (chance.uniform(-1, 1) - quick)
        smooth += upper * (quick - smooth)
        slow += lower * (smooth - slow)
        sound[index] = (smooth - slow) * min(1, time / attack) * math.exp(-5 * max(0, time - attack) / seconds)
    return sound


def _knock(pitch: float, seconds: float) -> Samples:
    """A dull knock on wood whose pitch falls."""
    sound = _silence(seconds)
    for index in range(len(sound)):
        time = index / RATE
        sound[index] = math.sin(2 * math.pi * pitch * (1 - 0.25 * time / seconds) * time) * math.exp(
            -7 * time / seconds
        )
    return sound


def card() -> Samples:
    """A card slides over felt and comes to lie."""
    chance, sound = random.Random(7), _silence(0.15)
    _mix(sound, _rustle(chance, 0.11, 1_200, 5_000, 0.03), 0, 0.6)
    _mix(sound, _rustle(chance, 0.06, 500, 3_000, 0.002), 0.07)
    _mix(sound, _knock(190, 0.05), 0.07, 0.3)
    return sound


def shuffle() -> Samples:
    """A pack riffled together: many cards, faster and faster, and a last push."""
    chance, sound, at = random.Random(11), _silence(0.62), 0.0
    for number in range(22):
        _mix(sound, _rustle(chance, 0.035, 1_000, 4_500, 0.002), at, 0.5 + 0.02 * number)
        at += 0.031 - 0.0008 * number
    _mix(sound, _rustle(chance, 0.12, 600, 3_000, 0.03), at, 0.9)
    return sound


def turn() -> Samples:
    """It is your turn: two soft notes, upwards."""
    sound = _silence(0.62)
    _mix(sound, _bell(659.25, 0.45), 0)
    _mix(sound, _bell(880, 0.48), 0.14)
    return sound


def offer() -> Samples:
    """Something is for sale: the same note twice, as at a counter."""
    sound = _silence(0.5)
    _mix(sound, _bell(1_046.5, 0.3, ((2.76, 0.3),)), 0)
    _mix(sound, _bell(1_046.5, 0.36, ((2.76, 0.3),)), 0.13)
    return sound


def stolen() -> Samples:
    """Somebody has taken a card from you: a rustle, and two notes downwards."""
    sound = _silence(0.5)
    _mix(sound, _rustle(random.Random(13), 0.12, 1_200, 5_000, 0.05), 0, 0.8)
    _mix(sound, _bell(392, 0.28), 0.06)
    _mix(sound, _bell(311.13, 0.34), 0.16)
    return sound


def last_card() -> Samples:
    """Somebody holds a single card: two knocks on the table."""
    sound = _silence(0.36)
    for at in (0, 0.17):
        _mix(sound, _knock(240, 0.16), at)
        _mix(sound, _rustle(random.Random(17), 0.04, 400, 2_500, 0.001), at, 0.5)
    return sound


def win() -> Samples:
    """You have won: a chord, note by note."""
    sound = _silence(0.85)
    for number, pitch in enumerate((523.25, 659.25, 783.99, 1_046.5)):
        _mix(sound, _bell(pitch, 0.85 - 0.1 * number), 0.1 * number, 0.8)
    return sound


# Each with how loud its loudest moment is: what is heard all the time is soft.
SOUNDS: Final[dict[str, tuple[Callable[[], Samples], float]]] = {
    "card": (card, 0.35),
    "shuffle": (shuffle, 0.35),
    "turn": (turn, 0.5),
    "offer": (offer, 0.4),
    "stolen": (stolen, 0.5),
    "last-card": (last_card, 0.6),
    "win": (win, 0.6),
}


def _packed(sample: int) -> int:
    """A sample of 16 bits as one of 8, by the mu-law."""
    size = min(abs(sample), _CLIP) + _BIAS
    exponent = size.bit_length() - 8
    return 255 - ((128 if sample < 0 else 0) | exponent << 4 | size >> exponent + 3 & 15)


def wav(sound: Samples, loudness: float) -> bytes:
    """A sound as a file, its loudest moment of this loudness (of 1), its end faded out."""
    loudest = max(map(abs, sound))
    fade = round(0.02 * RATE)
    levels = [value / loudest * min(1, (len(sound) - index) / fade) for index, value in enumerate(sound)]
    data = bytes(_packed(round(level * loudness * 32_767)) for level in levels)
    data += b"\xff" * (len(data) % 2)
    form = struct.pack("<HHIIHHH", _MU_LAW, 1, RATE, RATE, 1, 8, 0)
    chunks = ((b"fmt ", form), (b"fact", struct.pack("<I", len(sound))), (b"data", data))
    body = b"WAVE" + b"".join(name + struct.pack("<I", len(chunk)) + chunk for name, chunk in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def main() -> None:
    """Write all sounds."""
    FOLDER.mkdir(exist_ok=True)
    for name, (make, loudness) in SOUNDS.items():
        (FOLDER / f"{name}.wav").write_bytes(wav(make(), loudness))


if __name__ == "__main__":
    main()
