"""The ways to cut a corpus: by label, language, length and whatever else gold says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from tracegen.eval.alignment import Alignment
from tracegen.eval.columns import ABSENT, Ints, Names, ints
from tracegen.eval.identifiers import BUCKETS, Identifiers
from tracegen.resources import Facts, read_yaml, room

LENGTHS = (
    ("<1k", 1_000), ("1k-4k", 4_000), ("4k-10k", 10_000), ("10k-32k", 32_000),
    ("32k-100k", 100_000),
)  # fmt: skip


@dataclass(frozen=True)
class Stratum:
    """One way to cut the corpus: the cell of each gold span, prediction and document."""

    names: Sequence[str]
    gold: Ints
    found: Ints | None = None
    """None where a prediction has no such property (kind, form, carrier, mentions)."""
    documents: Ints | None = None
    """None where a document may lie in several cells."""


Maker = Callable[[Alignment, Identifiers], Stratum]


def _by_document(alignment: Alignment, names: Sequence[str], codes: Ints) -> Stratum:
    return Stratum(names, codes[alignment.spans.document], codes[alignment.found.document], codes)


def _sorted(column: Names) -> tuple[list[str], Ints]:
    names = sorted(column.names)
    return names, column.recoded(names)


def document_field(field: str) -> Maker:
    """Cut by what a conversation says about itself."""

    def cut(alignment: Alignment, _: Identifiers) -> Stratum:
        names, codes = _sorted(alignment.gold.fields[field])
        return _by_document(alignment, names, codes)

    return cut


def mark_field(field: str) -> Maker:
    """Cut by what a gold span says about itself."""

    def cut(alignment: Alignment, _: Identifiers) -> Stratum:
        names, codes = _sorted(alignment.spans.names[field])
        return Stratum(names, codes)

    return cut


def _label(alignment: Alignment, _: Identifiers) -> Stratum:
    return Stratum(alignment.labels, alignment.label, alignment.found.label)


def _language_label(alignment: Alignment, _: Identifiers) -> Stratum:
    languages, codes = _sorted(alignment.gold.fields["language"])
    width = len(alignment.labels)
    names = [f"{language}/{label}" for language in languages for label in alignment.labels]

    def joint(document: Ints, label: Ints) -> Ints:
        language = codes[document]
        return np.where(language == ABSENT, ABSENT, language * width + label)

    return Stratum(
        names,
        joint(alignment.spans.document, alignment.label),
        joint(alignment.found.document, alignment.found.label),
    )


@cache
def scripts() -> dict[str, str]:
    """The script of each language of `eval/scripts.yaml`."""
    known = read_yaml(Scripts, room("eval") / "scripts.yaml")
    return {language: name for name, languages in known.scripts.items() for language in languages}


class Scripts(Facts):
    """The room's file of scripts."""

    source: str
    scripts: dict[str, list[str]]


def _script(alignment: Alignment, _: Identifiers) -> Stratum:
    column = alignment.gold.fields["language"]
    of_name = [scripts().get(name.split("-")[0], "unknown") for name in column.names]
    names = sorted({*of_name, "unknown"})
    code = ints([names.index(name) for name in [*of_name, "unknown"]])
    return _by_document(alignment, names, code[column.codes])


def _length(alignment: Alignment, _: Identifiers) -> Stratum:
    """The three published bins, so that figures can be held side by side."""
    names = ("<1k", "1k-10k", ">=10k")
    codes = np.searchsorted(ints([1_000, 10_000]), alignment.gold.document_length, side="right")
    return _by_document(alignment, names, codes)


def _fine_length(alignment: Alignment, _: Identifiers) -> Stratum:
    edges = ints([edge for _, edge in LENGTHS])
    names = [*(name for name, _ in LENGTHS), ">=100k"]
    codes = np.searchsorted(edges, alignment.gold.document_length, side="right")
    return _by_document(alignment, names, codes)


def _position(alignment: Alignment, _: Identifiers) -> Stratum:
    """Tenths of the document in which a span starts."""
    start, length = alignment.gold.document_start, alignment.gold.document_length

    def tenth(document: Ints, place: Ints) -> Ints:
        return np.asarray(10 * (place - start[document]) // np.maximum(length[document], 1))

    names = [f"{10 * i}-{10 * i + 10} %" for i in range(10)]
    spans, found = alignment.spans, alignment.found
    return Stratum(names, tenth(spans.document, spans.start), tenth(found.document, found.start))


def _source(alignment: Alignment, _: Identifiers) -> Stratum:
    found = alignment.gold.messages_at(alignment.found.start)
    return Stratum(("user", "assistant"), alignment.spans.message % 2, found % 2)


def _turn(alignment: Alignment, _: Identifiers) -> Stratum:
    """Turns by their place in the conversation, counted from 1."""
    gold = alignment.gold

    def place(message: Ints) -> Ints:
        return np.asarray(message // 2 - gold.first_turn[gold.message_document[message]])

    spans, found = place(alignment.spans.message), place(gold.messages_at(alignment.found.start))
    last = max(int(spans.max(initial=0)), int(found.max(initial=0)))
    return Stratum([str(number + 1) for number in range(last + 1)], spans, found)


def _mentions(alignment: Alignment, known: Identifiers) -> Stratum:
    buckets = np.append(known.bucket, ABSENT)
    return Stratum(BUCKETS, buckets[known.of_span])


STRATA: dict[str, Maker] = {
    "label": _label,
    "kind": mark_field("kind"),
    "language": document_field("language"),
    "locale": document_field("locale"),
    "script": _script,
    "length": _length,
    "fine_length": _fine_length,
    "position": _position,
    "turn": _turn,
    "source": _source,
    "mentions": _mentions,
    "carrier": mark_field("carrier"),
    "form": mark_field("form"),
    "slice": document_field("slice"),
    "axis": document_field("axis"),
    "level": document_field("level"),
    "template": document_field("template_id"),
    "corpus": document_field("source_corpus"),
    "language_label": _language_label,
}
"""Every key that `--by` takes."""

USUAL = (
    "label", "kind", "language", "script", "length", "fine_length", "position", "turn", "source",
    "mentions", "carrier", "form", "slice", "language_label",
)  # fmt: skip
"""The keys of every report."""
