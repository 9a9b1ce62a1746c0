"""A report as rows of text: what the terminal, the Markdown and the HTML page all show."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tracegen.eval.report import Report

NONE = "–"
"""An undefined ratio."""


class Line(NamedTuple):
    """One metric: its name, its value, its interval and the counts behind it."""

    name: str
    value: str
    interval: str
    counts: str
    path: str


_HEADLINE: tuple[tuple[str, str, str, str], ...] = (
    ("leaking mentions", "leaks.span_rate", "leaks.spans", "leaks.gold"),
    ("leaking conversations", "leaks.document_rate", "leaks.documents",
     "leaks.documents_with_gold"),
    ("leaks, high severity", "leaks.high_severity.span_rate", "leaks.high_severity.spans",
     "leaks.high_severity.gold"),
    ("identifiers covered (CD)", "identifiers.all.rate", "identifiers.all.covered",
     "identifiers.all.total"),
    ("… mentioned twice or more (CD-m)", "identifiers.multi.rate", "identifiers.multi.covered",
     "identifiers.multi.total"),
    ("… in several turns (xCD)", "identifiers.cross_turn.rate", "identifiers.cross_turn.covered",
     "identifiers.cross_turn.total"),
    ("… covered here, missed there", "identifiers.split.rate", "identifiers.split.covered",
     "identifiers.split.total"),
    ("people wholly covered", "subjects.rate", "subjects.covered", "subjects.total"),
    ("characters, recall", "characters.recall", "characters.tp", "characters.gold"),
    ("masking precision", "characters.precision", "characters.tp", "characters.predicted"),
    ("containment, recall", "containment.recall", "containment.gold_hit", "containment.gold"),
    ("containment, F1", "containment.f1", "", ""),
    ("overlap, recall", "overlap.recall", "overlap.gold_hit", "overlap.gold"),
    ("overlap, F1", "overlap.f1", "", ""),
    ("exact, precision", "exact_typed.precision", "exact_typed.tp", "exact_typed.predicted"),
    ("exact, recall", "exact_typed.recall", "exact_typed.tp", "exact_typed.gold"),
    ("exact, F1", "exact_typed.f1", "", ""),
    ("exact without label, F1", "exact_untyped.f1", "", ""),
    ("mean F1 of the labels (macro)", "macro_f1", "", ""),
    ("clean conversations flagged (FP0)", "negatives.rate", "negatives.flagged",
     "negatives.documents"),
    ("clean characters masked", "negatives.masked_fraction", "negatives.masked_characters",
     "negatives.characters"),
)  # fmt: skip


NAMES = {path: name.removeprefix("… ") for name, path, _, _ in _HEADLINE} | {
    "characters.f1": "characters, F1"
}
"""What a metric is called, by its path in a report's metrics."""


def headline(report: Report) -> list[Line]:
    """The metrics that a reader wants first."""
    metrics, intervals = report["metrics"], report["intervals"]
    lines = []
    for name, path, part, whole in _HEADLINE:
        interval = intervals.get(path)
        shown = ""
        if interval:
            star = " *" if interval["thin"] else ""
            shown = f"{interval['low']:.3f}–{interval['high']:.3f}{star}"
        counts = f"{found(metrics, part):,} of {found(metrics, whole):,}" if part else ""
        lines.append(Line(name, number(found(metrics, path)), shown, counts, path))
    if "tolerance" in metrics:
        block = metrics["tolerance"]
        name = f"within {block['k']} characters, F1"
        counts = f"{block['tp']:,} of {block['gold']:,}"
        lines.append(Line(name, number(block["f1"]), "", counts, "tolerance.f1"))
    return [*lines, *_extra(metrics)]


def _extra(metrics: dict[str, Any]) -> list[Line]:
    lines = []
    if "leaks_alphanumeric" in metrics:
        block = metrics["leaks_alphanumeric"]
        counts = f"{block['spans']:,} of {block['gold']:,}"
        lines.append(Line("leaks, letters and digits only", "", "", counts, "leaks_alphanumeric"))
    if "masked" in metrics:
        block = metrics["masked"]
        counts = f"{block['spans']:,} of {block['gold']:,}"
        value = number(block["span_rate"])
        lines.append(Line("readable in the masked output", value, "", counts, "masked.span_rate"))
        counts = f"{block['residues']['spans']:,} of {block['gold']:,}"
        lines.append(Line("… with a residue", "", "", counts, "masked.residues"))
    if "weighted" in metrics:
        block = metrics["weighted"]
        for name, path in (("exact", "exact_typed"), ("containment", "containment")):
            value = number(block[path]["recall"])
            lines.append(Line(f"{name}, recall, weighted", value, "", "", f"weighted.{path}"))
    return lines


def found(metrics: dict[str, Any], path: str) -> Any:
    """What lies at a dotted path."""
    value: Any = metrics
    for key in path.split("."):
        value = value[key]
    return value


def number(value: float | None) -> str:
    """A ratio with three digits, or a dash."""
    return NONE if value is None else f"{value:.3f}"


class Table(NamedTuple):
    """A table of cells of one stratum."""

    key: str
    head: Sequence[str]
    rows: list[list[str]]


def tables(report: Report, keys: Sequence[str]) -> list[Table]:
    """The cells of each key: recall with its interval, containment, CD and precision."""
    return [_table(key, report["by"][key]) for key in keys]


_HEAD = ("mentions", "recall", "95 %", "contained", "CD", "precision")


def _table(key: str, cells: dict[str, Any]) -> Table:
    rows = []
    for name, cell in cells.items():
        recall, exact = cell["recall"], cell.get("exact_typed")
        interval = f"{recall['low']:.2f}–{recall['high']:.2f}" if recall["n"] else ""
        rows.append(
            [
                name + (" *" if cell["thin"] and recall["n"] else ""),
                f"{recall['n']:,}",
                number(recall["rate"]),
                interval,
                number(cell["containment"]["rate"]),
                number(cell["identifiers"]["all"]["rate"]),
                number(exact["precision"]) if exact else NONE,
            ]
        )
    return Table(key, (key.replace("_", " × "), *_HEAD), rows)


def worst(report: Report, most: int = 8, fewest: int = 20) -> list[tuple[str, str, dict[str, Any]]]:
    """The cells with the lowest upper end of recall: surely bad, not just small."""
    found_cells = [
        (key, name, cell)
        for key, cells in report["by"].items()
        for name, cell in cells.items()
        if key != "template" and cell["recall"]["n"] >= fewest
    ]
    return sorted(found_cells, key=lambda item: (item[2]["recall"]["high"], item[:2]))[:most]


def notes(report: Report) -> list[str]:
    """What a reader has to know before believing the numbers."""
    predictions, corpus = report["predictions"], report["corpus"]
    negatives = report["metrics"]["negatives"]
    lines = []
    for name, what in (
        ("invalid", "predictions are out of range: wrong unit, or another text?"),
        ("zero_length", "predictions of length 0 were dropped"),
        ("duplicates", "predictions were given twice and count once"),
        ("ignored", "predictions have a label that is ignored"),
        ("deselected", "predictions have a label that is not scored; they only mask gold"),
        ("crossing", "predictions cross messages"),
    ):
        if predictions.get(name):
            lines.append(f"{predictions[name]:,} {what}")
    if predictions["unmapped"]:
        total = sum(predictions["unmapped"].values())
        few = ", ".join(list(predictions["unmapped"])[:5])
        lines.append(f"{total:,} predictions have a label that the map does not know: {few}")
    if corpus["derived_identifiers"]:
        count = corpus["derived_identifiers"]
        lines.append(f"{count:,} identifiers were derived from label and value: no entity ids")
    unaudited = negatives["documents"] - negatives["audited"]
    if unaudited:
        lines.append(
            f"{unaudited:,} conversations without gold are not audited: FP0 may count true finds"
        )
    return lines
