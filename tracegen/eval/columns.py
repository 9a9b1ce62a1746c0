"""Columns of numbers, and columns of names as numbers: what the scorer computes on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]

ABSENT = -1
"""The code of a missing name or number."""

_FAR = 1 << 31
"""Numbers farther apart than this are numbered anew before one is multiplied with them."""


@dataclass(frozen=True, slots=True)
class Names:
    """A column of names: one code a row, into a list of distinct names; `ABSENT` for none."""

    codes: Ints
    names: list[str]

    @classmethod
    def of(cls, values: Iterable[str | None]) -> "Names":
        """The column of these values, names numbered in order of appearance."""
        rows = values if isinstance(values, list) else list(values)
        names = [name for name in dict.fromkeys(rows) if name is not None]
        index: dict[str | None, int] = {name: code for code, name in enumerate(names)}
        index[None] = ABSENT
        codes = np.fromiter(map(index.__getitem__, rows), dtype=np.int64, count=len(rows))
        return cls(codes, names)

    @classmethod
    def joined(cls, parts: Sequence["Names"]) -> "Names":
        """The parts one under the other, their lists of names made one."""
        if len(parts) == 1:
            return parts[0]
        index: dict[str, int] = {}
        columns = []
        for part in parts:
            recode = ints([index.setdefault(name, len(index)) for name in part.names] + [ABSENT])
            columns.append(recode[part.codes])
        return cls(stacked(columns), list(index))

    def __getitem__(self, rows: Ints | Flags) -> "Names":
        """The column of some rows; the list of names stays whole."""
        return Names(self.codes[rows], self.names)

    def name(self, row: int) -> str | None:
        """The name in one row."""
        code = int(self.codes[row])
        return None if code == ABSENT else self.names[code]

    def values(self) -> list[str | None]:
        """Every row's name."""
        names: list[str | None] = [*self.names, None]
        return [names[code] for code in self.codes.tolist()]

    def recoded(self, names: Sequence[str]) -> Ints:
        """The codes of the rows in another list of names, which holds all of these."""
        index = {name: code for code, name in enumerate(names)}
        return ints([index.get(name, ABSENT) for name in self.names] + [ABSENT])[self.codes]


def ints(values: Iterable[int]) -> Ints:
    """A column of whole numbers."""
    return np.array(values if isinstance(values, list) else list(values), dtype=np.int64)


def stacked(parts: Sequence[Ints]) -> Ints:
    """Columns one under the other."""
    return np.concatenate(parts) if parts else ints([])


def total(groups: Ints, size: int, weights: Ints | Flags | None = None) -> Ints:
    """The sum of the weights (or the number of rows) in each group."""
    if weights is None:
        return np.bincount(groups, minlength=size).astype(np.int64)
    if weights.dtype == np.bool_:
        return np.bincount(groups[weights], minlength=size).astype(np.int64)
    return np.bincount(groups, weights=weights, minlength=size).astype(np.int64)


def unique(values: Ints) -> Ints:
    """The distinct values in order; by sorting, which beats numpy's hashing on whole numbers."""
    ordered = np.sort(values)
    return ordered[_fresh(ordered)]


def grouped(values: Ints) -> tuple[Ints, Ints]:
    """Number equal values alike, in order: the first row of each group, and each row's group."""
    order = np.argsort(values, kind="stable")
    fresh = _fresh(values[order])
    group = np.empty(len(values), dtype=np.int64)
    group[order] = np.cumsum(fresh) - 1
    return order[fresh], group


def _fresh(ordered: Ints) -> Flags:
    flags = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=flags[1:])
    return flags


def exclusive(lengths: Ints) -> Ints:
    """The running sum before each row."""
    return np.cumsum(lengths) - lengths


def find_turns(turn_counts: Ints, turns: Ints, document: Ints, turn: Ints) -> Ints:
    """The row of each (document, turn number) in a column of turn numbers; `ABSENT` if none."""
    if not len(turns) or not len(turn):
        return np.full(len(turn), ABSENT, dtype=np.int64)
    low, high = int(turns.min()), int(turns.max())
    if high - low > _FAR:
        # Rarely, numbers lie so far apart that keys would outgrow a column: count the distinct.
        distinct = unique(turns)
        place = np.minimum(np.searchsorted(distinct, turn), len(distinct) - 1)
        turn = np.where(distinct[place] == turn, place, ABSENT)
        turns, low, high = np.searchsorted(distinct, turns), 0, len(distinct) - 1
    width = high - low + 1
    keys = np.repeat(np.arange(len(turn_counts)), turn_counts) * width + (turns - low)
    ordered = len(keys) < 2 or bool((keys[1:] >= keys[:-1]).all())
    order = np.arange(len(keys)) if ordered else np.argsort(keys, kind="stable")
    inside = (turn >= low) & (turn <= high)
    wanted = document * width + np.where(inside, turn - low, 0)
    sorted_keys = keys if ordered else keys[order]
    position = np.minimum(np.searchsorted(sorted_keys, wanted), len(keys) - 1)
    row = order[position]
    return np.where(inside & (keys[row] == wanted), row, ABSENT)
