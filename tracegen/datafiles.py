"""Which files hold the rows of a corpus, their digest, their lines, and what a turn must have.

Whatever reads a corpus asks here, a detector and the scorer alike, so that both see the same rows.
"""

import codecs
import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from tracegen.errors import InputError

T = TypeVar("T")

MANIFEST = "manifest.json"
"""What a corpus of ours says of itself lies in its folder under this name."""

RUN_RECORD = ".run.json"
"""What determined predictions lies beside them, under their name with this ending."""

_IN_FOLDERS = ("data/*.parquet", "*.parquet", "conversations.jsonl", "*.jsonl")
"""The first of these that a folder has is its corpus; what else lies there is something else."""

_WHOLE = "conversations.jsonl"
"""Holds all rows of a corpus of ours, however many files the manifest names."""

_SIDES = ("user", "assistant")
_OF_TURNS = frozenset(("turn", "lang", *_SIDES))
ROWS = "rows"
"""A digest of this kind is that of the canonical rows, as the manifest of a corpus tells it."""

NEEDED = "each turn needs `turn`, `user` and `assistant`; a side without words is an empty text"


def data_files(path: Path) -> list[Path]:
    """The files that hold the rows of a corpus.

    Raises:
        InputError: there are none, or others than the manifest of the folder names.
    """
    if path.is_dir():
        for pattern in _IN_FOLDERS:
            files = sorted(path.glob(pattern))
            if files:
                _check_manifest(path, files)
                return files
        problem = "holds neither data/*.parquet nor conversations.jsonl; not a corpus"
        raise InputError(problem, file=path)
    if not path.is_file():
        problem = "does not exist: no such corpus folder, Parquet or JSONL file"
        raise InputError(problem, file=path)
    if path.suffix not in (".parquet", ".jsonl", ".ndjson"):
        problem = "a corpus is a folder, a .parquet or a .jsonl file; docs/format.md says of what"
        raise InputError(problem, file=path)
    return [path]


def _check_manifest(folder: Path, files: Sequence[Path]) -> None:
    """Hold files against the manifest of a corpus of ours; one that is not ours says nothing.

    Raises:
        InputError: a file is missing, or one is there that the manifest does not name.
    """
    manifest = folder / MANIFEST
    try:
        entries = msgspec.json.decode(manifest.read_bytes())["files"]
        named = {Path(entry["file"]).name: entry["file"] for entry in entries}
    except (OSError, msgspec.DecodeError, RecursionError, KeyError, TypeError):
        return
    found = {file.name for file in files}
    if not named or found == {_WHOLE}:
        return
    missing = [file for name, file in named.items() if name not in found]
    if missing:
        more = f", and {len(missing) - 1} more are missing" if len(missing) > 1 else ""
        problem = f"is missing, though manifest.json names it{more}; copy it here again"
        raise InputError(problem, file=folder / missing[0])
    stranger = next((file for file in files if file.name not in named), None)
    if stranger:
        raise InputError("is not named in manifest.json; move it elsewhere", file=stranger)


def data_digest(files: Sequence[Path]) -> tuple[str, str]:
    """The kind (`jsonl` or `parquet`) of data files, and the sha256 of their bytes, in order.

    Digests of two kinds say nothing of each other: the same rows have one of each.
    """
    return "parquet" if files[0].suffix == ".parquet" else "jsonl", files_sha256(files)


def file_sha256(path: Path) -> str:
    """The sha256 of a file, read in blocks."""
    return files_sha256([path])


def files_sha256(paths: Iterable[Path]) -> str:
    """The sha256 of all bytes of some files, in order; of one file, its own."""
    total = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                total.update(block)
    return total.hexdigest()


def json_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, with their numbers from 1.

    A byte order mark at the head of the file is no part of the first line: some editors write one.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if number == 1:
                    line = line.removeprefix(codecs.BOM_UTF8)
                if line and not line.isspace():
                    yield number, line
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def lines_of_records(data: bytes) -> int | None:
    """The number of lines; None where lines may hold other than an object each.

    Quick decoders read objects wherever they stand. But JSON wants a comma between a `}` and a `{`,
    so a line break alone between the two lies in no object: who finds as many objects as lines
    between such breaks has found one a line.
    """
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    breaks = data.count(b"}\n{") + (data.count(b"}\r\n{") if b"\r" in data else 0)
    whole = data.startswith(b"{") and data.endswith((b"}", b"}\n", b"}\r\n"))
    return lines if whole and breaks == lines - 1 else None


def decoded(
    decode: Callable[[bytes], T],
    line: bytes,
    keys: Collection[str],
    what: tuple[str, str],
    *,
    file: Path,
    where: object,
) -> T:
    """One line, decoded; each of the keys may stand once in an object, and turns be as they must.

    Args:
        decode: the decoder.
        line: the line.
        keys: the fields that are read, at any depth.
        what: the name of such a line, and what it needs.
        file: the file, for an error.
        where: the number of the line, for an error.

    Raises:
        InputError: it is not as the decoder wants it, or a key is given twice.
    """
    try:
        record = decode(line)
        repeated = _look(line, keys)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        problem = f"is not {what[0]} ({error}); needed: {what[1]}"
        raise InputError(problem, file=file, where=where) from error
    if repeated:
        raise InputError(repeated, file=file, where=where)
    return record


class _Written(str):
    """A number as it is written."""

    __slots__ = ()


def _look(line: bytes, keys: Collection[str]) -> str | None:
    """Say what decoders pass over: a key that is given twice, a turn under other names."""
    twice: list[str] = []

    def gather(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice.extend(name for name in found if name in keys and names.count(name) > 1)
        return found

    # Numbers stay as they are written: a long one of an unknown field is nobody's business.
    row = json.loads(
        line.decode("utf-8", "replace"),
        object_pairs_hook=gather, parse_int=_Written, parse_float=_Written, strict=False,
    )  # fmt: skip
    if twice:
        return f"gives the field {twice[0]!r} twice in one object; leave one"
    turns = row.get("turns") if isinstance(row, dict) and "turns" in keys else None
    known = [turn for turn in turns or () if isinstance(turn, dict)]
    return next(filter(None, map(wrong_turn, known)), None)


def wrong_turn(turn: Mapping[str, Any]) -> str | None:
    """Say why the texts of a turn cannot be known; None where they can.

    A text under another name would be searched by no detector, and in a redacted conversation pass
    for one that was taken out whole.
    """
    strange = [
        name for name, value in turn.items()
        if name not in _OF_TURNS and type(value) is str and value
    ]  # fmt: skip
    place = f"turn {turn.get('turn')}"
    if strange:
        return f"{place} has a text in the unknown field {strange[0]!r}; {NEEDED}"
    if all(turn.get(side) is None for side in _SIDES):
        return f"{place} has neither user nor assistant; {NEEDED}"
    return None


def given_once(data: bytes, times: Mapping[str, int]) -> bool:
    """Whether these keys stand in the data exactly so often, so that none is given twice.

    It counts bytes, which is quick. Each key has a colon of its own, so if there are no more colons
    than these keys need, there is no other key and none twice. Else each key is counted: `"id"` may
    also be a value or the end of a text, and a key may be written with escapes; then this says no,
    and each line has to be looked at.
    """
    if data.count(b":") == sum(times.values()):
        return True
    if any(b"\\u00%d" % digit in data for digit in (5, 6, 7)):
        return False
    return all(data.count(f'"{key}"'.encode()) == number for key, number in times.items())
