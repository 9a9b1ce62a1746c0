"""A longest common subsequence, exact and fast: a row of the table is one number.

Whole numbers of any size hold a row of bits, so that a row costs a handful of additions (the
bit-parallel method of Crochemore and others, 2001, as Hyyrö wrote it). Tables that would take too
much memory are halved first, as Hirschberg's method does.
"""

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from tracegen.eval.columns import Ints

Pairs = list[tuple[int, int]]
"""Places in the one and in the other sequence, both rising."""

_CELLS = 2**28
"""So many bits of a table are kept at once: 32 MiB."""


def longest_common(
    old: Sequence[Hashable], new: Sequence[Hashable], *, cells: int = _CELLS
) -> Pairs:
    """The pairs of equal items of a longest common subsequence; of several, one is taken.

    Args:
        old: one sequence.
        new: the other.
        cells: how large a table may be before it is halved.
    """
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    middle = _middle(old[head : len(old) - tail], new[head : len(new) - tail], cells)
    ends = zip(range(len(old) - tail, len(old)), range(len(new) - tail, len(new)), strict=True)
    return [
        *((at, at) for at in range(head)),
        *((one + head, other + head) for one, other in middle),
        *ends,
    ]


def _middle(old: Sequence[Hashable], new: Sequence[Hashable], cells: int) -> Pairs:
    """What is left after equal ends: items that the other side lacks can be in no pair."""
    shared = set(old) & set(new)
    if not shared:
        return []
    old_at = [at for at, item in enumerate(old) if item in shared]
    new_at = [at for at, item in enumerate(new) if item in shared]
    left, right = [old[at] for at in old_at], [new[at] for at in new_at]
    if len(left) > len(right):
        found = [(one, other) for other, one in _solved(right, left, cells)]
    else:
        found = _solved(left, right, cells)
    return [(old_at[one], new_at[other]) for one, other in found]


def _solved(few: list[Hashable], many: list[Hashable], cells: int) -> Pairs:
    if len(few) < 2 or len(few) * len(many) <= cells:
        return _traced(few, many)
    half = len(few) // 2
    before = _lengths(few[:half], many)
    after = _lengths(few[half:][::-1], many[::-1])[::-1]
    cut = int(np.argmax(before + after))
    first = longest_common(few[:half], many[:cut], cells=cells)
    second = longest_common(few[half:], many[cut:], cells=cells)
    return [*first, *((one + half, other + cut) for one, other in second)]


def _rows(few: list[Hashable], many: list[Hashable]) -> Iterator[int]:
    """A number for each item of `few`: bit j is 0 where item j of `many` makes the length grow."""
    places: dict[Hashable, int] = {}
    for at, item in enumerate(many):
        places[item] = places.get(item, 0) | 1 << at
    whole = (1 << len(many)) - 1
    row = whole
    for item in few:
        equal = row & places.get(item, 0)
        row = ((row + equal) | (row - equal)) & whole
        yield row


def _traced(few: list[Hashable], many: list[Hashable]) -> Pairs:
    rows = list(_rows(few, many))
    size = len(many) // 8 + 1
    pairs: Pairs = []
    other = len(many)
    for one in range(len(few) - 1, -1, -1):
        bits = rows.pop().to_bytes(size, "little")
        while other:
            last = other - 1
            if few[one] == many[last]:
                pairs.append((one, last))
                other = last
                break
            if not bits[last >> 3] >> (last & 7) & 1:
                break
            other = last
    return pairs[::-1]


def _lengths(few: list[Hashable], many: list[Hashable]) -> Ints:
    """The length of a longest common subsequence with each start of `many`, the empty one first."""
    row = 0
    for row in _rows(few, many):  # noqa: B007 (the last one is wanted)
        pass
    packed = np.frombuffer(row.to_bytes(len(many) // 8 + 1, "little"), dtype=np.uint8)
    grows = np.unpackbits(packed, count=len(many), bitorder="little") == 0
    return np.concatenate(([0], np.cumsum(grows)))
