"""The prepared view of a line: what patterns written for ASCII text can read.

Digits and compatibility forms are ASCII, format characters are gone, dashes and spaces are plain,
a space stands at every border of an ASCII letter or digit with a character of no ASCII, and
underscores that emphasise are spaces. `origins` maps offsets back; it is computed for hits only.
"""

import re

from tracegen.gates.folding import VIEW

_BORDER = re.compile(r"(?<=[A-Za-z0-9])(?=[^\x00-\x7f])|(?<=[^\x00-\x7f])(?=[A-Za-z0-9])")
_EMPHASIS = re.compile(r"(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])")


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match.group())


def prepare(line: str) -> str:
    """The prepared view of a line."""
    if not line.isascii():
        line = _BORDER.sub(" ", line.translate(VIEW))
    return _EMPHASIS.sub(_spaces, line) if "_" in line else line


def origins(line: str) -> list[int]:
    """For each character of the prepared view, and its end, the offset in the line."""
    if line.isascii():
        return list(range(len(line) + 1))
    places = [at for at, character in enumerate(line) for _ in VIEW[ord(character)]]
    places.append(len(line))
    borders = [match.start() for match in _BORDER.finditer(line.translate(VIEW))]
    widened: list[int] = []
    previous = 0
    for border in borders:
        widened += places[previous:border]
        widened.append(places[border])
        previous = border
    return widened + places[previous:]


def back(places: list[int], start: int, end: int) -> tuple[int, int]:
    """The stretch of the line behind a stretch of its view."""
    return places[start], places[end - 1] + 1 if end > start else places[start]
