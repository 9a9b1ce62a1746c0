"""The headline ratios as functions of count columns: of one corpus or of thousands of resamples."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from tracegen.eval.columns import Floats

Sums: TypeAlias = Mapping[str, Floats]
Measure: TypeAlias = Callable[[Sums], Floats]


def divided(part: Floats, whole: Floats) -> Floats:
    """Part by whole; not a number where the whole is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, part / whole, np.nan)


def _ratio(part: str, whole: str) -> Measure:
    return lambda sums: divided(sums[part], sums[whole])


def _f1(tp: str, predicted: str, gold: str) -> Measure:
    return lambda sums: divided(2 * sums[tp], sums[predicted] + sums[gold])


def _two_sided_f1(name: str) -> Measure:
    def measure(sums: Sums) -> Floats:
        precision = divided(sums[f"units_{name}"], sums["units"])
        recall = divided(sums[f"gold_{name}"], sums["gold"])
        p, r = np.nan_to_num(precision), np.nan_to_num(recall)
        value = np.where(p + r > 0, 2 * p * r / np.maximum(p + r, 1e-300), 0.0)
        return np.where(np.isnan(precision) & np.isnan(recall), np.nan, value)

    return measure


class _Probe(dict[str, Floats]):
    """Notes which columns a measure asks for."""

    def __missing__(self, name: str) -> Floats:
        self[name] = np.array(1.0)
        return self[name]


def columns_of(paths: Sequence[str]) -> list[str]:
    """The count columns that some headline measures need."""
    probe = _Probe()
    for path in paths:
        HEADLINE[path](probe)
    return sorted(probe)


HEADLINE: dict[str, Measure] = {
    "exact_typed.precision": _ratio("exact", "predicted"),
    "exact_typed.recall": _ratio("exact", "gold"),
    "exact_typed.f1": _f1("exact", "predicted", "gold"),
    "exact_untyped.f1": _f1("common_ranges", "predicted_ranges", "gold_ranges"),
    "characters.precision": _ratio("characters_tp", "characters_predicted"),
    "characters.recall": _ratio("characters_tp", "characters_gold"),
    "characters.f1": _f1("characters_tp", "characters_predicted", "characters_gold"),
    "overlap.recall": _ratio("gold_overlap", "gold"),
    "overlap.f1": _two_sided_f1("overlap"),
    "containment.recall": _ratio("gold_contained", "gold"),
    "containment.f1": _two_sided_f1("contained"),
    "leaks.span_rate": _ratio("leaks", "gold"),
    "leaks.document_rate": _ratio("documents_leaks", "documents_gold"),
    "leaks.high_severity.span_rate": _ratio("high_leaks", "high_gold"),
    "identifiers.all.rate": _ratio("covered_all", "identifiers_all"),
    "identifiers.multi.rate": _ratio("covered_multi", "identifiers_multi"),
    "identifiers.cross_turn.rate": _ratio("covered_cross_turn", "identifiers_cross_turn"),
    "identifiers.split.rate": _ratio("split", "identifiers_multi"),
    "subjects.rate": _ratio("covered_subjects", "subjects"),
    "negatives.rate": _ratio("flagged", "negatives"),
    "negatives.masked_fraction": _ratio("negative_masked", "negative_characters"),
}
"""Each by its path in a report's metrics."""
