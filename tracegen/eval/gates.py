"""Gates: limits that a score must keep, judged on counts, never on rounded ratios."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, Literal

from tracegen.errors import InputError, unknown
from tracegen.eval.limits import Limits
from tracegen.eval.report import Report
from tracegen.eval.statistics import Z, wilson
from tracegen.model import LABELS

Verdict = Literal["pass", "fail", "not measurable"]
GateOn = Literal["point", "lower"]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio under a limit, with the path of its interval in the report."""

    part: float
    whole: float
    interval: str | None
    trials: float | None = None
    """How many things were tried, where part and whole count pieces of them; else the whole."""


def judge(
    report: Report, limits: Limits, *, gate_on: GateOn = "point", allow_empty: bool = False
) -> list[dict[str, Any]]:
    """Hold a report against limits.

    Args:
        report: the report of a scoring run.
        limits: what must hold.
        gate_on: `lower` judges the bad end of a ratio's intervals, Wilson's and the bootstrapped
            ones: a bootstrap alone has no width where every conversation agrees.
        allow_empty: let a gate pass whose ratio is undefined.

    Raises:
        InputError: a limit names an unknown label, or needs something that was not measured.
    """
    return [
        *_counts(report, limits),
        *_ratios(report, limits, gate_on, allow_empty),
    ]


def passed(gates: list[dict[str, Any]]) -> bool:
    """Whether no gate failed and every one could be measured."""
    return all(gate["verdict"] == "pass" for gate in gates)


def _counts(report: Report, limits: Limits) -> Iterator[dict[str, Any]]:
    leaks, predictions = report["metrics"]["leaks"], report["predictions"]
    values = {
        "max_leaks": leaks["spans"],
        "max_leaked_characters": leaks["characters"],
        "max_leaking_documents": leaks["documents"],
        "max_high_severity_leaks": leaks["high_severity"]["spans"],
        "max_unmapped": sum(predictions["unmapped"].values()),
        "max_dropped": predictions["zero_length"] + predictions["ignored"],
        "max_invalid": predictions["invalid"],
    }
    if limits.max_surviving is not None:
        if "masked" not in report["metrics"]:
            raise InputError("max_surviving needs a masked output; give --masked FILE")
        values["max_surviving"] = report["metrics"]["masked"]["spans"]
    for name, value in values.items():
        limit = getattr(limits, name)
        if limit is not None:
            verdict: Verdict = "pass" if value <= limit else "fail"
            yield {"name": name, "limit": limit, "value": value, "verdict": verdict}


def _ratios(
    report: Report, limits: Limits, gate_on: GateOn, allow_empty: bool
) -> Iterator[dict[str, Any]]:
    for name, limit, ratio in _limited(report, limits):
        if not ratio.whole:
            verdict: Verdict = "pass" if allow_empty else "not measurable"
            yield {"name": name, "limit": limit, "value": None, "verdict": verdict}
            continue
        at_least = name.startswith("min")
        value = ratio.part / ratio.whole
        if gate_on == "lower":
            value = _bad_end(report, name, ratio, at_least)
            holds = value >= limit if at_least else value <= limit
        else:
            bound = Fraction(str(limit)) * Fraction(str(ratio.whole))
            part = Fraction(str(ratio.part))
            holds = part >= bound if at_least else part <= bound
        verdict = "pass" if holds else "fail"
        yield {"name": name, "limit": limit, "value": round(value, 6), "verdict": verdict}


def _limited(report: Report, limits: Limits) -> Iterator[tuple[str, float, Ratio]]:
    metrics = report["metrics"]
    exact, contained = metrics["exact_typed"], metrics["containment"]
    identifiers, negatives = metrics["identifiers"], metrics["negatives"]
    characters = metrics["characters"]
    ratios = {
        "min_containment": Ratio(contained["gold_hit"], contained["gold"], "containment.recall"),
        "min_recall": Ratio(exact["tp"], exact["gold"], "exact_typed.recall"),
        "min_cd": _coverage(identifiers, "all"),
        "min_cd_multi": _coverage(identifiers, "multi"),
        "min_cd_cross": _coverage(identifiers, "cross_turn"),
        "max_fp0": Ratio(negatives["flagged"], negatives["documents"], "negatives.rate"),
        "min_masking_precision": Ratio(
            characters["tp"], characters["predicted"], "characters.precision", exact["predicted"]
        ),
    }
    for name, ratio in ratios.items():
        limit = getattr(limits, name)
        if limit is not None:
            yield name, limit, ratio
    cells = report["by"]["label"]
    known = {*LABELS, *cells, *chain(*report["signature"]["label_map"]["labels"].values())}
    for label, floor in limits.min_label_recall.items():
        if label not in known:
            raise InputError(f"min_recall: {unknown('label', label, known)}")
        recall = cells[label]["recall"] if label in cells else {"k": 0, "n": 0}
        yield f"min_recall[{label}]", floor, Ratio(recall["k"], recall["n"], None)


def _coverage(identifiers: dict[str, Any], name: str) -> Ratio:
    block = identifiers[name]
    return Ratio(block["covered"], block["total"], f"identifiers.{name}.rate")


def _bad_end(report: Report, name: str, ratio: Ratio, at_least: bool) -> float:
    """The worst of the bad ends: Wilson's and, over conversations and templates, bootstrapped.

    Wilson takes mentions for independent, so it is too narrow where many share a conversation. The
    bootstrap has no width at all where every conversation says the same. Neither may excuse a
    detector that the other one doubts.
    """
    interval = report["intervals"].get(ratio.interval)
    if ratio.trials is not None and not interval:
        raise InputError(f"{name} with --gate-on lower needs --resamples above 0")
    trials = ratio.whole if ratio.trials is None else ratio.trials
    z = report["signature"]["options"].get("z", Z)
    low, high = wilson(ratio.part / ratio.whole * trials, trials, z)
    ends = [{"low": low, "high": high}]
    if interval:
        ends += [interval, interval.get("template", interval)]
    return float(min(end["low"] for end in ends) if at_least else max(end["high"] for end in ends))
