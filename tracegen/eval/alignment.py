"""Gold against predictions: what happened to each span. Steps 1 to 9 of the protocol."""

from dataclasses import dataclass

import numpy as np

from tracegen.eval.columns import ABSENT, Flags, Ints, ints
from tracegen.eval.gold import Gold, Marks
from tracegen.eval.intervals import Cover, cover, difference, inside_one, intersection, merged
from tracegen.eval.labelling import choices_of, counted, flagged, resolved
from tracegen.eval.labels import UNMAPPED, LabelMap, meaning
from tracegen.eval.matching import common, distinct, matched
from tracegen.eval.options import Options, Selection
from tracegen.eval.placing import Predictions

EXACT, SHIFT, WRONG_TYPE, MISS = range(4)
FATES = ("exact", "shift", "wrong_type", "miss")


@dataclass(frozen=True)
class Found:
    """Predictions in places on the line."""

    document: Ints
    start: Ints
    end: Ints
    label: Ints
    size: Ints
    """Scorable characters."""

    def __len__(self) -> int:
        return len(self.document)

    def __getitem__(self, rows: Flags) -> "Found":
        """Some of the predictions."""
        return Found(
            self.document[rows], self.start[rows], self.end[rows],
            self.label[rows], self.size[rows],
        )  # fmt: skip


@dataclass(frozen=True)
class Alignment:
    """Everything known about each gold span and each prediction."""

    gold: Gold
    options: Options
    selection: Selection
    labels: tuple[str, ...]
    """The label space with `UNMAPPED` last; label codes index it."""
    spans: Marks
    label: Ints
    size: Ints
    """Scorable characters of each gold span."""
    covered: Ints
    """Those of them that some prediction masks."""
    fate: Ints
    mistaken_for: Ints
    """The label that masks most of a span of fate `WRONG_TYPE`; `ABSENT` for others."""
    single: Flags
    """Whether one prediction alone covers the span."""
    tolerated: Flags
    found: Found
    """The predictions that are scored."""
    masking: Found
    """Those, then predictions of labels that are not scored. They mask gold: leaks, containment
    and identifiers ask for no label. Nothing that they mask beside gold counts."""
    in_gold: Ints
    """Scorable characters of each prediction that lie in gold."""
    units: Found
    """The predictions as overlap and containment count them: merged when asked for."""
    unit_in_gold: Ints
    unit_single: Flags
    masked: Cover
    """U_P: the scorable characters that a scored prediction masks, and gold that any masks."""
    annotated: Cover
    """U_G: the scorable characters of gold."""
    neutral: Cover
    neutral_only: Flags
    """Documents with gold, but none outside neutral characters."""
    duplicates: int
    gold_duplicates: int
    ignored: int
    """Predictions whose label the map ignores."""
    deselected: int
    """Predictions of labels that are not scored."""
    neutralised: int
    unmapped: dict[str, int]
    crossing: int


def align(
    gold: Gold, predictions: Predictions, known: LabelMap, selection: Selection, options: Options
) -> Alignment:
    """Hold predictions against gold."""
    labels = (*selection.labels, UNMAPPED)
    spans = _in_order(gold.spans[selection.documents[gold.spans.document]])
    label = spans.names["label"].recoded(labels)
    scored = ~np.isin(label, ints([labels.index(name) for name in selection.ignored]))
    neutral = cover(spans.start[~scored], spans.end[~scored])
    with_gold = spans.document
    spans, label = spans[scored], label[scored]
    keep = distinct(spans.start, spans.end, label)
    gold_duplicates = int((~keep).sum())
    spans, label = spans[keep], label[keep]
    size = spans.end - spans.start - neutral.measure(spans.start, spans.end)
    spans, label, size = spans[size > 0], label[size > 0], size[size > 0]
    neutral_only = _neutral_only(len(gold), with_gold, spans.document)
    annotated = difference(cover(spans.start, spans.end), neutral)

    read = predictions[selection.documents[predictions.document]]
    meanings = [meaning(known, raw, set(selection.labels)) for raw in read.raw.names]
    choices = [choices_of(one.labels, selection, labels) for one in meanings]
    dropped = flagged(read.raw, [one.ignored for one in meanings])
    unmapped = counted(read.raw[flagged(read.raw, [UNMAPPED in one.labels for one in meanings])])
    read = read[~dropped]
    deselected = flagged(read.raw, [not choice for choice in choices])
    read, others = read[~deselected], read[deselected]
    size_found = _scorable(gold, neutral, read.start, read.end)
    neutralised = int((size_found == 0).sum())
    read, size_found = read[size_found > 0], size_found[size_found > 0]
    label_found = resolved(read, choices, spans, label, neutral)
    keep = distinct(read.start, read.end, label_found)
    found = Found(read.document, read.start, read.end, label_found, size_found)[keep]
    masked = _unblocked(gold, neutral, cover(found.start, found.end))
    units = masking_units = _units(gold, neutral, found, options)
    masking = found
    if len(others):
        first = ints([labels.index(one.labels[0]) if one.labels else ABSENT for one in meanings])
        masking = _with_others(found, others, first)
        masking_units = _units(gold, neutral, masking, options)
        hidden = intersection(cover(masking.start, masking.end), annotated)
        masked = cover(
            np.concatenate((masked.starts, hidden.starts)),
            np.concatenate((masked.ends, hidden.ends)),
        )
    covered = masked.measure(spans.start, spans.end)
    hit, _ = common((spans.start, spans.end, label), (found.start, found.end, found.label))
    fate, mistaken_for = _fates(spans, label, hit, covered, masking, len(labels))
    tolerated = np.zeros(len(spans), dtype=np.bool_)
    if options.tolerance is not None:
        tolerated = matched(
            (spans.start, spans.end, label),
            (found.start, found.end, found.label),
            options.tolerance,
        )
    return Alignment(
        gold=gold, options=options, selection=selection, labels=labels,
        spans=spans, label=label, size=size, covered=covered, fate=fate,
        mistaken_for=mistaken_for,
        single=inside_one(spans.start, spans.end, masking_units.start, masking_units.end),
        tolerated=tolerated, found=found, masking=masking,
        in_gold=annotated.measure(found.start, found.end),
        units=units,
        unit_in_gold=annotated.measure(units.start, units.end),
        unit_single=inside_one(units.start, units.end, spans.start, spans.end),
        masked=masked, annotated=annotated, neutral=neutral, neutral_only=neutral_only,
        duplicates=int((~keep).sum()), gold_duplicates=gold_duplicates,
        ignored=int(dropped.sum()), deselected=len(others), neutralised=neutralised,
        unmapped=unmapped, crossing=predictions.tally("crossing", selection.documents),
    )  # fmt: skip


def _in_order(spans: Marks) -> Marks:
    """Spans by place, label and entity, so that the order in the file can decide nothing."""
    if bool((spans.start[1:] > spans.start[:-1]).all()):
        return spans
    ranks = [
        column.recoded(sorted(column.names))
        for column in (spans.names["entity_id"], spans.names["label"])
    ]
    return spans[np.lexsort((*ranks, spans.end, spans.start))]


def _neutral_only(documents: int, with_gold: Ints, left: Ints) -> Flags:
    """Documents that have gold of which none is left."""
    flags = np.zeros(documents, dtype=np.bool_)
    flags[with_gold] = True
    flags[left] = False
    return flags


def _scorable(gold: Gold, neutral: Cover, start: Ints, end: Ints) -> Ints:
    """The scorable characters of ranges on the line: no separators, nothing neutral."""
    marks = gold.separators
    between = np.searchsorted(marks, end) - np.searchsorted(marks, start)
    return np.asarray(end - start - between - neutral.measure(start, end))


def _unblocked(gold: Gold, neutral: Cover, whole: Cover) -> Cover:
    """A set of characters without separators and neutral ones."""
    whole = difference(whole, neutral)
    marks = gold.separators
    first = np.searchsorted(marks, whole.starts)
    if not (np.searchsorted(marks, whole.ends) > first).any():
        return whole
    inside = marks[whole.measure(marks, marks + 1) > 0]
    return difference(whole, cover(inside, inside + 1))


def _with_others(found: Found, others: Predictions, first: Ints) -> Found:
    """The scored predictions, then those of labels that are not scored, under their first one."""
    size = others.end - others.start
    pairs = (
        (found.document, others.document), (found.start, others.start), (found.end, others.end),
        (found.label, first[others.raw.codes]), (found.size, size),
    )  # fmt: skip
    return Found(*map(np.concatenate, pairs))


def _units(gold: Gold, neutral: Cover, found: Found, options: Options) -> Found:
    if options.merge == "none":
        return found
    start, end = merged(found.start, found.end, touching=options.merge == "touching")
    document = np.searchsorted(gold.document_start, start, side="right") - 1
    label = np.full(len(start), ABSENT, dtype=np.int64)
    return Found(document, start, end, label, _scorable(gold, neutral, start, end))


def _fates(
    spans: Marks, label: Ints, hit: Flags, covered: Ints, found: Found, labels: int
) -> tuple[Ints, Ints]:
    """The fate of each gold span, and for a wrong type the label that masks most of it."""
    fate = np.where(covered > 0, WRONG_TYPE, MISS)
    masks: dict[int, Cover] = {}
    for code in range(labels):
        own = found.label == code
        masks[code] = cover(found.start[own], found.end[own])
        rows = np.flatnonzero((label == code) & (covered > 0))
        touched = masks[code].measure(spans.start[rows], spans.end[rows]) > 0
        fate[rows[touched]] = SHIFT
    fate[hit] = EXACT
    mistaken = np.full(len(fate), ABSENT, dtype=np.int64)
    rows = np.flatnonzero(fate == WRONG_TYPE)
    if len(rows):
        start, end = spans.start[rows], spans.end[rows]
        shares = np.stack([masks[code].measure(start, end) for code in range(labels)])
        mistaken[rows] = np.argmax(shares, axis=0)
    return fate, mistaken


def typed_characters(alignment: Alignment) -> tuple[Cover, Cover, Cover]:
    """The characters in both, in predictions, in gold, each label on a copy of the line of its own.

    A character under two labels so counts once for each.
    """
    gold, spans, found = alignment.gold, alignment.spans, alignment.found
    lift = alignment.label * gold.line
    annotated = cover(spans.start + lift, spans.end + lift)
    lift = found.label * gold.line
    masked = cover(found.start + lift, found.end + lift)
    copies = np.arange(len(alignment.labels))[:, None] * gold.line
    neutral = alignment.neutral
    if len(neutral.starts):
        blocked = cover((neutral.starts + copies).ravel(), (neutral.ends + copies).ravel())
        annotated, masked = difference(annotated, blocked), difference(masked, blocked)
    if alignment.crossing:
        marks = (gold.separators + copies).ravel()
        inside = marks[masked.measure(marks, marks + 1) > 0]
        masked = difference(masked, cover(inside, inside + 1))
    return intersection(annotated, masked), masked, annotated
