"""Gold as columns: conversations, their messages, spans and decoys laid on one line.

Every document gets its own stretch of one long line of characters, its messages in order with one
separator between them (empty messages take no room). A span is then two numbers on that line, no
span of one document can meet a span of another, and a whole corpus is counted in one pass.
Nothing here knows how gold was made: readers hand over batches of columns.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from tracegen.errors import InputError
from tracegen.eval.columns import ABSENT, Flags, Ints, Names, exclusive, ints, stacked, total

FIELDS = (
    "source_corpus", "template_id", "language", "locale", "slice", "pair_id", "axis", "level",
)  # fmt: skip
"""What a conversation may say about itself."""

MARK_NAMES = ("label", "kind", "form", "carrier", "entity_id")
"""What a span may say about itself, its place and subject apart."""

SOURCES = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Marks:
    """Spans or decoys: rows with a place and names."""

    document: Ints
    message: Ints
    start: Ints
    end: Ints
    names: dict[str, Names]
    subject: Ints
    derived: Flags
    """Whether the entity id was derived from label and value, for want of one in the file."""

    def __len__(self) -> int:
        return len(self.document)

    def __getitem__(self, rows: Ints | Flags) -> "Marks":
        """Some rows."""
        names = {key: column[rows] for key, column in self.names.items()}
        return Marks(
            self.document[rows], self.message[rows], self.start[rows], self.end[rows],
            names, self.subject[rows], self.derived[rows],
        )  # fmt: skip


@dataclass(slots=True)
class Batch:
    """Some conversations in columns; places of marks are relative to their message."""

    ids: list[str]
    fields: dict[str, Names]
    turn_counts: Ints
    turns: Ints
    """The number of each turn."""
    lengths: Ints
    """Code points of each message, two a turn: the user's, the assistant's."""
    spans: Marks
    decoys: Marks
    texts: list[str] | None = None
    """Each message, when texts were asked for."""


class Origin(NamedTuple):
    """Where gold was read, and the digest by which the manifest there names the corpus."""

    path: Path
    digest: str | None


@dataclass(frozen=True)
class Gold:
    """A corpus laid on one line."""

    ids: list[str]
    fields: dict[str, Names]
    turn_counts: Ints
    turns: Ints
    message_document: Ints
    message_start: Ints
    message_length: Ints
    document_start: Ints
    document_length: Ints
    spans: Marks
    decoys: Marks
    texts: list[str] | None = field(default=None, repr=False)
    origin: Origin | None = field(default=None, repr=False)
    """Where it was read, if from a file or folder."""

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each id."""
        return {name: row for row, name in enumerate(self.ids)}

    @cached_property
    def first_turn(self) -> Ints:
        """The first row of `turns` of each document."""
        return exclusive(self.turn_counts)

    @cached_property
    def rank(self) -> Ints:
        """The place of each document when they are sorted by id."""
        order = sorted(range(len(self)), key=self.ids.__getitem__)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return rank

    @cached_property
    def line(self) -> int:
        """The length of the line."""
        return int(self.document_start[-1] + self.document_length[-1]) + 2

    @cached_property
    def separators(self) -> Ints:
        """The places of the separators, sorted: the character after each message but the last."""
        ends = self.message_start + self.message_length
        document_ends = (self.document_start + self.document_length)[self.message_document]
        return np.asarray(ends[(self.message_length > 0) & (ends < document_ends)])

    @cached_property
    def characters(self) -> Ints:
        """The scorable characters of each document: those of its messages."""
        return total(self.message_document, len(self), self.message_length)

    @cached_property
    def audited(self) -> Flags:
        """Whether a document without gold is known to hold none: generated ones are."""
        corpus = self.fields["source_corpus"]
        known = [name == "tracegen" for name in corpus.names]
        return np.array([*known, False], dtype=np.bool_)[corpus.codes]

    def messages_at(self, places: Ints) -> Ints:
        """The message in which each place on the line lies."""
        filled = np.flatnonzero(self.message_length > 0)
        index = np.searchsorted(self.message_start[filled], places, side="right")
        return np.asarray(filled[np.maximum(index, 1) - 1])

    def check_labels(self) -> None:
        """See that every span says what it is.

        Raises:
            InputError: names the conversation of the first that does not.
        """
        bare = self.spans.names["label"].codes == ABSENT
        if bare.any():
            where = self.ids[int(self.spans.document[int(np.argmax(bare))])]
            file = self.origin.path if self.origin else None
            raise InputError("has a span without a label; each needs one", file=file, where=where)

    def text(self, document: int, start: int, end: int) -> str:
        """A stretch of one document, given in places on the line."""
        if self.texts is None:
            raise ValueError("this gold was read without texts")
        whole = self.document_text(document)
        base = int(self.document_start[document])
        return whole[start - base : end - base]

    def document_text(self, document: int) -> str:
        """The messages of a document, joined."""
        if self.texts is None:
            raise ValueError("this gold was read without texts")
        first = 2 * int(self.first_turn[document])
        last = first + 2 * int(self.turn_counts[document])
        return "\n".join(text for text in self.texts[first:last] if text)

    def digest(self) -> str:
        """A fingerprint of ids, message lengths, spans and decoys; the order of rows is nothing."""
        rank = self.rank
        state = blake2b(digest_size=16)
        state.update(msgspec.json.encode(sorted(self.ids)))
        by_rank = np.argsort(rank, kind="stable")
        for column in self.fields.values():
            _add_names(state, column[by_rank])
        state.update(self.turn_counts[by_rank].tobytes())
        messages = np.argsort(rank[self.message_document], kind="stable")
        state.update(self.message_length[messages].tobytes())
        state.update(self.turns[messages[::2] // 2].tobytes())
        for marks in (self.spans, self.decoys):
            _add_marks(state, marks, rank, self.document_start)
        return state.hexdigest()


def lay_out(batches: Sequence[Batch], file: object) -> Gold:
    """Lay batches on one line.

    Raises:
        InputError: an id occurs twice or is empty, or there is no conversation.
    """
    ids = [name for batch in batches for name in batch.ids]
    if not ids:
        raise InputError("holds no conversation; at least one record is needed", file=file)
    if not all(ids):
        raise InputError("the id must be a text or a number", file=file, where=ids.index("") + 1)
    if len(set(ids)) < len(ids):
        twice = next(name for name, times in Counter(ids).items() if times > 1)
        raise InputError("this id occurs twice; ids must be unique", file=file, where=twice)
    turn_counts = stacked([batch.turn_counts for batch in batches])
    length = stacked([batch.lengths for batch in batches])
    message_document = np.repeat(np.arange(len(ids)), 2 * turn_counts)
    room = length + (length > 0)
    document_room = total(message_document, len(ids), room)
    document_start = exclusive(document_room + 1)
    message_start = exclusive(room) + message_document  # one more place after every document
    return Gold(
        ids=ids,
        fields={key: Names.joined([batch.fields[key] for batch in batches]) for key in FIELDS},
        turn_counts=turn_counts,
        turns=stacked([batch.turns for batch in batches]),
        message_document=message_document,
        message_start=message_start,
        message_length=length,
        document_start=document_start,
        document_length=np.maximum(document_room - 1, 0),
        spans=_placed([batch.spans for batch in batches], batches, message_start),
        decoys=_placed([batch.decoys for batch in batches], batches, message_start),
        texts=_texts(batches),
    )


def _placed(parts: Sequence[Marks], batches: Sequence[Batch], message_start: Ints) -> Marks:
    documents = exclusive(ints([len(batch.ids) for batch in batches]))
    messages = exclusive(ints([len(batch.lengths) for batch in batches]))
    message = stacked([part.message + base for part, base in zip(parts, messages, strict=True)])
    return Marks(
        document=stacked([part.document + b for part, b in zip(parts, documents, strict=True)]),
        message=message,
        start=stacked([part.start for part in parts]) + message_start[message],
        end=stacked([part.end for part in parts]) + message_start[message],
        names={key: Names.joined([part.names[key] for part in parts]) for key in MARK_NAMES},
        subject=stacked([part.subject for part in parts]),
        derived=np.concatenate([part.derived for part in parts]),
    )


def _texts(batches: Sequence[Batch]) -> list[str] | None:
    if any(batch.texts is None for batch in batches):
        return None
    return [text for batch in batches for text in batch.texts or ()]


def _add_names(state: "blake2b", column: Names) -> None:
    names = sorted(column.names)
    state.update(msgspec.json.encode(names))
    state.update(column.recoded(names).tobytes())


def _add_marks(state: "blake2b", marks: Marks, rank: Ints, document_start: Ints) -> None:
    base = document_start[marks.document]
    names = marks.names["label"]
    label = names.recoded(sorted(names.names))
    order = np.lexsort((label, marks.end - base, marks.start - base, rank[marks.document]))
    for column in (rank[marks.document], marks.start - base, marks.end - base, marks.subject):
        state.update(column[order].tobytes())
    for key in MARK_NAMES:
        _add_names(state, marks.names[key][order])
