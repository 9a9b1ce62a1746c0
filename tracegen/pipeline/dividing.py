"""Ballast for both sides of a story where there is so little that one piece more or less shows."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from tracegen.errors import InvariantError
from tracegen.pipeline.catalogue import LEAST_ROWS, Filler
from tracegen.pipeline.plan import Part
from tracegen.seeds import Stream

_SMALL = 400
"""Code points up to which a piece that cannot grow is small: several may stand on one side."""

_SEVERAL = 3
"""Small pieces on one side, at most."""

_GRAIN = 0.02
"""Divisions that differ by less than this share of the ballast are equally good."""


class Side(NamedTuple):
    """The ballast of one side, and how long it is likely to be."""

    parts: tuple[Part, ...]
    length: float


def divide(
    fillers: Sequence[Filler], sides: tuple[float, float], stream: Stream
) -> tuple[Side, Side]:
    """The pieces whose lengths come nearest to those wanted on the two sides, no piece twice.

    Args:
        fillers: the pieces of a language.
        sides: the wanted length of each side.
        stream: chooses among divisions that are equally good, and draws the order.
    """
    deck = stream.child("deal").shuffled(fillers)
    small = [one for one in deck if not one.slope and one.base <= _SMALL]
    long = [one for one in deck if one not in small]
    grain = max(1.0, _GRAIN * sum(sides))
    found = []
    for number, length in enumerate(sides):
        fixed, others = _with_room(long[number::2], length)
        found.append(
            [
                _filled((*fixed, *several), others, length, grain)
                for several in (_subsets(small) if length > 0 else [()])
            ]
        )
    first, second = _nearest(*found)
    return first.side(stream.child("first")), second.side(stream.child("second"))


class _Choice(NamedTuple):
    held: tuple[Filler, ...]
    long: Filler | None
    rows: int | None
    length: float
    missed: int
    """By how many grains its length differs from the wanted one."""

    def side(self, stream: Stream) -> Side:
        parts = [Part(one.template) for one in self.held]
        if self.long is not None:
            parts.append(Part(self.long.template, rows=self.rows))
        return Side(tuple(stream.shuffled(parts)), self.length)


def _nearest(firsts: Sequence[_Choice], seconds: Sequence[_Choice]) -> tuple[_Choice, _Choice]:
    """Of two choices without a common piece, those that miss least; the first of equal ones.

    The second choices are looked through from the best: nearly always one of the first few fits.
    """
    ranked = sorted(seconds, key=lambda one: one.missed)
    sets = [frozenset(one.held) for one in ranked]
    best: tuple[int, _Choice, _Choice] | None = None
    for one in firsts:
        held = frozenset(one.held)
        for other, own in zip(ranked, sets, strict=True):
            missed = one.missed + other.missed
            if best is not None and missed >= best[0]:
                break
            if held.isdisjoint(own):
                best = missed, one, other
                break
    if best is None:
        raise InvariantError("two empty sides hold no piece twice")
    return best[1], best[2]


def _subsets(small: Sequence[Filler]) -> Iterator[tuple[Filler, ...]]:
    for count in range(_SEVERAL + 1):
        yield from combinations(small, count)


def _with_room(
    long: Sequence[Filler], length: float
) -> tuple[tuple[Filler, ...], Sequence[Filler]]:
    """The first piece, if any, that cannot grow and leaves room for one that can; and the others.

    Most that grow are tables and logs: with room for it, prose stands beside them.
    """
    room = min((one.least for one in long if one.slope), default=length)
    for one in long:
        if not one.slope and one.base + room <= length:
            return (one,), [other for other in long if other is not one]
    return (), long


def _filled(
    held: tuple[Filler, ...], long: Sequence[Filler], length: float, grain: float
) -> _Choice:
    """Some pieces that cannot grow, and the first long one, or none, that fills the rest best."""
    have = sum(one.base for one in held)
    best = _Choice(held, None, None, have, round(abs(have - length) / grain))
    for one in long if length > 0 else ():
        rows, whole = None, have + one.least
        if one.slope:
            more = max(0, round((length - whole) / one.slope))
            rows, whole = LEAST_ROWS + more, whole + more * one.slope
        missed = round(abs(whole - length) / grain)
        if missed < best.missed:
            best = _Choice(held, one, rows, whole, missed)
    return best
