"""The baseline gate: no slice may get worse by more than its noise band."""

from math import sqrt
from typing import Any

from tracegen.errors import InputError
from tracegen.eval.report import Report
from tracegen.eval.statistics import Z, wilson

KEYS = ("label", "language", "script", "length", "source", "carrier", "slice", "language_label")
"""The strata that are held against a baseline."""

RATIOS = ("recall", "containment")


def against(report: Report, baseline: Report) -> list[dict[str, Any]]:
    """One gate for the whole, and one for each slice that got worse by more than noise.

    The band is Newcombe's 95 % interval of a difference of two Wilson intervals. It takes the two
    runs for independent, which they are not (the gold is the same), so it errs towards silence.

    Raises:
        InputError: the baseline was scored on other gold or with other choices of what to score.
    """
    _comparable(report, baseline)
    findings = []
    judged = 0
    for name, now, before in _cells(report, baseline):
        judged += 1
        low, high = difference(now, before)
        if high < 0:
            findings.append(
                {
                    "name": f"baseline[{name}]",
                    "limit": round(before["k"] / before["n"], 6),
                    "value": round(now["k"] / now["n"], 6),
                    "verdict": "fail",
                    "difference": {"low": round(low, 6), "high": round(high, 6)},
                }
            )
    verdict = "not measurable" if not judged else "fail" if findings else "pass"
    whole = {"name": "baseline", "limit": 0, "value": len(findings), "verdict": verdict}
    return [whole, *findings]


def difference(now: dict[str, Any], before: dict[str, Any], z: float = Z) -> tuple[float, float]:
    """Newcombe's interval of the difference of two shares, each a count k of n."""
    one, two = now["k"] / now["n"], before["k"] / before["n"]
    low_one, high_one = wilson(now["k"], now["n"], z)
    low_two, high_two = wilson(before["k"], before["n"], z)
    gap = one - two
    low = gap - sqrt((one - low_one) ** 2 + (high_two - two) ** 2)
    high = gap + sqrt((high_one - one) ** 2 + (two - low_two) ** 2)
    return low, high


def _comparable(report: Report, baseline: Report) -> None:
    now, before = report["signature"], baseline["signature"]
    if now["gold_digest"] != before["gold_digest"]:
        raise InputError("--baseline was scored on other gold; score it again on this corpus")
    for name in ("only", "ignore"):
        if now["options"][name] != before["options"][name]:
            raise InputError(f"--baseline was scored with another --{name}; use the same")


def _cells(report: Report, baseline: Report) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    pairs = []
    for key in KEYS:
        for cell, before in baseline["by"].get(key, {}).items():
            now = report["by"].get(key, {}).get(cell)
            for ratio in RATIOS if now else ():
                if now[ratio]["n"] and before[ratio]["n"]:
                    pairs.append((f"{key}={cell}.{ratio}", now[ratio], before[ratio]))
    for cell, before in baseline["by"].get("language", {}).items():
        now = report["by"].get("language", {}).get(cell)
        if now and now["negatives"]["documents"] and before["negatives"]["documents"]:
            clean = [_clean(block["negatives"]) for block in (now, before)]
            pairs.append((f"language={cell}.clean", clean[0], clean[1]))
    return pairs


def _clean(negatives: dict[str, Any]) -> dict[str, Any]:
    """Negative documents left alone, so that more is better as in the other ratios."""
    total = negatives["documents"]
    return {"k": total - negatives["flagged"], "n": total}
