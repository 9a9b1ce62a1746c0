"""Columns of a Parquet file, of the kinds that gold may have."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tracegen.errors import InputError
from tracegen.eval.columns import ABSENT, Ints, Names


def column_of(table: Any, name: str) -> Any:
    """A column in one piece."""
    column = table.column(name)
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def optional_column(table: Any, name: str) -> Any:
    """A column in one piece; None where the table has none of that name."""
    return column_of(table, name) if name in table.column_names else None


def fields_of(column: Any, path: Path, name: str, needed: tuple[str, ...]) -> dict[str, Any]:
    """The fields of a column of lists of records, all lists one after the other.

    Raises:
        InputError: it is no such column, or a needed field is missing.
    """
    values = column.flatten() if hasattr(column, "flatten") else None
    if values is None or not pa.types.is_struct(values.type):
        raise InputError(f"column {name!r} must be a list of records", file=path)
    kinds = [values.type.field(index).name for index in range(values.type.num_fields)]
    if len(set(kinds)) < len(kinds):
        raise InputError(f"column {name!r} has a field twice", file=path)
    for field in needed:
        if field not in kinds:
            raise InputError(f"column {name!r} lacks the field {field!r}", file=path)
    return dict(zip(kinds, values.flatten(), strict=True))


def counts_of(column: Any) -> Ints:
    """The length of each list; 0 where there is none."""
    counts = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
    return np.asarray(counts, dtype=np.int64)


def numbers_of(column: Any, path: Path, name: str) -> Ints:
    """Whole numbers, absent ones as `ABSENT`; tables that allow none often keep them as floats.

    Raises:
        InputError: the column is of something else.
    """
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind)):
        raise InputError(f"column {name!r} is {kind}; it must be of whole numbers", file=path)
    if kind != pa.int64():
        column = column.cast(pa.int64())
    if column.null_count:
        column = pc.fill_null(column, ABSENT)
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.int64)


def holds_texts(kind: Any) -> bool:
    """Whether a type is that of texts."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    is_text = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in is_text)


def texts_of(column: Any, path: Path, name: str) -> Any:
    """Texts, however the table keeps them.

    Raises:
        InputError: the column is of something else.
    """
    kind = column.type
    if not (holds_texts(kind) or pa.types.is_null(kind)):
        raise InputError(f"column {name!r} is {kind}; it must be of texts", file=path)
    plain = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return column if plain else column.cast(pa.string())


def filled(column: Any) -> Any:
    """Texts, absent ones as empty ones."""
    return pc.fill_null(column, "") if column.null_count else column


def names_of(column: Any, size: int, path: Path, name: str) -> Names:
    """Names, all of them absent where there is no column.

    Raises:
        InputError: the column is of something else than texts.
    """
    if column is None or pa.types.is_null(column.type):
        return Names(np.full(size, ABSENT, dtype=np.int64), [])
    encoded = texts_of(column, path, name).dictionary_encode()
    return Names(numbers_of(encoded.indices, path, name), encoded.dictionary.to_pylist())
