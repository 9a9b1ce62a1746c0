"""The quick way to read predictions: JSON lines straight into columns, when nothing is unusual."""

import codecs
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json as pj

from tracegen.datafiles import given_once, lines_of_records
from tracegen.eval.columns import ABSENT, Names, ints
from tracegen.eval.gold import SOURCES, Gold
from tracegen.eval.placing import Predictions, framed, laid

_SPAN = pa.struct(
    [
        ("turn", pa.int64()),
        ("source", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("label", pa.string()),
    ]
)
_SCHEMA = pa.schema([("id", pa.string()), ("spans", pa.list_(_SPAN)), ("offset_unit", pa.string())])
_BLOCK = 1 << 24


def read_columns(path: Path, gold: Gold) -> Predictions | None:
    """The predictions of a file, or None where the careful reader has to look at it.

    Whatever is wrong, missing, declared or merely odd is left to the careful reader, which names
    the line. What this one returns, the careful one would return as well; only in a field that
    neither of them uses may values be nested deeper than the careful one follows.
    """
    try:
        data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
        lines = lines_of_records(data)
        if lines is None or b"NaN" in data or b"Inf" in data:  # Arrow takes them for numbers
            return None
        source: Any = pa.BufferReader(data)  # its stubs know of files alone
        table = pj.read_json(
            source,
            read_options=pj.ReadOptions(block_size=_BLOCK),
            parse_options=pj.ParseOptions(
                explicit_schema=_SCHEMA, unexpected_field_behavior="ignore"
            ),
        ).combine_chunks()
        once = len(table) == lines and given_once(data, _times(table))
        return _read(table, gold) if once else None
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError, UnicodeDecodeError):
        return None


def _times(table: Any) -> dict[str, int]:
    """How often each key stands in the file, if none is null or given twice."""
    times = {name: len(table) - table.column(name).null_count for name in table.column_names}
    spans = [part.flatten() for part in table.column("spans").chunks]
    for name in (field.name for field in _SPAN):
        times[name] = sum(len(part) - part.field(name).null_count for part in spans)
    return times


def _read(table: Any, gold: Gold) -> Predictions | None:
    if not len(table) or table.column("offset_unit").null_count < len(table):
        return None
    document = _documents(table.column("id").to_pylist(), gold)
    spans = table.column("spans")
    if document is None or spans.null_count:
        return None
    return _placed(spans.chunk(0), document, gold)


def _documents(ids: list[str | None], gold: Gold) -> Any:
    """The row of each record, if the records are exactly the conversations of the gold."""
    if ids == gold.ids:
        return np.arange(len(ids))
    rows = [gold.index.get(name) if name is not None else None for name in ids]
    if None in rows or len(rows) != len(gold) or len(set(rows)) != len(rows):
        return None
    return ints(rows)  # type: ignore[arg-type]  # no row is None, as was just checked


def _placed(spans: Any, document: Any, gold: Gold) -> Predictions | None:
    values = spans.flatten()
    fields = dict(zip([field.name for field in _SPAN], values.flatten(), strict=True))
    turn, source = fields["turn"], fields["source"]
    if any(fields[name].null_count for name in ("start", "end", "label")) or values.null_count:
        return None
    if turn.null_count not in (0, len(values)) or source.null_count != turn.null_count:
        return None
    names = {name: _names(fields[name]) for name in ("source", "label")}
    if set(names["source"].names) - set(SOURCES):
        return None
    of_span = np.repeat(document, spans.value_lengths().to_numpy(zero_copy_only=False))
    number = turn.fill_null(ABSENT).to_numpy(zero_copy_only=False)
    frame = framed(gold, of_span, number, names["source"])
    start, end = (fields[name].to_numpy(zero_copy_only=False) for name in ("start", "end"))
    return laid(gold, frame, start, end, names["label"], records=len(document))


def _names(column: Any) -> Names:
    encoded = column.dictionary_encode()
    codes = encoded.indices.fill_null(ABSENT).to_numpy(zero_copy_only=False)
    return Names(codes.astype(np.int64), encoded.dictionary.to_pylist())
