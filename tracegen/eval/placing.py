"""Predicted spans on the gold's line, and what was set aside."""

from dataclasses import dataclass
from hashlib import blake2b

import msgspec
import numpy as np

from tracegen.eval.columns import ABSENT, Flags, Ints, Names, find_turns, ints, total
from tracegen.eval.gold import Gold
from tracegen.eval.rows import source_code

TALLIES = ("spans", "invalid", "zero_length", "crossing")
"""Every span read; those out of range, or in a message that does not exist; those without a
character; those over more than one message."""


@dataclass(frozen=True)
class Predictions:
    """Predicted spans in places on the gold's line, and what was set aside."""

    document: Ints
    start: Ints
    end: Ints
    raw: Names
    """The detector's own labels."""
    records: int
    tallies: dict[str, Ints]
    """How many spans of each document were read, and what they were; see `TALLIES`."""

    def __len__(self) -> int:
        return len(self.document)

    def __getitem__(self, rows: Flags) -> "Predictions":
        """Some of the spans; the counters stay."""
        return Predictions(
            self.document[rows], self.start[rows], self.end[rows], self.raw[rows],
            self.records, self.tallies,
        )  # fmt: skip

    def tally(self, name: str, documents: Flags | None = None) -> int:
        """One of `TALLIES` over all documents, or over some."""
        column = self.tallies[name]
        return int(column.sum() if documents is None else column[documents].sum())

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
        state.update(repr((self.records, *map(self.tally, ("invalid", "zero_length")))).encode())
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
    owners = {
        "spans": document,
        "invalid": document[~fits],
        "zero_length": document[fits & (start == end)],
        "crossing": document[kept][wide][crossing],
    }
    return Predictions(
        document=document[kept],
        start=low,
        end=high,
        raw=raw[kept],
        records=records,
        tallies={name: total(owner, len(gold)) for name, owner in owners.items()},
    )
