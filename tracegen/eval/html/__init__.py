"""A report as one self-contained page: no script, no outside file, no text of the corpus."""

from html import escape
from pathlib import Path

from tracegen.eval.html import sections
from tracegen.eval.html.elements import pair
from tracegen.eval.report import Report

STYLE = Path(__file__).with_name("style.css")


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
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE.read_text('utf-8')}</style></head><body><main>{body}</main></body></html>\n"
    )
