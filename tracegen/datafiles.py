"""Which files hold the rows of a corpus, and the lines of JSON lines.

Whatever reads a corpus asks here, a detector and the scorer alike, so that both see the same rows.
"""

import codecs
from collections.abc import Iterator
from pathlib import Path

from tracegen.errors import InputError

_IN_FOLDERS = ("data/*.parquet", "*.parquet", "conversations.jsonl", "*.jsonl")
"""The first of these that a folder has is its corpus; what else lies there is something else."""


def data_files(path: Path) -> list[Path]:
    """The files that hold the rows of a corpus.

    Raises:
        InputError: there are none.
    """
    if path.is_dir():
        for pattern in _IN_FOLDERS:
            files = sorted(path.glob(pattern))
            if files:
                return files
        problem = "holds neither data/*.parquet nor conversations.jsonl; not a corpus"
        raise InputError(problem, file=path)
    if not path.is_file():
        problem = "does not exist: no such corpus folder, Parquet or JSONL file"
        raise InputError(problem, file=path)
    if path.suffix not in (".parquet", ".jsonl", ".ndjson"):
        problem = "a corpus is a folder, a .parquet or a .jsonl file; `tracegen import` reads more"
        raise InputError(problem, file=path)
    return [path]


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
