"""Agreement of two annotations of the same conversations."""

from collections import Counter
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tracegen.errors import InputError
from tracegen.eval.columns import Flags, Floats, Ints, total
from tracegen.eval.gold import Gold
from tracegen.eval.intervals import Cover, cover, difference, intersection
from tracegen.eval.matching import common, distinct
from tracegen.eval.metrics import Block, f_of_counts
from tracegen.eval.scoring import read_gold
from tracegen.eval.statistics import kappa, kappa_of

Labels: TypeAlias = tuple[int, ...]

KINDS = ("same range, other label", "same label, other range", "overlapping", "only one side")


def agree(first: Path | Gold, second: Path | Gold) -> Block:
    """Hold two annotations against each other.

    Raises:
        InputError: they are not annotations of the same text.
    """
    one = first if isinstance(first, Gold) else read_gold(first, texts=True)
    other = second if isinstance(second, Gold) else read_gold(second, texts=True)
    sides = _Side(one, one), _Side(other, one)
    for side in (one, other):
        side.check_labels()
    _check_same_text(one, other)
    labels = sorted({*one.spans.names["label"].names, *other.spans.names["label"].names})
    for annotation in sides:
        annotation.code(labels)
    table = _character_table(sides, labels)
    shared, _ = common(sides[0].triples, sides[1].triples)
    return {
        "conversations": len(one),
        "characters": _characters(table, labels),
        "spans": _span_table(sides, labels, shared),
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

    def decisions(self) -> dict[tuple[int, int], Labels]:
        """The labels of each range, mostly one."""
        found: dict[tuple[int, int], Labels] = {}
        rows = zip(self.start.tolist(), self.end.tolist(), self.label.tolist(), strict=True)
        for start, end, label in rows:
            found[start, end] = tuple(sorted((*found.get((start, end), ()), label)))
        return found

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


def _span_table(sides: tuple[_Side, _Side], labels: list[str], shared: Flags) -> Block:
    """Spans that both have, kappa of the decisions on them, and F1, which needs no negatives.

    A decision is due for every range that either side marks: which label it has, or none. Nobody
    decides on the ranges that no side marks, so with a single label kappa is never above 0.
    """
    one, other = (side.decisions() for side in sides)
    ranges = one.keys() | other.keys()
    decided = Counter((one.get(place, ()), other.get(place, ())) for place in ranges)
    first, second = (len(side.start) for side in sides)
    both = total(sides[0].label, len(labels), shared).tolist()
    firsts, seconds = (total(side.label, len(labels)).tolist() for side in sides)
    cells = {}
    for name, *counts in zip(labels, both, firsts, seconds, strict=True):
        block = _spans(*counts)
        only = block["only_first"], block["only_second"]
        value = kappa(block["both"], *only, len(ranges) - block["both"] - sum(only))
        cells[name] = block | {"kappa": _rounded(value)}
    value = _decided_alike(decided)
    whole = {"ranges": len(ranges)} | _spans(sum(both), first, second)
    return whole | {"kappa": _rounded(value), "labels": cells}


def _spans(both: int, first: int, second: int) -> Block:
    f1 = _rounded(f_of_counts(both, first, second))
    return {"both": both, "only_first": first - both, "only_second": second - both, "f1": f1}


def _decided_alike(decided: Counter[tuple[Labels, Labels]]) -> float | None:
    """Cohen's kappa of two sides' decisions."""
    n = decided.total()
    if not n:
        return None
    sides: tuple[Counter[Labels], Counter[Labels]] = Counter(), Counter()
    for pair, times in decided.items():
        for side, labels in zip(sides, pair, strict=True):
            side[labels] += times
    observed = sum(times for (one, other), times in decided.items() if one == other) / n
    expected = sum(times * sides[1][labels] for labels, times in sides[0].items()) / n**2
    return kappa_of(observed, expected)


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
