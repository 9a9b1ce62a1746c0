"""Ratios from counts: the metric blocks of a report, and the check that they fit their counts.

A block is a dictionary of counts; `with_ratios` adds the ratios that follow from them. The same
function recomputes a stored report, so a ratio can never disagree with its counts.
"""

from collections.abc import Mapping
from typing import Any

from tracegen.eval.counting import IDENTIFIER_SETS
from tracegen.eval.identifiers import BUCKETS
from tracegen.eval.statistics import Z, wilson

Block = dict[str, Any]

TAXONOMY = ("exact", "shift", "wrong_type", "miss", "extra")
_DIGITS = 6


def ratio(part: float, whole: float) -> float | None:
    """Part by whole; None, never 0 or 1, where the whole is 0."""
    return part / whole if whole else None


def f_beta(precision: float | None, recall: float | None, beta: float = 1.0) -> float | None:
    """F of two ratios with different numerators; 0 if one is undefined, None if both are."""
    if precision is None and recall is None:
        return None
    if not precision or not recall:
        return 0.0
    square = beta * beta
    return (1 + square) * precision * recall / (square * precision + recall)


def f_of_counts(tp: float, predicted: float, gold: float, beta: float = 1.0) -> float | None:
    """F of one-to-one counts; None only if both sides are empty."""
    square = beta * beta
    return ratio((1 + square) * tp, predicted + square * gold)


def with_ratios(block: Block, z: float = Z) -> Block:
    """The counts with every ratio that follows from them."""
    full = dict(block)
    if {"tp", "predicted", "gold"} <= block.keys():
        tp, predicted, gold = block["tp"], block["predicted"], block["gold"]
        full |= {"precision": ratio(tp, predicted), "recall": ratio(tp, gold)}
        full |= {"f1": f_of_counts(tp, predicted, gold), "f2": f_of_counts(tp, predicted, gold, 2)}
    elif {"gold_hit", "predicted_hit"} <= block.keys():
        precision = ratio(block["predicted_hit"], block["predicted"])
        recall = ratio(block["gold_hit"], block["gold"])
        full |= {"precision": precision, "recall": recall, "f1": f_beta(precision, recall)}
    elif {"k", "n"} <= block.keys():
        low, high = wilson(block["k"], block["n"], z)
        full |= {"rate": ratio(block["k"], block["n"]), "low": low, "high": high}
    elif "documents_with_gold" in block:
        full["document_rate"] = ratio(block["documents"], block["documents_with_gold"])
        if "gold" in block:
            full["span_rate"] = ratio(block["spans"], block["gold"])
    elif "masked_characters" in block:
        full["rate"] = ratio(block["flagged"], block["documents"])
        full["masked_fraction"] = ratio(block["masked_characters"], block["characters"])
    elif "total" in block:
        part = "covered" if "covered" in block else "hit"
        full["rate"] = ratio(block[part], block["total"])
    return {key: _rounded(value) for key, value in full.items()}


def recomputed(report: Mapping[str, Any], z: float = Z) -> Block:
    """A report's `metrics` and `by` with every ratio computed again from the counts.

    Cells and kinds of decoys have any name, a label may be called `total`; so they are known by
    their place, and only blocks, whose names are ours, are known by what they hold.
    """
    whole = {
        name: _cells(block, z) if name == "decoys" else _again(block, z)
        for name, block in report["metrics"].items()
    }
    return {
        "metrics": whole,
        "by": {key: _cells(cells, z) for key, cells in report["by"].items()},
    }


def _cells(cells: Mapping[str, Any], z: float) -> Block:
    return {name: _again(block, z) for name, block in cells.items()}


def _again(value: Any, z: float) -> Any:
    if not isinstance(value, Mapping):
        return value
    return with_ratios({key: _again(inner, z) for key, inner in value.items()}, z)


def _rounded(value: Any) -> Any:
    return round(value, _DIGITS) if isinstance(value, float) else value


def metrics(
    sums: Mapping[str, float], *, single: bool = False, tolerance: int | None = None
) -> Block:
    """The headline metrics from summed counts."""
    blocks: Block = {
        "exact_typed": _matched(sums, "exact", "predicted", "gold"),
        "exact_untyped": _matched(sums, "common_ranges", "predicted_ranges", "gold_ranges"),
    }
    if tolerance is not None:
        blocks["tolerance"] = {"k": tolerance} | _matched(sums, "tolerated", "predicted", "gold")
    blocks |= {
        "characters": _matched(sums, "characters_tp", "characters_predicted", "characters_gold"),
        "characters_typed": _matched(
            sums, "typed_characters_tp", "typed_characters_predicted", "typed_characters_gold"
        ),
        "overlap": _two_sided(sums, "overlap"),
        "containment": _two_sided(sums, "single" if single else "contained"),
        "leaks": leaks(sums),
        "identifiers": identifiers(sums),
        "subjects": with_ratios({"covered": sums["covered_subjects"], "total": sums["subjects"]}),
        "negatives": negatives(sums),
        "taxonomy": {name: sums[name] for name in TAXONOMY},
    }
    return blocks


def leaks(sums: Mapping[str, float]) -> Block:
    """What a redactor that trusts these predictions would let through."""
    return with_ratios(
        {
            "spans": sums["leaks"],
            "gold": sums["gold"],
            "characters": sums["characters_gold"] - sums["characters_tp"],
            "documents": sums["documents_leaks"],
            "documents_with_gold": sums["documents_gold"],
            "high_severity": with_ratios(
                {
                    "spans": sums["high_leaks"],
                    "gold": sums["high_gold"],
                    "documents": sums["documents_high_leaks"],
                    "documents_with_gold": sums["documents_high_gold"],
                }
            ),
        }
    )


def identifiers(sums: Mapping[str, float]) -> Block:
    """Recurring-identifier coverage: CD (`all`), CD-m (`multi`), xCD (`cross_turn`), xRole."""
    blocks = {name: _covered(sums, name) for name in IDENTIFIER_SETS}
    blocks["split"] = with_ratios({"covered": sums["split"], "total": sums["identifiers_multi"]})
    blocks["buckets"] = {name: _covered(sums, name) for name in BUCKETS}
    return blocks


def negatives(sums: Mapping[str, float]) -> Block:
    """What happened in documents without gold; `audited` counts those known to hold none."""
    return with_ratios(
        {
            "documents": sums["negatives"],
            "audited": sums["audited_negatives"],
            "flagged": sums["flagged"],
            "characters": sums["negative_characters"],
            "masked_characters": sums["negative_masked"],
        }
    )


def _matched(sums: Mapping[str, float], tp: str, predicted: str, gold: str) -> Block:
    return with_ratios({"tp": sums[tp], "predicted": sums[predicted], "gold": sums[gold]})


def _two_sided(sums: Mapping[str, float], name: str) -> Block:
    return with_ratios(
        {
            "gold_hit": sums[f"gold_{name}"],
            "gold": sums["gold"],
            "predicted_hit": sums[f"units_{name}"],
            "predicted": sums["units"],
        }
    )


def _covered(sums: Mapping[str, float], name: str) -> Block:
    return with_ratios({"covered": sums[f"covered_{name}"], "total": sums[f"identifiers_{name}"]})
