"""Gates: limits that a score must keep, judged on counts, never on rounded ratios."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pydantic

from tracegen.errors import InputError, unknown
from tracegen.eval.report import Report
from tracegen.eval.statistics import Z, wilson
from tracegen.resources import Facts, parse_yaml, read_text, validate

Verdict = Literal["pass", "fail", "not measurable"]
GateOn = Literal["point", "lower"]


class Limits(Facts):
    """A gates file, and the gate flags of the command line. What is absent is not judged."""

    max_leaks: int | None = None
    max_leaked_characters: int | None = None
    max_leaking_documents: int | None = None
    max_high_severity_leaks: int | None = None
    max_surviving: int | None = None
    """Gold spans of which a masked output still shows a letter or digit."""
    min_containment: float | None = None
    min_recall: float | None = None
    min_label_recall: dict[str, float] = pydantic.Field(default_factory=dict)
    min_cd: float | None = None
    min_cd_multi: float | None = None
    min_cd_cross: float | None = None
    max_fp0: float | None = None
    min_masking_precision: float | None = None
    max_unmapped: int | None = None
    max_dropped: int | None = None
    max_invalid: int = 0
    """Predictions out of range; judged always, since one means a wrong unit or a wrong text."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio under a limit, with the path of its interval in the report."""

    part: float
    whole: float
    interval: str | None
    wilson: bool = True
    """Whether part and whole count independent things, so that Wilson's interval is fair."""


def read_limits(path: Path) -> Limits:
    """Read a gates file.

    Raises:
        InputError: an unknown gate, with the nearest known one, or a limit that is no number.
    """
    limits = parse_yaml(read_text(path), path)
    for name in limits if isinstance(limits, dict) else ():
        if name not in Limits.model_fields:
            raise InputError(unknown("gate", str(name), Limits.model_fields), file=path, where=name)
    return validate(Limits, limits, path)


def recall_floors(words: list[str]) -> dict[str, Any]:
    """Read `--min-recall 0.9` and `--min-recall secret=0.95`.

    Raises:
        InputError: not a number from 0 to 1.
    """
    floors: dict[str, Any] = {}
    for word in words:
        label, mark, number = word.replace(":", "=").rpartition("=")
        try:
            floor = float(number)
        except ValueError:
            floor = -1.0
        if not 0 <= floor <= 1:
            raise InputError(f"--min-recall {word}: must be FLOOR or LABEL=FLOOR, 0 to 1")
        if mark:
            floors.setdefault("min_label_recall", {})[label] = floor
        else:
            floors["min_recall"] = floor
    return floors


def judge(
    report: Report, limits: Limits, *, gate_on: GateOn = "point", allow_empty: bool = False
) -> list[dict[str, Any]]:
    """Hold a report against limits.

    Args:
        report: the report of a scoring run.
        limits: what must hold.
        gate_on: `lower` judges the bad end of a ratio's interval.
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
            characters["tp"], characters["predicted"], "characters.precision", wilson=False
        ),
    }
    for name, ratio in ratios.items():
        limit = getattr(limits, name)
        if limit is not None:
            yield name, limit, ratio
    cells = report["by"]["label"]
    for label, floor in limits.min_label_recall.items():
        if label not in cells:
            raise InputError(f"min_recall: {unknown('label', label, cells)}")
        recall = cells[label]["recall"]
        yield f"min_recall[{label}]", floor, Ratio(recall["k"], recall["n"], None)


def _coverage(identifiers: dict[str, Any], name: str) -> Ratio:
    block = identifiers[name]
    return Ratio(block["covered"], block["total"], f"identifiers.{name}.rate")


def _bad_end(report: Report, name: str, ratio: Ratio, at_least: bool) -> float:
    """The worse end of the interval: bootstrapped if the report has one, else Wilson's."""
    interval = report["intervals"].get(ratio.interval)
    if interval:
        ends = [interval, interval.get("template", interval)]
        low, high = min(end["low"] for end in ends), max(end["high"] for end in ends)
    elif ratio.wilson:
        z = report["signature"]["options"].get("z", Z)
        low, high = wilson(ratio.part, ratio.whole, z)
    else:
        raise InputError(f"{name} with --gate-on lower needs --resamples above 0")
    return float(low if at_least else high)
