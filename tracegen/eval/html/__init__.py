"""A report as one self-contained page: no script, no outside file, no text of the corpus."""

from tracegen.eval.html import sections
from tracegen.eval.html.elements import pair
from tracegen.eval.html.shell import shell
from tracegen.eval.report import Report


def page(report: Report, title: str = "PII detection score") -> str:
    """The page of a report."""
    body = "".join(
        [
            sections.header(report, title),
            sections.cards(report),
            sections.gates(report),
            sections.notes(report),
            sections.heat_map(report),
            pair(sections.by_length(report), sections.by_position(report)),
            pair(sections.by_mentions(report), sections.taxonomy(report)),
            pair(sections.decoys(report), sections.by_source(report)),
            sections.confusion(report),
            sections.worst_slices(report),
            sections.headline(report),
            sections.slices(report),
            sections.signature(report),
        ]
    )
    return shell(title, f"<main>{body}</main>")
