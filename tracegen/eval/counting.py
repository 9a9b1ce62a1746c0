"""Counts per document: one row a document, one column a count.

Every metric is a function of column sums, so that pooling, strata, weights, bootstrap and
permutation are all sums of rows.
"""

from dataclasses import dataclass

import numpy as np

from tracegen.eval.alignment import EXACT, FATES, Alignment, Found, typed_characters
from tracegen.eval.columns import Flags, Ints, total
from tracegen.eval.identifiers import BUCKETS, Identifiers, entities, subjects
from tracegen.eval.intervals import Cover, intersection
from tracegen.eval.matching import Triples, common, distinct, same_range

IDENTIFIER_SETS = ("all", "multi", "cross_turn", "cross_role")


@dataclass(frozen=True)
class Counts:
    """The scored documents' counts."""

    names: tuple[str, ...]
    table: Ints
    """One row a scored document, one column a name."""
    documents: Ints
    """The corpus row of each row of the table."""
    identifiers: Identifiers

    def column(self, name: str) -> Ints:
        """One count of every document."""
        return np.asarray(self.table[:, self.names.index(name)])

    def sums(self, rows: Flags | Ints | None = None) -> dict[str, int]:
        """The column sums, over all documents or some."""
        table = self.table if rows is None else self.table[rows]
        return dict(zip(self.names, table.sum(axis=0).tolist(), strict=True))

    def grouped(self, groups: Ints, size: int) -> Ints:
        """Column sums of each group of documents; rows with a negative group are left out."""
        result = np.zeros((size, len(self.names)), dtype=np.int64)
        inside = np.flatnonzero(groups >= 0)
        if len(inside):
            order = inside[np.argsort(groups[inside], kind="stable")]
            ordered = groups[order]
            first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
            result[ordered[first]] = np.add.reduceat(self.table[order], first, axis=0)
        return result


def count(alignment: Alignment) -> Counts:
    """Count everything that the metrics need, a document at a time."""
    columns: dict[str, Ints] = {}
    _count_spans(alignment, columns)
    _count_predictions(alignment, columns)
    _count_characters(alignment, columns)
    identifiers = entities(alignment)
    _count_identifiers(alignment, identifiers, columns)
    _count_documents(alignment, columns)
    chosen = np.flatnonzero(alignment.selection.documents)
    table = np.stack([column[chosen] for column in columns.values()], axis=1)
    return Counts(tuple(columns), table, chosen, identifiers)


def _count_spans(alignment: Alignment, columns: dict[str, Ints]) -> None:
    document, size = alignment.spans.document, len(alignment.gold)
    leaks = alignment.covered < alignment.size
    severe = high_severity(alignment)
    columns["gold"] = total(document, size)
    for code, name in enumerate(FATES):
        columns[name] = total(document, size, alignment.fate == code)
    columns["gold_overlap"] = total(document, size, alignment.covered > 0)
    columns["gold_contained"] = total(document, size, ~leaks)
    columns["gold_single"] = total(document, size, alignment.single)
    columns["tolerated"] = total(document, size, alignment.tolerated)
    columns["leaks"] = total(document, size, leaks)
    columns["high_gold"] = total(document, size, severe)
    columns["high_leaks"] = total(document, size, severe & leaks)
    for name in ("leaks", "high_leaks", "gold", "high_gold"):
        columns[f"documents_{name}"] = (columns[name] > 0).astype(np.int64)


def _count_predictions(alignment: Alignment, columns: dict[str, Ints]) -> None:
    found, units, size = alignment.found, alignment.units, len(alignment.gold)
    columns["predicted"] = total(found.document, size)
    columns["extra"] = total(found.document, size, alignment.in_gold == 0)
    columns["units"] = total(units.document, size)
    columns["units_overlap"] = total(units.document, size, alignment.unit_in_gold > 0)
    inside = alignment.unit_in_gold == units.size
    columns["units_contained"] = total(units.document, size, inside)
    columns["units_single"] = total(units.document, size, alignment.unit_single)
    spans = alignment.spans
    gold = _untyped(spans.start, spans.end)
    claimants = _claimants(alignment)
    claimed = _untyped(claimants.start, claimants.end)
    gold_kept, claimed_kept = distinct(*gold), distinct(*claimed)
    shared, _ = common(_rows(gold, gold_kept), _rows(claimed, claimed_kept))
    columns["gold_ranges"] = total(spans.document, size, gold_kept)
    columns["predicted_ranges"] = total(claimants.document, size, claimed_kept)
    columns["common_ranges"] = total(spans.document[gold_kept], size, shared)


def _claimants(alignment: Alignment) -> Found:
    """The predictions whose range counts, label aside: scored ones, and others just on gold."""
    spans, masking = alignment.spans, alignment.masking
    if masking is alignment.found:
        return masking
    chosen = same_range((masking.start, masking.end), (spans.start, spans.end))
    chosen[: len(alignment.found)] = True
    return masking[chosen]


def _untyped(start: Ints, end: Ints) -> Triples:
    return start, end, np.zeros(len(start), dtype=np.int64)


def _rows(triples: Triples, keep: Flags) -> Triples:
    return triples[0][keep], triples[1][keep], triples[2][keep]


def _count_characters(alignment: Alignment, columns: dict[str, Ints]) -> None:
    masked, annotated = alignment.masked, alignment.annotated
    both = intersection(annotated, masked)
    columns["characters_tp"] = _by_document(alignment, both)
    columns["characters_predicted"] = _by_document(alignment, masked)
    columns["characters_gold"] = _by_document(alignment, annotated)
    for name, part in zip(("tp", "predicted", "gold"), typed_characters(alignment), strict=True):
        columns[f"typed_characters_{name}"] = _by_document(alignment, part)


def _by_document(alignment: Alignment, part: Cover) -> Ints:
    """The characters of a set in each document; the set may lie on several copies of the line."""
    start = alignment.gold.document_start
    place = part.starts % alignment.gold.line
    document = np.searchsorted(start, place, side="right") - 1
    return total(document, len(start), part.ends - part.starts)


def _count_identifiers(
    alignment: Alignment, identifiers: Identifiers, columns: dict[str, Ints]
) -> None:
    size = len(alignment.gold)
    for name in IDENTIFIER_SETS:
        chosen = in_set(identifiers, name)
        columns[f"identifiers_{name}"] = total(identifiers.document, size, chosen)
        columns[f"covered_{name}"] = total(identifiers.document, size, chosen & identifiers.covered)
    columns["split"] = total(identifiers.document, size, identifiers.split)
    for code, name in enumerate(BUCKETS):
        chosen = identifiers.bucket == code
        columns[f"identifiers_{name}"] = total(identifiers.document, size, chosen)
        columns[f"covered_{name}"] = total(identifiers.document, size, chosen & identifiers.covered)
    people = subjects(alignment)
    columns["subjects"] = total(people.document, size)
    columns["covered_subjects"] = total(people.document, size, people.covered)


def in_set(identifiers: Identifiers, name: str) -> Flags:
    """The identifiers of one of `IDENTIFIER_SETS`."""
    if name == "multi":
        return np.asarray(identifiers.mentions >= 2)
    if name == "cross_turn":
        return np.asarray(identifiers.turns >= 2)
    if name == "cross_role":
        return np.asarray(identifiers.roles >= 2)
    return np.ones(len(identifiers), dtype=np.bool_)


def _count_documents(alignment: Alignment, columns: dict[str, Ints]) -> None:
    negative = (columns["gold"] == 0) & ~alignment.neutral_only
    columns["documents"] = np.ones(len(alignment.gold), dtype=np.int64)
    columns["negatives"] = negative.astype(np.int64)
    columns["audited_negatives"] = (negative & alignment.gold.audited).astype(np.int64)
    columns["flagged"] = (negative & (columns["predicted"] > 0)).astype(np.int64)
    columns["negative_characters"] = np.where(negative, alignment.gold.characters, 0)
    columns["negative_masked"] = np.where(negative, columns["characters_predicted"], 0)
    decoys = alignment.gold.decoys
    hit = decoy_hits(alignment)
    columns["decoys"] = total(decoys.document, len(alignment.gold))
    columns["decoys_hit"] = total(decoys.document, len(alignment.gold), hit)


def decoy_hits(alignment: Alignment) -> Flags:
    """Whether a prediction masks any character of each decoy."""
    decoys = alignment.gold.decoys
    return np.asarray(alignment.masked.measure(decoys.start, decoys.end) > 0)


def high_severity(alignment: Alignment) -> Flags:
    """The gold spans of a high-severity label."""
    codes = [
        alignment.labels.index(name)
        for name in alignment.options.high_severity
        if name in alignment.labels
    ]
    return np.isin(alignment.label, np.array(codes, dtype=np.int64))


def exact_hits(alignment: Alignment) -> Flags:
    """The gold spans with an exact, typed hit."""
    return np.asarray(alignment.fate == EXACT)
