"""Gold from rows: JSON lines of our record's shape, or any objects with the same attributes.

This is also where readers of other formats plug in: whatever can be turned into objects with the
attributes of `tracegen.model.Conversation` is gold for the scorer (`gold_of`).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Protocol, TypeAlias

import msgspec
import numpy as np

from tracegen.datafiles import decoded, json_lines
from tracegen.errors import InputError
from tracegen.eval.columns import ABSENT, Names, ints
from tracegen.eval.gold import FIELDS, MARK_NAMES, SOURCES, Batch, Gold, Marks, lay_out
from tracegen.eval.offsets import fitting_unit

_BATCH = 20_000

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A whole number that a column can hold."""


class Turn(msgspec.Struct, gc=False):
    """One exchange."""

    turn: Number
    user: str | None = None
    assistant: str | None = None


class Mark(msgspec.Struct, gc=False):
    """A span or a decoy; only its place is needed."""

    turn: Number
    source: str
    start: Number
    end: Number
    label: str | None = None
    text: str | None = None
    kind: str | None = None
    entity_id: str | None = None
    subject: Number | None = None
    form: str | None = None
    carrier: str | None = None


class Row(msgspec.Struct, gc=False):
    """A conversation as another program may have written it: most fields may be missing."""

    id: str | int
    turns: list[Turn]
    spans: list[Mark] | None
    language: str | None = None
    source_corpus: str | None = None
    template_id: str | None = None
    locale: str | None = None
    slice: str | None = None
    pair_id: str | None = None
    axis: str | None = None
    level: str | None = None
    decoys: list[Mark] | None = None


_KEYS = frozenset(name for struct in (Row, Turn, Mark) for name in struct.__struct_fields__)
_WHAT = ("a conversation", "id, turns, spans")


class AnyTurn(Protocol):
    """What the scorer reads of a turn."""

    @property
    def turn(self) -> int: ...  # noqa: D102
    @property
    def user(self) -> str | None: ...  # noqa: D102
    @property
    def assistant(self) -> str | None: ...  # noqa: D102


class AnyRow(Protocol):
    """What the scorer needs of a conversation; more attributes are read when they exist."""

    @property
    def id(self) -> str | int: ...  # noqa: D102
    @property
    def turns(self) -> Iterable[AnyTurn]: ...  # noqa: D102


def gold_of(rows: Iterable[AnyRow], *, file: object = None, texts: bool = False) -> Gold:
    """Lay conversations out for scoring.

    Raises:
        InputError: a span does not fit its message or its stored value, or an id occurs twice.
    """
    batches = []
    builder = _Builder(file, texts)
    for row in rows:
        builder.add(row)
        if len(builder.ids) >= _BATCH:
            batches.append(builder.batch())
            builder = _Builder(file, texts)
    batches.append(builder.batch())
    return lay_out(batches, file)


def read_json_lines(path: Path) -> Iterator[Row]:
    """The rows of a JSON lines file.

    Raises:
        InputError: names the line that is not a conversation.
    """
    decoder = msgspec.json.Decoder(Row)
    for number, line in json_lines(path):
        yield decoded(decoder.decode, line, _KEYS, _WHAT, file=path, where=number)


class _Builder:
    """Gathers rows into the columns of a batch."""

    def __init__(self, file: object, texts: bool) -> None:
        self.file = file
        self.ids: list[str] = []
        self.fields: dict[str, list[str | None]] = {key: [] for key in FIELDS}
        self.turn_counts: list[int] = []
        self.turns: list[int] = []
        self.lengths: list[int] = []
        self.texts: list[str] | None = [] if texts else None
        self.spans = _Marks()
        self.decoys = _Marks()

    def add(self, row: AnyRow) -> None:
        document, first = len(self.ids), len(self.lengths)
        messages: dict[tuple[int, str], tuple[int, str]] = {}
        count = 0
        for turn in row.turns:
            if (turn.turn, "user") in messages:
                raise self._error(row, f"turn {turn.turn} occurs twice; number turns once each")
            self.turns.append(turn.turn)
            for source, text in (("user", turn.user or ""), ("assistant", turn.assistant or "")):
                messages[turn.turn, source] = (first + len(messages), text)
                self.lengths.append(len(text))
                if self.texts is not None:
                    self.texts.append(text)
            count += 1
        self.ids.append(str(row.id))
        self.turn_counts.append(count)
        for key, column in self.fields.items():
            column.append(getattr(row, key, None))
        for mark in getattr(row, "spans", ()) or ():
            self._place(row, self.spans, mark, document, messages)
        for mark in getattr(row, "decoys", ()) or ():
            self._place(row, self.decoys, mark, document, messages)

    def _place(
        self,
        row: AnyRow,
        marks: "_Marks",
        mark: Mark,
        document: int,
        messages: dict[tuple[int, str], tuple[int, str]],
    ) -> None:
        place = messages.get((mark.turn, mark.source))
        if place is None:
            raise self._error(
                row, f"a span lies in turn {mark.turn}, source {mark.source!r}, which is missing"
            )
        number, text = place
        problem = misfit(text, mark.start, mark.end, mark.text)
        if problem:
            raise self._error(row, f"span {mark.start}-{mark.end} of turn {mark.turn}: {problem}")
        marks.add(mark, document, number, text[mark.start : mark.end])

    def _error(self, row: AnyRow, problem: str) -> InputError:
        return InputError(problem, file=self.file, where=row.id)

    def batch(self) -> Batch:
        return Batch(
            ids=self.ids,
            fields={key: Names.of(column) for key, column in self.fields.items()},
            turn_counts=ints(self.turn_counts),
            turns=ints(self.turns),
            lengths=ints(self.lengths),
            spans=self.spans.columns(),
            decoys=self.decoys.columns(),
            texts=self.texts,
        )


class _Marks:
    """Spans or decoys on the way into columns."""

    def __init__(self) -> None:
        self.places: list[tuple[int, int, int, int, int]] = []
        self.names: dict[str, list[str | None]] = {key: [] for key in MARK_NAMES}
        self.derived: list[bool] = []

    def add(self, mark: Mark, document: int, message: int, text: str) -> None:
        subject = getattr(mark, "subject", None)
        self.places.append(
            (document, message, mark.start, mark.end, ABSENT if subject is None else subject)
        )
        for key, column in self.names.items():
            column.append(getattr(mark, key, None))
        entity = self.names["entity_id"]
        self.derived.append(entity[-1] is None)
        if entity[-1] is None:
            entity[-1] = derived_entity(getattr(mark, "label", None), text)

    def columns(self) -> Marks:
        places = np.array(self.places, dtype=np.int64).reshape(-1, 5)
        document, message, start, end, subject = places.T
        return Marks(
            document=document,
            message=message,
            start=start,
            end=end,
            names={key: Names.of(column) for key, column in self.names.items()},
            subject=subject,
            derived=np.array(self.derived, dtype=np.bool_),
        )


def derived_entity(label: str | None, text: str) -> str:
    """An entity id for want of one: label and value, case and white space aside."""
    return f"={label}={' '.join(text.casefold().split())}"


def misfit(text: str, start: int, end: int, stored: str | None) -> str | None:
    """Say why a range does not fit its message or its stored value; None where it does."""
    if not 0 <= start < end <= len(text):
        problem = (
            f"lies outside its message of {len(text)} characters; "
            "right is 0 <= start < end <= length"
        )
    elif stored is None or text[start:end] == stored:
        return None
    else:
        problem = "the text there is not the stored value (offsets count code points)"
    unit = fitting_unit(text, start, end, stored) if stored else None
    hint = f"; the offsets fit {unit} units; gold counts code points" if unit else ""
    return problem + hint


def source_code(name: str) -> int:
    """0 for the user, 1 for the assistant, `ABSENT` for anything else."""
    return SOURCES.index(name) if name in SOURCES else ABSENT
