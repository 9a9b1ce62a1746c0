"""Which gold spans and which predictions belong together; pure functions of whole numbers."""

from typing import TypeAlias

import numpy as np

from tracegen.eval.columns import Flags, Ints, grouped

Ranges: TypeAlias = tuple[Ints, Ints]
Triples: TypeAlias = tuple[Ints, Ints, Ints]
"""Start, end and label."""


def distinct(start: Ints, end: Ints, label: Ints) -> Flags:
    """Mark the first of each group of equal (start, end, label)."""
    flags = np.zeros(len(start), dtype=np.bool_)
    first, _ = grouped(_keys(start, end, label))
    flags[first] = True
    return flags


def common(gold: Triples, found: Triples) -> tuple[Flags, Flags]:
    """Flags of the triples that are on the other side too; each side's triples are distinct."""
    size = len(gold[0])
    start, end, label = (np.concatenate(pair) for pair in zip(gold, found, strict=True))
    keys = _keys(start, end, label)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    equal = ordered[1:] == ordered[:-1]
    flags = np.zeros(len(keys), dtype=np.bool_)
    flags[order[1:][equal]] = True
    flags[order[:-1][equal]] = True
    return flags[:size], flags[size:]


def _keys(start: Ints, end: Ints, label: Ints) -> Ints:
    """One number a triple, equal for equal triples only."""
    longest = int((end - start).max(initial=0)) + 1
    labels = int(label.max(initial=0)) + 1
    length = end - start
    if int(start.max(initial=0)) >= 2**62 // (longest * labels):
        _, start = grouped(start)
    return np.asarray((start * longest + length) * labels + label)


def same_range(ranges: Ranges, others: Ranges) -> Flags:
    """Whether each range is among the others."""
    longest = max(int((end - start).max(initial=0)) for start, end in (ranges, others))
    keys, other_keys = (start * (longest + 1) + end - start for start, end in (ranges, others))
    return np.isin(keys, other_keys)


def matched(gold: Triples, found: Triples, tolerance: int) -> Flags:
    """The gold spans of a largest one-to-one matching within a tolerance.

    A pair is allowed if the labels are equal, both edges lie within the tolerance and the two
    share a character.
    """
    left, right = _pairs(gold, found, tolerance)
    flags = np.zeros(len(gold[0]), dtype=np.bool_)
    lonely = (np.bincount(left, minlength=1)[left] == 1) & (
        np.bincount(right, minlength=1)[right] == 1
    )
    flags[left[lonely]] = True
    mates = largest_matching(left[~lonely].tolist(), right[~lonely].tolist())
    flags[list(mates)] = True
    return flags


def largest_matching(left: list[int], right: list[int]) -> dict[int, int]:
    """A largest set of pairs that share no end, from the allowed pairs: left to right.

    Example:
        >>> sorted(largest_matching([0, 0, 1], [5, 6, 5]).items())
        [(0, 6), (1, 5)]
    """
    allowed: dict[int, list[int]] = {}
    for one, other in zip(left, right, strict=True):
        allowed.setdefault(one, []).append(other)
    mate_of_left: dict[int, int] = {}
    mate_of_right: dict[int, int] = {}
    for root in allowed:
        _augment(root, allowed, mate_of_left, mate_of_right)
    return mate_of_left


def _augment(
    root: int,
    allowed: dict[int, list[int]],
    mate_of_left: dict[int, int],
    mate_of_right: dict[int, int],
) -> None:
    """Look for a chain of pairs that gives the root a mate and takes none from the others."""
    came_from: dict[int, int] = {}
    waiting = [root]
    for one in waiting:
        for other in allowed[one]:
            if other in came_from:
                continue
            came_from[other] = one
            if other not in mate_of_right:
                _turn(other, root, came_from, mate_of_left, mate_of_right)
                return
            waiting.append(mate_of_right[other])


def _turn(
    end: int,
    root: int,
    came_from: dict[int, int],
    mate_of_left: dict[int, int],
    mate_of_right: dict[int, int],
) -> None:
    while True:
        one = came_from[end]
        before = mate_of_left.get(one)
        mate_of_left[one], mate_of_right[end] = end, one
        if one == root or before is None:
            return
        end = before


def _pairs(gold: Triples, found: Triples, tolerance: int) -> Ranges:
    """Rows of gold and predictions that may be matched."""
    order = np.argsort(found[0], kind="stable")
    starts = found[0][order]
    low = np.searchsorted(starts, gold[0] - tolerance, side="left")
    high = np.searchsorted(starts, gold[0] + tolerance, side="right")
    counts = high - low
    left = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(left)) - np.repeat(np.cumsum(counts) - counts, counts)
    right = order[np.repeat(low, counts) + within]
    allowed = (
        (gold[2][left] == found[2][right])
        & (np.abs(gold[1][left] - found[1][right]) <= tolerance)
        & (gold[0][left] < found[1][right])
        & (found[0][right] < gold[1][left])
    )
    return left[allowed], right[allowed]
