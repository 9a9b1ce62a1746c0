"""Recurring identifiers: is a value masked every time it is mentioned?"""

from dataclasses import dataclass

import numpy as np

from tracegen.eval.alignment import Alignment
from tracegen.eval.columns import ABSENT, Flags, Ints, grouped, total, unique

BUCKETS = ("1", "2", "3-5", "6-10", "11+")
_BUCKET_EDGES = (2, 3, 6, 11)


@dataclass(frozen=True)
class Identifiers:
    """Entities of one document, or all that belongs to one subject."""

    document: Ints
    first: Ints
    """The row of the first mention among the gold spans."""
    of_span: Ints
    """The identifier of each gold span; `ABSENT` for spans that belong to none."""
    mentions: Ints
    covered_mentions: Ints
    turns: Ints
    roles: Ints
    derived: int

    def __len__(self) -> int:
        return len(self.document)

    @property
    def covered(self) -> Flags:
        """Whether every character of every mention is masked."""
        return np.asarray(self.covered_mentions == self.mentions)

    @property
    def split(self) -> Flags:
        """Whether some mentions are masked whole and some are not."""
        return np.asarray((self.covered_mentions > 0) & ~self.covered)

    @property
    def bucket(self) -> Ints:
        """The index of the mention bucket."""
        return np.searchsorted(np.array(_BUCKET_EDGES), self.mentions, side="right")


def entities(alignment: Alignment) -> Identifiers:
    """The identifiers of a corpus: gold spans that share document and entity id."""
    return _grouped(alignment, alignment.spans.names["entity_id"].codes)


def subjects(alignment: Alignment) -> Identifiers:
    """The people of a corpus, where the gold names them: spans that share document and subject."""
    return _grouped(alignment, alignment.spans.subject)


def _grouped(alignment: Alignment, group: Ints) -> Identifiers:
    spans = alignment.spans
    rows = np.flatnonzero(group != ABSENT)
    width = int(group.max(initial=0)) + 1
    keys = spans.document[rows] * width + group[rows]
    first, inverse = grouped(keys)
    size = len(first)
    of_span = np.full(len(spans), ABSENT, dtype=np.int64)
    of_span[rows] = inverse
    whole = alignment.covered[rows] == alignment.size[rows]
    message = spans.message[rows]
    return Identifiers(
        document=spans.document[rows[first]],
        first=rows[first],
        of_span=of_span,
        mentions=total(inverse, size),
        covered_mentions=total(inverse, size, whole),
        turns=_distinct_count(inverse, message // 2, size),
        roles=_distinct_count(inverse, message % 2, size),
        derived=int(spans.derived[rows[first]].sum()),
    )


def _distinct_count(group: Ints, values: Ints, size: int) -> Ints:
    """How many distinct values each group has."""
    width = int(values.max(initial=0)) + 1
    pairs = unique(group * width + values)
    return total(pairs // width, size)
