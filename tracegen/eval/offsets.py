"""Offsets in other units than code points, converted by counting, never guessed."""

from typing import Literal, get_args

import numpy as np

from tracegen.errors import InputError, unknown
from tracegen.eval.columns import Ints, ints

Unit = Literal["codepoint", "utf16", "utf8"]
UNITS: tuple[Unit, ...] = get_args(Unit)


def check_unit(unit: str) -> Unit:
    """The unit of that name.

    Raises:
        InputError: there is none.
    """
    for known in UNITS:
        if unit == known:
            return known
    raise InputError(unknown("offset unit", unit, UNITS))


class Ruler:
    """Converts offsets into one text to code points."""

    def __init__(self, text: str, unit: Unit) -> None:
        """Count the units before each code point, unless every code point is one unit."""
        self._length = len(text)
        self._marks: Ints | None = None
        if unit == "codepoint" or text.isascii():
            return
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        if unit == "utf16":
            sizes = 1 + (points > 0xFFFF).astype(np.int64)
        else:
            sizes = sum(
                (points > bound).astype(np.int64) for bound in (0x7F, 0x7FF, 0xFFFF)
            ) + ints([1])
        self._marks = np.concatenate((ints([0]), np.cumsum(sizes)))

    def codepoint(self, offset: int) -> int | None:
        """The offset in code points; None where it falls inside a character.

        An offset outside the text stays outside it, so that the caller can count it.
        """
        if self._marks is None or offset < 0:
            return offset
        last = int(self._marks[-1])
        if offset > last:
            return self._length + offset - last
        index = int(np.searchsorted(self._marks, offset))
        return index if int(self._marks[index]) == offset else None


def fitting_unit(text: str, start: int, end: int, value: str) -> Unit | None:
    """The unit in which a range of the text would read as the value, for a hint in an error."""
    for unit in UNITS:
        ruler = Ruler(text, unit)
        low, high = ruler.codepoint(start), ruler.codepoint(end)
        if low is not None and high is not None and text[low:high] == value:
            return unit
    return None
