"""Weighted strata: a sample in which some kinds of conversation were drawn more often."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tracegen.errors import InputError, unknown
from tracegen.eval.alignment import Alignment
from tracegen.eval.columns import ABSENT, Floats, Ints, total
from tracegen.eval.counting import Counts
from tracegen.eval.limits import Count
from tracegen.eval.metrics import Block, metrics
from tracegen.eval.options import Options
from tracegen.eval.strata import STRATA
from tracegen.resources import Facts, read_yaml


class Sampled(Facts):
    """How many conversations a stratum has, and how many of them were scored."""

    population: Count
    sampled: Count


class Strata(Facts):
    """A file for `--strata`: the key that names the stratum, and the sizes of each cell."""

    by: str
    strata: dict[str, Sampled]


def read_strata(path: Path) -> dict[str, Any]:
    """Read a file of population and sampled counts.

    Raises:
        InputError: a stratum has no sample, or fewer members than its sample.
    """
    known = read_yaml(Strata, path)
    for name, sizes in known.strata.items():
        if not 0 < sizes.sampled <= sizes.population:
            raise InputError("needs 0 < sampled <= population", file=path, where=f"strata.{name}")
    return known.model_dump()


def weighted(alignment: Alignment, counts: Counts, options: Options) -> Block:
    """The headline metrics with every count weighted by population / sampled."""
    weights = document_weights(alignment, counts, options.strata)
    sums = dict(zip(counts.names, (weights @ counts.table).tolist(), strict=True))
    sums = {name: round(value, 6) for name, value in sums.items()}
    return metrics(sums, single=options.single, tolerance=options.tolerance)


def document_weights(alignment: Alignment, counts: Counts, strata: dict[str, Any]) -> Floats:
    """The weight of each scored document.

    Raises:
        InputError: the key does not cut whole documents, a cell has no sizes, or `sampled` is not
            the number of conversations that the corpus has of it.
    """
    key = strata["by"]
    if key not in STRATA:
        raise InputError(unknown("stratum", key, STRATA))
    stratum = STRATA[key](alignment, counts.identifiers)
    if stratum.documents is None:
        raise InputError(f"--strata: {key!r} does not belong to whole conversations")
    codes = stratum.documents[counts.documents]
    if (codes == ABSENT).any():
        raise InputError(f"--strata: some conversations have no {key}")
    sizes = strata["strata"]
    for code in np.unique(codes).tolist():
        if stratum.names[code] not in sizes:
            raise InputError(unknown(key, stratum.names[code], sizes) + " (in --strata)")
    _check_sampled(key, sizes, stratum.names, stratum.documents)
    weight = [
        sizes[name]["population"] / sizes[name]["sampled"] if name in sizes else 0.0
        for name in stratum.names
    ]
    return np.array(weight, dtype=np.float64)[codes]


def _check_sampled(key: str, sizes: dict[str, Any], names: Sequence[str], documents: Ints) -> None:
    """Hold each `sampled` against the corpus: a wrong one would scale every count unseen.

    The whole corpus counts, also where only a part of it is scored: the part was sampled with it.
    """
    there = total(documents[documents != ABSENT], len(names)).tolist()
    found = dict(zip(names, there, strict=True))
    for name, size in sizes.items():
        if found.get(name, 0) != size["sampled"]:
            raise InputError(
                f"--strata: {key} {name!r} has {found.get(name, 0)} conversations in the corpus, "
                f"not {size['sampled']}; `sampled` must be how many it holds"
            )
