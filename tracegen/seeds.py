"""One independent random stream for every named thing, so that edits stay local.

A stream is named by a path such as (corpus seed, conversation 17, attempt 0, "iban_1"). The path
is hashed with BLAKE2b, so neither worker, shard, order of work nor `PYTHONHASHSEED` matters, and a
new placeholder does not shift the values of the others. Only `random.Random.random()` is used:
the standard library promises its sequence across versions, and no other method's.
"""

from bisect import bisect_right
from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import TypeVar

Item = TypeVar("Item")

_SEPARATOR = "\x1f"
DIGITS = "0123456789"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()

_MASK = {
    "#": DIGITS,
    "%": DIGITS[1:],
    "@": UPPER,
    "?": LOWER,
    "*": UPPER + DIGITS,
    "&": UPPER + LOWER + DIGITS,
    "^": DIGITS + "abcdef",
}


class Stream:
    """Draws that depend on the path alone."""

    __slots__ = ("_path", "_random")

    def __init__(self, *path: str | int) -> None:
        """Name the stream; equal paths draw equal values."""
        self._path = _SEPARATOR.join(map(str, path))
        digest = blake2b(self._path.encode(), digest_size=16, person=b"tracegen").digest()
        self._random = Random(int.from_bytes(digest, "big")).random

    def child(self, *names: str | int) -> "Stream":
        """An independent stream below this one; draws from this one do not affect it."""
        return Stream(self._path, *names)

    def random(self) -> float:
        """A float in [0, 1)."""
        return self._random()

    def below(self, bound: int) -> int:
        """A whole number in [0, bound)."""
        return int(self._random() * bound)

    def between(self, low: int, high: int) -> int:
        """A whole number in [low, high]."""
        return low + int(self._random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self._random() < probability

    def choice(self, items: Sequence[Item]) -> Item:
        """One item, all equally likely."""
        return items[int(self._random() * len(items))]

    def weighted(self, items: Sequence[Item], cumulative: Sequence[float]) -> Item:
        """One item by running sums of weights (see `itertools.accumulate`)."""
        return items[bisect_right(cumulative, self._random() * cumulative[-1], hi=len(items) - 1)]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in a random order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            result[last], result[other] = result[other], result[last]
        return result

    def mask(self, mask: str) -> str:
        r"""Fill a mask.

        `#` is a digit, `%` a digit 1-9, `@` an upper and `?` a lower letter, `*` an upper letter
        or digit, `&` a letter or digit, `^` lower hex, `[...]` one of these characters, `\x` an x.

        Example:
            >>> Stream(1).mask("AB-##")[:3]
            'AB-'
        """
        out: list[str] = []
        position = 0
        while position < len(mask):
            character = mask[position]
            if character == "\\":
                position += 1
                out.append(mask[position])
            elif character == "[":
                close = mask.index("]", position)
                out.append(self.choice(mask[position + 1 : close]))
                position = close
            elif character in _MASK:
                out.append(self.choice(_MASK[character]))
            else:
                out.append(character)
            position += 1
        return "".join(out)
