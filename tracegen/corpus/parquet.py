"""The one explicit Parquet schema, and a writer whose bytes do not depend on how it is fed."""

from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from tracegen.model import Conversation
from tracegen.outputs import writing

ROWS_IN_GROUP = 1000
"""Conversations in a row group: memory is bounded by one group."""

CHARACTERS_IN_GROUP = 64_000_000
"""A group is closed earlier when its text reaches this length."""

_TURN = pa.struct([("turn", pa.int32()), ("user", pa.string()), ("assistant", pa.string()),
                   ("lang", pa.string())])  # fmt: skip
_SPAN = pa.struct([
    ("turn", pa.int32()), ("source", pa.string()), ("start", pa.int32()), ("end", pa.int32()),
    ("label", pa.string()), ("text", pa.string()), ("kind", pa.string()),
    ("entity_id", pa.string()), ("subject", pa.int32()), ("form", pa.string()),
    ("carrier", pa.string()),
])  # fmt: skip
_DECOY = pa.struct([
    ("turn", pa.int32()), ("source", pa.string()), ("start", pa.int32()), ("end", pa.int32()),
    ("text", pa.string()), ("kind", pa.string()),
])  # fmt: skip
SCHEMA = pa.schema([
    ("id", pa.string()), ("source_corpus", pa.string()), ("template_id", pa.string()),
    ("language", pa.string()), ("locale", pa.string()), ("slice", pa.string()),
    ("pair_id", pa.string()), ("axis", pa.string()), ("level", pa.string()),
    ("turns", pa.list_(_TURN)), ("spans", pa.list_(_SPAN)), ("decoys", pa.list_(_DECOY)),
    ("length", pa.int64()), ("carriers", pa.list_(pa.string())),
])  # fmt: skip
"""The columns of a corpus, in the order of the record."""


class ParquetWriter:
    """Writes conversations to one file in contiguous row groups.

    The bytes are the same for the same rows and pyarrow version, whatever the batches were.
    """

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            OutputError: it cannot be written.
        """
        self._path = path
        self._rows: list[Any] = []
        self._characters = 0
        with writing(path):
            self._writer = pq.ParquetWriter(
                path, SCHEMA, compression="zstd", compression_level=3, write_page_index=True
            )

    def write(self, conversation: Conversation) -> None:
        """Add one row."""
        self._rows.append(msgspec.to_builtins(conversation))
        self._characters += conversation.length
        if len(self._rows) >= ROWS_IN_GROUP or self._characters >= CHARACTERS_IN_GROUP:
            self._flush()

    def close(self) -> None:
        """Write what is left and the footer."""
        self._flush()
        with writing(self._path):
            self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            with writing(self._path):
                table = pa.Table.from_pylist(self._rows, schema=SCHEMA)
                self._writer.write_table(table, row_group_size=len(self._rows))
        self._rows, self._characters = [], 0
