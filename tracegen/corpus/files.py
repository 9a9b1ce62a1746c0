"""Digests of files, and how a corpus is written: so that nothing half-written is ever seen."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from tracegen.outputs import write_atomically, writing

__all__ = [
    "ROWS", "data_digest", "file_sha256", "files_sha256", "write_atomically", "writing",
]  # fmt: skip

ROWS = "rows"
"""A digest of this kind is that of the canonical rows, as the manifest of a corpus tells it."""


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
