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


@dataclass(frozen=True, slots=True)
class Names:
    """A column of names: one code a row, into a list of distinct names; `ABSENT` for none."""

    codes: Ints
    names: list[str]

    @classmethod
    def of(cls, values: Iterable[str | None]) -> "Names":
        """The column of these values, names numbered in order of appearance."""
        index: dict[str, int] = {}
        codes = [
            ABSENT if value is None else index.setdefault(value, len(index)) for value in values
        ]
        return cls(ints(codes), list(index))

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


def exclusive(lengths: Ints) -> Ints:
    """The running sum before each row."""
    return np.cumsum(lengths) - lengths
