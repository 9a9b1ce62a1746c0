"""The label of each prediction: what its raw label may mean, held against the gold around it."""

from collections import Counter

import numpy as np

from tracegen.eval.columns import ABSENT, Flags, Ints, Names, ints
from tracegen.eval.gold import Marks
from tracegen.eval.intervals import Cover, cover, difference
from tracegen.eval.matching import same_range
from tracegen.eval.options import Selection
from tracegen.eval.placing import Predictions


def choices_of(names: tuple[str, ...], selection: Selection, labels: tuple[str, ...]) -> list[int]:
    """The codes of the scored labels among these; none where all of them are left out."""
    return [labels.index(name) for name in names if name not in selection.ignored]


def flagged(raw: Names, flags: list[bool]) -> Flags:
    """The rows whose raw label has a flag."""
    return np.array(flags, dtype=np.bool_)[raw.codes]


def counted(raw: Names) -> dict[str, int]:
    """How often each raw label occurs, the commonest first."""
    counts = Counter(raw.codes.tolist())
    named = [(raw.names[code], times) for code, times in counts.items()]
    return dict(sorted(named, key=lambda item: (-item[1], item[0])))


def resolved(
    read: Predictions, choices: list[list[int]], spans: Marks, label: Ints, neutral: Cover
) -> Ints:
    """One label a prediction.

    A raw label that may mean several gold labels takes the one that hits exactly, else the one
    whose gold it overlaps most, else the first; so one prediction never counts twice.
    """
    first = ints([choice[0] if choice else ABSENT for choice in choices])
    result = first[read.raw.codes] if len(first) else ints([])
    for code, choice in enumerate(choices):
        if len(choice) < 2:
            continue
        rows = np.flatnonzero(read.raw.codes == code)
        start, end = read.start[rows], read.end[rows]
        best = np.zeros(len(rows), dtype=np.int64)
        for option in choice:
            own = label == option
            exact = same_range((start, end), (spans.start[own], spans.end[own]))
            union = difference(cover(spans.start[own], spans.end[own]), neutral)
            weight = union.measure(start, end) + exact * (end - start + 1)
            result[rows] = np.where(weight > best, option, result[rows])
            best = np.maximum(best, weight)
    return result
