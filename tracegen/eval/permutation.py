"""Paired tests of two detectors on the same documents."""

from collections.abc import Mapping
from itertools import product

import numpy as np

from tracegen.eval.columns import Floats, Ints
from tracegen.eval.headline import HEADLINE, Sums, columns_of

ENUMERATE_UP_TO = 12
"""With so few documents that differ, every swap is tried and the p value is exact."""

_CHUNK = 1_000_000
_SLACK = 1e-12


def permuted(
    names: tuple[str, ...],
    one: Ints,
    other: Ints,
    measures: tuple[str, ...],
    rounds: int,
    seed: int,
) -> dict[str, float | None]:
    """The p value of each pooled measure under swapping the two systems a document at a time.

    Args:
        names: the columns of both tables.
        one: counts of the first system, one row a document.
        other: counts of the second, same rows.
        measures: paths of headline measures.
        rounds: how many random swaps, where not all are tried.
        seed: seed of the swaps.

    Returns:
        p, or None where the measure of either system is undefined.
    """
    needed = columns_of(measures)
    kept = [names.index(name) for name in needed]
    one, other, names = one[:, kept], other[:, kept], tuple(needed)
    change = (other - one).astype(np.float64)
    differs = change.any(axis=1)
    swaps = _swaps(change[differs], rounds, seed)
    totals = one.sum(axis=0), other.sum(axis=0)
    sums_one, sums_other = totals[0] + swaps, totals[1] - swaps
    exact = int(differs.sum()) <= ENUMERATE_UP_TO
    result: dict[str, float | None] = {}
    for path in measures:
        measure = HEADLINE[path]
        seen = float(measure(_columns(names, totals[1])) - measure(_columns(names, totals[0])))
        drawn = measure(_columns(names, sums_other)) - measure(_columns(names, sums_one))
        result[path] = None if np.isnan(seen) else p_value(drawn, seen, exact=exact)
    return result


def p_value(drawn: Floats, seen: float, *, exact: bool) -> float:
    """The two-sided p of a difference among those drawn; +1 unless all swaps were tried."""
    as_large = int((np.abs(np.nan_to_num(drawn)) >= abs(seen) - _SLACK).sum())
    return as_large / len(drawn) if exact else (1 + as_large) / (1 + len(drawn))


def permuted_difference(change: Ints, rounds: int, seed: int) -> float:
    """The p value of a sum of differences, one a document, under swaps of their signs."""
    moved = change[change != 0].astype(np.float64)[:, None]
    swapped = _swaps(moved, rounds, seed)[:, 0]
    seen = float(moved.sum())
    return p_value(seen - 2 * swapped, seen, exact=len(moved) <= ENUMERATE_UP_TO)


def _swaps(change: Floats, rounds: int, seed: int) -> Floats:
    """Column sums of the changes of the documents that are swapped, one row a round.

    Documents that change alike are counted together, which leaves little to multiply.
    """
    size = len(change)
    if size <= ENUMERATE_UP_TO:
        every = np.array(list(product((0.0, 1.0), repeat=size)))
        return every.reshape(2**size, size) @ change
    kinds, kind = np.unique(change, axis=0, return_inverse=True)
    first = np.flatnonzero(np.diff(np.sort(kind.reshape(-1)), prepend=-1))
    values = kinds.astype(np.int64)
    source = np.random.PCG64(seed)
    words = -(-size // 64)
    at_once = max(1, _CHUNK // size)
    parts = []
    for start in range(0, rounds, at_once):
        count = min(at_once, rounds - start)
        raw = source.random_raw(count * words).astype("<u8").view(np.uint8)
        bits = np.unpackbits(raw.reshape(count, -1), axis=1, count=size)
        parts.append(np.add.reduceat(bits, first, axis=1, dtype=np.int64) @ values)
    return np.concatenate(parts).astype(np.float64)


def _columns(names: tuple[str, ...], sums: Floats | Ints) -> Sums:
    table: Mapping[str, Floats] = {
        name: np.asarray(sums[..., index], dtype=np.float64) for index, name in enumerate(names)
    }
    return table
