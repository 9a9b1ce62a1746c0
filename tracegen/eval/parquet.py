"""Gold from Parquet, column by column, without making a row."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tracegen.datafiles import NEEDED, wrong_turn
from tracegen.errors import InputError
from tracegen.eval.arrays import (
    column_of,
    counts_of,
    fields_of,
    filled,
    holds_texts,
    names_of,
    numbers_of,
    optional_column,
    texts_of,
)
from tracegen.eval.columns import ABSENT, Flags, Ints, Names, find_turns, ints, unique
from tracegen.eval.gold import FIELDS, MARK_NAMES, Batch, Marks
from tracegen.eval.rows import derived_entity, misfit, source_code

_BATCH = 2_048
"""Conversations at a time, so that memory does not grow with the file."""

_NEEDED = ("id", "turns", "spans")


def read_parquet(path: Path, *, texts: bool = False) -> Iterator[Batch]:
    """The batches of one file.

    Raises:
        InputError: the file is not Parquet, lacks a column, or holds a span that does not fit.
    """
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            names = file.schema_arrow.names
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice:
                raise InputError(f"has the column {twice!r} twice; leave one", file=path)
            missing = [name for name in _NEEDED if name not in names]
            if missing:
                raise InputError(f"lacks the column {missing[0]!r}; needed: {_NEEDED}", file=path)
            present = [*_NEEDED, "decoys", *FIELDS]
            columns = [name for name in present if name in names]
            for part in file.iter_batches(_BATCH, columns=columns):
                yield _batch(pa.Table.from_batches([part]), path, texts)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read as Parquet ({error})", file=path) from error


def _batch(table: Any, path: Path, texts: bool) -> Batch:
    ids = _ids(column_of(table, "id"), path)
    turns = column_of(table, "turns")
    fields = fields_of(turns, path, "turns", ("turn", "user", "assistant"))
    sides = [texts_of(fields[name], path, f"turns.{name}") for name in ("user", "assistant")]
    messages = [filled(column) for column in sides]
    lengths = np.empty(2 * len(messages[0]), dtype=np.int64)
    for side, column in enumerate(messages):
        lengths[side::2] = pc.utf8_length(column).to_numpy(zero_copy_only=False)
    batch = Batch(
        ids=ids,
        fields={key: names_of(optional_column(table, key), len(ids), path, key) for key in FIELDS},
        turn_counts=counts_of(turns),
        turns=numbers_of(fields["turn"], path, "turns.turn"),
        lengths=lengths,
        spans=_no_marks(),
        decoys=_no_marks(),
    )
    if turns.null_count:
        where = ids[turns.is_null().index(True).as_py()]
        raise InputError(f"has no turns; {NEEDED}", file=path, where=where)
    of_turn = np.repeat(np.arange(len(ids)), batch.turn_counts)
    bare = fields["turn"].is_null().to_numpy(zero_copy_only=False)
    _refuse(bare, batch, of_turn, path, "a turn has no number")
    _check_texts(fields, sides, batch, path)
    _check_turns(batch, path)
    reader = _Messages(messages)
    batch.spans = _marks(column_of(table, "spans"), batch, reader, path, "spans")
    if "decoys" in table.column_names:
        batch.decoys = _marks(column_of(table, "decoys"), batch, reader, path, "decoys")
    if texts:
        pairs = zip(messages[0].to_pylist(), messages[1].to_pylist(), strict=True)
        batch.texts = [text for pair in pairs for text in pair]
    return batch


def _ids(column: Any, path: Path) -> list[str]:
    """The ids; whole numbers as text."""
    kind = column.type
    if pa.types.is_integer(kind):
        column = column.cast(pa.string())
    elif not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise InputError(f"column 'id' is {kind}; it must be of texts or numbers", file=path)
    ids: list[str] = filled(column).to_pylist()
    return ids


def _marks(column: Any, batch: Batch, reader: "_Messages", path: Path, what: str) -> Marks:
    if pa.types.is_null(column.type):
        return _no_marks()
    if not hasattr(column, "flatten"):
        raise InputError(f"column {what!r} must be a list of records", file=path)
    counts = counts_of(column)
    document = np.repeat(np.arange(len(batch.ids)), counts)
    if not len(document):
        return _no_marks()
    fields = fields_of(column, path, what, ("turn", "source", "start", "end"))
    for name in ("turn", "start", "end"):
        absent = fields[name].is_null().to_numpy(zero_copy_only=False)
        _refuse(absent, batch, document, path, f"a span has no {name}")
    turn, start, end = (
        numbers_of(fields[name], path, f"{what}.{name}") for name in ("turn", "start", "end")
    )
    source = names_of(fields["source"], len(document), path, f"{what}.source")
    side = ints([*map(source_code, source.names), ABSENT])[source.codes]
    row = find_turns(batch.turn_counts, batch.turns, document, turn)
    _refuse((row == ABSENT) | (side == ABSENT), batch, document, path, "a span lies in no message")
    message = 2 * row + side
    stored: list[str | None] = [None] * len(document)
    if "text" in fields:
        stored = texts_of(fields["text"], path, f"{what}.text").to_pylist()
    values = reader.values(message, start, end, stored, batch, document, path)
    names = {
        key: names_of(fields.get(key), len(document), path, f"{what}.{key}") for key in MARK_NAMES
    }
    derived = names["entity_id"].codes == ABSENT
    if derived.any():
        names["entity_id"] = _derived(names, values)
    subject = (
        numbers_of(fields["subject"], path, f"{what}.subject") if "subject" in fields else None
    )
    return Marks(
        document=document,
        message=message,
        start=start,
        end=end,
        names=names,
        subject=np.full(len(document), ABSENT) if subject is None else subject,
        derived=derived,
    )


class _Messages:
    """The texts of the messages that hold marks, decoded once each."""

    def __init__(self, sides: list[Any]) -> None:
        self._sides = sides

    def values(
        self,
        message: Ints,
        start: Ints,
        end: Ints,
        stored: list[str | None],
        batch: Batch,
        document: Ints,
        path: Path,
    ) -> list[str]:
        """The text of each range, held against the stored value."""
        texts = self._texts(message)
        values = [
            texts[number][low:high]
            for number, low, high in zip(
                message.tolist(), start.tolist(), end.tolist(), strict=True
            )
        ]
        inside = (start >= 0) & (start < end) & (end <= batch.lengths[message])
        if values == stored and inside.all():
            return values
        for row, wanted in enumerate(stored):
            low, high = int(start[row]), int(end[row])
            problem = misfit(texts[int(message[row])], low, high, wanted)
            if problem:
                where = batch.ids[int(document[row])]
                raise InputError(f"span {low}-{high}: {problem}", file=path, where=where)
        return values

    def _texts(self, message: Ints) -> dict[int, str]:
        texts: dict[int, str] = {}
        for side, column in enumerate(self._sides):
            rows = unique(message[message % 2 == side] // 2)
            numbers = (2 * rows + side).tolist()
            texts.update(zip(numbers, column.take(pa.array(rows)).to_pylist(), strict=True))
        return texts


def _derived(names: dict[str, Names], values: list[str]) -> Names:
    labels, entities = names["label"].values(), names["entity_id"].values()
    triples = zip(entities, labels, values, strict=True)
    return Names.of(
        entity if entity is not None else derived_entity(label, value)
        for entity, label, value in triples
    )


def _refuse(wrong: Flags, batch: Batch, document: Ints, path: Path, problem: str) -> None:
    if wrong.any():
        where = batch.ids[int(document[int(np.argmax(wrong))])]
        raise InputError(problem, file=path, where=where)


def _check_texts(fields: dict[str, Any], sides: list[Any], batch: Batch, path: Path) -> None:
    """Refuse turns without texts, or with texts under other names; see `wrong_turn`."""
    user, assistant = sides
    suspects = pc.and_(user.is_null(), assistant.is_null()).to_numpy(zero_copy_only=False)
    others = {
        name: column for name, column in fields.items()
        if name not in ("user", "assistant", "turn") and holds_texts(column.type)
    }  # fmt: skip
    for name, column in others.items():
        if name != "lang":
            written = filled(texts_of(column, path, name)).to_numpy(zero_copy_only=False) != ""
            suspects = suspects | written
    if not suspects.any():
        return
    row = int(np.argmax(suspects))
    texts = others | dict(zip(("user", "assistant"), sides, strict=True))
    turn = {name: column[row].as_py() for name, column in texts.items()}
    document = np.repeat(np.arange(len(batch.ids)), batch.turn_counts)
    where = batch.ids[int(document[row])]
    problem = wrong_turn(turn | {"turn": int(batch.turns[row])}) or NEEDED
    raise InputError(problem, file=path, where=where)


def _check_turns(batch: Batch, path: Path) -> None:
    document = np.repeat(np.arange(len(batch.ids)), batch.turn_counts)
    rows = find_turns(batch.turn_counts, batch.turns, document, batch.turns)
    twice = rows != np.arange(len(batch.turns))
    if twice.any():
        row = int(np.argmax(twice))
        raise InputError(
            f"turn {int(batch.turns[row])} occurs twice; number turns once each",
            file=path,
            where=batch.ids[int(document[row])],
        )


def _no_marks() -> Marks:
    none = ints([])
    names = {key: Names(none, []) for key in MARK_NAMES}
    return Marks(none, none, none, none, names, none, np.zeros(0, dtype=np.bool_))
