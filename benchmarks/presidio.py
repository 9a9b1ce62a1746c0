"""Presidio on our `pii-trace` slice, beside the row that the paper publishes for it.

    python benchmarks/presidio.py                                 Presidio's patterns, no model
    python benchmarks/presidio.py --model en=FOLDER_OR_PACKAGE    with a spaCy model as well

Makes the slice in one language (1,000 conversations), runs Presidio as `tracegen detect` does,
scores with 2,000 resamples, and prints the table of the README. The slice has the same bytes for
everyone, so the numbers differ by the model only.
"""

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tracegen.detectors import Choice, detect
from tracegen.detectors import Run as Detection
from tracegen.eval import Options, score
from tracegen.pipeline.generate import Run, generate
from tracegen.pipeline.spec import read_spec
from tracegen.resources import Facts, read_yaml, room


class Published(Facts):
    """`eval/published/presidio.yaml`."""

    source: str
    cd: float
    cd_multi: float
    cd_cross: float
    fp0: float
    character_f1: float


METRICS = {
    "cd": "identifiers.all.rate",
    "cd_multi": "identifiers.multi.rate",
    "cd_cross": "identifiers.cross_turn.rate",
    "fp0": "negatives.rate",
    "character_f1": "characters.f1",
}
"""Our names of the paper's columns."""


def measured(corpus: Path, detector: str, folder: Path) -> list[str]:
    """The cells of one detector: each rate with its interval."""
    out = folder / "predictions.jsonl"
    outcome = detect(Detection(corpus, Choice(detector), out, force=True))
    if outcome.failures:
        raise SystemExit(f"{detector}: {len(outcome.failures)} failures")
    report = score(corpus, out, options=Options(resamples=2000)).report
    return [_cell(report, metric) for metric in METRICS.values()]


def _cell(report: Mapping[str, Any], metric: str) -> str:
    """A rate and its 95 % interval over templates."""
    value: Any = report["metrics"]
    for key in metric.split("."):
        value = value[key]
    interval = report["intervals"][metric]["template"]
    return f"{value:.3f} ({interval['low']:.2f}–{interval['high']:.2f})"


def main() -> None:
    """Make, detect, score, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="language=spaCy model, a package or a folder")
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    language = options.model.partition("=")[0] if options.model else "en"
    paper = read_yaml(Published, room("eval") / "published" / "presidio.yaml")
    print("| | CD | CD-m | xCD | FP0 | character F1 |\n|---|---|---|---|---|---|")
    row = " | ".join(f"{getattr(paper, column):.3f}" for column in METRICS)
    print(f"| published, on PII-TRACE ({paper.source}) | {row} |")
    with tempfile.TemporaryDirectory() as name:
        corpus = Path(name) / "corpus"
        spec = read_spec("pii-trace", languages=(language,), count=options.count)
        generate(spec, Run(corpus))
        detectors = ["presidio-patterns"]
        if options.model:
            detectors.append(f"presidio-spacy:{options.model}")
        for detector in detectors:
            cells = " | ".join(measured(corpus, detector, Path(name)))
            print(f"| `{detector.partition(':')[0]}`, on our slice | {cells} |", flush=True)


if __name__ == "__main__":
    main()
