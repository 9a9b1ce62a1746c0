"""The few statistics a score needs, each by its textbook formula."""

from collections.abc import Sequence
from math import ceil, comb, sqrt

Z = 1.959964
"""The normal quantile of a two-sided 95 % interval."""


def wilson(k: float, n: float, z: float = Z) -> tuple[float, float]:
    """The Wilson score interval of k hits in n trials, clamped to [0, 1]; (0, 1) without trials.

    Example:
        >>> [round(edge, 3) for edge in wilson(3, 4)]
        [0.301, 0.954]
    """
    if not n:
        return 0.0, 1.0
    share, square = k / n, z * z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = z * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    low = 0.0 if not k else max(0.0, centre - half)
    high = 1.0 if k == n else min(1.0, centre + half)
    return low, high


def sample_size(recall: float, half_width: float, z: float = Z) -> int:
    """How many mentions make a recall known to plus or minus the half-width.

    Example:
        >>> sample_size(0.7, 0.05)
        323
    """
    return ceil(z * z * recall * (1 - recall) / half_width**2)


def mcnemar(only_first: int, only_second: int) -> float | None:
    """The exact two-sided p of McNemar's test on the pairs in which exactly one side succeeds.

    None where no pair differs: there is nothing to test.

    Example:
        >>> mcnemar(8, 1)
        0.0390625
    """
    n = only_first + only_second
    if not n:
        return None
    if n > 1000:
        return _mcnemar_large(only_first, only_second)
    tail = sum(comb(n, i) for i in range(min(only_first, only_second) + 1))
    return min(1.0, float(2 * tail / 2**n))


def _mcnemar_large(only_first: int, only_second: int) -> float:
    """The same tail in logarithms, for numbers whose powers no float holds."""
    from math import exp, lgamma, log

    n, low = only_first + only_second, min(only_first, only_second)
    logs = [lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) - n * log(2) for i in range(low + 1)]
    top = max(logs)
    return min(1.0, 2 * exp(top) * sum(exp(value - top) for value in logs))


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down correction of several p values; None stays None and is not counted."""
    tested = sorted((value, index) for index, value in enumerate(values) if value is not None)
    result: list[float | None] = [None] * len(values)
    worst = 0.0
    for rank, (value, index) in enumerate(tested):
        worst = max(worst, min(1.0, value * (len(tested) - rank)))
        result[index] = worst
    return result


def kappa(both: float, first: float, second: float, neither: float) -> float | None:
    """Cohen's kappa of two yes-or-no judges; None where chance alone must agree."""
    n = both + first + second + neither
    if not n:
        return None
    observed = (both + neither) / n
    yes_one, yes_two = (both + first) / n, (both + second) / n
    expected = yes_one * yes_two + (1 - yes_one) * (1 - yes_two)
    return kappa_of(observed, expected)


def kappa_of(observed: float, expected: float) -> float | None:
    """Cohen's kappa from observed and expected agreement; None where it is undefined."""
    if 1 - expected < 1e-12:
        return None
    return (observed - expected) / (1 - expected)
