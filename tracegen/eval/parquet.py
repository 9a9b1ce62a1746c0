"""Gold from Parquet, column by column, without making a row."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tracegen.errors import InputError
from tracegen.eval.columns import ABSENT, Flags, Ints, Names, ints, unique
from tracegen.eval.gold import FIELDS, MARK_NAMES, Batch, Marks, find_turns
from tracegen.eval.rows import derived_entity, misfit, source_code

_BATCH = 1_024
"""Conversations at a time, so that memory does not grow with the file."""

_NEEDED = ("id", "turns", "spans")


def read_parquet(path: Path, *, texts: bool = False) -> Iterator[Batch]:
    """The batches of one file.

    Raises:
        InputError: the file is not Parquet, lacks a column, or holds a span that does not fit.
    """
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            missing = [name for name in _NEEDED if name not in file.schema_arrow.names]
            if missing:
                raise InputError(f"lacks the column {missing[0]!r}; needed: {_NEEDED}", file=path)
            present = [*_NEEDED, "decoys", *FIELDS]
            columns = [name for name in present if name in file.schema_arrow.names]
            for part in file.iter_batches(_BATCH, columns=columns):
                yield _batch(pa.Table.from_batches([part]), path, texts)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OSError) as error:
        raise InputError(f"cannot be read as Parquet ({error})", file=path) from error


def _batch(table: Any, path: Path, texts: bool) -> Batch:
    ids = _ids(_column(table, "id"), path)
    turns = _column(table, "turns")
    fields = _struct(turns, path, "turns", ("turn", "user", "assistant"))
    messages = [_filled(fields[name]) for name in ("user", "assistant")]
    lengths = np.empty(2 * len(messages[0]), dtype=np.int64)
    for side, column in enumerate(messages):
        lengths[side::2] = pc.utf8_length(column).to_numpy(zero_copy_only=False)
    batch = Batch(
        ids=ids,
        fields={key: _names(_optional(table, key), len(ids)) for key in FIELDS},
        turn_counts=_counts(turns),
        turns=_numbers(fields["turn"]),
        lengths=lengths,
        spans=_no_marks(),
        decoys=_no_marks(),
    )
    _check_turns(batch, path)
    reader = _Messages(messages)
    batch.spans = _marks(_column(table, "spans"), batch, reader, path)
    if "decoys" in table.column_names:
        batch.decoys = _marks(_column(table, "decoys"), batch, reader, path)
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
    ids: list[str] = _filled(column).to_pylist()
    return ids


def _marks(column: Any, batch: Batch, reader: "_Messages", path: Path) -> Marks:
    counts = _counts(column)
    document = np.repeat(np.arange(len(batch.ids)), counts)
    if not len(document):
        return _no_marks()
    fields = _struct(column, path, "spans", ("turn", "source", "start", "end"))
    turn, start, end = (_numbers(fields[name]) for name in ("turn", "start", "end"))
    source = _names(fields["source"], len(document))
    side = ints([*map(source_code, source.names), ABSENT])[source.codes]
    row = find_turns(batch.turn_counts, batch.turns, document, turn)
    _refuse((row == ABSENT) | (side == ABSENT), batch, document, path, "lies in no message")
    message = 2 * row + side
    stored = fields["text"].to_pylist() if "text" in fields else [None] * len(document)
    values = reader.values(message, start, end, stored, batch, document, path)
    names = {key: _names(fields.get(key), len(document)) for key in MARK_NAMES}
    derived = names["entity_id"].codes == ABSENT
    if derived.any():
        names["entity_id"] = _derived(names, values)
    subject = _numbers(fields["subject"]) if "subject" in fields else None
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
        raise InputError(f"a span {problem}", file=path, where=where)


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


def _column(table: Any, name: str) -> Any:
    column = table.column(name)
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def _optional(table: Any, name: str) -> Any:
    return _column(table, name) if name in table.column_names else None


def _struct(column: Any, path: Path, name: str, needed: tuple[str, ...]) -> dict[str, Any]:
    values = column.flatten() if hasattr(column, "flatten") else None
    if values is None or not pa.types.is_struct(values.type):
        raise InputError(f"column {name!r} must be a list of records", file=path)
    kinds = [values.type.field(index).name for index in range(values.type.num_fields)]
    for field in needed:
        if field not in kinds:
            raise InputError(f"column {name!r} lacks the field {field!r}", file=path)
    return dict(zip(kinds, values.flatten(), strict=True))


def _counts(column: Any) -> Ints:
    counts = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
    return np.asarray(counts, dtype=np.int64)


def _numbers(column: Any) -> Ints:
    if column.null_count:
        column = pc.fill_null(column, ABSENT)
    if not pa.types.is_integer(column.type):
        column = column.cast(pa.int64())
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.int64)


def _filled(column: Any) -> Any:
    return pc.fill_null(column, "") if column.null_count else column


def _names(column: Any, size: int) -> Names:
    if column is None or pa.types.is_null(column.type):
        return Names(np.full(size, ABSENT, dtype=np.int64), [])
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    names = encoded.dictionary.to_pylist()
    return Names(_numbers(encoded.indices), names)
