"""One independent random stream for every named thing, so that edits stay local.

A stream is named by a path such as (corpus seed, conversation 17, attempt 0, "iban_1"). The path
is hashed with BLAKE2b, so neither worker, shard, order of work nor `PYTHONHASHSEED` matters, and a
new placeholder does not shift the values of the others. Draws come out of the hash itself, eight a
round: most streams draw a few times only, and seeding a generator would cost more than they need.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from struct import Struct
from typing import TypeVar

Item = TypeVar("Item")

_SEPARATOR = "\x1f"
DIGITS = "0123456789"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
_eight_integers = Struct("<8Q").unpack
_SPARE_BITS = 11
_UNIT = 2.0**-53
"""A float in [0, 1) is 53 bits of a 64-bit integer times this."""
_ROOM = 2**53
_FAIR = 2**20
"""A mask takes several characters out of one draw, as long as each is even to one in a million."""

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

    __slots__ = ("_path", "_ready", "_round")

    def __init__(self, *path: str | int) -> None:
        """Name the stream; equal paths draw equal values. Nothing is hashed before a draw."""
        self._path = _SEPARATOR.join(map(str, path))
        self._ready: list[int] = []
        self._round = 0

    def child(self, *names: str | int) -> "Stream":
        """An independent stream below this one; draws from this one do not affect it."""
        child = Stream()
        child._path = _SEPARATOR.join((self._path, *map(str, names)))
        return child

    def random(self) -> float:
        """A float in [0, 1)."""
        if not self._ready:
            salt = self._round.to_bytes(8, "little")
            digest = blake2b(self._path.encode(), salt=salt, person=b"tracegen").digest()
            self._ready.extend(_eight_integers(digest))
            self._round += 1
        return (self._ready.pop() >> _SPARE_BITS) * _UNIT

    def below(self, bound: int) -> int:
        """A whole number in [0, bound)."""
        return int(self.random() * bound)

    def between(self, low: int, high: int) -> int:
        """A whole number in [low, high]."""
        return low + int(self.random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.random() < probability

    def choice(self, items: Sequence[Item]) -> Item:
        """One item, all equally likely."""
        return items[int(self.random() * len(items))]

    def weighted(self, items: Sequence[Item], cumulative: Sequence[float]) -> Item:
        """One item by running sums of weights (see `itertools.accumulate`)."""
        return items[bisect_right(cumulative, self.random() * cumulative[-1], hi=len(items) - 1)]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in a random order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = int(self.random() * (last + 1))
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
        left, room = 0, 0
        for piece in _read_mask(mask):
            if isinstance(piece, str):
                out.append(piece)
                continue
            if room < _FAIR * len(piece):
                left, room = int(self.random() * _ROOM), _ROOM
            left, place = divmod(left, len(piece))
            room //= len(piece)
            out.append(piece[place])
        return "".join(out)


@lru_cache(maxsize=8192)
def _read_mask(mask: str) -> Sequence[str | Sequence[str]]:
    """The pieces of a mask: plain text, or the characters of which one is drawn."""
    pieces: list[str | Sequence[str]] = []
    position = 0
    while position < len(mask):
        character = mask[position]
        if character == "\\":
            position += 1
            pieces.append(mask[position])
        elif character == "[":
            close = mask.index("]", position)
            pieces.append(tuple(mask[position + 1 : close]))
            position = close
        elif character in _MASK:
            pieces.append(tuple(_MASK[character]))
        else:
            pieces.append(character)
        position += 1
    return tuple(pieces)
