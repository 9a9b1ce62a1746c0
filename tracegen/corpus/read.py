"""Read conversations back: a corpus folder, a Parquet file or a JSONL file, ours or PII-TRACE's."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from tracegen.datafiles import data_files, decoded, json_lines, wrong_turn
from tracegen.errors import InputError
from tracegen.model import Conversation, Decoy, Span, Turn, document

_BATCH = 64
_DEFAULTS: Mapping[str, Any] = {
    "source_corpus": "imported", "template_id": None, "locale": None, "slice": None,
    "pair_id": None, "axis": None, "level": None, "decoys": (), "carriers": (),
}  # fmt: skip
_KEYS = frozenset(
    name for struct in (Conversation, Turn, Span, Decoy) for name in struct.__struct_fields__
)
_WHAT = ("a conversation", "id, language, turns, spans")
_LARGEST = 2**63 - 1
"""Of a number; the scorer keeps numbers in columns, and what it refuses is refused here as well."""


def read(path: Path | str) -> Iterator[Conversation]:
    """Every conversation of a corpus, in order, without holding more than a few in memory.

    Args:
        path: a folder written by tracegen, a `.parquet` file, or a `.jsonl` file.

    Raises:
        InputError: names file and row of whatever is missing or broken.
    """
    for file in data_files(Path(path)):
        rows = _parquet(file) if file.suffix == ".parquet" else _jsonl(file)
        for number, row in rows:
            yield _conversation(row, file, number)


def _parquet(path: Path) -> Iterator[tuple[int, Any]]:
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice:
                raise InputError(f"has the column {twice!r} twice; leave one", file=path)
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        problem = f"not a readable Parquet file: {str(error).splitlines()[0]}"
        raise InputError(problem, file=path) from error


def _jsonl(path: Path) -> Iterator[tuple[int, Any]]:
    decode = msgspec.json.Decoder().decode
    for number, line in json_lines(path):
        yield number, decoded(decode, line, _KEYS, _WHAT, file=path, where=number)


def _conversation(row: Any, path: Path, number: int) -> Conversation:
    """A row with unknown columns left out and missing optional ones filled.

    Raises:
        InputError: a needed field is missing or has the wrong type.
    """
    if not isinstance(row, dict):
        raise InputError("each row must be an object", file=path, where=number)
    fields = {name: row[name] for name in Conversation.__struct_fields__ if name in row}
    for name, value in _DEFAULTS.items():
        if fields.get(name) is None:
            fields[name] = value
    for name in ("id", "language", "turns"):
        if fields.get(name) is None:
            raise InputError(f"the row has no field {name!r}", file=path, where=number)
    if "spans" not in row:
        problem = "the row has no field 'spans'; where nothing is marked it is an empty list"
        raise InputError(problem, file=path, where=number)
    try:
        wrong = next(filter(None, map(wrong_turn, fields["turns"])), None)
        if wrong:
            raise InputError(wrong, file=path, where=number)
        turns = msgspec.convert([_known(turn, Turn) for turn in fields["turns"]], tuple[Turn, ...])
        fields["turns"] = turns
        fields["spans"] = [_known(span, Span) for span in fields.get("spans") or ()]
        fields["decoys"] = [_known(decoy, Decoy) for decoy in fields["decoys"]]
        if fields.get("length") is None:
            fields["length"] = len(document(turns))
        if type(fields["id"]) not in (str, int) or fields["id"] == "":
            raise InputError("the id must be a text or a number", file=path, where=number)
        fields["id"] = str(fields["id"])
        conversation = msgspec.convert(fields, Conversation)
    except (msgspec.ValidationError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"not a conversation: {error}", file=path, where=number) from error
    odds = _at_odds(conversation)
    if odds:
        raise InputError(odds, file=path, where=number)
    return conversation


def _at_odds(conversation: Conversation) -> str | None:
    """Say what no scorer could read, although every field is of its type."""
    numbers = [turn.turn for turn in conversation.turns]
    if len(set(numbers)) < len(numbers):
        twice = next(number for number in numbers if numbers.count(number) > 1)
        return f"turn {twice} occurs twice; number turns once each"
    numbers += [span.subject for span in conversation.spans if span.subject is not None]
    far = next((number for number in numbers if not -_LARGEST <= number <= _LARGEST), None)
    return None if far is None else f"the number {far} is larger than {_LARGEST}"


def _known(item: Any, struct: type[msgspec.Struct]) -> Any:
    """The fields of an item that the record has; nulls of messages become empty."""
    known = {name: item[name] for name in struct.__struct_fields__ if name in item}
    if struct is Turn:
        for side in ("user", "assistant"):
            known[side] = known.get(side) or ""
    return known
