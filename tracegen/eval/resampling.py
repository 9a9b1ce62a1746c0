"""Cluster bootstrap of the headline ratios: whole conversations, or whole templates, are drawn.

Mentions of one conversation are not independent, and neither are conversations of one template,
so an interval over templates is the honest one where a corpus has few of them.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tracegen.eval.alignment import Alignment
from tracegen.eval.columns import ABSENT, Floats, Ints
from tracegen.eval.counting import Counts
from tracegen.eval.headline import HEADLINE, columns_of
from tracegen.eval.metrics import Block
from tracegen.eval.options import Options

_CHUNK_DRAWS = 250_000
THIN = 10
"""An interval drawn from fewer clusters is marked: it is too narrow."""

_LEVELS = (0.025, 0.975)


def intervals(alignment: Alignment, counts: Counts, options: Options) -> dict[str, Block]:
    """The 95 % percentile interval of every headline ratio that is defined."""
    by_conversation = bounds(counts.names, counts.table, options)
    template = alignment.gold.fields["template_id"].codes[counts.documents]
    grouped = _template_table(counts, template)
    by_template = {} if grouped is None else bounds(counts.names, grouped, options)
    result: dict[str, Block] = {}
    for name, (low, high) in by_conversation.items():
        result[name] = {
            "low": low,
            "high": high,
            "method": "percentile bootstrap over conversations",
            "clusters": len(counts.table),
            "thin": _contributing(counts.names, counts.table, name) < THIN,
            "resamples": options.resamples,
            "seed": options.seed,
        }
        if grouped is not None and name in by_template:
            low, high = by_template[name]
            result[name]["template"] = {
                "low": low,
                "high": high,
                "clusters": len(grouped),
                "thin": _contributing(counts.names, grouped, name) < THIN,
            }
    return result


def _contributing(names: tuple[str, ...], table: Ints, path: str) -> int:
    """How many clusters say anything about a measure; of few, resampling cannot learn much."""
    columns = [names.index(name) for name in columns_of([path])]
    return int(table[:, columns].any(axis=1).sum())


def _template_table(counts: Counts, template: Ints) -> Ints | None:
    """Counts a template; None where the gold does not name templates throughout."""
    if (template == ABSENT).any() or len(np.unique(template)) < 2:
        return None
    table = counts.grouped(template, int(template.max()) + 1)
    return table[np.unique(template)]


def bounds(names: tuple[str, ...], table: Ints, options: Options) -> dict[str, tuple[float, float]]:
    """The interval of each headline ratio over resamples of the table's rows."""
    needed = columns_of(list(HEADLINE))
    kept = table[:, [names.index(name) for name in needed]]
    sums = resampled(kept, options.resamples, options.seed)
    columns = {name: sums[:, index] for index, name in enumerate(needed)}
    result = {}
    for name, measure in HEADLINE.items():
        values = measure(columns)
        values = values[~np.isnan(values)]
        if len(values):
            low, high = np.quantile(values, _LEVELS)
            result[name] = (round(float(low), 6), round(float(high), 6))
    return result


def resampled(table: Ints, resamples: int, seed: int) -> Floats:
    """Column sums of tables whose rows are drawn with replacement, one row a resample.

    Whole numbers are multiplied without BLAS, whose threads lose more time waiting for each other
    on a busy machine than they save here.
    """
    kinds, kind = np.unique(table, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    parts = []
    for rows in draws(len(table), resamples, seed):
        size, width = len(rows), len(kinds)
        flat = kind[rows] + width * np.arange(size)[:, None]
        times = np.bincount(flat.reshape(-1), minlength=size * width).reshape(size, width)
        parts.append(times @ kinds)
    return np.concatenate(parts).astype(np.float64)


def draws(population: int, resamples: int, seed: int) -> Iterator[npt.NDArray[np.uint64]]:
    """Rows drawn with replacement, some resamples at a time.

    Only the raw output of PCG64 is used, which numpy promises to keep; its methods may change.
    """
    source = np.random.PCG64(seed)
    at_once = max(1, _CHUNK_DRAWS // population)
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start)
        words = source.random_raw((size * population + 1) // 2).view(np.uint32)
        numbers = words[: size * population].astype(np.uint64)
        yield ((numbers * np.uint64(population)) >> np.uint64(32)).reshape(size, population)
