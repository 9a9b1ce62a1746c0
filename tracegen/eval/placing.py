"""Predicted spans on the gold's line, and what was set aside."""

from dataclasses import dataclass
from hashlib import blake2b

import msgspec
import numpy as np

from tracegen.eval.columns import ABSENT, Flags, Ints, Names, ints
from tracegen.eval.gold import Gold, find_turns
from tracegen.eval.rows import source_code


@dataclass(frozen=True)
class Predictions:
    """Predicted spans in places on the gold's line, and what was set aside."""

    document: Ints
    start: Ints
    end: Ints
    raw: Names
    """The detector's own labels."""
    records: int
    spans: int
    """Every span read, those set aside included."""
    invalid: int
    """Spans out of range, or in a message that does not exist."""
    zero_length: int
    crossing: int
    """Spans over more than one message."""

    def __len__(self) -> int:
        return len(self.document)

    def __getitem__(self, rows: Flags) -> "Predictions":
        """Some of the spans; the counters stay."""
        return Predictions(
            self.document[rows], self.start[rows], self.end[rows], self.raw[rows],
            self.records, self.spans, self.invalid, self.zero_length, self.crossing,
        )  # fmt: skip

    def digest(self, gold: Gold) -> str:
        """A fingerprint that does not depend on the order of records or spans."""
        rank = gold.rank
        base = gold.document_start[self.document]
        names = sorted(self.raw.names)
        raw = self.raw.recoded(names)
        columns = (rank[self.document], self.start - base, self.end - base, raw)
        order = np.lexsort(columns[::-1])
        state = blake2b(msgspec.json.encode(names), digest_size=16)
        for column in columns:
            state.update(column[order].tobytes())
        state.update(repr((self.records, self.invalid, self.zero_length)).encode())
        return state.hexdigest()


@dataclass(frozen=True, slots=True)
class Frame:
    """What the offsets of each span count from."""

    document: Ints
    message: Ints
    in_message: Flags
    found: Flags
    """False where a span names a message that does not exist."""


def framed(gold: Gold, document: Ints, turn: Ints, source: Names) -> Frame:
    """Find the message of each span that names a turn and a source."""
    in_message = source.codes != ABSENT
    message, found = messages_of(gold, document, turn, source, in_message)
    return Frame(document, message, in_message, found)


def messages_of(
    gold: Gold, document: Ints, turn: Ints, source: Names, in_message: Flags
) -> tuple[Ints, Flags]:
    """The message of each span that names one, and whether it exists."""
    side = ints([*map(source_code, source.names), ABSENT])[source.codes]
    row = find_turns(gold.turn_counts, gold.turns, document, turn)
    found = ~in_message | (row != ABSENT)
    return np.where(in_message & found, 2 * row + side, ABSENT), found


def laid(
    gold: Gold, frame: Frame, start: Ints, end: Ints, raw: Names, *, records: int
) -> Predictions:
    """Put spans on the line, and count those that do not fit."""
    inside, message, document = frame.in_message, frame.message, frame.document
    length = np.where(inside, gold.message_length[message], gold.document_length[document])
    base = np.where(inside, gold.message_start[message], gold.document_start[document])
    fits = frame.found & (start >= 0) & (start <= end) & (end <= length)
    kept = np.flatnonzero(fits & (start < end))
    low, high = (start + base)[kept], (end + base)[kept]
    wide = ~inside[kept]
    crossing = gold.messages_at(low[wide]) != gold.messages_at(high[wide] - 1)
    return Predictions(
        document=document[kept],
        start=low,
        end=high,
        raw=raw[kept],
        records=records,
        spans=len(start),
        invalid=int((~fits).sum()),
        zero_length=int((fits & (start == end)).sum()),
        crossing=int(crossing.sum()),
    )
