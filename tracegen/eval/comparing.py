"""Compare detectors on the same gold: differences, intervals, tests, best and worst slices."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from tracegen.errors import InputError, unknown
from tracegen.eval.columns import Flags, Ints, total
from tracegen.eval.counting import exact_hits
from tracegen.eval.gold import Gold
from tracegen.eval.headline import HEADLINE, columns_of
from tracegen.eval.metrics import Block
from tracegen.eval.options import Options
from tracegen.eval.permutation import permuted, permuted_difference
from tracegen.eval.predictions import declares_unit
from tracegen.eval.provenance import (
    WORTH_A_WARNING,
    as_option,
    best_map,
    unmapped_share,
    unmapped_warning,
)
from tracegen.eval.report import readable
from tracegen.eval.resampling import resampled
from tracegen.eval.scoring import Scored, read_gold, score
from tracegen.eval.statistics import holm, mcnemar
from tracegen.eval.strata import STRATA

MEASURES = (
    "exact_typed.f1", "exact_typed.precision", "exact_typed.recall", "characters.f1",
    "characters.precision", "containment.recall", "overlap.recall", "leaks.span_rate",
    "leaks.document_rate",
    "identifiers.all.rate", "identifiers.multi.rate", "identifiers.cross_turn.rate",
    "negatives.rate",
)  # fmt: skip
"""What is compared."""

LOWER_IS_BETTER = ("leaks.span_rate", "leaks.document_rate", "negatives.rate")

HALF = 0.5
"""With a larger share of unknown labels, and no map asked for, nothing is compared."""

SLICES = ("language", "label", "length", "language_label")


@dataclass(frozen=True, slots=True)
class Procedure:
    """How two detectors are compared."""

    by: tuple[str, ...] = SLICES
    """Strata whose cells are compared."""
    on: str = "exact"
    """What a mention must be in a slice to count as found: `exact` or `contained`."""
    rounds: int = 10_000
    """Swaps of the permutation test."""
    resamples: int = 2_000
    """Resamples of the paired bootstrap."""
    seed: int = 0

    def check(self) -> None:
        """Refuse choices that mean nothing.

        Raises:
            InputError: names the choice.
        """
        for key in self.by:
            if key not in STRATA:
                raise InputError(unknown("stratum", key, STRATA))
        if self.on not in ("exact", "contained"):
            raise InputError(unknown("way to be found", self.on, ("exact", "contained")))
        if self.rounds < 1 or self.resamples < 0:
            raise InputError("compare needs at least one round and no negative resamples")


def compare(
    corpus: Path | Gold,
    predictions: Sequence[Path],
    *,
    labels: Sequence[str] = (),
    offset_unit: str = "codepoint",
    options: Options | None = None,
    procedure: Procedure | None = None,
) -> Block:
    """Compare each further detector with the first.

    Args:
        corpus: gold, or where to read it.
        predictions: at least two files of predictions.
        labels: one label map for all, or one for each; without any, each file is read with the
            map that the run record beside it names, else with `tracegen`.
        offset_unit: the unit of all predictions' offsets.
        options: how to count.
        procedure: how to compare.

    Raises:
        InputError: fewer than two files, an input that cannot be scored, or a file most of
            whose predictions no map reads although none was asked for.
    """
    if len(predictions) < 2:
        raise InputError("compare needs at least two files of predictions")
    procedure = procedure or Procedure()
    procedure.check()
    maps = _maps(labels, len(predictions))
    gold = corpus
    if not isinstance(gold, Gold):
        declared = offset_unit != "codepoint" or any(map(declares_unit, predictions))
        gold = read_gold(gold, texts=declared)
    runs = [
        score(gold, file, labels=name, offset_unit=offset_unit, options=options)
        for file, name in zip(predictions, maps, strict=True)
    ]
    if not labels:
        _check_read(predictions, runs)
    pairs = [_pair(runs[0], run, procedure) for run in runs[1:]]
    correct(pairs)
    remedy = _remedy(runs)
    return {
        "gold_digest": runs[0].report["signature"]["gold_digest"],
        "systems": [
            _system(file, run, remedy) for file, run in zip(predictions, runs, strict=True)
        ],
        "pairs": pairs,
        "method": {**asdict(procedure), "by": list(procedure.by)},
    }


def compare_runs(first: Scored, second: Scored, procedure: Procedure | None = None) -> Block:
    """Compare two scoring runs.

    Raises:
        InputError: they were scored on different gold or different parts of it.
    """
    signatures = first.report["signature"], second.report["signature"]
    if signatures[0]["gold_digest"] != signatures[1]["gold_digest"]:
        raise InputError("the two runs have different gold; score both on the same corpus")
    if not np.array_equal(first.alignment.spans.start, second.alignment.spans.start):
        raise InputError("the two runs score different parts; use the same --only and --ignore")
    pair = _pair(first, second, procedure or Procedure())
    correct([pair])
    return pair


def correct(pairs: Sequence[Block]) -> None:
    """Correct the p values of all slices of all pairs together, by Holm's method."""
    slices = [cell for pair in pairs for cell in pair["slices"]]
    for cell, p in zip(slices, holm([cell["p"] for cell in slices]), strict=True):
        cell["p_holm"] = _rounded(p)


def _check_read(files: Sequence[Path], runs: Sequence[Scored]) -> None:
    """Refuse to judge a detector by labels that nobody said how to read."""
    for file, run in zip(files, runs, strict=True):
        share = unmapped_share(run.report)
        if share > HALF:
            name = run.report["signature"]["label_map"]["name"]
            raise InputError(
                f"{share:.0%} of the predictions have a label that the map {name!r} does not know; "
                f"to compare them {_remedy(runs)}",
                file=file,
            )


def _remedy(runs: Sequence[Scored]) -> str:
    """One map for each file: its own, or a better one where that leaves labels unknown."""
    maps = []
    for run in runs:
        unmapped = run.report["predictions"]["unmapped"]
        known: str | None = run.report["signature"]["label_map"]["name"]
        maps.append(best_map(unmapped) if unmapped_share(run.report) > WORTH_A_WARNING else known)
    return as_option(maps)


def _maps(labels: Sequence[str], size: int) -> list[str | None]:
    if not labels:
        return [None] * size
    maps: list[str | None] = list(labels)
    if len(maps) == 1:
        maps *= size
    if len(maps) != size:
        raise InputError(f"{len(maps)} label maps for {size} files; give one for all or one each")
    return maps


def _system(file: Path, run: Scored, remedy: str) -> Block:
    metrics = {name: _point(run, name) for name in MEASURES}
    signature = run.report["signature"]
    return {
        "name": readable(file.stem),
        "predictions_digest": signature["predictions_digest"],
        "label_map": {key: signature["label_map"][key] for key in ("name", "why")},
        "warning": unmapped_warning(run.report, Path(readable(file.name)), remedy),
        "metrics": metrics,
    }


def _pair(first: Scored, second: Scored, procedure: Procedure) -> Block:
    one, other, names = first.counts.table, second.counts.table, first.counts.names
    p_values = permuted(names, one, other, MEASURES, procedure.rounds, procedure.seed)
    bounds = _differences(names, one, other, procedure.resamples, procedure.seed)
    measures = {
        name: {
            "first": _point(first, name),
            "second": _point(second, name),
            "difference": _gap(_point(first, name), _point(second, name)),
            **bounds.get(name, {"low": None, "high": None}),
            "p": _rounded(p_values[name]),
        }
        for name in MEASURES
    }
    return {
        "measures": measures,
        "mcnemar": _mcnemar(first, second),
        "differing_documents": int((one != other).any(axis=1).sum()),
        "slices": _slices(first, second, procedure),
    }


def _point(run: Scored, name: str) -> float | None:
    sums = {key: np.asarray(float(value)) for key, value in run.counts.sums().items()}
    value = float(HEADLINE[name](sums))
    return None if np.isnan(value) else round(value, 6)


def _gap(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else round(second - first, 6)


def _differences(
    names: tuple[str, ...], one: Ints, other: Ints, resamples: int, seed: int
) -> dict[str, Block]:
    """The paired bootstrap: both systems on the same resampled documents."""
    if not resamples:
        return {}
    needed = columns_of(MEASURES)
    kept = [names.index(name) for name in needed]
    sums = resampled(np.hstack((one[:, kept], other[:, kept])), resamples, seed)
    first = {name: sums[:, index] for index, name in enumerate(needed)}
    second = {name: sums[:, len(needed) + index] for index, name in enumerate(needed)}
    result = {}
    for name in MEASURES:
        gaps = HEADLINE[name](second) - HEADLINE[name](first)
        gaps = gaps[~np.isnan(gaps)]
        if len(gaps):
            low, high = np.quantile(gaps, (0.025, 0.975))
            result[name] = {"low": round(float(low), 6), "high": round(float(high), 6)}
    return result


def _mcnemar(first: Scored, second: Scored) -> Block:
    one, other = _found(first, "contained"), _found(second, "contained")
    only_first, only_second = int((one & ~other).sum()), int((other & ~one).sum())
    p = _rounded(mcnemar(only_first, only_second))
    return {"only_first": only_first, "only_second": only_second, "p": p}


def _found(run: Scored, on: str) -> Flags:
    if on == "exact":
        return exact_hits(run.alignment)
    return np.asarray(run.alignment.covered == run.alignment.size)


def _slices(first: Scored, second: Scored, procedure: Procedure) -> list[Block]:
    alignment = first.alignment
    hits = [_found(run, procedure.on).astype(np.int64) for run in (first, second)]
    change = hits[1] - hits[0]
    result = []
    for key in procedure.by:
        stratum = STRATA[key](alignment, first.counts.identifiers)
        for cell, name in enumerate(stratum.names):
            rows = np.flatnonzero(stratum.gold == cell)
            if not len(rows):
                continue
            documents = alignment.spans.document[rows]
            gaps = total(documents, len(alignment.gold), change[rows])
            found = [int(side[rows].sum()) for side in hits]
            p = permuted_difference(gaps, procedure.rounds, procedure.seed) if gaps.any() else None
            result.append(
                {
                    "slice": f"{key}={name}",
                    "mentions": len(rows),
                    "first": found[0],
                    "second": found[1],
                    "difference": round((found[1] - found[0]) / len(rows), 6),
                    "p": _rounded(p),
                }
            )
    return result


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
