"""Agreement of two annotations of the same conversations."""

from pathlib import Path
from typing import Any

import numpy as np

from tracegen.errors import InputError
from tracegen.eval.columns import Flags, Floats, Ints, total
from tracegen.eval.gold import Gold
from tracegen.eval.intervals import Cover, cover, difference, intersection
from tracegen.eval.matching import common, distinct
from tracegen.eval.metrics import Block, f_of_counts
from tracegen.eval.scoring import read_gold
from tracegen.eval.statistics import kappa, kappa_of

KINDS = ("same range, other label", "same label, other range", "overlapping", "only one side")


def agree(first: Path | Gold, second: Path | Gold) -> Block:
    """Hold two annotations against each other.

    Raises:
        InputError: they are not annotations of the same text.
    """
    one = first if isinstance(first, Gold) else read_gold(first, texts=True)
    other = second if isinstance(second, Gold) else read_gold(second, texts=True)
    sides = _Side(one, one), _Side(other, one)
    _check_same_text(one, other)
    labels = sorted({*one.spans.names["label"].names, *other.spans.names["label"].names})
    for side in sides:
        side.code(labels)
    table = _character_table(sides, labels)
    shared, _ = common(sides[0].triples, sides[1].triples)
    both = int(shared.sum())
    sizes = [len(side.start) for side in sides]
    return {
        "conversations": len(one),
        "characters": _characters(table, labels),
        "spans": _spans(both, sizes[0], sizes[1]) | {"labels": _span_labels(sides, labels, shared)},
        "disagreements": disagreements(sides, labels),
    }


class _Side:
    """One annotation in places on the first one's line."""

    def __init__(self, gold: Gold, line: Gold) -> None:
        row = np.array([line.index.get(name, -1) for name in gold.ids], dtype=np.int64)
        spans = gold.spans
        self.line = line
        shift = (line.document_start[row] - gold.document_start)[spans.document]
        self.start, self.end = spans.start + shift, spans.end + shift
        self.document = row[spans.document]
        self.names = spans.names["label"]
        self.label = self.names.codes

    @property
    def triples(self) -> tuple[Ints, Ints, Ints]:
        return self.start, self.end, self.label

    def code(self, labels: list[str]) -> None:
        """Number the labels alike on both sides, and drop what is given twice."""
        self.label = self.names.recoded(labels)
        keep = distinct(self.start, self.end, self.label)
        self.start, self.end, self.label = self.start[keep], self.end[keep], self.label[keep]
        self.document = self.document[keep]

    def cover(self, code: int) -> Cover:
        own = self.label == code
        return cover(self.start[own], self.end[own])


def _check_same_text(one: Gold, other: Gold) -> None:
    missing = sorted(set(one.ids) ^ set(other.ids))
    if missing:
        raise InputError(f"conversation {missing[0]!r} is annotated on one side only")
    for row, name in enumerate(one.ids):
        if one.document_text(row) != other.document_text(other.index[name]):
            raise InputError(f"conversation {name!r} has different text on the two sides")


def _character_table(sides: tuple[_Side, _Side], labels: list[str]) -> Floats:
    """Characters by label on either side, outside last; a doubly labelled one has its first."""
    parts = []
    for side in sides:
        taken = cover(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
        own = []
        for code in range(len(labels)):
            part = difference(side.cover(code), taken)
            own.append(part)
            taken = cover(
                np.concatenate((taken.starts, part.starts)), np.concatenate((taken.ends, part.ends))
            )
        parts.append(own)
    size = len(labels)
    table = np.zeros((size + 1, size + 1))
    for row, one in enumerate(parts[0]):
        for column, other in enumerate(parts[1]):
            table[row, column] = intersection(one, other).size()
        table[row, size] = one.size() - table[row, :size].sum()
    for column, other in enumerate(parts[1]):
        table[size, column] = other.size() - table[:size, column].sum()
    table[size, size] = float(sides[0].line.characters.sum()) - table.sum()
    return table


def _characters(table: Floats, labels: list[str]) -> Block:
    n = table.sum()
    observed = float(np.trace(table) / n) if n else 1.0
    expected = float((table.sum(axis=0) * table.sum(axis=1)).sum() / n**2) if n else 1.0
    cells = {}
    for code, name in enumerate(labels):
        both = float(table[code, code])
        first, second = float(table[code].sum()) - both, float(table[:, code].sum()) - both
        cells[name] = {
            "both": int(both),
            "only_first": int(first),
            "only_second": int(second),
            "kappa": _rounded(kappa(both, first, second, float(n) - both - first - second)),
        }
    total_ = {"characters": int(n), "agreeing": int(np.trace(table))}
    return total_ | {"kappa": _rounded(kappa_of(observed, expected)), "labels": cells}


def _spans(both: int, first: int, second: int) -> Block:
    """Counts, kappa over the spans of either side, and F1, which needs no negatives."""
    value = kappa(both, first - both, second - both, 0)
    return {
        "both": both,
        "only_first": first - both,
        "only_second": second - both,
        "kappa": _rounded(value),
        "f1": _rounded(f_of_counts(both, first, second)),
    }


def _span_labels(sides: tuple[_Side, _Side], labels: list[str], shared: Flags) -> Block:
    both = total(sides[0].label, len(labels), shared)
    first, second = (total(side.label, len(labels)) for side in sides)
    return {
        name: _spans(int(both[code]), int(first[code]), int(second[code]))
        for code, name in enumerate(labels)
    }


def disagreements(sides: tuple[_Side, _Side], labels: list[str]) -> list[Block]:
    """Every span that the other side does not have just so, in order, without its text."""
    flags = common(sides[0].triples, sides[1].triples)
    found: list[tuple[int, int, Block]] = []
    for number, (side, agreed) in enumerate(zip(sides, flags, strict=True)):
        other = sides[1 - number]
        ranges = set(zip(other.start.tolist(), other.end.tolist(), strict=True))
        union = cover(other.start, other.end)
        for row in np.flatnonzero(~agreed).tolist():
            start, end = int(side.start[row]), int(side.end[row])
            code = int(side.label[row])
            where = np.array([start]), np.array([end])
            if (start, end) in ranges:
                kind = KINDS[0]
            elif other.cover(code).measure(*where)[0]:
                kind = KINDS[1]
            else:
                kind = KINDS[2] if union.measure(*where)[0] else KINDS[3]
            place = _place(side.line, int(side.document[row]), start, end)
            block = place | {"label": labels[code], "side": number + 1, "kind": kind}
            found.append((start, number, block))
    return [block for _, _, block in sorted(found, key=lambda item: item[:2])]


def _place(line: Gold, document: int, start: int, end: int) -> dict[str, Any]:
    message = int(line.messages_at(np.array([start]))[0])
    base = int(line.message_start[message])
    return {
        "id": line.ids[document],
        "turn": int(line.turns[message // 2]),
        "source": ("user", "assistant")[message % 2],
        "start": start - base,
        "end": end - base,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
