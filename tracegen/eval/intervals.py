"""Sets of characters as sorted, disjoint, half-open intervals of whole numbers."""

from typing import NamedTuple

import numpy as np

from tracegen.eval.columns import Flags, Ints, ints, stacked


class Cover(NamedTuple):
    """A set of characters: disjoint intervals in order, with the size of all before each."""

    starts: Ints
    ends: Ints
    before: Ints

    def size(self) -> int:
        """The number of characters."""
        return int(self.before[-1])

    def measure(self, starts: Ints, ends: Ints) -> Ints:
        """How many characters of the set lie in each range."""
        return self._below(ends) - self._below(starts)

    def _below(self, positions: Ints) -> Ints:
        if not len(self.starts):
            return np.zeros(len(positions), dtype=np.int64)
        index = np.searchsorted(self.starts, positions, side="right")
        reached = self.ends[np.maximum(index, 1) - 1]
        over = np.where(index > 0, np.maximum(reached - positions, 0), 0)
        return np.asarray(self.before[index] - over)


def cover(starts: Ints, ends: Ints) -> Cover:
    """The union of ranges that may overlap, in any order."""
    if not len(starts):
        return Cover(ints([]), ints([]), ints([0]))
    if len(starts) > 1 and bool((starts[1:] < starts[:-1]).any()):
        order = np.argsort(starts, kind="stable")
        starts, ends = starts[order], ends[order]
    reach = np.maximum.accumulate(ends)
    fresh = np.concatenate(([True], starts[1:] > reach[:-1]))
    last = np.concatenate((fresh[1:], [True]))
    lows, highs = starts[fresh], reach[last]
    before = np.concatenate((ints([0]), np.cumsum(highs - lows)))
    return Cover(lows, highs, before)


def intersection(one: Cover, other: Cover) -> Cover:
    """The characters in both."""
    return _sweep(one, other, inside=True)


def difference(one: Cover, other: Cover) -> Cover:
    """The characters in the first and not in the second."""
    if not len(one.starts) or not len(other.starts):
        return one
    return _sweep(one, other, inside=False)


def merged(starts: Ints, ends: Ints, *, touching: bool) -> tuple[Ints, Ints]:
    """Ranges joined where they share a character, or also where they only touch."""
    if not len(starts):
        return starts, ends
    order = np.lexsort((ends, starts))
    starts, ends = starts[order], ends[order]
    reach = np.maximum.accumulate(ends)
    apart = starts[1:] > reach[:-1] if touching else starts[1:] >= reach[:-1]
    fresh = np.concatenate(([True], apart))
    return starts[fresh], reach[np.concatenate((fresh[1:], [True]))]


def inside_one(starts: Ints, ends: Ints, outer_starts: Ints, outer_ends: Ints) -> Flags:
    """Whether each range lies within a single one of the outer ranges."""
    if not len(outer_starts):
        return np.zeros(len(starts), dtype=np.bool_)
    order = np.lexsort((outer_ends, outer_starts))
    reach = np.maximum.accumulate(outer_ends[order])
    index = np.searchsorted(outer_starts[order], starts, side="right")
    return np.asarray((index > 0) & (reach[np.maximum(index, 1) - 1] >= ends))


def _sweep(one: Cover, other: Cover, *, inside: bool) -> Cover:
    points = stacked([one.starts, one.ends, other.starts, other.ends])
    opened = np.repeat(ints([1, -1, 0, 0]), _lengths(one, other))
    blocked = np.repeat(ints([0, 0, 1, -1]), _lengths(one, other))
    order = np.argsort(points, kind="stable")
    points = points[order]
    here = np.cumsum(opened[order]) > 0
    there = np.cumsum(blocked[order]) > 0
    keep = (here & (there if inside else ~there))[:-1] & (points[1:] > points[:-1])
    return cover(points[:-1][keep], points[1:][keep])


def _lengths(one: Cover, other: Cover) -> Ints:
    return ints([len(one.starts), len(one.ends), len(other.starts), len(other.ends)])
