"""Score detectors: what leaked, which identifiers were caught every time, how sure that is.

Reads the room `eval/`; its README is the protocol. The names below are the face of the scorer.
They load on first use. A run from Python:

    from tracegen.eval import Limits, Options, judge, score
    report = score(Path("corpus"), Path("found.jsonl"), labels="presidio").report
    gates = judge(report, Limits(max_leaks=0))

Gold of any other format is scored by handing its conversations to `gold_of`.
"""

import importlib
from typing import Any

_FACE = {
    "Filters": "tracegen.eval.mistakes",
    "Gold": "tracegen.eval.gold",
    "LabelMap": "tracegen.eval.labels",
    "Limits": "tracegen.eval.limits",
    "Options": "tracegen.eval.options",
    "Prediction": "tracegen.eval.predictions",
    "Predictions": "tracegen.eval.placing",
    "Procedure": "tracegen.eval.comparing",
    "Record": "tracegen.eval.predictions",
    "Scored": "tracegen.eval.scoring",
    "against": "tracegen.eval.baseline",
    "agree": "tracegen.eval.agreement",
    "as_markdown": "tracegen.eval.markdown",
    "browser": "tracegen.eval.html.browser",
    "compare": "tracegen.eval.comparing",
    "compare_runs": "tracegen.eval.comparing",
    "encode": "tracegen.eval.report",
    "gold_of": "tracegen.eval.rows",
    "judge": "tracegen.eval.gates",
    "load_map": "tracegen.eval.labels",
    "mistakes_of": "tracegen.eval.mistakes",
    "page": "tracegen.eval.html",
    "place": "tracegen.eval.predictions",
    "plan": "tracegen.eval.planning",
    "read_gold": "tracegen.eval.scoring",
    "read_limits": "tracegen.eval.limits",
    "read_predictions": "tracegen.eval.predictions",
    "read_report": "tracegen.eval.report",
    "score": "tracegen.eval.scoring",
}

__all__ = sorted(_FACE)


def __getattr__(name: str) -> Any:
    if name not in _FACE:
        raise AttributeError(f"module 'tracegen.eval' has no attribute {name!r}")
    return getattr(importlib.import_module(_FACE[name]), name)
